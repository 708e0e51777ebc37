"""Mutation: changes one rule line or table cell of a system at a time and sees whether any of its examples notices.

A mutant that no example notices (a survivor) shows a line that may be wrong without anyone knowing. Each mutant is
compiled once and meets only the examples that run the changed line, the quickest first, until one of them fails.
"""

from __future__ import annotations

import contextlib
import difflib
import gc
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from types import FrameType
from typing import Any

import attrs

from campaigns.errors import CampaignError
from campaigns.locate import NotFound
from campaigns.systems import load_path
from campaigns.workers import Crew, cores
from dsl.binding import bind_rules
from dsl.checks.citations import cited
from dsl.checks.mutants import Mutant, mutants
from dsl.data.table_data import TableInfo
from dsl.data.tables import read_table
from dsl.load import SystemText, bound_or_raise
from dsl.rules.assemble import assemble
from dsl.rules.ruleset import guarded
from dsl.rules.weave import weave
from dsl.syntax import declarations as d
from dsl.text.collecting import SELDOM, seldom_collected, uncollected
from interpreter.examples import Outcome, Variant, run_example, variants
from interpreter.program import Program, compile_program
from interpreter.table_rows import table_function

__all__ = ["KILLED", "SURVIVED", "UNREACHED", "Verdict", "mutate", "said"]

KILLED, SURVIVED, UNREACHED, STILLBORN = "killed", "survived", "unreached", "stillborn"
"""An example failed; all that run the line held; none runs the line; it could not be compiled and does not count."""

CITATION = re.compile(r"\s*\[[^\]]*\]\s*$")

LEAST = 5.0
MANY_TIMES = 50
"""An example counts as failed when it works so many seconds on a mutant, and so many times longer than before."""

LONG = 2.0
"""An example that works so many seconds while it is followed is tried after all others: another may notice sooner."""

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
    again: Collection[Mapping[str, Any]] | None = None,
    by: Collection[str] = (),
) -> dict[str, Any]:
    """Tries every mutant of a system, or some of them.

    Args:
        system: a system's name or folder.
        workers: how many processes, None: one for each core.
        progress: told how many mutants are done, and of how many.
        only: the files whose lines are changed, none: all of them. `battle` means `battle.rules`.
        again: the survivors of an earlier run, to try none but these. Lines may have moved meanwhile: a survivor is
            known by its file, its text and its change.
        by: the files whose examples are tried, none: all of them.

    Returns:
        mutants (those that could be compiled), killed, and survivors: of each file, line, change, text (the line as it
        stands) and reached (whether any example runs the line).

    Raises:
        CampaignError: an example fails already.
        RuleTextError: the text has errors.
        NotFound: there is no such system, or it has no such file.
    """
    bench = _laid_out(system, by)
    made = bench.numbers_in(only, again)
    workers = max(1, min(cores() if workers is None else workers, len(made) // 20))
    verdicts: list[Verdict] = []

    def told(found: list[Verdict]) -> None:
        verdicts.extend(found)
        if progress is not None:
            progress(len(verdicts), len(made))

    if workers == 1:
        with seldom_collected():
            bench.know([bench.follow(number) for number in range(len(bench.trials))], system)
            for number in made:
                told([bench.judge(number, bench.trials_of(number))])
    else:
        with Crew(workers, _begin, (system, by)) as crew:
            bench.know([x for some in crew.do(_follow, bench.follow_tasks()) for x in some], system)
            crew.do(_judge, bench.judge_tasks(made), told)
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


@attrs.frozen(slots=True)
class _Way:
    """Where a trial comes when nothing is changed, whether it holds, and how long it takes."""

    number: int
    places: frozenset[Place]
    passed: bool
    seconds: float


@attrs.define(slots=True)
class _Bench:
    """A system laid out for its mutants. reached: for each place the numbers of the trials that come there.

    killers: for each declaration the trials that noticed a change of it, the last one first.
    """

    text: SystemText
    mutants: list[Mutant]
    trials: list[_Trial]
    programs: dict[frozenset[str], Program] = attrs.field(factory=dict)
    reached: dict[Place, list[int]] = attrs.field(factory=dict)
    killers: dict[int, list[int]] = attrs.field(factory=dict)

    def program(self, active: frozenset[str]) -> Program:
        """The system as it stands under some modules."""
        if active not in self.programs:
            self.programs[active] = compile_program(bound_or_raise(self.text, active), self.text.files)
        return self.programs[active]

    def follow_tasks(self) -> list[tuple[list[int]]]:
        """The numbers of all trials, those under the same modules together."""
        alike: dict[frozenset[str], list[int]] = {}
        for number, trial in enumerate(self.trials):
            alike.setdefault(trial.variant.modules, []).append(number)
        tasks = [(some[n : n + 25],) for some in alike.values() for n in range(0, len(some), 25)]
        return sorted(tasks, key=lambda task: -len(task[0]))

    def follow(self, number: int) -> _Way:
        """Runs a trial to see where it comes."""
        places, outcome, seconds = _followed(self.program(self.trials[number].variant.modules), self.trials[number])
        return _Way(number, frozenset(places), outcome.passed, seconds)

    def know(self, ways: list[_Way], system: str) -> None:
        """Takes in where the trials come. Raises CampaignError when one fails."""
        for way in sorted(ways, key=lambda way: way.number):
            trial = self.trials[way.number]
            if not way.passed:
                raise CampaignError(
                    f"The example {trial.example.name!r} fails already, before anything is changed.",
                    f"`ophex test {system}` says why.",
                )
            self.trials[way.number] = attrs.evolve(trial, seconds=way.seconds)
            for place in way.places:
                self.reached.setdefault(place, []).append(way.number)

    def judge_tasks(self, made: Sequence[int]) -> list[tuple[list[tuple[int, list[int]]]]]:
        """The mutants with their trials, those of one declaration together, not too many at once."""
        alike: dict[int, list[int]] = {}
        for number in made:
            alike.setdefault(self.mutants[number].index, []).append(number)
        return [
            ([(number, self.trials_of(number)) for number in some[n : n + 12]],)
            for some in alike.values()
            for n in range(0, len(some), 12)
        ]

    def known_by(self, number: int) -> tuple[str, str, str]:
        """What tells a mutant from others, wherever it stands: its file, the text of its line, the change."""
        mutant = self.mutants[number]
        file = mutant.span.file
        return file, said(self.text.files[file].line(mutant.span.line)), mutant.change

    def numbers_in(self, only: Collection[str], again: Collection[Mapping[str, Any]] | None = None) -> list[int]:
        """The numbers of the mutants in these files, of all where none are named; of them those to try again.

        Raises NotFound where there is no such file.
        """
        wanted = _files(only, {x.span.file for x in self.text.own_declarations})
        found = [n for n, m in enumerate(self.mutants) if not wanted or m.span.file in wanted]
        if again is None:
            return found
        named = {(x["file"], said(x["text"]), x["change"]) for x in again}
        return [n for n in found if self.known_by(n) in named]

    def judge(self, number: int, chosen: list[int]) -> Verdict:
        """Compiles one mutant and runs the trials that come to its line until one of them fails.

        First come those that noticed another change of the same declaration, last those that take long.
        """
        mutant = self.mutants[number]
        if not chosen:
            return Verdict(number, UNREACHED)
        made: dict[frozenset[str], Program | None] = {}
        known = self.killers.setdefault(mutant.index, [])
        here = set(chosen)
        tried = dict.fromkeys((*(n for n in known if n in here), *chosen))
        for n in sorted(tried, key=lambda n: self.trials[n].seconds > LONG):
            trial = self.trials[n]
            active = trial.variant.modules
            if active not in made:
                made[active] = self._compiled(mutant, active)
            program = made[active]
            if program is None:
                return Verdict(number, STILLBORN)
            if _fails(program, trial):
                known[:] = [n, *(x for x in known if x != n)]
                return Verdict(number, KILLED, trial.example.name)
        return Verdict(number, SURVIVED)

    def trials_of(self, mutated: int) -> list[int]:
        """The trials that come to the changed line; where the line itself leaves no trace, to its declaration."""
        mutant = self.mutants[mutated]
        span = mutant.span
        found = self.reached.get((span.file, span.line, -1 if mutant.cell is None else mutant.cell), [])
        if mutant.cell is None and (not found or mutant.changed is None):
            whole = self.text.declarations[mutant.index].span
            # It ends before the first column of the line that follows it.
            beyond = whole.end_line + (whole.end_column > 1)
            found = sorted(
                {n for line in range(whole.line, beyond) for n in self.reached.get((whole.file, line, -1), ())}
            )
        declared = self.text.declarations[mutant.index]
        if not found and isinstance(declared, d.Rule):
            # What only opens a phase to orders runs no line of its own: whoever plays with it may notice.
            found = [n for n, x in enumerate(self.trials) if guarded(declared.guards, x.variant.modules)]
        cites = {cite for cite, _ in cited(declared)}

        def likely(number: int) -> tuple[bool, bool, float]:
            trial = self.trials[number]
            return (trial.variant.modules != self.text.defaults, not cites & set(trial.example.cites), trial.seconds)

        return sorted(found, key=likely)

    def _compiled(self, mutant: Mutant, active: frozenset[str]) -> Program | None:
        """The program with the change in it; None when the language refuses it."""
        before = self.text.declarations[mutant.index]
        if isinstance(mutant.changed, d.Table):
            return self._with_table(mutant.changed, active)
        changed = [*self.text.declarations]
        changed[mutant.index : mutant.index + 1] = [] if mutant.changed is None else [mutant.changed]
        if not guarded(before.guards, active):
            return self.program(active)
        tables = self.program(active).rules.tables
        try:
            with uncollected():
                ruleset, problems = assemble(changed, active)
                woven, more = weave(ruleset)
                rules, wrong = bind_rules(ruleset, tables, woven)
                if any(p.is_error for p in (*problems, *more, *wrong)):
                    return None
                program = compile_program(rules, self.text.files)
                program.traced  # noqa: B018 (emitted here, since this too can fail)
                return program
        except Exception:  # noqa: BLE001 (a change may make what no text can say, and what no pass awaits)
            return None

    def _with_table(self, table: d.Table, active: frozenset[str]) -> Program | None:
        program = self.program(active)
        problems: list[Any] = []
        info = read_table(program.ruleset, table, problems)
        if any(p.is_error for p in problems):
            return None
        return program.with_tables({table.name: table_function(info)})


def said(line: str) -> str:
    """What a line says, without the citation at its end and the blanks between."""
    return " ".join(CITATION.sub("", line).split())


def _files(names: Collection[str], known: set[str]) -> set[str]:
    """Files by their names, with or without the ending. Raises NotFound where one is not known."""
    wanted = {name if name.endswith(".rules") else f"{name}.rules" for name in names}
    for name in sorted(wanted - known):
        near = difflib.get_close_matches(name, known, 3) or sorted(known)
        raise NotFound(f"The system has no file {name}.", f"There is {', '.join(near)}.")
    return wanted


_BENCHES: list[_Bench] = []
"""In a process of its own: the bench it works at."""


def _begin(system: str, by: Collection[str]) -> None:
    """Lays a system out in a process of its own."""
    _BENCHES[:] = [_laid_out(system, by)]
    gc.freeze()
    gc.set_threshold(*SELDOM)


def _follow(numbers: list[int]) -> list[_Way]:
    return [_BENCHES[0].follow(number) for number in numbers]


def _judge(some: list[tuple[int, list[int]]]) -> list[Verdict]:
    return [_BENCHES[0].judge(number, chosen) for number, chosen in some]


def _laid_out(system: str, by: Collection[str]) -> _Bench:
    """A system with its mutants and its trials, those of some files or all. Raises RuleTextError, NotFound."""
    text = load_path(system)
    examples = [x for x in text.declarations if isinstance(x, d.Example)]
    if by:
        wanted = _files(by, {x.span.file for x in examples})
        examples = [x for x in examples if x.span.file in wanted]
    trials = [_Trial(x, v) for x in examples for v in variants(x, text.defaults, text.modules)]
    return _Bench(text, mutants(text.own_declarations), trials)


# ---- following one example -----------------------------------------------------------------------------------


def _followed(program: Program, trial: _Trial) -> tuple[set[Place], Outcome, float]:
    """Runs an example and notes every rule line that it comes to, and every entry of a table that it looks up."""
    spied: set[Place] = set()
    watched = program.with_tables({n: _spy(info, spied) for n, info in program.rules.tables.items()})
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
        with _no_longer_than(max(LEAST, MANY_TIMES * trial.seconds)):
            return not run_example(program, trial.example, trial.variant).passed
    except Exception:  # noqa: BLE001 (whatever a wrong rule runs into has been noticed)
        return True


class _TooLong(Exception):
    """An example found no end."""


@contextlib.contextmanager
def _no_longer_than(seconds: float) -> Iterator[None]:
    """Raises _TooLong after so many seconds of work, where the system can count them."""
    if not hasattr(signal, "SIGPROF") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: object) -> None:
        raise _TooLong

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
