"""The context of the binder: the ruleset, what has been bound so far, the errors found, and which function binds which node.

A function registers for a class of nodes with a decorator (`expresses`, `asks`, `binds`). Code that meets a node asks the
context to bind it. So the functions need not know each other, and imports stay free of circles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from types import MappingProxyType as Sealed
from typing import Any

import attrs

from dsl import ir
from dsl.binding.absence import is_none, known_there
from dsl.binding.bound import BoundRuleset, Ending, Hint
from dsl.binding.fitting import suits
from dsl.binding.scope import Scope
from dsl.binding.thrown import thrown_here
from dsl.data.table_data import TableInfo
from dsl.ir import DICE, ERROR, NUMBER, E, Lasting, Routine, S, Trigger, Type
from dsl.rules.chains import MOST_CHAIN, readings
from dsl.rules.circles import circle
from dsl.rules.made_names import MadeName, made_names
from dsl.rules.ruleset import Ruleset
from dsl.rules.weave import Woven, phases_of
from dsl.syntax import body_lines as ln
from dsl.syntax import declarations as d
from dsl.syntax import syntax_tree as t
from dsl.text.diagnostics import Diagnostic, Mark, at, did_you_mean
from dsl.text.source import Span

Expressing = Callable[["Binder", Any, Scope, Type | None], E]
"""Binds a node as an expression. The type is the one that words are looked for in first."""
Asking = Callable[["Binder", Any, Scope], E]
"""Binds a node as a condition."""
Enacting = Callable[["Binder", Any, "Site"], list[S]]
"""Binds a line of an active body as statements."""
Making = Callable[["Binder", d.Bodied], Routine]
"""Binds a declaration with a body."""

EXPRESSIONS: dict[type[t.Node], Expressing] = {}
CONDITIONS: dict[type[t.Node], Asking] = {}
STATEMENTS: dict[type[ln.Line], Enacting] = {}
BODIES: dict[str, Making] = {}


def expresses(node: type[t.Node]) -> Callable[[Expressing], Expressing]:
    """Says that a function binds the nodes of a class as expressions."""
    return partial(_noted, EXPRESSIONS, (node,))


def asks(node: type[t.Node]) -> Callable[[Asking], Asking]:
    """Says that a function binds the nodes of a class as conditions."""
    return partial(_noted, CONDITIONS, (node,))


def enacts(line: type[ln.Line]) -> Callable[[Enacting], Enacting]:
    """Says that a function binds the lines of a class as statements."""
    return partial(_noted, STATEMENTS, (line,))


def binds(*words: str) -> Callable[[Making], Making]:
    """Says that a function binds the declarations that begin with these words."""
    return partial(_noted, BODIES, words)


def _noted(registry: dict[Any, Any], keys: Iterable[Any], function: Any) -> Any:
    for key in keys:
        assert key not in registry, f"{key} is bound by two functions"
        registry[key] = function
    return function


@attrs.frozen(slots=True, eq=False)
class Site:
    """Where a line stands: what names mean there, the routine that it is a line of, and the head that its statement will have."""

    scope: Scope
    routine: Routine
    head: ir.Head


@attrs.define(slots=True, eq=False)
class Binder:
    """What is bound of a ruleset so far. It lives while rule text is bound; what it leaves is a `BoundRuleset`.

    Attributes:
        used: what the text speaks of, as "field tank.armour": what nothing uses is warned of.
        failed: the values that have come to nothing because of an error that was reported.
        poisoned: how often something was left out because what it rests on had failed.
        here: the maps that what is bound stands on, where that is known: those of an example or a scenario.
        chances: whether a chance may be over dice that are still to come, as in the lines of an example.
        lenient: whether what may be absent can stand where something is needed, and fails in play where it is absent.
    """

    ruleset: Ruleset
    tables: Mapping[str, TableInfo]
    woven: Mapping[str, Woven] = attrs.field(factory=dict)
    problems: list[Diagnostic] = attrs.field(factory=list)
    routines: dict[str, Routine] = attrs.field(factory=dict)
    hooks: dict[str, list[Routine]] = attrs.field(factory=dict)
    triggers: list[Trigger] = attrs.field(factory=list)
    lasting: list[Lasting] = attrs.field(factory=list)
    past: frozenset[str] = frozenset()
    endings: dict[str, list[Ending]] = attrs.field(factory=dict)
    hints: dict[str, list[Hint]] = attrs.field(factory=dict)
    used: set[str] = attrs.field(factory=set)
    failed: set[str] = attrs.field(factory=set)
    poisoned: int = 0
    here: tuple[str, ...] = ()
    chances: bool = False
    lenient: bool = False
    _counter: int = 0
    _open: list[str] = attrs.field(factory=list)
    _made: Callable[[], list[MadeName]] | None = None

    @classmethod
    def over(cls, rules: BoundRuleset) -> Binder:
        """A context for lines that are read against rules which are bound already: those of an example, an override."""
        return cls(
            rules.ruleset, rules.tables, rules.woven, routines=dict(rules.routines),
            hooks={key: list(found) for key, found in rules.hooks.items()}, triggers=list(rules.triggers),
            lasting=list(rules.lasting), past=rules.past, counter=rules.variables, made=rules.names_made,
        )  # fmt: skip

    def bound(self) -> BoundRuleset:
        """What has been bound, and changes no more."""
        return BoundRuleset(
            self.ruleset, Sealed(self.tables), Sealed(self.woven), Sealed(self.routines),
            Sealed({key: tuple(found) for key, found in self.hooks.items()}), tuple(self.triggers), tuple(self.lasting), self.past,
            Sealed({name: tuple(found) for name, found in self.endings.items()}),
            Sealed({name: tuple(found) for name, found in self.hints.items()}), frozenset(self.used), self._counter,
        )  # fmt: skip

    # ---- what is wrong
    def problem(
        self, code: str, message: str, span: Span, hint: str = "", also: Iterable[Mark] = (), word: str = ""
    ) -> E:
        """Notes what is wrong; returns ERROR, so that nothing further is said of it. word: the word that is meant."""
        self.problems.append(at(code, message, span, hint=hint, also=also, word=word))
        return ERROR

    def fresh(self) -> str:
        """A name for a variable that no text can use."""
        self._counter += 1
        return f"x{self._counter}"

    def names_made(self) -> list[MadeName]:
        """What rules call the things that they put into the game."""
        if self._made is None:
            rules = (r for hooks in self.hooks.values() for r in hooks)
            found = made_names(self.ruleset, (*self.routines.values(), *rules))
            self._made = lambda: found
        return self._made()

    # ---- nodes
    def expr(self, node: t.Node, scope: Scope, want: Type | None = None) -> E:
        """An expression with every name settled. want: the type that words are looked for in first."""
        bound = EXPRESSIONS[type(node)](self, node, scope, want)
        if scope.thrown is not None and bound.type == DICE and want != DICE:
            return thrown_here(self.fresh, bound, scope, node.span)
        return known_there(bound, scope)

    def condition(self, node: t.Node, scope: Scope) -> E:
        """A condition as an expression of yes or no."""
        return CONDITIONS[type(node)](self, node, scope)

    def number(self, node: t.Node, scope: Scope) -> E:
        """An expression that must be a number and be there."""
        return self.needs(self.expr(node, scope, NUMBER), NUMBER, node.span)

    def divisor(self, value: E, span: Span) -> None:
        """Reports what is plainly divided by zero."""
        if ir.number_in(value) == 0:
            self.problem("E205", "This divides by zero.", span)

    def needs(self, bound: E, wanted: Type, span: Span) -> E:
        """Reports when an expression is not of the wanted type or may be absent. Where a set is wanted `none` is the empty one."""
        if wanted.name == "set" and is_none(bound):
            return ir.Listed((), type=wanted, span=span)
        if (
            bound.type.name == "nothing"
            and bound is not ERROR
            and isinstance(bound, ir.Constant)
            and wanted.name != "nothing"
        ):
            return self.problem("E204", f"Nothing stands where {wanted} is needed.", span)
        if bound.type.name == "dice" and wanted.name == "number":
            hint = "Dice are rolled in a procedure: `active rolls 2d6 as die`; their number stands in `chance that (…)` too."
            return self.problem("E201", "These are dice, but a number is needed: nothing has been rolled.", span, hint)
        if not suits(self.ruleset, bound.type, wanted):
            return self.problem("E201", f"This is {bound.type}, but {wanted} is needed here.", span)
        if bound.type.optional and not wanted.optional:
            what = (
                f"`{bound.name}` is optional and may be absent here."
                if isinstance(bound, ir.Field)
                else "This may be absent here."
            )
            if self.lenient:
                return ir.Must(bound, type=bound.type.sure(), span=span)
            hint = "Say what counts then: `… else 0`, or ask `when there is …` and use `else`."
            return self.problem("E202", what, span, hint)
        return bound

    # ---- routines, bound on demand
    def routine(self, name: str, span: Span) -> Routine | None:
        """The bound value, status or path of this name; None when there is none or it goes round in a circle."""
        if name in self.routines:
            return self.routines[name]
        declared = self.ruleset.bodied.get(name)
        if declared is None:
            self.problem("E200", f"I know no value `{name}`.", span, did_you_mean(name, self.ruleset.bodied))
            return None
        if len(self._open) >= MOST_CHAIN:
            self.too_long(declared)
            return None
        if name in self._open:
            around = " → ".join([*self._open[self._open.index(name) :], name])
            self.problem(
                "E222", f"`{name}` depends on itself: {around}.", span, also=[Mark(declared.span, "it starts here")]
            )
            return None
        self._open.append(name)
        try:
            routine = BODIES[declared.word](self, declared)
        finally:
            self._open.pop()
        self.routines[name] = routine
        return routine

    def procedure(self, name: str, span: Span) -> Routine | None:
        """The bound procedure or order of this name; while it is being bound, what of it is known so far."""
        for word in ("procedure", "order", "sequence"):
            key = f"{word} {name}"
            if key in self.routines:
                return self.routines[key]
            if key in self.ruleset.bodied:
                return BODIES[word](self, self.ruleset.bodied[key])
        known = [k.split(" ")[1] for k in self.ruleset.bodied if k.startswith("procedure ")]
        hint = did_you_mean(name, known)
        if name in phases_of(self.ruleset):
            hint = f"{name} is a phase: it runs where its sequence says so. An example may do it by itself."
        self.problem("E200", f"There is no procedure {name}.", span, hint, word=name)
        return None

    def too_long(self, declared: d.Bodied, length: int = 0) -> None:
        """Reports a value that rests on itself, or on more values than can be bound."""
        reads = readings(self.ruleset, self.woven)
        way = circle(declared.name, reads)
        if len(way) > 8:
            way = [*way[:4], "…", *way[-3:]]
        if way:
            self.problem("E222", f"`{declared.name}` depends on itself: {' → '.join(way)}.", declared.span)
        else:
            long = f"{length:,}" if length else f"more than {MOST_CHAIN}"
            self.problem(
                "E239",
                f"`{declared.name}` rests on a chain of {long} values; the most is {MOST_CHAIN}.",
                declared.span,
                hint="Work it out in fewer steps.",
            )
