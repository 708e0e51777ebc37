"""Order files of several sides in one go: each command is given when the game waits for its side."""

from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING

from attrs import frozen

from campaigns.play.typed import Order, input_of
from interpreter.messages.inputs import ENDINGS, Awaited, Input, Refused
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
    """The commands of letters in the order in which the game takes them.

    Attributes:
        inputs: the commands.
        left: where dice of the table are awaited before the letters are through: of each the first command that is left.
        needless: each `done` of a side that was awaited no more.
    """

    inputs: Sequence[Input]
    left: Sequence[tuple[OrderFile, Order]] = ()
    needless: Sequence[tuple[OrderFile, Order]] = ()


class Undelivered(Exception):
    """A command of a letter is refused, or its side is not awaited when no other letter goes on."""

    def __init__(self, letter: OrderFile, order: Order, refused: Refused) -> None:
        super().__init__(refused.message)
        self.letter = letter
        self.order = order
        self.refused = refused


def put_in_order(campaign: "OpenCampaign", letters: Sequence[OrderFile]) -> Delivery:
    """All commands of the letters as inputs, in an order in which the game takes them; nothing is recorded.

    Each letter keeps its own order. Where several sides are awaited at once, the letter that is named first goes first. Where
    dice of the table are awaited that no letter gives, it ends there. Whoever writes cannot know which windows will be
    passed over: a `done` at the end of a letter whose side is awaited no more is needless.

    Raises:
        Undelivered: a command is refused, or the game waits for somebody who has written nothing more.
    """
    trial = campaign.state_at(campaign.head)
    waiting = [(letter, deque(letter.orders)) for letter in letters]
    given: list[Input] = []
    needless: list[tuple[OrderFile, Order]] = []
    while rest := [(letter, queue) for letter, queue in waiting if queue]:
        before = sum(len(queue) for _, queue in rest)
        for letter, queue in rest:
            _give_on(trial, letter, queue, given)
        if sum(len(queue) for _, queue in rest) < before:
            continue
        if given and any(one.kind == "dice" for one in trial.awaiting):
            return Delivery(given, [(letter, queue[0]) for letter, queue in rest], needless)
        letter, queue = next((one for one in rest if given and all(map(_ends_a_window, one[1]))), rest[0])
        if not given or not all(map(_ends_a_window, queue)):
            prompts = " ".join(one.prompt for one in trial.awaiting)
            message = f"The game is not waiting for {letter.side} here."
            raise Undelivered(letter, queue[0], Why.NOT_NOW(message, (), prompts))
        needless += [(letter, order) for order in queue]
        queue.clear()
    return Delivery(given, (), needless)


def _give_on(trial: "Game", letter: OrderFile, queue: deque[Order], given: list[Input]) -> None:
    """Give the commands of a letter to a game on trial, as far as it waits for them. Raises Undelivered."""
    while queue:
        one = input_of(queue[0].text, letter.side)
        if given and trial.spend(one):  # its window was over by itself: there is nothing to end
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
        queue.popleft()


def _ends_a_window(order: Order) -> bool:
    return order.text.strip().lower() in ENDINGS


def _is_awaited(awaiting: Sequence[Awaited], given: Input) -> bool:
    if given.kind == "roll":
        return any(one.kind == "dice" for one in awaiting)
    return any(one.side == given.side and one.kind != "dice" for one in awaiting)
