"""From Lark's reductions to the tree: the lines of bodies and what stands in them."""
# ruff: noqa: ARG002, D102 - Lark calls every method with the same arguments; the grammar rule of its name documents it

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import attrs
from lark import Token
from lark.tree import Meta

from dsl.syntax import declarations as d
from dsl.syntax import lines as ln
from dsl.syntax import tree as t
from dsl.syntax.build_expressions import (
    BuildExpressions,
    Children,
    Part,
    adjusts,
    body_of,
    cites_of,
    guards_of,
    line_parts,
    nodes_of,
    part,
    spoken_as,
    unquoted,
    words,
)
from dsl.syntax.layout import LayoutError


def _in_print(typed: str) -> str:
    """What is typed where something printed may stand, however it is spaced.

    >>> _in_print("  III /  VIs")
    'III/VIs'
    """
    return re.sub(r" *(/) *", r"\1", " ".join(typed.split()))


class BuildLines(BuildExpressions):
    """Builds lines, their clauses, and the parameters and signatures that orders and rules share."""

    # ---- parts of lines
    def cwhen(self, meta: Meta, c: Children) -> Part:
        return Part("when", c[0])

    def because(self, meta: Meta, c: Children) -> Part:
        return Part("because", unquoted(str(c[0])))

    def label(self, meta: Meta, c: Children) -> Part:
        return Part("label", str(c[0]))

    def shift(self, meta: Meta, c: Children) -> Part:
        return Part("shift", str(c[0]))

    prep, any_prep, article, switch, target_word = (
        spoken_as("PREP"),
        spoken_as("PREP"),
        spoken_as("ARTICLE"),
        spoken_as("SWITCH"),
        spoken_as("TARGET_WORD"),
    )
    event_word, manner, factor, way, halves = (
        spoken_as("EVENT_WORD"),
        spoken_as("MANNER"),
        spoken_as("FACTOR"),
        spoken_as("WAY"),
        spoken_as("HALVES"),
    )
    extreme = spoken_as("EXTREME")
    bar_word = spoken_as("BAR_WORD")
    moment, quantifier, aggregate, whose = (
        spoken_as("MOMENT"),
        spoken_as("QUANTIFIER"),
        spoken_as("AGGREGATE"),
        spoken_as("RELATIVE"),
    )
    kind_word, hit = spoken_as("KIND_WORD"), spoken_as("HIT")
    which, period, party = spoken_as("WHICH"), spoken_as("PERIOD"), spoken_as("PARTY")

    def such_that(self, meta: Meta, c: Children) -> Part:
        return Part("such_that", ln.SuchThat(self.span(meta), c[0], part(c, "because")))

    def until_moment(self, meta: Meta, c: Children) -> Part:
        following = "next" in words(c, "WHICH")
        found = ln.Until(self.span(meta), str(c[0]), str(c[-1]), "".join(words(c, "PARTY")), following)
        return Part("until", found)

    def until_condition(self, meta: Meta, c: Children) -> Part:
        return Part("until", ln.Until(self.span(meta), condition=nodes_of(c)[0]))

    def role(self, meta: Meta, c: Children) -> Part:
        return Part("role", str(c[0]))

    def ordered(self, meta: Meta, c: Children) -> Part:
        return Part("order", c[0])

    goes_first = ordered

    def guard(self, meta: Meta, c: Children) -> Part:
        return Part("guard", (str(c[0]), str(c[1])))

    def guards(self, meta: Meta, c: Children) -> Part:
        return Part("guards", tuple(x.value for x in c))

    def names(self, meta: Meta, c: Children) -> Part:
        return Part("names", tuple(str(x) for x in c))

    def bound(self, meta: Meta, c: Children) -> Part:
        return Part("bound", str(c[0]))

    def param(self, meta: Meta, c: Children) -> d.Param:
        many = len(c) > 1 and str(c[1]) == "some"
        party = "".join(words(c, "PARTY"))
        kinds = [part(c, "entry_of")] if part(c, "entry_of") else words(c[1:], "NAME")
        kind = " or ".join(kinds) if kinds else None
        return d.Param(self.span(meta), "of", str(c[0]), kind, many, party, bool(words(c, "ON_MAP")))

    def entry_of(self, meta: Meta, c: Children) -> Part:
        if c[0] != "entry":
            hint = "Only an entry is of something: `e (an entry of tank)`."
            raise LayoutError(c[0], "E002", f"I did not expect `{c[0]} of` here.", hint)
        return Part("entry_of", f"entry of {c[1]}")

    def signature(self, meta: Meta, c: Children) -> d.Signature:
        params: list[d.Param] = []
        prep = "of"
        for child in c[1:]:
            if isinstance(child, Token):
                prep = str(child)
            else:
                params.append(attrs.evolve(child, prep=prep))
        return d.Signature(self.span(meta), str(c[0]), tuple(params))

    # ---- lines
    def on_the_line(self, meta: Meta, c: Children) -> Part:
        """A line behind the colon of another: what it cites is cited by the whole."""
        return Part("on_the_line", tuple(x for one in c for x in (one if isinstance(one, tuple) else (one,))))

    def line_meta(self, c: Children) -> dict[str, Any]:
        return {"cites": cites_of(c), **{k: v for k, v in line_parts(c).items() if k in {"label", "when", "because"}}}

    def let(self, meta: Meta, c: Children) -> ln.Let:
        return ln.Let(self.span(meta), str(c[0]), nodes_of(c)[0], **self.line_meta(c))

    def let_whether(self, meta: Meta, c: Children) -> ln.Let:
        return ln.Let(self.span(meta), str(c[0]), nodes_of(c)[0], True, **self.line_meta(c))

    def start_with(self, meta: Meta, c: Children) -> ln.StartWith:
        return ln.StartWith(self.span(meta), nodes_of(c)[0], **self.line_meta(c))

    def adjust(self, meta: Meta, c: Children) -> ln.Adjust:
        op, value = part(c, "adjust")
        rounding = value if isinstance(value, t.Direction) else None
        return ln.Adjust(self.span(meta), op, None if rounding else value, rounding, **self.line_meta(c))

    def adjust_word(self, meta: Meta, c: Children) -> Part:
        factor = {"halved": Fraction(1, 2), "doubled": Fraction(2), "quartered": Fraction(1, 4), "tripled": Fraction(3)}
        return Part("adjust", ("times", t.Literal(self.span(meta), "number", factor[str(c[0])])))

    times, divided, plus, minus = adjusts("times"), adjusts("divided"), adjusts("plus"), adjusts("minus")
    at_least, at_most, rounded = adjusts("at-least"), adjusts("at-most"), adjusts("rounded")
    moved_by, instead = adjusts("moved"), adjusts("instead")

    def case(self, meta: Meta, c: Children) -> ln.Case:
        return ln.Case(self.span(meta), nodes_of(c)[0], part(c, "shift"), **self.line_meta(c))

    def otherwise(self, meta: Meta, c: Children) -> ln.Case:
        return ln.Case(self.span(meta), nodes_of(c)[0], part(c, "shift"), True, **self.line_meta(c))

    def plain_lines(self, meta: Meta, c: Children) -> tuple[ln.Line, ...]:
        """What stands behind the heading of a value: `load of u / 5, rounded up` starts with the load."""
        first, *rest = c
        if rest and isinstance(rest[0], ln.Adjust) and first.when is None:
            first = ln.StartWith(first.span, first.value)
        return (first, *rest)

    def plain_case(self, meta: Meta, c: Children) -> ln.Case:
        return ln.Case(self.span(meta), c[0], **line_parts(c))

    def plain_otherwise(self, meta: Meta, c: Children) -> ln.Case:
        return ln.Case(self.span(meta), c[0], None, True)

    def plain_step(self, meta: Meta, c: Children) -> ln.Adjust:
        return self.adjust(meta, c)

    def plain_holds(self, meta: Meta, c: Children) -> ln.Holds:
        return ln.Holds(self.span(meta), when=c[0])

    def holds(self, meta: Meta, c: Children) -> ln.Holds:
        return ln.Holds(self.span(meta), **{**self.line_meta(c), "when": nodes_of(c)[0]})

    def when(self, meta: Meta, c: Children) -> ln.When:
        return ln.When(self.span(meta), "when", when=nodes_of(c)[0], body=body_of(c), cites=cites_of(c))

    def otherwise_when(self, meta: Meta, c: Children) -> ln.When:
        return ln.When(self.span(meta), "otherwise when", when=nodes_of(c)[0], body=body_of(c), cites=cites_of(c))

    def otherwise_block(self, meta: Meta, c: Children) -> ln.When:
        return ln.When(self.span(meta), "otherwise", body=body_of(c), cites=cites_of(c))

    def for_each(self, meta: Meta, c: Children) -> ln.ForEach:
        over = nodes_of(c)[0]
        return ln.ForEach(
            self.span(meta), str(c[0]), over, part(c, "role"), part(c, "order"), body=body_of(c), cites=cites_of(c)
        )

    def repeat(self, meta: Meta, c: Children) -> ln.Repeat:
        nodes = [n for n in nodes_of(c) if not isinstance(n, ln.Line)]
        return ln.Repeat(
            self.span(meta), nodes[0], nodes[1] if len(nodes) > 1 else None, body=body_of(c), cites=cites_of(c)
        )

    def simultaneously(self, meta: Meta, c: Children) -> ln.Simultaneously:
        return ln.Simultaneously(self.span(meta), body=body_of(c), cites=cites_of(c))

    def phase(self, meta: Meta, c: Children) -> Any:
        return self._passage(meta, c, step=False)

    def step(self, meta: Meta, c: Children) -> Any:
        return self._passage(meta, c, step=True)

    def _passage(self, meta: Meta, c: Children, *, step: bool) -> ln.Phase:
        """A phase or a step, perhaps with a title."""
        title = "".join(unquoted(w) for w in words(c, "STRING"))
        return ln.Phase(self.span(meta), str(c[0]), title, guards_of(c), step, body=body_of(c), cites=cites_of(c))

    def one_of(self, meta: Meta, c: Children) -> Part:
        return Part("choice", ln.Choice(self.span(meta), "one", c[0]))

    def some_of(self, meta: Meta, c: Children) -> Part:
        return Part("choice", ln.Choice(self.span(meta), "some", c[0]))

    def up_to(self, meta: Meta, c: Children) -> Part:
        return Part("choice", ln.Choice(self.span(meta), "up_to", c[1], c[0]))

    def exactly_of(self, meta: Meta, c: Children) -> Part:
        return Part("choice", ln.Choice(self.span(meta), "exactly", c[1], c[0]))

    def words_of(self, meta: Meta, c: Children) -> Part:
        return Part("choice", ln.Choice(self.span(meta), "words", words=tuple(nodes_of(c))))

    def number_up_to(self, meta: Meta, c: Children) -> Part:
        return Part("choice", ln.Choice(self.span(meta), "number", amount=c[0]))

    def number_from(self, meta: Meta, c: Children) -> Part:
        return Part("choice", ln.Choice(self.span(meta), "one", t.Numbers(self.span(meta), c[0], c[1])))

    def split_of(self, meta: Meta, c: Children) -> Part:
        return Part("choice", ln.Choice(self.span(meta), "split", c[1], c[0]))

    def choose(self, meta: Meta, c: Children) -> ln.Choose:
        return ln.Choose(
            self.span(meta), nodes_of(c)[0], words(c, "NAME")[0], part(c, "choice"), bool(words(c, "SECRETLY")),
            part(c, "such_that"), **self.line_meta(c),
        )  # fmt: skip

    def each_chooses(self, meta: Meta, c: Children) -> ln.EachChooses:
        names, nodes = words(c, "NAME"), nodes_of(c)
        return ln.EachChooses(
            self.span(meta), names[0], nodes[0] if nodes else None, names[1], part(c, "choice"), bool(words(c, "SECRETLY")),
            part(c, "such_that"), **self.line_meta(c),
        )  # fmt: skip

    def dice(self, meta: Meta, c: Children) -> Part:
        nodes, texts = nodes_of(c), words(c, "DICE")
        if not nodes:
            return Part("dice", ln.Dice(self.span(meta), t.Literal(self.span(meta), "dice", texts[0])))
        if not texts:
            return Part("dice", ln.Dice(self.span(meta), nodes[0]))
        return Part("dice", ln.Dice(self.span(meta), t.Literal(self.span(meta), "dice", texts[0]), nodes[0]))

    def rolls(self, meta: Meta, c: Children) -> ln.Rolls:
        return ln.Rolls(self.span(meta), nodes_of(c)[0], part(c, "dice"), words(c, "NAME")[0], **self.line_meta(c))

    def draws(self, meta: Meta, c: Children) -> ln.Draws:
        who, source = nodes_of(c)[:2]
        return ln.Draws(self.span(meta), who, source, words(c, "NAME")[0], **self.line_meta(c))

    def each_rolls(self, meta: Meta, c: Children) -> ln.EachRolls:
        names, nodes = words(c, "NAME"), nodes_of(c)
        return ln.EachRolls(
            self.span(meta), names[0], nodes[0] if nodes else None, part(c, "dice"), names[-1], **self.line_meta(c)
        )

    def may(self, meta: Meta, c: Children) -> ln.May:
        manner = words(c, "MANNER")
        return ln.May(
            self.span(meta), nodes_of(c)[0], tuple(words(c, "NAME")), manner[0] if manner else "alternately",
            **self.line_meta(c),
        )  # fmt: skip

    def becomes(self, meta: Meta, c: Children) -> ln.Becomes:
        text, filling = part(c, "written_text") or (None, ())
        target, *values = nodes_of(c)
        value = values[0] if text is None else text
        return ln.Becomes(self.span(meta), target, value, part(c, "until"), filling, **self.line_meta(c))

    def becomes_several(self, meta: Meta, c: Children) -> ln.Simultaneously:
        """`hits of u becomes 0, morale steady`: all at once, as they are told."""
        target, first = nodes_of(c)[:2]
        things = target.arg if isinstance(target, t.Of) else target
        others = [x.value for x in c if isinstance(x, Part) and x.slot == "further"]
        told = {k: v for k, v in self.line_meta(c).items() if k != "when"}
        until = part(c, "until")
        body = (
            ln.Becomes(self.span(meta), target, first, until, **told),
            *(ln.Becomes(span, t.Of(span, name, things), value, until, **told) for span, name, value in others),
        )
        return ln.Simultaneously(self.span(meta), body=body, cites=cites_of(c), when=part(c, "when"))

    def further(self, meta: Meta, c: Children) -> Part:
        return Part("further", (self.span(meta), str(c[0]), c[1]))

    def written_text(self, meta: Meta, c: Children) -> Part:
        text = t.Literal(self.span(meta), "text", unquoted(words(c, "STRING")[0]))
        return Part("written_text", (text, tuple(nodes_of(c))))

    def _gain(self, meta: Meta, c: Children, loses: bool) -> ln.Gains:
        target, amount = nodes_of(c)[:2]
        unit = words(c, "NAME")[0]
        return ln.Gains(self.span(meta), target, amount, unit, loses, part(c, "until"), **self.line_meta(c))

    def gains(self, meta: Meta, c: Children) -> Any:
        return self._gain(meta, c, False)

    def loses(self, meta: Meta, c: Children) -> Any:
        return self._gain(meta, c, True)

    def move(self, meta: Meta, c: Children) -> ln.Move:
        return ln.Move(self.span(meta), c[0], c[1], **self.line_meta(c))

    def move_off(self, meta: Meta, c: Children) -> ln.Move:
        return ln.Move(self.span(meta), c[0], None, **self.line_meta(c))

    def put_setting(self, meta: Meta, c: Children) -> Part:
        return Part("setting", (str(c[0]), c[1], _in_print(self.text[c[0].end_pos : meta.end_pos])))

    def put_named(self, meta: Meta, c: Children) -> Part:
        return Part("named", part(c, "named_text") or ("{}", (nodes_of(c)[0],)))

    def put_like(self, meta: Meta, c: Children) -> Part:
        return Part("like", c[0])

    def named_text(self, meta: Meta, c: Children) -> Part:
        return Part("named_text", (unquoted(words(c, "STRING")[0]), tuple(nodes_of(c))))

    def put(self, meta: Meta, c: Children) -> ln.Put:
        names, nodes = words(c, "NAME"), nodes_of(c)
        parts = [x.value for x in c if isinstance(x, Part) and x.slot == "setting"]
        settings = tuple((name, value) for name, value, _ in parts)
        written = tuple(text for _, _, text in parts)
        template = names[2] if len(names) > 2 else None
        where = nodes[0] if nodes else None
        naming, called = part(c, "named", (None, ()))
        return ln.Put(
            self.span(meta), names[0], names[1], template, settings, where, written, naming, called, part(c, "like"),
            **self.line_meta(c),
        )  # fmt: skip

    def remove(self, meta: Meta, c: Children) -> ln.Remove:
        return ln.Remove(self.span(meta), c[0], **self.line_meta(c))

    def reveal(self, meta: Meta, c: Children) -> ln.Reveal:
        return ln.Reveal(self.span(meta), c[0], c[1], **self.line_meta(c))

    def hide(self, meta: Meta, c: Children) -> ln.Reveal:
        return ln.Reveal(self.span(meta), c[0], c[1], True, **self.line_meta(c))

    def binding(self, meta: Meta, c: Children) -> Part:
        return Part("binding", (tuple(nodes_of(c)), words(c, "NAME")[-1]))

    def do(self, meta: Meta, c: Children) -> ln.Do:
        bindings = tuple(x.value for x in c if isinstance(x, Part) and x.slot == "binding")
        return ln.Do(self.span(meta), str(c[0]), bindings, **self.line_meta(c))

    def do_all(self, meta: Meta, c: Children) -> tuple[ln.Do, ...]:
        """`do bleed, rest, dig`: one after another, each a line of its own."""
        cites = cites_of(c)
        return tuple(ln.Do(x.value[0], x.value[1], (), cites=cites) for x in c if isinstance(x, Part))

    def done(self, meta: Meta, c: Children) -> Part:
        return Part("done", (self.span(meta), str(c[0])))

    def do_called(self, meta: Meta, c: Children) -> ln.Do:
        """`do hurt of p by 3`: called as its heading says, as values are."""
        first = nodes_of(c)[0]
        given = (("of", first), *(x.value for x in c if isinstance(x, Part) and x.slot == "arg"))
        return ln.Do(self.span(meta), str(c[0]), (), given, **self.line_meta(c))

    def stop(self, meta: Meta, c: Children) -> ln.Stop:
        names = words(c, "NAME")
        return ln.Stop(self.span(meta), names[0] if names else None, **self.line_meta(c))

    def tell(self, meta: Meta, c: Children) -> ln.Tell:
        nodes = nodes_of(c)
        return ln.Tell(
            self.span(meta), nodes[0], unquoted(words(c, "STRING")[0]), tuple(nodes[1:]), **self.line_meta(c)
        )

    def story(self, meta: Meta, c: Children) -> ln.Story:
        title = unquoted(words(c, "STRING")[0])
        return ln.Story(self.span(meta), title, tuple(nodes_of(c)), **self.line_meta(c))

    def related(self, meta: Meta, c: Children) -> Part:
        del meta
        names = words(c, "NAME")
        return Part("related", (nodes_of(c)[0], names[-1] if names else None))

    def relate(self, meta: Meta, c: Children) -> ln.Relate:
        parts = tuple(x.value for x in c if isinstance(x, Part) and x.slot == "related")
        return ln.Relate(self.span(meta), parts, **self.line_meta(c))

    def end_game(self, meta: Meta, c: Children) -> ln.EndGame:
        nodes = nodes_of(c)
        return ln.EndGame(self.span(meta), nodes[0] if nodes else None, **self.line_meta(c))

    end_game_line = end_game

    def lesson_hint(self, meta: Meta, c: Children) -> ln.Hint:
        return ln.Hint(self.span(meta), unquoted(words(c, "STRING")[0]), **self.line_meta(c))

    def given_by(self, meta: Meta, c: Children) -> ln.GivenBy:
        return ln.GivenBy(self.span(meta), c[0], **self.line_meta(c))

    def legal_from(self, meta: Meta, c: Children) -> ln.LegalFrom:
        before, after = [x.value for x in c if isinstance(x, Part) and x.slot == "terms"]
        return ln.LegalFrom(self.span(meta), before, after, **self.line_meta(c))

    def legal_when(self, meta: Meta, c: Children) -> ln.LegalWhen:
        return ln.LegalWhen(self.span(meta), nodes_of(c)[0], **self.line_meta(c))

    def refused(self, meta: Meta, c: Children) -> ln.Refused:
        return ln.Refused(self.span(meta), nodes_of(c)[0], **self.line_meta(c))

    def warned(self, meta: Meta, c: Children) -> ln.Warned:
        return ln.Warned(self.span(meta), nodes_of(c)[0], **self.line_meta(c))

    def reaching(self, meta: Meta, c: Children) -> ln.Reaching:
        names = words(c, "NAME")
        return ln.Reaching(self.span(meta), names[0], names[1], nodes_of(c)[0], **self.line_meta(c))

    def path_from(self, meta: Meta, c: Children) -> ln.PathFrom:
        return ln.PathFrom(self.span(meta), c[0], **self.line_meta(c))

    def path_budget(self, meta: Meta, c: Children) -> ln.PathBudget:
        return ln.PathBudget(self.span(meta), c[0], **self.line_meta(c))

    def leg_limit(self, meta: Meta, c: Children) -> Part:
        return Part("leg", ("limit", c[0]))

    def leg_along(self, meta: Meta, c: Children) -> Part:
        return Part("leg", ("along", str(c[0])))

    def leg_until(self, meta: Meta, c: Children) -> Part:
        return Part("leg", ("until", c[0]))

    def leg(self, meta: Meta, c: Children) -> ln.Leg:
        clauses = dict(x.value for x in c if isinstance(x, Part) and x.slot == "leg")
        return ln.Leg(self.span(meta), str(c[0]), **clauses, **self.line_meta(c))

    def _path_rule(self, meta: Meta, c: Children, kind: str) -> ln.PathRule:
        nodes = nodes_of(c)
        extra = self.line_meta(c)
        place = nodes[0]
        assert isinstance(place, d.Param)
        if kind == "costs":
            return ln.PathRule(self.span(meta), kind, place.name, place.kind, nodes[1], **extra)
        return ln.PathRule(self.span(meta), kind, place.name, place.kind, **{**extra, "when": nodes[1]})

    def never_into(self, meta: Meta, c: Children) -> Any:
        return self._path_rule(meta, c, "never")

    def entering(self, meta: Meta, c: Children) -> Any:
        return self._path_rule(meta, c, "costs")

    def halting(self, meta: Meta, c: Children) -> Any:
        return self._path_rule(meta, c, "halting")

    def start_exempt(self, meta: Meta, c: Children) -> ln.StartExempt:
        return ln.StartExempt(self.span(meta), words(c, "NAME")[0], **self.line_meta(c))

    def begins(self, meta: Meta, c: Children) -> ln.Begins:
        count = words(c, "NUMBER")[0]
        number = int(count) if count.isdigit() else 0
        unit = words(c, "NAME")[0]
        if number == 1 and unit in {"hour", "day", "week", "month"}:  # `1 week a turn`
            unit = f"{unit}s"
        return ln.Begins(self.span(meta), words(c, "DATE")[0], number, unit, **self.line_meta(c))

    scenario_begins = begins

    def on_map(self, meta: Meta, c: Children) -> ln.OnMap:
        return ln.OnMap(self.span(meta), tuple(words(c, "NAME")), **self.line_meta(c))

    def given(self, meta: Meta, c: Children) -> ln.Given:
        return ln.Given(self.span(meta), nodes_of(c)[0], **self.line_meta(c))

    def printed_text(self, meta: Meta, c: Children) -> Part:
        written = _in_print(self.text[meta.start_pos : meta.end_pos])
        return Part("printed", t.Literal(self.span(meta), "text", written))

    def _printed(self, meta: Meta, c: Children) -> t.IsTest:
        """`X is III/VIs`: what is printed on it, without quotes."""
        return t.IsTest(self.span(meta), nodes_of(c)[0], (part(c, "printed"),), bool(words(c, "NOT")))

    def given_printed(self, meta: Meta, c: Children) -> ln.Given:
        return ln.Given(self.span(meta), self._printed(meta, c), **self.line_meta(c))

    def then_printed(self, meta: Meta, c: Children) -> ln.Then:
        return ln.Then(self.span(meta), self._printed(meta, c), **self.line_meta(c))

    def then_are(self, meta: Meta, c: Children) -> ln.Then:
        """`then defenders are e, f`: the whole set."""
        subject, *items = nodes_of(c)
        whole = t.Tuple(items[0].span, tuple(items))
        test = t.IsTest(self.span(meta), subject, (whole,), bool(words(c, "NOT")))
        return ln.Then(self.span(meta), test, **self.line_meta(c))

    def dice_are(self, meta: Meta, c: Children) -> ln.DiceAre:
        return ln.DiceAre(self.span(meta), tuple(p.value for p in c if isinstance(p, Part)), **self.line_meta(c))

    def throw(self, meta: Meta, c: Children) -> Part:
        return Part("throw", tuple(int(Fraction(w)) for w in words(c, "NUMBER", "SIGNED")))

    def answer(self, meta: Meta, c: Children) -> ln.Answer:
        items: tuple[t.Node, ...] = part(c, "items", ())
        return ln.Answer(self.span(meta), str(c[0]), items, _opened(nodes_of(c)), **self.line_meta(c))

    def every_item(self, meta: Meta, c: Children) -> t.Name:
        return t.Name(self.span(meta), "all")

    def answer_items(self, meta: Meta, c: Children) -> Part:
        return Part("items", _opened(nodes_of(c)))

    def command(self, meta: Meta, c: Children) -> Part:
        return Part("command", " ".join(self.text[meta.start_pos : meta.end_pos].split()))

    def command_arg(self, meta: Meta, c: Children) -> Part:
        return Part("command_arg", None)

    def command_via(self, meta: Meta, c: Children) -> Part:
        return Part("command_via", None)

    def orders_line(self, meta: Meta, c: Children) -> ln.Orders:
        return ln.Orders(self.span(meta), str(c[0]), part(c, "command"), **self.line_meta(c))

    def then_may(self, meta: Meta, c: Children) -> ln.ThenMay:
        return ln.ThenMay(self.span(meta), str(c[0]), part(c, "command"), **self.line_meta(c))

    def then_may_not(self, meta: Meta, c: Children) -> ln.ThenMay:
        return ln.ThenMay(self.span(meta), str(c[0]), part(c, "command"), True, **self.line_meta(c))

    def then_may_answer(self, meta: Meta, c: Children) -> ln.ThenMayAnswer:
        names = words(c, "NAME")
        items: tuple[t.Node, ...] = part(c, "items", ())
        return ln.ThenMayAnswer(
            self.span(meta), names[0], names[1], items, _opened(nodes_of(c)), bool(words(c, "NOT")), **self.line_meta(c)
        )

    def then_knows(self, meta: Meta, c: Children, negated: bool = False) -> ln.ThenKnows:
        whole: t.Node | None = part(c, "whole")
        what = whole if whole is not None else nodes_of(c)[0]
        return ln.ThenKnows(self.span(meta), str(c[0]), what, whole is not None, negated, **self.line_meta(c))

    def then_told(self, meta: Meta, c: Children) -> ln.ThenTold:
        texts = tuple(map(unquoted, words(c, "STRING")))
        return ln.ThenTold(self.span(meta), words(c, "NAME")[0], texts, **self.line_meta(c))

    def then_begins(self, meta: Meta, c: Children) -> ln.ThenBegins:
        switch, why = part(c, "warning", ("", None))
        told = {**self.line_meta(c), **({"because": why} if why else {})}
        return ln.ThenBegins(self.span(meta), bool(words(c, "NOT")), switch, **told)

    def warning(self, meta: Meta, c: Children) -> Part:
        return Part("warning", (str(c[0]), part(c, "because")))

    def then_over(self, meta: Meta, c: Children) -> ln.ThenOver:
        return ln.ThenOver(self.span(meta), "", bool(words(c, "NOT")), **self.line_meta(c))

    def then_won(self, meta: Meta, c: Children) -> ln.ThenOver:
        return ln.ThenOver(self.span(meta), words(c, "NAME")[0], **self.line_meta(c))

    def then_knows_not(self, meta: Meta, c: Children) -> Any:
        return self.then_knows(meta, c, True)

    def known_of(self, meta: Meta, c: Children) -> Part:
        return Part("whole", nodes_of(c)[0])

    def then(self, meta: Meta, c: Children) -> ln.Then:
        return ln.Then(self.span(meta), nodes_of(c)[0], **self.line_meta(c))

    def with_block(self, meta: Meta, c: Children) -> ln.WithBlock:
        return ln.WithBlock(self.span(meta), str(c[0]), part(c, "names"), body=body_of(c), cites=cites_of(c))

    def set_block(self, meta: Meta, c: Children) -> ln.WithBlock:
        term = next(n for n in nodes_of(c) if not isinstance(n, ln.Line))
        return ln.WithBlock(self.span(meta), "set", (), str(c[0]), term, body=body_of(c), cites=cites_of(c))


def _opened(nodes: Iterable[t.Node]) -> tuple[t.Node, ...]:
    """Things of an answer one by one, also where they are named in brackets."""
    return tuple(one for node in nodes for one in (node.items if isinstance(node, t.Tuple) else (node,)))
