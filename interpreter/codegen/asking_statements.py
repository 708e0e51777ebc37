"""Emitting questions and dice."""

# ruff: noqa: D102 (visitors: each method is for the class of its argument, and some need nothing of it)

from __future__ import annotations

from dsl import ir
from dsl.analysis.hidden_reads import HiddenRead, hidden_reads
from dsl.ir import E, Type
from dsl.rules.editions import ONE_TO_CHOOSE, asks
from interpreter.codegen.effect_statements import EffectEmitter
from interpreter.codegen.python_names import py
from interpreter.codegen.routine_emitter import RoutineEmitter

__all__ = ["AskingEmitter"]


SUBJECTS = frozenset({"unit", "formation", "component", "marker", "place"})
"""The kinds of things that dice and questions can be for."""


def _always_put(m: RoutineEmitter, s: ir.Choose | ir.EachChooses) -> bool:
    """Whether a question is asked even if only one answer is possible, because skipping it would reveal something hidden."""
    parts = (s.over if isinstance(s, ir.EachChooses) else None, s.source, s.amount)
    is_asked = isinstance(s, ir.EachChooses) or not asks(m.rules.ruleset.edition, ONE_TO_CHOOSE)
    return _reads_hidden(m, parts) or (is_asked and _is_weighed(m, s))


def _is_weighed(m: RoutineEmitter, s: ir.Choose | ir.EachChooses) -> bool:
    """Whether something hidden may decide which of several answers are legal."""
    return _reads_hidden(m, s.such_that)


def _reads_hidden(m: RoutineEmitter, part: object) -> bool:
    return any(_put_for(read) for read in hidden_reads(m.rules.ruleset, m.rules.routines, part))


def _put_for(read: HiddenRead) -> bool:
    """Whether questions were always asked because of such a read: existing campaigns have no answers to any others."""
    match read.e:
        case ir.Field() | ir.HolderOf():
            return read.field != "place"
        case ir.AllOf() | ir.ThingsNear():
            return read.holder is None
    return isinstance(read.e, ir.Members | ir.Distance | ir.PlaceOf | ir.Near | ir.IsPlaced | ir.OnLink)


class AskingEmitter(EffectEmitter):
    """Writes questions and dice of one routine as Python."""

    def may_be_subject(self, type_: Type | None) -> bool:
        """Whether dice and questions can be for something of this type."""
        ruleset = self.m.rules.ruleset
        if type_ is None or type_.name != "thing":
            return False
        return all(ruleset.kinds[kind].word in SUBJECTS for kind in ruleset.sorts(type_.word))

    def asked_for(self, *words: str) -> str:
        """What dice are rolled for or a question is asked for: the thing of the innermost loop, else the first argument that is a thing.

        words: of the routines whose arguments count; without any, orders and procedures.
        A place after an argument that is not a thing only says where: `raise guard to 0304` is not about 0304.
        """
        if self.subject:
            return self.subject
        params = self.routine.params if self.routine.word in (words or ("procedure", "order")) else ()
        singles = [p for p in params if not p.many]
        first = next((p for p in singles if self.may_be_subject(p.type)), None)
        if first is not None and first is not singles[0] and self.m.rules.ruleset.is_place(first.type):
            first = None
        return f"F.n_{py(first.name)}" if first is not None else "None"

    def visit_choose(self, s: ir.Choose) -> None:
        name = f"n_{py(s.name)}"
        site = self.m.site(s, self.routine)
        source = f"lambda: {self.m.emit(s.source)}" if s.source is not None else "None"
        amount = f"lambda: {self.m.emit(s.amount)}" if s.amount is not None else "None"
        test = "None"
        if s.such_that is not None:
            test = self.m.fresh("test")
            self.m.put(f"def {test}(v):")
            self.m.put(f"    with tried(F, {self.m.word(name)}):")
            self.m.put(f"        F.{name} = v")
            self.renewed("F", s.name, inner=2)
            self.m.put(f"        return {self.m.emit(s.such_that)}")
        self.m.put(
            f"F.{name} = yield from W.host.ask({site}, {self.m.emit(s.who)}, {self.m.word(s.name)}, {self.m.word(s.kind)}, {source}, {amount}, "
            f"{test}, {self.m.word(s.reason or '')}, {self.m.word(bool(s.secret))}, {self.m.word(_always_put(self.m, s))}, {self.asked_for()}, "
            f"{self.m.word(_is_weighed(self.m, s))})"
        )
        self.named(s.name)

    def visit_each_chooses(self, s: ir.EachChooses) -> None:
        name, item = f"n_{py(s.name)}", f"n_{py(s.item)}"
        site = self.m.site(s, self.routine)
        source, amount = self._of_item("source", s.item, s.source), self._of_item("amount", s.item, s.amount)
        test = "None"
        if s.such_that is not None:
            test = self.m.fresh("test")
            self.m.put(f"def {test}(v, item):")
            self.m.put(f"    with tried(F, {self.m.word(name)}, {self.m.word(item)}):")
            self.m.put(f"        F.{name} = v")
            self.m.put(f"        F.{item} = item")
            self.renewed("F", s.name, s.item, inner=2)
            self.m.put(f"        return {self.m.emit(s.such_that)}")
        self.m.put(
            f"F.{name} = yield from W.host.ask_each({site}, list({self.m.emit(s.over)}), {self.m.word(s.name)}, {self.m.word(s.kind)}, {source}, "
            f"{amount}, {test}, {self.m.word(s.reason or '')}, {self.m.word(bool(s.secret))}, {self.m.word(_always_put(self.m, s))}, "
            f"named_before(F, {self.m.word(name)}))"
        )
        self.renewed("F", s.name, s.item)

    def _of_item(self, stem: str, item: str, e: E | None) -> str:
        """A function for an expression about one item; the name of the function, or `None` if there is no expression."""
        if e is None:
            return "None"
        name = self.m.fresh(stem)
        self.m.put(f"def {name}(v):")
        self.m.put(f"    F.n_{py(item)} = v")
        self.renewed("F", item, inner=1)
        self.m.put(f"    return {self.m.emit(e)}")
        return name

    def visit_roll(self, s: ir.Roll) -> None:
        site = self.m.site(s, self.routine)
        count = self.m.emit(s.count) if s.count is not None else "None"
        self.m.put(
            f"F.n_{py(s.name)} = yield from W.host.roll({site}, {self.m.emit(s.who)}, {self.m.emit(s.dice)}, {self.m.word(s.name)}, {count}, "
            f"subject={self.asked_for()})"
        )
        self.named(s.name)

    def visit_draw(self, s: ir.Draw) -> None:
        site = self.m.site(s, self.routine)
        self.m.put(
            f"F.n_{py(s.name)} = yield from W.host.draw({site}, {self.m.emit(s.who)}, list({self.m.emit(s.source)}), {self.m.word(s.name)}, "
            f"{self.asked_for()})"
        )
        self.named(s.name)

    def visit_each_rolls(self, s: ir.EachRolls) -> None:
        site = self.m.site(s, self.routine)
        name = f"F.n_{py(s.name)}"
        count = self.m.emit(s.count) if s.count is not None else "None"
        item = self.m.fresh("i")
        listed = self.m.fresh("l")
        self.m.put(f"{name} = {{}}")
        self.m.put(f"{listed} = list({self.m.emit(s.over)})")
        self.m.put(f"for {self.m.fresh('n')}, {item} in enumerate({listed}):")
        side = item if s.sides else f"{item}.side"
        self.m.put(
            f"    {name}[{item}] = yield from W.host.roll({site}, {side}, {self.m.emit(s.dice)}, {self.m.word(s.name)}, {count}, {item})"
        )
        self.named(s.name)
