"""Several inputs that depend on each other, first tried on a separate game and then given together, all or nothing."""

from typing import Any

from campaigns.play.campaign import Campaign
from campaigns.play.machines import heard, in_own_words
from interpreter.messages.inputs import Event, Input

__all__ = ["Tried"]


class Tried:
    """The result of inputs, without recording anything.

    Attributes:
        game: the game after them.
        head: the current entry of the campaign that they would be given to.
        given: the inputs that were accepted.
    """

    def __init__(self, campaign: Campaign[Any]) -> None:
        self.head = campaign.head
        self.game: Any = campaign.state_at(self.head)
        self.given: list[Input] = []

    def offer(self, given: Input) -> list[Event]:
        """Take one input. Raises Refused, RuleFailure."""
        events = self.game.offer(heard(self.game, in_own_words(self.game, given)))
        self.given.append(given)
        return list(events)
