"""Tables: reading their rows, and proving before play that every entry finds a row and only one."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import attrs

from dsl.data.tables_proof import ANY, check_trend, fits, prove, say
from dsl.ir import DICE, MARK, NOTHING, NUMBER, TEXT, Type, enum
from dsl.rules.dice_values import read_dice_value
from dsl.rules.ruleset import Ruleset
from dsl.syntax import declarations as d
from dsl.syntax import tree as t
from dsl.syntax.layout import dice_of
from dsl.text.diagnostics import Diagnostic, Mark, at, did_you_mean
from dsl.text.source import Span

MOST_ENTRIES = 60_000
"""A table of at most so many entries is kept with each of them worked out."""
MOST_ROWS = 2_000
MOST_DOMAIN = 10_000
"""A table has at most so many rows; a key with more values than MOST_DOMAIN is not written out."""


@attrs.define(slots=True)
class Key:
    """One key. domain: all its values when they are known; low, high: what it is kept within; rounded: which way.

    groups: the words that stand for several words of its enum.
    """

    name: str
    type: Type
    domain: tuple[Any, ...] | None = None
    low: Any = None
    high: Any = None
    rounded: str = ""
    groups: dict[str, tuple[str, ...]] = attrs.field(factory=dict)


@attrs.define(slots=True)
class Column:
    """A result column and the type of its cells."""

    name: str
    type: Type


@attrs.define(slots=True)
class TableRow:
    """matches: for each key ANY, or a tuple of values and (low, high) ranges. cells: one for each column."""

    matches: tuple[Any, ...]
    cells: tuple[Any, ...]
    span: Span


@attrs.define(slots=True)
class TableInfo:
    """A table read: its keys, its columns, its rows, and how rows are hit."""

    name: str
    node: d.Table
    hit: str
    keys: list[Key] = attrs.field(factory=list)
    columns: list[Column] = attrs.field(factory=list)
    rows: list[TableRow] = attrs.field(factory=list)

    def column_index(self, name: str) -> int:
        """Where a column stands among the results."""
        return next(i for i, c in enumerate(self.columns) if c.name == name)

    def entries(self) -> dict[tuple[Any, ...], tuple[int, ...]] | None:
        """Every entry with the numbers of the rows it finds; None when some key has no known domain."""
        domains = [k.domain for k in self.keys]
        if any(x is None for x in domains):
            return None
        size = 1
        for x in domains:
            size *= len(x or ())
        if size > MOST_ENTRIES:
            return None
        found: dict[tuple[Any, ...], list[int]] = {e: [] for e in itertools.product(*(x or () for x in domains))}
        for number, row in enumerate(self.rows):
            spread = [_spread(m, k.domain or ()) for m, k in zip(row.matches, self.keys, strict=True)]
            for entry in itertools.product(*spread):
                if entry in found:
                    found[entry].append(number)
        return {e: tuple(n) for e, n in found.items()}


def _spread(match: Any, domain: Iterable[Any]) -> list[Any]:
    if match is ANY:
        return list(domain)
    return [v for v in domain if fits(match, v)]


def split_row(text: str) -> tuple[list[str], list[str] | None]:
    """The cells left and right of `||`; right is None when there is none."""
    left, bar, right = text.partition("||")
    cells = [c.strip() for c in left.strip().strip("|").split("|")]
    return cells, [c.strip() for c in right.strip().strip("|").split("|")] if bar else None


def number_of(text: str) -> int | Fraction | None:
    """A number as tables print it: 4, x4, x1/2, +2, -1, 40%, 1.5; None for anything else."""
    found = re.fullmatch(r"x?([+-]?\d{1,24}(?:\.\d{1,24}|/\d{1,24})?)\s*%?", text)
    if not found or ("/" in text and not int(found[1].partition("/")[2])):
        return None
    value = Fraction(found[1])
    return value.numerator if value.denominator == 1 else value


def cell_value(text: str) -> Any:
    """A cell: a number, True or False, None for the printed dash, else its words."""
    if text in {"--", "—", "-"}:
        return None
    if text in {"yes", "no"}:
        return text == "yes"
    number = number_of(text)
    return text if number is None else number


def read_tables(ruleset: Ruleset) -> tuple[dict[str, TableInfo], list[Diagnostic]]:
    """All tables of a ruleset, read and checked."""
    out: dict[str, TableInfo] = {}
    problems: list[Diagnostic] = []
    for name, node in ruleset.tables.items():
        out[name] = read_table(ruleset, node, problems)
    return out, problems


def read_table(ruleset: Ruleset, node: d.Table, problems: list[Diagnostic]) -> TableInfo:
    """One table, read and checked; what is wrong is added to `problems`."""
    info = TableInfo(node.name, node, node.hit)
    before = len(problems)
    if len(node.rows) > MOST_ROWS:
        message = f"The table {node.name} has {len(node.rows):,} rows; one may have {MOST_ROWS:,}."
        problems.append(at("E001", message, node.rows[MOST_ROWS].span, hint="Split it by one of its keys."))
        return info
    info.keys += [_key(ruleset, key) for key in node.keys]
    for key in info.keys:
        if key.type.name == "enum":
            key.groups = {g: words for g, (of, words) in ruleset.groups.items() if of == key.type.word}
    for note in node.notes:
        _note(info, note, problems)
    header, right = split_row(node.rows[0].text)
    if right is None:
        message = f"The heading of {node.name} has no `||` between keys and results."
        problems.append(at("E301", message, node.rows[0].span, hint="Write: key | key || result | result"))
        return info
    if len(info.keys) == 2 and len(header) == 1:
        _matrix(info, header, right, problems)
    else:
        _list(info, header, right, problems)
    if len(problems) == before:
        _type_columns(ruleset, info, problems)
        prove(info, problems)
        check_trend(ruleset, info, problems)
    return info


def _key(ruleset: Ruleset, name: str) -> Key:
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
    return Key(name, NUMBER)


def _note(info: TableInfo, note: d.TableNote, problems: list[Diagnostic]) -> None:
    if note.kind in {"cells", "as printed"}:
        return
    key = next((k for k in info.keys if k.name == note.key), None)
    if key is None:
        hint = did_you_mean(note.key, [k.name for k in info.keys])
        problems.append(at("E302", f"{info.name} has no key {note.key}.", note.span, word=note.key, hint=hint))
        return
    if note.kind == "rounded" and note.direction is not None:
        key.rounded = note.direction.way
    elif note.low is not None and note.high is not None:
        low, high = _bound(note.low, key), _bound(note.high, key)
        for bound, node in ((low, note.low), (high, note.high)):
            if bound is None or (key.type.name == "enum" and bound not in (key.domain or ())):
                words = [str(x) for x in key.domain or ()] if key.type.name == "enum" else []
                hint = did_you_mean(str(bound), words) or (
                    f"It can be: {', '.join(words)}." if words else "Write a number."
                )
                problems.append(at("E303", f"This is no bound for {key.name}.", node.span, hint=hint))
                return
        order = (key.domain or ()).index if key.type.name == "enum" else (lambda x: x)
        if order(low) > order(high):
            problems.append(
                at(
                    "E304",
                    f"Nothing lies within {say(low)} .. {say(high)}.",
                    note.span,
                    hint="Write the lower bound first.",
                )
            )
            return
        key.low, key.high = low, high
        if key.type.name == "number" and isinstance(low, int) and isinstance(high, int):
            key.domain = tuple(range(low, high + 1)) if high - low < MOST_DOMAIN else None
        elif key.type.name == "enum" and key.domain:
            key.domain = key.domain[order(low) : order(high) + 1]


def _bound(node: t.Node, key: Key) -> Any:
    text = node.word if isinstance(node, t.Name) else str(node.value) if isinstance(node, t.Literal) else ""
    return text if key.type.name == "enum" else number_of(text)


def _matches(key: Key, text: str, row: d.Row, problems: list[Diagnostic]) -> Any:
    if text == "any":
        return ANY
    out: list[Any] = []
    for part in text.split(","):
        word = part.strip()
        if key.type.name == "enum":
            domain = key.domain or ()
            meant = [word] if word in domain else [x for x in key.groups.get(word, ()) if x in domain]
            if not meant:
                known = [*map(str, domain), *key.groups]
                message = f"`{word}` is no word of {key.name}."
                problems.append(at("E303", message, row.span, hint=did_you_mean(word, known)))
                return ANY
            out += meant
        elif key.type.name == "mark":
            if word not in {"yes", "no"}:
                problems.append(at("E303", f"`{word}` stands for yes or no.", row.span))
                return ANY
            out.append(word == "yes")
        else:
            span = re.fullmatch(r"(-?\d{1,24})\s*\.\.\s*(-?\d{1,24})", word)
            value = number_of(word)
            if span:
                out.append((int(span[1]), int(span[2])))
            elif value is not None:
                out.append(value)
            else:
                problems.append(
                    at(
                        "E303",
                        f"`{word}` is no number for {key.name}.",
                        row.span,
                        hint="Write 3, 2..4, a list, or any.",
                    )
                )
                return ANY
            if key.domain is not None and isinstance(out[-1], int) and out[-1] not in key.domain:
                problems.append(
                    at(
                        "E304",
                        f"{word} cannot come up for {key.name}.",
                        row.span,
                        hint=f"It runs from {key.domain[0]} to {key.domain[-1]}.",
                        word=word,
                    )
                )
    return tuple(out)


def _list(info: TableInfo, header: list[str], right: list[str], problems: list[Diagnostic]) -> None:
    names = [k.name for k in info.keys]
    if sorted(header) != sorted(names):
        hint = "The keys are: " + " | ".join(names)
        problems.append(
            at("E302", f"The heading of {info.name} does not name its keys.", info.node.rows[0].span, hint=hint)
        )
        return
    order = [header.index(n) for n in names]
    for name in right:
        info.columns.append(Column(name, NOTHING))
    for row in info.node.rows[1:]:
        left, cells = split_row(row.text)
        if cells is None or len(left) != len(header) or len(cells) != len(right):
            problems.append(
                at(
                    "E305",
                    _counted(left, cells, header, right),
                    row.span,
                    also=[Mark(info.node.rows[0].span, "the heading")],
                )
            )
            continue
        matches = tuple(_matches(key, left[i], row, problems) for key, i in zip(info.keys, order, strict=True))
        info.rows.append(TableRow(matches, tuple(cell_value(c) for c in cells), row.span))


def _matrix(info: TableInfo, header: list[str], right: list[str], problems: list[Diagnostic]) -> None:
    """One key down the side, the other along the top."""
    down = next((i for i, k in enumerate(info.keys) if k.name == header[0]), None)
    if down is None:
        problems.append(
            at(
                "E302",
                f"`{header[0]}` is no key of {info.name}.",
                info.node.rows[0].span,
                hint=did_you_mean(header[0], [k.name for k in info.keys]),
            )
        )
        return
    across = info.keys[1 - down]
    top = [_matches(across, text, info.node.rows[0], problems) for text in right]
    names = next((n.names for n in info.node.notes if n.kind == "cells"), ("result",))
    info.columns = [Column(n, NOTHING) for n in names]
    for row in info.node.rows[1:]:
        left, cells = split_row(row.text)
        if cells is None or len(left) != 1 or len(cells) != len(right):
            problems.append(
                at(
                    "E305",
                    _counted(left, cells, header, right),
                    row.span,
                    also=[Mark(info.node.rows[0].span, "the heading")],
                )
            )
            continue
        side = _matches(info.keys[down], left[0], row, problems)
        for column, text in zip(top, cells, strict=True):
            parts = [p.strip() for p in text.split(",")] if len(names) > 1 else [text]
            if len(parts) != len(names):
                problems.append(at("E305", f"`{text}` is not {len(names)} results ({', '.join(names)}).", row.span))
                continue
            matches = (side, column) if down == 0 else (column, side)
            info.rows.append(TableRow(matches, tuple(cell_value(p) for p in parts), row.span))


def _type_columns(ruleset: Ruleset, info: TableInfo, problems: list[Diagnostic]) -> None:
    for index, column in enumerate(info.columns):
        values = [row.cells[index] for row in info.rows]
        there = [v for v in values if v is not None]
        column.type = _cell_type(ruleset, there)
        if column.type is TEXT:
            _odd_cells(info, index, problems)
        if column.type is DICE:
            info.rows = [attrs.evolve(row, cells=_with_dice(row.cells, index)) for row in info.rows]
        if len(there) < len(values):
            column.type = column.type.maybe()


def _with_dice(cells: tuple[Any, ...], index: int) -> tuple[Any, ...]:
    """The cells of a row with its dice written in the one way: `1d6` for `D6`."""
    return tuple(read_dice_value(c) if n == index and c is not None else c for n, c in enumerate(cells))


def _odd_cells(info: TableInfo, index: int, problems: list[Diagnostic]) -> None:
    """Cells that look like numbers and are none, and words in a column of numbers."""
    name = info.columns[index].name
    numbers = [r for r in info.rows if isinstance(r.cells[index], int | Fraction)]
    for row in info.rows:
        cell = row.cells[index]
        if isinstance(cell, str) and re.fullmatch(r"x?[+-]?\d+[./]\d*[./\d]*%?", cell):
            hint = "Nothing can be divided by zero." if "/0" in cell else "Write 4, x4, x1/2, +2, 40% or 1.5."
            problems.append(at("E326", f"`{cell}` is no number.", row.span, hint=hint))
        elif isinstance(cell, str) and len(numbers) * 2 > len(info.rows):
            message = f"`{cell}` is no number, so the whole column {name} is read as text."
            problems.append(at("W312", message, row.span, hint="Write a number, or `--` for nothing."))


def _cell_type(ruleset: Ruleset, values: list[Any]) -> Type:
    if not values:
        return NOTHING
    if all(isinstance(v, bool) for v in values):
        return MARK
    if all(isinstance(v, int | Fraction) and not isinstance(v, bool) for v in values):
        return NUMBER
    words = {str(v) for v in values}
    homes = [e.name for e in ruleset.enums.values() if words <= set(e.words)]
    if homes:
        return enum(min(homes, key=lambda h: len(ruleset.enums[h].words)))
    if all(read_dice_value(w) for w in words):
        return DICE
    entries: dict[str, set[str]] = {}
    for unit_list in ruleset.lists.values():
        entries.setdefault(unit_list.of, set()).update(r.text.split("|")[0].strip() for r in unit_list.rows[1:])
    return next((Type("entry", kind) for kind, known in entries.items() if words <= known), TEXT)


def _counted(left: list[str], cells: list[str] | None, header: list[str], right: list[str]) -> str:
    """How a row differs from the heading."""
    if cells is None:
        return "This row has no `||` between keys and results."

    def says(keys: int, results: int) -> str:
        return f"{keys} key{'s' if keys != 1 else ''} and {results} result{'s' if results != 1 else ''}"

    return f"This row has {says(len(left), len(cells))}, the heading {says(len(header), len(right))}."
