"""Binding what scenarios declare: when the game ends and who wins, and the hints of lessons."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from dsl import ir
from dsl.binding.context import Binder
from dsl.binding.scope import Scope
from dsl.binding.targets import winner_of
from dsl.ir import E
from dsl.rules.rows import cells
from dsl.syntax import body_lines as ln
from dsl.syntax import declarations as d
from dsl.syntax import syntax_tree as t
from dsl.text.diagnostics import did_you_mean
from dsl.text.source import Span


def bind_ending(b: Binder, scenario: d.Scenario, line: ln.EndGame) -> tuple[E | None, E | None, str, Span]:
    """An `end game` line of a scenario, in which the scenario's sides can be named."""
    scope = Scope({s.name: ir.SideNamed(s.name) for s in scenario.sides}, ir.Active())
    sides, known = [s.name for s in scenario.sides], len(b.problems)
    winner = winner_of(b, line.winner, scope) if line.winner is not None else None
    if isinstance(line.winner, t.Name) and [p.code for p in b.problems[known:]] == ["E200"]:
        near = did_you_mean(line.winner.word, sides)
        b.problems.pop()
        b.problem("E320", f"The scenario has no side {line.winner.word}.", line.winner.span, near)
    when = _condition(b, scenario, line.when, scope) if line.when is not None else None
    return winner, when, line.because or "", line.span


def bind_lesson(b: Binder, scenario: d.Scenario, lesson: d.Lesson) -> Iterator[tuple[str, str, E | None, Span]]:
    """The hints of a lesson: the side that reads them, the text, the condition, and the span."""
    sides = [s.name for s in scenario.sides]
    if lesson.side not in sides:
        near = did_you_mean(lesson.side, sides)
        b.problem("E320", f"The scenario has no side {lesson.side}.", lesson.span, near)
    learner = ir.SideNamed(lesson.side)
    scope = Scope({name: ir.SideNamed(name) for name in sides}, learner)
    for hint in lesson.hints:
        when = _condition(b, scenario, hint.when, scope) if hint.when is not None else None
        yield lesson.side, hint.text, when, hint.span


def _condition(b: Binder, scenario: d.Scenario, node: t.Node, scope: Scope) -> E:
    """A condition of a scenario. The forces of a game may differ from those listed, so no unit can be named."""
    known = len(b.problems)
    when = b.condition(node, scope)
    named = {cell: x.of for x in scenario.forces for row in x.rows[1:] for cell in cells(row)}
    for number, problem in enumerate(b.problems[known:], known):
        kind = next((of for name, of in named.items() if problem.message == f"Unknown name `{name}`."), "")
        if kind:
            hint = "A scenario's conditions can name sides and places, but no unit: a roster may bring others."
            what = b.ruleset.kinds[kind].plural if kind in b.ruleset.kinds else kind
            hint = f"{hint} Give it a mark, say vital, and ask `count {what} that are vital = 0`."
            b.problems[number] = attrs.evolve(problem, hint=hint)
    return when
