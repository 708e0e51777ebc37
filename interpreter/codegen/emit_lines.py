"""Emitting declarations line by line: Python with a map back to rule lines, and the lines of values, statuses and setups."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from dsl import ir
from dsl.data.table_data import TableInfo
from dsl.ir import E, Routine, S, Trigger, added_lines, cited, is_disputed
from dsl.rules.ruleset import Ruleset
from dsl.text.source import Span
from interpreter.codegen.emitted_code import UnknownCode
from interpreter.codegen.expressions import SUMS, ExpressionEmitter, is_whole
from interpreter.codegen.python_names import py
from interpreter.codegen.units import SITES, RuleSite


class LineEmitter(ExpressionEmitter):
    """Writes functions. traced: with an audit trail in every value, so that values can be given."""

    def __init__(self, ruleset: Ruleset, tables: Mapping[str, TableInfo], *, traced: bool) -> None:
        super().__init__(ruleset, tables)
        self.traced = traced
        self.out: list[str] = []
        self.lines: dict[int, Span] = {}
        self.sites: list[RuleSite] = []
        self.depth = 1
        self.span: Span | None = None
        self._number = 0

    # ---- writing
    def flush(self) -> None:
        """Writes what was postponed until no function is open."""

    def put(self, text: str) -> None:
        """Writes a line, which came from the rule line at `span`."""
        self.out.append("    " * self.depth + text)
        if self.span is not None:
            self.lines[len(self.out) + 1] = self.span

    def fresh(self, stem: str) -> str:
        """A unique name."""
        self._number += 1
        return f"_{stem}{self._number}"

    def site(self, s: S, routine: Routine) -> int:
        """The number that stands for a rule line."""
        reason, title = (s.reason, s.title) if isinstance(s, ir.Choose | ir.EachChooses) else (None, "")
        site = RuleSite(s.span, cited(s, routine), s.because or reason or "", s.module, type(s), title)
        if self.traced:
            return SITES.number(site)
        self.sites.append(site)
        return len(self.sites) - 1

    def define(self, name: str, args: str) -> None:
        """Begins a function that the module exports."""
        if self.depth == 1:
            self.flush()
        self.put(f"def {name}({args}):")
        self.depth += 1

    # ---- values and statuses
    def _leave(self, text: str) -> None:
        self.put(f"return T.leave({text})" if self.traced else f"return {text}")

    def _step(self, s: S, routine: Routine, value: str) -> None:
        if self.traced:
            self.put(f"T.step({self.site(s, routine)}, {value})")

    def _skip(self, s: S, routine: Routine) -> None:
        if self.traced:
            self.put("else:")
            self.put(f"    T.skip({self.site(s, routine)})")

    def _status(self, routine: Routine) -> None:
        for s in self.flat(routine.body):
            self.span = s.span
            if isinstance(s, ir.Let):
                self.let(s)
                continue
            result = "True" if (value := ir.value_of(s)) is None else self.emit(value)
            if s.when is None:
                self._step(s, routine, result)
                self._leave(result)
                return
            self.put(f"if {self.emit(s.when)}:")
            self.depth += 1
            self._step(s, routine, result)
            self._leave(result)
            self.depth -= 1
            if self.traced:
                self.put(f"T.skip({self.site(s, routine)})")
        self._leave("False")

    @staticmethod
    def flat(body: tuple[S, ...]) -> list[S]:
        """The lines of a body, with those of its exceptions at their places."""
        return [x for s in body for x in (s.body if isinstance(s, ir.Except) else (s,))]

    def let(self, s: ir.Let) -> None:
        """Writes a line that sets a name to the value of its expression."""
        name = f"l_{py(s.name)}"
        value = self.emit(s.value)
        if s.when is not None:
            empty = "[]" if s.value.type.name == "set" else "None"
            value = f"({value}) if {self.emit(s.when)} else {empty}"
        self.put(f"{name} = {value}")

    def _pipeline(self, routine: Routine) -> None:
        """Lines in order on `acc`. Cases nest in `else` blocks until the first step after them."""
        base = self.depth
        started = False
        open_cases = False

        def close() -> None:
            nonlocal open_cases
            if open_cases:
                self.put("pass" if started else "acc = None")
                self.depth = base
                open_cases = False

        for s in routine.body:
            self.span = s.span
            if isinstance(s, ir.Except):
                self._except_lines(s, routine)
                continue
            if isinstance(s, ir.Let):
                self.let(s)
                continue
            if isinstance(s, ir.Start | ir.Case) and not (started and not open_cases):
                value = self.emit(s.value)
                if s.when is None:
                    self.put(f"acc = {value}")
                    self._step(s, routine, "acc")
                    started = True
                    self.depth = base
                    open_cases = False
                    continue
                self.put(f"if {self.emit(s.when)}:")
                self.put(f"    acc = {value}")
                self.depth += 1
                self._step(s, routine, "acc")
                self.depth -= 1
                self.put("else:")
                self.depth += 1
                if self.traced:
                    self.put(f"T.skip({self.site(s, routine)})")
                open_cases = True
                continue
            if open_cases:
                empty = (
                    "[]"
                    if routine.type.name == "set"
                    else "0"
                    if routine.type.name == "number" and not routine.type.optional
                    else "None"
                )
                self.put(f"acc = {empty}")
                self.depth = base
                open_cases, started = False, True
            if not started:
                self.put("acc = []" if routine.type.name == "set" else "acc = 0")
                started = True
            self._one_step(s, routine)
        if open_cases:
            empty = "[]" if routine.type.name == "set" else "None"
            self.put(f"acc = {empty}")
            self.depth = base
        self.span = routine.span
        self._leave("acc")

    def _except_lines(self, block: ir.Except, routine: Routine) -> None:
        for s in block.body:
            self.span = s.span
            if isinstance(s, ir.Let):
                self.let(s)
                continue
            cond = self.emit(s.when) if s.when is not None else "True"
            self.put(f"if {cond}:")
            self.depth += 1
            value = ir.value_of(s)
            self.put(f"acc = {self.emit(value)}" if value is not None else "acc = True")
            self._step(s, routine, "acc")
            self._disputed(block, routine)
            for more in added_lines(routine.body):
                self.span = more.span
                if isinstance(more, ir.Let):
                    self.let(more)
                else:
                    self._one_step(more, routine)
            self._leave("acc")
            self.depth -= 1
            if self.traced:
                self.put(f"T.skip({self.site(s, routine)})")

    def _disputed(self, block: ir.Except, routine: Routine) -> None:
        """If an exception has set a value, any other exception that applies must give the same."""
        if not is_disputed(routine):
            return
        blocks = [s for s in routine.body if isinstance(s, ir.Except)]
        for other in blocks[blocks.index(block) + 1 :]:
            depth = self.depth
            for s in other.body:
                self.span = s.span
                if isinstance(s, ir.Let):
                    self.let(s)
                    continue
                self.put(f"if {self.emit(s.when) if s.when is not None else 'True'}:")
                value = ir.value_of(s)
                same = self.emit(value) if value is not None else "True"
                self.put(f"    agreed(acc, {same}, {self.word(block.rule)}, {self.word(other.rule)})")
                self.put("else:")
                self.depth += 1
            self.put("pass")
            self.depth = depth

    def _one_step(self, s: S, routine: Routine) -> None:
        text = self.step_text(s, "acc", self.emit)
        if s.when is None:
            self.put(text)
            self._step(s, routine, "acc")
            return
        self.put(f"if {self.emit(s.when)}:")
        self.depth += 1
        self.put(text)
        self._step(s, routine, "acc")
        self.depth -= 1
        self._skip(s, routine)

    def step_text(self, s: S, acc: str, emit: Callable[[E], str]) -> str:
        """One step of a value, applied to `acc`."""

        def plain_sum(sign: str, value: E) -> str:
            return f"{acc} {sign}= {emit(value)}" if is_whole(value) else f"{acc} = {SUMS[sign]}({acc}, {emit(value)})"

        if isinstance(s, ir.Start | ir.Case):
            return f"{acc} = {emit(s.value)}"
        if isinstance(s, ir.Add):
            if s.value.type.name == "set":
                return f"{acc} = union({acc}, {emit(s.value)})"
            return plain_sum("+", s.value)
        if not isinstance(s, ir.Adjust):
            raise UnknownCode(f"the line {type(s).__name__}")
        how = s.how
        if how == "rounded":
            extra = f", {self.word(s.halves)}" if s.way == "nearest" else ""
            return f"{acc} = round_{s.way}({acc}{extra})"
        value = s.value
        assert value is not None, s
        if how == "times" and isinstance(value, ir.Constant):
            f = value.value
            if isinstance(f, Fraction):
                return f"{acc} = scaled({acc}, {f.numerator}, {f.denominator})"
            return f"{acc} *= {self.word(f)}"
        scale = s.scale
        if how in {"plus", "minus"} and not scale:
            return plain_sum("+" if how == "plus" else "-", value)
        text = emit(value)
        if scale and how in {"at-least", "at-most"}:
            sign = "max" if how == "at-least" else "min"
            return f"{acc} = {sign}({acc}, {text}, key=RANK[{self.word(scale)}].get)"
        if scale:
            return f"{acc} = moved(WORDS[{self.word(scale)}], RANK[{self.word(scale)}], {acc}, {text})"
        return {
            "times": f"{acc} = times({acc}, {text})",
            "divided": f"{acc} = divide({acc}, {text})",
            "at-least": f"{acc} = max({acc}, {text})",
            "at-most": f"{acc} = min({acc}, {text})",
            "instead": f"{acc} = {text}",
            "put-in": f"{acc} = union({acc}, {text})",
            "take-out": f"{acc} = leave_out({acc}, {text})",
        }[how]

    # ---- setups and triggers
    def setup(self, routine: Routine) -> None:
        """A function that returns the numbers of the lines of a setup that apply."""
        self.span = routine.span
        args = [f"l_{py(p.name)}" for p in routine.params]
        self.define(f"s_{py(routine.name)}", ", ".join(args))
        if self.traced:
            self.put(f"T.enter({self.word(routine.name)}, ({''.join(a + ', ' for a in args)}))")
        self.put("out = []")
        for s in routine.body:
            self.span = s.span
            if isinstance(s, ir.Let):
                self.let(s)
                continue
            assert isinstance(s, ir.Refused | ir.Warned), s
            self.put(f"if {self.emit(s.test)}:")
            if self.traced:
                self.put(f"    T.step({self.site(s, routine)}, True)")
            self.put(f"    out.append({self.site(s, routine)})")
        self._leave("out")
        self.depth -= 1

    def trigger(self, trigger: Trigger) -> None:
        """Writes the condition of a rule for an event (on its frame), or for repeated checks (on the things alone)."""
        self.span = trigger.span
        stem = py(trigger.rule)
        names = ", ".join(f"l_{py(p.name)}" for p in trigger.params)
        parts = (
            ("n", "F", trigger.amount), ("t", "F", trigger.when), ("s", names, trigger.test), ("o", names, trigger.order)
        )  # fmt: skip
        for letter, args, e in parts:
            if e is not None:
                self.define(f"{letter}_rule_{stem}", args)
                self.put(f"return {self.emit(e)}")
                self.depth -= 1
