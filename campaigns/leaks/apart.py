"""Outputs that are printed in a process of their own (a fork), so that they leave nothing behind here.

What tries something on a game there takes one that is at hand, and it need not be built again for the next.
"""

from __future__ import annotations

import json
import os
import threading
import traceback
from collections.abc import Callable

__all__ = ["can_fork", "said_apart"]


def can_fork() -> bool:
    """Whether there are forks here; with other threads they are not safe."""
    return hasattr(os, "fork") and threading.active_count() == 1


def said_apart(say: Callable[[], str]) -> str:
    """What is said in a process of its own.

    Raises:
        RuntimeError: something failed there, with its traceback.
        KeyboardInterrupt: it was stopped.
    """
    coming, going = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.close(coming)
            with os.fdopen(going, "wb") as out:
                out.write(_sent(say))
        finally:
            os._exit(0)
    os.close(going)
    try:
        with os.fdopen(coming, "rb") as read:
            data = read.read()
    finally:
        os.waitpid(child, 0)
    if not data:
        raise KeyboardInterrupt  # it was stopped: nothing else ends it without a result
    kind, text = json.loads(data)
    if kind == "broken":
        raise RuntimeError(text)
    return str(text)


def _sent(say: Callable[[], str]) -> bytes:
    try:
        return json.dumps(["said", say()]).encode()
    except KeyboardInterrupt:
        return b""
    except BaseException:  # noqa: BLE001 (it is told where somebody hears it)
        return json.dumps(["broken", traceback.format_exc()]).encode()
