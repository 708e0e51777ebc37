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
    """What names rest on: what a line works out for them, or a condition under which they are given.

    slots: the attributes of the names. into: of which routine's frame, if not of its own.
    """

    value: E
    slots: tuple[str, ...]
    into: str = ""


class NamingsRead:
    """Reads a routine for what its names rest on.

    A name that is given under a condition, in a loop or behind a `stop` tells by being there that it came to that.
    """

    def __init__(self, body: ir.Body) -> None:
        self._guarded: dict[int, tuple[E, dict[str, list[str]]]] = {}
        self._ways_out: list[E] = []
        self.done: list[tuple[str, tuple[E, ...]]] = []
        """The procedures that are done, each with what it is told and on what it hangs whether it comes to that."""
        self.namings = tuple(self._of(body))

    def _of(self, body: ir.Body) -> Iterator[Naming]:
        """What the names of a routine's lines rest on."""
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
    """The names that a line gives: what it works out for them, the attributes, and of which routine's frame.

    What is asked and rolled is told to all, or kept back by itself.
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
