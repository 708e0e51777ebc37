"""Secret orders that ask their side something: other sides do not learn of the question, and continue as if it had not been asked.

Such an order is open until its last question is answered. The sides that know nothing of it are in the dark: they see a
game without it. An input of one of them is taken before the order: the order is set aside, the game is played without it to where
the other side is, the input is taken, and the order with its answers is played again. So the order is carried out as one step, at
the moment of its last answer, and no input of one side waits for a secret of another. Anything that is then no longer a legal
order or answer is dropped, and its side is told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, Protocol, Self, TypeVar

import attrs

from interpreter.messages.asking import EachQuestion, Pending, Question, Roll, Sealed, Window
from interpreter.messages.happenings import Noted
from interpreter.messages.inputs import Event, Input, Refused, RuleFailure, told
from interpreter.messages.standing_rulings import AMEND, RULE
from interpreter.play.contracts import Counted, Throws
from interpreter.play.runner import Runner
from interpreter.play.taking_back import TAKEN_BACK
from interpreter.world.seat import Seat, readable
from interpreter.world.world import World

__all__ = ["Divided", "HeldOrder", "OpenOrder", "SetAside", "WithDice", "sides_asked"]

RULES_ON = frozenset({"override", "roster", "option", "dice", "seal", AMEND, RULE})
"""The kinds of inputs that belong to no order: they are taken at once, even while somebody is thinking about a question."""


@attrs.frozen
class WithDice(Input):
    """An input taken after rolls were already made for it: those of an order before it was set aside.

    numbers: the rolls that are its own and are used first; past: the minimum number of rolls so far.
    """

    numbers: tuple[int, ...] = ()
    past: int = 0


@attrs.define(eq=False)
class OpenOrder:
    """A secret order in progress.

    side: who gave it; window: the key of its window; at: its index among the inputs, or None while that input is
    being taken. unaware: the sides that do not know of it yet. told: its events so far. numbers: the rolls that were its own before it
    was set aside; rolled: the number of rolls when its input was taken.
    """

    side: str
    window: tuple[int, int]
    unaware: set[str]
    at: int | None = None
    told: list[Event] = attrs.field(factory=list)
    numbers: tuple[int, ...] = ()
    rolled: int = 0


@attrs.frozen(eq=False)
class HeldOrder:
    """An order that is set aside: its inputs; the rest as in an open order."""

    side: str
    window: tuple[int, int]
    inputs: tuple[Input, ...]
    told: tuple[Event, ...]


class Divided(Throws, Counted, Protocol):
    """A game for sides that do not know what others are doing in secret."""

    find_earlier: Callable[[], Self | None] | None

    @property
    def runner(self) -> Runner:
        """What it is waiting for."""

    @property
    def blindfolded(self) -> object:
        """None except during a rehearsal."""

    @property
    def aside(self) -> SetAside[Any]:
        """What is set aside in it."""

    def seat(self, side: str) -> Seat:
        """The gate to a side."""

    def take(self, given: Input) -> tuple[Event, ...]:
        """Takes an input in the current state. Raises Refused with nothing changed."""

    def replay(self, inputs: Sequence[Input]) -> None:
        """Replays the turn with these inputs."""

    def copy_of_turn(self) -> Self:
        """A separate game at the start of this turn."""


G = TypeVar("G", bound=Divided)


class SetAside(Generic[G]):
    """Sets open orders of a game aside.

    order: the secret order in progress, if there is one; held: those that are set aside; seen: the games of sides that know nothing
    of the one in progress, as far as they have been needed.
    """

    def __init__(self, game: G) -> None:
        self.game = game
        self.order: OpenOrder | None = None
        self.held: tuple[HeldOrder, ...] = ()
        self.seen: dict[str, G] = {}

    @property
    def world(self) -> World:
        """The world of the game."""
        return self.game.world

    @property
    def waits(self) -> bool:
        """Whether a secret order waits for an answer."""
        return self.order is not None or bool(self.held)

    # ---- which order is open
    def open_order(self, side: str) -> OpenOrder | None:
        """Records that a secret order of a side begins, and returns it; None if an earlier one is still in progress."""
        if self.order is not None:
            return None
        others = {x.id for x in self.world.all_of("side")} - {side}
        window = self.game.host.open_windows[-1] if self.game.host.open_windows else (0, 0)
        self.order = OpenOrder(side, window, others)
        return self.order

    def place_in_order(self, side: str) -> tuple[object, ...]:
        """The progress of an open order of a side, regardless of what others have done since; empty if none is open."""
        order = self.order
        if order is None or order.side != side or order.at is None:
            return ()
        return order.window, len(self.game.basis.inputs) - order.at

    def close_order(self, opened: OpenOrder | None) -> None:
        """Records that a secret order is over."""
        if opened is not None and self.order is opened:
            self.order = None

    def heed(self, given: Input, events: Sequence[Event], rolled: int, numbers: tuple[int, ...]) -> None:
        """Records which sides learned of the open order, after an input with these events.

        rolled, numbers: the number of rolls before that input, and the rolls that are its own.
        """
        order = self.order
        if order is None:
            return
        if order.at is None:
            order.at, order.rolled, order.numbers = len(self.game.basis.inputs), rolled, numbers
        if given.kind not in RULES_ON:
            order.told += events
            order.unaware -= {side for side in order.unaware if readable(events, side)}
        order.unaware -= set(sides_asked(self.game.runner.pending))
        if isinstance(self.game.runner.pending, Roll):  # dice rolled at the table are visible to all
            order.unaware.clear()

    def dice_for(self, given: Input) -> tuple[int, ...]:
        """Sets the dice for an input; returns the rolls that are its own."""
        if isinstance(given, WithDice):
            self.game.throwing.dice.rolled = max(self.game.throwing.dice.rolled, given.past)
        numbers = given.numbers if isinstance(given, WithDice) else ()
        if numbers or self.order is None:
            self.game.throwing.dice.own = list(numbers)
        return numbers

    # ---- looking
    def seen_by(self, side: str) -> G:
        """The game as a side sees it: this one, or one without the secret order of another side that it does not know of."""
        game, order = self.game, self.order
        if order is None or side not in order.unaware or game.blindfolded is not None:
            return game
        if side not in self.seen:
            copy = game.copy_of_turn()
            copy.basis.earlier, copy.find_earlier = game.basis.earlier, game.find_earlier
            copy.aside.held = self.held
            copy.aside.play_without(order, game.basis.inputs, game.throwing.dice.rolled, side)
            copy.world.journal.events = []
            self.seen[side] = copy
        return self.seen[side]

    # ---- inputs
    def is_apart(self, given: Input) -> bool:
        """Whether an input comes from a side that knows nothing of the open order."""
        order = self.order
        return order is not None and self.game.blindfolded is None and _giver(given, order.unaware) is not None

    def take_apart(self, given: Input) -> tuple[Event, ...]:
        """Takes an input of a side that knows nothing of the open order. Raises Refused with nothing changed."""
        order, inputs, aside, past = self.order, self.game.basis.inputs, self.held, self.game.throwing.dice.rolled
        assert order is not None
        side = _giver(given, order.unaware)
        assert side is not None
        try:
            self.play_without(order, inputs, past, side)
            later = past > self.game.throwing.dice.rolled
            return self.game.take(_with_dice(given, (), past) if later else given)
        except Exception:
            self.held = aside
            self.game.replay(inputs)
            raise

    def play_without(self, order: OpenOrder, inputs: Sequence[Input], past: int, side: str) -> None:
        """Plays the turn without the open order, and with the order of this side that was set aside, if there is one.

        inputs, past: the inputs and rolls up to now. Rulings by the umpire since the order was given are not part of it.
        """
        assert order.at is not None
        own = next((x for x in self.held if x.side == side), None)
        others = [x for x in self.held if x is not own]
        self.held = ()
        self.game.replay(inputs[: order.at])
        rest = [one for one in inputs[order.at :] if one.kind not in RULES_ON or not self._is_taken(one)]
        if past > order.rolled or order.numbers:
            rest[0] = _with_dice(rest[0], (*order.numbers, *range(order.rolled, past)), past)
        self.held = (*others, HeldOrder(order.side, order.window, tuple(rest), tuple(order.told)))
        if own is not None:
            self._take_up(own)

    def _is_taken(self, given: Input) -> bool:
        """Takes an input; returns whether it was accepted."""
        try:
            self.game.take(given)
        except (Refused, RuleFailure):
            return False
        return True

    # ---- taking up again
    def resumed(self) -> list[Event]:
        """Resumes orders that were set aside, if their window is open now; returns their new events."""
        told: list[Event] = []
        for held in self.held:
            pending = self.game.runner.pending
            is_over = held.window not in self.game.host.open_windows
            if self.order is not None or not (is_over or _is_window(pending, held.window)):
                break
            self.held = tuple(x for x in self.held if x is not held)
            told += self._take_up(held) if not is_over else [_left_out(held, held.inputs[0], "its phase is over.")]
        return told

    def _take_up(self, held: HeldOrder) -> list[Event]:
        """Replays an order that was set aside; returns its new events."""
        known = Counter(map(_told, held.told))
        new: list[Event] = []
        is_dropped = False
        for one in held.inputs:
            if is_dropped and one.kind not in RULES_ON:
                continue
            try:
                events = self.game.take(one)
            except (Refused, RuleFailure) as error:
                is_dropped = True
                new.append(_left_out(held, one, self.game.seat(held.side).told(error).message))
                continue
            for event in events:
                if known[_told(event)]:
                    known[_told(event)] -= 1
                else:
                    new.append(event)
        return new


def _giver(given: Input, sides: Iterable[str]) -> str | None:
    """The side among these that gives an input, or for which the umpire gives it at a deadline."""
    if given.kind in RULES_ON or given.kind == TAKEN_BACK:
        return None
    name = given.subject.partition(" ")[0] if given.kind == "deadline" else given.side
    return next((side for side in sides if side.lower() == name.lower()), None)


def sides_asked(pending: Pending | None) -> list[str]:
    """The sides that the game is waiting for."""
    if isinstance(pending, Window):
        return [side.id for side in pending.waiting]
    if isinstance(pending, Sealed):
        return [question.side.id for question in pending.questions]
    return [pending.side.id] if isinstance(pending, Question | EachQuestion) else []


def _is_window(pending: Pending | None, key: tuple[int, int]) -> bool:
    return isinstance(pending, Window) and pending.key == key


def _with_dice(given: Input, numbers: tuple[int, ...], past: int) -> WithDice:
    return WithDice(given.kind, given.side, given.text, given.subject, numbers, past)


def _told(event: Event) -> tuple[str, str, str]:
    return event.kind, event.text, event.to


def _left_out(held: HeldOrder, given: Input, why: str) -> Event:
    """The event that tells the side of an order that was set aside that part of it no longer applies."""
    what = (
        f"`{given.text}` no longer answers {given.subject}"
        if given.subject
        else f"`{given.text}` is not done after all"
    )
    return told(Noted(message=f"{what}: {why}"), held.side, held.side)
