"""The case book: running the examples of a system, trying positions, and measuring which rules the examples cover."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import attrs

from campaigns.errors import CampaignError
from campaigns.systems import compiled, load_path
from dsl import declarations as d
from dsl.citations import catalog_rules, rules_cited
from dsl.diagnostics import RuleTextError, sort_key
from dsl.load import SystemText, bind_system, read_system
from dsl.source import SourceFile
from interpreter.examples import Outcome, Variant, run_example, variants
from interpreter.explain import Explanation


@attrs.frozen(slots=True)
class ExampleReport:
    """What became of the examples. failed: rows with name, file, line, expected, got."""

    examples: int
    passed: int
    failed: tuple[dict[str, Any], ...]
    outcomes: tuple[tuple[str, bool], ...]


@attrs.frozen(slots=True)
class TriedLine:
    """One expectation that was tried: its text, what came, and how it came about."""

    text: str
    value: str
    explanation: Explanation | None


@attrs.frozen(slots=True)
class TriedExample:
    """One example that was tried. failures: what was not met, in words."""

    name: str
    lines: tuple[TriedLine, ...]
    failures: tuple[str, ...]


def run_examples(
    paths: Iterable[str], pattern: str = "", progress: Callable[[int, int], None] | None = None
) -> ExampleReport:
    """Runs the examples of systems or rule files. Raises RuleTextError when the text has errors."""
    failed: list[dict[str, Any]] = []
    outcomes: list[tuple[str, bool]] = []
    for path in paths:
        text = load_path(path)
        chosen = [x for x in text.declarations if isinstance(x, d.Example) and pattern.lower() in x.name.lower()]
        if Path(path).is_file():
            own = {n for n in text.files if str(Path(path).resolve()).endswith("/" + n)}
            chosen = [x for x in chosen if x.span.file in own]
        compiled(text, text.defaults)
        for number, example in enumerate(chosen):
            if progress is not None:
                progress(number, len(chosen))
            rows = _run(text, example)
            outcomes.append((example.name, not rows))
            failed += rows
    return ExampleReport(len(outcomes), sum(ok for _, ok in outcomes), tuple(failed), tuple(outcomes))


def _run(text: SystemText, example: d.Example) -> list[dict[str, Any]]:
    """The failures of one example over all its variants."""
    rows: list[dict[str, Any]] = []
    for variant in variants(example, text.defaults):
        outcome = run_variant(text, example, variant)
        if not outcome.checks and not outcome.failures:
            rows.append(_row(example, example.span.line, "at least one line that says what comes out", "none"))
        rows += [_row(example, f.span.line, f.expected, f.got) for f in outcome.failures]
    return rows


def run_variant(text: SystemText, example: d.Example, variant: Variant, *, explain: bool = False) -> Outcome:
    """Runs an example under one choice of modules and options."""
    program = compiled(text, variant.modules)
    return run_example(program, example, variant, explain=explain)


def _row(example: d.Example, line: int, expected: str, got: str) -> dict[str, Any]:
    return {"name": example.name, "file": example.span.file, "line": line, "expected": expected, "got": got}


def try_file(system: str, file: str) -> list[TriedExample]:
    """The examples of a file of one's own, run on a system, every expectation explained.

    Raises RuleTextError, CampaignError.
    """
    from campaigns.systems import read_file

    text = load_path(system)
    path = Path(file)
    own = read_file(path, path.parent)
    source = SourceFile(f"try/{own.name}", own.text)
    if not own.text.strip():
        raise CampaignError(f"{file} holds no example.", 'Write one: example "its name": and the position under it.')
    others = [f for n, f in text.files.items() if not str(path.resolve()).endswith("/" + n) or f.text != own.text]
    both = read_system([*others, source], text.catalog, text.base_catalog)
    mine = [p for p in (*both.problems, *bind_system(both)[1]) if p.is_error and p.span.file == source.name]
    if mine:
        raise RuleTextError(sorted(mine, key=sort_key), both.files)
    out = []
    for example in (x for x in both.declarations if isinstance(x, d.Example) and x.span.file == source.name):
        for variant in variants(example, both.defaults):
            outcome = run_variant(both, example, variant, explain=True)
            lines = tuple(TriedLine(*shown) for shown in outcome.shown)
            out.append(
                TriedExample(
                    example.name,
                    lines,
                    tuple(f"line {f.span.line}: expected {f.expected}; got {f.got}" for f in outcome.failures),
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
