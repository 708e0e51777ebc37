"""Events as people read them: one line for each, what many do alike on one line, nothing twice."""

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from interpreter.inputs import Event
from ui.playing import UMPIRE, as_known, may_read, said_by

if TYPE_CHECKING:
    from campaigns.history import Entry

__all__ = ["event_lines", "log_lines"]

MOVES = re.compile(r"(?P<who>\S+) moves (?P<how>.+)")


def event_lines(events: Iterable[Event], side: str) -> list[str]:
    """What a side may read of some events, in their order.

    Moves that follow one another, each from one place to one other, share a line. What several sides are told of one
    event, each as it may know it, the umpire reads once, in full.

    >>> gone = [Event("move", f"tf-{n} moves from 0304 to 0305.") for n in (1, 2, 3)]
    >>> event_lines([*gone, Event("phase", "Combat.")], "red")
    ['tf-1, tf-2 and tf-3 move from 0304 to 0305.', 'Combat.']
    """
    readable = may_read(events, side)
    if side == UMPIRE:
        readable = _once(readable)
    lines: list[str] = []
    movers: list[str] = []
    how = ""
    for event in readable:
        found = MOVES.fullmatch(event.text) if event.kind == "move" else None
        if movers and (found is None or found["how"] != how):
            lines.append(_moved(movers, how))
            movers = []
        if found is None:
            lines.append(event.text)
        else:
            movers.append(found["who"])
            how = found["how"]
    return [*lines, _moved(movers, how)] if movers else lines


def log_lines(entry: "Entry", side: str) -> list[str]:
    """What a side may read of what an entry of the log brought about, without what the input says already."""
    given = as_known(entry, side)
    who, said = said_by(given)
    echoes = {f"{who}: {said}.", f"{who} chooses {said}."}
    if given.kind == "do" and given.text == "done":
        echoes.add(f"{who} is done.")
    return event_lines((event for event in entry.events if event.text not in echoes), side)


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


def _moved(movers: Sequence[str], how: str) -> str:
    if len(movers) == 1:
        return f"{movers[0]} moves {how}"
    return f"{', '.join(movers[:-1])} and {movers[-1]} move {how}"
