"""Binding single words and lists of them: numbers, names, places, dice, `own tanks`, `(a, b)`."""

from __future__ import annotations

from fractions import Fraction

import attrs

from dsl import ir
from dsl.binding.absent import set_of_these
from dsl.binding.call_values import call_value
from dsl.binding.context import Binder, expresses
from dsl.binding.dice_written import dice_literal, many_dice
from dsl.binding.fitting import SEVERAL
from dsl.binding.places_named import named_place
from dsl.binding.said_words import NONES
from dsl.binding.scope import Scope
from dsl.binding.scoping import campaign_field, kind_listing, scoped, set_elsewhere, set_later
from dsl.data.dates import PARTS
from dsl.ir import DICE, MARK, NOTHING, NUMBER, TEXT, E, Type, enum, set_of, thing
from dsl.rules.dice_values import WRITTEN
from dsl.rules.entries import entries_of
from dsl.rules.kind_groups import joined
from dsl.rules.made_names import kind_of_made
from dsl.syntax import syntax_tree as t
from dsl.syntax.habits import roll_of
from dsl.text.diagnostics import did_you_mean
from dsl.text.phrases import an
from dsl.text.source import Span


def _plain(number: Fraction) -> int | Fraction:
    return number.numerator if number.denominator == 1 else number


EMPTY = "For an empty list, write `nobody`."
"""The hint for `none` where several enums have such a word."""


@expresses(t.ManyDice)
def several_dice(b: Binder, node: t.ManyDice, scope: Scope, want: Type | None) -> E:
    """`(n) d6`."""
    return many_dice(b, node, scope)


@expresses(t.Literal)
def literal(b: Binder, node: t.Literal, scope: Scope, want: Type | None) -> E:
    """A number, a place by its number, odds, dice, a text."""
    want, word, span = want.each if want is not None else None, str(node.value), node.span
    if want is not None and want.name == "enum":
        info = b.ruleset.enums.get(want.word)
        if info is not None and word in info.words:
            return ir.Constant(word, type=enum(want.word), span=span)
    match node.kind:
        case "number" | "percent":
            assert isinstance(node.value, Fraction)
            return ir.Constant(_plain(node.value), type=NUMBER, span=span)
        case "odds":
            return _odds_written(b, word, want, span)
        case "place" if want is not None and want.name == "number":
            return ir.Constant(int(word), type=NUMBER, span=span)
        case "place":
            found = named_place(b, word, want, span, number=True)
            assert found is not None
            return found
        case "dice":
            return dice_literal(b, word, span)
    return ir.Constant(node.value, type=TEXT, span=span)


def _odds_written(b: Binder, word: str, want: Type | None, span: Span) -> E:
    """`3:1`: the word of the only enum that has it, else the number."""
    homes = b.ruleset.terms.get(word, [])
    if len(homes) == 1 and (want is None or want.name != "number"):
        return ir.Constant(word, type=enum(homes[0]), span=span)
    left, right = word.split(":")
    return ir.Constant(_plain(Fraction(left) / Fraction(right)), type=NUMBER, span=span)


@attrs.frozen(slots=True, eq=False)
class _Word:
    """A single word, and the type in which it is looked up first (for a set, that of its members)."""

    text: str
    span: Span
    scope: Scope
    want: Type | None


@expresses(t.Name)
def bare_name(b: Binder, node: t.Name, scope: Scope, want: Type | None) -> E:
    """A single word: first a name of the surrounding text, then one of the rules. The first meaning found is used."""
    word = _Word(node.word, node.span, scope, want.each if want is not None else None)
    for meaning in _MEANINGS:
        found = meaning(b, word)
        if found is not None:
            return found
    return _unknown(b, word)


def _of_wanted_type(b: Binder, word: _Word) -> E | None:
    """A word of the expected enum, or an entry of the expected kind."""
    want = word.want
    if want is not None and want.name == "enum" and word.text in b.ruleset.enums[want.word].words:
        return ir.Constant(word.text, type=enum(want.word), span=word.span)
    if want is not None and want.name == "entry" and word.text in entries_of(b.ruleset, want.word):
        return ir.Constant(word.text, type=want.sure(), span=word.span)
    return None


def _named_around(b: Binder, word: _Word) -> E | None:
    """A name of the surrounding text."""
    return scoped(b, word.text, word.scope)


def _dice(b: Binder, word: _Word) -> E | None:
    """Dice such as `d6`, where dice are allowed."""
    thrown = word.scope.thrown is not None or word.want == DICE
    return dice_literal(b, word.text, word.span) if thrown and WRITTEN.fullmatch(word.text) else None


def _word_of_language(b: Binder, word: _Word) -> E | None:
    """A reserved word: `yes`, `active`, `turn`; in a path `previous` and `entered`."""
    match word.text:
        case "yes" | "no":
            return ir.Constant(word.text == "yes", type=MARK, span=word.span)
        case "active":
            return ir.Active(span=word.span)
        case "turn":
            return ir.Turn(span=word.span)
        case "previous" if word.scope.way:
            return word.scope.way[0]
        case "entered" if word.scope.way:
            return word.scope.way[1]
    return None


def _of_campaign(b: Binder, word: _Word) -> E | None:
    """A field of the campaign."""
    return campaign_field(b, word.text)


def _option(b: Binder, word: _Word) -> E | None:
    """The choice of an option; a number if all its words are numbers."""
    option = b.ruleset.options.get(word.text)
    if option is None:
        return None
    b.used.add(f"option {word.text}")
    numbers = all(term.isdigit() for term in option.terms)
    read_as = NUMBER if numbers else Type("enum", f"option {word.text}")
    return ir.OptionRead(word.text, option.terms, type=read_as, span=word.span)


def _value_of_nothing(b: Binder, word: _Word) -> E | None:
    """A value or status without arguments."""
    declared = b.ruleset.bodied.get(word.text)
    if declared is None or declared.word not in {"value", "status"}:
        return None
    return call_value(b, word.text, [], word.scope, word.span)


def _all_of_kind(b: Binder, word: _Word) -> E | None:
    """The plural of a kind: all things of it."""
    kind = b.ruleset.plurals.get(word.text)
    return ir.AllOf(kind, "", None, type=set_of(thing(kind)), span=word.span) if kind else None


def _word_of_enum(b: Binder, word: _Word) -> E | None:
    """A word of exactly one enum."""
    homes = b.ruleset.terms.get(word.text, [])
    if len(homes) > 1:
        message = f"`{word.text}` is ambiguous: it is a word of {' and of '.join(homes)}."
        return b.problem("E203", message, word.span, EMPTY if word.text in NONES else "")
    return ir.Constant(word.text, type=enum(homes[0]), span=word.span) if homes else None


def _nothing(b: Binder, word: _Word) -> E | None:
    """`none` and similar words, if no enum has such a word."""
    if word.text not in {"none", "nothing", "nobody", "absent"}:
        return None
    return ir.Constant(None, type=NOTHING, span=word.span)


def _entry(b: Binder, word: _Word) -> E | None:
    """An entry of a unit list."""
    kind = kind_listing(b, word.text)
    return ir.Constant(word.text, type=Type("entry", kind), span=word.span) if kind else None


def _calendar(b: Binder, word: _Word) -> E | None:
    """The running phase, and the parts of the date."""
    if word.text == "phase":
        return ir.PhaseNow(span=word.span)
    if word.text in PARTS:
        return ir.Calendar(word.text, type=TEXT if word.text == "date" else NUMBER, span=word.span)
    return None


def _place(b: Binder, word: _Word) -> E | None:
    """A place by its name on the map."""
    return named_place(b, word.text, word.want, word.span, number=False)


def _thing_to_come(b: Binder, word: _Word) -> E | None:
    """In examples: a thing that rules place later, by the name that they give it."""
    kind = kind_of_made(b.names_made(), word.text) if word.scope.any_frame and word.scope.to_come else ""
    return ir.ThingMade(word.text, type=thing(kind), span=word.span) if kind else None


def _unknown(b: Binder, word: _Word) -> E:
    """Reports an unknown word, with a similar word or the correct form as a hint."""
    text, want, scope = word.text, word.want, word.scope
    if want is not None and want.name == "entry" and (near := did_you_mean(text, entries_of(b.ruleset, want.word))):
        return b.problem("E200", f"No unit list has {an(want.word)} named {text}.", word.span, near)
    named = set(scope.names) | {n for r, _ in scope.frames for n in r.frame}
    known = (named - scope.unsaid) | b.ruleset.all_names()
    chosen = any(r.frame[text].name == "map" for r, _ in scope.frames if text in r.frame)
    hint = f"It is chosen or rolled for each of several things. Say for which one: `{text} of …`." if chosen else ""
    hint = "To check for a step, write `phase is NAME`." if text == "step" else hint
    hint = roll_of("1d6") if text in {"roll", "throw"} else hint
    if text and text == b.ruleset.campaign_kind:
        hint = f"There is only one: its fields are written alone, without `of`{_alone(b)}."
    hint = hint or set_later(b, text, scope) or set_elsewhere(b, text) or did_you_mean(text, known - {text})
    return b.problem("E200", f"Unknown name `{text}`.", word.span, hint=hint)


def _alone(b: Binder) -> str:
    """How a field of the campaign is written: a mark if it has one."""
    fields = b.ruleset.kinds[b.ruleset.campaign_kind].fields
    if mark := next((name for name, field in fields.items() if field.type is MARK), ""):
        return f", as in `{mark} becomes yes` and `when {mark} is yes`"
    first = next(iter(fields), "")
    return f", as in `{first} becomes …`" if first else ""


_MEANINGS = (
    _of_wanted_type, _named_around, _dice, _word_of_language, _of_campaign, _option, _value_of_nothing, _all_of_kind,
    _word_of_enum, _nothing, _entry, _calendar, _place, _thing_to_come,
)  # fmt: skip
"""The possible meanings of a single word, in the order in which they are tried. A meaning that does not apply returns None."""


@expresses(t.Relative)
def relative(b: Binder, node: t.Relative, scope: Scope, want: Type | None) -> E:
    """`own tanks`, `enemy tanks`, `all tanks`."""
    kind = b.ruleset.plurals.get(node.word) or (node.word if node.word in b.ruleset.kinds else "")
    if not kind:
        hint = did_you_mean(node.word, b.ruleset.plurals)
        return b.problem(
            "E200",
            f"Unknown name `{node.word}`: the plural of a kind must follow `{node.which}`.",
            node.span,
            hint,
        )
    if node.which == "all":
        return ir.AllOf(kind, "", None, type=set_of(thing(kind)), span=node.span)
    assert scope.whose is not None
    whose = {"own": "own", "friendly": "own", "enemy": "enemy", "other": "enemy"}[node.which]
    return ir.AllOf(kind, whose, scope.whose, type=set_of(thing(kind)), span=node.span)


@expresses(t.It)
def it_itself(b: Binder, node: t.It, scope: Scope, want: Type | None) -> E:
    """`it`, inside `(where …)`."""
    if scope.it is None:
        return b.problem("E207", "`it` has no meaning here. It can be used only inside `(where …)`.", node.span)
    return scope.it


@expresses(t.Tuple)
def listed(b: Binder, node: t.Tuple, scope: Scope, want: Type | None) -> E:
    """`(a, b)`: several things, or brackets that only group."""
    items = tuple(b.expr(i, scope, want.of if want and want.name == "set" else want) for i in node.items)
    if len(items) == 1 and (items[0].type.name != "thing" or want is not SEVERAL):
        return items[0]  # brackets that only group
    first = next((i.type for i in items if i.type.name != "nothing"), NOTHING)
    for item, source in zip(items, node.items, strict=True):
        taken = item.type.name == "nothing" or (common := joined(b.ruleset, first, item.type)) is None
        if item.type.name != "nothing" and taken:
            return b.problem("E201", f"This is {item.type}, but the list holds {first}.", source.span)
        if not taken and common is not None:
            first = common
    return set_of_these(b, items, set_of(first), node.span)
