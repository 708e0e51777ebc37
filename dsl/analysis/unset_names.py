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
MOST_SPLITS = 200
"""No more cases than these are told apart; a name for which they do not suffice is not reported."""

Shape = object
"""An expression without its places in the text, to compare and to look up."""
Facts = Mapping[Shape, frozenset[str]]
"""What is known at a line: for conditions yes or no, for values with words the words that remain, for loops that one runs."""
Arm = tuple[ir.When, Facts, bool]
"""A block under a condition, what is known in it, and whether play goes on after it."""
YES, NO = frozenset({"yes"}), frozenset({"no"})
_TURNED = {"<=": ">", ">=": "<"}


def check_names_set(ruleset: Ruleset, routines: Iterable[Routine]) -> Iterator[Diagnostic]:
    """W259 for every name of an order, procedure, rule or sequence that a line reads and that may not be set by then."""
    once = list({id(r): r for r in routines}.values())
    elsewhere = {
        name for r in once for s in lines_in(r.body) if frame_changed(s) not in {"", OWN} for name in names_changed(s)
    }
    for routine in once:
        if routine.word not in {"value", "status", "path"}:
            yield from _Course(ruleset, routine, elsewhere).problems()


def _shape(part: object) -> Shape:
    if isinstance(part, E):
        return (type(part), *(_shape(getattr(part, name)) for name in fields_of(type(part))))
    if isinstance(part, tuple | list):
        return tuple(_shape(x) for x in part)
    if isinstance(part, Mapping):
        return tuple((name, _shape(x)) for name, x in part.items())
    return part


@attrs.define
class _Course:
    """The walk through the lines of one routine, in the order in which they run."""

    ruleset: Ruleset
    routine: Routine
    elsewhere: set[str]
    words: dict[Shape, frozenset[str]] = attrs.field(factory=dict)
    """The words that a value can be, of every value that a condition compares with some."""
    set_by: dict[str, list[tuple[S, Facts]]] = attrs.field(factory=dict)
    """By each name, the lines passed that set it, each with what it depends on."""
    found: dict[tuple[str, int], Diagnostic] = attrs.field(factory=dict)
    splits: int = 0

    def problems(self) -> Iterator[Diagnostic]:
        """One for each name and line."""
        given = {name for s in lines_in(self.routine.body) for name in names_given(s)}
        known = {p.name for p in self.routine.params} | self.elsewhere
        self.set_by = {name: [] for name in given - known}
        if self.set_by:
            self._body(self.routine.body, {})
        yield from self.found.values()

    # ---- lines
    def _body(self, body: Sequence[S], facts: Facts) -> Facts | None:
        """Walks through lines. Returns what is known after them; None if they end the routine."""
        arms: list[Arm] = []
        left = facts
        for number, s in enumerate(body):
            if isinstance(s, ir.When):
                arms, left = ([], facts) if s.arm == "when" else (arms, left)
                arms.append(self._arm(s, left))
                left = self._with(left, s.test, truth=False)
                if not _is_last_arm(body, number):
                    continue
                after = self._after_arms(arms, facts, left)
            else:
                after = self._line(s, facts)
            if after is None:
                return None
            facts = after
        return facts

    def _arm(self, s: ir.When, facts: Facts) -> Arm:
        """Walks through a block. Returns it, what is known in it, and whether play goes on after it."""
        self._read(s.test, s, facts)
        inside = self._with(facts, s.test, truth=True)
        return s, inside, self._body(s.body, inside) is not None

    def _after_arms(self, arms: Sequence[Arm], before: Facts, left: Facts) -> Facts | None:
        """What is known after blocks of which one runs at most. left: what holds if none of them runs."""
        going_on = [inside for _, inside, goes_on in arms if goes_on]
        last, _, _ = arms[-1]
        if last.test is not None:
            return before if going_on else left
        for name, lines in self.set_by.items():
            if lines and all(self._is_set(name, inside) for inside in going_on):
                lines.append((last, before))
        return before if going_on else None

    def _line(self, s: S, facts: Facts) -> Facts | None:
        """Walks through one line and those in it. Returns what is known after it; None if it ends the routine."""
        self._read(s.when, s, facts)
        inside = self._with(facts, s.when, truth=True)
        own = {**inside, id(s): YES}
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
        if isinstance(e, ir.FrameName | ir.FrameEntry) and e.frame == OWN:
            asked = facts.get(("there", _shape(e))) == YES
            if e.name in self.set_by and not asked and not self._is_set(e.name, facts):
                self._report(e.name, s)
        for part in ir.inner(e):
            if isinstance(part, E):
                self._read(part, s, facts)

    def _report(self, name: str, s: S) -> None:
        first = next((line for line, _ in self.set_by[name]), None)
        also = [Mark(first.span, "it is set here, but not always", name)] if first is not None else []
        self.found.setdefault(
            (name, s.span.line),
            at("W259", f"`{name}` may not be set when this line needs it.", s.span, also=also, word=name),
        )

    def _is_set(self, name: str, facts: Facts) -> bool:
        """Whether one of the lines that set a name has run, in every case that the facts leave open."""
        self.splits = 0
        return self._covered([before for _, before in self.set_by[name]], facts)

    def _covered(self, ways: Sequence[Facts], facts: Facts) -> bool:
        """Whether one of the ways is open in every case that the facts leave."""
        still = []
        for way in ways:
            rest = {shape: words for shape, words in way.items() if not facts.get(shape, self._all(shape)) <= words}
            if not rest:
                return True
            if all(words & facts.get(shape, self._all(shape)) for shape, words in rest.items()):
                still.append(rest)
        if len(still) < 2:
            return False
        self.splits += 1
        if self.splits > MOST_SPLITS:
            return True
        shape = next(iter(still[0]))
        rest_of = facts.get(shape, self._all(shape))
        return all(self._covered(still, {**facts, shape: frozenset({word})}) for word in rest_of)

    # ---- what is known
    def _all(self, shape: Shape) -> frozenset[str]:
        return self.words.get(shape, YES | NO)

    def _with(self, facts: Facts, e: E | None, *, truth: bool) -> Facts:
        """The facts, and what follows from a condition that holds, or does not."""
        match e:
            case None:
                return facts
            case ir.Not(item=item):
                return self._with(facts, item, truth=not truth)
            case ir.And(items=items) | ir.Or(items=items) if isinstance(e, ir.And) is truth:
                for item in items:
                    facts = self._with(facts, item, truth=truth)
                return facts
            case ir.IsThere(value=value) | ir.IsAbsent(value=value):
                return _and(facts, ("there", _shape(value)), YES if isinstance(e, ir.IsThere) is truth else NO)
            case ir.Compare(sign=("<=" | ">=") as sign):
                return self._with(facts, attrs.evolve(e, sign=_TURNED[sign]), truth=not truth)
            case ir.WordIs(subject=subject, words=words) | ir.WordOf(subject=subject, words=words) if (
                possible := self._words_of(subject)
            ):
                shape = ("word", _shape(subject))
                self.words[shape] = possible
                return _and(facts, shape, possible.intersection(words) if truth else possible.difference(words))
        return _and(facts, _shape(e), YES if truth else NO)

    def _words_of(self, subject: E) -> frozenset[str]:
        if isinstance(subject, ir.OptionRead):
            return frozenset(subject.choices)
        words = self.ruleset.enums.get(subject.type.word) if subject.type.name == "enum" else None
        return frozenset(words.words) if words is not None else frozenset()


def _is_last_arm(body: Sequence[S], number: int) -> bool:
    """Whether no `otherwise` follows a block."""
    following = body[number + 1] if number + 1 < len(body) else None
    return not isinstance(following, ir.When) or following.arm == "when"


def _and(facts: Facts, shape: Shape, words: frozenset[str]) -> Facts:
    return {**facts, shape: facts[shape] & words if shape in facts else words}
