"""What goes to a table: the forces with their strengths and parts, the terrain, the situation, and the questions that the table answers.

All of it is read through the gate, as one side may know it, so that a pack can be given to that side.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from attrs import frozen

from campaigns.file.errors import CampaignError
from campaigns.views.force_forest import ForceNode, everything, forest, title_of, type_of
from campaigns.views.strengths import number_of
from dsl.text.diagnostics import did_you_mean
from interpreter.messages.sides import UMPIRE
from interpreter.messages.view import View
from interpreter.queries.table_battles import Table, at_tables

if TYPE_CHECKING:
    from campaigns.play.campaign import Campaign

__all__ = ["NoBattle", "Pack", "PackUnit", "pack_of", "packs"]

SCHEMA = "ophex-battle/1"
NOTHING = frozenset({"", "no", "--", "0"})
"""Fields that are worth listing only if they have changed."""


class NoBattle(CampaignError):
    """There is no such battle at a table, or none at all."""


@frozen
class PackUnit:
    """A thing that goes to the table. depth: how many wholes of the same force it is under.

    fields: everything printed on it and known about it; tracks: each with what is left and the maximum.
    """

    depth: int
    side: str
    name: str
    title: str
    kind: str
    type: str
    place: str
    whole: str
    number: str
    gone: bool
    fields: Mapping[str, str]
    tracks: Mapping[str, tuple[str, int]]


@frozen
class Pack:
    """A battle as one side, or the umpire, takes it to a table. mark: the mark of forms for this battle.

    forces: by their names in the rules; ground: for each place its label, its name and its fields; view: the situation, for
    the map.
    """

    schema: str
    system: str
    scenario: str
    title: str
    reader: str
    turn: int
    date: str
    phase: str
    mark: str
    table: Table
    forces: Mapping[str, tuple[PackUnit, ...]]
    ground: tuple[tuple[str, str, Mapping[str, str]], ...]
    view: View

    @property
    def units(self) -> dict[str, PackUnit]:
        """All units, by name."""
        return {unit.name: unit for units in self.forces.values() for unit in units}


def packs(campaign: "Campaign[Any]", side: str = UMPIRE) -> list[Pack]:
    """The battles that are at a table now, or can be taken to one, as a side may know them."""
    view = campaign.game.view(side)
    return [_pack(view, table) for table in at_tables(campaign.game, side)]


def pack_of(campaign: "Campaign[Any]", which: str = "", side: str = UMPIRE) -> Pack:
    """One battle. which: its name; empty if there is only one.

    Raises:
        NoBattle: there is none, none of this name, or several and none is named.
    """
    found = packs(campaign, side)
    names = [one.table.name for one in found]
    if not found:
        declared = campaign.game.program.ruleset.tabletops
        hint = (
            "A battle is at a table once the rules ask for its result; `ophex status` shows what is awaited."
            if declared
            else "A module of the rules may let battles be fought at a table: `ophex systems` lists them."
        )
        raise NoBattle("No battle is at a table now.", hint)
    if not which and len(found) > 1:
        raise NoBattle("Several battles are at tables now.", f"Name one of them: {', '.join(names)}.")
    chosen = next((one for one in found if which.lower() in {"", one.table.name.lower()}), None)
    if chosen is None:
        raise NoBattle(
            f"No battle {which[:60]} is at a table.", did_you_mean(which, names) or f"At a table: {', '.join(names)}."
        )
    return chosen


def _pack(view: View, table: Table) -> Pack:
    nodes = {node.thing.id: node for node in everything(forest(view))}
    places = {place.label: place for board in view.maps for place in board.places}
    ground = tuple(
        (one.label, one.name, {name: value for name, value in one.fields.items() if name not in one.plain})
        for label in table.ground
        if (one := places.get(label)) is not None
    )
    forces = {force.name: tuple(_units(view, force.things, nodes)) for force in table.forces}
    said = (view.system, view.scenario, table.tabletop, table.name, table.title)
    mark = sha256("\n".join(said).encode()).hexdigest()[:8]
    return Pack(
        SCHEMA, view.system, view.scenario, view.scenario_title, view.side or UMPIRE, view.turn, view.date,
        view.phase_title or view.phase, mark, table, forces, ground, view,
    )  # fmt: skip


def _units(view: View, names: tuple[str, ...], nodes: Mapping[str, ForceNode]) -> list[PackUnit]:
    """The things of a force, each before what it holds; those not in the view are left out."""
    things = {thing.id: thing for thing in view.things}
    found: dict[str, PackUnit] = {}

    def add(node: ForceNode, depth: int) -> None:
        if node.thing.id not in found:
            found[node.thing.id] = _unit(node, depth)
            for below in node.below:
                add(below, depth + 1)

    order = {name: number for number, name in enumerate(nodes)}  # wholes with what they hold, as in a roster
    for name in sorted(names, key=lambda name: order.get(name, len(order))):
        holder = things[name].holder if name in things else ""
        depth = found[holder].depth + 1 if holder in found else 0
        if name in nodes:
            add(nodes[name], depth)
        elif name in things:
            found.setdefault(name, _unit(ForceNode(things[name], gone=False, below=()), depth))
    return list(found.values())


def _unit(node: ForceNode, depth: int) -> PackUnit:
    thing = node.thing
    silent = {"title", *thing.tracks, *thing.pointing}
    known = {name: value for name, value in thing.fields.items() if name not in silent and (value not in NOTHING or name in thing.changed)}  # fmt: skip
    tracks = {name: (thing.fields[name], full) for name, full in thing.tracks.items() if name in thing.fields}
    number = "" if node.gone else number_of(thing)
    return PackUnit(depth, thing.side, thing.id, title_of(thing), thing.kind, type_of(thing), thing.place, thing.holder, number, node.gone, known, tracks)  # fmt: skip
