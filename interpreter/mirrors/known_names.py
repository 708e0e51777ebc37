"""What a side knows of the names of procedures: not secret choices of others, nor anything computed from hidden things."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from dsl import ir
from dsl.ir import E, Routine
from interpreter.codegen.emitted_code import worked_out
from interpreter.codegen.python_names import py
from interpreter.program.secrecy import Question, Rolling
from interpreter.program.what_names_rest_on import Naming
from interpreter.runtime.frames import Frame
from interpreter.runtime.hidden import is_hidden
from interpreter.runtime.things import Value, things_in
from interpreter.world.world import World

__all__ = ["KnownNames", "NamesHidden", "forget_values", "frames_heard"]


class NamesHidden(Protocol):
    """Hides names from a side."""

    def take(self, frame: Frame, slot: str) -> bool:
        """Hides the value of a name, if it has one; returns whether it had."""

    def miss(self, frame: Frame, slot: str) -> None:
        """Hides an unset name, since its value would depend on something hidden."""


def frames_heard(world: World, side: str) -> dict[str, Frame]:
    """The frames of the last runs, as if only the side itself had ordered anything in secret."""
    frames = dict(world.frames)
    givers = {id(frame): by for (_, by), (_, frame) in world.heard_frames.items()}
    for key, frame in world.frames.items():
        if givers.get(id(frame), "") not in {"", side}:
            heard = [world.heard_frames[key, by] for by in ("", side) if (key, by) in world.heard_frames]
            if heard:
                frames[key] = max(heard, key=lambda one: one[0])[1]
            else:
                del frames[key]
    return frames


def forget_values(frames: Mapping[str, Frame]) -> None:
    """Drops what procedures remember of their values."""
    for frame in frames.values():
        inner: Frame | None = frame
        while inner is not None:
            if getattr(inner, "memo", None) is None:
                break
            if inner.memo:
                inner.memo, inner.stamp = {}, -1
            inner = inner.up


class KnownNames:
    """Hides from a side what it may not know of the names in frames.

    real: the world of the game; seen: the one that the side sees, in which the names' sources are evaluated; frames: of that
    one, by key. hider: hides them.
    """

    def __init__(self, real: World, seen: World, side: str, frames: Mapping[str, Frame], hider: NamesHidden) -> None:
        self.real, self.seen, self.side, self.frames, self.hider = real, seen, side, frames, hider
        self._space: dict[str, Value] = {
            **seen.program.constants, **seen.functions, "W": seen, "O": seen.options,
        }  # fmt: skip
        self._hidden = 0

    def hide(self, real: Mapping[str, Frame]) -> None:
        """Hides them. real: the same frames in the game."""
        routines, secrecy = self.real.program.rules.routines, self.real.program.secrecy
        if self.real.knowledge.conceals:
            for key, frame in real.items():
                for slot in [s for s in secrecy.named_slots(frame) if hasattr(frame, s)]:
                    if any(self.real.knowledge.concealed(x, self.side) for x in things_in(getattr(frame, slot))):
                        self._take(self.frames[key], slot)
        frames = [(routines[k], f, real[k]) for k, f in self.frames.items() if k in routines]
        for routine, frame, _ in frames:
            for line in secrecy.secret_questions(routine):
                self._hide_answer(frame, line)
        for routine, frame, so in frames:
            for roll in secrecy.rolls(routine):
                self._hide_roll(frame, so, roll)
        before = -1
        while self._hidden != before:
            before = self._hidden
            forget_values(self.frames)  # remembered values may depend on something that is now hidden
            for routine, frame, _ in frames:
                self._hide_namings(routine, frame)
        forget_values(self.frames)

    def _take(self, frame: Frame, slot: str) -> None:
        self._hidden += self.hider.take(frame, slot)

    def _hide_namings(self, routine: Routine, frame: Frame) -> None:
        """Hides the names of a routine whose values depend on something hidden."""
        for naming in self.real.program.secrecy.namings(routine):
            holder = self.frames.get(naming.into) if naming.into else frame
            known = [slot for slot in naming.slots if slot not in getattr(holder, "withheld", ())]
            if holder is not None and known and self._rests_on_hidden(naming, frame):
                for slot in known:
                    self.hider.miss(holder, slot)
                    self._take(holder, slot)
                    self._hidden += 1

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
            self._take(frame, slot)

    def _hide_roll(self, frame: Frame, so: Frame, line: Rolling) -> None:
        """Hides the last result of a roll that affects something hidden. so: the frame in the game."""
        slot, into = f"n_{py(line.name)}", self.real.program.secrecy.flows.get(line.span)
        if not into:
            return
        roller, about = self.real.thrown.get(line.span, ("", []))
        if isinstance(line, ir.EachRolls):
            about = list(getattr(so, slot, None) or ())
        if self.real.knowledge.veils_flow(into, about, roller, self.side):
            self._take(frame, slot)

    def _rests_on_hidden(self, naming: Naming, frame: Frame) -> bool:
        try:
            self._worked_out(naming.value, frame)
        except Exception as error:  # noqa: BLE001 (only why it fails matters here)
            return is_hidden(error)
        return False

    def _worked_out(self, value: E, frame: Frame) -> Value:
        self._space["F"] = frame
        return worked_out(self.real.program.secrecy.code(value), self._space)
