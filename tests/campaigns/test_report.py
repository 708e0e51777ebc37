"""Reports: their contents compared with what a small game is known to have done, and what a side may not read."""

import csv
import io
import json
import re
from itertools import pairwise
from types import SimpleNamespace

import pytest

from campaigns.file.errors import CampaignError
from campaigns.file.store import Store
from campaigns.leaks.compared_worlds import Copy
from campaigns.play.starting import create_campaign
from campaigns.report import Wanted, as_json, json_schema, report_of
from campaigns.report.losses import Strengths
from campaigns.report.moments import names_of, spread
from dsl.text.keeping import digest
from interpreter.messages.inputs import Input
from tests.campaigns.gunnery import battery
from tests.campaigns.tampering import tamper
from tests.interpreter.rulebook import KIT
from tests.long import in_the_long_form
from ui.main import main
from ui.report.markdown import markdown
from ui.report.page import page

SIEGE = """\
unit company:
  strength  number, starts 6
  supplied  mark, starts yes
  hidden from enemy: strength
component gun, part of company:
  weight  number, starts 2
list pieces of gun:
  name   | weight
  cannon | 2
marker post:
  worth  number, starts 1
  hidden from enemy: place, worth
status short-of-supply of c (a company) = c is not supplied
value score-shows of s (a side) = 10 * (count (companies (where side of it is s)))
order shell of c (a company) against v (a company):
  given by side of c
  strength of v loses 2 points
  remove (guns of v) because "its gun is hit"
  when strength of v <= 0:
    remove v because "it has broken"
order forage of c (a company):
  given by side of c
  supplied of c becomes no
sequence game-turn:
  phase fire "Fire":
    sides may shell, forage together
scenario siege "The siege <b>*of*</b> Rocca" on field:
  side blue "The Blues"
  side red "The Reds"
  forces blue of company:
    name | in   | strength
    b-1  | 0202 | 6
    b-2  | 0204 | 4
  forces red of company:
    name | in   | strength | guns
    r-1  | 0601 | 2        | cannon
    r-2  | 0602 | 5        | --
  forces red of post:
    name | in
    pit  | 0303
  end game won by blue when count (companies (where side of it is red)) = 0 and turn > 1 because "the Reds are gone"
  end game when turn > 9 because "winter has come"
"""


@pytest.fixture
def siege(tmp_path):
    (tmp_path / "siege.rules").write_text(f"{KIT}\n{SIEGE}")
    with create_campaign(tmp_path / "siege.ophex", str(tmp_path / "siege"), seed=4) as campaign:
        yield campaign


def give(campaign, side, *orders):
    for order in orders:
        campaign.offer(Input("do", side, order))


def turn(campaign):
    give(campaign, "blue", "done")
    give(campaign, "red", "done")


def fought(campaign):
    """Two turns: r-1 falls in the first, b-1 is shelled in the second and runs out of supply."""
    give(campaign, "blue", "shell b-1 against r-1")
    turn(campaign)
    give(campaign, "red", "shell r-2 against b-1")
    give(campaign, "blue", "forage b-1")


def test_losses_are_what_was_removed_and_what_has_fallen(siege):
    fought(siege)
    report = report_of(siege, "umpire", Wanted("1"))
    assert [(x.turn, x.side, x.name, x.whole) for x in report.losses.lost] == [
        (1, "red", "r-1-cannon", "r-1"),
        (1, "red", "r-1", ""),
    ]
    assert "it has broken" in report.losses.lost[1].told
    assert [(x.side, x.name, x.what, x.was, x.now) for x in report.losses.weakened] == [
        ("blue", "b-1", "strength", 6, 4)
    ]


def test_strengths_are_told_at_the_start_of_each_turn_and_now(siege):
    fought(siege)
    moments = report_of(siege, "umpire").losses.moments
    told = [(x.turn, x.now, x.sides["blue"].strength, x.sides["red"].strength, x.sides["red"].units) for x in moments]
    assert told == [(1, False, 10, 7, 2), (2, False, 10, 5, 1), (2, True, 8, 5, 1)]


@pytest.fixture
def worked_out(monkeypatch):
    """The states of which somebody's strengths were worked out."""
    found, real = [], Strengths.of
    monkeypatch.setattr(Strengths, "of", lambda game, *rest: found.append(game) or real(game, *rest))
    return found


@pytest.fixture
def cached(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return lambda: sorted((tmp_path / "cache" / "ophex").glob("strengths-*"))


def test_strengths_of_a_moment_are_worked_out_once(siege, worked_out, cached):
    fought(siege)
    turn(siege)
    first = report_of(siege, "blue").losses
    assert len(worked_out) == 5  # three turns, where the report begins, and now
    assert report_of(siege, "blue").losses == first
    assert len(worked_out) == 7
    assert report_of(siege, "red").losses.moments != first.moments
    assert len(worked_out) == 12
    assert len(cached()) == 6


@pytest.mark.parametrize(
    "text",
    ["", "{}", "[]", "[1, []]", '["", [["blue", true, 1]]]', '["", [["blue", 1]]]', '["", [[1, 1, 1]]]', "[" * 5000],
)
@pytest.mark.parametrize("signed", [True, False])
def test_what_somebody_else_wrote_of_a_moment_is_not_told(siege, cached, text, signed):
    fought(siege)
    first = report_of(siege, "blue").losses
    for file in cached():
        file.write_text(f"{digest(text) if signed else 0}\n{text}")
    assert report_of(siege, "blue").losses == first


@pytest.mark.parametrize(
    "altered", ["UPDATE entry SET text = 'forage b-1' WHERE number = 1", "UPDATE setting SET json = '5' WHERE name = 'seed'", "UPDATE document SET name = 'other.rules'"]
)  # fmt: skip
def test_what_is_kept_of_a_moment_goes_by_what_was_given_and_not_by_the_hashes_that_a_file_claims(siege, altered):
    fought(siege)

    def name():
        store = Store.open(siege.path)
        try:
            return names_of(
                SimpleNamespace(documents=store.documents(), settings=store.settings(), store=store), "red", [3]
            )[3]
        finally:
            store.close()

    before = name()
    assert name() == before
    assert names_of(siege, "blue", [3])[3] != before
    siege.close()
    tamper(siege.path, altered)
    assert name() != before


def test_nothing_is_kept_of_worlds_that_are_only_thought_of(siege, cached):
    """`ophex leaks` prints reports of campaigns in memory whose state differs from their file."""
    fought(siege)
    report_of(Copy(siege, lambda game: list(game.offer(Input("do", "red", "forage r-2")))[:0]), "blue")
    assert cached() == []


def test_turns_of_a_long_campaign_are_told_at_steps_that_double():
    """At most 10, from the first on. A turn that was reported once is reported again or left out, but never replaced by another."""
    turns = [(n, 7 * n) for n in range(1, 500)]
    assert spread(turns[:10], 10) == turns[:10]
    assert spread(turns[:11], 10) == [(1, 7), (3, 21), (5, 35), (7, 49), (9, 63), (11, 77)]
    told = [{turn for turn, _ in spread(turns[:count], 10)} for count in range(1, 500)]
    assert all(len(one) <= 10 and 1 in one for one in told)
    assert all(after - before <= {max(after)} for before, after in pairwise(told))


def test_a_side_is_not_told_strengths_that_are_hidden_from_it(siege):
    fought(siege)
    report = report_of(siege, "blue")
    assert [(x.sides["red"].units, x.sides["red"].strength) for x in report.losses.moments] == [
        (2, None),
        (1, None),
        (1, None),
    ]
    assert {thing.name for thing in report.forces if not thing.gone} == {"b-1", "b-2", "r-2"}
    assert "pit" not in json.dumps(as_json(report)) + markdown(report) + page(report)
    assert "pit" in page(report_of(siege, "umpire"))


def test_supply_and_score_are_what_the_rules_show(siege):
    fought(siege)
    report = report_of(siege, "umpire")
    assert report.supply_is_declared
    assert [(x.side, x.name, x.place) for x in report.supply] == [("blue", "b-1", "0202")]
    assert [(x.side, x.score) for x in report.score.standings] == [("blue", "20"), ("red", "10")]


def test_what_ends_the_game_is_told_part_by_part_with_what_it_comes_to(siege):
    fought(siege)
    first, second = report_of(siege, "umpire").score.endings
    assert (first.winner, first.because) == ("blue", "the Reds are gone")
    assert [(x.text, x.holds, x.left, x.right) for x in first.tests] == [
        ("count (companies (where side of it is red)) = 0", "no", "1", "0"), ("turn > 1", "yes", "2", "1"),
    ]  # fmt: skip
    assert (second.winner, [x.text for x in second.tests]) == ("", ["turn > 9"])


def test_it_tells_from_the_start_of_a_turn_or_from_ones_own_last_input(siege):
    fought(siege)
    turn(siege)
    assert report_of(siege, "umpire").since.turn == 2  # the turn before the one that runs
    told = [line for one in report_of(siege, "umpire", Wanted("2")).happened for line in one.told]
    assert told[0] == "Turn 2."  # what came before in the same entry is of turn 1
    assert [one.given for one in report_of(siege, "blue", Wanted("LAST")).happened] == ["…"]
    for wrong in ("4", "0", "-1", "x", "9" * 5000):
        with pytest.raises(CampaignError, match="There is no turn"):
            report_of(siege, "umpire", Wanted(wrong))


def test_what_is_due_from_others_is_told_without_what_they_may_choose(siege):
    give(siege, "blue", "done")
    report = report_of(siege, "blue")
    assert [(x.side, x.mine, x.choices) for x in report.due] == [("red", False, ())]
    assert [x.mine for x in report_of(siege, "red").due] == [True]


def test_what_was_taken_back_is_not_in_it(siege):
    give(siege, "blue", "shell b-1 against r-1")
    siege.undo()
    report = report_of(siege, "umpire")
    assert (report.happened, report.losses.lost) == ((), ())


def _matches(value, schema, defs):
    """Whether a value is as a schema says, of the words of JSON Schema that the schema of reports uses."""
    if "$ref" in schema:
        return _matches(value, defs[schema["$ref"].rpartition("/")[2]], defs)
    if "anyOf" in schema:
        return any(_matches(value, one, defs) for one in schema["anyOf"])
    if "const" in schema:
        return value == schema["const"]
    match schema["type"]:
        case "string":
            return isinstance(value, str)
        case "integer":
            return isinstance(value, int) and not isinstance(value, bool)
        case "number":
            return isinstance(value, int | float) and not isinstance(value, bool)
        case "boolean":
            return isinstance(value, bool)
        case "null":
            return value is None
        case "array" if "prefixItems" in schema:
            pairs = zip(value, schema["prefixItems"], strict=True)
            return isinstance(value, list) and all(_matches(x, s, defs) for x, s in pairs)
        case "array":
            return isinstance(value, list) and all(_matches(x, schema["items"], defs) for x in value)
        case "object" if "properties" in schema:
            known = schema["properties"]
            return list(value) == schema["required"] and all(_matches(value[k], known[k], defs) for k in known)
        case "object":
            return all(_matches(x, schema["additionalProperties"], defs) for x in value.values())
    raise AssertionError(schema)


def test_the_json_is_as_thepublished_schema_says(siege, capsys):
    fought(siege)
    schema = json_schema()
    assert main(["report", str(siege.path), "--as", "red", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert _matches(found, schema, schema["$defs"])
    assert main(["report", "--schema"]) == 0
    assert json.loads(capsys.readouterr().out) == schema
    assert main(["report", "--help"]) == 0
    help_ = capsys.readouterr().out
    assert all(re.search(rf"\b{key}\b", help_) for key in found)
    found["turn"] = "2"
    assert not _matches(found, schema, schema["$defs"])


def test_texts_of_the_campaign_are_no_signs_of_the_page(siege, capsys):
    fought(siege)
    assert main(["report", str(siege.path), "--format", "html"]) == 0
    page = capsys.readouterr().out
    assert "<h1>The siege &lt;b&gt;*of*&lt;/b&gt; Rocca</h1>" in page
    assert "<b>*of*" not in page
    assert "<script" not in page
    assert page.count("<svg") == 3  # the map, the strengths, the units
    assert page.count("<h3>Strength over time</h3>") == page.count("<h3>Units over time</h3>") == 1
    assert 'stroke-dasharray="6 4"' in page  # the ring of b-1, which is short of supply
    assert main(["report", str(siege.path)]) == 0
    assert capsys.readouterr().out.startswith("# The siege \\<b\\>\\*of\\*\\</b\\> Rocca\n")


def test_tables_can_be_read_by_a_spreadsheet(siege, capsys):
    fought(siege)
    assert main(["report", str(siege.path), "--format", "csv", "--table", "losses", "--since", "1"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(x["name"], x["what"], x["was"], x["now"]) for x in rows] == [
        ("r-1-cannon", "removed", "", "0"), ("r-1", "removed", "0", "0"), ("b-1", "strength", "6", "4"),
    ]  # fmt: skip
    assert main(["report", str(siege.path), "--format", "csv", "--table", "score"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(x["side"], x["text"]) for x in rows if x["row"] == "score"] == [("blue", "20"), ("red", "10")]


def test_reports_for_all_are_files_of_a_folder_and_write_over_nothing(siege, tmp_path, capsys):
    folder = tmp_path / "out"
    line = ["report", str(siege.path), "--all", "--out", str(folder)]
    assert main(line) == 0
    assert sorted(x.name for x in folder.iterdir()) == ["blue.md", "red.md", "umpire.md"]
    (folder / "red.md").write_text("mine")
    assert main(line) == 2
    assert "already" in capsys.readouterr().err
    assert (folder / "red.md").read_text() == "mine"
    assert main([*line, "--force"]) == 0
    assert (folder / "red.md").read_text().startswith("# The siege")
    assert main(["report", str(siege.path), "--all"]) == 2


@pytest.mark.parametrize(
    ("scenario", "has_supply", "scores"),
    [
        ("bth/three-days", True, {"mexico": "232", "america": "209"}),
        pytest.param("btr/theatre", True, {"blue": "0", "red": "0"}, marks=in_the_long_form),
        ("ogre/duel", False, {"combine": "0", "paneuropean": "0"}),
        pytest.param("ww2/gorsk-week", True, {"blue": "0", "red": "0"}, marks=in_the_long_form),
        pytest.param("infantry/skirmish", False, {"blue": "0", "red": "0"}, marks=in_the_long_form),
    ],
)
def test_the_systems_that_ship_say_who_is_short_of_supply_and_what_counts(tmp_path, scenario, has_supply, scores):
    """In BtH a side has lost when it is under half of its 232 or 209: the scenario says 116 and 105."""
    with create_campaign(tmp_path / "a.ophex", scenario, seed=1) as made:
        report = report_of(made, "umpire")
    assert report.supply_is_declared is has_supply
    assert {one.side: one.score for one in report.score.standings} == scores
    assert report.score.endings


STAYING = """\
value strength-shows of c (a company) = 0 when c is not supplied, otherwise strength of c
"""


def test_what_the_rules_call_nothing_is_lost_though_it_is_there(tmp_path):
    """`strength-shows` says how much is left of a unit; r-2, out of supply, no longer counts."""
    (tmp_path / "siege.rules").write_text(f"{KIT}\n{SIEGE.replace('value score-shows', STAYING + 'value score-shows')}")
    with create_campaign(tmp_path / "siege.ophex", str(tmp_path / "siege"), seed=4) as siege:
        give(siege, "red", "forage r-2")
        report = report_of(siege, "umpire", Wanted("1"))
        assert [(x.name, x.what, x.was, x.now) for x in report.losses.weakened] == [("r-2", "strength", 5, 0)]
        told = [(x.now, x.sides["red"].units, x.sides["red"].strength) for x in report.losses.moments]
        assert told == [(False, 2, 7), (True, 1, 2)]
        assert [(side.id, side.units, side.strength) for side in report.sides] == [("blue", 2, 10), ("red", 1, 2)]
        hidden = report_of(siege, "blue", Wanted("1")).losses  # of strengths blue knows only that r-2 is out of supply
        assert [(x.name, x.was, x.now) for x in hidden.weakened] == []
        assert [(x.sides["red"].units, x.sides["red"].strength) for x in hidden.moments] == [(2, None), (1, 0)]


def test_a_story_is_told_once_and_its_card_is_where_it_stands_in_full(tmp_path, capsys):
    with battery(tmp_path, dice="typed") as campaign:
        give(campaign, "blue", "shell b-1 against r-1")
        campaign.offer(Input("roll", "umpire", "1"))
    assert main(["report", str(campaign.path)]) == 0
    said = capsys.readouterr().out
    assert said.count("sureness: 1") == 1
    assert said.index("The story: b-1 at r-1") < said.index("## Battles") < said.index("sureness: 1")


def test_each_of_several_maps_has_its_title(tmp_path, capsys):
    with create_campaign(tmp_path / "c.ophex", "btr/first-sorties", seed=4) as campaign:
        titles = [one.title for one in campaign.game.view("umpire").maps]
    assert main(["report", str(campaign.path), "--format", "html"]) == 0
    page = capsys.readouterr().out
    assert len(titles) == 2
    assert all(f"<h3>{title}</h3>" in page for title in titles)
