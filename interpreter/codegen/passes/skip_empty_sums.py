"""Lines that only compute sums over a set are put under a test whether the set contains anything.

Many things hold nothing of a kind. Then the sums are 0, and so is everything that is multiplied with them and added up. None of
the lines from the sums to their total need run then.
"""

from __future__ import annotations

import ast
import copy

from interpreter.codegen.passes.form import (
    ITEMS,
    RESULTS,
    Arm,
    Assign,
    Augment,
    Body,
    Do,
    For,
    If,
    Statement,
    all_bodies,
    bodies,
    counted,
    in_order,
    is_name,
    named_once,
    read_name,
)

LEAST = 3
"""A run of fewer lines is not worth a separate test."""

GONE_THROUGH = RESULTS | {"t"}
HOLDERS = ITEMS | {"t"}


def skip_empty_sums(body: Body) -> Body:
    """Puts a test of the set around its loop and the lines after it that have no effect if the sums are 0.

    If the set is empty, the loop would do nothing, and each line of the run multiplies 0, adds 0,
    is inside a test of it, or sets a name that is read only within the run. Names read afterwards are set to 0 before.
    """
    counted(body)
    for each in reversed(list(all_bodies(body))):
        _guard(each, body)
    return body


def _guard(body: Body, top: Body) -> None:
    for at in range(len(body) - 1, -1, -1):
        loop = body[at]
        if not isinstance(loop, For) or not _can_be_asked(loop.source):
            continue
        sums = _summed(loop)
        if not sums or not all(_is_zero(body, at, name) for name in sums):
            continue
        run, zeros = _run(body, at, sums)
        outside = _read_outside(top, body[at : at + run])
        while run >= LEAST and (_given(body[at : at + run]) - zeros) & outside:
            run -= 1
            outside = _read_outside(top, body[at : at + run])
        if run < LEAST or not any(_tested(one) for one in body[at : at + run]):
            continue
        kept = sorted((_given(body[at : at + run]) & outside) - sums)
        guard = If(loop.span, [Arm(loop.span, copy.deepcopy(loop.source), body[at : at + run])])
        body[at : at + run] = [*(Assign(loop.span, name, ast.Constant(0)) for name in kept), guard]
        counted(body)


def _can_be_asked(source: ast.expr) -> bool:
    """Whether the source of a loop is an existing list, not created only for the loop."""
    match source:
        case ast.Attribute(value=holder, attr=attribute):
            return attribute.startswith("f_") and read_name(holder, HOLDERS) is not None
    return read_name(source, GONE_THROUGH) is not None


def _summed(loop: For) -> set[str]:
    """The names that a loop adds to, if it does nothing else; else none."""
    sums, own = set[str](), set[str]()
    for body in list(all_bodies(loop.body)):
        for statement in body:
            match statement:
                case Augment(name=name, sign=ast.Add()) if is_name(name, RESULTS):
                    sums.add(name)
                case If() | Do(statement=ast.If()):
                    pass
                case _:
                    name = named_once(statement) or ""
                    if not name:
                        return set()
                    own.add(name)
    return set() if sums & own else sums


def _is_zero(body: Body, at: int, name: str) -> bool:
    """Whether a name is 0 before a statement: it was set so in the same body, and nothing has used it since."""
    for statement in reversed(body[:at]):
        match statement:
            case Assign(name=given, value=ast.Constant(value=0)) if given == name:
                return True
        if name in statement.names:
            return False
    return False


def _tested(statement: Statement) -> str | None:
    """The result that a single `if` tests for 0."""
    arm = statement.lone if isinstance(statement, If) else None
    return read_name(arm.test, RESULTS) if arm is not None and arm.test is not None else None


def _run(body: Body, at: int, sums: set[str]) -> tuple[int, set[str]]:
    """How many statements from a loop on have no effect if its sums are 0, and the names that are 0 after them."""
    zeros, run = set(sums), 1
    for statement in body[at + 1 :]:
        match statement:
            case If():
                if _tested(statement) not in zeros:
                    break
            case Augment(name=name, sign=ast.Mult()) if is_name(name, RESULTS):
                if name not in zeros:
                    break
            case Assign(name=name, value=value) if name[0] == "a" and _comes_to_nothing(value, zeros):
                zeros.add(name)
            case _:
                if named_once(statement) is None:
                    break
        run += 1
    return run, zeros


def _comes_to_nothing(e: ast.expr, zeros: set[str]) -> bool:
    """Whether a sum consists of names that are 0, and multiples of them."""
    match e:
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _comes_to_nothing(left, zeros) and _comes_to_nothing(right, zeros)
        case (
            ast.BinOp(left=one, op=ast.Mult(), right=ast.Constant())
            | ast.BinOp(left=ast.Constant(), op=ast.Mult(), right=one)
        ):
            return _comes_to_nothing(one, zeros)
    return read_name(e, RESULTS) in zeros


def _given(body: Body) -> set[str]:
    """The names that statements and their children set."""
    return {part.given for part in in_order(body) if part.given is not None and not isinstance(part, For)}


def _read_outside(top: Body, run: Body) -> set[str]:
    """The names that occur anywhere except in some statements."""
    left_out = {id(one) for one in run}
    found, waiting = set[str](), [top]
    while waiting:
        for statement in waiting.pop():
            if id(statement) in left_out:
                continue
            found.update(statement.own())
            if isinstance(statement, If):
                for arm in statement.arms:
                    found.update(arm.own())
            waiting += bodies(statement)
    return found
