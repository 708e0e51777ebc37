"""Evaluating what is typed: an expression or condition, bound and evaluated in the current state of a world."""

from __future__ import annotations

import functools
from typing import Any

from dsl import ir
from dsl.binding.context import Binder
from dsl.binding.scope import Scope
from dsl.ir import LAST, SIDE, E, Routine, thing
from dsl.syntax.chunks import Chunk
from dsl.syntax.declarations import Declaration
from dsl.syntax.syntax_tree import Node
from dsl.text.codes import remedy
from interpreter.codegen.expressions import value_of
from interpreter.codegen.python_names import py
from interpreter.messages.inputs import Refused
from interpreter.program.failures import rule_failure
from interpreter.program.program import Program, Traced
from interpreter.runtime.audit_trail import Trail
from interpreter.runtime.references import without_references
from interpreter.runtime.refusals import Why
from interpreter.runtime.runtime import FAILS
from interpreter.runtime.things import Thing, Value
from interpreter.world.namebook import NameBook
from interpreter.world.world import World

__all__ = [
    "evaluate",
    "evaluate_plainly",
    "no_value",
    "read_expression",
    "read_node",
]


def read_expression(
    program: Program, world: World, expression: str, names: dict[str, E], book: NameBook | None = None
) -> E:
    """Binds a typed expression or condition; things may be named by their ids, or as a side's name book has them.

    Raises Refused.
    """
    node, condition, hint = _parsed(expression)
    if node is None:
        raise Why.NOT_UNDERSTOOD(f"`{expression}` is not a valid expression.", hint=hint)
    line: Any = node.body[0]  # type: ignore[attr-defined]
    is_asked = condition and line.when is not None
    return read_node(program, world, line.when if is_asked else line.value, names, book, condition=is_asked)


def read_node(
    program: Program,
    world: World,
    node: Node,
    names: dict[str, E] | None = None,
    book: NameBook | None = None,
    *,
    condition: bool,
) -> E:
    """Binds what was parsed before. Raises Refused."""
    binder = Binder.over(program.rules)
    things = world.by_id if book is None else book.things  # also what is no longer in the game
    ids = {word: _named(x) for word, x in things.items()}
    run, several = _names_run(program, world)
    unsaid = frozenset() if book is None else (set(run) | {n for r, _ in several for n in r.frame}) - set(ids)
    scope = Scope(
        {**run, **ids, **(names or {})},
        ir.Active(),
        None,
        several,
        any_frame=True,
        to_come=False,
        unsaid=frozenset(unsaid),
    )
    bound = binder.condition(node, scope) if condition else binder.expr(node, scope)
    if binder.problems:
        found = binder.problems[0]
        is_for_authors = found.code in UNDECLARED and found.hint == remedy(found.code)
        raise Why.NOT_UNDERSTOOD(found.message, hint="Check the spelling." if is_for_authors else found.hint)
    return bound


UNDECLARED = frozenset({"E103", "E200", "E209"})
"""The codes for names that are not declared: their remedy is for authors, and who asks in a game can only correct the name."""


def _names_run(program: Program, world: World) -> tuple[dict[str, E], tuple[tuple[Routine, str], ...]]:
    """The names of procedures that can be read now, each from the last one that has set it.

    Also the routines that have chosen or rolled something for each of several things, the last one first.
    """
    names, several = dict[str, E](), list[tuple[Routine, str]]()
    for key, frame in reversed(world.frames.items()):
        routine = program.rules.routines.get(key)
        given = {n: t for n, t in routine.frame.items() if hasattr(frame, f"n_{py(n)}")} if routine is not None else {}
        for name, type_ in given.items():
            if type_.name != "map":
                names.setdefault(name, ir.FrameName(LAST + key, name, type=type_))
        if routine is not None and any(type_.name == "map" for type_ in given.values()):
            several.append((routine, LAST + key))
    return names, tuple(several)


@functools.lru_cache(maxsize=1024)
def _parsed(expression: str) -> tuple[Declaration | None, bool, str]:
    """A declaration that contains the typed text, whether it was read as a condition, and a hint if it cannot be read."""
    from dsl.syntax.parse import parse_chunk  # the parser is slow to import, and only questions need it

    node, _ = parse_chunk(Chunk(1, f"status asked-now:\n  when {expression}\n"), "question")
    if node is not None:
        return node, True, ""
    node, problems = parse_chunk(Chunk(1, f"value asked-now:\n  start with {expression}\n"), "question")
    return node, False, "" if node is not None else f"{problems[0].message} {problems[0].hint}"


def _named(x: Thing) -> E:
    return ir.ThingNamed(without_references(x.id), type=SIDE if x.kind == "side" else thing(x.kind))


def evaluate(
    program: Program,
    world: World,
    bound: E,
    pins: dict[str, Value],
    trail: Trail | None = None,
    extra: dict[str, Value] | None = None,
) -> Value:
    """The value of a bound expression in a world. Raises Refused if it has none now."""
    trail = trail if trail is not None else Trail()
    space = _space(program, world, pins, trail)
    before, run = (space["T"], space["PIN"]), set(world.frames)
    space["T"], space["PIN"] = trail, pins
    try:
        return value_of(program.rules, bound, "<asked>", {**space, **extra} if extra else space, traced=True)
    except FAILS as error:
        raise no_value(program, error) from error
    finally:
        space["T"], space["PIN"] = before
        for key in set(world.frames) - run:  # a question runs nothing
            del world.frames[key]


def evaluate_plainly(program: Program, world: World, bound: E) -> Value:
    """The same without an audit trail, so that nothing needs to be emitted again."""
    space = {
        **program.constants, **world.functions, "W": world, "O": world.options, "T": Trail(), "PIN": {},
    }  # fmt: skip
    try:
        return value_of(program.rules, bound, "<asked>", space, traced=True)
    except FAILS as error:
        raise no_value(program, error) from error


def _space(program: Program, world: World, pins: dict[str, Value], trail: Trail) -> dict[str, Value]:
    """The globals of emitted functions with an audit trail; those created for questions are kept in the world."""
    if isinstance(world.functions, Traced) and world.functions["T"] is trail:
        return world.functions.space
    if world.aside is None or world.aside[0] is not program:
        world.aside = program, program.traced_functions(world, world.options, pins, trail)
    made: Traced = world.aside[1]
    return made.space


def no_value(program: Program, error: Exception) -> Refused:
    """The refusal for an expression without a value."""
    failure = rule_failure(program, error)
    place = f"{failure.file}:{failure.line}" if failure.file else ""
    return Why.NO_VALUE(f"It has no value now: {failure.message}", hint=place)
