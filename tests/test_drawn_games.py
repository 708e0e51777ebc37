"""Random games of all systems: no rule fails, nobody is stuck, and a refusal uses only what the giver of the order may know.

The daily form plays a turn of a random game of each system, and one of btr for the refusals, which are checked in the random games
as well. The long form (`OPHEX_LONG=1`) plays four games of each system, and for the refusals two turns under each policy, with
modules that nothing else has, also in the week of Gorsk. `python -m tests.drawn_games --games 1000` plays any number.
"""

import shutil
from pathlib import Path

import pytest

from campaigns.trials.sweep import simulate
from interpreter.commands.refusing_clauses import Clauses
from tests.drawn_games import all_scenarios, drawn, found_in, main, troubles
from tests.long import either, in_the_long_form

SYSTEMS = ("bth", "btr", "ww2")


@pytest.fixture
def unseen(monkeypatch):
    """The clauses that rest on hidden facts, of orders of the side that may not know them, as they come up."""
    found = set()
    before = Clauses._refused_unseen

    def noted(self, clause, frame, side):
        if self.world.veil.side == side.id:
            found.add((clause.name, clause.place))
        return before(self, clause, frame, side)

    monkeypatch.setattr(Clauses, "_refused_unseen", noted)
    return found


@pytest.mark.parametrize("number", range(either(1, 4)))
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_turn_of_some_drawn_games(system, number, unseen):
    draw = drawn("a turn", number, all_scenarios([system]), turns=1)
    found = found_in(draw)
    assert list(troubles(draw, found)) == []
    assert found["decisions"] > 0
    assert unseen == set()


def test_draws_take_turns_with_everything():
    names = all_scenarios()
    draws = [drawn("all", n, names) for n in range(300)]
    assert {d.scenario for d in draws} == set(names)
    assert {d.policy for d in draws} == {"random", "greedy", "mixed"}
    assert {bool(d.options) for d in draws} == {True, False}
    assert draws[:30] == [drawn("all", n, names) for n in range(30)]


def test_the_long_form_tells_what_it_played(capsys, tmp_path):
    shutil.copy(Path(__file__).parent / "interpreter" / "toy" / "ships.rules", tmp_path)
    assert main(["--games", "2", "--scenario", f"{tmp_path}/duel", "--workers", "1"]) == 0
    assert capsys.readouterr().out.startswith("2 games, 2 finished, ")


@pytest.mark.parametrize("policy", either(["mixed"], ["mixed", "random"]))
@pytest.mark.parametrize(
    ("scenario", "modules"),
    [
        pytest.param(
            "ww2/gorsk-week",
            ["atgm", "helicopters", "asymmetric-warfare", "chemical-weapons"],
            marks=in_the_long_form,
        ),
        pytest.param("ww2/lipki", ["helicopters", "atgm", "irregular-hordes"], marks=in_the_long_form),
        ("btr/first-sorties", []),
    ],
)
def test_what_refuses_an_order_its_giver_may_know(scenario, modules, policy, unseen):
    """A refusal that rests on hidden facts is not applied, so the order would be carried out without the means for it."""
    found = simulate(scenario, 1, seed=4, policy=policy, turns=either(1, 2), with_=modules)
    assert found["errors"] == []
    assert unseen == set()
