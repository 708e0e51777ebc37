"""What `why` shows is what play used, and a chance is the result of all games with all dice: the short form.

The daily form plays one game of bth and one of ww2 with its first inputs; with OPHEX_LONG=1 more of each, and with supply. An even
longer form is `python -m tests.one_meaning --values 200000`; its docstring says what is compared.
"""

import shutil
from fractions import Fraction
from pathlib import Path

import pytest

import tests.one_meaning
from dsl.rules.variants import variants
from dsl.syntax import declarations as d
from interpreter.examples.examples import run_example
from interpreter.messages.inputs import Input
from interpreter.world.world_changes import Effects
from tests.interpreter.rulebook import KIT, ask, compiled, do, game_of, waits
from tests.long import either, in_the_long_form
from tests.one_meaning import Found, one_game

GAMES = [
    ("bth/duel", either(None, ("fog-of-war", "supply")), "mixed", 5, either(20, 60)),
    pytest.param("btr/first-sorties", None, "random", 3, 50, marks=in_the_long_form),
    ("ww2/lipki", None, "mixed", 4, either(10, 40)),
    pytest.param("bth/texas-1", None, "greedy", 2, 60, marks=in_the_long_form),
    pytest.param("ww2/gorsk-week", None, "random", 5, 40, marks=in_the_long_form),
]


@pytest.mark.parametrize(("scenario", "modules", "policy", "seed", "inputs"), GAMES)
def test_nothing_is_told_that_play_did_not_do(scenario, modules, policy, seed, inputs):
    found = Found()
    one_game(found, scenario, modules, policy, seed, inputs, 20_000)
    assert found.differences == []
    assert found.failures == []
    assert found.silent == {}
    assert found.values > 1_000
    assert {"line", "name", "value", "told last", "state", "events"} <= set(found.counts)


def test_a_game_that_does_otherwise_than_it_tells_is_found_out(monkeypatch):
    """Play adds one to every number that a line sets in a field."""
    give = Effects.give

    def gives(effects, thing, field, slot, value, site):
        give(effects, thing, field, slot, value + 1 if type(value) is int and site >= 0 else value, site)

    monkeypatch.setattr(Effects, "give", gives)
    found = Found()
    one_game(found, "btr/first-sorties", None, "random", 3, 40, 20_000)
    assert any(": line: " in text for text in found.differences)


def test_an_event_that_the_replay_does_not_make_is_found_out(monkeypatch, tmp_path):
    take = tests.one_meaning.Judge.take

    def forgets(judge, number, given):
        judge.recorded[number][1].append(("a is removed.", "all"))
        take(judge, number, given)

    monkeypatch.setattr(tests.one_meaning.Judge, "take", forgets)
    found = Found()
    shutil.copy(Path(__file__).parent / "toy" / "ships.rules", tmp_path)
    one_game(found, f"{tmp_path}/duel", (), "random", 3, 5, 20_000)
    assert any(": events: " in text for text in found.differences)


# ---- chances
SHOTS = """\
procedure barrage of prey (a regiment) by gun (a regiment):
  let hits be 0
  let worst be 0
  repeat at most 2 times while strength of prey > 0:
    owner of gun rolls 1d6 as die
    worst becomes die when die > worst
    when die >= 5:
      hits gains 1 points
      owner of prey rolls 2d3-1 as save
      strength of prey becomes highest (0, strength of prey - 2) when save < 3 + hits
    otherwise when die = 1:
      stop barrage
  simultaneously:
    prey gains hits losses
    prey becomes tired when worst = 6
value owner of u (a regiment):
  start with side of u
order fire of gun (a regiment) against prey (a regiment):
  given by side of gun
  do barrage with prey as prey and gun as gun
sequence game-turn:
  for each s in turn-order, as active:
    phase all:
      active may fire
"""
CONDITIONS = [
    "strength of y = 0",
    "losses of y > 1",
    "y is tired",
    "strength of y < 3 and losses of y < 3",
]


def outcomes(conditions):
    """The chance of each condition, by playing a game for every fall of the dice."""
    totals = dict.fromkeys(conditions, Fraction(0))
    faces = {"die": [(str(n), Fraction(1, 6)) for n in range(1, 7)]}
    pairs = [a + b - 1 for a in range(1, 4) for b in range(1, 4)]
    faces["save"] = [(str(n), Fraction(pairs.count(n), 9)) for n in sorted(set(pairs))]
    waiting = [((), Fraction(1))]
    while waiting:
        thrown, part = waiting.pop()
        game = game_of(SHOTS)
        do(game, "fire a against y")
        for face in thrown:
            game.offer(Input("roll", "umpire", face))
        ((kind, _, name),) = waits(game)
        if kind == "dice":
            waiting += [((*thrown, face), part * share) for face, share in faces[name]]
            continue
        for condition in conditions:
            totals[condition] += part * bool(ask(game, condition))
    return totals


def test_a_chance_is_what_games_with_every_fall_of_the_dice_come_to():
    lines = "".join(f"  then chance that ({c}) = 0\n" for c in CONDITIONS)
    example = (
        'example "chances":\n  put a (a regiment, side blue, strength 7) in 0202\n'
        f"  put y (a regiment, side red, strength 3) in 0603\n  do barrage with y as prey and a as gun\n{lines}"
    )
    program, read = compiled((KIT, SHOTS + example))
    made = next(x for x in read.declarations if isinstance(x, d.Example))
    found = run_example(program, made, variants(made, read.defaults)[0])
    shown = [Fraction(value) for _, value, _ in found.shown]
    assert dict(zip(CONDITIONS, shown, strict=True)) == outcomes(CONDITIONS)
    assert all(0 < chance < 1 for chance in shown)
