"""Emitting effects: changes of fields, holders, places and knowledge."""

# ruff: noqa: D102 (visitors: each method is for the class of its argument, and some need nothing of it)

from __future__ import annotations

from functools import cached_property

from dsl import ir
from dsl.analysis.effects_of import frame_changed, names_changed
from dsl.ir import TEXT, E, Lasting, Moment, Routine, S
from dsl.ir.statement_visitor import StatementVisitor
from interpreter.codegen.python_names import IF, py
from interpreter.codegen.routine_emitter import RoutineEmitter
from interpreter.codegen.waiting_rules import RuleWatch, watch_of

__all__ = ["EffectEmitter"]


def _each(m: RoutineEmitter, target: E) -> str:
    """The things an effect is done to, as a list."""
    inner = m.emit(target)
    if target.type.name == "set":
        return f"list({inner})"
    return f"some({inner})" if target.type.optional else f"({inner},)"


def _until(m: RoutineEmitter, s: S) -> str:
    """Until when a change lasts: a moment as text or tuple, or a condition with its arguments from the procedure."""
    until = s.until
    if isinstance(until, Moment):
        return m.word((until.name, until.whose, until.following, ()))
    if isinstance(until, Lasting):
        taken = "".join(f"{m.emit(e)}, " for _, e in until.taken)
        return f"({m.word(f'{IF}u_{until.number}')}, {m.word('')}, False, ({taken}))"
    return m.word(until)


class EffectEmitter(StatementVisitor[None]):
    """Writes effects of one routine as Python.

    Attributes:
        rounds: the loops over words around it, each with its scale and its name.
        together: how many `simultaneously` blocks enclose the line.
        subject: the name of the thing that the innermost loop is about; "" outside.
    """

    def __init__(self, m: RoutineEmitter, routine: Routine, rounds: tuple[tuple[str, str], ...] = ()) -> None:
        self.m, self.routine, self.rounds = m, routine, rounds
        self.together = 0
        self.subject = ""

    @cached_property
    def watch(self) -> RuleWatch:
        """What rules wait for."""
        return watch_of(self.m.rules)

    def renewed(self, access: str, *names: str, inner: int = 0) -> None:
        """Lines that forget values computed from names of a frame that have changed."""
        within = self.routine.name if access == "F" else ""
        readers = self.m.memory.forgotten(names, within) if self.m.loops is not None else None
        gone = (
            ["W.changed()"] if readers is None else [f"F.memo.pop({self.m.word('v_' + py(r))}, None)" for r in readers]
        )
        for line in gone:
            self.m.put("    " * inner + line)

    def named(self, name: str) -> None:
        """Lines that forget values computed from a name, if it may have had another value before."""
        if self.m.loops is None or not self.m.memory.is_named_once(self.routine, name):
            self.renewed("F", name)

    def visit_set_name(self, s: ir.SetName) -> None:
        self.m.put(f"{self.m.emit(s.target)} = {self.m.emit(s.value)}")
        self.renewed(frame_changed(s), *names_changed(s))

    def visit_set_entry(self, s: ir.SetEntry) -> None:
        self.m.put(f"{self.m.emit(s.target)} = {self.m.emit(s.value)}")
        self.renewed(frame_changed(s), *names_changed(s))

    def visit_set_field(self, s: ir.SetField) -> None:
        item = self.m.fresh("x")
        site = self.m.site(s, self.routine)
        value = self.m.emit(s.value)
        if s.value.type.name == "set":
            value = f"list({value})"
        holder = self.m.fresh("v")
        self.m.put(f"{holder} = {value}")
        self.m.put(f"for {item} in {_each(self.m, s.target)}:")
        self.m.put(f"    W.effects.set({item}, {self.m.word(s.field)}, {holder}, {site}, {_until(self.m, s)})")

    def visit_hold(self, s: ir.Hold) -> None:
        self._each_gets(s, "join", s.value)

    def visit_capture(self, s: ir.Capture) -> None:
        self._each_gets(s, "capture", s.value)

    def visit_write(self, s: ir.Write) -> None:
        self._each_gets(s, "write", s.filling, s.field, s.text)

    def visit_show(self, s: ir.Show) -> None:
        self._each_gets(s, "show", s.entry)

    def visit_gain(self, s: ir.Gain) -> None:
        self._each_gets(s, "gain", s.amount, s.field)

    def _each_gets(
        self, s: ir.Hold | ir.Capture | ir.Write | ir.Show | ir.Gain, effect: str, value: E | tuple[E, ...], *words: str
    ) -> None:
        """An effect on each thing, with a value that is computed once. words: its field, if it has one, and any text in it."""
        item, holder = self.m.fresh("x"), self.m.fresh("v")
        text = f"({''.join(self.m.emit(x) + ', ' for x in value)})" if isinstance(value, tuple) else self.m.emit(value)
        self.m.put(f"{holder} = {text}")
        self.m.put(f"for {item} in {_each(self.m, s.target)}:")
        args = [item, *map(self.m.word, words), holder, str(self.m.site(s, self.routine))]
        self.m.put(f"    W.effects.{effect}({', '.join([*args, _until(self.m, s)] if words else args)})")

    def visit_move(self, s: ir.Move) -> None:
        item = self.m.fresh("x")
        site = self.m.site(s, self.routine)
        self.m.put(f"for {item} in {_each(self.m, s.what)}:")
        watched = self.watch.moves_of(s.what.type)
        to = "None" if s.to is None else f"somewhere({self.m.emit(s.to)})" if watched else self.m.emit(s.to)
        if watched:
            self.m.put(f"    yield from W.positions.travel({item}, {to}, F, {site})")
        elif s.to is None:
            self.m.put(f"    W.positions.move_off({item}, {site})")
        else:
            self.m.put(f"    W.positions.move({item}, {to}, F, {site})")
        if self.watch.heeds_moves_of(s.what.type):
            self.m.put("yield from W.react(F)")

    def visit_put(self, s: ir.Put) -> None:
        settings = []
        for name, value in s.settings.items():
            text = self.m.emit(value) if isinstance(value, E) else f"Printed({self.m.word(str(value.value))})"
            settings.append(f"{self.m.word(name)}: {text}")
        where = self.m.emit(s.where) if s.where is not None else "None"
        name, template = self.m.word(s.name), self.m.word(s.template)
        if s.entry is not None:  # things bought, built or drawn are named after their entries
            template = self.m.fresh("v")
            self.m.put(f"{template} = {self.m.emit(s.entry)}")
            if s.naming is None:
                name = f"W.positions.named_after({template}, {self.m.word(s.kind)}, {name})"
        elif s.like is not None:
            template = self.m.emit(ir.EntryOf(s.like, type=TEXT.maybe(), span=s.span))
        if s.naming is not None:
            called = ", ".join(self.m.emit(x) for x in s.called)
            name = f"W.positions.named_as({self.m.word(s.kind)}, {self.m.word(s.naming)}, [{called}], {name})"
        self.m.put(
            f"F.n_{py(s.name)} = W.positions.put({self.m.word(s.kind)}, {name}, {template}, {{{', '.join(settings)}}}, {where}, F.acting, {self.m.site(s, self.routine)})"
        )
        for name in s.parts:
            whole, part = py(s.name), self.m.word(name.removeprefix(s.name))
            self.m.put(f"F.n_{py(name)} = W.maker.part_called(F.n_{whole}, {part})")

    def visit_remove(self, s: ir.Remove) -> None:
        item = self.m.fresh("x")
        self.m.put(f"for {item} in {_each(self.m, s.what)}:")
        if self.watch.losing:
            self.m.put(f"    yield from W.positions.take_out({item}, F, {self.m.site(s, self.routine)})")
        else:
            self.m.put(f"    W.positions.remove({item}, {self.m.site(s, self.routine)})")

    def visit_reveal(self, s: ir.Reveal) -> None:
        self._known(s)

    def visit_hide(self, s: ir.Hide) -> None:
        self._known(s)

    def _known(self, s: ir.Reveal | ir.Hide) -> None:
        item = self.m.fresh("x")
        self.m.put(f"for {item} in {_each(self.m, s.what)}:")
        self.m.put(f"    W.effects.reveal({item}, {self.m.emit(s.whom)}, {self.m.word(isinstance(s, ir.Hide))})")
