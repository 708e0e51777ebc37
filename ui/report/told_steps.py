"""What happened, step by step: what a side chooses one by one, as losses after a battle, is one step."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from attrs import field, frozen

from campaigns.report.report_model import Happened
from interpreter.messages.happenings import InputUndone, OrderGiven, QuestionAnswered, SideDone
from interpreter.messages.inputs import Event
from interpreter.messages.recorded_events import with_names
from ui.wording.spoken import answered
from ui.wording.summed import is_summed

__all__ = ["ToldStep", "steps_of"]

Told = Callable[[Happened], tuple[str, list[Event]]]
"""Who gave what in an entry, in words, and what came of it."""
Words = Callable[[Sequence[Event]], list[str]]
"""Events in words."""
HIDDEN = "…"
"""What stands for an input that the reader may not know."""
GIVEN = frozenset(one.KIND for one in (OrderGiven, SideDone, QuestionAnswered, InputUndone))
"""The kinds of events that say what a side gave."""


@frozen
class ToldStep:
    """One entry, or several of one side.

    Attributes:
        numbers: the entries: `40`, `40-79`.
        said: who gave what.
        lines: what came of it.
    """

    numbers: str
    said: str
    lines: list[str] = field(factory=list)


@frozen
class _Choice:
    """An entry that answers a question.

    Attributes:
        name: of the question.
        given: the answer.
        events: what came of it, without the answer itself.
        alone: how it is told if it does not belong to a run.
    """

    entry: Happened
    name: str
    given: str
    events: list[Event]
    alone: ToldStep


def steps_of(entries: Iterable[Happened], told: Told, words: Words) -> Iterator[ToldStep]:
    """The steps of a turn.

    Args:
        entries: the entries of the log.
        told: who gave what, in words, and what came of it.
        words: events in words, those that are alike summed up.
    """
    run: list[_Choice] = []
    for one in entries:
        said, events = told(one)
        alone = _single(one, said, events, words)
        choice = _choice(one, events, alone)
        if run and (
            choice is None or choice.entry.side != run[0].entry.side or not all(map(is_summed, run[-1].events))
        ):
            yield from _ended(run, words)
            run = []
        if choice is not None:
            run.append(choice)
        else:
            yield alone
    yield from _ended(run, words)


def _choice(one: Happened, events: list[Event], alone: ToldStep) -> _Choice | None:
    """The answer that an entry gives; that of another side as its event tells it."""
    if one.kind == "answer" and one.given != HIDDEN:
        return _Choice(one, one.subject, one.given, events, alone)
    if one.given == HIDDEN and events:
        match with_names(events[0].what, events[0].text):
            case QuestionAnswered(name=name, said=str()) as what:
                return _Choice(one, name, answered(what) or "", events[1:], alone)
    return None


def _ended(run: Sequence[_Choice], words: Words) -> Iterator[ToldStep]:
    """A run of choices: in one step from where the first question is asked again."""
    names = [one.name for one in run]
    start = next((at for at, name in enumerate(names) if name in names[at + 1 :]), len(run))
    for one in run[:start]:
        yield one.alone
    rest = run[start:]
    if rest:
        lines = words([event for one in rest for event in one.events])
        numbers = f"{rest[0].entry.entry}\N{EN DASH}{rest[-1].entry.entry}"
        yield ToldStep(numbers, f"{rest[0].entry.side}: {_in_turn(rest)}", lines)


def _in_turn(run: Sequence[_Choice]) -> str:
    """Choices one after the other: `victim, extent: a half; b whole`. Each part begins with the question that was asked first."""
    names = list(dict.fromkeys(one.name for one in run))
    parts: list[list[_Choice]] = []
    for one in run:
        if not parts or one.name == names[0] or one.name in {x.name for x in parts[-1]}:
            parts.append([])
        parts[-1].append(one)
    said = [" ".join(x.given if part[0].name == names[0] else f"{x.name} {x.given}" for x in part) for part in parts]
    return f"{', '.join(names)}: {'; '.join(said)}"


def _single(one: Happened, said: str, events: list[Event], words: Words) -> ToldStep:
    """One entry. What another side gave is told by its first event."""
    if said.endswith(HIDDEN) and events and events[0].kind in GIVEN:
        return ToldStep(str(one.entry), " ".join(words(events[:1])).removesuffix("."), words(events[1:]))
    return ToldStep(str(one.entry), said, words(events))
