"""A test is not repeated if the line before or a test around it has answered it.

A value written in place does not know what is already known there. It tests again whether there is a rating, whether
the gun fires, whether a number is 0. Values change nothing, so an answer holds wherever it has been given.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator

from interpreter.codegen.passes.form import (
    ONCE,
    RESULTS,
    Arm,
    Assign,
    Body,
    For,
    If,
    Statement,
    bodies,
    counted,
    given_result,
    is_name,
    named_once,
    read_name,
)

Answers = frozenset[str]


def settle_tests(body: Body) -> Body:
    """Removes tests that are already answered, and moves the use of a result to where it is set.

    If one branch of an `if` sets a result and the other one sets it to nothing (0 or None), a later test for that is passed only
    after the first branch: so its statements are moved there. Within a branch its test is true and in the branches after
    it false, if it is a test of names that are set only once. A result set only to numbers other than 0
    is not 0. If a field of a thing was found, the thing exists.
    """
    _join(body, counted(body))
    body[:] = _settled(body, frozenset(), frozenset(), frozenset())
    return body


# ---- a result that one arm alone gives
def _join(body: Body, everywhere: Counter[str]) -> None:
    """Moves the use of a result into the only branch that sets it to more than nothing."""
    for at in range(len(body) - 2, -1, -1):
        choice = body[at]
        name, nothing = _given_by_one_arm(choice)
        if not name or not isinstance(choice, If):
            continue
        to = _next(body, at + 1, name)
        if to == len(body) or not _asks_for(body[to], name, nothing):
            continue
        arm, other = choice.arms
        names = arm.names + body[to].names
        # The name in the branches and in the test: two values and their readers.
        read_elsewhere = everywhere[name] > names[name] + 1
        lone = If(choice.span, [Arm(arm.span, arm.test, [*arm.body, body[to]])])
        lone.names = lone.arms[0].names = names
        body[at : to + 1] = [*(other.body if read_elsewhere else []), *body[at + 1 : to], lone]
        everywhere[name] -= 0 if read_elsewhere else 1
    for statement in body:
        for under in bodies(statement):
            _join(under, everywhere)


def _given_by_one_arm(choice: Statement) -> tuple[str, object]:
    """The name that an `if` sets to a value and its `else` to 0 or None, with that constant; else no name."""
    match choice:
        case If(
            arms=[
                Arm(body=[Assign(name=name)]),
                Arm(test=None, body=[Assign(name=other, value=ast.Constant(value=nothing))]),
            ]
        ) if name == other and is_name(name, RESULTS) and (nothing is None or (nothing == 0 and nothing is not False)):
            return name, nothing
    return "", None


def _asks_for(statement: Statement, name: str, nothing: object) -> bool:
    """Whether a single `if` tests that a result is not the constant 0 or None."""
    arm = statement.lone if isinstance(statement, If) else None
    if arm is None or arm.test is None:
        return False
    return _is_there(arm.test, name) if nothing is None else read_name(arm.test) == name


def _is_there(test: ast.expr, name: str) -> bool:
    """Whether a test checks that a name is not None."""
    match test:
        case ast.Compare(left=left, ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]):
            return read_name(left) == name
    return False


def _next(body: Body, at: int, name: str) -> int:
    """The next statement that does more than set names unrelated to a result."""
    while at < len(body) and named_once(body[at]) is not None and name not in body[at].names:
        at += 1
    return at


# ---- tests whose answer is known
def _settled(body: Body, true: Answers, false: Answers, there: Answers) -> Body:
    """Statements without tests whose outcome is known, and without checks whether existing things exist."""
    out: Body = []
    for statement in body:
        if isinstance(statement, If):
            out += _arms(statement, out, true, false, there)
            continue
        if isinstance(statement, For):
            statement.body[:] = _settled(statement.body, true, false, there)
        _read_straight(statement, there)
        out.append(statement)
    return out


def _arms(choice: If, before: Body, true: Answers, false: Answers, there: Answers) -> Body:
    """The branches of an `if` that can be reached."""
    first, *others = choice.arms
    assert first.test is not None, choice
    if not others and _is_something(read_name(first.test), before):
        return _settled(first.body, true, false, there)
    test = _steady(first.test)
    if test in true:
        return _settled(first.body, true, false, there)
    if test in false:
        if not others:
            return []
        if others[0].test is None:
            return _settled(others[0].body, true, false, there)
        return _arms(If(others[0].span, others), before, true, false, there)
    known = frozenset((test,)) if test else frozenset()
    choice.arms[1:] = others = list(_possible(others, true, false | known))
    found = there | _found(first.test, before)
    first.body[:] = _settled(first.body, true | known, false, found)
    for arm in others:
        arm.body[:] = _settled(arm.body, true, false | known, there)
    for arm in choice.arms:
        _read_straight(arm, there)
    return [choice]


def _possible(arms: Iterable[Arm], true: Answers, false: Answers) -> Iterator[Arm]:
    """The further branches of an `if` that can be reached."""
    for arm in arms:
        test = _steady(arm.test) if arm.test is not None else ""
        if test in true:
            arm.test = None
            arm.changed()
        if test not in false:
            yield arm
        if arm.test is None:
            return


def _steady(test: ast.expr) -> str:
    """A test of names that are set only once, so that its answer stays valid, as a text; "" for any other."""
    match test:
        case ast.Name(id=name) if is_name(name, ONCE):
            return name
        case ast.Compare(left=ast.Name(id=name), ops=[ast.Eq() | ast.In() as sign], comparators=[ast.Name(id=word)]):
            if is_name(name, ONCE) and word.startswith("K_"):
                return f"{name} {type(sign).__name__} {word}"
    return ""


def _read_straight(part: Statement | Arm, there: Answers) -> None:
    """Reads existing things without a check, and tests a list for emptiness as Python does."""

    def straight(node: ast.AST) -> ast.AST | None:
        match node:
            case ast.IfExp(test=test, orelse=read) if _perhaps_read(node) in there:
                return read
            case ast.UnaryOp(op=ast.Not(), operand=test):
                node.operand = _in_test(test)
            case ast.IfExp(test=test):
                node.test = _in_test(test)
            case ast.If(test=test):
                node.test = _in_test(test)
            case ast.comprehension(ifs=tests):
                node.ifs = [_in_test(test) for test in tests]
        return None

    part.rewrite(straight)
    if isinstance(part, Arm) and part.test is not None:
        part.test = _in_test(part.test)


def _in_test(test: ast.expr) -> ast.expr:
    """A test whether a list is not empty: in Python the list itself."""
    match test:
        case ast.Call(func=ast.Name(id="bool"), args=[ast.Name() as listed]):
            return listed
    return test


def _perhaps_read(e: ast.IfExp) -> str:
    """The name of a possibly absent object that an expression reads from; else ""."""
    match e:
        case ast.IfExp(
            test=ast.Compare(left=ast.Name(id=name), ops=[ast.Is()], comparators=[ast.Constant(value=None)]),
            body=ast.Name() | ast.Constant(),
            orelse=ast.Name() | ast.Attribute(),
        ) if name[0] == "t":
            return name
    return ""


def _is_something(name: str | None, before: Body) -> bool:
    """Whether a test checks if a result is 0 that is set only to other numbers."""
    if name is None:
        return False
    for statement in reversed(before):
        if name not in statement.names:
            continue
        if given_result(statement) == name:
            return isinstance(statement, Assign) and _is_number(statement.value)
        if not _numbers(statement, name):
            return False
    return False


def _numbers(statement: Statement, name: str) -> bool:
    """Whether a statement only sets a name to numbers other than 0, if it uses the name at all."""
    if given_result(statement) == name:
        return isinstance(statement, Assign) and _is_number(statement.value)
    heads: tuple[Statement | Arm, ...] = (statement, *(statement.arms if isinstance(statement, If) else ()))
    if any(name in head.own() for head in heads):
        return False
    return all(_numbers(one, name) for under in bodies(statement) for one in under)


def _is_number(e: ast.expr) -> bool:
    """Whether an expression is a whole number other than 0."""
    match e:
        case ast.Constant(value=int(number)) | ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(number))):
            return number != 0 and not isinstance(number, bool)
    return False


def _found(test: ast.expr, before: Body) -> Answers:
    """The thing that must exist if a test is true: the one whose field is the tested result."""
    for statement in reversed(before):
        result = given_result(statement)
        if result is not None and isinstance(statement, Assign):
            match statement.value:
                case ast.IfExp(body=ast.Constant(value=nothing), orelse=ast.Attribute(value=ast.Name(id=name))) as read:
                    asks = read_name(test) == result or (nothing is None and _is_there(test, result))
                    if asks and _perhaps_read(read) == name and not (type(nothing) is int and nothing):
                        return frozenset((name,))
            break
        if named_once(statement) is None:
            break
    return frozenset()
