"""What emitted rules call for places: what is next to what, what is in a place, what holds and what is held. Pure functions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

from interpreter.runtime.runtime import RuleTrouble
from interpreter.runtime.things import Thing

__all__ = [
    "held_by",
    "holder_if_any",
    "holder_of",
    "lie_in",
    "lies",
    "lies_next",
    "members_of",
    "members_of_any",
    "next_to",
    "next_to_any",
    "one_place",
    "perhaps_holder_of",
    "place_set",
    "somewhere",
    "stand_in",
    "standing_in",
    "stands",
    "stands_next",
    "things_here",
    "whole_places",
    "with_parts",
]


def one_place(x: Thing | None) -> tuple[Thing, ...]:
    """The place of a thing, or the place itself; None for a thing that is off the map."""
    if x is None or x.place is None:
        return ()
    return (x.place,)


def place_set(things: Iterable[Thing]) -> list[Thing]:
    """The places of things, each once."""
    return list({x.place: None for x in things if x.place is not None})


def whole_places(things: Iterable[Thing]) -> list[Thing]:
    """The places of things, each once, and after each all places within it."""
    out: list[Thing] = []
    seen: set[Thing] = set()
    for x in things:
        place = x.place
        if place is not None and place not in seen:
            seen.add(place)
            out.append(place)
            if place.members:
                out += with_parts(place.members)
    return out


def next_to(x: Thing) -> tuple[Thing, ...]:
    """The places next to the place of a thing."""
    return x.place.near if x.place is not None else ()


def next_to_any(things: Iterable[Thing]) -> list[Thing]:
    """The places next to any of some things, each once."""
    places = {x.place: None for x in things if x.place is not None}
    return list(dict.fromkeys(chain.from_iterable(place.near for place in places)))


def stands(x: Thing, places: Sequence[Thing]) -> bool:
    """Whether a thing is in one of these places."""
    return x.place is not None and x.place in places


def stands_next(x: Thing, things: Iterable[Thing]) -> bool:
    """Whether a thing is in a place next to any of several things."""
    here = x.place
    return any(one.place is not None and here in one.place.near for one in things)


def stand_in(things: Iterable[Thing], places: Sequence[Thing]) -> list[Thing]:
    """Those of some things that are in one of these places."""
    return [x for x in things if x.place is not None and x.place in places]


def with_parts(places: Iterable[Thing]) -> list[Thing]:
    """Places, each followed by all places within it, directly or through others."""
    out: list[Thing] = []
    for place in places:
        out.append(place)
        if place.members:
            out += with_parts(place.members)
    return out


def lies(x: Thing, places: Sequence[Thing]) -> bool:
    """Whether a thing is in one of these places, or in a place within one of them."""
    here = x.place
    while here is not None:
        if here in places:
            return True
        here = here.holder
    return False


def lies_next(x: Thing, things: Iterable[Thing]) -> bool:
    """The same for a thing in a place, or in a place within it."""
    for one in things:
        if one.place is not None:
            near, here = one.place.near, x.place
            while here is not None:
                if here in near:
                    return True
                here = here.holder
    return False


def lie_in(things: Iterable[Thing], places: Sequence[Thing]) -> list[Thing]:
    """Those of some things that are in one of these places or in places within them."""
    return [x for x in things if lies(x, places)]


def standing_in(x: Thing | None, kind: str) -> Thing | None:
    """The place of that kind that x is in, directly or through other places; None if there is none."""
    here = x.place if x is not None else None
    while here is not None and here.kind != kind:
        here = here.holder
    return here


def perhaps_holder_of(x: Thing | None, kind: str) -> Thing | None:
    """The same for something that may be absent, which has no holder. Raises RuleTrouble if an existing thing has none."""
    return None if x is None else holder_of(x, kind)


def holder_if_any(x: Thing | None, kind: str) -> Thing | None:
    """The thing of that kind that holds x, perhaps through others; None if there is none, or x is absent."""
    holder = None if x is None else x.holder
    while holder is not None and holder.kind != kind:
        holder = holder.holder
    return holder


def holder_of(x: Thing, kind: str) -> Thing:
    """The thing of that kind that holds x, perhaps through others. Raises RuleTrouble if there is none."""
    holder = holder_if_any(x, kind)
    if holder is None:
        raise RuleTrouble(f"No {kind} holds {x.name}.")
    return holder


def members_of(x: Thing, kind: str) -> list[Thing]:
    """All things of that kind that x holds, directly or through others."""
    out = []
    for member in x.members:
        if member.kind == kind:
            out.append(member)
        elif member.members:
            out += members_of(member, kind)
    return out


def members_of_any(x: Thing, kinds: Sequence[str]) -> list[Thing]:
    """All things of several kinds that x holds, directly or through others."""
    out = []
    for member in x.members:
        if member.kind in kinds:
            out.append(member)
        out += members_of_any(member, kinds) if member.members else []
    return out


def things_here(places: Iterable[Thing], kinds: Sequence[str]) -> list[Thing]:
    """The things of some kinds in some places, including parts of the things there, after their wholes."""
    out: list[Thing] = []
    for place in places:
        for x in place.things:
            if x.kind in kinds:
                out.append(x)
            _add_parts(x, kinds, out)
    return out


def _add_parts(x: Thing, kinds: Sequence[str], out: list[Thing]) -> None:
    for member in x.members:
        if member.part:
            if member.kind in kinds:
                out.append(member)
            _add_parts(member, kinds, out)


def held_by(things: Iterable[Thing], holder: Thing | Sequence[Thing] | None) -> list[Thing]:
    """Those of some things that a holder, or one of several, holds, directly or through others.

    The holder is asked, not each thing: the holders of other things may be hidden from the side that asks.
    """
    held: set[Thing] = set()
    left = [holder] if isinstance(holder, Thing) else list(holder or ())
    while left:
        members = left.pop().members
        held.update(members)
        left += members
    return [x for x in things if x in held]


def somewhere(place: Thing | None) -> Thing:
    """The place to move to. Raises RuleTrouble if it is absent: only `off the map` takes a thing off the map."""
    if place is None:
        raise RuleTrouble("The place to move to is absent.")
    return place
