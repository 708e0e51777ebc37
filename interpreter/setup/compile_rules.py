"""From bound rules to a program: orders and paths as the machine uses them, frames, and the names that emitted code calls."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from dsl import ir
from dsl.binding.bound import BoundRuleset
from dsl.ir import Routine, S, cited
from dsl.text.source import SourceFile
from interpreter.codegen.emit_paths import BANS
from interpreter.codegen.emitted_code import BUILTINS, HELPERS
from interpreter.codegen.python_names import py
from interpreter.codegen.reads import reads_of
from interpreter.codegen.trace_sight import sight
from interpreter.codegen.way_tables import looks_back, tables_of
from interpreter.program.program import Program
from interpreter.program.program_data import Clause, OrderProgram, WayProgram
from interpreter.runtime import dice_rules, exact_numbers, nearness, runtime, set_functions
from interpreter.runtime.frames import frame_class
from interpreter.runtime.table_rows import table_function
from interpreter.runtime.thing_classes import thing_classes
from interpreter.runtime.things import Value
from interpreter.setup.printed import printed_fields

__all__ = ["ROOMS", "compile_program"]


ROOMS = (runtime, exact_numbers, set_functions, nearness, dice_rules)
"""The functions that emitted rules call."""


def compile_program(rules: BoundRuleset, files: Mapping[str, SourceFile] | None = None, key: str = "") -> Program:
    """The program of a bound ruleset without errors. It is emitted for play, or with its audit trail, when needed.

    key: identifies everything that the rules depend on, if the code emitted for play may be kept.
    """
    ruleset = rules.ruleset
    orders = {r.name: _order(rules, r) for r in rules.routines.values() if r.word == "order"}
    ways = {r.name: _way(rules, r) for r in rules.routines.values() if r.word == "path"}
    frames = {
        f"{r.word} {r.name}": frame_class(r)
        for r in rules.routines.values()
        if r.word in {"order", "procedure", "sequence", "rule"}
    }
    classes = thing_classes(ruleset)
    constants = {**_constants(rules), **printed_fields(ruleset, classes)}
    return Program(rules, ruleset, orders, ways, frames, constants, dict(files or {}), classes, key)


def _constants(rules: BoundRuleset) -> dict[str, Value]:
    """The functions that emitted rules call, and the scales and tables that they read."""
    ruleset = rules.ruleset
    constants: dict[str, Value] = {"__builtins__": {}, **BUILTINS}
    constants |= {k: v for room in ROOMS for k, v in vars(room).items() if k in HELPERS}
    constants["Fraction"] = Fraction
    constants["RANK"] = {e.name: {w: i for i, w in enumerate(e.words)} for e in ruleset.enums.values() if e.ordered}
    constants["WORDS"] = {e.name: e.words for e in ruleset.enums.values() if e.ordered}
    constants["STEPS"] = {e.name: tuple((w, _number(w)) for w in e.words) for e in ruleset.enums.values() if e.numeric}
    for table in rules.tables.values():
        constants[f"T_{py(table.name)}"] = table_function(table)
    return constants | {f"R_{py(name)}": rank for name, rank in constants["RANK"].items()}


def _number(word: str) -> Fraction:
    left, _, right = word.partition(":")
    return Fraction(left) / Fraction(right or 1)


def _order(rules: BoundRuleset, routine: Routine) -> OrderProgram:
    names = [p.name for p in routine.params]
    known = {n: i + 1 for i, n in enumerate(names)}
    clauses = []
    for number, s in enumerate(routine.clauses):
        needs = _needs(s, known)
        going = s if isinstance(s, ir.Reaching) else None
        if going is not None:
            needs = max(needs, known.get(going.goal, 0))
        if isinstance(s, ir.Let):
            known[s.name] = needs
        clauses.append(
            Clause(
                s, f"c_{py(routine.name)}_{number}", s.because or "", cited(s, routine), s.module, s.label or "",
                f"{s.span.file}:{s.span.line}", needs, going.goal if going else "", going.path if going else "",
            )
        )  # fmt: skip
    permits = [c for c in clauses if isinstance(c.said, ir.Permits)]
    for clause in clauses:
        if not clause.module and isinstance(clause.said, ir.Refused | ir.LegalWhen | ir.Reaching | ir.LegalFrom):
            lifting = [p.needs for p in permits if not p.label or p.label == clause.label]
            clause.needs = max(
                [clause.needs, *lifting]
            )  # a refusal that may be lifted is checked when the permission can be checked
    params = tuple((p.prep, p.name, p.type, p.many) for p in routine.params)
    rolls = _rolls(rules, rules.routines[f"order {routine.name}"], set())
    return OrderProgram(routine.name, params, tuple(clauses), routine.cites, f"e_{py(routine.name)}", rolls)


def _rolls(rules: BoundRuleset, routine: Routine, seen: set[str]) -> bool:
    """Whether a routine rolls dice, directly or in a routine that it calls."""

    def found(body: tuple[S, ...]) -> bool:
        for s in body:
            if s.DOES.rolls or found(s.body):
                return True
            if isinstance(s, ir.Do) and s.key not in seen:
                seen.add(s.key)
                if _rolls(rules, rules.routines[s.key], seen):
                    return True
        return False

    return found(routine.body)


def _reads(rules: BoundRuleset, routine: Routine) -> dict[str, frozenset[str]]:
    """What the functions of a path depend on; all include its `let` lines."""
    stem = f"w_{py(routine.name)}"
    lets = [s for s in routine.body if isinstance(s, ir.Let)]
    out = {"": reads_of(rules, routine.body)}
    for word, ban in BANS.items():
        for number, s in enumerate(x for x in routine.body if isinstance(x, ban)):
            out[f"{stem}_{word}{number}"] = reads_of(rules, [*lets, s])
    for number, leg in enumerate(x for x in routine.body if isinstance(x, ir.Leg)):
        out[f"{stem}_until{number}"] = reads_of(rules, [*lets, leg.reaches])
    out["legs"] = reads_of(rules, [*lets, *(s for s in routine.body if isinstance(s, ir.Leg | ir.Exempt))])
    return out


def _needs(said: ir.Statement, known: Mapping[str, int]) -> int:
    """How many arguments must be known before a clause can be checked."""
    own = (x.name for x in ir.find(said, ir.FrameName) if x.frame == "F")
    return max((known.get(name, 0) for name in own), default=0)


def _way(rules: BoundRuleset, routine: Routine) -> WayProgram:
    stem = f"w_{py(routine.name)}"
    bans = {word: [s for s in routine.body if isinstance(s, ban)] for word, ban in BANS.items()}

    def reasons(word: str) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
        return tuple((f"{stem}_{word}{i}", s.because or "", cited(s, routine)) for i, s in enumerate(bans[word]))

    def back(word: str) -> frozenset[str]:
        return frozenset(f"{stem}_{word}{i}" for i, s in enumerate(bans[word]) if looks_back(s.when))

    legs = tuple(
        (s.name, s.limit is not None, s.along, s.reaches is not None) for s in routine.body if isinstance(s, ir.Leg)
    )
    exempt = next((s for s in routine.body if isinstance(s, ir.Exempt)), None)
    moves = any(isinstance(s, ir.Budget) for s in routine.body)
    how = "" if exempt is None else "always" if exempt.when is None else f"{stem}_exempt0"
    return WayProgram(
        routine.name,
        len(routine.params),
        reasons("never"),
        reasons("halting"),
        legs,
        moves,
        how,
        routine.side_only,
        _reads(rules, routine),
        routine.ground,
        sight(rules, [s for s in routine.body if isinstance(s, ir.Let | ir.Never)]),
        back("never"),
        back("halting"),
        {k: g.reads for k, g in tables_of(rules, routine).items()} if moves else {},
    )
