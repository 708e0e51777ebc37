"""Events of a record, read back as data."""

from __future__ import annotations

import types
import typing
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Literal

import attrs

from interpreter.messages import happenings
from interpreter.messages.happening import AsRecorded, Happening, keys_of
from interpreter.messages.happenings import (
    DeadlinePassed,
    DiceFell,
    FieldChanged,
    GameOver,
    InputUndone,
    OrdersClosed,
    QuestionAnswered,
    SideDone,
    ThingMoved,
    ThingRemoved,
)
from interpreter.messages.json_data import JsonObject
from interpreter.messages.sentences import GAP, in_gaps, sentence_of
from interpreter.runtime.things import Value

__all__ = ["HAPPENINGS", "read_happening", "with_names"]

HAPPENINGS: tuple[type[Happening], ...] = tuple(
    one
    for one in vars(happenings).values()
    if isinstance(one, type) and issubclass(one, Happening) and one is not Happening
)
"""All kinds of happenings; of several classes of one kind the first that fits is used."""

UNTOLD: dict[type[Happening], tuple[tuple[str, ...], ...]] = {
    GameOver: (("because", "title"), ("because",)),
    DeadlinePassed: (("title", "then"), ("title",), ("by", "title", "then"), ("by", "title")),
    OrdersClosed: (("title",),),
    SideDone: (("by",),),
    QuestionAnswered: (("by", "said"), ("by",)),
    InputUndone: (("by", "taken"), ("by",)),
    DiceFell: (("by", "thing"), ("by",)),
    ThingMoved: (("called",),),
    ThingRemoved: (("called", "place", "because"), ("called", "because"), ("called", "place"), ("called",)),
}
"""What records of these kinds have only in their sentence, in its order; the first that fits is taken."""


def read_happening(kind: str, data: JsonObject) -> Happening:
    """The happening in a record; `AsRecorded` if no current class fits."""
    veiled = data.get("veiled") is True
    told = {key: value for key, value in data.items() if key != "veiled"} if veiled else data
    for made in _by_kind().get(kind, ()):
        try:
            return made(**_values(made, told), veiled=veiled)
        except (KeyError, TypeError, ValueError):
            continue
    return AsRecorded(kind, data, veiled=veiled)


def with_names(what: Happening, sentence: str) -> Happening | None:
    """What happened, with what a record has only in its sentence, as the name of the thing or of the side.

    None where the data do not account for the whole sentence, and for kinds that are not in `UNTOLD`.

    >>> with_names(happenings.DiceFell("1d6", "hit", 4), "red rolls 4 on 1d6 (hit).").by
    'red'
    """
    return next((one for one in _candidates(what, sentence) if sentence_of(one) == sentence), None)


def _candidates(what: Happening, sentence: str) -> Iterator[Happening]:
    """The happening with each choice of what is read from the sentence."""
    if isinstance(what, FieldChanged):
        yield from _with_names(what, sentence)
        return
    for untold in UNTOLD.get(type(what), ()):
        names = [name for name in untold if not getattr(what, name)]
        gaps: dict[str, Value] = dict.fromkeys(names, GAP)
        found = in_gaps(attrs.evolve(what, **gaps), sentence)
        if found is not None and len(found) == len(names):  # a sentence need not say all of them
            told: dict[str, Value] = dict(zip(names, found, strict=True))
            yield attrs.evolve(what, **told)


def _with_names(what: FieldChanged, sentence: str) -> Iterator[FieldChanged]:
    """The same for a change; what several things are called is one text, as it stands in the sentence."""
    if what.called:
        yield what
        return
    gaps = attrs.evolve(what, called=(GAP,), titles=(GAP, GAP))
    for one in (attrs.evolve(gaps, is_mark=True), gaps):
        if found := in_gaps(one, sentence):
            yield attrs.evolve(one, called=found[:1], titles=found[1:])


@cache
def _by_kind() -> Mapping[str, tuple[type[Happening], ...]]:
    return {one.KIND: tuple(x for x in HAPPENINGS if x.KIND == one.KIND) for one in HAPPENINGS}


def _values(made: type, data: Mapping[str, object]) -> dict[str, Value]:
    """The fields of a class as a record has them. Raises ValueError, TypeError, KeyError where it does not fit."""
    keys = {key.name: key for key in keys_of(made)}
    if None in data.values() or any(not key.is_optional and name not in data for name, key in keys.items()):
        raise ValueError(made)
    return {name: _value(keys[name].hint, value) for name, value in data.items()}


def _value(hint: Value, value: object) -> Value:
    """A value of a record as a field of this type holds it. Raises as `_values` does."""
    origin: Value = typing.get_origin(hint)
    args = typing.get_args(hint)
    if origin is types.UnionType:
        return _value(next((one for one in args if one is type(value)), args[0]), value)
    if hint is type(value) or (origin is Literal and value is args[0]):
        return value
    if isinstance(value, dict) and origin is dict:
        return {key: _value(args[1], one) for key, one in value.items()}
    if isinstance(value, dict) and attrs.has(hint):
        return hint(**_values(hint, value))
    if isinstance(value, list) and origin is tuple:
        return _places([args[0]] * len(value) if args[1] is ... else args, value)
    if isinstance(value, list) and hasattr(hint, "_make"):
        return hint(*_places([*typing.get_type_hints(hint).values()], value))
    raise TypeError(hint)


def _places(hints: Sequence[Value], value: Sequence[object]) -> tuple[Value, ...]:
    return tuple(_value(hint, one) for hint, one in zip(hints, value, strict=True))
