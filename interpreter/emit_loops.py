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

# ruff: noqa: ARG002, D102 (every operation of the binder is a method that is called in the same way, and named after it)

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from dsl.ir import E, Routine, S
from dsl.notation import attribute
from dsl.source import Span
from interpreter.emit_expressions import ExpressionEmitter, py

if TYPE_CHECKING:
    from interpreter.emit import Emitter

MOST_LINES = 900
"""A loop that has grown to so many lines calls further values instead of working them out in place."""

MOST_SLIGHT = 40
"""What a value may weigh that a loop works out for every item, whether or not it turns out to be needed."""

MOST_NESTED = 14
"""So many values are worked out one within the other."""

LOOPS = frozenset({"aggregate", "quantified", "filter", "map"})
BARE = re.compile(r"\w+|'[^'\\]*'")
LAZY = re.compile(r"\bz\d+\b")
FRAME = re.compile(r"[FW]\.\w+")


class Value(NamedTuple):
    """Python text for a value, and the depth of the innermost loop that it depends on."""

    text: str
    depth: int


TRUE, FALSE, NONE = Value("True", 0), Value("False", 0), Value("None", 0)


class Block:
    """Lines of Python that run one after the other. known: what has been worked out here, by its text."""

    def __init__(self, parent: Block | None, depth: int, *, body: bool = False) -> None:
        self.items: list[Any] = []
        self.parent = parent
        self.depth = depth
        self.body = body
        self.known: dict[str, Value] = {}
        self.loops: dict[str, tuple[Fork, Block, Value, list[Block]]] = {}
        self.open: Fork | Block | None = None

    def insert(self, item: Any) -> None:
        """Adds a line before whatever is being written inside this block."""
        if self.open is None:
            self.items.append(item)
        else:
            self.items.insert(next(i for i, x in enumerate(self.items) if x is self.open), item)

    def before(self, fork: Fork, item: Any) -> None:
        """Adds a line before a compound statement of this block."""
        self.items.insert(next(i for i, x in enumerate(self.items) if x is fork), item)


class Fork:
    """A compound statement: heads, each with its block."""

    def __init__(self, *arms: tuple[str, Block], span: Span | None) -> None:
        self.arms = list(arms)
        self.span = span


class LoopEmitter(ExpressionEmitter):
    """Writes the function of one aggregate. lines: its text, with the rule line of each."""

    def __init__(self, owner: Emitter, arguments: tuple[str, ...]) -> None:
        super().__init__(owner.ruleset, owner.tables)
        self.owner = owner
        self.span: Span | None = owner.span
        self.top = Block(None, 0)
        self.block = self.top
        self.names: dict[str, Value] = {a: Value("l_" + py(a), 0) for a in arguments}
        self.homes: dict[str, Block] = {"l_" + py(a): self.top for a in arguments}
        self.before: list[Block] = [self.top]
        self.lazy: dict[tuple[int, str], str] = {}
        self.stack: list[str] = []
        self.number = 0
        self.written = 0
        self.runs: dict[str, str] = {}
        self.over: dict[str, str] = {}
        self.unused: dict[str, list[tuple[Block, Any]]] = {}
        self.early = False
        self.asked_at: dict[str, int] = {}
        self.stepped: Fork | None = None
        self.wanted = 0

    # ---- writing
    def fresh(self, stem: str = "t") -> str:
        """A name that nothing else in this function has."""
        self.number += 1
        return f"{stem}{self.number}"

    def put(self, text: str) -> None:
        """Writes a line."""
        self.written += 1
        self.block.items.append((text, self.span))

    @contextlib.contextmanager
    def inside(self, parent: Block, fork: Fork, block: Block) -> Iterator[None]:
        """What is written meanwhile goes into an arm of a compound statement."""
        held, opened = self.block, parent.open
        parent.open, self.block = fork, block
        try:
            yield
        finally:
            parent.open, self.block = opened, held

    @contextlib.contextmanager
    def nowhere(self) -> Iterator[None]:
        """What is written here can never run, and is left out."""
        held, self.block = self.block, Block(self.block, self.block.depth)
        try:
            yield
        finally:
            self.block = held

    def find(self, text: str) -> Value | None:
        """What has been worked out already where this line stands."""
        block: Block | None = self.block
        while block is not None:
            if text in block.known:
                return block.known[text]
            block = block.parent
        return None

    def named(self, value: Value, *, key: str | None = None) -> Value:
        """A name for a value, worked out here, or further out if it depends on less."""
        text, depth = value
        if BARE.fullmatch(text):
            return value
        found = self.find(key or text)
        if found is not None:
            return found
        if depth >= self.block.depth:
            name = self.fresh()
            self.put(f"{name} = {text}")
            self.homes[name] = self.block
            made = Value(name, depth)
            self.block.known[key or text] = made
            return made
        home = self.before[depth]
        if self.block.body and self.block.depth <= self.at_home(depth) and not LAZY.search(text):
            name = self.fresh()
            self.written += 1
            home.insert((f"{name} = {text}", self.span))
            self.homes[name] = home
            made = home.known[text] = Value(name, depth)
            return made
        if FRAME.fullmatch(text):
            return value
        lazy = self.lazy.get((id(home), text))
        if lazy is None:
            lazy = self.lazy[id(home), text] = self.fresh("z")
            home.insert((f"{lazy} = UNSET", self.span))
        self.put(f"if {lazy} is UNSET: {lazy} = {text}")
        self.homes[lazy] = self.block
        made = self.block.known[text] = Value(lazy, depth)
        return made

    @staticmethod
    def at_home(depth: int) -> int:
        """The depth of the loop before which values of a depth are worked out: sides' runs belong to the first loop."""
        return 2 if depth < 2 else depth + 1

    def joined(self, template: str, *values: Value) -> Value:
        """A text made of others; those that depend on less than the whole are named further out."""
        depth = max((v.depth for v in values), default=0)
        return Value(template.format(*(self.named(v).text if v.depth < depth else v.text for v in values)), depth)

    def attribute(self, holder: Value, slot: str, *, maybe: bool = False) -> Value:
        """An attribute of a named thing, read where the thing was named."""
        holder = self.named(holder)
        text = f"None if {holder.text} is None else {holder.text}.{slot}" if maybe else f"{holder.text}.{slot}"
        found = self.find(text)
        if found is not None:
            return found
        home = self.homes.get(holder.text)
        if home is None or maybe:
            return self.named(Value(f"({text})" if maybe else text, holder.depth), key=text)
        name = self.fresh()
        self.written += 1
        home.insert((f"{name} = {text}", self.span))
        self.homes[name] = home
        made = home.known[text] = Value(name, holder.depth)
        return made

    # ---- what an expression depends on
    def depth_of(self, e: Any) -> int:
        """The depth of the innermost loop that an expression depends on."""
        if isinstance(e, E):
            if e.op == "local":
                known = self.names.get(e.args[0])
                return known.depth if known is not None else 0
            if e.op == "side_of" and isinstance(e.args[0], E) and e.args[0].op == "local":
                known = self.names.get(e.args[0].args[0])
                if known is not None and known.text in self.runs:
                    return 1
            return max((self.depth_of(a) for a in e.args), default=0)
        if isinstance(e, tuple | list):
            return max((self.depth_of(a) for a in e), default=0)
        return 0

    def free(self, e: Any, bound: frozenset[str]) -> set[str]:
        """The names that an expression takes from around it."""
        return self.owner.free(e, bound)

    # ---- expressions
    def emit(self, e: E) -> str:
        """For the operations that are written as everywhere else: their parts, named where they depend on less."""
        made = self.value(e)
        return (self.named(made) if made.depth < self.wanted else made).text

    def value(self, e: E) -> Value:
        """An expression as Python text, after the lines that it needs."""
        method = getattr(self, "of_" + e.op, None)
        if method is not None:
            made: Value = method(e, *e.args)
            return made
        depth = self.depth_of(e)
        held, self.wanted = self.wanted, depth
        text = super().emit(e)
        self.wanted = held
        return Value(text, depth)

    def of_const(self, e: E, value: Any) -> Value:
        return Value(self.owner.exact(value) if isinstance(value, Fraction) else repr(value), 0)

    def of_local(self, e: E, name: str) -> Value:
        if name not in self.names:
            raise TooHard
        return self.names[name]

    def of_frame_map(self, e: E, access: str, name: str, key: E) -> Value:
        return self.named(self.joined("{}[{}]", Value(f"{access}.n_{py(name)}", 0), self.value(key)))

    def of_option(self, e: E, name: str, terms: tuple[str, ...]) -> Value:
        return Value(self.owner.option(name), 0)

    def of_field(self, e: E, holder: E, name: str) -> Value:
        slot = "name" if name == "name" and holder.type.name == "thing" else attribute(name)
        if holder.op == "holder" and self._direct(holder):
            return self.attribute(self.attribute(self.value(holder.args[0]), "holder"), slot)
        return self.attribute(self.value(holder), slot, maybe=holder.type.optional)

    def _direct(self, holder: E) -> bool:
        """Whether a holder is always the one that directly holds."""
        kind = self.ruleset.kinds.get(holder.args[0].type.word)
        return kind is not None and kind.holder == holder.args[1]

    def of_side_of(self, e: E, holder: E) -> Value:
        held = self.value(holder)
        if held.text in self.runs:
            self.unused.pop(self.runs[held.text], None)
            return Value(self.runs[held.text], 1)
        return self.attribute(held, "side")

    def of_place_of(self, e: E, holder: E) -> Value:
        return self.attribute(self.value(holder), "place")

    def of_foe(self, e: E, side: E) -> Value:
        return self.called("W.foe({})", self.value(side))

    def called(self, template: str, *values: Value) -> Value:
        """A text that calls something: named at once, so that it is called once."""
        made = self.joined(template, *values)
        return self.named(made) if made.depth >= self.block.depth else made

    def of_else(self, e: E, value: E, other: E) -> Value:
        first = self.named(self.value(value))
        return self.joined("({0} if {1} is None else {1})", self.value(other), first)

    def of_arithmetic(self, e: E, op: str, a: E, b: E) -> Value:
        left, right = self.value(a), self.value(b)
        if op in {"+", "-"}:
            return self.joined("({} " + op + " {})", left, right)
        if op == "*":
            return self.joined("times({}, {})", left, right)
        return self.joined("divide({}, {})" if op == "/" else "divide({} * {}, 100)", left, right)

    def of_steps(self, e: E, scale: str, a: E, b: E) -> Value:
        return self.joined("({} - {})", self.rank(scale, b), self.rank(scale, a))

    def rank(self, scale: str, e: E) -> Value:
        """A word's place on its scale."""
        return self.joined("R_" + py(scale) + "[{}]", self.value(e))

    def of_compare_words(self, e: E, op: str, scale: str, a: E, b: E) -> Value:
        return self.joined("({} " + op + " {})", self.rank(scale, a), self.rank(scale, b))

    def of_lookup(self, e: E, name: str, keys: tuple[E, ...]) -> Value:
        table = self.tables[name]
        if table.hit not in {"exactly one row", "first row"} or table.entries() is None:
            depth = self.depth_of(e)
            held, self.wanted = self.wanted, depth
            text = super()._lookup(e, name, keys)
            self.wanted = held
            return Value(text, depth)
        return self.nest(e, name, keys, -1)

    def of_column(self, e: E, row: E, index: int) -> Value:
        if row.op == "lookup":
            table = self.tables[row.args[0]]
            if table.hit in {"exactly one row", "first row"} and table.entries() is not None:
                return self.nest(row, row.args[0], row.args[1], index)
        return self.called(f"{{}}[{index}]", self.value(row))

    def nest(self, e: E, name: str, keys: tuple[E, ...], column: int) -> Value:
        """A table looked up key by key, those that depend on least first."""
        table = self.tables[name]
        parts = []
        for key, given in zip(table.keys, keys, strict=True):
            value = self.value(given)
            if key.type.name == "number":
                if key.rounded:
                    value = self.joined(f"round_{key.rounded}({{}})", value)
                if key.low is not None:
                    value = self.joined(f"kept({{}}, {key.low!r}, {key.high!r})", value)
            elif key.low is not None and key.type.name == "enum":
                value = self.joined(f"kept_word({{}}, R_{py(key.type.word)}, {key.low!r}, {key.high!r})", value)
            parts.append(value)
        order = tuple(sorted(range(len(parts)), key=lambda i: (parts[i].depth, i)))
        found = Value(self.owner.nested(name, column, order), 0)
        for i in order:
            found = self.joined("{}[{}]", found, parts[i])
        return self.named(found) if found.depth >= self.block.depth else found

    # ---- conditions
    def of_not(self, e: E, item: E) -> Value:
        value = self.value(item)
        if value.text in {"True", "False"}:
            return FALSE if value == TRUE else TRUE
        if item.op in {"there", "absent", "word_is", "word_of", "equal"}:
            for sign, other in (
                (" is not ", " is "),
                (" is ", " is not "),
                (" == ", " != "),
                (" not in ", " in "),
                (" in ", " not in "),
            ):
                if value.text.startswith("(") and value.text.count(sign) == 1:
                    return Value(value.text.replace(sign, other), value.depth)
        return Value(f"(not {value.text})", value.depth)

    def of_or(self, e: E, *items: E) -> Value:
        return self.either(items, "or", TRUE, FALSE)

    def of_and(self, e: E, *items: E) -> Value:
        return self.either(items, "and", FALSE, TRUE)

    def either(self, items: tuple[E, ...], word: str, decided: Value, neutral: Value) -> Value:
        """Conditions one after the other; those that need lines of their own only when it comes to them."""
        first = self.asked(self.value(items[0]))
        if len(items) == 1 or first == decided:
            return first
        if first == neutral:
            return self.either(items[1:], word, decided, neutral)
        arm = Block(self.block, self.block.depth)
        name = self.fresh("c")
        fork = Fork((f"if {name}:" if word == "and" else f"if not {name}:", arm), span=self.span)
        parent = self.block
        parent.items.append(fork)
        with self.inside(parent, fork, arm):
            rest = self.asked(self.either(items[1:], word, decided, neutral))
        if not arm.items:
            parent.items.remove(fork)
            if rest == neutral:
                return first
            return Value(f"({first.text} {word} {rest.text})", max(first.depth, rest.depth))
        parent.before(fork, (f"{name} = {first.text}", self.span))
        arm.items.append((f"{name} = {rest.text}", self.span))
        self.homes[name] = parent
        return Value(name, max(first.depth, rest.depth, self.block.depth))

    def asked(self, value: Value) -> Value:
        """A condition as it stands, named if it calls something that depends on less."""
        return self.named(value) if value.depth < self.block.depth and "(" in value.text[1:] else value

    def of_word_is(self, e: E, subject: E, words: Any) -> Value:
        if subject.op == "option" and len(words) == 1:
            return Value(self.owner.option(subject.args[0], words[0]), 0)
        value = self.named(self.value(subject)) if subject.op != "frame" else self.value(subject)
        if BARE.fullmatch(value.text) and value.text.startswith("'"):
            return TRUE if value.text in {repr(w) for w in words} else FALSE
        if len(words) == 1:
            return Value(f"({value.text} == {words[0]!r})", value.depth)
        return Value(f"({value.text} in {{{', '.join(repr(w) for w in words)}}})", value.depth)

    of_word_of = of_word_is

    def of_equal(self, e: E, a: E, b: E) -> Value:
        sign = "is" if a.type.name == "thing" else "=="
        return self.joined("({} " + sign + " {})", self.value(a), self.value(b))

    def of_there(self, e: E, a: E) -> Value:
        if a.type.name == "set":
            if a.op in {"filter", "map"}:
                return self.quantified("any", a, "", None)
            return self.joined("bool({})", self.value(a))
        return self.joined("({} is not None)", self.value(a))

    def of_member(self, e: E, a: E, b: E) -> Value:
        item, group = self.value(a), self.value(b)
        if self.over.get(item.text) == group.text:
            return TRUE
        if a.type.name == "thing" and group.depth < item.depth:
            group = Value(f"frozenset({group.text})", group.depth)
        return self.called("({} in {})", item, group)

    # ---- values
    def of_call(self, e: E, name: str, access: str | None, args: tuple[E, ...]) -> Value:
        routine = self.owner.routine(name)
        values = [self.value(a) for a in args]
        given = ", ".join(([access] if access else []) + ["{}"] * len(values))
        depth = max((v.depth for v in values), default=0)
        whole = (
            routine is None
            or depth < self.block.depth
            or access not in {None, "F"}
            or name in self.stack
            or len(self.stack) >= MOST_NESTED
            or self.written > MOST_LINES
            or self.owner.is_remembered(routine)
        )
        if whole or routine is None:
            return self.called(f"v_{py(name)}({given})", *values)
        values = [self.named(v) for v in values]
        key = f"v_{py(name)}({', '.join(v.text for v in values)})"
        found = self.find(key)
        if found is not None:
            return found
        held, span, block = self.names, self.span, self.block
        self.names = {p.name: v for p, v in zip(routine.params, values, strict=True)}
        self.stack.append(name)
        home = self.homes.get(values[0].text) if len(values) == 1 and self.slight(routine) else None
        early = home is not None and home.body and home.depth == block.depth and home is not block and not self.early
        opened = home.open if home is not None else None
        if early and home is not None:
            splice = Block(home, home.depth, body=True)
            splice.known = home.known
            home.insert(splice)
            home.open = splice
            self.block, self.early = splice, True
        made = self.status(routine) if routine.word == "status" else self.pipeline(routine)
        self.stack.pop()
        if made.depth >= self.block.depth and (len(made.text) > 30 or self.block is not block):
            made = self.named(made)
        self.block.known[key] = made
        self.names, self.span, self.block = held, span, block
        if early and home is not None:
            home.open, self.early = opened, False
        return made

    def slight(self, routine: Routine) -> bool:
        """Whether a value is so little work, and asked in so many places, that it is worked out at once for each item."""
        return self.asked_at.get(routine.name, 0) > 1 and self.owner.weight_of(routine) <= MOST_SLIGHT

    def status(self, routine: Routine) -> Value:
        """A status's lines, worked out here."""
        lines = self.owner.flat(routine.body)
        tests = [s for s in lines if s.op != "let"]
        if (
            all(s.op == "holds" for s in tests)
            and not any(s.op == "let" for s in lines[1:])
            and all(s["when"] is not None for s in tests)
        ):
            for s in lines:
                if s.op == "let":
                    self.let(s)
            return self.either(tuple(s["when"] for s in tests), "or", TRUE, FALSE)
        result = self.fresh("a")
        start = self.block
        with contextlib.ExitStack() as deeper:
            for s in lines:
                self.span = s.span
                if s.op == "let":
                    self.let(s)
                    continue
                if s["when"] is None:
                    self.answer(s, result)
                    break
                self.arms(
                    deeper,
                    self.value(s["when"]),
                    partial(self.answer, s, result),
                )
            else:
                self.put(f"{result} = False")
        self.homes[result] = start
        return Value(result, start.depth)

    def answer(self, s: S, result: str) -> None:
        """Gives a status's result the value of one of its lines."""
        self.put(f"{result} = {'True' if s.op == 'holds' else self.value(s['value']).text}")

    def arms(self, deeper: contextlib.ExitStack, test: Value, then: Callable[[], None]) -> None:
        """`if test: then`, and what is written next goes into its `else`."""
        parent = self.block
        if test in {TRUE, FALSE}:
            if test == TRUE:
                then()
                deeper.enter_context(self.nowhere())
            return
        yes, no = Block(parent, parent.depth), Block(parent, parent.depth)
        fork = Fork(
            (f"if {self.named(test).text if test.depth < parent.depth else test.text}:", yes),
            ("else:", no),
            span=self.span,
        )
        parent.items.append(fork)
        with self.inside(parent, fork, yes):
            then()
        deeper.enter_context(self.inside(parent, fork, no))

    def let(self, s: S) -> None:
        """A name given to what its value comes to here."""
        value = self.value(s["value"])
        if s["when"] is not None:
            empty = "[]" if s["value"].type.name == "set" else "None"
            test = self.value(s["when"])
            value = Value(f"({value.text} if {test.text} else {empty})", max(value.depth, test.depth, self.block.depth))
        self.names[s["name"]] = self.named(value)

    def pipeline(self, routine: Routine) -> Value:
        """A value's lines, worked out here."""
        body = routine.body
        if len(body) == 1 and body[0].op in {"start", "case"} and body[0]["when"] is None:
            self.span = body[0].span
            return self.value(body[0]["value"])
        result = self.fresh("a")
        start = self.block
        started = opened = False
        empty = "[]" if routine.type.name == "set" else "None"
        products = self._products(routine)
        constant: int | Fraction | None = None
        with contextlib.ExitStack() as excepted, contextlib.ExitStack() as cases:
            for number, s in enumerate(body):
                self.span = s.span
                if started and not opened and number == products and not constant:
                    parent, arm = self.block, Block(self.block, self.block.depth)
                    fork = Fork((f"if {result}:", arm), span=self.span)
                    parent.items.append(fork)
                    cases.enter_context(self.inside(parent, fork, arm))
                if s.op == "except":
                    for line in s.body:
                        self.span = line.span
                        if line.op == "let":
                            self.let(line)
                            continue
                        text = line["value"]
                        test = self.value(line["when"]) if line["when"] is not None else TRUE
                        if opened:
                            raise TooHard
                        self.arms(excepted, test, partial(self.assign, result, text))
                elif s.op == "let":
                    self.let(s)
                elif s.op in {"start", "case"} and not (started and not opened):
                    if s["when"] is None:
                        self.assign(result, s["value"])
                        constant = number_of(s["value"]) if not opened else None
                        cases.close()
                        started, opened = True, False
                        continue
                    self.arms(cases, self.value(s["when"]), partial(self.assign, result, s["value"]))
                    opened = True
                else:
                    if opened:
                        nothing = "0" if routine.type.name == "number" and not routine.type.optional else empty
                        self.put(f"{result} = {nothing}")
                        cases.close()
                        opened, started = False, True
                    if not started:
                        self.put(f"{result} = {'[]' if routine.type.name == 'set' else '0'}")
                        started = True
                    factor = number_of(s["value"]) if s["how"] == "times" and not s["scale"] else None
                    self.step(s, result, None if factor is None or constant is None else constant * factor)
                    constant = None
            if opened:
                self.put(f"{result} = {empty}")
        self.homes[result] = start
        return Value(result, start.depth)

    @staticmethod
    def _products(routine: Routine) -> int:
        """Where the steps begin that only multiply: what is 0 there stays 0, and nothing more is asked about it."""
        number = len(routine.body)
        while number and routine.body[number - 1]["how"] == "times" and routine.type.name == "number":
            number -= 1
        return number

    def assign(self, result: str, e: E | None) -> None:
        """Gives a result a value."""
        value = self.value(e) if e is not None else TRUE
        self.put(f"{result} = {(self.named(value) if value.depth < self.block.depth else value).text}")

    def step(self, s: S, result: str, known: int | Fraction | None) -> None:
        """One step. known: what it comes to, if that stands in the rule text."""

        def text() -> str:
            return self.step_text(s, result) if known is None else f"{result} = {self.owner.exact(known)}"

        if s["when"] is None:
            self.put(text())
            return
        parent = self.block
        last = parent.items[-1] if parent.items else None
        test = self.value(s["when"])
        if test == FALSE:
            return
        if (
            isinstance(last, Fork)
            and last is parent.items[-1] is self.stepped
            and exclusive([h for h, _ in last.arms], test.text, result)
        ):
            arm = Block(parent, parent.depth)
            last.arms.append((f"elif {test.text}:", arm))
            with self.inside(parent, last, arm):
                self.put(text())
            return
        arm = Block(parent, parent.depth)
        fork = Fork((f"if {(self.named(test) if test.depth < parent.depth else test).text}:", arm), span=self.span)
        parent.items.append(fork)
        self.stepped = fork
        with self.inside(parent, fork, arm):
            self.put(text())

    def step_text(self, s: S, result: str) -> str:
        """One step as Python text."""
        if s["how"] == "times" and s["value"].op != "const" and not s["scale"]:
            factor = self.value(s["value"])
            name = (
                self.named(factor) if factor.depth < self.block.depth or not BARE.fullmatch(factor.text) else factor
            ).text
            product = f"{result} = {result} * {name} if type({result}) is int and type({name}) is int else times({result}, {name})"
            return product if s["value"].type.optional else f"if {result}: {product}"
        held, self.wanted = self.wanted, self.block.depth
        text = self.owner.step_text(s, result, self.emit)
        self.wanted = held
        return text

    # ---- loops
    def each(self, e: E, then: Callable[[Value], None], *, shared: bool = True) -> bool:
        """Writes loops over a set, and in them what `then` writes for an item. Answers whether `break` leaves it all."""
        match e.op:
            case "filter":
                base, variable, test = e.args

                def kept(v: Value) -> None:
                    held = self.names
                    self.names = {**held, variable: v}
                    fact = self.value(test)
                    if fact == TRUE:
                        then(v)
                    elif fact != FALSE:
                        parent = self.block
                        arm = Block(parent, parent.depth)
                        fork = Fork(
                            (f"if {(self.named(fact) if fact.depth < parent.depth else fact).text}:", arm),
                            span=self.span,
                        )
                        parent.items.append(fork)
                        with self.inside(parent, fork, arm):
                            then(v)
                    self.names = held

                return self.each(base, kept, shared=shared and not self.free(test, frozenset({variable})))
            case "map":
                base, variable, body, flat = e.args
                simple = True

                def mapped(v: Value) -> None:
                    nonlocal simple
                    held = self.names
                    self.names = {**held, variable: v}
                    if flat:
                        self.each(body, then, shared=False)
                        simple = False
                    else:
                        then(self.value(body))
                    self.names = held

                outer = self.each(
                    base, mapped, shared=shared and not flat and not self.free(body, frozenset({variable}))
                )
                return outer and simple
        source = self.value(e)
        of = e.type.of
        self.loop(source, then, shared=shared, sided=of is not None and of.name == "thing" and of.word != "side")
        return True

    def loop(self, source: Value, then: Callable[[Value], None], *, shared: bool, sided: bool) -> None:
        """A loop over what a text names, or the one over the same that is there already."""
        parent = self.block
        source = self.named(source)
        if shared and source.text in parent.loops:
            fork, body, item, before = parent.loops[source.text]
            held, self.before = self.before, before
            with self.inside(parent, fork, body):
                then(item)
            self.before = held
            return
        first = not parent.depth
        depth = 2 if first else parent.depth + 1
        name = self.fresh("i")
        body = Block(parent, depth, body=True)
        fork = Fork((f"for {name} in {source.text}:", body), span=self.span)
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

    def _run(self, name: str, parent: Block, fork: Fork, body: Block, *, sided: bool) -> None:
        """Room for what depends only on the item's side; it is worked out anew whenever the side changes."""
        run = Block(parent, 1)
        body.parent = run
        self.before.append(run)
        if not sided:
            return
        side, last = self.fresh("s"), self.fresh("s")
        first, turn = (f"{last} = UNSET", self.span), (f"{side} = {name}.side", self.span)
        change = Fork((f"if {side} is not {last}:", run), span=self.span)
        run.items.append((f"{last} = {side}", self.span))
        body.items += [turn, change]
        parent.before(fork, first)
        self.runs[name] = side
        self.homes[side] = run
        self.unused[side] = [(parent, first), (body, turn), (body, change)]

    def of_aggregate(self, e: E, which: str, arg: E, scale: str | None) -> Value:
        if arg.type.name != "set" or arg.op not in {"map", "filter"}:
            depth = self.depth_of(e)
            held, self.wanted = self.wanted, depth
            text = super()._aggregate(e, which, arg, scale)
            self.wanted = held
            return Value(text, depth)
        if self.depth_of(e) < self.block.depth:
            return self.outside(e)
        sure = not self._may_hold_none(arg)
        result = self.fresh("r")
        shared = which in {"sum", "count"}
        start = self._start(
            result, shared, {"sum": "0", "count": "0"}.get(which, "None" if which in {"highest", "lowest"} else "[]")
        )
        broken = self.fresh("r") if which == "sum" else ""
        if broken:
            self._start(broken, shared, "0")
        rank = self.fresh("r") if scale is not None and which in {"highest", "lowest"} else ""
        if rank:
            self.put(f"{rank} = 0")
        sign = ">" if which == "highest" else "<"

        def gather(v: Value) -> None:
            if which == "count":
                self.put(f"{result} += 1")
            elif which == "sum":
                v = self.named(v)
                self.put(f"if type({v.text}) is int: {result} += {v.text}")
                self.put(
                    f"else: {broken} = plus({broken}, {v.text})"
                    if sure
                    else f"elif {v.text} is not None: {broken} = plus({broken}, {v.text})"
                )
            elif which in {"highest", "lowest"} and rank:
                v = self.named(v) if v.depth >= self.block.depth else v
                self.put(
                    f"if {v.text} is not None and ({result} is None or R_{py(scale or '')}[{v.text}] {sign} {rank}):"
                )
                self.put(f"    {result}, {rank} = {v.text}, R_{py(scale or '')}[{v.text}]")
            elif which in {"highest", "lowest"}:
                v = self.named(v)
                self.put(
                    f"if {v.text} is not None and ({result} is None or {v.text} {sign} {result}): {result} = {v.text}"
                )
            else:
                self.put(f"{result}.append({v.text})")

        self.each(arg, gather, shared=shared)
        start_depth = start.depth
        if broken:
            self.put(f"if {broken}: {result} = plus({result}, {broken})")
        self.homes[result] = self.block
        if which in {"sum", "count", "highest", "lowest"}:
            return Value(result, start_depth)
        return self.named(Value(self._aggregate_text(e, which, arg, scale).format(result), start_depth))

    def _start(self, result: str, shared: bool, first: str) -> Block:
        """Sets a result's first value: before the loop that it will share, if there is one."""
        self.put(f"{result} = {first}")
        if shared and self.block.loops:
            line = self.block.items.pop()
            fork = next(iter(self.block.loops.values()))[0]
            self.block.before(fork, line)
        return self.block

    def _aggregate_text(self, e: E, which: str, arg: E, scale: str | None) -> str:
        if which == "count":
            return "len({})"
        if which in {"first", "average", "sum"}:
            return which + "_of({})"
        return f"{which}_word({{}}, R_{py(scale)})" if scale is not None else f"{which}_of({{}})"

    def outside(self, e: E) -> Value:
        """An aggregate that does not depend on the item: a function of its own, asked as rarely as can be."""
        return self.owner.helper(e, self)

    def of_filter(self, e: E, *_: Any) -> Value:
        return self.gathered(e)

    def of_map(self, e: E, *_: Any) -> Value:
        return self.gathered(e)

    def gathered(self, e: E) -> Value:
        """A set worked out here, as a list."""
        if self.depth_of(e) < self.block.depth:
            return self.outside(e)
        result = self.fresh("r")
        self.put(f"{result} = []")
        self.each(e, lambda v: self.put(f"{result}.append({v.text})"), shared=False)
        self.homes[result] = self.block
        return Value(result, self.block.depth)

    def of_quantified(self, e: E, quantifier: str, base: E, variable: str, body: E) -> Value:
        if self.depth_of(e) < self.block.depth:
            return self.outside(e)
        if quantifier == "most":
            raise TooHard
        return self.quantified(quantifier, base, variable, body)

    def quantified(self, quantifier: str, base: E, variable: str, body: E | None) -> Value:
        """A test of a set worked out here; without a body, whether anything is in it."""
        if body is None and self.depth_of(base) < self.block.depth:
            return self.outside(E("there", base.type, (base,)))
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
            fork = Fork((f"if not {text}:" if quantifier == "every" else f"if {text}:", arm), span=self.span)
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
        self.owner.count(e, self.asked_at)
        made = self.value(e)
        self.put(f"return {made.text}")
        for places in self.unused.values():
            for block, item in places:
                block.items[:] = [x for x in block.items if x is not item]
        out: list[tuple[str, Span | None]] = []
        _lines(self.top, 0, out)
        return shared_tests(out)


class TooHard(Exception):
    """This aggregate is emitted in the plain way."""


def number_of(e: Any) -> int | Fraction | None:
    """A number that stands in the rule text."""
    value = e.args[0] if isinstance(e, E) and e.op == "const" else None
    return value if isinstance(value, int | Fraction) and not isinstance(value, bool) else None


def _lines(block: Block, depth: int, out: list[tuple[str, Span | None]]) -> None:
    if not block.items:
        out.append(("    " * depth + "pass", None))
    for item in block.items:
        if isinstance(item, Block):
            if item.items:
                _lines(item, depth, out)
        elif isinstance(item, Fork):
            arms = [a for a in item.arms if a[1].items or a[0] != "else:"]
            for head, inner in arms:
                if (
                    head == "else:"
                    and len(inner.items) == 1
                    and isinstance(inner.items[0], Fork)
                    and inner.items[0].arms[0][0].startswith("if ")
                ):
                    nested: list[tuple[str, Span | None]] = []
                    _lines(inner, depth, nested)
                    out.append(("    " * depth + "el" + nested[0][0].lstrip(), nested[0][1]))
                    out += nested[1:]
                    continue
                out.append(("    " * depth + head, item.span))
                _lines(inner, depth + 1, out)
        else:
            out.append(("    " * depth + item[0], item[1]))


TEST = re.compile(r"(?:el)?(?:if )?\((\w+) (==|>=|<=|<|>) (-?\d+|'[^']*')\):?")
NAMED_TEST = re.compile(r"\((t\d+) (?:in \{[^{}]*\}|== '[^']*')\)")
OFTEN = 3
"""A test of a word that stands so often in a loop gets a name."""


def exclusive(heads: list[str], test: str, result: str) -> bool:
    """Whether a test of a name can only hold where none of the tests before it does."""
    new = TEST.fullmatch(test)
    return (
        new is not None
        and new[1] != result
        and all((old := TEST.fullmatch(h)) is not None and old[1] == new[1] and _apart(old, new) for h in heads)
    )


def _apart(old: re.Match[str], new: re.Match[str]) -> bool:
    if "'" in old[3] + new[3]:
        return old[2] == new[2] == "==" and old[3] != new[3]
    a, b = int(old[3]), int(new[3])
    if old[2] == "==":
        return not {"==": a == b, ">=": a >= b, "<=": a <= b, "<": a < b, ">": a > b}[new[2]]
    return False


def shared_tests(lines: list[tuple[str, Span | None]]) -> list[tuple[str, Span | None]]:
    """Names the tests of words that stand several times: asked where the word is named, once for an item."""
    counts: dict[str, int] = {}
    for text, _ in lines:
        for found in NAMED_TEST.finditer(text):
            counts[found[0]] = counts.get(found[0], 0) + 1
    names = {test: f"u{i}" for i, (test, number) in enumerate(counts.items()) if number >= OFTEN}
    if not names:
        return lines
    out: list[tuple[str, Span | None]] = []
    for text, span in lines:
        line = NAMED_TEST.sub(lambda m: names.get(m[0], m[0]), text)
        out.append((line, span))
        made = re.match(r"( *)(t\d+) = ", text)
        if made:
            out += [
                (f"{made[1]}{name} = {test[1:-1]}", span)
                for test, name in names.items()
                if test.startswith(f"({made[2]} ")
            ]
    return out
