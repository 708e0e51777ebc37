"""The model of odds: chances, numbers and the words that the rules themselves have for things; no layout."""

from attrs import frozen

__all__ = [
    "Candidate",
    "Card",
    "Chance",
    "ChanceReason",
    "Fate",
    "Left",
    "Line",
    "LossesExpected",
    "Mean",
    "Odds",
    "Open",
    "Stop",
    "Throw",
]  # fmt: skip


@frozen
class Chance:
    """How likely something is. fraction: exactly, as `1/6`; empty if estimated from trials. error: the standard error of `value`, otherwise 0."""

    value: float
    fraction: str
    error: float


@frozen
class Mean:
    """The average of a number. fraction, error: as for a chance."""

    value: float
    fraction: str
    error: float


@frozen
class Throw:
    """Dice that may be rolled. name: the name of the roll in the rules; times: how often on average; tables: which tables it is used for."""

    name: str
    dice: str
    side: str
    times: Mean
    tables: tuple[str, ...]


@frozen
class ChanceReason:
    """One line that made a value: what it says, and the value after it."""

    text: str
    value: str
    cites: tuple[str, ...]


@frozen
class Line:
    """A value of a story: its possible results, the likeliest first, and the lines that made it if it is always the same.

    once: whether a story tells it at most once; then `values` has chances, otherwise how often each occurs on average.
    """

    name: str
    once: bool
    values: tuple[tuple[str, Chance], ...]
    reasons: tuple[ChanceReason, ...]


@frozen
class Card:
    """The story of a procedure. times: how often it is told on average."""

    title: str
    procedure: str
    times: Mean
    lines: tuple[Line, ...]


@frozen
class Fate:
    """What may happen to a thing. what: `removed`, `place`, or a field; was: its value now; value: its value then."""

    side: str
    name: str
    title: str
    what: str
    was: str
    value: str
    chance: Chance


@frozen
class LossesExpected:
    """What a side may lose. removed: how many things; counts: the chance of each number; strength: by how much the numbers on
    its counters decrease; None if there is no number for it.
    """

    side: str
    title: str
    removed: Mean
    counts: tuple[tuple[int, Chance], ...]
    strength: Mean | None


@frozen
class Stop:
    """What the odds stop at. kind: `orders`, `question`, `over`, `hidden`, `sealed`; side, name: whose decision, and which."""

    kind: str
    side: str
    name: str
    chance: Chance


@frozen
class Odds:
    """The odds of something.

    Attributes:
        side: as whom; a side or the umpire.
        commands: the commands in question; empty for awaited dice.
        exact: whether all outcomes of the dice were followed; otherwise the odds are estimated from trials.
        ways: how many outcomes were followed, or how many trials were made.
        unseen: whether the rules can hide something from the side, which is then left out; not whether anything is hidden now.
        events: what happens before the first dice.
        throws, cards, told: which dice, the stories of the rules, and their messages with how often they occur on average.
        losses, fates, scores: the losses of the sides, the changes of things, and the score of each side, by its value.
        stops: what it stops at.
    """

    side: str
    commands: tuple[str, ...]
    exact: bool
    ways: int
    unseen: bool
    events: tuple[str, ...]
    throws: tuple[Throw, ...]
    cards: tuple[Card, ...]
    told: tuple[tuple[str, Mean], ...]
    losses: tuple[LossesExpected, ...]
    fates: tuple[Fate, ...]
    scores: tuple[tuple[str, str, Chance], ...]
    stops: tuple[Stop, ...]


@frozen
class Left:
    """A number that the asking procedure uses, such as the hits that are left to take."""

    name: str
    value: str


@frozen
class Candidate:
    """A possible choice and what it is worth. number: the number on its counter; appeal: what choosing it is worth according to the rules."""

    name: str
    title: str
    side: str
    number: str
    appeal: str
    tracks: tuple[tuple[str, str], ...]


@frozen
class Open:
    """An open question, with the odds of each answer. more: whether there are more answers than were examined."""

    side: str
    name: str
    prompt: str
    left: tuple[Left, ...]
    candidates: tuple[Candidate, ...]
    answers: tuple[Odds, ...]
    more: bool
