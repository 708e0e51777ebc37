"""Giving the orders in the trays: each command when the game waits for its side, in one transaction with the note of it.

Each letter keeps its order. A command that is refused when its turn comes stops its letter. Earlier commands stay given,
since dice may have been rolled for them. Foreseeable errors have been reported before (`rehearsing.py`).
"""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from attrs import define, evolve

from campaigns.desk.answers_in_advance import AnswersInForce
from campaigns.desk.commanders import Commander, commanders_of, refuse, refuse_result
from campaigns.desk.packets import last_sent
from campaigns.desk.rehearsing import REFUSED, Fault, input_for
from campaigns.desk.states import own_in
from campaigns.desk.trays import (
    LAPSED,
    STOPPED,
    TAKEN,
    WAITING,
    WITHDRAWN,
    Tray,
    is_needless,
    is_past,
    sealed_by,
    tray_of,
    trays_of,
    waits_for_an_answer,
)
from campaigns.file.beside import Beside, seen_of
from campaigns.file.errors import CampaignError
from campaigns.play.named_branches import refuse_aside
from campaigns.play.together import noted_mail
from campaigns.play.typed import input_of
from interpreter.messages.inputs import ENDINGS, SEAL, UNDO, Awaited, Event, Input, Refused, RuleFailure
from interpreter.runtime.refusals import Why

if TYPE_CHECKING:
    from campaigns.file.history import Entry
    from campaigns.play.campaign import Campaign
    from interpreter.machine import Game

OF_NO_LETTER = -1
"""In place of the index of a letter, for an answer in advance to what none of them has asked."""

__all__ = ["Delivered", "deliver", "keep_together", "withdraw"]


@define
class Delivered:
    """What was given.

    Attributes:
        trays: the trays as they are now.
        changed: the numbers of the letters from which something was given, or whose fate has changed.
        events: what happened.
        faults: for each letter that was stopped, by its number, why.
        needless: for each letter, by its number, the places of each `done` that ended nothing, because no window was open, and of
            answers to what was not asked.
        answers: the answers in advance, with those that were refused.
        answered: the entries of those that were given.
    """

    trays: list[Tray]
    changed: frozenset[int]
    events: list[Event]
    faults: dict[int, Fault]
    needless: dict[int, list[int]]
    answers: AnswersInForce
    answered: list[int]


def deliver(campaign: "Campaign[Game]", trays: Sequence[Tray], seen: str, answers: AnswersInForce) -> Delivered:
    """Gives what can be given now from the trays, and records it: all or nothing.

    Args:
        campaign: the campaign.
        trays: the trays.
        seen: what `seen_of` returned for the letters that they were made from.
        answers: the answers in advance that may be given.

    Raises:
        Stale: another session has given something or read a letter in the meantime.
        CampaignError: it could not be recorded.
    """
    plan = _Plan(campaign, trays, answers)
    plan.run()
    events: list[Event] = []
    changed = [new for new, old in zip(plan.trays, trays, strict=True) if new != old]
    if plan.inputs:
        inputs = [given for given, _, _ in plan.inputs]
        events = campaign.offer_all(
            inputs, lambda entries: Beside(letters=[t.as_kept() for t in plan.noted(entries)], seen=seen)
        )
    elif changed:
        campaign.keep(Beside(letters=[tray.as_kept() for tray in changed], seen=seen))
    different = frozenset(new.number for new, old in zip(plan.trays, trays, strict=True) if new != old)
    return Delivered(plan.trays, different, events, plan.faults, plan.needless, answers, plan.answered)


def keep_together(campaign: "Campaign[Game]", after: int, answered: Sequence[int]) -> None:
    """Notes that what letters gave since an entry came with one mail: seals, corrections and orders are written one by one.

    answered: the entries of answers in advance.
    """
    letters = campaign.letters()
    given = {number for kept in letters for number in (*sealed_by(kept), *(entry for entry, _ in tray_of(kept).given))}
    given.update(answered)
    since = [campaign.entry(number) for number in campaign.between(after, campaign.head)]
    came = [one for one in since if one.number in given or one.input.kind == UNDO]
    if came:
        campaign.keep(Beside(noted_mail(campaign.notes(), came[0], came[-1])))


def withdraw(campaign: "Campaign[Game]", seat: str) -> Tray:
    """Withdraws the letter of a seat that waits: what has been given of it stays, the rest is no longer given. Returns the letter.

    Raises:
        CampaignError: no letter of the seat waits, or the campaign is on a branch that sides do not take part in.
        Stale: another session has given something or read a letter in the meantime.
    """
    refuse_aside(campaign)
    letters = campaign.letters_here()
    tray = trays_of(letters).get(seat)
    if tray is None or tray.fate != WAITING:
        hint = "`ophex desk` lists the letters that wait. `ophex undo --file` takes back what letters have given."
        raise CampaignError(f"No letter of {seat} waits.", hint, Why.NOT_NOW)
    tray = evolve(tray, fate=WITHDRAWN)
    campaign.keep(Beside(letters=[tray.as_kept()], seen=seen_of(letters)))
    return tray


class _Plan:
    """Finds out on a game of its own which commands are given, and in which order."""

    def __init__(self, campaign: "Campaign[Game]", trays: Sequence[Tray], answers: AnswersInForce) -> None:
        self.campaign, self.answers = campaign, answers
        self.trays = [_lapsed(tray, campaign.game.turn) for tray in trays]
        self.commanders = {one.seat: one for one in commanders_of(campaign)}
        self.inputs: list[tuple[Input, int, int]] = []
        self.in_advance: list[int] = []
        self.answered: list[int] = []
        self.faults: dict[int, Fault] = {}
        self.needless: dict[int, list[int]] = {}

    @cached_property
    def game(self) -> "Game":
        """The game of its own, made only if there is something to give."""
        return self.campaign.state_at(self.campaign.head)

    def run(self) -> None:
        """Gives what can be given, until no letter makes progress."""
        going = True
        while going:
            going = False
            for at in range(len(self.trays)):
                while self._step(at):
                    going = True
            going = going or self._answers_in_advance()
        for at in range(len(self.trays)):
            self._drop_endings(at)

    def _answers_in_advance(self) -> bool:
        """Answers a question that no letter answers, if there is an answer in advance; whether there was."""
        if not self.answers.is_asked_for(self.game if self.inputs else self.campaign.game):
            return False
        given = self.answers.give(self.game, lambda given: self.game.offer(self.game.as_typed(given)))
        if given is None:
            return False
        self.in_advance.append(len(self.inputs))
        self.inputs.append((given, *self._asked_by(given.side)))
        self.trays = [_lapsed(tray, self.game.turn) for tray in self.trays]
        return True

    def _asked_by(self, side: str) -> tuple[int, int]:
        """The letter whose order has just asked its own side something, and the place of the order: they are taken back together."""
        _, at, place = self.inputs[-1] if self.inputs else (None, OF_NO_LETTER, 0)
        if at == OF_NO_LETTER or self.trays[at].side != side:
            return OF_NO_LETTER, 0
        is_ending = self.trays[at].commands[place].text.lower() in ENDINGS
        return (OF_NO_LETTER, 0) if is_ending else (at, place)

    def _step(self, at: int) -> bool:
        """Gives the next command of a letter, if it is its turn; whether it made progress."""
        tray = self.trays[at]
        if tray.fate != WAITING:
            return False
        if tray.next == len(tray.commands):
            self.trays[at] = evolve(tray, fate=TAKEN)
            return False
        said = tray.commands[tray.next]
        given = input_of(said.text, tray.side)
        if said.text.lower() in ENDINGS and self._commander_steps(tray):
            return True
        if "/" in tray.seat and said.text.lower() in ENDINGS:  # only the seat of the side ends its windows
            if not self._is_for_now(at):
                return False
            return self._pass_over(at)
        if _ends_too_late(tray) or ((self.inputs or tray.given) and self.game.spend(given)):
            return self._pass_over(at)
        waiting = self.game.waiting
        awaiting = (*waiting, *self.game.waiting_apart)
        if is_past(tray, awaiting) or is_needless(tray.commands, tray.next, awaiting, tray.side):
            return self._pass_over(at)
        if not _is_awaited(awaiting, given) or waits_for_an_answer(tray, awaiting):
            return False
        given = input_for(said, tray.side, awaiting)
        turn = self.game.turn
        try:
            refuse_result(self.game, given)
            if "/" in tray.seat:
                refuse(self.game, self.commanders.get(tray.seat, Commander(tray.side, tray.seat)), given)
            self.game.offer(self.game.as_typed(given))
        except (Refused, RuleFailure) as error:
            fault = self.faults[tray.number] = _fault(error, tray.next)
            sent = last_sent(self.campaign, tray.seat)
            why = {"position": fault.position, "message": fault.message, "packet": sent}
            kept = evolve(tray.kept, told={**tray.kept.told, "why": why})
            self.trays[at] = _wrong_at(evolve(tray, kept=kept, fate=STOPPED), self.campaign.head)
            return False
        self.inputs.append((given, at, tray.next))
        self.trays[at] = _lapsed(evolve(tray, next=tray.next + 1, turn=tray.turn or turn), self.game.turn)
        return True

    def _pass_over(self, at: int) -> bool:
        """Leaves out a `done` that would end nothing, or an answer to what is not asked."""
        tray = self.trays[at]
        self.needless.setdefault(tray.number, []).append(tray.next)
        self.trays[at] = evolve(tray, next=tray.next + 1)
        return True

    def _commander_steps(self, tray: Tray) -> bool:
        """Before the seat of a side ends a window, a commander of it gives the next command; whether one could."""
        if "/" in tray.seat:
            return False
        parts = [at for at, one in enumerate(self.trays) if "/" in one.seat and one.side == tray.side]
        return any(self._step(at) for at in parts)

    def _is_for_now(self, at: int) -> bool:
        """Whether what follows a commander's `done` is meant for the window that is open, or nothing follows it.

        Each `done` stands for the end of a window. Those that are too many, since windows were skipped, do not count if the order before
        them is for other windows, or the one after them was refused in the windows before.
        """
        tray = self.trays[at]
        place = next((n for n, one in enumerate(tray.commands) if n > tray.next and one.text.lower() not in ENDINGS), 0)
        if not place:
            return True
        text = tray.commands[place].text
        mine = [one for one in (*self.game.waiting, *self.game.waiting_apart) if one.side == tray.side]
        if input_of(text, tray.side).kind == "answer" and any(one.kind == "question" for one in mine):
            return True
        names = {name for one in mine if one.kind == "orders" for name in one.choices}
        last, ended = self._last_given(at)
        is_other = last >= 0 and names.isdisjoint(tray.commands[last].text.lower().split()[:1])
        is_offered = text.split()[0].lower() in names
        if is_offered and (is_other or ended > tray.next - last - 1):
            return True
        if is_offered and self._is_legal(tray.side, text):
            return ended > 0 and tray.kept.told.get("refused") == place
        self.trays[at] = evolve(tray, kept=evolve(tray.kept, told={**tray.kept.told, "refused": place}))
        return False

    def _is_legal(self, side: str, text: str) -> bool:
        """Whether the rules allow an order now."""
        try:
            return not self.game.why_not(side, text)
        except (Refused, RuleFailure):
            return False

    def _last_given(self, at: int) -> tuple[int, int]:
        """The last order of a letter that is in effect, -1 before the first, and how many windows its side has ended since.

        Before the first, they are counted since what the letter answers was sent.
        """
        tray = self.trays[at]
        mine = [(after, place) for after, (_, which, place) in enumerate(self.inputs, 1) if which == at]
        after, last = mine[-1] if mine else (0, tray.given[-1][1] if tray.given else tray.stands - 1)
        given = [one for one, _, _ in self.inputs[after:] if one.side == tray.side]
        if not mine:
            since = tray.given[-1][0] if tray.given else tray.since
            entries = [self.campaign.entry(one) for one in (0, *self.campaign.between(since, self.campaign.head))]
            given = [*(entry.input for entry in own_in(entries, tray.side)), *given]
        return last, sum(one.kind != "answer" and one.text.lower() in ENDINGS for one in given)

    def _drop_endings(self, at: int) -> None:
        """Leaves out each `done` at the end of a letter that has begun, when no letter makes progress: it might end another window.

        The writer cannot know which windows are skipped.
        """
        tray = self.trays[at]
        rest = tray.commands[tray.next :]
        if not (tray.fate == WAITING and tray.next and all(one.text.lower() in ENDINGS for one in rest)):
            return
        waiting = self.game.waiting
        waits = waits_for_an_answer(tray, waiting) or any(one.at_table for one in waiting)
        if not waits and not self.game.host.is_interrupted(tray.side):  # it may be open again after that
            self.needless.setdefault(tray.number, []).extend(range(tray.next, len(tray.commands)))
            self.trays[at] = evolve(tray, next=len(tray.commands), fate=TAKEN)

    def noted(self, entries: "Sequence[Entry]") -> list[Tray]:
        """The trays with the numbers of the entries that they gave; `trays` is updated accordingly."""
        for entry, (_, at, place) in zip(entries, self.inputs, strict=True):
            if at == OF_NO_LETTER:
                continue
            tray = self.trays[at]
            self.trays[at] = evolve(tray, given=(*tray.given, (entry.number, place)))
        self.answered = [entries[place].number for place in self.in_advance]
        self.trays = [
            _wrong_at(tray, entries[-1].number) if tray.number in self.faults else tray for tray in self.trays
        ]
        return self.trays


def _ends_too_late(tray: Tray) -> bool:
    """Whether a letter says only `done`, after the umpire has closed the window that it was meant for: it must not end the next one."""
    return tray.kept.told.get("late") is True and all(one.text.lower() in ENDINGS for one in tray.commands)


def _lapsed(tray: Tray, turn: int) -> Tray:
    """A tray; the rest of a letter lapses at the end of the turn in which its first command was given."""
    is_over = tray.fate == WAITING and tray.turn and tray.turn != turn and tray.next < len(tray.commands)
    if not is_over:
        return tray
    only_endings = all(one.text.lower() in ENDINGS for one in tray.commands[tray.next :])
    return evolve(tray, fate=TAKEN if only_endings else LAPSED)


def _wrong_at(tray: Tray, head: int) -> Tray:
    """A tray with the entry up to which the campaign had come when it was stopped."""
    return evolve(tray, kept=evolve(tray.kept, told={**tray.kept.told, "head": head}))


def _is_awaited(awaiting: Sequence[Awaited], given: Input) -> bool:
    if given.kind == "roll":
        return any(one.kind == "dice" for one in awaiting)
    return any(
        one.side == given.side and one.kind != "dice" and (one.kind == SEAL) == (given.kind == SEAL) for one in awaiting
    )


def _fault(error: Refused | RuleFailure, place: int) -> Fault:
    if isinstance(error, RuleFailure):
        return Fault(REFUSED, place, evolve(error.refusal, hint="A rule failed. Ask the umpire."))
    return Fault(REFUSED, place, error.refusal)
