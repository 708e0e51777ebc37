"""Where dice results go: which hidden fields the rules compute from a roll. The number rolled is then as secret as those fields.

A number flows into a field that a line sets, gains or writes with it, or into a field that the line changes under a condition
that reads it. It flows through names, values and procedures in between. Lines that merely run in a branch that the dice have
selected are ignored: an open roll may have consequences that not everybody is told about.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dsl import ir
from dsl.analysis.effects_of import fields_changed, got, kind_changed, lines_done, names_given
from dsl.analysis.hidden_reads import hidden_fields
from dsl.ir import Routine, S, lines_in
from dsl.rules.ruleset import Ruleset
from dsl.text.source import Span

__all__ = ["Flows", "hidden_flows"]

Flows = Mapping[Span, frozenset[tuple[str, str]]]
"""By the place of a roll: the kinds and their hidden fields that its number flows into."""


def hidden_flows(ruleset: Ruleset, routines: Mapping[str, Routine], hooks: Mapping[str, Iterable[Routine]]) -> Flows:
    """The rolls of the rules whose numbers flow into fields that may be hidden."""
    if not any(hidden_fields(ruleset, kind, ever=True) for kind in ruleset.kinds):
        return {}
    found: dict[Span, frozenset[tuple[str, str]]] = {}
    for key, routine in routines.items():
        for line in lines_in(routine.body):
            if isinstance(line, ir.Roll | ir.EachRolls | ir.Draw):
                into = _led_into(ruleset, routines, list(lines_done(routines, hooks, key)), line)
                found |= {line.span: into} if into else {}
    return found


def _led_into(
    ruleset: Ruleset, routines: Mapping[str, Routine], lines: list[S], roll: ir.Roll | ir.EachRolls | ir.Draw
) -> frozenset[tuple[str, str]]:
    names, before = {roll.name}, 0
    while len(names) != before:
        before = len(names)
        for line in lines:
            if isinstance(line, ir.Do):
                given = (line.given or {}).items()
                names |= {name for name, value in given if names & _names_read(routines, value)}
            elif not line.DOES.changes and names & _names_read(routines, got(line)):
                names |= set(names_given(line))
    found: set[tuple[str, str]] = set()
    for line in lines:
        kind = kind_changed(line)
        hidden = fields_changed(ruleset, line) & hidden_fields(ruleset, kind, ever=True) if kind else frozenset()
        if hidden and names & _names_read(routines, (got(line), line.when)):
            found |= {
                (k, field) for k in ruleset.sorts(kind) for field in hidden & hidden_fields(ruleset, k, ever=True)
            }
    return frozenset(found)


def _names_read(routines: Mapping[str, Routine], part: object) -> set[str]:
    """The names of procedures that an expression reads, itself and in the values that it calls."""
    return {x.name for x in ir.reached(routines, part) if isinstance(x, ir.FrameName | ir.FrameEntry)}
