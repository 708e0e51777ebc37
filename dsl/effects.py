"""What statements do: the one table of them, for all who must know which change something, ask, roll or name.

Nobody else keeps a list of statements: a statement that is missing here cannot be emitted. What it changes is said once,
and secrecy, rules that wait, `why` and the rest go by that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import attrs

from dsl.hidden import hidden_fields
from dsl.ir import E, Routine, S, Type
from dsl.notation import parts_of
from dsl.rows import cells
from dsl.ruleset import Ruleset

CHANGES = frozenset({"field", "entry", "holder", "side", "place", "being", "known"})
"""What of a thing can change: one of its fields, its entry of a unit list with all that it prints, who holds it, whose it is,
where it stands, whether it is there at all, and to whom it was revealed."""


@attrs.frozen(slots=True)
class Does:
    """What a statement does.

    changes: one of CHANGES, "" for nothing of a thing. things: where the statement says of which; gets: where it says what they
    get. names: where it says the names that it gives a value; around: that name of them which it gives as it goes through
    things. assigns: whether it gives a name that is there already another value. asks, rolls: whether it may stop for an
    answer or for dice. unheard: whether it can have done something of which no event tells.
    """

    changes: str = ""
    things: str = ""
    gets: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    around: str = ""
    assigns: bool = False
    asks: bool = False
    rolls: bool = False
    unheard: bool = False


_TESTS = Does()
"""What only says something: lines of values, clauses of orders and paths, and what puts other statements in order."""

STATEMENTS: Mapping[str, Does] = {
    # effects
    "set_field": Does("field", "target", ("value",)),
    "gain": Does("field", "target", ("amount",)),
    "write": Does("field", "target", ("filling",)),
    "shows": Does("entry", "target", ("entry",)),
    "hold": Does("holder", "target", ("value",)),
    "capture": Does("side", "target", ("value",)),
    "move": Does("place", "what", ("to",)),
    "put": Does("being", gets=("settings", "where", "entry", "called"), names=("name",)),
    "remove": Does("being", "what"),
    "reveal": Does("known", "what", ("whom",), unheard=True),
    "hide": Does("known", "what", ("whom",), unheard=True),
    # names of the procedure
    "let": Does(gets=("value",), names=("name",)),
    "set_frame": Does(gets=("value",), assigns=True),
    "set_map": Does(gets=("value",), assigns=True),
    "choose": Does(names=("name",), asks=True),
    "each_chooses": Does(names=("name", "item"), around="item", asks=True),
    "rolls": Does(names=("name",), rolls=True),
    "draws": Does(names=("name",), rolls=True),
    "each_rolls": Does(names=("name", "item"), around="item", rolls=True),
    "for_each": Does(names=("name",), around="name"),
    # the course of play
    "do": Does(gets=("given",)),
    "stop": Does(unheard=True),
    "may": _TESTS, "tell": _TESTS, "end_game": _TESTS,
    "when": _TESTS, "repeat": _TESTS, "simultaneously": _TESTS, "phase": _TESTS,
    # lines of values and statuses
    "holds": _TESTS, "case": _TESTS, "start": _TESTS, "add": _TESTS, "adjust": _TESTS, "except": _TESTS,
    # clauses of orders
    "given_by": _TESTS, "legal_from": _TESTS, "legal_when": _TESTS, "refused": _TESTS, "permits": _TESTS, "reaching": _TESTS,
    # lines of setups, beside `refused`
    "warned": _TESTS,
    # lines of paths
    "from": _TESTS, "budget": _TESTS, "leg": _TESTS, "exempt": _TESTS, "costs": _TESTS, "never": _TESTS, "halting": _TESTS,
}  # fmt: skip


def does(s: S) -> Does:
    """What a statement does."""
    return STATEMENTS[s.op]


def lines_in(body: Iterable[S]) -> Iterator[S]:
    """Statements and those within them, in their order."""
    for s in body:
        yield s
        yield from lines_in(s.body)


def lines_done(routines: Mapping[str, Routine], hooks: Mapping[str, Iterable[Routine]], key: str) -> Iterator[S]:
    """Every line that may be done when an order or procedure is: its own, of what it does, and of rules before and after."""
    waiting, seen = [key], {key}
    while waiting:
        key = waiting.pop()
        bodies = [routines[key].body] if key in routines else []  # a phase has none of its own
        bodies += [rule.body for when in ("before", "after") for rule in hooks.get(f"{when} {key}", ())]
        for s in (s for body in bodies for s in lines_in(body)):
            yield s
            more = s["key"] if s.op == "do" else f"phase {s['name']}" if s.op == "phase" else key
            if more not in seen:
                seen.add(more)
                waiting.append(more)


# ---- names
def names_given(s: S) -> tuple[str, ...]:
    """The names of the frame that a statement gives a value, new ones first."""
    what = does(s)
    new = tuple(s[field] for field in what.names if isinstance(s[field], str))
    return (*new, *names_changed(s))


def names_changed(s: S) -> tuple[str, ...]:
    """The names that a statement gives another value."""
    target = s["target"] if does(s).assigns else None
    return (target.args[1],) if isinstance(target, E) else ()


def name_around(s: S) -> str | None:
    """The name that a statement gives as it goes through things, for what stands in it."""
    what = does(s)
    return s[what.around] if what.around else None


# ---- what changes
def kind_of(type_: Type) -> str:
    """The kind of one thing or of several."""
    return type_.of.word if type_.name == "set" and type_.of is not None else type_.word


def kind_changed(s: S) -> str:
    """The kind of the things that a statement changes; "" for none."""
    what = does(s)
    if what.changes == "being" and not what.things:
        return str(s["kind"])
    things = s[what.things] if what.things else None
    return kind_of(things.type) if isinstance(things, E) else ""


def fields_filled(ruleset: Ruleset, kind: str, word: str) -> frozenset[str]:
    """The field of this name, or those that a printed heading of this name fills."""
    info = ruleset.kinds[kind]
    patterns = [p.pattern for p in info.node.printed if p.name == word] if info.node is not None else []
    return frozenset(f for p in patterns for _, f, _ in parts_of(p) if f in info.fields) or frozenset({word})


def fields_printed(ruleset: Ruleset, kind: str) -> frozenset[str]:
    """The fields that entries of the unit lists of a kind fill."""
    heads = {h for x in ruleset.lists.values() if x.of == kind and x.rows for h in cells(x.rows[0])}
    known = ruleset.kinds[kind].fields
    return frozenset(f for h in heads for f in fields_filled(ruleset, kind, h) if f in known and f != "name")


def fields_changed(ruleset: Ruleset, s: S) -> frozenset[str]:
    """What a statement changes of the things it is done to, by the words of `hidden from`: fields, `place`, `side`, the holder."""
    kind = kind_changed(s)
    return frozenset().union(*(_fields_changed(ruleset, s, k) for k in ruleset.sorts(kind)))


def _fields_changed(ruleset: Ruleset, s: S, kind: str) -> frozenset[str]:
    what = does(s)
    info = ruleset.kinds.get(kind)
    if info is None:
        return frozenset()
    holder = {info.holder} if info.holder else set[str]()
    if what.changes == "field":
        return fields_filled(ruleset, kind, s["field"])
    if what.changes == "entry":
        return fields_printed(ruleset, kind)
    if what.changes == "holder":  # a part goes to where its new whole stands
        return frozenset(holder | ({"place"} if info.part else set()))
    if what.changes in {"side", "place"}:
        return frozenset({what.changes})
    if what.changes == "being":
        given = {f for word in s["settings"] or () for f in fields_filled(ruleset, kind, word)}
        printed = fields_printed(ruleset, kind) if s["template"] or s["entry"] else frozenset()
        return frozenset({"place"} | given | printed)
    return frozenset()


def is_kept_back(ruleset: Ruleset, s: S, *, ever: bool = False) -> bool:
    """Whether a statement changes what may be hidden from a side.

    ever: also what is hidden only while the thing is off the map.
    """
    kind, changed = kind_changed(s), fields_changed(ruleset, s)
    hidden = hidden_fields(ruleset, kind, ever=ever, anyone=True)
    if changed & hidden or (changed and "place" in hidden):
        return True
    # What a thing holds goes with it when it is taken out of the game.
    held = {k for one in ruleset.sorts(kind) for k in _held_by(ruleset, one, set())}
    return s.op == "remove" and any("place" in hidden_fields(ruleset, k) for k in held)


def _held_by(ruleset: Ruleset, kind: str, seen: set[str]) -> set[str]:
    for name, info in ruleset.kinds.items():
        if info.holder == kind and info.word != "place" and name not in seen:
            seen.add(name)
            _held_by(ruleset, name, seen)
    return seen
