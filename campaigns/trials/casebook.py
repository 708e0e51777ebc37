"""The casebook: running the examples of a system, trying positions, and measuring which rules the examples cover."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import attrs

from campaigns.file.errors import CampaignError
from campaigns.library.compiling import compiled
from campaigns.library.rule_texts import load_path
from campaigns.trials.workers import Crew, cores
from dsl.checks.citations import catalog_rules, rules_cited
from dsl.load import SystemText, bind_system, not_run, read_system
from dsl.rules.variants import Variant, variants
from dsl.syntax import declarations as d
from dsl.text.collecting import SELDOM, seldom_collected
from dsl.text.diagnostics import RuleTextError, sort_key
from dsl.text.source import SourceFile, path_of
from interpreter.examples.example_outcome import Outcome
from interpreter.examples.examples import run_example
from interpreter.explain.explanations import Explanation
from interpreter.runtime.refusals import Why


@attrs.frozen(slots=True)
class ExampleReport:
    """The results of the examples. failed: rows with name, file, line, expected, got."""

    examples: int
    passed: int
    failed: tuple[dict[str, Any], ...]
    outcomes: tuple[tuple[str, bool], ...]


@attrs.frozen(slots=True)
class TriedLine:
    """One expectation that was tried: its text, the result, and the explanation."""

    text: str
    value: str
    explanation: Explanation | None


@attrs.frozen(slots=True)
class TriedExample:
    """One example that was tried, or its block under other modules or options.

    failures: unmet expectations, in words; modules: those it ran under; options: those its block chose.
    """

    name: str
    lines: tuple[TriedLine, ...]
    failures: tuple[str, ...]
    modules: tuple[str, ...] = ()
    options: dict[str, str] = attrs.field(factory=dict)


R = TypeVar("R")

MANY = 100
"""From how many examples on several processes run them."""
MOST_AT_ONCE = 25
"""How many examples are one task for a process."""


def run_examples(
    paths: Iterable[str],
    pattern: str = "",
    progress: Callable[[int, int], None] | None = None,
    workers: int | None = 1,
) -> ExampleReport:
    """Runs the examples of systems or rule files.

    Args:
        paths: systems by name or folder, or rule files.
        pattern: only examples with this text in their name.
        progress: called with how many examples are done, and of how many.
        workers: how many processes, None: one for each core if there are many examples. The report is the same.

    Raises:
        RuleTextError: the text has errors.
        CampaignError: there is no such file or system, or a process ended before it was done.
    """
    rows = each_example(list(paths), pattern, _told, workers, progress)
    outcomes = tuple((name, not failed) for name, failed in rows.values())
    return ExampleReport(
        len(outcomes), sum(ok for _, ok in outcomes), tuple(r for _, failed in rows.values() for r in failed), outcomes
    )


def each_example(
    paths: Sequence[str],
    pattern: str,
    work: Callable[[SystemText, d.Example], R],
    workers: int | None = 1,
    progress: Callable[[int, int], None] | None = None,
) -> dict[tuple[int, int], R]:
    """The result of `work` for each example, by the number of its path and its own, in order.

    work: a function of a module, so that other processes can find it. The rest is as for `run_examples`.
    """
    if workers is not None and workers < 1:
        raise CampaignError(
            "Examples need at least one worker.", "Leave out the number to use one per core.", Why.OUT_OF_BOUNDS
        )
    chosen = [_Chosen.of(path, pattern) for path in paths]
    for one in chosen:
        compiled(one.text, one.text.defaults)
    tasks = [(work, pattern, path, numbers) for path, one in enumerate(chosen) for numbers in one.tasks()]
    tasks.sort(key=lambda task: -len(task[3]))
    whole = sum(len(one.examples) for one in chosen)
    count = 0

    def done(some: list[R] | None) -> None:
        nonlocal count
        count += len(some or ())
        if progress is not None:
            progress(count, whole)

    if workers is None:
        workers = cores() if whole >= MANY else 1
    found: list[list[R] | None] = [None] * len(tasks)
    if workers > 1 and len(tasks) > 1:
        with Crew(min(workers, len(tasks)), _begin, (list(paths),)) as crew:
            found = crew.do(_work_on, tasks, done)
    answers: dict[tuple[int, int], R] = {}
    with seldom_collected():
        for (_, _, path, numbers), some in zip(tasks, found, strict=True):
            if some is None:
                # Here, or in a process where the text under their modules has errors: those are raised here.
                some = [work(chosen[path].text, chosen[path].examples[n]) for n in numbers]
                done(some)
            answers |= {(path, n): answer for n, answer in zip(numbers, some, strict=True)}
    return dict(sorted(answers.items()))


_Rows = list[dict[str, Any]]


@attrs.frozen(slots=True, eq=False)
class _Chosen:
    """The examples of one path that are to be run."""

    text: SystemText
    examples: tuple[d.Example, ...]

    @classmethod
    def of(cls, path: str, pattern: str) -> _Chosen:
        """Those with a text in their names. Raises CampaignError."""
        text = load_path(path)
        found = [x for x in text.declarations if isinstance(x, d.Example) and pattern.lower() in x.name.lower()]
        if Path(path).is_file():
            own = {n for n in text.files if str(Path(path).resolve()).endswith("/" + n)}
            found = [x for x in found if x.span.file in own]
        return cls(text, tuple(found))

    def tasks(self) -> list[list[int]]:
        """The numbers of examples that run under the same modules, not too many at once."""
        defaults = self.text.defaults
        alike: dict[frozenset[str], list[int]] = {}
        for number, example in enumerate(self.examples):
            alike.setdefault(variants(example, defaults, self.text.modules)[0].modules, []).append(number)
        return [
            numbers[n : n + MOST_AT_ONCE] for numbers in alike.values() for n in range(0, len(numbers), MOST_AT_ONCE)
        ]


_OPEN: dict[tuple[str, int], _Chosen] = {}
"""In a process for examples: the texts that it has read, by pattern and number of the path."""
_NAMES: list[str] = []


def _begin(names: list[str]) -> None:
    """Makes a process ready for examples."""
    _NAMES[:] = names
    gc.set_threshold(*SELDOM)


def _work_on(work: Callable[[SystemText, d.Example], R], pattern: str, path: int, numbers: list[int]) -> list[R] | None:
    """The results of some examples; None if the text has errors under their modules."""
    if (pattern, path) not in _OPEN:
        _OPEN[pattern, path] = _Chosen.of(_NAMES[path], pattern)
        gc.freeze()
    one = _OPEN[pattern, path]
    try:
        return [work(one.text, one.examples[n]) for n in numbers]
    except RuleTextError:
        return None


def _told(text: SystemText, example: d.Example) -> tuple[str, _Rows]:
    """The name of an example and its failures."""
    return example.name, _run(text, example)


def _run(text: SystemText, example: d.Example) -> _Rows:
    """The failures of one example over all its variants."""
    rows: _Rows = []
    for variant in variants(example, text.defaults, text.modules):
        outcome = run_variant(text, example, variant)
        if not outcome.checks and not outcome.failures:
            rows.append(_row(text, example, example.span.line, "at least one line that states a result", "none"))
        rows += [_row(text, example, f.span.line, f.expected, f.got) for f in outcome.failures]
    return rows


def run_variant(text: SystemText, example: d.Example, variant: Variant, *, explain: bool = False) -> Outcome:
    """Runs an example under one choice of modules and options."""
    wrong = not_run(text, variant, variant.modules)
    if wrong is not None:
        raise RuleTextError([wrong], text.files)
    program = compiled(text, variant.modules)
    return run_example(program, example, variant, explain=explain)


def _row(text: SystemText, example: d.Example, line: int, expected: str, got: str) -> dict[str, Any]:
    return {
        "name": example.name,
        "file": path_of(example.span, text.files),
        "line": line,
        "expected": expected,
        "got": got,
    }


def try_file(system: str, file: str) -> list[TriedExample]:
    """The examples of a file of one's own, run on a system, every expectation explained.

    Raises RuleTextError, CampaignError.
    """
    from campaigns.library.rule_files import read_file

    text = load_path(system)
    path = Path(file)
    own = read_file(path, path.parent)
    source = SourceFile(f"try/{own.name}", own.text, own.path)
    if not own.text.strip():
        raise CampaignError(
            f"{file} contains no examples.", 'Write one: example "its name": with the position below it.', Why.RULES
        )
    others = [f for n, f in text.files.items() if not str(path.resolve()).endswith("/" + n) or f.text != own.text]
    read = read_system([*others, source], text.catalog, text.base_catalog)
    # The system's own examples are not run, so one of the file may have the name of one of theirs.
    said = tuple(x for x in read.declarations if not isinstance(x, d.Example) or x.span.file == source.name)
    both = attrs.evolve(read, declarations=said)
    mine = [p for p in (*both.problems, *bind_system(both)[1]) if p.is_error and p.span.file == source.name]
    if mine:
        raise RuleTextError(sorted(mine, key=sort_key), both.files)
    out = []
    for example in (x for x in both.declarations if isinstance(x, d.Example) and x.span.file == source.name):
        for variant in variants(example, both.defaults, both.modules):
            outcome = run_variant(both, example, variant, explain=True)
            lines = tuple(TriedLine(*shown) for shown in outcome.shown)
            out.append(
                TriedExample(
                    example.name,
                    lines,
                    tuple(f"line {f.span.line}: {f.said}" for f in outcome.failures),
                    tuple(filter(variant.modules.__contains__, both.modules)),
                    variant.options,
                )
            )
    return out


def coverage(system: str) -> dict[str, Any]:
    """Which rules of the catalog the texts cite, which have an example, and which are declared not modelled.

    missing: rules that nothing cites (and are not declared not modelled); untested: rules with no example.
    """
    text = load_path(system)
    rules = catalog_rules(text.catalog)
    cited = rules_cited(text.declarations, examples=False)
    tested = rules_cited(text.declarations, examples=True)
    excused = {c: x.reason for x in text.declarations if isinstance(x, d.NotModelled) for c in x.cites}
    wanted = [r for r in rules if r not in excused]
    missing = [r for r in wanted if r not in cited and r not in tested]
    untested = [r for r in wanted if r not in tested]
    modules: dict[str, dict[str, int]] = {}
    for rule, row in rules.items():
        counted = modules.setdefault(str(row.get("module", "")), {"rules": 0, "cited": 0, "tested": 0})
        counted["rules"] += 1
        counted["cited"] += rule in cited or rule in tested
        counted["tested"] += rule in tested
    return {
        "rules": len(rules), "cited": len(rules) - len(missing) - len(excused), "tested": sum(r in tested for r in wanted),
        "missing": missing, "untested": untested, "not_modelled": [{"rule": r, "reason": why} for r, why in excused.items()],
        "modules": modules, "mutants": 0, "killed": 0, "survivors": [],
    }  # fmt: skip
