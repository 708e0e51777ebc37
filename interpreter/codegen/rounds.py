"""Emitting the iterations of a loop over a set: filters, unions, nested sets, and what is computed once for a run of items."""

from __future__ import annotations

from collections.abc import Callable

from attrs import evolve

from dsl import ir
from dsl.ir import E
from interpreter.codegen.block_writing import Writer
from interpreter.codegen.blocks import FALSE, TRUE, CodeBlock, Fork, Loop, Names, Value
from interpreter.codegen.inline import value
from interpreter.codegen.steps_in_place import of_arguments, where

Written = Callable[[Value], None]
"""What is written for an item."""


def each(e: E, then: Written, w: Writer, *, shared: bool = True, take: Callable[[E, Writer], Value] = value) -> bool:
    """Writes loops over a set, and in them what `then` writes for an item. Returns whether `break` leaves all loops.

    take: how to compute what is needed of each item, if not as an ordinary value.
    """
    match e:
        case ir.Filter(base=base, variable=variable, condition=test):
            if isinstance(test, ir.And) and _is_option(test.items[0]):
                with w.branch(value(test.items[0], w).text):
                    return each(evolve(e, condition=ir.without_first(test)), then, w, shared=shared)

            def kept(v: Value) -> None:
                with w.scope({**w.names, variable: v}):
                    where(test, lambda: then(v), w)

            return each(base, kept, w, shared=shared and not w.owner.free(test, frozenset({variable})))
        case ir.MapOver(base=base, variable=variable, body=body, flat=flat):

            def mapped(v: Value) -> None:
                with w.scope({**w.names, variable: v}):
                    if flat:
                        each(body, then, w, shared=False)
                    else:
                        then(take(body, w))

            shared = shared and not flat and not w.owner.free(body, frozenset({variable}))
            return each(base, mapped, w, shared=shared) and not flat
        case ir.Call():
            one = _in_place(e, w)
            if one is not None:
                return _each_of(*one, then, w, shared=shared)
    source = value(e, w)
    of = e.type.of
    _loop(source, then, w, shared=shared, sided=of is not None and of.name == "thing" and of.word != "side")
    return True


def _is_option(test: E) -> bool:
    """Whether a condition is about an option of the game, and so the same for every item."""
    return isinstance(test, ir.WordIs) and isinstance(test.subject, ir.OptionRead) and len(test.words) == 1


def _in_place(e: ir.Call, w: Writer) -> tuple[E, Names] | None:
    """The single set that a value gives here, with its names, so that it need not be gathered before iterating."""
    routine = w.owner.routine(e.name)
    if routine is None or e.frame not in {None, "F"} or e.name in w.stack or w.owner.is_long(routine):
        return None
    cases = [s for s in routine.body if isinstance(s, ir.Start | ir.Case) and s.value.type.name == "set"]
    if len(cases) < len(routine.body) or not all(s.when for s in cases[:-1]):  # a line changes what others give
        return None
    inner = of_arguments(routine, [w.named(value(a, w)) for a in e.arguments])
    for s in cases:
        with w.scope(inner):
            fact = value(s.when, w) if s.when is not None else TRUE
        if fact == TRUE:
            return (s.value, inner) if len(cases) == 1 or isinstance(s, ir.Case) else None
        if fact != FALSE:
            return None
    return None


def _each_of(e: E, inner: Names, then: Written, w: Writer, *, shared: bool) -> bool:
    """The same over a set whose names differ from those in scope for an item."""
    outer = w.names

    def back(v: Value) -> None:
        with w.scope(outer):
            then(v)

    with w.scope(inner):
        return each(e, back, w, shared=shared)


def _loop(source: Value, then: Written, w: Writer, *, shared: bool, sided: bool) -> None:
    """A loop over what a text names, or the existing one over the same."""
    parent = w.block
    source = w.named(source)
    if shared and source.text in parent.loops:
        fork, body, item, before = parent.loops[source.text]
        held, w.before = w.before, before
        late = parent.again()
        with w.inside(fork, body):
            then(item)
        w.before = held
        for text, known in late.items():
            if text not in parent.known:
                parent.learn(text, known)
        return
    first = not parent.depth
    depth = 2 if first else parent.depth + 1
    name = w.fresh("i")
    body = CodeBlock(parent, depth, body=True)
    fork = Loop(name, source.text, body, span=w.span)
    item = Value(name, depth)
    parent.items.append(fork)
    held = w.before[:]
    if first:
        _run(name, fork, w, sided=sided)
    else:
        w.before.append(parent)
    w.homes[name] = body
    w.over[name] = _origin(source.text, w)
    if shared:
        parent.loops[source.text] = (fork, body, item, w.before[:])
    with w.inside(fork, body):
        then(item)
    w.before = held


def _origin(name: str, w: Writer) -> str:
    """The text behind a name, if it was named before the loops."""
    return next((text for text, known in w.top.known.items() if known.text == name), name)


def _run(name: str, fork: Loop, w: Writer, *, sided: bool) -> None:
    """A block for what depends only on the item's side; it is computed again whenever the side changes."""
    parent, body, run = w.block, fork.body, CodeBlock(w.block, 1)
    body.parent = run
    w.before.append(run)
    if not sided:
        return
    side, last = w.fresh("s"), w.fresh("s")
    first, turn = (f"{last} = UNSET", w.span), (f"{side} = {name}.side", w.span)
    change = Fork((f"{side} is not {last}", run), span=w.span)
    run.items.append((f"{last} = {side}", w.span))
    body.items += [turn, change]
    parent.before(fork, first)
    w.runs[name] = side
    w.homes[side] = run
    w.unused[side] = [(parent, first), (body, turn), (body, change)]
