"""Binding single words and what they are lists of: numbers, names, places, dice, `own tanks`, `(a, b)`."""

from __future__ import annotations

from fractions import Fraction

from dsl import ir
from dsl.binding.absent import set_of_these
from dsl.binding.calls import call_value
from dsl.binding.context import Binder, expresses
from dsl.binding.dice_written import dice_literal, many_dice
from dsl.binding.fitting import SEVERAL
from dsl.binding.places_named import named_place
from dsl.binding.said_words import NONES
from dsl.binding.scope import Scope
from dsl.binding.scoping import campaign_field, kind_listing, scoped, set_elsewhere
from dsl.data.dates import PARTS
from dsl.ir import DICE, MARK, NOTHING, NUMBER, TEXT, E, Type, enum, set_of, thing
from dsl.rules.dice_values import WRITTEN
from dsl.rules.entries import entries_of
from dsl.rules.kind_groups import joined
from dsl.rules.made_names import kind_of_made
from dsl.syntax import tree as t
from dsl.text.diagnostics import an, did_you_mean


def _plain(number: Fraction) -> int | Fraction:
    return number.numerator if number.denominator == 1 else number


EMPTY = "Where the empty set is meant, write `nobody`."
"""What to do about a `none` that is a word of several enums."""


@expresses(t.ManyDice)
def several_dice(b: Binder, node: t.ManyDice, scope: Scope, want: Type | None) -> E:
    """`(n) d6`."""
    return many_dice(b, node, scope)


@expresses(t.Literal)
def literal(b: Binder, node: t.Literal, scope: Scope, want: Type | None) -> E:
    """A number, a place by its number, odds, dice, a text."""
    if want is not None and want.name == "set":
        want = want.of
    if want is not None and want.name == "enum":
        info = b.ruleset.enums.get(want.word)
        word = str(node.value)
        if info is not None and word in info.words:
            return ir.Constant(word, type=enum(want.word), span=node.span)
    if node.kind in {"number", "percent"}:
        assert isinstance(node.value, Fraction)
        return ir.Constant(_plain(node.value), type=NUMBER, span=node.span)
    if node.kind == "odds":
        homes = b.ruleset.terms.get(str(node.value), [])
        if len(homes) == 1 and (want is None or want.name != "number"):
            return ir.Constant(str(node.value), type=enum(homes[0]), span=node.span)
        left, right = str(node.value).split(":")
        return ir.Constant(_plain(Fraction(left) / Fraction(right)), type=NUMBER, span=node.span)
    if node.kind == "place" and want is not None and want.name == "number":
        return ir.Constant(int(str(node.value)), type=NUMBER, span=node.span)
    if node.kind == "dice":
        return dice_literal(b, str(node.value), node.span)
    if node.kind == "place":
        found = named_place(b, str(node.value), want, node.span, number=True)
        assert found is not None
        return found
    return ir.Constant(node.value, type=TEXT, span=node.span)


@expresses(t.Name)
def bare_name(b: Binder, node: t.Name, scope: Scope, want: Type | None) -> E:
    """A word by itself: what it is called in the text around it, else in the rules."""
    word, span = node.word, node.span
    if want is not None and want.name == "set":
        want = want.of
    if want is not None and want.name == "enum" and word in b.ruleset.enums[want.word].words:
        return ir.Constant(word, type=enum(want.word), span=span)
    if want is not None and want.name == "entry" and word in entries_of(b.ruleset, want.word):
        return ir.Constant(word, type=want.sure(), span=span)
    found = scoped(b, word, scope)
    if found is not None:
        return found
    if WRITTEN.fullmatch(word) and (scope.thrown is not None or want == DICE):
        return dice_literal(b, word, span)
    if word in {"yes", "no"}:
        return ir.Constant(word == "yes", type=MARK, span=span)
    if word == "active":
        return ir.Active(span=span)
    if word == "turn":
        return ir.Turn(span=span)
    if word in {"previous", "entered"} and scope.way:
        return scope.way[0 if word == "previous" else 1]
    field = campaign_field(b, word)
    if field is not None:
        return field
    if word in b.ruleset.options:
        option = b.ruleset.options[word]
        b.used.add(f"option {word}")
        numbers = all(term.isdigit() for term in option.terms)
        read_as = NUMBER if numbers else Type("enum", f"option {word}")
        return ir.OptionRead(word, option.terms, type=read_as, span=span)
    if word in b.ruleset.bodied and b.ruleset.bodied[word].word in {"value", "status"}:
        return call_value(b, word, [], scope, span)
    if b.ruleset.plurals.get(word):
        kind = b.ruleset.plurals[word]
        return ir.AllOf(kind, "", None, type=set_of(thing(kind)), span=span)
    homes = b.ruleset.terms.get(word, [])
    if len(homes) == 1:
        return ir.Constant(word, type=enum(homes[0]), span=span)
    if len(homes) > 1:
        message = f"`{word}` is a word of {' and of '.join(homes)}: it is not clear which is meant."
        return b.problem("E203", message, span, EMPTY if word in NONES else "")
    if word in {"none", "nothing", "nobody", "absent"}:
        return ir.Constant(None, type=NOTHING, span=span)
    template = kind_listing(b, word)
    if template:
        return ir.Constant(word, type=Type("entry", template), span=span)
    if word == "phase":
        return ir.PhaseNow(span=span)
    if word in PARTS:
        return ir.Calendar(word, type=TEXT if word == "date" else NUMBER, span=span)
    place = named_place(b, word, want, span, number=False)
    if place is not None:
        return place
    kind = kind_of_made(b.names_made(), word) if scope.any_frame and scope.to_come else ""
    if kind:
        return ir.ThingMade(word, type=thing(kind), span=span)
    if want is not None and want.name == "entry" and (near := did_you_mean(word, entries_of(b.ruleset, want.word))):
        return b.problem("E200", f"No list gives {an(want.word)} called {word}.", span, near)
    known = set(scope.names) | b.ruleset.all_names() | {n for r, _ in scope.frames for n in r.frame}
    chosen = any(r.frame[word].name == "map" for r, _ in scope.frames if word in r.frame)
    hint = f"It is chosen or rolled for each of several: say of which, `{word} of …`." if chosen else ""
    hint = "`phase is NAME` asks for a step as well." if word == "step" else hint
    hint = hint or set_elsewhere(b, word) or did_you_mean(word, known - {word})
    return b.problem("E200", f"I do not know `{word}`.", span, hint=hint)


@expresses(t.Relative)
def relative(b: Binder, node: t.Relative, scope: Scope, want: Type | None) -> E:
    """`own tanks`, `enemy tanks`, `all tanks`."""
    kind = b.ruleset.plurals.get(node.word) or (node.word if node.word in b.ruleset.kinds else "")
    if not kind:
        hint = did_you_mean(node.word, b.ruleset.plurals)
        return b.problem(
            "E200",
            f"I do not know `{node.word}`: after `{node.which}` comes the plural of a kind.",
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
        return b.problem("E207", "`it` has nothing to speak of here: it stands inside `(where …)`.", node.span)
    return scope.it


@expresses(t.Tuple)
def listed(b: Binder, node: t.Tuple, scope: Scope, want: Type | None) -> E:
    """`(a, b)`: several things, or brackets that only hold together."""
    items = tuple(b.expr(i, scope, want.of if want and want.name == "set" else want) for i in node.items)
    if len(items) == 1 and (items[0].type.name != "thing" or want is not SEVERAL):
        return items[0]  # brackets that only hold together
    first = next((i.type for i in items if i.type.name != "nothing"), NOTHING)
    for item, source in zip(items, node.items, strict=True):
        taken = item.type.name == "nothing" or (common := joined(b.ruleset, first, item.type)) is None
        if item.type.name != "nothing" and taken:
            return b.problem("E201", f"This is {item.type}, but the list holds {first}.", source.span)
        if not taken and common is not None:
            first = common
    return set_of_these(b, items, set_of(first), node.span)
