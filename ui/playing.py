"""What commands and app ask of a running game, and the door to systems and campaigns. No text is printed here.

`campaigns.systems` is imported when it is first needed: it loads the language and the machine.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import attrs

from interpreter.inputs import Awaited, Input
from interpreter.seat import UMPIRE
from interpreter.seat import readable as may_read
from interpreter.view import View
from ui.plain import one_line

if TYPE_CHECKING:
    from campaigns.campaign import Campaign
    from campaigns.history import Entry
    from interpreter.explain import Explanation
    from interpreter.play import Game

    OpenCampaign = Campaign[Game]

__all__ = [
    "UMPIRE",
    "Told",
    "as_known",
    "awaited_from",
    "changes_of",
    "explain",
    "may_read",
    "rooms",
    "said_by",
    "sides_of",
    "told_entry",
    "told_log",
    "with_question",
]  # fmt: skip


MOST_SAID = 12
"""Of a ruling so many changes are told where a line tells what was given; what they brought about is told in full."""


def explain(game: "Game", expression: str, side: str) -> "Explanation":
    """How a value comes about, as far as a side may know.

    Raises:
        Refused: the expression is not understood, or rests on what the side may not know.
    """
    explained: Explanation = game.explain(expression, side)
    return explained


def changes_of(campaign: "OpenCampaign", number: int, side: str) -> "list[Explanation]":
    """What an entry of the log changed of fields, each told down to what it was made of, as far as a side may know."""
    given = campaign.entry(number).input
    giver = given.subject.partition(" ")[0] if given.kind == "deadline" else given.side
    game = campaign.state_at(number).seen_by(giver)  # an order that is set aside for it is taken up again after it
    changes: list[Explanation] = game.explain_changes(side)
    return changes


def as_known(entry: "Entry", side: str) -> Input:
    """The input of an entry as a side may know it: what another side gave stays untold, and dice that it must not see."""
    given = entry.input
    if given.kind == "deadline":
        told = side in {UMPIRE, given.subject.partition(" ")[0]}
    elif given.kind == "roll":
        told = all(may_read([event], side) for event in entry.events if event.kind == "roll")
    else:
        told = side in {UMPIRE, given.side}
    return given if told else Input(given.kind, given.side, "…")


def said_by(given: Input) -> tuple[str, str]:
    """Who gave an input, and what, in words: for the umpire's rulings with the reason. Each takes one line."""
    who, said = _said_by(given)
    return one_line(who), one_line(said)


def _said_by(given: Input) -> tuple[str, str]:
    who = given.side or "dice"
    if given.kind == "deadline" and given.text != "…":
        side, _, question = given.subject.partition(" ")
        return who, f"deadline of {side}: " + (f"{question}: {given.text}" if question else given.text)
    if given.kind in {"override", "option", "roster"} and given.text != "…":
        lines = given.text.split("\n")
        more = f"; and {len(lines) - MOST_SAID} more" if len(lines) > MOST_SAID else ""
        return who, f"{given.kind} {'; '.join(lines[:MOST_SAID])}{more} because “{given.subject}”"
    if given.kind == "undo":
        return who, f"takes back {given.text}"
    return who, f"{given.subject}: {given.text}" if given.subject else given.text


@attrs.frozen
class Told:
    """An entry of the log as a side is told of it.

    Attributes:
        number: its number among those that the side is told of; for the umpire among all.
        parent: the number of the entry that it continues, of which the side is told; 0 is the beginning.
        entry: the entry itself.
    """

    number: int
    parent: int
    entry: "Entry"


def told_log(campaign: "OpenCampaign", side: str, limit: int | None = None) -> list[Told]:
    """The log as a side may know it, newest first; at most `limit` entries.

    Of what tells a side nothing it is not told at all: how much another side does in secret changes no number.
    """
    if side == UMPIRE:
        return [Told(entry.number, entry.parent or 0, entry) for entry in campaign.log(limit)]
    numbers = {0: 0}
    told: list[Told] = []
    for entry in reversed(campaign.log()):
        parent = numbers.get(entry.parent or 0)
        if parent is None:
            from campaigns.errors import CampaignError

            what = f"The file is damaged: entry {entry.number} continues an entry that is not before it."
            raise CampaignError(what, "`ophex verify` tells more.")
        if entry.input.side != side and not may_read(entry.events, side):
            numbers[entry.number] = parent
            continue
        told.append(Told(len(told) + 1, parent, entry))  # in the words of then: a name may have been hidden again since
        numbers[entry.number] = len(told)
    told.reverse()
    return told if limit is None else told[:limit]


def told_entry(campaign: "OpenCampaign", side: str, number: int) -> Told:
    """The entry of this number in the log as a side may know it.

    Raises:
        CampaignError: there is none.
    """
    if side == UMPIRE or not number:
        return Told(number, 0, campaign.entry(number))
    found = next((one for one in told_log(campaign, side) if one.number == number), None)
    if found is None:
        from campaigns.errors import CampaignError

        raise CampaignError(f"The log has no entry {number} for {side}.", f"`ophex log --as {side}` lists the entries.")
    return found


def rooms() -> Any:
    """The module `campaigns.systems`."""
    from importlib import import_module

    return import_module("campaigns.systems")


def sides_of(view: View) -> dict[str, str]:
    """The ids of the sides with their titles, in the order of the scenario."""
    return {side.id: side.title or side.id for side in view.sides}


def with_question(given: Input, awaiting: Sequence[Awaited]) -> Input:
    """An answer that names no question, with the name of the only one that its side is asked; else the input as it is."""
    if given.kind != "answer" or given.subject:
        return given
    asked = [one.name for one in awaited_from(awaiting, given.side) if one.kind == "question"]
    return attrs.evolve(given, subject=asked[0]) if len(asked) == 1 else given


def awaited_from(awaiting: Sequence[Awaited], side: str) -> list[Awaited]:
    """What a side can do something about: its own, what belongs to nobody, and everything for the umpire."""
    return [one for one in awaiting if one.kind != "over" and (side in {UMPIRE, one.side} or not one.side)]
