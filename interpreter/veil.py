"""The veil: what a side may not know is taken out of the world for as long as something is worked out for that side.

Whatever needs a veiled field, a secret answer of another side, or a name that a procedure worked out from such, then fails
where it reads it, and `Veil.covers` tells that failure from every other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

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

    def take(self, holder: Any, slot: str) -> None:
        """Takes one value out."""
        if hasattr(holder, slot):
            self._taken.append((holder, slot, getattr(holder, slot)))
            self._names.add((id(holder), slot))
            delattr(holder, slot)

    def restore(self) -> None:
        """Puts everything back."""
        for holder, slot, value in reversed(self._taken):
            setattr(holder, slot, value)

    def covers(self, error: BaseException | None) -> bool:
        """Whether something failed because it is hidden from the side."""
        while error is not None:
            if isinstance(error, AttributeError) and (id(error.obj), error.name) in self._names:
                return True
            error = error.__cause__ or error.__context__
        return False

    # ---- what is hidden
    def hide_fields(self) -> None:
        """Takes the fields that are hidden from the side."""
        world = self.world
        for thing in [*world.by_id.values(), *world.places]:
            for field in world.hidden_from(thing, self.side):
                if field in world.ruleset.kinds[thing.kind].fields and field != "name":
                    self.take(thing, attribute(field))

    def hide_names(self) -> None:
        """Takes from the procedures that ran what other sides chose in secret, and what was worked out from hidden things."""
        routines = self.world.program.binder.routines
        frames = [(routines[k], f) for k, f in self.world.frames.items() if k in routines]
        for routine, frame in frames:
            for line in _lines(routine.body):
                if line.op in {"choose", "each_chooses"} and line["secret"]:
                    self._hide_answer(frame, line)
        for _ in range(2):
            for routine, frame in frames:
                for line in _lines(routine.body):
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

    def _names_set(self, line: S, frame: Any) -> Iterator[tuple[Any, Any, str]]:
        """The names that a line sets: what is worked out, the frame and its slot."""
        if line.op == "let":
            yield line["value"], frame, f"n_{py(line['name'])}"
        elif line.op in {"set_frame", "set_map"} and isinstance(line["target"], E) and line["target"].args[0] == "F":
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
        text = Emitter(program.binder).emit(value)
        space = {**program.constants, **world.functions, "W": world, "O": world.options, "F": frame}
        return eval(text, space)  # noqa: S307 (our own emitted source)


@contextmanager
def veiled(world: World, side: str) -> Iterator[Veil]:
    """The world without what a side may not know; everything is put back afterwards."""
    veil = Veil(world, side)
    ways = world.ways
    _forget(world)
    world.ways = Ways(world)
    try:
        veil.hide_fields()
        veil.hide_names()
        yield veil
    finally:
        veil.restore()
        world.ways = ways
        _forget(world)


def is_covert(world: World, order: str) -> bool:
    """Whether an order changes something that is hidden from the enemy: then what was ordered is told to nobody else."""
    binder = world.program.binder
    todo, seen = [f"order {order}"], {f"order {order}"}
    while todo:
        for line in _lines(binder.routines[todo.pop()].body):
            if line.op in {"set_field", "gain", "shows", "write"} and _is_kept_back(world, line):
                return True
            if line.op == "do" and line["key"] not in seen:
                seen.add(line["key"])
                todo.append(line["key"])
    return False


def _is_kept_back(world: World, line: S) -> bool:
    type_ = line["target"].type
    kind = type_.of.word if type_.name == "set" and type_.of is not None else type_.word
    info = world.ruleset.kinds.get(kind)
    lines = info.node.visibility if info is not None and info.node is not None else ()
    return any(v.hidden and (line.op in {"shows", "write"} or line["field"] in v.fields) for v in lines)


def _forget(world: World) -> None:
    """Drops what procedures remember of their values."""
    for frame in world.frames.values():
        inner = frame
        while inner is not None and hasattr(inner, "memo"):
            inner.memo, inner.stamp = {}, -1
            inner = inner.up


def _lines(body: Iterable[S]) -> Iterator[S]:
    for line in body:
        yield line
        yield from _lines(line.body)
