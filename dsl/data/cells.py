"""Whether the cells of a row in a list, a map or a scenario fit their fields."""

from __future__ import annotations

from collections.abc import Sequence

from dsl.data.scenario_names import names_things, out_of_range
from dsl.rules.editions import COLUMNS_ONCE, asks
from dsl.rules.notation import BadNotation, read, read_printed
from dsl.rules.rows import cells, places
from dsl.rules.ruleset import KindInfo, Ruleset
from dsl.syntax import declarations as d
from dsl.text.diagnostics import Diagnostic, Mark, at, did_you_mean
from dsl.text.phrases import an
from dsl.text.source import Span


def check_header(
    ruleset: Ruleset, info: KindInfo, heading: d.Row, extra: set[str], problems: list[Diagnostic], *, after: int = 0
) -> bool:
    """Whether each heading is a field of the kind, one of its printed headings, or one of `extra`, and none appears twice.

    after: how many columns come first that are none of these.
    """
    header, span = cells(heading)[after:], heading.span
    printed = {p.name for p in info.node.printed} if info.node is not None else set()
    known = {*info.fields, *printed, *extra}
    fine = True
    for name in header:
        if name not in known:
            problems.append(
                at(
                    "E209",
                    f"A{an(info.name)[1:]} has no field `{name}`.",
                    span,
                    word=name,
                    hint=did_you_mean(name, known),
                )
            )
            fine = False
    return check_columns(ruleset, header, places(heading)[after:], problems) and fine


def check_columns(ruleset: Ruleset, names: Sequence[str], spans: Sequence[Span], problems: list[Diagnostic]) -> bool:
    """Whether no two columns have the same name. spans: of the names."""
    if not asks(ruleset.edition, COLUMNS_ONCE):
        return True
    first: dict[str, Span] = {}
    twice = []
    for name, span in zip(names, spans, strict=False):
        if name not in first:
            first[name] = span
        else:
            also = [Mark(first[name], "the first one")] if first[name] != span else []
            twice.append(at("E102", f"Two columns are headed `{name}`.", span, also=also, hint=ONE_OF_THEM))
    problems += twice
    return not twice


ONE_OF_THEM = "Rename one, or remove it with its cells."


LEFT_EMPTY = "Only an `optional` field can be left empty. Put the rows without this value into a table of their own, without the column."


def check_row(
    ruleset: Ruleset,
    info: KindInfo,
    header: list[str],
    found: list[str],
    spans: Sequence[Span],
    problems: list[Diagnostic],
    *,
    alternatives: bool = False,
) -> None:
    """Notes every cell that its field cannot hold. spans: of the cells. alternatives: a cell may offer several, with `or` between them."""
    printed = {p.name for p in info.node.printed} if info.node is not None else set()
    for name, text, span in zip(header, found, spans, strict=True):
        for part in text.split(" or ") if alternatives else [text]:
            try:
                if name in printed:
                    read_printed(ruleset, info.name, name, part)
                elif name in info.fields and not names_things(info.fields[name].type):
                    field = info.fields[name]
                    wrong = out_of_range(field, read(ruleset, field.type, part, field.node.joined))
                    if wrong:
                        raise BadNotation(wrong)
            except BadNotation as error:
                hint = error.hint or (LEFT_EMPTY if part == "--" else "")
                problems.append(at("E311", f"{name}: {error}.", span, word=part, hint=hint))
