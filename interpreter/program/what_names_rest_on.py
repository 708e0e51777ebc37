"""What the names of a routine depend on: the expressions computed for them, and the conditions under which they are set."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from dsl import ir
from dsl.analysis.effects_of import frame_changed, names_changed
from dsl.ir import E, S
from interpreter.codegen.python_names import py

__all__ = ["Naming", "NamingsRead"]


@attrs.frozen(slots=True, eq=False)
class Naming:
    """What names depend on: the expressions of their line, or a condition under which they are set.

    slots: the attributes of the names. into: the routine of their frame, if not its own.
    """

    value: E
    slots: tuple[str, ...]
    into: str = ""


class NamingsRead:
    """Finds what the names of a routine depend on.

    The existence of a name that is set under a condition, in a loop or after a `stop` reveals that this line was reached.
    """

    def __init__(self, body: ir.Body) -> None:
        self._guarded: dict[int, tuple[E, dict[str, list[str]]]] = {}
        self._ways_out: list[E] = []
        self.done: list[tuple[str, tuple[E, ...]]] = []
        """The procedures that are done, each with its arguments and the conditions it depends on."""
        self.namings = tuple(self._of(body))

    def _of(self, body: ir.Body) -> Iterator[Naming]:
        """What the names of a routine's lines depend on."""
        yield from self._lines(body, ())
        for guard, slots in self._guarded.values():
            yield from (Naming(guard, tuple(dict.fromkeys(names)), into) for into, names in slots.items())

    def _lines(self, body: ir.Body, guards: tuple[E, ...]) -> Iterator[Naming]:
        arms: tuple[E, ...] = ()
        for line in body:
            own = (*guards, *self._ways_out, *([line.when] if line.when is not None else []))
            if isinstance(line, ir.Do):
                self.done.append((line.key, (*own, *line.given.values())))
            for value, slots, into in _given(line):
                for guard in own:
                    self._guarded.setdefault(id(guard), (guard, {}))[1].setdefault(into, []).extend(slots)
                yield Naming(value, slots, into)
            match line:
                case ir.When():
                    arms = (*(arms if line.arm != "when" else ()), *([line.test] if line.test is not None else []))
                    inner = arms
                case ir.ForEach():
                    inner = (line.over,)
                case ir.Repeat():
                    inner = (line.times, *([line.condition] if line.condition is not None else []))
                case ir.Stop():
                    self._ways_out += [*guards, *([line.when] if line.when is not None else [])]
                    inner = ()
                case _:
                    inner = ()
            yield from self._lines(line.body, (*own, *inner))


def _given(line: S) -> Iterator[tuple[E, tuple[str, ...], str]]:
    """The names that a line sets: their expressions, their attributes, and the routine of their frame.

    Questions and rolls are visible to all, or hidden in their own way.
    """
    if isinstance(line, ir.Let):
        yield line.value, (f"n_{py(line.name)}",), ""
    elif isinstance(line, ir.ForEach):
        yield line.over, (f"n_{py(line.name)}",), ""
    elif isinstance(line, ir.SetName | ir.SetEntry) and frame_changed(line) == "F":
        yield line.value, tuple(f"n_{py(name)}" for name in names_changed(line)), ""
    elif isinstance(line, ir.Do):
        for name, value in line.given.items():
            yield value, (f"n_{py(name)}",), line.key
