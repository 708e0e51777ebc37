"""Statements, one class each: changes to things of the game, and assignments to names."""

from __future__ import annotations

import abc
from collections.abc import Mapping
from typing import ClassVar, Generic, TypeVar

from dsl.ir.expression import Expression
from dsl.ir.statement import Does, Statement, Until
from dsl.syntax.syntax_tree import Literal
from dsl.text.nodes import frozen

_T = TypeVar("_T")


@frozen
class SetField(Statement):
    """Sets a field of things, perhaps until a moment."""

    DOES: ClassVar[Does] = Does("field", "target", ("value",), fields=("field",))
    target: Expression
    field: str
    value: Expression
    until: Until = None


@frozen
class Gain(Statement):
    """Increases a number of things, perhaps until a moment."""

    DOES: ClassVar[Does] = Does("field", "target", ("amount",), fields=("field",))
    target: Expression
    field: str
    amount: Expression
    until: Until = None


@frozen
class Write(Statement):
    """Sets a field to a printed value."""

    DOES: ClassVar[Does] = Does("field", "target", ("filling",), fields=("field",))
    target: Expression
    field: str
    text: str
    filling: tuple[Expression, ...]
    until: Until = None


@frozen
class Show(Statement):
    """Gives things another entry of a unit list, with all its printed values."""

    DOES: ClassVar[Does] = Does("entry", "target", ("entry",))
    target: Expression
    entry: Expression


@frozen
class Hold(Statement):
    """Gives things another holder."""

    DOES: ClassVar[Does] = Does("holder", "target", ("value",))
    target: Expression
    value: Expression


@frozen
class Capture(Statement):
    """Transfers things to another side."""

    DOES: ClassVar[Does] = Does("side", "target", ("value",))
    target: Expression
    value: Expression


@frozen
class Move(Statement):
    """Moves things to a place, or off the map."""

    DOES: ClassVar[Does] = Does("place", "what", ("to",))
    what: Expression
    to: Expression | None


@frozen
class Put(Statement):
    """Creates a thing. template, entry: its list entry; naming, called: its name; parts: names of its parts."""

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


@frozen
class Remove(Statement):
    """Removes things from the game."""

    DOES: ClassVar[Does] = Does("being", "what")
    what: Expression


@frozen
class Reveal(Statement):
    """Reveals things to a side."""

    DOES: ClassVar[Does] = Does("known", "what", ("whom",), unheard=True)
    what: Expression
    whom: Expression


@frozen
class Hide(Statement):
    """Hides things from a side."""

    DOES: ClassVar[Does] = Does("known", "what", ("whom",), unheard=True)
    what: Expression
    whom: Expression


@frozen
class Let(Statement):
    """Gives a value a new name."""

    DOES: ClassVar[Does] = Does(gets=("value",), names=("name",))
    name: str
    value: Expression


@frozen
class SetName(Statement):
    """Gives a name of the procedure another value."""

    DOES: ClassVar[Does] = Does(gets=("value",), assigns=True)
    target: Expression
    value: Expression


@frozen
class SetEntry(Statement):
    """Changes what was chosen or rolled for one of several things."""

    DOES: ClassVar[Does] = Does(gets=("value",), assigns=True)
    target: Expression
    value: Expression


@frozen
class Story(Statement):
    """Reports everything until the end of the procedure as one story. message: its title."""

    message: str
    arguments: tuple[Expression, ...]


@frozen
class Relate(Statement):
    """Adds values to the story, under these names."""

    names: tuple[str, ...]
    values: tuple[Expression, ...]


@frozen
class Tell(Statement):
    """Sends a message to a side."""

    whom: Expression
    message: str
    arguments: tuple[Expression, ...]


class EffectVisitor(abc.ABC, Generic[_T]):
    """Part of a visitor (`statement_visitor.py`): the methods for each statement of this file."""

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
