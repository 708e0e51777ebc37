"""Seals in a letter: anchors and links of sealed dice, one to a line, in the words of `ophex seal`.

A seal is no order. It never waits, and no later letter replaces it or takes it back: once read, everybody knows it. So each is
given when its letter is read, or refused with the reason, and neither depends on what is wrong with the rest of the letter.
"""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from campaigns.desk.commanders import Commander, refuse, side_of_seat
from campaigns.desk.letter import Letter
from campaigns.desk.letter_orders import SaidOrder
from campaigns.desk.meanings import GamesWithout
from campaigns.desk.rehearsing import REFUSED, Fault
from campaigns.file.beside import Kept
from campaigns.play.recorded_seals import check_link, given_before
from campaigns.play.typed import input_of
from interpreter.messages.inputs import SEAL, Input, Refused, RuleFailure
from interpreter.runtime.refusals import Why

if TYPE_CHECKING:
    from campaigns.play.campaign import Campaign
    from interpreter.machine import Game

MOST = 10
"""The most seals of a letter: only one is ever needed of a side, and checking a link may take long."""

__all__ = ["SaidSeals", "apart", "checked", "with_sealed", "without_blank_line"]


@frozen
class SaidSeals:
    """The seals of a letter.

    Attributes:
        lines: the lines.
        faults: what is wrong with some of them; the position of each is that among `lines`.
        again: the positions of those that an earlier letter gave already, in the same words.
    """

    lines: tuple[SaidOrder, ...] = ()
    faults: tuple[Fault, ...] = ()
    again: frozenset[int] = frozenset()

    @property
    def taken(self) -> tuple[SaidOrder, ...]:
        """The lines with which nothing is wrong, and which are not there already."""
        others = {fault.position for fault in self.faults} | self.again
        return tuple(said for at, said in enumerate(self.lines) if at not in others)

    def inputs(self, seat: str) -> list[Input]:
        """The inputs of those lines. seat: whose letter it is."""
        return [_given(said, seat) for said in self.taken]


def without_blank_line(letter: Letter, orders: Collection[str]) -> Letter:
    """A letter without the line of its template for a seal, if that was not filled in. orders: the names of all orders of the game."""
    if SEAL in orders:
        return letter
    return evolve(letter, lines=tuple(one for one in letter.lines if one.text.lower() != SEAL))


def apart(commands: Sequence[SaidOrder], orders: Collection[str]) -> tuple[SaidSeals, tuple[SaidOrder, ...]]:
    """The seals among the commands of a letter, and the other commands. orders: the names of all orders of the game."""

    def is_seal(said: SaidOrder) -> bool:
        return input_of(said.text, "").kind == SEAL or (SEAL not in orders and said.text.split()[0].lower() == SEAL)

    return (
        SaidSeals(tuple(one for one in commands if is_seal(one))),
        tuple(one for one in commands if not is_seal(one)),
    )


def checked(
    campaign: "Campaign[Game]", seat: str, who: Commander | None, seals: SaidSeals, back: Sequence[Input]
) -> SaidSeals:
    """The seals of a letter with what is wrong with them, as `ophex seal` would say it.

    A corrected letter may hold the seals of the one before once more.

    Args:
        campaign: the campaign.
        seat: whose letter it is.
        who: the commander of that seat; None for the seat of a side.
        seals: the seals.
        back: the inputs that are taken back before they are given.
    """
    if not seals.lines:
        return seals
    game, faults = GamesWithout(campaign, back).made(), []
    line = [] if back else [campaign.entry(campaign.head)]

    def check(said: SaidOrder, given: Input) -> None:
        if who is not None:
            refuse(game, who, given)
        if said.repeat:
            raise Why.NOT_UNDERSTOOD("A seal is valid only once.", hint="Leave out `repeat`.")
        check_link(campaign.store, given, line)
        game.offer(given)

    here = given_before(campaign.store, side_of_seat(seat), campaign.between(0, campaign.head)) if who is None else ()
    again = {at for at, said in enumerate(seals.lines[:MOST]) if not said.repeat and _in_short(said, seat) in here}
    for at, said in enumerate(seals.lines):
        if at in again:
            continue
        try:
            if at >= MOST:
                raise Why.OUT_OF_BOUNDS(
                    f"A letter may hold {MOST} seals.", hint="Only the one that is needed is valid."
                )
            check(said, _given(said, seat))
        except (Refused, RuleFailure) as error:
            faults.append(Fault(REFUSED, at, error.refusal))
    return evolve(seals, faults=tuple(faults), again=frozenset(again))


def with_sealed(kept: Kept, numbers: Sequence[int]) -> Kept:
    """A letter with the numbers of the entries of its seals."""
    return evolve(kept, told={**kept.told, "sealed": list(numbers)}) if numbers else kept


def _in_short(said: SaidOrder, seat: str) -> str:
    return _given(said, seat).text.lower()


def _given(said: SaidOrder, seat: str) -> Input:
    """The input of a line; the line that `ophex secret` prints may have been put behind the word in the template."""
    words = said.text.split()
    while len(words) > 1 and words[0].lower() == SEAL:
        words = words[1:]
    return Input(SEAL, side_of_seat(seat), " ".join(words))
