"""Explaining a value: it is computed once more with its audit trail on, or traced back to the moment at which it was set."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from dsl import ir
from dsl.analysis.effects_of import names_given
from dsl.data.scenario_names import names_things
from dsl.ir import LAST, E, Routine, lines_in
from interpreter.explain.evaluating import evaluate, no_value, read_expression
from interpreter.explain.explained_ways import cheapest_way, trace_or_way
from interpreter.explain.explanations import Explanation, Step, cites_of, given_step, line_step, tree
from interpreter.explain.retelling import story_of
from interpreter.explain.story import Asked, GivenValue, Story, forget
from interpreter.messages.inputs import Refused
from interpreter.messages.sides import UMPIRE
from interpreter.mirrors.known_names import frames_heard
from interpreter.mirrors.known_world import known_world
from interpreter.play.contracts import Retold
from interpreter.play.runner import frames_in
from interpreter.program.program import Program
from interpreter.runtime.audit_trail import Trail
from interpreter.runtime.hidden import is_hidden
from interpreter.runtime.refusals import Why
from interpreter.runtime.runtime import FAILS, say, typed
from interpreter.runtime.things import Thing, Value
from interpreter.world.namebook import NameBook
from interpreter.world.rulings import Ruling
from interpreter.world.world import World
from interpreter.world.written_rows import encode

Standing = ir.Field | ir.PlaceOf | ir.SideOf | ir.HolderOf | ir.EntryOf | ir.TemplateIs
"""What may be asked of a thing besides its fields, and the word for it; for its holder this is the holder's kind."""


def explain(game: Retold, expression: str, side: str = "umpire", book: NameBook | None = None) -> Explanation:
    """Explains an expression such as `column-shift`, `armor-strength of tf-1` in the current game.

    book: the side's names for things; ids without one.

    Raises Refused if the expression cannot be understood, has no value now, or if computing it would read something
    hidden from the side that asks.
    """
    known = book if side != UMPIRE else None
    try:
        with known_world(game.world, side) as world:
            return explain_in(game.program, world, expression, retell=Retelling(game, side, world), book=known)
    except Refused as error:
        if not is_hidden(error):
            raise
    raise Why.NO_VALUE(
        f"`{expression}` depends on something that is hidden from {side}.",
        hint="The umpire can ask this; a side can ask only about what it knows.",
    )


def explain_in(
    program: Program,
    world: World,
    expression: str,
    pins: dict[str, Value] | None = None,
    names: dict[str, E] | None = None,
    retell: Retelling | None = None,
    book: NameBook | None = None,
) -> Explanation:
    """The same in a world, with values given by an example and with its names.

    retell: goes back to the moment when something got its value (`interpreter/explain/retelling.py`).
    """
    bound = read_expression(program, world, expression, names or {}, book)
    ruled = [x for x in ir.walk(bound) if not isinstance(x, ir.ThingNamed | ir.ThingMade)]
    uses = {getattr(x, part, "") for x in ruled for part in ("name", "kind", "table")} - {""}
    found = _explained(program, world, bound, " ".join(expression.split()), pins if pins is not None else {}, retell)
    return attrs.evolve(found, uses=tuple(sorted(uses)))


def _explained(
    program: Program, world: World, bound: E, text: str, pins: dict[str, Value], retell: Retelling | None
) -> Explanation:
    """An expression explained, under its typed text."""
    if isinstance(bound, ir.PathExists | ir.PathCost):
        try:
            if isinstance(bound, ir.PathCost):
                return cheapest_way(program, world, bound, text, pins)
            return trace_or_way(program, world, bound, text, pins)
        except FAILS as error:
            raise no_value(program, error) from error
    if isinstance(bound, ir.FrameName):
        return _named_step(program, world, bound, text, pins, retell)
    if retell is not None and (told := retell.told(bound, text)) is not None:
        return told
    trail = Trail()
    for frame in world.frames.values():
        forget(frame)
    value = evaluate(program, world, bound, pins, trail)
    parts = tree(program, trail.notes)
    if len(parts) == 1 and isinstance(bound, ir.Call):
        return attrs.evolve(parts[0], name=text)
    return Explanation(text, say(value), (), (), tuple(parts))


def _named_step(
    program: Program, world: World, bound: ir.FrameName, expression: str, pins: dict[str, Value],
    retell: Retelling | None,
) -> Explanation:  # fmt: skip
    """A name that a procedure has set: its value, and the `let` line that set it, with everything that the line read then.

    If that moment is not available, the line is evaluated again, provided the result is the same.
    """
    kept = evaluate(program, world, bound, pins)
    for key in reversed(list(world.frames)):
        routine = program.rules.routines.get(key)
        if routine is None or bound.frame != LAST + key:
            continue
        told = retell.named(key, bound.name, kept, expression) if retell is not None else None
        line = _let_line(routine.body, bound.name)
        others = [s for s in lines_in(routine.body) if s is not line and bound.name in names_given(s)]
        if told is not None or line is None or others:
            return told or Explanation(expression, say(kept), (), (), ())
        trail = _now(program, world, key, line, kept, pins)
        steps = (line_step(program, line, kept),)
        return Explanation(expression, say(kept), line.cites, steps, tuple(tree(program, trail.notes)))
    return Explanation(expression, say(kept), (), (), ())


def explain_changes(game: Retold, side: str = "umpire") -> list[Explanation]:
    """The fields that the last input changed, each explained down to its sources, as far as a side may know.

    Marks and fields set to a plain word are left out: their events say everything.
    """
    return Retelling(game, side, game.world).changes()


class Retelling:
    """Explains what happened to a field or a name in this turn, and how a value was computed when it was last needed.

    world: the one of the game, as the side knows it.
    """

    def __init__(self, game: Retold, side: str, world: World) -> None:
        self.game, self.side, self.world = game, side, world
        self.program = game.program

    def named(self, key: str, name: str, kept: object, expression: str) -> Explanation | None:
        """A name as a routine last set it; None if that is no longer available."""
        rulings = self.game.world.rulings.on("", name, self.side)
        for story in self._stories((name,)):
            given = story.named(key, name)
            mine = self._of_turn(story, rulings)
            if mine and mine[-1].value == typed(kept) and (given is None or given.since <= mine[-1].since):
                return Explanation(expression, say(kept), (), (self._ruled(mine[-1]),), ())
            if given is not None:
                same = encode(given.value) == encode(kept)
                return self._whole(expression, kept, story, [given]) if same else None
        return None

    def told(self, bound: E, expression: str) -> Explanation | None:
        """A field that changed in this turn, or a value of a procedure that is over; None for anything else."""
        if isinstance(bound, Standing):
            return self._field(bound, expression)
        if isinstance(bound, ir.FrameEntry):
            return self._rolled(bound, expression)
        routine = self.program.rules.routines.get(bound.name) if isinstance(bound, ir.Call) else None
        if not isinstance(bound, ir.Call) or routine is None or not routine.within:
            return None
        return self._value(routine, bound, expression)

    def _rolled(self, bound: ir.FrameEntry, expression: str) -> Explanation | None:
        """The roll for one of several things."""
        of, value = (evaluate(self.program, self.world, e, {}) for e in (bound.key, bound))
        for story in self._stories((bound.name,)):
            given = story.rolled(bound.name, of, value) if hasattr(of, "id") else None
            if given is not None:
                return self._whole(expression, value, story, [given])
        return None

    def changes(self) -> list[Explanation]:
        """What the last input of the turn changed."""
        told: dict[tuple[str, str], list[GivenValue]] = {}
        kinds = self.program.ruleset.kinds.values()
        fields = {n for k in kinds for n, f in k.fields.items() if f.type.name not in {"mark", "thing", "set", "side"}}
        story = next(self._stories(tuple(fields)), None)
        if story is None:
            return []
        for given in story.row:
            if given.since == story.inputs - 1 and given.thing is not None and self._may_know(given):
                told.setdefault((given.thing.id, given.word), []).append(given)
        found = []
        for (owner, field), row in told.items():
            kind = self.program.ruleset.campaign_kind
            name = f"{field} of {owner if story.world is None or row[0].thing is not story.world.game else kind}"
            whole = self._whole(name, row[-1].value, story, row)
            if whole.parts or len(whole.steps) > 1:
                found.append(attrs.evolve(whole, word=field))
        return found

    def _may_know(self, given: GivenValue) -> bool:
        """Whether a side may know of a change."""
        world = self.game.world
        assert given.thing is not None
        return self.side == "umpire" or bool(
            {"all", self.side} & set(world.knowledge.who_sees(given.thing, given.word))
        )

    def _field(self, bound: Standing, expression: str) -> Explanation | None:
        """A field of a thing, or its place, holder, side or unit list entry."""
        world = self.world
        owner = evaluate(self.program, world, _first_of(bound), {})
        if not hasattr(owner, "kind") or not hasattr(owner, "id"):
            return None
        value = evaluate(self.program, world, bound, {})
        match bound:
            case ir.Field(name=name):
                word = name
            case ir.PlaceOf():
                word = "place"
            case ir.SideOf():
                word = "side"
            case ir.EntryOf() | ir.TemplateIs():
                word = "entry"
            case _:
                word = self._holder(owner)
        while word in {"place", "side"} and owner.part:  # it belongs to its whole
            owner = owner.holder
        about = (owner.id,) if owner is not world.game else ()
        rulings = self.game.world.rulings.on(owner.id, word, self.side)
        for story in self._stories((word,), about, changed=None if rulings else (owner.id, word)):
            changes, mine = story.changes(owner.id, word), self._of_turn(story, rulings)
            if not changes and not mine:
                continue
            both: list[GivenValue | Ruling] = [*mine, *changes]
            last = max(reversed(both), key=lambda x: x.since)  # of several during one input, the one recorded last
            if isinstance(last, GivenValue) and not story.still(last, world):
                return None  # something outside the recorded lines has changed it since
            return self._whole(expression, value, story, changes, mine)
        return self._ruled_long_ago(expression, value, rulings)

    def _holder(self, owner: Thing) -> str:
        return self.program.ruleset.kinds[owner.kind].holder or ""

    def _ruled_long_ago(self, name: str, value: object, rulings: Sequence[Ruling]) -> Explanation | None:
        """The umpire's ruling in a turn that is no longer available; it does not apply if the value has changed since."""
        if not rulings:
            return None
        step = self._ruled(rulings[-1])
        if rulings[-1].value != typed(value):
            step = attrs.evolve(
                step, applied=False, value="", because=f"{step.because}; it has changed since".lstrip("; ")
            )
        return Explanation(name, say(value), (), (step,), ())

    def _of_turn(self, story: Story, rulings: Sequence[Ruling]) -> list[Ruling]:
        """The rulings of an available turn."""
        return [r for r in rulings if r.turn == self.game.world.turn - story.ago]

    def _ruled(self, ruling: Ruling) -> Step:
        """An override as a line."""
        text = f"override by the umpire in turn {ruling.turn}"
        return Step(text, True, self._said(ruling), ruling.reason_for(self.side), (), "", "")

    def _said(self, ruling: Ruling) -> str:
        """The value set by an override, with references for things; the record has it in printed form."""
        labels, thing = self.world.incognito, self.world.by_id.get(ruling.thing)
        if labels is None or thing is None:
            return ruling.value
        info = self.program.ruleset.kinds[thing.kind]
        field = info.fields.get(ruling.field)
        of_things = ruling.field == info.holder or (field is not None and names_things(field.type))
        return labels.printed(ruling.value) if of_things else ruling.value

    def _value(self, routine: Routine, bound: ir.Call, expression: str) -> Explanation | None:
        world, name = self.world, routine.name
        given = [evaluate(self.program, world, a, {}) for a in bound.arguments]
        if routine.within and self._is_running(routine.within, given):
            return None
        about = tuple(x.id for x in given if hasattr(x, "kind") and x.kind != "side" and x not in world.places)
        things = tuple(str(getattr(x, "id", x)) for x in given)
        for story in self._stories((), about, Asked(name, things, bound)):
            if story.asked is not None:
                last, value, notes = story.asked
                told = tree(story.program, notes)
                more = self._behind(story, last, bound, set())
                whole = told[0] if told else Explanation("", say(value), (), (), ())
                return attrs.evolve(whole, name=expression, parts=(*whole.parts, *more))
        return None

    def _is_running(self, name: str, things: list[Thing]) -> bool:
        """Whether an order or procedure is suspended now, waiting for an input, and is about these things, as far as the side knows."""
        game = self.game.world
        real = game.frames if self.world is game else frames_heard(game, self.side)
        running = list(frames_in(self.game.runner.run))
        for key, frame in self.world.frames.items():
            if key.partition(" ")[2] == name and any(real.get(key) is f for f in running):
                slots = type(frame).__slots__
                spoken = [getattr(frame, s) for s in slots if s.startswith("n_") and hasattr(frame, s)]
                members = [x for s in spoken for x in (s if isinstance(s, list | tuple) else [s])]
                return all(any(m is x for m in members) for x in things if hasattr(x, "kind") and x.kind != "side")
        return False

    def _stories(
        self,
        wanted: tuple[str, ...],
        about: tuple[str, ...] = (),
        asked: Asked | None = None,
        changed: tuple[str, str] | None = None,
    ) -> Iterator[Story]:
        """The available turns, as far as they matter to the question."""
        return story_of(self.game, wanted, self.side, about, asked, changed)

    def _whole(
        self, name: str, value: object, story: Story, row: list[GivenValue], rulings: Sequence[Ruling] = ()
    ) -> Explanation:
        """What gave something its value, line after line; several changes each with what they were made of."""
        if len(row) == 1 and not rulings:
            steps, parts = self._line(story, row[0], set())
            return Explanation(name, say(value), cites_of(steps), tuple(steps), tuple(parts))
        steps, changes = [], []
        both: list[GivenValue | Ruling] = [*rulings, *row]
        for number, given in enumerate(sorted(both, key=lambda x: x.since), 1):
            if isinstance(given, Ruling):
                steps.append(self._ruled(given))
                continue
            lines, parts = self._line(story, given, set())
            steps.append(lines[0])
            if parts or lines[1:]:
                changes.append(
                    Explanation(f"change {number}", say(given.value), cites_of(lines), tuple(lines), tuple(parts))
                )
        return Explanation(name, say(value), cites_of(steps), tuple(steps), tuple(changes))

    def _line(self, story: Story, given: GivenValue, seen: set[int]) -> tuple[list[Step], list[Explanation]]:
        """A line as it was carried out, the lines that set what it read, and the values those used.

        A line that only passes a value on is shown in one step with the line that set it.
        """
        seen.add(given.number)
        steps = [given_step(story.program, given)]
        parts = tree(story.program, given.notes)
        links = [g for g in story.behind(given, (given.part, given.when)) if g.number not in seen]
        if not parts and len(links) == 1:
            more, below = self._line(story, links[0], seen)
            return steps + more, below
        return steps, parts + self._behind(story, given, (given.part, given.when), seen)

    def _behind(self, story: Story, given: GivenValue, part: object, seen: set[int]) -> list[Explanation]:
        """What an expression read, and how that got its values."""
        told = []
        for link in story.behind(given, part):
            if link.number not in seen:
                steps, parts = self._line(story, link, seen)
                whose = link.thing if link.thing is not None else link.of
                of = (say(whose),) if whose is not None else ()
                told.append(Explanation.named(link.word, of, link.value, steps, parts))
        return told


def _now(program: Program, world: World, key: str, line: ir.Let, kept: object, pins: dict[str, Value]) -> Trail:
    """The trail of a line evaluated again in the current state; an empty one if it now gives another value."""
    trail, frame = Trail(), world.frames[key]
    forget(frame)
    try:
        again = evaluate(program, world, line.value, pins, trail, {"F": frame})
    except Refused:
        again = None
    return trail if again == kept else Trail()


def _first_of(bound: Standing) -> E:
    """The thing that a question is about."""
    match bound:
        case ir.Field(holder=of) | ir.EntryOf(holder=of) | ir.HolderOf(held=of):
            return of
        case ir.PlaceOf(thing=of) | ir.SideOf(thing=of) | ir.TemplateIs(thing=of):
            return of


def _let_line(body: ir.Body, name: str) -> ir.Let | None:
    """The line of a body that names a value, the last if there are several."""
    found = None
    for line in body:
        if isinstance(line, ir.Let) and line.name == name:
            found = line
        found = _let_line(line.body, name) or found
    return found


__all__ = ["Retelling", "explain", "explain_changes", "explain_in"]
