"""Binding orders: the clauses that list, check and refuse commands, and the rules that forbid or permit an order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dsl import ir
from dsl.binding.context import Binder
from dsl.binding.known import narrowed
from dsl.binding.places_named import on_two_maps
from dsl.binding.prepositions import which_path
from dsl.binding.scope import Scope, framed
from dsl.binding.signatures import as_declared, misplaced
from dsl.ir import ERROR, NUMBER, SIDE, Routine, S, Type, set_of, thing
from dsl.rules.chains import nodes_in
from dsl.rules.ruleset import named_type
from dsl.rules.weave import module_of
from dsl.syntax import body_lines as ln
from dsl.syntax import declarations as d
from dsl.syntax import syntax_tree as t
from dsl.text.diagnostics import Mark, did_you_mean

OFF_MAP = "it is not on the map"
"""The reason for refusing an order whose heading requires a thing on the map."""
ENEMY_TO, OWN_TO = "it is not yours", "it is your own"
"""The reasons for refusing an order whose heading requires `an own` or `an enemy` thing."""


CLAUSES = (ln.GivenBy, ln.LegalFrom, ln.LegalWhen, ln.Refused, ln.Reaching)


NOBODYS = frozenset({"place", "side", "campaign"})
"""The kinds, by their keyword, whose things have no side."""


def _side_of_param(param: d.Param) -> t.Node:
    return t.Of(param.span, "side", t.Name(param.span, param.name))


def _refused_param(param: d.Param, giver: d.Param, because: str) -> ln.Line:
    """`refused when side of PARAM is (not) side of GIVER`; for several things, when this is true of any."""
    whose = (
        t.Of(giver.span, "side", t.Aggregated(giver.span, "first", t.Name(giver.span, giver.name)))
        if giver.many
        else _side_of_param(giver)
    )
    other = because is ENEMY_TO
    test = t.IsTest(param.span, _side_of_param(param), (whose,), other, "any" if param.many else None)
    return ln.Refused(param.span, test, because=because)


def split_order(b: Binder, lines: Sequence[ln.Line]) -> tuple[list[ln.Line], list[ln.Line]]:
    """Splits an order into its clauses (with the `let` lines among them), which come first, and its effects."""
    last = max((i for i, line in enumerate(lines) if isinstance(line, CLAUSES)), default=-1)
    head = list(lines[: last + 1])
    for line in head:
        if not isinstance(line, (*CLAUSES, ln.Let)):
            b.problem(
                "E228",
                "This effect comes before a line that can refuse the order.",
                line.span,
                hint="Move this line below the last `refused`, `legal` or `reaching`.",
            )
    return [x for x in head if isinstance(x, (*CLAUSES, ln.Let))], list(lines[last + 1 :])


def _placed(param: d.Param) -> ln.Line:
    """`refused when PARAM is not on the map`; for several things, when any is not."""
    on_map = t.Name(param.span, "map")
    name = t.Name(param.span, param.name)
    test = t.IsPlaced(param.span, name, "on", on_map, None, True, "any" if param.many else None)
    return ln.Refused(param.span, test, because=OFF_MAP)


def demanded(b: Binder, signature: d.Signature) -> list[ln.Line]:
    """The clauses implied by the heading: `an own tank` belongs to the giver, `an enemy tank` does not, `on the map` has a place."""
    clauses: list[ln.Line] = []
    first = next((p for p in signature.params if p.whose == "own"), None)
    for param in signature.params:
        if not param.whose:
            continue
        type_, missing = named_type(b.ruleset, param.kind or param.name)
        if not missing and (type_.name != "thing" or b.ruleset.kinds[type_.word].word in NOBODYS):
            message = f"`{param.name}` belongs to no side: only a thing can be `own` or `enemy`."
            b.problem("E255", message, param.span, hint="Remove the word.", word=param.whose)
        elif first is None:
            message = f"`enemy` depends on who gives `{signature.name}`, but the heading does not say who that is."
            hint = "Make another argument `an own …`, or add lines `given by …` and `refused when …`."
            b.problem("E255", message, param.span, hint=hint, word="enemy")
        elif param is first:
            clauses.append(ln.GivenBy(param.span, _side_of_param(param)))
            if param.many:  # also those after the first
                clauses.append(_refused_param(param, first, ENEMY_TO))
        else:
            clauses.append(_refused_param(param, first, ENEMY_TO if param.whose == "own" else OWN_TO))
    for param in signature.params:
        type_, missing = named_type(b.ruleset, param.kind or param.name)
        if param.on_map and (missing or (type_.name == "thing" and b.ruleset.kinds[type_.word].word not in NOBODYS)):
            clauses.append(_placed(param))
        elif param.on_map:
            message = f"`{param.name}` never leaves the map: `on the map` applies only to things that can move."
            b.problem("E255", message, param.span, hint="Remove the words.", word="on")
    return clauses


def clause_of(b: Binder, line: ln.Line, scope: Scope, routine: Routine) -> S:
    """A clause of an order: who gives it, when it is refused, which places it can reach."""
    when = b.condition(line.when, scope) if line.when is not None else None
    head = ir.Head(line.span, when, line.because, line.label, line.cites)
    if when is not None:
        scope = narrowed(b, when, scope)
    match line:
        case ln.Let():
            value = b.condition(line.value, scope) if line.whether else b.expr(line.value, scope)
            routine.frame[line.name] = value.type
            return ir.Let(head, line.name, value)
        case ln.GivenBy():
            value = b.expr(line.who, scope)
            if value is not ERROR and not value.type.same(SIDE) and not value.type.same(set_of(SIDE)):
                b.problem("E201", f"Only a side can give an order, but this is {value.type}.", line.who.span)
            elif value.type.optional:
                value = b.needs(value, value.type.sure(), line.who.span)
            return ir.GivenBy(head, value)
        case ln.LegalWhen():
            return ir.LegalWhen(head, b.condition(line.condition, scope))
        case ln.Refused():
            return ir.Refused(head, b.condition(line.condition, scope))
        case ln.Reaching():
            return _reaching(b, line, scope, routine, head)
        case ln.LegalFrom():
            return _legal_from(b, line, routine, head)
    raise AssertionError(line)


def unless_refused(b: Binder, clause: S, scope: Scope) -> Scope:
    """The scope after a clause, with what it has established: after `refused when x is not tank`, x is a tank."""
    if clause.when is not None:
        return scope
    if isinstance(clause, ir.LegalWhen):
        return narrowed(b, clause.test, scope)
    if isinstance(clause, ir.Reaching):  # the way is there, and so is its cost; types are not compared
        goal = ir.FrameName("F", clause.goal, type=clause.mover.type)
        cost = ir.PathCost(clause.path, (clause.mover,), goal, type=NUMBER)
        return scope.inner(known=(*scope.known, cost))
    if not isinstance(clause, ir.Refused):
        return scope
    tests = clause.test.items if isinstance(clause.test, ir.Or) else (clause.test,)
    for test in tests:
        scope = narrowed(b, test.item, scope) if isinstance(test, ir.Not) else scope
    return scope


def _reaching(b: Binder, line: ln.Reaching, scope: Scope, routine: Routine, head: ir.Head) -> S:
    paths = [n for n, x in b.ruleset.bodied.items() if x.word == "path"]
    if line.path not in paths:
        b.problem("E229", f"`{line.path}` is not a path.", line.span, which_path(b, line.path))
    elif b.routine(line.path, line.span) is not None and line.goal not in routine.frame:
        b.problem("E200", f"Unknown name `{line.goal}`.", line.span, did_you_mean(line.goal, routine.frame))
    b.used.add(f"value {line.path}")
    mover = b.expr(line.mover, scope)
    goal, path = routine.frame.get(line.goal), b.routines.get(line.path)
    if goal is not None and path is not None and path.ground and b.ruleset.is_place(goal):
        on_two_maps(b, ir.FrameName("F", line.goal, type=goal), ir.Local("", type=thing(path.ground)), line.span)
    return ir.Reaching(head, line.goal, line.path, mover)


def _legal_from(b: Binder, line: ln.LegalFrom, routine: Routine, head: ir.Head) -> S:
    """The field that changes: the only field of the order's things whose enum is that of another argument.

    If there are several such fields, it is the one with the same name as its enum.
    """
    found = []
    for param in routine.params:
        if param.type.name != "thing" or param.many:
            continue
        for name, field in b.ruleset.kinds[param.type.word].fields.items():
            if field.type.name == "enum":
                found += [(param, name, field.type, other) for other in routine.params if other.type.same(field.type)]
    if len(found) > 1:  # if several fields have it: the one with the same name as its enum
        found = [x for x in found if x[1] == x[2].word] or found
    if len(found) != 1:
        b.problem(
            "E230", "It is not clear which field this line changes.", line.span,
            hint="Give the order one argument that is a word, and one thing with a field of such words.",
        )  # fmt: skip
        return ir.LegalFrom(head, (), ())
    thing_param, field_name, type_, word_param = found[0]
    b.used.add(f"field {thing_param.type.word}.{field_name}")
    words = {}
    for side, nodes in (("before", line.before), ("after", line.after)):
        words[side] = tuple(w for node in nodes for w in _words_of(b, node, type_))
    held = ir.Field(framed("F", thing_param.name, thing_param.type), field_name, type=type_, span=line.span)
    new = framed("F", word_param.name, word_param.type)
    return ir.LegalFrom(head, words["before"], words["after"], held, new, field_name)


def _words_of(b: Binder, node: t.Node, type_: Type) -> tuple[str, ...]:
    word = node.word if isinstance(node, t.Name) else str(node.value) if isinstance(node, t.Literal) else ""
    info = b.ruleset.enums[type_.word]
    if word in info.words:
        return (word,)
    if word in b.ruleset.groups and b.ruleset.groups[word][0] == type_.word:
        return b.ruleset.groups[word][1]
    b.problem("E219", f"`{word}` is not a word of {type_.word}.", node.span, did_you_mean(word, info.words))
    return ()


def outside(b: Binder, rule: d.Rule, routine: Routine) -> Scope:
    """The scope of a rule's lines about a routine: the rule's names for the arguments, by position."""
    assert rule.relation.target is not None
    as_declared(b, rule.relation.target, routine.params)
    names = {}
    for given, param in zip(rule.relation.target.params, routine.params, strict=False):
        names[given.name] = framed("F", param.name, routine.frame[param.name])
    return Scope(names, ir.Acting("F"), None, ((routine, "F"),), module=module_of(rule))


def speaks_past(b: Binder, rule: d.Rule, line: ln.Line, scope: Scope, routine: Routine) -> bool:
    """Reports a line for several orders that uses an argument which this order does not have."""
    others = {p.name for x in rule.relation.more for p in x.signature.params}
    for x in rule.relation.more:
        other = b.ruleset.bodied.get(f"{x.word or 'order'} {x.signature.name}")
        others |= {p.name for p in other.signature.params} if other is not None else set()
    spoken = [n for n in nodes_in(line) if isinstance(n, t.Name) and n.word in others]
    lacks = next((n for n in spoken if n.word not in scope.names and n.word not in routine.frame), None)
    if lacks is None:
        return False
    own = "".join(f" {p.prep} {lacks.word if i == 0 else p.name}" for i, p in enumerate(routine.params[:1]))
    hint = (
        f"Name it in the heading: {routine.word} {routine.name}{own}"
        if own
        else f"Let {rule.name} name only the others."
    )
    message = f"The {routine.word} {routine.name} has no argument `{lacks.word}`."
    b.problem("E211", message, lacks.span, hint, [Mark(rule.relation.span, f"{routine.name} is named here")])
    return True


def _conditions(
    b: Binder, rule: d.Rule, routine: Routine, scope: Scope, hint: str
) -> Iterator[tuple[ir.Head, t.Node, ln.Line]]:
    """The lines that a rule adds to an order: the head and the condition of each. Reports those of another form; hint: which it has."""
    for line in rule.body:
        if speaks_past(b, rule, line, scope, routine):
            continue
        if not isinstance(line, ln.Holds) or line.when is None:
            misplaced(b, line, f"a procedure; {hint}")
            continue
        cites, module = line.cites or rule.cites, module_of(rule) or rule.name
        yield ir.Head(line.span, because=line.because, label=line.label, cites=cites, module=module), line.when, line


def forbid(b: Binder, rule: d.Rule, routine: Routine, passed: Sequence[S]) -> list[S]:
    """The refusals that a rule adds to an order. passed: the order's own clauses, which the command has passed."""
    scope = outside(b, rule, routine)
    for clause in passed:
        scope = unless_refused(b, clause, scope)
    out: list[S] = []
    for head, when, line in _conditions(b, rule, routine, scope, "a rule that forbids has lines `when … because …`"):
        if line.because is None:
            b.problem("E231", "A refusal needs a reason.", line.span, hint='Add: because "…"')
        out.append(ir.Refused(head, b.condition(when, scope)))
    return out


def permit(b: Binder, rule: d.Rule, routine: Routine) -> list[S]:
    """The exceptions that a rule makes to the refusals of an order."""
    scope = outside(b, rule, routine)
    found = _conditions(b, rule, routine, scope, "a rule that permits has lines `when …`")
    return [ir.Permits(head, b.condition(when, scope)) for head, when, _ in found]
