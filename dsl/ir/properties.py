"""Expressions, one class each: properties of one thing, such as fields, side, place, holder, members and what its list prints."""

from __future__ import annotations

from typing import ClassVar

import attrs

from dsl.ir.expression import Expression, Rests
from dsl.ir.types import NUMBER, SIDE, TEXT, Type
from dsl.text.nodes import frozen


@frozen
class Field(Expression):
    """A field of a thing, of a rating, or of the campaign."""

    RESTS_ON: ClassVar[Rests] = Rests.FIELD
    holder: Expression
    name: str


@frozen
class Must(Expression):
    """A value that must be present: its absence is an error in play."""

    RESTS_ON: ClassVar[Rests] = Rests.ANYTHING
    value: Expression


@frozen
class SideOf(Expression):
    """The owner of a thing."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING
    thing: Expression
    type: Type = attrs.field(default=SIDE, kw_only=True)


@frozen
class PlaceOf(Expression):
    """The place of a thing."""

    RESTS_ON: ClassVar[Rests] = Rests.POSITION
    thing: Expression


@frozen
class StandingIn(Expression):
    """The place of one kind that contains a thing which can be in places of several kinds."""

    RESTS_ON: ClassVar[Rests] = Rests.POSITION
    thing: Expression
    kind: str


@frozen
class GridNumber(Expression):
    """The column or row of a place."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING
    place: Expression
    which: str
    type: Type = attrs.field(default=NUMBER, kw_only=True)


@frozen
class PlaceBetween(Expression):
    """The place between two neighbours, such as a hexside."""

    RESTS_ON: ClassVar[Rests] = Rests.PLACED
    kind: str
    one: Expression
    other: Expression


@frozen
class LinkFrom(Expression):
    """The type of link that joins two neighbours."""

    RESTS_ON: ClassVar[Rests] = Rests.PLACED
    link: str
    one: Expression
    other: Expression


@frozen
class Foe(Expression):
    """The other side."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING
    side: Expression
    type: Type = attrs.field(default=SIDE, kw_only=True)


@frozen
class HolderOf(Expression):
    """The holder of a thing. asked: only whether there is one."""

    RESTS_ON: ClassVar[Rests] = Rests.POSITION
    held: Expression
    kind: str
    asked: bool = False


@frozen
class Members(Expression):
    """The things of a kind that one thing holds."""

    RESTS_ON: ClassVar[Rests] = Rests.POSITION
    holder: Expression
    kind: str


@frozen
class Column(Expression):
    """A column of a row of a table."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING
    row: Expression
    index: int


@frozen
class EntryOf(Expression):
    """The entry of a unit list that a thing has."""

    RESTS_ON: ClassVar[Rests] = Rests.ENTRY
    holder: Expression


@frozen
class EntryField(Expression):
    """A printed value of a list entry."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING
    entry: Expression
    kind: str
    name: str


@frozen
class TextOf(Expression):
    """The name of an entry."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING
    entry: Expression
    type: Type = attrs.field(default=TEXT, kw_only=True)
