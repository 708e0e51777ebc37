"""Battle cards: the stories that the rules tell (`story`, `relate`), read from the events that were reported to the reader."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from campaigns.report import report_model
from interpreter.messages.happenings import DiceFell, StoryEnded
from interpreter.messages.inputs import Event
from interpreter.messages.sentences import GAP, in_gaps
from interpreter.messages.sides import UMPIRE
from interpreter.messages.story_parts import StoryRow, StoryThrow

__all__ = ["STORY", "battle_of", "battles_in", "stories"]

STORY = "story"
"""The kind of the events that tell a story."""


def stories(events: Iterable[Event], reader: str) -> list[Event]:
    """The stories among events that a reader may read. If each side is told its own, the umpire reads only the complete one."""
    told = [event for event in events if event.kind == STORY]
    return [event for event in told if reader != UMPIRE or event.to in {UMPIRE, "all", ""}]


def battles_in(told: Iterable[tuple[int, int, Iterable[Event]]], reader: str) -> Iterator[report_model.Battle]:
    """The battles that a reader was told about. told: the number of an entry, the turn that it ends in, and its events."""
    for entry, turn, events in told:
        yield from (battle_of(event, entry, turn) for event in stories(events, reader))


def battle_of(event: Event, entry: int = 0, turn: int = 0) -> report_model.Battle:
    """The card of an event that tells a story; only its title if the record was made by hand."""
    told = event.what if isinstance(event.what, StoryEnded) else StoryEnded("", "", (), ())
    times = Counter(row.name for row in told.rows)
    roles = [
        row for row in told.rows if row.who is not None and times[row.name] == 1
    ]  # otherwise they belong to a round
    return report_model.Battle(
        entry, turn, told.phase, told.procedure, event.text.removesuffix("."), told.sides,
        tuple(report_model.Role(row.name, row.who or ()) for row in roles),
        tuple(_rows([row for row in told.rows if row not in roles])),
        tuple(_rolled(throw) for throw in told.rolls),
        told.results,
        tuple(report_model.Fall(one.side, one.things, one.text, one.is_removed) for one in told.falls),
        event.cites,
    )  # fmt: skip


def _rows(told: Sequence[StoryRow]) -> Iterator[report_model.Row]:
    times, so_far = Counter(row.name for row in told), Counter[str]()
    for row in told:
        so_far[row.name] += 1
        reasons = tuple(report_model.Reason(*reason) for reason in row.why or ())
        yield report_model.Row(row.name, row.value, reasons, so_far[row.name] if times[row.name] > 1 else 0)


def _rolled(throw: StoryThrow) -> report_model.Rolled:
    _, about = in_gaps(DiceFell(throw.dice, throw.name, throw.face, GAP, GAP), throw.text) or ("", "")
    return report_model.Rolled(throw.side, throw.name, about, throw.dice, throw.face, throw.cites)
