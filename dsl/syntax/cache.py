"""A cache of parsed files, so that unchanged rule text needs no parser. Losing it loses nothing.

An entry is plain text with a digest (`dsl/syntax/tree_text.py`). It is read as data and can do nothing, whoever wrote it.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import stat
import tempfile
from pathlib import Path

from dsl.syntax.declarations import Declaration
from dsl.syntax.tree_text import Unreadable, read, written
from dsl.text.diagnostics import Diagnostic
from dsl.text.source import SourceFile

PARSING = (
    "syntax/__init__.py", "syntax/build.py", "syntax/build_expressions.py", "syntax/build_lines.py", "syntax/declarations.py",
    "syntax/grammar.lark", "syntax/layout.py", "syntax/lines.py", "syntax/parse.py", "syntax/stumble.py", "syntax/tree.py",
    "syntax/words.py", "text/__init__.py", "text/collecting.py", "text/diagnostics.py", "text/remedies.py", "text/source.py",
    "text/withheld.py",
)  # fmt: skip
"""The files on which it hangs what a text is parsed to: `parse.py` and all that it imports."""

Found = tuple[tuple[Declaration, ...], tuple[Diagnostic, ...]]


def folder() -> Path | None:
    """The cache's folder, readable by its owner alone; None when there is nowhere to write or OPHEX_NO_CACHE is set."""
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
    """Whether the folder belongs to this user and nobody else may write there."""
    found = place.lstat()
    if not stat.S_ISDIR(found.st_mode):
        return False
    return not hasattr(os, "getuid") or (found.st_uid == os.getuid() and not found.st_mode & 0o022)


@functools.cache
def stamp() -> str:
    """A digest of all that parsing and keeping is done with: a changed grammar reads nothing that an older one kept."""
    digest = hashlib.sha256()
    language = Path(__file__).parents[1]
    for name in (*PARSING, "syntax/tree_text.py"):
        digest.update((language / name).read_bytes())
    return digest.hexdigest()[:16]


def parsed(file: SourceFile) -> Found:
    """The declarations of a file and what is wrong with it, from the cache when its text is unchanged."""
    place = folder()
    if place is None:
        return _parse(file)
    key = hashlib.sha256(f"{stamp()}\0{file.name}\0{file.text}".encode("utf-8", "replace")).hexdigest()[:40]
    path = place / f"parsed-{key}.json"
    with contextlib.suppress(OSError, UnicodeDecodeError, Unreadable):
        found: Found = _checked(path.read_text(encoding="utf-8"))
        return found
    found = _parse(file)
    _keep(path, found)
    return found


def _checked(entry: str) -> Found:
    """What an entry holds. Raises Unreadable where its digest is not that of its text."""
    digest, _, text = entry.partition("\n")
    if digest != _digest(text):
        raise Unreadable("another digest")
    found = read(text)
    if not (isinstance(found, tuple) and len(found) == 2 and all(isinstance(x, tuple) for x in found)):
        raise Unreadable("no parsed file")
    return found


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def _parse(file: SourceFile) -> Found:
    from dsl.syntax.parse import parse

    result = parse(file)
    return result.declarations, result.diagnostics


def _keep(path: Path, found: Found) -> None:
    """Writes an entry whole or not at all, and now and then clears old ones out."""
    with contextlib.suppress(OSError, RecursionError):
        text = written(found)
        handle, name = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            out.write(f"{_digest(text)}\n{text}")
        Path(name).replace(path)
        _clear(path.parent)


def _clear(place: Path, most: int = 1500) -> None:
    kept = sorted(place.glob("parsed-*.json"), key=lambda p: p.stat().st_mtime)
    for path in kept[: max(0, len(kept) - most)]:
        path.unlink(missing_ok=True)
