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
from dsl.text.diagnostics import an, did_you_mean
from dsl.text.source import Span

WORDS_TO_STAY = {"side": "A side", "place": "A place of the map", "campaign": "The campaign"}
"""What takes part from the beginning to the end, by the word of its kind, and how a message calls it."""


def declare(b: Binder, routine: Routine, name: str, type_: Type, span: Span) -> None:
    """Enters a name into a routine's frame; a second time it must be of the same type."""
    known = routine.frame.get(name)
    if known is not None and known.name != "nothing" and not known.same(type_):
        b.problem("E224", f"`{name}` already means {known} in {routine.name}.", span, hint="Choose another name.")
        return
    if name in {"yes", "no", "active", "turn"}:
        b.problem("E224", f"`{name}` has a meaning of its own.", span, hint="Choose another name.")
    routine.frame[name] = type_ if known is None or known.name == "nothing" or type_.optional else known


def may_go(b: Binder, what: Type, span: Span, does: str) -> None:
    """Only things that stand on the map or off it are moved, put and removed. does: what the line would do."""
    inner = what.each
    info = b.ruleset.kinds.get(inner.word) if inner.name == "thing" else None
    if info is not None and info.word in WORDS_TO_STAY:
        b.problem("E201", f"{WORDS_TO_STAY[info.word]} is there from beginning to end: it {does}.", span)


def may_move(b: Binder, what: E, span: Span) -> None:
    """Only what stands by itself is moved: a part goes where its whole goes."""
    may_go(b, what.type, span, "does not move")
    for info in parts_among(b, what.type):
        hint = f"Move the {info.holder}, or give the {info.name} to another: `{info.holder} of … becomes …`."
        b.problem("E256", f"{an(info.name).capitalize()} moves with its {info.holder}.", span, hint)


def parts_among(b: Binder, type_: Type) -> list[KindInfo]:
    """The kinds that are parts of others, of the kind of one thing or of several, or of a group of kinds."""
    inner = type_.each
    sorts = b.ruleset.sorts(inner.word) if inner.name == "thing" else ()
    return [info for k in sorts if (info := b.ruleset.kinds.get(k)) is not None and info.part]


def never_changes(b: Binder, fields: Mapping[str, Field], field: str, span: Span) -> bool:
    """Reports a change of what a track was in the beginning."""
    if field not in fields or not fields[field].full_of:
        return False
    hint = f"Change {fields[field].full_of}, or let the thing become another entry of its list."
    b.problem("E256", f"`{field}` is what {fields[field].full_of} was in the beginning, and stays.", span, hint)
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
    """A side, or the side of a thing, that must be there: somebody is asked, told or rolls."""
    return surely(b, _side_of(b, node, scope), scope, node.span)


def each_in(b: Binder, node: t.Node, scope: Scope) -> E:
    """The things of which each chooses or rolls."""
    over = several_things(b, node, scope)
    if over is not ERROR and over.type.name != "set":
        b.problem("E214", f"`each` goes through several things, but this is {over.type}.", node.span)
    return over


def each_side(b: Binder, line: ln.EachRolls | ln.EachChooses, does: str) -> E:
    """The sides, the acting one first: what `each side` without a set goes through."""
    if line.item != "side":
        message = f"`each {line.item} {does}`: only `each side` stands alone."
        b.problem("E234", message, line.span, hint=f"each {line.item} in …")
    return ir.SidesInTurn(type=set_of(SIDE))


def winner_of(b: Binder, node: t.Node, scope: Scope) -> E:
    """Who wins a game: one side, or the side of one thing."""
    winner = _side_of(b, node, scope)
    if winner.type.name == "set":
        b.problem("E214", "A game is won by one side, and these are several.", node.span, "Name one: `won by first …`.")
    return winner


def lasting_until(b: Binder, line: ln.Becomes | ln.Gains, changed: E, scope: Scope) -> Until:
    """When what a line changes falls away again."""
    until = line.until
    if until is None or changed is ERROR:
        return None
    if until.condition is not None:
        return _until_condition(b, until.condition, changed, scope)
    period = until.period
    phases = phases_of(b.ruleset)
    if (until.whose or until.following) and period not in {"turn", *phases}:
        b.problem("E235", f"`{'next ' if until.following else ''}{until.whose or ''}` is said of the turn and of phases, and {period} is neither.".replace("  ", " ").replace(" `", "`", 1), until.span,
                  hint="Name a phase or step.", word=period)  # fmt: skip
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
            f"Nothing here is called {period}, so its {until.edge} never comes.",
            until.span,
            did_you_mean(period, known),
            word=period,
        )
    moment = f"{until.edge} {period}"
    return Moment(moment, until.whose, until.following) if until.whose or until.following else moment


def _until_condition(b: Binder, node: t.Node, changed: E, scope: Scope) -> Lasting | None:
    """The condition of `until C`, made to stand without the procedure: `it` is what changes, `own` its owner's."""
    inner = changed.type.each
    it = local("it", inner)
    if scope.any_frame:
        b.problem(
            "E235", "In an example only moments end what lasts.", node.span, hint="Let an order or a procedure do it."
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
                "What lasts so may outlive the procedure, whose names this condition reads.",
                part.span,
                hint="Give it a name before: `let x be …`.",
            )
            return ERROR
        return part

    made = Lasting(len(b.lasting), ir.transform(test, standing), tuple(taken.values()))
    b.lasting.append(made)
    return made
