"""Visitors: code that handles all expressions, or all statements of play, has one method for each of their classes.

A visitor that lacks a method cannot be instantiated, and the error names it.
"""

from __future__ import annotations

import abc
import functools
from collections.abc import Iterator
from types import ModuleType
from typing import Generic, TypeVar

from dsl.ir import calls, conditions, course, effects, named, numbers, properties, sets
from dsl.ir.expression import Expression
from dsl.ir.statement import Statement

N = TypeVar("N", bound=Expression | Statement)
T = TypeVar("T")


def in_small(word: str) -> str:
    """`FrameName` as `frame_name`."""
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in word).removeprefix("_")


@functools.cache
def method_for(name: str) -> str:
    """The method of a visitor for the class with a name."""
    return f"visit_{in_small(name)}"


class Visitor(abc.ABC, Generic[N, T]):
    """Turns each node of the classes that it has to handle into a T."""

    def visit(self, node: N) -> T:
        """The result for a node."""
        made: T = getattr(self, method_for(type(node).__name__))(node)
        return made


class ExpressionVisitor(Visitor[Expression, T]):
    """Turns each expression into a T."""


class StatementVisitor(Visitor[Statement, T]):
    """Turns each statement of an order, a procedure or a sequence into a T: those with effects, not those that only judge."""


def _must_handle(visitor: type[Visitor[N, T]], base: type[N], *files: ModuleType) -> None:
    """Makes the methods of a visitor for the classes of some files abstract."""
    for name in _classes(base, *files):
        setattr(visitor, method_for(name), abc.abstractmethod(lambda _self, _node: None))
    abc.update_abstractmethods(visitor)


def _classes(base: type, *files: ModuleType) -> Iterator[str]:
    """The names of the classes that are declared in some files and are no base of others."""
    found = [x for file in files for x in vars(file).values() if isinstance(x, type) and x.__module__ == file.__name__]
    return (x.__name__ for x in found if issubclass(x, base) and not any(x in other.__bases__ for other in found))


_must_handle(ExpressionVisitor, Expression, named, properties, sets, numbers, calls, conditions)
_must_handle(StatementVisitor, Statement, effects, course)
