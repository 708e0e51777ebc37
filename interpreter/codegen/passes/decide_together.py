"""Consecutive tests of the same two names become one tree.

Rules distinguish foot, assault, heavy, or both by one condition each, and each condition tests the same two marks of
an item again. Where at most one of the conditions can hold, each mark is tested once.
"""

from __future__ import annotations

import ast
from itertools import product

from dsl.text.source import Span
from interpreter.codegen.passes.form import (
    ONCE,
    Arm,
    Assign,
    Augment,
    Body,
    If,
    Statement,
    bodies,
    in_order,
    is_name,
    lone_if,
)

FEWEST = 3
"""The number of consecutive tests that is worth a tree."""


def decide_together(body: Body) -> Body:
    """Turns consecutive tests of two names into one tree.

    The names are set only once. For each of their four combinations at most one of the tests is true,
    and each test is true in only one of them, so that its branch is written once. No branch sets one
    of the names. So the same lines run, in the same order.
    """
    at = 0
    while at < len(body):
        tests: list[tuple[ast.expr, Body]] = []
        for statement in body[at:]:
            found = _test(statement)
            if found is None or len(_names(*(test for test, _ in (*tests, found)))) > len(("first", "second")):
                break
            tests.append(found)
        if len(tests) >= FEWEST and (tree := _tree(tests, body[at].span)) is not None:
            body[at : at + len(tests)] = tree
        at += 1
    for statement in body:
        for under in bodies(statement):
            decide_together(under)
    return body


def _test(statement: Statement) -> tuple[ast.expr, Body] | None:
    """The complete condition of an `if` that only tests names, and the statements of its branch."""
    arm = statement.lone if isinstance(statement, If) else None
    if arm is None or arm.test is None or not _plain(arm.test):
        return None
    if len(arm.body) == 1 and (inner := _test(arm.body[0])) is not None:
        return ast.BoolOp(ast.And(), [arm.test, inner[0]]), inner[1]
    return arm.test, arm.body


def _plain(test: ast.expr) -> bool:
    if isinstance(test, ast.BoolOp):
        return all(_plain(x) for x in test.values)
    if isinstance(test, ast.UnaryOp):
        return isinstance(test.op, ast.Not) and _plain(test.operand)
    return isinstance(test, ast.Name) and is_name(test.id, ONCE)


def _names(*tests: ast.expr) -> list[str]:
    return sorted({x.id for test in tests for x in ast.walk(test) if isinstance(x, ast.Name)})


def _holds(test: ast.expr, given: dict[str, bool]) -> bool:
    if isinstance(test, ast.BoolOp):
        answers = [_holds(x, given) for x in test.values]
        return all(answers) if isinstance(test.op, ast.And) else any(answers)
    if isinstance(test, ast.UnaryOp):
        return not _holds(test.operand, given)
    return given[test.id] if isinstance(test, ast.Name) else False


def _tree(tests: list[tuple[ast.expr, Body]], span: Span | None) -> Body | None:
    """The tests as one tree; None if more than one of them may be true, or a branch changes one of their names."""
    names = _names(*(test for test, _ in tests))
    if len(names) != len(("first", "second")) or any(_gives(led_to, names) for _, led_to in tests):
        return None
    arms: dict[tuple[bool, bool], list[Body]] = {}
    for first, second in product((True, False), repeat=2):
        holding = [b for test, b in tests if _holds(test, dict(zip(names, (first, second), strict=True)))]
        if len(holding) > 1:
            return None
        arms[first, second] = holding
    if sum(map(len, arms.values())) != len(tests):
        return None  # one of them is true in several branches: it would have to be written twice
    inner = _arms(names[1], arms[True, True], arms[True, False], span)
    other = _arms(names[1], arms[False, True], arms[False, False], span)
    return _fork(names[0], inner, other, span)


def _arms(name: str, yes: list[Body], no: list[Body], span: Span | None) -> Body:
    return _fork(name, [one for body in yes for one in body], [one for body in no for one in body], span)


def _fork(name: str, yes: Body, no: Body, span: Span | None) -> Body:
    test = ast.Name(name, ast.Load())
    if not yes:
        return [lone_if(span, ast.UnaryOp(ast.Not(), test), no)] if no else []
    return [If(span, [Arm(span, test, yes), *([Arm(span, None, no)] if no else [])])]


def _gives(body: Body, names: list[str]) -> bool:
    return any(name in names for part in in_order(body) if isinstance(part, Assign | Augment) for name in part.given())
