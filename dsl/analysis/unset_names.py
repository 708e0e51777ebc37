"""Names that may not be set where a line reads them: set in a loop, or only under a condition that need not hold there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import attrs

from dsl import ir
from dsl.analysis.effects_of import frame_changed, names_changed, names_given
from dsl.ir import E, Routine, S, fields_of, lines_in
from dsl.rules.ruleset import Ruleset
from dsl.text.diagnostics import Diagnostic, Mark, at

OWN = "F"
"""The path to a routine's own frame."""
MOST_CASES = 500
"""If a line depends on more cases than these, or on more conditions, its names are not reported."""

MOST_WORK = 300_000
"""So many parts of conditions are looked at in all; a text that needs more is not looked at to its end."""

Shape = object
"""An expression without its places in the text: two that say the same are equal."""
Number = int
"""Stands for a shape: equal shapes have the same."""
YES, NO = frozenset({"yes"}), frozenset({"no"})


@attrs.frozen
class Is:
    """Whether something is one of some words: a value, or a condition that is true (yes) or not (no)."""

    what: Number
    words: frozenset[str]
    possible: frozenset[str] = YES | NO


@attrs.frozen
class All:
    """Whether all parts hold."""

    parts: tuple[Fact, ...]


@attrs.frozen
class Not:
    """Whether a part does not hold."""

    part: Fact


Fact = Is | All | Not
Facts = tuple[Fact, ...]
"""What holds at a line."""
Case = Mapping[Number, frozenset[str]]
"""What is assumed: the words that remain for some values and conditions."""
Arm = tuple[Facts, Facts | None]
"""What holds at the beginning of a block under a condition, and at its end; None if it ends the routine."""


def check_names_set(ruleset: Ruleset, routines: Iterable[Routine]) -> Iterator[Diagnostic]:
    """W259 for every name of an order, procedure, rule or sequence that a line reads and that may not be set by then."""
    once = list({id(r): r for r in routines}.values())
    elsewhere = {
        name for r in once for s in lines_in(r.body) if frame_changed(s) not in {"", OWN} for name in names_changed(s)
    }
    left = [MOST_WORK]
    for routine in once:
        if routine.word not in {"value", "status", "path"}:
            yield from _Course(ruleset, routine, elsewhere, left).problems()


@attrs.define
class _Course:
    """The walk through the lines of one routine, in the order in which they run."""

    ruleset: Ruleset
    routine: Routine
    elsewhere: set[str]
    left: list[int]
    """How many parts of facts may still be looked at in all routines."""
    shapes: dict[Shape, Number] = attrs.field(factory=dict)
    set_by: dict[str, list[tuple[S, Facts]]] = attrs.field(factory=dict)
    """By each name, the lines passed that set it, each with what holds if it has run."""
    found: dict[tuple[str, int], Diagnostic] = attrs.field(factory=dict)

    def problems(self) -> Iterator[Diagnostic]:
        """One for each name and line."""
        given = {name for s in lines_in(self.routine.body) for name in names_given(s)}
        known = {p.name for p in self.routine.params} | self.elsewhere
        self.set_by = {name: [] for name in given - known}
        if self.set_by:
            self._body(self.routine.body, ())
        yield from self.found.values()

    # ---- lines
    def _body(self, body: Sequence[S], facts: Facts) -> Facts | None:
        """Walks through lines. Returns what holds after them; None if they end the routine."""
        arms: list[Arm] = []
        left = facts
        for number, s in enumerate(body):
            if isinstance(s, ir.When):
                arms, left = ([], facts) if s.arm == "when" else (arms, left)
                self._read(s.test, s, left)
                inside = self._with(left, s.test, truth=True)
                arms.append((inside, self._body(s.body, inside)))
                left = self._with(left, s.test, truth=False)
                if not _is_last_arm(body, number):
                    continue
                after = _after(arms, facts, left if s.test is not None else None)
            else:
                after = self._line(s, facts)
            if after is None:
                return None
            facts = after
        return facts

    def _line(self, s: S, facts: Facts) -> Facts | None:
        """Walks through one line and those in it. Returns what holds after it; None if it ends the routine."""
        self._read(s.when, s, facts)
        inside = self._with(facts, s.when, truth=True)
        own = (*inside, self._is(("runs", id(s)), YES))
        names = [name for name in names_given(s) if name in self.set_by and frame_changed(s) in {"", OWN}]
        self._note(names, s, own)
        for part in ir.inner(s):
            if isinstance(part, E) and part is not s.when:
                self._read(part, s, own)
        if isinstance(s, ir.ForEach | ir.Repeat):
            self._body(s.body, own)
            return facts
        after = self._body(s.body, inside)
        # A choice that is not put is absent, and so is a value that is not worked out: binding looks after that.
        self._note(names, s, facts if isinstance(s, ir.Let | ir.Choose | ir.Draw) else inside)
        if isinstance(s, ir.Stop) or after is None:
            return None if s.when is None else self._with(facts, s.when, truth=False)
        return facts

    def _note(self, names: Iterable[str], s: S, facts: Facts) -> None:
        for name in names:
            self.set_by[name].append((s, facts))

    # ---- reading
    def _read(self, e: E | None, s: S, facts: Facts) -> None:
        """Notes the names in an expression that may not be set. In `A and B`, B is read only where A holds."""
        if isinstance(e, ir.And | ir.Or):
            for item in e.items:
                self._read(item, s, facts)
                facts = self._with(facts, item, truth=isinstance(e, ir.And))
            return
        if e is None or (isinstance(e, ir.IsAbsent | ir.IsThere) and isinstance(e.value, ir.FrameName)):
            return
        if isinstance(e, ir.FrameName | ir.FrameEntry) and e.frame == OWN and self._may_be_unset(e, facts):
            self._report(e.name, s)
        for part in ir.inner(e):
            if isinstance(part, E):
                self._read(part, s, facts)

    def _may_be_unset(self, e: ir.FrameName | ir.FrameEntry, facts: Facts) -> bool:
        lines = self.set_by.get(e.name)
        if lines is None or len(lines) + len(facts) > MOST_CASES:
            return False
        ways = [Not(All(before)) for _, before in lines]
        return _can_be(All((*facts, *ways, Not(self._is(("there", _shape(e)), YES)))), self.left)

    def _report(self, name: str, s: S) -> None:
        first = next((line for line, _ in self.set_by[name]), None)
        also = [Mark(first.span, "it is set here, but not always", name)] if first is not None else []
        self.found.setdefault(
            (name, s.span.line),
            at("W259", f"`{name}` may not be set when this line needs it.", s.span, also=also, word=name),
        )

    # ---- what holds
    def _with(self, facts: Facts, e: E | None, *, truth: bool) -> Facts:
        """The facts, and a condition that holds, or does not. No more than can all be looked at."""
        if e is None or len(facts) > MOST_CASES:
            return facts
        fact = self._fact(e)
        return (*facts, fact if truth else Not(fact))

    def _fact(self, e: E) -> Fact:
        match e:
            case ir.Not(item=item):
                return Not(self._fact(item))
            case ir.And(items=items):
                return All(tuple(map(self._fact, items)))
            case ir.Or(items=items):
                return Not(All(tuple(Not(self._fact(item)) for item in items)))
            case ir.IsThere(value=value):
                return self._is(("there", _shape(value)), YES)
            case ir.IsAbsent(value=value):
                return self._is(("there", _shape(value)), NO)
            case ir.Compare(sign="<="):
                return Not(self._is(_shape(attrs.evolve(e, sign=">")), YES))
            case ir.Compare(sign=">="):
                return Not(self._is(_shape(attrs.evolve(e, sign="<")), YES))
            case ir.WordIs(subject=subject, words=words) | ir.WordOf(subject=subject, words=words):
                possible = self._words_of(subject)
                if possible:
                    return self._is(("word", _shape(subject)), frozenset(words), possible)
        return self._is(_shape(e), YES)

    def _is(self, what: Shape, words: frozenset[str], possible: frozenset[str] = YES | NO) -> Is:
        return Is(self.shapes.setdefault(what, len(self.shapes)), words, possible)

    def _words_of(self, subject: E) -> frozenset[str]:
        if isinstance(subject, ir.OptionRead):
            return frozenset(subject.choices)
        words = self.ruleset.enums.get(subject.type.word) if subject.type.name == "enum" else None
        return frozenset(words.words) if words is not None else frozenset()


def _is_last_arm(body: Sequence[S], number: int) -> bool:
    """Whether no `otherwise` follows a block."""
    following = body[number + 1] if number + 1 < len(body) else None
    return not isinstance(following, ir.When) or following.arm == "when"


def _after(arms: Sequence[Arm], before: Facts, none: Facts | None) -> Facts | None:
    """What holds after blocks of which one runs at most. none: what holds if none does; None if one always does."""
    if all(begin == end for begin, end in arms):
        return before
    ends = [All(end[len(before) :]) for end in (*(end for _, end in arms), none) if end is not None]
    return (*before, Not(All(tuple(map(Not, ends))))) if ends else None


def _shape(part: object) -> Shape:
    if isinstance(part, E):
        return (type(part), *(_shape(getattr(part, name)) for name in fields_of(type(part))))
    if isinstance(part, tuple | list):
        return tuple(_shape(x) for x in part)
    if isinstance(part, Mapping):
        return tuple((name, _shape(x)) for name, x in part.items())
    return part


def _can_be(fact: Fact, left: list[int]) -> bool:
    """Whether a fact holds in some case; no, if there are too many to try. left: how many parts may still be looked at."""
    waiting: list[Case] = [{}]
    for _ in range(MOST_CASES):
        if not waiting or left[0] <= 0:
            return False
        case = waiting.pop()
        holds = _holds(fact, case, left)
        if holds is True:
            return True
        if isinstance(holds, Is):
            left[0] -= len(holds.possible) * len(case)
            waiting += ({**case, holds.what: frozenset({word})} for word in holds.possible)
    return False


def _holds(fact: Fact, case: Case, left: list[int]) -> bool | Is:
    """Whether a fact holds in a case; or something else that this depends on. Anything, once nothing is left."""
    left[0] -= 1
    match fact:
        case Is(what=what, words=words, possible=possible):
            remain = case.get(what, possible)
            return fact if remain - words and remain & words else remain <= words
        case Not(part=part):
            holds = _holds(part, case, left)
            return holds if isinstance(holds, Is) else not holds
        case All(parts=parts):
            unsure: Is | None = None
            for part in parts:
                holds = _holds(part, case, left)
                if holds is False or left[0] <= 0:
                    return False
                unsure = holds if unsure is None and isinstance(holds, Is) else unsure
            return unsure or True
