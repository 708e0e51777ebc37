"""The tree of a rule file: its declarations, one for each chunk that starts at the left edge."""

from __future__ import annotations

from fractions import Fraction

import attrs

from dsl.syntax.body_lines import Begins, EndGame, Hint, Line
from dsl.syntax.declaration_base import Declaration, Guards, Param, Row, Signature
from dsl.syntax.declarations_of_data import (
    Fact,
    Forces,
    Lesson,
    Map,
    MapBorder,
    MapLink,
    MapSection,
    Scenario,
    ScenarioSide,
)
from dsl.syntax.syntax_tree import Direction, Node
from dsl.text.nodes import frozen


@frozen
class System(Declaration):
    """base: the system that this one is built on, or ""."""

    title: str
    version: str
    base: str


@frozen
class Catalog(Declaration):
    path: str


@frozen
class Module(Declaration):
    title: str
    default: bool
    needs: tuple[str, ...]
    excludes: tuple[str, ...]


@frozen
class Option(Declaration):
    title: str
    terms: tuple[str, ...]
    default: str


@frozen
class Term(Node):
    """One word of an enumeration, with its long title."""

    word: str
    title: str = ""


@frozen
class Enum(Declaration):
    """Words of the game; ordered: a scale, rising as written."""

    terms: tuple[Term, ...]
    ordered: bool = False
    title: str = ""


@frozen
class TypeExpr(Node):
    """kind: named (words[0]), list (of words[0]), words (one of words), range (low to high), link (of words)."""

    kind: str
    words: tuple[str, ...] = ()
    low: Fraction | None = None
    high: Fraction | None = None


@frozen
class Field(Node):
    """untold: for bookkeeping, never shown in a report. stated: a scenario must give it a value and cannot rely on its starting value.

    quiet: reports show it, but no log reports its changes.
    """

    name: str
    type: TypeExpr
    optional: bool = False
    starts: Node | None = None
    joined: str | None = None
    kept_for: str | None = None
    cites: tuple[str, ...] = ()
    untold: bool = False
    stated: bool = False
    quiet: bool = False


@frozen
class Written(Node):
    """A notation such as `<plus:+>(<value><qualifier>)`; marks: yes-or-no fields it sets."""

    pattern: str
    marks: tuple[str, ...] = ()
    cites: tuple[str, ...] = ()


@frozen
class Printed(Node):
    """A heading under which several fields are printed together."""

    name: str
    pattern: str
    cites: tuple[str, ...] = ()


@frozen
class Visibility(Node):
    """`hidden from enemy: …` or `known to …: …`.

    off_map: only while the thing is off the map. lifted: the mark of a thing that opens these fields of it to all.
    """

    hidden: bool
    audience: str
    fields: tuple[str, ...]
    cites: tuple[str, ...] = ()
    off_map: bool = False
    guards: Guards = ()
    lifted: str = ""


@frozen
class Group(Declaration):
    """A word for several words of an enum; if `of` is empty, for several kinds. plural: of a group of kinds, empty for a regular one.

    fields, printed, visibility: the lines that it adds to each of its kinds.
    """

    of: str
    words: tuple[str, ...]
    plural: str = ""
    fields: tuple[Field, ...] = ()
    printed: tuple[Printed, ...] = ()
    visibility: tuple[Visibility, ...] = ()


@frozen
class Kind(Declaration):
    """A kind of thing. word: unit formation component marker place side record pool campaign.

    holder: its holder; for a place, the kind of place that contains it. grid: hex or square; corners: squares that touch at a
    corner are neighbours. between: the plural of the kind whose neighbours it lies between. stands: the kinds of place
    where things of this kind can be (empty: any). plural: the word for several; empty for a regular plural.
    part: whether it is a part of its holder.
    """

    word: str
    holder: str | None
    grid: str | None
    fields: tuple[Field, ...]
    printed: tuple[Printed, ...]
    visibility: tuple[Visibility, ...]
    corners: bool = False
    between: str | None = None
    stands: tuple[str, ...] = ()
    plural: str = ""
    part: bool = False


@frozen
class Rating(Declaration):
    written: tuple[Written, ...]
    fields: tuple[Field, ...]


@frozen
class UnitList(Declaration):
    of: str
    rows: tuple[Row, ...]


@frozen
class TableNote(Node):
    """kind: rounded, kept, cells, as printed."""

    kind: str
    key: str = ""
    direction: Direction | None = None
    low: Node | None = None
    high: Node | None = None
    names: tuple[str, ...] = ()


@frozen
class Table(Declaration):
    keys: tuple[str, ...]
    hit: str
    notes: tuple[TableNote, ...]
    rows: tuple[Row, ...]

    @property
    def as_printed(self) -> bool:
        """Whether the text confirms that an apparent misprint is printed like this."""
        return any(n.kind == "as printed" for n in self.notes)


@frozen
class Bodied(Declaration):
    """A declaration with lines: value, status, order, procedure, path, sequence. word: which of them; title: what an order is for."""

    word: str
    signature: Signature
    bound: str | None
    body: tuple[Line, ...]
    title: str = ""


@frozen
class Tabletop(Declaration):
    """A battle that may be fought at a table. when: which battles are; None if all possible ones are.

    message, args: its title; forces, relates: the values for the table, each with its name there, or None for its own; ground: the
    places of the map where it is fought; results: the questions that the table answers, each with the force that it is about,
    or None for all of them.
    """

    signature: Signature
    bound: str | None
    message: str
    args: tuple[Node, ...]
    when: Node | None
    forces: tuple[tuple[Node, str | None], ...]
    ground: Node | None
    relates: tuple[tuple[Node, str | None], ...]
    results: tuple[tuple[str, str | None], ...]


@frozen
class Event(Node):
    """kind: enters, leaves, within, next, becomes, removed. bound: the only order or procedure in which it applies."""

    kind: str
    first: Param
    second: Param | None = None
    amount: Node | None = None
    word: str | None = None
    when: Node | None = None
    bound: str | None = None


@frozen
class Target(Node):
    """Another order that a rule forbids or permits, as `order march of u (a unit)`."""

    word: str | None
    signature: Signature
    bound: str | None = None


@frozen
class Relation(Node):
    """kind: adds replaces excepts forbids permits before after whenever always. bound: `in battle`, repeated from the target.

    more: further declarations that it forbids, permits or adds to in the same words.
    """

    kind: str
    word: str | None = None
    target: Signature | None = None
    event: Event | None = None
    params: tuple[Param, ...] = ()
    condition: Node | None = None
    order: Node | None = None
    bound: str | None = None
    more: tuple[Target, ...] = ()

    def each(self) -> tuple[Relation, ...]:
        """The same relation for each declaration alone; `more` has the others."""
        if not self.more or self.target is None:
            return (self,)
        every = (Target(self.target.span, self.word, self.target, self.bound), *self.more)
        return tuple(
            attrs.evolve(
                self,
                span=x.span,
                word=x.word,
                target=x.signature,
                bound=x.bound,
                more=tuple(y for y in every if y is not x),
            )
            for x in every
        )


@frozen
class Rule(Declaration):
    relation: Relation
    body: tuple[Line, ...]


@frozen
class Example(Declaration):
    body: tuple[Line, ...]


@frozen
class Ruling(Declaration):
    date: str
    body: tuple[Line, ...]


@frozen
class Drawn(Declaration):
    """`drawn gunship as air`: how maps and counters show a word of the rules, its name."""

    shows: tuple[str, ...]


@frozen
class NotModelled(Declaration):
    reason: str


def full_name(track: str) -> str:
    """The name of the field with the value of a track when its thing entered the game: no text can declare it."""
    return f"full {track}"
