"""An example while it is being checked: which names it may use so far, and what all examples under one choice of modules share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dsl import ir
from dsl.binding.bound import BoundRuleset
from dsl.binding.context import Binder
from dsl.binding.fitting import looked_for, suits
from dsl.binding.said_words import empty_set
from dsl.binding.scope import Scope
from dsl.binding.scoping import last_frame
from dsl.ir import ERROR, MARK, NOTHING, SIDE, Routine, S, Type
from dsl.rules.variants import Variant, sides_of
from dsl.syntax import declarations as d
from dsl.syntax import syntax_tree as t
from dsl.text.diagnostics import did_you_mean
from dsl.text.source import Span

Question = ir.Choose | ir.EachChooses


class ExamplesShared:
    """What the examples under one choice of modules share. questions: by name."""

    def __init__(self, rules: BoundRuleset) -> None:
        self.rules = rules
        self.questions: dict[str, list[Question]] = {}
        hooked = [r for hooks in rules.hooks.values() for r in hooks]
        for routine in (*rules.routines.values(), *hooked):
            for line in _lines(routine.body):
                if isinstance(line, ir.Choose | ir.EachChooses):
                    self.questions.setdefault(line.name, []).append(line)
        self._begun: dict[str, tuple[Routine, ...]] = {}

    def begun_by(self, key: str) -> tuple[Routine, ...]:
        """A routine and those that it may call, last call first."""
        if key not in self._begun:
            found: dict[str, Routine] = {}
            self._follow(key, found)
            self._begun[key] = tuple(reversed(found.values()))
        return self._begun[key]

    def _follow(self, key: str, found: dict[str, Routine]) -> None:
        routine = self.rules.routines.get(key)
        if routine is None or key in found:
            return
        found[key] = routine
        for line in _lines(routine.body):
            if isinstance(line, ir.Do):
                self._follow(line.key, found)


def _lines(body: Iterable[S]) -> Iterator[S]:
    for line in body:
        yield line
        yield from _lines(line.body)


class ExampleReading:
    """One variant of an example, read line by line.

    begun: the procedures that its lines may have started so far, last one first. run: those from which the names of a line are read.
    """

    def __init__(self, shared: ExamplesShared, example: d.Example, variant: Variant) -> None:
        self.shared, self.example, self.variant = shared, example, variant
        self.b = Binder.over(shared.rules)
        self.ruleset = self.b.ruleset
        self.routine = Routine("example", "this example", (), NOTHING, example.span)
        self.sides = sides_of(variant.lines)
        self.run: tuple[Routine, ...] = ()
        self.begun: tuple[Routine, ...] = ()

    def scope(self) -> Scope:
        """The scope of a line."""
        sides = {name: ir.ThingNamed(name, type=SIDE) for name in self.sides}
        run = tuple((r, last_frame(r)) for r in self.run)
        return Scope(dict(sides), ir.Active(), None, ((self.routine, "F"), *run), any_frame=True)

    def problem(self, code: str, message: str, span: Span, hint: str = "", word: str = "") -> None:
        """Records a problem of a line."""
        self.b.problem(code, message, span, hint, word=word)

    def side(self, name: str, span: Span) -> None:
        """Reports a side that the example does not have."""
        if name not in self.sides:
            self.problem("E200", f"There is no side {name} here.", span, did_you_mean(name, self.sides), word=name)

    def fits(self, type_: Type, node: t.Node) -> None:
        """Reports a value that does not have the type of what is given."""
        if type_ is MARK and isinstance(node, t.Name) and node.word in {"yes", "no"}:
            return
        if empty_set(self.b, node, type_, self.scope()) is not None:
            return
        value = self.b.expr(node, self.scope(), looked_for(type_) or type_.of)
        if value is ERROR or value.type.name == "nothing":
            return
        one = type_.of if type_.name == "set" and value.type.name != "set" else type_
        if one is not None and not suits(self.ruleset, value.type, one):
            self.problem("E201", f"This is {value.type}, but {one} is needed here.", node.span)
