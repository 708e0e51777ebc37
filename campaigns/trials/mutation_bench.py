"""The bench of mutation: a system prepared with its mutants and its examples, and the result of one mutant."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import attrs

from campaigns.file.errors import CampaignError
from campaigns.library.locate import NotFound
from campaigns.library.rule_texts import load_path
from campaigns.trials.lines_run import LinesTrial, Place, fails, followed
from dsl.binding import bind_rules
from dsl.checks.citations import cited
from dsl.checks.mutants import Mutant, mutants
from dsl.data.tables import read_table
from dsl.load import SystemText, bound_or_raise
from dsl.rules.assemble import assemble
from dsl.rules.ruleset import guarded
from dsl.rules.variants import variants
from dsl.rules.weave import weave
from dsl.syntax import declarations as d
from dsl.text.collecting import uncollected
from interpreter.program.program import Program
from interpreter.runtime.table_rows import table_function
from interpreter.setup.compile_rules import compile_program

__all__ = ["KILLED", "STILLBORN", "SURVIVED", "UNREACHED", "Bench", "MutantVerdict", "Way", "laid_out", "said"]

KILLED, SURVIVED, UNREACHED, STILLBORN = "killed", "survived", "unreached", "stillborn"
"""An example failed; all that run the line passed; none runs the line; it could not be compiled and is ignored."""

CITATION = re.compile(r"\s*\[[^\]]*\]\s*$")

LONG = 2.0
"""An example that takes this many seconds while it is traced is tried after all others: another may notice sooner."""


@attrs.frozen(slots=True)
class MutantVerdict:
    """The result of a mutant. number: of the mutant; example: the name of the one that failed."""

    number: int
    fate: str
    example: str = ""


@attrs.frozen(slots=True)
class Way:
    """What a trial reaches without changes, whether it passes, and how long it takes."""

    number: int
    places: frozenset[Place]
    passed: bool
    seconds: float


@attrs.define(slots=True)
class Bench:
    """A system prepared for its mutants. reached: for each place, the numbers of the trials that reach it.

    killers: for each declaration, the trials that noticed a change of it, the last one first.
    """

    text: SystemText
    mutants: list[Mutant]
    trials: list[LinesTrial]
    programs: dict[frozenset[str], Program] = attrs.field(factory=dict)
    reached: dict[Place, list[int]] = attrs.field(factory=dict)
    killers: dict[int, list[int]] = attrs.field(factory=dict)

    def program(self, active: frozenset[str]) -> Program:
        """The unchanged system under some modules."""
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

    def follow(self, number: int) -> Way:
        """Runs a trial to see what it reaches."""
        places, outcome, seconds = followed(self.program(self.trials[number].variant.modules), self.trials[number])
        return Way(number, frozenset(places), outcome.passed, seconds)

    def know(self, ways: list[Way], system: str) -> None:
        """Notes what the trials reach. Raises CampaignError if one fails."""
        for way in sorted(ways, key=lambda way: way.number):
            trial = self.trials[way.number]
            if not way.passed:
                raise CampaignError(
                    f"The example {trial.example.name!r} already fails before anything is changed.",
                    f"Find out why with `ophex test {system}`.",
                )
            self.trials[way.number] = attrs.evolve(trial, seconds=way.seconds)
            for place in way.places:
                self.reached.setdefault(place, []).append(way.number)

    def take_times(self, seconds: Mapping[int, float]) -> None:
        """Notes how long trials take that another process has traced: a long one is not an endless one."""
        for number, long in seconds.items():
            self.trials[number] = attrs.evolve(self.trials[number], seconds=long)

    def judge_tasks(self, made: Sequence[int]) -> list[tuple[list[tuple[int, list[int]]], dict[int, float]]]:
        """The mutants with their trials and the run times of these, grouped by declaration, not too many at once."""
        alike: dict[int, list[int]] = {}
        for number in made:
            alike.setdefault(self.mutants[number].index, []).append(number)
        parts = [
            [(number, self.trials_of(number)) for number in some[n : n + 12]]
            for some in alike.values()
            for n in range(0, len(some), 12)
        ]
        return [(part, {n: self.trials[n].seconds for _, chosen in part for n in chosen}) for part in parts]

    def known_by(self, number: int) -> tuple[str, str, str]:
        """What identifies a mutant independently of its position: its file, the text of its line, the change."""
        mutant = self.mutants[number]
        file = mutant.span.file
        return file, said(self.text.files[file].line(mutant.span.line)), mutant.change

    def numbers_in(self, only: Collection[str], again: Collection[Mapping[str, Any]] | None = None) -> list[int]:
        """The numbers of the mutants in these files, or in all if none are named; only those to try again, if given.

        Raises NotFound if there is no such file.
        """
        wanted = _files(only, {x.span.file for x in self.text.own_declarations})
        found = [n for n, m in enumerate(self.mutants) if not wanted or m.span.file in wanted]
        if again is None:
            return found
        named = {(x["file"], said(x["text"]), x["change"]) for x in again}
        return [n for n in found if self.known_by(n) in named]

    def judge(self, number: int, chosen: list[int]) -> MutantVerdict:
        """Compiles one mutant and runs the trials that reach its line until one of them fails.

        Those that noticed another change of the same declaration come first, slow ones last.
        """
        mutant = self.mutants[number]
        if not chosen:
            return MutantVerdict(number, UNREACHED)
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
                return MutantVerdict(number, STILLBORN)
            if fails(program, trial):
                known[:] = [n, *(x for x in known if x != n)]
                return MutantVerdict(number, KILLED, trial.example.name)
        return MutantVerdict(number, SURVIVED)

    def trials_of(self, mutated: int) -> list[int]:
        """The trials that reach the changed line, or its declaration if the line itself leaves no trace."""
        mutant = self.mutants[mutated]
        span = mutant.span
        found = self.reached.get((span.file, span.line, -1 if mutant.cell is None else mutant.cell), [])
        if mutant.cell is None and (not found or mutant.changed is None):
            whole = self.text.declarations[mutant.index].span
            # It ends before the first column of the next line.
            beyond = whole.end_line + (whole.end_column > 1)
            found = sorted(
                {n for line in range(whole.line, beyond) for n in self.reached.get((whole.file, line, -1), ())}
            )
        declared = self.text.declarations[mutant.index]
        if not found and isinstance(declared, d.Rule):
            # A line that only opens a phase to orders runs no code of its own: any trial that plays with it may notice.
            found = [n for n, x in enumerate(self.trials) if guarded(declared.guards, x.variant.modules)]
        cites = {cite for cite, _ in cited(declared)}

        def likely(number: int) -> tuple[bool, bool, float]:
            trial = self.trials[number]
            return (trial.variant.modules != self.text.defaults, not cites & set(trial.example.cites), trial.seconds)

        return sorted(found, key=likely)

    def _compiled(self, mutant: Mutant, active: frozenset[str]) -> Program | None:
        """The program with the change in it; None if the language rejects it."""
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
        except Exception:  # noqa: BLE001 (a change may produce what no text can express, and what no pass expects)
            return None

    def _with_table(self, table: d.Table, active: frozenset[str]) -> Program | None:
        program = self.program(active)
        problems: list[Any] = []
        info = read_table(program.ruleset, table, problems)
        if any(p.is_error for p in problems):
            return None
        return program.with_tables({table.name: table_function(info)})


def laid_out(system: str, by: Collection[str]) -> Bench:
    """A system with its mutants and its trials, those of some files or all. Raises RuleTextError, NotFound."""
    text = load_path(system)
    examples = [x for x in text.declarations if isinstance(x, d.Example)]
    if by:
        wanted = _files(by, {x.span.file for x in examples})
        examples = [x for x in examples if x.span.file in wanted]
    trials = [LinesTrial(x, v) for x in examples for v in variants(x, text.defaults, text.modules)]
    return Bench(text, mutants(text.own_declarations), trials)


def said(line: str) -> str:
    """The text of a line, without the citation at its end and the blanks in between."""
    return " ".join(CITATION.sub("", line).split())


def _files(names: Collection[str], known: set[str]) -> set[str]:
    """Files by their names, with or without the ending. Raises NotFound for an unknown one."""
    wanted = {name if name.endswith(".rules") else f"{name}.rules" for name in names}
    for name in sorted(wanted - known):
        near = difflib.get_close_matches(name, known, 3) or sorted(known)
        raise NotFound(f"The system has no file {name}.", f"It has: {', '.join(near)}.")
    return wanted
