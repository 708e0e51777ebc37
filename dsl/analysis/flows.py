"""Where dice results go: which hidden fields the rules compute from a roll. The number rolled is then as secret as those fields.

A number flows into a field that a line sets, gains or writes with it, or into a field that the line changes under a condition
that reads it. It flows through names, values and procedures in between. That of `rolls one of` also flows into what changes in the
thing that it selects: it says which thing that is. Lines that merely run in a branch that the dice have
selected are ignored: an open roll may have consequences that not everybody is told about.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dsl import ir
from dsl.analysis.effects_of import fields_changed, got, kind_changed, lines_done, names_given, things_changed
from dsl.analysis.hidden_reads import hidden_fields
from dsl.ir import E, Routine, S, lines_in
from dsl.rules.editions import DRAWN_THINGS, asks
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
    read = _Read(routines)
    for key, routine in routines.items():
        for line in lines_in(routine.body):
            if isinstance(line, ir.Roll | ir.EachRolls | ir.Draw):
                into = _led_into(ruleset, read, list(lines_done(routines, hooks, key)), line)
                found |= {line.span: into} if into else {}
    return found


def _led_into(
    ruleset: Ruleset, read: _Read, lines: list[S], roll: ir.Roll | ir.EachRolls | ir.Draw
) -> frozenset[tuple[str, str]]:
    names, before = {roll.name}, 0
    while len(names) != before:
        before = len(names)
        for line in lines:
            if isinstance(line, ir.Do):
                names |= {name for name, value in (line.given or {}).items() if names & read.by(value)}
            elif not line.DOES.changes and names & read.for_result(line):
                names |= set(names_given(line))
    found: set[tuple[str, str]] = set()
    selects = isinstance(roll, ir.Draw) and asks(ruleset.edition, DRAWN_THINGS)
    for line in lines:
        kind = kind_changed(line)
        hidden = fields_changed(ruleset, line) & hidden_fields(ruleset, kind, ever=True) if kind else frozenset()
        by = read.for_result(line) | read.by(line.when) | (read.by(things_changed(line)) if selects else frozenset())
        if hidden and names & by:
            found |= {
                (k, field) for k in ruleset.sorts(kind) for field in hidden & hidden_fields(ruleset, k, ever=True)
            }
    return frozenset(found)


class _Read:
    """The names of procedures that expressions read, themselves and in the values that they call. Each is looked through once.

    Expressions are told apart by identity: they are those of the rules, which outlive this.
    """

    def __init__(self, routines: Mapping[str, Routine]) -> None:
        self._routines = routines
        self._by: dict[int, frozenset[str]] = {}
        self._for_result: dict[int, frozenset[str]] = {}

    def by(self, value: E | None) -> frozenset[str]:
        """Those that an expression reads."""
        if id(value) not in self._by:
            self._by[id(value)] = self._among(value)
        return self._by[id(value)]

    def for_result(self, line: S) -> frozenset[str]:
        """Those that determine what a line sets."""
        if id(line) not in self._for_result:
            self._for_result[id(line)] = self._among(got(line))
        return self._for_result[id(line)]

    def _among(self, part: object) -> frozenset[str]:
        nodes = ir.reached(self._routines, part)
        return frozenset(x.name for x in nodes if isinstance(x, ir.FrameName | ir.FrameEntry))
