"""What lines read and give: which of them can have to do with how something got its value, and what they work out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from dsl.effects import does, fields_changed, lines_in, names_given
from dsl.ir import NOTHING, TEXT, E, Routine, S, set_of

if TYPE_CHECKING:
    from dsl.bind import BodyBinder
    from dsl.ruleset import Ruleset

TOLD = frozenset({"field", "entry", "holder", "side", "place", "being"})
"""What of a thing is told when it changes; of the rest nothing can be asked."""
NOTHING_WORKED_OUT = E("const", NOTHING, (None,))
"""What stands for the expression of a line that works nothing out."""


def parts_in(part: Any) -> Iterator[E]:
    """An expression and all within it."""
    if isinstance(part, tuple | list):
        for x in part:
            yield from parts_in(x)
    elif isinstance(part, E):
        yield part
        yield from parts_in(part.args)


def is_local(e: E) -> bool:
    """Whether an expression speaks of what only a value or a set that is gone through knows."""
    return any(x.op == "local" for x in parts_in(e))


NAMING = ("let", "set_frame", "do")
"""Lines whose giving a name is told."""


def names_told(line: S) -> tuple[str, ...]:
    """The names that a line gives."""
    if line.op == "do":
        return tuple(line["given"])
    if line.op == "draws":  # a thing, not a number
        return ()
    if does(line).rolls:
        return (line["name"],)
    return names_given(line) if line.op in NAMING else ()


def words_told(ruleset: Ruleset, line: S) -> frozenset[str]:
    """What a line gives things: fields, `place`, `side`, `entry` or the holder's kind."""
    what = does(line)
    if what.changes not in TOLD or line.op == "remove":
        return frozenset()
    more = {"entry"} if what.changes == "entry" or line["template"] or line["entry"] else set[str]()
    return fields_changed(ruleset, line) | more


def _told(e: E) -> bool:
    """Whether it is worth telling how something came to be this: numbers and words, not things."""
    return e.type.name not in {"thing", "set", "map"}


def reads(binder: BodyBinder, part: Any, seen: set[str] | None = None) -> tuple[set[str], set[str]]:
    """The fields that an expression reads itself, and the names that it reads, itself and in the values that it asks."""
    seen = seen if seen is not None else set()
    fields: set[str] = set()
    names: set[str] = set()
    for e in parts_in(part):
        if e.op == "field" and isinstance(e.args[0], E) and _told(e):
            fields.add(e.args[1])
        elif e.op in {"frame", "frame_map"} and _told(e):
            names.add(e.args[1])
        elif e.op == "call" and e.args[0] not in seen:
            seen.add(e.args[0])
            routine = binder.routines.get(e.args[0])
            if routine is not None:
                for s in lines_in(routine.body):
                    names |= reads(binder, tuple(s.fields.values()), seen)[1]
    return fields, names


def read_of_arguments(routine: Routine) -> frozenset[tuple[int, str]]:
    """The names that a value reads as they are for one of its arguments: which argument, and the name."""
    at = {p.name: number for number, p in enumerate(routine.params)}
    found = [e for s in lines_in(routine.body) for e in parts_in(tuple(s.fields.values())) if e.op == "frame_map"]
    return frozenset(
        (at[e.args[2].args[0]], e.args[1]) for e in found if e.args[2].op == "local" and e.args[2].args[0] in at
    )


def _asks(binder: BodyBinder, name: str) -> frozenset[str]:
    """The values that ask a value, themselves or through others, and itself."""
    calls = {
        r.name: {e.args[0] for s in lines_in(r.body) for e in parts_in(tuple(s.fields.values())) if e.op == "call"}
        for r in binder.routines.values()
        if r.word in {"value", "status"}
    }
    found, left = {name}, [name]
    while left:
        wanted = left.pop()
        more = {k for k, called in calls.items() if wanted in called} - found
        found |= more
        left += more
    return frozenset(found)


def lines_that_matter(binder: BodyBinder, wanted: frozenset[str], value: str) -> frozenset[S]:
    """Lines that give the fields and names, or ask the value, and lines that give what those read."""
    gives = {s: words_told(binder.ruleset, s) for r in binder.routines.values() for s in lines_in(r.body)}
    lines = [(s, changed, frozenset(names_told(s))) for s, changed in gives.items() if changed or names_told(s)]
    found: set[S] = set()
    left = [s for s, changed, named in lines if wanted & (changed | named)]
    if value:
        askers = _asks(binder, value)
        left += [
            s for s, _, _ in lines if any(e.op == "call" and e.args[0] in askers for p in worth(s) for e in parts_in(p))
        ]
    while left:
        line = left.pop()
        if line in found:
            continue
        found.add(line)
        fields: set[str] = set()
        names: set[str] = set()
        for part in worth(line):
            here = reads(binder, part)
            fields |= here[0]
            names |= here[1]
        left += [s for s, changed, named in lines if s not in found and (changed & fields or named & names)]
    return frozenset(found)


def worth(line: S) -> tuple[E, ...]:
    """The expressions that a line works out."""
    parts = [line[word] for word in does(line).gets]
    inner = [x for p in parts for x in (p.values() if isinstance(p, dict) else p if isinstance(p, tuple) else (p,))]
    return tuple(e for e in (*inner, condition_of(line)) if isinstance(e, E))


def part_of(line: S, word: str) -> E:
    """The expression of a line that says what it gives a name or a field."""
    part: Any = None
    if line.op == "do":
        part = line["given"][word]
    elif line.op == "put":
        part = line["where"] if word == "place" else line["settings"].get(word)
    elif line.op == "write":
        part = E("list", set_of(TEXT), line["filling"], line.span)
    else:
        part = next((line[name] for name in does(line).gets), None)
    return part if isinstance(part, E) else NOTHING_WORKED_OUT


def condition_of(line: S) -> E | None:
    """On what condition a line changes a field or gives a name, if on any."""
    when = line["when"] if line.op != "do" else None
    return when if isinstance(when, E) else None
