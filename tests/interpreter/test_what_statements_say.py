"""Each statement declares (DOES) exactly what is emitted for it: a missing declaration is found here, for any statement."""

import re

import attrs
import pytest

from dsl import ir
from dsl.analysis.effects_of import names_changed, names_given, words_changed
from dsl.ir import Does, lines_in
from interpreter.codegen.emit_statements import StatementEmitter
from interpreter.codegen.python_names import py
from interpreter.codegen.routine_emitter import RoutineEmitter
from tests.test_effects import read

NO_CHANGE = {"begin_together", "end_together", "take_fallen", "named_after", "named_as"}
"""What the parts of the world do that change things, without changing one."""
APART = {"when", "order", "such_that", "who", "until"}
"""Expressions of statements that are not what things get: conditions, in what order, who chooses."""


def statements():
    """Every statement of toy/levers.rules that runs, with its routine, each class once."""
    _, bound = read(modules=["extras"])
    routines = [*bound.routines.values(), *(h for found in bound.hooks.values() for h in found)]
    found = {type(s): (s, r) for r in routines if r.word not in {"value", "status", "path"} for s in lines_in(r.body)}
    run = ir.statement_visitor.StatementVisitor.__abstractmethods__
    return bound, {kind: x for kind, x in found.items() if ir.visitor.method_for(kind.__name__) in run}


BOUND, FOUND = statements()


def writer(s, routine):
    """What has written one statement, without those that it owns."""
    empty = attrs.evolve(s, body=()) if "body" in ir.fields_of(type(s)) else s
    m = RoutineEmitter(BOUND)
    StatementEmitter(m, routine).statement(empty)
    return m


def emitted(s, routine):
    return "\n".join(writer(s, routine).text.out)


def fields_in(m):
    """The fields and headings of things that emitted text gives to effects."""
    calls = [line for line in m.text.out if "W.effects." in line]
    words = {
        m.text.words.meant(name) for line in calls for name in re.findall(r"\bK_\d+\b", line.partition("W.effects.")[2])
    }
    kinds = BOUND.ruleset.kinds.values()
    printed = {p.name for kind in kinds if kind.node is not None for p in kind.node.printed}
    return words & {*printed, *(f for kind in kinds for f in kind.fields)}


def said_by(text):
    """What emitted text does, as far as DOES speaks of it: (changes something, asks, rolls, the names that it gives)."""
    calls = re.findall(r"W\.(effects|positions|host)\.(\w+)\(", text)
    changes = any(part != "host" and called not in NO_CHANGE for part, called in calls)
    asked = {called for part, called in calls if part == "host"}
    names = set(re.findall(r"\bF\.(n_\w+)(?:\[[^\]]*\])* = ", text))
    return changes, bool(asked & {"ask", "ask_each"}), bool(asked & {"roll", "draw"}), names


def does(s):
    names = {f"n_{py(name)}" for name in {*names_given(s), *names_changed(s)}}
    return bool(s.DOES.changes), s.DOES.asks, s.DOES.rolls, names


def fits(said, meant):
    """Whether text does what is said of it; not every name that may be given is."""
    return said[:3] == meant[:3] and said[3] <= meant[3]


each = pytest.mark.parametrize("kind", sorted(FOUND, key=lambda x: x.__name__), ids=lambda x: x.__name__)


@each
def test_it_does_what_it_says(kind):
    statement, routine = FOUND[kind]
    assert fits(said_by(emitted(statement, routine)), does(statement)), "DOES of the statement (dsl/ir/)"


@each
def test_it_says_which_fields_it_changes(kind):
    """A field that it does not declare would be told to a side from which it is hidden, and `why` would not know where it is from."""
    statement, routine = FOUND[kind]
    assert fields_in(writer(statement, routine)) == set(words_changed(statement)), (
        "`fields` of DOES (dsl/ir/effects.py)"
    )


@each
def test_it_says_what_things_get_of_it(kind):
    """Waiting rules, secrecy and `why` need to know what a line that changes something reads."""
    if kind.DOES.changes:
        given = {
            f.name for f in attrs.fields(kind)
            if re.search(r"\bExpression\b", str(f.type)) and f.name not in {"head", *APART}
        }  # fmt: skip
        assert given == {*kind.DOES.gets, kind.DOES.things} - {""}


@pytest.mark.parametrize(
    "kind",
    [k for k in FOUND if k.DOES.changes or k.DOES.asks or k.DOES.rolls or k.DOES.names],
    ids=lambda x: x.__name__,
)
def test_a_statement_that_says_nothing_is_noticed(kind, monkeypatch):
    monkeypatch.setattr(kind, "DOES", Does())
    statement, routine = FOUND[kind]
    assert not fits(said_by(emitted(statement, routine)), does(statement))
