"""The tree of a rule file: expressions and conditions, one small frozen class for each form of the grammar."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from operator import attrgetter
from typing import Any

import attrs

from dsl.text.nodes import frozen
from dsl.text.source import Span


def fields_of(kind: type[Node]) -> tuple[str, ...]:
    """The field names of a class of nodes, except its place."""
    known = _fields.get(kind)
    if known is None:
        known = _fields[kind] = tuple(f.name for f in attrs.fields(kind) if f.name != "span")
    return known


_fields: dict[type[Node], tuple[str, ...]] = {}


def values_of(node: Node) -> tuple[Any, ...]:
    """The field values of a node, except its place."""
    kind = type(node)
    found = _getters.get(kind)
    if found is None:
        found = _getters[kind] = getter_of(fields_of(kind))
    return found(node)


_getters: dict[type[Node], Callable[[Any], tuple[Any, ...]]] = {}


def getter_of(names: tuple[str, ...]) -> Callable[[Any], tuple[Any, ...]]:
    """A function that returns the fields with these names, all at once."""
    if len(names) > 1:
        return attrgetter(*names)
    return (lambda one: (getattr(one, names[0]),)) if names else (lambda _: ())


@frozen
class Node:
    """Anything in the text. Identity matters, not equality: two equal lines are two places."""

    span: Span = attrs.field(repr=False)


# ---- expressions ---------------------------------------------------------------------------------------------


@frozen
class Name(Node):
    """A bare word: a local name, a term, a set of things, a value."""

    word: str


@frozen
class Literal(Node):
    """A number, text, odds, percentage or hex number. kind: number, percent, text, odds, place."""

    kind: str
    value: Fraction | str


@frozen
class Relative(Node):
    """`own units`, `enemy units`, `all markers`."""

    which: str
    word: str


@frozen
class Its(Node):
    """`its posture`: a property of the thing that a `where` tests."""

    word: str


@frozen
class It(Node):
    """The thing that a `where` tests."""


@frozen
class Tuple(Node):
    """Several expressions in brackets: keys of a table, a list, or the values of an aggregate."""

    items: tuple[Node, ...]


@frozen
class Chance(Node):
    """`chance that (C)`: an exact probability."""

    cond: Node


@frozen
class Negative(Node):
    """`- strength of u`; for a number as it is written, the number itself."""

    arg: Node


@frozen
class Of(Node):
    """`P of X`: a property, a value applied, members of a formation; over a set, of each."""

    word: str
    arg: Node


@frozen
class Aggregated(Node):
    """`sum strength of attackers`. which: sum count highest lowest average first."""

    which: str
    arg: Node


@frozen
class Numbers(Node):
    """`a number from 1 to N`: the whole numbers between two, both included."""

    low: Node
    high: Node


@frozen
class Prevailing(Node):
    """`prevailing tech of attackers then size then lower`: the most frequent value.

    by: the weight of a thing, instead of one for each; ties: how ties are broken, in turn: by a number of the things, finally
    perhaps by lower, higher or average.
    """

    arg: Node
    by: str | None = None
    ties: tuple[str, ...] = ()


@frozen
class Extremes(Node):
    """`attackers whose strength is highest`: those of a set for which a value is highest or lowest."""

    base: Node
    word: str
    args: tuple[tuple[str, Node], ...]
    which: str


@frozen
class Called(Node):
    """`distance from a to b`, `cost of u against h`: a head and further arguments by preposition."""

    head: Node
    args: tuple[tuple[str, Node], ...]


@frozen
class ScaleFor(Node):
    """`column for (odds of a to b) rounded down`: the term of a scale of numbers that a number falls on."""

    scale: str
    arg: Node
    direction: Direction | None


@frozen
class ReachCost(Node):
    """`cost of reaching goal by march-route of u`: the movement points of the cheapest route; absent if it is out of reach."""

    goal: Node
    path: str
    mover: Node


@frozen
class Else(Node):
    """`X else Y`: Y if X is absent."""

    value: Node
    other: Node


@frozen
class Filter(Node):
    """A restricted set. kind: inside, neighbours, within, between, held, except, union, where, that_are, lookup."""

    kind: str
    base: Node
    arg: Node | None = None
    extra: Node | None = None
    words: tuple[str, ...] = ()
    negated: bool = False


@frozen
class Binary(Node):
    """Arithmetic. op: + - * / moved percent."""

    op: str
    left: Node
    right: Node


@frozen
class Direction(Node):
    """How to round. way: down, up, nearest; halves: away, up, down, even, toward zero."""

    way: str
    halves: str = "away"


# ---- conditions ----------------------------------------------------------------------------------------------


@frozen
class AnyOf(Node):
    items: tuple[Node, ...]


@frozen
class AllOf(Node):
    items: tuple[Node, ...]


@frozen
class Negation(Node):
    item: Node


@frozen
class IsTest(Node):
    """`X is A or B`; with a quantifier X is a set and each member is tested."""

    subject: Node
    alternatives: tuple[Node, ...]
    negated: bool = False
    quantifier: str | None = None


@frozen
class IsPlaced(Node):
    """`X is in Y`, `next to Y`, `within N of Y`, `on road`, `on north edge`. kind: in, next, within, on, edge."""

    subject: Node
    kind: str
    arg: Node
    extra: Node | None = None
    negated: bool = False
    quantifier: str | None = None


@frozen
class Compare(Node):
    op: str
    left: Node
    right: Node
    quantifier: str | None = None


@frozen
class Exists(Node):
    """`there is X`: a set that is not empty, or an optional value that is present."""

    subject: Node
    negated: bool = False


@frozen
class HasDone(Node):
    """`u has done march this turn`. word: an order or procedure; last: in the previous period, not in the present one."""

    subject: Node
    word: str
    period: str
    last: bool = False
    negated: bool = False
    quantifier: str | None = None


@frozen
class ManyDice(Node):
    """`(strength of u) d6`: a computed number of dice. text: of one of them."""

    count: Node
    text: str


def literal_text(node: Node) -> str:
    """A term as the author typed it: `1:6`, `2`, `AA`."""
    if isinstance(node, Name):
        return node.word
    assert isinstance(node, Literal)
    return str(node.value)
