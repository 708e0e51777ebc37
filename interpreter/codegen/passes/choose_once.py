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
"""A choice of more statements than this is not looked for."""

LEAST = 2
"""So many arms that make a choice alike are worth a place before them."""

GIVEN = ONCE | ITEMS
"""Letters of names that have a value from one place on; what begins with another one is the game's or a table."""

SAFE = (
    ast.Name, ast.Constant, ast.IfExp, ast.BoolOp, ast.And, ast.Or, ast.UnaryOp, ast.Not, ast.Compare,
    ast.Eq, ast.NotEq, ast.Is, ast.IsNot, ast.In, ast.NotIn,
)  # fmt: skip
"""What a choice may be made of. None of it can fail: a choice is now also made where nobody would have come to it."""

Way = tuple[tuple[int, int], ...]
"""How to come to a body: the number of a statement and of a body under it, again and again."""


@define(frozen=True)
class Choice:
    """Statements that stand together and choose what one result is.

    way: to the body in which they stand; at, length: where they stand in it; reads: the names that they need; text: what
    they look like.
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
    """Makes each choice that stands several times once, right before the first statement that makes it.

    A choice gives names that nothing else gives a value, and reads names that are given one value only. Those are given
    before the place where the choice is now made, so it comes to the same there.
    """
    while _choose_one(body):
        pass
    return body


def _choose_one(body: Body) -> bool:
    """Makes one choice once; answers whether there was one."""
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
    """Every body, with the way to it."""
    yield way, body
    for number, statement in enumerate(body):
        for under, below in enumerate(bodies(statement)):
            yield from _with_ways(below, (*way, (number, under)))


def _choice(body: Body, at: int, length: int, way: Way, everywhere: Counter[str], given: Counter[str]) -> Choice | None:
    """The choice that statements make that do nothing but choose, if they make a single one."""
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
    """Whether a statement only gives results values, by way of tests that cannot fail."""
    if isinstance(statement, Assign):
        return given_result(statement) is not None and _safe(statement.value)
    return isinstance(statement, If) and all(
        (arm.test is None or _safe(arm.test)) and all(map(_chooses, arm.body)) for arm in statement.arms
    )


def _safe(e: ast.expr) -> bool:
    return all(isinstance(node, SAFE) for node in nodes_in(e))


def _text(run: Body, own: Iterable[str]) -> str:
    """What a choice looks like, whatever the names that it gives are."""
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
    """What has a line of its own, with how deep it stands."""
    for statement in body:
        if isinstance(statement, If):
            for arm in statement.arms:
                yield depth, arm
                yield from _deep(arm.body, depth + 1)
        else:
            yield depth, statement


def _make_once(body: Body, alike: list[Choice]) -> bool:
    """Makes a choice once for as many of those who make it as one place serves, the outermost first."""
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
    """The body to which a way leads, and the names that have their value when it begins."""
    known: set[str] = set()
    for number, under in way:
        known |= _given_before(body, number)
        known |= set(body[number].given())
        body = list(bodies(body[number]))[under]
    return body, known


def _given_before(body: Body, end: int) -> set[str]:
    """The names that surely have their value when a statement is come to, of those that its body gives."""
    known = {name for one in body[:end] for name in one.given()}
    for one in body[:end]:
        arm = one.lone if isinstance(one, If) else None
        if arm is not None and asks_for_another_side(arm):  # the first item of a loop always has another side than none
            known |= {name for inside in arm.body for name in inside.given()}
    return known


def _move(body: Body, to: Body, first: int, served: list[Choice]) -> None:
    """Puts the first of these choices before a statement, and its result in the place of the others'."""
    made: Body = []
    result = ""
    for one in sorted(served, key=lambda one: one.place, reverse=True):  # from the last, so that the numbers hold
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
