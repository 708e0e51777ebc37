"""A running example: its small game, its names, and what words and expressions mean in it."""

from __future__ import annotations

from itertools import takewhile
from typing import Any

from dsl import ir
from dsl.binding.context import Binder
from dsl.binding.example_lines import option_given
from dsl.binding.scope import Scope
from dsl.binding.scoping import last_frame
from dsl.ir import NOTHING, SIDE, E, Routine
from dsl.rules.variants import Variant, sides_of
from dsl.syntax import body_lines as ln
from dsl.syntax import declarations as d
from dsl.syntax import syntax_tree as t
from dsl.text.source import Span
from interpreter.codegen.python_names import py
from interpreter.examples.example_outcome import Failure, Outcome
from interpreter.examples.session import Session
from interpreter.explain.evaluating import evaluate
from interpreter.program.program import Program
from interpreter.runtime.refusals import Why
from interpreter.runtime.runtime import say
from interpreter.runtime.things import Value

__all__ = ["ExampleStanding"]


class ExampleStanding:
    """The state of one run of an example: a game on a small board, and the frame of the example's own names."""

    def __init__(self, program: Program, example: d.Example, variant: Variant, outcome: Outcome) -> None:
        self.program, self.variant, self.outcome = program, variant, outcome
        boards = next((x.names for x in variant.lines if isinstance(x, ln.OnMap)), ())
        self.binder = Binder.over(program.rules)
        self.routine = Routine("example", "this example", (), NOTHING, example.span)
        # An option given before the first expectation applies from the start, a later one from its line on.
        options = dict(variant.options)
        for line in takewhile(lambda x: not isinstance(x, ln.Expectation), variant.lines):
            if isinstance(line, ln.Given) and (found := option_given(program.ruleset, line)):
                options[found[0]] = found[1]
        self.options = options
        self.session = Session(program, options, boards, sides_of(variant.lines))
        self.world = self.session.world
        self.frame = type("Frame_example", (), {})()
        self.frame.acting, self.frame.up, self.frame.route = self.world.active, None, None
        self.frame.memo, self.frame.stamp = {}, -1

    def fail(self, line: ln.Line, expected: str, got: str) -> None:
        """Records an expectation that was not met. For a line above the blocks under other modules, the block is named."""
        block = self.variant.setting if line.span < self.variant.span else ""
        self.outcome.failures.append(Failure(line.span, expected, f"{got} ({block})" if block else got))

    def scope(self) -> Scope:
        """The meaning of words at this point of the example."""
        sides = {s.id: ir.ThingNamed(s.id, type=SIDE) for s in self.world.all_of("side")}
        routines = self.program.rules.routines
        run = tuple((routines[k], last_frame(routines[k])) for k in reversed(self.world.frames) if k in routines)
        return Scope(dict(sides), ir.Active(), None, ((self.routine, "F"), *run), any_frame=True)

    def bound(self, work: Any) -> Any:
        """The binder's result; its problems end the example."""
        self.binder.problems = []
        made = work()
        if self.binder.problems:
            found = self.binder.problems[0]
            raise Why.NOT_UNDERSTOOD(found.message, hint=found.hint)
        return made

    def value(self, bound: E) -> Value:
        """The value of an expression at this point of the example."""
        return evaluate(self.program, self.world, bound, self.session.pins, self.session.trail, {"F": self.frame})

    def space(self) -> dict[str, Value]:
        """The globals of the example's emitted lines."""
        return dict(self.session.traced.space)

    def answers_said(self, line: ln.Answer | ln.ThenMayAnswer) -> list[tuple[str, str]]:
        """The answers of a line, each as its words and the thing that it is for, "" if none is named."""
        values = ", ".join(self.spoken(v) for v in line.values)
        return [(values, self.spoken(item)) for item in line.items] or [(values, "")]

    def spoken(self, node: t.Node) -> str:
        """An answer in typed form: a name of the example, a word, a number, or the value of an expression."""
        if isinstance(node, t.Name):
            found = getattr(self.frame, f"n_{py(node.word)}", None)
            return say(found) if found is not None else node.word
        if isinstance(node, t.Literal):
            return str(node.value)
        return say(self.value(self.bound(lambda: self.binder.expr(node, self.scope()))))

    def text(self, span: Span) -> str:
        """The rule text at a place."""
        file = self.program.files.get(span.file)
        if file is None:
            return ""
        line = file.line(span.line)
        text = line[span.column - 1 : span.end_column - 1] if span.line == span.end_line else line[span.column - 1 :]
        return text.split(" [")[0].strip()
