"""Pausing Python's garbage collector during work that allocates much and discards little."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator

SELDOM = (50_000, 20, 50)
"""Thresholds of Python's garbage collector for work whose objects mostly survive."""


@contextlib.contextmanager
def uncollected() -> Iterator[None]:
    """Turns the garbage collector off inside the block."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@contextlib.contextmanager
def seldom_collected() -> Iterator[None]:
    """Treats all existing objects as permanent, and collects garbage among new ones less often inside the block."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(*SELDOM)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


__all__ = ["SELDOM", "seldom_collected", "uncollected"]
