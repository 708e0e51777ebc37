"""From Lark's reductions to the tree: one method or table row for each rule of the grammar."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import attrs
from lark import Token, Transformer, v_args
from lark.tree import Meta

from dsl import declarations as d
from dsl import lines as ln
from dsl import tree as t
from dsl.source import Span


@attrs.frozen(slots=True)
class Part:
    """An optional part of a line on its way to the node that owns it. slot: the attribute it fills."""

    slot: str
    value: Any


def words(children: Sequence[Any], *types: str) -> list[str]:
    """The texts of the tokens among `children`, of the given types only when some are given."""
    return [str(c) for c in children if isinstance(c, Token) and c.type != "CITE" and (not types or c.type in types)]


def cites_of(children: Sequence[Any]) -> tuple[str, ...]:
    """Every catalog rule cited among `children`: `[A-B-01, -02]` is two."""
    out: list[str] = []
    for child in children:
        if isinstance(child, Token) and child.type == "CITE":
            stem = ""
            for part in str(child)[1:-1].split(","):
                cite = part.strip()
                if cite.startswith("-") and stem:
                    cite = stem + cite
                stem = cite.rpartition("-")[0]
                out.append(cite)
    return tuple(out)


def unquoted(token: str) -> str:
    return token[1:-1]


def number(text: str) -> Fraction:
    return Fraction(text.rstrip("% "))


LINE_SLOTS = {"when", "because", "label", "until", "shift", "role", "order", "such_that"}


def _nodes(children: Sequence[Any]) -> list[t.Node]:
    return [c for c in children if isinstance(c, t.Node)]


def _parts(children: Sequence[Any]) -> dict[str, Any]:
    return {c.slot: c.value for c in children if isinstance(c, Part) and c.slot in LINE_SLOTS}


def _body(children: Sequence[Any]) -> tuple[ln.Line, ...]:
    return tuple(c for c in children if isinstance(c, ln.Line))


def _guards(children: Sequence[Any]) -> d.Guards:
    for child in children:
        if isinstance(child, Part) and child.slot == "guards":
            value: d.Guards = child.value
            return value
    return tuple(c.value for c in children if isinstance(c, Part) and c.slot == "guard")


def _part(children: Sequence[Any], slot: str, default: Any = None) -> Any:
    return next((c.value for c in children if isinstance(c, Part) and c.slot == slot), default)


def _ops(op: str) -> Callable[[Any, Meta, list[Any]], Any]:
    def build(self: Any, meta: Meta, children: list[Any]) -> Any:
        return t.Binary(self.span(meta), op, children[0], children[1])

    return build


def _word(type_: str) -> Callable[[Any, Meta, list[Any]], Any]:
    def build(self: Any, meta: Meta, children: list[Any]) -> Any:
        return Token(type_, " ".join(str(c) for c in children))

    return build


def _adjusts(op: str) -> Callable[[Any, Meta, list[Any]], Any]:
    def build(self: Any, meta: Meta, children: list[Any]) -> Any:
        return Part("adjust", (op, _nodes(children)[0]))

    return build


def _filter(kind: str) -> Callable[[Any, Meta, list[Any]], Any]:
    def build(self: Any, meta: Meta, children: list[Any]) -> Any:
        nodes = _nodes(children)
        arg = nodes[1] if len(nodes) > 1 else None
        extra = nodes[2] if len(nodes) > 2 else None
        names = tuple(words(children, "NAME"))
        return t.Filter(self.span(meta), kind, nodes[0], arg, extra, names, bool(words(children, "NOT")))

    return build


@v_args(meta=True)
class Build(Transformer[Token, Any]):
    """Builds the tree while the parser reduces. `file`, `shift` and `text` place spans in the whole file."""

    def __init__(self) -> None:
        super().__init__(visit_tokens=False)
        self.file = ""
        self.shift_lines = 0
        self.text = ""

    def span(self, meta: Meta) -> Span:
        if meta.empty:
            return Span(self.file, self.shift_lines + 1, 1, self.shift_lines + 1, 1)
        shift = self.shift_lines
        return Span(self.file, meta.line + shift, meta.column, meta.end_line + shift, meta.end_column)

    # ---- atoms and expressions
    def name(self, meta: Meta, c: list[Any]) -> Any:
        return t.Name(self.span(meta), str(c[0]))

    def number(self, meta: Meta, c: list[Any]) -> Any:
        return t.Literal(self.span(meta), "number", number(str(c[0])))

    fraction = number

    def percent(self, meta: Meta, c: list[Any]) -> Any:
        return t.Literal(self.span(meta), "percent", number(str(c[0])))

    def odds_literal(self, meta: Meta, c: list[Any]) -> Any:
        return t.Literal(self.span(meta), "odds", str(c[0]))

    def text_(self, meta: Meta, c: list[Any]) -> Any:
        return t.Literal(self.span(meta), "text", unquoted(str(c[0])))

    def place(self, meta: Meta, c: list[Any]) -> Any:
        return t.Literal(self.span(meta), "place", str(c[0]))

    def term(self, meta: Meta, c: list[Any]) -> Any:
        token = c[0]
        kind = {
            "NAME": self.name,
            "ODDS": self.odds_literal,
            "PERCENT": self.percent,
            "STRING": self.text_,
            "PLACE": self.place,
        }.get(token.type, self.number)
        return kind(meta, c)

    def terms(self, meta: Meta, c: list[Any]) -> Any:
        return Part("terms", tuple(_nodes(c)))

    def relative(self, meta: Meta, c: list[Any]) -> Any:
        return t.Relative(self.span(meta), str(c[0]), str(c[1]))

    def its(self, meta: Meta, c: list[Any]) -> Any:
        return t.Its(self.span(meta), str(c[0]))

    def it(self, meta: Meta, c: list[Any]) -> Any:
        return t.It(self.span(meta))

    def tuple(self, meta: Meta, c: list[Any]) -> Any:
        return t.Tuple(self.span(meta), tuple(c))

    def chance(self, meta: Meta, c: list[Any]) -> Any:
        return t.Chance(self.span(meta), c[0])

    def of(self, meta: Meta, c: list[Any]) -> Any:
        return t.Of(self.span(meta), str(c[0]), c[1])

    def aggregated(self, meta: Meta, c: list[Any]) -> Any:
        by = words(c, "NAME")
        return t.Aggregated(self.span(meta), str(c[0]), _nodes(c)[0], by[0] if by else None)

    def called_arg(self, meta: Meta, c: list[Any]) -> Any:
        return Part("arg", (str(c[0]), c[1]))

    def called(self, meta: Meta, c: list[Any]) -> Any:
        return t.Called(self.span(meta), c[0], tuple(x.value for x in c[1:]))

    def scale_for(self, meta: Meta, c: list[Any]) -> Any:
        nodes = _nodes(c)
        return t.ScaleFor(self.span(meta), str(c[0]), nodes[0], nodes[1] if len(nodes) > 1 else None)  # type: ignore[arg-type]

    def else_(self, meta: Meta, c: list[Any]) -> Any:
        return t.Else(self.span(meta), c[0], c[1])

    add, sub, mul, div, moved, percent_of = _ops("+"), _ops("-"), _ops("*"), _ops("/"), _ops("moved"), _ops("percent")
    inside, neighbours, held, where = _filter("inside"), _filter("neighbours"), _filter("held"), _filter("where")
    except_, union, lookup, that_are = _filter("except"), _filter("union"), _filter("lookup"), _filter("that_are")

    def within(self, meta: Meta, c: list[Any]) -> Any:
        return t.Filter(self.span(meta), "within", c[0], c[2], c[1])

    def direction(self, meta: Meta, c: list[Any]) -> Any:
        return t.Direction(self.span(meta), str(c[0]), str(c[1]) if len(c) > 1 else "away")

    # ---- conditions
    def any_of(self, meta: Meta, c: list[Any]) -> Any:
        nodes = _nodes(c)
        return nodes[0] if len(nodes) == 1 else t.AnyOf(self.span(meta), tuple(nodes))

    def all_of(self, meta: Meta, c: list[Any]) -> Any:
        return t.AllOf(self.span(meta), tuple(c))

    def negation(self, meta: Meta, c: list[Any]) -> Any:
        return t.Negation(self.span(meta), _nodes(c)[0])

    def alts(self, meta: Meta, c: list[Any]) -> Any:
        return Part("alts", tuple(c))

    def is_test(self, meta: Meta, c: list[Any]) -> Any:
        q = words(c, "QUANTIFIER")
        return t.IsTest(self.span(meta), _nodes(c)[0], _part(c, "alts"), bool(words(c, "NOT")), q[0] if q else None)

    quantified_is = is_test

    def test_in(self, meta: Meta, c: list[Any]) -> Any:
        return Part("place", ("in", c[0], None))

    def test_next(self, meta: Meta, c: list[Any]) -> Any:
        return Part("place", ("next", c[0], None))

    def test_within(self, meta: Meta, c: list[Any]) -> Any:
        return Part("place", ("within", c[1], c[0]))

    def test_on(self, meta: Meta, c: list[Any]) -> Any:
        return Part("place", ("on", t.Name(self.span(meta), str(c[0])), None))

    def is_placed(self, meta: Meta, c: list[Any]) -> Any:
        kind, arg, extra = _part(c, "place")
        q = words(c, "QUANTIFIER")
        return t.IsPlaced(self.span(meta), _nodes(c)[0], kind, arg, extra, bool(words(c, "NOT")), q[0] if q else None)

    quantified_placed = is_placed

    def is_at_least(self, meta: Meta, c: list[Any]) -> Any:
        return t.Compare(self.span(meta), ">=", c[0], c[1])

    def is_at_most(self, meta: Meta, c: list[Any]) -> Any:
        return t.Compare(self.span(meta), "<=", c[0], c[1])

    def compare(self, meta: Meta, c: list[Any]) -> Any:
        nodes, q = _nodes(c), words(c, "QUANTIFIER")
        return t.Compare(self.span(meta), words(c, "CMP")[0], nodes[0], nodes[1], q[0] if q else None)

    quantified_compare = compare

    def exists(self, meta: Meta, c: list[Any]) -> Any:
        return t.Exists(self.span(meta), _nodes(c)[0])

    def exists_not(self, meta: Meta, c: list[Any]) -> Any:
        return t.Exists(self.span(meta), _nodes(c)[0], True)

    def has_done(self, meta: Meta, c: list[Any]) -> Any:
        names = words(c, "NAME")
        return t.HasDone(self.span(meta), _nodes(c)[0], names[0], names[1], bool(words(c, "NOT")))

    # ---- parts of lines
    def cwhen(self, meta: Meta, c: list[Any]) -> Any:
        return Part("when", c[0])

    def because(self, meta: Meta, c: list[Any]) -> Any:
        return Part("because", unquoted(str(c[0])))

    def label(self, meta: Meta, c: list[Any]) -> Any:
        return Part("label", str(c[0]))

    def shift(self, meta: Meta, c: list[Any]) -> Any:
        return Part("shift", str(c[0]))

    prep, any_prep, article, switch, target_word = _word("PREP"), _word("PREP"), _word("ARTICLE"), _word("SWITCH"), _word("TARGET_WORD")
    event_word, manner, factor, way, halves = _word("EVENT_WORD"), _word("MANNER"), _word("FACTOR"), _word("WAY"), _word("HALVES")
    moment, quantifier, aggregate, whose = _word("MOMENT"), _word("QUANTIFIER"), _word("AGGREGATE"), _word("RELATIVE")
    kind_word, hit = _word("KIND_WORD"), _word("HIT")

    def such_that(self, meta: Meta, c: list[Any]) -> Any:
        return Part("such_that", ln.SuchThat(self.span(meta), c[0], _part(c, "because")))

    def until_moment(self, meta: Meta, c: list[Any]) -> Any:
        return Part("until", ln.Until(self.span(meta), str(c[0]), str(c[1])))

    def role(self, meta: Meta, c: list[Any]) -> Any:
        return Part("role", str(c[0]))

    def ordered(self, meta: Meta, c: list[Any]) -> Any:
        return Part("order", c[0])

    def guard(self, meta: Meta, c: list[Any]) -> Any:
        return Part("guard", (str(c[0]), str(c[1])))

    def guards(self, meta: Meta, c: list[Any]) -> Any:
        return Part("guards", tuple(x.value for x in c))

    def names(self, meta: Meta, c: list[Any]) -> Any:
        return Part("names", tuple(str(x) for x in c))

    def bound(self, meta: Meta, c: list[Any]) -> Any:
        return Part("bound", str(c[0]))

    def param(self, meta: Meta, c: list[Any]) -> Any:
        many = len(c) > 1 and str(c[1]) == "some"
        return d.Param(self.span(meta), "of", str(c[0]), str(c[2]) if len(c) > 2 else None, many)

    def signature(self, meta: Meta, c: list[Any]) -> Any:
        params: list[d.Param] = []
        prep = "of"
        for child in c[1:]:
            if isinstance(child, Token):
                prep = str(child)
            else:
                params.append(attrs.evolve(child, prep=prep))
        return d.Signature(self.span(meta), str(c[0]), tuple(params))

    # ---- lines
    def line_meta(self, c: list[Any]) -> dict[str, Any]:
        return {"cites": cites_of(c), **{k: v for k, v in _parts(c).items() if k in {"label", "when", "because"}}}

    def let(self, meta: Meta, c: list[Any]) -> Any:
        return ln.Let(self.span(meta), str(c[0]), _nodes(c)[0], **self.line_meta(c))

    def let_whether(self, meta: Meta, c: list[Any]) -> Any:
        return ln.Let(self.span(meta), str(c[0]), _nodes(c)[0], True, **self.line_meta(c))

    def start_with(self, meta: Meta, c: list[Any]) -> Any:
        return ln.StartWith(self.span(meta), _nodes(c)[0], **self.line_meta(c))

    def adjust(self, meta: Meta, c: list[Any]) -> Any:
        op, value = _part(c, "adjust")
        rounding = value if isinstance(value, t.Direction) else None
        return ln.Adjust(self.span(meta), op, None if rounding else value, rounding, **self.line_meta(c))

    def adjust_word(self, meta: Meta, c: list[Any]) -> Any:
        factor = {"halved": Fraction(1, 2), "doubled": Fraction(2), "quartered": Fraction(1, 4), "tripled": Fraction(3)}
        return Part("adjust", ("times", t.Literal(self.span(meta), "number", factor[str(c[0])])))

    times, divided, plus, minus = _adjusts("times"), _adjusts("divided"), _adjusts("plus"), _adjusts("minus")
    at_least, at_most, rounded = _adjusts("at-least"), _adjusts("at-most"), _adjusts("rounded")
    moved_by, instead = _adjusts("moved"), _adjusts("instead")

    def case(self, meta: Meta, c: list[Any]) -> Any:
        return ln.Case(self.span(meta), _nodes(c)[0], _part(c, "shift"), **self.line_meta(c))

    def otherwise(self, meta: Meta, c: list[Any]) -> Any:
        return ln.Case(self.span(meta), _nodes(c)[0], _part(c, "shift"), True, **self.line_meta(c))

    def holds(self, meta: Meta, c: list[Any]) -> Any:
        return ln.Holds(self.span(meta), **{**self.line_meta(c), "when": _nodes(c)[0]})

    def when(self, meta: Meta, c: list[Any]) -> Any:
        return ln.When(self.span(meta), "when", when=_nodes(c)[0], body=_body(c), cites=cites_of(c))

    def otherwise_when(self, meta: Meta, c: list[Any]) -> Any:
        return ln.When(self.span(meta), "otherwise when", when=_nodes(c)[0], body=_body(c), cites=cites_of(c))

    def otherwise_block(self, meta: Meta, c: list[Any]) -> Any:
        return ln.When(self.span(meta), "otherwise", body=_body(c), cites=cites_of(c))

    def for_each(self, meta: Meta, c: list[Any]) -> Any:
        over = _nodes(c)[0]
        return ln.ForEach(
            self.span(meta), str(c[0]), over, _part(c, "role"), _part(c, "order"), body=_body(c), cites=cites_of(c)
        )

    def repeat(self, meta: Meta, c: list[Any]) -> Any:
        nodes = [n for n in _nodes(c) if not isinstance(n, ln.Line)]
        return ln.Repeat(self.span(meta), nodes[0], nodes[1] if len(nodes) > 1 else None, body=_body(c), cites=cites_of(c))

    def simultaneously(self, meta: Meta, c: list[Any]) -> Any:
        return ln.Simultaneously(self.span(meta), body=_body(c), cites=cites_of(c))

    def phase(self, meta: Meta, c: list[Any]) -> Any:
        title = [unquoted(w) for w in words(c, "STRING")]
        return ln.Phase(
            self.span(meta), str(c[0]), title[0] if title else "", _guards(c), body=_body(c), cites=cites_of(c)
        )

    def step(self, meta: Meta, c: list[Any]) -> Any:
        return ln.Phase(self.span(meta), str(c[0]), "", _guards(c), True, body=_body(c), cites=cites_of(c))

    def one_of(self, meta: Meta, c: list[Any]) -> Any:
        return Part("choice", ln.Choice(self.span(meta), "one", c[0]))

    def some_of(self, meta: Meta, c: list[Any]) -> Any:
        return Part("choice", ln.Choice(self.span(meta), "some", c[0]))

    def up_to(self, meta: Meta, c: list[Any]) -> Any:
        return Part("choice", ln.Choice(self.span(meta), "up_to", c[1], c[0]))

    def exactly_of(self, meta: Meta, c: list[Any]) -> Any:
        return Part("choice", ln.Choice(self.span(meta), "exactly", c[1], c[0]))

    def words_of(self, meta: Meta, c: list[Any]) -> Any:
        return Part("choice", ln.Choice(self.span(meta), "words", words=tuple(_nodes(c))))

    def number_up_to(self, meta: Meta, c: list[Any]) -> Any:
        return Part("choice", ln.Choice(self.span(meta), "number", amount=c[0]))

    def choose(self, meta: Meta, c: list[Any]) -> Any:
        return ln.Choose(
            self.span(meta), _nodes(c)[0], words(c, "NAME")[0], _part(c, "choice"), bool(words(c, "SECRETLY")),
            _part(c, "such_that"), **self.line_meta(c),
        )  # fmt: skip

    def each_chooses(self, meta: Meta, c: list[Any]) -> Any:
        names = words(c, "NAME")
        return ln.EachChooses(
            self.span(meta), names[0], _nodes(c)[0], names[1], _part(c, "choice"), bool(words(c, "SECRETLY")),
            _part(c, "such_that"), **self.line_meta(c),
        )  # fmt: skip

    def dice(self, meta: Meta, c: list[Any]) -> Any:
        nodes = _nodes(c)
        return Part("dice", ln.Dice(self.span(meta), words(c, "DICE")[0], nodes[0] if nodes else None))

    def rolls(self, meta: Meta, c: list[Any]) -> Any:
        return ln.Rolls(self.span(meta), _nodes(c)[0], _part(c, "dice"), words(c, "NAME")[0], **self.line_meta(c))

    def each_rolls(self, meta: Meta, c: list[Any]) -> Any:
        names, nodes = words(c, "NAME"), _nodes(c)
        return ln.EachRolls(
            self.span(meta), names[0], nodes[0] if nodes else None, _part(c, "dice"), names[-1], **self.line_meta(c)
        )

    def may(self, meta: Meta, c: list[Any]) -> Any:
        manner = words(c, "MANNER")
        return ln.May(
            self.span(meta), _nodes(c)[0], tuple(words(c, "NAME")), manner[0] if manner else "alternately",
            **self.line_meta(c),
        )  # fmt: skip

    def becomes(self, meta: Meta, c: list[Any]) -> Any:
        target, value = _nodes(c)[:2]
        return ln.Becomes(self.span(meta), target, value, _part(c, "until"), **self.line_meta(c))

    def _gain(self, meta: Meta, c: list[Any], loses: bool) -> Any:
        target, amount = _nodes(c)[:2]
        unit = words(c, "NAME")[0]
        return ln.Gains(self.span(meta), target, amount, unit, loses, _part(c, "until"), **self.line_meta(c))

    def gains(self, meta: Meta, c: list[Any]) -> Any:
        return self._gain(meta, c, False)

    def loses(self, meta: Meta, c: list[Any]) -> Any:
        return self._gain(meta, c, True)

    def move(self, meta: Meta, c: list[Any]) -> Any:
        return ln.Move(self.span(meta), c[0], c[1], **self.line_meta(c))

    def put_setting(self, meta: Meta, c: list[Any]) -> Any:
        return Part("setting", (str(c[0]), c[1]))

    def put(self, meta: Meta, c: list[Any]) -> Any:
        names, nodes = words(c, "NAME"), _nodes(c)
        settings = tuple(x.value for x in c if isinstance(x, Part) and x.slot == "setting")
        template = names[2] if len(names) > 2 else None
        return ln.Put(
            self.span(meta), names[0], names[1], template, settings, nodes[0] if nodes else None, **self.line_meta(c)
        )

    def remove(self, meta: Meta, c: list[Any]) -> Any:
        return ln.Remove(self.span(meta), c[0], **self.line_meta(c))

    def reveal(self, meta: Meta, c: list[Any]) -> Any:
        return ln.Reveal(self.span(meta), c[0], c[1], **self.line_meta(c))

    def hide(self, meta: Meta, c: list[Any]) -> Any:
        return ln.Reveal(self.span(meta), c[0], c[1], True, **self.line_meta(c))

    def binding(self, meta: Meta, c: list[Any]) -> Any:
        return Part("binding", (tuple(_nodes(c)), words(c, "NAME")[-1]))

    def do(self, meta: Meta, c: list[Any]) -> Any:
        bindings = tuple(x.value for x in c if isinstance(x, Part) and x.slot == "binding")
        return ln.Do(self.span(meta), str(c[0]), bindings, **self.line_meta(c))

    def stop(self, meta: Meta, c: list[Any]) -> Any:
        names = words(c, "NAME")
        return ln.Stop(self.span(meta), names[0] if names else None, **self.line_meta(c))

    def tell(self, meta: Meta, c: list[Any]) -> Any:
        nodes = _nodes(c)
        return ln.Tell(self.span(meta), nodes[0], unquoted(words(c, "STRING")[0]), tuple(nodes[1:]), **self.line_meta(c))

    def end_game(self, meta: Meta, c: list[Any]) -> Any:
        nodes = _nodes(c)
        return ln.EndGame(self.span(meta), nodes[0] if nodes else None, **self.line_meta(c))

    end_game_line = end_game

    def given_by(self, meta: Meta, c: list[Any]) -> Any:
        return ln.GivenBy(self.span(meta), c[0], **self.line_meta(c))

    def legal_from(self, meta: Meta, c: list[Any]) -> Any:
        before, after = [x.value for x in c if isinstance(x, Part) and x.slot == "terms"]
        return ln.LegalFrom(self.span(meta), before, after, **self.line_meta(c))

    def legal_when(self, meta: Meta, c: list[Any]) -> Any:
        return ln.LegalWhen(self.span(meta), _nodes(c)[0], **self.line_meta(c))

    def refused(self, meta: Meta, c: list[Any]) -> Any:
        return ln.Refused(self.span(meta), _nodes(c)[0], **self.line_meta(c))

    def reaching(self, meta: Meta, c: list[Any]) -> Any:
        names = words(c, "NAME")
        return ln.Reaching(self.span(meta), names[0], names[1], _nodes(c)[0], **self.line_meta(c))

    def costs(self, meta: Meta, c: list[Any]) -> Any:
        nodes = _nodes(c)
        return ln.Costs(self.span(meta), nodes[0], words(c, "NAME")[0], nodes[1], **self.line_meta(c))

    def path_from(self, meta: Meta, c: list[Any]) -> Any:
        return ln.PathFrom(self.span(meta), c[0], **self.line_meta(c))

    def path_budget(self, meta: Meta, c: list[Any]) -> Any:
        return ln.PathBudget(self.span(meta), c[0], **self.line_meta(c))

    def leg_limit(self, meta: Meta, c: list[Any]) -> Any:
        return Part("leg", ("limit", c[0]))

    def leg_along(self, meta: Meta, c: list[Any]) -> Any:
        return Part("leg", ("along", str(c[0])))

    def leg_until(self, meta: Meta, c: list[Any]) -> Any:
        return Part("leg", ("until", c[0]))

    def leg(self, meta: Meta, c: list[Any]) -> Any:
        clauses = dict(x.value for x in c if isinstance(x, Part) and x.slot == "leg")
        return ln.Leg(self.span(meta), str(c[0]), **clauses, **self.line_meta(c))

    def _path_rule(self, meta: Meta, c: list[Any], kind: str) -> Any:
        nodes = _nodes(c)
        extra = self.line_meta(c)
        place = nodes[0]
        assert isinstance(place, d.Param)
        if kind == "costs":
            return ln.PathRule(self.span(meta), kind, place.name, nodes[1], **extra)
        return ln.PathRule(self.span(meta), kind, place.name, **{**extra, "when": nodes[1]})

    def never_into(self, meta: Meta, c: list[Any]) -> Any:
        return self._path_rule(meta, c, "never")

    def entering(self, meta: Meta, c: list[Any]) -> Any:
        return self._path_rule(meta, c, "costs")

    def halting(self, meta: Meta, c: list[Any]) -> Any:
        return self._path_rule(meta, c, "halting")

    def start_exempt(self, meta: Meta, c: list[Any]) -> Any:
        return ln.StartExempt(self.span(meta), words(c, "NAME")[0], **self.line_meta(c))

    def on_map(self, meta: Meta, c: list[Any]) -> Any:
        return ln.OnMap(self.span(meta), str(c[0]), **self.line_meta(c))

    def given(self, meta: Meta, c: list[Any]) -> Any:
        return ln.Given(self.span(meta), _nodes(c)[0], **self.line_meta(c))

    def dice_are(self, meta: Meta, c: list[Any]) -> Any:
        return ln.DiceAre(self.span(meta), tuple(Fraction(w) for w in words(c, "NUMBER")), **self.line_meta(c))

    def answer(self, meta: Meta, c: list[Any]) -> Any:
        items: tuple[t.Node, ...] = _part(c, "items", ())
        return ln.Answer(self.span(meta), str(c[0]), items, tuple(_nodes(c)), **self.line_meta(c))

    def answer_items(self, meta: Meta, c: list[Any]) -> Any:
        return Part("items", tuple(_nodes(c)))

    def command(self, meta: Meta, c: list[Any]) -> Any:
        return Part("command", " ".join(self.text[meta.start_pos : meta.end_pos].split()))

    def command_arg(self, meta: Meta, c: list[Any]) -> Any:
        return Part("command_arg", None)

    def orders_line(self, meta: Meta, c: list[Any]) -> Any:
        return ln.Orders(self.span(meta), str(c[0]), _part(c, "command"), **self.line_meta(c))

    def then_may(self, meta: Meta, c: list[Any]) -> Any:
        return ln.ThenMay(self.span(meta), str(c[0]), _part(c, "command"), **self.line_meta(c))

    def then_may_not(self, meta: Meta, c: list[Any]) -> Any:
        return ln.ThenMay(self.span(meta), str(c[0]), _part(c, "command"), True, **self.line_meta(c))

    def then(self, meta: Meta, c: list[Any]) -> Any:
        return ln.Then(self.span(meta), _nodes(c)[0], **self.line_meta(c))

    def with_block(self, meta: Meta, c: list[Any]) -> Any:
        return ln.WithBlock(
            self.span(meta), str(c[0]), _part(c, "names"), body=_body(c), cites=cites_of(c)
        )

    def set_block(self, meta: Meta, c: list[Any]) -> Any:
        term = next(n for n in _nodes(c) if not isinstance(n, ln.Line))
        return ln.WithBlock(self.span(meta), "set", (), str(c[0]), term, body=_body(c), cites=cites_of(c))

    # ---- declarations
    def system(self, meta: Meta, c: list[Any]) -> Any:
        name, title, version = words(c)
        return d.System(self.span(meta), unquoted(title), version, name=name, cites=cites_of(c))

    def catalog(self, meta: Meta, c: list[Any]) -> Any:
        return d.Catalog(self.span(meta), unquoted(words(c)[0]), name="catalog")

    def default_state(self, meta: Meta, c: list[Any]) -> Any:
        return Part("default", str(c[0]))

    def needs(self, meta: Meta, c: list[Any]) -> Any:
        return Part("needs", c[0].value)

    def excludes(self, meta: Meta, c: list[Any]) -> Any:
        return Part("excludes", c[0].value)

    def module(self, meta: Meta, c: list[Any]) -> Any:
        name, title = words(c)
        return d.Module(
            self.span(meta), unquoted(title), _part(c, "default", "off") == "on", _part(c, "needs", ()),
            _part(c, "excludes", ()), name=name, cites=cites_of(c),
        )  # fmt: skip

    def option(self, meta: Meta, c: list[Any]) -> Any:
        name, title = words(c, "NAME")[0], unquoted(words(c, "STRING")[0])
        terms = [literal_text(n) for n in _nodes(c)]
        return d.Option(self.span(meta), title, tuple(terms[:-1]), terms[-1], name=name, cites=cites_of(c))

    def enum_term(self, meta: Meta, c: list[Any]) -> Any:
        title = [unquoted(w) for w in words(c, "STRING")]
        return d.Term(self.span(meta), literal_text(_nodes(c)[0]), title[0] if title else "")

    def _enum(self, meta: Meta, c: list[Any], ordered: bool) -> Any:
        title = [unquoted(w) for w in words(c, "STRING")]
        terms = tuple(n for n in c if isinstance(n, d.Term))
        return d.Enum(
            self.span(meta), terms, ordered, title[0] if title else "", name=words(c, "NAME")[0], cites=cites_of(c)
        )

    def enum(self, meta: Meta, c: list[Any]) -> Any:
        return self._enum(meta, c, False)

    def scale(self, meta: Meta, c: list[Any]) -> Any:
        return self._enum(meta, c, True)

    def group(self, meta: Meta, c: list[Any]) -> Any:
        names = words(c, "NAME")
        return d.Group(
            self.span(meta), names[1], tuple(literal_text(n) for n in _nodes(c)), name=names[0], cites=cites_of(c)
        )

    def held_by(self, meta: Meta, c: list[Any]) -> Any:
        return Part("holder", str(c[0]))

    def gridded(self, meta: Meta, c: list[Any]) -> Any:
        return Part("grid", str(c[0]))

    def kind(self, meta: Meta, c: list[Any]) -> Any:
        word, name = words(c)[:2]
        return d.Kind(
            self.span(meta), word, _part(c, "holder"), _part(c, "grid"),
            tuple(n for n in c if isinstance(n, d.Field)), tuple(n for n in c if isinstance(n, d.Printed)),
            tuple(n for n in c if isinstance(n, d.Visibility)), name=name, cites=cites_of(c), guards=_guards(c),
        )  # fmt: skip

    def named_type(self, meta: Meta, c: list[Any]) -> Any:
        return d.TypeExpr(self.span(meta), "named", (str(c[0]),))

    def list_type(self, meta: Meta, c: list[Any]) -> Any:
        return d.TypeExpr(self.span(meta), "list", (str(c[0]),))

    def words_type(self, meta: Meta, c: list[Any]) -> Any:
        return d.TypeExpr(self.span(meta), "words", tuple(words(c)))

    def range_type(self, meta: Meta, c: list[Any]) -> Any:
        low, high = words(c, "NUMBER")
        return d.TypeExpr(self.span(meta), "range", (), Fraction(low), Fraction(high))

    def optional(self, meta: Meta, c: list[Any]) -> Any:
        return Part("optional", True)

    def starts(self, meta: Meta, c: list[Any]) -> Any:
        return Part("starts", c[0])

    def joined(self, meta: Meta, c: list[Any]) -> Any:
        return Part("joined", unquoted(str(c[0])))

    def kept_for(self, meta: Meta, c: list[Any]) -> Any:
        return Part("kept_for", unquoted(str(c[0])))

    def field(self, meta: Meta, c: list[Any]) -> Any:
        return d.Field(
            self.span(meta), str(c[0]), c[1], _part(c, "optional", False), _part(c, "starts"), _part(c, "joined"),
            _part(c, "kept_for"), cites_of(c),
        )  # fmt: skip

    def printed(self, meta: Meta, c: list[Any]) -> Any:
        return d.Printed(self.span(meta), str(c[0]), unquoted(words(c, "STRING")[0]), cites_of(c))

    def audience(self, meta: Meta, c: list[Any]) -> Any:
        return Part("audience", str(c[0]))

    def hidden(self, meta: Meta, c: list[Any]) -> Any:
        return d.Visibility(self.span(meta), True, _part(c, "audience"), tuple(words(c, "NAME")), cites_of(c))

    def known(self, meta: Meta, c: list[Any]) -> Any:
        return d.Visibility(self.span(meta), False, _part(c, "audience"), tuple(words(c, "NAME")), cites_of(c))

    def written(self, meta: Meta, c: list[Any]) -> Any:
        return d.Written(self.span(meta), unquoted(words(c, "STRING")[0]), tuple(words(c, "NAME")), cites_of(c))

    def rating(self, meta: Meta, c: list[Any]) -> Any:
        return d.Rating(
            self.span(meta), tuple(n for n in c if isinstance(n, d.Written)),
            tuple(n for n in c if isinstance(n, d.Field)), name=str(c[0]), cites=cites_of(c), guards=_guards(c),
        )  # fmt: skip

    def row(self, meta: Meta, c: list[Any]) -> Any:
        return d.Row(self.span(meta), str(c[0]))

    def list(self, meta: Meta, c: list[Any]) -> Any:
        name, of = words(c, "NAME")
        rows = tuple(n for n in c if isinstance(n, d.Row))
        return d.UnitList(self.span(meta), of, rows, name=name, cites=cites_of(c), guards=_guards(c))

    def key(self, meta: Meta, c: list[Any]) -> Any:
        return Part("key", str(c[0]))

    def hit_policy(self, meta: Meta, c: list[Any]) -> Any:
        return Part("hit", str(c[0]))

    def key_rounded(self, meta: Meta, c: list[Any]) -> Any:
        return d.TableNote(self.span(meta), "rounded", _part(c, "key"), _nodes(c)[0])  # type: ignore[arg-type]

    def key_kept(self, meta: Meta, c: list[Any]) -> Any:
        low, high = _nodes(c)
        return d.TableNote(self.span(meta), "kept", _part(c, "key"), None, low, high)

    def cells(self, meta: Meta, c: list[Any]) -> Any:
        return d.TableNote(self.span(meta), "cells", names=tuple(words(c, "NAME")))

    def table(self, meta: Meta, c: list[Any]) -> Any:
        keys = tuple(x.value for x in c if isinstance(x, Part) and x.slot == "key")
        return d.Table(
            self.span(meta), keys, _part(c, "hit", "exactly one row"), tuple(n for n in c if isinstance(n, d.TableNote)),
            tuple(n for n in c if isinstance(n, d.Row)), name=str(c[0]), cites=cites_of(c), guards=_guards(c),
        )  # fmt: skip

    def low_columns(self, meta: Meta, c: list[Any]) -> Any:
        return Part("low", str(c[0]))

    def map_section(self, meta: Meta, c: list[Any]) -> Any:
        return d.MapSection(self.span(meta), str(c[0]), tuple(n for n in c if isinstance(n, d.Row)))

    def link_line(self, meta: Meta, c: list[Any]) -> Any:
        return d.MapLink(self.span(meta), str(c[0]), tuple(words(c, "PLACE")))

    def map(self, meta: Meta, c: list[Any]) -> Any:
        name, of = words(c, "NAME")
        columns, rows = words(c, "NUMBER")
        return d.Map(
            self.span(meta), unquoted(words(c, "STRING")[0]), of, int(columns), int(rows), _part(c, "low", "even"),
            tuple(n for n in c if isinstance(n, d.MapSection)), tuple(n for n in c if isinstance(n, d.MapLink)),
            name=name, cites=cites_of(c), guards=_guards(c),
        )  # fmt: skip

    def scenario_side(self, meta: Meta, c: list[Any]) -> Any:
        names = words(c, "NAME")
        return d.ScenarioSide(self.span(meta), names[0], unquoted(words(c, "STRING")[0]), names[1] if names[1:] else "")

    def scenario_about(self, meta: Meta, c: list[Any]) -> Any:
        return Part("about", unquoted(words(c, "STRING")[0]))

    def scenario_forces(self, meta: Meta, c: list[Any]) -> Any:
        side, of = words(c, "NAME")
        return d.Forces(self.span(meta), side, of, tuple(n for n in c if isinstance(n, d.Row)))

    def scenario_fact(self, meta: Meta, c: list[Any]) -> Any:
        nodes = _nodes(c)
        return d.Fact(self.span(meta), nodes[0], tuple(nodes[1:]))

    def scenario_with(self, meta: Meta, c: list[Any]) -> Any:
        return Part("switches", [(str(c[0]), n) for n in _part(c, "names")])

    def scenario_set(self, meta: Meta, c: list[Any]) -> Any:
        return Part("setting", (str(c[0]), literal_text(_nodes(c)[0])))

    def scenario(self, meta: Meta, c: list[Any]) -> Any:
        name, on = words(c, "NAME")
        return d.Scenario(
            self.span(meta), unquoted(words(c, "STRING")[0]), on, _part(c, "about", ""),
            tuple(n for n in c if isinstance(n, d.ScenarioSide)), tuple(n for n in c if isinstance(n, d.Forces)),
            tuple(n for n in c if isinstance(n, d.Fact)),
            tuple(p for x in c if isinstance(x, Part) and x.slot == "switches" for p in x.value),
            tuple(x.value for x in c if isinstance(x, Part) and x.slot == "setting"),
            tuple(n for n in c if isinstance(n, ln.EndGame)), name=name, cites=cites_of(c), guards=_guards(c),
        )  # fmt: skip

    def _bodied(self, meta: Meta, c: list[Any], word: str) -> Any:
        signature = next(n for n in c if isinstance(n, d.Signature))
        return d.Bodied(
            self.span(meta), word, signature, _part(c, "bound"), _body(c), name=signature.name, cites=cites_of(c),
            guards=_guards(c),
        )  # fmt: skip

    def value(self, meta: Meta, c: list[Any]) -> Any:
        return self._bodied(meta, c, "value")

    def status(self, meta: Meta, c: list[Any]) -> Any:
        return self._bodied(meta, c, "status")

    def order(self, meta: Meta, c: list[Any]) -> Any:
        return self._bodied(meta, c, "order")

    def procedure(self, meta: Meta, c: list[Any]) -> Any:
        return self._bodied(meta, c, "procedure")

    def path(self, meta: Meta, c: list[Any]) -> Any:
        return self._bodied(meta, c, "path")

    def sequence(self, meta: Meta, c: list[Any]) -> Any:
        signature = d.Signature(self.span(meta), str(c[0]), ())
        return d.Bodied(
            self.span(meta), "sequence", signature, None, _body(c), name=signature.name, cites=cites_of(c),
            guards=_guards(c),
        )  # fmt: skip

    def target(self, meta: Meta, c: list[Any]) -> Any:
        found = words(c, "TARGET_WORD")
        return Part("target", (found[0] if found else None, _nodes(c)[0]))

    def _relation(self, meta: Meta, c: list[Any], kind: str) -> Any:
        word, target = _part(c, "target")
        return d.Relation(self.span(meta), kind, word, target)

    def adds_to(self, meta: Meta, c: list[Any]) -> Any:
        return self._relation(meta, c, "adds")

    def replaces(self, meta: Meta, c: list[Any]) -> Any:
        return self._relation(meta, c, "replaces")

    def excepts(self, meta: Meta, c: list[Any]) -> Any:
        return self._relation(meta, c, "excepts")

    def forbids(self, meta: Meta, c: list[Any]) -> Any:
        return self._relation(meta, c, "forbids")

    def permits(self, meta: Meta, c: list[Any]) -> Any:
        return self._relation(meta, c, "permits")

    def before(self, meta: Meta, c: list[Any]) -> Any:
        return self._relation(meta, c, "before")

    def after(self, meta: Meta, c: list[Any]) -> Any:
        return self._relation(meta, c, "after")

    def whenever(self, meta: Meta, c: list[Any]) -> Any:
        return d.Relation(self.span(meta), "whenever", event=c[0])

    def always(self, meta: Meta, c: list[Any]) -> Any:
        params = tuple(n for n in c if isinstance(n, d.Param))
        return d.Relation(self.span(meta), "always", params=params, condition=_nodes(c)[-1])

    def event_enters(self, meta: Meta, c: list[Any]) -> Any:
        params = [n for n in c if isinstance(n, d.Param)]
        return d.Event(self.span(meta), words(c, "EVENT_WORD")[0], params[0], params[1], when=_parts(c).get("when"))

    def event_within(self, meta: Meta, c: list[Any]) -> Any:
        first, amount, second = _nodes(c)[:3]
        return d.Event(self.span(meta), "within", first, second, amount, when=_parts(c).get("when"))  # type: ignore[arg-type]

    def event_next(self, meta: Meta, c: list[Any]) -> Any:
        first, second = _nodes(c)[:2]
        return d.Event(self.span(meta), "next", first, second, when=_parts(c).get("when"))  # type: ignore[arg-type]

    def event_becomes(self, meta: Meta, c: list[Any]) -> Any:
        first, term = _nodes(c)[:2]
        return d.Event(self.span(meta), "becomes", first, word=literal_text(term), when=_parts(c).get("when"))  # type: ignore[arg-type]

    def rule(self, meta: Meta, c: list[Any]) -> Any:
        relation = next(n for n in c if isinstance(n, d.Relation))
        return d.Rule(
            self.span(meta), relation, _body(c), name=str(c[0]), cites=cites_of(c), guards=_guards(c)
        )

    def example(self, meta: Meta, c: list[Any]) -> Any:
        name = unquoted(words(c, "STRING")[0])
        return d.Example(self.span(meta), _body(c), name=name, cites=cites_of(c), guards=_guards(c))

    def ruling(self, meta: Meta, c: list[Any]) -> Any:
        return d.Ruling(self.span(meta), words(c, "DATE")[0], _body(c), name=words(c, "NAME")[0], cites=cites_of(c))

    def unmodelled(self, meta: Meta, c: list[Any]) -> Any:
        cites = cites_of(c)
        return d.NotModelled(self.span(meta), unquoted(words(c, "STRING")[0]), name=cites[0], cites=cites)


def literal_text(node: t.Node) -> str:
    """A term as the author typed it: `1:6`, `2`, `AA`."""
    if isinstance(node, t.Name):
        return node.word
    assert isinstance(node, t.Literal)
    return str(node.value)
