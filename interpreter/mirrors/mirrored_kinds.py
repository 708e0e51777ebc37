"""What mirrors must know of the things of a kind: which attributes are plain values, which refer to other things, what are parts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import attrgetter

import attrs

from dsl.data.scenario_names import names_things
from dsl.rules.notation import attribute
from dsl.rules.ruleset import KindInfo
from interpreter.runtime.things import Thing, Value

__all__ = ["MirroredKind", "mirrored_kind", "with_parts"]


@attrs.frozen(slots=True)
class MirroredKind:
    """The attributes of things of a kind.

    plain: what holds one value; `row` reads the kind, twice so that it is never alone, and all of these. referring: what holds several values, or things.
    where: the attributes that say where it is and whose. holder: the word for its holder. telling: whether it may hide something, or refer to something that may be hidden.
    """

    plain: tuple[str, ...]
    row: Callable[[Thing], tuple[Value, ...]]
    referring: tuple[str, ...]
    fields: frozenset[str]
    where: tuple[str, ...]
    holder: str | None
    is_place: bool
    telling: bool


def mirrored_kind(info: KindInfo, *, telling: bool) -> MirroredKind:
    """The same for a kind of the rules."""
    fields = [f for f in info.fields.values() if f.name != "name"]
    pointing = tuple(attribute(f.name) for f in fields if names_things(f.type))
    sets = tuple(attribute(f.name) for f in fields if f.type.name == "set" and not names_things(f.type))
    plain = tuple(attribute(f.name) for f in fields if f.type.name != "set" and not names_things(f.type))
    is_place = info.word == "place"
    where = ("holder",) if info.part or is_place else ("holder", "place", "side")
    return MirroredKind(
        plain, attrgetter("kind", "kind", *plain), (*sets, *pointing), frozenset(info.fields), where, info.holder, is_place, telling,
    )  # fmt: skip


def with_parts(things: Iterable[Thing]) -> set[Thing]:
    """Some things and their parts, and the parts of these: what is hidden of a part depends on its whole."""
    found = set(things)
    waiting = list(found)
    while waiting:
        parts = [x for x in waiting.pop().members if x.part and x not in found]
        found.update(parts)
        waiting += parts
    return found
