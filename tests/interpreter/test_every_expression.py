"""Every expression declares correctly what it depends on: no change of its value is missed, and no dependence on hidden things.

toy/gauges.rules has a value for each expression, named after its class, and orders that change the value. A new expression
has none there, and so fails until it is covered (CONTRIBUTING.md, "an expression").
"""

import functools
import re

import pytest

from dsl import ir
from dsl.analysis.effects_of import fields_changed, kind_changed
from dsl.analysis.hidden_reads import hidden_reads
from dsl.ir import CHANGES, Rests, lines_in
from dsl.load import bound_or_raise, read_system
from dsl.syntax.declarations import Scenario
from dsl.text.source import SourceFile
from interpreter.codegen.reads import ALL, reads_of
from interpreter.machine import begin
from interpreter.runtime.runtime import RuleTrouble
from interpreter.setup.compile_rules import compile_program
from tests.interpreter.rulebook import TOY, ask, do
from tests.test_effects import classes

GAUGES = (TOY / "gauges.rules").read_text(encoding="utf-8")

IN_BODIES = {
    ir.FrameName, ir.FrameEntry, ir.Acting, ir.DiceOfWord, ir.Numbers, ir.SidesInTurn, ir.SideNamed, ir.ThingNamed, ir.ThingMade,
    ir.Chance, ir.Must,
}  # fmt: skip
"""What stands only in procedures, questions, dice, scenarios and examples, or comes with something else: no rule can wait for it."""
STEADY = {"constant", "place-named", "option-read", "kind-is"}
"""The values that nothing in a game changes. Under another option they are other functions."""

COURSE = (
    "jump a to 0303", "jump a to 0304", "jump a to 0202", "roll-up g to 0203", "withdraw b", "wear a", "spend b", "refresh c", "scare a",
    "strip a", "arm a with field", "arm a with heavy", "throw-more a", "hunt a to b", "hunt b to a", "flip b", "reassign a to b-2",
    "recruit b-2 to 0203", "lay b-1 to 0305", "lay b-2 to 0101", "disband c", "rain b-1", "lift g to alba", "turn-coat a", "done", "done",
    "done", "done", "jump b to 0505",
)  # fmt: skip
"""What is given. The orders of one name are looked at together."""


def bound_with(*hidden):
    """The rules, with some lines about what is hidden of kinds: (kind, line)."""
    text = GAUGES
    for kind, line in hidden:
        text, number = re.subn(rf"(\nunit {kind}\b[^\n]*\n)", rf"\1  {line}\n", text)
        assert number == 1
    found = read_system([SourceFile("gauges.rules", text)])
    return found, bound_or_raise(found, frozenset())


def gauges(rules):
    """The values by the names of their expressions."""
    return {r.name.removeprefix("for-"): r for r in rules.routines.values() if r.name.startswith("for-")}


def what_all_come_to(game, values):
    """Each value of each thing that it can be asked of."""

    def asked(name, thing):
        text = f"{thing.id} is for-{name}" if values[name].word == "status" else f"for-{name} of {thing.id}"
        try:
            value = ask(game, text)
        except RuleTrouble:
            return "fails"
        return sorted(map(str, value)) if isinstance(value, list) else str(value)

    return {(n, x.id): asked(n, x) for n, r in values.items() for x in game.world.all_of(r.params[0].type.word)}


@functools.cache
def course():
    """What came of each input: (the order, the values that came to something else, the names under which the world counted changes)."""
    found, rules = bound_with()
    scenario = next(x for x in found.declarations if isinstance(x, Scenario))
    game = begin(compile_program(rules, found.files), scenario, {"dice": "typed", "seed": 1})
    values = gauges(rules)
    before, counted, out = what_all_come_to(game, values), dict(game.world.touched), []
    for given in COURSE:
        do(game, given)
        now, count = what_all_come_to(game, values), dict(game.world.touched)
        changed = {name for (name, thing) in now if now[name, thing] != before.get((name, thing), now[name, thing])}
        out.append((given.partition(" ")[0], changed, {name for name in count if count[name] != counted.get(name)}))
        before, counted = now, count
    return out


def missed(rules):
    """The values that came to something else while nothing was counted that they read."""
    reads = {name: reads_of(rules, r.body) for name, r in gauges(rules).items()}
    return {
        name
        for _, changed, counted in course()
        for name in changed
        if not reads[name] & counted | {ALL} & (reads[name] | counted)
    }


def test_every_expression_has_its_value():
    _, rules = bound_with()
    used = {name: {type(x) for x in ir.find(r.body, ir.Expression)} for name, r in gauges(rules).items()}
    wanted = classes(ir.Expression) - IN_BODIES
    lacking = {x.__name__ for x in wanted if x not in used.get(ir.visitor.in_small(x.__name__).replace("_", "-"), ())}
    assert lacking - {"Local"} == set(), (
        "write a value with it into tests/interpreter/toy/gauges.rules, called after the class: `for-look-up` for LookUp"
    )


def test_every_value_comes_to_something_else():
    changed = set().union(*(changed for _, changed, _ in course()))
    _, rules = bound_with()
    assert set(gauges(rules)) - changed == STEADY, "give an order in COURSE that changes what it comes to"


def test_what_changes_a_value_is_among_what_it_reads():
    """Waiting rules, kept paths and kept values rely on that: after a change that is missed here, they would not wake, or stay stale."""
    _, rules = bound_with()
    assert missed(rules) == set(), "RESTS_ON of the expression (dsl/ir/), or reads_of (interpreter/codegen/reads.py)"


FORGETTING = [
    x for x in classes(ir.Expression) - IN_BODIES if x.RESTS_ON not in {Rests.NOTHING, Rests.NAMES, Rests.ANYTHING}
]  # fmt: skip


@pytest.mark.parametrize("forgetful", sorted(FORGETTING, key=lambda x: x.__name__), ids=lambda x: x.__name__)
def test_an_expression_that_forgets_what_it_rests_on_is_noticed(forgetful, monkeypatch):
    monkeypatch.setattr(forgetful, "RESTS_ON", Rests.NOTHING)
    _, rules = bound_with()
    if issubclass(forgetful, ir.Called):  # what they ask is gone through in any case
        return
    assert missed(rules)


ORDERS = sorted({given.partition(" ")[0] for given in COURSE} - {"done"})
NOT_HIDDEN = {"has-done"}
"""Whose order it was is not read off the rules."""


@pytest.mark.parametrize("order", ORDERS)
def test_a_value_that_something_hidden_changes_reads_something_hidden(order):
    """Only what the order changes is hidden, so no other part of a value can cover for a declaration that is forgotten."""
    _, rules = bound_with()
    lines = [s for s in lines_in(rules.routines[f"order {order}"].body) if s.DOES.changes in CHANGES]
    hidden = {(kind_changed(s), f) for s in lines for f in fields_changed(rules.ruleset, s)}
    if any(field == "side" or kind not in {"scout", "gun"} for kind, field in hidden):
        return  # of these nothing can be hidden by itself
    _, rules = bound_with(*((kind, f"hidden from enemy: {field}") for kind, field in sorted(hidden)))
    changed = set().union(*(changed for name, changed, _ in course() if name == order)) - NOT_HIDDEN
    read = {n for n, r in gauges(rules).items() if next(hidden_reads(rules.ruleset, rules.routines, r.body), None)}
    assert changed - read == set(), (
        "a leak: hidden_reads (dsl/analysis/hidden_reads.py) does not know that this is read"
    )


AGAIN = """
path fresh-way of u (a scout):
  from place of u
  at most 4 points
  entering h (a hex) costs 1
  never into h (a hex) when u has done jump {period} because "it has jumped"
"""


@pytest.mark.parametrize("period", ["this turn", "this phase", "this first"])
def test_a_way_is_open_again_when_the_period_of_what_was_done_is_over(period):
    found = read_system([SourceFile("gauges.rules", GAUGES + AGAIN.format(period=period))])
    scenario = next(x for x in found.declarations if isinstance(x, Scenario))
    game = begin(compile_program(bound_or_raise(found, frozenset()), found.files), scenario, {"dice": "typed"})
    do(game, "jump a to 0303")
    assert ask(game, "cost of reaching 0505 by fresh-way of a") is None
    for _ in range(4):
        do(game, "done")
    assert ask(game, "cost of reaching 0505 by fresh-way of a") == 3
