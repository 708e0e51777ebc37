"""Signs that a terminal would obey instead of showing, and signs that turn the direction of writing: shown as their code.

Files of strangers, mailed orders and arguments may hold them. `main` puts a `PlainStream` in the place of stdout and stderr, so that
nothing that is printed has to care; what colours its own output takes the stream beneath and cleans its texts itself.
"""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

__all__ = ["PlainStream", "beneath", "escaped", "plain", "plain_streams"]

UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Control signs but tab and line end, and the marks that turn the direction of writing."""


def plain(text: str) -> str:
    r"""A text as it may be shown: `\x1b` for an escape sign, `\u202e` for a mark that turns the writing."""
    return UNSEEN.sub(lambda found: ascii(found[0])[1:-1], text)


def escaped(json: str) -> str:
    """JSON in which such signs are written by their numbers: they stand only inside its strings."""
    return UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", json)


class PlainStream:
    """A stream of text that writes everything plain."""

    def __init__(self, beneath: TextIO) -> None:
        self.beneath = beneath

    def write(self, text: str) -> int:
        """Writes a text; answers how long it was, as streams do."""
        self.beneath.write(plain(text))
        return len(text)

    def writelines(self, lines: list[str]) -> None:
        """Writes several texts."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.beneath, name)


def beneath(stream: Any) -> TextIO:
    """The stream itself, for what draws with escape sequences of its own."""
    return cast("TextIO", stream.beneath if isinstance(stream, PlainStream) else stream)


@contextmanager
def plain_streams() -> Iterator[None]:
    """While it lasts, stdout and stderr write everything plain."""
    out, err = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = cast("TextIO", PlainStream(beneath(out))), cast("TextIO", PlainStream(beneath(err)))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = out, err
