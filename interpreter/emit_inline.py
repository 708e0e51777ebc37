"""Emitting expressions in place: inside a loop everything that is asked for is written out where it is asked.

What has been worked out is named, so that it is worked out once; what depends on less than the item is named further out
(see `emit_values.py` for the lines of values, and `emit_loops.py` for the loops themselves).
"""

# ruff: noqa: ARG002, D102 (every operation of the binder is a method that is called in the same way, and named after it)

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dsl.ir import E
from dsl.notation import attribute
from interpreter.emit_blocks import (
    FALSE,
    TRUE,
    Block,
    Deferred,
    Fork,
    TooHard,
    Value,
)
from interpreter.emit_expressions import is_whole, py
from interpreter.emit_writing import WritingEmitter


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
        return Value(self.owner.exact(value) if isinstance(value, Fraction) else self.word(value), 0)

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
        return self.named(self.joined("{}[{}]", Value(f"{self.access(access)}.n_{py(name)}", 0), self.value(key)))

    def of_option(self, e: E, name: str, terms: tuple[str, ...]) -> Value:
        chosen = self.owner.option(name)
        return Value(f"int({chosen})" if e.type.name == "number" else chosen, 0)

    def of_field(self, e: E, holder: E, name: str) -> Value:
        slot = "name" if name == "name" and holder_is_thing(e) else attribute(name)
        if holder.op == "holder" and self._direct(holder) and not holder.type.optional:
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
            return self.joined("({} if {} is None else {}." + slot + ")", self.value(other), holder, holder)
        first = self.named(self.value(value))
        return self.joined("({} if {} is None else {})", self.value(other), first, first)

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
                    value = self.joined(f"kept({{}}, {self.word(key.low)}, {self.word(key.high)})", value)
            elif key.low is not None and key.type.name == "enum":
                value = self.joined(
                    f"kept_word({{}}, R_{py(key.type.word)}, {self.word(key.low)}, {self.word(key.high)})", value
                )
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
        known = self.words.meant(value.text)
        if known is not None:
            return TRUE if known in words else FALSE
        if len(words) == 1:
            return Value(f"({value.text} == {self.word(words[0])})", value.depth)
        return Value(f"({value.text} in {self.word(frozenset(words))})", value.depth)

    of_word_of = of_word_is

    def of_equal(self, e: E, a: E, b: E) -> Value:
        sign = "is" if a.type.name == "thing" else "=="
        return self.joined("({} " + sign + " {})", self.value(a), self.value(b))

    def of_there(self, e: E, a: E) -> Value:
        if a.op == "holder" and self._direct(a) and not a.args[0].type.optional:
            return self.joined("({} is not None)", self.attribute(self.value(a.args[0]), "holder"))
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

    # ---- what loops do
    def quantified(self, quantifier: str, base: E, variable: str, body: E | None) -> Value:
        """A test of a set worked out here; without a body, whether anything is in it."""
        raise NotImplementedError


def holder_is_thing(field: E) -> bool:
    """Whether a field is that of a thing, whose name is no field like others."""
    return bool(field.args[0].type.name == "thing")
