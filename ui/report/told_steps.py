"""What happened, step by step: what a side chooses one by one, as losses after a battle, is one step."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from attrs import field, frozen

from campaigns.report.report_model import Happened
from ui.wording.summed import summed

__all__ = ["ToldStep", "steps_of"]

Told = Callable[[Happened], tuple[str, list[str]]]
"""Who gave what in an entry, and what came of it, in words."""
HIDDEN = "…"
"""What stands for an input that the reader may not know."""


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
    """An entry that answers a question. given: the answer; lines: what came of it, without the answer itself."""

    entry: Happened
    name: str
    given: str
    lines: list[str]


def steps_of(entries: Iterable[Happened], told: Told) -> Iterator[ToldStep]:
    """The steps of a turn.

    Args:
        entries: the entries of the log.
        told: who gave what, and what came of it, in words.
    """
    run: list[_Choice] = []
    for one in entries:
        said, lines = told(one)
        choice = _choice(one, lines)
        if run and (choice is None or choice.entry.side != run[0].entry.side or not _is_summed(run[-1].lines)):
            yield from _ended(run, told)
            run = []
        if choice is not None:
            run.append(choice)
        else:
            yield _single(one, said, lines)
    yield from _ended(run, told)


def _choice(one: Happened, lines: list[str]) -> _Choice | None:
    """The answer that an entry gives; that of another side as its event tells it."""
    if one.kind == "answer" and one.given != HIDDEN:
        return _Choice(one, one.subject, one.given, lines)
    if (
        one.given == HIDDEN
        and lines
        and (found := re.fullmatch(rf"{re.escape(one.side)} chose (\S+): (.+)\.", lines[0]))
    ):
        return _Choice(one, found[1], found[2], lines[1:])
    return None


def _is_summed(lines: Sequence[str]) -> bool:
    """Whether lines tell only of changes and losses, so that the next choice may follow."""
    return all(" becomes " in line for line in lines)


def _ended(run: Sequence[_Choice], told: Told) -> Iterator[ToldStep]:
    """A run of choices: in one step from where the first question is asked again."""
    names = [one.name for one in run]
    start = next((at for at, name in enumerate(names) if name in names[at + 1 :]), len(run))
    for one in run[:start]:
        yield _single(one.entry, *told(one.entry))
    rest = run[start:]
    if rest:
        lines = summed(line for one in rest for line in one.lines)
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


def _single(one: Happened, said: str, lines: list[str]) -> ToldStep:
    """One entry. What another side gave is told by its first event."""
    if said.endswith(HIDDEN) and lines and re.match(rf"{re.escape(one.side)}:? ", lines[0]):
        return ToldStep(str(one.entry), lines[0].removesuffix("."), summed(lines[1:]))
    return ToldStep(str(one.entry), said, summed(lines))
