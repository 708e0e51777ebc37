"""Binding questions and rolls: who chooses what, who rolls which dice, what is split among whom."""

from __future__ import annotations

from dsl import ir
from dsl.binding.absent import set_of_one, surely
from dsl.binding.context import Binder
from dsl.binding.dice_written import rolled
from dsl.binding.properties import several_things
from dsl.binding.scope import Scope, framed
from dsl.binding.targets import declare, some_side
from dsl.ir import ERROR, MARK, NOTHING, NUMBER, SIDE, TEXT, E, Routine, S, Type, set_of
from dsl.syntax import lines as ln
from dsl.syntax import tree as t

MANY = frozenset({"some", "up_to", "exactly"})
"""The choices whose answer is a set."""


def dice_count(b: Binder, dice: ln.Dice, scope: Scope) -> E | None:
    """How many dice are thrown, where a line says so."""
    return b.number(dice.count, scope) if dice.count is not None else None


def _choice_of(b: Binder, choice: ln.Choice, scope: Scope) -> tuple[E | None, E | None, Type]:
    """The candidates, the amount, and the type of what is chosen."""
    if choice.kind == "words":
        items = tuple(b.expr(w, scope) for w in choice.words)
        first = items[0].type
        if any(i is ERROR for i in items):
            words = tuple(w.word for w in choice.words if isinstance(w, t.Name))
            return ir.Listed(tuple(ir.Constant(w, type=TEXT) for w in words), type=set_of(TEXT)), None, TEXT
        return ir.Listed(items, type=set_of(first), span=choice.span), None, first
    if choice.kind == "number":
        assert choice.amount is not None
        return None, b.number(choice.amount, scope), NUMBER
    if choice.kind == "split":
        return _split_among(b, choice, scope)
    assert choice.source is not None
    source = b.expr(choice.source, scope)
    amount = b.number(choice.amount, scope) if choice.amount is not None else None
    if source is ERROR:
        return ERROR, amount, NOTHING
    if amount is not None:
        _possible_choice(b, choice, source, amount)
    if source.type.name in {"thing", "enum"}:
        source = set_of_one(b, surely(b, source, scope, choice.span) if choice.kind == "one" else source)
    if source.type.name != "set":
        b.problem("E214", f"A choice is among several things, but this is {source.type}.", choice.source.span)
        return ERROR, amount, NOTHING
    return source, amount, (source.type.of or NOTHING)


def _split_among(b: Binder, choice: ln.Choice, scope: Scope) -> tuple[E | None, E | None, Type]:
    """The things that share a number out among them, and the number."""
    assert choice.source is not None
    assert choice.amount is not None
    source, amount = b.expr(choice.source, scope), b.number(choice.amount, scope)
    shared = ir.number_in(amount)
    if shared is not None and (shared < 0 or shared != int(shared)):
        b.problem("E241", f"Nobody can split {shared} into whole shares.", choice.amount.span)
    if source is ERROR:
        return ERROR, amount, NUMBER
    if source.type.name != "set" or source.type.of is None or source.type.of.name != "thing":
        b.problem("E214", f"A split is among several things, but this is {source.type}.", choice.source.span)
        return ERROR, amount, NUMBER
    return source, amount, NUMBER


def _words_type(b: Binder, line: ln.Choose | ln.EachChooses, owner: str) -> None:
    """Words that only a choice knows become the words of an enum of their own."""
    from dsl.rules.ruleset import EnumInfo

    if line.choice.kind != "words":
        return
    words = tuple(w.word for w in line.choice.words if isinstance(w, t.Name))
    if words in {("yes", "no"), ("no", "yes")} or len(words) != len(line.choice.words):
        return
    homes = [e for e in b.ruleset.enums.values() if set(words) <= set(e.words)]
    if homes:
        return
    name = f"{owner}.{line.name}"
    b.ruleset.enums[name] = EnumInfo(name, words, False, {})
    for word in words:
        b.ruleset.terms.setdefault(word, []).append(name)


def choose(b: Binder, line: ln.Choose, scope: Scope, routine: Routine, head: ir.Head) -> list[S]:
    """`S chooses …`."""
    _words_type(b, line, routine.name)
    who = some_side(b, line.who, scope)
    inner = scope.inner(whose=who)
    if line.choice.kind == "words" and not any(
        isinstance(w, t.Name) and w.word in {"yes", "no"} for w in line.choice.words
    ):
        words = {w.word for w in line.choice.words if isinstance(w, t.Name)}
        home = next((e.name for e in b.ruleset.enums.values() if words <= set(e.words)), None)
        if home is not None:
            items = tuple(
                ir.Constant(w.word, type=Type("enum", home)) for w in line.choice.words if isinstance(w, t.Name)
            )
            source, amount, type_ = ir.Listed(items, type=set_of(items[0].type)), None, items[0].type
        else:
            source, amount, type_ = _choice_of(b, line.choice, inner)  # type: ignore[assignment]
    else:
        source, amount, type_ = _choice_of(b, line.choice, inner)  # type: ignore[assignment]
    many = line.choice.kind in MANY
    split = line.choice.kind == "split"
    kept = Type("map", "", NUMBER) if split else set_of(type_) if many else type_
    if line.when is not None and not many and not split:
        kept = kept.maybe()
    if line.choice.kind == "words" and type_ is MARK:
        kept = MARK
    declare(b, routine, line.name, kept, line.span)
    such = b.condition(line.such_that.condition, inner) if line.such_that is not None else None
    reason = line.such_that.because if line.such_that is not None else None
    return [ir.Choose(head, who=who, name=line.name, kind=line.choice.kind, source=source, amount=amount, such_that=such, reason=reason, secret=line.secretly, many=many)]  # fmt: skip


def each_chooses(b: Binder, line: ln.EachChooses, scope: Scope, routine: Routine, head: ir.Head) -> list[S]:
    """`each side chooses …`, `each of S chooses …`."""
    _words_type(b, line, routine.name)
    over = _each_in(b, line.over, scope) if line.over is not None else _each_side(b, line, "chooses")
    inner_type = (over.type.of or NOTHING) if over.type.name == "set" else NOTHING
    declare(b, routine, line.item, inner_type, line.span)
    item = framed("F", line.item, inner_type)
    inner = scope.inner(whose=item if inner_type.same(SIDE) else ir.SideOf(item))
    source, amount, type_ = _choice_of(b, line.choice, inner)
    if line.choice.kind == "split":
        b.problem(
            "E250",
            "A split is chosen by one side for many things, not by each of them.",
            line.choice.span,
            hint="Write `SIDE chooses shares: a split of N among S`, or let each choose `a number up to N`.",
        )
    declare(b, routine, line.name, Type("map", "", set_of(type_) if line.choice.kind in MANY else type_), line.span)
    such = b.condition(line.such_that.condition, inner) if line.such_that is not None else None
    reason = line.such_that.because if line.such_that is not None else None
    return [ir.EachChooses(head, item=line.item, over=over, name=line.name, kind=line.choice.kind, source=source, amount=amount, such_that=such, reason=reason, secret=line.secretly, sides=inner_type.same(SIDE))]  # fmt: skip


def _each_in(b: Binder, node: t.Node, scope: Scope) -> E:
    """The things of which each chooses or rolls."""
    over = several_things(b, node, scope)
    if over is not ERROR and over.type.name != "set":
        b.problem("E214", f"`each` goes through several things, but this is {over.type}.", node.span)
    return over


def _each_side(b: Binder, line: ln.EachRolls | ln.EachChooses, does: str) -> E:
    """The sides, the acting one first: what `each side` without a set goes through."""
    if line.item != "side":
        message = f"`each {line.item} {does}`: only `each side` stands alone."
        b.problem("E234", message, line.span, hint=f"each {line.item} in …")
    return ir.SidesInTurn(type=set_of(SIDE))


def draws(b: Binder, line: ln.Draws, scope: Scope, routine: Routine, head: ir.Head) -> list[S]:
    """`S draws N of …`."""
    source = several_things(b, line.source, scope)
    drawn = NOTHING
    if source is not ERROR:
        if source.type.name != "set":
            b.problem("E214", f"One of several things is rolled for, but this is {source.type}.", line.source.span)
        drawn = source.type.of or NOTHING
    declare(b, routine, line.name, drawn if line.when is None else drawn.maybe(), line.span)
    return [ir.Draw(head, who=some_side(b, line.who, scope), source=source, name=line.name)]


def each_rolls(b: Binder, line: ln.EachRolls, scope: Scope, routine: Routine, head: ir.Head) -> list[S]:
    """`each side rolls …`, `each of S rolls …`."""
    if line.over is None:
        over, inner_type, item = _each_side(b, line, "rolls"), SIDE, "side"
    else:
        over = _each_in(b, line.over, scope)
        inner_type = (over.type.of or NOTHING) if over.type.name == "set" else NOTHING
        item = line.item
        declare(b, routine, item, inner_type, line.span)
    declare(b, routine, line.name, Type("map", "", NUMBER), line.span)
    return [
        ir.EachRolls(
            head,
            item=item,
            over=over,
            dice=rolled(b, line.dice.value, scope),
            count=dice_count(b, line.dice, scope),
            name=line.name,
            sides=inner_type.same(SIDE),
        )
    ]


def _possible_choice(b: Binder, choice: ln.Choice, source: E, amount: E) -> None:
    """Reports a question that plainly has no legal answer."""
    asked = ir.number_in(amount)
    if asked is None or choice.amount is None:
        return
    if asked < 0 or (choice.kind == "exactly" and asked != int(asked)):
        b.problem("E241", f"Nobody can choose {asked} of anything.", choice.amount.span)
    elif choice.kind == "exactly" and isinstance(source, ir.Listed):
        offered = (
            len({x.value for x in source.items if isinstance(x, ir.Constant)})
            if all(isinstance(x, ir.Constant) for x in source.items)
            else len(source.items)
        )
        if asked > offered:
            b.problem(
                "E241",
                f"Exactly {asked} are to be chosen, but only {offered} are offered: no answer is legal.",
                choice.span,
            )
