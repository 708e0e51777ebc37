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
from dsl.binding.absence import absent_in, is_none, known_there
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
"""Binds a node as an expression. Words are looked up first in the given type."""
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
    """Registers a function that binds the nodes of a class as expressions."""
    return partial(_noted, EXPRESSIONS, (node,))


def asks(node: type[t.Node]) -> Callable[[Asking], Asking]:
    """Registers a function that binds the nodes of a class as conditions."""
    return partial(_noted, CONDITIONS, (node,))


def enacts(line: type[ln.Line]) -> Callable[[Enacting], Enacting]:
    """Registers a function that binds the lines of a class as statements."""
    return partial(_noted, STATEMENTS, (line,))


def binds(*words: str) -> Callable[[Making], Making]:
    """Registers a function that binds the declarations that begin with these words."""
    return partial(_noted, BODIES, words)


def _noted(registry: dict[Any, Any], keys: Iterable[Any], function: Any) -> Any:
    for key in keys:
        assert key not in registry, f"{key} is bound by two functions"
        registry[key] = function
    return function


@attrs.frozen(slots=True, eq=False)
class Site:
    """The context of a line: its scope, its routine, and the head of its statement."""

    scope: Scope
    routine: Routine
    head: ir.Head


MOST_PROBLEMS = 100
"""The binder stops after this many problems."""


@attrs.define(slots=True, eq=False)
class Binder:
    """The part of a ruleset that is bound so far. It exists only during binding; its result is a `BoundRuleset`.

    Attributes:
        used: what the rules use, such as "field tank.armour"; checks warn about everything else.
        failed: the values that have no type because of an error already reported.
        poisoned: how often something was skipped because it depends on a failed value.
        here: the maps to which the bound text refers, if known: those of an example or a scenario.
        chances: whether a chance may be over dice that are rolled later, as in the lines of an example.
        lenient: whether a value that may be absent is accepted where one is needed, and fails in play if it is absent.
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
    _reads: dict[str, list[str]] | None = None
    _made: Callable[[], list[MadeName]] | None = None

    @classmethod
    def over(cls, rules: BoundRuleset) -> Binder:
        """A binder for lines that are read against rules already bound: those of an example or an override."""
        return cls(
            rules.ruleset, rules.tables, rules.woven, routines=dict(rules.routines),
            hooks={key: list(found) for key, found in rules.hooks.items()}, triggers=list(rules.triggers),
            lasting=list(rules.lasting), past=rules.past, counter=rules.variables, made=rules.names_made,
        )  # fmt: skip

    def bound(self) -> BoundRuleset:
        """The result of binding, which no longer changes."""
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
        """Records a problem. Returns ERROR, which causes no further problems. word: the word that the problem is about."""
        self.problems.append(at(code, message, span, hint=hint, also=also, word=word))
        return ERROR

    @property
    def enough(self) -> bool:
        """Whether there are so many problems that further ones would not help anybody."""
        return len(self.problems) > MOST_PROBLEMS

    def failing(self, type_: Type) -> bool:
        """Whether something has no type because of an error already reported."""
        return type_.name == "nothing" and any(x.is_error for x in self.problems)

    def fresh(self) -> str:
        """A name for a variable that no rule text can use."""
        self._counter += 1
        return f"x{self._counter}"

    def names_made(self) -> list[MadeName]:
        """The names that rules give to the things they place."""
        if self._made is None:
            rules = (r for hooks in self.hooks.values() for r in hooks)
            found = made_names(self.ruleset, (*self.routines.values(), *rules))
            self._made = lambda: found
        return self._made()

    # ---- nodes
    def expr(self, node: t.Node, scope: Scope, want: Type | None = None) -> E:
        """An expression with every name resolved. want: the type in which words are looked up first."""
        bound = EXPRESSIONS[type(node)](self, node, scope, want)
        if scope.thrown is not None and bound.type == DICE and want != DICE:
            return thrown_here(self.fresh, bound, scope, node.span)
        return known_there(bound, scope)

    def condition(self, node: t.Node, scope: Scope) -> E:
        """A condition, as a yes/no expression."""
        return CONDITIONS[type(node)](self, node, scope)

    def number(self, node: t.Node, scope: Scope) -> E:
        """An expression that must be a number and must be present."""
        return self.needs(self.expr(node, scope, NUMBER), NUMBER, node.span)

    def divisor(self, value: E, span: Span) -> None:
        """Reports an obvious attempt to divide by zero."""
        if ir.number_in(value) == 0:
            self.problem("E205", "This divides by zero.", span)

    def needs(self, bound: E, wanted: Type, span: Span) -> E:
        """Reports an expression that has the wrong type or may be absent. Where a set is expected, `none` is the empty set."""
        if wanted.name == "set" and is_none(bound):
            return ir.Listed((), type=wanted, span=span)
        if (
            bound.type.name == "nothing"
            and bound is not ERROR
            and isinstance(bound, ir.Constant)
            and wanted.name != "nothing"
        ):
            return self.problem("E204", f"This has no value, but {wanted} is needed here.", span)
        if bound.type.name == "dice" and wanted.name == "number":
            hint = "Roll them in a procedure: `active rolls 2d6 as die`. Only inside `chance that (…)` can dice be used as a number."
            return self.problem(
                "E201", "A number is needed here, but these are dice that have not been rolled.", span, hint
            )
        if not suits(self.ruleset, bound.type, wanted):
            return self.problem("E201", f"This is {bound.type}, but {wanted} is needed here.", span)
        if bound.type.optional and not wanted.optional:
            if self.lenient:
                return ir.Must(bound, type=bound.type.sure(), span=span)
            what, name = absent_in(bound)
            name = name or "…"
            hint = f"Check it in this line, `when there is {name}`, or before, as in `stop when there is no {name}`."
            if wanted == NUMBER:
                hint = f"Give a default: `… else 0`. Or check it with `when there is {name}` and add an `else`."
            return self.problem("E202", what, span, hint)
        return bound

    # ---- routines, bound on demand
    @property
    def reads(self) -> dict[str, list[str]]:
        """For each value, status and path, those that it may read."""
        if self._reads is None:
            self._reads = readings(self.ruleset, self.woven)
        return self._reads

    def routine(self, name: str, span: Span) -> Routine | None:
        """The bound value, status or path of this name; None if it does not exist or depends on itself."""
        if name in self.routines:
            return self.routines[name]
        declared = self.ruleset.bodied.get(name)
        if declared is None:
            self.problem("E200", f"There is no value `{name}`.", span, did_you_mean(name, self.ruleset.bodied))
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
        except RecursionError:
            if len(self._open) > 1:
                raise
            message = f"`{name}` depends on a chain of values that are nested too deep together."
            self.problem("E239", message, declared.span, hint="Compute it in fewer steps.")
            return None
        finally:
            self._open.pop()
        self.routines[name] = routine
        return routine

    def procedure(self, name: str, span: Span) -> Routine | None:
        """The bound procedure or order of this name; while it is being bound, the part bound so far."""
        for word in ("procedure", "order", "sequence"):
            key = f"{word} {name}"
            if key in self.routines:
                return self.routines[key]
            if key in self.ruleset.bodied:
                return BODIES[word](self, self.ruleset.bodied[key])
        known = [k.split(" ")[1] for k in self.ruleset.bodied if k.startswith("procedure ")]
        hint = did_you_mean(name, known)
        if name in phases_of(self.ruleset):
            hint = f"{name} is a phase. Its sequence runs it; only an example can run it alone with `do`."
        self.problem("E200", f"There is no procedure {name}.", span, hint, word=name)
        return None

    def too_long(self, declared: d.Bodied, length: int = 0) -> None:
        """Reports a value that depends on itself, or on a chain of values that is too long."""
        way = circle(declared.name, self.reads)
        if len(way) > 8:
            way = [*way[:4], "…", *way[-3:]]
        if way:
            self.problem("E222", f"`{declared.name}` depends on itself: {' → '.join(way)}.", declared.span)
        else:
            long = f"{length:,}" if length else f"more than {MOST_CHAIN}"
            self.problem(
                "E239",
                f"`{declared.name}` depends on a chain of {long} values; the maximum is {MOST_CHAIN}.",
                declared.span,
                hint="Compute it in fewer steps.",
            )
