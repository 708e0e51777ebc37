"""The state of a world as data: written for snapshots and digests, and read back into a newly set-up world."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from fractions import Fraction
from functools import partial
from typing import Any, cast

from dsl.ir import Type
from dsl.rules.notation import attribute, read
from interpreter.codegen.reads import ALL
from interpreter.messages.json_data import JsonObject, JsonValue
from interpreter.messages.state_data import ThingRow, WorldState
from interpreter.play.runner import Runner, frames_in
from interpreter.runtime.things import Thing
from interpreter.world.changed_places import changes, put_back
from interpreter.world.world import World
from interpreter.world.written_rows import encode, json_of

__all__ = ["digest_of", "names_standing", "restore", "state_of"]


def decode(world: World, data: Any) -> Any:
    """The value that `encode` wrote as this data."""
    if isinstance(data, list):
        return [decode(world, v) for v in data]
    if not isinstance(data, dict):
        return data
    ((tag, inner),) = data.items()
    if tag == "q":
        return Fraction(*inner)
    if tag == "r":
        return read(world.ruleset, Type("rating", inner[0]), inner[1])
    if tag == "p":
        return world.by_label[inner]
    if tag == "d":
        return {decode(world, k): decode(world, v) for k, v in inner}
    return world.by_id[inner]


def state_of(world: World) -> WorldState:
    """Everything that can change, as JSON data in a fixed order."""
    living = [x for group in _living(world).values() for x in group]
    things, gone = [world.rows.row(x) for x in living], [world.rows.row(x) for x in _gone(world)]
    return cast("WorldState", {"things": things, "gone": gone, **_else(world)})


def _living(world: World) -> dict[str, list[Thing]]:
    """All things that are in the game, by their kind."""
    return {kind: group for kind, group in world.by_kind.items() if world.ruleset.kinds[kind].word != "place"}


def _gone(world: World) -> list[Thing]:
    """All things that are no longer in the game, by their ids."""
    return [x for _, x in sorted((id_, x) for id_, x in world.by_id.items() if not x.alive)]


def _else(world: World) -> dict[str, object]:
    """Everything that can change except the things themselves."""
    return {
        "turn": world.turn, "active": world.active.id if world.active is not None else "", "over": world.over,
        "winner": world.winner.id if world.winner is not None else "",
        "stacks": {p.label: [x.id for x in p.things] for p in world.places if len(p.things) > 1},
        "members": {x.id: [m.id for m in x.members] for x in world.by_id.values() if len(x.members) > 1},
        **changes(world.places, world.started, encode),
        **world.durations.data(encode), **({"memory": _memory_data(world)} if world.memory else {}), **world.rulings.data(),
        **({"labels": labels} if world.incognito is not None and (labels := world.incognito.data()) else {}),
    }  # fmt: skip


def _memory_data(world: World) -> dict[str, list[list[str]]]:
    """What waiting rules remember: for each the things it checked last, in their own order."""
    return {rule: sorted([x.label or x.id for x in things] for things in found) for rule, found in world.memory.items()}


def digest_of(world: World, extra: JsonValue) -> str:
    """sha256 of the state and something more, as JSON with sorted keys and no spaces."""
    rest, rows = _else(world), world.rows
    things = ",".join(text for kind, group in _living(world).items() for text in rows.texts(kind, group))
    gone = ",".join(text for x in _gone(world) for text in rows.texts(x.kind, [x]))
    stretches = [
        json_of({key: value for key, value in rest.items() if key < "gone"})[1:-1],
        f'"gone":[{gone}]',
        json_of({key: value for key, value in rest.items() if "gone" < key < "things"})[1:-1],
        f'"things":[{things}]',
        json_of({key: value for key, value in rest.items() if key > "things"})[1:-1],
    ]
    state = ",".join(filter(None, stretches))
    return hashlib.sha256(f"[{{{state}}},{json_of(extra)}]".encode()).hexdigest()


def names_standing(runner: Runner) -> list[JsonObject]:
    """The names set so far by each suspended procedure, outermost first."""
    out = []
    for frame in frames_in(runner.run) if runner.pending is not None else ():
        slots = [x for x in type(frame).__slots__ if x.startswith("n_") and hasattr(frame, x)]
        out.append({x: encode(getattr(frame, x)) for x in slots})
    return out


def restore(world: World, data: WorldState) -> None:
    """Restores what `state_of` wrote, in a world freshly set up from the same scenario."""
    _take_things_out(world)
    kept = {s.id: s for s in world.by_kind["side"]}
    world.numbers.clear()
    world.by_id = {**kept, **({world.game.id: world.game} if world.game is not None else {})}
    rows = [*data["things"], *data["gone"]]
    for kind, id_, name, side, _, _, template, known, _ in rows:
        thing = world.by_id.get(id_)
        if thing is None:  # sides and the campaign already exist
            thing = world.maker.create(kind, id_, name, kept.get(side))
        thing.name = thing.id if name == thing.id else name
        thing.template, thing.known = template, set(known)
    for kind, id_, *_ in data["gone"]:
        world.by_id[id_].alive = False
        world.by_kind[kind].remove(world.by_id[id_])
    _fill_things(world, rows)
    for label, stack in data["stacks"].items():
        world.by_label[label].things = dict.fromkeys(world.by_id[i] for i in stack)
    for id_, members in data["members"].items():
        world.by_id[id_].members = [world.by_id.get(i) or world.by_label[i] for i in members]
    put_back(data, world.by_label, partial(decode, world))
    world.turn, world.over = data["turn"], data["over"]
    world.active = kept.get(data["active"])
    world.winner = kept.get(data["winner"])
    world.durations.restore(data, partial(decode, world))
    world.rulings.restore(data)
    if world.incognito is not None:
        world.incognito.restore(data.get("labels", {}))
    world.memory = {
        rule: [tuple(world.by_label.get(i) or world.by_id[i] for i in names) for names in found]
        for rule, found in data.get("memory", {}).items()
    }
    world.moves += 1
    world.touch(ALL)


def _take_things_out(world: World) -> None:
    """Removes everything except places, sides and the campaign itself."""
    for kind, group in world.by_kind.items():
        if world.ruleset.kinds[kind].word in {"place", "side"}:
            continue
        for x in list(group):
            if x is world.game:
                continue
            x.members = []
            if not x.part and x.place is not None:
                del x.place.things[x]
                x.place = None
            group.remove(x)


def _fill_things(world: World, rows: Iterable[ThingRow]) -> None:
    """Where things stand, who holds them, and their fields."""
    for kind, id_, _, _, place, holder, _, _, fields in rows:
        thing = world.by_id[id_]
        if place and kind != "side":
            world.positions.stand(thing, world.by_label[place])
        if holder and thing.alive:
            world.effects.hold(thing, world.by_id[holder])
        elif holder:
            thing.holder = world.by_id[holder]
        for field, value in fields.items():
            setattr(thing, attribute(field), decode(world, value))
