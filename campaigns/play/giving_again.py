"""Taking back an earlier input, and giving again what came after it.

What is taken back stays in the record as a line of its own, as with every undo. What is given again continues from there as a new
line, up to the first input that is no longer legal. The rest stays where it was, on the old line.
"""

from collections.abc import Sequence
from typing import Any

from attrs import frozen

from campaigns.file.beside import Beside, carried_on
from campaigns.file.errors import CampaignError
from campaigns.file.history import Entry
from campaigns.play.campaign import Campaign
from campaigns.play.together import Batch, batch_of, batches, carried_over, mails_of
from interpreter.messages.inputs import Input
from interpreter.runtime.refusals import Why

__all__ = ["Again", "LeftOut", "file_of", "give_again", "give_otherwise", "undo_file"]


@frozen
class LeftOut:
    """An input of the old line that was not replayed: the number of its entry, and the input."""

    number: int
    input: Input


@frozen
class Again:
    """What became of the inputs that came after what was taken back.

    Attributes:
        after: the entry that the new line begins after.
        taken: what was taken back and is not replayed.
        given: the numbers of the replayed entries, each with its new number.
        otherwise: the new numbers of those that had a different result.
        instead: the numbers of the entries that replace what was taken back.
        left: what was not replayed; the first of these is no longer valid.
        reason: why it is not valid; empty if nothing is left.
        hint: what would be allowed instead, or empty.
    """

    after: int
    taken: tuple[LeftOut, ...]
    given: tuple[tuple[int, int], ...]
    otherwise: tuple[int, ...]
    instead: tuple[int, ...]
    left: tuple[LeftOut, ...]
    reason: str = ""
    hint: str = ""


def file_of(campaign: Campaign[Any], number: int | None = None) -> Batch:
    """The inputs that an entry of the line came with; without a number, those of the last input.

    Raises:
        CampaignError: it is not on the line, or it came alone.
    """
    head = campaign.head
    at = head if number is None else number
    if at not in campaign.between(0, head):
        if number is None:
            raise CampaignError(
                "There is nothing to undo: the campaign is at its beginning.",
                "`ophex log --lines` lists the inputs on other lines; `ophex redo` goes forward again.",
                Why.NOT_NOW,
            )
        raise CampaignError(
            f"Entry {at} is not on the current line.",
            "`ophex log` lists the entries.",
            Why.UNKNOWN_NAME,
        )
    found = _mail_of(campaign, at) or batch_of(campaign.store, at)
    if found is None:
        line = set(campaign.between(0, head))
        last = next((b for b in reversed(batches(campaign.store, 0, head)) if b.first in line), None)
        hint = (
            f"The last entries that came together are {last.first} to {last.last}: use `--file {last.last}`."
            if last
            else ""
        )
        raise CampaignError(
            f"Entry {at} came alone: no other input came with it.",
            hint or "Take back a single input with `ophex undo`.",
        )
    return found


def _mail_of(campaign: Campaign[Any], number: int) -> Batch | None:
    """What came with the same mail as an entry; None if it came otherwise."""
    mails = [one for one in mails_of(campaign.notes()) if one.first <= number <= one.last]
    hashes = {entry.number: entry.hash for one in mails if (entry := campaign.store.entry(one.last)) is not None}
    return next((one for one in mails if hashes.get(one.last) == one.source), None)


def undo_file(campaign: Campaign[Any], number: int | None = None) -> Entry:
    """Take back all inputs that came together with an entry, and what came after them.

    Returns:
        The entry that is the head now.

    Raises:
        CampaignError: the entry is not on the line, or came alone.
        Stale: another session has moved the campaign on.
    """
    parent = campaign.entry(file_of(campaign, number).first).parent
    return campaign.go_back(parent or 0)


def give_otherwise(campaign: Campaign[Any], after: int, last: int, instead: Sequence[Input] = ()) -> Again:
    """Take back the entries after one up to another, give others instead, and replay what came after them.

    Args:
        campaign: the campaign.
        after: the entry that the new line begins after.
        last: the last entry that is not replayed.
        instead: the inputs that replace what is taken back; all must be valid.

    Returns:
        What became of the rest.

    Raises:
        CampaignError: these are not entries of the line.
        RefusedAt: a replacement is not valid; nothing has changed.
        Stale: another session has moved the campaign on.
    """
    head = campaign.head
    line = campaign.between(0, head)
    if (after and after not in line) or last not in line or last <= after:
        wrong = after if after and after not in line else last
        raise CampaignError(
            f"Entry {wrong} is not on the current line."
            if wrong not in line
            else f"The campaign is already at entry {after}: nothing comes after it.",
            "`ophex log` lists the entries.",
            Why.NO_CHANGE,
        )
    taken = [_left(campaign.entry(number)) for number in line if after < number <= last]
    later = [campaign.entry(number) for number in line if number > last]
    return _given(campaign, after, instead, later, taken, least=len(instead))


def give_again(campaign: Campaign[Any], first: int) -> Again:
    """Replay an entry of another line and what came after it there on the current line, as far as it is valid.

    Returns:
        What became of them.

    Raises:
        CampaignError: there is no such entry, or it is on the current line.
        RefusedAt: the first of them is not valid; nothing has changed.
        Stale: another session has moved the campaign on.
    """
    campaign.entry(first)
    head = campaign.head
    if first == 0 or first in campaign.between(0, head):
        raise CampaignError(
            f"Entry {first} is already in effect: it is on the current line.",
            "`ophex log --lines` lists the other lines.",
            Why.NO_CHANGE,
        )
    end = campaign.store.end_beyond(first)
    later = [campaign.entry(number) for number in campaign.between(first - 1, end)]
    return _given(campaign, head, (), later, (), least=1)


def _given(
    campaign: Campaign[Any],
    after: int,
    instead: Sequence[Input],
    later: Sequence[Entry],
    taken: Sequence[LeftOut],
    least: int,
) -> Again:
    """Begin a line after an entry with some inputs, and replay the inputs of others after them."""
    first = len(instead)
    letters = campaign.letters()
    known = batches(campaign.store, later[0].number - 1, later[-1].number) if later else []

    def beside(entries: Sequence[Entry]) -> Beside:
        numbers = {was.number: now.number for was, now in zip(later, entries[first:], strict=False)}
        gone = [one.number for one in taken] if entries else []
        return carried_on(letters, numbers, carried_over(known, numbers), gone, entries[0].number if entries else 0)

    entries, stopped = campaign.give_from(after, [*instead, *(entry.input for entry in later)], beside, least)
    again = entries[first:]
    pairs = list(zip(later, again, strict=False))
    return Again(
        after,
        tuple(taken),
        tuple((was.number, now.number) for was, now in pairs),
        tuple(now.number for was, now in pairs if not was.tells_as(now)),
        tuple(entry.number for entry in entries[:first]),
        tuple(_left(entry) for entry in later[len(again) :]),
        str(getattr(stopped, "message", stopped)) if stopped is not None else "",
        str(getattr(stopped, "hint", "")) if stopped is not None else "",
    )


def _left(entry: Entry) -> LeftOut:
    return LeftOut(entry.number, entry.input)
