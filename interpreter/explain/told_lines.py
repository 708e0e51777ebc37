"""What lines read and set: which of them may bear on how something got its value, and what they compute."""

from __future__ import annotations

from collections.abc import Iterator

from dsl import ir
from dsl.analysis.effects_of import fields_changed, got, names_given
from dsl.binding.bound import BoundRuleset
from dsl.ir import NOTHING, TEXT, E, Routine, S, lines_in, set_of
from dsl.rules.ruleset import Ruleset

TOLD = frozenset({"field", "entry", "holder", "side", "place", "being"})
"""The changes of a thing that are recorded; nothing can be asked about others."""
NOTHING_WORKED_OUT = ir.Constant(None, type=NOTHING)
"""A placeholder expression for a line that computes nothing."""


def parts_in(part: object) -> Iterator[E]:
    """All expressions in an expression, and itself."""
    return ir.find(part, E)


def is_local(e: E) -> bool:
    """Whether an expression refers to a local of a value or of an iterated set."""
    return any(isinstance(x, ir.Local) for x in parts_in(e))


NAMING = (ir.Let, ir.SetName, ir.Do)
"""Lines whose names are recorded."""


def names_told(line: S) -> tuple[str, ...]:
    """The names that a line sets."""
    if isinstance(line, ir.Do):
        return tuple(line.given)
    if isinstance(line, ir.Draw):  # a thing, not a number
        return ()
    if isinstance(line, ir.Roll | ir.EachRolls):
        return (line.name,)
    return names_given(line) if isinstance(line, NAMING) else ()


def words_told(ruleset: Ruleset, line: S) -> frozenset[str]:
    """What a line sets of things: fields, `place`, `side`, `entry` or the holder's kind."""
    if line.DOES.changes not in TOLD or isinstance(line, ir.Remove):
        return frozenset()
    printed = isinstance(line, ir.Put) and (line.template or line.entry)
    more = {"entry"} if line.DOES.changes == "entry" or printed else set[str]()
    return fields_changed(ruleset, line) | more


def _told(e: E) -> bool:
    """Whether the origin of a value is worth explaining: for numbers and words, not for things."""
    return e.type.name not in {"thing", "set", "map"}


def reads(rules: BoundRuleset, part: object, seen: set[str] | None = None) -> tuple[set[str], set[str]]:
    """The fields that an expression reads directly, and the names that it reads, directly and in the values that it uses."""
    seen = seen if seen is not None else set()
    fields: set[str] = set()
    names: set[str] = set()
    for e in parts_in(part):
        if isinstance(e, ir.Field) and _told(e):
            fields.add(e.name)
        elif isinstance(e, ir.FrameName | ir.FrameEntry) and _told(e):
            names.add(e.name)
        elif isinstance(e, ir.Call) and e.name not in seen:
            seen.add(e.name)
            routine = rules.routines.get(e.name)
            if routine is not None:
                for s in lines_in(routine.body):
                    names |= reads(rules, tuple(x for x in ir.inner(s) if isinstance(x, E)), seen)[1]
    return fields, names


def read_of_arguments(routine: Routine) -> frozenset[tuple[int, str]]:
    """The names that a value reads for one of its arguments: which argument, and the name."""
    at = {p.name: number for number, p in enumerate(routine.params)}
    found = ir.find(routine.body, ir.FrameEntry)
    return frozenset((at[e.key.name], e.name) for e in found if isinstance(e.key, ir.Local) and e.key.name in at)


def _asks(rules: BoundRuleset, name: str) -> frozenset[str]:
    """The values that use a value, directly or through others, and the value itself."""
    calls = {
        r.name: {e.name for e in ir.find(r.body, ir.Call)}
        for r in rules.routines.values()
        if r.word in {"value", "status"}
    }
    found, left = {name}, [name]
    while left:
        wanted = left.pop()
        more = {k for k, called in calls.items() if wanted in called} - found
        found |= more
        left += more
    return frozenset(found)


def lines_that_matter(rules: BoundRuleset, wanted: frozenset[str], value: str) -> frozenset[S]:
    """Lines that set the fields and names, or use the value, and lines that set what those read."""
    gives = {s: words_told(rules.ruleset, s) for r in rules.routines.values() for s in lines_in(r.body)}
    lines = [(s, changed, frozenset(names_told(s))) for s, changed in gives.items() if changed or names_told(s)]
    found: set[S] = set()
    left = [s for s, changed, named in lines if wanted & (changed | named)]
    if value:
        askers = _asks(rules, value)
        left += [s for s, _, _ in lines if any(e.name in askers for p in worth(s) for e in ir.find(p, ir.Call))]
    while left:
        line = left.pop()
        if line in found:
            continue
        found.add(line)
        fields: set[str] = set()
        names: set[str] = set()
        for part in worth(line):
            here = reads(rules, part)
            fields |= here[0]
            names |= here[1]
        left += [s for s, changed, named in lines if s not in found and (changed & fields or named & names)]
    return frozenset(found)


def worth(line: S) -> tuple[E, ...]:
    """The expressions that a line evaluates."""
    parts = got(line)
    inner = [x for p in parts for x in (p.values() if isinstance(p, dict) else p if isinstance(p, tuple) else (p,))]
    return tuple(e for e in (*inner, condition_of(line)) if isinstance(e, E))


def part_of(line: S, word: str) -> E:
    """The expression in a line for the value of a name or a field."""
    part: object = None
    if isinstance(line, ir.Do):
        part = line.given[word]
    elif isinstance(line, ir.Put):
        part = line.where if word == "place" else line.settings.get(word)
    elif isinstance(line, ir.Write):
        part = ir.Listed(line.filling, type=set_of(TEXT), span=line.span)
    else:
        part = next(iter(got(line)), None)
    return part if isinstance(part, E) else NOTHING_WORKED_OUT


def condition_of(line: S) -> E | None:
    """The condition on which a line changes a field or sets a name, if there is one."""
    when = line.when if not isinstance(line, ir.Do) else None
    return when if isinstance(when, E) else None
