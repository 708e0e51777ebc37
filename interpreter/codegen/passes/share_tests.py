"""Frequent tests of the same name against the same word are made once for an item."""

from __future__ import annotations

import ast
from collections import Counter
from typing import NamedTuple

from interpreter.codegen.passes.form import Assign, Body, all_bodies, in_order, named_once, nodes_in

OFTEN = 3
"""A test that occurs this often in a loop gets a name."""


class SharedTest(NamedTuple):
    """A test whether a name equals a word, or one of several."""

    name: str
    sign: type[ast.cmpop]
    word: str

    @property
    def tree(self) -> ast.Compare:
        """The test as an expression."""
        return ast.Compare(ast.Name(self.name, ast.Load()), [self.sign()], [ast.Name(self.word, ast.Load())])


def share_tests(body: Body) -> Body:
    """Names a repeated test of a word, right where the tested name is set.

    That name is set in one place, so the answer found there is valid wherever the test occurs. Comparing words
    cannot fail, so it does no harm where the test would not have been reached.
    """
    lines = list(in_order(body))
    counts = Counter(
        test for line in lines for tree in line.expressions() for node in nodes_in(tree) if (test := asked(node))
    )
    names = {test: f"u{i}" for i, (test, number) in enumerate(counts.items()) if number >= OFTEN}
    if not names:
        return body

    def named(node: ast.AST) -> ast.AST | None:
        test = asked(node)
        name = names.get(test) if test is not None else None
        return ast.Name(name, ast.Load()) if name else None

    for line in lines:
        line.rewrite(named)
    tested = {test.name for test in names}
    for each in all_bodies(body):
        if any(named_once(statement) in tested for statement in each):
            each[:] = [
                one
                for statement in each
                for one in (
                    statement,
                    *(
                        Assign(statement.span, (name,), test.tree)
                        for test, name in names.items()
                        if test.name == named_once(statement)
                    ),
                )
            ]
    return body


def asked(node: ast.AST) -> SharedTest | None:
    """The test that an expression is."""
    match node:
        case ast.Compare(left=ast.Name(id=name), ops=[ast.Eq() | ast.In() as sign], comparators=[ast.Name(id=word)]):
            if name[0] == "t" and name[1:].isdecimal() and word.startswith("K_"):
                return SharedTest(name, type(sign), word)
    return None
