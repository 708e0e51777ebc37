"""Secrets and how to vary them: other worlds in which a side knows exactly what it knows in this one.

Each variation changes a game in memory in something that the side may not know, and in nothing else. What is reported to the side
must then be the same, byte for byte (`campaigns/leaks/compared_worlds.py`).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

from campaigns.leaks.pasts import Way, another_past
from campaigns.leaks.renaming import rename
from dsl.rules.notation import attribute
from interpreter.codegen.reads import ALL
from interpreter.machine import Game
from interpreter.messages.asking import Roll, Sealed, Window
from interpreter.messages.inputs import ENDINGS, Event, Input, Refused, RuleFailure
from interpreter.play.set_aside import sides_asked
from interpreter.runtime.runtime import RuleTrouble
from interpreter.runtime.things import Thing
from interpreter.world.seat import readable

__all__ = ["SECRETS", "START", "Vary", "absent_name"]

Given = list[tuple[Input, tuple[Event, ...]]]
"""An input of a game, and its events."""
Vary = Callable[[Game, str, random.Random], tuple[int, Given]]
"""Changes what a side may not know in a game. Returns how much was changed, and the inputs for it."""

START = "start"
"""The kind of secret that is how the turn began."""

MOST_ORDERS = 3
"""The most orders that are given in secret."""


def absent_name(name: str, taken: Mapping[str, Any], chance: random.Random) -> str:
    """An unused name, spelt like another."""
    while True:
        found = f"{name[:-1]}{chance.choice('abcdefghkmnpqrstuvwxyz23456789')}"
        name = found if found.lower() not in {one.lower() for one in taken} else f"{found}{chance.choice('abcxyz')}"
        if name.lower() not in {one.lower() for one in taken}:
            return name


def _pasts(game: Game, side: str, chance: random.Random) -> tuple[int, Given]:
    """Hidden fields, places of unseen things and holders at the beginning of the turn."""
    seed = chance.random()

    def way(vary: Callable[..., tuple[int, Given]]) -> Way:
        return lambda begun, share, tried: vary(begun, side, random.Random(f"{seed}/{tried}"), share)[0]

    return another_past(game, side, map(way, (_fields, _places, _holders))), []


def _fields(game: Game, side: str, chance: random.Random, share: float = 1.0) -> tuple[int, Given]:
    """What hidden fields hold."""
    world, number = game.world, 0
    for thing in [*world.by_id.values(), *(p for p in world.places if p.kind in world.hiding_kinds)]:
        info = world.ruleset.kinds[thing.kind]
        hidden = world.knowledge.hidden_from(thing, side) & {n for n, f in info.fields.items() if not f.full_of}
        for name in sorted(hidden - {"name", "place", info.holder or ""}):
            before = getattr(thing, attribute(name), None)
            value = _another(game, thing, name, before, chance)
            if value is None or value == before or _is_spared(chance, share):
                continue
            try:
                world.effects.set(thing, name, value)
            except (RuleTrouble, AttributeError):
                continue
            number += 1
    return number, []


def _is_spared(chance: random.Random, share: float) -> bool:
    """Whether something stays unchanged, if only a share is varied."""
    return share < 1 and chance.random() >= share


def _another(game: Game, thing: Any, name: str, before: Any, chance: random.Random) -> Any:
    """Another value that a field can have; None if none is known."""
    field = game.world.ruleset.kinds[thing.kind].fields[name]
    match field.type.name:
        case "number":
            low = int(field.low) if field.low is not None else 0
            high = int(field.high) if field.high is not None else max(low + 9, int(before or 0) + 3)
            return chance.randint(low, high)
        case "mark":
            return not before
        case "enum":
            return chance.choice(game.commands.domains.of_type(field.type))
        case "text":
            return f"{before or 'text'}, otherwise"
        case "thing":
            owner = getattr(before if before is not None else thing, "side", None)
            found = [
                x
                for x in game.commands.domains.of_type(field.type)
                if getattr(x, "side", None) is owner and x is not thing
            ]
            return chance.choice(found) if found else None
    return None


def _unseen(game: Game, side: str) -> list[Any]:
    """The things that a side must not know about."""
    return [x for x in game.world.by_id.values() if x.alive and game.world.knowledge.concealed(x, side)]


def _places(game: Game, side: str, chance: random.Random, share: float = 1.0) -> tuple[int, Given]:
    """The places of unseen things."""
    number = 0
    for thing in _unseen(game, side):
        if thing.place is not None and not thing.part and not _is_spared(chance, share):
            others = [p for p in game.world.places if p.kind == thing.place.kind and p.label]
            game.world.positions.stand(thing, chance.choice(others))
            number += 1
    game.world.touch(ALL)
    return number, []


def _being(game: Game, side: str, chance: random.Random) -> tuple[int, Given]:
    """Whether unseen things exist or existed at all: some of them never did."""
    world, number = game.world, 0
    gone = [x for x in world.by_id.values() if not x.alive and world.knowledge.concealed(x, side)]
    for thing in [*_unseen(game, side), *gone]:
        if thing.members or chance.random() < 0.5:
            continue
        del world.by_id[thing.id]
        if thing.alive:
            world.by_kind[thing.kind].remove(thing)
            if thing.place is not None and not thing.part:
                thing.place.things.pop(thing, None)
            if thing.holder is not None:
                thing.holder.members.remove(thing)
        for other in world.by_id.values():
            for field in world.ruleset.kinds[other.kind].fields.values():
                held = getattr(other, attribute(field.name), None)
                if isinstance(held, list) and thing in held:
                    setattr(other, attribute(field.name), [x for x in held if x is not thing])
                elif held is thing:
                    setattr(other, attribute(field.name), None)
        number += 1
    world.touch(ALL)
    return number, []


MAY_BE_NOBODYS = frozenset({"marker", "component", "record", "pool"})
"""Words of kinds whose things may belong to no side."""


def _sides(game: Game, side: str, chance: random.Random) -> tuple[int, Given]:
    """The sides of unseen things: another side that hides them as well, or none. Things that hold or are held keep their side."""
    world, number = game.world, 0
    for thing in _unseen(game, side):
        if thing.holder is not None or thing.members:
            continue
        before = thing.side
        owners: list[Thing | None] = [x for x in world.by_kind["side"] if x is not before and x.id != side]
        if before is not None and world.ruleset.kinds[thing.kind].word in MAY_BE_NOBODYS:
            owners.append(None)
        if not owners:
            continue
        thing.side = chance.choice(owners)
        if world.knowledge.concealed(thing, side):
            number += 1
        else:
            thing.side = before
    world.touch(ALL)
    return number, []


def _names(game: Game, side: str, chance: random.Random) -> tuple[int, Given]:
    """The names of things under labels: some swap names, some get names that do not exist."""
    world, labels = game.world, game.world.incognito
    if labels is None:
        return 0, []
    said = {word.strip(",;:") for one in game.inputs_of_turn if one.side == side for word in one.text.split()}
    hidden = [
        x
        for x in world.by_id.values()
        if x.id in labels
        and "name" in world.knowledge.hidden_from(x, side)
        and x.id not in said  # it knows what it has said itself
    ]
    called: dict[str, str] = {}
    for kind, whose in sorted({(x.kind, _owner(x)) for x in hidden}):
        group = [x.id for x in hidden if x.kind == kind and _owner(x) == whose]
        _call_otherwise(group, called, dict(world.by_id), chance)
    if called:
        rename(game, called)
    return len(called), []


def _owner(thing: Any) -> str:
    """The side of a thing; "" for none."""
    return thing.side.id if thing.side is not None else ""


def _call_otherwise(group: list[str], called: dict[str, str], taken: dict[str, Any], chance: random.Random) -> None:
    """Gives each of a group the name of another in it, or an unused one; no name is used twice."""
    for old, other in zip(group, chance.sample(group, len(group)), strict=True):
        swapped = chance.random() < 0.5 or other in called.values()
        called[old] = other if swapped else absent_name(old, taken, chance)
    for old in group:  # names that were used twice are replaced
        if list(called.values()).count(called[old]) > 1:
            called[old] = absent_name(old, {**taken, **dict.fromkeys(called.values())}, chance)


def _holders(game: Game, side: str, chance: random.Random, share: float = 1.0) -> tuple[int, Given]:
    """Who holds what, where that is hidden."""
    world, number = game.world, 0
    for thing in list(world.by_id.values()):
        holder = world.ruleset.kinds[thing.kind].holder
        if not thing.alive or thing.holder is None:
            continue  # the holder of a removed thing is never reported
        if not holder or not {holder, "place"} & world.knowledge.hidden_from(thing, side) or _is_spared(chance, share):
            continue
        others = [x for x in world.by_kind[thing.holder.kind] if x.side is thing.holder.side and x.alive]
        if thing.part:  # another whole may reveal it
            others = [
                x for x in others if world.knowledge.concealed(x, side) == world.knowledge.concealed(thing.holder, side)
            ]
        world.effects.hold(thing, chance.choice(others))
        number += 1
    world.touch(ALL)
    return number, []


def _order(game: Game, side: str, chance: random.Random) -> tuple[int, Given]:
    """The order in which unseen things entered the game."""
    number = 0
    for group in game.world.by_kind.values():
        at = [n for n, x in enumerate(group) if getattr(x, "alive", False) and game.world.knowledge.concealed(x, side)]
        if len(at) > 1:
            mixed = chance.sample([group[n] for n in at], len(at))
            for n, thing in zip(at, mixed, strict=True):
                group[n] = thing
            number += len(at)
    return number, []


def _dice(game: Game, _side: str, chance: random.Random) -> tuple[int, Given]:
    """The dice to come."""
    game.dice.seed = f"{game.dice.seed} {chance.random()}"
    return (0 if game.typed else 1), []


def _orders(game: Game, side: str, chance: random.Random) -> tuple[int, Given]:
    """What others have ordered in secret, and the answers to questions of such orders: perhaps not all yet."""
    given: Given = []
    for _ in range(chance.randint(0, MOST_ORDERS)):
        found = _secret_inputs(game, side, chance)
        if not found:
            break
        one = game.in_own_words(chance.choice(found))
        if not _is_told(game, one, side):
            given.append((one, game.offer(one)))
    return len(given), given


def _secret_inputs(game: Game, side: str, chance: random.Random) -> list[Input]:
    """What another side can order in secret now, or answer after it has done so."""
    window = game.pending
    if isinstance(window, Window):
        others = [s.id for s in window.waiting if s.id != side]
        other = chance.choice(others) if others else ""
        legal = game.legal_commands(other, 400) if other else []
        return [Input("do", other, c.text) for c in legal if game.is_untold(c.order) and c.order not in ENDINGS]
    asked = [a for a in game.waiting if a.kind == "question" and a.side != side]
    return (
        [Input("answer", a.side, c, a.name) for a in asked for c in a.choices] if game.seen_by(side) is not game else []
    )


def _is_told(game: Game, given: Input, side: str) -> bool:
    """Whether an input is visible to a side: by an event, by whose turn it is then, by a question or by dice of the table."""
    trial = game.copy_of_turn()
    try:
        for one in game.inputs_of_turn:
            trial.offer(one)
        before = trial.pending
        turn = list(before.waiting) if isinstance(before, Window) else []
        if readable(trial.offer(given), side):
            return True
    except (Refused, RuleFailure):
        return True
    after = trial.pending
    if isinstance(before, Window) and isinstance(after, Window) and after.key == before.key:
        return list(after.waiting) != turn
    return after is None or isinstance(after, Roll) or side in sides_asked(after)


def _answers(game: Game, side: str, chance: random.Random) -> tuple[int, Given]:
    """What others have answered in a round that is still sealed."""
    given: Given = []
    sealed = game.pending
    if isinstance(sealed, Sealed) and any(q.side.id == side for q in sealed.open):
        for one in [a for a in game.awaiting if a.kind == "question" and a.side != side and a.choices]:
            # That somebody has answered is known, but not what: some answer must be accepted in every world.
            for choice in chance.sample(one.choices, len(one.choices)):
                said = game.in_own_words(Input("answer", one.side, choice, one.name))
                try:
                    given.append((said, game.offer(said)))
                except Refused:
                    continue
                break
    return len(given), given


def _rulings(game: Game, side: str, chance: random.Random) -> tuple[int, Given]:
    """Hidden facts that the umpire has set, and the reasons."""
    world = game.world
    found = [
        (thing, name)
        for thing in world.by_id.values()
        for info in (world.ruleset.kinds[thing.kind],)
        for name in sorted(world.knowledge.hidden_from(thing, side) & set(info.fields))
        if info.fields[name].type.name == "number" and not info.fields[name].node.untold
    ]
    if not found:
        return 0, []
    thing, name = chance.choice(found)
    value = _another(game, thing, name, getattr(thing, attribute(name), None), chance)
    one = Input("override", "umpire", f"{name} of {thing.id} = {value}", chance.choice(["counted wrong", "as agreed"]))
    try:
        return 1, [(one, game.offer(one))]
    except (Refused, RuleFailure):
        return 0, []


SECRETS: Mapping[str, Vary] = {
    START: _pasts, "orders": _orders, "answers": _answers, "rulings": _rulings, "fields": _fields, "places": _places, "existence": _being,
    "holders": _holders, "sides": _sides, "order": _order, "dice": _dice, "names": _names,
}  # fmt: skip
"""The kinds of secrets and how each is varied. First the beginning of the turn, then those that are given as inputs."""
