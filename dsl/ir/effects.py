"""Statements, one class each: changes to things of the game, and assignments to names."""

from __future__ import annotations

import abc
from collections.abc import Mapping
from typing import ClassVar, Generic, TypeVar

import attrs

from dsl.ir.expression import Expression
from dsl.ir.statement import Does, Statement, Until
from dsl.syntax.syntax_tree import Literal

_T = TypeVar("_T")


@attrs.frozen(slots=True, eq=False)
class SetField(Statement):
    """A field of things gets a value, perhaps until a moment."""

    DOES: ClassVar[Does] = Does("field", "target", ("value",))
    target: Expression
    field: str
    value: Expression
    until: Until = None


@attrs.frozen(slots=True, eq=False)
class Gain(Statement):
    """A number of things grows, perhaps until a moment."""

    DOES: ClassVar[Does] = Does("field", "target", ("amount",))
    target: Expression
    field: str
    amount: Expression
    until: Until = None


@attrs.frozen(slots=True, eq=False)
class Write(Statement):
    """A field gets what is printed so."""

    DOES: ClassVar[Does] = Does("field", "target", ("filling",))
    target: Expression
    field: str
    text: str
    filling: tuple[Expression, ...]
    until: Until = None


@attrs.frozen(slots=True, eq=False)
class Show(Statement):
    """Things take another entry of a unit list, with all that it prints."""

    DOES: ClassVar[Does] = Does("entry", "target", ("entry",))
    target: Expression
    entry: Expression


@attrs.frozen(slots=True, eq=False)
class Hold(Statement):
    """Things get another holder."""

    DOES: ClassVar[Does] = Does("holder", "target", ("value",))
    target: Expression
    value: Expression


@attrs.frozen(slots=True, eq=False)
class Capture(Statement):
    """Things become another side's."""

    DOES: ClassVar[Does] = Does("side", "target", ("value",))
    target: Expression
    value: Expression


@attrs.frozen(slots=True, eq=False)
class Move(Statement):
    """Things go to a place, or off the map."""

    DOES: ClassVar[Does] = Does("place", "what", ("to",))
    what: Expression
    to: Expression | None


@attrs.frozen(slots=True, eq=False)
class Put(Statement):
    """A new thing. template, entry: of which entry of a list; naming, called: what it is called; parts: names of its parts."""

    DOES: ClassVar[Does] = Does("being", gets=("settings", "where", "entry", "called", "like"), names=("name",))
    name: str
    kind: str
    template: str | None
    settings: Mapping[str, Expression | Literal]
    where: Expression | None
    entry: Expression | None = None
    naming: str | None = None
    called: tuple[Expression, ...] = ()
    like: Expression | None = None
    parts: tuple[str, ...] = ()


@attrs.frozen(slots=True, eq=False)
class Remove(Statement):
    """Things leave the game."""

    DOES: ClassVar[Does] = Does("being", "what")
    what: Expression


@attrs.frozen(slots=True, eq=False)
class Reveal(Statement):
    """A side gets to know things."""

    DOES: ClassVar[Does] = Does("known", "what", ("whom",), unheard=True)
    what: Expression
    whom: Expression


@attrs.frozen(slots=True, eq=False)
class Hide(Statement):
    """A side no longer knows things."""

    DOES: ClassVar[Does] = Does("known", "what", ("whom",), unheard=True)
    what: Expression
    whom: Expression


@attrs.frozen(slots=True, eq=False)
class Let(Statement):
    """A new name for a value."""

    DOES: ClassVar[Does] = Does(gets=("value",), names=("name",))
    name: str
    value: Expression


@attrs.frozen(slots=True, eq=False)
class SetName(Statement):
    """A name of the procedure gets another value."""

    DOES: ClassVar[Does] = Does(gets=("value",), assigns=True)
    target: Expression
    value: Expression


@attrs.frozen(slots=True, eq=False)
class SetEntry(Statement):
    """What was chosen or rolled for one of several becomes something else."""

    DOES: ClassVar[Does] = Does(gets=("value",), assigns=True)
    target: Expression
    value: Expression


@attrs.frozen(slots=True, eq=False)
class Story(Statement):
    """What is done until the end of the procedure is told as one story. message: its title."""

    message: str
    arguments: tuple[Expression, ...]


@attrs.frozen(slots=True, eq=False)
class Relate(Statement):
    """Values go into the story that is told, under these names."""

    names: tuple[str, ...]
    values: tuple[Expression, ...]


@attrs.frozen(slots=True, eq=False)
class Tell(Statement):
    """A side is told something."""

    whom: Expression
    message: str
    arguments: tuple[Expression, ...]


class EffectVisitor(abc.ABC, Generic[_T]):
    """Part of a visitor (`statement_visitor.py`): what becomes of each statement of this file."""

    @abc.abstractmethod
    def visit_let(self, s: Let) -> _T: ...

    @abc.abstractmethod
    def visit_set_field(self, s: SetField) -> _T: ...

    @abc.abstractmethod
    def visit_gain(self, s: Gain) -> _T: ...

    @abc.abstractmethod
    def visit_write(self, s: Write) -> _T: ...

    @abc.abstractmethod
    def visit_show(self, s: Show) -> _T: ...

    @abc.abstractmethod
    def visit_hold(self, s: Hold) -> _T: ...

    @abc.abstractmethod
    def visit_capture(self, s: Capture) -> _T: ...

    @abc.abstractmethod
    def visit_move(self, s: Move) -> _T: ...

    @abc.abstractmethod
    def visit_put(self, s: Put) -> _T: ...

    @abc.abstractmethod
    def visit_remove(self, s: Remove) -> _T: ...

    @abc.abstractmethod
    def visit_reveal(self, s: Reveal) -> _T: ...

    @abc.abstractmethod
    def visit_hide(self, s: Hide) -> _T: ...

    @abc.abstractmethod
    def visit_set_name(self, s: SetName) -> _T: ...

    @abc.abstractmethod
    def visit_set_entry(self, s: SetEntry) -> _T: ...

    @abc.abstractmethod
    def visit_story(self, s: Story) -> _T: ...

    @abc.abstractmethod
    def visit_relate(self, s: Relate) -> _T: ...

    @abc.abstractmethod
    def visit_tell(self, s: Tell) -> _T: ...
