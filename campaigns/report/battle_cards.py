"""Battle cards: the stories that the rules tell (`story`, `relate`), read off the events that the reader was told of."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from campaigns.report import report_model
from interpreter.inputs import Event
from interpreter.seat import UMPIRE

__all__ = ["STORY", "battle_of", "battles_in", "stories"]

STORY = "story"
"""The kind of the events that tell a story."""

ABOUT = re.compile(r"\(\S+ for (?P<about>.+)\)\.")
"""How the sentence of a throw ends that is for one of several."""


def stories(events: Iterable[Event], reader: str) -> list[Event]:
    """The stories among events that a reader may read. Where each side is told its own, the umpire reads the whole one alone."""
    told = [event for event in events if event.kind == STORY]
    return [event for event in told if reader != UMPIRE or event.to in {UMPIRE, "all", ""}]


def battles_in(told: Iterable[tuple[int, int, Iterable[Event]]], reader: str) -> Iterator[report_model.Battle]:
    """The battles that a reader was told of. told: the number of an entry, the turn that it ends in, and its events."""
    for entry, turn, events in told:
        yield from (battle_of(event, entry, turn) for event in stories(events, reader))


def battle_of(event: Event, entry: int = 0, turn: int = 0) -> report_model.Battle:
    """The card of an event that tells a story. What does not fit, in a record that somebody made himself, is left out."""
    data = event.data
    rows = [row for row in _list(data.get("rows")) if isinstance(row, dict)]
    times = Counter(str(row.get("name", "")) for row in rows)
    roles = [
        row for row in rows if "who" in row and times[str(row.get("name", ""))] == 1
    ]  # else they belong to a round
    return report_model.Battle(
        entry, turn, str(data.get("phase", "")), str(data.get("procedure", "")), event.text.removesuffix("."),
        _texts(data.get("sides")),
        tuple(report_model.Role(str(row.get("name", "")), _texts(row.get("who"))) for row in roles),
        tuple(_row(row) for row in rows if row not in roles),
        tuple(_rolled(roll) for roll in _tuples(data.get("rolls"), 6)),
        _texts(data.get("results")),
        tuple(report_model.Fall(str(side), _texts(things), str(text), removed is True) for text, side, things, removed in _tuples(data.get("falls"), 4)),
        event.cites,
    )  # fmt: skip


def _row(row: Mapping[str, Any]) -> report_model.Row:
    reasons = (
        report_model.Reason(str(text), str(value), _texts(cites)) for text, value, cites in _tuples(row.get("why"), 3)
    )
    return report_model.Row(str(row.get("name", "")), str(row.get("value", "")), tuple(reasons))


def _rolled(roll: list[Any]) -> report_model.Rolled:
    text, side, name, dice, face, cites = roll
    about = ABOUT.search(str(text))
    number = face if isinstance(face, int) and not isinstance(face, bool) else None
    return report_model.Rolled(str(side), str(name), about["about"] if about else "", str(dice), number, _texts(cites))


def _list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else []


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(str(one) for one in _list(value))


def _tuples(value: Any, width: int) -> list[list[Any]]:
    return [list(one) for one in _list(value) if isinstance(one, list | tuple) and len(one) == width]
