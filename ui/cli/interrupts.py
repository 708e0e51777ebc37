"""Ctrl-C, also where Python would lose it: while a generator that nobody needs any more is being closed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

__all__ = ["heeded"]

SOON = 0.05
"""Seconds until a lost Ctrl-C comes again."""


@contextmanager
def heeded() -> Iterator[None]:
    """Ctrl-C that Python could only report as ignored comes a second time, where it is heeded."""
    before = sys.unraisablehook

    def hook(lost: UnraisableHookArgs) -> None:
        if not issubclass(lost.exc_type, KeyboardInterrupt):
            before(lost)
            return
        import _thread
        import threading

        again = threading.Timer(SOON, _thread.interrupt_main)
        again.daemon = True
        again.start()

    sys.unraisablehook = hook
    try:
        yield
    finally:
        sys.unraisablehook = before
