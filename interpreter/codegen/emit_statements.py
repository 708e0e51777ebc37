"""Emitting statements: conditions, loops, phases, procedures and messages, as the body of a Python generator."""

# ruff: noqa: D102 (visitors: each method is for the class of its argument)

from __future__ import annotations

from collections.abc import Callable, Iterable

from dsl import ir
from dsl.ir import E, Lasting, Routine, S, cited, lines_in
from interpreter.codegen.asking_statements import AskingEmitter
from interpreter.codegen.python_names import py
from interpreter.codegen.reads import ACTIVE, ALL, PAST
from interpreter.codegen.routine_emitter import RoutineEmitter
from interpreter.codegen.side_by_side import asks, chains, gathers
from interpreter.codegen.units import Text
from interpreter.codegen.waiting_rules import changed_by


def emit_procedure(m: RoutineEmitter, routine: Routine, name: str) -> None:
    """Writes a procedure, sequence, rule or effect as a generator."""
    m.text.span = routine.span
    kinds = {type(s) for s in lines_in(routine.body)}
    if ir.Story in kinds:
        with m.text.function(name, "F"):
            name += "_in_story"
            m.put(f"yield from W.stories.within(F, {name}(F))")
    if routine.word != "sequence" and ir.Phase in kinds:
        with m.text.function(name, "F"):
            name += "_in_steps"
            m.put(f"return W.in_steps({name}(F))")
    with m.text.function(name, "F"):
        m.put(f"W.enter({m.word(routine.word + ' ' + routine.name)}, F)")
        m.put("if False: yield")
        sequence = f"sequence {routine.name}" if routine.word == "sequence" else ""
        emit_hooks(m, f"before {sequence}")
        StatementEmitter(m, routine).body(routine.body)
        emit_hooks(m, f"after {sequence}")


def act_of(m: RoutineEmitter, statements: Iterable[S], routine: Routine) -> Text:
    """Statements that are in no procedure, as a generator `act`. routine: what they are read in."""
    m.put("if False: yield")
    for s in statements:
        StatementEmitter(m, routine).statement(s)
    return m.text.body("def act(F):")


def _things(over: E) -> bool:
    return bool(over.type.of and over.type.of.name == "thing" and over.type.of.word != "side")


def _spoken_of(test: E) -> E | None:
    """The things for which a condition is true, if it tests whether there are any."""

    def are_things(e: E) -> bool:
        return e.type.of is not None and e.type.of.name == "thing"

    match test:
        case ir.IsThere(value=things) if are_things(things):
            return things
        case ir.Quantified(base=things, variable=variable, quantifier="any", condition=asked) if are_things(things):
            return ir.Filter(things, variable, asked, type=things.type, span=test.span)
        case ir.And(items=items):
            return next((found for x in items if (found := _spoken_of(x)) is not None), None)
    return None


def emit_hooks(m: RoutineEmitter, key: str, up: str = "None") -> None:
    """Runs the rules that come before or after something."""
    for hook in m.rules.hooks.get(key, ()):
        name = f"p_rule_{py(hook.name)}"
        m.put(f"yield from {name}(W.frame({m.word('rule ' + hook.name)}, F.acting, {up}))")


def _nothing_named(s: ir.Let | ir.Choose | ir.Draw) -> str:
    """The value of a name whose line is not executed."""
    if isinstance(s, ir.Choose) and s.kind == "split":
        return "Shares()"
    several = s.many if isinstance(s, ir.Choose) else isinstance(s, ir.Let) and s.value.type.name == "set"
    return "[]" if several else "None"


class StatementEmitter(AskingEmitter):
    """Writes statements of one routine as Python."""

    def body(self, body: ir.Body) -> None:
        """All statements of a body in order; `pass` when there is none."""
        if not body:
            self.m.put("pass")
        for s in body:
            self.m.text.span = s.span
            self.statement(s)

    def statement(self, s: S) -> None:
        """One statement, under its condition."""
        if s.when is None:
            self._done_and_heeded(s)
            return
        if isinstance(s, ir.Let | ir.Choose | ir.Draw):
            self.m.put(f"F.n_{py(s.name)} = {_nothing_named(s)}")
        self.m.put(f"if {self.m.emit(s.when)}:")
        with self.m.text.deeper():
            self._done_and_heeded(s)

    def _done_and_heeded(self, s: S) -> None:
        self.visit(s)
        if s.DOES.changes and not isinstance(s, ir.Move):  # movement is watched by waiting rules on the way
            self._heed(*({ALL} if isinstance(s.until, Lasting) else self._changes(s)))

    def _ended(self, s: ir.Do, frame: str, deeper: int = 0) -> None:
        """Lines for the end of a procedure: temporary values expire, and the action is remembered."""
        room = "    " * deeper
        self.m.put(f"{room}W.durations.expire({self.m.word('end ' + s.name)})")
        if s.name in self.m.rules.past:
            self.m.put(f"{room}W.remember({self.m.word(s.key)}, {frame})")

    def _changes(self, *body: S) -> set[str]:
        """The names under which effects count their changes."""
        return {name for s in lines_in(body) for name in changed_by(self.m.rules, s)}

    def _heed(self, *changed: str) -> None:
        """Fires waiting rules, if one waits for what has just changed."""
        if self.watch.heeds(changed):
            self.m.put("yield from W.react(F)")

    def _let_fall(self, room: str = "") -> None:
        """Removes the things removed by simultaneous lines from the game, if rules wait for that."""
        if self.watch.losing:
            self.m.put(f"{room}yield from W.positions.take_fallen(F)")

    def _branches(self, chained: list[tuple[S, ...]]) -> None:
        """Lines that run side by side, each on a copy of the frame, so that all their questions are asked at once."""
        if len(chained) == 1:
            self.body(chained[0])
            return
        frames = self.m.fresh("f")
        self.m.put(f"{frames} = W.copies(F, {len(chained)})")
        runs = [f"{self._branch(body)}({frames}[{number}])" for number, body in enumerate(chained)]
        self._run_at_once(frames, f"[{', '.join(runs)}]")

    def _branch(self, body: tuple[S, ...]) -> str:
        name = self.m.fresh("branch")
        self.m.put(f"def {name}(F):")
        with self.m.text.deeper():
            self.m.put("if False: yield")
            self.body(body)
        return name

    def _each_at_once(self, s: ir.ForEach) -> None:
        """The rounds of a loop inside `simultaneously`, side by side."""
        frames, item, run, runs = self.m.fresh("f"), self.m.fresh("i"), self.m.fresh("r"), self.m.fresh("rs")
        name = self._branch(s.body)
        self.m.put(f"{item} = list({self.m.emit(s.over)})")
        self.m.put(f"{frames} = W.copies(F, len({item}))")
        self.m.put(f"{runs} = []")
        self.m.put(f"for {run}, {item} in zip({frames}, {item}):")
        self.m.put(f"    {run}.n_{py(s.name)} = {item}")
        self.m.put(f"    {runs}.append({name}({run}))")
        self._run_at_once(frames, runs)

    def _run_at_once(self, frames: str, runs: str) -> None:
        """Lines that run something side by side, on copies of the frame, and join these."""
        self.m.put(f"yield from W.host.branches({runs})")
        self.m.put(f"W.rejoin(F, {frames})")
        self.m.put("W.changed()")

    def visit_when(self, s: ir.When) -> None:
        head = {"when": "if", "otherwise when": "elif", "otherwise": "else"}[s.arm]
        self.m.put(f"{head} {self.m.emit(s.test)}:" if s.test is not None else f"{head}:")
        with self.m.text.deeper():
            self.body(s.body)

    def visit_let(self, s: ir.Let) -> None:
        value = self.m.emit(s.value)
        if isinstance(s.value, ir.AllOf):  # a name keeps the current elements, not later ones
            value = f"list({value})"
        if self.m.traced:
            key = f"let {s.name}"
            value = f"PIN[{self.m.word(key)}] if PIN and {self.m.word(key)} in PIN else {value}"
        self.m.put(f"F.n_{py(s.name)} = {value}")
        self.named(s.name)

    def visit_for_each(self, s: ir.ForEach) -> None:
        plain = s.order is None and not s.role and not gathers(self.m.rules, s)
        if self.together and plain and asks(self.m.rules, s.body):
            self._each_at_once(s)
            return
        name = f"F.n_{py(s.name)}"
        over = f"list({self.m.emit(s.over)})"
        if s.order is not None:
            key = self.m.fresh("key")
            self.m.put(f"def {key}(x):")
            self.m.put(f"    {name} = x")
            self.m.put(f"    return {self.m.emit(s.order)}")
            over = f"sorted({over}, key={key})"
        item, listed = self.m.fresh("i"), self.m.fresh("l")
        self.m.put(f"{listed} = {over}")
        self.m.put(f"for {self.m.fresh('n')}, {item} in enumerate({listed}):")
        with self.m.text.deeper():
            self.m.put(f"if not {item}.alive: continue") if _things(s.over) else None
            self.m.put(f"{name} = {item}")
            self.renewed("F", s.name)
            if s.role == "active":
                self.m.put(f"W.set_active({item})")
                self.m.put(f"F.acting = {item}")
                self._heed(ACTIVE)
            of, held = s.over.type.of, (self.rounds, self.subject)
            if of is not None and of.name == "enum":
                self.rounds = (*self.rounds, (of.word, name))
            if self.may_be_subject(of):
                self.subject = name
            self.body(s.body)
            self.rounds, self.subject = held

    def visit_repeat(self, s: ir.Repeat) -> None:
        times = self.m.fresh("t")
        self.m.put(f"{times} = int({self.m.emit(s.times)})")
        self.m.put(f"for {self.m.fresh('n')} in range({times}):")
        with self.m.text.deeper():
            if s.condition is not None:
                self.m.put(f"if not {self.m.emit(s.condition)}: break")
            self.m.put("W.tick()")
            self.body(s.body)

    def visit_simultaneously(self, s: ir.Simultaneously) -> None:
        self.m.put("W.effects.begin_together()")
        self.m.put("try:")
        with self.m.text.deeper():
            self.together += 1
            if asks(self.m.rules, s.body):
                self._branches(chains(self.m.rules, s.body, self.m.memory.names_read))
            else:
                self.body(s.body)
            self.together -= 1
        self.m.put("except Halt as _h:")
        self.m.put("    W.effects.end_together()")
        self._let_fall("    ")
        self.m.put("    raise" if self.together else f"    if _h.name != {self.m.word(self.routine.name)}: raise")
        if not self.together:
            with self.m.text.deeper():
                self._heed(*self._changes(*s.body))
                self.m.put("return")
        self.m.put("W.effects.end_together()")
        self._let_fall()
        self._heed(*self._changes(*s.body))

    def visit_phase(self, s: ir.Phase) -> None:
        name = s.name
        up = "F" if self.routine.word in {"order", "procedure"} else "None"
        title = s.title or name.replace("-", " ").capitalize()
        self.m.put(f"W.enter_phase({self.m.word(name)}, {self.m.word(title)}, {self.m.word(bool(s.step))})")
        self._heed(*self.watch.passing)
        emit_hooks(self.m, f"before phase {name}", up)
        own = "with as_acting(F, W.active):" if up == "F" else "if True:"  # `own` means the side that would end it
        refusals = []
        for refusal in s.refusals:
            self.m.text.span = refusal.span
            function, about = self._returning("refuse", own, refusal.test), _spoken_of(refusal.test)
            who = self._returning("about", own, about, lambda x: f"list({x})") if about is not None else "None"
            refusals.append(f"({function}, {self.m.word(refusal.because)}, {self.m.word(refusal.cites)}, {who})")
        self.m.text.span = s.span
        outer = self.m.fresh("closing")
        self.m.put(f"{outer}, W.closing = W.closing, [{', '.join(refusals)}]")
        self.body(s.body)
        self.m.put(f"W.closing = {outer}")
        emit_hooks(self.m, f"after phase {name}", up)
        self.m.put(f"W.leave_phase({self.m.word(name)})")
        self._heed(*self.watch.passing)

    def _returning(self, stem: str, own: str, e: E, form: Callable[[str], str] = str) -> str:
        """A function that returns the value of an expression in some form; the name of the function."""
        name = self.m.fresh(stem)
        self.m.put(f"def {name}():")
        self.m.put(f"    {own}")
        self.m.put(f"        return {form(self.m.emit(e))}")
        return name

    def visit_may(self, s: ir.May) -> None:
        rounds = "".join(f"({self.m.word(enum)}, {name}), " for enum, name in self.rounds)
        self.m.put(
            f"yield from W.host.window(F, {self.m.emit(s.who)}, {self.m.word(s.orders)}, {self.m.word(s.manner)}, ({rounds}), {self.subject or 'None'})"
        )

    def visit_stop(self, s: ir.Stop) -> None:
        if s.because:
            subject = self.asked_for("order", "procedure", "rule")
            self.m.put(f"W.journal.note({self.m.word(s.because)}, {self.m.word(s.cites)}, {subject})")
        if self.together or (s.name and s.name != self.routine.name):
            self.m.put(f"raise Halt({self.m.word(s.name or self.routine.name)})")
        else:
            self.m.put("return")

    def visit_end_game(self, s: ir.EndGame) -> None:
        winner = self.m.emit(s.winner) if s.winner is not None else "None"
        self.m.put(f"W.end_game({winner}, {self.m.word(s.because or '')})")

    def visit_do(self, s: ir.Do) -> None:
        key = s.key
        frame = self.m.fresh("f")
        up = self.m.expressions.access(s.up or "F")
        self.m.put(f"{frame} = W.frame({self.m.word(key)}, F.acting, {up})")
        for name, value in s.given.items():
            text = self.m.emit(value)
            if value.type.name == "set":
                text = f"list({text})"
            self.m.put(f"{frame}.n_{py(name)} = {text}")
        emit_hooks(self.m, f"before procedure {s.name}", frame)
        self.m.put("try:")
        self.m.put(f"    yield from p_{py(key.replace(' ', '_'))}({frame})")
        self.m.put("except Halt as _h:")
        self.m.put(f"    if _h.name != {self.m.word(s.name)}:")
        self._ended(s, frame, 2)
        self.m.put("        raise")
        emit_hooks(self.m, f"after procedure {s.name}", frame)
        self._ended(s, frame)
        self._heed(PAST, *self.watch.passing)

    def visit_story(self, s: ir.Story) -> None:
        args = "".join(self.m.emit(a) + ", " for a in s.arguments)
        name, cites = self.m.word(self.routine.name), self.m.word(cited(s, self.routine))
        self.m.put(f"W.stories.begin(F, {name}, {self.m.word(s.message)}, ({args}), {cites})")

    def visit_relate(self, s: ir.Relate) -> None:
        parts = []
        for name, value in zip(s.names, s.values, strict=True):
            asked, given = "", ""
            if isinstance(value, ir.Call) and value.name in self.m.rules.routines:
                asked = value.name
                frame = [self.m.expressions.access(value.frame)] if value.frame is not None else []
                given = "".join(f"{x}, " for x in [*frame, *(self.m.emit(a) for a in value.arguments)])
            told = self.m.emit(value)
            parts.append(f"({self.m.word(name)}, {self.m.word(asked)}, lambda: {told}, lambda: ({given})), ")
        self.m.put(f"if W.stories.open: W.stories.relate(({''.join(parts)}), {self.m.word(s.cites)})")

    def visit_tell(self, s: ir.Tell) -> None:
        args = "".join(self.m.emit(a) + ", " for a in s.arguments)
        self.m.put(f"W.journal.tell({self.m.emit(s.whom)}, {self.m.word(s.message)}, ({args}), {self.m.word(s.cites)})")
