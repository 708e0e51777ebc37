"""Emitting values in place: inside a loop every value that is asked for is written out where it is asked.

What has been worked out is named, so that it is worked out once; what depends on less than the item is named further out
(see `emit_loops.py`, which writes the loops themselves).
"""

# ruff: noqa: ARG002, D102 (every operation of the binder is a method that is called in the same way, and named after it)

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from attrs import evolve

from dsl.ir import E, Routine, S
from dsl.notation import attribute
from dsl.source import Span
from interpreter.emit_blocks import (
    FALSE,
    TRUE,
    Block,
    Deferred,
    Fork,
    TooHard,
    Value,
    exclusive,
    handed_on,
    lines_of,
    shared_tests,
    started_together,
)
from interpreter.emit_expressions import is_whole, py
from interpreter.emit_sinking import sunk
from interpreter.emit_writing import BARE, WritingEmitter

if TYPE_CHECKING:
    pass

MOST_LINES = 900
"""A loop that has grown to so many lines calls further values instead of working them out in place."""

MOST_NESTED = 14
"""So many values are worked out one within the other."""

BARE_TEST = re.compile(r"if (?:\(?not )?t\d+\)?:")
"""A test of what was named once and stays as it is, so that what hangs on it can be put together."""


class InlineEmitter(WritingEmitter):
    """Writes values as lines into blocks."""

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
        return self.local(name)

    def local(self, name: str) -> Value:
        """What a name stands for."""
        if name not in self.names:
            raise TooHard
        known = self.names[name]
        return self.settled(known) if isinstance(known, Deferred) else known

    def settled(self, later: Deferred) -> Value:
        """What a name stands for, worked out where it is asked for."""
        key = f"let {id(later.e)} {sorted((n, v.text) for n, v in later.names.items())}"
        found = self.find(key)
        if found is None:
            held, self.names = self.names, later.names
            found = self.named(self.value(later.e))
            self.names = held
            if found.depth >= self.block.depth:
                self.block.learn(key, found)
        return found

    def of_frame_map(self, e: E, access: str, name: str, key: E) -> Value:
        return self.named(self.joined("{}[{}]", Value(f"{access}.n_{py(name)}", 0), self.value(key)))

    def of_option(self, e: E, name: str, terms: tuple[str, ...]) -> Value:
        chosen = self.owner.option(name)
        return Value(f"int({chosen})" if e.type.name == "number" else chosen, 0)

    def of_field(self, e: E, holder: E, name: str) -> Value:
        slot = "name" if name == "name" and holder_is_thing(e) else attribute(name)
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
        return self.named(made) if made.depth >= self.block.depth or self.owner.is_light(made.text) else made

    def of_else(self, e: E, value: E, other: E) -> Value:
        if value.op == "field" and value.args[0].type.optional and not self._may_lack(value):
            holder = self.named(self.value(value.args[0]))
            slot = "name" if value.args[1] == "name" and holder_is_thing(value) else attribute(value.args[1])
            return self.joined("({0} if {1} is None else {1}." + slot + ")", self.value(other), holder)
        first = self.named(self.value(value))
        return self.joined("({0} if {1} is None else {1})", self.value(other), first)

    def _may_lack(self, field: E) -> bool:
        """Whether a field may be absent in what has it."""
        holder, name = field.args[0].type, field.args[1]
        if holder.name == "rating":
            return bool(self.ruleset.rating_fields[holder.word][name].type.optional)
        kind = self.ruleset.kinds.get(holder.word)
        return kind is None or name not in kind.fields or bool(kind.fields[name].type.optional)

    def of_arithmetic(self, e: E, op: str, a: E, b: E) -> Value:
        if op == "+" and not (is_whole(a) or is_whole(b)):
            return self.total(a, b)
        left, right = self.value(a), self.value(b)
        if op in {"+", "-"}:
            if is_whole(a) or is_whole(b):
                return self.joined("({} " + op + " {})", left, right)
            return self.joined("minus({}, {})", left, right)
        if op == "*":
            return self.joined("times({}, {})", left, right)
        return self.joined("divide({}, {})" if op == "/" else "divide(times({}, {}), 100)", left, right)

    def total(self, *parts: E) -> Value:
        """A sum of several, added up at once where all of them are whole."""
        while parts[0].op == "arithmetic" and parts[0].args[0] == "+":
            parts = (*parts[0].args[1:], *parts[1:])
        values = [self.value(p) for p in parts]
        depth = max(v.depth for v in values)
        names = [self.named(v).text for v in values]
        slow = names[0]
        for name in names[1:]:
            slow = f"plus({slow}, {name})"
        same = " is ".join(f"type({n})" for n in names if not n.isdecimal())
        return Value(f"({' + '.join(names)} if {same} is int else {slow})" if same else f"({' + '.join(names)})", depth)

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

    def nest(self, e: E, name: str, keys: tuple[E, ...], column: int, of: int = 1) -> Value:
        """A table looked up key by key, those that depend on least first. of: the parts in which its numbers are counted."""
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
        found = Value(self.owner.nested(name, column, order, of), 0)
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
        if routine is None or self.called_whole(e, routine):
            return self.called(f"v_{py(name)}({given})", *values)
        values = [self.named(v) for v in values]
        key = f"v_{py(name)}({', '.join(v.text for v in values)})"
        found = self.find(key)
        if found is not None:
            return found
        held, span = self.names, self.span
        self.names = {p.name: v for p, v in zip(routine.params, values, strict=True)}
        self.stack.append(name)
        made = self.status(routine) if routine.word == "status" else self.pipeline(routine)
        self.stack.pop()
        if made.depth >= self.block.depth and len(made.text) > 30:
            made = self.named(made)
        self.block.learn(key, made)
        self.names, self.span = held, span
        return made

    def called_whole(self, e: E, routine: Routine) -> bool:
        """Whether a value is called as a function rather than worked out in place."""
        return (
            e.args[1] not in {None, "F"}
            or routine.name in self.stack
            or len(self.stack) >= MOST_NESTED
            or self.written > MOST_LINES
            or self.owner.is_remembered(routine)
            or self.depth_of(e.args[2]) < self.block.depth
        )

    def whole(self, routine: Routine) -> list[tuple[str, Span | None]]:
        """The lines of a function that works out a value with all that it asks. Raises TooHard."""
        self.names = {p.name: Value("l_" + py(p.name), 0) for p in routine.params}
        if routine.name in self.owner.uncounted:
            self.once = {id(s["value"]) for s in routine.body if s.op in {"start", "case", "add"}}
        self.stack.append(routine.name)
        return self.finished(self.status(routine) if routine.word == "status" else self.pipeline(routine))

    def finished(self, made: Value) -> list[tuple[str, Span | None]]:
        """The lines written so far, and the answer."""
        self.put(f"return {made.text}")
        for places in self.unused.values():
            for block, item in places:
                block.items[:] = [x for x in block.items if x is not item]
        out: list[tuple[str, Span | None]] = []
        lines_of(self.top, 0, out)
        return started_together(sunk(handed_on(shared_tests(out))))

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
        """A name given to what its value comes to: worked out where it is asked for, if nothing else hangs on it."""
        if s["when"] is None and s["value"].type.name != "set":
            self.names = {**self.names, s["name"]: Deferred("", self.depth_of(s["value"]), s["value"], self.names)}
            return
        value = self.value(s["value"])
        if s["when"] is not None:
            empty = "[]" if s["value"].type.name == "set" else "None"
            test = self.value(s["when"])
            value = Value(f"({value.text} if {test.text} else {empty})", max(value.depth, test.depth, self.block.depth))
        self.names = {**self.names, s["name"]: self.named(value)}

    def pipeline(self, routine: Routine) -> Value:
        """A value's lines, worked out here."""
        body = routine.body
        if len(body) == 1 and body[0].op in {"start", "case"} and body[0]["when"] is None:
            self.span = body[0].span
            return self.value(body[0]["value"])
        result = self.fresh("a")
        self.begun(result)
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
                        self.arms(excepted, test, partial(self.assign, result, text, last=True))
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

    def begun(self, result: str) -> None:
        """The lines of a value begin, which give this result its value."""

    def assign(self, result: str, e: E | None, *, last: bool = False) -> None:
        """Gives a result a value. last: that of an exception, after which nothing more is done to it."""
        value = self.value(e) if e is not None else TRUE
        self.put(f"{result} = {(self.named(value) if value.depth < self.block.depth else value).text}")

    def step(self, s: S, result: str, known: int | Fraction | None) -> None:
        """One step. known: what it comes to, if that stands in the rule text."""

        def text() -> str:
            return self.step_text(s, result) if known is None else f"{result} = {self.owner.exact(known)}"

        if s["when"] is None:
            self.put(text())
            return
        if s["when"].op == "and":
            self.where(s["when"], lambda: self.put(text()))
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

    def one_test(self, e: E) -> tuple[E, dict[str, Value | Deferred]] | None:
        """The one condition that a status comes to, with its names."""
        if e.op != "call":
            return None
        name, access, args = e.args
        routine = self.owner.routine(name)
        if routine is None or routine.word != "status" or len(routine.body) != 1 or access not in {None, "F"}:
            return None
        line = routine.body[0]
        if line.op != "holds" or line["when"] is None or line["when"].op != "and" or self.called_whole(e, routine):
            return None
        values = [self.named(self.value(a)) for a in args]
        if self.find(f"v_{py(name)}({', '.join(v.text for v in values)})") is not None:
            return None
        return line["when"], {p.name: v for p, v in zip(routine.params, values, strict=True)}

    def where(self, test: E, then: Callable[[], None]) -> None:
        """What is written only where a test holds: a test of several parts as one `if` within the other."""
        if test.op == "and":
            rest = test.args[1] if len(test.args) == 2 else evolve(test, args=test.args[1:])
            self.where(test.args[0], lambda: self.where(rest, then))
            return
        one = self.one_test(test)
        if one is not None:
            outer, (when, self.names) = self.names, one

            def back() -> None:
                held, self.names = self.names, outer
                then()
                self.names = held

            self.where(when, back)
            self.names = outer
            return
        fact = self.value(test)
        if fact == TRUE:
            then()
        elif fact != FALSE:
            parent = self.block
            head = f"if {(self.named(fact) if fact.depth < parent.depth else fact).text}:"
            last = parent.items[-1] if parent.items else None
            if isinstance(last, Fork) and [h for h, _ in last.arms] == [head] and BARE_TEST.fullmatch(head):
                fork, arm = last, last.arms[0][1]
            else:
                arm = Block(parent, parent.depth)
                fork = Fork((head, arm), span=self.span)
                parent.items.append(fork)
            with self.inside(parent, fork, arm):
                then()

    def step_text(self, s: S, result: str) -> str:
        """One step as Python text."""
        if s["how"] == "times" and s["value"].op != "const" and not s["scale"]:
            factor = self.value(s["value"])
            name = (
                self.named(factor) if factor.depth < self.block.depth or not BARE.fullmatch(factor.text) else factor
            ).text
            return f"{result} = {result} * {name} if type({result}) is type({name}) is int else times({result}, {name})"
        if s["value"] is not None and s["value"].type.name == "set" and (s.op == "add" or s["how"] == "put-in"):
            more = self.named(self.value(s["value"])).text
            return f"if {more}: {result} = union({result}, {more})"
        if s.op == "add" and not is_whole(s["value"]):
            more = self.named(self.value(s["value"])).text
            return f"{result} = {result} + {more} if type({result}) is type({more}) is int else plus({result}, {more})"
        held, self.wanted = self.wanted, self.block.depth
        text = self.owner.step_text(s, result, self.emit)
        self.wanted = held
        return text

    # ---- what loops do
    def quantified(self, quantifier: str, base: E, variable: str, body: E | None) -> Value:
        """A test of a set worked out here; without a body, whether anything is in it."""
        raise NotImplementedError


def holder_is_thing(field: E) -> bool:
    """Whether a field is that of a thing, whose name is no field like others."""
    return bool(field.args[0].type.name == "thing")


def number_of(e: Any) -> int | Fraction | None:
    """A number that stands in the rule text."""
    value = e.args[0] if isinstance(e, E) and e.op == "const" else None
    return value if isinstance(value, int | Fraction) and not isinstance(value, bool) else None
