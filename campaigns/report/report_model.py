"""The contents of a report: names, numbers and the words that the rules themselves have for things; no layout.

The published schema is made from these classes (`report_schema.py`), so a field that is added here is there too. If you remove a
field, or change what it means, give SCHEMA another number.
"""

from collections.abc import Mapping

from attrs import evolve, field, frozen

from campaigns.views.errata import Erratum
from campaigns.views.luck_ledger import SideLuck
from interpreter.messages.inputs import OR_DONE, Event
from interpreter.messages.view import View

__all__ = [
    "SCHEMA", "Battle", "Count", "Due", "Ending", "Erratum", "Fall", "Happened", "ListedThing", "Losses", "Lost", "Moment", "Reason", "Report", "Role",
    "Rolled", "Row", "Score", "Side", "Since", "Standing", "Test", "Unsupplied", "Weakened",
]  # fmt: skip

SCHEMA = "ophex-report/1"
"""The name and version of the schema."""


@frozen
class Side:
    """A side. units, strength: of those that the reader knows; strength is None if there is no number for it.

    partly: whether the strength of some of them is hidden from the reader, so that `strength` is not all.
    state: its own fields that are not as they began.
    """

    id: str
    title: str
    colour: str
    units: int
    strength: int | None
    partly: bool
    state: Mapping[str, str]


@frozen
class Since:
    """Where the report begins.

    Attributes:
        turn: its turn.
        entry: the last entry of the reader's log before it; 0 is the beginning.
        within: whether the turn begins within that entry: then its events from there on are included.
    """

    turn: int
    entry: int
    within: bool

    @property
    def from_the_start(self) -> bool:
        """Whether it also covers what happened before the first entry."""
        return self.within and not self.entry


@frozen
class Due:
    """What is awaited. mine: whether the reader can give it."""

    kind: str
    side: str
    name: str
    prompt: str
    form: str
    choices: tuple[str, ...]
    where: str
    mine: bool


@frozen
class Happened:
    """The results of one entry of the log. given: the input, as far as the reader may know it."""

    entry: int
    turn: int
    side: str
    kind: str
    subject: str
    given: str
    told: tuple[str, ...]


@frozen
class Role:
    """A role in a battle: `attackers`, with the names of the things or places."""

    name: str
    who: tuple[str, ...]


@frozen
class Reason:
    """One line that made a value: what it says, and the value after it."""

    text: str
    value: str
    cites: tuple[str, ...]


@frozen
class Row:
    """A value of a battle by the name that the rules have for it, with the lines that made it.

    time: of values with one name, related in round after round, which of them it is; 0 if it is the only one.
    """

    name: str
    value: str
    reasons: tuple[Reason, ...]
    time: int = 0

    @property
    def called(self) -> str:
        """The name as people read it: `odds`, or `odds (2)` where it is told more than once."""
        return f"{self.name} ({self.time})" if self.time else self.name


@frozen
class Rolled:
    """A roll in a battle. about: for whom it was rolled, or empty; face: None if the reader may not know it."""

    side: str
    name: str
    about: str
    dice: str
    face: int | None
    cites: tuple[str, ...]


@frozen
class Fall:
    """A loss in a battle: the sentence that reported it, and the names of the things."""

    side: str
    things: tuple[str, ...]
    text: str
    removed: bool


@frozen
class Battle:
    """The story of one battle. procedure: its name in the rules; roles: who takes part as what; rows: the values that were related."""

    entry: int
    turn: int
    phase: str
    procedure: str
    title: str
    sides: tuple[str, ...]
    roles: tuple[Role, ...]
    rows: tuple[Row, ...]
    rolls: tuple[Rolled, ...]
    results: tuple[str, ...]
    losses: tuple[Fall, ...]
    cites: tuple[str, ...]


@frozen
class Count:
    """The units of a side. strength: None if there is no number for it. partly: as for a side."""

    units: int
    strength: int | None
    partly: bool


@frozen
class Moment:
    """What the reader knew about the sides at the beginning of a turn, or knows now. sides: by their ids."""

    turn: int
    date: str
    entry: int
    now: bool
    sides: Mapping[str, Count]


@frozen
class Lost:
    """A unit, or a part of one, that was removed. whole: what it was part of, or was held by."""

    entry: int
    turn: int
    side: str
    name: str
    title: str
    kind: str
    whole: str
    strength: int | None
    told: str


@frozen
class Weakened:
    """A unit whose number on its counter, or one of whose tracks, has decreased since the report begins. what: which of them."""

    side: str
    name: str
    title: str
    what: str
    was: int
    now: int


@frozen
class Losses:
    """Losses: what was removed since the report begins, what has become weaker, and the strengths over time."""

    lost: tuple[Lost, ...]
    weakened: tuple[Weakened, ...]
    moments: tuple[Moment, ...]


@frozen
class Unsupplied:
    """A thing to which the rules' status `short-of-supply` applies, as far as the reader may know."""

    side: str
    name: str
    title: str
    place: str


@frozen
class Test:
    """A part of a condition in the words of the rules. holds: yes, no, or empty if the reader may not know.

    left, right: the current values of the two sides of a comparison; empty if it is not a comparison.
    """

    text: str
    holds: str
    left: str
    right: str


@frozen
class Ending:
    """A line of the scenario that ends the game. winner: the side that wins by it; empty for nobody."""

    winner: str
    because: str
    tests: tuple[Test, ...]


@frozen
class Standing:
    """The score of a side, from the rules' value `score-shows`."""

    side: str
    score: str


@frozen
class Score:
    """The scores, and what ends the game. Endings are checked in their order when a turn begins."""

    standings: tuple[Standing, ...]
    endings: tuple[Ending, ...]


@frozen
class ListedThing:
    """A thing in the order of battle. depth: how many wholes it is under; 0 for one without a whole.

    state: fields that differ from a fresh one; tracks: each with what is left and the maximum; parts: what is left of each
    entry that it is made of; number: the number on its counter, or empty.
    """

    depth: int
    side: str
    name: str
    title: str
    kind: str
    type: str
    word: str
    place: str
    whole: str
    number: str
    gone: bool
    state: Mapping[str, str]
    tracks: Mapping[str, tuple[int, int]]
    parts: tuple[str, ...]


@frozen
class Report:
    """What one side, or the umpire, is told about a campaign. opening: what happened before the first entry, if it goes back that far.

    view: the complete situation, for maps. seat: the commander or observer of the side whose report it is. taken_back: what the reader
    was told in earlier packets and is no longer in effect. None of these is part of the schema.
    """

    schema: str
    system: str
    scenario: str
    title: str
    reader: str
    turn: int
    date: str
    phase: str
    active: str
    over: str
    winner: str
    since: Since
    sides: tuple[Side, ...]
    facts: Mapping[str, str]
    hints: tuple[str, ...]
    due: tuple[Due, ...]
    opening: tuple[str, ...]
    happened: tuple[Happened, ...]
    errata: tuple[Erratum, ...]
    battles: tuple[Battle, ...]
    losses: Losses
    supply: tuple[Unsupplied, ...]
    supply_is_declared: bool
    forces: tuple[ListedThing, ...]
    score: Score
    luck: tuple[SideLuck, ...]
    view: View = field(repr=False, metadata={"unpublished": True})
    events: Mapping[int, tuple[Event, ...]] = field(repr=False, metadata={"unpublished": True})
    seat: str = field(default="", metadata={"unpublished": True})
    taken_back: tuple[Event, ...] = field(default=(), repr=False, metadata={"unpublished": True})

    def for_person(self, seat: str, awaited: Mapping[tuple[str, str], tuple[str, ...]]) -> "Report":
        """The same for a commander or an observer of the side. awaited: by its kind and name, the choices that are theirs."""
        due = (
            evolve(
                one,
                prompt=one.prompt.replace(OR_DONE, "", 1),  # commanders end no window
                choices=awaited.get((one.kind, one.name), ()),
                mine=(one.kind, one.name) in awaited,
            )
            if one.mine
            else one
            for one in self.due
        )
        return evolve(self, seat=seat, due=tuple(due))
