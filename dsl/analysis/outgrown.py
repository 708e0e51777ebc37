"""Numbers that leave the bounds of their fields: a line adds to one, and nothing in the rules tests it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from dsl import ir
from dsl.analysis.extents import Extents
from dsl.analysis.said import Said, Sayings
from dsl.data.table_data import TableInfo
from dsl.ir import E, Routine, S, Trigger, alike
from dsl.rules.ruleset import Field, Ruleset
from dsl.text.diagnostics import Diagnostic, at
from dsl.text.source import Span

PASSIVE = frozenset({"value", "status"})
"""What says something and does nothing."""


def check_growth(
    ruleset: Ruleset, tables: Mapping[str, TableInfo], routines: Mapping[str, Routine], rules: Iterable[Routine],
    triggers: Iterable[Trigger],
) -> Iterator[Diagnostic]:  # fmt: skip
    """W260 for a line that adds a number to a field with bounds, or takes it off, if no line of the rules tests the field.

    What an order is refused for is a test only for what the order does.
    """
    whole = {**routines, **{f"rule {number}": rule for number, rule in enumerate(rules)}}
    sayings = Sayings(whole)
    growing = [
        (s, said, found) for lines in sayings.lines.values() for s, said in lines if (found := _grows(ruleset, s))
    ]
    if not growing:
        return
    extents, tested, judged = Extents(ruleset, tables, whole, sayings), _tested(sayings, triggers), _judged(sayings)
    for s, said, (field, amount, sign) in growing:
        fine = any(f"field {field.name}" in reads for reads in (tested, *(r for r, does in judged if id(s) in does)))
        by = None if fine else extents.of(amount, said)
        if by is not None and (by.low > 0 or by.high < 0):
            yield _outgrown(s.span, field, (by.low > 0) == (sign > 0))


def _grows(ruleset: Ruleset, s: S) -> tuple[Field, E, int] | None:
    """The field with bounds that a line adds to or takes from, the amount, and 1 or -1."""
    if not isinstance(s, ir.SetField | ir.Gain) or s.until is not None:
        return None
    kind = s.target.type.of or s.target.type
    info = ruleset.kinds.get(kind.word) if kind.name == "thing" else None
    field = info.fields.get(s.field) if info is not None else None
    if field is None or field.track or field.full_of or field.low is None or field.high is None:
        return None
    match s:
        case ir.Gain(amount=amount):
            return field, amount, 1
        case ir.SetField(
            value=ir.Arithmetic(sign="+" | "-" as sign, left=ir.Field(name=name, holder=of), right=amount)
        ):
            return (field, amount, 1 if sign == "+" else -1) if name == s.field and alike(of, s.target) else None
    return None


def _tested(sayings: Sayings, triggers: Iterable[Trigger]) -> set[str]:
    """Everything that the rules test before they do something, or wait for."""
    anything, *_ = texts = list({id(r): r for r in sayings.routines.values()}.values())
    lines = (x for found in sayings.lines.values() for x in found)
    asked = [
        *((_asked(s), said.routine) for s, said in lines if said.routine.word not in PASSIVE and not _judges(s, said)),
        *(
            (_around(s), r)
            for r in texts
            if r.word not in PASSIVE
            for s in ir.lines_in((*r.clauses, *r.body))
            if s.body
        ),
        *(((trigger.when, trigger.test), anything) for trigger in triggers),
    ]
    return sayings.reads(asked) | {f"field {trigger.field}" for trigger in triggers}


def _judged(sayings: Sayings) -> list[tuple[set[str], set[int]]]:
    """For each order, everything that it is refused for, and the lines that it runs; for all orders, those of rules that wait."""
    texts = {id(r): r for r in sayings.routines.values()}.values()
    out = [(set[str](), _lines(sayings, [r for r in texts if r.word == "rule"]))]
    for found in sayings.lines.values():
        if asked := [(_asked(s), said.routine) for s, said in found if _judges(s, said)]:
            out.append((sayings.reads(asked), _lines(sayings, [asked[0][1]])))
            out[0][0].update(out[-1][0])
    return out


def _lines(sayings: Sayings, texts: Iterable[Routine]) -> set[int]:
    return {id(x) for x in ir.reached(sayings.routines, *(r.body for r in texts))}


def _judges(s: S, said: Said) -> bool:
    return isinstance(s, ir.Refused | ir.LegalWhen) and said.routine.word == "order"


def _asked(s: S) -> tuple[object, ...]:
    """What a line depends on before it does something: its condition; all of it, if it judges, asks or goes through a set."""
    does = s.DOES
    return _around(s) if does == ir.Does() or does.asks or does.around else (s.when,)


def _around(s: S) -> tuple[object, ...]:
    """A line without those that stand under it."""
    under = {id(x) for x in s.body}
    return tuple(x for x in ir.inner(s) if id(x) not in under)


def _outgrown(span: Span, field: Field, raises: bool) -> Diagnostic:
    message = (
        f"{field.name} runs from {field.low} to {field.high}. This line {'adds to' if raises else 'takes from'} it, "
        "and nothing tests it before: play fails when it would leave these bounds."
    )
    within = f"lowest ({field.high}, …)" if raises else f"highest ({field.low}, …)"
    return at("W260", message, span, hint=f"Test it before this line, or keep it within: `{within}`.", word=field.name)
