"""What dice lead to: which hidden fields the rules work out of a roll, so that its number is kept as close as those.

A number flows into a field that is set, gained or written by it, or under a condition of the same line that reads it, through
the names, values and procedures between. What is merely done in a branch that dice have chosen does not count: an open roll
may have consequences of which not everybody is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from dsl.effects import does, fields_changed, kind_changed, lines_done, lines_in, names_given
from dsl.hidden import CALLS, hidden_fields
from dsl.ir import E, Routine, S
from dsl.ruleset import Ruleset
from dsl.source import Span

__all__ = ["Flows", "hidden_flows"]

Flows = Mapping[Span, frozenset[tuple[str, str]]]
"""By the place of a roll: the kinds and their hidden fields that its number flows into."""


def hidden_flows(ruleset: Ruleset, routines: Mapping[str, Routine], hooks: Mapping[str, Iterable[Routine]]) -> Flows:
    """The rolls of the rules whose numbers flow into what may be hidden."""
    if not any(hidden_fields(ruleset, kind, ever=True) for kind in ruleset.kinds):
        return {}
    found: dict[Span, frozenset[tuple[str, str]]] = {}
    for key, routine in routines.items():
        for line in lines_in(routine.body):
            if does(line).rolls:
                into = _led_into(ruleset, routines, list(lines_done(routines, hooks, key)), line)
                found |= {line.span: into} if into else {}
    return found


def _led_into(ruleset: Ruleset, routines: Mapping[str, Routine], lines: list[S], roll: S) -> frozenset[tuple[str, str]]:
    names, before = {str(roll["name"])}, 0
    while len(names) != before:
        before = len(names)
        for line in lines:
            if line.op == "do":
                given = (line["given"] or {}).items()
                names |= {name for name, value in given if names & _names_read(routines, value, set())}
            elif not does(line).changes and names & _names_read(routines, _got(line), set()):
                names |= set(names_given(line))
    found: set[tuple[str, str]] = set()
    for line in lines:
        kind = kind_changed(line)
        hidden = fields_changed(ruleset, line) & hidden_fields(ruleset, kind, ever=True) if kind else frozenset()
        if hidden and names & _names_read(routines, (_got(line), line["when"]), set()):
            found |= {
                (k, field) for k in ruleset.sorts(kind) for field in hidden & hidden_fields(ruleset, k, ever=True)
            }
    return frozenset(found)


def _got(line: S) -> tuple[Any, ...]:
    """What a line works out to set something to."""
    return tuple(line[field] for field in does(line).gets)


def _names_read(routines: Mapping[str, Routine], part: Any, seen: set[str]) -> set[str]:
    """The names of procedures that an expression reads, itself and in the values that it asks."""
    if isinstance(part, dict):
        part = tuple(part.values())
    if isinstance(part, tuple | list):
        return {name for one in part for name in _names_read(routines, one, seen)}
    if not isinstance(part, E):
        return set()
    found = {str(part.args[1])} if part.op in {"frame", "frame_map"} else set()
    if part.op in CALLS and part.args[0] not in seen:
        seen.add(part.args[0])
        routine = routines.get(part.args[0])
        for line in lines_in(routine.body) if routine is not None else ():
            found |= _names_read(routines, tuple(line.fields.values()), seen)
    return found | _names_read(routines, part.args, seen)
