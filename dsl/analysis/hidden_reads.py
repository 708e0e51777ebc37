"""What an expression reads that may be hidden from a side: fields, holders, and whether a thing exists at all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

import attrs

from dsl import ir
from dsl.analysis.filled_fields import fields_printed
from dsl.ir import E, Routine, S, Type
from dsl.rules.ruleset import Ruleset


@attrs.frozen(slots=True)
class HiddenRead:
    """A place in a text that reads data which may be hidden: the kind, the field or `place`, and the thing that it is read from.

    holder: the expression for that thing; None if things are gathered. whose: own or enemy, if only those are gathered.
    """

    kind: str
    field: str
    holder: E | None
    e: E
    whose: str = ""


def hidden_fields(ruleset: Ruleset, kind: str, *, ever: bool = False, anyone: bool = False) -> frozenset[str]:
    """The fields of a kind that are hidden from other sides, by its declaration.

    ever: include what is hidden only while the thing is off the map. anyone: include what is hidden from its own side.
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


Unheard = Callable[[tuple[str, ...]], bool]
"""Whether one of some orders and procedures may happen without others learning of it."""
PAST = "past"
"""The field name for reading what something has done."""
WHOLLY = frozenset({"place", "name"})
"""What is hidden of a part if it is hidden of its whole: a part is where its whole is, and is named after it."""


def with_full(ruleset: Ruleset, kind: str, hidden: Iterable[str]) -> frozenset[str]:
    """The hidden fields of a kind, with what would tell them: the initial values of hidden tracks, and the title in a unit list.

    A list that prints a hidden field has one entry for each value of it, and the title names the entry.
    """
    found = frozenset(hidden)
    fields = ruleset.kinds[kind].fields
    if any(f.full_of for f in fields.values()):
        found |= {f.name for f in fields.values() if f.full_of in found}
    if found and "title" in fields and "title" not in found:
        printed = fields_printed(ruleset, kind)
        found |= {"title"} if "title" in printed and found & printed else frozenset()
    return found


def lifting_marks(ruleset: Ruleset, kind: str) -> tuple[str, ...]:
    """The marks of a kind that reveal hidden fields of a thing to all sides: `hidden from enemy until seen: …`."""
    info = ruleset.kinds.get(kind)
    if info is not None and info.members:
        return tuple(dict.fromkeys(m for k in info.members for m in lifting_marks(ruleset, k)))
    lines = info.node.visibility if info is not None and info.node is not None else ()
    return tuple(dict.fromkeys(v.lifted for v in lines if v.lifted))


def opens(ruleset: Ruleset, kind: str, field: str) -> bool:
    """Whether marks can reveal a hidden field of a kind: then the rules determine when it is known."""
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
    """Whether things of some kind may be hidden completely, including their place."""
    return any("place" in hidden_fields(ruleset, kind) for kind in ruleset.kinds)


def hides(ruleset: Ruleset) -> bool:
    """Whether anything at all may be hidden."""
    return any(hidden_fields(ruleset, kind, ever=True) for kind in ruleset.kinds)


def hidden_reads(
    ruleset: Ruleset, routines: Mapping[str, Routine], part: object, *, anyone: bool = False
) -> Iterator[HiddenRead]:
    """Every place in expressions and statements that reads data which may be hidden, including the values and paths that they call.

    anyone: include what is hidden from its own side.
    """
    for node in ir.reached(routines, part):
        if isinstance(node, E):
            yield from _here(ruleset, node, anyone=anyone)


def _here(ruleset: Ruleset, e: E, *, ever: bool = False, anyone: bool = False) -> Iterator[HiddenRead]:
    def hidden(kind: str) -> frozenset[str]:
        return hidden_fields(ruleset, kind, ever=ever, anyone=anyone)

    match e:
        case ir.Field(holder=of, name=name) | ir.HolderOf(held=of, kind=name):
            if name in hidden(_kind(of.type)):
                yield HiddenRead(_kind(of.type), name, of, e)
            elif isinstance(e, ir.Field) and "place" in hidden(
                _kind(e.type)
            ):  # it names a thing that may be hidden completely
                yield HiddenRead(_kind(e.type), "place", of, e)
        case ir.EntryOf(holder=of) | ir.TemplateIs(thing=of):
            if told := hidden(_kind(of.type)) & fields_printed(ruleset, _kind(of.type)):
                yield HiddenRead(_kind(of.type), min(told), of, e)
        case ir.AllOf(kind=kind, whose=whose) | ir.ThingsNear(kind=kind, whose=whose):
            if "place" in hidden(kind):
                yield HiddenRead(kind, "place", None, e, whose)
        case ir.Members(holder=of, kind=kind) | ir.HeldBy(base=E(type=Type(of=Type(word=kind))), holder=of):
            holders = {info.holder for k in ruleset.sorts(kind) if (info := ruleset.kinds.get(k)) is not None}
            if ({"place"} | holders) & hidden(kind):
                yield HiddenRead(kind, "place", of, e)
    for arg in ir.inner(e) if e.asks_where else ():
        if isinstance(arg, E) and "place" in hidden(_kind(arg.type)):
            yield HiddenRead(_kind(arg.type), "place", arg, e)


def _kind(type_: Type) -> str:
    inner = type_.of if type_.name == "set" and type_.of is not None else type_
    return inner.word if inner.name == "thing" else ""


def rests_on_others(
    ruleset: Ruleset,
    routines: Mapping[str, Routine],
    clauses: tuple[S, ...],
    *,
    lawful: bool = False,
    unheard: Unheard = lambda _: False,
) -> Iterator[tuple[S, HiddenRead]]:
    """The clauses of an order whose result depends on data that may be hidden from its giver, with the data that they read.

    The values and paths that a clause calls are followed with their arguments. A giver knows everything about their own
    things: the arguments that `given by` names, `own` things, and the things that these hold or name.
    lawful: things that an earlier clause refuses, or an earlier part of a condition leaves out, because another side owns them are
    ignored. unheard: tells whether others may have done something in secret, as `order march`.
    """
    whose = {
        named: OWN
        for clause in clauses
        if isinstance(clause, ir.GivenBy) and isinstance(clause.who, ir.SideOf) and (named := _named(clause.who.thing))
    }
    for clause in clauses:
        follower = _Follower(ruleset, routines, unheard, lawful=lawful)
        if isinstance(clause, ir.Let):
            whose[clause.name] = follower.belongs(clause.value, whose)
        elif isinstance(clause, ir.Refused | ir.LegalWhen):
            for read in follower.reads((clause.test, clause.when), whose):
                yield clause, read
            if lawful and isinstance(clause, ir.Refused):
                whose |= dict.fromkeys(_of_one_side(clause.test, whose), OWN)
        elif isinstance(clause, ir.Reaching):
            for read in follower.called(clause.path, (clause.mover,), whose):
                yield clause, read


def _named(e: E) -> str:
    """The argument that an expression is about, itself or one of several; empty if there is none."""
    while not isinstance(e, ir.FrameName):
        inner = [a for a in ir.inner(e) if isinstance(a, E)]
        if len(inner) != 1:
            return ""
        e = inner[0]
    return e.name


def _of_one_side(test: E, whose: Mapping[str, str]) -> list[str]:
    """The arguments that must be on the giver's side if a test does not hold: `side of b is not side of u`.

    Also for several: `any (side of them) is not side of u`.
    """
    each: dict[str, E] = {}
    match test:
        case ir.Quantified(
            quantifier="any",
            base=ir.MapOver(base=things, variable=variable, body=ir.SideOf(thing=ir.Local(name=one))),
            variable=name,
            condition=condition,
        ):
            if one == variable:
                each[name] = things
            test = condition
    match test:
        case ir.Not(item=ir.Equal(left=left, right=right)):
            names = [_owner_named(x, each) for x in (left, right)]
            return names if all(names) and any(whose.get(name) == OWN for name in names) else []
    return []


def _owner_named(side: E, each: Mapping[str, E]) -> str:
    """The argument whose side an expression names; each: what local names of sides stand for."""
    of = each.get(side.name) if isinstance(side, ir.Local) else side.thing if isinstance(side, ir.SideOf) else None
    return of.name if isinstance(of, ir.FrameName) else ""


def _sides_asked(condition: E, variable: str) -> Iterator[E]:
    """The sides that a condition requires for a member of a set: `side of it is s`, alone or beside other conditions."""
    for one in condition.items if isinstance(condition, ir.And) else (condition,):
        match one:
            case ir.Equal(left=ir.SideOf(thing=ir.Local(name=name)), right=side) if name == variable:
                yield side
            case ir.Equal(left=side, right=ir.SideOf(thing=ir.Local(name=name))) if name == variable:
                yield side


OWN, ENEMY = "own", "enemy"
_AGAINST = {OWN: ENEMY, ENEMY: OWN}


def _from(giver: str, whose: str) -> str:
    """Whose the own or enemy things of a side are, seen from the giver of the order. The side is the giver's or against the giver."""
    return giver if whose == OWN else _AGAINST.get(giver, "") if whose == ENEMY else ""


class _Follower:
    """Follows through the values that a text calls what is read from whose things. whose: the owner of the thing that a name means."""

    def __init__(
        self, ruleset: Ruleset, routines: Mapping[str, Routine], unheard: Unheard, *, lawful: bool = False
    ) -> None:
        self.ruleset, self.routines, self.unheard, self.lawful = ruleset, routines, unheard, lawful
        self.seen: set[tuple[str, tuple[str, ...]]] = set()
        self.gathering: set[str] = set()

    def belongs(self, e: object, whose: Mapping[str, str]) -> str:
        """The owner of something, seen from the giver of the order: OWN, ENEMY, or an empty string if it is unknown."""
        if not isinstance(e, E):
            return ""
        match e:
            case ir.FrameName(name=name) | ir.Local(name=name):
                return whose.get(name, "")
            case ir.Acting() | ir.Active():
                return OWN
            case ir.Foe(side=side):
                return _AGAINST.get(self.belongs(side, whose), "")
            case ir.AllOf(whose=of, side=side) | ir.ThingsNear(whose=of, side=side):
                return _from(self.belongs(side, whose), of)
            case ir.Listed() | ir.Together():
                found = {self.belongs(x, whose) for x in ir.inner(e)}
                return found.pop() if len(found) == 1 else ""
            case ir.Aggregate(base=of) | ir.HeldBy(holder=of):  # the owner of a thing owns what it holds
                return self.belongs(of, whose)
            case ir.MapOver(base=base, variable=variable, body=body):
                return self.belongs(body, {**whose, variable: self.belongs(base, whose)})
            case ir.Filter(base=base, variable=variable, condition=condition):
                return self._first((*_sides_asked(condition, variable), base), whose)
            case ir.Call(name=name, arguments=arguments):
                given = [x for x in arguments if x.type.name in {"thing", "set"}][:1]
                return self._first(given, whose) or self._gathered(name, arguments, whose)
        fields = ir.fields_of(type(e))
        return self.belongs(getattr(e, fields[0]), whose) if fields else ""

    def _first(self, parts: Iterable[E], whose: Mapping[str, str]) -> str:
        """The owner of the first thing whose owner is known."""
        return next(filter(None, (self.belongs(one, whose) for one in parts)), "")

    def _gathered(self, name: str, arguments: tuple[E, ...], whose: Mapping[str, str]) -> str:
        """The owner of the things that a value gathers, if each of its lines gathers those of one side."""
        routine = self.routines.get(name)
        if routine is None or routine.type.name != "set" or name in self.gathering:
            return ""
        self.gathering.add(name)
        inner = {p.name: self.belongs(x, whose) for p, x in zip(routine.params, arguments, strict=False)}
        found = {self.belongs(getattr(line, "value", None), inner) for line in routine.body}
        self.gathering.discard(name)
        return found.pop() if len(found) == 1 else ""

    def reads(self, part: object, whose: Mapping[str, str]) -> Iterator[HiddenRead]:
        """The reads in a part of a text of data that may be hidden from the giver of the order."""
        if isinstance(part, tuple | list):
            for x in part:
                yield from self.reads(x, whose)
        if not isinstance(part, E | S):
            return
        inner = whose
        if isinstance(part, E):
            for read in _here(self.ruleset, part, ever=True):
                of = self.belongs(part if read.holder is None else read.holder, whose)
                if of != OWN:
                    yield read
            if isinstance(part, ir.HasDone) and self.belongs(part.subject, whose) != OWN and self.unheard(part.orders):
                yield HiddenRead(_kind(part.subject.type), PAST, part.subject, part)
            if isinstance(part, ir.Called):
                yield from self.called(part.name, part.arguments, whose)
            if isinstance(part, ir.OverSet):
                inner = {**whose, part.variable: self.belongs(part.base, whose)}
        if self.lawful and isinstance(part, ir.Filter) and isinstance(part.condition, ir.And):
            yield from self.reads(part.base, whose)
            for condition in part.condition.items:  # those after `side of it is s` are of things of that side
                yield from self.reads(condition, inner)
                asked = self._first(_sides_asked(condition, part.variable), whose)
                inner = {**inner, part.variable: asked} if asked else inner
            return
        for x in ir.inner(part):
            yield from self.reads(x, inner)

    def called(self, name: str, args: tuple[object, ...], whose: Mapping[str, str]) -> Iterator[HiddenRead]:
        """The reads of a value or path that is called with these arguments."""
        routine = self.routines.get(name)
        given = tuple(self.belongs(x, whose) for x in args)
        if routine is None or (name, given) in self.seen:
            return
        self.seen.add((name, given))
        inner = {p.name: of for p, of in zip(routine.params, given, strict=False)}
        for line in routine.body:
            yield from self.reads(line, inner)
            if isinstance(line, ir.Let):
                inner[line.name] = self.belongs(line.value, inner)
