"""Binding places of several kinds: which kind a word means, and the places in, next to and between others."""

from __future__ import annotations

from dsl import ir
from dsl.binding.context import Binder
from dsl.binding.scope import Scope
from dsl.data.maps import numbered_kinds
from dsl.ir import ERROR, E, Type, enum, set_of, thing
from dsl.rules.ruleset import PLACE
from dsl.syntax import syntax_tree as t
from dsl.text.phrases import an
from dsl.text.source import Span


def named_place(b: Binder, label: str, want: Type | None, span: Span, *, number: bool) -> E | None:
    """The place that a label names. number: whether it can only be a place; otherwise None if no map has it."""
    kinds = numbered_kinds(b.ruleset, label, b.here)
    if not kinds and not number:
        return None
    if want is not None and want.name == "thing" and want.word in kinds:
        kinds = [want.word]
    if not kinds and not usual_kind(b):
        return no_kind_of_place(b, span)
    if len(kinds) > 1:
        return b.problem(
            "E203", f"`{label}` is ambiguous: it is {' and '.join(map(an, kinds))}.", span,
            hint="Number the places of one map differently: `numbered A-0101`.", word=label,
        )  # fmt: skip
    return ir.PlaceNamed(label, type=thing(kinds[0] if kinds else usual_kind(b)), span=span)


def usual_kind(b: Binder) -> str:
    """The kind of place of a number that no map has: the first kind on a grid."""
    kinds = [b.ruleset.kinds[k] for k in b.ruleset.place_kinds()]
    return next((k.name for k in kinds if k.node and k.node.grid), kinds[0].name if kinds else "")


def no_kind_of_place(b: Binder, span: Span) -> E:
    """Reports a place in a text that declares no kind of place."""
    return b.problem(
        "E103",
        "A place is needed here, but no kind of place is declared.",
        span,
        "Declare one: place hex, on hex grid:",
    )


def place_property(b: Binder, word: str, arg: E, span: Span) -> E | None:
    """`place of u`, `ophex of u`, `hexes of o`, `border of`, `sectors of b`: the place properties of a thing or place."""
    ruleset = b.ruleset
    if word == "place":
        return _where_it_stands(b, arg, span) if ruleset.place_kinds() else no_kind_of_place(b, span)
    if word in ruleset.place_kinds():
        return _place_around(b, word, arg, span)
    return _of_a_place(b, word, arg, span) if ruleset.is_place(arg.type) else None


def _where_it_stands(b: Binder, arg: E, span: Span) -> E:
    """The place of a thing; for a place, the place itself."""
    if b.ruleset.is_place(arg.type):
        return arg
    ground = thing(b.ruleset.ground(arg.type.word))
    return ir.PlaceOf(arg, type=ground.maybe() if arg.type.optional else ground, span=span)


def _place_around(b: Binder, word: str, arg: E, span: Span) -> E | None:
    """The place of a kind that a thing is in, or that contains its place; None if this is never possible."""
    ruleset = b.ruleset
    grounds = ruleset.grounds(arg.type.word)
    if all(word != g and word not in ruleset.around(g) for g in grounds):
        return None
    if len(grounds) > 1:
        return ir.StandingIn(arg, word, type=thing(word).maybe(), span=span)
    stands = thing(grounds[0]).maybe() if arg.type.optional else thing(grounds[0])
    here = arg if ruleset.is_place(arg.type) else ir.PlaceOf(arg, type=stands, span=span)
    whole = thing(word).maybe() if here.type.optional else thing(word)
    return here if word == grounds[0] else ir.HolderOf(here, word, type=whole, span=span)


def _of_a_place(b: Binder, word: str, arg: E, span: Span) -> E | None:
    """Properties of places: what is at, beside and between them, and their numbers on the grid."""
    ruleset, kind = b.ruleset, arg.type.word
    many = ruleset.plurals.get(word, "")
    if many and ruleset.is_place(thing(many)):
        if ruleset.kinds[kind].between == many:
            return ir.EndsOf(arg, type=set_of(thing(many)), span=span)
        if ruleset.kinds[many].between == kind:
            return ir.PlacesBetween(many, arg, type=set_of(thing(many)), span=span)
    if word == "neighbours":
        return ir.PlacesNear("next", arg, None, type=set_of(arg.type), span=span)
    if word in {"column", "row"} and kind != PLACE and (node := ruleset.kinds[kind].node) is not None and node.grid:
        return ir.GridNumber(arg, word, span=span)
    return None


def from_to(b: Binder, word: str, args: dict[str, t.Node], scope: Scope, span: Span) -> E | None:
    """`distance`, `bearing`, `direction`, or a link or place between neighbours, `from a to b`; None for any other word."""
    links = b.ruleset.links()
    between = word in b.ruleset.kinds and b.ruleset.kinds[word].between
    if word not in {"distance", "bearing", "direction"} and word not in links and not between:
        return None
    ends = []
    for node in (args["from"], args["to"]):
        value = b.expr(node, scope)
        if value is ERROR:
            return ERROR
        if value.type.name != "thing" or value.type.word == "side":
            return b.problem("E201", f"`{word}` needs two things or places, but this is {value.type}.", node.span)
        measured = word not in links and not between
        ends.append(b.needs(value, value.type.sure(), node.span) if measured else value)
    if ERROR in ends or on_two_maps(b, ends[0], ends[1], span):
        return ERROR
    if word in links:
        b.used.add(f"link {word}")
        if links[word]:
            return ir.LinkFrom(word, *ends, type=enum(links[word]).maybe(), span=span)
        return ir.Linked(word, *ends, span=span)
    if between:
        return ir.PlaceBetween(word, *ends, type=thing(word).maybe(), span=span)
    measure = {"distance": ir.Distance, "bearing": ir.Bearing, "direction": ir.Direction}[word]
    return measure(ends[0], ends[1], span=span)


def on_two_maps(b: Binder, one: E, other: E, span: Span) -> bool:
    """Reports two things that can never be in places of the same kind."""
    first, second = b.ruleset.grounds(one.type.word), b.ruleset.grounds(other.type.word)
    if not first or not second or set(first) & set(second):
        return False
    hint = ""
    for kind, ground in ((first[0], second[0]), (second[0], first[0])):
        if ground in b.ruleset.around(kind):
            hint = f"Use its {ground}: `{ground} of …`."
    b.problem("E338", f"These are places of different maps: {first[0]} and {second[0]}.", span, hint)
    return True


def places_near(b: Binder, base: E, near: str, arg: E, amount: E | None, span: Span) -> E:
    """`hexes next to h`, `hexes in o`: places filtered by place."""
    inner = base.type.of
    of = arg.type.of if arg.type.name == "set" else arg.type
    assert inner is not None
    assert of is not None
    found = ir.PlacesNear(near, arg, amount, type=base.type, span=span)
    if of.name != "thing" or inner.word == PLACE:
        return found
    grounds = b.ruleset.grounds(of.word)
    if near == "in" and all(inner.word != g and inner.word in _parts(b, g) for g in grounds):
        here = ir.PlacesNear("in", arg, None, type=set_of(thing(grounds[0])), span=span)
        variable = b.fresh()
        each = ir.Local(variable, type=thing(grounds[0]))
        return ir.MapOver(here, variable, ir.Members(each, inner.word, type=base.type), True, type=base.type, span=span)
    if inner.word not in grounds:
        hint = f"Use its {inner.word}: `{inner.word} of …`." if inner.word in b.ruleset.around(grounds[0]) else ""
        return b.problem("E338", f"These are places of different maps: {grounds[0]} and {inner.word}.", span, hint)
    return found if len(grounds) == 1 else ir.OfKind(found, inner.word, type=base.type, span=span)


def _parts(b: Binder, kind: str) -> list[str]:
    """The kinds of place that are contained in places of a kind."""
    return [k for k in b.ruleset.place_kinds() if kind in b.ruleset.around(k)]
