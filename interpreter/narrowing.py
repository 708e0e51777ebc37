"""Narrowing: which places an argument of an order can be at all, read off the clauses that ask where it lies.

A clause such as `refused when lead is not next to target` leaves six places of a map of thousands to be asked. What is
found here is never too small: every clause is still asked of what is left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from dsl.ir import E
from interpreter.emit_expressions import py

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
    out = []
    for clause in order.clauses:
        test = clause.fields.get("test")
        if (
            clause.needs != at + 1
            or clause.op not in {"refused", "legal_when"}
            or clause.fields.get("when") is not None
        ):
            continue
        found = _required(test, name, wanted=clause.op == "legal_when")
        if found is not None:
            out.append(found)
    return out


def _required(test: Any, name: str, *, wanted: bool) -> Places | None:
    """The places that are left when a condition must hold (or, not wanted, must not hold)."""
    if not isinstance(test, E):
        return None
    if test.op == "not":
        return _required(test.args[0], name, wanted=not wanted)
    if not wanted:
        return None
    if test.op == "placed":
        return _beside(test, name)
    if test.op == "there" and isinstance(test.args[0], E) and test.args[0].op == "things_near":
        return _with_things(test.args[0], name)
    return None


def _is_argument(e: Any, name: str) -> bool:
    return isinstance(e, E) and e.op == "frame" and e.args[:2] == ("F", name)


def _beside(test: E, name: str) -> Places | None:
    """`x is next to NAME` and `x is in NAME`, for an earlier argument x."""
    subject, near, arg, _ = test.args
    if not _is_argument(arg, name) or subject.op != "frame" or subject.args[0] != "F" or near not in {"in", "next"}:
        return None
    if subject.args[1] == name:
        return None
    slot = f"n_{py(subject.args[1])}"

    def places(world: World, frame: Any) -> Iterable[Any] | None:
        del world
        chain = _with_wholes(getattr(getattr(frame, slot, None), "place", None))
        return chain if near == "in" else [other for place in chain for other in place.near]

    return places


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
