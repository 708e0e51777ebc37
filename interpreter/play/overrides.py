"""Overrides: facts that the umpire sets in a running game, in the words that rules and examples use for them.

A change is a line that does something (`strength of tf-1 becomes 4`, `move tf-1 to 0304`, `remove tf-1`) or a fact as `given`
states it (`strength of tf-1 = 4`, `tf-1 is marked`, `tf-1 is in 0304`). A fact is read as the line that makes it true. It
takes effect at once, where the game waits, and triggers no rule that waits for an event: it is a correction, not a move.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from dsl import ir
from dsl.analysis.effects_of import frame_changed, names_changed
from dsl.ir import LAST, Routine, S
from dsl.rules.editions import STAYS_NAMED, asks
from dsl.rules.notation import attribute
from dsl.rules.ruleset import Field
from interpreter.codegen.emit_statements import act_of
from interpreter.codegen.emitted_code import compiled_once, defined
from interpreter.codegen.python_names import py
from interpreter.codegen.routine_emitter import RoutineEmitter
from interpreter.messages.happenings import (
    FactsOverridden,
    FieldChanged,
    ThingArrived,
    ThingJoined,
    ThingMoved,
    ThingRemoved,
    things_of,
)
from interpreter.messages.inputs import Event
from interpreter.play.contracts import Running
from interpreter.play.override_reader import Change
from interpreter.play.runner import chain_of
from interpreter.play.state import names_standing, state_of
from interpreter.program.failures import rule_failure
from interpreter.runtime.frames import Frame
from interpreter.runtime.refusals import Why
from interpreter.runtime.runtime import FAILS, Halt, RuleTrouble, typed
from interpreter.runtime.things import Thing
from interpreter.world.rulings import Ruling
from interpreter.world.world import World

__all__ = ["complete", "override", "ruled"]


def override(game: Running, changes: Sequence[Change], reason: str, since: int) -> None:
    """Applies the umpire's changes, line by line, and records who may know of them.

    Args:
        game: the current game.
        changes: the changes, read in this game.
        reason: why.
        since: how many inputs of this turn came before.

    Raises:
        Refused: a change fails, or changes nothing. The previous ones have been applied: the caller restores the game.
    """
    routine, frame = changes[0].routine, _frame(game.world)

    def act(change: Change) -> Callable[[], Iterable[S]]:
        def done() -> Iterable[S]:
            _do(game, change, routine, frame)
            return change.statements

        return done

    ruled(game, [act(change) for change in changes], "Override by the umpire", reason, since)


def ruled(game: Running, acts: Iterable[Callable[[], Iterable[S]]], heading: str, reason: str, since: int) -> None:
    """Applies the umpire's acts one by one, without triggering waiting rules, and records who may know of them.

    Args:
        game: the current game.
        acts: each changes something, and returns the statements that did it, if there are any.
        heading: the name of the ruling in its event.
        reason: why.
        since: how many inputs of this turn came before.

    Raises:
        Refused: an act fails. The previous ones have been applied: the caller restores the game.
    """
    world = game.world
    there = [x for x in world.by_id.values() if x.alive or not asks(world.ruleset.edition, STAYS_NAMED)]
    events, world.journal.events = world.journal.events, []
    heed, world.heed = world.heed, None
    together, world.effects.together = (
        world.effects.together,
        None,
    )  # simultaneous changes being collected wait; this applies at once
    found: list[tuple[str, str, str, tuple[str, ...]]] = []
    audiences: list[frozenset[str]] = []
    try:
        for act in acts:
            first = len(world.journal.events)
            statements = act()
            mine = world.journal.events[first:]
            found += _changed(world, statements, mine)
            audiences.append(_audience(world, mine))
    finally:
        world.heed, world.effects.together = heed, together
    told = _told(world, frozenset.intersection(*audiences))
    said = [world.journal.event(FactsOverridden(reason, heading), to=to) for to in told]
    world.journal.events = [*events, *said, *world.journal.events]
    world.rulings.facts += [
        Ruling(world.turn, since, name, field, value, reason, seen, told) for name, field, value, seen in found
    ]
    world.rulings.count += 1
    gone = {id(x) for x in there if not x.alive}
    for inner in _frames(game):
        _let_go(inner, gone)


def _frames(game: Running) -> Iterator[Frame]:
    """The frames of all procedures that ran or are suspended, each once."""
    found: dict[int, Frame] = {id(frame): frame for frame in game.world.frames.values()}
    for run in chain_of(game.runner.run):
        assert run.gi_frame is not None
        for held in run.gi_frame.f_locals.values():
            for frame in held if isinstance(held, list) else (held,):
                if hasattr(frame, "memo"):
                    found[id(frame)] = frame
    for frame in list(found.values()):
        up = getattr(frame, "up", None)
        while up is not None and id(up) not in found:
            found[id(up)] = up
            up = getattr(up, "up", None)
    yield from found.values()


def _let_go(frame: Frame, gone: Collection[int]) -> None:
    """A procedure forgets its remembered values, and things that a ruling has removed are dropped from its named lists.

    Things that rules removed before stay in the lists: otherwise anybody who reads the name could tell that there was a ruling.
    """
    frame.memo, frame.stamp = {}, -1
    for slot in [s for s in type(frame).__slots__ if s.startswith("n_") and hasattr(frame, s)]:
        held = getattr(frame, slot)
        if isinstance(held, list) and any(id(x) in gone for x in held):
            setattr(frame, slot, [x for x in held if id(x) not in gone])


# ---- doing
def _frame(world: World) -> Frame:
    """A frame for the names of an override."""
    frame: Frame = type("Frame_override", (), {})()
    frame.acting, frame.up, frame.route = None, None, None
    frame.via, frame.chosen = [], {}
    frame.memo, frame.stamp = {}, -1
    world.frames.pop("procedure this override", None)
    return frame


def _do(game: Running, change: Change, routine: Routine, frame: Frame) -> None:
    """One line. Raises Refused if it fails or changes nothing."""
    world, before = game.world, _state(game)
    first = len(world.journal.events)
    text, words, _ = act_of(RoutineEmitter(game.program.rules), change.statements, routine)
    space = {**game.program.constants, **world.functions, "W": world, "O": world.options}
    defined(compiled_once(text, words, "<override>"), space)
    try:
        for _ in space["act"](frame):
            raise RuleTrouble("It would have to ask a question.")
    except (RuleTrouble, Halt, *FAILS) as error:
        message = rule_failure(game.program, error).message
        raise Why.FIXED(f"`{change.text}` cannot be done: {message}") from error
    for s in change.statements:
        if isinstance(s, ir.Put):
            complete(world, getattr(frame, f"n_{s.name.replace('-', '_')}"))
    if len(world.journal.events) == first and _state(game) == before:
        raise Why.NO_CHANGE(
            f"`{change.text}` changes nothing: that is already the case.",
            hint="Use `ophex why` to see the value of a field.",
        )


def _state(game: Running) -> object:
    return state_of(game.world), names_standing(game.runner), game.world.over


def complete(world: World, made: Thing) -> None:
    """Records the arrival of a new thing for those it is not hidden from. Raises Refused if it lacks something."""
    info = world.ruleset.kinds[made.kind]
    missing = [f.name for f in info.fields.values() if f.name != "name" and _lacks(made, f)]
    if missing:
        raise Why.NOT_UNDERSTOOD(
            f"{made.name} has no {' and no '.join(missing[:3])}.",
            hint=f"Give it in brackets: `put x (a {made.kind} …, {missing[0]} …) in …`, or name an entry of a unit list.",
            field=missing[0],
        )
    if made.side is None and info.word in {"unit", "formation"}:
        raise Why.NOT_UNDERSTOOD(
            f"{made.name} belongs to no side.",
            hint=f"Name its side: `put x (a {made.kind} …, side …) in …`.",
            field="side",
        )
    if made.place is not None:
        return  # its arrival in that place has been recorded
    what = ThingArrived(made.id, (), world.knowledge.called(made))
    for to in world.knowledge.who_sees(made, "place"):
        world.journal.happened(what, -1, made.side, to)


def _lacks(made: Thing, field: Field) -> bool:
    if field.type.optional or field.type.name in {"link", "text", "mark", "set"}:
        return False
    return getattr(made, attribute(field.name), None) is None


# ---- who may know
def _audience(world: World, events: Sequence[Event]) -> frozenset[str]:
    """The sides that may know of everything that a line changed."""
    sides = frozenset(s.id for s in world.by_kind["side"])
    by_change: dict[object, set[str]] = {}
    for event in events:
        key = (event.kind, event.text, things_of(event.what))
        by_change.setdefault(key, set()).update(sides if event.to == "all" else {event.to})
    return frozenset.intersection(*map(frozenset, by_change.values())) & sides if by_change else frozenset()


def _told(world: World, sides: frozenset[str]) -> tuple[str, ...]:
    """The audience of something that some sides may know."""
    if len(sides) == len(world.by_kind["side"]):
        return ("all",)
    return tuple(sorted(sides)) or ("umpire",)


def _changed(
    world: World, statements: Iterable[S], events: Sequence[Event]
) -> list[tuple[str, str, str, tuple[str, ...]]]:
    """What a line changed: the ids of things with the field, its new value, and who may know of it."""
    found: dict[tuple[str, str], tuple[str, set[str]]] = {}
    for event in events:
        for name in things_of(event.what):
            field = _field_of(world, event, name)
            if name and field:
                now = found.setdefault((name, field), (_now(world, event, name, field), set()))
                now[1].add(event.to)
    out = [(name, field, now, tuple(sorted(seen))) for (name, field), (now, seen) in found.items()]
    for s in statements:
        if isinstance(s, ir.SetName):
            for name in names_changed(s):
                frame = world.last_frame(frame_changed(s).removeprefix(LAST))
                out.append(("", name, typed(getattr(frame, f"n_{py(name)}", None)), ("umpire",)))
    return out


def _field_of(world: World, event: Event, name: str) -> str:
    """The field that an event is about; `place` for a thing that moved."""
    match event.what:
        case FieldChanged(field=field):
            return field
        case ThingMoved() | ThingArrived() | ThingRemoved():
            return "place"
        case ThingJoined():
            found = world.by_id.get(name)
            return (world.ruleset.kinds[found.kind].holder or "") if found is not None else ""
    return ""


def _now(world: World, event: Event, name: str, field: str) -> str:
    """What a field holds after an event, printed."""
    if isinstance(event.what, FieldChanged):
        return event.what.value
    found = world.by_id.get(name)
    if isinstance(event.what, ThingJoined):
        return typed(found.holder) if found is not None else ""
    return typed(found.place) if found is not None and found.alive and field == "place" else "absent"
