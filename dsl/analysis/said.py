"""Where expressions occur in bound rules: in which routine, after which lines, and under which conditions on numbers.

One walk through all bound routines records each lookup, each use of a value and each line that sets a name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import attrs

from dsl import ir
from dsl.analysis.effects_of import frame_changed, name_around, names_changed, names_given
from dsl.ir import LAST, E, Routine, S, alike

MOST_KNOWN = 100
"""Of more conditions than these, a line knows only the last."""
_TURNED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
"""What holds if a comparison does not."""
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "="}


@attrs.frozen(slots=True)
class Facts:
    """Conditions that were tested, and the comparisons of numbers that hold because of them: (sign, left, right)."""

    known: tuple[tuple[str, E, E], ...] = ()
    asked: tuple[E, ...] = ()

    def with_(self, condition: E | None, truth: bool = True) -> Facts:
        """These facts and those that follow from a condition, true or false."""
        if condition is None:
            return self
        return Facts((*self.known, *_comparisons(condition, truth)), (*self.asked, condition)).latest()

    def and_(self, other: Facts) -> Facts:
        """These facts and others."""
        return Facts((*self.known, *other.known), (*self.asked, *other.asked)).latest()

    def latest(self) -> Facts:
        """No more of them than are worth comparing with every expression."""
        enough = len(self.known) <= MOST_KNOWN and len(self.asked) <= MOST_KNOWN
        return self if enough else Facts(self.known[-MOST_KNOWN:], self.asked[-MOST_KNOWN:])

    def limits(self, e: E) -> Iterator[tuple[str, E]]:
        """What an expression is compared with: the sign, read from the expression, and the other operand."""
        for sign, left, right in self.known:
            if alike(left, e):
                yield sign, right
            elif alike(right, e):
                yield _MIRRORED[sign], left


def _comparisons(e: E, truth: bool) -> Iterator[tuple[str, E, E]]:
    if isinstance(e, ir.Not):
        yield from _comparisons(e.item, not truth)
    elif isinstance(e, ir.And if truth else ir.Or):
        for part in e.items:
            yield from _comparisons(part, truth)
    elif isinstance(e, ir.Compare):
        yield e.sign if truth else _TURNED[e.sign], e.left, e.right
    elif isinstance(e, ir.Equal) and truth and e.left.type.name == "number":
        yield "=", e.left, e.right


@attrs.frozen(slots=True)
class Said:
    """routine: the text. facts: what holds there. number: of its line, in the order of the text.

    loose: whether the line may be skipped, as it depends on a condition. looped: whether it may run several times.
    """

    routine: Routine
    facts: Facts = Facts()
    number: int = 0
    loose: bool = False
    looped: bool = False

    def under(self, facts: Facts, *, loose: bool = False) -> Said:
        """The same line with other facts. loose: whether it may be skipped because of them."""
        return Said(self.routine, facts, self.number, self.loose or loose, self.looped)


class Sayings:
    """All lookups, calls and lines that set names, in the bound texts of one ruleset."""

    def __init__(self, routines: Mapping[str, Routine]) -> None:
        self.routines = routines
        self.lookups: list[tuple[ir.LookUp, Said]] = []
        self.lines: dict[str, list[tuple[S, Said]]] = {}
        self.changes: dict[tuple[str, str], list[tuple[S, Said]]] = {}
        self._given: dict[tuple[str, str], list[tuple[S, Said]]] = {}
        self._calls: dict[str, list[tuple[ir.Call, Said]]] = {}
        self._number = 0
        for routine in {id(r): r for r in routines.values()}.values():
            facts = self._body(routine.clauses, Said(routine))
            self._body(routine.body, Said(routine, facts))

    # ---- for other modules
    def owner(self, routine: Routine, access: str) -> Routine | None:
        """The routine in whose frame a text reads a name; None if that is unknown."""
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
        """What sets a local name of a value: its own line, or the callers of the value."""
        lines = [x for x in self._given.get((_key(routine), name), ()) if isinstance(x[0], ir.Let)]
        place = next((i for i, p in enumerate(routine.params) if p.name == name), None)
        if lines or place is None or routine.word != "value":
            return list(lines)
        return [(e.arguments[place], said) for e, said in self._calls.get(routine.name, ())]

    def framed(self, owner: Routine, name: str) -> list[tuple[S, Said]]:
        """The lines that set a name of a frame for the first time."""
        return self._given.get((_key(owner), name), [])

    def changed(self, owner: Routine, name: str) -> list[tuple[S, Said]]:
        """The lines that change it."""
        return self.changes.get((_key(owner), name), [])

    def reads(self, asked: Iterable[tuple[object, Routine]]) -> set[str]:
        """Everything that expressions depend on, also through values and names: values, names of frames, fields.

        asked: each with the routine in which it stands.
        """
        found: set[str] = set()
        followed: set[tuple[str, str]] = set()
        left = list(asked)
        while left:
            part, routine = left.pop()
            for e in ir.walk(part):
                match e:
                    case ir.Call(name=name):
                        key, owner = f"call {name}", self.routines.get(name)
                    case ir.Field(name=name):
                        key, owner = f"field {name}", None
                    case ir.Local(name=name):
                        key, owner = f"{_key(routine)} {name}", routine
                    case ir.FrameName(frame=frame, name=name) | ir.FrameEntry(frame=frame, name=name):
                        key, owner = f"frame {name}", self.owner(routine, frame)
                    case _:
                        continue
                found.add(key)
                if owner is not None and (key, _key(owner)) not in followed:
                    followed.add((key, _key(owner)))
                    lines = [(s, owner) for s in owner.body] if isinstance(e, ir.Call) else self._naming(owner, name)
                    left += [(tuple(ir.inner(s)), home) for s, home in lines]
        return found

    def _naming(self, owner: Routine, name: str) -> list[tuple[S, Routine]]:
        """The lines that set a name of a routine for the first time, each with its routine."""
        return [(s, said.routine) for s, said in self._given.get((_key(owner), name), ())]

    # ---- the walk
    def _body(self, body: Iterable[S], said: Said) -> Facts:
        """Walks through lines; returns the facts that hold after them."""
        facts, before, arms = said.facts, Facts(), Facts()
        for s in body:
            self._number += 1
            here = Said(said.routine, facts, self._number, said.loose, said.looped)
            if isinstance(s, ir.When):
                arms = Facts() if s.arm == "when" else arms
                inner = here.under(facts.and_(arms), loose=True)
                self._scan(s.test, inner)
                self._body(s.body, inner.under(inner.facts.with_(s.test)))
                arms = arms.with_(s.test, truth=False)
                if s.arm == "when" and s.body and isinstance(s.body[-1], ir.Stop) and s.body[-1].when is None:
                    facts = facts.with_(s.test, truth=False)
                continue
            when = s.when
            if isinstance(s, ir.Case):
                here = here.under(facts.and_(before))
                before = before.with_(when, truth=False)
            self._scan(when, here)
            self._line(s, here if when is None else here.under(here.facts.with_(when), loose=True))
            if isinstance(s, ir.Stop) and not (s.name or "").startswith("@"):
                facts = facts.with_(when, truth=False)
            elif isinstance(s, ir.Refused | ir.LegalWhen) and when is None:
                facts = facts.with_(s.test, truth=isinstance(s, ir.LegalWhen))
        return facts

    def _line(self, s: S, here: Said) -> None:
        owned = {id(x) for x in s.body}
        for part in ir.inner(s):
            if part is not s.when and id(part) not in owned:
                self._scan(part, here)
        self.lines.setdefault(_key(here.routine), []).append((s, here))
        changed = names_changed(s)
        for name in names_given(s):
            owner = self.owner(here.routine, frame_changed(s)) if name in changed else here.routine
            if owner is not None and name != name_around(s):
                notes = self.changes if name in changed else self._given
                notes.setdefault((_key(owner), name), []).append((s, here))
        if isinstance(s, ir.Do):
            for name in s.given:
                self._given.setdefault((s.key, name), []).append((s, here))
        if s.body:
            looped = here.looped or bool(s.DOES.around) or isinstance(s, ir.Repeat)
            self._body(s.body, Said(here.routine, here.facts, here.number, here.loose, looped))

    def _scan(self, part: ir.Node | None, here: Said) -> None:
        match part:
            case None:
                return
            case ir.And(items=items) | ir.Or(items=items):
                for item in items:
                    self._scan(item, here)
                    here = here.under(here.facts.with_(item, truth=isinstance(part, ir.And)))
                return
            case ir.LookUp():
                self.lookups.append((part, here))
            case ir.Call(name=name):
                self._calls.setdefault(name, []).append((part, here))
        for x in ir.inner(part):
            self._scan(x, here)


def _key(routine: Routine) -> str:
    return f"{routine.word} {routine.name}"
