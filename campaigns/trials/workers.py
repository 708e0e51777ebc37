"""Work spread over processes: one for each core, with results in the order of the tasks. A process that dies is reported."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from typing import Any, Self, TypeVar

from campaigns.file.errors import CampaignError

R = TypeVar("R")


def cores() -> int:
    """How many processes can run at once, on the cores that are available to this process."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _begin(ready: Callable[..., None] | None, given: tuple[Any, ...]) -> None:
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if ready is not None:
        ready(*given)


def _end_with_parent() -> None:
    # A worker does not notice that its parent process was killed: it would wait for its next task forever.
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


class Crew:
    """Several processes that do one task after another.

    Args:
        workers: how many processes.
        ready: done once in each of them, with `given`, before its first task.
        given: the argument of `ready`.
    """

    def __init__(self, workers: int, ready: Callable[..., None] | None = None, given: tuple[Any, ...] = ()) -> None:
        self._pool = ProcessPoolExecutor(
            workers, mp_context=get_context("spawn"), initializer=_begin, initargs=(ready, given)
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    def do(
        self, work: Callable[..., R], tasks: Sequence[tuple[Any, ...]], done: Callable[[R], None] | None = None
    ) -> list[R]:
        """The result of `work` for the arguments of each task, in the order of the tasks.

        Args:
            work: a function of a module, so that other processes can find it.
            tasks: its arguments, preferably the slowest first.
            done: called with each result as it arrives, in any order.

        Raises:
            CampaignError: a process ended before it was done.
            Exception: any exception of `work`.
        """
        try:
            waiting = [self._pool.submit(work, *task) for task in tasks]
            for one in as_completed(waiting):
                answer = one.result()
                if done is not None:
                    done(answer)
            return [one.result() for one in waiting]
        except BrokenProcessPool:
            raise CampaignError(
                "One of the worker processes ended before it was done.",
                "There may be too little memory for so many. Try a single worker with `--workers 1`.",
            ) from None
