"""Amending the rules of a running campaign, from now on or, on a branch, from an earlier turn.

On the branch the inputs of the line are given again under the amended text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from attrs import evolve, field, frozen

from campaigns.amending.proposing import Proposal
from campaigns.file.beside import Beside, carried_on
from campaigns.file.errors import CampaignError
from campaigns.file.history import Entry
from campaigns.play.campaign import Campaign
from campaigns.play.giving_again import LeftOut
from campaigns.play.named_branches import beginning_of_branch, branch_of, free_name
from campaigns.play.together import batches, carried_over
from interpreter.messages.happenings import TurnBegan
from interpreter.messages.inputs import Event, Input
from interpreter.messages.sides import UMPIRE
from interpreter.messages.standing_rulings import AMEND, RULE, Wording, amendment_of, read_ruling
from interpreter.runtime.refusals import Why

if TYPE_CHECKING:
    from interpreter.machine import Game

__all__ = ["Amended", "amend", "amend_from", "input_of"]


@frozen
class Amended:
    """The result of replaying a line under an amended text.

    Attributes:
        branch: the name of the branch it was replayed on.
        after: the entry that it begins after.
        given: the numbers of the replayed entries, each with its new number.
        otherwise: the new numbers of those that had a different result.
        dropped: earlier amendments, which the new text replaces.
        left: what was not replayed; the first of these is no longer valid.
        reason, hint: why not, and what would be valid.
        old_end: the entry that the campaign was at before.
        events: the events of the amendment itself.
    """

    branch: str
    after: int
    given: tuple[tuple[int, int], ...]
    otherwise: tuple[int, ...]
    dropped: tuple[int, ...]
    left: tuple[LeftOut, ...]
    reason: str = ""
    hint: str = ""
    old_end: int = 0
    events: tuple[Event, ...] = field(factory=tuple, repr=False)


Make = Callable[[Wording], Input]
"""The input that brings an amended text."""


def input_of(reason: str) -> Make:
    """An amendment with its reason."""
    return lambda wording: Input(AMEND, UMPIRE, wording.line, reason)


def amend(campaign: Campaign[Any], proposal: Proposal, make: Make) -> list[Event]:
    """Apply an amended text from now on: at once if a turn is just beginning, otherwise from the next turn on.

    Raises:
        Refused: something prevents it; the message names it. Nothing has changed.
        Stale, CampaignError: as for `Campaign.offer`.
    """
    campaign.bring(proposal.texts)
    return campaign.offer(make(proposal.wording(from_start=False)))


def amend_from(campaign: Campaign[Any], proposal: Proposal, make: Make, turn: int = 1, branch: str = "") -> Amended:
    """Replay the line under an amended text, from the start or from the beginning of a turn, on a branch of its own.

    Args:
        campaign: the campaign.
        proposal: the amended text.
        make: the input that brings it.
        turn: the turn from which the text applies; 1 is the start.
        branch: a name for the branch; if empty, a free name is chosen.

    Raises:
        RefusedAt: the game cannot start or continue under it. Nothing has changed.
        CampaignError: there was no such turn, or the branch cannot be created.
        Stale: another session has moved the campaign on.
    """
    campaign.bring(proposal.texts)
    head = campaign.head
    begins = 0 if turn <= 1 else _beginning_of(campaign, turn)
    line = [campaign.entry(number) for number in campaign.between(begins, head)]
    name = free_name(campaign, branch or "amended", exact=bool(branch))
    later, dropped = _without_amendments(campaign, line)
    given = make(proposal.wording(from_start=turn <= 1))
    last = campaign.store.last()
    letters = campaign.letters()
    known = batches(campaign.store, line[0].number - 1, line[-1].number) if line else []

    def beside(entries: Sequence[Entry]) -> Beside:
        numbers = {was.number: now.number for (was, _), now in zip(later, entries[1:], strict=False)}
        return carried_on(letters, numbers, [*beginning_of_branch(name, begins, last), *carried_over(known, numbers)])

    entries, stopped = campaign.give_from(begins, [given, *(one for _, one in later)], beside, 1)
    pairs = list(zip(later, entries[1:], strict=False))
    return Amended(
        branch_of(campaign, name).name,
        begins,
        tuple((was.number, now.number) for (was, _), now in pairs),
        tuple(now.number for (was, _), now in pairs if not was.tells_as(now)),
        tuple(dropped),
        tuple(LeftOut(was.number, was.input) for was, _ in later[len(pairs) :]),
        str(getattr(stopped, "message", stopped)) if stopped is not None else "",
        str(getattr(stopped, "hint", "")) if stopped is not None else "",
        head,
        entries[0].events,
    )


def _beginning_of(campaign: Campaign[Any], turn: int) -> int:
    """The entry after which a turn began on the line. Raises CampaignError."""
    for number in campaign.between(0, campaign.head):
        if any(isinstance(e.what, TurnBegan) and e.what.turn == turn for e in campaign.entry(number).events):
            if campaign.state_at(number).turn != turn:
                break
            return number
    raise CampaignError(
        f"The current line cannot be replayed from turn {turn}.",
        f"The campaign is in turn {campaign.game.turn}; `--from-start` begins with turn 1.",
        Why.UNKNOWN_NAME,
    )


def _without_amendments(campaign: Campaign[Any], line: Sequence[Entry]) -> tuple[list[tuple[Entry, Input]], list[int]]:
    """A line without its amendments; a ruling that brought one is reduced to what it says in words."""
    kept: list[tuple[Entry, Input]] = []
    dropped: list[int] = []
    for entry in line:
        given = entry.input
        if amendment_of(given.kind, given.text) is None:
            kept.append((entry, given))
            continue
        dropped.append(entry.number)
        if given.kind == RULE:
            kept.append((entry, evolve(given, text=_in_words(campaign, entry))))
    return kept, dropped


def _in_words(campaign: Campaign[Any], entry: Entry) -> str:
    game: Game = campaign.state_at(entry.number)
    sides = [side.id for side in game.sides]
    return read_ruling(entry.input.text, "", game.words_of_rules(), sides).without_wording()


# ---- the dry run
