"""Lookups that miss their table: keys without a row, found before play."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dsl import ir
from dsl.analysis.extents import ENDLESS, Extent, Extents
from dsl.analysis.said import Said, Sayings
from dsl.data.table_data import ANY, Key, TableInfo, say
from dsl.ir import E, Routine, alike
from dsl.rules.ruleset import Ruleset
from dsl.text.diagnostics import Diagnostic, Mark, at
from dsl.text.source import NOWHERE, Span


def check_lookups(
    ruleset: Ruleset, tables: Mapping[str, TableInfo], routines: Mapping[str, Routine]
) -> Iterator[Diagnostic]:
    """E349 for a lookup that never finds a row, W349 for one that may find none. Unknown keys are not reported."""
    bounded = {name: reach for name, table in tables.items() if (reach := _rows_reach(table))}
    if not bounded:
        return
    sayings = Sayings(routines)
    extents = Extents(ruleset, tables, routines, sayings)
    for lookup, said in sayings.lookups:
        name, keys = lookup.table, lookup.keys
        for place, rows in bounded.get(name, {}).items():
            found = extents.of(keys[place], said)
            if found is None:
                continue
            for problem in _left(tables[name], tables[name].keys[place], rows, found, _place(lookup, keys[place])):
                if problem.is_error or not _bounded_otherwise(sayings, keys[place], said):
                    yield problem


def _bounded_otherwise(sayings: Sayings, key: E, said: Said) -> bool:
    """Whether a condition other than a comparison of the key itself tests something that the key depends on: it may bound the key."""
    rests = sayings.reads([(key, said.routine)])
    parts = list(_parts(key))
    return any(
        not _compares(condition, parts) and rests & sayings.reads([(condition, said.routine)])
        for condition in said.facts.asked
    )


def _parts(e: E) -> Iterator[E]:
    yield e
    if isinstance(e, ir.Arithmetic | ir.Negative | ir.Must | ir.Otherwise):
        for x in ir.inner(e):
            if isinstance(x, E):
                yield from _parts(x)


def _compares(condition: E, parts: list[E]) -> bool:
    """Whether a condition only compares parts of a key with something."""
    match condition:
        case ir.And(items=items) | ir.Or(items=items):
            return all(_compares(x, parts) for x in items)
        case ir.Not(item=item):
            return _compares(item, parts)
        case ir.Compare(left=left, right=right) | ir.Equal(left=left, right=right):
            return any(alike(x, p) for x in (left, right) for p in parts)
    return False


def _place(lookup: E, key: E) -> Span:
    return lookup.span if key.span == NOWHERE else key.span


def _rows_reach(table: TableInfo) -> dict[int, Extent]:
    """By the index of each number key: which numbers have rows, if not all have."""
    if table.hit == "all rows":
        return {}
    if table.hit == "last row reached":
        firsts = [row.matches[-1][0] for row in table.rows if row.matches[-1] is not ANY and row.matches[-1]]
        key = table.keys[-1]
        begin = min((x if not isinstance(x, tuple) else x[0] for x in firsts), default=None)
        return (
            {len(table.keys) - 1: Extent(begin, ENDLESS, parts=True)} if begin is not None and key.low is None else {}
        )
    numbers = {i: k.domain for i, k in enumerate(table.keys) if k.type.name == "number" and k.domain}
    return {i: Extent(domain[0], domain[-1]) for i, domain in numbers.items()}


def _left(table: TableInfo, key: Key, rows: Extent, found: Extent, place: Span) -> Iterator[Diagnostic]:
    """The problem with a key of this extent."""
    if key.rounded:
        found = found.rounded(key.rounded)
    if key.low is not None:
        found = found.kept(key.low, key.high)
    also = [Mark(table.node.span, "the table")]
    if found.high < rows.low or found.low > rows.high:
        hint = _hint(table, key, rows)
        message = (
            f"This is {_shown(found)}, but the rows of {table.name} cover {_shown(rows)}: the lookup never finds a row."
        )
        yield at("E349", message, place, hint=hint, also=also)
    elif _leaves(rows, found):
        hint = _hint(table, key, rows)
        message = f"This can be {_shown(found)}, but the rows of {table.name} cover {_shown(rows)}."
        yield at("W349", message, place, hint=hint, also=also)
    elif found.parts and not rows.parts:
        message = f"This may be a fraction, but the rows of {table.name} cover whole numbers only."
        hint = f"Round it first, or add a line `{key.name} rounded down` to the table."
        yield at("W349", message, place, hint=hint, also=also)


def _leaves(rows: Extent, found: Extent) -> bool:
    """Whether numbers may be outside the rows. Below rows without an upper end, a key that may be any number is not reported."""
    if rows.high == ENDLESS and found.low == -ENDLESS:
        return False
    return found.low < rows.low or found.high > rows.high


def _hint(table: TableInfo, key: Key, rows: Extent) -> str:
    if rows.high == ENDLESS:
        return f"Add a first row for lower values, or make sure that it is at least {say(rows.low)}."
    return f"Add a line `{key.name} kept within {say(rows.low)} .. {say(rows.high)}` to {table.name}, or keep it within these bounds before the lookup."


def _shown(extent: Extent) -> str:
    low, high = extent.low, extent.high
    if low == high:
        return say(low)
    if low == -ENDLESS:
        return "any number" if high == ENDLESS else f"{say(high)} or less"
    return f"{say(low)} or more" if high == ENDLESS else f"{say(low)} to {say(high)}"
