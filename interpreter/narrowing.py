"""Narrowing: which places an argument of an order can be at all, read off the clauses that ask where it lies.

A clause such as `refused when lead is not next to target` leaves six places of a map of thousands to be asked, and
`refused when distance from u to goal > range of u` those in range. What is found here is never too small: every clause is
still asked of what is left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from dsl.ir import E
from interpreter.emit import Emitter
from interpreter.emit_expressions import py
from interpreter.emitted_code import compiled_once, worked_out
from interpreter.runtime import TROUBLE

if TYPE_CHECKING:
    from interpreter.program import OrderProgram
    from interpreter.world import World

Places = Callable[["World", Any], Iterable[Any] | None]
"""The places that a clause leaves, from the world and the frame so far; None: it leaves all."""


def narrowings(order: OrderProgram, at: int) -> list[Places]:
    """What the clauses of an order say about where its argument number `at` can lie."""
    if any(c.op == "permits" for c in order.clauses):
        return []
    name = order.params[at][1]
    later = [c.fields["name"] for c in order.clauses if c.op == "let" and c.needs > at]  # named anew for every place
    out = []
    for clause in order.clauses:
        if (
            clause.needs != at + 1
            or clause.op not in {"refused", "legal_when"}
            or clause.fields.get("when") is not None
            or any(_speaks_of(clause.fields.get("test"), other) for other in later)
        ):
            continue
        out += _required(clause.fields.get("test"), name, wanted=clause.op == "legal_when")
    return out


def _required(test: Any, name: str, *, wanted: bool) -> list[Places]:
    """What says which places are left when a condition must hold (or, not wanted, must not hold)."""
    if not isinstance(test, E):
        return []
    if test.op == "not":
        return _required(test.args[0], name, wanted=not wanted)
    if test.op == ("and" if wanted else "or"):
        return [found for part in test.args for found in _required(part, name, wanted=wanted)]
    found = None
    if test.op == "compare":
        found = _in_range(test, name, wanted=wanted)
    elif test.op == "placed" and wanted:
        found = _beside(test, name)
    elif test.op == "there" and wanted and isinstance(test.args[0], E) and test.args[0].op == "things_near":
        found = _with_things(test.args[0], name)
    return [] if found is None else [found]


def _is_argument(e: Any, name: str) -> bool:
    return isinstance(e, E) and e.op == "frame" and e.args[:2] == ("F", name)


def _beside(test: E, name: str) -> Places | None:
    """`x is next to NAME`, `x is in NAME` and `NAME is next to x`, for an earlier argument x."""
    subject, near, arg, amount = test.args
    if near == "within":
        return _within(subject, arg, amount, name)
    if near == "next" and _is_argument(subject, name):
        subject, arg = arg, subject
    if not _is_argument(arg, name) or subject.op != "frame" or subject.args[0] != "F" or near not in {"in", "next"}:
        return None
    if subject.args[1] == name:
        return None
    slot = f"n_{py(subject.args[1])}"

    def places(world: World, frame: Any) -> Iterable[Any] | None:
        del world
        chain = _with_wholes(getattr(getattr(frame, slot, None), "place", None))
        return chain if near == "in" else [x for place in chain for other in place.near for x in _with_wholes(other)]

    return places


def _within(subject: E, arg: E, amount: E, name: str) -> Places | None:
    """`NAME is within 3 of x` and `x is within 3 of NAME`, where neither x nor the number speaks of NAME."""
    other = arg if _is_argument(subject, name) else subject
    if not (_is_argument(subject, name) or _is_argument(arg, name)) or _speaks_of((other, amount), name):
        return None
    asked: list[Callable[[Any], Any]] = []

    def places(world: World, frame: Any) -> Iterable[Any] | None:
        if not asked:
            asked.extend(_function(world, e) for e in (other, amount))
        try:
            start, steps = (function(frame) for function in asked)
            found = world.within_any(start, steps) if isinstance(start, list | tuple) else world.within(start, steps)
        except TROUBLE:  # the clause itself says what is wrong
            return None
        return [x for place in found for x in _with_wholes(place)]

    return places


_TURNED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "!=": "="}


def _in_range(test: E, name: str, *, wanted: bool) -> Places | None:
    """`distance from x to NAME + more <= limit`, where neither x nor what is added nor the limit speaks of NAME."""
    op, left, right = test.args
    if not wanted:
        op = _TURNED.get(op, "")
    if op in {">", ">="}:
        left, right = right, left
    elif op not in {"<", "<=", "="}:
        return None
    terms = list(_summands(left))
    about = [term for term in terms if _speaks_of(term, name)]
    if len(about) != 1 or about[0].op != "distance" or _speaks_of(right, name):
        return None
    ends = about[0].args
    if sum(_is_argument(end, name) for end in ends) != 1:
        return None
    other = next(end for end in ends if not _is_argument(end, name))
    if _speaks_of(other, name):
        return None
    asked: list[Callable[[Any], Any]] = []
    wished = [other, right, *(term for term in terms if term is not about[0])]

    def places(world: World, frame: Any) -> Iterable[Any] | None:
        if not asked:
            asked.extend(_function(world, e) for e in wished)
        try:
            start, limit, *more = (function(frame) for function in asked)
            steps = int(limit - sum(more))
            return world.within(start, steps) if start.place is not None else None
        except TROUBLE:  # the clause itself says what is wrong
            return None

    return places


def _summands(e: E) -> Iterator[E]:
    if e.op == "arithmetic" and e.args[0] == "+":
        yield from _summands(e.args[1])
        yield from _summands(e.args[2])
    else:
        yield e


def _speaks_of(part: Any, name: str) -> bool:
    if isinstance(part, tuple | list):
        return any(_speaks_of(x, name) for x in part)
    return isinstance(part, E) and (_is_argument(part, name) or _speaks_of(part.args, name))


def _function(world: World, e: E) -> Callable[[Any], Any]:
    """What an expression comes to, from a frame."""
    emitter = Emitter(world.program.binder)
    text = emitter.emit(e)
    space = {**world.program.constants, **world.functions, "W": world, "O": world.options}
    found: Callable[[Any], Any] = worked_out(
        compiled_once(f"lambda F: {text}", emitter.words.all, "<narrowed>", "eval"), space
    )
    return found


def _with_things(test: E, name: str) -> Places | None:
    """`there is enemy KIND in NAME`, with whichever sides the acting one leaves."""
    kind, whose, side, near, arg, _ = test.args
    if not _is_argument(arg, name) or near != "in" or (whose and (side is None or side.op != "acting")):
        return None

    def places(world: World, frame: Any) -> Iterable[Any] | None:
        things = world.all_of(kind)
        if whose:
            things = [x for x in things if (x.side is frame.acting) == (whose == "own")]
        return [place for x in things for place in _with_wholes(x.place)]

    return places


def _with_wholes(place: Any) -> list[Any]:
    """A place and those that it lies in; nothing for None."""
    out = []
    while place is not None:
        out.append(place)
        place = place.holder
    return out
