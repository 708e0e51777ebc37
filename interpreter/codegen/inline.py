"""Emitting expressions in place: inside a loop every value is written out where it is used.

Each computed value gets a name, so that it is computed once. What does not depend on the item is named further out
(see `values_in_place.py` for the lines of values, and `loops.py` for the loops themselves). `value` is the entry for every
expression: the file of each subject registers the classes that it writes otherwise than outside a loop.
"""

from __future__ import annotations

from fractions import Fraction
from functools import singledispatch

from attrs import define

from dsl import ir
from dsl.ir import E
from dsl.rules.notation import attribute
from interpreter.codegen.block_writing import Writer
from interpreter.codegen.blocks import FALSE, TRUE, Deferred, TooHard, Value
from interpreter.codegen.expressions import ExpressionEmitter, is_whole
from interpreter.codegen.plain_expressions import PlainEmitter
from interpreter.codegen.python_names import py
from interpreter.codegen.shapes import negated


@singledispatch
def value(e: E, w: Writer) -> Value:
    """An expression as Python text, after the lines that it needs."""
    return as_elsewhere(e, w)


def as_elsewhere(e: E, w: Writer) -> Value:
    """An operation that is written as outside a loop; its parts are written in place."""
    depth = w.depth_of(e)
    return Value(in_place(w, depth).visit(e), depth)


def in_place(w: Writer, depth: int) -> ExpressionEmitter:
    """Writes operations as outside a loop, and their parts in place: named further out if they depend on less than `depth`."""
    return ExpressionEmitter(w.owner.ruleset, w.owner.tables, w.words, elsewhere=PartsInPlace(w, depth))


@define(slots=True)
class PartsInPlace:
    """Writes the parts of an operation in place: the `Elsewhere` of its emitter."""

    w: Writer
    depth: int

    def written(self, e: E, by: PlainEmitter) -> str:  # noqa: ARG002 (the emitter of the operation is not needed)
        """A part of the operation."""
        made = value(e, self.w)
        return (self.w.named(made) if made.depth < self.depth else made).text


def access(frame: str, w: Writer) -> str:
    """Text for a frame."""
    return in_place(w, 0).access(frame)


# ---- names and properties
@value.register
def _(e: ir.Constant, w: Writer) -> Value:
    return Value(w.owner.exact(e.value) if isinstance(e.value, Fraction) else w.words.word(e.value), 0)


@value.register
def _(e: ir.Local, w: Writer) -> Value:
    return local(e.name, w)


def local(name: str, w: Writer) -> Value:
    """The definition of a name."""
    if name not in w.names:
        raise TooHard
    known = w.names[name]
    return _settled(known, w) if isinstance(known, Deferred) else known


def _settled(later: Deferred, w: Writer) -> Value:
    """The definition of a name, computed where it is used."""
    key = f"let {id(later.e)} {sorted((n, v.text) for n, v in later.names.items())}"
    found = w.find(key)
    if found is None:
        with w.scope(later.names):
            found = w.named(value(later.e, w))
        if found.depth >= w.block.depth:
            w.block.learn(key, found)
    return found


@value.register
def _(e: ir.FrameEntry, w: Writer) -> Value:
    return w.named(w.joined("{}[{}]", Value(f"{access(e.frame, w)}.n_{py(e.name)}", 0), value(e.key, w)))


@value.register
def _(e: ir.OptionRead, w: Writer) -> Value:
    chosen = w.owner.option(e.name)
    return Value(f"int({chosen})" if e.type.name == "number" else chosen, 0)


@value.register
def _(e: ir.Field, w: Writer) -> Value:
    if isinstance(e.holder, ir.HolderOf) and is_direct(e.holder, w) and not e.holder.type.optional:
        return w.attribute(w.attribute(value(e.holder.held, w), "holder"), _slot(e))
    return w.attribute(value(e.holder, w), _slot(e), maybe=e.holder.type.optional)


def _slot(e: ir.Field) -> str:
    """The attribute that a field is kept in; the name of a thing is no ordinary field."""
    return "name" if e.name == "name" and e.holder.type.name == "thing" else attribute(e.name)


def is_direct(holder: ir.HolderOf, w: Writer) -> bool:
    """Whether a holder is always the direct one."""
    kind = w.owner.ruleset.kinds.get(holder.held.type.word)
    return kind is not None and kind.holder == holder.kind


@value.register
def _(e: ir.SideOf, w: Writer) -> Value:
    held = value(e.thing, w)
    if held.text in w.runs:
        w.unused.pop(w.runs[held.text], None)
        return Value(w.runs[held.text], 1)
    return w.attribute(held, "side", maybe=e.thing.type.optional)


@value.register
def _(e: ir.PlaceOf, w: Writer) -> Value:
    return w.attribute(value(e.thing, w), "place", maybe=e.thing.type.optional)


@value.register
def _(e: ir.Foe, w: Writer) -> Value:
    return w.called("W.foe({})", value(e.side, w))


@value.register
def _(e: ir.Otherwise, w: Writer) -> Value:
    if isinstance(e.value, ir.Field) and e.value.holder.type.optional and not _may_lack(e.value, w):
        holder = w.named(value(e.value.holder, w))
        return w.joined("({} if {} is None else {}." + _slot(e.value) + ")", value(e.other, w), holder, holder)
    first = w.named(value(e.value, w))
    return w.joined("({} if {} is None else {})", value(e.other, w), first, first)


def _may_lack(field: ir.Field, w: Writer) -> bool:
    """Whether a field may be absent."""
    holder, name = field.holder.type, field.name
    if holder.name == "rating":
        return bool(w.owner.ruleset.rating_fields[holder.word][name].type.optional)
    kind = w.owner.ruleset.kinds.get(holder.word)
    return kind is None or name not in kind.fields or bool(kind.fields[name].type.optional)


# ---- numbers and tables
@value.register
def _(e: ir.Arithmetic, w: Writer) -> Value:
    whole = is_whole(e.left) or is_whole(e.right)
    if e.sign == "+" and not whole:
        return _total(w, e.left, e.right)
    left, right = value(e.left, w), value(e.right, w)
    if e.sign in {"+", "-"}:
        return w.joined("({} " + e.sign + " {})" if whole else "minus({}, {})", left, right)
    if e.sign == "*":
        return w.joined("times({}, {})", left, right)
    return w.joined("divide({}, {})" if e.sign == "/" else "divide(times({}, {}), 100)", left, right)


def _total(w: Writer, *parts: E) -> Value:
    """A sum of several, added in one step if all of them are whole."""
    while isinstance(parts[0], ir.Arithmetic) and parts[0].sign == "+":
        parts = (parts[0].left, parts[0].right, *parts[1:])
    values = [value(p, w) for p in parts]
    depth = max(v.depth for v in values)
    names = [w.named(v).text for v in values]
    slow = names[0]
    for name in names[1:]:
        slow = f"plus({slow}, {name})"
    same = " is ".join(f"type({n})" for n in names if not n.isdecimal())
    return Value(f"({' + '.join(names)} if {same} is int else {slow})" if same else f"({' + '.join(names)})", depth)


@value.register
def _(e: ir.Steps, w: Writer) -> Value:
    return w.joined("({} - {})", rank(e.scale, e.other, w), rank(e.scale, e.one, w))


def rank(scale: str, e: E, w: Writer) -> Value:
    """The index of a word on its scale."""
    return w.joined("R_" + py(scale) + "[{}]", value(e, w))


@value.register
def _(e: ir.LookUp, w: Writer) -> Value:
    return nest(e, -1, w) if is_nested(e, w) else as_elsewhere(e, w)


@value.register
def _(e: ir.Column, w: Writer) -> Value:
    if isinstance(e.row, ir.LookUp) and is_nested(e.row, w):
        return nest(e.row, e.index, w)
    return w.called(f"{{}}[{e.index}]", value(e.row, w))


def is_nested(e: ir.LookUp, w: Writer) -> bool:
    """Whether a table is looked up as nested dicts."""
    table = w.owner.tables[e.table]
    return table.hit in {"exactly one row", "first row"} and table.entries() is not None


def nest(e: ir.LookUp, column: int, w: Writer, of: int = 1) -> Value:
    """A table looked up key by key, those that depend on least first. of: the parts in which its numbers are counted."""
    parts = []
    for key, given in zip(w.owner.tables[e.table].keys, e.keys, strict=True):
        part = value(given, w)
        low, high = w.words.word(key.low), w.words.word(key.high)
        if key.type.name == "number":
            if key.rounded:
                part = w.joined(f"round_{key.rounded}({{}})", part)
            if key.low is not None:
                part = w.joined(f"kept({{}}, {low}, {high})", part)
        elif key.low is not None and key.type.name == "enum":
            part = w.joined(f"kept_word({{}}, R_{py(key.type.word)}, {low}, {high})", part)
        parts.append(part)
    order = tuple(sorted(range(len(parts)), key=lambda i: (parts[i].depth, i)))
    found = Value(w.owner.nested(e.table, column, order, of), 0)
    for i in order:
        found = w.joined("{}[{}]", found, parts[i])
    return w.named(found) if found.depth >= w.block.depth else found


# ---- conditions
@value.register
def _(e: ir.CompareWords, w: Writer) -> Value:
    return w.joined("({} " + e.sign + " {})", rank(e.scale, e.left, w), rank(e.scale, e.right, w))


@value.register
def _(e: ir.Not, w: Writer) -> Value:
    made = value(e.item, w)
    if made.text in {"True", "False"}:
        return FALSE if made == TRUE else TRUE
    return Value(negated(made.text), made.depth)


@value.register
def _(e: ir.Or, w: Writer) -> Value:
    return either(e.items, w)


@value.register
def _(e: ir.And, w: Writer) -> Value:
    return _in_sequence(e.items, "and", FALSE, TRUE, w)


def either(items: tuple[E, ...], w: Writer) -> Value:
    """Whether one of several conditions is true."""
    return _in_sequence(items, "or", TRUE, FALSE, w)


def _in_sequence(items: tuple[E, ...], word: str, decided: Value, neutral: Value, w: Writer) -> Value:
    """Conditions in sequence; those that need extra lines are evaluated only when reached."""
    first = _asked(value(items[0], w), w)
    if len(items) == 1 or first == decided:
        return first
    if first == neutral:
        return _in_sequence(items[1:], word, decided, neutral, w)
    name = w.fresh("c")
    with w.branch(name if word == "and" else f"not {name}") as fork:
        rest = _asked(_in_sequence(items[1:], word, decided, neutral, w), w)
    arm = fork.arms[0][1]
    if not arm.items:
        w.block.items.remove(fork)
        if rest == neutral:
            return first
        return Value(f"({first.text} {word} {rest.text})", max(first.depth, rest.depth))
    w.block.before(fork, (f"{name} = {first.text}", w.span))
    arm.items.append((f"{name} = {rest.text}", w.span))
    w.homes[name] = w.block
    return Value(name, max(first.depth, rest.depth, w.block.depth))


def _asked(made: Value, w: Writer) -> Value:
    """A condition unchanged, named if it calls something that depends on less."""
    return w.named(made) if made.depth < w.block.depth and "(" in made.text[1:] else made


@value.register(ir.WordIs)
@value.register(ir.WordOf)
def _(e: ir.WordIs | ir.WordOf, w: Writer) -> Value:
    if isinstance(e.subject, ir.OptionRead) and len(e.words) == 1:
        return Value(w.owner.option(e.subject.name, e.words[0]), 0)
    subject = value(e.subject, w)
    if not isinstance(e.subject, ir.FrameName):
        subject = w.named(subject)
    known = w.words.meant(subject.text)
    if known is not None:
        return TRUE if known in e.words else FALSE
    if len(e.words) == 1:
        return Value(f"({subject.text} == {w.words.word(e.words[0])})", subject.depth)
    return Value(f"({subject.text} in {w.words.word(frozenset(e.words))})", subject.depth)


@value.register
def _(e: ir.Equal, w: Writer) -> Value:
    sign = "is" if e.left.type.name == "thing" else "=="
    return w.joined("({} " + sign + " {})", value(e.left, w), value(e.right, w))


@value.register
def _(e: ir.Member, w: Writer) -> Value:
    item, group = value(e.one, w), value(e.base, w)
    if w.over.get(item.text) == group.text:
        return TRUE
    if e.one.type.name == "thing" and group.depth < item.depth:
        group = Value(f"frozenset({group.text})", group.depth)
    return w.called("({} in {})", item, group)
