"""Mutation: changes one rule line or table cell of a system at a time and sees whether any of its examples notices.

A mutant that no example notices (a survivor) shows a line that may be wrong without anyone knowing. Each mutant is
compiled once and meets only the examples that run the changed line, the quickest first, until one of them fails.
"""

from __future__ import annotations

import contextlib
import difflib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from types import FrameType
from typing import Any

import attrs

from campaigns.errors import CampaignError
from campaigns.locate import NotFound
from campaigns.systems import load_path
from dsl import declarations as d
from dsl.assemble import assemble
from dsl.bind import BodyBinder
from dsl.citations import cited
from dsl.load import SystemText, bound_or_raise
from dsl.mutants import Mutant, mutants
from dsl.ruleset import guarded
from dsl.tables import TableInfo, read_table, read_tables
from dsl.weave import weave
from interpreter.examples import Outcome, Variant, run_example, variants
from interpreter.program import Program, compile_program, table_function

__all__ = ["KILLED", "SURVIVED", "UNREACHED", "Verdict", "mutate"]

KILLED, SURVIVED, UNREACHED, STILLBORN = "killed", "survived", "unreached", "stillborn"
"""An example failed; all that run the line held; none runs the line; it could not be compiled and does not count."""

LONGEST = 20
"""Seconds after which an example that a mutant runs counts as failed."""

Place = tuple[str, int, int]
"""A line of a file and, in a table, which entry of the row (-1: any)."""


@attrs.frozen(slots=True)
class Verdict:
    """What became of a mutant. number: of the mutant; example: the name of the one that failed."""

    number: int
    fate: str
    example: str = ""


def mutate(
    system: str,
    workers: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    only: Collection[str] = (),
) -> dict[str, Any]:
    """Tries every mutant of a system, or of some of its files.

    Args:
        system: a system's name or folder.
        workers: how many processes, None: one for each core.
        progress: told how many mutants are done, and of how many.
        only: the files whose lines are changed, none: all of them. `battle` means `battle.rules`.

    Returns:
        mutants (those that could be compiled), killed, and survivors: of each file, line, change, text (the line as it
        stands) and reached (whether any example runs the line).

    Raises:
        CampaignError: an example fails already.
        RuleTextError: the text has errors.
        NotFound: there is no such system, or it has no such file.
    """
    bench = _laid_out(system)
    made = bench.numbers_in(only)
    _BENCHES[system] = bench
    _follow(bench, system)
    workers = max(1, min(os.cpu_count() or 1 if workers is None else workers, len(made) // 20))
    verdicts: list[Verdict] = []
    if workers == 1:
        for number in made:
            verdicts.append(bench.judge(number))
            if progress is not None:
                progress(len(verdicts), len(made))
    else:
        _BENCHES.pop(system)
        with ProcessPoolExecutor(
            workers, mp_context=get_context("spawn"), initializer=_begin, initargs=(system, bench.reached)
        ) as pool:
            waiting = [pool.submit(_judge, system, number) for number in made]
            try:
                for done in as_completed(waiting):
                    verdicts.append(done.result())
                    if progress is not None:
                        progress(len(verdicts), len(made))
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise
    return _counted(bench, sorted(verdicts, key=lambda v: v.number))


def _counted(bench: _Bench, verdicts: Sequence[Verdict]) -> dict[str, Any]:
    survivors = []
    for verdict in verdicts:
        if verdict.fate in {SURVIVED, UNREACHED}:
            mutant = bench.mutants[verdict.number]
            text = bench.text.files[mutant.span.file].line(mutant.span.line).strip()
            survivors.append(
                {"file": mutant.span.file, "line": mutant.span.line, "change": mutant.change, "text": text, "reached": verdict.fate == SURVIVED}
            )  # fmt: skip
    killed = sum(v.fate == KILLED for v in verdicts)
    return {"mutants": killed + len(survivors), "killed": killed, "survivors": survivors}


# ---- the bench -----------------------------------------------------------------------------------------------


@attrs.frozen(slots=True)
class _Trial:
    """One example under one choice of modules. seconds: how long it takes when nothing is changed."""

    example: d.Example
    variant: Variant
    seconds: float = 0.0


@attrs.define(slots=True)
class _Bench:
    """A system laid out for its mutants. reached: for each place the numbers of the trials that come there."""

    text: SystemText
    mutants: list[Mutant]
    trials: list[_Trial]
    tables: dict[frozenset[str], dict[str, TableInfo]]
    programs: dict[frozenset[str], Program]
    reached: dict[Place, list[int]] = attrs.field(factory=dict)

    def numbers_in(self, only: Collection[str]) -> list[int]:
        """The numbers of the mutants in these files; of all where none are named. Raises NotFound."""
        wanted = {name if name.endswith(".rules") else f"{name}.rules" for name in only}
        known = {x.span.file for x in self.text.own_declarations}
        for name in sorted(wanted - known):
            near = difflib.get_close_matches(name, known, 3) or sorted(known)
            raise NotFound(f"The system has no file {name}.", f"There is {', '.join(near)}.")
        return [n for n, m in enumerate(self.mutants) if not wanted or m.span.file in wanted]

    def judge(self, number: int) -> Verdict:
        """Compiles one mutant and runs the examples that come to its line until one of them fails."""
        mutant = self.mutants[number]
        chosen = self._trials_of(mutant)
        if not chosen:
            return Verdict(number, UNREACHED)
        made: dict[frozenset[str], Program | None] = {}
        for trial in chosen:
            active = trial.variant.modules
            if active not in made:
                made[active] = self._compiled(mutant, active)
            program = made[active]
            if program is None:
                return Verdict(number, STILLBORN)
            if _fails(program, trial):
                return Verdict(number, KILLED, trial.example.name)
        return Verdict(number, SURVIVED)

    def _trials_of(self, mutant: Mutant) -> list[_Trial]:
        """The trials that come to the changed line; where the line itself leaves no trace, to its declaration."""
        span = mutant.span
        found = self.reached.get((span.file, span.line, -1 if mutant.cell is None else mutant.cell), [])
        if mutant.cell is None and (not found or mutant.changed is None):
            whole = self.text.declarations[mutant.index].span
            found = sorted(
                {
                    n
                    for line in range(whole.line, whole.end_line + 1)
                    for n in self.reached.get((whole.file, line, -1), ())
                }
            )
        declared = self.text.declarations[mutant.index]
        if not found and isinstance(declared, d.Rule):
            # What only opens a phase to orders runs no line of its own: whoever plays with it may notice.
            found = [n for n, x in enumerate(self.trials) if guarded(declared.guards, x.variant.modules)]
        cites = {cite for cite, _ in cited(declared)}

        def likely(trial: _Trial) -> tuple[bool, bool, float]:
            return (trial.variant.modules != self.text.defaults, not cites & set(trial.example.cites), trial.seconds)

        return sorted((self.trials[n] for n in found), key=likely)

    def _compiled(self, mutant: Mutant, active: frozenset[str]) -> Program | None:
        """The program with the change in it; None when the language refuses it."""
        before = self.text.declarations[mutant.index]
        if isinstance(mutant.changed, d.Table):
            return self._with_table(mutant.changed, active)
        changed = [*self.text.declarations]
        changed[mutant.index : mutant.index + 1] = [] if mutant.changed is None else [mutant.changed]
        if not guarded(before.guards, active):
            return self.programs[active]
        ruleset, problems = assemble(changed, active)
        woven, more = weave(ruleset)
        binder = BodyBinder(ruleset, self.tables[active], woven)
        try:
            binder.bind_all()
            if any(p.is_error for p in (*problems, *more, *binder.problems)):
                return None
            return compile_program(binder, self.text.files)
        except Exception:  # noqa: BLE001 (a change may make what no text can say, and what no pass awaits)
            return None

    def _with_table(self, table: d.Table, active: frozenset[str]) -> Program | None:
        program = self.programs[active]
        problems: list[Any] = []
        info = read_table(program.ruleset, table, problems)
        if any(p.is_error for p in problems):
            return None
        return program.with_tables({table.name: table_function(info)})


_BENCHES: dict[str, _Bench] = {}


def _begin(system: str, reached: dict[Place, list[int]]) -> None:
    """Lays a system out in a worker."""
    _BENCHES[system] = _laid_out(system)
    _BENCHES[system].reached = reached


def _judge(system: str, number: int) -> Verdict:
    return _BENCHES[system].judge(number)


def _follow(bench: _Bench, system: str) -> None:
    """Runs every example once to see where it comes. Raises CampaignError."""
    for number, trial in enumerate(bench.trials):
        places, outcome, seconds = _followed(bench, trial)
        if not outcome.passed:
            raise CampaignError(
                f"The example {trial.example.name!r} fails already, before anything is changed.",
                f"`ophex test {system}` says why.",
            )
        bench.trials[number] = attrs.evolve(trial, seconds=seconds)
        for place in places:
            bench.reached.setdefault(place, []).append(number)


def _laid_out(system: str) -> _Bench:
    text = load_path(system)
    examples = [x for x in text.declarations if isinstance(x, d.Example)]
    trials = [_Trial(x, v) for x in examples for v in variants(x, text.defaults)]
    tables, programs = {}, {}
    for active in {t.variant.modules for t in trials}:
        binder = bound_or_raise(text, active)
        tables[active] = read_tables(binder.ruleset)[0]
        programs[active] = compile_program(binder, text.files)
    return _Bench(text, mutants(text.own_declarations), trials, tables, programs)


# ---- following one example -----------------------------------------------------------------------------------


def _followed(bench: _Bench, trial: _Trial) -> tuple[set[Place], Outcome, float]:
    """Runs an example and notes every rule line that it comes to, and every entry of a table that it looks up."""
    program = bench.programs[trial.variant.modules]
    spied: set[Place] = set()
    watched = program.with_tables({n: _spy(info, spied) for n, info in bench.tables[trial.variant.modules].items()})
    began = time.perf_counter()
    lines: set[tuple[str, int]] = set()
    with _watching(lines):
        outcome = run_example(watched, trial.example, trial.variant)
    seconds = time.perf_counter() - began
    spans = (program.rule_line(file, line) for file, line in lines)
    return {(s.file, s.line, -1) for s in spans if s is not None} | spied, outcome, seconds


def _spy(info: TableInfo, spied: set[Place]) -> Callable[..., Any]:
    """The table's function, which notes the entries that it gives."""
    look = table_function(info)
    places: dict[int, Place] = {}
    counted: dict[int, int] = {}
    for row in info.rows:
        entry = counted[row.span.line] = counted.get(row.span.line, -1) + 1
        places[id(row.cells)] = (row.span.file, row.span.line, entry)

    def looked(*keys: Any) -> Any:
        found = look(*keys)
        for cells in found if isinstance(found, list) else [found]:
            if id(cells) in places:
                spied.add(places[id(cells)])
        return found

    return looked


@contextlib.contextmanager
def _watching(lines: set[tuple[str, int]]) -> Iterator[None]:
    """Notes the lines of emitted rules that are run meanwhile."""

    def local(frame: FrameType, event: str, _: object) -> Any:
        if event == "line":
            lines.add((frame.f_code.co_filename, frame.f_lineno))
        return local

    def called(frame: FrameType, _event: str, _: object) -> Any:
        return local if frame.f_code.co_filename.startswith("<rules") else None

    before = sys.gettrace()
    sys.settrace(called)
    try:
        yield
    finally:
        sys.settrace(before)


def _fails(program: Program, trial: _Trial) -> bool:
    """Whether an example fails with this program; one that finds no end fails as well."""
    try:
        with _no_longer_than(LONGEST):
            return not run_example(program, trial.example, trial.variant).passed
    except Exception:  # noqa: BLE001 (whatever a wrong rule runs into has been noticed)
        return True


class _TooLong(Exception):
    """An example found no end."""


@contextlib.contextmanager
def _no_longer_than(seconds: int) -> Iterator[None]:
    """Raises _TooLong after some seconds, where the system can."""
    if not hasattr(signal, "SIGALRM") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: object) -> None:
        raise _TooLong

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
