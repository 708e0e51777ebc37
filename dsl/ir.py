"""What the binder makes of a rule text: typed expressions and statements with every name settled, ready to be emitted."""

from __future__ import annotations

from typing import Any

import attrs

from dsl.source import NOWHERE, Span


def article_of(word: str) -> str:
    """`a` or `an`, as the word is spoken."""
    return "an" if word[:1] in "aeiou" and not word.startswith(("uni", "use", "eu")) else "a"


@attrs.frozen(slots=True)
class Type:
    """A type of the language.

    name: number, mark, text, odds, dice, enum, entry, thing, rating, row, link, nothing, set. word: which enum, kind, rating or
    table. of: what a set holds. optional: whether the value may be absent.
    """

    name: str
    word: str = ""
    of: Type | None = None
    optional: bool = False

    def __str__(self) -> str:
        if self.name == "set":
            return f"several: {self.of}"
        shown = {
            "number": "a number",
            "mark": "a yes or no",
            "text": "text",
            "odds": "odds",
            "nothing": "nothing",
            "link": "a link",
            "entry": "an entry of a list",
            "dice": "dice",
        }
        text = (
            f"an entry of {self.word}"
            if self.name == "entry" and self.word
            else shown.get(self.name) or f"{article_of(self.word)} {self.word}"
        )
        return text + (", perhaps absent" if self.optional else "")

    def same(self, other: Type) -> bool:
        """Whether both are the same apart from being optional."""
        if self.name == "nothing" or other.name == "nothing":
            return True
        if self.name == "set" and other.name == "set":
            return self.of is None or other.of is None or self.of.same(other.of)
        return self.name == other.name and self.word == other.word

    def sure(self) -> Type:
        """The same, never absent."""
        return attrs.evolve(self, optional=False) if self.optional else self

    def maybe(self) -> Type:
        """The same, perhaps absent."""
        return self if self.optional else attrs.evolve(self, optional=True)


NUMBER, MARK, TEXT, ODDS, NOTHING, LINK, DICE = (
    Type(n) for n in ("number", "mark", "text", "odds", "nothing", "link", "dice")
)
SIDE = Type("thing", "side")
ENTRY = Type("entry")
"""The name of an entry of a unit list."""


def thing(kind: str) -> Type:
    """Things of a kind."""
    return Type("thing", kind)


def enum(word: str) -> Type:
    """Words of an enum."""
    return Type("enum", word)


def set_of(of: Type | None) -> Type:
    """Several of a type; of None, of nothing yet."""
    return Type("set", "", of.sure() if of else None)


@attrs.frozen(slots=True, eq=False)
class E:
    """A typed expression: an operation of the machine and its arguments (expressions, words, or tuples of them).

    The operations are listed in `interpreter/emit_expressions.py`, one method each.
    """

    op: str
    type: Type
    args: tuple[Any, ...] = ()
    span: Span = attrs.field(default=NOWHERE, repr=False)


LAST = "last "
"""A name that an expression reads is in a frame: `F` is that of its routine, `F.up` the one above, and this with a
routine's key is the frame that the routine ran with last."""

ERROR = E("const", NOTHING, (None,))
"""What stands for an expression that was reported already."""


def alike(a: Any, b: Any) -> bool:
    """Whether two expressions say the same, wherever they stand."""
    if isinstance(a, E) and isinstance(b, E):
        return a.op == b.op and alike(a.args, b.args)
    if isinstance(a, tuple | list) and isinstance(b, tuple | list):
        return len(a) == len(b) and all(alike(x, y) for x, y in zip(a, b, strict=True))
    return bool(a == b)


@attrs.frozen(slots=True, eq=False)
class S:
    """A statement. fields: by name, of expressions, words, tuples; body: statements it owns. Ops: `emit_statements.py`."""

    op: str
    span: Span = attrs.field(default=NOWHERE, repr=False)
    fields: dict[str, Any] = attrs.field(factory=dict)
    body: tuple[S, ...] = ()
    cites: tuple[str, ...] = ()
    module: str = ""

    def __getitem__(self, name: str) -> Any:
        return self.fields.get(name)


def added_lines(body: tuple[S, ...]) -> tuple[S, ...]:
    """The lines of a value that rules add to it: an exception takes the place of the printed lines, these are done to it."""
    return tuple(s for s in body if s.op != "except" and s["rule"])


def is_disputed(routine: Routine) -> bool:
    """Whether several rules except a value, so that two of them may hold at once and say different things."""
    return routine.word == "value" and sum(s.op == "except" for s in routine.body) > 1


@attrs.frozen(slots=True, eq=False)
class Param:
    """A parameter after binding: preposition, name, type (a set's members for `some`), whether several."""

    prep: str
    name: str
    type: Type
    many: bool = False


@attrs.define(slots=True, eq=False)
class Routine:
    """A bound value, status, order, procedure, path or sequence.

    frame: names that its frame holds, with their types (procedures and orders). within: the procedure it is bound to.
    """

    word: str
    name: str
    params: tuple[Param, ...]
    type: Type
    span: Span
    within: str | None = None
    body: tuple[S, ...] = ()
    frame: dict[str, Type] = attrs.field(factory=dict)
    cites: tuple[str, ...] = ()
    clauses: tuple[S, ...] = ()
    stops: bool = False
    """Rules: whether they come about on a movement, which they can then stop."""
    side_only: bool = False
    """Paths: whether the way depends on the mover through its side alone, so that one answer serves a whole side."""
    ground: str = ""
    """Paths: the kind of place that it leads over."""


def cited(s: S, routine: Routine) -> tuple[str, ...]:
    """What a line cites: itself, else its declaration; a line that another rule brought in never what it was brought into."""
    brought = s["rule"] or (s.module and routine.word != "rule")
    return s.cites or (() if brought else routine.cites)


@attrs.frozen(slots=True)
class Moment:
    """A moment until which something lasts. name: as `end movement`; whose: own or enemy, of the owner of what changes.

    following: of the next one that begins, not of one that runs now.
    """

    name: str
    whose: str = ""
    following: bool = False


@attrs.frozen(slots=True, eq=False)
class Trigger:
    """What a rule waits for. event: leaves enters within next becomes removed always.

    params: the one or two things. whose: own or enemy, of the first's side, for the second; "" for anybody's. bound: the
    order or procedure in which alone it counts, as `order march`. amount: N of `within N of`. when: of an event. test: of a
    standing condition, or of a status that is become, on the things as local names. order: which of several goes first.
    field, words: what a field becomes.
    """

    rule: str
    event: str
    params: tuple[Param, ...]
    whose: str
    span: Span
    cites: tuple[str, ...]
    bound: str = ""
    amount: E | None = None
    when: E | None = None
    test: E | None = None
    order: E | None = None
    field: str = ""
    words: tuple[Any, ...] = ()

    @property
    def stands(self) -> bool:
        """Whether it must be asked again and again, since nothing else tells when it comes about."""
        return self.test is not None
