"""Order files of several sides at once: each command is given when the game is waiting for its side."""

from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING

from attrs import frozen

from campaigns.play.typed import Order, input_of
from interpreter.messages.inputs import ENDINGS, SEAL, Awaited, Input, Refused
from interpreter.runtime.refusals import Why
from ui.cli.playing import with_question

if TYPE_CHECKING:
    from interpreter.machine import Game
    from ui.cli.playing import OpenCampaign

__all__ = ["Delivery", "OrderFile", "Undelivered", "put_in_order"]


@frozen
class OrderFile:
    """The order file of one side."""

    side: str
    file: str
    orders: Sequence[Order]


@frozen
class Delivery:
    """The commands of order files in the order in which the game accepts them.

    Attributes:
        inputs: the commands. sources: the file and the line of each.
        left: if typed dice are needed before the files end: the first remaining command of each file.
        needless: each `done` of a side that the game was no longer waiting for.
    """

    inputs: Sequence[Input]
    sources: Sequence[tuple[OrderFile, Order]]
    left: Sequence[tuple[OrderFile, Order]] = ()
    needless: Sequence[tuple[OrderFile, Order]] = ()


class Undelivered(Exception):
    """A command is refused, or the game is not waiting for its side and no other file can go on."""

    def __init__(self, letter: OrderFile, order: Order, refused: Refused) -> None:
        super().__init__(refused.message)
        self.letter = letter
        self.order = order
        self.refused = refused


def put_in_order(campaign: "OpenCampaign", letters: Sequence[OrderFile]) -> Delivery:
    """All commands of the files as inputs, in an order in which the game accepts them; nothing is recorded.

    Each file keeps its own order. If the game is waiting for several sides, the file named first goes first. It stops at
    dice that no file gives. The writer of a file cannot know which windows will be skipped, so a `done` at the end of
    a file is needless if the game is no longer waiting for its side.

    Raises:
        Undelivered: a command is refused, or the game is waiting for somebody who has no commands left.
    """
    trial = campaign.state_at(campaign.head)
    waiting = [(letter, deque(letter.orders)) for letter in letters]
    given: list[Input] = []
    sources: list[tuple[OrderFile, Order]] = []
    needless: list[tuple[OrderFile, Order]] = []
    while rest := [(letter, queue) for letter, queue in waiting if queue]:
        before = sum(len(queue) for _, queue in rest)
        for letter, queue in rest:
            _give_on(trial, letter, queue, given, sources)
        if sum(len(queue) for _, queue in rest) < before:
            continue
        if given and any(one.kind in {"dice", SEAL} for one in trial.awaiting):
            return Delivery(given, sources, [(letter, queue[0]) for letter, queue in rest], needless)
        letter, queue = next((one for one in rest if given and all(map(_ends_a_window, one[1]))), rest[0])
        if not given or not all(map(_ends_a_window, queue)):
            prompts = " ".join(one.prompt for one in trial.awaiting)
            message = f"The game is not waiting for {letter.side} here."
            raise Undelivered(letter, queue[0], Why.NOT_NOW(message, (), prompts))
        needless += [(letter, order) for order in queue]
        queue.clear()
    return Delivery(given, sources, (), needless)


def _give_on(
    trial: "Game",
    letter: OrderFile,
    queue: deque[Order],
    given: list[Input],
    sources: list[tuple[OrderFile, Order]],
) -> None:
    """Give the commands of a file to a trial game, as long as it is waiting for them. Raises Undelivered."""
    while queue:
        one = input_of(queue[0].text, letter.side)
        if given and trial.spend(one):  # its window ended automatically: there is nothing to end
            queue.popleft()
            continue
        if not _is_awaited(trial.awaiting, one):
            return
        one = with_question(one, trial.awaiting)
        try:
            trial.offer(trial.as_typed(one))
        except Refused as refused:
            raise Undelivered(letter, queue[0], refused) from refused
        given.append(one)
        sources.append((letter, queue.popleft()))


def _ends_a_window(order: Order) -> bool:
    return order.text.strip().lower() in ENDINGS


def _is_awaited(awaiting: Sequence[Awaited], given: Input) -> bool:
    if given.kind == "roll":
        return any(one.kind == "dice" for one in awaiting)
    return any(
        one.side == given.side and one.kind != "dice" and (one.kind == SEAL) == (given.kind == SEAL) for one in awaiting
    )
