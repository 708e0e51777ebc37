"""The contents of a snapshot: the state of a world as it is written for files and digests, and read back."""

from __future__ import annotations

import json
from typing import NamedTuple, NotRequired, TypedDict

from interpreter.messages.json_data import JsonObject, JsonValue

__all__ = ["ThingRow", "TurnSnapshot", "WorldState", "read_snapshot"]


class ThingRow(NamedTuple):
    """A thing. side, place, holder: ids and labels, empty for none; template: its unit list entry; known: the sides that it is revealed to."""

    kind: str
    id: str
    name: str
    side: str
    place: str
    holder: str
    template: str
    known: list[str]
    fields: dict[str, JsonValue]


class WorldState(TypedDict):
    """Everything that can change. Optional parts are left out if they are empty.

    stacks, members: the order of things in one place, or held by one thing; places, lies, parts, shown: changes of places
    (`changed_places.py`); expiries, past: what lasts until when, and past actions (`lasting.py`); memory: what waiting rules checked last;
    labels: how often sides have met things and lost sight of them (`fresh_labels.py`); rulings, standing, amended: the umpire's rulings
    (`rulings.py`).
    """

    turn: int
    active: str
    over: str
    winner: str
    things: list[ThingRow]
    gone: list[ThingRow]
    stacks: dict[str, list[str]]
    members: dict[str, list[str]]
    places: dict[str, dict[str, JsonValue]]
    lies: NotRequired[dict[str, JsonValue]]
    parts: NotRequired[dict[str, list[JsonValue]]]
    shown: NotRequired[dict[str, list[str]]]
    expiries: dict[str, list[list[JsonValue]]]
    past: NotRequired[dict[str, list[list[JsonValue]]]]
    memory: NotRequired[dict[str, list[list[str]]]]
    labels: NotRequired[dict[str, dict[str, int]]]
    rulings: NotRequired[list[list[JsonValue]]]
    standing: NotRequired[list[list[JsonValue]]]
    amended: NotRequired[dict[str, str]]


class DiceSource(TypedDict):
    """Where dice come from (`throwing.py`)."""

    manner: str
    seed: int | str
    seals: NotRequired[JsonObject]
    since: NotRequired[int]


class TurnSnapshot(TypedDict):
    """A game at the beginning of a turn. rolled: how many dice were rolled; dice: where they come from; rules, coming: amended texts; modules: those that are on."""

    state: WorldState
    rolled: int
    dice: NotRequired[DiceSource]
    rules: NotRequired[list[JsonValue]]
    coming: NotRequired[list[JsonValue]]
    modules: NotRequired[list[str]]


def read_snapshot(written: bytes) -> TurnSnapshot:
    """A snapshot read from JSON. Raises ValueError if a text or a number in it is something else: whoever sent the file may have written it."""
    found: TurnSnapshot = json.loads(written)
    state = found["state"]
    if type(state["turn"]) is not int or not _are_texts(state["active"], state["over"], state["winner"]):
        raise ValueError("the turn, the active side, the end or the winner is not what ophex writes")
    times = [times for row in state.get("labels", {}).values() for times in row.values()]
    if not all(type(one) is int and one >= 0 for one in times):
        raise ValueError("a count of what was lost from sight is not what ophex writes")
    state["things"], state["gone"] = _rows(state["things"]), _rows(state["gone"])
    return found


def _rows(written: list[ThingRow]) -> list[ThingRow]:
    rows = [ThingRow(*row) for row in written]
    if not all(_are_texts(*row[:7], *row.known) and type(row.fields) is dict for row in rows):
        raise ValueError("a thing is not what ophex writes")
    return rows


def _are_texts(*values: object) -> bool:
    return all(type(value) is str for value in values)
