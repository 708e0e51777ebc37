"""The visitor of statements: code that handles all statements of play derives from it.

A visitor that lacks a method cannot be instantiated, and the type check names the class that it has forgotten. The methods are
declared beside the classes, in `effects.py` and `course.py`.
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
