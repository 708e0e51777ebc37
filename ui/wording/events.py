"""Events as people read them: one line for each, similar events of several things on one line, and no repetition."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from attrs import evolve

from campaigns.report.battle_cards import STORY, battle_of
from dsl.text.phrases import joined
from interpreter.messages.happenings import (
    FieldChanged,
    InputUndone,
    OrderGiven,
    QuestionAnswered,
    SideDone,
    ThingMoved,
)
from interpreter.messages.inputs import UNDO, Event, Input
from interpreter.messages.recorded_events import with_names
from interpreter.messages.sentences import sentence_of
from ui.cli.plain import one_line
from ui.cli.playing import UMPIRE, as_known, may_read
from ui.wording.spoken import in_words, spoken

if TYPE_CHECKING:
    from campaigns.file.history import Entry
    from interpreter.messages.happening import Happening

__all__ = ["OPENING", "card_lines", "event_lines", "log_lines", "readable", "without_echo", "worded"]

Joined = ThingMoved | FieldChanged
"""What several things do on one line."""
MOST_ON_THE_WAY = 6
"""For a longer route only the last places are listed."""
MOST_MARKED = 12
"""Of more things that gain or lose one mark at once, only some are named."""
OPENING = "the game begins"
"""The heading of what happened before the first entry."""


def event_lines(events: Iterable[Event], side: str) -> list[str]:
    """What a side may read of some events, in their order.

    Consecutive moves along one route, and changes of one type, share a line. If several sides are told about one event, each as
    it may know it, the umpire reads it once, in full.

    >>> from interpreter.messages.happenings import PhaseBegan
    >>> from interpreter.messages.inputs import told
    >>> gone = [told(ThingMoved(f"tf-{n}", ("0304", "0305"), f"tf-{n}")) for n in (1, 2, 3)]
    >>> event_lines([*gone, told(PhaseBegan(1, "combat", "Combat"))], "red")
    ['tf-1, tf-2 and tf-3 move from 0304 to 0305.', 'Combat.']

    A route that is reported step by step becomes one line:

    >>> event_lines([told(ThingMoved("tf-1", (f"030{n}", f"030{n + 1}"), "tf-1")) for n in (4, 5, 6)], "red")
    ['tf-1 moves from 0304 via 0305 and 0306 to 0307.']
    """
    return worded(readable(events, side))


def readable(events: Iterable[Event], side: str) -> list[Event]:
    """What a side may read of some events."""
    found = may_read(events, side)
    return _once(found) if side == UMPIRE else found


def worded(events: Iterable[Event]) -> list[str]:
    """Events that somebody may read, in words."""
    out: list[str] = []
    for is_story, some in groupby(events, lambda event: event.kind == STORY):
        if is_story:
            out += [line for event in some for line in card_lines(event)]
        else:
            out += [one_line(line) for line in _ways(_alike(some))]
    return out


def card_lines(event: Event) -> list[str]:
    """The story of a battle, as in a log: its title, then its values with their reasons.

    The log already has the rolls and their consequences.
    """
    card = battle_of(event)
    out = [one_line(f"The story: {event.text}")]
    out += [one_line(f"  {role.name}: {', '.join(role.who) or 'none'}") for role in card.roles]
    for row in card.rows:
        out.append(one_line(f"  {row.called}: {row.value}"))
        out += [one_line(f"    {reason.text} → {reason.value}") for reason in row.reasons]
    return out


def _alike(events: Iterable[Event]) -> Iterator[tuple[list[str], Joined | str]]:
    """Who does what, combining consecutive things that do the same; other events as they are worded."""
    who: list[str] = []
    done: Joined | None = None
    for event in events:
        name, does = _shared(event)
        if done and does != done:
            yield who, done
            who = []
        done = does
        if does is None:
            yield [], spoken(event)
            continue
        who.append(name)
        if event.what.veiled:
            who.sort()  # labels in the order of the scenario would reveal which is which
    if done:
        yield who, done


def _shared(event: Event) -> tuple[str, Joined | None]:
    """The name of the thing in an event, and an action that others may share; None if the event gets a line of its own."""
    match with_names(event.what, event.text):
        case ThingMoved(called=str(name), way=(start, *_, goal)) as what if name and goal:
            return name, evolve(what, thing="", called="", way=(start, goal), veiled=False)
        case FieldChanged(called=(name,)) as what if what.is_mark or what.field == "side":
            return name, evolve(what, things=(), called=(), veiled=False)
    return "", None


def _ways(told: Iterable[tuple[list[str], Joined | str]]) -> Iterator[str]:
    """The same in words, with consecutive steps of one route combined."""
    who: list[str] = []
    way: list[str] = []
    for names, does in told:
        if way and not (isinstance(does, ThingMoved) and names == who and does.way[0] == way[-1]):
            yield _moves(who, way)
            way = []
        if isinstance(does, ThingMoved):
            who, way = names, [*way[:-1], *does.way]
        else:
            yield does if isinstance(does, str) else _changes(names, does)
    if way:
        yield _moves(who, way)


def _changes(who: Sequence[str], what: FieldChanged) -> str:
    """A change of several things in words. `--json` names all of them."""
    if what.is_mark and len(who) > MOST_MARKED:
        who = [*who[: MOST_MARKED - 2], f"{len(who) - MOST_MARKED + 2} others"]
    return sentence_of(evolve(what, called=tuple(who)))


def _moves(who: Sequence[str], way: Sequence[str]) -> str:
    """A route in words: who moves, where it begins, what it passes, where it ends."""
    start, *between, goal = way
    does = f"{joined(who)} {'moves' if len(who) == 1 else 'move'}{f' from {start}' if start else ''}"
    more = "…, " if len(between) > MOST_ON_THE_WAY else ""
    by = f" via {more}{joined(between[-MOST_ON_THE_WAY:])}" if between else ""
    return f"{does}{by} to {goal}."


def log_lines(entry: "Entry", side: str) -> list[str]:
    """What a side may read of the events of an entry of the log, without repeating the input."""
    return worded(without_echo(as_known(entry, side), entry.events, side))


def without_echo(given: Input, events: Iterable[Event], side: str) -> list[Event]:
    """What a side may read of the events of an input, without repeating the input."""
    echo = _echo(given)
    said = {sentence_of(echo), in_words(echo)} if echo else set()

    def repeats(event: Event) -> bool:
        return echo is not None and event.kind == echo.kind and not said.isdisjoint((event.text, spoken(event)))

    return readable((event for event in events if not repeats(event)), side)


def _echo(given: Input) -> "Happening | None":
    """The event that says no more than the input itself."""
    match given.kind:
        case "do" if given.text == "done":
            return SideDone(given.side)
        case "do":
            return OrderGiven("", by=given.side, command=given.text)
        case "answer":
            return QuestionAnswered(given.subject, by=given.side, said=given.text)
        case _ if given.kind == UNDO:
            return InputUndone(given.text, given.side)
    return None


def _once(events: Sequence[Event]) -> list[Event]:
    """Without events that repeat the one before for another side, or say less about it."""
    out: list[Event] = []
    for event in events:
        if not (out and event.to != out[-1].to and event.side == out[-1].side and _tells_no_more(event, out[-1])):
            out.append(event)
    return out


def _tells_no_more(event: Event, than: Event) -> bool:
    """Whether an event says the same as another, or leaves out an answer that the other has."""
    what = than.what
    untold = sentence_of(QuestionAnswered(what.name, by=than.side)) if isinstance(what, QuestionAnswered) else than.text
    return event.kind == than.kind and event.text in {than.text, untold}
