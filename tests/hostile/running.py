"""Making hostile inputs, trying each, shrinking those that fail, and keeping them."""

import contextlib
import json
import random
import resource
import signal
import time
import traceback
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from attrs import define, field, frozen

CORPUS = Path(__file__).with_name("corpus")
MOST_SECONDS = 10
"""Of work; a machine that others load makes no finding."""
MOST_WAITING = 60
"""Seconds on the clock, so that what waits for something is found too."""
MOST_BYTES = 1 << 30
MOST_TRIES = 150
"""So often a failing input is tried again to make it smaller."""
ROOMS = ("/dsl/", "/interpreter/", "/campaigns/", "/ui/")

Case = tuple[str, ...]
"""An input in parts, each of which may be left out: lines, commands, arguments."""


class Fault(Exception):
    """Something is wrong that raised nothing: an exit code, half a change. What it says tells one from another."""


class TooSlow(BaseException):
    """An input took too long; no handler for errors may catch it."""


@frozen
class Kind:
    """A kind of hostile input.

    Attributes:
        name: what it is called.
        make: makes one out of chance.
        feed: gives it to the program; raises where that fails.
        size: how many inputs it holds; a case of a game gives several one after the other.
    """

    name: str
    make: Callable[[random.Random], Case]
    feed: Callable[[Case], None]
    size: Callable[[Case], int] = lambda _: 1


@frozen
class Finding:
    """What went wrong. told: the same for inputs that fail alike."""

    told: str
    trace: str


@define
class Report:
    """What came of many inputs."""

    kind: str
    cases: int = 0
    inputs: int = 0
    findings: dict[str, tuple[Case, Finding]] = field(factory=dict)
    failed: int = 0
    slowest: float = 0.0
    seconds: float = 0.0

    @property
    def peak(self) -> int:
        """The most memory that the process ever had, in bytes."""
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

    def __str__(self) -> str:
        return (
            f"{self.kind}: {self.inputs:,} inputs in {self.cases:,} cases in {self.seconds:.0f} s, {self.failed} failed in {len(self.findings)} ways; "
            f"slowest {self.slowest:.2f} s, peak {self.peak / 1e6:.0f} MB"
        )


def tried(kind: Kind, case: Case) -> Finding | None:
    """What goes wrong with an input; None where all is well."""
    try:
        with _clocked():
            kind.feed(case)
    except (Exception, TooSlow, SystemExit) as error:  # noqa: BLE001 - that is what is looked for
        return Finding(_told(error), traceback.format_exc())
    return None


def bound_memory() -> None:
    """From now on this process gets no more than MOST_BYTES: what wants more fails, and is a finding."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + MOST_BYTES, resource.RLIM_INFINITY))


def run(
    kind: Kind, count: int, seed: int | str, told: Callable[[Report], object] | None = None, *, keep: bool = True
) -> Report:
    """Try so many inputs of a kind. The n-th of a seed is always the same, whatever came of those before it."""
    report = Report(kind.name)
    began = time.monotonic()
    for number in range(count):
        case = kind.make(random.Random(f"{kind.name}/{seed}/{number}"))
        start = time.monotonic()
        finding = tried(kind, case)
        report.slowest = max(report.slowest, time.monotonic() - start)
        report.cases += 1
        report.inputs += kind.size(case)
        report.seconds = time.monotonic() - began
        if finding is not None:
            report.failed += 1
            if finding.told not in report.findings:
                small = smaller(kind, case, finding)
                report.findings[finding.told] = small, finding
                if keep:
                    keep_case(kind, small, finding)
        if told is not None:
            told(report)
    return report


def smaller(kind: Kind, case: Case, finding: Finding) -> Case:
    """A part of an input that fails in the same way, roughly the smallest."""
    left = MOST_TRIES if finding.told != "too slow" else 8

    def fails(some: Case) -> bool:
        nonlocal left
        left -= 1
        again = tried(kind, some)
        return again is not None and again.told == finding.told

    size = max(1, len(case) // 2)
    while left > 0:
        start, cut = 0, False
        while start < len(case) and left > 0:
            shorter = case[:start] + case[start + size :]
            if shorter and fails(shorter):
                case, cut = shorter, True
            else:
                start += size
        if size == 1 and not cut:
            break
        size = max(1, size // 2)
    return case


def keep_case(kind: Kind, case: Case, finding: Finding) -> None:
    """Keep a failing input in the corpus."""
    folder = CORPUS / kind.name
    folder.mkdir(parents=True, exist_ok=True)
    name = sha256(finding.told.encode()).hexdigest()[:10]
    text = json.dumps({"found": finding.told, "case": list(case)}, indent=1)
    (folder / f"{name}.json").write_text(f"{text}\n", encoding="utf-8")


def kept(kind: str) -> list[tuple[str, Case]]:
    """What was found of a kind: names and inputs."""
    files = sorted((CORPUS / kind).glob("*.json"))
    return [(file.stem, tuple(json.loads(file.read_text(encoding="utf-8"))["case"])) for file in files]


@contextlib.contextmanager
def _clocked() -> Iterator[None]:
    def stop(*_: Any) -> None:
        raise TooSlow

    limits = ((signal.ITIMER_PROF, signal.SIGPROF, MOST_SECONDS), (signal.ITIMER_REAL, signal.SIGALRM, MOST_WAITING))
    before = [signal.signal(sign, stop) for _, sign, _ in limits]
    for timer, _, seconds in limits:
        signal.setitimer(timer, seconds)
    try:
        yield
    finally:
        for (timer, sign, _), handler in zip(limits, before, strict=True):
            signal.setitimer(timer, 0)
            signal.signal(sign, handler)


def _told(error: BaseException) -> str:
    if isinstance(error, TooSlow):
        return "too slow"
    if isinstance(error, Fault):
        return str(error)
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if any(room in frame.filename for room in ROOMS)]
    place = own[-1] if own else frames[-1]
    return f"{type(error).__name__} in {'/'.join(place.filename.split('/')[-2:])}, {place.name}"
