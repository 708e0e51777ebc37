"""The base of visitors: code that handles every statement that runs is a visitor.

A visitor that lacks a method cannot be created: the type check names the missing class. The methods are beside
the classes, in `effects.py` and `course.py`.
"""

from __future__ import annotations

from typing import TypeVar

from dsl.ir.course import CourseVisitor
from dsl.ir.effects import EffectVisitor
from dsl.ir.statement import Statement
from dsl.ir.visitor import method_for

T = TypeVar("T")


class StatementVisitor(EffectVisitor[T], CourseVisitor[T]):
    """Turns each statement of an order, a procedure or a sequence into a T: those with effects, not those that only judge."""

    def visit(self, s: Statement) -> T:
        """The result for a statement."""
        made: T = getattr(self, method_for(type(s).__name__))(s)
        return made
