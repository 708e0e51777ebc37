"""What must be thought of for every statement that is done: whoever turns all of them into something is a visitor.

A visitor that lacks a method cannot be made: the type check names the class that it has forgotten.
"""

from __future__ import annotations

import abc
from typing import Generic, TypeVar

from dsl.ir import course, effects
from dsl.ir.statement import Statement
from dsl.ir.visitor import method_for

T = TypeVar("T")


class StatementVisitor(abc.ABC, Generic[T]):
    """Turns each statement of an order, a procedure or a sequence into a T: what is done, not what only judges."""

    def visit(self, s: Statement) -> T:
        """What becomes of a statement."""
        made: T = getattr(self, method_for(type(s).__name__))(s)
        return made

    @abc.abstractmethod
    def visit_let(self, s: effects.Let) -> T: ...

    @abc.abstractmethod
    def visit_set_field(self, s: effects.SetField) -> T: ...

    @abc.abstractmethod
    def visit_gain(self, s: effects.Gain) -> T: ...

    @abc.abstractmethod
    def visit_write(self, s: effects.Write) -> T: ...

    @abc.abstractmethod
    def visit_show(self, s: effects.Show) -> T: ...

    @abc.abstractmethod
    def visit_hold(self, s: effects.Hold) -> T: ...

    @abc.abstractmethod
    def visit_capture(self, s: effects.Capture) -> T: ...

    @abc.abstractmethod
    def visit_move(self, s: effects.Move) -> T: ...

    @abc.abstractmethod
    def visit_put(self, s: effects.Put) -> T: ...

    @abc.abstractmethod
    def visit_remove(self, s: effects.Remove) -> T: ...

    @abc.abstractmethod
    def visit_reveal(self, s: effects.Reveal) -> T: ...

    @abc.abstractmethod
    def visit_hide(self, s: effects.Hide) -> T: ...

    @abc.abstractmethod
    def visit_set_name(self, s: effects.SetName) -> T: ...

    @abc.abstractmethod
    def visit_set_entry(self, s: effects.SetEntry) -> T: ...

    @abc.abstractmethod
    def visit_story(self, s: effects.Story) -> T: ...

    @abc.abstractmethod
    def visit_relate(self, s: effects.Relate) -> T: ...

    @abc.abstractmethod
    def visit_tell(self, s: effects.Tell) -> T: ...

    @abc.abstractmethod
    def visit_choose(self, s: course.Choose) -> T: ...

    @abc.abstractmethod
    def visit_each_chooses(self, s: course.EachChooses) -> T: ...

    @abc.abstractmethod
    def visit_roll(self, s: course.Roll) -> T: ...

    @abc.abstractmethod
    def visit_draw(self, s: course.Draw) -> T: ...

    @abc.abstractmethod
    def visit_each_rolls(self, s: course.EachRolls) -> T: ...

    @abc.abstractmethod
    def visit_for_each(self, s: course.ForEach) -> T: ...

    @abc.abstractmethod
    def visit_do(self, s: course.Do) -> T: ...

    @abc.abstractmethod
    def visit_stop(self, s: course.Stop) -> T: ...

    @abc.abstractmethod
    def visit_may(self, s: course.May) -> T: ...

    @abc.abstractmethod
    def visit_end_game(self, s: course.EndGame) -> T: ...

    @abc.abstractmethod
    def visit_when(self, s: course.When) -> T: ...

    @abc.abstractmethod
    def visit_repeat(self, s: course.Repeat) -> T: ...

    @abc.abstractmethod
    def visit_simultaneously(self, s: course.Simultaneously) -> T: ...

    @abc.abstractmethod
    def visit_phase(self, s: course.Phase) -> T: ...
