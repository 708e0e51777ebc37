"""What a text reads that may be hidden from a side: fields, holders, and whether a thing is there at all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from dsl.ir import E, Routine, S, Type
from dsl.ruleset import Ruleset

_GATHERS = frozenset({"all", "things_near", "members"})
"""Operations that gather things of a kind wherever they are."""
_PLACES = frozenset({"place_of", "placed", "distance", "narrow", "on_link"})
"""Operations that ask where something is."""


@attrs.frozen(slots=True)
class HiddenRead:
    """A place in a text that reads what may be hidden: the kind, the field or `place`, and of what it is read.

    holder: the expression it is read of; None where things are gathered. whose: own or enemy, if they are gathered so.
    """

    kind: str
    field: str
    holder: E | None
    e: E
    whose: str = ""


def hidden_fields(ruleset: Ruleset, kind: str) -> frozenset[str]:
    """What of a kind is hidden from other sides than its own, by its declaration."""
    info = ruleset.kinds.get(kind)
    if info is None or info.node is None:
        return frozenset()
    out: set[str] = set()
    for line in info.node.visibility:
        if (line.hidden and line.audience in {"enemy", "everyone"}) or (
            not line.hidden and line.audience in {"owner", "umpire"}
        ):
            out.update(line.fields)
    return frozenset(out)


def conceals(ruleset: Ruleset) -> bool:
    """Whether things of some kind may be hidden wholly: their place is."""
    return any("place" in hidden_fields(ruleset, kind) for kind in ruleset.kinds)


def hides(ruleset: Ruleset) -> bool:
    """Whether anything at all may be hidden."""
    return any(hidden_fields(ruleset, kind) for kind in ruleset.kinds)


def hidden_reads(
    ruleset: Ruleset, routines: Mapping[str, Routine], part: Any, seen: set[str] | None = None
) -> Iterator[HiddenRead]:
    """Every place in expressions and statements that reads what may be hidden, in the values and paths that they ask too."""
    seen = seen if seen is not None else set()
    if isinstance(part, tuple | list):
        for x in part:
            yield from hidden_reads(ruleset, routines, x, seen)
    elif isinstance(part, dict):
        yield from hidden_reads(ruleset, routines, tuple(part.values()), seen)
    elif isinstance(part, S):
        yield from hidden_reads(ruleset, routines, (part.fields, part.body), seen)
        if part.op == "reaching":
            yield from _routine(ruleset, routines, part["path"], seen)
        if part.op == "do":
            yield from _routine(ruleset, routines, part["key"], seen)
    elif isinstance(part, E):
        yield from _here(ruleset, part)
        if part.op in {"call", "path_exists", "reach_cost"}:
            yield from _routine(ruleset, routines, part.args[0], seen)
        yield from hidden_reads(ruleset, routines, part.args, seen)


def _routine(ruleset: Ruleset, routines: Mapping[str, Routine], name: Any, seen: set[str]) -> Iterator[HiddenRead]:
    if isinstance(name, str) and name not in seen:
        seen.add(name)
        routine = routines.get(name)
        if routine is not None:
            yield from hidden_reads(ruleset, routines, routine.body, seen)


def _here(ruleset: Ruleset, e: E) -> Iterator[HiddenRead]:
    if (e.op == "field" and isinstance(e.args[0], E)) or e.op == "holder":
        kind = _kind(e.args[0].type)
        if e.args[1] in hidden_fields(ruleset, kind):
            yield HiddenRead(kind, e.args[1], e.args[0], e)
    elif e.op in _GATHERS:
        kind = e.args[1] if e.op == "members" else e.args[0]
        unseen = hidden_fields(ruleset, kind)
        info = ruleset.kinds.get(kind)
        if "place" in unseen or (e.op == "members" and info is not None and info.holder in unseen):
            whose = "" if e.op == "members" else e.args[1]
            yield HiddenRead(kind, "place", e.args[0] if e.op == "members" else None, e, whose)
    elif e.op in _PLACES:
        for arg in e.args:
            if isinstance(arg, E) and "place" in hidden_fields(ruleset, _kind(arg.type)):
                yield HiddenRead(_kind(arg.type), "place", arg, e)


def _kind(type_: Type) -> str:
    inner = type_.of if type_.name == "set" and type_.of is not None else type_
    return inner.word if inner.name == "thing" else ""


def rests_on_others(ruleset: Ruleset, clauses: tuple[S, ...]) -> Iterator[tuple[S, HiddenRead]]:
    """The clauses of an order that refuse for what may be hidden from who gives it, with what they read of it.

    What is read of the giver's own things is his to know: of the arguments that `given by` names, and of `own` things.
    """
    own = {
        named
        for clause in clauses
        if clause.op == "given_by" and clause["who"].op == "side_of" and (named := _named(clause["who"].args[0]))
    }
    for clause in clauses:
        if clause.op in {"refused", "legal_when"}:
            for read in hidden_reads(ruleset, {}, (clause["test"], clause["when"])):
                if not _is_own(read.holder, own) and read.whose != "own":
                    yield clause, read


def _named(e: E) -> str:
    """The argument that an expression speaks of, itself or one of several; empty if it speaks of none."""
    while e.op != "frame":
        inner = [a for a in e.args if isinstance(a, E)]
        if len(inner) != 1:
            return ""
        e = inner[0]
    return str(e.args[1])


def _is_own(holder: E | None, own: set[str]) -> bool:
    """Whether something belongs to who gives the order."""
    while holder is not None:
        if holder.op == "frame":
            return holder.args[1] in own
        if holder.op == "local":
            return True  # one of a set that is judged where it is gathered
        if holder.op in {"all", "things_near"}:
            return bool(holder.args[1] == "own")
        holder = next((a for a in holder.args if isinstance(a, E)), None)
    return False
