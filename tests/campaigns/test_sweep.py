"""Sweeps: the same counts for any number of workers, every problem reported, turns of campaigns played and recorded.

With OPHEX_LONG=1 three times as many games are counted, and workers and sets of modules are tried on a shipped game.
"""

from pathlib import Path

import attrs
import pytest

from campaigns.file.errors import CampaignError
from campaigns.library.compiling import active_modules, compiled
from campaigns.library.locate import NotFound
from campaigns.library.systems_by_name import scenario_of
from campaigns.play.auto_play import auto_play
from campaigns.play.campaign import Campaign
from campaigns.play.deadline import close
from campaigns.play.starting import create_campaign, open_campaign, start
from campaigns.trials import sweep
from campaigns.trials.sweep import play, simulate
from dsl.text.diagnostics import RuleTextError
from interpreter.automated.policies import make_policy
from interpreter.machine import begin
from interpreter.messages.inputs import RuleFailure
from tests.long import either, in_the_long_form

SCENARIO = "bth/meeting"
TIMES = {"seconds", "decisions_per_second"}


def counts(found):
    return {k: v for k, v in found.items() if k not in TIMES}


def test_the_counts_of_a_sweep():
    told = []
    games = either(2, 6)
    found = simulate(SCENARIO, games, seed=2, policy="mixed", progress=lambda done, of: told.append((done, of)))
    assert list(found) == [
        "games", "finished", "turns", "decisions", "errors", "dead_ends", "unused_phases", "unused_orders", "victories",
        "decisions_per_second", "seconds",
    ]  # fmt: skip
    assert (found["games"], found["finished"], found["turns"]) == (games, games, 4 * games)
    assert found["errors"] == found["dead_ends"] == []
    assert sum(found["victories"].values()) == games
    assert found["decisions"] > 4 * games
    assert found["decisions_per_second"] > 0
    assert told == [(n, games) for n in range(1, games + 1)]


def test_any_number_of_workers_counts_the_same(yard):
    """The daily form plays a small game, OPHEX_LONG=1 a shipped one, to its end."""
    name, games, turns = either((yard("wait"), 2, 2), (SCENARIO, 5, None))
    alone = simulate(name, games, seed=9, policy="mixed", turns=turns)
    assert alone["decisions"] > games
    assert counts(simulate(name, games, seed=9, policy="mixed", turns=turns, workers=2)) == counts(alone)
    assert counts(simulate(name, games, seed=9, policy="mixed", turns=turns)) == counts(alone)


def test_the_seed_of_a_later_game_plays_it_alone():
    many = [sweep._Task(SCENARIO, 4, "random", (), (), None, ()).run(n) for n in range(3)]
    one = sweep._Task(SCENARIO, 6, "random", (), (), None, ()).run(0)
    assert one.digest == many[2].digest
    assert len({p.digest for p in many}) > 1


def test_what_nobody_uses_is_told(yard):
    found = simulate(SCENARIO, 4, seed=2, policy="greedy")
    assert found["unused_phases"] == []
    # An order that no phase offers under these modules is not missed; `check` tells it where none ever does.
    found = simulate(yard("wait"), 8, turns=2)
    # Nor is a phase in which nobody is asked, once it has begun.
    assert (found["unused_phases"], found["unused_orders"]) == (["flood"], [])


def test_modules_options_and_turns():
    found = simulate(SCENARIO, 2, with_=("supply",), options={"cohesion": "nearest"}, turns=1)
    assert (found["finished"], found["turns"]) == (0, 2)
    assert counts(found) != counts(simulate(SCENARIO, 2, turns=2))


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"policy": "randon"}, "no policy randon"),
        ({"policy": "greedy,britain=randon"}, "no policy randon"),
        ({"policy": "britian=greedy"}, "no side britian"),
        ({"with_": ("suply",)}, "no module suply"),
        ({"options": {"cohesion": "loose"}}, "cannot be loose"),
        ({"games": -1}, "number of games"),
        ({"workers": 0}, "worker"),
    ],
)
def test_what_cannot_be_swept(settings, words):
    with pytest.raises(CampaignError, match=words):
        simulate(SCENARIO, **{"games": 1, **settings})


def test_an_unknown_scenario():
    with pytest.raises(NotFound):
        simulate("bth/meting", 1)


RULES = """\
system yard "The yard" version 1.0
unit piece:
  weight  number, starts 2
place cell, on hex grid:
  height  number, starts 0
campaign game:
  turn-order  list of side
order weigh of p (a piece):
  given by side of p
  weight of p becomes 10 / (weight of p - 2)
order rest:
  active chooses level: a number up to 3 such that level is 7 because "seven"
order wait of p (a piece):
  given by side of p
  weight of p becomes weight of p
sequence game-turn:
  for each s in turn-order, as active:
    phase moves "Moves":
      active may ORDER
  phase rot "Rot":
    for each p in pieces:
      weight of p becomes weight of p
  when turn > 99:
    phase flood "Flood":
      weight of first pieces becomes 0
map yard "Yard" of cell, 2 by 2, even columns low:
  letters:
    letter | height
    .      | 0
  grid:
    01 | . .
    02 | . .
scenario meet "They meet" on yard:
  side red "Red" red
  side blue "Blue" blue
  forces red of piece:
    name  | in
    red-1 | 0101
  forces blue of piece:
    name   | in
    blue-1 | 0202
  turn-order is red, blue
"""


@pytest.fixture
def yard(tmp_path):
    """Makes a scenario in whose one phase one order may be given."""

    def make(order):
        folder = tmp_path / order / "yard"
        (folder / "scenarios").mkdir(parents=True)
        rules, _, scenario = RULES.replace("ORDER", order).partition("scenario ")
        (folder / "yard.rules").write_text(rules)
        (folder / "scenarios" / "meet.rules").write_text(f"scenario {scenario}")
        return f"{folder}/meet"

    return make


def test_a_rule_that_fails_is_told_with_its_line(yard):
    found = simulate(yard("weigh"), 2, seed=1)
    assert len(found["errors"]) == 2
    error = found["errors"][0]
    assert (Path(error["file"]).name, error["line"]) == ("yard.rules", 10)
    assert "divided by 0" in error["error"]
    assert error["inputs"][-1].endswith("-1")
    assert (error["game"], error["seed"]) == (0, "1")
    assert found["finished"] == 0
    assert found["unused_orders"] == ["weigh"]  # what failed was not carried out


def test_a_dead_end_is_told(yard):
    found = simulate(yard("rest"), 1)
    assert found["errors"] == []
    (dead,) = found["dead_ends"]
    assert dead["phase"] == "moves"
    assert dead["side"] in {"red", "blue"}
    assert "level" in dead["error"]


def test_a_rule_that_fails_while_orders_are_looked_for_is_told_in_words_with_its_line(yard, tmp_path):
    """The rules are asked for the legal orders of an automated side before anything is offered. In a campaign such an error is reported too."""
    folder = Path(yard("wait")).parent
    rules, scenario = folder / "yard.rules", folder / "scenarios" / "meet.rules"
    given = "order wait of p (a piece):\n  given by side of p\n"
    rules.write_text(
        rules.read_text().replace(given, f'{given}  refused when any pieces in place of p is not p because "x"\n')
    )
    worth = "value appeal-of-wait of p (a piece):\n  3\nsequence game-turn:"
    rules.write_text(rules.read_text().replace("sequence game-turn:", worth))
    scenario.write_text(scenario.read_text().replace("red-1 | 0101", "red-1 | 0101\n    red-2 | --"))
    (error,) = simulate(f"{folder}/meet", 1, turns=40)["errors"]
    assert error["error"] == "`p` is off the map and has no place. Check that `p is on the map` first."
    assert (Path(error["file"]).name, error["line"]) == ("yard.rules", 15)
    with create_campaign(tmp_path / "a.ophex", f"{folder}/meet") as campaign:
        with pytest.raises(RuleFailure, match="off the map"):
            auto_play(campaign, turns=40)
        with pytest.raises(RuleFailure, match="off the map"):
            close(campaign, ["red"], standing=True)


def test_a_game_without_end_is_an_error(yard, monkeypatch):
    monkeypatch.setattr(sweep, "MOST_DECISIONS", 50)
    found = simulate(yard("wait"), 1)
    (error,) = found["errors"]
    assert "not over after 50" in error["error"]
    assert len(error["inputs"]) == 10


def test_a_machine_that_breaks_is_an_error(monkeypatch):
    def broken(self, given):
        raise RuntimeError("broken")

    monkeypatch.setattr("interpreter.machine.Game.offer", broken)
    (error,) = simulate(SCENARIO, 1)["errors"]
    assert error["error"] == "RuntimeError: broken"


def test_a_campaign_is_played_on_and_recorded(tmp_path):
    path = tmp_path / "a.ophex"
    with create_campaign(path, SCENARIO, seed=5) as campaign:
        events = auto_play(campaign, turns=2, policy="mixed", seed=1)
        assert any(e.kind == "turn" for e in events)
        assert campaign.game.turn == 3
        digest, head = campaign.game.digest(), campaign.head
        assert head == len(campaign.log()) - 1 or head == len(campaign.log())
        assert campaign.verify().ok
    with open_campaign(path) as campaign:
        assert campaign.game.digest() == digest
        auto_play(campaign, turns=20)
        assert campaign.game.over
        assert auto_play(campaign) == []
    with create_campaign(tmp_path / "b.ophex", SCENARIO, seed=5) as campaign:
        auto_play(campaign, turns=2, policy="mixed", seed=1)
        assert campaign.game.digest() == digest


def test_typed_dice_are_rolled_for_a_campaign(tmp_path):
    with create_campaign(tmp_path / "a.ophex", "bth/texas-1", dice="typed") as campaign:
        auto_play(campaign, turns=1, policy="greedy", seed=2)
        assert any(e.input.kind == "roll" for e in campaign.log())


def test_an_unknown_policy_plays_no_campaign(tmp_path):
    with (
        create_campaign(tmp_path / "a.ophex", SCENARIO) as campaign,
        pytest.raises(CampaignError, match="no policy greed"),
    ):
        auto_play(campaign, policy="greed")


def test_playing_a_game_tells_what_came_of_it():
    text, scenario, _ = scenario_of(SCENARIO)
    game = begin(compiled(text, active_modules(text, scenario)), scenario, {"seed": 8})
    done = play(game, make_policy("random", 8), 8)
    assert done.over == game.over
    assert done.digest == game.digest()
    assert done.decisions == len(done.inputs)
    assert done.turns == 4


@pytest.mark.parametrize("shipped", [False, pytest.param(True, marks=in_the_long_form)])
def test_sets_of_modules_are_played_and_told_together(yard, shipped):
    """The daily form uses a small game with four modules, the long form a shipped one."""
    name, dropped = (SCENARIO, "air") if shipped else (yard("wait"), "a")
    if not shipped:
        rules = Path(name).parent / "yard.rules"
        rules.write_text(rules.read_text().replace("unit piece", LOOSE_MODULES + "unit piece"))
    told = []
    found = simulate(
        name, 2, seed=4, turns=1, module_sets=3, progress=lambda done, of: told.append((done, of)), without=(dropped,)
    )
    assert found["games"] == 6
    assert told == [(n, 6) for n in range(1, 7)]
    assert [s["games"] for s in found["module_sets"]] == [2, 2, 2]
    assert sum(s["decisions"] for s in found["module_sets"]) == found["decisions"]
    assert len({tuple(s["modules"]) for s in found["module_sets"]}) == 3
    assert not any(dropped in s["modules"] for s in found["module_sets"])
    again = simulate(name, 2, seed=4, turns=1, module_sets=3, workers=2, without=(dropped,))
    assert counts(again) == counts(found)


LOOSE_MODULES = "".join(f'module {m} "{m.upper()}", default off\n' for m in "abcd")
MODULES = """\
module a "A", default off
module b "B", default off, needs a
module c "C", default off, needs b
module x "X", default off, excludes b
"""


def test_drawn_sets_are_whole_and_keep_exclusions(yard):
    name = yard("wait")
    rules = Path(name).parent / "yard.rules"
    rules.write_text(rules.read_text().replace("unit piece", MODULES + "unit piece"))
    task = sweep._Task(name, 1, "random", (), (), None, ())
    drawn = sweep.drawn_modules(task, 60)
    assert len(drawn) == 6
    assert set(drawn) == {(), ("a",), ("a", "b"), ("a", "b", "c"), ("x",), ("a", "x")}
    forced = set(sweep.drawn_modules(attrs.evolve(task, with_=("x",), without=("a",)), 30))
    assert forced == {("x",)}
    text, found, _ = scenario_of(name)
    assert active_modules(text, found, ["all"], ["x"]) == {"a", "b", "c"}
    with pytest.raises(CampaignError, match="number of sets"):
        simulate(name, 1, module_sets=0)
    with pytest.raises(CampaignError, match="no module y"):
        simulate(name, 1, module_sets=1, with_=("y",))


def test_a_set_whose_texts_do_not_fit_together_is_told_with_its_modules(yard):
    name = yard("wait")
    rules = Path(name).parent / "yard.rules"
    clash = "".join(f"rule {m} replaces worth of p (a piece), with {m}:\n  {n}\n" for n, m in enumerate("ab"))
    text = rules.read_text().replace("unit piece", 'module a "A", default off\nmodule b "B", default off\nunit piece')
    rules.write_text(f"{text}value worth of p (a piece):\n  3\n{clash}")
    found = simulate(name, 1, turns=1, module_sets=20)
    assert found["errors"]
    assert all(e["modules"] == ["a", "b"] for e in found["errors"])
    assert {Path(e["file"]).name for e in found["errors"]} == {"yard.rules"}
    assert len(found["errors"]) == sum(s["modules"] == ["a", "b"] for s in found["module_sets"]) < 20


def test_rules_with_errors_are_refused_at_once_whatever_modules_are_drawn(yard):
    name = yard("wait")
    rules = Path(name).parent / "yard.rules"
    rules.write_text(f"{LOOSE_MODULES}{rules.read_text()}value worth of p (a piece) = size of baz\n")
    for number in (None, 4):
        with pytest.raises(RuleTextError, match="baz"):
            simulate(name, 4, module_sets=number)


def test_why_looks_back_into_the_turn_before_also_in_a_campaign_opened_anew(tmp_path):
    path = tmp_path / "back.ophex"
    create_campaign(path, SCENARIO, seed=4).close()
    with Campaign.open(path, start, snapshot_every=1) as campaign:
        auto_play(campaign, policy="greedy", seed=4)
        changed = [
            e for entry in campaign.log() for e in entry.events if e.kind == "change" and len(e.data["things"]) == 1
        ]
        asked = {f"{e.data['field']} of {e.data['things'][0]}" for e in changed} - {""}
        kept = {what: campaign.game.explain(what) for what in asked}
    assert sum(bool(found.steps) for found in kept.values()) > 0
    with Campaign.open(path, start) as campaign:
        assert campaign.game.turn == 2
        assert {what: campaign.game.explain(what) for what in asked} == kept
