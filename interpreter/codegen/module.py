"""Emitting a ruleset: all its routines as the source of one Python module."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from dsl import ir
from dsl.binding.bound import BoundRuleset
from dsl.ir import E, Routine, S, Trigger
from dsl.text.source import Span
from interpreter.codegen.emit_paths import emit_path
from interpreter.codegen.emit_statements import emit_procedure
from interpreter.codegen.emit_values import emit_let, emit_value, leave
from interpreter.codegen.emitted_source import FunctionText, Source
from interpreter.codegen.looped import Loops
from interpreter.codegen.python_names import py
from interpreter.codegen.remembered import Remembered
from interpreter.codegen.routine_emitter import RoutineEmitter
from interpreter.codegen.text_writer import TextWriter
from interpreter.codegen.units import SITES, RuleSite, Text, Units

__all__ = ["Emitter"]


class Part(NamedTuple):
    """A part of the emitted text, and what writes it. name: of the one function that others call; "" if there are several."""

    name: str
    write: Callable[[RoutineEmitter], None]


class Emitter:
    """Emits all routines of a bound ruleset. traced: with an audit trail in every value, so that values can be given."""

    def __init__(self, rules: BoundRuleset, *, traced: bool = False) -> None:
        self.rules = rules
        self.traced = traced
        self.memory = Remembered(rules)
        self.sites: list[RuleSite] = []

    def units(self) -> Units:
        """Every routine as a unit of its own, which is written when it is first called."""
        return Units((part.name, partial(self._text_of, part)) for part in _parts(self.rules))

    def texts(self) -> Iterator[Text]:
        """The text of every routine."""
        return map(self._text_of, _parts(self.rules))

    def _text_of(self, part: Part) -> Text:
        """One part as a separate text, with its words and rule lines."""
        number = SITES.number if self.traced else self._number
        m = RoutineEmitter(self.rules, traced=self.traced, memory=self.memory, number=number)
        part.write(m)
        return m.text.unit()

    def module(self) -> Source:
        """The complete module, for play."""
        text = TextWriter()
        loops = Loops(self.rules, text, self.memory)
        m = RoutineEmitter(self.rules, text=text, loops=loops, memory=self.memory, number=self._number)
        for part in _parts(self.rules):
            part.write(m)
        text.span = None
        text.flush()
        options = {name: asked for asked, name in loops.options.items()}
        functions = tuple(_functions(text.out))
        return Source(functions, text.lines, self.sites, text.words.all, options, loops.nests, loops.numbers)

    def _number(self, site: RuleSite) -> int:
        """The number of a rule line in this text."""
        self.sites.append(site)
        return len(self.sites) - 1


def _parts(rules: BoundRuleset) -> Iterator[Part]:
    """Everything there is to write."""
    routines = rules.routines
    for routine in routines.values():
        if routine.word in {"value", "status"}:
            yield Part(f"v_{py(routine.name)}", partial(emit_value, routine=routine))
    for routine in routines.values():
        if routine.word == "path":
            yield Part("", partial(emit_path, routine=routine))
    for routine in routines.values():
        if routine.word in {"procedure", "sequence", "rule"}:
            yield _procedure(f"p_{routine.word}_{py(routine.name)}", routine)
        elif routine.word == "order":
            yield from _order(routine)
        elif routine.word == "setup":
            yield Part("", partial(_setup, routine=routine))
    for trigger in rules.triggers:
        yield Part("", partial(_trigger, trigger=trigger))
    for lasting in rules.lasting:
        names = ", ".join(["l_it", *(f"l_{n}" for n, _ in lasting.taken)])
        yield _returning(f"u_{lasting.number}", names, lasting.test)
    for name, endings in rules.endings.items():
        for number, ending in enumerate(endings):
            yield _ending(f"z_{py(name)}_{number}", *ending)
    for name, hints in rules.hints.items():
        for number, (_, _, when, span) in enumerate(hints):
            yield _returning(f"h_{py(name)}_{number}", "", when, span)


def _procedure(name: str, routine: Routine) -> Part:
    return Part(name, partial(emit_procedure, routine=routine, name=name))


def _returning(name: str, args: str, e: E | None, span: Span | None = None) -> Part:
    """A function that returns the value of an expression; True if there is none."""

    def write(m: RoutineEmitter) -> None:
        m.text.span = span or (e.span if e is not None else None)
        with m.text.function(name, args):
            m.put(f"return {m.test(e)}")

    return Part(name, write)


def _ending(name: str, winner: E | None, when: E | None, because: str, span: Span) -> Part:
    """A line of a scenario that ends the game."""

    def write(m: RoutineEmitter) -> None:
        m.text.span = span
        with m.text.function(name, ""):
            m.put(f"if {m.test(when)}:")
            m.put(f"    W.end_game({m.emit(winner) if winner is not None else 'None'}, {m.word(because)})")

    return Part(name, write)


# ---- orders
def _order(routine: Routine) -> Iterator[Part]:
    """An order's clauses, each as a function, and its effect."""
    for number, s in enumerate(routine.clauses):
        name = f"c_{py(routine.name)}_{number}"
        yield Part(name, partial(_clause, name=name, s=s))
    yield _procedure(f"e_{py(routine.name)}", routine)


def _clause(m: RoutineEmitter, name: str, s: S) -> None:
    """A clause returns True when it refuses; a `let` sets its name; `given by` and `reaching` return their values."""
    m.text.span = s.span
    with m.text.function(name, "F"):
        if s.when is not None and not isinstance(s, ir.Let):
            m.put(f"if not {m.emit(s.when)}: return None")
        if isinstance(s, ir.Let):
            m.put(f"F.n_{py(s.name)} = {m.value(s)}")
        elif isinstance(s, ir.GivenBy):
            m.put(f"return {m.emit(s.who)}")
        elif isinstance(s, ir.Reaching):
            m.put(f"return {m.emit(s.mover)}")
        elif isinstance(s, ir.LegalFrom):
            assert s.held is not None and s.new is not None, s  # noqa: PT018 (both are there once it is bound)
            m.put(
                f"if {m.emit(s.held)} in {m.word(tuple(s.before))} and {m.emit(s.new)} in {m.word(tuple(s.after))}: return True"
            )
            m.put("return False")
        else:
            assert isinstance(s, ir.Refused | ir.LegalWhen | ir.Permits), s
            m.put(f"return {m.emit(s.test)}")


# ---- setups and triggers
def _setup(m: RoutineEmitter, routine: Routine) -> None:
    """A function that returns the numbers of the lines of a setup that apply."""
    m.text.span = routine.span
    args = [f"l_{py(p.name)}" for p in routine.params]
    with m.text.function(f"s_{py(routine.name)}", ", ".join(args)):
        if m.traced:
            m.put(f"T.enter({m.word(routine.name)}, ({''.join(a + ', ' for a in args)}))")
        m.put("out = []")
        for s in routine.body:
            m.text.span = s.span
            if isinstance(s, ir.Let):
                emit_let(m, s)
                continue
            assert isinstance(s, ir.Refused | ir.Warned), s
            m.put(f"if {m.emit(s.test)}:")
            if m.traced:
                m.put(f"    T.step({m.site(s, routine)}, True)")
            m.put(f"    out.append({m.site(s, routine)})")
        leave(m, "out")


def _trigger(m: RoutineEmitter, trigger: Trigger) -> None:
    """Writes the condition of a rule for an event (on its frame), or for repeated checks (on the things alone)."""
    m.text.span = trigger.span
    stem = py(trigger.rule)
    names = ", ".join(f"l_{py(p.name)}" for p in trigger.params)
    parts = (
        ("n", "F", trigger.amount), ("t", "F", trigger.when), ("s", names, trigger.test), ("o", names, trigger.order)
    )  # fmt: skip
    for letter, args, e in parts:
        if e is not None:
            with m.text.function(f"{letter}_rule_{stem}", args):
                m.put(f"return {m.emit(e)}")


def _functions(lines: list[str]) -> Iterator[FunctionText]:
    """The functions that stand in these lines one after the other. The scope around them is the first line of the text."""
    heads = [number for number, line in enumerate(lines) if line.startswith(HEAD)]
    for number, end in itertools.pairwise([*heads, len(lines)]):
        name = lines[number].removeprefix(HEAD).partition("(")[0]
        yield FunctionText(name, number + 2, "\n".join(lines[number:end]) + "\n")


HEAD = "    def "
"""How the first line of a function begins."""
