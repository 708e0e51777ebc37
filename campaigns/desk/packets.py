"""Packets: what a side is sent, when it was sent, and the mark by which a letter proves whose packet it answers."""

import secrets
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from attrs import evolve, field, frozen

from campaigns.desk.answers_in_advance import with_refusals
from campaigns.desk.commanders import (
    Commander,
    commander_of,
    is_asked,
    may_answer,
    may_give,
    side_of_seat,
    without_done,
)
from campaigns.desk.trays import WAITING, stopped_at, trays_of
from campaigns.file.beside import Beside
from campaigns.play.recorded_seals import link_needed
from campaigns.play.whole_answers import answers_that_stand
from interpreter.messages.inputs import SEAL, Awaited, Input
from interpreter.messages.view import View
from interpreter.runtime.refusals import Refusal

if TYPE_CHECKING:
    from campaigns.play.campaign import Campaign
    from interpreter.machine import Game

DONE = "done"
MOST_ANSWERS = 7
MOST_KEPT, MOST_LOOKED_AT = 10, 2000
MOST_TRIED = 200
"""How many commands of each order are searched for one that a commander may give."""

__all__ = [
    "Packet",
    "asked_of",
    "closed_since",
    "last_sent",
    "mark_of",
    "may_be_answered",
    "needed_from",
    "next_number",
    "note_packets",
    "owed_link",
    "packet_of",
    "packets_of",
    "sent_after",
    "some_answers",
]


def _named(whose: str) -> str:
    """The note about the last packet of a side."""
    return f"packet {whose}"


@frozen
class Packet:
    """The contents of a packet of a side.

    Attributes:
        side: whose it is.
        seat: the side, or the commander whose it is, as `red/tom`.
        number: which of its packets, counted from 1.
        mark: what proves that a letter answers one of its packets.
        after: the entry after which the last packet was made; 0 for the first one.
        view: the situation as the side may know it.
        awaited: what is awaited from the side now.
        examples: for each order that it can give now, a legal command.
        answers: for each question to it, some complete answers.
        given: what it has given this turn and not taken back, in its own words, in order.
        waits: its orders that wait, in order; another letter drops those that it does not say again.
        in_advance: its answers in advance that are in force; each with the reason if it was refused as an answer to an open question.
        shut: why the rules do not let it say `done` yet.
        link: with sealed dice: the number of the link that it has to give now, and the hash to give it for; None if there is none.
        unsealed: whether the side has given no anchor for its sealed dice yet.
        stopped: the letters that stopped since the last packet: file, order and reason of each.
        only_reads: whether it is for an observer, who gives no orders.
    """

    side: str
    number: int
    mark: str
    after: int
    view: View
    awaited: tuple[Awaited, ...] = ()
    examples: dict[str, list[str]] = field(factory=dict)
    answers: dict[str, list[str]] = field(factory=dict)
    given: tuple[Input, ...] = ()
    seat: str = ""
    shut: tuple[Refusal, ...] = ()
    link: tuple[int, str] | None = None
    unsealed: bool = False
    only_reads: bool = False
    waits: tuple[str, ...] = ()
    in_advance: tuple[tuple[str, str], ...] = ()
    stopped: tuple[tuple[str, str, str], ...] = ()


def packets_of(campaign: "Campaign[Game]", seats: Sequence[str]) -> list[Packet]:
    """The next packets of sides and commanders. Commanders see what their side sees, so each view is made once."""
    views = {side: campaign.game.view(side) for side in dict.fromkeys(map(side_of_seat, seats))}
    return [packet_of(campaign, seat, views[side_of_seat(seat)]) for seat in seats]


def packet_of(campaign: "Campaign[Game]", seat: str, view: View | None = None) -> Packet:
    """The next packet of a side or of a commander. Nothing is stored; `note_packets` does that when it is written."""
    game, side = campaign.game, side_of_seat(seat)
    view = view or game.view(side)
    who = commander_of(campaign, seat) if seat != side else None
    awaited = asked_of(game, view, seat, who)
    orders = [name for one in awaited if one.kind == "orders" for name in one.choices]
    number, mark, after = _noted(campaign, seat)
    given = tuple(one for one in game.seen_by(side).inputs_of_turn if one.side == side and one.kind in {"do", "answer"})
    over = who.over if who is not None else ()
    examples = game.examples(side, orders, MOST_TRIED if over else 1, over) if over or seat == side else {}
    shut = tuple(game.why_not(side, DONE)) if orders and seat == side else ()
    answers = {one.name: some_answers(game, who, one) for one in awaited if one.kind == "question"}
    link = owed_link(campaign, awaited)
    unsealed = game.seals is not None and side in game.seals.lacking and not view.over
    packet = Packet(
        side,
        number + 1,
        mark,
        after,
        view,
        awaited,
        examples,
        answers,
        given,
        seat,
        shut,
        link,
        unsealed,
        waits=_waiting(campaign, seat),
        in_advance=with_refusals(campaign, seat),
        stopped=_stopped(campaign, seat, number),
    )
    return packet if who is None else _of_commander(campaign, who, packet)


def _waiting(campaign: "Campaign[Game]", seat: str) -> tuple[str, ...]:
    """The orders of a side or a commander that wait in their last letter."""
    tray = trays_of(campaign.letters()).get(seat)
    if tray is None or tray.fate != WAITING or tray.turn not in {0, campaign.game.turn}:
        return ()
    return tuple(said.text for said in tray.commands[tray.next :])


def _stopped(campaign: "Campaign[Game]", seat: str, last: int) -> tuple[tuple[str, str, str], ...]:
    """The letters of a side or a commander that stopped after its last packet, on the current line; a later letter may have come since."""
    found = [
        kept
        for kept in campaign.letters()
        if kept.side == seat and isinstance(why := kept.told.get("why"), dict) and why.get("packet") == last
    ]
    way = set(campaign.between(0, campaign.head)) if found else set()
    here = [kept for kept in found if kept.told.get("head") in {0, *way} and any(stopped_at(kept))]
    return tuple((kept.file, *stopped_at(kept)) for kept in here)


def owed_link(campaign: "Campaign[Game]", awaited: Iterable[Awaited]) -> tuple[int, str] | None:
    """The link of sealed dice among what is awaited from a side: its number, and the hash to give it for; None if there is none."""
    head = campaign.entry(campaign.head)
    return next((link_needed(campaign.store, head, one) for one in awaited if one.kind == SEAL), None)


def needed_from(view: View, side: str) -> tuple[Awaited, ...]:
    """What a side has to decide; no window in which it could only say `done`, since `advance` goes on there by itself.

    Nor what is decided at the table: the umpire enters that.
    """
    own = (one for one in view.awaiting if one.side == side and not one.at_table)
    return tuple(one for one in own if one.kind in {"question", SEAL} or (one.kind == "orders" and one.choices))


def asked_of(game: "Game", view: View, seat: str, who: Commander | None) -> tuple[Awaited, ...]:
    """What a side has to decide, or of that what a commander of it may, who ends no window."""
    awaited = needed_from(view, side_of_seat(seat))
    if who is None:
        return awaited
    mine = (one for one in awaited if one.kind != SEAL and not who.observes)
    theirs = (one for one in mine if one.kind != "question" or is_asked(game, who, one))
    return tuple(evolve(one, prompt=without_done(one.prompt)) for one in theirs)


def may_be_answered(game: "Game", who: Commander | None, question: Awaited) -> Callable[[str], bool]:
    """Tells whether an answer to a question would be accepted from the seat of the side, or from a commander."""

    def may(answer: str) -> bool:
        is_theirs = who is None or may_answer(game, who, question.name, answer)
        return is_theirs and game.may_answer(question.side, question.name, answer)

    return may


def some_answers(game: "Game", who: Commander | None, question: Awaited) -> list[str]:
    """Some complete answers to a question, or of those that a commander may give."""
    return answers_that_stand(question, may_be_answered(game, who, question), MOST_ANSWERS)


def _of_commander(campaign: "Campaign[Game]", who: Commander, packet: Packet) -> Packet:
    """The packet of a side as a commander of a part of it gets it: only with their own orders."""
    game = campaign.game
    mine = {name: [one for one in found if may_give(game, who, one)][:1] for name, found in packet.examples.items()}
    return evolve(
        packet,
        only_reads=who.observes,
        unsealed=False,
        examples={name: found for name, found in mine.items() if found},
        given=tuple(one for one in packet.given if one.kind == "do" and may_give(game, who, one.text)),
    )


def mark_of(campaign: "Campaign[Game]", seat: str) -> str:
    """The mark of the packets of a side or a commander; empty before the first was sent."""
    return _noted(campaign, seat)[1]


def next_number(campaign: "Campaign[Game]", seat: str) -> int:
    """The number of the next packet of a side or a commander."""
    return _noted(campaign, seat)[0] + 1


def last_sent(campaign: "Campaign[Game]", seat: str) -> int:
    """The number of the last packet of a side or a commander; 0 before the first."""
    return _noted(campaign, seat)[0]


def note_packets(campaign: "Campaign[Game]", packets: list[Packet]) -> list[Packet]:
    """Notes that packets are sent now; returns them with their marks."""
    marked = [one if one.mark else evolve(one, mark=secrets.token_hex(4)) for one in packets]
    head = campaign.head
    notes = {
        _named(p.seat): {
            "number": p.number,
            "mark": p.mark,
            "after": head,
            "earlier": [*_earlier(campaign, p.seat), [p.number, head]][-MOST_KEPT:],
        }
        for p in marked
    }
    campaign.keep(Beside(notes))
    return marked


def closed_since(campaign: "Campaign[Game]", seat: str, number: int) -> bool:
    """Whether the umpire has closed a window of a side since one of its packets, by its number, was sent."""
    after = sent_after(campaign, seat, number)
    if after is None:
        return False
    given = [campaign.entry(one).input for one in campaign.between(after, campaign.head)[-MOST_LOOKED_AT:]]
    side = side_of_seat(seat)
    return any(one.kind == "deadline" and one.subject.partition(" ")[0] == side for one in given)


def sent_after(campaign: "Campaign[Game]", seat: str, number: int) -> int | None:
    """The entry after which one of the last packets of a seat, by its number, was made; None if it is not known."""
    return next((head for sent, head in _earlier(campaign, seat) if sent == number), None)


def _earlier(campaign: "Campaign[Game]", seat: str) -> list[list[int]]:
    """The last packets of a side or a commander, each with its number and the entry after which it was made."""
    note: Any = campaign.notes().get(_named(seat), {})
    rows = note.get("earlier") if isinstance(note, dict) else None
    rows = rows if isinstance(rows, list) else []
    return [row for row in rows if isinstance(row, list) and [type(one) for one in row] == [int, int]]


def _noted(campaign: "Campaign[Game]", side: str) -> tuple[int, str, int]:
    """The number of the last packet of a side, the mark of all, and the entry after which it was made."""
    note: Any = campaign.notes().get(_named(side), {})
    note = note if isinstance(note, dict) else {}
    number, mark, after = note.get("number"), note.get("mark"), note.get("after")
    return (
        number if type(number) is int else 0,
        mark if isinstance(mark, str) else "",
        after if type(after) is int else 0,
    )
