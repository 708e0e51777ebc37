"""Explanations: a value worked out once more with its audit trail on, as a tree of the lines that were looked at."""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import attrs

from dsl.ir import SIDE, E, S, thing
from dsl.scope import Scope
from dsl.source import Span
from interpreter.inputs import Refused
from interpreter.program import Program
from interpreter.retelling import Moment, forget, moment_of
from interpreter.routes import Route
from interpreter.runtime import RuleTrouble, say

if TYPE_CHECKING:
    from interpreter.emit import Source
    from interpreter.play import Game
    from interpreter.world import World

Retell = Callable[[str, str, Any], "Moment | None"]

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
    """A value with the lines that made it and the values those asked for, in the order in which they were asked."""

    name: str
    value: str
    cites: tuple[str, ...]
    steps: tuple[Step, ...]
    parts: tuple[Explanation, ...]


class Trail:
    """Where emitted rules leave their audit trail: cheap to write, read once."""

    def __init__(self) -> None:
        self.notes: list[tuple[Any, ...]] = []

    def enter(self, name: str, args: tuple[Any, ...]) -> None:
        """A value begins to be worked out."""
        self.notes.append(("enter", name, args))

    def step(self, site: int, value: Any) -> None:
        """A line applied."""
        self.notes.append(("step", site, value))

    def skip(self, site: int) -> None:
        """A line did not apply."""
        self.notes.append(("skip", site))

    def leave(self, value: Any) -> Any:
        """The value is worked out; it is handed on."""
        self.notes.append(("leave", value))
        return value


def tree(program: Program, source: Source, notes: list[tuple[Any, ...]]) -> list[Explanation]:
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
            stack[-1][1].append(_step(program, source, note))
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


def _step(program: Program, source: Source, note: tuple[Any, ...]) -> Step:
    site = source.sites[note[1]]
    applied = note[0] == "step"
    return Step(
        _rule_line(program, site.span),
        applied,
        say(note[2]) if applied else "",
        site.because,
        site.cites,
        site.module,
        f"{site.span.file}:{site.span.line}",
    )


def _rule_line(program: Program, span: Span) -> str:
    """A rule line as written, without its citation and remark."""
    file = program.files.get(span.file)
    if file is None:
        return ""
    last = span.end_line - 1 if span.end_line > span.line else span.line
    text = " ".join(file.line(n).split(" -- ")[0].strip() for n in range(span.line, last + 1)).strip()
    return text.rpartition("[")[0].strip() if text.endswith("]") else text


def explain(game: Game, expression: str, side: str = "umpire") -> Explanation:
    """Explains an expression such as `column-shift`, `armor-strength of tf-1` in a game as it stands.

    Raises Refused when the expression cannot be understood, has no value now, or when working it out would read what is
    hidden from the side that asks.
    """
    retell = partial(moment_of, game, side=side)
    if side == "umpire":
        return explain_in(game.program, game.world, expression, retell=retell)
    from interpreter.veil import veiled

    with veiled(game.world, side) as veil:
        try:
            return explain_in(game.program, game.world, expression, retell=retell)
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
    retell: Retell | None = None,
) -> Explanation:
    """The same in a world, with values that an example has given and names of its own.

    retell: goes back to the moment in which a routine gave a name its value (`interpreter/retelling.py`).
    """
    bound = read_expression(program, world, expression, names or {})
    if bound.op == "path_exists":
        try:
            return _path(program, world, bound, " ".join(expression.split()), pins)
        except _FAILS as error:
            raise _no_value(program, error) from error
    if bound.op == "frame":
        return _named_step(program, world, bound, " ".join(expression.split()), pins, retell)
    trail = Trail()
    value = evaluate(program, world, bound, pins if pins is not None else {}, trail)
    source = program.variant(True, True)[0]
    parts = tree(program, source, trail.notes)
    text = " ".join(expression.split())
    if len(parts) == 1 and bound.op == "call":
        return attrs.evolve(parts[0], name=text)
    return Explanation(text, say(value), (), (), tuple(parts))


def _path(program: Program, world: World, bound: E, expression: str, pins: dict[str, Any] | None) -> Explanation:
    """A path: for a trace its route leg by leg, or what blocks it; for a movement how far it gets."""
    name, args = bound.args
    things = tuple(evaluate(program, world, a, pins if pins is not None else {}) for a in args)
    routine = program.binder.routines[name]
    way = program.ways[name]
    lines = [s for s in routine.body if s.op in {"leg", "budget"}]

    def step(number: int, applied: bool, value: str, because: str = "") -> Step:
        """A line applied."""
        s = lines[min(number, len(lines) - 1)]
        return Step(
            _rule_line(program, s.span),
            applied,
            value,
            because,
            s.cites or routine.cites,
            s.module,
            f"{s.span.file}:{s.span.line}",
        )

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
        return Explanation(expression, f"yes, {answer.entered} places long", routine.cites, steps, ())
    bans = [s for s in routine.body if s.op == "never"]
    steps = (step(answer.leg - 1, False, "", answer.reason),)
    for label in answer.cut[:6]:
        barred = world.ways.why_barred(name, things, world.by_label[label])
        if barred is not None and bans:
            ban = next((b for b in bans if (b["because"] or "") == barred.reason), bans[0])
            place = f"{ban.span.file}:{ban.span.line}"
            steps += (
                Step(
                    _rule_line(program, ban.span),
                    True,
                    f"{label} is closed",
                    barred.reason,
                    barred.cites,
                    ban.module,
                    place,
                ),
            )
    return Explanation(expression, "no", routine.cites, steps, ())


def _named_step(
    program: Program, world: World, bound: E, expression: str, pins: dict[str, Any] | None, retell: Retell | None
) -> Explanation:
    """A name that a procedure has set: its value, and the `let` line that set it with all that it asked when it did.

    Where that moment cannot be gone back to, the line is worked out again if it still gives the same.
    """
    source = program.variant(True, True)[0]
    kept = evaluate(program, world, bound, pins if pins is not None else {})
    for key in reversed(list(world.frames)):
        routine = program.binder.routines.get(key)
        line = (
            _let_line(routine.body, bound.args[1])
            if routine is not None and bound.args[0] == f"W.last_frame({key!r})"
            else None
        )
        if line is None:
            continue
        moment = retell(key, bound.args[1], kept) if retell is not None else None
        if moment is None:
            moment = _now(program, world, key, line, kept, pins if pins is not None else {})
        line = moment.line
        text = _rule_line(program, line.span)
        step = Step(text, True, say(kept), "", line.cites, line.module, f"{line.span.file}:{line.span.line}")
        return Explanation(expression, say(kept), line.cites, (step,), tuple(tree(program, source, moment.trail.notes)))
    return Explanation(expression, say(kept), (), (), ())


def _now(program: Program, world: World, key: str, line: S, kept: Any, pins: dict[str, Any]) -> Moment:
    """A line worked out again as things stand; with no trail where it gives another value now."""
    trail, frame = Trail(), world.frames[key]
    forget(frame)
    try:
        again = evaluate(program, world, line["value"], pins, trail, {"F": frame})
    except Refused:
        again = None
    return Moment(line, trail if again == kept else Trail())


def _let_line(body: tuple[S, ...], name: str) -> S | None:
    """The line of a body that names a value, the last if there are several."""
    found = None
    for line in body:
        if line.op == "let" and line["name"] == name:
            found = line
        found = _let_line(line.body, name) or found
    return found


def read_expression(program: Program, world: World, expression: str, names: dict[str, E]) -> E:
    """Binds a typed expression or condition; ids of things may be named. Raises Refused."""
    from dsl.layout import Chunk
    from dsl.parse import parse_chunk

    chunk = f"status asked-now:\n  when {expression}\n"
    node, problems = parse_chunk(Chunk(1, chunk), "question")
    condition = node is not None
    if node is None:
        node, problems = parse_chunk(Chunk(1, f"value asked-now:\n  start with {expression}\n"), "question")
    if node is None:
        raise Refused(f"`{expression}` is not understood.", hint=problems[0].message + " " + problems[0].hint)
    binder = copy.copy(program.binder)
    binder.problems = []
    ids = {i: _named(x) for i, x in world.by_id.items() if x.alive}
    scope = Scope({**ids, **names}, E("active", SIDE, ()), None, (), any_frame=True)
    line: Any = node.body[0]  # type: ignore[attr-defined]
    asked = line.when if condition and line.when is not None else None
    bound = binder.condition(asked, scope) if asked is not None else binder.expr(line.value, scope)
    if binder.problems:
        found = binder.problems[0]
        raise Refused(found.message, hint=found.hint)
    return bound


def _named(x: Any) -> E:
    return E("thing_named", SIDE if x.kind == "side" else thing(x.kind), (x.id,))


def evaluate(
    program: Program,
    world: World,
    bound: E,
    pins: dict[str, Any],
    trail: Trail | None = None,
    extra: dict[str, Any] | None = None,
) -> Any:
    """The value of a bound expression in a world. Raises Refused when it has none now."""
    from interpreter.emit import Emitter

    trail = trail if trail is not None else Trail()
    functions = (
        world.functions if world.functions.get("T") is trail else program.functions(world, world.options, pins, trail)
    )
    space = {**program.constants, **functions, "W": world, "O": world.options, "PIN": pins, "T": trail}
    space |= extra or {}
    text = Emitter(program.binder, traced=True, pinned=True).emit(bound)
    try:
        return eval(text, space)  # noqa: S307 (our own emitted source)
    except _FAILS as error:
        raise _no_value(program, error) from error


_FAILS = (RuleTrouble, AttributeError, TypeError, KeyError, IndexError)
"""What rules fail with where a value is absent or hidden."""


def _no_value(program: Program, error: Exception) -> Refused:
    from interpreter.failures import rule_failure

    failure = rule_failure(program, error)
    place = f"{failure.file}:{failure.line}" if failure.file else ""
    return Refused(f"It has no value now: {failure.message}", hint=place)


__all__ = [
    "Explanation",
    "Step",
    "Trail",
    "evaluate",
    "explain",
    "explain_in",
    "read_expression",
    "tree",
]
