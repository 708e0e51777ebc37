"""Explanations: a value worked out once more with its audit trail on, as a tree of the lines that were looked at."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import attrs

from dsl import ir
from dsl.analysis.effects import names_given
from dsl.ir import LAST, E, Routine, S, cited, lines_in
from dsl.text.source import Span
from interpreter.codegen.units import SITES
from interpreter.contracts import Retold
from interpreter.evaluating import FAILS, Trail, evaluate, no_value, read_expression
from interpreter.geometry.traces import Blocked, Route, in_words
from interpreter.inputs import Refused
from interpreter.program import Program
from interpreter.retelling import story_of
from interpreter.rulings import Ruling
from interpreter.runner import frames_in
from interpreter.runtime import say
from interpreter.standing_rulings import Standing as StandingRuling
from interpreter.story import Asked, Given, Story, forget
from interpreter.written_rows import encode

if TYPE_CHECKING:
    from interpreter.namebook import NameBook
    from interpreter.world import World

Standing = ir.Field | ir.PlaceOf | ir.SideOf | ir.HolderOf | ir.EntryOf | ir.TemplateIs
"""What may be asked of a thing beside its fields, and the word that it is told by; who holds it is told by the holder's kind."""
MOST_PARTS = 5_000
"""An explanation follows at most this many values."""


@attrs.frozen(slots=True)
class Step:
    """One line of a value that was looked at. value: the value after it, printed; "" when it did not apply."""

    text: str
    applied: bool
    value: str
    because: str
    cites: tuple[str, ...]
    module: str
    place: str


@attrs.frozen(slots=True)
class Explanation:
    """A value with the lines that made it and the values those asked for, in the order in which they were asked.

    rulings: what the umpire has ruled for the rest of the campaign about what is used here; each is told once.
    """

    name: str
    value: str
    cites: tuple[str, ...]
    steps: tuple[Step, ...]
    parts: tuple[Explanation, ...]
    rulings: tuple[str, ...] = ()


WORD = re.compile(r"[\w-]+")


def with_rulings(told: Sequence[Explanation], standing: Iterable[StandingRuling]) -> list[Explanation]:
    """Explanations with the rulings that stand, each where what it is about is used first."""
    left = [ruling for ruling in standing if ruling.about]

    def ruled(whole: Explanation) -> Explanation:
        used = {*WORD.findall(whole.name.partition(" of ")[0]), *whole.cites}
        for step in whole.steps:
            used |= {*WORD.findall(step.text), *step.cites, step.module}
        mine = [ruling for ruling in left if used.intersection(ruling.about)]
        left[:] = [ruling for ruling in left if ruling not in mine]
        said = tuple(f"Ruling {one.number} (turn {one.turn}): {one.text.rstrip('.')}." for one in mine)
        return attrs.evolve(whole, rulings=said, parts=tuple(map(ruled, whole.parts)))

    return [ruled(one) for one in told] if left else list(told)


def tree(program: Program, notes: list[tuple[Any, ...]]) -> list[Explanation]:
    """The trail as explanations. A value asked for again with the same result is told once."""
    stack: list[tuple[str, list[Step], list[Explanation]]] = [("", [], [])]
    for note in notes[: MOST_PARTS * 20]:
        if note[0] == "enter":
            stack.append((_called(note[1], note[2]), [], []))
        elif note[0] == "leave":
            name, steps, parts = stack.pop()
            made = Explanation(name, say(note[1]), _cites(steps), tuple(steps), tuple(parts))
            if made.name not in {p.name for p in stack[-1][2]}:
                stack[-1][2].append(made)
        else:
            stack[-1][1].append(_step(program, note))
    while len(stack) > 1:
        name, steps, parts = stack.pop()
        stack[-1][2].append(Explanation(name, "…", _cites(steps), tuple(steps), tuple(parts)))
    return [_grouped(x) for x in _alike(stack[0][2])]


def _grouped(whole: Explanation) -> Explanation:
    return attrs.evolve(whole, parts=tuple(_grouped(p) for p in _alike(list(whole.parts))))


def _alike(parts: list[Explanation]) -> list[Explanation]:
    """Tells values of several things once where the same lines gave the same result: `stance of a, b and 3 more`."""
    groups: dict[Any, list[Explanation]] = {}
    for part in parts:
        shape = (
            part.name.partition(" of ")[0],
            part.value,
            tuple((s.place, s.applied, s.value) for s in part.steps),
            _shape(part.parts),
        )
        groups.setdefault(shape, []).append(part)
    out = []
    for members in groups.values():
        first = members[0]
        if len(members) > 1 and " of " in first.name:
            who = [m.name.partition(" of ")[2] for m in members]
            shown = ", ".join(who[:3]) + (f" and {len(who) - 3} more" if len(who) > 3 else "")
            first = attrs.evolve(first, name=f"{first.name.partition(' of ')[0]} of {shown}")
        out.append(first)
    return out


def _shape(parts: tuple[Explanation, ...]) -> Any:
    return tuple((p.name.partition(" of ")[0], p.value, _shape(p.parts)) for p in parts)


def _called(name: str, args: tuple[Any, ...]) -> str:
    return name + (" of " + ", ".join(say(a) for a in args) if args else "")


def _cites(steps: list[Step]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(c for s in steps if s.applied for c in s.cites))


def _step(program: Program, note: tuple[Any, ...]) -> Step:
    site = SITES.all[note[1]]
    applied = note[0] == "step"
    return Step(
        rule_line(program, site.span),
        applied,
        say(note[2]) if applied else "",
        site.because,
        site.cites,
        site.module,
        f"{site.span.file}:{site.span.line}",
    )


def rule_line(program: Program, span: Span) -> str:
    """A rule line as written, without its citation and remark."""
    file = program.files.get(span.file)
    if file is None:
        return ""
    last = span.end_line - 1 if span.end_line > span.line else span.line
    text = " ".join(file.line(n).split(" -- ")[0].strip() for n in range(span.line, last + 1)).strip()
    return text.rpartition("[")[0].strip() if text.endswith("]") else text


def explain(game: Retold, expression: str, side: str = "umpire", book: NameBook | None = None) -> Explanation:
    """Explains an expression such as `column-shift`, `armor-strength of tf-1` in a game as it stands.

    book: what the side may call things; by ids without one.

    Raises Refused when the expression cannot be understood, has no value now, or when working it out would read what is
    hidden from the side that asks.
    """
    retell = Retelling(game, side)
    if side == "umpire":
        return explain_in(game.program, game.world, expression, retell=retell)
    from interpreter.veil import veiled

    with veiled(game.world, side) as veil:
        try:
            return explain_in(game.program, game.world, expression, retell=retell, book=book)
        except Refused as error:
            if not veil.covers(error):
                raise
    raise Refused(
        f"`{expression}` rests on something that is hidden from {side}.",
        hint="The umpire may ask; a side only for what it knows.",
    )


def explain_in(
    program: Program,
    world: World,
    expression: str,
    pins: dict[str, Any] | None = None,
    names: dict[str, E] | None = None,
    retell: Retelling | None = None,
    book: NameBook | None = None,
) -> Explanation:
    """The same in a world, with values that an example has given and names of its own.

    retell: goes back to the moment in which something got its value (`interpreter/retelling.py`).
    """
    bound = read_expression(program, world, expression, names or {}, book)
    if isinstance(bound, ir.PathExists):
        try:
            return _path(program, world, bound, " ".join(expression.split()), pins)
        except FAILS as error:
            raise no_value(program, error) from error
    if isinstance(bound, ir.PathCost):
        try:
            return _way(program, world, bound, " ".join(expression.split()), pins)
        except FAILS as error:
            raise no_value(program, error) from error
    if isinstance(bound, ir.FrameName):
        return _named_step(program, world, bound, " ".join(expression.split()), pins, retell)
    told = retell.told(bound, expression) if retell is not None else None
    if told is not None:
        return told
    trail = Trail()
    for frame in world.frames.values():
        forget(frame)
    value = evaluate(program, world, bound, pins if pins is not None else {}, trail)
    parts = tree(program, trail.notes)
    text = " ".join(expression.split())
    if len(parts) == 1 and isinstance(bound, ir.Call):
        return attrs.evolve(parts[0], name=text)
    return Explanation(text, say(value), (), (), tuple(parts))


def _path(
    program: Program, world: World, bound: ir.PathExists, expression: str, pins: dict[str, Any] | None
) -> Explanation:
    """A path: for a trace its route leg by leg, or what blocks it; for a movement how far it gets."""
    name, args = bound.name, bound.arguments
    things = tuple(evaluate(program, world, a, pins if pins is not None else {}) for a in args)
    routine = program.rules.routines[name]
    way = program.ways[name]
    lines = [s for s in routine.body if isinstance(s, ir.Leg | ir.Budget)]

    def step(number: int, applied: bool, value: str, because: str = "") -> Step:
        """A line applied."""
        s = lines[min(number, len(lines) - 1)]
        return Step(
            rule_line(program, s.span),
            applied,
            value,
            because,
            cited(s, routine),
            s.module,
            f"{s.span.file}:{s.span.line}",
        )

    if way.moves and world.ways.start(name, things) is None:
        return Explanation(expression, "no", routine.cites, (step(0, False, "", "it does not start on this map"),), ())
    if way.moves:
        found = world.ways.reach(name, things)
        costs = sorted(
            ((c, world.grid.label(p)) for p, c in found.costs.items() if p != found.start), key=lambda x: (-x[0], x[1])
        )
        shown = ", ".join(f"{label} for {say(cost)}" for cost, label in costs[:12]) + (
            f" and {len(costs) - 12} more" if len(costs) > 12 else ""
        )
        return Explanation(expression, f"{len(costs)} places", routine.cites, (step(0, True, shown or "nowhere"),), ())
    answer = world.ways.answer(name, things)
    if isinstance(answer, Route):
        steps = tuple(step(n, True, " → ".join(leg)) for n, leg in enumerate(answer.legs))
        if answer.cut:
            steps += (_remark(f"closing {in_words(answer.cut)} would cut it"),)
        return Explanation(expression, f"yes, {answer.entered} places long", routine.cites, steps, ())
    steps = (step(answer.leg - 1, False, "", answer.reason), *_closed(program, world, routine, things, answer))
    if answer.legs:
        opened = [label for number, leg in enumerate(answer.legs) for label in leg[bool(number) :]]
        steps += (_remark(f"with {in_words(answer.reopening)} open: {' → '.join(opened)}"),)
    return Explanation(expression, "no", routine.cites, steps, ())


def _closed(
    program: Program, world: World, routine: Routine, things: tuple[Any, ...], answer: Blocked
) -> Iterator[Step]:
    """The bans that close the places of which is told where a trace is cut, and what would have to open."""
    bans = [s for s in routine.body if isinstance(s, ir.Never)]
    for label in tuple(dict.fromkeys((*answer.cut, *answer.reopening)))[:6]:
        barred = world.ways.why_barred(routine.name, things, world.by_label[label])
        if barred is not None and bans:
            ban = next((b for b in bans if (b.because or "") == barred.reason), bans[0])
            line, place = rule_line(program, ban.span), f"{ban.span.file}:{ban.span.line}"
            yield Step(line, True, f"{label} is closed", barred.reason, barred.cites, ban.module, place)


def _remark(text: str) -> Step:
    """What might be, but is not, as a line."""
    return Step(text, False, "", "", (), "", "")


def _way(
    program: Program, world: World, bound: ir.PathCost, expression: str, pins: dict[str, Any] | None
) -> Explanation:
    """The points of the cheapest way to a place, and that way; out of reach, what is closed on the straight way there."""
    name, args, goal = bound.name, bound.arguments, bound.goal
    given = pins if pins is not None else {}
    value = evaluate(program, world, bound, given)
    things = tuple(evaluate(program, world, a, given) for a in args)
    place = evaluate(program, world, goal, given).place
    routine = program.rules.routines[name]
    budget = next((s for s in routine.body if isinstance(s, ir.Budget)), None)
    start = world.ways.start(name, things)
    if budget is None or place is None or start is None:
        return Explanation(expression, say(value), routine.cites, (), ())
    span, cites = budget.span, cited(budget, routine)
    text, where = rule_line(program, span), f"{span.file}:{span.line}"
    found = world.ways.reach(name, things)
    if value is not None:
        way = " → ".join(world.ways.labels(found, place.index)) if place.index in found.points else ""
        return Explanation(expression, say(value), cites, (Step(text, True, way, "", cites, budget.module, where),), ())
    steps = [Step(text, False, "", f"{place.label} is out of reach", cites, budget.module, where)]
    before = start.place
    for label in _straight(world, start.place.index, place.index):
        barred = world.ways.why_barred(name, things, world.by_label[label], before)
        before = world.by_label[label]
        if barred is not None:
            steps.append(Step(f"{label} is closed", True, "", barred.reason, barred.cites, "", ""))
    return Explanation(expression, say(value), cites, tuple(steps[:7]), ())


def _straight(world: World, first: int, last: int) -> list[str]:
    """The labels of the places on the straight way from one to another, without the first; none on two maps."""
    from interpreter.setup import straight

    try:
        return [world.grid.label(i) for i in straight(world.grid, first, last)[1:]]
    except (ValueError, LookupError):
        return []


def _named_step(
    program: Program,
    world: World,
    bound: ir.FrameName,
    expression: str,
    pins: dict[str, Any] | None,
    retell: Retelling | None,
) -> Explanation:
    """A name that a procedure has set: its value, and the `let` line that set it with all that it asked when it did.

    Where that moment cannot be gone back to, the line is worked out again if it still gives the same.
    """
    kept = evaluate(program, world, bound, pins if pins is not None else {})
    for key in reversed(list(world.frames)):
        routine = program.rules.routines.get(key)
        if routine is None or bound.frame != LAST + key:
            continue
        told = retell.named(key, bound.name, kept, expression) if retell is not None else None
        line = _let_line(routine.body, bound.name)
        others = [s for s in lines_in(routine.body) if s is not line and bound.name in names_given(s)]
        if told is not None or line is None or others:
            return told or Explanation(expression, say(kept), (), (), ())
        trail = _now(program, world, key, line, kept, pins if pins is not None else {})
        steps = (_line_step(program, line, kept),)
        return Explanation(expression, say(kept), line.cites, steps, tuple(tree(program, trail.notes)))
    return Explanation(expression, say(kept), (), (), ())


def _line_step(program: Program, line: S, value: Any) -> Step:
    """A line that gave something a value, as a step."""
    place = f"{line.span.file}:{line.span.line}"
    return Step(rule_line(program, line.span), True, say(value), line.because or "", line.cites, line.module, place)


def _given_step(program: Program, given: Given) -> Step:
    """A line that gave something a value, as a step: what is gained with what it is added to."""
    if given.line is None:
        return Step("what was set in an earlier turn no longer lasts", True, say(given.value), "", (), "", "")
    step = _line_step(program, given.line, given.value)
    if given.over:
        return attrs.evolve(step, text=f"{step.text}: no longer")
    if isinstance(given.line, ir.Gain) and given.thing is not None:
        loses = given.came < 0 or (given.came == 0 and isinstance(given.part, ir.Negative))
        sign = "-" if loses else "+"
        return attrs.evolve(step, value=f"{say(given.before)} {sign} {say(abs(given.came))} = {say(given.value)}")
    return step


def explain_changes(game: Retold, side: str = "umpire") -> list[Explanation]:
    """What the last input changed of fields, each told down to what it was made of, as far as a side may know.

    Left out are marks and what a line sets to a plain word: its event says all there is to say.
    """
    return Retelling(game, side).changes()


class Retelling:
    """Tells what happened to a field or a name in this turn, and how a value came about when it was asked for last."""

    def __init__(self, game: Retold, side: str) -> None:
        self.game = game
        self.side = side
        self.program = game.program

    def named(self, key: str, name: str, kept: Any, expression: str) -> Explanation | None:
        """A name as a routine gave it last; None where that cannot be told any more."""
        rulings = self.game.world.rulings.on("", name, self.side)
        for story in self._stories((name,)):
            given = story.named(key, name)
            mine = self._of_turn(story, rulings)
            if mine and mine[-1].value == say(kept) and (given is None or given.since <= mine[-1].since):
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
        """What was rolled for one of several things."""
        of, value = (evaluate(self.program, self.game.world, e, {}) for e in (bound.key, bound))
        for story in self._stories((bound.name,)):
            given = story.rolled(bound.name, of, value) if hasattr(of, "id") else None
            if given is not None:
                return self._whole(" ".join(expression.split()), value, story, [given])
        return None

    def changes(self) -> list[Explanation]:
        """What the last input of the turn changed."""
        told: dict[tuple[str, str], list[Given]] = {}
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
            name = f"{field} of {owner if row[0].thing is not story.world.game else kind}"
            whole = self._whole(name, row[-1].value, story, row)
            if whole.parts or len(whole.steps) > 1:
                found.append(whole)
        return found

    def _may_know(self, given: Given) -> bool:
        """Whether a side may know of a change."""
        world = self.game.world
        return self.side == "umpire" or bool(
            {"all", self.side} & set(world.knowledge.who_sees(given.thing, given.word))
        )

    def _field(self, bound: Standing, expression: str) -> Explanation | None:
        """A field of a thing, or where it stands, who holds it, whose or which entry of a list it is."""
        world = self.game.world
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
        while word in {"place", "side"} and owner.part:  # it is its whole's
            owner = owner.holder
        about = (owner.id,) if owner is not world.game else ()
        name, rulings = " ".join(expression.split()), world.rulings.on(owner.id, word, self.side)
        for story in self._stories((word,), about, changed=None if rulings else (owner.id, word)):
            changes, mine = story.changes(owner.id, word), self._of_turn(story, rulings)
            if not changes and not mine:
                continue
            both: list[Given | Ruling] = [*mine, *changes]
            last = max(reversed(both), key=lambda x: x.since)  # of several during one input the one told last
            if isinstance(last, Given) and not story.still(last, world):
                return None  # something that no line says has changed it since
            return self._whole(name, value, story, changes, mine)
        return self._ruled_long_ago(name, value, rulings)

    def _holder(self, owner: Any) -> str:
        return self.program.ruleset.kinds[owner.kind].holder or ""

    def _ruled_long_ago(self, name: str, value: Any, rulings: Sequence[Ruling]) -> Explanation | None:
        """What the umpire ruled in a turn that is not told any more; it did not apply if it is otherwise by now."""
        if not rulings:
            return None
        step = self._ruled(rulings[-1])
        if rulings[-1].value != say(value):
            step = attrs.evolve(
                step, applied=False, value="", because=f"{step.because}; it has changed since".lstrip("; ")
            )
        return Explanation(name, say(value), (), (step,), ())

    def _of_turn(self, story: Story, rulings: Sequence[Ruling]) -> list[Ruling]:
        """Those of a turn that is told."""
        return [r for r in rulings if r.turn == self.game.world.turn - story.ago]

    def _ruled(self, ruling: Ruling) -> Step:
        """An override as a line."""
        text = f"override by the umpire in turn {ruling.turn}"
        return Step(text, True, ruling.value, ruling.reason_for(self.side), (), "", "")

    def _value(self, routine: Routine, bound: ir.Call, expression: str) -> Explanation | None:
        world, name = self.game.world, routine.name
        given = [evaluate(self.program, world, a, {}) for a in bound.arguments]
        if routine.within and _running(self.game, routine.within, given):
            return None
        about = tuple(x.id for x in given if hasattr(x, "kind") and x.kind != "side" and x not in world.places)
        things = tuple(str(getattr(x, "id", x)) for x in given)
        for story in self._stories((), about, Asked(name, things, bound)):
            if story.asked is not None:
                last, value, notes = story.asked
                told = tree(story.program, notes)
                more = self._behind(story, last, bound, set())
                whole = told[0] if told else Explanation("", say(value), (), (), ())
                return attrs.evolve(whole, name=" ".join(expression.split()), parts=(*whole.parts, *more))
        return None

    def _stories(
        self,
        wanted: tuple[str, ...],
        about: tuple[str, ...] = (),
        asked: Asked | None = None,
        changed: tuple[str, str] | None = None,
    ) -> Iterator[Story]:
        """The turns that can be told, as far as they bear on the question."""
        return story_of(self.game, wanted, self.side, about, asked, changed)

    def _whole(
        self, name: str, value: Any, story: Story, row: list[Given], rulings: Sequence[Ruling] = ()
    ) -> Explanation:
        """What gave something its value, line after line; several changes each with what they were made of."""
        if len(row) == 1 and not rulings:
            steps, parts = self._line(story, row[0], set())
            return Explanation(name, say(value), _cites(steps), tuple(steps), tuple(parts))
        steps, changes = [], []
        both: list[Given | Ruling] = [*rulings, *row]
        for number, given in enumerate(sorted(both, key=lambda x: x.since), 1):
            if isinstance(given, Ruling):
                steps.append(self._ruled(given))
                continue
            lines, parts = self._line(story, given, set())
            steps.append(lines[0])
            if parts or lines[1:]:
                changes.append(
                    Explanation(f"change {number}", say(given.value), _cites(lines), tuple(lines), tuple(parts))
                )
        return Explanation(name, say(value), _cites(steps), tuple(steps), tuple(changes))

    def _line(self, story: Story, given: Given, seen: set[int]) -> tuple[list[Step], list[Explanation]]:
        """A line as it was done, those that gave what it read, and the values they asked for.

        A line that only hands a value on is told in one row with the line that it has it from.
        """
        seen.add(given.number)
        steps = [_given_step(story.program, given)]
        parts = tree(story.program, given.notes)
        links = [g for g in story.behind(given, (given.part, given.when)) if g.number not in seen]
        if not parts and len(links) == 1:
            more, below = self._line(story, links[0], seen)
            return steps + more, below
        return steps, parts + self._behind(story, given, (given.part, given.when), seen)

    def _behind(self, story: Story, given: Given, part: Any, seen: set[int]) -> list[Explanation]:
        """What an expression read, as it got its values."""
        told = []
        for link in story.behind(given, part):
            if link.number not in seen:
                steps, parts = self._line(story, link, seen)
                whose = link.thing if link.thing is not None else link.of
                name = f"{link.word} of {say(whose)}" if whose is not None else link.word
                told.append(Explanation(name, say(link.value), _cites(steps), tuple(steps), tuple(parts)))
        return told


def _running(game: Retold, name: str, things: list[Any]) -> bool:
    """Whether an order or procedure stands still now, waiting for somebody, and is about these things."""
    named = [f for k, f in game.world.frames.items() if k.partition(" ")[2] == name]
    for frame in frames_in(game.runner.run):
        if any(f is frame for f in named):
            slots: Any = type(frame).__dict__["__slots__"]
            spoken = [getattr(frame, s) for s in slots if s.startswith("n_") and hasattr(frame, s)]
            members = [x for s in spoken for x in (s if isinstance(s, list | tuple) else [s])]
            return all(any(m is x for m in members) for x in things if hasattr(x, "kind") and x.kind != "side")
    return False


def _now(program: Program, world: World, key: str, line: ir.Let, kept: Any, pins: dict[str, Any]) -> Trail:
    """The trail of a line worked out again as things stand; an empty one where it gives another value now."""
    trail, frame = Trail(), world.frames[key]
    forget(frame)
    try:
        again = evaluate(program, world, line.value, pins, trail, {"F": frame})
    except Refused:
        again = None
    return trail if again == kept else Trail()


def _first_of(bound: Standing) -> E:
    """The thing of which something is asked."""
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


__all__ = [
    "FAILS",
    "Explanation",
    "Retelling",
    "Step",
    "Trail",
    "evaluate",
    "explain",
    "explain_changes",
    "explain_in",
    "read_expression",
    "tree",
    "with_rulings",
]
