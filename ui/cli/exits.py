"""How a command ends: the exit codes, and what is printed when something goes wrong.

Two families of errors reach people: text that is wrong (diagnostics) and an act that is not possible now (refusals).
Both are recognized by their fields, so that this module imports none of the packages that raise them. Anything else is a bug
in ophex and is reported as one.
"""

import contextlib
import errno
import os
import sys
from enum import IntEnum

from ui.cli.known_errors import ROOMS, is_for_people
from ui.cli.one_object import is_awaited, print_refused
from ui.cli.plain import clipped

__all__ = ["ExitCode", "UsageError", "tell"]


NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}
"""A disk is full, or fails."""


class ExitCode(IntEnum):
    """The exit codes; these numbers never change."""

    DONE = 0
    """Success."""
    WRONG = 1
    """The command was refused, or a check found errors."""
    USAGE = 2
    """The command line was not understood."""
    FAULT = 70
    """ophex itself failed; the number is EX_SOFTWARE of sysexits.h."""
    INTERRUPTED = 130
    """It was stopped with Ctrl+C."""
    PIPE_CLOSED = 141
    """The reader of the output stopped reading, as `head` does."""


class UsageError(Exception):
    """A usage error that only the command itself can detect.

    Attributes:
        message: what is wrong, a full sentence.
        hint: what to do instead, a full sentence or empty.
        kind: its kind (`interpreter/runtime/refusals.py`); about: what it mentions.
    """

    def __init__(self, message: str, hint: str = "", kind: str = "not-understood", **about: str) -> None:
        super().__init__(message)
        self.message, self.hint = message, hint
        self.kind, self.about = kind, about


def tell(error: BaseException) -> ExitCode:
    """Report an error to the user, or as the JSON object that the command still owes; returns the exit code."""
    if os.environ.get("OPHEX_DEBUG") == "1":
        import traceback

        traceback.print_exception(error, file=sys.stderr)
    code, said = _told(error)
    if is_awaited() and code != ExitCode.PIPE_CLOSED:
        try:
            print_refused(error)
            sys.stdout.flush()
        except BrokenPipeError:
            return ExitCode.PIPE_CLOSED
    elif said:
        _say(said)
    return code


def _told(error: BaseException) -> tuple[ExitCode, str]:
    if isinstance(error, UsageError):
        return ExitCode.USAGE, _with_hint(error)
    if isinstance(error, KeyboardInterrupt):
        return ExitCode.INTERRUPTED, "Stopped."
    if isinstance(error, BrokenPipeError):
        return ExitCode.PIPE_CLOSED, ""
    if is_for_people(error):
        return ExitCode.WRONG, _with_hint(error)
    if isinstance(error, OSError) and error.filename is not None:
        return ExitCode.WRONG, f"{os.fsdecode(error.filename)}: {error.strerror}."
    if (
        isinstance(error, OSError) and error.errno in NO_ROOM
    ):  # what was being written names no file, as standard output
        return ExitCode.WRONG, f"The output could not be written: {error.strerror}."
    return ExitCode.FAULT, _fault(error)


def _with_hint(error: BaseException) -> str:
    lines = [_message(error)]
    cites = getattr(error, "cites", ())
    if cites:
        lines.append(f"  rule: {', '.join(str(cite) for cite in cites)}")
    hint = getattr(error, "hint", "")
    if hint:
        lines.append(f"  hint: {hint}")
    return "\n".join(lines)


def _message(error: BaseException) -> str:
    render = getattr(error, "render", None)
    if render is not None:  # diagnostics show the source lines that they are about
        return str(render())
    message = str(getattr(error, "message", error))
    file, line = getattr(error, "file", ""), getattr(error, "line", 0)
    return f"{file}:{line}: {message}" if file and line else message


def _fault(error: BaseException) -> str:
    what = f"{type(error).__name__}: {error}".rstrip(": ")
    lines = [
        f"This is a fault in ophex, not in your rules or your campaign: {what}{_place(error)}",
        "  A campaign file keeps everything up to its last accepted input; no input is ever half recorded.",
    ]
    if os.environ.get("OPHEX_DEBUG") != "1":
        lines.append("  Run the command again with OPHEX_DEBUG=1 in front of it to see where it failed.")
    lines.append("  Please report the command, its output and the output of `ophex --version`.")
    return "\n".join(lines)


def _place(error: BaseException) -> str:
    """The place in our own code where it failed; empty if unknown."""
    from pathlib import Path

    home = Path(__file__).resolve().parents[2]
    place, step = "", error.__traceback__
    while step is not None:
        file = Path(step.tb_frame.f_code.co_filename)
        if any(file.is_relative_to(home / room) for room in ROOMS):
            place = f" ({file.relative_to(home)}, line {step.tb_lineno})"
        step = step.tb_next
    return place


def _say(text: str) -> None:
    with contextlib.suppress(OSError):  # stderr may be closed
        print(clipped(text), file=sys.stderr, flush=True)
