"""The situation in words: turn, phase, what is awaited from whom, and the forces of every side. For people and as JSON."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import attrs

from interpreter.inputs import Awaited
from interpreter.view import ThingView, View
from ui.playing import UMPIRE, may_read, sides_of
from ui.symbols import number_of, strength_of
from ui.talking import counted

__all__ = ["as_json", "awaited_line", "forces", "hinted", "may_read", "standing", "states", "text"]

SILENT = {"no", "", "--"}
SHORT = 12
"""A longer value of a holder is told only where it has changed."""
WORDY = 24
"""A still longer one is a title, not a state."""


def text(view: View) -> list[str]:
    """The whole situation, line by line."""
    return [*standing(view), "", *_awaited(view), *hinted(view), *_forces_text(view)]


def standing(view: View) -> list[str]:
    """Two lines: what is played, and where it stands."""
    titles = sides_of(view)
    dated = f" ({view.date})" if view.date else ""
    turn = f"Turn {view.turn}{dated}, {view.phase_title or view.phase or 'no phase'}"
    if view.active:
        turn += f"; {titles.get(view.active, view.active)} is active"
    if view.over:
        turn += f"; the game is over: {view.over}"
    seen = "by the umpire" if view.side in {"", UMPIRE} else f"by {titles.get(view.side, view.side)}"
    return [f"{view.scenario_title or view.scenario} ({view.system}), seen {seen}", turn]


def awaited_line(one: Awaited, titles: Mapping[str, str]) -> str:
    """One thing that the game waits for, as a line."""
    who = titles.get(one.side, one.side)
    prompt = one.prompt if not who or one.prompt.startswith(who) else f"{who}: {one.prompt}"
    rule = f" [{one.where}]" if one.where else ""
    match one.kind:
        case "question" if not one.name:
            return f"{who} has a secret choice to make."
        case "question" if not one.form:
            return f"{prompt}{rule}"
        case "question":
            return f"{prompt} The question is {one.name} ({one.form}).{rule}"
        case "dice":
            return f"{prompt} Dice: {one.form}.{rule}"
    return f"{prompt}{rule}"


def hinted(view: View) -> list[str]:
    """What the lesson of the scenario says to do now, a line each."""
    return [f"Hint: {hint}" for hint in view.hints]


def forces(view: View) -> list[tuple[ThingView, int]]:
    """The order of battle: every thing with its depth, holders before what they hold, side by side."""
    held: dict[str, list[ThingView]] = defaultdict(list)
    known = {thing.id for thing in view.things}
    for thing in view.things:
        held[thing.holder if thing.holder in known else ""].append(thing)
    order = [side.id for side in view.sides]
    roots = sorted(held[""], key=lambda thing: order.index(thing.side) if thing.side in order else len(order))
    return list(_below(roots, held, 0))


def as_json(view: View) -> dict[str, Any]:
    """The situation as `ophex status --json` prints it."""
    return {
        "system": view.system,
        "scenario": view.scenario,
        "title": view.scenario_title,
        "as": view.side or UMPIRE,
        "turn": view.turn,
        "phase": view.phase,
        "active": view.active,
        "over": view.over,
        "facts": dict(view.facts),
        "hints": list(view.hints),
        "awaiting": [attrs.asdict(one) for one in view.awaiting],
        "sides": [
            {
                **attrs.asdict(side),
                "things": [
                    {**attrs.asdict(thing), "strength": strength_of(thing)}
                    for thing in view.things
                    if thing.side == side.id
                ],
            }
            for side in view.sides
        ],
        "others": [attrs.asdict(thing) for thing in view.things if thing.side not in sides_of(view)],
    }


def _awaited(view: View) -> list[str]:
    titles = sides_of(view)
    waiting = [awaited_line(one, titles) for one in view.awaiting if one.kind != "over"]
    return ["Awaited:", *(f"  {line}" for line in waiting or ["nothing"])]


def _forces_text(view: View) -> Iterator[str]:
    titles = sides_of(view)
    side = None
    rows = forces(view)
    holders = {thing.holder for thing, _ in rows}
    width = max((2 * depth + len(thing.id) for thing, depth in rows), default=0)
    for thing, depth in rows:
        if thing.side != side and not depth:
            side = thing.side
            yield ""
            yield f"{_called(side, titles)}:{_total(view.things, side)}"
        name = f"{'  ' * depth}{thing.id}"
        said = [title_of(thing)] if title_of(thing) else []
        said += [f"{one} {value}" for one, value in states(thing, holds=thing.id in holders)]
        row = [f"{thing.place or '-':<6}", f"{number_of(thing):>4}", *said]
        yield f"  {name:<{width}}  {'  '.join(row)}".rstrip()


def states(thing: ThingView, *, holds: bool) -> list[tuple[str, str]]:
    """What tells a thing from others of its kind, as field and value: what has changed, or the state of a holder.

    Its title is not among them.
    """
    names: Iterable[str] = thing.changed
    if holds:
        names = (
            name
            for name, value in thing.fields.items()
            if value not in SILENT and len(value) <= (WORDY if name in thing.changed else SHORT)
        )
    number = number_of(thing)
    return [
        (name, thing.fields[name])
        for name in names
        if name != "title" and thing.fields.get(name, "") not in {"", number}
    ]


def title_of(thing: ThingView) -> str:
    """The title of a thing, as far as the viewer may see it, where it says more than its name."""
    title = thing.fields.get("title", "")
    return "" if title in {thing.id, thing.name} else title


def _called(side: str, titles: Mapping[str, str]) -> str:
    """A side by its title, and by its id where commands call it otherwise."""
    title = titles.get(side, side or "Belonging to nobody")
    return title if title.lower() == side.lower() or side not in titles else f"{title} ({side})"


def _total(things: Iterable[ThingView], side: str) -> str:
    """How many units a side has, and their strengths together where a field tells them."""
    units = [thing for thing in things if thing.side == side and thing.word == "unit"]
    strengths = [int(strength_of(thing)) for thing in units if strength_of(thing)]
    together = f", strength {sum(strengths)}" if strengths else ""
    return f" {counted(len(units), 'unit')}{together}" if units else ""


def _below(
    things: Iterable[ThingView], held: Mapping[str, list[ThingView]], depth: int
) -> Iterator[tuple[ThingView, int]]:
    for thing in things:
        yield thing, depth
        yield from _below(held.get(thing.id, ()), held, depth + 1)
