"""Pausing Python's garbage collector during work that allocates much and discards little."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator

SELDOM = (50_000, 20, 50)
"""Thresholds of Python's garbage collector for work of which most lasts."""


@contextlib.contextmanager
def uncollected() -> Iterator[None]:
    """Lets the garbage lie meanwhile."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@contextlib.contextmanager
def seldom_collected() -> Iterator[None]:
    """Takes all that is there now for lasting, and looks for garbage among what comes meanwhile less often."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(*SELDOM)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


__all__ = ["SELDOM", "seldom_collected", "uncollected"]
