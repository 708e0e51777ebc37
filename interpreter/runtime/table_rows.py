"""Tables in play: functions from keys to rows, and nested dicts. A key without a row is an error of the rule."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping

from dsl.data.table_data import ANY, TableInfo, fits
from interpreter.runtime.runtime import RuleTrouble, say
from interpreter.runtime.things import Value


def no_row(table: TableInfo, keys: Mapping[int, object]) -> RuleTrouble:
    """The error for a table without a row for these keys, each by its index in the heading."""
    entry = ", ".join(f"{table.keys[i].name} {say(keys[i])}" for i in sorted(keys))
    return RuleTrouble(f"The table {table.name} has no row for {entry}.")


def table_function(table: TableInfo) -> Callable[..., Value]:
    """The table as a function from its keys to a row of cells (for `all rows`, to every row that fits)."""
    cells = [row.cells for row in table.rows]
    if table.hit == "last row reached":
        steps = [(row.matches[-1][0], row.matches[:-1], row.cells) for row in table.rows if row.matches[-1] is not ANY]

        def last(*keys: Value) -> Value:
            found = None
            for low, others, row in steps:
                if keys[-1] >= low and all(fits(m, k) for m, k in zip(others, keys[:-1], strict=True)):
                    found = row
            if found is None:
                raise no_row(table, dict(enumerate(keys)))
            return found

        return last
    entries = table.entries()
    if entries is not None and table.hit != "all rows":
        found = {entry: cells[rows[0]] for entry, rows in entries.items() if rows}

        def look(*keys: Value) -> Value:
            try:
                return found[keys]
            except KeyError:
                raise no_row(table, dict(enumerate(keys))) from None

        return look

    def search(*keys: Value) -> Value:
        hit = [row.cells for row in table.rows if all(fits(m, k) for m, k in zip(row.matches, keys, strict=True))]
        if table.hit == "all rows":
            return hit
        if not hit:
            raise no_row(table, dict(enumerate(keys)))
        return hit[0]

    return search


class Nest(dict[Value, Value]):
    """A table level for one key, given the keys before it. A missing key is reported with those."""

    __slots__ = ("before", "key", "table")

    def __init__(self, table: TableInfo, key: int, before: Mapping[int, object]) -> None:
        super().__init__()
        self.table, self.key, self.before = table, key, before

    def __missing__(self, value: object) -> Value:
        raise no_row(self.table, {**self.before, self.key: value})


def nested_table(table: TableInfo, column: int, order: tuple[int, ...], of: int = 1) -> Nest:
    """A table as nested dicts, by its keys in that order; at the end a cell, or for column -1 the row.

    of: the parts in which the numbers of the column are counted, so that they are whole.
    """
    nest = Nest(table, order[0], {})
    for entry, rows in (table.entries() or {}).items():
        if rows:
            inner = nest
            for i, following in itertools.pairwise(order):
                if entry[i] not in inner:
                    inner[entry[i]] = Nest(table, following, {**inner.before, i: entry[i]})
                inner = inner[entry[i]]
            cells = table.rows[rows[0]].cells
            cell: Value = cells if column < 0 else cells[column]
            inner[entry[order[-1]]] = int(cell * of) if of > 1 else cell
    return nest
