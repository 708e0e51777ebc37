"""Mutation: it changes one rule line or table cell of a system at a time and checks whether any of its examples notices.

A mutant that no example notices (a survivor) shows a line that may be wrong without anyone knowing. Each mutant is
compiled once and meets only the examples that run the changed line, the quickest first, until one of them fails.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from campaigns.trials.mutation_bench import KILLED, SURVIVED, UNREACHED, Bench, MutantVerdict, Way, laid_out, said
from campaigns.trials.workers import Crew, cores
from dsl.text.collecting import SELDOM, seldom_collected

__all__ = ["KILLED", "SURVIVED", "UNREACHED", "MutantVerdict", "mutate", "said"]


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
        progress: called with how many mutants are done, and of how many.
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
    bench = laid_out(system, by)
    made = bench.numbers_in(only, again)
    workers = max(1, min(cores() if workers is None else workers, len(made) // 20))
    verdicts: list[MutantVerdict] = []

    def told(found: list[MutantVerdict]) -> None:
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


def _counted(bench: Bench, verdicts: Sequence[MutantVerdict]) -> dict[str, Any]:
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


_BENCHES: list[Bench] = []
"""In a separate process: its bench."""


def _begin(system: str, by: Collection[str]) -> None:
    """Prepares a system in a separate process."""
    _BENCHES[:] = [laid_out(system, by)]
    gc.freeze()
    gc.set_threshold(*SELDOM)


def _follow(numbers: list[int]) -> list[Way]:
    return [_BENCHES[0].follow(number) for number in numbers]


def _judge(some: list[tuple[int, list[int]]], seconds: Mapping[int, float]) -> list[MutantVerdict]:
    _BENCHES[0].take_times(seconds)
    return [_BENCHES[0].judge(number, chosen) for number, chosen in some]
