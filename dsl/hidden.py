"""What a text reads that may be hidden from a side: fields, holders, and whether a thing is there at all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import attrs

from dsl.ir import E, Routine, S, Type
from dsl.ruleset import Ruleset

_GATHERS = frozenset({"all", "things_near", "members"})
"""Operations that gather things of a kind wherever they are."""
CALLS = frozenset({"call", "path_exists", "path_cost"})
"""Operations that work out a value or a way, named by their first argument."""
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


def hidden_fields(ruleset: Ruleset, kind: str, *, ever: bool = False, anyone: bool = False) -> frozenset[str]:
    """What of a kind is hidden from other sides than its own, by its declaration.

    ever: also what is hidden only while the thing is off the map. anyone: also what is hidden from its own side.
    """
    info = ruleset.kinds.get(kind)
    if info is not None and info.members:
        return frozenset().union(*(hidden_fields(ruleset, k, ever=ever, anyone=anyone) for k in info.members))
    if info is None or info.node is None:
        return frozenset()
    out: set[str] = set()
    for line in info.node.visibility:
        from_whom = {"enemy", "everyone", "owner"} if anyone else {"enemy", "everyone"}
        kept = line.audience in (from_whom if line.hidden else {"owner", "umpire"})
        if kept and (ever or not line.off_map):
            out.update(line.fields)
    if info.part and info.holder:
        out |= hidden_fields(ruleset, info.holder, ever=ever, anyone=anyone) & WHOLLY
    return with_full(ruleset, kind, out)


WHOLLY = frozenset({"place", "name"})
"""What is hidden of a part where it is hidden of its whole: it stands where that stands, and is named after it."""


def with_full(ruleset: Ruleset, kind: str, hidden: Iterable[str]) -> frozenset[str]:
    """What is hidden of a kind, with what its hidden tracks were in the beginning."""
    found = frozenset(hidden)
    fields = ruleset.kinds[kind].fields.values()
    return found | {f.name for f in fields if f.full_of in found} if any(f.full_of for f in fields) else found


def lifting_marks(ruleset: Ruleset, kind: str) -> tuple[str, ...]:
    """The marks of a kind that open hidden fields of a thing to all sides: `hidden from enemy until seen: …`."""
    info = ruleset.kinds.get(kind)
    if info is not None and info.members:
        return tuple(dict.fromkeys(m for k in info.members for m in lifting_marks(ruleset, k)))
    lines = info.node.visibility if info is not None and info.node is not None else ()
    return tuple(dict.fromkeys(v.lifted for v in lines if v.lifted))


def opens(ruleset: Ruleset, kind: str, field: str) -> bool:
    """Whether what of a kind is hidden in a field is opened by marks: then the rules say when it is known."""
    info = ruleset.kinds.get(kind)
    if info is not None and info.members:
        hidden_in = [k for k in info.members if field in hidden_fields(ruleset, k, ever=True, anyone=True)]
        return bool(hidden_in) and all(opens(ruleset, k, field) for k in hidden_in)
    lines = info.node.visibility if info is not None and info.node is not None else ()
    hiding = [v for v in lines if v.hidden and field in v.fields]
    if not hiding and field in WHOLLY and info is not None and info.part and info.holder:
        return opens(ruleset, info.holder, field)
    return bool(hiding) and all(v.lifted for v in hiding)


def conceals(ruleset: Ruleset) -> bool:
    """Whether things of some kind may be hidden wholly: their place is."""
    return any("place" in hidden_fields(ruleset, kind) for kind in ruleset.kinds)


def hides(ruleset: Ruleset) -> bool:
    """Whether anything at all may be hidden."""
    return any(hidden_fields(ruleset, kind, ever=True) for kind in ruleset.kinds)


def hidden_reads(
    ruleset: Ruleset, routines: Mapping[str, Routine], part: Any, seen: set[str] | None = None, *, anyone: bool = False
) -> Iterator[HiddenRead]:
    """Every place in expressions and statements that reads what may be hidden, in the values and paths that they ask too.

    anyone: also what is hidden from its own side.
    """
    seen = seen if seen is not None else set()
    inner: Any = ()
    if isinstance(part, tuple | list):
        inner = part
    elif isinstance(part, dict):
        inner = tuple(part.values())
    elif isinstance(part, S):
        called = [part[word] for op, word in (("reaching", "path"), ("do", "key")) if part.op == op]
        inner = (*part.fields.values(), *part.body, *(_called(routines, name, seen) for name in called))
    elif isinstance(part, E):
        yield from _here(ruleset, part, anyone=anyone)
        called = [part.args[0]] if part.op in CALLS else []
        inner = (*(_called(routines, name, seen) for name in called), *part.args)
    for x in inner:
        yield from hidden_reads(ruleset, routines, x, seen, anyone=anyone)


def _called(routines: Mapping[str, Routine], name: Any, seen: set[str]) -> tuple[S, ...]:
    """The lines of what is asked or done by this name, the first time."""
    routine = routines.get(name) if isinstance(name, str) and name not in seen else None
    if routine is None:
        return ()
    seen.add(name)
    return (*routine.body, *routine.clauses)


def _here(ruleset: Ruleset, e: E, *, ever: bool = False, anyone: bool = False) -> Iterator[HiddenRead]:
    def hidden(kind: str) -> frozenset[str]:
        return hidden_fields(ruleset, kind, ever=ever, anyone=anyone)

    if (e.op == "field" and isinstance(e.args[0], E)) or e.op == "holder":
        kind = _kind(e.args[0].type)
        if e.args[1] in hidden(kind):
            yield HiddenRead(kind, e.args[1], e.args[0], e)
    elif e.op in _GATHERS:
        kind = e.args[1] if e.op == "members" else e.args[0]
        unseen = hidden(kind)
        holders = {info.holder for k in ruleset.sorts(kind) if (info := ruleset.kinds.get(k)) is not None}
        if "place" in unseen or (e.op == "members" and holders & unseen):
            whose = "" if e.op == "members" else e.args[1]
            yield HiddenRead(kind, "place", e.args[0] if e.op == "members" else None, e, whose)
    elif e.op in _PLACES:
        for arg in e.args:
            if isinstance(arg, E) and "place" in hidden(_kind(arg.type)):
                yield HiddenRead(_kind(arg.type), "place", arg, e)


def _kind(type_: Type) -> str:
    inner = type_.of if type_.name == "set" and type_.of is not None else type_
    return inner.word if inner.name == "thing" else ""


def rests_on_others(
    ruleset: Ruleset, routines: Mapping[str, Routine], clauses: tuple[S, ...], *, lawful: bool = False
) -> Iterator[tuple[S, HiddenRead]]:
    """The clauses of an order that judge by what may be hidden from who gives it, with what they read of it.

    Values and paths that a clause asks are followed, with what they are asked of. What is read of the giver's own things is
    his to know: of the arguments that `given by` names, of `own` things, and of what these hold or name.
    lawful: what an earlier clause refuses for being another side's is not asked about.
    """
    whose = {
        named: OWN
        for clause in clauses
        if clause.op == "given_by" and clause["who"].op == "side_of" and (named := _named(clause["who"].args[0]))
    }
    for clause in clauses:
        follower = _Follower(ruleset, routines)
        if clause.op == "let":
            whose[clause["name"]] = follower.belongs(clause["value"], whose)
        elif clause.op in {"refused", "legal_when"}:
            for read in follower.reads((clause["test"], clause["when"]), whose):
                yield clause, read
            if lawful and clause.op == "refused":
                whose |= dict.fromkeys(_of_one_side(clause["test"], whose), OWN)
        elif clause.op == "reaching":
            for read in follower.called(clause["path"], (clause["mover"],), whose):
                yield clause, read


def _named(e: E) -> str:
    """The argument that an expression speaks of, itself or one of several; empty if it speaks of none."""
    while e.op != "frame":
        inner = [a for a in e.args if isinstance(a, E)]
        if len(inner) != 1:
            return ""
        e = inner[0]
    return str(e.args[1])


def _of_one_side(test: E, whose: Mapping[str, str]) -> list[str]:
    """The arguments that must be of the giver's side where a test does not hold: `side of b is not side of u`.

    Also of several: `any (side of them) is not side of u`.
    """
    each: dict[str, E] = {}
    if test.op == "quantified" and test.args[0] == "any" and test.args[1].op == "map":
        things, variable, side = test.args[1].args[:3]
        if side.op == "side_of" and side.args[0].op == "local" and side.args[0].args[0] == variable:
            each[test.args[2]] = things
        test = test.args[3]
    sides = test.args[0].args if test.op == "not" and test.args[0].op == "equal" else ()
    of = [
        each.get(x.args[0]) if x.op == "local" else x.args[0] if x.op == "side_of" else None
        for x in sides
        if isinstance(x, E)
    ]
    names = [x.args[1] if x is not None and x.op == "frame" else "" for x in of]
    return [n for n in names if n] if all(names) and any(whose.get(name) == OWN for name in names) else []


OWN, ENEMY = "own", "enemy"
_AGAINST = {OWN: ENEMY, ENEMY: OWN}
_BINDERS = {"filter": 1, "map": 1, "extremes": 1, "quantified": 2}
"""Operations that go through the things of a set, with the place of the variable among their arguments."""


class _Follower:
    """Follows what is read of whom through the values that a text asks. whose: to whom belongs what a name means."""

    def __init__(self, ruleset: Ruleset, routines: Mapping[str, Routine]) -> None:
        self.ruleset, self.routines = ruleset, routines
        self.seen: set[tuple[str, tuple[str, ...]]] = set()

    def belongs(self, e: Any, whose: Mapping[str, str]) -> str:
        """To whom, seen from who gives the order, something belongs: OWN, ENEMY, or "" where it cannot be told."""
        if not isinstance(e, E):
            return ""
        if e.op in {"frame", "local"}:
            return whose.get(e.args[1] if e.op == "frame" else e.args[0], "")
        if e.op in {"acting", "active"}:
            return OWN
        if e.op == "foe":
            return _AGAINST.get(self.belongs(e.args[0], whose), "")
        if e.op in {"all", "things_near"}:
            side = self.belongs(e.args[2], whose)
            return side if e.args[1] == "own" else _AGAINST.get(side, "") if e.args[1] == "enemy" else ""
        if e.op in {"list", "union"}:
            found = {self.belongs(x, whose) for x in e.args}
            return found.pop() if len(found) == 1 else ""
        if e.op in {"aggregate", "held"}:  # what somebody holds is his
            return self.belongs(e.args[1], whose)
        if e.op == "map":
            return self.belongs(e.args[2], {**whose, e.args[1]: self.belongs(e.args[0], whose)})
        if e.op == "call":
            given = [x for x in e.args[2] if x.type.name in {"thing", "set"}]
            return self.belongs(given[0], whose) if given else ""
        return self.belongs(e.args[0], whose) if e.args else ""

    def reads(self, part: Any, whose: Mapping[str, str]) -> Iterator[HiddenRead]:
        """What a part of a text reads that may be hidden from who gives the order."""
        if isinstance(part, tuple | list):
            for x in part:
                yield from self.reads(x, whose)
        elif isinstance(part, S):
            yield from self.reads((*part.fields.values(), part.body), whose)
        elif isinstance(part, E):
            for read in _here(self.ruleset, part, ever=True):
                of = self.belongs(part if read.holder is None else read.holder, whose)
                if of != OWN:
                    yield read
            if part.op in CALLS:
                yield from self.called(part.args[0], part.args[2] if part.op == "call" else part.args[1], whose)
            inner = whose
            if part.op in _BINDERS:
                at = _BINDERS[part.op]
                inner = {**whose, part.args[at]: self.belongs(part.args[at - 1], whose)}
            for x in part.args:
                yield from self.reads(x, inner)

    def called(self, name: str, args: tuple[Any, ...], whose: Mapping[str, str]) -> Iterator[HiddenRead]:
        """What a value or path reads that is asked of these arguments."""
        routine = self.routines.get(name)
        given = tuple(self.belongs(x, whose) for x in args)
        if routine is None or (name, given) in self.seen:
            return
        self.seen.add((name, given))
        inner = {p.name: of for p, of in zip(routine.params, given, strict=False)}
        for line in routine.body:
            yield from self.reads(line, inner)
            if line.op == "let":
                inner[line["name"]] = self.belongs(line["value"], inner)
