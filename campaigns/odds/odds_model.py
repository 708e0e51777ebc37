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
    """How likely something is. fraction: exactly, as `1/6`; empty where it was tried. error: the standard error of `value`, else 0."""

    value: float
    fraction: str
    error: float


@frozen
class Mean:
    """What a number is on average. fraction, error: as of a chance."""

    value: float
    fraction: str
    error: float


@frozen
class Throw:
    """Dice that may be thrown. name: what the rules call the roll; times: how often on average; tables: which tables it goes to."""

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
    """A value of a story: what it may come to, the likeliest first, and the lines that made it where it is always the same.

    once: whether a story tells it once at most; then `values` has chances, else how often each comes on average.
    """

    name: str
    once: bool
    values: tuple[tuple[str, Chance], ...]
    reasons: tuple[ChanceReason, ...]


@frozen
class Card:
    """What the rules tell of a procedure. times: how often it is told on average."""

    title: str
    procedure: str
    times: Mean
    lines: tuple[Line, ...]


@frozen
class Fate:
    """What may become of a thing. what: `removed`, `place`, or a field; was: what it is now; value: what it becomes."""

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
    its counters fall; None where no number tells it.
    """

    side: str
    title: str
    removed: Mean
    counts: tuple[tuple[int, Chance], ...]
    strength: Mean | None


@frozen
class Stop:
    """Before what it stops. kind: `orders`, `question`, `over`, `hidden`, `sealed`; side, name: whose decision, and which."""

    kind: str
    side: str
    name: str
    chance: Chance


@frozen
class Odds:
    """What may come of something.

    Attributes:
        side: as whom; a side or the umpire.
        commands: what was asked about; empty for dice that are awaited.
        exact: whether all ways of the dice were followed; else they were tried.
        ways: how many were followed, or tried.
        events: what happens before the first dice.
        throws, cards, told: which dice, the stories of the rules, and their messages with how often they come on average.
        losses, fates, scores: what becomes of the sides, of things, and of the score of each side, by its value.
        stops: before what it stops.
    """

    side: str
    commands: tuple[str, ...]
    exact: bool
    ways: int
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
    """A number that the procedure which asks goes by, such as the hits that are left to take."""

    name: str
    value: str


@frozen
class Candidate:
    """What may be chosen, and what it is worth. number: that on its counter; appeal: what the rules say that choosing it is worth."""

    name: str
    title: str
    side: str
    number: str
    appeal: str
    tracks: tuple[tuple[str, str], ...]


@frozen
class Open:
    """A question that is open, with the odds of each answer. more: whether there are more answers than were looked at."""

    side: str
    name: str
    prompt: str
    left: tuple[Left, ...]
    candidates: tuple[Candidate, ...]
    answers: tuple[Odds, ...]
    more: bool
