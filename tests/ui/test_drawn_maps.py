"""A game on a drawn map at the command line: the map around a place, and what is said of a place."""

import json
import re

import jsonschema
import pytest

from ui.cli.schemas import command_schema

RULES = """system realm "Realm" version 1.0
unit block, stands in town:
  pace number
place way, between towns:
  crossed number, starts 0
place town:
  road  link of highway or lane
  worth number
list blocks of block:
  name | pace
  foot | 1
map realm "Realm" of town:
  places:
    town | name     | worth
    alba | New Alba | 1
    bern | Bern     | 1
    cork | Cork     | 2
    dove | Dove     | 3
    ezra | Ezra     | 3
    fano | Fano     | 3
    gent | Gent     | 3
    hull | Hull     | 3
  alba next to hull
  bern next to cork, gent
  highway road along alba to hull
  lane road along bern to cork
order march of b (a block) to goal (a town):
  given by side of b
  reaching goal by roads of b
  move b to goal
path roads of b (a block):
  from place of b
  at most pace of b points
  entering h (a town) costs 1 when crossing is road
sequence game-turn:
  for each s in sides, as active:
    phase marches: active may march
scenario war "War" on realm:
  side red "Red" red
  side blue "Blue" blue
  forces red of block:
    name | type | in
    r    | foot | alba
  end game when turn > 3 because "over"
"""


@pytest.fixture
def game(ophex, tmp_path):
    (tmp_path / "realm").mkdir()
    (tmp_path / "realm" / "realm.rules").write_text(RULES)
    path = tmp_path / "my.ophex"
    code, _, err = ophex("new", path, "--scenario", f"{tmp_path / 'realm'}/war", "--seed", "1")
    assert code == 0, err
    return path


def test_the_map_around_a_place_shows_what_is_so_many_steps_away(ophex, game):
    out = ophex("map", game, "--around", "new alba", "--within", "1")[1]
    assert "Next to each other: alba and hull (highway road)" in out
    assert not {"bern", "cork", "gent"} & set(out.split())
    out = ophex("map", game, "--around", "cork", "--within", "2")[1]
    assert {"bern", "cork", "gent"} <= set(out.split())
    assert not {"alba", "hull"} & set(out.split())


def test_why_of_a_bare_name_says_where_its_values_are(ophex, game):
    code, out, err = ophex("why", game, "r")
    assert (code, out.strip()) == (0, "r = r")
    assert f"`ophex status {game} --of r` shows its values" in err
    assert "status" not in ophex("why", game, "pace of r")[2]


def test_status_of_a_place_says_what_is_known_of_it(ophex, game):
    code, out, _ = ophex("status", game, "--of", "alba")
    assert code == 0
    assert out.splitlines() == [
        "alba (New Alba): town",
        "  worth: 1",
        "  next to: hull (highway road)",
        "  way to hull: crossed 0",
        "  here: r, foot block, Red",
    ]
    assert ophex("status", game, "--of", "New Alba")[1] == out
    assert ophex("status", game, "--of", "alba-hull")[1].splitlines() == [
        "alba-hull: way between alba and hull",
        "  crossed: 0",
    ]
    said = json.loads(ophex("status", game, "--of", "alba", "--json")[1])
    assert said["place"] == {
        "label": "alba",
        "name": "New Alba",
        "kind": "town",
        "fields": {"worth": "1"},
        "joined": {"hull": ["highway road"]},
    }
    assert [thing["id"] for thing in said["sides"][0]["things"]] == ["r"]
    jsonschema.validate(said, command_schema("status"))
    assert ophex("status", game, "--of", "bern")[1].splitlines()[-1] == "  way to gent: crossed 0"
    code, _, err = ophex("status", game, "--of", "nowhere")
    assert code == 2
    assert "There is no nowhere here." in err


def test_what_is_printed_between_two_places_is_under_the_plural_of_its_kind_and_a_scenario_may_change_it(
    ophex, tmp_path
):
    (tmp_path / "realm").mkdir()
    printed = "  ways:\n    from | to   | crossed\n    alba | hull | 2\norder march"
    rules = RULES.replace("order march", printed).replace("  end game", "  crossed of bern-cork is 3\n  end game")
    (tmp_path / "realm" / "realm.rules").write_text(rules)
    path = tmp_path / "my.ophex"
    code, _, err = ophex("new", path, "--scenario", f"{tmp_path / 'realm'}/war", "--seed", "1")
    assert code == 0, err
    assert "  way to hull: crossed 2" in ophex("status", path, "--of", "alba")[1].splitlines()
    assert "  way to bern: crossed 3" in ophex("status", path, "--of", "cork")[1].splitlines()


def test_a_game_in_which_no_order_is_ever_legal_says_how_to_find_out_why(ophex, tmp_path):
    (tmp_path / "realm").mkdir()
    (tmp_path / "realm" / "realm.rules").write_text(RULES.replace("  highway road along alba to hull\n", ""))
    code, _, err = ophex("new", tmp_path / "my.ophex", "--scenario", f"{tmp_path / 'realm'}/war")
    assert code == 1
    assert "war is over in turn 4 before anybody is asked anything: over." in err
    assert "such an order must be legal: an example with `then SIDE may …` says why it is not." in " ".join(err.split())


SPOTS = {
    "alba": "0101",
    "bern": "0402",
    "cork": "0404",
    "dove": "0104",
    "ezra": "0701",
    "fano": "0702",
    "gent": "0203",
    "hull": "0401",
}


def with_spots(spots):
    """The rules with a column `spot` in the list of towns."""
    rules = RULES.replace("| worth\n", "| worth | spot\n")
    for town, spot in spots.items():
        rules = re.sub(rf"^(    {town} .*)$", rf"\1 | {spot}", rules, flags=re.MULTILINE)
    return rules


def test_places_are_shown_at_their_spots_with_lines_between_them(ophex, tmp_path):
    (tmp_path / "realm").mkdir()
    (tmp_path / "realm" / "realm.rules").write_text(with_spots({**SPOTS, "bern": "0502"}))
    path = tmp_path / "my.ophex"
    ophex("new", path, "--scenario", f"{tmp_path / 'realm'}/war", "--seed", "1")
    shown = ophex("map", path)[1].splitlines()[2:11]
    assert shown == [
        "alba           hull           ezra",
        " =R1 ========== =",
        "                    bern      fano",
        "                   - :",
        "     gent  -------/  :",
        "          /        ::",
        "dove           cork",
        "                :",
        "",
    ]


@pytest.mark.parametrize(
    ("spot", "expected"),
    [
        ("0101", "E102: alba is already shown at 0101"),
        ("--", "E311: spot: `--` is not a column and a row of the page"),
        ("0500", "E311: spot: `0500` is not a column and a row of the page"),
        ("3", "E311: spot: `3` is not a column and a row of the page"),
    ],
)
def test_a_spot_is_a_column_and_a_row_of_its_own(ophex, tmp_path, spot, expected):
    (tmp_path / "realm.rules").write_text(with_spots({**SPOTS, "hull": spot}))
    code, out, err = ophex("check", tmp_path / "realm.rules")
    assert code == 1
    assert f"error {expected}" in out + err


def test_a_field_called_spot_is_a_field_as_any_other(ophex, tmp_path):
    rules = with_spots(dict.fromkeys(SPOTS, "3")).replace("  worth number\n", "  worth number\n  spot  number\n")
    (tmp_path / "realm.rules").write_text(rules)
    assert ophex("check", tmp_path / "realm.rules")[0] == 0
