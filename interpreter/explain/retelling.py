"""Retelling a turn: the step that gave a field or a name its value is computed once more, in the state of its moment.

Play keeps no audit trail. A turn is its state at the start and the inputs since, and the same inputs lead through the same
moments. So a second game replays the turn. At every line that may bear on the question, the line is computed with its trail on,
in the state of that moment. None of this touches the game in play.

What a line reads leads back to earlier lines: `hits of u becomes …` to the name it read, that name to the field that gave
it its value, and so on to where the dice were rolled.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator
from types import FrameType
from typing import TypeAlias

import attrs

from dsl import ir
from dsl.analysis.effects_of import fields_changed
from dsl.ir import E, S
from dsl.rules.notation import attribute
from dsl.syntax.declarations import Scenario
from dsl.text.source import Span
from interpreter.codegen.python_names import py
from interpreter.explain import told_lines
from interpreter.explain.story import (
    Asked,
    GivenValue,
    Story,
    WorkedLine,
    entered,
    forget,
    held,
    kept_names,
    slot_value,
)  # fmt: skip
from interpreter.explain.told_parts import ANYTHING, ToldAsks, ToldEffects, ToldPositions, watched
from interpreter.messages.inputs import Input, Refused
from interpreter.play.contracts import Led, Retold
from interpreter.play.host_contracts import Ordering
from interpreter.program.program import Program
from interpreter.runtime.audit_trail import Note, Trail
from interpreter.runtime.frames import Frame
from interpreter.runtime.runtime import FAILS, RuleTrouble
from interpreter.runtime.things import Thing, Value
from interpreter.world.lasting import Lasting
from interpreter.world.world import World

__all__ = ["Teller", "story_of"]

MOST_TOLD = 10_000
"""The most lines evaluated when replaying a turn; a turn with more is not replayed, since an omitted line might matter."""


def story_of(
    game: Retold,
    wanted: Iterable[str],
    side: str,
    about: Iterable[str] = (),
    asked: Asked | None = None,
    changed: tuple[str, str] | None = None,
) -> Iterator[Story]:
    """The turn as far as it matters to fields or names, or to a value: first this turn, then the one before if it is kept.

    wanted: fields and names. about: ids of the things that matter, if only those do. asked: a value instead.
    changed: the id of a thing and a field: a turn that is already known not to have changed it is skipped.
    """
    matter = (frozenset(wanted), asked.name if asked is not None else "")
    lines = told_lines.lines_that_matter(game.program.rules, *matter)
    for ago, turn in enumerate(game.course()):
        if turn.program is not game.program:
            lines = told_lines.lines_that_matter(turn.program.rules, *matter)
        led = (turn.program, turn.start, tuple(turn.inputs))
        left_alone = next((touched for which, touched in game.touched if which == led), None)
        if changed is not None and left_alone is not None and left_alone.isdisjoint({changed, (changed[0], ANYTHING)}):
            continue
        teller = Teller(game, turn.program, lines, side, frozenset(about), asked)
        teller.story.ago = ago
        if not teller.lead(turn.start, turn.inputs, turn.scenario):
            return
        if left_alone is None:
            touched = frozenset((thing.id, word) for thing, word in teller.touched)
            game.touched = [*game.touched[-MOST_TURNS_KEPT:], (led, touched)]
        yield teller.story


Told: TypeAlias = tuple[Value, list[Note], tuple[tuple[Thing, str], ...]]
"""The value of an expression, the notes of its trail, and the fields that it read, with their things."""
MOST_TURNS_KEPT = 3
"""The changes of this many turns, plus one, are kept."""


class Teller:
    """Plays a second game and evaluates the lines that matter when they are carried out."""

    most = MOST_TOLD

    def __init__(
        self, game: Retold, program: Program, lines: frozenset[S], side: str, about: frozenset[str], asked: Asked | None
    ) -> None:
        self.game, self.program = game, program
        self.asked = asked
        self.side = side
        self.about = about
        self.lines = lines
        self.by_span: dict[tuple[Span | None, type[S]], S] = {(s.span, type(s)): s for s in lines}
        self.changing_at = {s.span: s for s in lines if s.DOES.changes in told_lines.TOLD}
        self.rolled_at = {s.span: s for s in lines if s.DOES.rolls and not isinstance(s, ir.Draw)}
        self.names = {n for s in lines if not s.DOES.rolls for n in told_lines.names_told(s)}
        self.story = Story(program)
        self.world: World
        self.twin: Led
        self.busy = False
        self.since = -1
        self.space: dict[str, Value] | None = None
        self.trail: Trail
        self.collected: dict[tuple[object, ...], list[WorkedLine | None]] = {}
        self.touched: set[tuple[Thing, str]] = set()
        """The things that changed, each with the field, whether or not the change is visible."""
        self.written: list[WorkedLine | None] = []
        self.lasting: dict[int, WorkedLine] = {}
        self.rolls_read: dict[str, frozenset[tuple[int, str]]] = {}

    # ---- the second game
    def lead(self, start: bytes | None, inputs: list[Input], scenario: Scenario) -> bool:
        """Plays it through some inputs up to the next change of rules; False if it ends before, or if there are too many lines."""
        program = copy.copy(self.program)
        slots = {f"n_{py(n)}": n for n in self.names}
        program.frames = {key: watched(made, slots, self) for key, made in program.frames.items()}
        self.story.program, self.story.inputs = program, len(inputs)
        parts = attrs.evolve(self.game.parts, effects=self._effects, positions=self._positions, host=self._asks)
        try:
            self.twin = self.game.led_again(program, scenario, start, parts)
            for number, given in enumerate(inputs):
                self.take(number, given)
        except Refused:
            return False
        return len(self.story.row) <= self.most

    def take(self, number: int, given: Input) -> None:
        """One input of the turn, numbered from 0."""
        self.since = number
        self.twin.follow(given)

    def _effects(self, world: World) -> ToldEffects:
        self.world = self.story.world = world
        return ToldEffects(world, self)

    def _positions(self, world: World) -> ToldPositions:
        return ToldPositions(world, self)

    def _asks(self, world: World, orders: Ordering) -> ToldAsks:
        return ToldAsks(world, orders, self)

    # ---- effects
    def changing(
        self,
        word: str,
        thing: Thing | None,
        field: str,
        gets: object,
        site: int,
        caller: FrameType,
        done: Callable[[], None],
    ) -> None:
        """An effect on the world is about to be applied: its line is evaluated first. caller: the frame of the line."""
        if thing is not None:
            self.touched.add((thing, field or ("place" if word == "move" else ANYTHING)))
        if self.busy or thing is None or not self.changing_at:
            done()
            return
        key = (word, id(thing), field, site)
        worked = self._worked_before(key, site, thing, field, caller)
        if self.world.effects.together is not None:
            self.collected.setdefault(key, []).append(worked)
            done()
            return
        lasted = self.world.durations.lasted
        before = {w: held(self.world, thing, w) for w in self._words(word, thing, field, gets)}
        done()
        if worked is None:
            return
        if self.world.durations.lasted > lasted:
            self.lasting[self.world.durations.lasted] = worked
        for name, had in before.items():
            if thing.alive and (field or held(self.world, thing, name) != had):
                self.tell(worked, name, thing, had)

    def _worked_before(
        self, key: tuple[object, ...], site: int, thing: Thing, field: str, caller: FrameType
    ) -> WorkedLine | None:
        """The line of an effect, evaluated in the current state; under `simultaneously` in the state at that time."""
        frame = caller.f_locals.get("F")
        if frame is None and self.collected.get(key):
            return self.collected[key].pop(0)
        if frame is None and self.written:
            return self.written[-1]
        line = self.line_at(site)
        if line is None or frame is None:  # a movement in progress is recorded where it began
            return None
        if line.DOES.changes == "field" and field not in fields_changed(self.world.ruleset, line):
            return None
        return self.work_out(line, told_lines.part_of(line, field), thing, frame)

    def line_at(self, site: int) -> S | None:
        """The line at a place of the rules, if it matters and changes something."""
        return self.changing_at.get(self.world.sites[site].span) if site >= 0 else None

    def _words(self, word: str, thing: Thing, field: str, gets: Value) -> tuple[str, ...]:
        """The attributes of a thing that an effect may change."""
        if field:
            return (field,)
        if word == "show":
            printed = self.world.maker.printed_by(thing.kind, thing.template, gets) if gets else []
            fields = self.world.ruleset.kinds[thing.kind].fields
            return (*(f for f in printed if f in fields and f != "name"), "entry")
        return {"join": (self._holder(thing),), "capture": ("side",), "move": ("place",)}[word]

    def _holder(self, thing: Thing) -> str:
        return self.world.ruleset.kinds[thing.kind].holder or ""

    def tell_on(self, told: GivenValue, thing: Thing, place: Thing) -> GivenValue | None:
        """The last recorded step of a movement has reached another place; None if something else has been recorded for it since."""
        row, last = self.story.row, self.story.row[told.number]
        if any(g.thing is thing and g.word == "place" for g in row[last.number + 1 :]):
            return None
        row[last.number] = on = attrs.evolve(last, value=place, since=self.since)
        return on

    def no_longer(self, lasting: Lasting, before: object) -> None:
        """A temporary value has expired: the value beneath has returned."""
        thing, slot = lasting.thing, lasting.slot
        fields = self.world.ruleset.kinds[thing.kind].fields
        word = next((f for f in fields if slot in {f, attribute(f)}), "")
        self.touched.add((thing, word or ANYTHING))
        value = getattr(thing, slot)
        if value == before or self.busy:
            return
        if (self.about and thing.id not in self.about) or not self._may_see(thing, word):
            return
        worked = self.lasting.get(lasting.number) or WorkedLine(
            None, told_lines.NOTHING_WORKED_OUT, None, None, [], (), 0
        )
        self.tell(attrs.evolve(worked, came=value, notes=[], fields=()), word, thing, before, over=True)

    def tell(
        self, worked: WorkedLine, word: str, thing: Thing, before: object, *, over: bool = False
    ) -> GivenValue | None:
        """A line has changed a thing."""
        if not self._may_see(thing, word):
            return None
        row, line = self.story.row, worked.line
        given = GivenValue(
            len(row), worked.after, self.since, line, worked.part, None if over or line is None else told_lines.condition_of(line), word,
            thing, held(self.world, thing, word), before, worked.came, over, worked.frame, "", worked.notes, worked.fields,
        )  # fmt: skip
        row.append(given)
        self._asked_in(given, worked)
        return given

    def _may_see(self, thing: Thing, word: str) -> bool:
        """Whether the asking side could see this at the time, whatever it may see now."""
        return self.side == "umpire" or not {word, "place"} & self.world.knowledge.hidden_from(thing, self.side)

    # ---- names
    def name(self, name: str, value: object, home: str, caller: FrameType) -> None:
        """A name of a frame is about to be set by a line of emitted rules."""
        if not caller.f_code.co_filename.startswith("<rules"):
            return
        frame = caller.f_locals.get("F")
        span = self.program.source.lines.get(caller.f_lineno)
        line = next((s for op in told_lines.NAMING if (s := self.by_span.get((span, op))) is not None), None)
        if line is None or frame is None or name not in told_lines.names_told(line):
            return
        worked = self.work_out(line, told_lines.part_of(line, name), None, frame)
        if worked is not None:
            row = self.story.row
            given = GivenValue(
                len(row), worked.after, self.since, line, worked.part, told_lines.condition_of(line), name, None, value, None, worked.came,
                False, worked.frame, home, worked.notes, worked.fields,
            )  # fmt: skip
            row.append(given)
            self._asked_in(given, worked)

    # ---- dice
    def rolled(self, line_at: int, name: str, value: int, about: list[Thing | None], side: Thing, frame: Frame) -> None:
        """Dice have set a name; recorded if the asking side has seen the roll."""
        line = self.rolled_at.get(self.world.sites[line_at].span)
        if line is None or not self._may_hear(line, about, side):
            return
        row = self.story.row
        row.append(
            GivenValue(
                len(row), len(row), self.since, line, told_lines.NOTHING_WORKED_OUT, None, name, None, value, None, value,
                False, kept_names(frame), type(frame).__name__, [], (), about[0],
            )
        )  # fmt: skip

    def _may_hear(self, line: S, about: list[Thing | None], roller: Thing) -> bool:
        """Whether the asking side sees the result of a roll."""
        if self.side == "umpire":
            return True
        into = self.program.secrecy.flows.get(line.span)
        if into and self.world.knowledge.veils_flow(into, about, roller.id, self.side):
            return False
        return bool(self.world.knowledge.knowing(about, self.side) == [self.side])

    def _rolled_in(self, value: str, args: tuple[object, ...]) -> list[tuple[Value, str]]:
        """The names, rolled for each of several things, that a value reads: for which thing, and the name."""
        if value not in self.rolls_read:
            routine = self.program.rules.routines.get(value)
            self.rolls_read[value] = told_lines.read_of_arguments(routine) if routine is not None else frozenset()
        return [(args[number], name) for number, name in self.rolls_read[value]]

    # ---- telling
    def work_out(self, line: S, part: E, thing: Thing | None, frame: Frame) -> WorkedLine | None:
        """Evaluates a line with its trail, if it may matter to the question."""
        if len(self.story.row) > self.most or not self._bears((part, told_lines.condition_of(line)), thing, frame):
            return None
        self.busy = True
        try:
            found = self._worked_out(part, frame)
            if found is None:
                return None
            value, notes, fields = found
            when = told_lines.condition_of(line)
            tested = self._worked_out(when, frame) if when is not None else None
            if tested is not None:
                notes, fields = [*notes, *tested[1]], (*fields, *tested[2])
            worked, asked = (
                WorkedLine(line, part, kept_names(frame), value, notes, fields, len(self.story.row)),
                self.asked,
            )
            if asked is not None and entered(notes, asked.name, asked.things):
                again = self._worked_out(asked.whole, frame)
                worked.again = again[:2] if again is not None else None
            return worked
        finally:
            self.busy = False

    def _asked_in(self, given: GivenValue, worked: WorkedLine) -> None:
        """Records that a line used the value in question."""
        if worked.again is not None and not given.over:
            self.story.asked = (given, *worked.again)

    def _bears(self, part: object, thing: Thing | None, frame: Frame) -> bool:
        """Whether a line is about one of the things in question, or about none in particular."""
        if not self.about:
            return True
        spoken = [
            x
            for e in told_lines.parts_in(part)
            if isinstance(e, ir.FrameName) and e.type.name == "thing"
            for x in (slot_value(frame, e.name),)
        ]
        spoken = [x for x in [thing, *spoken] if x is not None and x.kind != "side" and x not in self.world.places]
        return not spoken or any(x.id in self.about for x in spoken)

    def _worked_out(self, part: E, frame: Frame) -> Told | None:
        from interpreter.codegen.expressions import value_of
        from interpreter.mirrors.veil import veiled

        program, world = self.program, self.world
        if self.space is None:
            self.trail = Trail()
            made = program.functions(world, world.options, {}, self.trail)
            self.space = {**program.constants, **made, "W": world, "O": world.options, "PIN": {}, "T": self.trail}

        def asked(e: E) -> Value:
            forget(frame)
            return value_of(program.rules, e, "<retold>", {**(self.space or {}), "F": frame}, traced=True)

        def worked_out() -> Told:
            self.trail.notes = []
            value = asked(part)
            notes = self.trail.notes
            fields: list[tuple[Thing, str]] = []
            for e in told_lines.parts_in(part):
                if not isinstance(e, ir.FrameEntry | ir.Field):
                    continue
                whose = e.key if isinstance(e, ir.FrameEntry) else e.holder
                if not told_lines.is_local(whose):
                    holder = asked(whose)
                    if hasattr(holder, "kind"):
                        fields.append((holder, e.name))
            fields += [x for note in notes if note[0] == "enter" for x in self._rolled_in(note[1], note[2])]
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
