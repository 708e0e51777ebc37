"""A cache of parsed files, so that unchanged rule text needs no parser. Losing it loses nothing."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import pickle
import tempfile
from pathlib import Path

from dsl.declarations import Declaration
from dsl.diagnostics import Diagnostic
from dsl.source import SourceFile

PARSING = (
    "build.py", "build_expressions.py", "build_lines.py", "collecting.py", "declarations.py", "diagnostics.py", "grammar.lark", "layout.py",
    "lines.py", "parse.py", "remedies.py", "source.py", "stumble.py", "tree.py", "words.py",
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
    """Whether the folder belongs to this user: what is in it is loaded as objects."""
    return not hasattr(os, "getuid") or place.stat().st_uid == os.getuid()


@functools.cache
def stamp() -> str:
    """A digest of all that parsing is done with: a changed grammar reads nothing that an older one kept."""
    digest = hashlib.sha256()
    room = Path(__file__).parent
    for name in PARSING:
        digest.update((room / name).read_bytes())
    return digest.hexdigest()[:16]


def parsed(file: SourceFile) -> Found:
    """The declarations of a file and what is wrong with it, from the cache when its text is unchanged."""
    place = folder()
    if place is None:
        return _parse(file)
    key = hashlib.sha256(f"{stamp()}\0{file.name}\0{file.text}".encode("utf-8", "replace")).hexdigest()[:40]
    path = place / f"parsed-{key}.pickle"
    with contextlib.suppress(
        OSError, pickle.UnpicklingError, EOFError, AttributeError, ImportError, ValueError, TypeError, IndexError
    ):
        found: Found = pickle.loads(path.read_bytes())  # noqa: S301 (our own file in the user's own folder)
        return found
    found = _parse(file)
    _keep(path, found)
    return found


def _parse(file: SourceFile) -> Found:
    from dsl.parse import parse

    result = parse(file)
    return result.declarations, result.diagnostics


def _keep(path: Path, found: Found) -> None:
    """Writes an entry whole or not at all, and now and then clears old ones out."""
    with contextlib.suppress(OSError, RecursionError, pickle.PicklingError):
        data = pickle.dumps(found, protocol=pickle.HIGHEST_PROTOCOL)
        handle, name = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "wb") as out:
            out.write(data)
        Path(name).replace(path)
        _clear(path.parent)


def _clear(place: Path, most: int = 1500) -> None:
    kept = sorted(place.glob("parsed-*.pickle"), key=lambda p: p.stat().st_mtime)
    for path in kept[: max(0, len(kept) - most)]:
        path.unlink(missing_ok=True)
