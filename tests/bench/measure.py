"""Timing and memory for benches: several ways of doing one thing, alternating in one process, as ratios to the peer.

Times are CPU times of this process (user and system), and the garbage collector is off during a run. The ways
alternate so that a busy machine slows all of them alike. Read the ratios, not the milliseconds.

Importing this module puts the folder of the project on the path, so that a bench runs from anywhere.
"""

import gc
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))


def cpu_seconds(work: Callable[[], Any], calls: int = 1) -> float:
    """The CPU time of some calls in a row, together."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        begin = time.process_time_ns()
        for _ in range(calls):
            work()
        return (time.process_time_ns() - begin) / 1e9
    finally:
        if collecting:
            gc.enable()


def in_turns(ways: Mapping[str, Callable[[], Any]], rounds: int = 7, *, calls: int = 1) -> dict[str, float]:
    """The median CPU seconds of one call of each way over `rounds` rounds, after one round that is not counted.

    At its turn a way is called `calls` times in a row: more than once where a call is so short that finding the
    caches full of another way's memory would weigh more than its work.
    """
    taken: dict[str, list[float]] = {name: [] for name in ways}
    for number in range(rounds + 1):
        for name, work in ways.items():
            seconds = cpu_seconds(work, calls)
            if number:
                taken[name].append(seconds / calls)
    return {name: statistics.median(times) for name, times in taken.items()}


def kept_bytes(build: Callable[[], Any]) -> tuple[Any, int]:
    """What `build` returns, and the bytes that stay allocated for it (as Python and numpy count them)."""
    gc.collect()
    tracemalloc.start()
    try:
        built = build()
        gc.collect()
        return built, tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()


def peak_bytes(work: Callable[[], Any]) -> int:
    """The bytes allocated at the worst moment of one call."""
    gc.collect()
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def table(title: str, peer: str, seconds: Mapping[str, float], memory: Mapping[str, int] | None = None) -> str:
    """A table in text: each way, its time, its ratio to the peer, and the memory beside it."""
    lines = [title, f"  {'way':<44}{'time':>12}{'ratio':>9}{'memory':>12}"]
    for name, taken in seconds.items():
        stored = f"{memory[name] / 1e6:,.2f} MB" if memory and name in memory else ""
        mark = "  (peer)" if name == peer else ""
        lines.append(f"  {name:<44}{_time(taken):>12}{taken / seconds[peer]:>9.4f}{stored:>12}{mark}")
    return "\n".join(lines)


def _time(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.2f} {unit}"
    return f"{seconds * 1e6:.1f} us"
