"""Two of a kind on one thing at once: values that last until different moments are stacked, refusals are listed side by side."""

import itertools
import random

from interpreter.messages.inputs import Input
from tests.interpreter.rulebook import ask, do, game_of

PHASES = ("morning", "evening", "night")
LAYERS = [(word, amount, phase) for word, amount in (("put", 3), ("put", 0), ("add", 2)) for phase in PHASES]
"""What may be laid on the strength of a regiment: a value in place of what is there or something more, until the end of a phase."""


def _rules():
    lines = []
    for word, amount, phase in LAYERS:
        said = f"strength of u becomes {amount}" if word == "put" else f"u gains {amount} strength"
        lines += [
            f"order {word}-{amount}-{phase} of u (a regiment):",
            "  given by side of u",
            f"  {said} until end of {phase}",
        ]
    orders = ", ".join(f"{word}-{amount}-{phase}" for word, amount, phase in LAYERS)
    lines += ["order wait of u (a regiment):", "  given by side of u", "  u becomes tired", "sequence game-turn:"]
    for phase in PHASES:
        lines += [f"  phase {phase}:", f"    first-side may {orders if phase == 'morning' else 'wait'}"]
    lines += ["  phase rest:", "    first-side may wait"]
    return "\n".join([*lines, "value first-side:", '  side of first (regiments (where name of it is "a"))', ""])


def _worth(base, layers, over):
    """A strength with layers on it, of which those fell away whose phases are over."""
    for word, amount, phase in layers:
        if phase not in over:
            base = amount if word == "put" else base + amount
    return base


PAIRS = list(itertools.product(LAYERS, repeat=2))
SOME = random.Random(4).sample(list(itertools.product(LAYERS, repeat=3)), 60)


def test_each_falls_away_at_its_own_moment_whatever_lies_on_it_or_under_it():
    wrong = []
    for layers in [*PAIRS, *SOME]:
        game = game_of(_rules())
        base = ask(game, "strength of a")
        for word, amount, phase in layers:
            do(game, f"{word}-{amount}-{phase} a")
        for number in range(len(PHASES) + 1):
            if ask(game, "strength of a") != (want := _worth(base, layers, PHASES[:number])):
                wrong.append((layers, PHASES[:number], ask(game, "strength of a"), want))
            if number < len(PHASES):
                do(game, "done")
    assert wrong == []


FORBIDDEN = """\
order rest of u (a regiment):
  given by side of u
  u becomes tired
order wait of u (a regiment):
  given by side of u
sequence game-turn:
  for each s in turn-order, as active:
    phase all:
      active may rest, wait
rule cold forbids order rest of v (a regiment):
  when v is in 0202, or v is in 0203 because "it is too cold"         [Q-15]
rule noise forbids order rest of r (a regiment):
  when r is in 0202, or r is in 0303 because "it is too noisy"        [Q-16]
"""
COLD, NOISE = ("It is too cold.", ("Q-15",)), ("It is too noisy.", ("Q-16",))


def test_two_rules_that_forbid_one_order_are_both_told_and_either_is_enough():
    """Both rules keep a in 0202 from resting; only the cold keeps b in 0203. A unit that was moved elsewhere may rest."""
    game = game_of(FORBIDDEN)
    said = {name: [(r.message, r.cites) for r in game.why_not("blue", f"rest {name}")] for name in ("a", "b")}
    assert said == {"a": [COLD, NOISE], "b": [COLD]}
    assert not {"rest a", "rest b"} & set(game.legal("blue"))
    for place, reasons in (("0303", [NOISE]), ("0203", [COLD]), ("0404", []), ("0202", [COLD, NOISE])):
        game.offer(Input("override", "umpire", f"place of a = {place}", "tried"))
        assert [(r.message, r.cites) for r in game.why_not("blue", "rest a")] == reasons
        assert ("rest a" in game.legal("blue")) is not bool(reasons)


def test_a_permission_lifts_neither_of_two_rules_that_forbid():
    game = game_of(FORBIDDEN + "rule all-may permits order rest of w (a regiment):\n  when w is in 0202\n")
    assert [(r.message, r.cites) for r in game.why_not("blue", "rest a")] == [COLD, NOISE]
