"""One place in words: its fields, what it is joined to, what lies between it and its neighbours, and the things there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import evolve, frozen

from interpreter.messages.view import BetweenView, MapView, PlaceView, View
from ui.cli.playing import sides_of
from ui.wording import situation

__all__ = ["as_json", "place_text"]


@frozen
class _Found:
    """A place, or one between two others, and its map."""

    board: MapView
    place: PlaceView | BetweenView


def place_text(view: View, name: str) -> list[str]:
    """Everything about one place, line by line; nothing if no map has it."""
    found = _found(view, name)
    return list(_lines(view, found)) if found is not None else []


def as_json(view: View, name: str) -> dict[str, Any]:
    """The situation as `ophex status --json` prints it, with the place, and of the things only those there."""
    found = _found(view, name)
    if found is None:
        return situation.as_json(view)
    place = found.place
    name, kind = ("", place.kind) if isinstance(place, BetweenView) else (place.name, found.board.kind)
    said = {
        "label": place.label,
        "name": name,
        "kind": kind,
        "fields": dict(place.fields),
        "joined": _joined(found),
    }
    there = tuple(one for one in view.things if one.place == place.label)
    return {**situation.as_json(evolve(view, things=there)), "place": said}


def _found(view: View, name: str) -> _Found | None:
    """The place with this label; else with this name."""
    wanted = name.lower()
    for board in view.maps:
        both: tuple[PlaceView | BetweenView, ...] = (*board.places, *board.between)
        for one in both:
            if one.label.lower() == wanted:
                return _Found(board, one)
    for board in view.maps:
        for place in board.places:
            if place.name.lower() == wanted:
                return _Found(board, place)
    return None


def _lines(view: View, found: _Found) -> Iterator[str]:
    place, board = found.place, found.board
    if isinstance(place, BetweenView):
        yield f"{place.label}: {place.kind} between {place.first} and {place.last}"
    else:
        yield f"{place.label}{f' ({place.name})' if place.name else ''}: {board.kind}{f', in {place.inside}' if place.inside else ''}"
    yield from (f"  {field}: {value or '-'}" for field, value in place.fields.items())
    joined = [f"{other} ({', '.join(links)})" if links else other for other, links in _joined(found).items()]
    if joined:
        yield f"  {'next to' if board.borders else 'linked to'}: {', '.join(joined)}"
    for one in board.between:
        if place.label in {one.first, one.last} and one.fields:
            other = one.last if one.first == place.label else one.first
            said = ", ".join(f"{field} {value or '-'}" for field, value in one.fields.items())
            yield f"  {one.kind} to {other}: {said}"
    titles = sides_of(view)
    for thing in view.things:
        if thing.place == place.label and not thing.part:
            kind = " ".join(dict.fromkeys(filter(None, (thing.template, thing.kind))))
            yield f"  here: {thing.id}, {kind}, {situation.called_side(thing.side, titles)}"


def _joined(found: _Found) -> dict[str, list[str]]:
    """The places that are next to one of a drawn map, and on any map those that links join to it, each with its links."""
    here, board = found.place.label, found.board
    joined: dict[str, list[str]] = {}
    for pair in board.borders:
        if here in pair:
            joined.setdefault(pair[1] if pair[0] == here else pair[0], [])
    for link, one, other in board.links:
        if here in {one, other}:
            links = joined.setdefault(other if one == here else one, [])
            links += [link] if link not in links else []
    return joined
