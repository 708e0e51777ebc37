"""Emitting loops: an aggregate over a set as one Python function in which every value asked for is worked out in place.

`sum battle-strength of attackers` asks some dozen values of each unit, and those ask others. Emitted one by one they
would be calls upon calls that ask the same things again. Here one loop is written, and in it

* a value that depends on the item is worked out in its place, once for an item;
* what does not depend on the item is worked out once before the loop, or, where only some items need it, when the
  first of them does; what depends only on the item's side, once for each run of items of a side;
* aggregates over the same list within an item share one loop;
* tables are dicts within dicts, the keys that stay the same first.

Nothing here has to care about errors: values change nothing, so a loop that runs into one is done again by the plain
emitted values, which meet the same error at its own line (or none, if what failed was not really asked for).
"""

# ruff: noqa: D102 (every operation of the rules is a method that is called in the same way, and named after it)

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import evolve

from dsl import ir
from dsl.ir import E, Routine
from dsl.text.source import Span
from interpreter.codegen.blocks import FALSE, TRUE, Block, Deferred, Fork, Loop, TooHard, Value
from interpreter.codegen.expressions import py
from interpreter.codegen.numbers import NumberEmitter, Parts

TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
"""Comparisons, and what each is from the other side."""

FURTHEST = {"highest": "max", "lowest": "min"}
"""Which word of a set stands furthest on its scale, and the Python function that finds it where no word can be absent."""


def is_option(test: E) -> bool:
    """Whether a condition is about an option of the game, and so the same for every item."""
    return isinstance(test, ir.WordIs) and isinstance(test.subject, ir.OptionRead) and len(test.words) == 1


class LoopEmitter(NumberEmitter):
    """Writes the function of one aggregate. lines: its text, with the rule line of each."""

    # ---- loops
    def each(
        self, e: E, then: Callable[[Value], None], *, shared: bool = True, take: Callable[[E], Value] | None = None
    ) -> bool:
        """Writes loops over a set, and in them what `then` writes for an item. Answers whether `break` leaves it all.

        take: how what is asked of each item is worked out, if not as a value like others.
        """
        match e:
            case ir.Filter(base=base, variable=variable, condition=test):
                if isinstance(test, ir.And) and is_option(test.items[0]):
                    rest = ir.without_first(test)
                    parent = self.block
                    arm = Block(parent, parent.depth)
                    fork = Fork((self.value(test.items[0]).text, arm), span=self.span)
                    parent.items.append(fork)
                    with self.inside(parent, fork, arm):
                        return self.each(evolve(e, condition=rest), then, shared=shared)

                def kept(v: Value) -> None:
                    held = self.names
                    self.names = {**held, variable: v}
                    self.where(test, lambda: then(v))
                    self.names = held

                return self.each(base, kept, shared=shared and not self.free(test, frozenset({variable})))
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
                    base, mapped, shared=shared and not flat and not self.free(body, frozenset({variable}))
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
        """The one set that a value comes to here, with its names, so that it need not be gathered before it is gone through."""
        name, access, args = e.name, e.frame, e.arguments
        routine = self.owner.routine(name)
        if routine is None or access not in {None, "F"} or name in self.stack or self.owner.is_long(routine):
            return None
        held = self.names
        inner: dict[str, Value | Deferred] = {
            p.name: self.named(self.value(a)) for p, a in zip(routine.params, args, strict=True)
        }
        for s in routine.body:
            if not isinstance(s, ir.Start | ir.Case) or s.value.type.name != "set":
                return None
            self.names = inner
            fact = self.value(s.when) if s.when is not None else TRUE
            self.names = held
            if fact == TRUE:
                return (s.value, inner) if len(routine.body) == 1 or isinstance(s, ir.Case) else None
            if fact != FALSE:
                return None
        return None

    def each_of(self, found: tuple[E, Any], then: Callable[[Value], None], *, shared: bool) -> bool:
        """The same over a set whose names are others than those that hold for what is written for an item."""
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
        """A loop over what a text names, or the one over the same that is there already."""
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
        body = Block(parent, depth, body=True)
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
        """The text that a name was given to, if it was named before the loops."""
        return next((text for text, value in self.top.known.items() if value.text == name), name)

    def _run(self, name: str, parent: Block, fork: Loop, body: Block, *, sided: bool) -> None:
        """Room for what depends only on the item's side; it is worked out anew whenever the side changes."""
        run = Block(parent, 1)
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

    def of_aggregate(self, e: ir.Aggregate) -> Value:
        if e.base.type.name != "set" or not isinstance(e.base, ir.MapOver | ir.Filter):
            depth = self.depth_of(e)
            held, self.wanted = self.wanted, depth
            of = e.base.type.of
            if e.which in FURTHEST and e.scale is not None and of is not None and not of.optional:
                text = f"{FURTHEST[e.which]}({self.emit(e.base)}, key=R_{py(e.scale)}.get, default=None)"
            else:
                text = super().visit_aggregate(e)
            self.wanted = held
            return Value(text, depth)
        if self.depth_of(e) < self.block.depth:
            return self.outside(e)
        if self.is_sum(e):
            total = self.sum(e)
            name = total.value.text
            if total.of > 1:
                self.put(f"{name} = divide({name}, {total.of})")
            else:
                self.put(f"if type({name}) is not int: {name} = normal({name})")
            return total.value
        sure = not self._may_hold_none(e.base)
        result = self.fresh("r")
        shared = e.which in {"sum", "count"}
        start = self._start(
            result,
            shared,
            {"sum": "0", "count": "0"}.get(e.which, "None" if e.which in {"highest", "lowest"} else "[]"),
        )
        broken = self.fresh("r") if e.which == "sum" else ""
        if broken:
            self._start(broken, shared, "0")
        rank = self.fresh("r") if e.scale is not None and e.which in {"highest", "lowest"} else ""
        if rank:
            self.put(f"{rank} = 0")
        sign = ">" if e.which == "highest" else "<"

        def gather(v: Value) -> None:
            if e.which == "count":
                self.put(f"{result} += 1")
            elif e.which == "sum":
                v = self.named(v)
                self.put(f"if type({v.text}) is int: {result} += {v.text}")
                self.put(
                    f"else: {broken} = plus({broken}, {v.text})"
                    if sure
                    else f"elif {v.text} is not None: {broken} = plus({broken}, {v.text})"
                )
            elif e.which in {"highest", "lowest"} and rank:
                v = self.named(v) if v.depth >= self.block.depth else v
                self.put(
                    f"if {v.text} is not None and ({result} is None or R_{py(e.scale or '')}[{v.text}] {sign} {rank}):"
                )
                self.put(f"    {result}, {rank} = {v.text}, R_{py(e.scale or '')}[{v.text}]")
            elif e.which in {"highest", "lowest"}:
                v = self.named(v)
                self.put(
                    f"if {v.text} is not None and ({result} is None or {v.text} {sign} {result}): {result} = {v.text}"
                )
            else:
                self.put(f"{result}.append({v.text})")

        self.each(e.base, gather, shared=shared)
        start_depth = start.depth
        if broken:
            self.put(f"if {broken}: {result} = plus({result}, {broken})")
        self.homes[result] = self.block
        if e.which in {"sum", "count", "highest", "lowest"}:
            return Value(result, start_depth)
        return self.named(Value(self._aggregate_text(e.which, e.scale, result), start_depth))

    def is_sum(self, e: ir.Aggregate) -> bool:
        """Whether an aggregate is a sum that is gathered here: of numbers none of which can be absent."""
        which, arg = e.which, e.base
        return (
            which == "sum"
            and arg.type.name == "set"
            and isinstance(arg, ir.MapOver)
            and not arg.flat
            and self.depth_of(e) >= self.block.depth
            and not self._may_hold_none(arg)
        )

    def sum(self, e: ir.Aggregate) -> Parts:
        """A sum that is gathered here."""
        arg = e.base
        result = self.fresh("r")
        start = self._start(result, True, "0")
        of = 1

        def take(body: E) -> Value:
            nonlocal of
            made = self.amount(body)
            of = made.of
            return made.value

        def gather(v: Value) -> None:
            self.put(f"{result} += {self.near(v)}")

        self.each(arg, gather, take=take)
        self.homes[result] = self.block
        return Parts(Value(result, start.depth), of)

    def whole(self, routine: Routine) -> list[tuple[str, Span | None]]:
        """The lines of a function that works out a value with all that it asks. Raises TooHard."""
        if not (self.is_countable(routine) and any(_sums(ir.value_of(s)) for s in routine.body)):
            return super().whole(routine)
        self.names = {p.name: Value("l_" + py(p.name), 0) for p in routine.params}
        self.stack.append(routine.name)
        made = self.in_parts(routine)
        return self.finished(Value(f"divide({made.value.text}, {made.of})", 0))

    def _start(self, result: str, shared: bool, first: str) -> Block:
        """Sets a result's first value: before the loop that it will share, if there is one."""
        self.put(f"{result} = {first}")
        if shared and self.block.loops:
            line = self.block.items.pop()
            fork = next(iter(self.block.loops.values()))[0]
            self.block.before(fork, line)
        return self.block

    @staticmethod
    def _aggregate_text(which: str, scale: str | None, listed: str) -> str:
        if which == "count":
            return f"len({listed})"
        ranked = scale is not None and which not in {"first", "average", "sum"}
        return f"{which}_word({listed}, R_{py(scale or '')})" if ranked else f"{which}_of({listed})"

    def outside(self, e: E) -> Value:
        """An aggregate that does not depend on the item: a function of its own, asked as rarely as can be."""
        return self.owner.helper(e, self)

    def of_filter(self, e: ir.Filter) -> Value:
        return self.gathered(e)

    def of_map_over(self, e: ir.MapOver) -> Value:
        return self.gathered(e)

    def gathered(self, e: E) -> Value:
        """A set worked out here, as a list."""
        if self.depth_of(e) < self.block.depth:
            return self.outside(e)
        result = self.fresh("r")
        start = self._start(result, True, "[]")

        def add(v: Value) -> None:
            if id(e) in self.once:
                v = self.named(v) if v.depth >= self.block.depth else v
                self.put(f"if {v.text} not in {result}: {result}.append({v.text})")
            else:
                self.put(f"{result}.append({v.text})")

        self.each(e, add)
        self.homes[result] = self.block
        return Value(result, start.depth)

    def of_quantified(self, e: ir.Quantified) -> Value:
        if self.depth_of(e) < self.block.depth:
            return self.outside(e)
        if e.quantifier == "most":
            raise TooHard
        return self.by_furthest(e.quantifier, e.base, e.variable, e.condition) or self.quantified(
            e.quantifier, e.base, e.variable, e.condition
        )

    def by_furthest(self, quantifier: str, base: E, variable: str, body: E) -> Value | None:
        """Whether every (or any) word of a set stands above or below another: asked of its highest or lowest alone.

        That one is found once, further out, where the set does not depend on the item.
        """
        of = base.type.of
        if (
            not isinstance(body, ir.CompareWords)
            or quantifier not in {"every", "any"}
            or of is None
            or of.optional
            or self.depth_of(base) >= self.block.depth
        ):
            return None
        sign, scale, left, right = body.sign, body.scale, body.left, body.right
        turned = isinstance(right, ir.Local) and right.name == variable
        word, other = (right, left) if turned else (left, right)
        if (
            sign not in TURNED
            or not isinstance(word, ir.Local)
            or word.name != variable
            or self.free(other, frozenset()) >= {variable}
        ):
            return None
        sign = TURNED[sign] if turned else sign
        low = (sign in {">", ">="}) == (quantifier == "every")
        words = self.named(self.value(base)).text
        furthest, nothing = ("min", len(self.ruleset.enums[scale].words)) if low else ("max", -1)
        text = f"{furthest}(map(R_{py(scale)}.get, {words}), default={nothing})"
        found = self.named(Value(text, self.depth_of(base)))
        return self.joined("({} " + sign + " {})", found, self.rank(scale, other))

    def quantified(self, quantifier: str, base: E, variable: str, body: E | None) -> Value:
        """A test of a set worked out here; without a body, whether anything is in it."""
        if body is None and self.depth_of(base) < self.block.depth:
            return self.outside(ir.IsThere(base, type=base.type))
        result = self.fresh("r")
        found, start = ("True", "False") if quantifier == "any" else ("False", "True")
        self.put(f"{result} = {start}")
        endings: list[tuple[Block, tuple[str, Span | None]]] = []

        def test(v: Value) -> None:
            def hit() -> None:
                self.put(f"{result} = {found}")
                line = ("break", self.span)
                self.block.items.append(line)
                endings.append((self.block, line))

            if body is None:
                hit()
                return
            held = self.names
            self.names = {**held, variable: v}
            fact = self.value(body)
            self.names = held
            text = (self.named(fact) if fact.depth < self.block.depth else fact).text
            parent = self.block
            arm = Block(parent, parent.depth)
            fork = Fork((f"not {text}" if quantifier == "every" else text, arm), span=self.span)
            parent.items.append(fork)
            with self.inside(parent, fork, arm):
                hit()

        if not self.each(base, test, shared=False):
            for block, line in endings:
                block.items.remove(line)
        self.homes[result] = self.block
        return Value(result, self.block.depth)

    # ---- the whole
    def function(self, e: E) -> list[tuple[str, Span | None]]:
        """The lines of the function that answers an expression, without its head."""
        made = self.value(e)
        return self.finished(made)


def _sums(part: object) -> bool:
    """Whether something is added up in an expression itself."""
    return any(x.which == "sum" for x in ir.find(part, ir.Aggregate))
