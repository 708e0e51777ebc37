"""Where a name is only a copy of another, both become one name."""

from __future__ import annotations

import ast
from typing import NamedTuple

from interpreter.codegen.passes.form import Assign, Augment, Body, Do, For, FormPart, If, bodies, is_name

TAKEN_OVER = frozenset("acrt")
"""Letters of names that may be copies of others."""


class Place(NamedTuple):
    """A line: its content, its depth, whether it is the first of a body, whether it is a further branch, and the loop around it."""

    part: FormPart
    depth: int
    first: bool
    further: bool
    loop: For | None


def join_copies(body: Body) -> Body:
    """Removes `new = old` if nothing reads the old name afterwards.

    Either the line before computes the old name only for this: then it sets the new one. Or every path from
    the first line with the old name reaches the copy, with nothing in between that involves the new one, or
    the new one does not occur before: then the old name is replaced by the new name throughout. A copy that is made
    again in each round of a loop stays if the rounds change the new name.
    """
    places = list(_places(body, 0, None))
    used: dict[str, list[int]] = {}
    for number, place in enumerate(places):
        for name in set(place.part.own()):
            if is_name(name, TAKEN_OVER):
                used.setdefault(name, []).append(number)
    gone: set[int] = set()
    for number, place in enumerate(places):
        names = _copy(place.part)
        if names is None or used[names[1]][-1] > number:
            continue
        new, old = names
        where = used[old]
        before = places[number - 1].part
        if where == [number - 1, number] and isinstance(before, Assign) and before.name == old:
            assert isinstance(place.part, Assign), place
            place.part.value = before.value
            place.part.changed()
            gone.add(number - 1)
            used[new] = sorted({*used[new], number})
            continue
        if place.first or not (used[new][0] == number or _leads_to(places, gone, where[0], number, new)):
            continue
        if place.loop is not places[where[0]].loop and any(
            at != number and _sets(places[at].part, new) for at in used[new]
        ):
            continue
        for at in where:
            _rename(places[at].part, old, new)
        gone.add(number)
        used[new] = sorted({*used[new], *where} - {number})
    _leave_out(body, {id(places[number].part) for number in gone})
    return body


def _places(body: Body, depth: int, loop: For | None) -> list[Place]:
    found = []
    for number, statement in enumerate(body):
        if isinstance(statement, If):
            for arm in statement.arms:
                found.append(Place(arm, depth, number == 0, arm is not statement.arms[0], loop))
                found += _places(arm.body, depth + 1, loop)
        else:
            found.append(Place(statement, depth, number == 0, False, loop))
            for under in bodies(statement):
                found += _places(under, depth + 1, statement if isinstance(statement, For) else loop)
    return found


def _sets(part: FormPart, name: str) -> bool:
    """Whether a line gives a name a value."""
    return part.given == name or (
        part.tree is not None
        and any(
            isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store)
            for node in ast.walk(part.tree)
        )
    )


def _copy(part: FormPart) -> tuple[str, str] | None:
    """The new name and the old one of a copy."""
    match part:
        case Assign(name=new, value=ast.Name(id=old)) if is_name(new, TAKEN_OVER) and is_name(old, TAKEN_OVER):
            return new, old
    return None


def _leads_to(places: list[Place], gone: set[int], first: int, last: int, name: str) -> bool:
    """Whether every path from one line reaches another, with nothing in between that involves a name."""
    depth = places[last].depth
    return all(
        number in gone
        or (places[number].depth >= depth and not _leaves(places[number]) and name not in places[number].part.own())
        for number in range(first, last)
    )


def _leaves(place: Place) -> bool:
    """Whether a line may not continue with the next: it ends a loop or the function, or begins another branch."""
    match place.part:
        case Do(statement=ast.Break() | ast.Return()):
            return True
        case Do(statement=ast.If(orelse=others)):
            return bool(others)
    return place.further


def _rename(part: FormPart, old: str, new: str) -> None:
    def other(node: ast.AST) -> ast.AST | None:
        return ast.Name(new, node.ctx) if isinstance(node, ast.Name) and node.id == old else None

    part.rewrite(other)
    if isinstance(part, Assign | Augment | For) and part.name == old:
        part.name = new
    part.changed()


def _leave_out(body: Body, gone: set[int]) -> None:
    if not gone:
        return
    body[:] = [statement for statement in body if id(statement) not in gone]
    for statement in body:
        for under in bodies(statement):
            _leave_out(under, gone)
