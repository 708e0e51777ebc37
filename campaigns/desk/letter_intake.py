"""Taking in letters: whose they are, what they order, what is wrong with them, which earlier one they replace.

The orders of a letter are accepted in full or rejected, as far as that can be decided when it comes. A later letter of a side
replaces the part of the earlier one on which nobody has acted yet. That part is taken back by inputs of the side's own, so the
record only grows.
"""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import evolve

from campaigns.desk.answers_in_advance import AnswersInForce, answers_apart, answers_checked
from campaigns.desk.commanders import commanders_of, not_for, side_of_seat
from campaigns.desk.delivering import Delivered, deliver, keep_together
from campaigns.desk.judged import EMPTY, KNOWN, SAME, UNREADABLE, Judged, TakenIn
from campaigns.desk.letter import Letter, read_letter
from campaigns.desk.letter_orders import LetterOrders, SaidOrder, heading_of, readings_of
from campaigns.desk.letter_seals import apart, checked, with_sealed, without_blank_line
from campaigns.desk.letter_senders import Arrived, Senders
from campaigns.desk.letters_on_line import is_done_with, letter_before
from campaigns.desk.meanings import SAME_AGAIN, GamesWithout, Meaning, dropped_by, is_for_later, meanings
from campaigns.desk.packets import closed_since, last_sent, sent_after
from campaigns.desk.rehearsing import NOT_YOURS, TOO_LATE, Fault, TriedOrders, rehearse
from campaigns.desk.standing_orders import NOTHING_MORE, note_of
from campaigns.desk.trays import (
    ANSWERS,
    LIVE,
    REFUSED,
    SEALS,
    WAITING,
    Tray,
    next_number,
    tray_of,
    trays_of,
)
from campaigns.file.beside import Beside, Kept, seen_of
from campaigns.file.errors import CampaignError, RefusedAt, Stale
from campaigns.play.starting import open_campaign
from interpreter.messages.inputs import ENDINGS, SEAL, Input
from interpreter.runtime.refusals import Why

if TYPE_CHECKING:
    from campaigns.file.history import Entry
    from campaigns.play.campaign import Campaign
    from interpreter.machine import Game

__all__ = ["take_in"]

T = TypeVar("T")
MOST_TRIES = 2
"""How often a letter is judged while others may write."""
MOST_LOOKS = 50
"""The same if the file is read-only, so that others cannot be locked out."""


def take_in(
    campaign: "Campaign[Game]",
    arrived: Sequence[Arrived],
    *,
    only: str = "",
    dry_run: bool = False,
    clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    progress: Callable[[int, int], None] | None = None,
) -> TakenIn:
    """Reads letters, one after the other, and gives what can be given from them and from those that are waiting.

    Args:
        campaign: the campaign.
        arrived: the files that came, in their order.
        only: the side, with its commanders, or the commander whose letters are read and given; empty for all.
        dry_run: whether they are only judged, without recording or giving anything.
        clock: returns the time that is noted for them.
        progress: called with how many letters have been read and how many steps there are; giving is the last one.

    Raises:
        Stale, CampaignError: something could not be recorded; what was accepted before stays.
    """
    came_at = clock().astimezone(UTC).isoformat(timespec="seconds")

    def judged_in(which: "Campaign[Game]") -> list[Judged]:
        desk = _Desk(which, keeps=not dry_run or which is not campaign, seals=not dry_run, came_at=came_at, only=only)
        found = []
        for done, one in enumerate(arrived, 1):
            found.append(_again(which, partial(desk.judge, one)))
            if progress is not None:
                progress(done, len(arrived) + (not dry_run))
        return [one for one in found if one is not None]

    if dry_run and len(arrived) > 1:  # what a letter takes back is gone for the next one: on a copy
        with TemporaryDirectory() as folder:
            campaign.backup(copy := Path(folder) / "tried.ophex")
            with open_campaign(copy) as trial:
                return TakenIn(tuple(judged_in(trial)))
    before = campaign.head
    judged = judged_in(campaign)
    if dry_run:
        return TakenIn(tuple(judged))
    taken = _again(campaign, lambda: _given(campaign, judged, only))
    keep_together(campaign, before, taken.answered)
    return taken


def _again(campaign: "Campaign[Game]", act: Callable[[], T]) -> T:
    """Does it, and again if another session was quicker: that one may have read the same letters.

    If others write all the time, it finally waits for its turn: each of these acts writes once.
    """
    for _ in range(MOST_LOOKS if campaign.read_only else MOST_TRIES):
        try:
            return act()
        except Stale:
            campaign.refresh()
    if campaign.read_only:
        return act()
    with campaign.alone():
        return act()


def _given(campaign: "Campaign[Game]", judged: Sequence[Judged], only: str) -> TakenIn:
    """Gives what can be given from the trays."""
    letters = campaign.letters_here()
    trays = [tray for tray in trays_of(letters).values() if _is_of(only, tray.seat)]
    order = [side.id for side in campaign.game.sides]
    by_side = sorted(trays, key=lambda tray: (order.index(tray.side) if tray.side in order else -1, tray.seat))
    answers = AnswersInForce.of(campaign, lambda seat: _is_of(only, seat))
    found = deliver(campaign, by_side, seen_of(letters), answers)
    new = {one.tray.number for one in judged if one.tray is not None}
    before = [
        Judged(tray.kept.file, tray.seat, tray.fate, tray=tray)
        for tray in found.trays
        if tray.number in found.changed and tray.number not in new
    ]
    taken = tuple(_delivered(one, found) for one in (*before, *judged))
    return TakenIn(taken, tuple(found.events), tuple(found.answers.refused.items()), tuple(found.answered))


def _delivered(judged: Judged, found: Delivered) -> Judged:
    """What became of a file after the trays were given."""
    tray = next((tray for tray in found.trays if judged.tray is not None and tray.number == judged.tray.number), None)
    if tray is None or judged.fate not in LIVE:
        return judged
    faults = (*judged.faults, *[found.faults[tray.number]]) if tray.number in found.faults else judged.faults
    return evolve(judged, tray=tray, fate=tray.fate, faults=faults, needless=tuple(found.needless.get(tray.number, ())))


class _Desk:
    """The desk while letters are read. keeps: whether it keeps them; seals: whether it gives their seals. only: as for `take_in`."""

    def __init__(self, campaign: "Campaign[Game]", *, keeps: bool, seals: bool, came_at: str, only: str) -> None:
        self.campaign, self.keeps, self.seals, self.came_at, self.only = campaign, keeps, seals, came_at, only
        self.commanders = {one.seat: one for one in commanders_of(campaign)}
        self.senders = Senders(campaign, self.commanders)
        self.orders = frozenset(campaign.game.program.orders)

    def judge(self, arrived: Arrived) -> Judged | None:
        """Judges one file; its orders go into the tray of its side. None if that is not one whose letters are read."""
        named = self.senders.named(arrived.side)
        if named and not _is_of(self.only, named):
            return None
        try:
            letter = read_letter(arrived.data, arrived.file)
        except CampaignError as error:
            return Judged(arrived.file, named, UNREADABLE, error.message, error.hint)
        try:
            side = self.senders.whose(letter, arrived)
        except CampaignError as error:
            return Judged(arrived.file, "", UNREADABLE, error.message, error.hint)
        if not _is_of(self.only, side):
            return None
        letters = self.campaign.letters_here()
        alike = [k for k in letters if (k.side, k.file, k.sha256) == (side, letter.file, letter.sha256)]
        if alike and is_done_with(alike[-1], letters, self._way()):
            return Judged(arrived.file, side, KNOWN)
        answers, said = answers_apart(self._said(letter, side, letters))
        answers = answers_checked(self.campaign.game, side, self.commanders.get(side), answers)
        seals, commands = apart(said.commands, self.orders)
        judged = Judged(
            arrived.file, side, WAITING, passed_over=said.passed_over, quoted=said.quoted, decoded=letter.decoded
        )
        judged = evolve(judged, seals=seals, answers=answers)
        if not said.commands and not answers.are_meant:
            return evolve(judged, fate=EMPTY)
        if not commands:
            return self._only_noted(evolve(judged, fate=SEALS if seals.lines else ANSWERS), letter, letters)
        return self._laid(judged, letter, side, commands, letters)

    def _way(self) -> frozenset[int]:
        """The entries of the current line; the umpire may have gone back since a letter came."""
        return frozenset(self.campaign.between(0, self.campaign.head))

    def _said(self, letter: Letter, side: str, letters: Sequence[Kept]) -> LetterOrders:
        """What the letter says: if a mail program may have broken its lines, the first reading with the fewest faults."""
        view = self.campaign.game.view(side_of_seat(side))
        names = {thing.id.lower() for thing in view.things} | {
            place.label.lower() for one in view.maps for place in one.places if place.label
        }
        orders = self.orders
        if self.campaign.game.seals is not None:
            letter, orders = without_blank_line(letter, orders), orders | {SEAL}
        readings = readings_of(letter, orders, names)
        if len(readings) == 1:
            return readings[0]
        before, best, fewest = letter_before(self.campaign, side, letters), readings[0], -1
        for one in readings:
            wrong = self._fewest_faults(letter, before, side, one.commands)
            if fewest < 0 or wrong < fewest:
                best, fewest = one, wrong
            if not wrong:
                break
        return best

    def _fewest_faults(self, letter: Letter, before: Tray | None, side: str, commands: tuple[SaidOrder, ...]) -> int:
        """How much is wrong with commands of a letter under its best meaning."""
        commands = answers_apart(LetterOrders(commands))[1].commands
        seals, commands = apart(commands, self.orders)
        wrong = len(checked(self.campaign, side, self.commanders.get(side), seals, ()).faults)
        if not commands:
            return wrong
        commands = tuple(one for one in commands if not _ends_standing(one))
        tries = self._tries(letter, before, side, commands)
        return wrong + min(
            0 if one is SAME_AGAIN else len(self._rehearsed(one, side, commands)[1].faults) for one in tries
        )

    def _tries(self, letter: Letter, before: Tray | None, side: str, commands: tuple[SaidOrder, ...]) -> "list[Any]":
        """What a letter may mean beside the letter before it."""
        heading = heading_of(letter)
        return list(meanings(self.campaign, before, side, commands, heading.number if heading is not None else 0))

    def _laid(
        self, judged: Judged, letter: Letter, side: str, commands: tuple[SaidOrder, ...], letters: Sequence[Kept]
    ) -> Judged:
        """Rehearses the commands, and puts them into the tray unless something is wrong with them."""
        said, commands = commands, tuple(one for one in commands if not _ends_standing(one))
        before = letter_before(self.campaign, side, letters)
        tries = self._tries(letter, before, side, commands)
        same = evolve(judged, fate=SAME, tray=before and evolve(before, commands=commands))
        if any(one is SAME_AGAIN for one in tries[:1]):
            return self._only_noted(same, letter, letters)
        meant, found = self._meant(before, tries, side, commands)
        if found.faults and SAME_AGAIN in tries and not self._is_asked(side):
            return self._only_noted(same, letter, letters)
        stays = before if meant.stands else None
        told = self._told(letter, side, stays)
        kept = Kept(next_number(letters), side, letter.file, letter.sha256, self.came_at, told)
        turn = stays.turn if stays is not None else 0
        fate = REFUSED if found.faults else WAITING
        tray = Tray(kept, fate, commands, meant.stood, meant.stands, turn, meant.stands, meant.replaced)
        faults = tuple(found.faults)
        judged = evolve(judged, fate=tray.fate, tray=tray, faults=faults, rehearsed=found, late=told["late"])
        if found.faults:
            judged = evolve(judged, corrects=before.kept.file if before is not None and meant.replaces else "")
            return self._keep(judged, Beside(letters=[tray.as_kept()], seen=seen_of(letters)))
        changed = [tray.as_kept()]
        if before is not None:
            fate, dropped = dropped_by(before, commands, replaces=meant.replaces)
            is_other = meant.replaces and before.kept.sha256 != letter.sha256
            judged = evolve(judged, replaces=before.kept.file if is_other else "", dropped=dropped)
            changed.append(evolve(tray_of(before.kept), fate=fate).as_kept())
        beside = Beside({**note_of(side, said), **self._answers(judged)}, letters=changed, seen=seen_of(letters))
        return self._keep(judged, beside, meant.back)

    def _told(self, letter: Letter, side: str, stays: Tray | None) -> dict[str, Any]:
        """What to keep of when a letter was written and came. stays: the letter before it, if some of that remains in effect."""
        heading = heading_of(letter)
        packet = heading.number if heading is not None else 0
        return {
            "packet": packet or last_sent(self.campaign, side),
            "head": self.campaign.head,
            "late": closed_since(self.campaign, side, packet),
            "since": self._since(side, packet, stays),
        }

    def _meant(
        self, before: Tray | None, tries: "Sequence[Meaning]", side: str, commands: Sequence[SaidOrder]
    ) -> "tuple[Meaning, TriedOrders]":
        """The first meaning under which nothing is wrong with the commands; if there is none, the likeliest."""
        rehearsed = [self._rehearsed(one, side, commands) for one in tries if one is not SAME_AGAIN]
        meant, found = next(((one, found) for one, found in rehearsed if not found.faults), rehearsed[0])
        seen = self.campaign.game.seen_by(side_of_seat(side))
        is_later = is_for_later(seen, before, commands, found)
        return self._rehearsed(Meaning(), side, commands) if is_later else (meant, found)

    def _since(self, seat: str, packet: int, stands: Tray | None) -> int:
        """The entry after which a letter was written: the last given of the letter that it corrects, if any, or that of its packet."""
        given = [number for number, _ in stands.given] if stands is not None else []
        sent = sent_after(self.campaign, seat, packet)
        return max(given, default=self.campaign.head if sent is None else sent)

    def _is_asked(self, side: str) -> bool:
        return any(one.kind == "question" and one.side == side_of_seat(side) for one in self.campaign.game.awaiting)

    def _only_noted(self, judged: Judged, letter: Letter, letters: Sequence[Kept]) -> Judged:
        """Notes a letter that orders nothing new, so that it need not be read again, and gives its seals."""
        fate = {"fate": judged.fate}
        kept = Kept(next_number(letters), judged.side, letter.file, letter.sha256, self.came_at, fate)
        return self._keep(judged, Beside(self._answers(judged), letters=[kept], seen=seen_of(letters)))

    def _answers(self, judged: Judged) -> dict[str, Any]:
        """What to note of the answers in advance of a letter."""
        return judged.answers.note(judged.side, self.campaign.game.turn)

    def _rehearsed(self, plan: "Meaning", side: str, commands: Sequence[SaidOrder]) -> "tuple[Meaning, TriedOrders]":
        """What is wrong with the commands under one meaning of the letter."""
        if plan.earlier is not None:
            at = min(plan.late, len(commands) - 1)
            what = f"The letter {plan.earlier.kept.file} has already been carried out past this line, and differs from it here."
            fault = Fault(TOO_LATE, at, Why.CLOSED(what, hint="Send only the orders that come after that.").refusal)
            return plan, TriedOrders([fault])
        tried = commands[plan.stands :]
        who = self.commanders.get(side)
        not_his = not_for(self.campaign.game, who, [(one.text, one.repeat) for one in tried]) if who is not None else []
        while who is not None and tried and tried[-1].text.lower() in ENDINGS:  # it ends nothing
            tried = tried[:-1]
        found = rehearse(GamesWithout(self.campaign, plan.back), side_of_seat(side), tried, who)
        his = [fault for fault in found.faults if fault.position not in {at for at, _ in not_his}]
        theirs = [Fault(NOT_YOURS, at, why.refusal) for at, why in not_his]
        both = sorted([*his, *theirs], key=lambda fault: fault.position)
        found.faults = [_moved(fault, plan.stands) for fault in both]
        found.opens = found.opens and _moved(found.opens, plan.stands)
        found.needless = [at + plan.stands for at in found.needless]
        return plan, found

    def _keep(self, judged: Judged, beside: Beside, back: Sequence[Input] = ()) -> Judged:
        """Keeps a letter, the first one beside, and with it takes back what it replaces and gives its seals."""
        seals = checked(self.campaign, judged.side, self.commanders.get(judged.side), judged.seals, back)
        judged = evolve(judged, seals=seals)
        if not self.keeps:
            return judged

        def noted(entries: "Sequence[Entry]") -> Beside:
            numbers = [one.number for one in entries if one.input.kind == SEAL]
            return evolve(beside, letters=[with_sealed(beside.letters[0], numbers), *beside.letters[1:]])

        inputs = [*back, *(seals.inputs(judged.side) if self.seals else ())]
        if not inputs:
            self.campaign.keep(beside)
            return judged
        try:
            self.campaign.offer_all(inputs, noted)
        except RefusedAt as error:  # another session gave that link since it was checked
            raise self.campaign.store.stale() from error
        return judged


def _is_of(only: str, seat: str) -> bool:
    """Whether a seat is the one whose letters are read, or that of a commander of it."""
    return only in {"", seat, side_of_seat(seat)}


def _ends_standing(said: SaidOrder) -> bool:
    return said.repeat and said.text.lower() in NOTHING_MORE


def _moved(fault: Fault, by: int) -> Fault:
    return evolve(fault, position=fault.position + by, after=tuple(one + by for one in fault.after))
