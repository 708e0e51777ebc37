"""Commanders of a part of a side's forces, and observers, who give no orders. Desk work, kept beside the chain.

A commander reads what their side may know, and gives orders only to what the umpire has put under their command: things, or what
they belong to (their holder, or a formation that a field of theirs names). The seat of the side itself may give all orders. This is
checked when somebody's orders come in; the record knows only the side.
"""

import fnmatch
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from attrs import frozen

from campaigns.file.beside import Beside
from campaigns.file.errors import CampaignError
from campaigns.play.typed import input_of
from interpreter.messages.inputs import ENDINGS, OR_DONE, Awaited, Input, Refused, RuleFailure
from interpreter.runtime.refusals import Why

if TYPE_CHECKING:
    from campaigns.play.campaign import Campaign
    from interpreter.machine import Game

__all__ = [
    "Commander",
    "choices_for",
    "commander_of",
    "commanders_of",
    "drop_commander",
    "is_asked",
    "may_answer",
    "may_give",
    "not_for",
    "refuse",
    "refuse_result",
    "set_commander",
    "side_of_seat",
    "without_done",
]

PREFIX = "commander "
NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
MOST_LETTERS = 40
MOST_COMMANDERS, MOST_THINGS = 200, 500


@frozen
class Commander:
    """Somebody who plays part of a side.

    Attributes:
        side: the side.
        name: their name, as in `--as SIDE/NAME`.
        over: the ids of what they command; none for an observer, who gives no orders.
    """

    side: str
    name: str
    over: tuple[str, ...] = ()

    @property
    def seat(self) -> str:
        """Their name with the side: `red/tom`."""
        return f"{self.side}/{self.name}"

    @property
    def observes(self) -> bool:
        """Whether they only read."""
        return not self.over


def side_of_seat(seat: str) -> str:
    """The side of a seat: of `red/tom` and of `red` it is `red`."""
    return seat.partition("/")[0]


def commanders_of(campaign: "Campaign[Game]") -> list[Commander]:
    """The commanders and observers, by side and name."""
    sides = {one.id for one in campaign.game.sides}
    found = []
    for note, said in campaign.notes().items():
        side, slash, name = note.removeprefix(PREFIX).partition("/")
        if note.startswith(PREFIX) and slash and side in sides and NAME.fullmatch(name) and isinstance(said, list):
            found.append(Commander(side, name, tuple(one for one in said if isinstance(one, str))))
    return sorted(found, key=lambda one: one.seat)


def commander_of(campaign: "Campaign[Game]", seat: str) -> Commander:
    """The commander or observer of a seat, as `red/tom`. Raises CampaignError if there is none."""
    known = commanders_of(campaign)
    found = next((one for one in known if one.seat.lower() == seat.lower()), None)
    if found is None:
        listed = ", ".join(one.seat for one in known)
        raise CampaignError(
            f"There is no commander {seat[:80]}.",
            f"The commanders are: {listed}."
            if listed
            else "Appoint one with `ophex desk CAMPAIGN --as SIDE/NAME --over 'THING, THING'`.",
            Why.UNKNOWN_NAME,
        )
    return found


def set_commander(campaign: "Campaign[Game]", side: str, name: str, over: Sequence[str]) -> Commander:
    """Appoint a commander, or set what they command from now on; without things they are an observer.

    over: ids; a `*` in one stands for any letters, and names the things that the side has now.

    Raises:
        CampaignError: the name cannot be used, or the side has no such thing.
    """
    name = name.lower()
    if not NAME.fullmatch(name) or len(name) > MOST_LETTERS:
        raise CampaignError(
            f"A commander cannot be named {name[:80]!r}.", "Use letters, digits and hyphens.", Why.NOT_UNDERSTOOD
        )
    if name.isdigit() or f"{side}-{name}" in {one.id for one in campaign.game.sides}:
        raise CampaignError(
            f"A commander of {side} cannot be named {name}: {side}-{name} is a side.", kind=Why.NOT_UNDERSTOOD
        )
    if any("*" in one for one in over):
        ids = [x.id for x in campaign.game.view(side).things if x.side == side and not x.part]
        over = [i for one in over for i in ("*" in one and fnmatch.filter(ids, one)) or [one]]
    known = campaign.game.named_of(side, " ".join(over))
    missing = [one for one in over if one not in known]
    if missing:
        raise CampaignError(
            f"{side} has no {missing[0][:80]}.",
            "Name units, formations or other things of the side by their ids; `ophex status` lists them.",
            Why.UNKNOWN_NAME,
        )
    if len(over) > MOST_THINGS or len(commanders_of(campaign)) >= MOST_COMMANDERS:
        raise CampaignError(
            f"That is too many: the limit is {MOST_COMMANDERS} commanders, each over {MOST_THINGS} things.",
            kind=Why.OUT_OF_BOUNDS,
        )
    made = Commander(side, name, tuple(dict.fromkeys(over)))
    campaign.keep(Beside({f"{PREFIX}{made.seat}": list(made.over)}))
    return made


def drop_commander(campaign: "Campaign[Game]", seat: str) -> None:
    """Remove a commander or observer. Raises CampaignError if there is none."""
    campaign.keep(Beside({f"{PREFIX}{commander_of(campaign, seat).seat}": None}))


def refuse(game: "Game", who: Commander, given: Input, *, asked_for: bool = False) -> None:
    """Raise Refused if a commander may not give that; whether the rules allow it is not checked here.

    Args:
        game: the game as they find it.
        who: the commander.
        given: what they give.
        asked_for: whether an order of theirs comes before it, which may have raised the question that it answers.

    Raises:
        Refused: they may not, or the command is not understood.
    """
    if who.observes:
        raise Why.NOT_YOURS(
            f"{who.seat} is an observer and cannot give orders.",
            hint=f"The seat of {who.side} gives its orders.",
            side=who.side,
        )
    if given.kind == "answer":
        _refuse_answer(game, who, given, asked_for=asked_for)
        return
    if given.kind != "do" or given.text.strip().lower() in ENDINGS:
        what = "can end its windows" if given.kind == "do" else "can do that"
        raise Why.NOT_YOURS(
            f"{who.seat} commands only a part of {who.side}.",
            hint=f"Only the seat of {who.side} {what}.",
            side=who.side,
        )
    _refuse_things(who, game.ordered(who.side, given.text))


def refuse_result(game: "Game", given: Input) -> None:
    """Raise Refused if an answer of a side is what only the table knows: the umpire enters that."""
    if given.kind == "answer":
        asked = [one.name for one in game.waiting if one.at_table and one.side == given.side]
        name = given.subject.lower() or "".join(asked[:1])
        if name and game.table_tells(name):
            raise Why.NOT_YOURS(
                f"{name} is decided at the table.",
                hint="The umpire enters the result. Leave this line out; what comes after it waits.",
                question=name,
                side=given.side,
            )


def may_give(game: "Game", who: Commander, command: str) -> bool:
    """Whether a command is one that a commander may give."""
    try:
        refuse(game, who, Input("do", who.side, command))
    except Refused:
        return False
    return True


def may_answer(game: "Game", who: Commander, question: str, answer: str) -> bool:
    """Whether an answer is one that a commander may give, if it is one at all."""
    try:
        refuse(game, who, Input("answer", who.side, answer, question))
    except Refused:
        return False
    return True


def choices_for(game: "Game", who: Commander, asked: Awaited) -> tuple[str, ...]:
    """Of the choices of a question those that a commander may name; the names of the orders of a window."""
    if asked.kind != "question":
        return asked.choices
    return tuple(one for one in asked.choices if may_answer(game, who, asked.name, one))


def without_done(prompt: str) -> str:
    """What an orders window is awaited with, for commanders: they end no window."""
    return prompt.replace(OR_DONE, "", 1)


def is_asked(game: "Game", who: Commander, question: Awaited) -> bool:
    """Whether a commander may answer a question to their side at all, perhaps together with other choices."""
    return any(may_answer(game, who, question.name, one) for one in question.choices or ("0",))


def not_for(game: "Game", who: Commander, commands: Sequence[tuple[str, bool]]) -> list[tuple[int, Refused]]:
    """Which commands of a letter are not for a commander, and why. Commands that are not understood are ignored here.

    commands: each text, and whether it is to be repeated each turn.
    """
    found, orders = [], 0
    for at, (text, repeat) in enumerate(commands):
        given = input_of(text, who.side)
        try:
            if who.observes:
                refuse(game, who, given)
            elif repeat:
                raise Why.NOT_YOURS(
                    "A commander cannot leave standing orders.",
                    hint=f"Only the seat of {who.side} can leave them.",
                    side=who.side,
                )
            elif given.kind == "do" and text.lower() not in ENDINGS:
                orders += 1
                try:
                    ordered = game.ordered(who.side, text)
                except (Refused, RuleFailure):  # what is wrong with it is reported when it is tried
                    continue
                _refuse_things(who, ordered)
            elif given.kind != "do":
                refuse(game, who, given, asked_for=bool(orders))
        except Refused as error:
            found.append((at, error))
    return found


def _refuse_answer(game: "Game", who: Commander, given: Input, *, asked_for: bool) -> None:
    """An answer is theirs if it names only things of theirs, or answers what an order of theirs raised and names nothing of others."""
    refuse_result(game, given)
    named = game.named_of(who.side, given.text)
    if named:
        _refuse_things(who, named)
    if named or asked_for:
        return
    last: Any = next(
        (x for x in reversed(game.seen_by(who.side).inputs_of_turn) if x.kind == "do" and x.side == who.side), None
    )
    if last is None or not may_give(game, who, last.text):
        raise Why.NOT_YOURS(
            f"The question {given.subject} does not result from an order of {who.seat}.",
            hint=f"Only the seat of {who.side} can answer it.",
            question=given.subject,
            side=who.side,
        )


def _refuse_things(who: Commander, ordered: dict[str, frozenset[str]]) -> None:
    others = [id_ for id_, above in ordered.items() if not above.intersection(who.over)]
    if others or not ordered:
        what = f"{', '.join(others[:5])} is not" if len(others) == 1 else f"{', '.join(others[:5])} are not"
        text = f"{what} under {who.seat}." if others else f"That gives no order to anything under {who.seat}."
        raise Why.NOT_YOURS(
            text,
            hint=f"Under {who.seat}: {', '.join(who.over[:8])}{' …' if len(who.over) > 8 else ''}.",
            things=list(who.over[:8]),
        )
