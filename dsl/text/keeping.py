"""A folder of cached texts, each under a name that covers everything it depends on. It can be deleted without loss.

A text is kept with its digest. One that is damaged, or was not written completely, is ignored. Code that reads a text must treat
it as data: anybody may have written it.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import stat
import tempfile
from collections.abc import Iterable
from pathlib import Path

__all__ = ["digest", "folder", "keep", "kept", "name_of"]

MOST = 1500
"""The number of texts of a kind that are kept; beyond that, the least recently used are deleted."""

_cleared: set[tuple[Path, str]] = set()


def folder() -> Path | None:
    """The folder of the kept texts, readable only by its owner; None if no folder is writable or OPHEX_NO_CACHE is set."""
    if os.environ.get("OPHEX_NO_CACHE"):
        return None
    import platformdirs

    for place in (
        Path(platformdirs.user_cache_dir("ophex", appauthor=False)),
        Path(tempfile.gettempdir()) / f"ophex-cache-{os.getuid() if hasattr(os, 'getuid') else 0}",
    ):
        try:
            place.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(place, os.W_OK) and _own(place):
            return place
    return None


def _own(place: Path) -> bool:
    """Whether the folder belongs to this user and nobody else can write to it."""
    found = place.lstat()
    if not stat.S_ISDIR(found.st_mode):
        return False
    return not hasattr(os, "getuid") or (found.st_uid == os.getuid() and not found.st_mode & 0o022)


def name_of(kind: str, hangs_on: Iterable[str]) -> str:
    """The name of a text: its kind, and a digest of everything it depends on."""
    parts = hashlib.sha256()
    for one in hangs_on:
        data = one.encode("utf-8", "replace")
        parts.update(b"%d:" % len(data))
        parts.update(data)
    return f"{kind}-{parts.hexdigest()[:40]}.json"


def digest(text: str) -> str:
    """The digest of a text."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def kept(name: str) -> str | None:
    """The text of a name, if it exists and is intact."""
    place = folder()
    if place is None:
        return None
    with contextlib.suppress(OSError, UnicodeDecodeError):
        said, _, text = (place / name).read_text(encoding="utf-8").partition("\n")
        if said == digest(text):
            with contextlib.suppress(OSError):
                os.utime(place / name)  # it is in use: others are deleted first
            return text
    return None


def keep(name: str, text: str, most: int = MOST) -> None:
    """Writes a text atomically. The first time in a process, unused texts of its kind are deleted."""
    place = folder()
    if place is None:
        return
    with contextlib.suppress(OSError):
        handle, made = tempfile.mkstemp(dir=place)
        with os.fdopen(handle, "w", encoding="utf-8", errors="replace") as out:
            out.write(f"{digest(text)}\n{text}")
        Path(made).replace(place / name)
        kind = name.partition("-")[0]
        if (place, kind) not in _cleared:
            _cleared.add((place, kind))
            _clear(place, kind, most)


def _clear(place: Path, kind: str, most: int) -> None:
    found = sorted(place.glob(f"{kind}-*.json"), key=lambda p: p.stat().st_mtime)
    for path in found[: max(0, len(found) - most)]:
        path.unlink(missing_ok=True)


@functools.cache
def _program() -> Path:
    """The folder that contains the packages of the program."""
    return Path(__file__).parents[2]


@functools.cache
def stamp_of(*rooms: str) -> str:
    """A digest of complete packages of the program, and of what runs them: a changed program reads nothing that another one kept."""
    import sys
    from importlib.util import find_spec

    found = hashlib.sha256(sys.version.encode())
    for other in ("lark", "attr", "networkx"):  # the first module of each contains its version
        spec = find_spec(other)
        if spec is not None and spec.origin is not None:
            found.update(Path(spec.origin).read_bytes())
    for room in rooms:
        for file in sorted(_files(_program() / room)):
            found.update(str(file.relative_to(_program())).encode())
            found.update(file.read_bytes())
    return found.hexdigest()[:16]


def _files(room: Path) -> list[Path]:
    """The program files of a package and its subpackages."""
    return [Path(place, file) for place, _, files in os.walk(room) for file in files if file.endswith((".py", ".lark"))]
