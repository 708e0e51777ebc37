"""Rolls and questions of `active` that play reaches before the first loop that makes a side active: they have nobody to ask."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import attrs

from dsl import ir
from dsl.ir import Routine, S
from dsl.text.diagnostics import Diagnostic, Mark, at

TURN = "sequence game-turn"


def check_active(routines: Mapping[str, Routine], hooks: Mapping[str, Iterable[Routine]]) -> Iterator[Diagnostic]:
    """W261 for every line in which `active` rolls or chooses while nobody is active."""
    for s, window in _Turn(routines, hooks).reached(TURN, None):
        if isinstance(s, ir.Choose | ir.Roll | ir.Draw) and isinstance(s.who, ir.Active):
            also = [Mark(window.span, "orders are given here")] if window is not None else []
            yield at("W261", f"Nobody is `active` when {s.name} is {_asked(s)}.", s.span, also=also, word="active")


def _asked(s: S) -> str:
    return "chosen" if isinstance(s, ir.Choose) else "rolled"


@attrs.define
class _Turn:
    """The walk through a turn, in the order in which its lines run, until a side is active."""

    routines: Mapping[str, Routine]
    hooks: Mapping[str, Iterable[Routine]]
    seen: set[str] = attrs.field(factory=set)
    begun: bool = False

    def reached(self, key: str, window: S | None) -> Iterator[tuple[S, S | None]]:
        """The lines of a routine and of the rules around it, each with the window in which it is ordered."""
        if key in self.seen:
            return
        self.seen.add(key)
        yield from self._around("before", key, window)
        if key in self.routines:
            yield from self._lines(self.routines[key].body, window)
        yield from self._around("after", key, window)

    def _around(self, when: str, key: str, window: S | None) -> Iterator[tuple[S, S | None]]:
        for rule in self.hooks.get(f"{when} {key}", ()):
            yield from self._lines(rule.body, window)

    def _lines(self, body: ir.Body, window: S | None) -> Iterator[tuple[S, S | None]]:
        for s in body:
            self.begun = self.begun or (isinstance(s, ir.ForEach) and s.role == "active")
            if self.begun:
                return
            yield s, window
            if isinstance(s, ir.Phase):
                yield from self._around("before", f"phase {s.name}", window)
            yield from self._lines(s.body, window)
            if isinstance(s, ir.Phase):
                yield from self._around("after", f"phase {s.name}", window)
            keys = (
                [s.key] if isinstance(s, ir.Do) else [f"order {x}" for x in s.orders] if isinstance(s, ir.May) else []
            )
            for key in keys:
                yield from self.reached(key, s if isinstance(s, ir.May) else window)
