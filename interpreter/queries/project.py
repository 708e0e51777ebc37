"""Projection: the situation as one side may know it. Every screen, report and refusal for a side starts from here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

import attrs

from dsl.data.drawings import boxed, drawn_as
from dsl.data.scenario_names import names_things
from dsl.rules.entries import entries_of
from dsl.rules.notation import attribute
from dsl.rules.ruleset import Field, KindInfo
from dsl.syntax.declarations import Scenario, full_name
from dsl.text.shown import COUNTER_SHOWS
from interpreter.codegen.python_names import py
from interpreter.commands.sight import Sight
from interpreter.messages.asking import Roll, Window
from interpreter.messages.inputs import Awaited
from interpreter.messages.view import BetweenView, MapView, PlaceView, SideView, ThingView, View
from interpreter.play.contracts import Commanded, HasRules, Seated
from interpreter.program.program import Program
from interpreter.queries.awaited import Awaiting, awaited, followed, may_order, rolling
from interpreter.runtime.hidden import is_hidden
from interpreter.runtime.runtime import TROUBLE, say
from interpreter.runtime.things import Thing, Value
from interpreter.setup.setup import build_maps, new_world
from interpreter.world.ground import Sheet
from interpreter.world.new_ids import in_numbers
from interpreter.world.world import World


class Viewed(Awaiting, HasRules, Commanded, Seated, Protocol):
    """A game whose situation can be shown."""

    @property
    def scenario(self) -> Scenario:
        """The scenario."""

    @property
    def sides(self) -> tuple[SideView, ...]:
        """The sides."""

    @property
    def active(self) -> str:
        """The id of the side whose turn it is."""

    @property
    def over(self) -> str:
        """Why it is over."""

    @property
    def awaiting(self) -> tuple[Awaited, ...]:
        """What it is waiting for; for orders only those that are possible now."""


def view(game: Viewed, side: str) -> View:
    """What `side` (or "umpire") may see."""
    world = game.world
    made = _made(world, side)
    counters = _counters(game, side)
    things = [
        attrs.evolve(_thing(world, x, side, made.get(x.id, ())), counter=counters.get(x.id, ""))
        for kind, group in world.by_kind.items()
        if _shown(world, kind)
        for x in world.knowledge.as_shown(group, side)
        if not world.knowledge.concealed(x, side)
    ]
    phase = world.phases[-1] if world.phases else ("", "")
    facts = {}
    if world.game is not None:
        facts = _fields(world, world.game, world.knowledge.hidden_from(world.game, side), side)
    system = game.program.ruleset.system
    return View(
        side, system.name if system else "", game.scenario.name, game.scenario.title, world.turn, phase[0], phase[1], game.active, world.over,
        tuple(_side(world, one, side) for one in game.sides), tuple(things), facts,
        _maps(world, side), awaiting_of(game, side),
        str(world.calendar("date")) if world.dates is not None else "",
        tuple(_hints(game, side)),
        tuple(_thing(world, x, side, made.get(x.id, ())) for x in world.knowledge.as_shown(_gone(world, side), side)),
        world.winner.id if world.winner is not None else "", _around(world),
    )  # fmt: skip


def _around(world: World) -> str:
    """The title of the phase that contains the current step; empty if a phase itself is in progress."""
    running = [(title, step) for (_, title), (_, step) in zip(world.phases, world.durations.running, strict=False)]
    if not running or not running[-1][1]:
        return ""
    return next((title for title, step in reversed(running) if not step), "")


def _counters(game: Viewed, side: str) -> dict[str, str]:
    """The rules' value `counter-shows` of things, by their ids; omitted if it depends on something that a side may not know."""
    world, routine = game.world, game.program.rules.routines.get(COUNTER_SHOWS)
    if routine is None or routine.word != "value" or len(routine.params) != 1 or routine.within:
        return {}
    out: dict[str, str] = {}
    with known_to(game, side) as sight:
        worth = sight.world.functions[f"v_{py(routine.name)}"]
        for kind in world.ruleset.sorts(routine.params[0].type.word):
            for x in sight.world.by_kind.get(kind, ()):
                try:
                    out[x.id] = say(worth(x))
                except TROUBLE as error:
                    if not is_hidden(error):
                        raise
    return out


def known_to(game: Viewed, side: str) -> AbstractContextManager[Sight]:
    """What a side sees; the umpire sees all."""
    if side == "umpire":
        return nullcontext(Sight(game.commands))
    return game.commands.sight_of(game.world.by_id[side], game.commands.veils)


def _side(world: World, known: SideView, side: str) -> SideView:
    """A side with its fields; its title is one of them."""
    shown = thing_view(world, world.by_id[known.id], side)
    return attrs.evolve(known, fields={f: x for f, x in shown.fields.items() if f != "title"}, changed=shown.changed)


def thing_view(world: World, thing: Thing, side: str) -> ThingView:
    """One thing as a side may know it, without what it is made of."""
    return _thing(world, thing, side, ())


def _gone(world: World, side: str) -> list[Thing]:
    """The removed parts and wholes, by kind and id, as far as a side knew them.

    The order of removal is not kept: a game that continues from a snapshot must show the same.
    """
    kinds = list(world.ruleset.kinds)
    parts = {name for name, info in world.ruleset.kinds.items() if info.part}
    shown = parts | {world.ruleset.kinds[name].holder for name in parts}
    found = [
        x
        for x in (world.by_id.values() if parts else ())
        if not x.alive and x.kind in shown and not world.knowledge.concealed(x, side)
    ]
    return sorted(found, key=lambda x: (kinds.index(x.kind), in_numbers(x.id)))


def _hints(game: Viewed, side: str) -> Iterator[str]:
    """What the scenario's lesson says to a side now. A hint that depends on something the side may not know is left out."""
    if game.over or side == "umpire":
        return
    with known_to(game, side) as sight:
        for text, holds in game.program.hints(sight.world, game.scenario, side):
            try:
                if holds():
                    yield text
            except TROUBLE as error:
                if not is_hidden(error):
                    raise


def _shown(world: World, kind: str) -> bool:
    return world.ruleset.kinds[kind].word not in {"place", "side", "campaign"}


Made = Mapping[str, tuple[tuple[str, str, int, int], ...]]
"""The composition of each whole."""


def _made(world: World, side: str) -> Made:
    """The parts of each whole by entry, in the order of the unit lists, as far as a side may know that they exist or existed."""
    left: dict[str, Counter[tuple[str, str]]] = {}
    of: dict[str, Counter[tuple[str, str]]] = {}
    kinds = [name for name, info in world.ruleset.kinds.items() if info.part]
    for x in world.by_id.values() if kinds else ():
        whole = x.holder if x.part else None
        if whole is None or not whole.alive or world.knowledge.concealed(x, side):
            continue
        key = _entry_shown(world, x, world.knowledge.hidden_from(x, side)) or x.kind, x.kind
        of.setdefault(whole.id, Counter())[key] += 1
        if x.alive:
            left.setdefault(whole.id, Counter())[key] += 1
    rank = {
        (entry, kind): n
        for n, (kind, entry) in enumerate((k, e) for k in kinds for e in (*entries_of(world.ruleset, k), k))
    }
    return {
        whole: tuple((*key, left.get(whole, Counter())[key], found[key]) for key in sorted(found, key=rank.__getitem__))
        for whole, found in of.items()
    }


def _entry_shown(world: World, x: Thing, hidden: frozenset[str]) -> str:
    """The unit list entry of a thing; empty if it has none or may not be told. In a side's own world such an entry is missing."""
    entry = _entry_of(x)
    return "" if not entry or world.knowledge.entry_tells(x, hidden) else entry


def _entry_of(x: Thing) -> str:
    return getattr(x, "template", "")


def _thing(world: World, x: Thing, side: str, made: tuple[tuple[str, str, int, int], ...]) -> ThingView:
    hidden = world.knowledge.hidden_from(x, side)
    info = world.ruleset.kinds[x.kind]
    place = "" if "place" in hidden or x.place is None else x.place.label
    holder = "" if info.holder in hidden else _holder_shown(world, x, side)
    template = _entry_shown(world, x, hidden)
    name = x.id if "name" in hidden else x.name
    fields, fresh = _fields(world, x, hidden, side), world.maker.fresh(x.kind, _entry_of(x))
    return ThingView(
        x.id,
        name,
        x.kind,
        info.word,
        template,
        x.side.id if x.side is not None else "",
        place,
        holder,
        fields,
        tuple(f for f in fields if f != "title" and _says_more(x, info.fields[f], fresh[f])),
        tuple(f for f in fields if (info.fields[f].type.of or info.fields[f].type).name == "thing"),
        x.part,
        {f: getattr(x, attribute(full_name(f))) for f in fields if info.fields[f].track},
        made,
        _unknown(world, info, hidden, side),
        tuple(f for f in fields if _is_carried(info.fields[f])),
        tuple(f for f in fields if info.fields[f].type.name == "text"),
        boxes={f: boxes for f, boxes in boxed(world.ruleset, x.kind).items() if f in fields},
    )


def _says_more(x: Thing, field: Field, fresh: object) -> bool:
    """Whether a field is not as it began, or did not begin as anything, since each scenario must state it."""
    return field.node.stated or bool(getattr(x, attribute(field.name), None) != fresh)


def _holder_shown(world: World, x: Thing, side: str) -> str:
    return "" if x.holder is None or world.knowledge.concealed(x.holder, side) else x.holder.id


def _is_carried(field: Field) -> bool:
    """Whether a field can hold carried items: an entry of a list, or several words or entries."""
    return field.type.name == "entry" or (field.type.of is not None and field.type.of.name in {"entry", "enum", "text"})


def _unknown(world: World, info: KindInfo, hidden: frozenset[str], side: str) -> tuple[str, ...]:
    """The fields whose content a side may not know, or not completely."""
    if side == "umpire" or not (hidden or world.knowledge.conceals):
        return ()
    pointing = {f for f, x in info.fields.items() if world.knowledge.conceals and _names_what_can_hide(world, x)}
    return tuple(f for f in info.fields if f in hidden or f in pointing)


def _names_what_can_hide(world: World, field: Field) -> bool:
    inner = field.type.of or field.type
    return names_things(field.type) and inner.word in world.program.secrecy.concealed_kinds


def _told(world: World, value: Value, side: str) -> Value:
    """A field's value without things that the side must not know of."""
    if isinstance(value, list):
        return [
            v
            for v in world.knowledge.as_shown(value, side)
            if not (hasattr(v, "known") and world.knowledge.concealed(v, side))
        ]
    if not world.knowledge.conceals:
        return value
    return None if hasattr(value, "known") and world.knowledge.concealed(value, side) else value


def _fields(world: World, x: Thing, hidden: frozenset[str], side: str) -> dict[str, str]:
    out = {}
    own = x.side is not None and x.side.id == side
    left_out = {"name", *hidden, *(world.knowledge.lifting(x.kind) if own else ())}
    for field in world.ruleset.kinds[x.kind].fields.values():
        if field.node.untold or field.name in left_out or field.type.name == "link":
            continue
        value = _told(world, getattr(x, attribute(field.name)), side)
        if value is None or (isinstance(value, list) and not value):
            continue
        out[field.name] = (
            "+".join(say(v) for v in value) if isinstance(value, list) and field.node.joined else say(value)
        )
    return out


def _maps(world: World, side: str) -> tuple[MapView, ...]:
    """Every map, with the places between its places; a game without maps has an empty one."""
    shown = [x for x in world.maps if x.shape != "between"]
    return tuple(_map(world, x, side) for x in shown) or (MapView("", "", "drawn", 0, 0, "even", (), ()),)


def bare_map(program: Program, name: str) -> MapView:
    """A map of the rules as printed, with nothing on it. Raises RuleTrouble if it cannot be set up."""
    world = new_world(program)
    build_maps(world, [program.ruleset.maps[name]])
    return _maps(world, "umpire")[0]


def _map(world: World, sheet: Sheet, side: str) -> MapView:
    places = [p for p in world.places[sheet.start : sheet.end] if p.label]
    inside = range(sheet.start, sheet.end)
    label = world.grid.label
    links = tuple(
        (f"{word} {name}".strip(), label(a), label(b))
        for name, pairs in sorted(world.links.items())
        for (a, b), word in sorted(pairs.items())
        if a < b and a in inside
    )
    between = tuple(
        BetweenView(
            p.label,
            world.ground.ends_of(p)[0].label,
            world.ground.ends_of(p)[1].label,
            p.kind,
            _fields(world, p, world.knowledge.hidden_from(p, side), side),
        )
        for other in world.maps
        if other.shape == "between" and other.name == sheet.name
        for p in world.places[other.start : other.end]
    )
    borders: tuple[tuple[str, str], ...] = ()
    if sheet.shape == "drawn":
        borders = tuple((p.label, x.label) for p in places for x in p.near if x.index > p.index)
    return MapView(
        sheet.name, sheet.title, sheet.shape, max((p.column for p in places), default=0), max((p.row for p in places), default=0),
        sheet.low, tuple(_place(world, p, side) for p in places), links, sheet.kind, between, borders,
        _on_sides(world, sheet.name), drawn_as(world.ruleset),
    )  # fmt: skip


def _on_sides(world: World, name: str) -> frozenset[str]:
    """The names of links that a map has only on the sides between its places, not through them."""
    printed = world.ruleset.maps[name].links if name in world.ruleset.maps else ()
    named = [(f"{link.word} {link.link}".strip(), link.sides) for link in printed]
    return frozenset(one for one, sides in named if sides) - {one for one, sides in named if not sides}


def _place(world: World, p: Thing, side: str) -> PlaceView:
    fields = _fields(world, p, world.knowledge.hidden_from(p, side), side)
    name = p.name if p.name != p.label else ""
    fresh = world.maker.fresh(p.kind, "")
    plain = tuple(f for f in fields if getattr(p, attribute(f), None) == fresh[f])
    return PlaceView(p.label, name, p.column, p.row, fields, p.holder.label if p.holder is not None else "", plain)


def awaiting_of(game: Viewed, side: str) -> tuple[Awaited, ...]:
    """What a game is waiting for, as a side may know it. During a secret order the umpire also sees what other sides may give."""
    if side == "umpire":
        return game.awaiting
    return awaiting_as_known(game.seen_by(side), side)


def awaiting_as_known(game: Awaiting, side: str) -> tuple[Awaited, ...]:
    """What the game in a side's view is waiting for, as it may know it."""
    return tuple(_for_side(game, a, side) for a in awaited(game))


def _for_side(game: Awaiting, item: Awaited, side: str) -> Awaited:
    """What the game is waiting for from another side, without its possible orders and answers, and without the question if it is secret."""
    if side in ("umpire", item.side):
        return item
    pending = game.pending
    if item.kind == "dice":
        assert isinstance(pending, Roll)
        if pending.side.id == side:
            return item
        about = [x for x in (pending.item, pending.subject) if x is not None and x.kind != "side"]
        if game.world.knowledge.knowing(about, side) != [side]:
            return attrs.evolve(item, name="", prompt="Dice are rolled.", where="")
        return attrs.evolve(item, prompt=rolling(pending, to_all=True))
    if item.kind == "orders":
        assert isinstance(pending, Window)
        owner = next(s for s in pending.waiting if s.id == item.side)
        return attrs.evolve(item, choices=(), titles={}, prompt=f"{may_order(game, pending, owner, to_all=True)}.")
    if item.kind != "question":
        return item
    if not item.secret:
        who = _titled(game, item.side)
        prompt = f"{who}: {followed(item.title)}" if item.title else f"{who} chooses {item.name}."
        return attrs.evolve(item, choices=(), named=(), count=0, form="", prompt=prompt)
    return attrs.evolve(
        item,
        choices=(),
        named=(),
        count=0,
        name="",
        form="",
        prompt=f"{item.side} must make a secret choice.",
        where="",
        title="",
    )


def _titled(game: Awaiting, side: str) -> str:
    return next((str(s.f_title or s.id) for s in game.world.all_of("side") if s.id == side), side)
