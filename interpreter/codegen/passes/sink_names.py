"""A name that only one branch of an `if` reads is computed in that branch.

A loop names at its head everything that more than one value may need of an item. Which of the values do need it is known
only when the complete loop is written. Most items of a force have no guns, so most never reach the branch.
"""

from __future__ import annotations

import ast
from collections import Counter

from interpreter.codegen.passes.form import (
    CHANGING,
    ITEMS,
    Arm,
    Assign,
    Augment,
    Body,
    If,
    Statement,
    bodies,
    counted,
    is_name,
    named_once,
    names_in,
    read_name,
)


def sink_names(body: Body) -> Body:
    """Computes each name as deep as possible, and a name read once where it is read.

    Values change nothing, so the position of a line only affects how often it runs. A line stays where it is
    if it reads a name that may be set in between, or if anything outside the one branch reads its name.
    """
    everywhere = counted(body)
    _sink(body, everywhere)
    _put_in(body, everywhere)
    return body


def _sink(body: Body, everywhere: Counter[str]) -> None:
    """Moves what can be moved from a body into its branches, and further down from there."""
    at = len(body) - 1
    while at >= 0:
        number, made = _movable(body, at)
        if made:
            moved = body[at : at + number]
            reader = _only_reader(body, at + number, made, everywhere, moved)
            if reader is not None:
                choice, arm = reader
                choice.take(arm, moved)
                del body[at : at + number]
        at -= 1
    _add_where_there_is_something(body)
    for statement in body:
        for under in bodies(statement):
            _sink(under, everywhere)


def _movable(body: Body, at: int) -> tuple[int, set[str]]:
    """How many statements from here on could be moved together, and the names that they set."""
    statement = body[at]
    if not isinstance(statement, Assign):
        return 1, set()
    name = named_once(statement)
    if name is not None:
        return 1, set() if _changing(statement.value) else {name}
    side = _side(statement)
    after = body[at + 1] if at + 1 < len(body) else None
    arm = after.lone if isinstance(after, If) else None
    if side is None or after is None or arm is None or not _asks_for_another(arm, side):
        return 1, set()
    made = set()
    for one in arm.body:
        name = named_once(one)
        if name is not None:
            made.add(name)
        elif not isinstance(one, Assign) or read_name(one.value) != side:
            return 1, set()
    return (2, made) if after.names[side] + 1 == sum(one.names[side] for one in body) else (1, set())


def _side(statement: Assign) -> str | None:
    """The name of an item's side, with the `if` after it: what depends only on the side, computed again when it changes."""
    match statement:
        case Assign(name=side, value=ast.Attribute(value=item, attr="side")) if is_name(side, frozenset("s")):
            return side if read_name(item, ITEMS) is not None else None
    return None


def _asks_for_another(arm: Arm, side: str) -> bool:
    """Whether a test checks if the side of an item, by its name, differs from that of the item before."""
    match arm.test:
        case ast.Compare(left=left, ops=[ast.IsNot()]):
            return read_name(left) == side
    return False


def _changing(e: ast.expr) -> bool:
    """Whether an expression reads a name that is set more than once: then it stays where it is."""
    return any(name[0] in CHANGING for name in names_in(e))


def _only_reader(
    body: Body, start: int, made: set[str], everywhere: Counter[str], moved: list[Statement]
) -> tuple[If, Arm] | None:
    """The one branch below that contains all readers of these names, with its `if`."""
    found: tuple[If, Arm] | None = None
    for statement in body[start:]:
        if not any(name in statement.names for name in made):
            continue
        if found is not None or not isinstance(statement, If):
            return None
        arms = [arm for arm in statement.arms if any(name in arm.names for name in made)]
        if len(arms) > 1:
            return None
        found = statement, arms[0]
    if found is None or made & set(found[1].own()):
        return None
    if any(found[1].names[name] + sum(one.names[name] for one in moved) != everywhere[name] for name in made):
        return None
    return found


def _put_in(body: Body, everywhere: Counter[str]) -> None:
    """Writes a name used by only one line into that line."""
    for at in range(len(body) - 2, -1, -1):
        naming = body[at]
        name = named_once(naming)
        if name is None or not isinstance(naming, Assign) or everywhere[name] != 2:
            continue
        reader = next((i for i in range(at + 1, len(body)) if name in body[i].names), None)
        if reader is None:
            continue
        part, near = _line_with(body[reader], name), reader == at + 1
        if part is None or (_changing(naming.value) and not (near and _comes_first(body[reader], part))):
            continue
        _put(part, name, naming.value)
        body[reader].names.update(naming.names)
        part.names.update(naming.names)
        del body[at]
    for statement in body:
        for under in bodies(statement):
            _put_in(under, everywhere)


def _line_with(statement: Statement, name: str) -> Statement | Arm | None:
    """The own line of a statement in which a name is read, not one of its children."""
    lines = statement.arms if isinstance(statement, If) else [statement]
    return next((line for line in lines if name in line.own()), None)


def _comes_first(statement: Statement, part: Statement | Arm) -> bool:
    return not isinstance(statement, If) or part is statement.arms[0]


def _put(part: Statement | Arm, name: str, value: ast.expr) -> None:
    part.rewrite(lambda node: value if isinstance(node, ast.Name) and node.id == name else None)


def _add_where_there_is_something(body: Body) -> None:
    """Moves `total += part` into the `if part:` right before it: adding 0 is useless."""
    for at in range(len(body) - 1, 0, -1):
        adding, before = body[at], body[at - 1]
        if not isinstance(adding, Augment) or not isinstance(adding.sign, ast.Add) or not isinstance(before, If):
            continue
        part, arm = read_name(adding.value, frozenset("a")), before.lone
        if part is None or adding.name[0] != "r" or arm is None or arm.test is None or read_name(arm.test) != part:
            continue
        arm.body.append(body.pop(at))
        arm.names.update(adding.names)
        before.names.update(adding.names)
