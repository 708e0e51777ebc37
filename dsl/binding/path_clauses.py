"""Binding paths: movement within a budget, and traces in legs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from dsl import ir
from dsl.binding.context import Binder, binds
from dsl.binding.places_named import no_kind_of_place, usual_kind
from dsl.binding.scope import Scope, local
from dsl.binding.signatures import bind_params, param_scope
from dsl.ir import ERROR, MARK, E, Param, Routine, S, Type, thing
from dsl.rules.ruleset import PLACE
from dsl.rules.weave import Woven, module_of
from dsl.syntax import body_lines as ln
from dsl.syntax import declarations as d
from dsl.text.diagnostics import did_you_mean
from dsl.text.phrases import an

PATH_RULES = {"never": ir.Never, "costs": ir.Costs, "halting": ir.Halting}
"""The statements for lines about places of the path, by keyword."""


def _path_lines(
    b: Binder, declared: d.Bodied, params: tuple[Param, ...]
) -> Iterator[tuple[ln.Line, Scope, d.Rule | None]]:
    """A path's lines, each with its scope and its rule. Costs that rules add are tried before the path's own."""
    woven = b.woven.get(f"path {declared.name}", Woven())
    own, scope, base = declared.body, param_scope(b, declared.signature, params, ()), None
    if woven.replaces:
        base = woven.replaces[-1]
        own, scope = base.body, _rule_scope(b, base, params)
    added = [(line, _rule_scope(b, rule, params), rule) for rule in woven.adds for line in rule.body]
    for line, _, _ in added:
        if not isinstance(line, ln.PathRule):
            hint = "Write a line `never into …`, `entering …` or `halting in …`."
            b.problem("E225", "This line cannot be added to a path.", line.span, hint=hint)
    costs = [x for x in added if isinstance(x[0], ln.PathRule) and x[0].kind == "costs"]
    yield from costs
    yield from ((line, scope, base) for line in own)
    yield from (x for x in added if isinstance(x[0], ln.PathRule) and x not in costs)


def _rule_scope(b: Binder, rule: d.Rule, params: tuple[Param, ...]) -> Scope:
    assert rule.relation.target is not None
    return param_scope(b, rule.relation.target, params, (), module_of(rule))


@attrs.define(slots=True, eq=False)
class _Way:
    """A path while its lines are bound. place: the kind of place that it runs through; body: its lines so far.

    uses_mover: whether a line reads an argument otherwise than for its side.
    """

    b: Binder
    routine: Routine
    place: Type
    body: list[S] = attrs.field(factory=list)
    uses_mover: bool = False

    def rests_on(self, *values: ir.Node | None) -> None:
        """Records whether a line reads an argument otherwise than for its side."""
        self.uses_mover = self.uses_mover or any(_mentions(x, self.routine.params) for x in values)


@binds("path")
def bind_path(b: Binder, declared: d.Bodied) -> Routine:
    """A path with everything that rules add to it."""
    params = bind_params(b, declared.signature)
    replaced = b.woven.get(f"path {declared.name}", Woven()).replaces
    cites = replaced[-1].cites if replaced else declared.cites
    routine = Routine("path", declared.name, params, MARK, declared.span, None, cites=cites)
    way = _Way(b, routine, thing(_ground_of_path(b, declared, param_scope(b, declared.signature, params, ()))))
    routine.ground = way.place.word
    if not routine.ground:
        no_kind_of_place(b, declared.span)
        return routine
    for line, scope, rule in _path_lines(b, declared, params):
        _path_line(way, line, scope, rule)
    _check_path(way, declared)
    routine.body = tuple(way.body)
    routine.side_only = not way.uses_mover
    return routine


def _path_line(way: _Way, line: ln.Line, scope: Scope, rule: d.Rule | None) -> None:
    """Binds one line of a path. rule: the rule that added it."""
    b, place, inner = way.b, way.place, scope
    if isinstance(line, ln.PathRule):
        _over_other_ground(b, line, way.routine)
        entered = local(line.place, place)
        inner = scope.inner(names={**scope.names, line.place: entered}, way=(local("previous", place), entered))
    if isinstance(line, ln.Leg):
        inner = scope.inner(it=local("it", place))
    when = b.condition(line.when, inner) if line.when is not None else None
    head = ir.Head(line.span, when, line.because, line.label, line.cites)
    match line:
        case ln.Let():
            value = b.condition(line.value, scope) if line.whether else b.expr(line.value, scope)
            scope.names[line.name] = local(line.name, value.type)
            way.body.append(ir.Let(head, line.name, value))
            way.rests_on(value)
        case ln.PathFrom():
            way.body.append(ir.From(head, b.expr(line.start, scope)))
        case ln.PathBudget():
            way.body.append(ir.Budget(head, b.number(line.points, scope)))
        case ln.PathRule():
            cost = b.number(line.value, inner) if line.value is not None else None
            ruled: ir.Statement = PATH_RULES[line.kind](head, line.place, cost)
            if rule is not None:
                ruled = ruled.brought_by(rule.name, line.cites or rule.cites, module_of(rule))
            way.body.append(ruled)
            way.rests_on(when, cost)
        case ln.Leg():
            limit = b.number(line.limit, scope) if line.limit is not None else None
            until = b.condition(line.until, inner) if line.until is not None else None
            _check_leg(b, line)
            way.body.append(ir.Leg(head, line.name, limit, line.along, until))
            way.rests_on(until, limit)
        case ln.StartExempt():
            way.body.append(ir.Exempt(head))
        case _:
            b.problem("E225", "This line does not belong in a path.", line.span)


def _check_leg(b: Binder, line: ln.Leg) -> None:
    """Reports a leg along something that is not a link, and a leg that never ends."""
    links = b.ruleset.links()
    if line.along and line.along not in links:
        b.problem("E210", f"`{line.along}` is not a link of the map.", line.span, did_you_mean(line.along, links))
    if line.until is None:
        hint = "Say where it ends: `until it is …`."
        b.problem("E226", f"The leg {line.name} never ends.", line.span, hint, word=line.name)


def _check_path(way: _Way, declared: d.Bodied) -> None:
    """Reports a path that has no start, has neither legs nor a budget, or has legs and a halt after a step."""
    b, name, kinds = way.b, declared.name, {type(s) for s in way.body}
    for s in way.body:
        if ir.Leg in kinds and isinstance(s, ir.Halting) and _looks_back(s.when):
            hint = "Use a path with a budget instead: `at most … points`, `entering h (a hex) costs 1`."
            b.problem("E252", "This condition can check only the place, not the step into it.", s.span, hint)
    if ir.From not in kinds:
        b.problem("E226", f"The path {name} has no start.", declared.span, "Add: from place of …", word=name)
    if (ir.Leg in kinds) == (ir.Budget in kinds):
        message = f"The path {name} needs either legs or `at most … points`."
        b.problem("E226", message, declared.span, word=name)


def _over_other_ground(b: Binder, line: ln.PathRule, routine: Routine) -> None:
    """Reports a line about another kind of place than the places of the path."""
    kinds, word = b.ruleset.place_kinds(), line.of or line.place
    if word not in {PLACE, routine.ground}:
        hint = f"Write: {line.place} ({an(routine.ground)})"
        if word in kinds:
            b.problem(
                "E201",
                f"The path {routine.name} runs through places of kind {routine.ground}, not {word}.",
                line.span,
                hint,
                word=word,
            )
        else:
            b.problem(
                "E103",
                f"There is no kind of place `{word}`.",
                line.span,
                did_you_mean(word, kinds) or hint,
                word=word,
            )


def _ground_of_path(b: Binder, declared: d.Bodied, scope: Scope) -> str:
    """The kind of place that a path runs through: that of its start."""
    usual = usual_kind(b)
    kinds = b.ruleset.place_kinds()
    line = next((x for x in declared.body if isinstance(x, ln.PathFrom)), None)
    if len(kinds) < 2 or line is None:
        return usual
    held = len(b.problems)
    start = b.expr(line.start, attrs.evolve(scope, names=dict(scope.names)))
    if start is ERROR:
        del b.problems[held:]  # it is bound and reported later
        return usual
    if not b.ruleset.is_place(start.type):
        b.problem("E201", f"A path must start in a place, but this is {start.type}.", line.start.span)
        return usual
    if start.type.word == PLACE:
        hint = f"Say which, for example `from {kinds[0]} of …`."
        b.problem("E339", "A path can run only through places of one kind.", line.start.span, hint)
        return usual
    return start.type.word


def _looks_back(value: E | None) -> bool:
    """Whether an expression reads the previous place of a step: `previous`, or what it crosses."""
    return any(x.name == "previous" for x in ir.find(value, ir.Local))


def _mentions(value: ir.Node | None, params: Sequence[Param]) -> bool:
    """Whether an expression reads a parameter otherwise than for its side."""
    if value is None or (isinstance(value, ir.SideOf) and isinstance(value.thing, ir.Local)):
        return False
    if isinstance(value, ir.Local):
        return any(p.name == value.name for p in params)
    return any(_mentions(x, params) for x in ir.inner(value))
