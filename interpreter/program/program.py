"""A program: one ruleset under one choice of modules, emitted and compiled, ready to run in any number of worlds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

import attrs

from dsl import ir
from dsl.binding.bound import BoundRuleset
from dsl.ir import S
from dsl.rules.ruleset import Ruleset
from dsl.syntax import declarations as d
from dsl.text.collecting import uncollected
from dsl.text.keeping import keep, kept, name_of, stamp_of
from dsl.text.source import SourceFile, Span
from interpreter.codegen import kept_source
from interpreter.codegen.emit_values import emit_value
from interpreter.codegen.emitted_source import Source
from interpreter.codegen.module import Emitter
from interpreter.codegen.played_code import PLAYED, PlayedCode
from interpreter.codegen.python_names import py
from interpreter.codegen.routine_emitter import RoutineEmitter
from interpreter.codegen.units import CodeUnit, Units, one_unit
from interpreter.program.program_data import OrderProgram, WayProgram
from interpreter.program.secrecy import Secrecy
from interpreter.runtime.audit_trail import Trail
from interpreter.runtime.frames import Frame
from interpreter.runtime.table_rows import nested_table
from interpreter.runtime.things import Thing, Value


class Ruled(Protocol):
    """A world that is run by emitted functions."""

    @property
    def functions(self) -> Mapping[str, Value]:
        """The emitted functions, bound to it."""


@attrs.define(slots=True, eq=False)
class Program:
    """What the machine runs. `functions(world, …)` returns the emitted functions bound to a world."""

    rules: BoundRuleset
    ruleset: Ruleset
    orders: dict[str, OrderProgram]
    ways: dict[str, WayProgram]
    frames: dict[str, type[Frame]]
    constants: dict[str, Value]
    files: dict[str, SourceFile] = attrs.field(factory=dict)
    classes: dict[str, type[Thing]] = attrs.field(factory=dict)
    key: str = ""
    """Identifies everything that the rules depend on: the code emitted for play is kept under it; empty: nothing is kept."""
    _played: PlayedCode | None = None
    _traced: Units | None = None
    _told_values: dict[str, CodeUnit] = attrs.field(factory=dict, init=False)
    _secrecy: Secrecy | None = None
    accepted: tuple[tuple[d.Scenario, str | None, dict[str, str]], tuple[str, ...]] | None = attrs.field(
        default=None, init=False
    )
    """The game last begun with it, by its scenario, its seed and its options, and the warnings of its setups."""

    def text_of(self, span: Span) -> str:
        """A rule line as written, without its citation and remark."""
        file = self.files.get(span.file)
        if file is None:
            return ""
        last = span.end_line - 1 if span.end_line > span.line else span.line
        text = " ".join(file.line(n).split(" -- ")[0].strip() for n in range(span.line, last + 1)).strip()
        return text.rpartition("[")[0].strip() if text.endswith("]") else text

    def said_at(self, span: Span) -> str:
        """The same of one case or step of several that stand after `=` on one line: of it alone."""
        file = self.files.get(span.file)
        if file is None:
            return ""
        before = file.line(span.line)[: span.column - 1].strip() or file.line(span.line - 1).split(" -- ")[0].rstrip()
        if not before.endswith(("=", ",")):
            return self.text_of(span)
        rows = [file.line(n) for n in range(span.line, span.end_line + 1)]
        rows[-1] = rows[-1][: span.end_column - 1]
        rows[0] = rows[0][span.column - 1 :]
        return " ".join(row.split(" -- ")[0].strip() for row in rows)

    def functions(
        self, world: Ruled, options: Mapping[str, str], pins: dict[str, Value] | None = None, trace: Trail | None = None
    ) -> dict[str, Value]:
        """The emitted functions for one world. trace: the audit trail; pins: given values, only with a trail."""
        if trace is None:
            return self.played.functions(world, options)
        return self.traced_functions(world, options, pins, trace)

    def traced_functions(
        self, world: Ruled, options: Mapping[str, str], pins: dict[str, Value] | None, trace: Trail | None
    ) -> Traced:
        """The emitted functions for one world with their audit trail."""
        space = {**self.constants, "W": world, "O": options, "PIN": pins, "T": trace}
        return Traced(self.traced.functions(space), space)

    @property
    def secrecy(self) -> Secrecy:
        """What the rules may have to keep from sides."""
        if self._secrecy is None:
            self._secrecy = Secrecy(self.rules)
        return self._secrecy

    @property
    def source(self) -> Source:
        """The emitted text for play."""
        return self.played.source

    @property
    def played(self) -> PlayedCode:
        """The rules as functions for play."""
        if self._played is None:
            with uncollected():
                self._played = self._kept() or self._emitted()
        return self._played

    def _emitted(self) -> PlayedCode:
        """The newly emitted text, which is kept once all of it is compiled."""
        code = PlayedCode(Emitter(self.rules).module(), self.space_of).compile_all()
        if self.key:
            keep(self._name(), kept_source.written(code.source), MOST_KEPT)
        return code

    def _kept(self) -> PlayedCode | None:
        """The text emitted before for the same rules by the same program."""
        text = kept(self._name()) if self.key else None
        if text is None:
            return None
        try:
            return PlayedCode(kept_source.read(text), self.space_of, again=lambda: self._emitted().source)
        except kept_source.UnreadableSource:
            return None

    def _name(self) -> str:
        return name_of("emitted", (stamp_of("dsl", "interpreter"), self.key))

    def space_of(self, source: Source) -> dict[str, Value]:
        """The globals of emitted text for play."""
        nests = {
            name: nested_table(self.rules.tables[nest.table], nest.column, nest.order, nest.of)
            for name, nest in source.nests.items()
        }
        return {**self.constants, **source.numbers, **nests}

    @property
    def traced(self) -> Units:
        """The rules with their audit trail."""
        if self._traced is None:
            self._traced = Emitter(self.rules, traced=True).units()
        return self._traced

    def told_value(self, name: str) -> CodeUnit:
        """One value with its audit trail, for stories: the values that it uses are those of play."""
        found = self._told_values.get(name)
        if found is None:
            m = RoutineEmitter(self.rules, traced=True)
            emit_value(m, self.rules.routines[name])
            found = self._told_values[name] = one_unit(m.text.unit())
        return found

    def with_tables(self, tables: Mapping[str, Callable[..., Value]]) -> Program:
        """The same with other functions for some tables, for examples: code emitted for play has them built in."""
        constants = {**self.constants, **{f"T_{py(name)}": look for name, look in tables.items()}}
        return attrs.evolve(self, constants=constants, traced=self.traced)

    def rule_line(self, file: str, line: int) -> Span | None:
        """The rule line that a line of emitted code came from, by its file name and number in a traceback."""
        if file == PLAYED:
            return self.source.lines.get(line)
        unit = self.traced.files.get(file) if file.startswith("<rules ") else None
        return unit.lines.get(line) if unit is not None else None

    def phases(self, *, everywhere: bool = False) -> dict[str, str]:
        """The phases of all sequences with their titles, in the order of the text.

        everywhere: after them the phases and steps of other rules, as of a procedure that sets up forces.
        """

        def found(body: tuple[S, ...]) -> Iterable[tuple[str, str]]:
            for s in body:
                if isinstance(s, ir.Phase):
                    yield s.name, s.title or ""
                yield from found(s.body)

        routines = sorted(self.rules.routines.values(), key=lambda x: x.word != "sequence")
        titles: dict[str, str] = {}
        for routine in routines:
            for name, title in found(routine.body) if everywhere or routine.word == "sequence" else ():
                titles.setdefault(name, title)
        return titles

    def endings(self, world: Ruled, scenario: d.Scenario) -> list[Callable[[], None]]:
        """The scenario's `end game` lines as functions, in the order of the text."""
        return [world.functions[f"z_{py(scenario.name)}_{i}"] for i in range(len(scenario.endings))]

    def hints(self, world: Ruled, scenario: d.Scenario, side: str) -> list[tuple[str, Callable[[], bool]]]:
        """The scenario's lessons for a side: each text, and whether it applies now."""
        found = enumerate(self.rules.hints[scenario.name])
        return [(text, world.functions[f"h_{py(scenario.name)}_{i}"]) for i, (who, text, _, _) in found if who == side]


class Traced(dict[str, Value]):
    """The emitted functions with an audit trail, by name. space: their globals, where `T` and `PIN` can be exchanged."""

    def __init__(self, functions: dict[str, Value], space: dict[str, Value]) -> None:
        super().__init__(functions)
        self.space = space
        self["T"] = space["T"]


MOST_KEPT = 200
"""The number of programs whose emitted code is kept."""
