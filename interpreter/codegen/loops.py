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

# ruff: noqa: D102 (every operation of the rules is a method that is called in the same way, and named after it)

from __future__ import annotations

from dsl import ir
from dsl.ir import E, Routine
from dsl.text.source import Span
from interpreter.codegen.blocks import CodeBlock, Fork, TooHard, Value
from interpreter.codegen.loop_numbers import WholeParts
from interpreter.codegen.python_names import py
from interpreter.codegen.rounds import RoundEmitter
from interpreter.codegen.set_expressions import MOST_OF

TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
"""Comparisons, each with its mirror image."""


class LoopEmitter(RoundEmitter):
    """Writes the function of one aggregate. lines: its lines of text, each with its rule line."""

    def of_aggregate(self, e: ir.Aggregate) -> Value:
        if e.base.type.name != "set" or not isinstance(e.base, ir.MapOver | ir.Filter):
            depth = self.depth_of(e)
            held, self.wanted = self.wanted, depth
            of = e.base.type.of
            if e.which in MOST_OF and e.scale is not None and of is not None and not of.optional:
                text = f"{MOST_OF[e.which]}({self.emit(e.base)}, key=R_{py(e.scale)}.get, default=None)"
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
                there = "" if sure else f"{v.text} is not None and "
                self.put(f"if {there}({result} is None or R_{py(e.scale or '')}[{v.text}] {sign} {rank}):")
                self.put(f"    {result}, {rank} = {v.text}, R_{py(e.scale or '')}[{v.text}]")
            elif e.which in {"highest", "lowest"}:
                v = self.named(v)
                there = "" if sure else f"{v.text} is not None and "
                self.put(f"if {there}({result} is None or {v.text} {sign} {result}): {result} = {v.text}")
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

    def sum(self, e: ir.Aggregate) -> WholeParts:
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
        return WholeParts(Value(result, start.depth), of)

    def whole(self, routine: Routine) -> list[tuple[str, Span | None]]:
        """The lines of a function that computes a value with everything that it uses. Raises TooHard."""
        if not (self.is_countable(routine) and any(_sums(ir.value_of(s)) for s in routine.body)):
            return super().whole(routine)
        self.names = {p.name: Value("l_" + py(p.name), 0) for p in routine.params}
        self.stack.append(routine.name)
        made = self.in_parts(routine)
        return self.finished(Value(f"divide({made.value.text}, {made.of})", 0))

    def _start(self, result: str, shared: bool, first: str) -> CodeBlock:
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
        """An aggregate that does not depend on the item: a separate function, called as rarely as possible."""
        return self.owner.helper(e, self)

    def gathered(self, e: E) -> Value:
        """A set computed here, as a list."""
        if self.depth_of(e) < self.block.depth:
            return self.outside(e)
        result = self.fresh("r")
        start = self._start(result, True, "[]")

        self.each(e, lambda v: self.put(f"{result}.append({v.text})"))
        self.homes[result] = self.block
        return Value(result, start.depth)

    of_filter = of_map_over = gathered

    def of_quantified(self, e: ir.Quantified) -> Value:
        if self.depth_of(e) < self.block.depth:
            return self.outside(e)
        if e.quantifier == "most":
            raise TooHard
        return self.by_furthest(e.quantifier, e.base, e.variable, e.condition) or self.quantified(
            e.quantifier, e.base, e.variable, e.condition
        )

    def by_furthest(self, quantifier: str, base: E, variable: str, body: E) -> Value | None:
        """Whether every (or any) word of a set is above or below another: tested only with its highest or lowest.

        That one is found once, further out, if the set does not depend on the item.
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
            or self.owner.free(other, frozenset()) >= {variable}
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
        """A test of a set computed here; without a body, whether the set is not empty."""
        if body is None and self.depth_of(base) < self.block.depth:
            return self.outside(ir.IsThere(base, type=base.type))
        result = self.fresh("r")
        found, start = ("True", "False") if quantifier == "any" else ("False", "True")
        self.put(f"{result} = {start}")
        endings: list[tuple[CodeBlock, tuple[str, Span | None]]] = []

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
            arm = CodeBlock(parent, parent.depth)
            fork = Fork((f"not {text}" if quantifier == "every" else text, arm), span=self.span)
            parent.items.append(fork)
            with self.inside(parent, fork, arm):
                hit()

        if not self.each(base, test, shared=False):
            for block, line in endings:
                block.items.remove(line)
        self.homes[result] = self.block
        return Value(result, self.block.depth)


def _sums(part: object) -> bool:
    """Whether an expression itself contains a sum."""
    return any(x.which == "sum" for x in ir.find(part, ir.Aggregate))
