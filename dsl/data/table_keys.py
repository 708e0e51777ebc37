"""Keys of tables: the value with which each is entered, the notes that bound and round it, and which values a row covers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dsl.data.table_cells import number_of
from dsl.data.table_data import ANY, Cell, Key, TableInfo, say
from dsl.ir import MARK, NUMBER, enum
from dsl.rules.ruleset import Ruleset
from dsl.syntax import declarations as d
from dsl.syntax import syntax_tree as t
from dsl.syntax.dice_words import dice_of
from dsl.text.diagnostics import Diagnostic, at, did_you_mean, nearest
from dsl.text.source import Span

MOST_DOMAIN = 10_000
"""A key with more values than this is not enumerated."""
_RANGE = re.compile(r"(-?\d{1,24})\s*\.\.\s*(-?\d{1,24})")
_DASH = re.compile(r"(\d{1,9})\s*[-\u2013]\s*(\d{1,9})")
"""A range as it is printed: `4-6`."""


def key_of(ruleset: Ruleset, name: str, keys: Sequence[str] = ()) -> Key:
    """A key by its name: dice, an enum, a field of a kind, else a number. keys: the names of all keys of the table."""
    if re.fullmatch(r"\d*[dD]\d+([+-]\d+)?", name):
        count, faces, plus = dice_of(name)
        return Key(
            name, NUMBER, tuple(range(count + plus, count * faces + plus + 1)) if count * faces <= MOST_DOMAIN else None
        )
    if name in ruleset.enums:
        return Key(name, enum(name), ruleset.enums[name].words)
    homes = [e for e in ruleset.enums if e.endswith("." + name)]
    if len(homes) == 1:
        return Key(name, enum(homes[0]), ruleset.enums[homes[0]].words)
    for info in ruleset.kinds.values():
        field = info.fields.get(name)
        if field is not None and field.type.name == "enum":
            return Key(name, field.type.sure(), ruleset.enums[field.type.word].words)
        if field is not None and field.type.name == "mark":
            return Key(name, MARK, (False, True))
    return Key(name, NUMBER, meant=_meant(ruleset, name, keys))


def _meant(ruleset: Ruleset, name: str, keys: Sequence[str]) -> str:
    """For a key that is only a number because nothing has its name: what has almost that name."""
    fields = [
        field for info in ruleset.kinds.values() for field, x in info.fields.items() if x.type.name in {"enum", "mark"}
    ]
    known = [*(one for one in ruleset.enums if "." not in one), *fields]
    near = did_you_mean(name, known)
    if again := next((one for one in nearest(name, known) if one in keys), ""):
        near = f"A key may appear twice: `by {again} and {again}`."
    return f"Nothing is called {name}, so it is a number. {near}" if near else ""


def take_note(info: TableInfo, note: d.TableNote, problems: list[Diagnostic]) -> None:
    """Reads a line about a key: how it is rounded, or its bounds."""
    if note.kind in {"cells", "as printed"}:
        return
    key = next((k for k in info.keys if k.name == note.key), None)
    if key is None:
        hint = did_you_mean(note.key, [k.name for k in info.keys])
        problems.append(at("E302", f"{info.name} has no key {note.key}.", note.span, word=note.key, hint=hint))
    elif note.kind == "rounded" and note.direction is not None:
        key.rounded = note.direction.way
    elif note.low is not None and note.high is not None:
        low, high = _bound(note.low, key, problems), None
        if low is not None:
            high = _bound(note.high, key, problems)
        if high is not None:
            _keep_within(key, low, high, note, problems)


def _keep_within(key: Key, low: Cell, high: Cell, note: d.TableNote, problems: list[Diagnostic]) -> None:
    """Limits a key to the values within two bounds."""
    words = key.type.name == "enum"
    order = (key.domain or ()).index if words else (lambda x: x)
    if order(low) > order(high):
        message, hint = f"The range {say(low)} .. {say(high)} is empty.", "Write the lower bound first."
        problems.append(at("E304", message, note.span, hint=hint))
        return
    key.low, key.high = low, high
    if key.type.name == "number" and isinstance(low, int) and isinstance(high, int):
        key.domain = tuple(range(low, high + 1)) if high - low < MOST_DOMAIN else None
    elif words and key.domain:
        key.domain = key.domain[order(low) : order(high) + 1]


def _bound(node: t.Node, key: Key, problems: list[Diagnostic]) -> Cell:
    """One bound of a key: a number, or one of its words; None, and reported, if it is neither."""
    text = node.word if isinstance(node, t.Name) else str(node.value) if isinstance(node, t.Literal) else ""
    words = [str(x) for x in key.domain or ()] if key.type.name == "enum" else []
    bound = text if key.type.name == "enum" else number_of(text)
    if bound is not None and (key.type.name != "enum" or bound in (key.domain or ())):
        return bound
    hint = did_you_mean(str(bound), words) or (f"It can be: {', '.join(words)}." if words else "Write a number.")
    problems.append(at("E303", f"This is not a valid bound for {key.name}.", node.span, hint=hint))
    return None


def matches(key: Key, text: str, span: Span, problems: list[Diagnostic]) -> Cell:
    """The values of a key that match a cell: ANY (also if it cannot be read), or values and ranges of them."""
    if text == "any":
        return ANY
    fit = {"enum": _words, "mark": _marks}.get(key.type.name, _numbers)
    found: list[Cell] = []
    for part in text.split(","):
        some = fit(key, part.strip(), span, problems)
        if some is None:
            return ANY
        found += some
    return tuple(found)


def _words(key: Key, word: str, span: Span, problems: list[Diagnostic]) -> list[Cell] | None:
    """A word of an enum, or one that stands for several of its words."""
    domain = key.domain or ()
    meant = [word] if word in domain else [x for x in key.groups.get(word, ()) if x in domain]
    if not meant:
        hint = did_you_mean(word, [*map(str, domain), *key.groups])
        problems.append(at("E303", f"`{word}` is not a word of {key.name}.", span, hint=hint))
    return meant or None


def _marks(_key: Key, word: str, span: Span, problems: list[Diagnostic]) -> list[Cell] | None:
    """`yes` or `no`."""
    if word not in {"yes", "no"}:
        problems.append(at("E303", f"`{word}` must be yes or no.", span))
        return None
    return [word == "yes"]


def _numbers(key: Key, word: str, span: Span, problems: list[Diagnostic]) -> list[Cell] | None:
    """A possible number, or a range."""
    ends, value = _RANGE.fullmatch(word), number_of(word)
    if ends:
        return [(int(ends[1]), int(ends[2]))]
    if value is None:
        if key.meant and key.told:
            return None
        key.told = True
        hint = f"Write a range with two dots: `{dash[1]}..{dash[2]}`." if (dash := _DASH.fullmatch(word)) else key.meant
        hint = hint or "Write 3, 2..4, a list of them, or `any`. A key with words has the name of an enum or a field."
        problems.append(at("E303", f"`{word}` is not a number for {key.name}.", span, hint=hint))
        return None
    if key.domain is not None and isinstance(value, int) and value not in key.domain:
        message, hint = (
            f"{word} is not a possible value of {key.name}.",
            f"Write a value from {key.domain[0]} to {key.domain[-1]}.",
        )
        problems.append(at("E304", message, span, hint=hint, word=word))
    return [value]
