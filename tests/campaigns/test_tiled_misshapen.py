"""What is said of a Tiled map that cannot be read: what is wrong and where, in the words of Tiled and not of the program."""

import json
import re

import pytest

from campaigns.file.errors import CampaignError
from campaigns.tiled import as_tmx, map_text, misshapen, read_map_file
from tests.campaigns.test_tiled import sound, tiny, written

assert tiny is not None, "a fixture of the other file"
GONE = object()
CHANGES = [
    (("width",), GONE, "the map has no width"),
    (("height",), "two", "height of the map must be a whole number, not `two`"),
    (("tilesets",), None, "tilesets of the map must be a list, not empty"),
    (("tilesets", 0, "firstgid"), "a", r"firstgid of tileset 1 \(.*\) must be a whole number, not `a`"),
    (("tilesets", 0, "tiles", 1), 5, r"tile 2 of tileset 1 \(.*\) must be an object, not `5`"),
    (("layers", 0, "type"), "grid", r"layer 1 \(grid\) has no type that Tiled knows \(group, imagelayer, objectgroup, tilelayer\)"),
    (("layers", 0, "width"), [], r"width of layer 1 \(grid\) must be a whole number, not a list"),
    (("layers", 0, "data", 2), "x", r"tile 3 of layer 1 \(grid\) must be a whole number, not `x`"),
    (("layers", 1, "objects"), GONE, r"layer 2 \(links\) has no objects"),
    (("layers", 1, "objects", 0, "x"), GONE, r"object 1 \(.*\) of layer 2 \(links\) has no x"),
    (("layers", 1, "objects", 0, "polyline", 1), {}, r"point 2 of object 1 \(.*\) of layer 2 \(links\) has no x"),
    (("properties", 0, "name"), 7, "name of property 1 of the map must be text, not `7`"),
    (("renderorder",), GONE, "the map has no renderorder"),
    (("layers", 0, "type"), GONE, r"layer 1 \(grid\) has no type"),
    (("height",), 2.0, "height of the map must be a whole number, not `2.0`"),
    (("layers", 0, "data"), "AQAAAA==", r"data of layer 1 \(grid\) must be a list of tiles, not `AQAAAA==`"),
    (("layers", 2, "objects", 0, "x"), float("nan"), r"x of object 1 \(.*\) of layer 3 \(named\) must be a number, not `NaN`"),
    (("layers", 2, "objects", 0), "\x1b[2J\nred \u202edone", r"object 1 of layer 3 \(named\) must be an object, not `\\x1b\[2J\\nred \\u202edone`"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("path", "value", "said"),
    CHANGES,
    ids=lambda x: "-".join(map(str, x)) if isinstance(x, tuple) else type(x).__name__,
)
def test_what_is_wrong_in_json_is_named_with_its_place(tiny, tmp_path, path, value, said):
    found = json.loads(json.dumps(sound(tiny)))
    at = found
    for step in path[:-1]:
        at = at[step]
    if value is GONE:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    file = tmp_path / "x.tmj"
    file.write_text(json.dumps(found))
    with pytest.raises(CampaignError, match=f"^The map cannot be read: {said}\\.$"):
        map_text(read_map_file(file))


@pytest.mark.parametrize(
    ("was", "now", "said"),
    [
        (r' width="\d+" height', ' width="a" height', "width of the map must be a whole number, not `a`"),
        (r'firstgid="1"', 'firstgid=""', r"firstgid of tileset 1 \(.*\) must be a whole number, not empty"),
        (r"(<tileset [^>]*>)", r"\1<image/>", r"the image of tileset 1 \(.*\) has no source"),
        (r'encoding="csv">\s*\d+', 'encoding="csv">x', r"tile 1 of layer 1 \(grid\) must be a whole number, not `x`"),
        (
            r'points="[^"]*"',
            'points="0,0 a,b"',
            r"x of point 2 of object 1 \(road\) of layer 2 \(links\) must be a number, not `a`",
        ),
        (r'points="[^"]*"', 'points="0,0 7"', r"point 2 of object 1 \(road\) of layer 2 \(links\) has no y"),
        (
            r"<polyline [^>]*>",
            "<polyline/>",
            r"x of point 1 of object 1 \(road\) of layer 2 \(links\) must be a number, not empty",
        ),
        (r"<map [^>]*>", "<map>", "the map has no width"),
        (r"<map [^>]*>(.*)</map>", r"<tileset>\1</tileset>", "type of the map must be `map`, not `tileset`"),
        (
            r'encoding="csv">[^<]*',
            'encoding="zip">A',
            r"layer 1 \(grid\) has no encoding that Tiled knows \(base64, csv\)",
        ),
        (r"<data .*</data>", "<data/>", r"tile 1 of layer 1 \(grid\) must be a whole number, not empty"),
    ],
)
def test_what_is_wrong_in_xml_is_named_with_its_place(tiny, tmp_path, was, now, said):
    text, changed = re.subn(was, now, as_tmx(sound(tiny)), count=1, flags=re.DOTALL)
    assert changed
    (tmp_path / "x.tmx").write_text(text)
    with pytest.raises(CampaignError, match=f"^The map cannot be read: {said}\\.$"):
        map_text(read_map_file(tmp_path / "x.tmx"))


BESIDE = '<tileset name="marsh" tilewidth="72" tileheight="62" tilecount="1" columns="1"><tile/></tileset>'


@pytest.mark.parametrize("ending", [".tmj", ".tmx"])
def test_what_is_wrong_in_a_tileset_beside_the_map_is_named(tiny, tmp_path, ending):
    (tmp_path / "t.tsx").write_text(BESIDE)
    found = sound(tiny) | {"tilesets": [{"firstgid": 1, "source": "t.tsx", "tiles": []}]}
    with pytest.raises(CampaignError, match=r"^The map cannot be read: tile 1 of tileset 1 \(marsh\) has no id\.$"):
        map_text(read_map_file(written(tmp_path, found, ending)))


HEAD = {
    "version": "1.10",
    "width": 3,
    "height": 2,
    "tilewidth": 9,
    "tileheight": 9,
    "nextobjectid": 1,
    "orientation": "hexagonal",
    "tilesets": [],
    "layers": [],
}
SET = {
    "firstgid": 1,
    "name": "t",
    "tilewidth": 9,
    "tileheight": 9,
    "tilecount": 1,
    "columns": 1,
    "spacing": 0,
    "margin": 0,
}
LAYER = {"name": "grid", "type": "tilelayer", "opacity": 1, "visible": True, "width": 3, "height": 2}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("empty-line.tmx", "\n<map/>"),
        ("other-encoding.tmx", '<?xml version="1.0" encoding="utf-16"?>\n<map/>'),
        ("no-encoding.tmx", '<?xml version="1.0" encoding="nonsense"?>\n<map/>'),
        ("marked.tmx", "\ufeff<map/>"),
        ("deep.tmx", "<map>" + "<group>" * 5000 + "</group>" * 5000 + "</map>"),
        ("no-columns.tmj", HEAD | {"layers": [LAYER | {"width": 0, "data": [1]}]}),
        ("no-picture.tmx", "<map><imagelayer/></map>"),
        ("numbered-tiles.tmj", HEAD | {"tilesets": [SET | {"tiles": {"1": {"id": 3}}}]}),
        ("no-tileset.tmj", HEAD | {"tilesets": [{"firstgid": 1, "source": "foo"}]}),
        ("no-colour.tmj", HEAD | {"tilesets": [SET | {"backgroundcolor": "red"}]}),
        ("endless.tmj", HEAD | {"tilesets": [SET | {"properties": [{"name": "x", "type": "int", "value": float("inf")}]}]}),
        ("no-list.tmj", HEAD | {"tilesets": [5]}),
    ],
    ids=lambda x: x if isinstance(x, str) and x.endswith(("tmj", "tmx")) else "",
)  # fmt: skip
def test_however_the_library_fails_the_map_is_refused(tmp_path, name, text):
    (tmp_path / name).write_text(text if isinstance(text, str) else json.dumps(text), encoding="utf-8")
    with pytest.raises(CampaignError, match=r"^The map cannot be read: [^\n]+\.$"):
        map_text(read_map_file(tmp_path / name))


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("x.tmj", '{\n "width": 3,\n}', "The map is not JSON: it cannot be read from line 3, column 1 on."),
        ("x.tmx", "<map>\n<layer>\n</map>", "The map is not XML: it cannot be read from line 3, column 3 on."),
    ],
)
def test_what_is_no_json_or_xml_is_told_with_its_place(tmp_path, name, text, said):
    (tmp_path / name).write_text(text)
    with pytest.raises(CampaignError, match=re.escape(said)):
        read_map_file(tmp_path / name)


def test_a_map_with_very_many_parts_is_not_looked_at_without_end(tiny, monkeypatch):
    found = sound(tiny) | {"layers": [{}]}
    assert misshapen.misshapen(found).startswith("layer 1 has no type")
    monkeypatch.setattr(misshapen, "MOST_PARTS", 5)
    assert misshapen.misshapen(found) == misshapen.UNKNOWN
