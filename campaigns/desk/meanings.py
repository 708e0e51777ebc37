"""What a letter can mean in relation to the one before it: further orders, a replacement, or the same orders once more."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from attrs import frozen

from campaigns.desk.commanders import side_of_seat
from campaigns.desk.letter_orders import SaidOrder
from campaigns.desk.rehearsing import MANY, TriedOrders
from campaigns.desk.trays import LAPSED, REPLACED, STOPPED, WAITING, Tray, waits_for_an_answer
from dsl.text.withheld import plain
from interpreter.messages.asking import Window
from interpreter.messages.inputs import ENDINGS, Input, Refused, RuleFailure
from interpreter.play.taking_back import copy_of
from interpreter.runtime.refusals import Why

if TYPE_CHECKING:
    from campaigns.play.campaign import Campaign
    from interpreter.machine import Game

__all__ = ["SAME_AGAIN", "GamesWithout", "Meaning", "dropped_by", "is_for_later", "meanings"]


@frozen
class Meaning:
    """A possible meaning of a letter.

    back: the inputs that take back what the one before gave. stands: how many of its commands that one gave and remain in effect.
    replaces: whether it counts in the place of that one. late: the command at which it parts from what was acted on of `earlier`.
    stood: for each input of the one before that remains in effect, the number of its entry and the place of its command here.
    replaced: the places here of commands that the umpire took back alone.
    """

    back: tuple[Input, ...] = ()
    stands: int = 0
    replaces: bool = False
    late: int = 0
    earlier: Tray | None = None
    stood: tuple[tuple[int, int], ...] = ()
    replaced: tuple[int, ...] = ()


SAME_AGAIN = Meaning(stands=-1)
"""The letter says the same as the one before."""


def meanings(
    campaign: "Campaign[Game]", before: Tray | None, side: str, commands: Sequence[SaidOrder], packet: int
) -> Iterator[Meaning]:
    """What a letter may mean, the likeliest first: further orders, or a replacement of the one before."""
    if before is None:
        yield Meaning()
        return
    earlier = before.kept.told.get("packet", 0)
    is_newer = packet > (earlier if type(earlier) is int else 0) > 0
    has_ended = _has_ended(campaign, before, side)
    waits = before.fate == WAITING and not (is_newer and waits_for_an_answer(before, campaign.game.awaiting))
    is_more = (has_ended or is_newer) and not waits
    texts, old = _words(commands), _words(before.commands)
    again = _given_again(before) if texts == old else None
    if again is not None and not is_newer:
        yield again
    if is_more:
        yield Meaning()
    if again is not None:
        yield again
        return
    if texts == old and _says_something(before):
        if not (is_more and has_ended and (is_newer or ENDINGS.issuperset(texts))):
            yield SAME_AGAIN  # otherwise it ends the next window in the same words: if that is refused, it must be reported
        return
    meant = _in_its_place(campaign, before, texts, old)
    yield Meaning() if is_newer and meant.earlier is not None else meant


def _words(commands: Sequence[SaidOrder]) -> list[str]:
    return [one.text.lower() for one in commands]


def _says_something(before: Tray) -> bool:
    """Whether a letter is in effect, or waits, or what the umpire took back of it stays taken back."""
    return before.fate != STOPPED and bool(before.given or before.replaced or before.fate == WAITING)


def dropped_by(before: Tray, commands: Sequence[SaidOrder], *, replaces: bool) -> tuple[str, tuple[str, ...]]:
    """What becomes of a letter when a new one is taken, and those of its orders that waited and are not among the new commands."""
    if replaces or before.fate != WAITING:
        return REPLACED if replaces else before.fate, ()
    new = {one.text.lower() for one in commands} | set(ENDINGS)
    return LAPSED, tuple(one.text for one in before.commands[before.next :] if one.text.lower() not in new)


def is_for_later(game: "Game", before: Tray | None, commands: Sequence[SaidOrder], found: TriedOrders) -> bool:
    """Whether a letter, tried as a correction of one that ended a window, is for the phase in which now others give orders.

    game: the game as the side of the letter sees it. found: what is wrong with it as a correction.
    """
    pending = game.pending
    if before is None or before.fate == WAITING or not _ended(before) or not isinstance(pending, Window):
        return False
    tried = commands[: found.reached] if found.ends == MANY else commands
    said = [(at, one.text.lower()) for at, one in enumerate(tried)]
    orders = [(at, text.split()[0]) for at, text in said if text not in ENDINGS and not text.startswith("answer ")]
    closed = [one.position for one in found.faults if one.refusal.kind is Why.NOT_NOW and "order" in one.refusal.about]
    are_all = [at for at, _ in orders] == closed == [one.position for one in found.faults]
    return are_all and bool(orders) and {order for _, order in orders}.issubset(pending.orders)


def _ended(before: Tray) -> bool:
    """Whether the last order given of a letter ended a window."""
    return bool(before.given) and before.commands[before.given[-1][1]].text.lower() in ENDINGS


def _has_ended(campaign: "Campaign[Game]", before: Tray, side: str) -> bool:
    """Whether the previous letter ended a window, and the side is asked for orders again."""
    return _ended(before) and any(
        one.kind == "orders" and one.side == side_of_seat(side) for one in campaign.game.awaiting
    )


def _given_again(before: Tray) -> Meaning | None:
    """The same letter once more, if the end of what it gave was taken back: that is given again. None if it was not."""
    after = max((place for _, place in before.given), default=-1)
    first = min(
        (at for at in before.lost if at >= max(after, _unrecorded(before)) and at not in before.replaced), default=None
    )
    if first is None:
        return None
    replaced = tuple(at for at in before.replaced if at < first)
    return Meaning((), first, bool(before.given) or before.fate == WAITING, stood=before.given, replaced=replaced)


def _unrecorded(before: Tray) -> int:
    """How many commands at the beginning of a letter stand from earlier ones without a note of their entries, as in older files."""
    is_noted = any(place < before.stands for place in (*before.lost, *(place for _, place in before.given)))
    return 0 if is_noted else before.stands


def _in_its_place(campaign: "Campaign[Game]", before: Tray, texts: Sequence[str], old: Sequence[str]) -> Meaning:
    """The letter as a replacement of the one before: what was acted on remains in effect, and must be in the new letter as well.

    What the umpire took back alone was acted on too. The new letter may leave it out.
    """
    back, left = _taken_back(campaign, before)
    stood = before.given[:left]
    acted = max(stood[-1][1] + 1 if stood else _unrecorded(before), *(at + 1 for at in before.replaced), 0)
    alike = next((at for at in range(acted) if texts[at : at + 1] != old[at : at + 1]), acted)
    if alike == acted:
        counts = bool(before.given) or before.next < len(before.commands)  # else the umpire has taken all of it back
        return Meaning(back, acted, replaces=counts, stood=stood, replaced=before.replaced)
    stays = [at for at in range(acted) if at not in before.replaced]
    if before.replaced and texts[: len(stays)] == [old[at] for at in stays]:
        here = tuple((number, stays.index(place)) for number, place in stood)
        return Meaning(back, len(stays), replaces=True, stood=here)
    if alike:
        return Meaning(late=alike, earlier=before)
    return Meaning(back, replaces=bool(back))


def _taken_back(campaign: "Campaign[Game]", tray: Tray) -> tuple[tuple[Input, ...], int]:
    """The inputs that take back what a letter gave, the last first, as far as its side may do so itself.

    Also how many inputs of the letter remain. What precedes an order that the umpire took back alone is left as it is.
    """
    game = campaign.game
    given = [campaign.entry(number).input for number, _ in tray.given]
    least = sum(place < max(tray.replaced, default=0) for _, place in tray.given)
    found: list[Input] = []
    while len(given) > least:
        before = _own(game, tray.side)
        try:
            back = game.taking_back(tray.side)
            game = game if found else campaign.state_at(campaign.head)  # looking changes nothing, giving does
            game.offer(back)
        except (Refused, RuleFailure):
            break
        gone = before[len(_own(game, tray.side)) :]
        if not gone or [_meant(one) for one in gone] != [_meant(one) for one in given[-len(gone) :]]:
            break  # the last input of the side did not come from this letter
        found.append(back)
        del given[-len(gone) :]
    return tuple(found), len(given)


def _own(game: "Game", side: str) -> list[Input]:
    """What a side has given this turn and not taken back."""
    return [one for one in game.inputs_of_turn if one.side == side and one.kind in {"do", "answer"}]


def _meant(given: Input) -> tuple[str, str, str]:
    return given.kind, given.subject, plain(given.text).lower()


class GamesWithout:
    """Games with some inputs taken back: one to look at, and new ones to try things on."""

    def __init__(self, campaign: "Campaign[Game]", back: Sequence[Input]) -> None:
        self._campaign, self._back = campaign, back

    @cached_property
    def seen(self) -> Any:
        """The one to look at; taking back takes long, so it is done once."""
        if not self._back:
            return self._campaign.game
        game = self._campaign.state_at(self._campaign.head)
        for given in self._back:
            game.offer(given)
        return game

    def made(self) -> Any:
        """A new game."""
        return copy_of(self.seen) if self._back else self._campaign.state_at(self._campaign.head)
