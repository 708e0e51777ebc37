"""Ids of things that are placed in the game during play, and the order in which ids are listed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import blake2b
from itertools import count


def numbered(name: str, first: int = 1) -> Iterator[str]:
    """The name itself, then with 2, 3 and so on: `lorry`, `lorry-2`. first: the number to begin with.

    >>> names = numbered("lorry")
    >>> next(names), next(names), next(names)
    ('lorry', 'lorry-2', 'lorry-3')
    """
    for number in count(first):
        yield name if number == 1 else f"{name}-{number}"


def unlike_names(seed: str, name: str, letter: str, least: int = 2) -> Iterator[str]:
    """Names that do not reveal how many came before them: a letter and a number drawn from a seed, as `mine-b83`.

    The same seed, name and letter give the same names in the same order. least: how many digits the first ones have.

    >>> names = unlike_names("7", "mine", "b")
    >>> drawn = [next(names) for _ in range(200)]
    >>> len(set(drawn)), drawn == [x for x, _ in zip(unlike_names("7", "mine", "b"), range(200))]
    (200, True)
    """
    for digits in count(least):
        numbers = range(10 ** (digits - 1), 10**digits)

        def lot(number: int) -> bytes:
            return blake2b(f"{seed} {name} {letter} {number}".encode(), digest_size=8).digest()

        # Only half of the numbers of a length are used: else one of the next length would reveal that the shorter ones are used up.
        for number in sorted(numbers, key=lot)[: len(numbers) // 2]:
            yield f"{name}-{letter}{number}"


def in_numbers(name: str) -> list[tuple[int, str]]:
    """A key by which `gun-10` comes after `gun-9`.

    >>> sorted(["gun-10", "gun", "gun-9"], key=in_numbers)
    ['gun', 'gun-9', 'gun-10']
    """
    return [(int(x), "") if x.isdecimal() else (-1, x) for x in re.split(r"(\d+)", name) if x]
