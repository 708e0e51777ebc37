"""The notation of dice: `2d6+1`. Code that only rolls dice need not load a parser."""

from __future__ import annotations

import re

__all__ = ["MOST_DICE", "MOST_FACES", "dice_of"]

MOST_DICE = 100
MOST_FACES = 1_000
"""More dice than people own, as a limit."""


def dice_of(text: str) -> tuple[int, int, int]:
    """Dice as written: their number, their faces, and the number added to their sum."""
    count, faces, plus = re.fullmatch(r"(\d*)[dD](\d+)([+-]\d+)?", text).groups()  # type: ignore[union-attr]
    return int(count or 1), int(faces), int(plus or 0)
