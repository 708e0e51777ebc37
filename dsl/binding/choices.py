"""Binding questions: who chooses what from which candidates, and what is split among whom."""

from __future__ import annotations

from dsl import ir
from dsl.binding.absent import set_of_one, surely
from dsl.binding.context import Binder, Site, enacts
from dsl.binding.scope import Scope, framed
from dsl.binding.targets import declare, each_in, each_side, some_side
from dsl.ir import ERROR, MARK, NOTHING, NUMBER, SIDE, TEXT, E, S, Type, set_of
from dsl.rules.ruleset import EnumInfo
from dsl.syntax import body_lines as ln
from dsl.syntax import syntax_tree as t

MANY = frozenset({"some", "up_to", "exactly"})
"""The choices whose answer is a set."""

Offered = tuple[E | None, E | None, Type]
"""The candidates of a choice, its amount, and the type of what is chosen."""


@enacts(ln.Choose)
def choose(b: Binder, line: ln.Choose, site: Site) -> list[S]:
    """`S chooses …`."""
    _words_type(b, line, site.routine.name)
    who = some_side(b, line.who, site.scope)
    inner = site.scope.inner(whose=who)
    source, amount, type_ = _words_of_enum(b, line.choice) or _choice_of(b, line.choice, inner)
    kind = line.choice.kind
    declare(b, site.routine, line.name, _kept(kind, type_, sure=line.when is None), line.span)
    such = b.condition(line.such_that.condition, inner) if line.such_that is not None else None
    reason = line.such_that.because if line.such_that is not None else None
    return [ir.Choose(site.head, who=who, name=line.name, kind=kind, source=source, amount=amount, such_that=such, reason=reason, secret=line.secretly, many=kind in MANY, title=line.title)]  # fmt: skip


def _kept(kind: str, type_: Type, *, sure: bool) -> Type:
    """The type of the name under which an answer is stored. sure: whether the question is always asked."""
    if kind == "split":
        return Type("map", "", NUMBER)
    if kind in MANY:
        return set_of(type_)
    if kind == "words" and type_ is MARK:
        return MARK
    return type_ if sure else type_.maybe()


@enacts(ln.EachChooses)
def each_chooses(b: Binder, line: ln.EachChooses, site: Site) -> list[S]:
    """`each side chooses …`, `each of S chooses …`."""
    _words_type(b, line, site.routine.name)
    over = each_in(b, line.over, site.scope) if line.over is not None else each_side(b, line, "chooses")
    inner_type = (over.type.of or NOTHING) if over.type.name == "set" else NOTHING
    declare(b, site.routine, line.item, inner_type, line.span)
    item = framed("F", line.item, inner_type)
    inner = site.scope.inner(whose=item if inner_type.same(SIDE) else ir.SideOf(item))
    source, amount, type_ = _choice_of(b, line.choice, inner)
    if line.choice.kind == "split":
        hint = "Write `SIDE chooses shares: a split of N among S`, or let each choose `a number up to N`."
        message = "A split is chosen by one side for many things, not by each of them."
        b.problem("E250", message, line.choice.span, hint)
    kept = Type("map", "", set_of(type_) if line.choice.kind in MANY else type_)
    declare(b, site.routine, line.name, kept, line.span)
    such = b.condition(line.such_that.condition, inner) if line.such_that is not None else None
    reason = line.such_that.because if line.such_that is not None else None
    return [ir.EachChooses(site.head, item=line.item, over=over, name=line.name, kind=line.choice.kind, source=source, amount=amount, such_that=such, reason=reason, secret=line.secretly, sides=inner_type.same(SIDE), title=line.title)]  # fmt: skip


def _words_said(choice: ln.Choice) -> list[str]:
    """The candidates that are plain words."""
    return [w.word for w in choice.words if isinstance(w, t.Name)]


def _words_type(b: Binder, line: ln.Choose | ln.EachChooses, owner: str) -> None:
    """Words that are used only in a choice become the words of an enum of their own."""
    if line.choice.kind != "words":
        return
    words = tuple(_words_said(line.choice))
    if words in {("yes", "no"), ("no", "yes")} or len(words) != len(line.choice.words):
        return
    homes = [e for e in b.ruleset.enums.values() if set(words) <= set(e.words)]
    if homes:
        return
    name = f"{owner}.{line.name}"
    b.ruleset.enums[name] = EnumInfo(name, words, False, {})
    for word in words:
        b.ruleset.terms.setdefault(word, []).append(name)


def _words_of_enum(b: Binder, choice: ln.Choice) -> Offered | None:
    """A choice among words of one enum, whatever else they mean; None for any other choice."""
    words = _words_said(choice)
    if choice.kind != "words" or not words or {"yes", "no"} & set(words):
        return None
    home = next((e.name for e in b.ruleset.enums.values() if set(words) <= set(e.words)), None)
    if home is None:
        return None
    type_ = Type("enum", home)
    return ir.Listed(tuple(ir.Constant(w, type=type_) for w in words), type=set_of(type_)), None, type_


def _choice_of(b: Binder, choice: ln.Choice, scope: Scope) -> Offered:
    """The candidates, the amount, and the type of what is chosen."""
    if choice.kind == "words":
        return _among_words(b, choice, scope)
    if choice.kind == "number":
        assert choice.amount is not None
        return None, b.number(choice.amount, scope), NUMBER
    if choice.kind == "split":
        return _split_among(b, choice, scope)
    return _among_things(b, choice, scope)


def _among_words(b: Binder, choice: ln.Choice, scope: Scope) -> Offered:
    """`yes or no`, `a, b or c`: the meaning of each word; texts if one of them has none."""
    items = tuple(b.expr(w, scope) for w in choice.words)
    if any(i is ERROR for i in items):
        words = tuple(ir.Constant(w, type=TEXT) for w in _words_said(choice))
        return ir.Listed(words, type=set_of(TEXT)), None, TEXT
    return ir.Listed(items, type=set_of(items[0].type), span=choice.span), None, items[0].type


def _among_things(b: Binder, choice: ln.Choice, scope: Scope) -> Offered:
    """`one of S`, `up to N of S`, `some of S`."""
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
        b.problem("E214", f"A choice needs a list to choose from, but this is {source.type}.", choice.source.span)
        return ERROR, amount, NOTHING
    return source, amount, (source.type.of or NOTHING)


def _split_among(b: Binder, choice: ln.Choice, scope: Scope) -> Offered:
    """The things among which a number is split, and the number."""
    assert choice.source is not None
    assert choice.amount is not None
    source, amount = b.expr(choice.source, scope), b.number(choice.amount, scope)
    shared = ir.number_in(amount)
    if shared is not None and (shared < 0 or shared != int(shared)):
        b.problem("E241", f"It is not possible to split {shared} into whole shares.", choice.amount.span)
    if source is ERROR:
        return ERROR, amount, NUMBER
    if source.type.name != "set" or source.type.of is None or source.type.of.name != "thing":
        b.problem("E214", f"A split needs a list of things, but this is {source.type}.", choice.source.span)
        return ERROR, amount, NUMBER
    return source, amount, NUMBER


def _possible_choice(b: Binder, choice: ln.Choice, source: E, amount: E) -> None:
    """Reports a question that obviously has no legal answer."""
    asked = ir.number_in(amount)
    if asked is None or choice.amount is None:
        return
    if asked < 0 or (choice.kind == "exactly" and asked != int(asked)):
        b.problem("E241", f"The number to choose cannot be {asked}.", choice.amount.span)
    elif choice.kind == "exactly" and isinstance(source, ir.Listed):
        known = all(isinstance(x, ir.Constant) for x in source.items)
        different = {x.value for x in source.items if isinstance(x, ir.Constant)}
        offered = len(different) if known else len(source.items)
        if asked > offered:
            message = f"No answer is legal: the choice asks for exactly {asked} but offers only {offered}."
            b.problem("E241", message, choice.span)
