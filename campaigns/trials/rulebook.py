"""The rulebook of a system: its examples are run, and its handbook is made with their results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from campaigns.library.compiling import compiled
from campaigns.library.rule_texts import load_path
from campaigns.trials.casebook import each_example, run_variant
from dsl.load import SystemText
from dsl.manual.handbook_parts import Handbook, Result
from dsl.manual.making_handbook import handbook
from dsl.rules.variants import variants
from dsl.syntax import body_lines as ln
from dsl.syntax import declarations as d
from interpreter.examples.example_outcome import Outcome
from interpreter.messages.view import MapView
from interpreter.queries.project import bare_map

__all__ = ["live_results", "rulebook"]


def rulebook(
    system: str, progress: Callable[[int, int], None] | None = None, workers: int | None = 1
) -> tuple[Handbook, dict[str, MapView]]:
    """The handbook of a system with the results of its examples, and the maps of its rules by name.

    Args:
        system: a system's name or folder.
        progress: called with how many examples were run, and of how many.
        workers: how many processes run them, None: one for each core if there are many.

    Raises:
        RuleTextError: the text has errors.
        NotFound: there is no such system.
    """
    text = load_path(system)
    program = compiled(text)
    results = live_results(system, progress, workers)
    maps = {name: bare_map(program, name) for name in program.ruleset.maps}
    return handbook(text.declarations, text.files, text.catalog, results), maps


def live_results(
    system: str, progress: Callable[[int, int], None] | None = None, workers: int | None = 1
) -> dict[tuple[str, int], Result]:
    """The result of every expectation in an example, by file and line."""
    found: dict[tuple[str, int], Result] = {}
    for results in each_example([system], "", _live, workers, progress).values():
        found |= results
    return found


def _live(text: SystemText, example: d.Example) -> dict[tuple[str, int], Result]:
    """The results of the lines of one example."""
    found: dict[tuple[str, int], Result] = {}
    for variant in variants(example, text.defaults, text.modules):
        outcome = run_variant(text, example, variant)
        for line, result in _results(variant.lines, outcome):
            found[line.span.file, line.span.line] = result
    return found


def _results(lines: Sequence[ln.Line], outcome: Outcome) -> Iterator[tuple[ln.Line, Result]]:
    """Each expectation with its result; a line that fails for another reason is included, and nothing after it was checked."""
    failed = {f.span.line: f for f in outcome.failures}
    values = iter(outcome.shown)
    for line in lines:
        failure = failed.get(line.span.line)
        shown = next(values, None) if isinstance(line, ln.Expectation) else None
        if failure is not None:
            yield line, Result(False, shown[1] if shown and isinstance(line, ln.Then) else "", f"{failure.got}")
        elif isinstance(line, ln.Expectation):
            if shown is None:
                return
            yield line, Result(True, shown[1])
