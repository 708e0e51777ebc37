"""Narrowing: which places an argument of an order can be at all, derived from the clauses about its position.

A clause such as `refused when lead is not next to target` leaves six places of a map of thousands, and
`refused when distance from u to goal > range of u` leaves those in range. The result is never too small: every clause is
still checked for the places that remain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from dsl import ir
from dsl.ir import E
from interpreter.codegen.emitted_code import worked_out
from interpreter.codegen.expressions import code_of
from interpreter.codegen.python_names import py
from interpreter.program.program_data import OrderProgram
from interpreter.runtime.frames import Frame
from interpreter.runtime.runtime import TROUBLE
from interpreter.runtime.things import Thing, Value
from interpreter.world.world import World

Places = Callable[[World, Frame], Iterable[Thing] | None]
"""The places that a clause allows, from the world and the frame so far; None: it allows all."""


def narrowings(order: OrderProgram, at: int) -> list[Places]:
    """What the clauses of an order say about the possible places of its argument number `at`."""
    if any(isinstance(c.said, ir.Permits) for c in order.clauses):
        return []
    name = order.params[at][1]
    # Names that a line sets again for every place.
    later = [c.said.name for c in order.clauses if isinstance(c.said, ir.Let) and c.needs > at]
    out: list[Places] = []
    for clause in order.clauses:
        said = clause.said
        if clause.needs != at + 1 or not isinstance(said, ir.Refused | ir.LegalWhen) or said.when is not None:
            continue
        if not any(_speaks_of(said.test, other) for other in later):
            out += _required(said.test, name, wanted=isinstance(said, ir.LegalWhen))
    return out


def _required(test: E, name: str, *, wanted: bool) -> list[Places]:
    """The function that finds the remaining places when a condition must be true (or, if not wanted, false)."""
    if isinstance(test, ir.Not):
        return _required(test.item, name, wanted=not wanted)
    if isinstance(test, ir.And if wanted else ir.Or):
        return [found for part in test.items for found in _required(part, name, wanted=wanted)]
    found = None
    match test:
        case ir.Compare():
            found = _in_range(test, name, wanted=wanted)
        case ir.IsPlaced() if wanted:
            found = _beside(test, name)
        case ir.IsThere(value=ir.ThingsNear() as things) if wanted:
            found = _with_things(things, name)
    return [] if found is None else [found]


def _is_argument(e: E, name: str) -> bool:
    return isinstance(e, ir.FrameName) and (e.frame, e.name) == ("F", name)


def _beside(test: ir.IsPlaced, name: str) -> Places | None:
    """`x is next to NAME`, `x is in NAME` and `NAME is next to x`, for an earlier argument x."""
    subject, near, arg, amount = test.subject, test.near, test.place, test.amount
    if near == "within" and amount is not None:
        return _within(subject, arg, amount, name)
    if near == "next" and _is_argument(subject, name):
        subject, arg = arg, subject
    if (
        not _is_argument(arg, name)
        or not isinstance(subject, ir.FrameName)
        or subject.frame != "F"
        or near not in {"in", "next"}
    ):
        return None
    if subject.name == name:
        return None
    slot = f"n_{py(subject.name)}"

    def places(world: World, frame: Frame) -> Iterable[Thing] | None:
        del world
        chain = _with_wholes(getattr(getattr(frame, slot, None), "place", None))
        return chain if near == "in" else [x for place in chain for other in place.near for x in _with_wholes(other)]

    return places


def _within(subject: E, arg: E, amount: E, name: str) -> Places | None:
    """`NAME is within 3 of x` and `x is within 3 of NAME`, where neither x nor the number depends on NAME."""
    other = arg if _is_argument(subject, name) else subject
    if not (_is_argument(subject, name) or _is_argument(arg, name)) or _speaks_of((other, amount), name):
        return None
    asked: list[Callable[[Frame], Value]] = []

    def places(world: World, frame: Frame) -> Iterable[Thing] | None:
        if not asked:
            asked.extend(_function(world, e) for e in (other, amount))
        try:
            start, steps = (function(frame) for function in asked)
            found = (
                world.ground.within_any(start, steps)
                if isinstance(start, list | tuple)
                else world.ground.within(start, steps)
            )
        except TROUBLE:  # the clause itself reports the error
            return None
        return [x for place in found for x in _with_wholes(place)]

    return places


_TURNED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "!=": "="}


def _in_range(test: ir.Compare, name: str, *, wanted: bool) -> Places | None:
    """`distance from x to NAME + more <= limit`, where neither x nor the addend nor the limit depends on NAME."""
    op, left, right = test.sign, test.left, test.right
    if not wanted:
        op = _TURNED.get(op, "")
    if op in {">", ">="}:
        left, right = right, left
    elif op not in {"<", "<=", "="}:
        return None
    terms = list(_summands(left))
    about = [term for term in terms if _speaks_of(term, name)]
    if len(about) != 1 or not isinstance(about[0], ir.Distance) or _speaks_of(right, name):
        return None
    ends = (about[0].one, about[0].other)
    if sum(_is_argument(end, name) for end in ends) != 1:
        return None
    other = next(end for end in ends if not _is_argument(end, name))
    if _speaks_of(other, name):
        return None
    asked: list[Callable[[Frame], Value]] = []
    wished = [other, right, *(term for term in terms if term is not about[0])]

    def places(world: World, frame: Frame) -> Iterable[Thing] | None:
        if not asked:
            asked.extend(_function(world, e) for e in wished)
        try:
            start, limit, *more = (function(frame) for function in asked)
            steps = int(limit - sum(more))
            return world.ground.within(start, steps) if start.place is not None else None
        except TROUBLE:  # the clause itself reports the error
            return None

    return places


def _summands(e: E) -> Iterator[E]:
    if isinstance(e, ir.Arithmetic) and e.sign == "+":
        yield from _summands(e.left)
        yield from _summands(e.right)
    else:
        yield e


def _speaks_of(part: object, name: str) -> bool:
    return any(_is_argument(x, name) for x in ir.find(part, ir.FrameName))


def _function(world: World, e: E) -> Callable[[Frame], Value]:
    """The value of an expression, from a frame."""
    space = {**world.program.constants, **world.functions, "W": world, "O": world.options}
    found: Callable[[Frame], Value] = worked_out(code_of(world.program.rules, e, "<narrowed>", "lambda F: "), space)
    return found


def _with_things(test: ir.ThingsNear, name: str) -> Places | None:
    """`there is enemy KIND in NAME`, for all sides except the acting one."""
    kind, whose, side = test.kind, test.whose, test.side
    if (
        not _is_argument(test.place, name)
        or test.near != "in"
        or (whose and (side is None or not isinstance(side, ir.Acting)))
    ):
        return None

    def places(world: World, frame: Frame) -> Iterable[Thing] | None:
        things = world.all_of(kind)
        if whose:
            things = [x for x in things if (x.side is frame.acting) == (whose == "own")]
        return [place for x in things for place in _with_wholes(x.place)]

    return places


def _with_wholes(place: Thing | None) -> list[Thing]:
    """A place and those that contain it; empty for None."""
    out = []
    while place is not None:
        out.append(place)
        place = place.holder
    return out
