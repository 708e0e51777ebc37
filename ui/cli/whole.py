"""Files that are written in full or not at all, whenever the program is stopped: written beside their place, then moved into it."""

import contextlib
import secrets
import shutil
from os import path as paths
from pathlib import Path

__all__ = ["put"]


def put(file: Path, data: str | bytes) -> Path:
    """Write a file, replacing an existing one. A text is written as UTF-8, with its line ends unchanged.

    Raises:
        OSError: it cannot be written; an existing file is unchanged.
    """
    raw = data.encode("utf-8") if isinstance(data, str) else data
    place = Path(paths.realpath(file))
    if place.exists() and not place.is_file():  # a device or a pipe is written directly
        place.write_bytes(raw)
        return file
    draft = place.with_name(f".{secrets.token_hex(6)}.new")
    try:
        draft.write_bytes(raw)
        if place.exists():
            shutil.copymode(place, draft)
        draft.replace(place)
    except OSError as error:
        if error.filename is None or error.filename == str(
            draft
        ):  # the writing itself names no file, and nobody knows the draft
            error.filename = str(file)
        raise
    finally:
        with contextlib.suppress(OSError):  # where nothing can be written, nothing can be removed either
            draft.unlink()
    return file
