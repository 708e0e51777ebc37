"""An explanation as a tree of lines: values, the lines that applied, those that did not, and the rules they cite.

The command line prints it and the app shows it; both take the lines from here. `+` marks lines that applied and `-`
lines that did not, so no colour is needed.
"""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from attrs import frozen

from dsl.text.phrases import counted
from interpreter.messages.happenings import FieldChanged
from ui.cli.plain import beneath, plain
from ui.cli.playing import Told, as_known, may_read, said_by
from ui.wording.events import OPENING

if TYPE_CHECKING:
    from interpreter.explain.explanations import Explanation, Step
    from interpreter.runtime.refusals import Refusal

__all__ = ["ExplainedLine", "as_json", "entry_lines", "lines", "print_lines", "reason_lines", "written"]


@frozen
class ExplainedLine:
    """One line of an explanation.

    Attributes:
        depth: how far it is indented; 0 is the outermost.
        kind: "value", "applied", "idle" (did not apply) or "note".
        text: what it says.
        cites: the rules it cites.
        place: file and line of the rule text, or empty.
    """

    depth: int
    kind: str
    text: str
    cites: tuple[str, ...] = ()
    place: str = ""

    @property
    def sign(self) -> str:
        """The mark before the line."""
        return {"value": "", "applied": "+ ", "idle": "- ", "note": ""}[self.kind]


def lines(explained: "Explanation", depth: int = 0, deepest: int | None = None) -> Iterator[ExplainedLine]:
    """The lines of an explanation: the value, its lines from top to bottom, then the values it was made of.

    Args:
        explained: the value.
        depth: its depth.
        deepest: values below this depth are only counted; None lists them all.
    """
    yield ExplainedLine(depth, "value", f"{explained.name} = {explained.value}", tuple(explained.cites))
    for step in explained.steps:
        yield ExplainedLine(
            depth + 1, "applied" if step.applied else "idle", _step(step), tuple(step.cites), _source(step)
        )
    for ruling in explained.rulings:
        yield ExplainedLine(depth + 1, "note", ruling)
    if deepest is not None and depth >= deepest and explained.parts:
        yield ExplainedLine(depth + 1, "note", f"… {counted(_count(explained), 'value')} below")
        return
    for part in explained.parts:
        yield from lines(part, depth + 1, deepest)


def _count(explained: "Explanation") -> int:
    """How many values an explanation was made of, all levels together."""
    return sum(1 + _count(part) for part in explained.parts)


def entry_lines(
    told: Told, side: str, changes: "Sequence[Explanation]" = (), deepest: int | None = None
) -> Iterator[ExplainedLine]:
    """An entry of the log and its events, with the rules for them, as far as a side may know them.

    Args:
        told: the entry.
        side: the reader.
        changes: explanations of its changes; each is listed below the event that mentions it.
        deepest: values below this depth are only counted; None tells them all.
    """
    left = {change.name: change for change in changes}
    entry = told.entry
    given = as_known(entry, side)
    _, said = said_by(given)
    verb = "" if said.startswith(given.kind) else f"{_verb(given.kind)} ".lstrip()
    what = f"{given.side or 'nobody'} {verb}{said}".rstrip() if told.number else OPENING
    yield ExplainedLine(0, "value", f"Entry {told.number}: {what}")
    for event in may_read(entry.events, side):
        yield ExplainedLine(1, "note", event.text, tuple(event.cites))
        if isinstance(event.what, FieldChanged):
            field, things = event.what.field, event.what.things
            skip = int(len(things) == 1)  # the event already names its only thing
            for name in [f"{field} of {thing}" for thing in things]:
                if name in left:
                    below = lines(left.pop(name), 2 - skip, None if deepest is None else deepest + 2 - skip)
                    yield from list(below)[skip:]


def reason_lines(reasons: "Sequence[Refusal]") -> Iterator[ExplainedLine]:
    """The reasons why a command is refused."""
    for reason in reasons:
        yield ExplainedLine(0, "idle", reason.message, tuple(reason.cites), reason.place)
        if reason.hint:
            yield ExplainedLine(1, "note", reason.hint)


def written(line: ExplainedLine) -> str:
    """A line as plain text, indented, with its citations in brackets and its place in the rule text."""
    cites = f"  [{', '.join(line.cites)}]" if line.cites else ""
    place = f"  {line.place}" if line.place else ""
    return f"{'  ' * line.depth}{line.sign}{line.text}{cites}{place}"


def as_json(explained: "Explanation") -> dict[str, Any]:
    """An explanation as objects, lists and texts."""
    return {
        "name": explained.name,
        "of": list(explained.of),
        "value": explained.value,
        "cites": list(explained.cites),
        "steps": [
            {
                "text": step.text,
                "applied": step.applied,
                "value": step.value,
                "because": step.because,
                "cites": list(step.cites),
                "module": step.module,
                "place": step.place,
            }
            for step in explained.steps
        ],
        "parts": [as_json(part) for part in explained.parts],
        "rulings": list(explained.rulings),
    }


def _step(step: "Step") -> str:
    text = step.text
    if step.because and step.because not in text:
        text += f" ({step.because})"
    return f"{text} → {step.value}" if step.applied and step.value else text


def _source(step: "Step") -> str:
    return f"{step.place}, module {step.module}" if step.module and step.place else step.place


def _verb(kind: str) -> str:
    return {
        "do": "orders",
        "undo": "",
        "answer": "answers",
        "roll": "rolls",
        "begin": "begins",
        "override": "overrides",
        "option": "changes",
        "amend": "amends the rules:",
        "rule": "rules:",
    }.get(kind, kind)


def print_lines(lines: Iterable[ExplainedLine]) -> None:
    """Print an explanation: with colours on a terminal, as plain text otherwise."""
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR"):
        for line in lines:
            print(written(line))
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(file=beneath(sys.stdout), highlight=False)
    styles = {"value": "bold", "applied": "", "idle": "dim", "note": ""}
    for line in lines:
        shown = Text(plain(f"{'  ' * line.depth}{line.sign}{line.text}"), styles[line.kind])
        if line.cites:
            shown.append(plain(f"  [{', '.join(line.cites)}]"), "not dim cyan")
        if line.place:
            shown.append(plain(f"  {line.place}"), "dim")
        console.print(shown, soft_wrap=True)
