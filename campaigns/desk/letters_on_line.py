"""What of a letter is in effect on the current line of play: the umpire, or its side, may have taken some of it back.

An entry of a letter counts if it is on the line, or was given again there, and its side has not taken it back.
"""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from attrs import evolve

from campaigns.desk.commanders import side_of_seat
from campaigns.desk.states import own_in
from campaigns.desk.trays import LAPSED, LIVE, REFUSED, REPLACED, WAITING, Tray, fate_of, pairs_of, sealed_by, tray_of
from campaigns.file.beside import AGAIN, INSTEAD, Kept

if TYPE_CHECKING:
    from campaigns.play.campaign import Campaign
    from interpreter.machine import Game

__all__ = ["is_done_with", "letter_before"]


def is_done_with(kept: Kept, letters: Sequence[Kept], way: frozenset[int]) -> bool:
    """Whether a file that was already read need not be read again.

    It must be if the umpire went back before the point where it was refused, or before what it gave, unless another was read after it.
    What the umpire took back alone, while what followed stayed, is not given again.
    """
    here = way.union(_in_effect(kept, way), _taken_out(kept, way))
    is_sealed = here.issuperset(sealed_by(kept))
    if fate_of(kept) == REFUSED:
        is_here = is_sealed and kept.told.get("head") in {0, *way}
        return is_here or any(one.side == kept.side and one.number > kept.number for one in letters)
    if is_sealed and all(number in here for number, _ in tray_of(kept).given):
        return True
    return any(one.side == kept.side and one.number > kept.number and fate_of(one) in LIVE for one in letters)


def letter_before(campaign: "Campaign[Game]", side: str, letters: Sequence[Kept]) -> Tray | None:
    """The tray of the last letter of a side or a commander, with what was given from it and is still in effect.

    If the umpire has taken all of that letter back, an earlier one may be in effect again that it had replaced.
    """
    last = next((kept for kept in reversed(letters) if kept.side == side and fate_of(kept) in LIVE), None)
    if last is None:
        return None
    way = frozenset(campaign.between(0, campaign.head))
    before = _on_line(campaign, tray_of(last), way)
    if before.fate == WAITING or before.given or not before.lost:
        return before
    fates = {*LIVE, REPLACED, LAPSED} - {WAITING}
    for kept in reversed(letters):
        if kept.side == side and kept.number < last.number and fate_of(kept) in fates:
            earlier = _on_line(campaign, tray_of(kept), way)
            if earlier.given:
                return earlier
    return before


def _on_line(campaign: "Campaign[Game]", tray: Tray, way: frozenset[int]) -> Tray:
    """A tray with what was given from it and is in effect on the line, and with what is not."""
    again = _in_effect(tray.kept, way)
    now = [(again.get(number, number), place, number) for number, place in tray.given]
    gone = _taken_back(campaign, tray, [number for number, _, _ in now if number in way])
    out, replaced = _taken_out(tray.kept, way), set(tray.replaced)
    replaced.update(place for _, place, number in now if number in out)
    given = tuple((number, place) for number, place, _ in now if number in way and number not in gone)
    lost = replaced.union(place for number, place, _ in now if number not in way or number in gone)
    return evolve(tray, given=given, lost=tuple(sorted(lost)), replaced=tuple(sorted(replaced)))


def _taken_back(campaign: "Campaign[Game]", tray: Tray, given: Collection[int]) -> set[int]:
    """Of what a letter gave on the line, what its side has taken back."""
    if not given:
        return set()
    since = [campaign.entry(number) for number in campaign.between(min(given) - 1, campaign.head)]
    stays = {entry.number for entry in own_in([campaign.entry(0), *since], side_of_seat(tray.seat))}
    return set(given) - stays


def _in_effect(kept: Kept, way: frozenset[int]) -> dict[int, int]:
    """The entries of a letter that were given again on the current line, each with its number there."""
    found: dict[int, int] = {}
    for was, now in sorted(pairs_of(kept, AGAIN), reverse=True):
        if was < now and (now in way or now in found):
            found.setdefault(was, now if now in way else found[now])
    return found


def _taken_out(kept: Kept, way: frozenset[int]) -> set[int]:
    """The entries of a letter that the umpire took back alone: on the current line what followed was given again, or something else."""
    return {was for was, since in pairs_of(kept, INSTEAD) if since in way}
