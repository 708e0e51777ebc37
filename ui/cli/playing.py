"""What commands and app read from a running game. No text is printed here."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import attrs

from campaigns.views.told import Told, as_known, opening_told, told_entry, told_log
from interpreter.messages.inputs import Awaited, Input
from interpreter.messages.sides import UMPIRE
from interpreter.messages.standing_rulings import amendment_of
from interpreter.messages.view import View
from interpreter.world.seat import readable as may_read
from ui.cli.plain import one_line

if TYPE_CHECKING:
    from campaigns.play.campaign import Campaign
    from interpreter.explain.explanations import Explanation
    from interpreter.machine import Game

    OpenCampaign = Campaign[Game]

__all__ = [
    "UMPIRE",
    "Told",
    "as_known",
    "awaited_from",
    "changes_of",
    "explain",
    "may_read",
    "opening_told",
    "said_by",
    "sides_of",
    "told_entry",
    "told_log",
    "with_question",
]  # fmt: skip


MOST_SAID = 12
"""The number of changes shown where one line describes a ruling; its results are always shown in full."""


def explain(game: "Game", expression: str, side: str) -> "Explanation":
    """Explains a value, as far as a side may know it.

    Raises:
        Refused: the expression is not understood, or depends on something that the side may not know.
    """
    explained: Explanation = game.explain(expression, side)
    return explained


def changes_of(campaign: "OpenCampaign", number: int, side: str) -> "list[Explanation]":
    """The fields that a log entry changed, each with a full explanation, as far as a side may know it."""
    given = campaign.entry(number).input
    giver = given.subject.partition(" ")[0] if given.kind == "deadline" else given.side
    game = campaign.state_at(number).seen_by(giver)  # an order that it interrupts is resumed after it
    changes: list[Explanation] = game.explain_changes(side)
    return changes


def said_by(given: Input) -> tuple[str, str]:
    """Who gave an input, and what it was, in words; for the umpire's rulings with the reason. Each takes one line."""
    who, said = _said_by(given)
    return one_line(who), one_line(said)


def _said_by(given: Input) -> tuple[str, str]:
    who = given.side or "dice"
    if given.kind == "deadline" and given.text != "…":
        side, _, question = given.subject.partition(" ")
        return who, f"deadline of {side}: " + (f"{question}: {given.text}" if question else given.text)
    if given.kind in {"override", "option", "roster", "dice"} and given.text != "…":
        lines = given.text.split("\n")
        more = f"; and {len(lines) - MOST_SAID} more" if len(lines) > MOST_SAID else ""
        return who, f"{given.kind} {'; '.join(lines[:MOST_SAID])}{more} because “{given.subject}”"
    if given.kind == "amend" and given.text != "…":
        return who, f"amend the rules ({_short(given.text)}) because “{given.subject}”"
    if given.kind == "rule" and given.text != "…":
        said, *lines = given.text.split("\n")
        more = f" ({'; '.join(map(_short, lines))})" if lines else ""
        return who, f"rule: {said}{more}" + (f", which settles: {given.subject}" if given.subject else "")
    if given.kind == "undo":
        return who, f"took back {given.text}"
    if given.kind == "roll" and given.text != "…":
        return who, f"roll {given.text}"
    return who, f"{given.subject}: {given.text}" if given.subject else given.text


def _short(line: str) -> str:
    """A line of a ruling; a digest of amended rules is shortened to its first digits."""
    wording = amendment_of("amend", line)
    if wording is None:
        return line
    return f"text {wording.digest[:12]}, from {'the start' if wording.from_start else 'now on'}"


def sides_of(known: "View | Game") -> dict[str, str]:
    """The ids of the sides with their titles, in the order of the scenario."""
    return {side.id: side.title or side.id for side in known.sides}


def with_question(given: Input, awaiting: Sequence[Awaited]) -> Input:
    """Adds the question to an answer that names none, if its side is asked only one; any other input is returned unchanged."""
    if given.kind != "answer" or given.subject:
        return given
    asked = [one.name for one in awaited_from(awaiting, given.side) if one.kind == "question"]
    return attrs.evolve(given, subject=asked[0]) if len(asked) == 1 else given


def awaited_from(awaiting: Sequence[Awaited], side: str) -> list[Awaited]:
    """What a side can act on: what is asked of it, what is asked of nobody in particular, and everything for the umpire."""
    return [one for one in awaiting if one.kind != "over" and (side in {UMPIRE, one.side} or not one.side)]
