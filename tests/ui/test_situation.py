"""What the order of battle says about a thing: number, strength, title, and the fields that distinguish it from others."""

import json
import re

import attrs

from campaigns.play.starting import create_campaign
from campaigns.views.force_forest import states, title_of
from interpreter.messages.view import SideView, ThingView, View
from tests.interpreter.rulebook import KIT
from ui.main import main
from ui.maps.symbols import number_of
from ui.wording.situation import as_json, text


def thing(word="unit", name="b-1", changed=(), **fields):
    return ThingView("b-1", name, "base", word, "rifle", "blue", "0101", "", dict(fields), changed)


def test_the_title_of_a_thing_stands_by_itself():
    rifle = thing(title="Rifle Bn", grade="elite", changed=("title", "grade"))
    assert title_of(rifle) == "Rifle Bn"
    assert states(rifle, holds=False) == [("grade", "elite")]


def test_only_the_field_on_the_counter_is_not_said_twice():
    """Another field with the same number is worth saying."""
    late = thing(steps="4", due="4", changed=("steps", "due"))
    assert states(late, holds=False) == [("due", "4")]
    assert states(attrs.evolve(late, counter="4"), holds=False) == [("due", "4")]
    assert states(thing(firepower="4-3", due="4", changed=("due",)), holds=False) == [("due", "4")]


def test_a_title_that_says_no_more_than_the_name_is_left_out():
    assert title_of(thing(title="b-1")) == ""
    assert title_of(thing(title="Rifle Bn", name="Rifle Bn")) == ""
    assert title_of(thing()) == ""


def test_only_of_a_unit_the_first_number_stands_on_the_counter():
    assert number_of(thing(attack="4-3", range="2")) == "4"
    assert number_of(thing("formation", objective="0906", pips="3")) == ""
    assert number_of(thing("formation", objective="0906", strength="9")) == "9"


def test_where_a_thing_is_bound_for_is_no_number():
    flight = thing(over="0612", loads="3")
    assert number_of(attrs.evolve(flight, pointing=("over",))) == "3"


def test_only_what_is_called_strength_is_summed():
    """Guns and the numbers of batteries are not strength: a sum of them means nothing."""
    red = SideView("red", "Red", "")
    batteries = (thing(battery="3", guns="6"), attrs.evolve(thing(battery="7", guns="4"), id="b-2"))
    men = tuple(attrs.evolve(one, side="red") for one in (thing(guns="6", men="120"), thing(strength="8(2)")))
    view = view_of((*batteries, *men))
    said = text(attrs.evolve(view, sides=(*view.sides, red)))
    assert "Blue: 2 units" in said
    assert "Red: 2 units, strength 128" in said
    assert as_json(view)["sides"][0]["things"][0]["strength"] == ""


def test_one_unit_is_one():
    assert "Blue: 1 unit, strength 4" in text(view_of((thing(strength="4"),)))
    assert "Blue: 1 unit" in text(view_of((thing(guns="4"),)))


def view_of(things):
    return View("umpire", "x", "x", "X", 1, "", "", "", "", (SideView("blue", "Blue", ""),), things, {}, (), ())


def test_where_no_phase_is_running_the_heading_says_so_until_the_game_is_over():
    between = view_of(())
    assert text(between)[1] == "Turn 1, between phases"
    assert text(attrs.evolve(between, over="all are tired"))[1] == "Turn 1; the game is over. All are tired."
    assert text(attrs.evolve(between, phase="fire", phase_title="Fire"))[1] == "Turn 1, Fire"


def test_a_long_word_of_a_holder_is_told_where_it_has_changed():
    staff = thing("formation", supply="out-of-supply", arm="infantry-division", order="hold", changed=("supply",))
    assert states(staff, holds=True) == [("supply", "out-of-supply"), ("order", "hold")]


PLURAL = """\
unit spy:
  rank  number, starts 1
order gamble of s (a spy):
  given by side of s
  side of s rolls 1d6 as stake
  rank of s becomes stake
order brief of s (a spy):
  given by side of s
  side of s chooses goal: a number up to 5
  rank of s becomes goal
sequence game-turn:
  for each s in sides, as active:
    phase move "Move": active may gamble, brief
scenario spies "Spies" on field:
  side raiders "Reds and Greys"
  side blue "The Blues"
  end game won by raiders when turn > 1 because "time is up"
  forces raiders of spy:
    name | in
    r-1  | 0601
  forces blue of spy:
    name | in
    b-1  | 0202
"""
SINGULAR = re.compile(r"(?i)\b(Greys|raiders|Blues) (is|has|was|wins|does|\w*[^s']s)\b(?!.*:$)")


def test_sides_with_plural_names_are_spoken_of_in_good_english(tmp_path, capsys):
    """What the commands print while such sides are active, choose, roll, have their window closed, and win."""
    (tmp_path / "spies.rules").write_text(f"{KIT}\n{PLURAL}", encoding="utf-8")
    file = str(tmp_path / "plural.ophex")
    create_campaign(tmp_path / "plural.ophex", str(tmp_path / "spies"), dice="typed").close()
    seat = ("--as", "raiders")
    for words in (
        ("status", file), ("do", file, *seat, "brief r-1"), ("status", file), ("odds", file, *seat), ("answer", file, *seat, "goal", "3"),
        ("odds", file, *seat, "gamble r-1"), ("do", file, *seat, "gamble r-1"), ("status", file), ("roll", file, "6"), ("undo", file), ("redo", file),
        ("advance", file, "--deadline", "raiders"), ("do", file, "--as", "blue", "done"), ("status", file), ("log", file), ("report", file),
        ("report", file, "--format", "html"), ("desk", file),
    ):  # fmt: skip
        assert main(list(words)) == 0, (words, capsys.readouterr())
    told = capsys.readouterr().out
    assert "Reds and Greys won: time is up." in told
    assert "active: Reds and Greys" in told
    assert [line for line in told.splitlines() if SINGULAR.search(line)] == []


SCORED = """\
unit spy:
  rank  number, starts 1
order rise of s (a spy):
  given by side of s
  rank of s gains 1
side side:
  points, spare  number, starts 0
  will           number, starts 9
  plan           number, starts 0
  seen-before    mark, untold
  hidden from enemy: plan
scenario spies "Spies" on field:
  side red "Reds" red
  side blue "Blues"
  points of red is 4
  plan of red is 7
  seen-before of red is yes
  forces blue of spy:
    name | in
    b-1  | 0202
sequence game-turn:
  for each s in sides, as active:
    phase move "Move": active may rise
"""


def test_a_side_has_a_line_of_its_own(tmp_path, capsys):
    """Also a side without units: what it has itself and is not as it began, for those who may know it; `--of` shows all of it."""
    (tmp_path / "spies.rules").write_text(f"{KIT}\n{SCORED}", encoding="utf-8")
    file = str(tmp_path / "scored.ophex")
    create_campaign(tmp_path / "scored.ophex", str(tmp_path / "spies"), dice="typed").close()
    (tmp_path / "out").mkdir()

    def said(*words):
        assert main([*words]) == 0, capsys.readouterr()
        return capsys.readouterr().out

    for words in (("status", file), ("report", file), ("report", file, "--format", "html")):
        assert "Reds: points 4, plan 7" in said(*words, "--as", "red")
        theirs = said(*words, "--as", "blue")
        assert "Reds: points 4" in theirs
        assert "plan" not in theirs
    assert said("status", file, "--of", "Red").splitlines() == [
        "Reds (red): side", "  points: 4", "  spare: 0", "  will: 9", "  plan: 7",
    ]  # fmt: skip
    assert "plan" not in said("status", file, "--of", "red", "--as", "blue")
    of = json.loads(said("status", file, "--of", "blue", "--as", "red", "--json"))["sides"]
    assert [(one["id"], one["fields"], one["changed"], one["things"]) for one in of][1:] == [
        ("blue", {"points": "0", "spare": "0", "will": "9"}, [], [])
    ]
    said("mail", file, "--out", str(tmp_path / "out"))
    assert "Reds: points 4\n" in next((tmp_path / "out").rglob("*blue*.txt")).read_text(encoding="utf-8")
