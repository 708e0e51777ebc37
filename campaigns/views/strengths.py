"""The number on a thing's counter and its strength, read from what a viewer may see of it."""

import re

from dsl.text.shown import COUNTER_SHOWS
from interpreter.messages.view import ThingView

__all__ = ["has_hidden_strength", "is_strength", "number_field", "number_of", "strength_of"]

LEADING = re.compile(r"\d+(?!\d|st|nd|rd|th)")
"""A number at the start of a text, but not that of `2nd Rifles`."""

STRENGTHS = ("steps", "men", "combat")
"""Fields for strength, besides all with `strength` in their name."""


def is_strength(field: str) -> bool:
    """Whether a field is one for strength, by its name."""
    return "strength" in field or field in STRENGTHS


def strength_of(thing: ThingView) -> str:
    """The strength of a thing, as digits: the first number in a field for strength; empty if there is none."""
    return _leading(thing, _strength_field(thing))


def has_hidden_strength(thing: ThingView) -> bool:
    """Whether a thing shows no strength, but has a field for it that the viewer may not see."""
    return not strength_of(thing) and any(is_strength(name) and name not in thing.fields for name in thing.unknown)


def number_field(thing: ThingView) -> str:
    """The text with the number on a thing's counter: the rules' own value, its strength, or for a unit its first number except 0; or empty."""
    if thing.counter:
        return COUNTER_SHOWS
    printed = thing.fields.items() if thing.word == "unit" else ()
    others = (name for name, value in printed if value != "0" and name not in thing.pointing)  # 0306 is not a number
    return _strength_field(thing) or next((name for name in others if _leading(thing, name)), "")


def number_of(thing: ThingView) -> str:
    """The number on a thing's counter, as digits; empty if it has none."""
    return thing.counter or _leading(thing, number_field(thing))


def _strength_field(thing: ThingView) -> str:
    named = (name for name in thing.fields if is_strength(name))
    return next((name for name in named if _leading(thing, name)), "")


def _leading(thing: ThingView, field: str) -> str:
    number = LEADING.match(thing.fields.get(field, ""))
    return number.group() if number else ""
