"""The veil: what a side may not know is taken out of the world for as long as something is worked out for that side.

Whatever needs a veiled field, a secret answer of another side, or a name that a procedure worked out from such, then fails
where it reads it, and `Veil.covers` tells that failure from every other.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from dsl.effects import does, is_kept_back, kind_changed, kind_of, lines_done, lines_in
from dsl.hidden import hidden_fields
from dsl.ir import E, S
from dsl.notation import attribute
from interpreter.emit_expressions import py
from interpreter.ways import Ways

if TYPE_CHECKING:
    from interpreter.world import World


class Veil:
    """What is taken out of a world while it is seen with one side's eyes."""

    def __init__(self, world: World, side: str) -> None:
        self.world = world
        self.side = side
        self._taken: list[tuple[Any, str, Any]] = []
        self._names: set[tuple[int, str]] = set()
        self._entries: list[tuple[dict[str, Any], str, Any]] = []

    def take(self, holder: Any, slot: str) -> None:
        """Takes one value out."""
        if hasattr(holder, slot):
            self._taken.append((holder, slot, getattr(holder, slot)))
            self._names.add((id(holder), slot))
            delattr(holder, slot)

    def miss(self, holder: Any, slot: str) -> None:
        """Notes a name that could not be set because it rests on what is hidden."""
        self._names.add((id(holder), slot))

    def restore(self) -> None:
        """Puts everything back."""
        for holder, slot, value in reversed(self._taken):
            setattr(holder, slot, value)
        for held, key, value in reversed(self._entries):
            held[key] = value

    def covers(self, error: BaseException | None) -> bool:
        """Whether something failed because it is hidden from the side."""
        while error is not None:
            if isinstance(error, AttributeError) and (id(error.obj), error.name) in self._names:
                return True
            error = error.__cause__ or error.__context__
        return False

    # ---- what is hidden
    def hide_things(self) -> None:
        """Takes things that are hidden wholly out of everything that gathers them."""
        world = self.world
        gone = [x for x in world.by_id.values() if world.concealed(x, self.side)]
        if not gone:
            return
        out = set(gone)
        for kind in {x.kind for x in gone}:
            self._put(world.by_kind, kind, [x for x in world.by_kind[kind] if x not in out])
        self._swap(world, "by_id", {i: x for i, x in world.by_id.items() if x not in out})
        for place in {x.place for x in gone if not x.part and x.place is not None}:
            self._swap(place, "things", {x: None for x in place.things if x not in out})
        for holder in {x.holder for x in gone if x.holder is not None}:
            self._swap(holder, "members", [x for x in holder.members if x not in out])

        for x in world.by_id.values():
            for field in _speaking(world, x.kind):
                slot = attribute(field)
                held = getattr(x, slot, None)
                if isinstance(held, list):
                    if not out.isdisjoint(held):
                        self._swap(x, slot, [y for y in held if y not in out])
                elif held is not None and held in out:
                    self._swap(x, slot, None)

    def _swap(self, holder: Any, slot: str, value: Any) -> None:
        self._taken.append((holder, slot, getattr(holder, slot)))
        setattr(holder, slot, value)

    def _put(self, held: dict[str, Any], key: str, value: Any) -> None:
        self._entries.append((held, key, held[key]))
        held[key] = value

    def hide_fields(self) -> None:
        """Takes the fields that are hidden from the side."""
        world = self.world
        for kind in world.hiding_kinds:
            info = world.ruleset.kinds[kind]
            for thing in [*world.places] if info.word == "place" else list(world.by_id.values()):
                if thing.kind != kind:
                    continue
                for field in world.hidden_from(thing, self.side):
                    if field == "name":
                        self._swap(thing, "name", thing.id)
                    elif field == "place":
                        if not thing.part:
                            self.take(thing, "place")
                    elif field == info.holder:
                        if thing.holder is not None:
                            self._swap(thing.holder, "members", [x for x in thing.holder.members if x is not thing])
                        self.take(thing, "holder")
                    elif field in info.fields:
                        self.take(thing, attribute(field))

    def hide_orders(self) -> None:
        """Takes what names of secret orders mean since others gave them: as if only the side itself had given any."""
        world, frames = self.world, dict(self.world.frames)
        for key, frame in self.world.frames.items():
            if key.startswith("order ") and frame.acting.id != self.side and self._is_secret(key.partition(" ")[2]):
                own = world.own_frames.get((key, self.side))
                if own is None:
                    del frames[key]
                else:
                    frames[key] = own
        self._swap(world, "frames", frames)

    def _is_secret(self, order: str) -> bool:
        if order not in self.world.covert:
            self.world.covert[order] = is_covert(self.world, order)
        return self.world.covert[order]

    def hide_names(self) -> None:
        """Takes from the procedures that ran what other sides chose in secret, and what was worked out from hidden things."""
        routines = self.world.program.binder.routines
        if self.world.conceals:
            for frame in self.world.frames.values():
                for slot in [s for s in type(frame).__slots__ if s.startswith("n_") and hasattr(frame, s)]:
                    if any(self.world.concealed(x, self.side) for x in things_in(getattr(frame, slot))):
                        self.take(frame, slot)
        frames = [(routines[k], f) for k, f in self.world.frames.items() if k in routines]
        for routine, frame in frames:
            for line in lines_in(routine.body):
                if does(line).asks and line["secret"]:
                    self._hide_answer(frame, line)
        for routine, frame in frames:
            for line in lines_in(routine.body):
                if does(line).rolls:
                    self._hide_roll(frame, line)
        for _ in range(2):
            for routine, frame in frames:
                for line in lines_in(routine.body):
                    for value, holder, slot in self._names_set(line, frame):
                        if hasattr(holder, slot) and self._rests_on_hidden(value, frame):
                            self.take(holder, slot)

    def _hide_answer(self, frame: Any, line: S) -> None:
        slot = f"n_{py(line['name'])}"
        if line.op == "each_chooses":
            asked = getattr(frame, slot, None)
            own = isinstance(asked, dict) and all(x.side is not None and x.side.id == self.side for x in asked)
        else:
            try:
                own = self._worked_out(line["who"], frame).id == self.side
            except Exception:  # noqa: BLE001 (who cannot be told is taken for another side)
                own = False
        if not own:
            self.take(frame, slot)

    def _hide_roll(self, frame: Any, line: S) -> None:
        """Takes what came up last in a roll whose number flows into what is hidden."""
        slot, into = f"n_{py(line['name'])}", self.world.program.flows.get(line.span)
        if not into:
            return
        roller, about = self.world.thrown.get(line.span, ("", []))
        if line.op == "each_rolls":
            about = list(getattr(frame, slot, None) or ())
        if self.world.veils_flow(into, about, roller, self.side):
            self.take(frame, slot)

    def _names_set(self, line: S, frame: Any) -> Iterator[tuple[Any, Any, str]]:
        """The names that a line sets: what is worked out, the frame and its slot."""
        if line.op == "let":
            yield line["value"], frame, f"n_{py(line['name'])}"
        elif does(line).assigns and isinstance(line["target"], E) and line["target"].args[0] == "F":
            yield line["value"], frame, f"n_{py(line['target'].args[1])}"
        elif line.op == "do":
            inner = self.world.frames.get(line["key"])
            if inner is not None:
                for name, value in line["given"].items():
                    yield value, inner, f"n_{py(name)}"

    def _rests_on_hidden(self, value: E, frame: Any) -> bool:
        try:
            self._worked_out(value, frame)
        except Exception as error:  # noqa: BLE001 (only why it fails matters here)
            return self.covers(error)
        return False

    def _worked_out(self, value: E, frame: Any) -> Any:
        from interpreter.emit import Emitter

        world = self.world
        program = world.program
        space = {**program.constants, **world.functions, "W": world, "O": world.options, "F": frame}
        return Emitter(program.binder).value_of(value, "<veiled>", space)


@contextmanager
def veiled(world: World, side: str, *, names: bool = True) -> Iterator[Veil]:
    """The world without what a side may not know; everything is put back afterwards.

    names: whether what procedures have named, and what other sides chose in secret, is taken out as well.
    """
    veil = Veil(world, side)
    ways, before = world.ways, world.veil
    _forget(world)
    world.ways, world.veil = Ways(world), veil
    try:
        veil.hide_things()
        veil.hide_fields()
        if names:
            veil.hide_orders()
            veil.hide_names()
        yield veil
    finally:
        veil.restore()
        world.ways, world.veil = ways, before
        _forget(world)


def _speaking(world: World, kind: str) -> list[str]:
    """The fields of a kind that hold things which may be hidden wholly."""
    ruleset = world.ruleset
    return [f.name for f in ruleset.kinds[kind].fields.values() if "place" in hidden_fields(ruleset, kind_of(f.type))]


def things_in(value: Any) -> list[Any]:
    """The things that an answer, or what a name means, speaks of."""
    if isinstance(value, dict):
        return [x for pair in value.items() for part in pair for x in things_in(part)]
    if isinstance(value, list | tuple):
        return [x for part in value for x in things_in(part)]
    return [value] if hasattr(value, "known") else []


def is_covert(world: World, order: str, away: Collection[str] = ()) -> bool:
    """Whether an order changes something that is hidden from the enemy: then what was ordered is told to nobody else.

    away: the kinds of the things that it is given to which are off the map, where more of them may be hidden.
    """
    binder = world.program.binder
    lines = lines_done(binder.routines, binder.hooks, f"order {order}")
    return any(is_kept_back(world.ruleset, line, ever=kind_changed(line) in away) for line in lines)


def _forget(world: World) -> None:
    """Drops what procedures remember of their values."""
    for frame in world.frames.values():
        inner = frame
        while inner is not None and hasattr(inner, "memo"):
            inner.memo, inner.stamp = {}, -1
            inner = inner.up
