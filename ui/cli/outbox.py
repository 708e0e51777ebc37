"""The folder that an umpire sends from: receipts and reminders that went out with earlier packets are removed from it.

Only files that ophex wrote for that seat are removed; a template that somebody has filled in stays. The command of `--hook` is
told what is new.
"""

import re
from pathlib import Path
from typing import TYPE_CHECKING

from ui.cli import talking

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["called", "drop_reminder", "drop_template", "drop_what_was_sent", "run_hook"]

SENT_WITH = re.compile(r"ophex receipt for (?P<seat>\S+?)(?:, packet (?P<number>\d{1,9}))?\s*")
REMINDED = re.compile(r"ophex reminder for (?P<seat>\S+)\s*")
TEMPLATE = re.compile(r"orders of (?P<seat>\S+?), packet .*|end of orders|#.*|\s*")
HOOK_PATIENCE = 120
"""The time limit for a command of `--hook`, in seconds."""
MOST = 100_000
"""A file that is larger is none of these texts."""


def called(seat: str) -> str:
    """The name that the files of a seat begin with: `red-tom` for `red/tom`."""
    return seat.replace("/", "-")


def drop_what_was_sent(folder: Path, seat: str, number: int, *, is_written_to: bool) -> list[str]:
    """Removes the receipt of a seat if it went out with a packet before this one, and a reminder if something newer takes its place.

    Args:
        folder: the folder.
        seat: the side or the commander.
        number: the number of the packet that is written now, or of the next one if only receipts are written.
        is_written_to: whether a packet or a receipt is written for the seat now.
    """
    file = folder / f"{called(seat)}-receipt.txt"
    found = SENT_WITH.fullmatch(_lines(file)[0])
    was_sent = found is not None and found["seat"] == seat and int(found["number"] or 0) < number
    return [*([_removed(file)] if was_sent else []), *(drop_reminder(folder, seat) if is_written_to else [])]


def drop_reminder(folder: Path, seat: str) -> list[str]:
    """Removes the reminder of a seat."""
    file = folder / f"{called(seat)}-reminder.txt"
    found = REMINDED.fullmatch(_lines(file)[0])
    return [_removed(file)] if found is not None and found["seat"] == seat else []


def drop_template(folder: Path, seat: str) -> list[str]:
    """Removes the template of somebody who gives orders no longer, unless something was written into it."""
    file = folder / f"{called(seat)}-orders.txt"
    lines = _lines(file)
    found = TEMPLATE.fullmatch(lines[0])
    is_empty = all(TEMPLATE.fullmatch(line) for line in lines)
    return [_removed(file)] if found is not None and found["seat"] == seat and is_empty else []


def _lines(file: Path) -> list[str]:
    """The lines of a file, at least one; an empty one if it is no text of ours."""
    if file.is_symlink() or not file.is_file() or file.stat().st_size > MOST:
        return [""]
    return file.read_text(encoding="utf-8", errors="replace").splitlines() or [""]


def _removed(file: Path) -> str:
    file.unlink(missing_ok=True)
    return str(file)


def run_hook(words: "Sequence[str]", side: str, files: "Sequence[Path]") -> int:
    """Run the command of `--hook` for a packet; returns its exit code."""
    import subprocess

    try:
        done = subprocess.run(  # noqa: S603 (the umpire named it; no text of a player is in it)
            [*words, side, *map(str, files)], check=False, timeout=HOOK_PATIENCE, stdout=subprocess.DEVNULL
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        talking.note(f"--hook for {side}: {error}")
        return 1
    if done.returncode:
        talking.note(f"--hook for {side} ended with exit code {done.returncode}.")
    return done.returncode
