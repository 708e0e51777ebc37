"""The luck ledger: the rolls of each side, compared with the average of such dice, and how large a difference is usual.

Only rolls are counted whose numbers were reported to the reader. Whether high is good is for the rules to decide, not for dice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import erfc, sqrt
from typing import TYPE_CHECKING, Any

from attrs import define, frozen

from campaigns.views.told import Told, told_log
from interpreter.messages.happenings import DiceFell
from interpreter.messages.inputs import Event
from interpreter.messages.sides import UMPIRE
from interpreter.runtime.die_rolls import read_dice
from interpreter.world.seat import readable

if TYPE_CHECKING:
    from campaigns.play.campaign import Campaign

__all__ = ["Luck", "LuckThrows", "SideLuck", "luck_in", "luck_of", "throws_in", "throws_told"]

ROLL = "roll"
"""The kind of events that report a roll."""
TOO_FEW = 10
"""For fewer rolls there is no verdict."""
RARE, VERY_RARE = 2.0, 3.0
"""One ledger in 22, and one in 370, is this many standard errors from the mean."""


@frozen
class LuckThrows:
    """Rolls of dice, added up.

    Attributes:
        throws: how many.
        shown: the sum of the results; mean: the average sum of such dice.
        off: shown minus mean; error: its usual distance from 0, the standard error.
        units: off in standard errors; 0 if nothing can vary. chance: how often it is this far off, or further, by chance alone.
        verdict: `few`, `usual`, `rare` or `very rare`.
    """

    throws: int
    shown: int
    mean: float
    off: float
    error: float
    units: float
    chance: float
    verdict: str


@frozen
class SideLuck:
    """The rolls of one side: all, and by their names in the rules with their dice."""

    side: str
    title: str
    all: LuckThrows
    kinds: tuple[tuple[str, str, LuckThrows], ...]


@frozen
class Luck:
    """The ledger, as one reader may know it."""

    reader: str
    sides: tuple[SideLuck, ...]


@define
class _Sum:
    throws: int = 0
    shown: int = 0
    mean: Fraction = Fraction(0)
    spread: Fraction = Fraction(0)

    def add(self, dice: str, face: int) -> None:
        read = read_dice(dice)
        self.throws += 1
        self.shown += face
        self.mean += Fraction(read.lowest + read.highest, 2)
        self.spread += Fraction(read.count * (read.faces**2 - 1), 12)

    def count(self) -> LuckThrows:
        off, error = float(self.shown - self.mean), sqrt(self.spread)
        units = off / error if error else 0.0
        chance = erfc(abs(units) / sqrt(2))
        return LuckThrows(
            self.throws, self.shown, float(self.mean), off, error, units, chance, _verdict(self.throws, units)
        )


def _verdict(throws: int, units: float) -> str:
    if throws < TOO_FEW:
        return "few"
    if abs(units) < RARE:
        return "usual"
    return "rare" if abs(units) < VERY_RARE else "very rare"


def luck_of(campaign: Campaign[Any], side: str) -> Luck:
    """The ledger of the current line, as a side, or the umpire, may know it."""
    log = [one for one in reversed(told_log(campaign, side)) if one.entry.on_path]
    titles = [(one.id, one.title) for one in campaign.game.sides]
    return Luck(side, luck_in(throws_told(campaign, log), titles, side))


def throws_told(campaign: Campaign[Any], log: Iterable[Told]) -> Iterator[Event]:
    """The events that report rolls: those of the beginning, then those of the entries of a log in their order."""
    yield from campaign.seen_at(0).opening
    for one in log:
        yield from one.entry.events_of({ROLL})


def luck_in(events: Iterable[Event], titles: Iterable[tuple[str, str]], reader: str) -> tuple[SideLuck, ...]:
    """The rolls of each side in events, as the reader was told about them. titles: the id and title of each side."""
    sums: dict[str, dict[tuple[str, str], _Sum]] = {}
    for whose, name, dice, face in throws_in(events, reader):
        sums.setdefault(whose, {}).setdefault((name, dice), _Sum()).add(dice, face)
    return tuple(_side(side, title, sums.get(side, {})) for side, title in titles)


def _side(side: str, title: str, kinds: dict[tuple[str, str], _Sum]) -> SideLuck:
    whole = _Sum(
        sum(one.throws for one in kinds.values()), sum(one.shown for one in kinds.values()),
        sum((one.mean for one in kinds.values()), Fraction(0)), sum((one.spread for one in kinds.values()), Fraction(0)),
    )  # fmt: skip
    order = sorted(kinds.items(), key=lambda one: (-one[1].throws, one[0]))
    return SideLuck(side, title or side, whole.count(), tuple((name, dice, one.count()) for (name, dice), one in order))


def throws_in(events: Iterable[Event], reader: str) -> Iterator[tuple[str, str, str, int]]:
    """The rolls whose number a reader was told: the side, the name in the rules, the dice and the result.

    A roll that is reported to several sides separately is counted once. Malformed events, in a record made by hand, are left out.
    """
    last: tuple[str, DiceFell] | None = None
    heard: set[str] = set()
    for event in readable(events, reader):
        if not isinstance(event.what, DiceFell):
            continue
        fell = event.what
        said = event.text, fell
        if reader == UMPIRE and said == last and event.to not in {*heard, "all", UMPIRE}:
            heard.add(event.to)
            continue
        last, heard = said, {event.to}
        if fell.face is None:
            continue
        try:
            read = read_dice(fell.dice)
        except ValueError:
            continue
        if read.lowest <= fell.face <= read.highest:
            yield event.side, fell.name, fell.dice, fell.face
