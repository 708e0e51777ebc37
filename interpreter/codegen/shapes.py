"""The structure of an expression that this program has composed, read from its tree, not from its text."""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import NamedTuple

from interpreter.codegen.passes.form import is_name, names_in

__all__ = [
    "ComparedShape",
    "are_apart",
    "calls_in",
    "compared",
    "is_bare",
    "is_named_once",
    "is_of_the_game",
    "negated",
    "rests_on_late",
]

LATE = frozenset("z")
"""The letter of names that are computed on demand."""

KEPT = 20_000
"""The number of trees kept: a loop examines the same expression repeatedly."""

SIGNS: dict[type[ast.cmpop], str] = {ast.Eq: "==", ast.GtE: ">=", ast.LtE: "<=", ast.Lt: "<", ast.Gt: ">"}
"""Comparisons with a number or a word."""

OPPOSITES: dict[type[ast.cmpop], type[ast.cmpop]] = {
    one: other
    for pair in ((ast.Is, ast.IsNot), (ast.Eq, ast.NotEq), (ast.In, ast.NotIn))
    for one, other in (pair, pair[::-1])
}
"""The negation of each comparison."""


class ComparedShape(NamedTuple):
    """A name compared with a number, or with a word of the rules by the name that stands for it."""

    name: str
    sign: str
    bound: int | str


@lru_cache(KEPT)
def tree_of(text: str) -> ast.expr:
    """The tree of an expression."""
    return ast.parse(text, mode="eval").body


def is_bare(text: str) -> bool:
    """Whether an expression is a name or a number, so that naming it is useless."""
    return text.isidentifier() or text.isdecimal()


@lru_cache(KEPT)
def rests_on_late(text: str) -> bool:
    """Whether an expression reads a name that is computed on demand."""
    return any(is_name(name, LATE) for name in names_in(tree_of(text)))


def is_of_the_game(text: str) -> bool:
    """Whether an expression is an attribute of the frame or of the world, which is fast to read."""
    match tree_of(text):
        case ast.Attribute(value=ast.Name(id="F" | "W")):
            return True
    return False


def is_named_once(test: str) -> bool:
    """Whether a test is a name with a constant value, or its negation."""
    tree = tree_of(test)
    if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.Not):
        tree = tree.operand
    return isinstance(tree, ast.Name) and is_name(tree.id, frozenset("t"))


@lru_cache(KEPT)
def calls_in(text: str) -> frozenset[str]:
    """What an expression calls: names of functions, and methods with their objects."""
    return frozenset(ast.unparse(node.func) for node in ast.walk(tree_of(text)) if isinstance(node, ast.Call))


def negated(test: str) -> str:
    """The negation of a test."""
    match tree_of(test):
        case ast.Compare(left=left, ops=[sign], comparators=[right]) if type(sign) in OPPOSITES:
            return f"({ast.unparse(ast.Compare(left, [OPPOSITES[type(sign)]()], [right]))})"
    return f"(not {test})"


@lru_cache(KEPT)
def compared(test: str) -> ComparedShape | None:
    """The comparison that a test is, if it is one of a name with a number or a word."""
    match tree_of(test):
        case ast.Compare(left=ast.Name(id=name), ops=[sign], comparators=[right]) if type(sign) in SIGNS:
            match right:
                case ast.Name(id=word) if word.startswith("K_"):
                    return ComparedShape(name, SIGNS[type(sign)], word)
                case (
                    ast.Constant(value=int(number))
                    | ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(number)))
                ):
                    return ComparedShape(
                        name, SIGNS[type(sign)], number if isinstance(right, ast.Constant) else -number
                    )
    return None


def are_apart(before: list[str | None], test: str, result: str) -> bool:
    """Whether a test of a name can be true only if none of the tests before it is. result: a name that they change."""
    new = compared(test)
    if new is None or new.name == result:
        return False
    olds = [None if one is None else compared(one) for one in before]
    return all(old is not None and old.name == new.name and _excludes(old, new) for old in olds)


def _excludes(old: ComparedShape, new: ComparedShape) -> bool:
    """Whether a comparison cannot be true if another of the same name is."""
    if old.sign != "==":
        return False
    if isinstance(old.bound, str) or isinstance(new.bound, str):
        return new.sign == "==" and old.bound != new.bound
    a, b = old.bound, new.bound
    return not {"==": a == b, ">=": a >= b, "<=": a <= b, "<": a < b, ">": a > b}[new.sign]
