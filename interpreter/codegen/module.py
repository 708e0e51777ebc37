"""Emitting a ruleset: all its routines as the source of one Python module."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

from dsl import ir
from dsl.ir import E, Routine, S, lines_in
from dsl.text.source import Span
from interpreter.codegen.blocks import TooHard
from interpreter.codegen.emit_paths import emit_path
from interpreter.codegen.emit_statements import emit_body, emit_hooks
from interpreter.codegen.emitted_code import Words, compiled_once, worked_out
from interpreter.codegen.emitted_source import FunctionText, Source
from interpreter.codegen.loops import LoopEmitter
from interpreter.codegen.python_names import py
from interpreter.codegen.routine_emitter import RoutineEmitter
from interpreter.codegen.units import Text, Units


class Part(NamedTuple):
    """A part of the emitted text, and what writes it. name: of the one function that others call; "" if there are several."""

    name: str
    write: Callable[[], None]


class Emitter(RoutineEmitter):
    """Emits all routines of a bound ruleset. traced: with an audit trail in every value, so that values can be given."""

    # ---- everything
    def _parts(self) -> Iterator[Part]:
        """Everything there is to write."""
        routines = self.rules.routines
        for routine in routines.values():
            if routine.word in {"value", "status"}:
                yield Part(f"v_{py(routine.name)}", partial(self.value, routine))
        for routine in routines.values():
            if routine.word == "path":
                yield Part("", partial(emit_path, self, routine))
        for routine in routines.values():
            if routine.word in {"procedure", "sequence", "rule"}:
                name = f"p_{routine.word}_{py(routine.name)}"
                yield Part(name, partial(self.procedure, routine, name))
            elif routine.word == "order":
                yield from self._order(routine)
            elif routine.word == "setup":
                yield Part("", partial(self.setup, routine))
        for trigger in self.rules.triggers:
            yield Part("", partial(self.trigger, trigger))
        for lasting in self.rules.lasting:
            yield self._returning(
                f"u_{lasting.number}", ", ".join(["l_it", *(f"l_{n}" for n, _ in lasting.taken)]), lasting.test
            )
        for name, endings in self.rules.endings.items():
            for number, ending in enumerate(endings):
                found = f"z_{py(name)}_{number}"
                yield Part(found, partial(self._ending, found, *ending))
        for name, hints in self.rules.hints.items():
            for number, (_, _, when, span) in enumerate(hints):
                yield self._returning(f"h_{py(name)}_{number}", "", when, span)

    def units(self) -> Units:
        """Every routine as a unit of its own, which is written when it is first called."""
        return Units((part.name, partial(self._text_of, part)) for part in self._parts())

    def texts(self) -> Iterator[Text]:
        """The text of every routine."""
        return map(self._text_of, self._parts())

    def _text_of(self, part: Part) -> Text:
        """One part as a separate text, with its words and rule lines."""
        self.out, self.lines, self.words, self._number, self.span, self.depth = [], {}, Words(), 0, None, 1
        part.write()
        return self.unit()

    def _returning(self, name: str, args: str, e: E | None, span: Span | None = None) -> Part:
        """A function that returns the value of an expression; True if there is none."""

        def write() -> None:
            self.span = span or (e.span if e is not None else None)
            self.define(name, args)
            self.put(f"return {self.emit(e) if e is not None else 'True'}")
            self.depth -= 1

        return Part(name, write)

    def _ending(self, name: str, winner: E | None, when: E | None, because: str, span: Span) -> None:
        """Writes a line of a scenario that ends the game."""
        self.span = span
        self.define(name, "")
        self.put(f"if {self.emit(when) if when is not None else 'True'}:")
        self.put(f"    W.end_game({self.emit(winner) if winner is not None else 'None'}, {self.word(because)})")
        self.depth -= 1

    def unit(self) -> Text:
        """The functions written so far as a separate text."""
        return Text("if True:\n" + "\n".join(self.out or ["    pass"]) + "\n", self.words.all, self.lines)

    def body(self, head: str) -> Text:
        """The lines written so far as the body of one function with this head."""
        return Text(head + "\n" + "\n".join(self.out) + "\n", self.words.all, self.lines)

    def value_of(self, e: E, file: str, space: dict[str, Any]) -> Any:
        """The value of an expression in a namespace."""
        text = self.emit(e)
        return worked_out(compiled_once(text, self.words.all, file, "eval"), space)

    def module(self) -> Source:
        """The complete module, for play."""
        self.loops = True
        for part in self._parts():
            part.write()
        self.span = None
        self.flush()
        options = {name: asked for asked, name in self.options.items()}
        functions = tuple(_functions(self.out))
        return Source(functions, self.lines, self.sites, self.words.all, options, self.nests, self.numbers)

    # ---- values and statuses
    def value(self, routine: Routine) -> None:
        """Writes a value or status as a function of its arguments."""
        self.span = routine.span
        args = [f"l_{py(p.name)}" for p in routine.params]
        if routine.within:
            args.insert(0, "F")
        name = f"v_{py(routine.name)}"
        whole = None
        if self.memory.is_remembered(routine):
            whole = self._whole(routine) if self.loops else None
            self.define(name, ", ".join(args))
            kept = f"_r = {self._remembered(name, args, routine.within)} = "
            name += "_plainly"
            if whole is None:
                self.put(f"{kept}{name}({', '.join(args)})")
            else:
                *lines, (answer, _) = whole
                self.put("try:")
                for text, self.span in lines:
                    self.put("    " + text)
                self.span = routine.span
                self.put(f"    {kept}{answer.removeprefix('return ')}")
                self.put("except TROUBLE:")
                self.put(f"    {kept}{name}({', '.join(args)})")
            self.put("return _r")
            self.depth -= 1
        self.define(name, ", ".join(args))
        loops, self.loops = self.loops, self.loops and whole is None
        passed = "(" + "".join(a + ", " for a in args if a != "F") + ")"
        if self.traced:
            self.put(f"if PIN and (_p := PIN.get({self.word(routine.name)})) is not None:")
            if not any(param.many for param in routine.params):
                self.put(f"    if {passed} in _p: return _p[{passed}]")
            self.put("    if None in _p: return _p[None]")
            self.put(f"T.enter({self.word(routine.name)}, {passed})")
        if routine.word == "status":
            self._status(routine)
        else:
            self._pipeline(routine)
        self.loops = loops
        self.depth -= 1

    def _whole(self, routine: Routine) -> list[tuple[str, Span | None]] | None:
        """The lines of a value with everything that it uses computed in place, or None if that is too hard."""
        span = self.span
        try:
            return LoopEmitter(self, ()).whole(routine)
        except TooHard:
            return None
        finally:
            self.span = span

    def _remembered(self, name: str, args: list[str], within: str | None) -> str:
        """Writes the lookup of the value computed before, valid as long as nothing changes; returns where to keep the new one."""
        count = "W.version" if within in self.memory.phased else "W.steady"
        self.put(f"if F.stamp != {count}:")
        self.put("    F.memo.clear()")
        self.put(f"    F.stamp = {count}")
        if not args[1:]:
            self.put(f"elif {self.word(name)} in F.memo: return F.memo[{self.word(name)}]")
            return f"F.memo[{self.word(name)}]"
        key = args[1] if len(args) == 2 else f"({', '.join(args[1:])})"
        self.put(f"_m = F.memo.get({self.word(name)})")
        self.put(f"if _m is None: _m = F.memo[{self.word(name)}] = {{}}")
        self.put(f"elif {key} in _m: return _m[{key}]")
        return f"_m[{key}]"

    # ---- orders
    def _order(self, routine: Routine) -> Iterator[Part]:
        """An order's clauses, each as a function, and its effect."""
        for number, s in enumerate(routine.clauses):
            name = f"c_{py(routine.name)}_{number}"
            yield Part(name, partial(self._clause_function, name, s))
        name = f"e_{py(routine.name)}"
        yield Part(name, partial(self.procedure, routine, name))

    def _clause_function(self, name: str, s: S) -> None:
        """Writes a clause as a function."""
        self.span = s.span
        self.define(name, "F")
        self._clause(s)
        self.depth -= 1

    def _clause(self, s: S) -> None:
        """A clause returns True when it refuses; a `let` sets its name; `given by` and `reaching` return their values."""
        if s.when is not None and not isinstance(s, ir.Let):
            self.put(f"if not {self.emit(s.when)}: return None")
        if isinstance(s, ir.Let):
            value = self.emit(s.value)
            if s.when is not None:
                empty = "[]" if s.value.type.name == "set" else "None"
                value = f"({value}) if {self.emit(s.when)} else {empty}"
            self.put(f"F.n_{py(s.name)} = {value}")
        elif isinstance(s, ir.GivenBy):
            self.put(f"return {self.emit(s.who)}")
        elif isinstance(s, ir.Reaching):
            self.put(f"return {self.emit(s.mover)}")
        elif isinstance(s, ir.LegalFrom):
            assert s.held is not None and s.new is not None, s  # noqa: PT018 (both are there once it is bound)
            self.put(
                f"if {self.emit(s.held)} in {self.word(tuple(s.before))} and {self.emit(s.new)} in {self.word(tuple(s.after))}: return True"
            )
            self.put("return False")
        else:
            assert isinstance(s, ir.Refused | ir.LegalWhen | ir.Permits), s
            self.put(f"return {self.emit(s.test)}")

    # ---- procedures
    def procedure(self, routine: Routine, name: str) -> None:
        """Writes a procedure, sequence, rule or effect as a generator."""
        self.span = routine.span
        if any(isinstance(s, ir.Story) for s in lines_in(routine.body)):
            self.define(name, "F")
            name += "_in_story"
            self.put(f"yield from W.stories.within(F, {name}(F))")
            self.depth -= 1
        if routine.word != "sequence" and any(isinstance(s, ir.Phase) for s in lines_in(routine.body)):
            self.define(name, "F")
            name += "_in_steps"
            self.put(f"return W.in_steps({name}(F))")
            self.depth -= 1
        self.define(name, "F")
        self.put(f"W.enter({self.word(routine.word + ' ' + routine.name)}, F)")
        self.put("if False: yield")
        sequence = f"sequence {routine.name}" if routine.word == "sequence" else ""
        emit_hooks(self, f"before {sequence}")
        emit_body(self, routine.body, routine)
        emit_hooks(self, f"after {sequence}")
        self.depth -= 1


def _functions(lines: list[str]) -> Iterator[FunctionText]:
    """The functions that stand in these lines one after the other. The scope around them is the first line of the text."""
    heads = [number for number, line in enumerate(lines) if line.startswith(HEAD)]
    for number, end in itertools.pairwise([*heads, len(lines)]):
        name = lines[number].removeprefix(HEAD).partition("(")[0]
        yield FunctionText(name, number + 2, "\n".join(lines[number:end]) + "\n")


HEAD = "    def "
"""How the first line of a function begins."""

__all__ = ["Emitter"]
