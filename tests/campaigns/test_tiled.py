"""Maps for Tiled and back: every shipped map comes back with the same meaning, and a stranger's map cannot do harm."""

import json
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

pytest.importorskip("pytiled_parser")
pytest.importorskip("jsonschema")

from campaigns.file.errors import CampaignError
from campaigns.library.locate import find_system
from campaigns.library.rule_texts import load
from campaigns.tiled import as_tmj, as_tmx, map_of, map_text, read_map_file, tiled_map
from campaigns.tiled.hexes import TiledSheet
from dsl.data.maps import read_map
from dsl.load import read_system
from dsl.rules.assemble import assemble
from dsl.text.source import SourceFile
from ui.main import main

SYSTEMS = ("bth", "btr", "infantry", "ogre", "ww2")
SMALL = """\
system tiny "Tiny" version 1.0
place hex, on hex grid:
  terrain  one of open or woods
  city     mark
  road     link
  river    link of stream or major
map vale "The vale <of> \\"x\\"" of hex, 5 by 4, odd columns low, numbered 2101:
  letters:
    letter | terrain | city
    .      | open    | no
    c      | open    | yes
    w      | woods   | no
    x      | no place
  grid:
    01 | . . w . .
    02 | . c w . x
    03 | . . . . x
    04 | . . . . .
  named:
    hex  | name
    2202 | Ash & Oak
  road along 2101 to 2301
  major river between 2302 and 2202, 2402
"""


def rules_of(text):
    return assemble(read_system([SourceFile("tiny.rules", text)]).declarations)[0]


@pytest.fixture(scope="module")
def tiny():
    return rules_of(SMALL.replace('\\"x\\"', "x"))


def written(folder, found, ending):
    path = folder / f"map{ending}"
    path.write_text((as_tmx if ending == ".tmx" else as_tmj)(found), encoding="utf-8")
    return path


def meaning(rules, node):
    """All that a map says, as the machine reads it."""
    data, problems = read_map(rules, node)
    assert [x for x in problems if x.is_error] == []
    size = node.of, node.title, node.columns, node.rows, node.low, node.numbered
    return size, data.fields, data.names, data.stretches, data.inside, data.between, data.holes


def come_back(rules, name, folder, ending):
    text, _ = map_text(read_map_file(written(folder, tiled_map(map_of(rules, name), "tiles.png"), ending)))
    again = read_system([SourceFile("again.rules", text)])
    assert [x.message for x in again.problems] == []
    return again.declarations[0]


@pytest.mark.parametrize("ending", [".tmj", ".tmx"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_every_shipped_map_comes_back_with_the_same_meaning(system, ending, tmp_path):
    rules = assemble(load(find_system(system)).declarations)[0]
    assert rules.maps
    for name, node in rules.maps.items():
        again = come_back(rules, name, tmp_path, ending)
        assert again.name == name
        assert meaning(rules, again) == meaning(rules, node)


@pytest.mark.parametrize("ending", [".tmj", ".tmx"])
def test_holes_names_sorts_of_links_and_stagger_come_back(tiny, tmp_path, ending):
    again = come_back(tiny, "vale", tmp_path, ending)
    assert meaning(tiny, again) == meaning(tiny, tiny.maps["vale"])
    assert again.low == "odd"


def test_a_map_is_as_tiled_wants_it(tiny):
    found = tiled_map(map_of(tiny, "vale"))
    assert (found["orientation"], found["staggeraxis"], found["hexsidelength"]) == ("hexagonal", "x", 36)
    assert found["staggerindex"] == "even"  # column 21, the first, is odd and low; Tiled counts it 0
    assert [tile["type"] for tile in found["tilesets"][0]["tiles"]] == ["open", "open", "woods"]
    assert found["layers"][0]["data"][9] == 0  # no place


def test_what_is_drawn_by_hand_needs_only_a_class_and_lines(tiny, tmp_path):
    sheet = TiledSheet(3, 2, 1)
    (x, y), (x2, y2), (x3, y3) = sheet.middle(0, 0), sheet.middle(1, 0), sheet.middle(2, 1)
    found = {
        "type": "map", "version": "1.10", "infinite": False, "orientation": "hexagonal", "renderorder": "right-down", "width": 3, "height": 2,
        "tilewidth": 72, "tileheight": 62, "hexsidelength": 36, "staggeraxis": "x", "staggerindex": "odd", "nextlayerid": 3, "nextobjectid": 3,
        "tilesets": [{"firstgid": 1, "name": "t", "tilewidth": 72, "tileheight": 62, "spacing": 0, "margin": 0, "tilecount": 2, "columns": 2,
                      "tiles": [{"id": 0, "type": "open"}, {"id": 1, "type": "woods"}]}],
        "layers": [
            {"id": 1, "name": "Ground", "type": "tilelayer", "x": 0, "y": 0, "width": 3, "height": 2, "opacity": 1, "visible": True, "data": [1, 2, 1, 1, 1, 0]},
            {"id": 2, "name": "links", "type": "objectgroup", "draworder": "topdown", "x": 0, "y": 0, "opacity": 1, "visible": True, "objects": [
                {"id": 1, "name": "", "type": "road", "x": x, "y": y, "width": 0, "height": 0, "rotation": 0, "visible": True,
                 "polyline": [{"x": 0, "y": 0}, {"x": x2 - x + 5, "y": y2 - y - 4}, {"x": x3 - x, "y": y3 - y}]}]},
        ],
    }  # fmt: skip
    text, places = map_text(read_map_file(written(tmp_path, found, ".tmj")), "My coast")
    assert places == 5
    assert text.splitlines() == [
        'map my-coast "my-coast" of hex, 3 by 2, even columns low:',
        "  letters:",
        "    letter | terrain",
        "    . | open",
        "    w | woods",
        "    x | no place",
        "  grid:",
        "    01 | . w .",
        "    02 | . . x",
        "  road along 0101 to 0201 to 0302",
    ]


def test_points_lie_in_the_places_around_them():
    sheet = TiledSheet(6, 5, 0)
    for column in range(6):
        for row in range(5):
            x, y = sheet.middle(column, row)
            for across, down in ((0, 0), (20, 10), (-20, -10), (0, 28), (0, -28)):
                assert sheet.nearest(x + across, y + down) == (column, row)
    assert sheet.nearest(-400, 0) is None
    assert sheet.nearest(0, 9999) is None


# ---- strangers' maps
def sound(tiny):
    return tiled_map(map_of(tiny, "vale"))


BOMB = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "bbbbbbbbbb"><!ENTITY c "&b;&b;&b;&b;">]><map>&c;</map>'


@pytest.mark.parametrize(
    ("what", "change"),
    [
        ("outside its folder", {"tilesets": [{"firstgid": 1, "source": "../../etc/passwd.tsx"}]}),
        ("outside its folder", {"tilesets": [{"firstgid": 1, "source": "/etc/hostname"}]}),
        ("outside its folder", {"tilesets": [{"firstgid": 1, "name": "t", "tilewidth": 1, "tileheight": 1, "spacing": 0, "margin": 0, "tilecount": 0, "columns": 0, "image": "../x.png"}]}),
        ("infinite", {"infinite": True}),
        ("compressed", {"layers": [{"type": "tilelayer", "compression": "zlib", "encoding": "base64", "data": "eJwLAAAA"}]}),
        ("templates", {"layers": [{"type": "objectgroup", "objects": [{"template": "a.tj"}]}]}),
        ("from 1 to 250,000 places", {"width": 100_000, "height": 100_000, "layers": []}),
        ("staggered by rows", {"staggeraxis": "y"}),
        ("cannot be read", {"layers": 3}),
        ("isometric", {"orientation": "isometric"}),
    ],
)  # fmt: skip
def test_a_map_that_asks_for_more_than_a_map_is_refused(tiny, tmp_path, what, change):
    with pytest.raises(CampaignError, match=what):
        map_text(read_map_file(written(tmp_path, sound(tiny) | change, ".tmj")))


def test_a_link_of_the_file_system_leads_nowhere(tiny, tmp_path):
    (tmp_path / "away").mkdir()
    (tmp_path / "away" / "t.tsj").write_text("{}")
    room = tmp_path / "room"
    room.mkdir()
    (room / "t.tsj").symlink_to(tmp_path / "away" / "t.tsj")
    with pytest.raises(CampaignError, match="outside its folder"):
        read_map_file(written(room, sound(tiny) | {"tilesets": [{"firstgid": 1, "source": "t.tsj"}]}, ".tmj"))


def test_a_tileset_beside_the_map_is_read(tiny, tmp_path):
    found = sound(tiny)
    tileset = found["tilesets"][0]
    (tmp_path / "t.tsj").write_text(json.dumps({key: value for key, value in tileset.items() if key != "firstgid"}))
    text, _ = map_text(
        read_map_file(written(tmp_path, found | {"tilesets": [{"firstgid": 1, "source": "t.tsj"}]}, ".tmj"))
    )
    assert "c | open | yes" in text


def test_entities_are_refused(tmp_path):
    (tmp_path / "a.tmx").write_text(BOMB)
    with pytest.raises(CampaignError, match="declares entities"):
        read_map_file(tmp_path / "a.tmx")


def test_what_is_no_cell_and_no_name_is_refused(tiny, tmp_path):
    found = sound(tiny)
    found["tilesets"][0]["tiles"][0]["properties"][1]["value"] = "open | yes\n  road along"
    with pytest.raises(CampaignError, match="cannot be written in a table cell"):
        map_text(read_map_file(written(tmp_path, found, ".tmj")))
    found = sound(tiny)
    found["layers"][1]["objects"][0]["properties"][0]["value"] = "road along 0101\nend game"
    with pytest.raises(CampaignError, match="of the map must be a name, not"):
        map_text(read_map_file(written(tmp_path, found, ".tmj")))


def _damaged(found, path, value):
    """The map with something else at a place of its structure."""
    at = found
    for step in path[:-1]:
        at = (
            list(at.values())[step % len(at)]
            if isinstance(at, dict) and at
            else at[step % len(at)]
            if isinstance(at, list) and at
            else None
        )
        if at is None:
            return found
    if isinstance(at, dict) and at:
        at[list(at)[path[-1] % len(at)]] = value
    elif isinstance(at, list) and at:
        at[path[-1] % len(at)] = value
    return found


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.integers(0, 30), min_size=1, max_size=6),
    st.one_of(st.none(), st.integers(-5, 10**12), st.text(max_size=12), st.booleans(), st.just([]), st.just({}), st.floats(allow_nan=False)),
    st.sampled_from([".tmj", ".tmx"]),
)  # fmt: skip
def test_no_damage_is_too_much_for_the_reader(tiny, tmp_path, path, value, ending):
    found = sound(tiny)
    text = as_tmx(found)
    if ending == ".tmj":
        text = json.dumps(_damaged(found, path, value))
    else:
        at = sum(path) * 37 % len(text)
        text = text[:at] + str(value) + text[at + path[0] :]
    (tmp_path / f"d{ending}").write_bytes(text.encode("utf-8", "replace"))
    with suppress(CampaignError):  # any other error would be a fault
        map_text(read_map_file(tmp_path / f"d{ending}"))


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=300), st.sampled_from([".tmj", ".tmx"]))
def test_no_bytes_are_too_much_for_the_reader(tmp_path, raw, ending):
    (tmp_path / f"b{ending}").write_bytes(raw)
    with suppress(CampaignError):
        map_text(read_map_file(tmp_path / f"b{ending}"))


# ---- the commands
def test_a_map_goes_out_and_comes_in_by_command(tmp_path, capsys):
    (tmp_path / "tiny").mkdir()
    (tmp_path / "tiny" / "tiny.rules").write_text(SMALL.replace('\\"x\\"', "x"))
    file = tmp_path / "vale.tmj"
    assert main(["export", str(tmp_path / "tiny"), "--map", str(file)]) == 0
    assert (tmp_path / "vale-tiles.png").read_bytes().startswith(b"\x89PNG")
    assert main(["export", str(tmp_path / "tiny"), "--map", str(file)]) == 2
    assert main(["import", str(file), "--out", str(tmp_path / "vale.rules")]) == 0
    assert "2202 | Ash & Oak" in (tmp_path / "vale.rules").read_text()
    capsys.readouterr()
    assert main(["export", str(tmp_path / "tiny"), "--map", str(tmp_path / "vale.png")]) == 2
    assert "ends in .tmj or .tmx" in capsys.readouterr().err


@pytest.mark.parametrize("library", ["pytiled_parser", "jsonschema"])
def test_without_the_libraries_it_is_said_what_to_install(tiny, tmp_path, monkeypatch, library):
    monkeypatch.setitem(__import__("sys").modules, library, None)
    with pytest.raises(CampaignError) as error:
        read_map_file(written(tmp_path, sound(tiny), ".tmj"))
    assert error.value.hint == "Install them together with ophex: `ophex[tiled]`."
