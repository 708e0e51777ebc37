"""Dice: expressions such as 2d6+1, and faces drawn from a seed so that the n-th roll is the same on every machine."""

from __future__ import annotations

import functools
import hashlib
import itertools
import re
from fractions import Fraction

import attrs

from interpreter.runtime.refusals import Why


@attrs.frozen(slots=True)
class DiceExpression:
    """count dice with this many faces, and a number added to their sum."""

    count: int
    faces: int
    plus: int

    @property
    def lowest(self) -> int:
        """The lowest result."""
        return self.count + self.plus

    @property
    def highest(self) -> int:
        """The highest result."""
        return self.count * self.faces + self.plus

    def total(self, throw: int | tuple[int, ...]) -> int:
        """The total of a roll, given as a result or die by die. Raises Refused if it is impossible."""
        if isinstance(throw, int):
            if throw == 0 and (self.count, self.faces, self.plus) == (1, 10, 0):
                return 10  # a ten-sided die may be printed 0 to 9
            if not self.lowest <= throw <= self.highest:
                raise Why.OUT_OF_BOUNDS(
                    f"{throw} is not a possible result of {self}.",
                    hint=f"Possible results: {self.lowest} to {self.highest}.",
                    dice=str(self),
                    number=throw,
                    least=self.lowest,
                    most=self.highest,
                )
            return throw
        if len(throw) != self.count or not all(1 <= face <= self.faces for face in throw):
            told = "+".join(map(str, throw))
            dice = "die" if self.count == 1 else "dice"
            raise Why.OUT_OF_BOUNDS(
                f"{told} is not a possible result of {self}.",
                hint=f"It has {self.count} {dice} from 1 to {self.faces}.",
                dice=str(self),
                least=1,
                most=self.faces,
            )
        return sum(throw) + self.plus

    def __str__(self) -> str:
        return f"{self.count}d{self.faces}" + (f"{self.plus:+}" if self.plus else "")


Throw = int | tuple[int, ...] | str
"""The outcome of one roll: its result, or each of its dice; BY_SEED or REST if it comes from the seed."""
BY_SEED, REST = "seeded", "rest"
"""This roll comes from the seed; and this one and all others until somebody decides something again."""


def read_dice(text: str) -> DiceExpression:
    """Reads `1d10`, `2D6+1`, `d6`. Raises ValueError."""
    found = re.fullmatch(r"(\d*)[dD](\d+)([+-]\d+)?", text.strip())
    if not found or not int(found[2]) or int(found[1] or 1) > 1000:
        raise ValueError(f"{text} is not a dice expression")
    return DiceExpression(int(found[1] or 1), int(found[2]), int(found[3] or 0))


@functools.lru_cache(maxsize=1024)
def faces_of(dice: DiceExpression) -> tuple[tuple[int, Fraction], ...]:
    """The possible sums of dice, with the exact chance of each. Without dice it is only what is added."""
    ways = [1]  # for each sum, from the lowest upwards, with the dice so far
    for _ in range(dice.count):
        sums = [0, *itertools.accumulate(ways)]
        ways = [
            sums[min(n + 1, len(ways))] - sums[max(n + 1 - dice.faces, 0)] for n in range(len(ways) + dice.faces - 1)
        ]
    all_ways = dice.faces**dice.count
    return tuple((dice.lowest + n, Fraction(count, all_ways)) for n, count in enumerate(ways))


class SeededDice:
    """Faces from a seed: roll number n depends only on the seed and n, drawn from BLAKE2b without bias.

    rolled: the number of rolls so far. own: rolls among them that belong to a replayed order, and are used again.
    """

    def __init__(self, seed: int | str, rolled: int = 0) -> None:
        self.seed = str(seed)
        self.rolled = rolled
        self.own: list[int] = []

    def roll(self, dice: DiceExpression) -> int:
        """The total of the next roll."""
        if self.own:
            at = self.own.pop(0)
        else:
            at = self.rolled
            self.rolled += 1
        return dice.plus + sum(self._face(dice.faces, f"{at}.{number}") for number in range(dice.count))

    def _face(self, faces: int, which: str) -> int:
        limit = (1 << 64) - (1 << 64) % faces
        attempt = 0
        while True:
            text = f"{self.seed}/{which}/{attempt}".encode()
            number = int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big")
            if number < limit:
                return number % faces + 1
            attempt += 1


def typed_faces(text: str) -> list[Throw]:
    """The rolls in a typed text: `7 8`, `7, 8`, each die of a roll of several: `6+4 3+1`, or `7 seeded rest`. Raises Refused."""
    parts = re.sub(r"\s*\+\s*", "+", text.replace(",", " ")).lower().split()
    known = [part for part in parts if part == BY_SEED or re.fullmatch(r"-?\d{1,6}|\d{1,6}(\+\d{1,6})+", part)]
    if not parts or (known != parts and known != parts[:-1]) or (known != parts and parts[-1] != REST):
        raise Why.NOT_UNDERSTOOD(
            f"`{text}` is not a list of dice results.", hint="Type one number for each roll: `7 8`.", name=text
        )
    return [p if p in {BY_SEED, REST} else tuple(map(int, p.split("+"))) if "+" in p else int(p) for p in parts]
