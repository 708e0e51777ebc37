"""Deciding together: in what is emitted, tests of the same two names that stand one after the other become one tree.

Rules tell apart what is foot, assault, heavy, or both by one condition each, and each of them asks the same two marks of
an item again. Where at most one of the conditions can hold, each mark is asked once.
"""

from __future__ import annotations

import ast
import re
from itertools import product

from dsl.text.source import Span
from interpreter.codegen.sinking import Lines, Node, grown, written

BARE = re.compile(r"[tu]\d+")
FEWEST = 3
"""So many tests in a row are worth a tree."""


def decided(lines: Lines) -> Lines:
    """The same lines, with rows of tests of two names asked as one tree."""
    top = grown(lines)
    _decide(top)
    return written(top)


def _decide(block: Node) -> None:
    nodes = block.under
    at = 0
    while at < len(nodes):
        tests: list[tuple[ast.expr, Node]] = []
        for node in nodes[at:]:
            found = _test(node)
            if found is None or len(_names(*(test for test, _ in (*tests, found)))) > 2:
                break
            tests.append(found)
        after = nodes[at + len(tests)].text if at + len(tests) < len(nodes) else ""
        if after.startswith(("elif ", "else:")):
            tests = tests[:-1]
        if len(tests) >= FEWEST and (tree := _tree(tests, nodes[at].span)) is not None:
            nodes[at : at + len(tests)] = tree
        at += 1
    for node in nodes:
        _decide(node)


def _test(node: Node) -> tuple[ast.expr, Node] | None:
    """The whole condition of a line that does nothing but test names, and the node whose lines it leads to."""
    if not node.text.startswith("if ") or not node.under:
        return None
    test = ast.parse(node.text[3:-1], mode="eval").body
    if not _plain(test):
        return None
    if len(node.under) == 1 and (inner := _test(node.under[0])) is not None:
        return ast.BoolOp(ast.And(), [test, inner[0]]), inner[1]
    return test, node


def _plain(test: ast.expr) -> bool:
    if isinstance(test, ast.BoolOp):
        return all(_plain(x) for x in test.values)
    if isinstance(test, ast.UnaryOp):
        return isinstance(test.op, ast.Not) and _plain(test.operand)
    return isinstance(test, ast.Name) and BARE.fullmatch(test.id) is not None


def _names(*tests: ast.expr) -> list[str]:
    return sorted({x.id for test in tests for x in ast.walk(test) if isinstance(x, ast.Name)})


def _holds(test: ast.expr, given: dict[str, bool]) -> bool:
    if isinstance(test, ast.BoolOp):
        answers = [_holds(x, given) for x in test.values]
        return all(answers) if isinstance(test.op, ast.And) else any(answers)
    if isinstance(test, ast.UnaryOp):
        return not _holds(test.operand, given)
    return given[test.id] if isinstance(test, ast.Name) else False


def _tree(tests: list[tuple[ast.expr, Node]], span: Span | None) -> list[Node] | None:
    """The tests as one tree; None where more than one of them may hold, or what they lead to changes a name of theirs."""
    names = _names(*(test for test, _ in tests))
    if len(names) != 2 or any(_gives(node, name) for _, node in tests for name in names):
        return None
    arms: dict[tuple[bool, bool], list[Node]] = {}
    for first, second in product((True, False), repeat=2):
        holding = [n for test, n in tests if _holds(test, dict(zip(names, (first, second), strict=True)))]
        if len(holding) > 1:
            return None
        arms[first, second] = holding
    if sum(map(len, arms.values())) != len(tests):
        return None  # one of them holds in several arms: it would have to be written twice
    inner = _arms(names[1], arms[True, True], arms[True, False], span)
    other = _arms(names[1], arms[False, True], arms[False, False], span)
    return _fork(names[0], inner, other, span)


def _arms(name: str, yes: list[Node], no: list[Node], span: Span | None) -> list[Node]:
    return _fork(name, [x for n in yes for x in n.under], [x for n in no for x in n.under], span)


def _fork(name: str, yes: list[Node], no: list[Node], span: Span | None) -> list[Node]:
    if not yes:
        return [Node.of(f"if not {name}:", span, no)] if no else []
    return [Node.of(f"if {name}:", span, yes), *([Node.of("else:", span, no)] if no else [])]


def _gives(node: Node, name: str) -> bool:
    return any(re.match(rf"(?:\w+ = )*{name} \S?= ", x.text) or _gives(x, name) for x in node.under)
