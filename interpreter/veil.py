"""The veil: what a side may not know is taken out of the world for as long as something is worked out for that side.

Whatever needs a veiled field, a secret answer of another side, or a name that a procedure worked out from such, then meets
`Hidden` where it reads it (`hidden.py`), and no fault of a rule is taken for that.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from dsl import ir
from dsl.ir import E
from dsl.rules.notation import attribute
from interpreter.codegen.emitted_code import worked_out
from interpreter.codegen.python_names import py
from interpreter.frames import Frame
from interpreter.hidden import Nature, hide, is_hidden, show, withhold
from interpreter.known_past import KnownPast
from interpreter.secrecy import Question, Rolling
from interpreter.things import Thing, Value
from interpreter.ways import Ways
from interpreter.what_names_rest_on import Naming

if TYPE_CHECKING:
    from interpreter.world import World


class Veil:
    """What is taken out of a world while it is seen with one side's eyes."""

    def __init__(self, world: World, side: str) -> None:
        self.world = world
        self.side = side
        self._taken: list[tuple[object, str, object]] = []
        self._natures: list[tuple[Thing | Frame, Nature]] = []
        self._entries: list[tuple[dict[str, list[Thing]], str, list[Thing]]] = []
        self._space: dict[str, Value] | None = None
        self._gone: set[Thing] = set()

    def take(self, holder: Thing | Frame, slot: str) -> None:
        """Takes one value out."""
        if hasattr(holder, slot):
            self._taken.append((holder, slot, getattr(holder, slot)))
            self._natures.append((holder, hide(holder, slot)))

    def miss(self, holder: Thing | Frame, slot: str) -> None:
        """Notes a name that could not be set because it rests on what is hidden."""
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
        """Takes things that are hidden wholly out of everything that gathers them."""
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
            if x.holder in out and not x.part:  # what a hidden thing holds is seen, but not who holds it
                self.take(x, "holder")
            self._hide_spoken_of(x)

    def _hide_from_lists(self, gone: list[Thing]) -> None:
        """Takes hidden things out of what lists them: by kind, by id, where they stand, and by who holds them."""
        world, out = self.world, self._gone
        for kind in {x.kind for x in gone}:
            self._put(world.by_kind, kind, [x for x in world.by_kind[kind] if x not in out])
        self._swap(world, "by_id", {i: x for i, x in world.by_id.items() if x not in out})
        for place in {x.place for x in gone if not x.part and x.place is not None}:
            self._swap(place, "things", {x: None for x in place.things if x not in out})
        for holder in {x.holder for x in gone if x.holder is not None}:
            self._swap(holder, "members", [x for x in holder.members if x not in out])

    def _hide_spoken_of(self, x: Thing) -> None:
        """Takes hidden things out of the fields of a thing that speak of others."""
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
        """Takes the fields that are hidden from the side."""
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
        """Takes what lasts for a while on hidden fields, and on things that are hidden wholly: that it ends would tell of it."""
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

    def hide_orders(self) -> None:
        """Takes what names of secret orders mean since others gave them: as if only the side itself had given any."""
        world, frames = self.world, dict(self.world.frames)
        givers = {id(frame): by for (_, by), (_, frame) in world.heard_frames.items()}
        for key, frame in self.world.frames.items():
            if givers.get(id(frame), "") not in {"", self.side}:
                heard = [world.heard_frames[key, by] for by in ("", self.side) if (key, by) in world.heard_frames]
                if heard:
                    frames[key] = max(heard, key=lambda one: one[0])[1]
                else:
                    del frames[key]
        self._swap(world, "frames", frames)

    def hide_names(self) -> None:
        """Takes from the procedures that ran what other sides chose in secret, and what was worked out from hidden things."""
        routines, secrecy = self.world.program.rules.routines, self.world.program.secrecy
        if self.world.knowledge.conceals:
            for frame in self.world.frames.values():
                for slot in [s for s in secrecy.named_slots(frame) if hasattr(frame, s)]:
                    if any(self.world.knowledge.concealed(x, self.side) for x in things_in(getattr(frame, slot))):
                        self.take(frame, slot)
        frames = [(routines[k], f) for k, f in self.world.frames.items() if k in routines]
        for routine, frame in frames:
            for line in secrecy.secret_questions(routine):
                self._hide_answer(frame, line)
        for routine, frame in frames:
            for roll in secrecy.rolls(routine):
                self._hide_roll(frame, roll)
        taken = -1
        while self._natures and len(self._natures) != taken:  # else nothing rests on what was taken
            taken = len(self._natures)
            for routine, frame in frames:
                for naming in secrecy.namings(routine):
                    self._hide_naming(naming, frame)

    def _hide_naming(self, naming: Naming, frame: Frame) -> None:
        """Takes the names that are given what rests on something hidden."""
        holder = self.world.frames.get(naming.into) if naming.into else frame
        known = [slot for slot in naming.slots if slot not in getattr(holder, "withheld", ())]
        if holder is not None and known and self._rests_on_hidden(naming.value, frame):
            for slot in known:
                self.miss(holder, slot)
                self.take(holder, slot)

    def _hide_answer(self, frame: Frame, line: Question) -> None:
        slot = f"n_{py(line.name)}"
        if isinstance(line, ir.EachChooses):
            asked = getattr(frame, slot, None)
            own = isinstance(asked, dict) and all(x.side is not None and x.side.id == self.side for x in asked)
        else:
            try:
                own = self._worked_out(line.who, frame).id == self.side
            except Exception:  # noqa: BLE001 (who cannot be told is taken for another side)
                own = False
        if not own:
            self.take(frame, slot)

    def _hide_roll(self, frame: Frame, line: Rolling) -> None:
        """Takes what came up last in a roll whose number flows into what is hidden."""
        slot, into = f"n_{py(line.name)}", self.world.program.flows.get(line.span)
        if not into:
            return
        roller, about = self.world.thrown.get(line.span, ("", []))
        if isinstance(line, ir.EachRolls):
            about = list(getattr(frame, slot, None) or ())
        if self.world.knowledge.veils_flow(into, about, roller, self.side):
            self.take(frame, slot)

    def _rests_on_hidden(self, value: E, frame: Frame) -> bool:
        try:
            self._worked_out(value, frame)
        except Exception as error:  # noqa: BLE001 (only why it fails matters here)
            return self.covers(error)
        return False

    def _worked_out(self, value: E, frame: Frame) -> Value:
        world = self.world
        program = world.program
        if self._space is None:
            self._space = {**program.constants, **world.functions, "W": world, "O": world.options}
        self._space["F"] = frame
        return worked_out(program.secrecy.code(value), self._space)


@contextmanager
def veiled(world: World, side: str, *, names: bool = True) -> Iterator[Veil]:
    """The world without what a side may not know; everything is put back afterwards.

    names: whether what procedures have named, and what other sides chose in secret, is taken out as well.
    """
    veil = Veil(world, side)
    ways, before = world.ways, world.veil
    _forget(world)
    world.veil = veil
    try:
        world.ways = Ways(world)
        veil.hide_things()
        veil.hide_fields()
        veil.hide_durations()
        if names:
            veil.hide_orders()
            veil.hide_names()
        yield veil
    finally:
        veil.restore()
        world.ways, world.veil = ways, before
        _forget(world)


def things_in(value: object) -> list[Thing]:
    """The things that an answer, or what a name means, speaks of."""
    if isinstance(value, dict):
        return [x for pair in value.items() for part in pair for x in things_in(part)]
    if isinstance(value, list | tuple):
        return [x for part in value for x in things_in(part)]
    return [value] if isinstance(value, Thing) else []


def _forget(world: World) -> None:
    """Drops what procedures remember of their values."""
    for frame in world.frames.values():
        inner: Frame | None = frame
        while inner is not None:
            if getattr(inner, "memo", None) is None:
                break
            if inner.memo:
                inner.memo, inner.stamp = {}, -1
            inner = inner.up
