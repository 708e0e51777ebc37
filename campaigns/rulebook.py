"""The rulebook of a system: its examples are run, and its handbook is written with what came of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from campaigns.casebook import each_example, run_variant
from campaigns.errors import CampaignError
from campaigns.systems import compiled, load_path
from dsl.load import SystemText
from dsl.manual.handbook import Result, pages
from dsl.syntax import declarations as d
from dsl.syntax import lines as ln
from interpreter.examples import Outcome, variants
from interpreter.program import Program
from interpreter.project import bare_map
from interpreter.view import MapView

__all__ = ["live_results", "write_handbook"]

MOST_DRAWN = 5_000
"""A map of more places stands in the handbook in letters alone: the page would be too large."""


def write_handbook(
    system: str,
    folder: str | Path,
    progress: Callable[[int, int], None] | None = None,
    workers: int | None = 1,
    draw: Callable[[MapView], str] | None = None,
) -> dict[str, Any]:
    """Writes the handbook of a system into a folder.

    Args:
        system: a system's name or folder.
        folder: made if it is not there; pages of an older handbook are written over.
        progress: told how many examples were run, and of how many.
        workers: how many processes run them, None: one for each core where there are many.
        draw: makes a picture of a map, as an SVG element; without it maps are set in letters.

    Returns:
        folder, pages (their names), examples (how many lines say what comes out), failed (how many of them do not hold).

    Raises:
        CampaignError: the folder cannot be written.
        RuleTextError: the text has errors.
        NotFound: there is no such system.
    """
    text = load_path(system)
    program = compiled(text)
    pictures = _pictures(program, draw) if draw is not None else {}
    results = live_results(system, progress, workers)
    made = pages(text.declarations, text.files, text.catalog, results, pictures)
    place = Path(folder)
    try:
        place.mkdir(parents=True, exist_ok=True)
        for name, page in made.items():
            (place / name).write_text(page, encoding="utf-8")
    except OSError as error:
        raise CampaignError(
            f"{place} cannot be written: {error.strerror}.", "Name a folder of your own with --out."
        ) from None
    failed = sum(not r.ok for r in results.values())
    return {"folder": str(place), "pages": sorted(made), "examples": len(results), "failed": failed}


def _pictures(program: Program, draw: Callable[[MapView], str]) -> dict[str, str]:
    """The maps of the rules as pictures, by name; one that is too large for a page is left out."""
    boards = ((name, bare_map(program, name)) for name in program.ruleset.maps)
    return {name: draw(board) for name, board in boards if len(board.places) <= MOST_DRAWN}


def live_results(
    system: str, progress: Callable[[int, int], None] | None = None, workers: int | None = 1
) -> dict[tuple[str, int], Result]:
    """What comes of every line of an example that says what comes out, by file and line."""
    found: dict[tuple[str, int], Result] = {}
    for results in each_example([system], "", _live, workers, progress).values():
        found |= results
    return found


def _live(text: SystemText, example: d.Example) -> dict[tuple[str, int], Result]:
    """What comes of the lines of one example."""
    found: dict[tuple[str, int], Result] = {}
    for variant in variants(example, text.defaults, text.modules):
        outcome = run_variant(text, example, variant)
        for line, result in _results(variant.lines, outcome):
            found[line.span.file, line.span.line] = result
    return found


def _results(lines: Sequence[ln.Line], outcome: Outcome) -> Iterator[tuple[ln.Line, Result]]:
    """Each expectation with what came; a line that fails otherwise is told as well, and nothing after it was asked."""
    failed = {f.span.line: f for f in outcome.failures}
    values = iter(outcome.shown)
    for line in lines:
        failure = failed.get(line.span.line)
        shown = next(values, None) if isinstance(line, ln.Then) else None
        if failure is not None:
            yield line, Result(False, shown[1] if shown else "", f"{failure.got}")
        elif isinstance(line, ln.Then):
            if shown is None:
                return
            yield line, Result(True, shown[1])
        elif isinstance(line, ln.ThenMay | ln.ThenMayAnswer):
            yield line, Result(True, "refused" if line.negated else "allowed")
        elif isinstance(line, ln.ThenBegins):
            yield (
                line,
                Result(
                    True, "refused" if line.negated else f"{line.warning} warning" if line.warning else "fit to begin"
                ),
            )
        elif isinstance(line, ln.ThenOver):
            yield line, Result(True, "it goes on" if line.negated else "it is over")
        elif isinstance(line, ln.ThenTold):
            yield line, Result(True, "told" if line.texts else "nothing")
        elif isinstance(line, ln.ThenKnows):
            yield line, Result(True, "not known" if line.negated else "known")
