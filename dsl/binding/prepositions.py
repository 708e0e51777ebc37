"""Binding `X of A by B`: each phrase after a preposition goes to the value that takes it; `distance from a to b`, `odds of a to b`."""

from __future__ import annotations

from dsl import ir
from dsl.binding.absent import may_be_missing, those_there
from dsl.binding.call_values import call_value, takes_set
from dsl.binding.context import Binder, expresses
from dsl.binding.places_named import from_to
from dsl.binding.property_of import argument, asked_of_something
from dsl.binding.scope import Scope, local
from dsl.ir import ERROR, NOTHING, NUMBER, E, Type, set_of
from dsl.syntax import syntax_tree as t
from dsl.text.diagnostics import did_you_mean
from dsl.text.source import Span

MOST_NAMED = 8
"""How many paths a hint names."""

MEASURES = frozenset({"odds", "distance", "bearing", "direction"})
"""Measurements from one thing to another."""


def _sunk(b: Binder, head: t.Node, args: tuple[tuple[str, t.Node], ...], span: Span) -> t.Node | None:
    """`count force of s by t`: moves the further arguments to the inner value that takes them; None if there is none."""
    if isinstance(head, t.Of):
        declared = b.ruleset.bodied.get(head.word)
        if declared is not None:
            taken = {p.prep for p in declared.signature.params[1:]}
            return t.Called(span, head, args) if {p for p, _ in args} <= taken else None
    elif not isinstance(head, t.Aggregated):
        return None
    inner = _sunk(b, head.arg, args, span)
    if inner is None:
        return None
    if isinstance(head, t.Of):
        return t.Of(head.span, head.word, inner)
    return t.Aggregated(head.span, head.which, inner)


@expresses(t.Called)
def called(b: Binder, node: t.Called, scope: Scope, want: Type | None) -> E:
    """`F of x by s`, `distance from a to b`."""
    head = node.head
    outermost = isinstance(head, t.Of) and head.word in {*b.ruleset.bodied, *MEASURES}
    if isinstance(head, t.Of | t.Aggregated) and not outermost:
        sunk = _sunk(b, head, node.args, node.span)
        if sunk is not None:
            return b.expr(sunk, scope, want)
    if not isinstance(head, t.Of | t.Name):
        nested = isinstance(head, t.Aggregated | t.Filter) or not isinstance(head, t.Node)
        hint = "Put brackets round the value and its arguments: `highest (fire of u against h)`." if nested else ""
        return b.problem("E213", "This takes no further argument.", node.span, hint=hint)
    word, args = head.word, list(node.args)
    declared = word in b.ruleset.bodied
    if isinstance(head, t.Of):
        args.insert(0, ("from" if word in MEASURES and not declared else "of", head.arg))
    from_and_to = {p for p, _ in args} == {"from", "to"}
    if from_and_to and len(args) == 2 and not declared:
        found = from_to(b, word, dict(args), scope, node.span)
        if found is not None:
            return found
    if from_and_to and word in {"odds", "steps"}:
        return _measured(b, word, dict(args), scope, node.span)
    if not declared:
        return b.problem("E200", f"There is no value `{word}`.", node.span, _meant(b, head, args), word=word)
    return _called_with(b, word, args, scope, node.span)


def _meant(b: Binder, head: t.Of | t.Name, args: list[tuple[str, t.Node]]) -> str:
    """A hint for a word that is no value but has arguments: a name like it, brackets, or what can be asked `from … to …`."""
    between = [*(k for k, info in b.ruleset.kinds.items() if info.between), *b.ruleset.links()]
    known = [*b.ruleset.bodied, *between, "odds", "distance", "steps", "bearing", "direction"]
    from_and_to = {p for p, _ in args} >= {"from", "to"}
    fields = {f for info in b.ruleset.kinds.values() for f in info.fields}
    if from_and_to and isinstance(head, t.Of) and head.word in fields and isinstance(head.arg, t.Name):
        return f"`{head.word}` is a field. Put brackets round what it is read from: `{head.word} of ({head.arg.word} from … to …)`."
    hint = did_you_mean(head.word, known)
    if hint or not from_and_to:
        return hint
    asked = ", ".join(f"`{x} from … to …`" for x in [*between, "distance"][:MOST_NAMED])
    return f"From one place to another you can ask for {asked}."


def _called_with(b: Binder, word: str, args: list[tuple[str, t.Node]], scope: Scope, span: Span) -> E:
    """A value of the rules with its arguments. If the first is a set and the value takes one thing, it is applied to each member."""
    given = [(prep, argument(b, word, prep, arg, scope), arg.span) for prep, arg in args]
    if any(g[1] is ERROR for g in given):
        return ERROR
    several = bool(given) and given[0][0] == "of" and given[0][1].type.name == "set"
    if not several or takes_set(b, word):
        return call_value(b, word, given, scope, span)
    variable = b.fresh()
    inner = given[0][1].type.of or NOTHING
    body = call_value(b, word, [("of", local(variable, inner), given[0][2]), *given[1:]], scope, span)
    flat = body.type.name == "set"
    made = ir.MapOver(given[0][1], variable, body, flat, type=set_of(body.type.of if flat else body.type), span=span)
    return those_there(b, made) if may_be_missing(b, body) and not flat else made


def _measured(b: Binder, word: str, args: dict[str, t.Node], scope: Scope, span: Span) -> E:
    if word == "odds":
        return ir.Odds(b.number(args["from"], scope), b.number(args["to"], scope), type=NUMBER, span=span)
    first, second = b.expr(args["from"], scope), b.expr(args["to"], scope)
    for value, node in ((first, args["from"]), (second, args["to"])):
        if value is ERROR:
            return ERROR
        if value.type.name != "enum" or not b.ruleset.enums[value.type.word].ordered:
            return b.problem("E201", f"Steps can be counted only on a scale, but this is {value.type}.", node.span)
        if value.type.optional:
            return b.needs(value, value.type.sure(), node.span)
    return ir.Steps(first.type.word, first, second, span=span)


def which_path(b: Binder, said: str) -> str:
    """A hint for a word that is no path: the path that is spelt like it, or the paths there are."""
    paths = [name for name, x in b.ruleset.bodied.items() if x.word == "path"]
    listed = f"The paths are: {', '.join(paths[:MOST_NAMED])}." if paths else "Declare it: `path way of u (a tank):`."
    return did_you_mean(said, paths) or listed


@expresses(t.ReachCost)
def cost_of_reaching(b: Binder, node: t.ReachCost, scope: Scope, want: Type | None) -> E:
    """`cost of reaching h by way of u`."""
    declared = b.ruleset.bodied.get(node.path)
    if declared is None or declared.word != "path":
        return b.problem("E229", f"`{node.path}` is not a path.", node.span, which_path(b, node.path))
    way = asked_of_something(b, t.Of(node.span, node.path, node.mover), scope, None)
    goal = b.expr(node.goal, scope)
    if not isinstance(way, ir.PathExists) or goal is ERROR:
        return ERROR
    if goal.type.name != "thing":
        return b.problem("E201", f"Only a place or a thing can be reached, but this is {goal.type}.", node.goal.span)
    goal = b.needs(goal, goal.type.sure(), node.goal.span)
    return ir.PathCost(way.name, way.arguments, goal, type=NUMBER.maybe(), span=node.span)
