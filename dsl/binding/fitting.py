"""Which types fit where another type is expected."""

from __future__ import annotations

from dsl.ir import Type, set_of
from dsl.rules.ruleset import PLACE, Ruleset

SEVERAL = set_of(None)
"""The expected type where things are summed, counted or iterated over."""


def looked_for(type_: Type) -> Type | None:
    """The type in which words are looked up first where a value of a type is expected; None if they mean what they mean anywhere."""
    one = type_.of if type_.name == "set" and type_.of else type_
    return type_ if one.name in {"enum", "number", "entry", "dice"} else None


def type_name(type_: Type) -> str:
    """The name of a type without its article: `stance`, `list of tanks`."""
    return str(type_).removeprefix("a ").removeprefix("an ")


def suits(ruleset: Ruleset, value: Type, wanted: Type) -> bool:
    """Whether a value of one type is accepted where another is expected: any place for `a place`."""
    if value.same(wanted):
        return True
    if value.name == "set" and wanted.name == "set":
        return value.of is None or wanted.of is None or suits(ruleset, value.of, wanted.of)
    if wanted.name != "thing" or value.name != "thing":
        return False
    if wanted.word == PLACE:
        return ruleset.is_place(value)
    return ruleset.kinds[wanted.word].word == "group" and set(ruleset.sorts(value.word)) <= set(
        ruleset.sorts(wanted.word)
    )


def alike(ruleset: Ruleset, one: Type, other: Type) -> bool:
    """Whether values of two types can be equal."""
    if suits(ruleset, one, other) or suits(ruleset, other, one):
        return True
    if one.name == "set" and other.name == "set" and one.of is not None and other.of is not None:
        return alike(ruleset, one.of, other.of)
    both = one.name == "thing" and other.name == "thing"
    return both and not set(ruleset.sorts(one.word)).isdisjoint(ruleset.sorts(other.word))
