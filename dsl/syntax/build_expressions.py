"""From Lark's reductions to the tree: expressions and conditions, with one method for each rule of the grammar."""
# ruff: noqa: ARG002, D102 - Lark calls every method with the same arguments; the grammar rule of its name documents it

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partialmethod
from typing import Any, cast

import attrs
from lark import Token, Transformer, Tree
from lark.tree import Meta

from dsl.syntax import body_lines as ln
from dsl.syntax import declarations as d
from dsl.syntax import syntax_tree as t
from dsl.text.source import Span

Children = list[Any]
"""The tokens, nodes and parts that a rule of the grammar was reduced from, in order. Only the grammar knows which."""

Method = Callable[[Any, Meta, Children], Any]
"""A method of a builder that makes the tree for a rule of the grammar."""


@attrs.frozen(slots=True)
class Part:
    """An optional part of a line on its way to the node that owns it. slot: the attribute it fills."""

    slot: str
    value: Any


def words(children: Sequence[object], *types: str) -> list[str]:
    """The texts of the tokens among `children`, of the given types only when some are given."""
    return [str(c) for c in children if isinstance(c, Token) and c.type != "CITE" and (not types or c.type in types)]


def cites_of(children: Sequence[object]) -> tuple[str, ...]:
    """Every catalog rule cited among `children`: `[A-B-01, -02]` is two. A remark may precede the bracket."""
    out: list[str] = []
    for child in children:
        if isinstance(child, Part) and child.slot == "on_the_line":
            out += dict.fromkeys(cite for line in child.value for cite in line.cites)
        if isinstance(child, Token) and child.type == "CITE":
            stem = ""
            for part in child[child.rindex("[") + 1 : -1].split(","):
                cite = part.strip()
                if cite.startswith("-") and stem:
                    cite = stem + cite
                stem = cite.rpartition("-")[0]
                out.append(cite)
    return tuple(out)


def unquoted(token: str) -> str:
    """A text without its quotes."""
    return token[1:-1]


def as_number(text: str) -> Fraction:
    """A number as it is written; of a percentage, the number before the sign."""
    return Fraction(text.rstrip("% "))


LINE_SLOTS = {"when", "because", "label", "until", "shift", "role", "order", "such_that"}


def nodes_of(children: Sequence[object]) -> list[t.Node]:
    """The nodes among `children`."""
    return [c for c in children if isinstance(c, t.Node)]


def line_parts(children: Sequence[object]) -> dict[str, Any]:
    """The parts that belong to the line itself, by slot."""
    return {c.slot: c.value for c in children if isinstance(c, Part) and c.slot in LINE_SLOTS}


def body_of(children: Sequence[object]) -> tuple[ln.Line, ...]:
    """The lines among `children`, including several on one line and one after a colon."""
    after: tuple[ln.Line, ...] = part(children, "on_the_line", ())
    every = (x for c in children for x in (c if isinstance(c, tuple) else (c,)))
    return tuple(x for x in every if isinstance(x, ln.Line)) + tuple(map(uncited, after))


def uncited(line: ln.Line) -> ln.Line:
    """The line without its citations, even if it is several lines in one."""
    inner: dict[str, Any] = {"body": tuple(map(uncited, line.body))} if isinstance(line, ln.Block) else {}
    plain: ln.Line = attrs.evolve(cast("Any", line), cites=(), **inner)
    return plain


def guards_of(children: Sequence[object]) -> d.Guards:
    """The modules that a declaration depends on."""
    for child in children:
        if isinstance(child, Part) and child.slot == "guards":
            value: d.Guards = child.value
            return value
    return tuple(c.value for c in children if isinstance(c, Part) and c.slot == "guard")


def part(children: Sequence[object], slot: str, default: Any = None) -> Any:
    """The part of one slot, or `default`."""
    return next((c.value for c in children if isinstance(c, Part) and c.slot == slot), default)


def values(children: Sequence[object], slot: str) -> tuple[Any, ...]:
    """The parts of one slot, of which there can be several."""
    return tuple(c.value for c in children if isinstance(c, Part) and c.slot == slot)


def operators(op: str) -> Method:
    """The method for an arithmetic sign."""

    def build(self: BuildExpressions, meta: Meta, children: Children) -> t.Binary:
        return t.Binary(self.span(meta), op, children[0], children[1])

    return build


def spoken_as(type_: str) -> Method:
    """The method that joins one or more words into one token."""

    def build(_self: object, _meta: Meta, children: Children) -> Token:
        return Token(type_, " ".join(str(c) for c in children))

    return build


def fills(slot: str, read: Callable[[str], str] | None = None) -> Method:
    """The method for a part that is one word or node. read: what is made of it."""

    def build(_self: object, _meta: Meta, children: Children) -> Part:
        return Part(slot, children[0] if read is None else read(children[0]))

    return build


def marks(slot: str) -> Method:
    """The method for a part that is only there or missing."""
    return lambda _self, _meta, _children: Part(slot, True)


def literal(kind: str, read: Callable[[str], Fraction | str]) -> Method:
    """The method for a literal. read: what is made of its text."""

    def build(self: BuildExpressions, meta: Meta, children: Children) -> t.Literal:
        return t.Literal(self.span(meta), kind, read(str(children[0])))

    return build


def made_of(node: Callable[..., t.Node]) -> Method:
    """The method for a node whose fields are its words and nodes, in the order of the text."""

    def build(self: BuildExpressions, meta: Meta, children: Children) -> t.Node:
        return node(self.span(meta), *(str(x) if isinstance(x, Token) else x for x in children))

    return build


def placed(kind: str) -> Method:
    """The method for a test of where something is: perhaps a distance, and the place."""

    def build(_self: object, _meta: Meta, children: Children) -> Part:
        *distance, place = children
        return Part("place", (kind, place, distance[0] if distance else None))

    return build


def adjusts(op: str) -> Method:
    """The method for a step of a value."""

    def build(_self: object, _meta: Meta, children: Children) -> Part:
        return Part("adjust", (op, nodes_of(children)[0]))

    return build


def filters(kind: str) -> Method:
    """The method for a way to narrow a set."""

    def build(self: BuildExpressions, meta: Meta, children: Children) -> t.Filter:
        nodes = nodes_of(children)
        arg = nodes[1] if len(nodes) > 1 else None
        extra = nodes[2] if len(nodes) > 2 else None
        names = tuple(words(children, "NAME"))
        return t.Filter(self.span(meta), kind, nodes[0], arg, extra, names, bool(words(children, "NOT")))

    return build


class BuildExpressions(Transformer[Token, Any]):
    """Builds the tree while the parser reduces. `file`, `shift` and `text` place spans in the whole file."""

    def __init__(self) -> None:
        super().__init__(visit_tokens=False)
        self.file = ""
        self.shift_lines = 0
        self.text = ""
        self._methods: dict[str, Callable[[Meta, Children], Any]] = {}

    def _call_userfunc(self, tree: Tree[Token], new_children: Children | None = None) -> Any:
        """Calls the method of a rule directly with its place and its children: Lark's own way takes twice as long."""
        method = self._methods.get(tree.data)
        if method is None:
            method = self._methods[tree.data] = getattr(self, tree.data)
        return method(tree.meta, tree.children if new_children is None else new_children)

    def span(self, meta: Meta) -> Span:
        if meta.empty:
            return Span(self.file, self.shift_lines + 1, 1, self.shift_lines + 1, 1)
        shift = self.shift_lines
        return Span(self.file, meta.line + shift, meta.column, meta.end_line + shift, meta.end_column)

    # ---- atoms and expressions
    name = made_of(t.Name)
    number = literal("number", as_number)
    fraction = number

    percent = literal("percent", as_number)
    odds_literal = literal("odds", str)
    text_ = literal("text", unquoted)
    dice_word = literal("dice", str)
    many_dice = made_of(t.ManyDice)
    place = literal("place", str)

    def term(self, meta: Meta, c: Children) -> Any:
        token = c[0]
        kind = {
            "NAME": self.name,
            "ODDS": self.odds_literal,
            "PERCENT": self.percent,
            "STRING": self.text_,
            "PLACE": self.place,
            "DICE_WORD": self.dice_word,
        }.get(token.type, self.number)
        return kind(meta, c)

    def terms(self, meta: Meta, c: Children) -> Part:
        return Part("terms", tuple(nodes_of(c)))

    def negative(self, meta: Meta, c: Children) -> t.Literal | t.Negative:
        """`- x`; `- 1` is the number -1."""
        if isinstance(c[0], t.Literal) and isinstance(c[0].value, Fraction):
            return t.Literal(self.span(meta), c[0].kind, -c[0].value)
        return t.Negative(self.span(meta), c[0])

    relative = made_of(t.Relative)
    its = made_of(t.Its)
    it = made_of(t.It)

    def bracketed(self, meta: Meta, c: Children) -> Any:
        """An expression in brackets; around a bare name they may make a set of one."""
        return t.Tuple(self.span(meta), (c[0],)) if isinstance(c[0], t.Name) else c[0]

    def several(self, meta: Meta, c: Children) -> t.Tuple:
        return t.Tuple(self.span(meta), tuple(c))

    chance = made_of(t.Chance)
    of = made_of(t.Of)

    def full_of(self, meta: Meta, c: Children) -> t.Of:
        return t.Of(self.span(meta), d.full_name(str(c[-2])), c[-1])

    aggregated = made_of(t.Aggregated)
    weighed_by = fills("by", str)
    then_by = fills("then", str)

    def prevailing(self, meta: Meta, c: Children) -> t.Prevailing:
        ties = values(c, "then")
        return t.Prevailing(self.span(meta), nodes_of(c)[0], part(c, "by"), ties)

    def extremes(self, meta: Meta, c: Children) -> t.Extremes:
        args = values(c, "arg")
        return t.Extremes(self.span(meta), nodes_of(c)[0], words(c, "NAME")[0], args, words(c, "EXTREME")[0])

    def called_arg(self, meta: Meta, c: Children) -> Part:
        return Part("arg", (str(c[0]), c[1]))

    def called(self, meta: Meta, c: Children) -> t.Called:
        return t.Called(self.span(meta), c[0], tuple(x.value for x in c[1:]))

    def scale_for(self, meta: Meta, c: Children) -> t.ScaleFor:
        nodes = nodes_of(c)
        return t.ScaleFor(self.span(meta), str(c[0]), nodes[0], nodes[1] if len(nodes) > 1 else None)  # type: ignore[arg-type]

    def reach_cost(self, meta: Meta, c: Children) -> t.ReachCost:
        goal, mover = nodes_of(c)
        return t.ReachCost(self.span(meta), goal, words(c, "NAME")[0], mover)

    else_ = made_of(t.Else)
    add, sub, mul, div, moved, percent_of = (
        operators("+"),
        operators("-"),
        operators("*"),
        operators("/"),
        operators("moved"),
        operators("percent"),
    )
    inside, neighbours, held, where = filters("inside"), filters("neighbours"), filters("held"), filters("where")
    except_, union, lookup, that_are = filters("except"), filters("union"), filters("lookup"), filters("that_are")

    behind, ahead = filters("after"), filters("before")

    def cell_at(self, meta: Meta, c: Children) -> t.Filter:
        """`cell is crt at (7, 1:1)`: a lookup after `is`."""
        table = t.Name(self.span(meta), str(c[0]))
        return t.Filter(self.span(meta), "lookup", table, nodes_of(c)[0])

    def within(self, meta: Meta, c: Children) -> t.Filter:
        return t.Filter(self.span(meta), "within", c[0], c[2], c[1])

    def between(self, meta: Meta, c: Children) -> t.Filter:
        return t.Filter(self.span(meta), "between", c[0], c[1], c[2])

    def direction(self, meta: Meta, c: Children) -> t.Direction:
        return t.Direction(self.span(meta), str(c[0]), str(c[1]) if len(c) > 1 else "away")

    # ---- conditions
    def any_of(self, meta: Meta, c: Children) -> t.Node:
        nodes = nodes_of(c)
        return nodes[0] if len(nodes) == 1 else t.AnyOf(self.span(meta), tuple(nodes))

    def all_of(self, meta: Meta, c: Children) -> t.AllOf:
        return t.AllOf(self.span(meta), tuple(c))

    def negation(self, meta: Meta, c: Children) -> t.Negation:
        return t.Negation(self.span(meta), nodes_of(c)[0])

    def alts(self, meta: Meta, c: Children) -> Part:
        return Part("alts", tuple(c))

    def is_test(self, meta: Meta, c: Children) -> t.IsTest:
        q = words(c, "QUANTIFIER")
        return t.IsTest(self.span(meta), nodes_of(c)[0], part(c, "alts"), bool(words(c, "NOT")), q[0] if q else None)

    quantified_is = is_test

    def is_status(self, meta: Meta, c: Children) -> t.IsTest:
        """`u is closed to h`: the status `closed of u to h`, written as a property of u."""
        span, q = self.span(meta), words(c, "QUANTIFIER")
        status = t.Of(span, words(c, "NAME")[0], nodes_of(c)[0])
        asked = t.Called(span, status, values(c, "arg"))
        return t.IsTest(span, asked, (t.Name(span, "yes"),), bool(words(c, "NOT")), q[0] if q else None)

    quantified_status = is_status

    test_in, test_next, test_within = placed("in"), placed("next"), placed("within")

    def test_on(self, meta: Meta, c: Children) -> Part:
        return Part("place", ("on", t.Name(self.span(meta), str(c[0])), None))

    def test_edge(self, meta: Meta, c: Children) -> Part:
        return Part("place", ("edge", t.Name(self.span(meta), str(c[0])), None))

    def is_placed(self, meta: Meta, c: Children) -> t.IsPlaced:
        kind, arg, extra = part(c, "place")
        q = words(c, "QUANTIFIER")
        return t.IsPlaced(self.span(meta), nodes_of(c)[0], kind, arg, extra, bool(words(c, "NOT")), q[0] if q else None)

    quantified_placed = is_placed

    def is_at_least(self, meta: Meta, c: Children) -> t.Compare:
        return t.Compare(self.span(meta), ">=", c[0], c[1])

    def is_at_most(self, meta: Meta, c: Children) -> t.Compare:
        return t.Compare(self.span(meta), "<=", c[0], c[1])

    def compare(self, meta: Meta, c: Children) -> t.Compare:
        nodes, q = nodes_of(c), words(c, "QUANTIFIER")
        return t.Compare(self.span(meta), words(c, "CMP")[0], nodes[0], nodes[1], q[0] if q else None)

    quantified_compare = compare

    def exists(self, meta: Meta, c: Children, negated: bool = False) -> t.Exists:
        return t.Exists(self.span(meta), nodes_of(c)[0], negated)

    exists_not = partialmethod(exists, negated=True)

    def has_done(self, meta: Meta, c: Children) -> t.HasDone:
        (word, period), q = words(c, "NAME"), words(c, "QUANTIFIER")
        last = words(c, "PERIOD") == ["last"]
        return t.HasDone(
            self.span(meta), nodes_of(c)[0], word, period, last, bool(words(c, "NOT")), q[0] if q else None
        )

    quantified_done = has_done
