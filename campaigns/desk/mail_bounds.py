"""How much of an email the standard library reads: it takes the square of the length of a header, and of the number of parts in parts."""

import codecs
import contextlib
from collections.abc import Sequence
from email.message import EmailMessage
from email.policy import EmailPolicy
from typing import Any

__all__ = ["BoundedMail", "TooMuch", "charset_of"]

MOST_OF_A_HEADER = 2_000
"""How many characters of a header are read."""
MOST_PARTS = 50
"""The most parts that an email may have, with those in other parts."""
PYTHONS_OWN = frozenset({"idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape"})
"""Encodings of Python's that no text is written in; some take the square of its length."""


class TooMuch(Exception):
    """An email has too many parts, or an encoding that no mail program uses."""


class BoundedMail(EmailPolicy):
    """Reads one email, with an end to headers and parts."""

    def __init__(self, **settings: Any) -> None:
        parts = 0

        def part(*given: Any, **more: Any) -> EmailMessage:
            nonlocal parts
            parts += 1
            if parts > MOST_PARTS:
                raise TooMuch
            return EmailMessage(*given, **more)

        super().__init__(**{"message_factory": part, **settings})

    def header_source_parse(self, sourcelines: Sequence[str]) -> tuple[str, str]:
        """The name of a header and the beginning of its value."""
        name, value = super().header_source_parse(list(sourcelines))
        return name, value[:MOST_OF_A_HEADER]


def charset_of(part: EmailMessage) -> str:
    """The encoding of a part in its own words; empty if it names none. Raises TooMuch."""
    said = str(part.get_content_charset("") or "")
    with contextlib.suppress(LookupError, ValueError):
        if codecs.lookup(said).name in PYTHONS_OWN:
            raise TooMuch
    return said
