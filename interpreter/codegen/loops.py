"""Emitting loops: an aggregate over a set as one Python function in which every value is computed in place.

`sum battle-strength of attackers` uses some dozen values of each unit, and those use others. Emitted one by one they
would be nested calls that compute the same things again. Instead one loop is written, and in it

* a value that depends on the item is computed in place, once for an item;
* what does not depend on the item is computed once before the loop, or, if only some items need it, when the
  first of them does; what depends only on the item's side, once for each run of items of a side;
* aggregates over the same list within an item share one loop;
* tables are nested dicts, with the keys that stay the same first.

Nothing here has to handle errors. Values change nothing, so a loop that meets an error is repeated by the plain
emitted values, which meet the same error at its own line (or none, if the failing value was not really needed).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from dsl import ir
from dsl.ir import E, Routine
from dsl.text.source import Span
from interpreter.codegen import values_in_place
from interpreter.codegen.block_writing import Writer
from interpreter.codegen.blocks import CodeBlock, TooHard, Value
from interpreter.codegen.inline import as_elsewhere, in_place, is_direct, local, rank, value
from interpreter.codegen.loop_numbers import WholeParts, amount
from interpreter.codegen.loop_owner import LoopOwner
from interpreter.codegen.python_names import py
from interpreter.codegen.rounds import each
from interpreter.codegen.set_expressions import MOST_OF

TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
"""Comparisons, each with its mirror image."""


def loop(e: E, names: tuple[str, ...], owner: LoopOwner) -> list[tuple[str, Span | None]]:
    """The lines of a function that computes an aggregate or a test of a set, of these arguments. Raises TooHard."""
    w = Writer(owner, names)
    return values_in_place.finished(value(e, w), w)


def whole(routine: Routine, owner: LoopOwner) -> list[tuple[str, Span | None]]:
    """The lines of a function that computes a value with everything that it uses. Raises TooHard."""
    return values_in_place.whole(routine, Writer(owner, ()))


def _outside(e: E, w: Writer) -> Value:
    """What does not depend on the item: a separate function, called as rarely as possible."""
    call = w.owner.helper(e)
    return w.joined(call.text(*["{}"] * len(call.names)), *(local(n, w) for n in call.names))


# ---- aggregates
@value.register
def _(e: ir.Aggregate, w: Writer) -> Value:
    if e.base.type.name != "set" or not isinstance(e.base, ir.MapOver | ir.Filter):
        of = e.base.type.of
        if e.which not in MOST_OF or e.scale is None or of is None or of.optional:
            return as_elsewhere(e, w)
        depth = w.depth_of(e)
        listed = in_place(w, depth).emit(e.base)
        return Value(f"{MOST_OF[e.which]}({listed}, key=R_{py(e.scale)}.get, default=None)", depth)
    if w.depth_of(e) < w.block.depth:
        return _outside(e, w)
    if not _is_sum(e, w):
        return _gathered(e, w)
    total = _sum(e, w)
    name = total.value.text
    if total.of > 1:
        w.put(f"{name} = divide({name}, {total.of})")
    else:
        w.put(f"if type({name}) is not int: {name} = normal({name})")
    return total.value


@amount.register
def _(e: ir.Aggregate, w: Writer) -> WholeParts:
    return _sum(e, w) if _is_sum(e, w) else WholeParts(value(e, w), 1, sure=False)


def _is_sum(e: ir.Aggregate, w: Writer) -> bool:
    """Whether an aggregate is a sum that is gathered here: of numbers none of which can be absent."""
    whole = isinstance(e.base, ir.MapOver) and not e.base.flat and not _may_hold_none(e.base)
    return e.which == "sum" and e.base.type.name == "set" and whole and w.depth_of(e) >= w.block.depth


def _sum(e: ir.Aggregate, w: Writer) -> WholeParts:
    """A sum that is gathered here."""
    result = _started("0", w)
    of = 1

    def take(body: E, w: Writer) -> Value:
        nonlocal of
        made = amount(body, w)
        of = made.of
        return made.value

    each(e.base, lambda v: w.put(f"{result} += {w.near(v)}"), w, take=take)
    w.homes[result] = w.block
    return WholeParts(Value(result, w.block.depth), of)


def _gathered(e: ir.Aggregate, w: Writer) -> Value:
    """Another aggregate that is gathered here."""
    maybe = _may_hold_none(e.base)
    shared = e.which in {"sum", "count"}
    furthest = e.which in {"highest", "lowest"}
    result = _started("0" if shared else "None" if furthest else "[]", w, shared=shared)
    broken = _started("0", w) if e.which == "sum" else ""
    place = _started("0", w, shared=False) if e.scale is not None and furthest else ""
    sign = ">" if e.which == "highest" else "<"

    def gather(v: Value) -> None:
        if e.which == "count":
            w.put(f"{result} += 1")
        elif e.which == "sum":
            v = w.named(v)
            w.put(f"if type({v.text}) is int: {result} += {v.text}")
            w.put(f"{f'elif {v.text} is not None' if maybe else 'else'}: {broken} = plus({broken}, {v.text})")
        elif furthest:
            v = w.named(v) if v.depth >= w.block.depth or not place else v
            there = f"{v.text} is not None and " if maybe else ""
            if place:
                ranked = f"R_{py(e.scale or '')}[{v.text}]"
                w.put(f"if {there}({result} is None or {ranked} {sign} {place}):")
                w.put(f"    {result}, {place} = {v.text}, {ranked}")
            else:
                w.put(f"if {there}({result} is None or {v.text} {sign} {result}): {result} = {v.text}")
        else:
            w.put(f"{result}.append({v.text})")

    each(e.base, gather, w, shared=shared)
    if broken:
        w.put(f"if {broken}: {result} = plus({result}, {broken})")
    w.homes[result] = w.block
    if shared or furthest:
        return Value(result, w.block.depth)
    return w.named(Value(aggregate_text(e.which, e.scale, result), w.block.depth))


def aggregate_text(which: str, scale: str | None, listed: str) -> str:
    """An aggregate of a list."""
    ranked = scale is not None and which not in {"first", "average"}
    return f"{which}_word({listed}, R_{py(scale or '')})" if ranked else f"{which}_of({listed})"


def _may_hold_none(e: E) -> bool:
    """Whether what is gathered may be absent for an item."""
    return isinstance(e, ir.MapOver) and e.body.type.optional


def _started(first: str, w: Writer, *, shared: bool = True) -> str:
    """A new result with its first value: set before the loop that it will share, if there is one."""
    result = w.fresh("r")
    w.put(f"{result} = {first}")
    if shared and w.block.loops:
        line = w.block.items.pop()
        fork = next(iter(w.block.loops.values()))[0]
        w.block.before(fork, line)
    return result


# ---- sets
@value.register(ir.Filter)
@value.register(ir.MapOver)
def _(e: ir.Filter | ir.MapOver, w: Writer) -> Value:
    if w.depth_of(e) < w.block.depth:
        return _outside(e, w)
    result = _started("[]", w)
    each(e, lambda v: w.put(f"{result}.append({v.text})"), w)
    w.homes[result] = w.block
    return Value(result, w.block.depth)


@value.register
def _(e: ir.IsThere, w: Writer) -> Value:
    inner = e.value
    if isinstance(inner, ir.HolderOf) and is_direct(inner, w) and not inner.held.type.optional:
        return w.joined("({} is not None)", w.attribute(value(inner.held, w), "holder"))
    if inner.type.name != "set":
        return w.joined("({} is not None)", value(inner, w))
    if not isinstance(inner, ir.Filter | ir.MapOver):
        return w.joined("bool({})", value(inner, w))
    if w.depth_of(inner) < w.block.depth:
        return _outside(ir.IsThere(inner, type=inner.type), w)
    return _tested("any", inner, lambda hit, _: hit(), w)


@value.register
def _(e: ir.Quantified, w: Writer) -> Value:
    if w.depth_of(e) < w.block.depth:
        return _outside(e, w)
    if e.quantifier == "most":
        raise TooHard

    def test(hit: Callable[[], None], v: Value) -> None:
        with w.scope({**w.names, e.variable: v}):
            fact = value(e.condition, w)
        text = w.near(fact)
        with w.branch(f"not {text}" if e.quantifier == "every" else text):
            hit()

    return _by_furthest(e, w) or _tested(e.quantifier, e.base, test, w)


def _tested(quantifier: str, base: E, test: Callable[[Callable[[], None], Value], None], w: Writer) -> Value:
    """A test of a set computed here. test: writes the test of an item, and after it what it is given, if the item decides it."""
    result = w.fresh("r")
    found, start = ("True", "False") if quantifier == "any" else ("False", "True")
    w.put(f"{result} = {start}")
    endings: list[tuple[CodeBlock, tuple[str, Span | None]]] = []

    def hit() -> None:
        w.put(f"{result} = {found}")
        line = ("break", w.span)
        w.block.items.append(line)
        endings.append((w.block, line))

    if not each(base, partial(test, hit), w, shared=False):
        for block, line in endings:
            block.items.remove(line)
    w.homes[result] = w.block
    return Value(result, w.block.depth)


def _by_furthest(e: ir.Quantified, w: Writer) -> Value | None:
    """Whether every (or any) word of a set is above or below another: tested only with its highest or lowest.

    That one is found once, further out, if the set does not depend on the item.
    """
    test, of = e.condition, e.base.type.of
    if not isinstance(test, ir.CompareWords) or e.quantifier not in {"every", "any"} or test.sign not in TURNED:
        return None
    turned = isinstance(test.right, ir.Local) and test.right.name == e.variable
    word, other = (test.right, test.left) if turned else (test.left, test.right)
    if (
        of is None
        or of.optional
        or w.depth_of(e.base) >= w.block.depth
        or not isinstance(word, ir.Local)
        or word.name != e.variable
        or e.variable in w.owner.free(other, frozenset())
    ):
        return None
    sign = TURNED[test.sign] if turned else test.sign
    low = (sign in {">", ">="}) == (e.quantifier == "every")
    words = w.named(value(e.base, w)).text
    furthest, nothing = ("min", len(w.owner.ruleset.enums[test.scale].words)) if low else ("max", -1)
    text = f"{furthest}(map(R_{py(test.scale)}.get, {words}), default={nothing})"
    found = w.named(Value(text, w.depth_of(e.base)))
    return w.joined("({} " + sign + " {})", found, rank(test.scale, other, w))
