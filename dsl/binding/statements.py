"""Binding statements: each line of a procedure, an order or a sequence goes to the function that binds its class.

The plainest lines are bound here; the others in `nested_lines`, `windows`, `choices`, `becoming`, `putting`, `doing` and
`messages`.
"""

from __future__ import annotations

from collections.abc import Sequence

from dsl import ir
from dsl.binding.absent import needed
from dsl.binding.context import STATEMENTS, Binder, Site, enacts
from dsl.binding.known import narrowed, passed
from dsl.binding.messages import check_reason
from dsl.binding.scope import Scope
from dsl.binding.targets import declare, may_go, may_move, some_side, winner_of
from dsl.ir import ERROR, Routine, S
from dsl.syntax import body_lines as ln
from dsl.syntax import syntax_tree as t
from dsl.syntax.habits import roll_of
from dsl.text.diagnostics import did_you_mean


def statement(b: Binder, line: ln.Line, scope: Scope, routine: Routine) -> list[S]:
    """One line of an active body as statements; empty if it is guarded by a module that is off."""
    when = b.condition(line.when, scope) if line.when is not None and not isinstance(line, ln.When) else None
    scope = narrowed(b, when, scope) if when is not None else scope
    head = ir.Head(line.span, when, line.because, line.label, line.cites, scope.module)
    enact = STATEMENTS.get(type(line), _out_of_place)
    return enact(b, line, Site(scope, routine, head))


def statements(b: Binder, lines: Sequence[ln.Line], scope: Scope, routine: Routine) -> ir.Body:
    """Lines of one block, bound in order."""
    body: list[S] = []
    for line in lines:
        if b.enough:
            break
        for s in statement(b, line, scope, routine):
            body.append(s)
            scope = passed(scope, s)
    return tuple(body)


def _out_of_place(b: Binder, line: ln.Line, site: Site) -> list[S]:
    """Reports a line that is not allowed in an active body."""
    said = line.value if isinstance(line, ln.Case) else None
    hint = ""
    if isinstance(said, t.ManyDice) or (
        isinstance(said, t.Literal) and said.kind == "dice"
    ):  # `roll 1d6`, or only `1d6`
        hint = roll_of(str(said.text if isinstance(said, t.ManyDice) else said.value))
    b.problem("E225", "This line does not belong in a procedure, an order or a sequence.", line.span, hint)
    return []


@enacts(ln.Warned)
def warned(b: Binder, line: ln.Warned, site: Site) -> list[S]:
    """`warned when …`: allowed only in setups."""
    b.problem("E225", "Only a setup can give a warning.", line.span, hint="During play, use `tell` instead.")
    return []


@enacts(ln.Holds)
def reasons(b: Binder, line: ln.Holds, site: Site) -> list[S]:
    """`when C because "…"`: such refusals were bound with the clauses of the order; here they do nothing."""
    return [] if line.because is not None and site.routine.word != "sequence" else _out_of_place(b, line, site)


@enacts(ln.Let)
def named_here(b: Binder, line: ln.Let, site: Site) -> list[S]:
    """`let x be E`; a name of a set is the empty set if the condition of the line does not hold."""
    value = b.condition(line.value, site.scope) if line.whether else b.expr(line.value, site.scope)
    absent = site.head.when is not None and value.type.name != "set"
    declare(b, site.routine, line.name, value.type.maybe() if absent else value.type, line.span)
    return [ir.Let(site.head, name=line.name, value=value)]


@enacts(ln.Stop)
def stopped(b: Binder, line: ln.Stop, site: Site) -> list[S]:
    """`stop`, `stop P`, `stop when … because "…"`."""
    if line.because and site.head.when is not None:
        check_reason(b, site.head.when)
    return [ir.Stop(site.head, name=_what_stops(b, line, site.routine))]


def _what_stops(b: Binder, line: ln.Stop, routine: Routine) -> str | None:
    """What a `stop` line ends: a procedure by its name, or the move or order that triggered the rule."""
    name = line.name
    if name in {"move", "order"} and routine.stops:
        return f"@{name}"
    known = {k.partition(" ")[2] for k in b.ruleset.bodied if " " in k}
    if name is not None and name != routine.name and name not in known:
        hint = did_you_mean(name, known)
        if name in {"move", "order"}:
            hint = f"Use `stop {name}` only in a rule `whenever … enters`, `leaves` or `comes …`."
        b.problem("E243", f"There is nothing named {name} to stop here.", line.span, hint, word=name)
    return name


@enacts(ln.EndGame)
def game_ended(b: Binder, line: ln.EndGame, site: Site) -> list[S]:
    """`the game ends`, `the game is won by S`."""
    winner = winner_of(b, line.winner, site.scope) if line.winner is not None else None
    return [ir.EndGame(site.head, winner=winner)]


@enacts(ln.Move)
def moved(b: Binder, line: ln.Move, site: Site) -> list[S]:
    """`u moves to h`."""
    what = needed(b, line.what, site.scope)
    may_move(b, what, line.what.span)
    to = needed(b, line.to, site.scope) if line.to is not None else None
    if line.to is not None and to is not None and to is not ERROR and to.type.name != "thing":
        b.problem("E201", f"Things can move only to one place, but this is {to.type}.", line.to.span)
    return [ir.Move(site.head, what=what, to=to)]


@enacts(ln.Remove)
def removed(b: Binder, line: ln.Remove, site: Site) -> list[S]:
    """`remove u`."""
    what = needed(b, line.what, site.scope)
    may_go(b, what.type, line.what.span, "cannot be removed")
    return [ir.Remove(site.head, what=what)]


@enacts(ln.Reveal)
def revealed(b: Binder, line: ln.Reveal, site: Site) -> list[S]:
    """`reveal u to S`, `hide u from S`."""
    known = ir.Hide if line.hide else ir.Reveal
    return [known(site.head, needed(b, line.what, site.scope), some_side(b, line.whom, site.scope))]
