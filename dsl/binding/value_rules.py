"""Binding values and statuses: the base declaration, exceptions, additions and adjustments, in the order in which they apply."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from dsl import ir
from dsl.binding.absence import is_none
from dsl.binding.absent import set_of_one
from dsl.binding.context import Binder, binds
from dsl.binding.fitting import looked_for, suits, type_name
from dsl.binding.known import narrowed
from dsl.binding.said_words import empty_set
from dsl.binding.scope import Scope, local
from dsl.binding.signatures import bind_params, frames_of, misplaced, param_scope
from dsl.ir import ERROR, MARK, NOTHING, NUMBER, E, Param, Routine, S, Type
from dsl.rules.kind_groups import joined
from dsl.rules.weave import Woven, module_of
from dsl.syntax import body_lines as ln
from dsl.syntax import declarations as d
from dsl.syntax import syntax_tree as t


@binds("value", "status")
def bind_value(b: Binder, declared: d.Bodied) -> Routine:
    """A value or status with everything that rules add to it."""
    frames = frames_of(b, declared)
    params = bind_params(b, declared.signature)
    woven = b.woven.get(f"{declared.word} {declared.name}", Woven())
    text: d.Bodied | d.Rule = woven.replaces[-1] if woven.replaces else declared
    routine = Routine(declared.word, declared.name, params, NOTHING, declared.span, declared.bound, cites=text.cites)
    scope = param_scope(b, declared.signature, params, frames)
    wrong = len(b.problems) + b.poisoned
    # The base declaration comes first: it determines the type of the value.
    source, base_scope = _base_body(b, declared, woven, params, frames, scope)
    base, place = _value_lines(b, source, base_scope, routine)
    added = [line for rule in woven.adds for line in _rule_lines(b, rule, params, frames, routine, adding=True)]
    excepts: list[S] = []
    for rule in woven.excepts:
        lines = tuple(_rule_lines(b, rule, params, frames, routine))
        head = ir.Head(rule.span, cites=rule.cites, module=module_of(rule), rule=rule.name)
        excepts.append(ir.Except(head, lines))
    if declared.word == "status":
        # One true line is enough, so added lines go first: an exception overrides only the printed lines.
        body = [*added, *excepts, *base] if excepts else [*base[:place], *added, *base[place:]]
    else:
        body = [*excepts, *base[:place], *added, *base[place:]]
    for line in body:
        if isinstance(line, ir.Add) and line.value is not ERROR:
            _addable(b, line, routine)
    if routine.type.name == "set":
        body = [_as_set(b, line, routine) for line in body]
    routine.body = tuple(body)
    if declared.word == "status":
        routine.type = MARK
    elif routine.type.name == "nothing" and len(b.problems) + b.poisoned > wrong:
        b.failed.add(declared.name)
    elif routine.type.name == "nothing":
        b.problem(
            "E223",
            f"`{declared.name}` never gets a value.",
            declared.span,
            hint="Start it with a line such as `start with 0`.",
        )
    elif not _always_starts(routine.body):
        routine.type = routine.type.maybe() if routine.type.name != "set" else routine.type
    return routine


def _as_set(b: Binder, line: S, routine: Routine) -> S:
    """In a value that is a set, `none` is the empty set and one thing a set of one also in lines before its type is known."""
    if isinstance(line, ir.Except):
        return attrs.evolve(line, body=tuple(_as_set(b, x, routine) for x in line.body))
    if not isinstance(line, ir.Start | ir.Case | ir.Adjust) or line.value is None or line.value is ERROR:
        return line
    if is_none(line.value):
        return attrs.evolve(line, value=b.needs(line.value, routine.type, line.span))
    return line if line.value.type.name == "set" else attrs.evolve(line, value=set_of_one(b, line.value))


def _addable(b: Binder, line: ir.Add, routine: Routine) -> None:
    """Reports an addition of the wrong type: only numbers can be added to a number, and only things to a set of them."""
    value = line.value
    type_ = routine.type
    several = type_.name == "set" and type_.of is not None and value.type.name == "set"
    if type_.name != "nothing" and not (suits(b.ruleset, value.type, type_) and (type_.name == "number" or several)):
        hint = "Add only numbers, and only to a number. To change another value, use a rule that replaces it or `excepts` it."
        b.problem(
            "E201", f"This line adds {value.type}, but `{routine.name}` is of type {type_name(type_)}.", line.span, hint
        )
    elif type_.name == "number" and value.type.optional:
        b.needs(value, NUMBER, line.span)


def _base_body(
    b: Binder,
    declared: d.Bodied,
    woven: Woven,
    params: tuple[Param, ...],
    frames: tuple[tuple[Routine, str], ...],
    scope: Scope,
) -> tuple[tuple[ln.Line, ...], Scope]:
    """The lines of the base declaration, or of the rule that replaces it, with their scope."""
    if not woven.replaces:
        return declared.body, scope
    rule = woven.replaces[-1]
    assert rule.relation.target is not None
    return rule.body, param_scope(b, rule.relation.target, params, frames, module_of(rule))


def _rule_lines(
    b: Binder,
    rule: d.Rule,
    params: tuple[Param, ...],
    frames: tuple[tuple[Routine, str], ...],
    routine: Routine,
    adding: bool = False,
) -> list[S]:
    assert rule.relation.target is not None
    scope = param_scope(b, rule.relation.target, params, frames, module_of(rule))
    out: list[S] = []
    for line in rule.body:
        bound = value_line(b, line, scope, routine, adding=adding, apart=f"..{rule.name}")
        if bound is not None:
            cites = bound.cites or rule.cites
            if isinstance(bound, ir.Add) and line.because is None:
                b.problem("E231", "A modifier needs a reason.", line.span, hint='Add: because "…"')
            out.append(bound.brought_by(rule.name, cites, module_of(rule)))
    return out


def _value_lines(b: Binder, lines: Sequence[ln.Line], scope: Scope, routine: Routine) -> tuple[list[S], int]:
    """The lines of a declaration, and the position of what rules add: at the label `adds:`, or before the first adjustment."""
    out: list[S] = []
    place: int | None = None
    labelled = any(line.label == "adds" for line in lines)
    for line in lines:
        bound = value_line(b, line, scope, routine)
        if bound is None:
            continue
        if place is None and (line.label == "adds" if labelled else isinstance(bound, ir.Adjust)):
            place = len(out)
        out.append(bound)
    return out, len(out) if place is None else place


def value_line(
    b: Binder, line: ln.Line, scope: Scope, routine: Routine, *, adding: bool = False, apart: str = ""
) -> S | None:
    """A line of a value. apart: a suffix that separates the names of a rule from those of the declaration that it changes."""
    when = b.condition(line.when, scope) if line.when is not None else None
    head = ir.Head(line.span, when, line.because, line.label, line.cites)
    named, scope = scope.names, scope if when is None else narrowed(b, when, scope)
    status = routine.word == "status"
    match line:
        case ln.Let():
            let = _let(b, line, scope, head, apart)
            named[line.name] = local(let.name, _as_named(let))
            return let
        case ln.Holds() if routine.word == "path":
            return None
        case ln.Holds():
            return ir.Holds(head) if status else misplaced(b, line, "a status or a refusal")
        case ln.Case() if status and isinstance(line.value, t.Name) and line.value.word in {"yes", "no"}:
            return ir.Case(head, value=ir.Constant(line.value.word == "yes", type=MARK), otherwise=line.otherwise)
        case ln.StartWith() | ln.Case() if status:
            return misplaced(b, line, "a value; a status has lines `when …`")
        case ln.StartWith():
            return ir.Start(head, value=_result(b, line.value, scope, routine))
        case ln.Case() if line.shift is not None:
            shift = b.number(line.value, scope)
            return ir.Add(head, value=ir.Negative(shift, span=shift.span) if line.shift == "left" else shift)
        case ln.Case() if adding:
            return ir.Add(head, value=b.expr(line.value, scope, looked_for(routine.type)))
        case ln.Case():
            return ir.Case(head, value=_result(b, line.value, scope, routine), otherwise=line.otherwise)
        case ln.Adjust():
            return _adjusted(b, line, scope, routine, head)
    return misplaced(b, line, "a procedure or an order")


def _let(b: Binder, line: ln.Let, scope: Scope, head: ir.Head, apart: str) -> ir.Let:
    """`let x be E`, for an unused name x."""
    value = b.condition(line.value, scope) if line.whether else b.expr(line.value, scope)
    if line.name in scope.names:
        b.problem("E224", f"`{line.name}` already has a meaning here.", line.span, hint="Choose another name.")
    return ir.Let(head, name=line.name + apart, value=value)


def _as_named(let: ir.Let) -> Type:
    """The type of a name that a line defines: under a condition it may be absent, but a set is then empty."""
    type_ = let.value.type
    return type_.maybe() if let.when is not None and type_.name != "set" else type_


def _result(b: Binder, node: t.Node, scope: Scope, routine: Routine) -> E:
    """The result of a value; its type must match that of the other lines."""
    want = (
        routine.type
        if routine.type.name not in {"nothing", "set"}
        else routine.type.of
        if routine.type.name == "set"
        else None
    )
    empty = empty_set(b, node, routine.type, scope)
    value = empty if empty is not None else b.expr(node, scope, want)
    if value is ERROR:
        return value
    if routine.type.name == "set" and is_none(value):
        return b.needs(value, routine.type, node.span)
    if routine.type.name == "nothing":
        routine.type = value.type
    elif (
        routine.type.name == "set"
        and value.type.name != "set"
        and routine.type.of
        and suits(b.ruleset, value.type, routine.type.of)
    ):
        return set_of_one(b, value)
    elif value.type.name == "set" and routine.type.name != "set" and value.type.of and routine.type.same(value.type.of):
        routine.type = value.type
    elif not value.type.same(routine.type) and (common := joined(b.ruleset, routine.type, value.type)) is not None:
        routine.type = common
    elif not value.type.same(routine.type):
        return b.problem(
            "E201", f"This is {value.type}, but `{routine.name}` is of type {type_name(routine.type)}.", node.span
        )
    elif value.type.optional:
        routine.type = routine.type.maybe()
    return value


def _adjusted(b: Binder, line: ln.Adjust, scope: Scope, routine: Routine, head: ir.Head) -> S | None:
    type_ = routine.type
    if line.op == "rounded":
        if type_.name != "number" and not b.failing(type_):
            message = f"Only a number can be rounded, but `{routine.name}` is of type {type_name(type_)}."
            b.problem("E201", message, line.span)
        assert line.direction is not None
        return ir.Adjust(head, how="rounded", way=line.direction.way, halves=line.direction.halves)
    assert line.value is not None
    if line.op == "instead":
        return ir.Adjust(head, how="instead", value=_result(b, line.value, scope, routine))
    if type_.name == "set" and line.op in {"plus", "minus"}:
        value = b.expr(line.value, scope, type_.of)
        if value.type.name != "set":
            value = set_of_one(b, value)
        return ir.Adjust(head, how="put-in" if line.op == "plus" else "take-out", value=value)
    if line.op == "moved":
        if b.failing(type_):
            return None
        if type_.name != "enum" or not b.ruleset.enums[type_.word].ordered:
            message = f"Only a word of a scale can be moved, but `{routine.name}` is of type {type_name(type_)}."
            b.problem("E201", message, line.span)
            return None
        return ir.Adjust(head, how="moved", value=b.number(line.value, scope), scale=type_.word)
    if type_.name == "enum" and line.op in {"at-least", "at-most"}:
        value = b.needs(b.expr(line.value, scope, type_), type_.sure(), line.value.span)
        return ir.Adjust(head, how=line.op, value=value, scale=type_.word)
    if type_.name not in {"number", "nothing"}:
        message = f"Only a number can be changed like this, but `{routine.name}` is of type {type_name(type_)}."
        b.problem("E201", message, line.span)
    if routine.type.name == "nothing":
        routine.type = NUMBER
    amount = b.number(line.value, scope)
    if line.op == "divided":
        b.divisor(amount, line.value.span)
    return ir.Adjust(head, how=line.op, value=amount)


def _always_starts(body: tuple[S, ...]) -> bool:
    """Whether a value's lines give a starting value in every case."""
    for line in body:
        if isinstance(line, ir.Start | ir.Case) and (
            line.when is None or (isinstance(line, ir.Case) and line.otherwise)
        ):
            return True
        if isinstance(line, ir.Adjust | ir.Add) and line.when is None:
            return True
    return False
