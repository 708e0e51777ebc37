"""The mark on withheld words: words that mean something to the machine but must mean nothing to the person who typed them.

A side may type the name of a thing that it must not know of. The word is marked where it comes in, so that nothing resolves
it, and the mark is removed where an answer goes out. Hints are searched for as if the thing did not exist.
"""

from __future__ import annotations

import re

__all__ = ["plain", "withheld"]

_MARK = "-0x0"
_MARKED = re.compile(rf"(?<=\w){_MARK}(?![\w-])")


def withheld(word: str) -> str:
    """A word with the mark: it is still a name to the grammar, but the name of nothing.

    >>> withheld("tf-7")
    'tf-7-0x0'
    """
    return word + _MARK


def plain(text: str) -> str:
    """A text without marks.

    >>> plain("Unknown name `tf-7-0x0`.")
    'Unknown name `tf-7`.'
    """
    return _MARKED.sub("", text) if _MARK in text else text
