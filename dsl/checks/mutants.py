"""Mutants: copies of a rule text with one line, condition, number or cell changed, to see whether any example notices.

This module only makes them, as declarations that replace others. `campaigns.trials.mutation` tries them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import cast

import attrs

from dsl.checks.node_changes import Change, evolved, own_changes
from dsl.data.table_cells import split_row
from dsl.rules.chains import words_in
from dsl.syntax import body_lines as ln
from dsl.syntax import declarations as d
from dsl.syntax import syntax_tree as t
from dsl.syntax.syntax_tree import Node
from dsl.text.source import Span

APPEAL = ("appeal-of-", "table-tells-")
"""The weights that automated sides use for their choices are not rules: values with names like this are not changed."""
_SILENT = (ln.Let, ln.Tell, ln.Story, ln.Relate, ln.Phase, ln.OnMap)
"""Lines that are never left out: without a name nothing else can be read, and a message by itself is not a rule."""


@attrs.frozen(slots=True)
class Mutant:
    """One change. index: of the declaration that `changed` replaces (None: it is left out).

    span: the changed line. cell: in a table, which entry of its row. change: a description for people.
    """

    index: int
    changed: d.Declaration | None
    span: Span
    change: str
    cell: int | None = None


def mutants(declarations: Sequence[d.Declaration]) -> list[Mutant]:
    """Every mutant of a system's values, orders, procedures, paths, sequences, rules and tables, in order."""
    out: list[Mutant] = []
    idle = _for_machines_alone(declarations)
    for index, x in enumerate(declarations):
        if x.name in idle and isinstance(x, d.Bodied):
            continue
        if isinstance(x, d.Table):
            out += (Mutant(index, changed, span, what, cell) for changed, span, what, cell in _tables(x))
        elif isinstance(x, d.Rule) and not all(map(_only_tells, x.body)):
            out.append(Mutant(index, None, x.span, f"the rule {x.name} left out"))
        if isinstance(x, d.Rule) and x.relation.more:
            for one in x.relation.each():
                first, *rest = one.more
                other = evolved(one, word=first.word, target=first.signature, bound=first.bound, more=tuple(rest))
                name = one.target.name if one.target is not None else ""
                out.append(
                    Mutant(
                        index,
                        evolved(x, relation=other),
                        one.span,
                        f"{name} no longer among its {'orders' if x.relation.kind in {'forbids', 'permits'} else 'texts'}",
                    )
                )
        if isinstance(x, d.Rule) and x.relation.target is None:
            for relation, what in _changes(x.relation):
                out.append(Mutant(index, evolved(x, relation=relation), x.relation.span, what))
        if isinstance(x, d.Bodied):
            for params, span, what in _owners(x.signature.params):
                out.append(Mutant(index, evolved(x, signature=evolved(x.signature, params=params)), span, what))
        if isinstance(x, d.Bodied | d.Rule):
            for body, span, what in _bodies(x.body):
                out.append(Mutant(index, evolved(x, body=body), span, what))
    return out


def _owners(params: tuple[d.Param, ...]) -> Iterator[tuple[tuple[d.Param, ...], Span, str]]:
    """The arguments of an order, with one that may be somebody else's."""
    for i, param in enumerate(params):
        for other, what in own_changes(param):
            yield (*params[:i], cast("d.Param", other), *params[i + 1 :]), param.span, what


def _for_machines_alone(declarations: Sequence[d.Declaration]) -> set[str]:
    """Names that only automated sides use: their values `appeal-of-…` and `table-tells-…`, and everything that only these use."""
    out = {x.name for x in declarations if x.name.startswith(APPEAL)}
    readers: dict[str, set[str]] = {}
    for x in declarations:
        for word in words_in(x):
            readers.setdefault(word, set()).add(x.name if isinstance(x, d.Bodied) else "")
    helpers = [x.name for x in declarations if isinstance(x, d.Bodied) and x.word in {"value", "status"}]
    while True:
        more = {n for n in helpers if n not in out and (by := readers.get(n, set()) - {n}) and by <= out}
        if not more:
            return out
        out |= more


def _bodies(body: tuple[ln.Line, ...]) -> Iterator[tuple[tuple[ln.Line, ...], Span, str]]:
    """Every body with one line left out or changed."""
    for i, line in enumerate(body):
        if _only_tells(line):
            continue
        if len(body) > 1 and not isinstance(line, _SILENT) and not _has_arms(body[i + 1 :]) and not _idle(body, i):
            yield body[:i] + body[i + 1 :], line.span, _left_out(body, line)
        for other, what in _changes(line):
            if isinstance(line, ln.Repeat) and _guards(line) and other.times != line.times:
                continue
            yield (*body[:i], other, *body[i + 1 :]), line.span, what
        if isinstance(line, ln.Block):
            for inner, span, what in _bodies(line.body):
                yield (*body[:i], evolved(line, body=inner), *body[i + 1 :]), span, what


def _left_out(body: Sequence[ln.Line], line: ln.Line) -> str:
    """The description of a line that is left out, or of one of several parts of a line."""
    beside = [x for x in body if x.span.line == line.span.line]
    return f"part {beside.index(line) + 1} of the line left out" if beside[1:] else "the line left out"


def _only_tells(line: ln.Line) -> bool:
    """Whether a line only sends messages, which is not a rule. Who gets which of several messages is one."""
    if isinstance(line, ln.ForEach):
        return all(map(_only_tells, line.body))
    return isinstance(line, ln.Tell | ln.Story | ln.Relate)


def _guards(line: ln.Repeat) -> bool:
    """Whether a loop ends by its condition, and its high limit only prevents an endless loop."""
    most = line.times.value if isinstance(line.times, t.Literal) else None
    return line.condition is not None and isinstance(most, Fraction) and most >= 100


def _idle(body: Sequence[ln.Line], i: int) -> bool:
    """Whether a value is the same without the line: a start with 0, or `plus 0` under the label `adds:`, before any step.

    Without a start the first step starts from 0; without the label the additions of rules come before the first step.
    """
    line, steps = body[i], [isinstance(x, ln.Adjust) for x in body if not isinstance(x, ln.Let)]
    first = not any(isinstance(x, ln.Adjust) for x in body[:i])
    match line:
        case ln.Adjust(op="plus", label="adds", value=t.Literal(kind="number", value=Fraction(numerator=0))):
            return first
        case ln.StartWith(when=None, value=t.Literal(kind="number", value=Fraction(numerator=0))):
            return len(steps) > 1 and steps == [False] + [True] * (len(steps) - 1)
    return False


def _has_arms(after: Sequence[ln.Line]) -> bool:
    """Whether an `otherwise` follows, which cannot stand alone."""
    return bool(after) and isinstance(after[0], ln.When) and after[0].arm != "when"


def _changes(node: Node) -> Iterator[Change]:
    """Every node with one thing in it changed, except the body of a block."""
    yield from own_changes(node)
    for name in t.fields_of(type(node)):
        if name == "body":
            continue
        for other, what in _within(getattr(node, name)):
            yield evolved(node, **{name: other}), what


def _within(value: object) -> Iterator[Change]:
    if isinstance(value, Node):
        yield from _changes(value)
    elif isinstance(value, tuple):
        for i, item in enumerate(value):
            for other, what in _within(item):
                yield (*value[:i], other, *value[i + 1 :]), what


# ---- tables --------------------------------------------------------------------------------------------------


def _tables(table: d.Table) -> Iterator[tuple[d.Table, Span, str, int]]:
    """The table with one result changed, with its place, a description, and which entry of the row it is."""
    heading, names = split_row(table.rows[0].text)
    if names is None:
        return
    matrix = len(table.keys) == 2 and len(heading) == 1
    split = [split_row(row.text) for row in table.rows]
    words: list[list[str]] = [[], *([] for _ in names)]
    for _, cells in split[1:]:
        for number, cell in enumerate(cells or ()):
            words[0 if matrix else number + 1 if number < len(names) else 0] += _parts(cell)
    for i, (row, (left, cells)) in enumerate(zip(table.rows, split, strict=True)):
        if i == 0 or cells is None or len(cells) != len(names):
            continue
        for number, cell in enumerate(cells):
            for other in _cells(cell, words[0 if matrix else number + 1]):
                text = " | ".join(left) + " || " + " | ".join([*cells[:number], other, *cells[number + 1 :]])
                rows = (*table.rows[:i], evolved(row, text=text), *table.rows[i + 1 :])
                what = f"{cell} under {names[number]} becomes {other}"
                yield evolved(table, rows=rows), row.span, what, number if matrix else 0


def _parts(cell: str) -> list[str]:
    return [p.strip() for p in cell.split(",")]


def _cells(cell: str, words: Iterable[str]) -> Iterator[str]:
    """The cell with one of its parts changed: a number by one, a word to the next other word of its column."""
    parts = _parts(cell)
    known = [w for w in dict.fromkeys(words) if not re.search(r"\d", w) and w not in {"--", "—", "-", ""}]
    for i, part in enumerate(parts):
        number = re.fullmatch(r"(x?)([+-]?\d+(?:\.\d+|/\d+)?)(\s*%?)", part)
        if number:
            other = f"{number[1]}{_number(Fraction(number[2]) + 1)}{number[3]}"
        elif part in known and len(known) > 1:
            other = known[(known.index(part) + 1) % len(known)]
        else:
            continue
        yield ",".join([*parts[:i], other, *parts[i + 1 :]])


def _number(value: Fraction) -> str:
    return str(value) if value.denominator in {1, 2, 3, 4, 6, 8} else str(float(value))
