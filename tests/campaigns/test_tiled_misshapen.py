"""What is said of a Tiled map that cannot be read: what is wrong and where, in the words of Tiled and not of the program."""

import json
import re

import pytest

from campaigns.file.errors import CampaignError
from campaigns.tiled import as_tmx, map_text, read_map_file
from tests.campaigns.test_tiled import sound, tiny

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
]  # fmt: skip


@pytest.mark.parametrize(
    ("path", "value", "said"), CHANGES, ids=lambda x: "-".join(map(str, x)) if isinstance(x, tuple) else ""
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
        (r'points="[^"]*"', 'points="0,0 a,b"', r"`a,b` is no point of object 1.*"),
        (r"<map [^>]*>", "<map>", "the map has no width"),
    ],
)
def test_what_is_wrong_in_xml_is_named_with_its_place(tiny, tmp_path, was, now, said):
    text, changed = re.subn(was, now, as_tmx(sound(tiny)), count=1)
    assert changed
    (tmp_path / "x.tmx").write_text(text)
    with pytest.raises(CampaignError, match=f"^The map cannot be read: {said}\\.$"):
        map_text(read_map_file(tmp_path / "x.tmx"))


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
