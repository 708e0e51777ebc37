"""Control characters that a terminal would obey, and characters that change the direction of writing, are shown as their code.

Files of strangers, mailed orders and arguments may contain them. `main` replaces stdout and stderr by a `PlainStream`, so that
printing code need not care. Code that colours its own output uses the stream beneath and cleans its texts itself.
"""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

__all__ = ["PlainStream", "beneath", "clipped", "escaped", "one_line", "plain", "plain_streams"]

UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Control signs but tab and line end, the signs that part lines unseen, and the marks that turn the direction of writing."""


def plain(text: str) -> str:
    r"""A text as it may be shown: `\x1b` for an escape sign, `\u202e` for a mark that turns the writing."""
    return UNSEEN.sub(lambda found: ascii(found[0])[1:-1], text)


def one_line(text: str) -> str:
    r"""A text that takes one line whatever is in it, so that nobody adds lines of his own to a log.

    >>> one_line("he slept\n    7   red: done")
    'he slept\\n    7   red: done'
    """
    return plain(text.replace("\n", "\\n").replace("\t", " "))


MOST_OF_A_LINE = 2000
"""Of a line of a message so many letters are told."""


def clipped(text: str) -> str:
    """A message of which no line is longer than anybody reads."""
    return "\n".join(
        line
        if len(line) <= MOST_OF_A_LINE
        else f"{line[:MOST_OF_A_LINE]} … ({len(line) - MOST_OF_A_LINE:,} letters more)"
        for line in text.split("\n")
    )


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
