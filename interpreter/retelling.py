"""Telling a step as it was: how a field or a name got its value is worked out once more in the moment at which it did.

Play keeps no audit trail: a turn is its state at the start and the inputs since, and the same inputs lead through the same
moments. So a second game is led through the turn, and at every line that can have to do with what is asked, with
everything as it stood, the line is worked out with its trail. Nothing of it touches the game that asks.

What a line read leads on to the lines before it: `hits of u becomes …` to the name it read, that to the field that gave
the name its value, and so on to where the dice were rolled.
"""

from __future__ import annotations

import copy
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import attrs

from dsl.ir import E, S
from interpreter.emit_expressions import py
from interpreter.inputs import Input, Refused
from interpreter.runtime import RuleTrouble

if TYPE_CHECKING:
    from types import FrameType

    from dsl.bind import BodyBinder
    from interpreter.play import Game

__all__ = ["Asked", "Given", "Story", "forget", "story_of"]

CHANGES = frozenset({"set_field", "gain"})
"""Lines that change a field."""
MOST_TOLD = 2_000
"""A turn is told with at most so many lines worked out."""


@attrs.frozen(slots=True, eq=False)
class Given:
    """A line that gave a field or a name a value.

    number: the place in the row of them. since: the input during which it was, counted from 0 in its turn; -1 before the first.
    line: the line; part: the expression of it that was worked out, with the notes of its trail; when: on what condition, worked
    out as well. word: the field or the name. thing: whose field; None for a name. frame: the names as the line read them. fields: what fields it read, of which things.
    """

    number: int
    since: int
    line: S
    part: E
    when: E | None
    word: str
    thing: Any
    value: Any
    frame: Any
    notes: list[tuple[Any, ...]]
    fields: tuple[tuple[Any, str], ...]


@attrs.define(slots=True, eq=False)
class Story:
    """What was given in a turn, as far as it bears on a question, in its order.

    inputs: how many led through the turn; ago: how many turns it is ago.
    """

    program: Any
    inputs: int = 0
    ago: int = 0
    world: Any = None
    row: list[Given] = attrs.field(factory=list)
    asked: tuple[Given, Any, list[tuple[Any, ...]]] | None = None
    """The last line that asked for the value in question, with what it came to then and the notes of its trail."""

    def changes(self, thing: str, field: str) -> list[Given]:
        """The changes of a thing's field."""
        return [g for g in self.row if g.thing is not None and g.word == field and g.thing.id == thing]

    def named(self, routine: str, name: str) -> Given | None:
        """The line that gave a name of a routine its value last."""
        made = self.program.frames[routine].__name__
        own = (g for g in reversed(self.row) if g.thing is None and g.word == name)
        return next((g for g in own if made in _frames_named(g)), None)

    def behind(self, given: Given, part: Any) -> list[Given]:
        """The lines that gave what an expression read, itself and in the values that it asked, latest state first told."""
        names = _reads(self.program.binder, part)[1]
        found: list[Given] = []
        for name in names:
            slot, frame = f"n_{py(name)}", given.frame
            while frame is not None and not hasattr(frame, slot):
                frame = frame.up
            if frame is not None:
                value = getattr(frame, slot)
                earlier = (g for g in reversed(self.row[: given.number]) if g.thing is None and g.word == name)
                found += next(([g] for g in earlier if g.value is value or g.value == value), [])
        for thing, field in given.fields:
            found += [g for g in self.row[: given.number] if g.thing is thing and g.word == field][-1:]
        return sorted(found, key=lambda g: g.number)


@attrs.frozen(slots=True, eq=False)
class Asked:
    """A value in question: its name, the ids of the things it is asked of, and the whole expression."""

    name: str
    things: tuple[str, ...]
    whole: E


def story_of(
    game: Game, wanted: Iterable[str], side: str, about: Iterable[str] = (), asked: Asked | None = None
) -> Iterator[Story]:
    """The turn as it bears on fields or names, or on a value: of this turn, then of the one before while that is kept.

    wanted: fields and names. about: ids of the things that matter, where only those do. asked: a value instead.
    """
    lines = _lines_that_matter(game.program.binder, frozenset(wanted), asked.name if asked is not None else "")
    for ago, (start, inputs) in enumerate(game.course()):
        teller = _Teller(game, lines, side, frozenset(about), asked)
        teller.story.ago = ago
        if teller.lead(start, inputs):
            yield teller.story


class _Teller:
    """Leads a second game and works out the lines that matter when they are done."""

    def __init__(self, game: Game, lines: frozenset[S], side: str, about: frozenset[str], asked: Asked | None) -> None:
        self.game = game
        self.asked = asked
        self.side = side
        self.about = about
        self.lines = lines
        self.by_span: dict[tuple[Any, str], S] = {(s.span, s.op): s for s in lines}
        self.names = {n for s in lines for n in _gives(s)}
        self.story = Story(game.program)
        self.world: Any = None
        self.twin: Any = None
        self.busy = False
        self.since = -1
        self.space: dict[str, Any] | None = None
        self.trail: Any = None

    # ---- the second game
    def lead(self, start: bytes | None, inputs: list[Input]) -> bool:
        """Leads it through some inputs; False where it ends before they do."""
        program = copy.copy(self.game.program)
        slots = {f"n_{py(n)}": n for n in self.names}
        program.frames = {key: self._watched(made, slots) for key, made in program.frames.items()}
        made: Any = type("Twin", (type(self.game),), {"_wire": self._wired(type(self.game))})
        self.twin = made.__new__(made)
        self.story.program, self.story.inputs = program, len(inputs)
        try:
            self.twin.__init__(program, self.game.scenario, self.game.settings, start)
            for number, given in enumerate(inputs):
                self.since = number
                self.twin.follow(given)
        except Refused:
            return False
        return True

    def _wired(self, kind: type) -> Any:
        teller = self

        def wire(game: Any) -> None:
            kind._wire(game)  # type: ignore[attr-defined]  # noqa: SLF001 (it stands in for that method)
            teller.world = teller.story.world = world = game.world
            for word in ("set", "gain"):
                setattr(world, word, teller.changing(getattr(world, word)))

        return wire

    def changing(self, done: Any) -> Any:
        """An effect of the world that tells of itself first."""

        def change(thing: Any, field: str, value: Any, site: int = -1, until: Any = None) -> None:
            if not self.busy and site >= 0 and thing is not None:
                span = self.world.sites[site].span
                line = next((self.by_span[span, op] for op in CHANGES if (span, op) in self.by_span), None)
                if line is not None and line["field"] == field:
                    frame = sys._getframe(1).f_locals.get("F")  # noqa: SLF001 (the names of the line that calls)
                    if frame is not None:
                        self.give(line, line["value"] or line["amount"], field, thing, frame)
            done(thing, field, value, site, until)

        return change

    def _watched(self, made: type, slots: dict[str, str]) -> type:
        """Frames that tell when one of the names is given."""
        mine = {s: n for s, n in slots.items() if s in made.__slots__}  # type: ignore[attr-defined]
        if not mine:
            return made
        teller = self

        class Watched(made):  # type: ignore[misc]
            """A frame whose names are watched."""

            __slots__ = ()

            def __setattr__(self, slot: str, value: Any) -> None:
                if slot in mine and not teller.busy:
                    teller.name(mine[slot], sys._getframe(1))  # noqa: SLF001 (the line that gives it)
                super().__setattr__(slot, value)

        Watched.__name__ = made.__name__
        Watched.__slots__ = made.__slots__  # type: ignore[attr-defined]  # so frames are read: it has no room of its own
        return Watched

    def name(self, name: str, caller: FrameType) -> None:
        """A name is about to be given by a line of emitted rules."""
        if not caller.f_code.co_filename.startswith("<rules"):
            return
        frame = caller.f_locals.get("F")
        span = self.game.program.source.lines.get(caller.f_lineno)
        line = self.by_span.get((span, "let")) or self.by_span.get((span, "do"))
        if line is None or frame is None or name not in _gives(line):
            return
        self.give(line, line["value"] if line.op == "let" else line["given"][name], name, None, frame)

    # ---- telling
    def give(self, line: S, part: E, word: str, thing: Any, frame: Any) -> None:
        """Works a line out with its trail, if it may have to do with what is asked."""
        if len(self.story.row) >= MOST_TOLD or not self._bears((part, _condition(line)), thing, frame):
            return
        self.busy = True
        try:
            found = self._worked_out(part, frame)
            if found is None:
                return
            value, notes, fields = found
            when = _condition(line)
            held = self._worked_out(when, frame) if when is not None else None
            if held is not None:
                notes, fields = [*notes, *held[1]], (*fields, *held[2])
            number = len(self.story.row)
            given = Given(number, self.since, line, part, when, word, thing, value, _kept(frame), notes, fields)
            self.story.row.append(given)
            asked = self.asked
            if asked is not None and _entered(notes, asked.name, asked.things):
                again = self._worked_out(asked.whole, frame)  # by itself: what was remembered before it is told too
                if again is not None:
                    self.story.asked = (given, *again[:2])
        finally:
            self.busy = False

    def _bears(self, part: Any, thing: Any, frame: Any) -> bool:
        """Whether a line speaks of one of the things asked about, or of none in particular."""
        if not self.about:
            return True
        spoken = [
            x for e in _parts(part) if e.op == "frame" and e.type.name == "thing" for x in (_slot(frame, e.args[1]),)
        ]
        spoken = [x for x in [thing, *spoken] if x is not None and x.kind != "side" and x not in self.world.places]
        return not spoken or any(x.id in self.about for x in spoken)

    def _worked_out(self, part: E, frame: Any) -> tuple[Any, list[Any], tuple[tuple[Any, str], ...]] | None:
        from interpreter.emit import Emitter
        from interpreter.explain import FAILS, Trail
        from interpreter.veil import veiled

        program, world = self.game.program, self.world
        if self.space is None:
            self.trail = Trail()
            made = program.functions(world, world.options, {}, self.trail)
            self.space = {**program.constants, **made, "W": world, "O": world.options, "PIN": {}, "T": self.trail}

        def asked(e: E) -> Any:
            forget(frame)
            return Emitter(program.binder, traced=True).value_of(e, "<retold>", {**(self.space or {}), "F": frame})

        def worked_out() -> tuple[Any, list[Any], tuple[tuple[Any, str], ...]]:
            self.trail.notes = []
            value = asked(part)
            notes, fields = self.trail.notes, []
            for e in _parts(part):
                if e.op == "field" and isinstance(e.args[0], E) and not _local(e.args[0]):
                    holder = asked(e.args[0])
                    if hasattr(holder, "kind"):
                        fields.append((holder, e.args[1]))
            return value, notes, tuple(fields)

        try:
            if self.side == "umpire":
                return worked_out()
            with veiled(world, self.side):
                return worked_out()
        except (Refused, RuleTrouble, *FAILS):
            return None
        finally:
            forget(frame)


def forget(frame: Any) -> None:
    """What was remembered would not be told again."""
    while frame is not None and hasattr(frame, "memo"):
        frame.stamp = -1
        frame = frame.up


@attrs.frozen(slots=True, eq=False)
class _Names:
    """The names of a frame as they were, with those above it."""

    kind: str
    names: dict[str, Any]
    up: _Names | None

    def __getattr__(self, slot: str) -> Any:
        try:
            return self.names[slot]
        except KeyError:
            raise AttributeError(slot) from None


def _kept(frame: Any) -> _Names:
    """The names of a frame as they are now."""
    names = {s: getattr(frame, s) for s in type(frame).__slots__ if s.startswith("n_") and hasattr(frame, s)}
    return _Names(type(frame).__name__, names, _kept(frame.up) if frame.up is not None else None)


def _slot(frame: Any, name: str) -> Any:
    slot = f"n_{py(name)}"
    while frame is not None and not hasattr(frame, slot):
        frame = frame.up
    return getattr(frame, slot) if frame is not None else None


def _frames_named(given: Given) -> list[str]:
    """The frames that a line could give a name to: its own, and that of what it does."""
    own = [given.frame.kind]
    if given.line.op == "do":
        own.append(f"Frame_{py(given.line['key'].partition(' ')[2])}")
    return own


def _entered(notes: list[tuple[Any, ...]], name: str, things: tuple[str, ...]) -> bool:
    """Whether a value of these things was asked for."""
    return any(
        n[0] == "enter" and n[1] == name and tuple(str(getattr(x, "id", x)) for x in n[2]) == things for n in notes
    )


# ---- what lines read and give
def _parts(part: Any) -> Iterator[E]:
    """An expression and all within it."""
    if isinstance(part, tuple | list):
        for x in part:
            yield from _parts(x)
    elif isinstance(part, E):
        yield part
        yield from _parts(part.args)


def _local(e: E) -> bool:
    return any(x.op == "local" for x in _parts(e))


def _all_lines(body: tuple[S, ...]) -> Iterator[S]:
    for s in body:
        yield s
        yield from _all_lines(s.body)


def _gives(line: S) -> tuple[str, ...]:
    """The names that a line gives."""
    if line.op == "let":
        return (line["name"],)
    return tuple(line["given"]) if line.op == "do" else ()


def _told(e: E) -> bool:
    """Whether it is worth telling how something came to be this: numbers and words, not things."""
    return e.type.name not in {"thing", "set", "map"}


def _reads(binder: BodyBinder, part: Any, seen: set[str] | None = None) -> tuple[set[str], set[str]]:
    """The fields that an expression reads itself, and the names that it reads, itself and in the values that it asks."""
    seen = seen if seen is not None else set()
    fields: set[str] = set()
    names: set[str] = set()
    for e in _parts(part):
        if e.op == "field" and isinstance(e.args[0], E) and _told(e):
            fields.add(e.args[1])
        elif e.op == "frame" and _told(e):
            names.add(e.args[1])
        elif e.op == "call" and e.args[0] not in seen:
            seen.add(e.args[0])
            routine = binder.routines.get(e.args[0])
            if routine is not None:
                for s in _all_lines(routine.body):
                    names |= _reads(binder, tuple(s.fields.values()), seen)[1]
    return fields, names


def _asks(binder: BodyBinder, name: str) -> frozenset[str]:
    """The values that ask a value, themselves or through others, and itself."""
    calls = {
        r.name: {e.args[0] for s in _all_lines(r.body) for e in _parts(tuple(s.fields.values())) if e.op == "call"}
        for r in binder.routines.values()
        if r.word in {"value", "status"}
    }
    found, left = {name}, [name]
    while left:
        wanted = left.pop()
        more = {k for k, called in calls.items() if wanted in called} - found
        found |= more
        left += more
    return frozenset(found)


def _lines_that_matter(binder: BodyBinder, wanted: frozenset[str], value: str) -> frozenset[S]:
    """Lines that give the fields and names, or ask the value, and lines that give what those read."""
    lines = [s for r in binder.routines.values() for s in _all_lines(r.body)]
    lines = [s for s in lines if s.op in CHANGES or _gives(s)]
    found: set[S] = set()
    left = [s for s in lines if (s.op in CHANGES and s["field"] in wanted) or wanted & set(_gives(s))]
    if value:
        askers = _asks(binder, value)
        left += [s for s in lines if any(e.op == "call" and e.args[0] in askers for p in _worth(s) for e in _parts(p))]
    while left:
        line = left.pop()
        if line in found:
            continue
        found.add(line)
        fields: set[str] = set()
        names: set[str] = set()
        for part in _worth(line):
            here = _reads(binder, part)
            fields |= here[0]
            names |= here[1]
        left += [s for s in lines if (s.op in CHANGES and s["field"] in fields) or names & set(_gives(s))]
    return frozenset(found)


def _worth(line: S) -> tuple[E, ...]:
    """The expressions that a line works out."""
    if line.op == "do":
        return tuple(line["given"].values())
    part = line["value"] or line["amount"]
    return tuple(e for e in (part, _condition(line)) if isinstance(e, E))


def _condition(line: S) -> E | None:
    """On what condition a line changes a field or gives a name, if on any."""
    when = line["when"] if line.op != "do" else None
    return when if isinstance(when, E) else None
