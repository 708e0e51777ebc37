"""The veil: what a side may not know is removed from a private world while something is computed for that side.

A reader of the game in play looks into a mirror (`mirror.py`), and the game itself stays complete. A veil covers only a world
that nobody else reads: a rehearsal, which continues in it; an example; the second game that `why` runs through a turn. There,
lines are evaluated while they are being done, with the trail, the frames and the prepared values of that world, none of which a
mirror has. Reading a veiled field, a secret answer of another side, or a name that a procedure computed from such, raises
`Hidden` (`hidden.py`). No error of a rule is mistaken for that.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from dsl.rules.notation import attribute
from interpreter.mirrors.known_names import KnownNames, forget_values, frames_heard
from interpreter.mirrors.known_past import KnownPast
from interpreter.runtime.frames import Frame
from interpreter.runtime.hidden import Nature, hide, is_hidden, show, withhold
from interpreter.runtime.things import Thing
from interpreter.world.ways import Ways
from interpreter.world.world import World


class Veil:
    """What is removed from a world while it is seen by one side."""

    def __init__(self, world: World, side: str) -> None:
        self.world = world
        self.side = side
        self._taken: list[tuple[object, str, object]] = []
        self._natures: list[tuple[Thing | Frame, Nature]] = []
        self._entries: list[tuple[dict[str, list[Thing]], str, list[Thing]]] = []
        self._gone: set[Thing] = set()

    def take(self, holder: Thing | Frame, slot: str) -> bool:
        """Removes one value; returns whether there was one."""
        there = hasattr(holder, slot)
        if there:
            self._taken.append((holder, slot, getattr(holder, slot)))
            self._natures.append((holder, hide(holder, slot)))
        return there

    def miss(self, holder: Thing | Frame, slot: str) -> None:
        """Records a name that could not be set because it depends on something hidden."""
        self._natures.append((holder, withhold(holder, slot)))

    def restore(self) -> None:
        """Puts everything back."""
        for holder, slot, value in reversed(self._taken):
            setattr(holder, slot, value)
        for holder, nature in reversed(self._natures):
            show(holder, nature)
        for held, key, value in reversed(self._entries):
            held[key] = value

    def covers(self, error: BaseException | None) -> bool:
        """Whether something failed because it is hidden from the side."""
        return is_hidden(error)

    # ---- what is hidden
    def hide_things(self) -> None:
        """Removes completely hidden things from all collections."""
        world, secrecy = self.world, self.world.program.secrecy
        if not world.knowledge.conceals:
            return
        kinds = secrecy.concealed_kinds
        gone = [x for x in world.by_id.values() if x.kind in kinds and world.knowledge.concealed(x, self.side)]
        if not gone:
            return
        out = self._gone = set(gone)
        self._hide_from_lists(gone)
        for x in world.by_id.values():
            if x.holder in out and not x.part:  # what a hidden thing holds is visible, but not its holder
                self.take(x, "holder")
            self._hide_spoken_of(x)

    def _hide_from_lists(self, gone: list[Thing]) -> None:
        """Removes hidden things from the lists by kind, by id, by place and by holder."""
        world, out = self.world, self._gone
        for kind in {x.kind for x in gone}:
            self._put(world.by_kind, kind, [x for x in world.by_kind[kind] if x not in out])
        self._swap(world, "by_id", {i: x for i, x in world.by_id.items() if x not in out})
        for place in {x.place for x in gone if not x.part and x.place is not None}:
            self._swap(place, "things", {x: None for x in place.things if x not in out})
        for holder in {x.holder for x in gone if x.holder is not None}:
            self._swap(holder, "members", [x for x in holder.members if x not in out])

    def _hide_spoken_of(self, x: Thing) -> None:
        """Removes hidden things from the fields of a thing that refer to others."""
        out = self._gone
        for slot in self.world.program.secrecy.speaking.get(x.kind, ()):
            held = getattr(x, slot, None)
            if isinstance(held, list):
                if not out.isdisjoint(held):
                    self._swap(x, slot, [y for y in held if y not in out])
            elif held is not None and held in out:
                self._swap(x, slot, None)

    def _swap(self, holder: object, slot: str, value: object) -> None:
        self._taken.append((holder, slot, getattr(holder, slot)))
        setattr(holder, slot, value)

    def _put(self, held: dict[str, list[Thing]], key: str, value: list[Thing]) -> None:
        self._entries.append((held, key, held[key]))
        held[key] = value

    def hide_fields(self) -> None:
        """Removes the fields that are hidden from the side."""
        world = self.world
        hiding = frozenset(world.hiding_kinds)
        things = [x for x in world.by_id.values() if x.kind in hiding]
        if any(world.ruleset.kinds[kind].word == "place" for kind in hiding):
            things += [x for x in world.places if x.kind in hiding]
        for thing in things:
            fields = world.knowledge.hidden_from(thing, self.side)
            if not fields:
                continue
            info = world.ruleset.kinds[thing.kind]
            if world.knowledge.entry_tells(thing, fields):
                self.take(thing, "template")
            for field in fields:
                if field == "name":
                    self._swap(thing, "name", thing.id)
                elif field == "place":
                    if not thing.part:
                        self.take(thing, "place")
                elif field == info.holder:
                    holder = getattr(thing, "holder", None)
                    if holder is not None:
                        self._swap(holder, "members", [x for x in holder.members if x is not thing])
                    self.take(thing, "holder")
                elif field in info.fields:
                    self.take(thing, attribute(field))

    def hide_durations(self) -> None:
        """Removes temporary values of hidden fields, and of completely hidden things: their expiry would reveal them."""
        durations = self.world.durations
        self._swap(durations, "known", KnownPast(self.world.program.secrecy.unheard, self.side))
        lasting = {
            (x, slot): number
            for (x, slot), number in durations.lasting.items()
            if hasattr(x, slot) and x not in self._gone
        }
        if len(lasting) == len(durations.lasting):
            return
        left = {m: [x for x in found if (x.thing, x.slot) in lasting] for m, found in durations.expiries.items()}
        self._swap(durations, "lasting", lasting)
        self._swap(durations, "expiries", {moment: found for moment, found in left.items() if found})

    def hide_names(self) -> None:
        """Removes from the procedures that ran the names of other sides' secret orders, and all other names that the side may not know."""
        frames = frames_heard(self.world, self.side)
        self._swap(self.world, "frames", frames)
        KnownNames(self.world, self.world, self.side, frames, self).hide(frames)


@contextmanager
def veiled(world: World, side: str, *, names: bool = True) -> Iterator[Veil]:
    """The world without what a side may not know; everything is restored afterwards.

    names: whether names of procedures, and secret choices of other sides, are removed as well.
    """
    veil = Veil(world, side)
    ways, before = world.ways, world.veil
    forget_values(world.frames)
    world.veil = veil
    try:
        world.ways = Ways(world)
        veil.hide_things()
        veil.hide_fields()
        veil.hide_durations()
        if names:
            veil.hide_names()
        yield veil
    finally:
        veil.restore()
        world.ways, world.veil = ways, before
        forget_values(world.frames)
