"""Work in a process of its own (a fork), so that it leaves nothing behind here."""

from __future__ import annotations

import json
import os
import signal
import threading
import traceback
from collections.abc import Callable
from typing import TypeVar

__all__ = ["can_fork", "in_a_fork"]

R = TypeVar("R")


def can_fork() -> bool:
    """Whether there are forks here; with other threads they are not safe."""
    return hasattr(os, "fork") and threading.active_count() == 1


def in_a_fork(work: Callable[[], R]) -> R:
    """The result of some work, which is carried over as JSON.

    Raises:
        RuntimeError: the work failed, with its traceback, or its process was killed.
        KeyboardInterrupt: it was stopped.
    """
    coming, going = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.close(coming)
            with os.fdopen(going, "wb") as out:
                out.write(_sent(work))
        finally:
            os._exit(0)
    os.close(going)
    try:
        with os.fdopen(coming, "rb") as read:
            data = read.read()
    except BaseException:
        os.kill(child, signal.SIGKILL)  # what it finds is of no use any more, and it may not have heard Ctrl-C
        raise
    finally:
        _, status = os.waitpid(child, 0)
    if status:
        raise RuntimeError("A process was killed before it was done.")
    if not data:
        raise KeyboardInterrupt
    found: R
    done, found = json.loads(data)
    if not done:
        raise RuntimeError(found)
    return found


def _sent(work: Callable[[], object]) -> bytes:
    try:
        return json.dumps([True, work()]).encode()
    except KeyboardInterrupt:
        return b""
    except BaseException:  # noqa: BLE001 (it is told where somebody hears it)
        return json.dumps([False, traceback.format_exc()]).encode()
