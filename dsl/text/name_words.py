"""The words of a name: what a name in the rules or on a counter is made of."""

import itertools
import re

__all__ = ["words_of_name"]


def words_of_name(name: str) -> frozenset[str]:
    """The name itself, its words without digits and marks, and every two that follow each other; all in small letters.

    >>> sorted(words_of_name("2-anti-aircraft"))
    ['2-anti-aircraft', 'aircraft', 'anti', 'anti-aircraft']
    """
    name = name.lower()
    words = re.findall(r"[^\W\d_]+", name)
    return frozenset({name, *words, *map("-".join, itertools.pairwise(words))})
