"""Events as people read them: one line for each, what many do alike on one line, nothing twice."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from campaigns.report.battle_cards import STORY, battle_of
from interpreter.inputs import Event, Input
from ui.plain import one_line
from ui.playing import UMPIRE, as_known, may_read, said_by

if TYPE_CHECKING:
    from campaigns.history import Entry

__all__ = ["card_lines", "event_lines", "log_lines", "without_echo"]

DOES = re.compile(r"(?P<who>\S+) (?P<verb>moves|is now|is no longer) (?P<how>.+)")
MANY_DO = {"moves": "move", "is now": "are now", "is no longer": "are no longer"}
GOES = re.compile(r"moves from (?P<start>\S+) to (?P<goal>\S+)\.")
MOST_ON_THE_WAY = 6
"""Of a longer way only the last places are told."""


def event_lines(events: Iterable[Event], side: str) -> list[str]:
    """What a side may read of some events, in their order.

    Moves along one way, and changes of one sort, that follow one another share a line. What several sides are told of one
    event, each as it may know it, the umpire reads once, in full.

    >>> from interpreter.happenings import PhaseBegan, ThingMoved
    >>> move = ThingMoved("", ())
    >>> gone = [Event(move, f"tf-{n} moves from 0304 to 0305.") for n in (1, 2, 3)]
    >>> event_lines([*gone, Event(PhaseBegan(1, "combat"), "Combat.")], "red")
    ['tf-1, tf-2 and tf-3 move from 0304 to 0305.', 'Combat.']

    A way that is told step by step is one line:

    >>> event_lines([Event(move, f"tf-1 moves from 030{n} to 030{n + 1}.") for n in (4, 5, 6)], "red")
    ['tf-1 moves from 0304 by 0305 and 0306 to 0307.']
    """
    readable = may_read(events, side)
    if side == UMPIRE:
        readable = _once(readable)
    out: list[str] = []
    for is_story, some in groupby(readable, lambda event: event.kind == STORY):
        if is_story:
            out += [line for event in some for line in card_lines(event)]
        else:
            out += [one_line(_told(who, does) if who else does) for who, does in _ways(_alike(some))]
    return out


def card_lines(event: Event) -> list[str]:
    """The story of a battle, as it stands in a log: its title, then its values with what made them.

    What was rolled, and what became of whom, the log has told already.
    """
    card = battle_of(event)
    out = [one_line(f"The story: {event.text}")]
    out += [one_line(f"  {role.name}: {', '.join(role.who) or 'none'}") for role in card.roles]
    for row in card.rows:
        out.append(one_line(f"  {row.name}: {row.value}"))
        out += [one_line(f"    {reason.text} → {reason.value}") for reason in row.reasons]
    return out


def _alike(events: Iterable[Event]) -> Iterator[tuple[list[str], str]]:
    """Who does what, all that do it one after the other together; of what nobody does, nobody and the whole text."""
    alike: list[str] = []
    done = ""
    for event in events:
        found = DOES.fullmatch(event.text) if event.kind in {"move", "change"} else None
        does = f"{found['verb']} {found['how']}" if found else ""
        if alike and does != done:
            yield alike, done
            alike = []
        if found:
            alike.append(found["who"])
            if event.what.veiled:
                alike.sort()  # labels in the order of the scenario would tell which is which
            done = does
        else:
            yield [], event.text
    if alike:
        yield alike, done


def _ways(told: Iterable[tuple[list[str], str]]) -> Iterator[tuple[list[str], str]]:
    """The same, with steps of one way that follow one another put together."""
    who: list[str] = []
    way: list[str] = []
    for names, does in told:
        step = GOES.fullmatch(does) if names else None
        if way and not (step and names == who and step["start"] == way[-1]):
            yield who, _way_said(way)
            way = []
        if step:
            who, way = names, [*(way or [step["start"]]), step["goal"]]
        else:
            yield names, does
    if way:
        yield who, _way_said(way)


def _way_said(way: Sequence[str]) -> str:
    """A way in words: where it begins, what it leads by, where it ends."""
    between = way[1:-1]
    if not between:
        return f"moves from {way[0]} to {way[-1]}."
    more = "…, " if len(between) > MOST_ON_THE_WAY else ""
    *first, last = between[-MOST_ON_THE_WAY:]
    by = f"{', '.join(first)} and {last}" if first else last
    return f"moves from {way[0]} by {more}{by} to {way[-1]}."


def log_lines(entry: "Entry", side: str) -> list[str]:
    """What a side may read of what an entry of the log brought about, without what the input says already."""
    return without_echo(as_known(entry, side), entry.events, side)


def without_echo(given: Input, events: Iterable[Event], side: str) -> list[str]:
    """What a side may read of what an input brought about, without what the input says already."""
    who, said = said_by(given)
    echoes = {f"{who}: {said}.", f"{who} chooses {said}.", f"{who} {said}."}
    if given.kind == "do" and given.text == "done":
        echoes.add(f"{who} is done.")
    return event_lines((event for event in events if event.text not in echoes), side)


def _once(events: Sequence[Event]) -> list[Event]:
    """Without what repeats the event before it for another side, or tells less of it."""
    out: list[Event] = []
    for event in events:
        if out and (event.kind, event.side) == (out[-1].kind, out[-1].side):
            before = out[-1].text
            if event.to != out[-1].to and (event.text == before or before.startswith(f"{event.text[:-1]}: ")):
                continue
        out.append(event)
    return out


def _told(who: Sequence[str], does: str) -> str:
    """`a moves to 0102.`, `a, b and c move to 0102.`"""
    if len(who) == 1:
        return f"{who[0]} {does}"
    verb = next(verb for verb in MANY_DO if does.startswith(verb))
    return f"{', '.join(who[:-1])} and {who[-1]} {MANY_DO[verb]}{does.removeprefix(verb)}"
