"""Binding sets: things narrowed by place and condition, unions, and table lookups."""

from __future__ import annotations

import attrs

from dsl import ir
from dsl.binding.absent import set_of_one
from dsl.binding.after_is import is_one
from dsl.binding.context import Binder, expresses
from dsl.binding.fitting import alike, type_name
from dsl.binding.known import narrowed
from dsl.binding.places_named import on_two_maps, places_near
from dsl.binding.property_of import holders_of, is_held_by
from dsl.binding.said_words import empty_set
from dsl.binding.scope import Scope, local
from dsl.ir import ERROR, NOTHING, E, Type, set_of, thing
from dsl.rules.kind_groups import joined
from dsl.rules.ruleset import PLACE
from dsl.syntax import syntax_tree as t
from dsl.text.diagnostics import did_you_mean
from dsl.text.phrases import an, counted

NEAREST = "The brackets apply only to the name before them, which is one thing here. Write `(units of b) (where …)`."


OF_ONE_TOO = frozenset({"where", "that_are", "union", "except", "inside", "neighbours", "within", "between", "after", "before"})  # fmt: skip
"""Filters and joins that accept one thing as a set of one."""
NEAR = {"inside": "in", "neighbours": "next", "within": "within"}
"""The filters by place, by the kind of the node."""


@attrs.frozen(slots=True, eq=False)
class _Narrowing:
    """A set that is filtered or joined. one: whether the text has a single thing, which is a set of one here."""

    base: E
    node: t.Filter
    scope: Scope
    one: bool

    @property
    def of(self) -> Type:
        """The type of the members."""
        return self.base.type.of or NOTHING

    @property
    def arg(self) -> t.Node:
        """The filter, or the set to join with."""
        assert self.node.arg is not None
        return self.node.arg


@expresses(t.Filter)
def narrowed_set(b: Binder, node: t.Filter, scope: Scope, want: Type | None) -> E:
    """`S (where …)`, `S in h`, `S and T`, `S except T`, `table at (…)`."""
    if node.kind == "lookup":
        return _look_up(b, node, scope)
    base = b.expr(node.base, scope)
    if base is ERROR:
        return ERROR
    one = base.type.name == "thing"
    if one and node.kind in OF_ONE_TOO:
        base = set_of_one(b, base)
    if base.type.name != "set":
        return b.problem("E214", f"Only a list can be narrowed, but this is {base.type}.", node.base.span)
    n = _Narrowing(base, node, scope, one)
    match node.kind:
        case "where":
            return _where(b, n)
        case "that_are":
            return _that_are(b, n)
        case "union" | "except":
            return _joined_with(b, n)
    arg = b.expr(n.arg, scope)
    if arg is ERROR:
        return ERROR
    match node.kind:
        case "held":
            return _held(b, base, arg, node)
        case "after" | "before":
            return _beside(b, base, arg, node)
        case "between":
            return _between(b, base, arg, node, scope)
    amount = b.number(node.extra, scope) if node.extra is not None else None
    if arg.type.name == "thing" and arg.type.optional:
        arg = set_of_one(b, arg)
    return _near_by(b, base, NEAR[node.kind], arg, amount, node)


def _where(b: Binder, n: _Narrowing) -> E:
    """`S (where C)`."""
    variable = b.fresh()
    it = local(variable, n.of)
    known = len(b.problems)
    cond = b.condition(n.arg, n.scope.inner(it=it))
    if n.one and len(b.problems) > known:
        b.problems[known] = attrs.evolve(b.problems[known], hint=NEAREST)
    return ir.Filter(n.base, variable, cond, type=_type_narrowed(b, n.base.type, it, cond), span=n.node.span)


def _that_are(b: Binder, n: _Narrowing) -> E:
    """`S that are W or X`."""
    variable, span = b.fresh(), n.node.span
    names = tuple(t.Name(span, w) for w in n.node.words)
    it = local(variable, n.of)
    cond = is_one(b, it, names, n.scope, span, n.node.negated)
    return ir.Filter(n.base, variable, cond, type=_type_narrowed(b, n.base.type, it, cond), span=span)


def _joined_with(b: Binder, n: _Narrowing) -> E:
    """`S and T`, `S except T`."""
    first = n.base.type
    empty = empty_set(b, n.arg, first, n.scope)
    arg = empty if empty is not None else b.expr(n.arg, n.scope)
    if arg is ERROR:
        return ERROR
    if arg.type.name in {"thing", "enum"}:
        arg = set_of_one(b, arg)
    common = joined(b.ruleset, first, arg.type)
    apart = n.node.kind == "except" or common is None
    if apart and not alike(b.ruleset, arg.type, first):
        words = "except" if n.node.kind == "except" else "together with"
        hint = f"Combine what is alike. An `of` before it takes the whole: put brackets, `(… of …) {words} …`."
        return b.problem("E201", f"{str(first).capitalize()} cannot be combined with {arg.type}.", n.arg.span, hint)
    kept = first if first.of and first.of.name != "nothing" else arg.type
    if n.node.kind == "except":
        return ir.LeaveOut(n.base, arg, type=kept, span=n.node.span)
    return ir.Together(n.base, arg, type=common or kept, span=n.node.span)


def _type_narrowed(b: Binder, type_: Type, it: E, cond: E) -> Type:
    """The type of the members of a set for which a condition holds; the condition may determine their kind."""
    scope = narrowed(b, cond, Scope(it=it))
    return set_of(scope.it.type) if scope.it is not None and scope.it is not it else type_


def _beside(b: Binder, base: E, arg: E, node: t.Filter) -> E:
    """`(guns of s) after t`: the members that come after one member, in the order of the set."""
    assert node.arg is not None
    inner = base.type.of or NOTHING
    if arg.type.name == "set" or not alike(b.ruleset, arg.type, inner):
        message = f"`{node.kind}` needs one member of the list, {inner}, but this is {arg.type}."
        hint = f"Put the list in brackets: `(… of …) {node.kind} …`."
        return b.problem("E201", message, node.arg.span, hint)
    return ir.Beside(base, node.kind, arg, type=base.type, span=node.span)


def _held(b: Binder, base: E, arg: E, node: t.Filter) -> E:
    """`tanks held by c`. All things of a kind held by one holder are its members, so other things are not read."""
    inner, holder = base.type.of or NOTHING, arg.type
    one = (holder.of or NOTHING) if holder.name == "set" else holder
    if (
        inner.name == "thing"
        and one.name != "nothing"
        and (one.name != "thing" or not is_held_by(b, inner.word, one.word))
    ):
        assert node.arg is not None
        chain = " or ".join(an(kind) for kind in holders_of(b, inner.word))
        hint = f"Name {chain}, which can hold it." if chain else ""
        return b.problem("E201", f"{an(inner.word).capitalize()} cannot be held by {one}.", node.arg.span, hint)
    every = isinstance(base, ir.AllOf) and not base.whose
    if every and holder.name == "thing" and not holder.optional and is_held_by(b, inner.word, holder.word):
        return ir.Members(arg, inner.word, type=base.type, span=node.span)
    return ir.HeldBy(base, arg, type=base.type, span=node.span)


def _near_by(b: Binder, base: E, near: str, arg: E, amount: E | None, node: t.Filter) -> E:
    """A set filtered by place. Places are found on the map, things through the places they are in."""
    inner = base.type.of or NOTHING
    of = arg.type.of if arg.type.name == "set" else arg.type
    if of is None or of.name not in {"thing", "nothing"}:
        assert node.arg is not None
        return b.problem("E201", f"A place or a thing is needed here, but this is {arg.type}.", node.arg.span)
    if b.ruleset.is_place(inner) and isinstance(base, ir.AllOf):
        return places_near(b, base, near, arg, amount, node.span)
    if isinstance(base, ir.AllOf):
        kind, whose, side = base.kind, base.whose, base.side
        return ir.ThingsNear(kind, whose, side, near, arg, amount, type=base.type, span=node.span)
    return ir.Near(base, near, arg, amount, type=base.type, span=node.span)


def _between(b: Binder, base: E, arg: E, node: t.Filter, scope: Scope) -> E:
    """`hexes between a and b`: the places on the straight line, or the things on it."""
    assert node.extra is not None
    assert node.arg is not None
    other = b.expr(node.extra, scope)
    if other is ERROR:
        return ERROR
    for end, where in ((arg, node.arg), (other, node.extra)):
        if end.type.name != "thing" or end.type.word == "side":
            return b.problem("E201", f"A place or a thing is needed here, but this is {end.type}.", where.span)
        if end.type.optional and b.needs(end, end.type.sure(), where.span) is ERROR:
            return ERROR
    inner = base.type.of or NOTHING
    if on_two_maps(b, arg, other, node.span):
        return ERROR
    ground = b.ruleset.ground(arg.type.word)
    line = ir.StraightLine(arg, other, type=set_of(thing(ground)), span=node.span)
    if isinstance(base, ir.AllOf) and b.ruleset.is_place(inner):
        return line if inner.word in {ground, PLACE} else ir.OfKind(line, inner.word, type=base.type, span=node.span)
    if inner.name != "thing":
        return b.problem(
            "E201",
            f"Only things and places can be between two others, but these are of type {type_name(inner)}.",
            node.span,
        )
    return _near_by(b, base, "in", line, None, node)


def _look_up(b: Binder, node: t.Filter, scope: Scope) -> E:
    base = node.base
    if not isinstance(base, t.Name) or base.word not in b.tables:
        hint = did_you_mean(base.word, b.tables) if isinstance(base, t.Name) else ""
        return b.problem("E216", "The name before `at` must be a table.", base.span, hint)
    table = b.tables[base.word]
    b.used.add(f"table {table.name}")
    assert node.arg is not None
    nodes = node.arg.items if isinstance(node.arg, t.Tuple) else (node.arg,)
    if len(nodes) != len(table.keys):
        names = ", ".join(k.name for k in table.keys)
        return b.problem(
            "E217",
            f"The table {table.name} needs {counted(len(table.keys), 'key')} ({names}), not {len(nodes)}.",
            node.span,
        )
    keys = []
    for key, arg in zip(table.keys, nodes, strict=True):
        value = b.expr(arg, scope, key.type)
        if value is ERROR:
            return ERROR
        if not value.type.same(key.type):
            return b.problem(
                "E201", f"The key {key.name} of {table.name} must be {key.type}, but this is {value.type}.", arg.span
            )
        if value.type.optional:
            return b.needs(value, value.type.sure(), arg.span)
        keys.append(value)
    if table.hit == "all rows":
        return ir.LookUp(table.name, tuple(keys), type=set_of(Type("row", table.name)), span=node.span)
    row = ir.LookUp(table.name, tuple(keys), type=Type("row", table.name), span=node.span)
    if len(table.columns) == 1:
        b.used.add(f"column {table.name}.{table.columns[0].name}")
        return ir.Column(row, 0, type=table.columns[0].type, span=node.span)
    return row
