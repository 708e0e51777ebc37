"""Oddities that an umpire wants to know before play continues: who is idle, short of supply, without an order, ordered twice.

All of them follow from what the rules declare: the orders that could be given now, who holds whom, `short-of-supply`. For a side
only what it may know itself is read, in its own words. Nothing is refused here.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from campaigns.desk.commanders import Commander, commanders_of, side_of_seat
from campaigns.desk.players import PERSON, players_of
from campaigns.desk.states import own_in, since_done, window_of
from campaigns.desk.trays import WAITING, Tray, trays_of
from dsl.text.shown import SHORT_OF_SUPPLY
from interpreter.messages.asking import Window
from interpreter.messages.happenings import FieldChanged, ThingMoved
from interpreter.messages.inputs import ENDINGS
from interpreter.queries.worked_out import worked_out
from interpreter.world.seat import readable

if TYPE_CHECKING:
    from campaigns.file.history import Entry
    from campaigns.play.campaign import Campaign
    from interpreter.machine import Game
    from interpreter.messages.inputs import Event
    from interpreter.messages.view import ThingView

__all__ = ["CANCELLED", "IDLE", "KINDS", "TWICE", "UNORDERED", "UNSUPPLIED", "Odd", "odd_for", "odd_things"]

IDLE, UNORDERED, UNSUPPLIED, TWICE, CANCELLED = "idle", "unordered", "unsupplied", "twice", "cancelled"
KINDS = (IDLE, UNORDERED, UNSUPPLIED, TWICE, CANCELLED)
"""No thing of a formation has an order, though several could; a thing has none, though it could; a thing is short of supply; a thing was
given the same order twice, each time otherwise; a thing was given several orders and stands as it stood before. Of orders to go from place to place that alone is odd."""
MOST_COMMANDS = 4_000
"""How many commands are searched: a thing that could only be given a later one is not reported."""
ALL = "all"


@frozen
class Odd:
    """Something odd.

    Attributes:
        kind: one of KINDS.
        side: whose it is.
        things: the things that it is about.
        orders: UNORDERED, IDLE: the names of orders that they could get; TWICE, CANCELLED: the commands that they got.
        whole: IDLE: the formation that holds the things.
    """

    kind: str
    side: str
    things: tuple[str, ...]
    orders: tuple[str, ...] = ()
    whole: str = ""


def odd_things(campaign: "Campaign[Game]", sides: Sequence[str] = ()) -> list[Odd]:
    """What is odd about sides in the open window; about all sides if none is named. Missing orders are reported only for sides that people play."""
    found: list[Odd] = []
    if campaign.game.over:
        return found
    players, window, trays = players_of(campaign), window_of(campaign), trays_of(campaign.letters())
    for side in (one.id for one in campaign.game.sides if not sides or one.id in sides):
        sent = [tray for seat, tray in trays.items() if side_of_seat(seat) == side]
        found += _odd_of(campaign, side, window, sent, played=players[side].played_by == PERSON)
    return found


def odd_for(campaign: "Campaign[Game]", seat: str) -> list[Odd]:
    """What is odd about a side, or about what a commander is over, as they may read it themselves."""
    found = odd_things(campaign, [side_of_seat(seat)])
    who = next((one for one in commanders_of(campaign) if one.seat == seat), None)
    if who is None:
        return found
    theirs = [evolve(one, things=_under(campaign.game, who, one)) for one in found]
    return [one for one in theirs if one.things]


def _under(game: "Game", who: Commander, odd: Odd) -> tuple[str, ...]:
    """Of the things of an oddity those that a commander is over."""
    above = game.named_of(who.side, ", ".join(odd.things))
    return tuple(name for name in odd.things if above.get(name, frozenset()).intersection(who.over))


def _odd_of(
    campaign: "Campaign[Game]", side: str, window: "Sequence[Entry]", trays: Sequence[Tray], *, played: bool
) -> Iterator[Odd]:
    """What is odd about one side. trays: what letters of it and of its commanders ordered; played: whether people play it."""
    own = own_in(window, side)
    meant = [said.text for tray in trays if tray.fate == WAITING for said in tray.commands[tray.next :]]
    now = campaign.game.seen_by(side)
    here = since_done(own) if _own_window(now, side) is not None else own
    game = campaign.seen_at(here[-1].parent or 0).seen_by(side) if here and _ends(here[-1]) else now
    things = {thing.id: thing for thing in game.view(side).things if thing.side == side}
    ordered = _orders_in(here)
    has_spoken = bool(ordered or meant or (here and _ends(here[-1])))  # the state of a side that has not shows it
    asked = _own_window(game, side)
    if played and has_spoken and asked is not None and asked.key in now.host.open_windows:
        yield from _without_orders(game, side, things, [*ordered, *meant])
    short = worked_out(now, SHORT_OF_SUPPLY, side)
    yield from (Odd(UNSUPPLIED, side, (name,)) for name in things if short.get(name) == "yes")
    yield from _at_odds(campaign, window[0], side, things, own)


def _ends(entry: "Entry") -> bool:
    return entry.input.text.lower() in ENDINGS


def _orders_in(own: "Sequence[Entry]") -> list[str]:
    """The orders that a side has typed."""
    return [entry.input.text for entry in own if entry.input.kind == "do" and not _ends(entry)]


def _own_window(game: "Game", side: str) -> Window | None:
    """The orders window in which a side may give orders now."""
    asked = game.pending
    return asked if isinstance(asked, Window) and side in {one.id for one in asked.waiting} else None


def _named(text: str, things: Iterable[str]) -> set[str]:
    """The things of a side that a typed command names, even if the command can no longer be read; all of them if it is given to `all`."""
    words = [word.strip(",;:.").lower() for word in text.split()[1:]]
    return set(things) if words[:1] == [ALL] else {name for name in things if name.lower() in words}


def _without_orders(game: "Game", side: str, things: "Mapping[str, ThingView]", given: Sequence[str]) -> Iterator[Odd]:
    """Things that could be given an order and were given none; by formation if nothing in one was."""
    could: dict[str, dict[str, None]] = {}
    for command in game.legal_commands(side, MOST_COMMANDS):
        for name in things.keys() & command.values[:1]:
            could.setdefault(name, {})[command.order] = None
    ordered = {name for text in given for name in _named(text, things)}
    groups: dict[str, list[str]] = {}
    for name in could:
        groups.setdefault(things[name].holder, []).append(name)
    for whole, members in groups.items():
        idle = [name for name in members if name not in ordered]
        orders = tuple(dict.fromkeys(order for name in idle for order in could[name]))
        stirs = whole in ordered or any(things[name].holder == whole for name in ordered)
        if whole in things and len(idle) > 1 and not stirs:
            yield Odd(IDLE, side, tuple(idle), orders, whole)
            continue
        for name in idle:
            yield Odd(UNORDERED, side, (name,), tuple(could[name]))


Ordered = list[tuple[str, "list[Event]"]]
"""The orders of a thing as they were typed, each with what its side may read of its events and of those of the answers that it needed."""


def _at_odds(
    campaign: "Campaign[Game]", begin: "Entry", side: str, things: "Mapping[str, ThingView]", own: "Sequence[Entry]"
) -> Iterator[Odd]:
    """Orders that undo each other: those that changed nothing of their thing, such as fire that is resolved later, do not."""
    several = {name: given for name, given in _by_thing(side, things, own).items() if len(given) > 1}
    if not several:
        return
    places = {place.label.lower() for place in campaign.game.world.places if place.label}
    before = {thing.id: thing for thing in campaign.seen_at(begin.number).view(side).things}
    for name, given in several.items():
        old, now = before.get(name), things[name]
        moved = any(_changed(events, name) for _, events in given)
        if moved and old is not None and (old.place, old.fields) == (now.place, now.fields):
            yield Odd(CANCELLED, side, (name,), tuple(text for text, _ in given))
            continue
        yield from (Odd(TWICE, side, (name,), alike) for alike in _changed_again(name, given, places))


def _by_thing(side: str, things: "Mapping[str, ThingView]", own: "Sequence[Entry]") -> dict[str, Ordered]:
    """The orders of a side by the things that they name first."""
    found: dict[str, Ordered] = {}
    events: list[Event] = []
    for entry in own:
        if entry.input.kind != "do" or _ends(entry):
            events += readable(entry.events, side)
            continue
        text, events = entry.input.text, readable(entry.events, side)
        first = text.split()[1:2]
        if first and first != [ALL]:
            for name in _named(" ".join(["order", *first]), things):
                found.setdefault(name, []).append((text, events))
    return found


def _changed_again(name: str, given: Ordered, places: Collection[str]) -> Iterator[tuple[str, ...]]:
    """Orders of the same kind in other words that changed the same of a thing; not those that move it from place to place."""
    orders: dict[str, dict[str, frozenset[str]]] = {}
    for text, events in given:
        orders.setdefault(text.split()[0].lower(), {})[text] = _changed(events, name)
    for alike in orders.values():
        again = any(one & other for one, other in combinations(alike.values(), 2))
        if again and not all(_goes(text, places) for text in alike):
            yield tuple(alike)


def _changed(events: "Sequence[Event]", name: str) -> frozenset[str]:
    """What of a thing was changed in some events: the names of its fields, and `place`."""
    found = set()
    for event in events:
        match event.what:
            case FieldChanged(things=of, field=field) if name in of:
                found.add(field)
            case ThingMoved(thing=of) if name == of:
                found.add("place")
    return frozenset(found)


def _goes(text: str, places: Collection[str]) -> bool:
    """Whether an order names a place: moving from place to place in several orders is not a contradiction."""
    return any(word.strip(",;:.").lower() in places for word in text.split()[2:])
