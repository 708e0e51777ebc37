"""Emitting a ruleset: all its routines as one Python module source, what is remembered in it, and where loops are written."""

# ruff: noqa: D102 (visitors: each method is for the class of its argument)

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import attrs

from dsl import ir
from dsl.binding.bound import BoundRuleset
from dsl.ir import E, Routine, S, lines_in
from dsl.rules.notation import attribute
from dsl.text.source import Span
from interpreter.codegen.asked_once import asked_once, named_once
from interpreter.codegen.blocks import TooHard, Value
from interpreter.codegen.emitted_code import Word, Words, compiled_once, worked_out
from interpreter.codegen.expressions import py
from interpreter.codegen.lines import LineEmitter
from interpreter.codegen.loops import LoopEmitter
from interpreter.codegen.paths import emit_path
from interpreter.codegen.repetition import uncounted
from interpreter.codegen.shapes import calls_in
from interpreter.codegen.units import Site, Text
from interpreter.codegen.watch import Watch, watch_of
from interpreter.codegen.woven_lets import woven


class Nest(NamedTuple):
    """A table as dicts within dicts. column: -1 for the whole row; order: of its keys; of: the parts its numbers count."""

    table: str
    column: int
    order: tuple[int, ...]
    of: int


@attrs.define(slots=True)
class Source:
    """Emitted Python: `text` defines `make(W, O)`; lines: for each Python line the rule line it came from."""

    text: str
    lines: dict[int, Span]
    sites: list[Site]
    words: tuple[Word, ...]
    """The words of the rules that names such as `K_7` in it stand for."""
    nests: dict[str, Nest] = attrs.field(factory=dict)
    """Tables that it reads as dicts within dicts, by the name it gives them."""
    numbers: dict[str, Fraction] = attrs.field(factory=dict)
    """Fractions that stand in it, by name."""


SLIGHT = (
    ir.Constant,
    ir.Local,
    ir.FrameName,
    ir.FrameEntry,
    ir.Active,
    ir.OptionRead,
    ir.Field,
    ir.SideOf,
    ir.PlaceOf,
    ir.HolderOf,
    ir.Column,
    ir.LookUp,
    ir.Otherwise,
    ir.Or,
    ir.And,
    ir.Not,
    ir.WordIs,
    ir.WordOf,
    ir.Equal,
    ir.IsAbsent,
    ir.IsThere,
    ir.Compare,
    ir.CompareWords,
    ir.Steps,
    ir.Arithmetic,
    ir.KindIs,
    ir.TemplateIs,
)
"""Operations that are little work."""


PHASED = (ir.PhaseIs, ir.PhaseNow, ir.HasDone)
"""Operations whose answer changes when a phase or step begins or ends."""

AT_HAND = (ir.Constant, ir.Local, ir.FrameName, ir.Active, ir.Equal, ir.IsThere, ir.IsAbsent, ir.WordIs, ir.OptionRead)
"""Operations that only look at what is named already."""

MOST_SLIGHT = 40
"""What a value may weigh that a loop works out for every item, whether or not it turns out to be needed."""

MOST_AT_HAND = 10
"""A value of fewer such operations is sooner worked out again than remembered."""


class Emitter(LineEmitter):
    """Emits all routines of a bound ruleset. traced: with an audit trail in every value, and so that values can be given."""

    def __init__(self, rules: BoundRuleset, *, traced: bool = False) -> None:
        super().__init__(rules.ruleset, rules.tables, traced=traced)
        self.rules = rules
        self.loops = False
        self.together = 0
        self.rounds: tuple[tuple[str, str], ...] = ()
        self.subject = ""
        self.once: dict[str, str] | None = None
        self.movers: set[str] = set()
        self.current: Routine | None = None
        self.numbers: dict[str, Fraction] = {}
        self._weights: dict[str, int] = {}
        self._read: dict[str, set[str]] | None = None
        self._remembers: dict[str, bool] = {}
        self._named_once: dict[str, frozenset[str]] = {}
        self.by_python: dict[str, Routine] = {}
        self.uncounted: frozenset[str] = frozenset()
        self.asked_once: frozenset[str] = frozenset()
        self.options: dict[tuple[str, str | None], str] = {}
        self.nests: dict[str, Nest] = {}
        self.helpers: dict[str, list[tuple[str, Span | None]]] = {}

    @cached_property
    def watch(self) -> Watch:
        """What rules wait for: only statements ask for it, and most emitters write but one value."""
        return watch_of(self.rules)

    @cached_property
    def phased(self) -> frozenset[str]:
        """The procedures of whose values one asks which phase runs, or what was done in it, itself or through others."""
        asked = {key: list(ir.walk(r.body)) for key, r in self._values()}
        found = {key for key, parts in asked.items() if any(isinstance(e, PHASED) for e in parts)}
        while more := {key for key, parts in asked.items() if any(ir.asked(e) in found for e in parts)} - found:
            found |= more
        return frozenset(within for key in found if (within := self.rules.routines[key].within))

    def _values(self) -> Iterator[tuple[str, Routine]]:
        """What can be asked: values, statuses and paths."""
        return ((key, r) for key, r in self.rules.routines.items() if r.word in {"value", "status", "path"})

    def emit(self, e: E) -> str:
        """An expression as Python; inside `_ready` calls that hang on the mover alone are worked out once, before."""
        text = super().emit(e)
        if self.once is None or not isinstance(e, ir.Call) or not self._of_mover(e):
            return text
        return self.once.setdefault(text, f"_h{len(self.once)}")

    def _of_mover(self, e: E) -> bool:
        """Whether an expression names nothing but the arguments of the path being emitted."""
        if isinstance(e, ir.Local):
            return e.name in self.movers
        if isinstance(
            e, ir.FrameName | ir.FrameEntry | ir.Quantified | ir.Filter | ir.MapOver | ir.Prevailing | ir.Extremes
        ) or (isinstance(e, ir.Call) and e.frame is not None):
            return False
        return all(self._of_mover(x) for x in ir.inner(e) if isinstance(x, E))

    # ---- everything
    def _parts(self) -> Iterator[None]:
        """Writes everything, a routine at a time."""
        routines = self.rules.routines
        for routine in routines.values():
            if routine.word in {"value", "status"}:
                self.value(routine)
                yield
        for routine in routines.values():
            if routine.word == "path":
                emit_path(self, routine)
                yield
        for routine in routines.values():
            if routine.word in {"procedure", "sequence", "rule"}:
                self.procedure(routine, f"p_{routine.word}_{py(routine.name)}")
                yield
            elif routine.word == "order":
                self.order(routine)
                yield
            elif routine.word == "setup":
                self.setup(routine)
                yield
        for trigger in self.rules.triggers:
            self.trigger(trigger)
            yield
        for lasting in self.rules.lasting:
            self.span = lasting.test.span
            self.define(f"u_{lasting.number}", ", ".join(["l_it", *(f"l_{n}" for n, _ in lasting.taken)]))
            self.put(f"return {self.emit(lasting.test)}")
            self.depth -= 1
            yield
        for name, endings in self.rules.endings.items():
            for number, (winner, when, because, span) in enumerate(endings):
                self.span = span
                self.define(f"z_{py(name)}_{number}", "")
                self.put(f"if {self.emit(when) if when is not None else 'True'}:")
                self.put(f"    W.end_game({self.emit(winner) if winner is not None else 'None'}, {self.word(because)})")
                self.depth -= 1
                yield
        for name, hints in self.rules.hints.items():
            for number, (_, _, when, span) in enumerate(hints):
                self.span = span
                self.define(f"h_{py(name)}_{number}", "")
                self.put(f"return {self.emit(when) if when is not None else 'True'}")
                self.depth -= 1
                yield
        self.span = None

    def units(self) -> Iterator[Text]:
        """Every routine as a text of its own, with its words and rule lines."""
        for _ in self._parts():
            if self.out:
                yield self.unit()
            self.out, self.lines, self.words, self._number = [], {}, Words(), 0

    def unit(self) -> Text:
        """The functions written so far as a text of their own."""
        return Text("if True:\n" + "\n".join(self.out) + "\n", self.words.all, self.lines)

    def body(self, head: str) -> Text:
        """The lines written so far as the body of one function with this head."""
        return Text(head + "\n" + "\n".join(self.out) + "\n", self.words.all, self.lines)

    def value_of(self, e: E, file: str, space: dict[str, Any]) -> Any:
        """What an expression comes to in a space of names."""
        text = self.emit(e)
        return worked_out(compiled_once(text, self.words.all, file, "eval"), space)

    def module(self) -> Source:
        """The whole module, for play."""
        self.loops = True
        self.put("pass")
        self.uncounted = uncounted(self.rules)
        self.asked_once = asked_once(self.rules, self.is_long)
        self._remembers.clear()
        routines = self.rules.routines.values()
        self.by_python = {f"v_{py(r.name)}": r for r in routines if r.word in {"value", "status"}}
        for _ in self._parts():
            pass
        self.flush()
        if self.options:
            given = (
                f"{name} = O.get({self.word(option)})" + (f" == {self.word(word)}" if word is not None else "")
                for (option, word), name in self.options.items()
            )
            settled = "; ".join(given)
            self.out[0] = "    " + settled
            self.define("settle_options", "")  # the umpire has changed one
            self.put(f"nonlocal {', '.join(self.options.values())}")
            self.put(settled)
            self.depth -= 1
        names = "".join(f"{self.word(n)}: {n}, " for n in self._defined)
        self.put("return {" + names + "}")
        return Source(
            "def make(W, O):\n" + "\n".join(self.out) + "\n",
            self.lines,
            self.sites,
            self.words.all,
            self.nests,
            self.numbers,
        )

    # ---- what is remembered
    def renewed(self, access: str, *names: str, inner: int = 0) -> None:
        """Lines that forget what was worked out from names of a frame that now have other values."""
        lines = ["W.changed()"]
        if self.loops:
            readers = sorted(set().union(*(self._readers().get(n, set()) for n in names)))
            routines = [self.rules.routines.get(r) for r in readers]
            near = access == "F" and self.current is not None
            if all(
                near and self.current is not None and r is not None and r.within == self.current.name for r in routines
            ):
                lines = [f"F.memo.pop({self.word('v_' + py(r))}, None)" for r in readers]
        for line in lines:
            self.put("    " * inner + line)

    def named(self, name: str) -> None:
        """Lines that forget what was worked out from a name, where it may have had another value before."""
        if self.loops and self.current is not None:
            key = self.current.name
            if key not in self._named_once:
                self._named_once[key] = named_once(self.rules, self.current)
            if name in self._named_once[key]:
                return
        self.renewed("F", name)

    def _readers(self) -> dict[str, set[str]]:
        """For each name of a frame the remembered values that depend on it; "" for what else does."""
        if self._read is None:
            found: dict[str, set[str]] = {}
            for routine in self.rules.routines.values():
                if self.is_remembered(routine) or routine.word == "path":
                    kept = routine.name if self.is_remembered(routine) else ""
                    for name in self._names_read((routine.body, routine.clauses), {routine.name}):
                        found.setdefault(name, set()).add(kept)
            self._read = found
        return self._read

    def _names_read(self, part: Any, seen: set[str]) -> set[str]:
        out = set()
        for x in ir.walk(part):
            if isinstance(x, ir.FrameName | ir.FrameEntry):
                out.add(x.name)
            elif isinstance(x, ir.Called) and x.name not in seen:
                seen.add(x.name)
                routine = self.rules.routines.get(x.name) or self.rules.routines.get(f"path {x.name}")
                if routine is not None:
                    out |= self._names_read((routine.body, routine.clauses), seen)
        return out

    def names_read(self, part: Any) -> set[str]:
        """The names of frames that expressions read, themselves and through the values that they ask."""
        return self._names_read(part, set())

    # ---- loops
    def flush(self) -> None:
        """Writes the functions of the loops that have been met since."""
        span = self.span
        while self.helpers:
            name = next(iter(self.helpers))
            for text, place in self.helpers.pop(name):
                self.span = place
                self.put(text)
        self.span = span

    def helper(self, e: E, around: LoopEmitter | None = None) -> Value:
        """A call of a function of its own that answers an aggregate. Raises TooHard when it must be emitted plainly."""
        names = tuple(sorted(self.free(e, frozenset())))
        inner = LoopEmitter(self, names)
        lines = inner.function(e)
        loops, self.loops = self.loops, False
        plain = self.emit(e)
        self.loops = loops
        args = ["F"] if self._framed(e) else []
        args += [f"l_{py(n)}" for n in names]
        name = self.fresh("q")
        place = e.span if e.span.file else self.span
        self.helpers[name] = [
            (f"def {name}({', '.join(args)}):", place), ("    try:", place), *(("        " + t, x) for t, x in lines),
            ("    except TROUBLE:", place), (f"        return {plain}", place),
        ]  # fmt: skip
        if around is None:
            return Value(f"{name}({', '.join(args)})", 0)
        given = ", ".join(args[:1] * (args[:1] == ["F"]) + ["{}"] * len(names))
        return around.joined(f"{name}({given})", *(around.local(n) for n in names))

    def free(self, e: E, bound: frozenset[str]) -> set[str]:
        """The names that an expression takes from around it."""
        if isinstance(e, ir.Local):
            return set() if e.name in bound else {e.name}
        within = bound | {e.variable} if isinstance(e, ir.OverSet) else bound
        out: set[str] = set()
        for x in ir.inner(e):
            if isinstance(x, E):
                out |= self.free(x, bound if isinstance(e, ir.OverSet) and x is e.base else within)
        return out

    def _framed(self, e: E) -> bool:
        """Whether an expression needs the frame of its routine."""

        def own(frame: str | None) -> bool:
            return (frame or "").split(".")[0] == "F"

        return any(
            isinstance(x, ir.SidesInTurn)
            or (isinstance(x, ir.FrameName | ir.FrameEntry | ir.Acting | ir.Call) and own(x.frame))
            for x in ir.walk(e)
        )

    def _as_loop(self, e: E, *asked: E) -> str | None:
        """An expression as a loop, where it asks values for each of a set."""
        if not self.loops or next(ir.find(asked, ir.Call), None) is None:
            return None
        span = self.span
        try:
            return self.helper(e).text
        except TooHard:
            return None
        finally:
            self.span = span

    def visit_aggregate(self, e: ir.Aggregate) -> str:
        return self._as_loop(e, *ir.of_each(e.base)) or super().visit_aggregate(e)

    def visit_quantified(self, e: ir.Quantified) -> str:
        found = self._as_loop(e, e.condition, *ir.of_each(e.base)) if e.quantifier != "most" else None
        return found or super().visit_quantified(e)

    def visit_is_there(self, e: ir.IsThere) -> str:
        return self._as_loop(e, *ir.of_each(e.value)) or super().visit_is_there(e)

    def visit_filter(self, e: ir.Filter) -> str:
        if self.loops and isinstance(e.condition, ir.And):
            first, rest = e.condition.items[0], ir.without_first(e.condition)
            if isinstance(first, ir.WordIs) and isinstance(first.subject, ir.OptionRead):
                return f"({self.emit(attrs.evolve(e, condition=rest))} if {self.emit(first)} else [])"
        return self._as_loop(e, e.condition) or super().visit_filter(e)

    def visit_map_over(self, e: ir.MapOver) -> str:
        return self._as_loop(e, e.body, *ir.of_each(e.base)) or super().visit_map_over(e)

    # ---- what loops ask
    def option(self, name: str, word: str | None = None) -> str:
        """An option, or whether it has a word: fixed for a world, so settled when its functions are made."""
        return self.options.setdefault((name, word), f"o_{len(self.options) + 1}")

    def nested(self, table: str, column: int, order: tuple[int, ...], of: int = 1) -> str:
        """A table as dicts within dicts, its keys in that order; column -1: the whole row; of: the parts that are counted."""
        name = f"N_{py(table)}_{column + 1}_{''.join(map(str, order))}" + (f"_in_{of}" if of > 1 else "")
        self.nests[name] = Nest(table, column, order, of)
        return name

    def exact(self, value: int | Fraction) -> str:
        """A number as it stands in emitted text; fractions are made once."""
        if isinstance(value, int) or value.denominator == 1:
            return repr(int(value))
        name = f"Q_{value.numerator}_{value.denominator}".replace("-", "m")
        self.numbers[name] = value
        return name

    def is_light(self, text: str) -> bool:
        """Whether a text may as well be worked out before a loop that only perhaps asks for it: it is little work, or kept."""
        return all(name == "W.foe" or self._is_slight(name) for name in calls_in(text))

    def _is_slight(self, name: str) -> bool:
        """Whether a function is a value that is little work, or kept."""
        routine = self.by_python.get(name)
        return routine is not None and (self.is_remembered(routine) or self.weight_of(routine) <= MOST_SLIGHT)

    def weight_of(self, routine: Routine) -> int:
        """How much work a value is, roughly, with what it asks."""
        if routine.name not in self._weights:
            self._weights[routine.name] = MOST_SLIGHT + 1
            self._weights[routine.name] = self._weight(routine.body)
        return self._weights[routine.name]

    def _weight(self, part: Any) -> int:
        """How much work an expression or a body is, roughly."""
        if isinstance(part, tuple):
            return sum(self._weight(x) for x in part)
        if isinstance(part, ir.Call):
            routine = self.rules.routines.get(part.name)
            if routine is None or self.is_remembered(routine):
                return 3
            return self.weight_of(routine) + self._weight(part.arguments)
        own = 1 if isinstance(part, (S, *SLIGHT)) else MOST_SLIGHT
        return own + sum(self._weight(x) for x in ir.inner(part))

    def routine(self, name: str) -> Routine | None:
        """The value or status of that name."""
        return self.rules.routines.get(name)

    def is_remembered(self, routine: Routine) -> bool:
        """Whether a value is worked out once for a procedure or a side, as long as nothing changes."""
        if routine.name not in self._remembers:
            self._remembers[routine.name] = True  # while it is looked at: what asks itself has nothing at hand
            self._remembers[routine.name] = (
                routine.name not in self.asked_once
                and self.is_long(routine)
                and not self._at_hand(routine.body, MOST_AT_HAND, kept=True)
            )
        return self._remembers[routine.name]

    def is_long(self, routine: Routine) -> bool:
        """Whether a value of a procedure or a side takes work that is worth sparing."""
        per_side = bool(routine.within) and all(p.type.word == "side" and not p.many for p in routine.params)
        return per_side and not self._at_hand(routine.body, MOST_AT_HAND)

    def _at_hand(self, body: ir.Body, most: int, *, kept: bool = False) -> bool:
        """Whether lines do nothing but look at names, fewer times than `most`.

        kept: whether what is remembered counts as a name.
        """
        for x in ir.walk(body):
            if isinstance(x, S):
                if not isinstance(x, ir.Start | ir.Case | ir.Holds):
                    return False
                continue
            if not isinstance(x, AT_HAND) and not (kept and self._is_kept(x)):
                return False
            most -= 1
            if most <= 0:
                return False
        return True

    def _is_kept(self, e: E) -> bool:
        """Whether an expression asks for what is remembered."""
        routine = self.rules.routines.get(e.name) if isinstance(e, ir.Call) else None
        return routine is not None and self.is_remembered(routine)

    def visit_option_read(self, e: ir.OptionRead) -> str:
        if not self.loops:
            return super().visit_option_read(e)
        return f"int({self.option(e.name)})" if e.type.name == "number" else self.option(e.name)

    def visit_word_is(self, e: ir.WordIs) -> str:
        if self.loops and isinstance(e.subject, ir.OptionRead) and len(e.words) == 1:
            return self.option(e.subject.name, e.words[0])
        return super().visit_word_is(e)

    def visit_word_of(self, e: ir.WordOf) -> str:
        if self.loops and isinstance(e.subject, ir.OptionRead) and len(e.words) == 1:
            return self.option(e.subject.name, e.words[0])
        return super().visit_word_of(e)

    # ---- values and statuses
    def value(self, routine: Routine) -> None:
        """Writes a value or status as a function of its arguments."""
        self.span = routine.span
        if self.loops:
            routine = woven(routine)
        args = [f"l_{py(p.name)}" for p in routine.params]
        if routine.within:
            args.insert(0, "F")
        name = f"v_{py(routine.name)}"
        whole = None
        remembered = self.is_remembered(routine)
        if remembered or (routine.name in self.asked_once and self.is_long(routine)):
            whole = self._whole(routine) if self.loops else None
        if remembered or whole is not None:
            self.define(name, ", ".join(args))
            kept = f"_r = {self._remembered(name, args, routine.within)} = " if remembered else "_r = "
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
        """The lines of a value with all that it asks worked out in place, or None where that is too hard."""
        span = self.span
        try:
            return LoopEmitter(self, ()).whole(routine)
        except TooHard:
            return None
        finally:
            self.span = span

    def _remembered(self, name: str, args: list[str], within: str | None) -> str:
        """Answers with what was worked out before, as long as nothing changes; tells where the answer is to be kept."""
        count = "W.version" if within in self.phased else "W.steady"
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
    def order(self, routine: Routine) -> None:
        """Writes an order's clauses, each as a function, and its effect."""
        for number, s in enumerate(routine.clauses):
            self.span = s.span
            self.define(f"c_{py(routine.name)}_{number}", "F")
            self._clause(s)
            self.depth -= 1
        self.procedure(routine, f"e_{py(routine.name)}")

    def _clause(self, s: S) -> None:
        """A clause answers True when it refuses; a `let` sets its name; `given by` and `reaching` answer what they ask."""
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
        from interpreter.codegen.statements import emit_body, emit_hooks

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
        self.current = routine
        sequence = f"sequence {routine.name}" if routine.word == "sequence" else ""
        emit_hooks(self, f"before {sequence}")
        emit_body(self, routine.body, routine)
        emit_hooks(self, f"after {sequence}")
        self.current = None
        self.depth -= 1


def frame_names(routine: Routine) -> tuple[str, ...]:
    """The slots of a routine's frame."""
    return tuple(f"n_{py(n)}" for n in routine.frame)


def slot(field: str) -> str:
    """The attribute of a thing that holds a field."""
    return "name" if field == "name" else attribute(field)


__all__ = ["Any", "Emitter", "Source", "attrs", "frame_names", "py", "slot"]
