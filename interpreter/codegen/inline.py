"""Emitting expressions in place: inside a loop every value is written out where it is used.

Each computed value gets a name, so that it is computed once. What does not depend on the item is named further out
(see `values_in_place.py` for the lines of values, and `loops.py` for the loops themselves).
"""

# ruff: noqa: ARG002, D102 (every operation of the rules is a method that is called in the same way, and named after it)

from __future__ import annotations

from fractions import Fraction

from dsl import ir
from dsl.ir import E
from dsl.ir.visitor import in_small
from dsl.rules.notation import attribute
from interpreter.codegen.block_writing import WritingEmitter
from interpreter.codegen.blocks import (
    FALSE,
    TRUE,
    CodeBlock,
    Deferred,
    Fork,
    TooHard,
    Value,
)
from interpreter.codegen.expressions import is_whole
from interpreter.codegen.python_names import py
from interpreter.codegen.shapes import negated


class InlineEmitter(WritingEmitter):
    """Writes values as lines into blocks."""

    # ---- expressions
    def emit(self, e: E) -> str:
        """For operations that are written as elsewhere: their parts, named further out if they depend on less."""
        made = self.value(e)
        return (self.named(made) if made.depth < self.wanted else made).text

    def value(self, e: E) -> Value:
        """An expression as Python text, after the lines that it needs."""
        method = getattr(self, f"of_{in_small(type(e).__name__)}", None)
        if method is not None:
            made: Value = method(e)
            return made
        depth = self.depth_of(e)
        held, self.wanted = self.wanted, depth
        text = super().emit(e)
        self.wanted = held
        return Value(text, depth)

    def of_constant(self, e: ir.Constant) -> Value:
        return Value(self.owner.exact(e.value) if isinstance(e.value, Fraction) else self.word(e.value), 0)

    def of_local(self, e: ir.Local) -> Value:
        return self.local(e.name)

    def local(self, name: str) -> Value:
        """The definition of a name."""
        if name not in self.names:
            raise TooHard
        known = self.names[name]
        return self.settled(known) if isinstance(known, Deferred) else known

    def settled(self, later: Deferred) -> Value:
        """The definition of a name, computed where it is used."""
        key = f"let {id(later.e)} {sorted((n, v.text) for n, v in later.names.items())}"
        found = self.find(key)
        if found is None:
            held, self.names = self.names, later.names
            found = self.named(self.value(later.e))
            self.names = held
            if found.depth >= self.block.depth:
                self.block.learn(key, found)
        return found

    def of_frame_entry(self, e: ir.FrameEntry) -> Value:
        return self.named(self.joined("{}[{}]", Value(f"{self.access(e.frame)}.n_{py(e.name)}", 0), self.value(e.key)))

    def of_option_read(self, e: ir.OptionRead) -> Value:
        chosen = self.owner.option(e.name)
        return Value(f"int({chosen})" if e.type.name == "number" else chosen, 0)

    def of_field(self, e: ir.Field) -> Value:
        slot = "name" if e.name == "name" and holder_is_thing(e) else attribute(e.name)
        if isinstance(e.holder, ir.HolderOf) and self._direct(e.holder) and not e.holder.type.optional:
            return self.attribute(self.attribute(self.value(e.holder.held), "holder"), slot)
        return self.attribute(self.value(e.holder), slot, maybe=e.holder.type.optional)

    def _direct(self, holder: ir.HolderOf) -> bool:
        """Whether a holder is always the direct one."""
        kind = self.ruleset.kinds.get(holder.held.type.word)
        return kind is not None and kind.holder == holder.kind

    def of_side_of(self, e: ir.SideOf) -> Value:
        held = self.value(e.thing)
        if held.text in self.runs:
            self.unused.pop(self.runs[held.text], None)
            return Value(self.runs[held.text], 1)
        return self.attribute(held, "side", maybe=e.thing.type.optional)

    def of_place_of(self, e: ir.PlaceOf) -> Value:
        return self.attribute(self.value(e.thing), "place", maybe=e.thing.type.optional)

    def of_foe(self, e: ir.Foe) -> Value:
        return self.called("W.foe({})", self.value(e.side))

    def called(self, template: str, *values: Value) -> Value:
        """A text with a call: named immediately, so that it is called once."""
        made = self.joined(template, *values)
        return self.named(made) if made.depth >= self.block.depth or self.owner.is_light(made.text) else made

    def of_otherwise(self, e: ir.Otherwise) -> Value:
        if isinstance(e.value, ir.Field) and e.value.holder.type.optional and not self._may_lack(e.value):
            holder = self.named(self.value(e.value.holder))
            slot = "name" if e.value.name == "name" and holder_is_thing(e.value) else attribute(e.value.name)
            return self.joined("({} if {} is None else {}." + slot + ")", self.value(e.other), holder, holder)
        first = self.named(self.value(e.value))
        return self.joined("({} if {} is None else {})", self.value(e.other), first, first)

    def _may_lack(self, field: ir.Field) -> bool:
        """Whether a field may be absent."""
        holder, name = field.holder.type, field.name
        if holder.name == "rating":
            return bool(self.ruleset.rating_fields[holder.word][name].type.optional)
        kind = self.ruleset.kinds.get(holder.word)
        return kind is None or name not in kind.fields or bool(kind.fields[name].type.optional)

    def of_arithmetic(self, e: ir.Arithmetic) -> Value:
        if e.sign == "+" and not (is_whole(e.left) or is_whole(e.right)):
            return self.total(e.left, e.right)
        left, right = self.value(e.left), self.value(e.right)
        if e.sign in {"+", "-"}:
            if is_whole(e.left) or is_whole(e.right):
                return self.joined("({} " + e.sign + " {})", left, right)
            return self.joined("minus({}, {})", left, right)
        if e.sign == "*":
            return self.joined("times({}, {})", left, right)
        return self.joined("divide({}, {})" if e.sign == "/" else "divide(times({}, {}), 100)", left, right)

    def total(self, *parts: E) -> Value:
        """A sum of several, added in one step if all of them are whole."""
        while isinstance(parts[0], ir.Arithmetic) and parts[0].sign == "+":
            parts = (parts[0].left, parts[0].right, *parts[1:])
        values = [self.value(p) for p in parts]
        depth = max(v.depth for v in values)
        names = [self.named(v).text for v in values]
        slow = names[0]
        for name in names[1:]:
            slow = f"plus({slow}, {name})"
        same = " is ".join(f"type({n})" for n in names if not n.isdecimal())
        return Value(f"({' + '.join(names)} if {same} is int else {slow})" if same else f"({' + '.join(names)})", depth)

    def of_steps(self, e: ir.Steps) -> Value:
        return self.joined("({} - {})", self.rank(e.scale, e.other), self.rank(e.scale, e.one))

    def rank(self, scale: str, e: E) -> Value:
        """The index of a word on its scale."""
        return self.joined("R_" + py(scale) + "[{}]", self.value(e))

    def of_compare_words(self, e: ir.CompareWords) -> Value:
        return self.joined("({} " + e.sign + " {})", self.rank(e.scale, e.left), self.rank(e.scale, e.right))

    def of_look_up(self, e: ir.LookUp) -> Value:
        table = self.tables[e.table]
        if table.hit not in {"exactly one row", "first row"} or table.entries() is None:
            depth = self.depth_of(e)
            held, self.wanted = self.wanted, depth
            text = super().visit_look_up(e)
            self.wanted = held
            return Value(text, depth)
        return self.nest(e, e.table, e.keys, -1)

    def of_column(self, e: ir.Column) -> Value:
        if isinstance(e.row, ir.LookUp):
            table = self.tables[e.row.table]
            if table.hit in {"exactly one row", "first row"} and table.entries() is not None:
                return self.nest(e.row, e.row.table, e.row.keys, e.index)
        return self.called(f"{{}}[{e.index}]", self.value(e.row))

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
    def of_not(self, e: ir.Not) -> Value:
        value = self.value(e.item)
        if value.text in {"True", "False"}:
            return FALSE if value == TRUE else TRUE
        return Value(negated(value.text), value.depth)

    def of_or(self, e: ir.Or) -> Value:
        return self.either(e.items, "or", TRUE, FALSE)

    def of_and(self, e: ir.And) -> Value:
        return self.either(e.items, "and", FALSE, TRUE)

    def either(self, items: tuple[E, ...], word: str, decided: Value, neutral: Value) -> Value:
        """Conditions in sequence; those that need extra lines are evaluated only when reached."""
        first = self.asked(self.value(items[0]))
        if len(items) == 1 or first == decided:
            return first
        if first == neutral:
            return self.either(items[1:], word, decided, neutral)
        arm = CodeBlock(self.block, self.block.depth)
        name = self.fresh("c")
        fork = Fork((name if word == "and" else f"not {name}", arm), span=self.span)
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
        """A condition unchanged, named if it calls something that depends on less."""
        return self.named(value) if value.depth < self.block.depth and "(" in value.text[1:] else value

    def of_word_is(self, e: ir.WordIs) -> Value:
        if isinstance(e.subject, ir.OptionRead) and len(e.words) == 1:
            return Value(self.owner.option(e.subject.name, e.words[0]), 0)
        value = self.named(self.value(e.subject)) if not isinstance(e.subject, ir.FrameName) else self.value(e.subject)
        known = self.words.meant(value.text)
        if known is not None:
            return TRUE if known in e.words else FALSE
        if len(e.words) == 1:
            return Value(f"({value.text} == {self.word(e.words[0])})", value.depth)
        return Value(f"({value.text} in {self.word(frozenset(e.words))})", value.depth)

    of_word_of = of_word_is

    def of_equal(self, e: ir.Equal) -> Value:
        sign = "is" if e.left.type.name == "thing" else "=="
        return self.joined("({} " + sign + " {})", self.value(e.left), self.value(e.right))

    def of_is_there(self, e: ir.IsThere) -> Value:
        if isinstance(e.value, ir.HolderOf) and self._direct(e.value) and not e.value.held.type.optional:
            return self.joined("({} is not None)", self.attribute(self.value(e.value.held), "holder"))
        if e.value.type.name == "set":
            if isinstance(e.value, ir.Filter | ir.MapOver):
                return self.quantified("any", e.value, "", None)
            return self.joined("bool({})", self.value(e.value))
        return self.joined("({} is not None)", self.value(e.value))

    def of_member(self, e: ir.Member) -> Value:
        item, group = self.value(e.one), self.value(e.base)
        if self.over.get(item.text) == group.text:
            return TRUE
        if e.one.type.name == "thing" and group.depth < item.depth:
            group = Value(f"frozenset({group.text})", group.depth)
        return self.called("({} in {})", item, group)

    # ---- what loops do
    def quantified(self, quantifier: str, base: E, variable: str, body: E | None) -> Value:
        """A test of a set computed here; without a body, whether the set is not empty."""
        raise NotImplementedError


def holder_is_thing(field: ir.Field) -> bool:
    """Whether a field is an ordinary one of a thing; its name is not."""
    return field.holder.type.name == "thing"
