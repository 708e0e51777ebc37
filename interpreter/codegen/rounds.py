"""Emitting the iterations of a loop over a set: filters, unions, nested sets, and what is computed once for a run of items."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import evolve

from dsl import ir
from dsl.ir import E
from interpreter.codegen.blocks import FALSE, TRUE, CodeBlock, Deferred, Fork, Loop, Value
from interpreter.codegen.loop_numbers import NumberEmitter

__all__ = ["RoundEmitter", "is_option"]


def is_option(test: E) -> bool:
    """Whether a condition is about an option of the game, and so the same for every item."""
    return isinstance(test, ir.WordIs) and isinstance(test.subject, ir.OptionRead) and len(test.words) == 1


class RoundEmitter(NumberEmitter):
    """Writes loops over sets."""

    def each(
        self, e: E, then: Callable[[Value], None], *, shared: bool = True, take: Callable[[E], Value] | None = None
    ) -> bool:
        """Writes loops over a set, and in them what `then` writes for an item. Returns whether `break` leaves all loops.

        take: how to compute what is needed of each item, if not as an ordinary value.
        """
        match e:
            case ir.Filter(base=base, variable=variable, condition=test):
                if isinstance(test, ir.And) and is_option(test.items[0]):
                    rest = ir.without_first(test)
                    parent = self.block
                    arm = CodeBlock(parent, parent.depth)
                    fork = Fork((self.value(test.items[0]).text, arm), span=self.span)
                    parent.items.append(fork)
                    with self.inside(parent, fork, arm):
                        return self.each(evolve(e, condition=rest), then, shared=shared)

                def kept(v: Value) -> None:
                    held = self.names
                    self.names = {**held, variable: v}
                    self.where(test, lambda: then(v))
                    self.names = held

                return self.each(base, kept, shared=shared and not self.owner.free(test, frozenset({variable})))
            case ir.MapOver(base=base, variable=variable, body=body, flat=flat):
                simple = True

                def mapped(v: Value) -> None:
                    nonlocal simple
                    held = self.names
                    self.names = {**held, variable: v}
                    if flat:
                        self.each(body, then, shared=False)
                        simple = False
                    else:
                        then((take or self.value)(body))
                    self.names = held

                outer = self.each(
                    base, mapped, shared=shared and not flat and not self.owner.free(body, frozenset({variable}))
                )
                return outer and simple
            case ir.Call():
                one = self.in_place(e)
                if one is not None:
                    return self.each_of(one, then, shared=shared)
        source = self.value(e)
        of = e.type.of
        self.loop(source, then, shared=shared, sided=of is not None and of.name == "thing" and of.word != "side")
        return True

    def in_place(self, e: ir.Call) -> tuple[E, Any] | None:
        """The single set that a value gives here, with its names, so that it need not be gathered before iterating."""
        name, access, args = e.name, e.frame, e.arguments
        routine = self.owner.routine(name)
        if routine is None or access not in {None, "F"} or name in self.stack or self.owner.is_long(routine):
            return None
        cases = [s for s in routine.body if isinstance(s, ir.Start | ir.Case) and s.value.type.name == "set"]
        if len(cases) < len(routine.body) or not all(s.when for s in cases[:-1]):  # a line changes what others give
            return None
        held = self.names
        inner: dict[str, Value | Deferred] = {
            p.name: self.named(self.value(a)) for p, a in zip(routine.params, args, strict=True)
        }
        for s in cases:
            self.names = inner
            fact = self.value(s.when) if s.when is not None else TRUE
            self.names = held
            if fact == TRUE:
                return (s.value, inner) if len(cases) == 1 or isinstance(s, ir.Case) else None
            if fact != FALSE:
                return None
        return None

    def each_of(self, found: tuple[E, Any], then: Callable[[Value], None], *, shared: bool) -> bool:
        """The same over a set whose names differ from those in scope for an item."""
        outer, (e, inner) = self.names, found

        def back(v: Value) -> None:
            held, self.names = self.names, outer
            then(v)
            self.names = held

        self.names = inner
        left = self.each(e, back, shared=shared)
        self.names = outer
        return left

    def loop(self, source: Value, then: Callable[[Value], None], *, shared: bool, sided: bool) -> None:
        """A loop over what a text names, or the existing one over the same."""
        parent = self.block
        source = self.named(source)
        if shared and source.text in parent.loops:
            fork, body, item, before = parent.loops[source.text]
            held, self.before = self.before, before
            late = parent.again()
            with self.inside(parent, fork, body):
                then(item)
            self.before = held
            for text, value in late.items():
                if text not in parent.known:
                    parent.learn(text, value)
            return
        first = not parent.depth
        depth = 2 if first else parent.depth + 1
        name = self.fresh("i")
        body = CodeBlock(parent, depth, body=True)
        fork = Loop(name, source.text, body, span=self.span)
        item = Value(name, depth)
        parent.items.append(fork)
        held = self.before[:]
        if first:
            self._run(name, parent, fork, body, sided=sided)
        else:
            self.before.append(parent)
        self.homes[name] = body
        self.over[name] = self._origin(source.text)
        if shared:
            parent.loops[source.text] = (fork, body, item, self.before[:])
        with self.inside(parent, fork, body):
            then(item)
        self.before = held

    def _origin(self, name: str) -> str:
        """The text behind a name, if it was named before the loops."""
        return next((text for text, value in self.top.known.items() if value.text == name), name)

    def _run(self, name: str, parent: CodeBlock, fork: Loop, body: CodeBlock, *, sided: bool) -> None:
        """A block for what depends only on the item's side; it is computed again whenever the side changes."""
        run = CodeBlock(parent, 1)
        body.parent = run
        self.before.append(run)
        if not sided:
            return
        side, last = self.fresh("s"), self.fresh("s")
        first, turn = (f"{last} = UNSET", self.span), (f"{side} = {name}.side", self.span)
        change = Fork((f"{side} is not {last}", run), span=self.span)
        run.items.append((f"{last} = {side}", self.span))
        body.items += [turn, change]
        parent.before(fork, first)
        self.runs[name] = side
        self.homes[side] = run
        self.unused[side] = [(parent, first), (body, turn), (body, change)]
