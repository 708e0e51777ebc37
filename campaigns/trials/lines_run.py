"""Running one example: which rule lines and table entries it reaches, and whether it fails with a changed program."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import attrs

from dsl.data.table_data import TableInfo
from dsl.rules.variants import Variant
from dsl.syntax import declarations as d
from interpreter.examples.example_outcome import Outcome
from interpreter.examples.examples import run_example
from interpreter.program.program import Program
from interpreter.runtime.table_rows import table_function

__all__ = ["LinesTrial", "Place", "fails", "followed"]

LEAST = 5.0
MANY_TIMES = 10
"""An example fails if it takes more than this many seconds on a mutant, and this many times longer than before."""

Place = tuple[str, int, int]
"""A line of a file and, in a table, which entry of the row (-1: any)."""


@attrs.frozen(slots=True)
class LinesTrial:
    """One example under one choice of modules. seconds: how long it takes without changes."""

    example: d.Example
    variant: Variant
    seconds: float = 0.0


def followed(program: Program, trial: LinesTrial) -> tuple[set[Place], Outcome, float]:
    """Runs an example and notes every rule line that it reaches, every table entry that it looks up, and its run time."""
    spied: set[Place] = set()
    watched = program.with_tables({n: _spy(info, spied) for n, info in program.rules.tables.items()})
    began = time.process_time()
    lines: set[tuple[str, int]] = set()
    with _watching(lines):
        outcome = run_example(watched, trial.example, trial.variant)
    seconds = time.process_time() - began
    spans = (program.rule_line(file, line) for file, line in lines)
    return {(s.file, s.line, -1) for s in spans if s is not None} | spied, outcome, seconds


def _spy(info: TableInfo, spied: set[Place]) -> Callable[..., Any]:
    """The table's function, which notes the entries that it returns."""
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
    """Notes the lines of emitted rules that are run within this context."""

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


def fails(program: Program, trial: LinesTrial) -> bool:
    """Whether an example fails with this program; one that never ends fails as well."""
    try:
        with _no_longer_than(max(LEAST, MANY_TIMES * trial.seconds)):
            return not run_example(program, trial.example, trial.variant).passed
    except Exception:  # noqa: BLE001 (any error of a wrong rule has been noticed)
        return True


class _TooLong(Exception):
    """An example did not end."""


@contextlib.contextmanager
def _no_longer_than(seconds: float) -> Iterator[None]:
    """Raises _TooLong after this many seconds of run time, if the system can measure them."""
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
