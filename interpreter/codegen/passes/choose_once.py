"""A choice that several branches make alike is made once, before them.

Each value that is written in place determines for itself what a unit's stance is, or how far its training goes. One unit
uses several such values, and every one of them makes the same choice of the same names again.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator

from attrs import define

from interpreter.codegen.passes.form import (
    CHANGING,
    ITEMS,
    ONCE,
    Assign,
    Body,
    FormPart,
    If,
    Statement,
    asks_for_another_side,
    bodies,
    counted,
    given_result,
    in_order,
    inner,
    nodes_in,
)

LONGEST = 6
"""Choices with more statements than this are not searched."""

LEAST = 2
"""The number of branches with the same choice that is worth moving it before them."""

GIVEN = ONCE | ITEMS
"""Letters of names that are set at one place; names with other letters belong to the game or are tables."""

SAFE = (
    ast.Name, ast.Constant, ast.IfExp, ast.BoolOp, ast.And, ast.Or, ast.UnaryOp, ast.Not, ast.Compare,
    ast.Eq, ast.NotEq, ast.Is, ast.IsNot, ast.In, ast.NotIn,
)  # fmt: skip
"""The nodes allowed in a choice. None of them can fail, since a choice is now also made where it would not have been reached."""

Way = tuple[tuple[int, int], ...]
"""The path to a body: alternating indexes of a statement and of a body under it."""


@define(frozen=True)
class Choice:
    """Consecutive statements that choose one result.

    way: the path to their body; at, length: their position in it; reads: the names that they need; text: their
    normalized text.
    """

    way: Way
    at: int
    length: int
    result: str
    reads: frozenset[str]
    text: str

    @property
    def place(self) -> Way:
        """Places are in the order of the text."""
        return (*self.way, (self.at, 0))


def choose_once(body: Body) -> Body:
    """Makes each repeated choice only once, right before the first statement that makes it.

    A choice sets names that nothing else sets, and reads names that are set only once. Those are set
    before the place where the choice is now made, so the result is the same there.
    """
    while _choose_one(body):
        pass
    return body


def _choose_one(body: Body) -> bool:
    """Merges one choice; returns whether there was one."""
    everywhere = counted(body)
    given = Counter(name for part in in_order(body) for name in part.given())
    found: dict[str, list[Choice]] = {}
    for way, each in _with_ways(body, ()):
        chooses = list(map(_chooses, each))
        for at in range(len(each)):
            for end in range(at + 1, min(at + LONGEST, len(each)) + 1):
                if not chooses[end - 1]:
                    break
                choice = _choice(each, at, end - at, way, everywhere, given)
                if choice is not None:
                    found.setdefault(choice.text, []).append(choice)
    for text in sorted(found, key=len, reverse=True):
        alike = found[text]
        if len(alike) > 1 and _make_once(body, alike):
            return True
    return False


def _with_ways(body: Body, way: Way) -> Iterator[tuple[Way, Body]]:
    """Every body, with the path to it."""
    yield way, body
    for number, statement in enumerate(body):
        for under, below in enumerate(bodies(statement)):
            yield from _with_ways(below, (*way, (number, under)))


def _choice(body: Body, at: int, length: int, way: Way, everywhere: Counter[str], given: Counter[str]) -> Choice | None:
    """The choice of statements that do nothing else, if it is a single one."""
    run = body[at : at + length]
    if not isinstance(run[-1], If):
        return None
    own = Counter(name for part in in_order(run) for name in part.given())
    if any(given[name] != number for name, number in own.items()):
        return None
    within = Counter(name for one in run for name in one.names.elements())
    if any(name[0] in CHANGING and name not in own for name in within):
        return None
    results = [name for name in own if everywhere[name] != within[name]]
    reads = frozenset(name for name in within if name not in own)
    return Choice(way, at, length, results[0], reads, _text(run, own)) if len(results) == 1 else None


def _chooses(statement: Statement) -> bool:
    """Whether a statement only sets results, with tests that cannot fail."""
    if isinstance(statement, Assign):
        return given_result(statement) is not None and _safe(statement.value)
    return isinstance(statement, If) and all(
        (arm.test is None or _safe(arm.test)) and all(map(_chooses, arm.body)) for arm in statement.arms
    )


def _safe(e: ast.expr) -> bool:
    return all(isinstance(node, SAFE) for node in nodes_in(e))


def _text(run: Body, own: Iterable[str]) -> str:
    """The text of a choice, independent of the names that it sets."""
    called = {name: f"own {number}" for number, name in enumerate(own)}

    def shape(node: ast.AST) -> str:
        match node:
            case ast.Name(id=name):
                return called.get(name, name)
            case ast.Constant(value=value):
                return repr(value)
        return f"({type(node).__name__} {' '.join(map(shape, inner(node)))})"

    def line(part: FormPart) -> str:
        names = " ".join(called[name] for name in part.given())
        return f"{type(part).__name__} {names} {' '.join(map(shape, part.expressions()))}"

    return "\n".join(f"{depth} {line(part)}" for depth, part in _deep(run, 0))


def _deep(body: Body, depth: int) -> Iterator[tuple[int, FormPart]]:
    """Everything with its own line, with its depth."""
    for statement in body:
        if isinstance(statement, If):
            for arm in statement.arms:
                yield depth, arm
                yield from _deep(arm.body, depth + 1)
        else:
            yield depth, statement


def _make_once(body: Body, alike: list[Choice]) -> bool:
    """Moves a choice to one place for as many of its occurrences as possible, the outermost first."""
    for way in sorted({one.way[:depth] for one in alike for depth in range(len(one.way) + 1)}, key=len):
        served = [one for one in alike if one.way[: len(way)] == way]
        if len(served) < LEAST:
            continue
        to, known = _at(body, way)
        first = min(one.place[len(way)][0] for one in served)
        known |= _given_before(to, first)
        if not all(name in known or name[0] not in GIVEN for name in served[0].reads):
            continue
        _move(body, to, first, served)
        return True
    return False


def _at(body: Body, way: Way) -> tuple[Body, set[str]]:
    """The body at the end of a path, and the names that are set when it begins."""
    known: set[str] = set()
    for number, under in way:
        known |= _given_before(body, number)
        known |= set(body[number].given())
        body = list(bodies(body[number]))[under]
    return body, known


def _given_before(body: Body, end: int) -> set[str]:
    """The names of a body that are certainly set when a statement is reached."""
    known = {name for one in body[:end] for name in one.given()}
    for one in body[:end]:
        arm = one.lone if isinstance(one, If) else None
        if arm is not None and asks_for_another_side(arm):  # the first item of a loop differs from None
            known |= {name for inside in arm.body for name in inside.given()}
    return known


def _move(body: Body, to: Body, first: int, served: list[Choice]) -> None:
    """Moves the first of these choices before a statement, and replaces the others by its result."""
    made: Body = []
    result = ""
    for one in sorted(served, key=lambda one: one.place, reverse=True):  # from the last, so that the indexes stay valid
        where, _ = _at(body, one.way)
        made = where[one.at : one.at + one.length]
        del where[one.at : one.at + one.length]
        result = one.result
    to[first:first] = made
    others = {one.result for one in served} - {result}

    def renamed(node: ast.AST) -> ast.AST | None:
        return ast.Name(result, ast.Load()) if isinstance(node, ast.Name) and node.id in others else None

    for part in in_order(body):
        if others.intersection(part.own()):
            part.rewrite(renamed)
