"""The files in which letters come: those that are named, and those in folders that are, without what is no letter."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ui.cli.exits import UsageError

__all__ = ["files_of"]

MOST_FILES = 1_000
"""The number of letters that may be read at once."""
NO_LETTERS = {".svg", ".ophex", ".png", ".html", ".pdf", ".zip", ".jpg", ".json", ".csv"}
REPORT = "-report.md"
"""The end of the name of a report: it may be in a folder of letters, but is not one."""


def files_of(paths: Sequence[str]) -> list[tuple[Path, bool]]:
    """The files to read, and whether each was found in a folder.

    Raises:
        UsageError: there is no such file or folder, or there are far too many.
    """
    found: list[tuple[Path, bool]] = []
    for said in paths:
        path = Path(said)
        if path.is_dir():
            inner = (one for one in path.rglob("*") if one.is_file() and not one.is_symlink())
            letters = [one for one in inner if not _is_no_letter(one.name)]
            found += [(one, True) for one in sorted(letters, key=lambda one: _counted(str(one.relative_to(path))))]
        elif path.is_file():
            found.append((path, False))
        else:
            raise UsageError(f"There is no file or folder {said}.", kind="file", file=said)
    if len(found) > MOST_FILES:
        raise UsageError(f"{len(found):,} files are too many: the maximum is {MOST_FILES:,}.", "Name a smaller folder.")
    return found


def _is_no_letter(name: str) -> bool:
    return Path(name).suffix.lower() in NO_LETTERS or name.startswith(".") or name.endswith(REPORT)


def _counted(name: str) -> list[Any]:
    """A sort key that compares numbers by value: `red.txt`, `red-2.txt`, `red-10.txt`."""
    stem, dot, ending = name.lower().rpartition(".")
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", stem if dot else ending)]
