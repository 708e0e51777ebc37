"""A story: the values that fields and names got in a turn, line after line, with everything that each line read."""

from __future__ import annotations

import attrs

from dsl.ir import E, S
from dsl.rules.notation import attribute
from interpreter.codegen.python_names import py
from interpreter.explain.told_lines import reads
from interpreter.program.program import Program
from interpreter.runtime.audit_trail import Note
from interpreter.runtime.frames import Frame
from interpreter.runtime.things import Thing, Value
from interpreter.world.world import World
from interpreter.world.written_rows import encode


@attrs.frozen(slots=True, eq=False)
class GivenValue:
    """A line that set a field or a name.

    number: its index among them; after: how many were recorded when the line was evaluated, which is earlier under
    `simultaneously`. since: the input during which it happened, numbered from 0 in its turn; -1 before the first.
    line: the line, None if it is from before this turn; part: its evaluated expression, with the notes of its
    trail; when: its condition, evaluated as well. word: the field, `place`, `side`, `entry`, the holder's kind, or the
    name. thing: the owner; None for a name; of: the thing a name was rolled for, if there are several. value: the new value; before: the old one; came: the value of `part`. over: whether the
    value set by the line expired. frame: the names as the line read them; home: the kind of frame of its name. fields: the fields it read, with their things.
    """

    number: int
    after: int
    since: int
    line: S | None
    part: E
    when: E | None
    word: str
    thing: Thing | None
    value: object
    before: object
    came: Value
    over: bool
    frame: KeptNames | None
    home: str
    notes: list[Note]
    fields: tuple[tuple[Thing, str], ...]
    of: Thing | None = None


@attrs.define(slots=True, eq=False)
class WorkedLine:
    """A line evaluated before it is carried out."""

    line: S | None
    part: E
    frame: KeptNames | None
    came: Value
    notes: list[Note]
    fields: tuple[tuple[Thing, str], ...]
    after: int
    again: tuple[object, list[Note]] | None = None
    """The value in question, if the line uses it, by itself, including remembered values."""


@attrs.define(slots=True, eq=False)
class Story:
    """The values set in a turn, as far as they matter to a question, in order.

    inputs: the number of inputs of the turn; ago: how many turns ago it was.
    """

    program: Program
    inputs: int = 0
    ago: int = 0
    world: World | None = None
    row: list[GivenValue] = attrs.field(factory=list)
    asked: tuple[GivenValue, object, list[Note]] | None = None
    """The last line that used the value in question, with its result then and the notes of its trail."""

    def changes(self, thing: str, field: str) -> list[GivenValue]:
        """The changes of a thing's field: lines that left it as it was only if there are no others, and then the last."""
        given = [g for g in self.row if g.thing is not None and g.word == field and g.thing.id == thing]
        return [g for g in given if encode(g.before) != encode(g.value)] or given[-1:]

    def still(self, given: GivenValue, world: World) -> bool:
        """Whether a thing in another world still has the value that a line gave it here."""
        assert given.thing is not None
        thing = world.by_id.get(given.thing.id) or (
            world.game if self.world is not None and given.thing is self.world.game else None
        )
        return thing is not None and encode(held(world, thing, given.word)) == encode(given.value)

    def named(self, routine: str, name: str) -> GivenValue | None:
        """The line that last set a name of a routine."""
        made = self.program.frames[routine].__name__
        return next((g for g in reversed(self.row) if g.thing is None and g.word == name and g.home == made), None)

    def rolled(self, name: str, of: Thing, value: object) -> GivenValue | None:
        """The line that last rolled this number for a thing."""
        found = (g for g in reversed(self.row) if g.of is not None and g.word == name and g.of.id == of.id)
        return next((g for g in found if g.value == value), None)

    def behind(self, given: GivenValue, part: object) -> list[GivenValue]:
        """The lines that set what an expression read, directly and in the values that it used, the latest first."""
        if given.over or given.frame is None:
            return []
        names = reads(self.program.rules, part)[1]
        found: list[GivenValue] = []
        for name in names:
            slot = f"n_{py(name)}"
            frame: KeptNames | None = given.frame
            while frame is not None and not hasattr(frame, slot):
                frame = frame.up
            if frame is not None:
                found += self._gave_name(given, name, getattr(frame, slot))
        for thing, field in given.fields:
            found += [g for g in self.row[: given.after] if g.thing is thing and g.word == field][-1:]
        return sorted(found, key=lambda g: g.number)

    def _gave_name(self, given: GivenValue, name: str, value: object) -> list[GivenValue]:
        """The lines before another one that set a name to its value there; for rolls, for each thing."""
        earlier = [g for g in reversed(self.row[: given.after]) if g.thing is None and g.word == name]
        if isinstance(value, dict):  # among those that it read directly; a value that it used may have read them all
            read = [x for x, word in given.fields if word == name] or list(value)
            return [g for x in read for g in [_rolled_for(earlier, x)] if g and g.value == value.get(x)]
        return next(([g] for g in earlier if g.value is value or g.value == value), [])


def _rolled_for(earlier: list[GivenValue], of: Thing) -> GivenValue | None:
    """The last roll for a thing, in lines listed latest first."""
    return next((g for g in earlier if g.of is of), None)


@attrs.frozen(slots=True, eq=False)
class Asked:
    """A value in question: its name, the ids of its arguments, and the complete expression."""

    name: str
    things: tuple[str, ...]
    whole: E


def held(world: World, thing: Thing, word: str) -> Value:
    """The current value of a thing's field, `place`, `side`, `entry` or holder by its kind."""
    if word in world.ruleset.kinds[thing.kind].fields:
        return getattr(thing, "name" if word == "name" else attribute(word))
    return thing.template if word == "entry" else getattr(thing, word if word in {"place", "side"} else "holder")


def forget(frame: Frame | None) -> None:
    """Clears remembered values, since they would not be recorded again."""
    while frame is not None and hasattr(frame, "memo"):
        frame.stamp = -1
        frame = frame.up


@attrs.frozen(slots=True, eq=False)
class KeptNames:
    """A copy of the names of a frame, including enclosing frames."""

    kind: str
    names: dict[str, Value]
    up: KeptNames | None

    def __getattr__(self, slot: str) -> Value:
        try:
            return self.names[slot]
        except KeyError:
            raise AttributeError(slot) from None


def kept_names(frame: Frame) -> KeptNames:
    """The current names of a frame."""
    names = {s: getattr(frame, s) for s in type(frame).__slots__ if s.startswith("n_") and hasattr(frame, s)}
    return KeptNames(type(frame).__name__, names, kept_names(frame.up) if frame.up is not None else None)


def slot_value(frame: Frame | None, name: str) -> Value:
    """The value of a name in a frame or an enclosing one; None if it is not set."""
    slot = f"n_{py(name)}"
    while frame is not None and not hasattr(frame, slot):
        frame = frame.up
    return getattr(frame, slot) if frame is not None else None


def entered(notes: list[Note], name: str, things: tuple[str, ...]) -> bool:
    """Whether a value of these things was used."""
    return any(
        n[0] == "enter" and n[1] == name and tuple(str(getattr(x, "id", x)) for x in n[2]) == things for n in notes
    )
