"""Explanations as data: the lines that made a value, as a tree of everything that was evaluated."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import attrs

from dsl import ir
from dsl.ir import S
from interpreter.codegen.units import SITES
from interpreter.explain.story import GivenValue
from interpreter.messages.standing_rulings import StandingRuling
from interpreter.program.program import Program
from interpreter.runtime.audit_trail import LineNote, Note
from interpreter.runtime.runtime import say

__all__ = ["Explanation", "Step", "cites_of", "given_step", "line_step", "tree", "with_rulings"]

MOST_PARTS = 5_000
"""An explanation follows at most this many values."""


@attrs.frozen(slots=True)
class Step:
    """One evaluated line of a value. value: the value after it, printed; "" if it did not apply."""

    text: str
    applied: bool
    value: str
    because: str
    cites: tuple[str, ...]
    module: str
    place: str


@attrs.frozen(slots=True)
class Explanation:
    """A value with the lines that made it and the values that those used, in order of use.

    rulings: the umpire's standing rulings about what is used here; each is shown once. of: the things,
    places, words and numbers that it is computed for, word: the value's own name, if the name is made of these. uses: the names in
    the expression that was asked for.
    """

    name: str
    value: str
    cites: tuple[str, ...]
    steps: tuple[Step, ...]
    parts: tuple[Explanation, ...]
    rulings: tuple[str, ...] = ()
    word: str = ""
    of: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()

    @classmethod
    def named(
        cls, word: str, of: tuple[str, ...], value: object, steps: list[Step], parts: list[Explanation]
    ) -> Explanation:
        """The value of a name, for its arguments."""
        name = f"{word} of {', '.join(of)}" if of else word
        return cls(name, say(value), cites_of(steps), tuple(steps), tuple(parts), word=word, of=of)


WORD = re.compile(r"[\w-]+")


def with_rulings(told: Sequence[Explanation], standing: Iterable[StandingRuling]) -> list[Explanation]:
    """Explanations with the rulings in effect, each where its subject is first used."""
    left = [ruling for ruling in standing if ruling.about]

    def ruled(whole: Explanation) -> Explanation:
        used = {whole.word, *whole.uses, *whole.cites}
        for step in whole.steps:
            used |= {*WORD.findall(step.text), *step.cites, step.module}
        mine = [ruling for ruling in left if used.intersection(ruling.about)]
        left[:] = [ruling for ruling in left if ruling not in mine]
        said = tuple(f"Ruling {one.number} (turn {one.turn}): {one.text.rstrip('.')}." for one in mine)
        return attrs.evolve(whole, rulings=said, parts=tuple(map(ruled, whole.parts)))

    return [ruled(one) for one in told] if left else list(told)


def tree(program: Program, notes: list[Note]) -> list[Explanation]:
    """The trail as explanations. A value used again with the same result is shown once."""
    stack: list[tuple[str, tuple[str, ...], list[Step], list[Explanation]]] = [("", (), [], [])]
    for note in notes[: MOST_PARTS * 20]:
        if note[0] == "enter":
            stack.append((note[1], tuple(map(say, note[2])), [], []))
        elif note[0] == "leave":
            word, of, steps, parts = stack.pop()
            made = Explanation.named(word, of, note[1], steps, parts)
            if made.name not in {p.name for p in stack[-1][3]}:
                stack[-1][3].append(made)
        else:
            stack[-1][2].append(_step(program, note))
    while len(stack) > 1:
        word, of, steps, parts = stack.pop()
        stack[-1][3].append(Explanation.named(word, of, "…", steps, parts))
    return [_grouped(x) for x in _alike(stack[0][3])]


def _grouped(whole: Explanation) -> Explanation:
    return attrs.evolve(whole, parts=tuple(_grouped(p) for p in _alike(list(whole.parts))))


def _alike(parts: list[Explanation]) -> list[Explanation]:
    """Merges the values of several things if the same lines gave the same result: `stance of a, b and 3 more`.

    What is computed for two things is told pair by pair: `gap of a, b; a, c`.
    """
    groups: dict[object, list[Explanation]] = {}
    for part in parts:
        shape = (
            part.word,
            part.value,
            tuple((s.place, s.applied, s.value) for s in part.steps),
            _shape(part.parts),
        )
        groups.setdefault(shape, []).append(part)
    out = []
    for members in groups.values():
        first = members[0]
        if len(members) > 1 and first.of:
            who = [", ".join(m.of) for m in members]
            between = ", " if all(len(m.of) == 1 for m in members) else "; "
            shown = between.join(who[:3]) + (f" and {len(who) - 3} more" if len(who) > 3 else "")
            of = tuple(dict.fromkeys(one for m in members for one in m.of))
            first = attrs.evolve(first, name=f"{first.word} of {shown}", of=of)
        out.append(first)
    return out


def _shape(parts: tuple[Explanation, ...]) -> object:
    return tuple((p.word, p.value, _shape(p.parts)) for p in parts)


def cites_of(steps: list[Step]) -> tuple[str, ...]:
    """The citations of the lines that applied."""
    return tuple(dict.fromkeys(c for s in steps if s.applied for c in s.cites))


def _step(program: Program, note: LineNote) -> Step:
    site = SITES.all[note[1]]
    applied = note[0] == "step"
    return Step(
        program.said_at(site.span),
        applied,
        say(note[2]) if note[0] == "step" else "",
        site.because,
        site.cites,
        site.module,
        f"{site.span.file}:{site.span.line}",
    )


def line_step(program: Program, line: S, value: object) -> Step:
    """A line that set a value, as a step."""
    place = f"{line.span.file}:{line.span.line}"
    return Step(program.text_of(line.span), True, say(value), line.because or "", line.cites, line.module, place)


def given_step(program: Program, given: GivenValue) -> Step:
    """A line that set a value, as a step; a gain is shown with the value it is added to."""
    if given.line is None:
        return Step("a value set in an earlier turn has expired", True, say(given.value), "", (), "", "")
    step = line_step(program, given.line, given.value)
    if given.over:
        return attrs.evolve(step, text=f"{step.text}: expired")
    if isinstance(given.line, ir.Gain) and given.thing is not None:
        loses = given.came < 0 or (given.came == 0 and isinstance(given.part, ir.Negative))
        sign = "-" if loses else "+"
        return attrs.evolve(step, value=f"{say(given.before)} {sign} {say(abs(given.came))} = {say(given.value)}")
    return step
