"""What a statement changes or moves, whose side it means, and until when the change lasts."""

from __future__ import annotations

from collections.abc import Mapping

from dsl import ir
from dsl.binding.absent import surely
from dsl.binding.context import Binder
from dsl.binding.property_of import several_things
from dsl.binding.scope import Scope, local
from dsl.ir import ERROR, SIDE, E, Lasting, Moment, Routine, Type, Until, set_of
from dsl.rules.ruleset import Field, KindInfo
from dsl.rules.weave import phases_of
from dsl.syntax import body_lines as ln
from dsl.syntax import syntax_tree as t
from dsl.text.diagnostics import did_you_mean
from dsl.text.phrases import an
from dsl.text.source import Span

WORDS_TO_STAY = {"side": "A side", "place": "A place of the map", "campaign": "The campaign"}
"""The kinds, by their keyword, whose things exist for the whole game, with their names in messages."""


def declare(b: Binder, routine: Routine, name: str, type_: Type, span: Span) -> None:
    """Adds a name to a routine's frame; if it is there already, it must have the same type."""
    known = routine.frame.get(name)
    if known is not None and known.name != "nothing" and not known.same(type_):
        b.problem("E224", f"`{name}` already means {known} in {routine.name}.", span, hint="Choose another name.")
        return
    if name in {"yes", "no", "active", "turn"}:
        b.problem("E224", f"`{name}` is a reserved word.", span, hint="Choose another name.")
    routine.frame[name] = type_ if known is None or known.name == "nothing" or type_.optional else known


def may_go(b: Binder, what: Type, span: Span, does: str) -> None:
    """Reports things that can never be moved, placed or removed. does: the rest of the message."""
    inner = what.each
    info = b.ruleset.kinds.get(inner.word) if inner.name == "thing" else None
    if info is not None and info.word in WORDS_TO_STAY:
        b.problem("E201", f"{WORDS_TO_STAY[info.word]} exists for the whole game: it {does}.", span)


def may_move(b: Binder, what: E, span: Span) -> None:
    """Reports parts, which cannot be moved: they go where their whole goes."""
    may_go(b, what.type, span, "cannot move")
    for info in parts_among(b, what.type):
        hint = f"Move the {info.holder}, or give the {info.name} to another: `{info.holder} of … becomes …`."
        b.problem("E256", f"{an(info.name).capitalize()} moves with its {info.holder}.", span, hint)


def parts_among(b: Binder, type_: Type) -> list[KindInfo]:
    """The kinds of parts among the kind of one thing or of several, or among a group of kinds."""
    inner = type_.each
    sorts = b.ruleset.sorts(inner.word) if inner.name == "thing" else ()
    return [info for k in sorts if (info := b.ruleset.kinds.get(k)) is not None and info.part]


def never_changes(b: Binder, fields: Mapping[str, Field], field: str, span: Span) -> bool:
    """Reports a change of the starting value of a track."""
    if field not in fields or not fields[field].full_of:
        return False
    hint = f"Change {fields[field].full_of}, or let the thing become another entry of its list."
    b.problem("E256", f"`{field}` is the starting value of {fields[field].full_of} and never changes.", span, hint)
    return True


def _side_of(b: Binder, node: t.Node, scope: Scope) -> E:
    """A side, or the side of a thing."""
    value = b.expr(node, scope)
    if value is not ERROR and not value.type.same(SIDE) and not value.type.same(set_of(SIDE)):
        if value.type.name != "thing":
            b.problem("E201", f"A side is needed here, but this is {value.type}.", node.span)
            return ERROR
        value = ir.SideOf(value, type=SIDE.maybe() if value.type.optional else SIDE, span=node.span)
    return value


def some_side(b: Binder, node: t.Node, scope: Scope) -> E:
    """A side, or the side of a thing, which must be present: it is asked, informed, or rolls."""
    return surely(b, _side_of(b, node, scope), scope, node.span)


def each_in(b: Binder, node: t.Node, scope: Scope) -> E:
    """The things for each of which something is chosen or rolled."""
    over = several_things(b, node, scope)
    if over is not ERROR and over.type.name != "set":
        b.problem("E214", f"`each` needs a list, but this is {over.type}.", node.span)
    return over


def each_side(b: Binder, line: ln.EachRolls | ln.EachChooses, does: str) -> E:
    """The sides, the acting one first, for `each side` without `in`."""
    if line.item != "side":
        message = f"`each {line.item} {does}` does not name a list. Only `each side` can be used without one."
        b.problem("E234", message, line.span, hint=f"Write: each {line.item} in …")
    return ir.SidesInTurn(type=set_of(SIDE))


def winner_of(b: Binder, node: t.Node, scope: Scope) -> E:
    """Who wins a game: one side, or the side of one thing."""
    winner = _side_of(b, node, scope)
    if winner.type.name == "set":
        b.problem(
            "E214",
            "Only one side can win a game, but this is a list of sides.",
            node.span,
            "Name one: `won by first …`.",
        )
    return winner


def lasting_until(b: Binder, until: ln.Until | None, changed: E, scope: Scope) -> Until:
    """When a change ends."""
    if until is None or changed is ERROR:
        return None
    if until.condition is not None:
        return _until_condition(b, until.condition, changed, scope)
    period = until.period
    phases = phases_of(b.ruleset)
    if (until.whose or until.following) and period not in {"turn", *phases}:
        words = " ".join(filter(None, ("next" if until.following else "", until.whose)))
        message = f"`{words}` applies only to the turn and to phases, and {period} is neither."
        b.problem("E235", message, until.span, hint="Name a phase or step.", word=period)
        return None
    if until.whose and period == "turn":
        b.problem(
            "E235",
            "The turn belongs to all sides.",
            until.span,
            hint=f"Name a phase that each side has: `{until.edge} of {until.whose} …`.",
        )
        return None
    known = {
        *phases,
        "turn",
        *(k.split(" ")[1] for k in b.ruleset.bodied if k.startswith(("procedure ", "sequence "))),
    }
    if period not in known:
        b.problem(
            "E235",
            f"There is nothing named {period} here, so its {until.edge} never comes.",
            until.span,
            did_you_mean(period, known),
            word=period,
        )
    moment = f"{until.edge} {period}"
    return Moment(moment, until.whose, until.following) if until.whose or until.following else moment


def _until_condition(b: Binder, node: t.Node, changed: E, scope: Scope) -> Lasting | None:
    """The condition of `until C`, made independent of the procedure: `it` is the changed thing, `own` refers to its owner."""
    inner = changed.type.each
    it = local("it", inner)
    if scope.any_frame:
        b.problem(
            "E235",
            "In an example, `until` takes only a moment.",
            node.span,
            hint="Make the change in an order or a procedure.",
        )
        return None
    whose = ir.SideOf(it) if inner.name == "thing" and inner.word != "side" else scope.whose
    test = b.condition(node, scope.inner(it=it, whose=whose))
    taken: dict[tuple[str, str], tuple[str, E]] = {}

    def standing(part: ir.Node) -> ir.Node:
        if isinstance(part, ir.FrameName | ir.Acting):
            key = (part.frame, part.name if isinstance(part, ir.FrameName) else "")
            name, _ = taken.setdefault(key, (f"taken{len(taken) + 1}", part))
            return local(name, part.type)
        if isinstance(part, ir.FrameEntry | ir.SidesInTurn) or (isinstance(part, ir.Call) and part.frame is not None):
            b.problem(
                "E235",
                "The change may outlast the procedure, but this condition reads a name of the procedure.",
                part.span,
                hint="Give the value a name first: `let x be …`.",
            )
            return ERROR
        return part

    made = Lasting(len(b.lasting), ir.transform(test, standing), tuple(taken.values()))
    b.lasting.append(made)
    return made
