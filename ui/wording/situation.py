"""The situation in words: turn, phase, what is awaited from whom, and the forces of every side. For people and as JSON."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import attrs

from campaigns.views.force_forest import is_unit, states, title_of
from campaigns.views.parts_in_words import PartsOfThings, tracks_of
from campaigns.views.strengths import has_hidden_strength
from dsl.text.phrases import counted
from interpreter.messages.inputs import Awaited
from interpreter.messages.view import ThingView, View
from ui.cli.playing import UMPIRE, may_read, sides_of
from ui.maps.symbols import number_of, strength_of

__all__ = [
    "as_json",
    "awaited_line",
    "called_side",
    "forces",
    "hinted",
    "may_read",
    "over_line",
    "side_lines",
    "standing",
    "text",
    "thing_text",
]


def text(view: View, *, ascii_only: bool = False, states: Sequence[str] = ()) -> list[str]:
    """The complete situation, line by line. ascii_only: only characters that old terminals support. states: how far sides have come."""
    said = ["Orders:", *(f"  {line}" for line in states)] if states else []
    return [
        *standing(view),
        "",
        *_awaited(view),
        *said,
        *_sides_text(view),
        *hinted(view),
        *_forces_text(view, ascii_only),
    ]


def thing_text(view: View, name: str, *, ascii_only: bool = False) -> list[str]:
    """Everything about one thing, line by line: its fields, and each of its parts; nothing if the viewer knows no such thing.

    A side counts as a thing here.
    """
    titles = sides_of(view)
    if side := next((one for one in view.sides if one.id.lower() == name.lower()), None):
        return [
            f"{called_side(side.id, titles)}: side",
            *(f"  {field}: {value}" for field, value in side.fields.items()),
        ]
    thing = next((one for one in view.things if one.id.lower() == name.lower()), None)
    if thing is None:
        return []
    parts = PartsOfThings(view.things)
    kind = " ".join(dict.fromkeys(filter(None, (thing.template, thing.kind))))
    whole = f", part of {thing.holder}" if thing.part else f", held by {thing.holder}" if thing.holder else ""
    where = f", in {thing.place}" if thing.place else ", off the map"
    head = f"{thing.id}: {kind}{whole}, {called_side(thing.side, titles)}{where}"
    drawn = dict(tracks_of(thing, ascii_only=ascii_only))
    lines = [f"  {field}: {drawn.get(field, value or '-')}" for field, value in thing.fields.items()]
    return [head, *lines, *_parts_text(thing, parts, 1, ascii_only)]


def _parts_text(whole: ThingView, parts: PartsOfThings, depth: int, ascii_only: bool) -> Iterator[str]:
    """The parts of a thing: for each entry how many are left, then each with its changes."""
    for line in (one for one in parts.lines(whole) if not one.depth):
        yield f"{'  ' * depth}{line}"
        for part in parts.of(whole.id):
            if (part.template or part.kind) == line.name:
                drawn = tracks_of(part, ascii_only=ascii_only)
                said = [title_of(part)] if title_of(part) else []
                said += [f"{name} {value}" for name, value in states(part, holds=False)] + [
                    f"{a} {b}" for a, b in drawn
                ]
                yield f"{'  ' * (depth + 1)}{'  '.join([part.id, *said])}"
                yield from _parts_text(part, parts, depth + 2, ascii_only)


def standing(view: View) -> list[str]:
    """Two lines: what is played, and the turn and phase."""
    titles = sides_of(view)
    dated = f" ({view.date})" if view.date else ""
    phase = view.phase_title or view.phase or ("" if view.over else "between phases")
    turn = f"Turn {view.turn}{dated}{phase and f', {phase}'}"
    if view.active:
        turn += f"; active: {titles.get(view.active, view.active)}"
    if view.over:
        turn += f"; the game is over. {over_line(view)}"
    seen = "by the umpire" if view.side in {"", UMPIRE} else f"by {titles.get(view.side, view.side)}"
    return [f"{view.scenario_title or view.scenario} ({view.system}), seen {seen}", turn]


def over_line(view: View) -> str:
    """Who has won the game and why it is over, as a sentence."""
    why = f"{sides_of(view).get(view.winner, view.winner)} won: {view.over}" if view.winner else view.over
    return f"{why[:1].upper()}{why[1:]}."


def awaited_line(one: Awaited, titles: Mapping[str, str]) -> str:
    """One thing that the game waits for, as a line."""
    who = titles.get(one.side, one.side)
    prompt = one.prompt if not who or one.prompt.startswith(who) else f"{who}: {one.prompt}"
    rule = f" [{one.where}]" if one.where else ""
    match one.kind:
        case "question" if not one.name:
            return f"{who} must make a secret choice."
        case "question" if not one.form:
            return f"{prompt}{rule}"
        case "question":
            return f"{prompt} The question is {one.name} ({one.form}).{rule}"
        case "dice":
            return f"{prompt} Dice: {one.form}.{rule}"
    return f"{prompt}{rule}"


def hinted(view: View) -> list[str]:
    """The hints of the lesson of the scenario for now, a line each."""
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


def as_json(view: View, of: str = "") -> dict[str, Any]:
    """The situation as `ophex status --json` prints it. of: the only thing to list, with its parts; empty for all."""
    if of:
        name = next((one.id for one in view.things if one.id.lower() == of.lower()), of)
        wanted = {name, *PartsOfThings(view.things).below(name)}
        view = attrs.evolve(view, things=tuple(one for one in view.things if one.id in wanted))
    return {
        "system": view.system,
        "scenario": view.scenario,
        "title": view.scenario_title,
        "as": view.side or UMPIRE,
        "turn": view.turn,
        "phase": view.phase,
        "active": view.active,
        "over": view.over,
        "winner": view.winner,
        "facts": dict(view.facts),
        "hints": list(view.hints),
        "awaiting": [attrs.asdict(one) for one in view.awaiting],
        "sides": [
            {
                **attrs.asdict(side),
                "things": [_thing(thing) for thing in view.things if thing.side == side.id],
            }
            for side in view.sides
        ],
        "others": [_thing(thing) for thing in view.things if thing.side not in sides_of(view)],
    }


def _thing(thing: ThingView) -> dict[str, Any]:
    return {**attrs.asdict(thing), "strength": strength_of(thing)}


def _awaited(view: View) -> list[str]:
    titles = sides_of(view)
    waiting = [awaited_line(one, titles) for one in view.awaiting if one.kind != "over"]
    return ["Awaited:", *(f"  {line}" for line in waiting or ["nothing"])]


def _sides_text(view: View) -> list[str]:
    """What is told of the sides themselves, a line each."""
    lines = side_lines((side.title, side.state) for side in view.sides)
    return ["Sides:", *(f"  {line}" for line in lines)] if lines else []


def side_lines(known: Iterable[tuple[str, Mapping[str, str]]]) -> list[str]:
    """A line for each side of which there is something to tell. known: the titles and the fields."""
    said = [(title, ", ".join(f"{field} {value}" for field, value in state.items())) for title, state in known]
    return [f"{title}: {fields}" for title, fields in said if fields]


def _forces_text(view: View, ascii_only: bool) -> Iterator[str]:
    titles, parts = sides_of(view), PartsOfThings(view.things)
    side = None
    rows = [(thing, depth) for thing, depth in forces(view) if not thing.part]
    holders = {thing.holder for thing, _ in rows}
    width = max((2 * depth + len(thing.id) for thing, depth in rows), default=0)
    for thing, depth in rows:
        if thing.side != side and not depth:
            side = thing.side
            yield ""
            yield f"{called_side(side, titles)}:{_total(view.things, side)}"
        name = f"{'  ' * depth}{thing.id}"
        said = [title_of(thing)] if title_of(thing) else []
        said += [f"{one} {value}" for one, value in states(thing, holds=thing.id in holders)]
        row = [f"{thing.place or '-':<6}", f"{number_of(thing):>4}", *said]
        yield f"  {name:<{width}}  {'  '.join(row)}".rstrip()
        if made_of := parts.summary(thing, ascii_only=ascii_only):
            yield f"  {'  ' * depth}  {made_of}"


def called_side(side: str, titles: Mapping[str, str]) -> str:
    """A side by its title, and by its id if that differs."""
    title = titles.get(side, side or "Belonging to no side")
    return title if title.lower() == side.lower() or side not in titles else f"{title} ({side})"


def _total(things: Iterable[ThingView], side: str) -> str:
    """How many units a side has, and their total strength, or what is known of it, if a field has it."""
    units = [thing for thing in things if thing.side == side and is_unit(thing)]
    strengths = [int(strength_of(thing)) for thing in units if strength_of(thing)]
    known = "known " if any(map(has_hidden_strength, units)) else ""
    together = f", {known}strength {sum(strengths)}" if strengths else ""
    return f" {counted(len(units), 'unit')}{together}" if units else ""


def _below(
    things: Iterable[ThingView], held: Mapping[str, list[ThingView]], depth: int
) -> Iterator[tuple[ThingView, int]]:
    for thing in things:
        yield thing, depth
        yield from _below(held.get(thing.id, ()), held, depth + 1)
