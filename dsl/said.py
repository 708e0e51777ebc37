"""Where a text says something: in which routine, behind which lines, and under which conditions on numbers.

One walk through all bound texts notes each look-up, each asking of a value and each line that gives a name a value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import attrs

from dsl.effects import does, name_around, names_changed, names_given
from dsl.ir import LAST, E, Routine, S, alike

_TURNED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
"""What holds where a comparison does not."""
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "="}
_LEFT = frozenset({"stop"})
"""Statements after which nothing more of a body is done."""


@attrs.frozen(slots=True)
class Facts:
    """Conditions that were asked, and the comparisons of numbers that hold by them: (sign, left, right)."""

    known: tuple[tuple[str, E, E], ...] = ()
    asked: tuple[E, ...] = ()

    def with_(self, condition: E | None, truth: bool = True) -> Facts:
        """These and what a condition says when it holds, or when it does not."""
        if condition is None:
            return self
        return Facts((*self.known, *_comparisons(condition, truth)), (*self.asked, condition))

    def and_(self, other: Facts) -> Facts:
        """These and others."""
        return Facts((*self.known, *other.known), (*self.asked, *other.asked))

    def limits(self, e: E) -> Iterator[tuple[str, E]]:
        """What an expression is compared with: the sign, read from it, and the other side."""
        for sign, left, right in self.known:
            if alike(left, e):
                yield sign, right
            elif alike(right, e):
                yield _MIRRORED[sign], left


def _comparisons(e: E, truth: bool) -> Iterator[tuple[str, E, E]]:
    if e.op == "not":
        yield from _comparisons(e.args[0], not truth)
    elif e.op == ("and" if truth else "or"):
        for part in e.args:
            yield from _comparisons(part, truth)
    elif e.op == "compare":
        sign, left, right = e.args
        yield sign if truth else _TURNED[sign], left, right
    elif e.op == "equal" and truth and e.args[0].type.name == "number":
        yield "=", *e.args


@attrs.frozen(slots=True)
class Said:
    """routine: the text. facts: what holds there. number: of its line, as they are written.

    loose: whether the line may be left out, as it stands under a condition. looped: whether it may be done several times.
    """

    routine: Routine
    facts: Facts = Facts()
    number: int = 0
    loose: bool = False
    looped: bool = False


class Sayings:
    """All look-ups, askings and lines that give names, of the bound texts of one ruleset."""

    def __init__(self, routines: Mapping[str, Routine]) -> None:
        self.routines = routines
        self.lookups: list[tuple[E, Said]] = []
        self.lines: dict[str, list[tuple[S, Said]]] = {}
        self.changes: dict[tuple[str, str], list[tuple[S, Said]]] = {}
        self._given: dict[tuple[str, str], list[tuple[S, Said]]] = {}
        self._calls: dict[str, list[tuple[E, Said]]] = {}
        self._number = 0
        for routine in {id(r): r for r in routines.values()}.values():
            facts = self._body(routine.clauses, Said(routine))
            self._body(routine.body, Said(routine, facts))

    # ---- asked by others
    def owner(self, routine: Routine, access: str) -> Routine | None:
        """The routine in whose frame a text reads a name; None where that cannot be told."""
        if access.startswith(LAST):
            return None
        ups = access.count(".up") + (routine.word in {"value", "status", "path"})
        found: Routine | None = routine
        for _ in range(ups):
            within = found.within if found is not None else None
            words = ("procedure", "order", "sequence")
            found = next((r for w in words if (r := self.routines.get(f"{w} {within}")) is not None), None)
        return found

    def local(self, routine: Routine, name: str) -> list[tuple[E | S, Said]]:
        """What gives a local name of a value its number: its own line, or whoever asks the value."""
        lines = [x for x in self._given.get((_key(routine), name), ()) if x[0].op == "let"]
        place = next((i for i, p in enumerate(routine.params) if p.name == name), None)
        if lines or place is None or routine.word != "value":
            return list(lines)
        return [(e.args[2][place], said) for e, said in self._calls.get(routine.name, ())]

    def framed(self, owner: Routine, name: str) -> list[tuple[S, Said]]:
        """The lines that give a name of a frame its first value."""
        return self._given.get((_key(owner), name), [])

    def changed(self, owner: Routine, name: str) -> list[tuple[S, Said]]:
        """The lines that give it another value."""
        return self.changes.get((_key(owner), name), [])

    def reads(self, part: Any, routine: Routine, seen: set[str] | None = None) -> set[str]:
        """What an expression reads, in the values and names that it rests on too: values, names of frames, fields."""
        seen = set() if seen is None else seen
        if isinstance(part, tuple | list):
            for x in part:
                self.reads(x, routine, seen)
        elif isinstance(part, dict):
            self.reads(tuple(part.values()), routine, seen)
        elif isinstance(part, E):
            word = {"call": 0, "frame": 1, "frame_map": 1, "field": 1, "local": 0}.get(part.op)
            if word is not None:
                self._named(part, part.args[word], routine, seen)
            self.reads(part.args, routine, seen)
        return seen

    def _named(self, e: E, name: str, routine: Routine, seen: set[str]) -> None:
        key = f"{_key(routine)} {name}" if e.op == "local" else f"{e.op.removesuffix('_map')} {name}"
        if key in seen:
            return
        seen.add(key)
        if e.op == "call":
            called = self.routines.get(name)
            for s in called.body if called is not None else ():
                self.reads(s.fields, called or routine, seen)
        elif e.op in {"frame", "frame_map", "local"}:
            owner = routine if e.op == "local" else self.owner(routine, e.args[0])
            for s, said in self._given.get((_key(owner), name), ()) if owner is not None else ():
                self.reads(s.fields, said.routine, seen)

    # ---- the walk
    def _body(self, body: Iterable[S], said: Said) -> Facts:
        """Walks through lines; returns what holds behind them."""
        facts, before, arms = said.facts, Facts(), Facts()
        for s in body:
            self._number += 1
            here = attrs.evolve(said, facts=facts, number=self._number)
            if s.op == "when":
                arms = Facts() if s["arm"] == "when" else arms
                inner = attrs.evolve(here, facts=facts.and_(arms), loose=True)
                self._scan(s["test"], inner)
                self._body(s.body, attrs.evolve(inner, facts=inner.facts.with_(s["test"])))
                arms = arms.with_(s["test"], truth=False)
                if s["arm"] == "when" and s.body and s.body[-1].op in _LEFT and s.body[-1]["when"] is None:
                    facts = facts.with_(s["test"], truth=False)
                continue
            when = s["when"]
            if s.op == "case":
                here = attrs.evolve(here, facts=facts.and_(before))
                before = before.with_(when, truth=False)
            self._scan(when, here)
            here = attrs.evolve(here, facts=here.facts.with_(when), loose=said.loose or when is not None)
            self._line(s, here)
            if s.op in _LEFT and not str(s["name"] or "").startswith("@"):
                facts = facts.with_(when, truth=False)
            elif s.op in {"refused", "legal_when"} and when is None:
                facts = facts.with_(s["test"], truth=s.op == "legal_when")
        return facts

    def _line(self, s: S, here: Said) -> None:
        for field, value in s.fields.items():
            if field != "when":
                self._scan(value, here)
        self.lines.setdefault(_key(here.routine), []).append((s, here))
        changed = names_changed(s)
        for name in names_given(s):
            owner = self.owner(here.routine, s["target"].args[0]) if name in changed else here.routine
            if owner is not None and name != name_around(s):
                notes = self.changes if name in changed else self._given
                notes.setdefault((_key(owner), name), []).append((s, here))
        for name in s["given"] or {} if s.op == "do" else ():
            self._given.setdefault((s["key"], name), []).append((s, here))
        if s.body:
            looped = here.looped or bool(does(s).around) or s.op == "repeat"
            self._body(s.body, attrs.evolve(here, looped=looped))

    def _scan(self, part: Any, here: Said) -> None:
        if isinstance(part, E):
            if part.op == "lookup":
                self.lookups.append((part, here))
            elif part.op == "call":
                self._calls.setdefault(part.args[0], []).append((part, here))
            if part.op in {"and", "or"}:
                for item in part.args:
                    self._scan(item, here)
                    here = attrs.evolve(here, facts=here.facts.with_(item, truth=part.op == "and"))
            else:
                self._scan(part.args, here)
        elif isinstance(part, tuple | list):
            for x in part:
                if isinstance(x, E | tuple | list | dict):
                    self._scan(x, here)
        elif isinstance(part, dict):
            self._scan(tuple(part.values()), here)


def _key(routine: Routine) -> str:
    return f"{routine.word} {routine.name}"
