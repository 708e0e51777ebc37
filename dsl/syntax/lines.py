"""The tree of a rule file: the lines that stand in bodies. There is one kind of line; the checker says which fit where."""

from __future__ import annotations

import attrs

from dsl.syntax.tree import Direction, Node, frozen


@frozen
class Line(Node):
    """What any line may carry: its citations, a label for modules to name, a condition, a reason."""

    cites: tuple[str, ...] = attrs.field(default=(), kw_only=True)
    label: str | None = attrs.field(default=None, kw_only=True)
    when: Node | None = attrs.field(default=None, kw_only=True)
    because: str | None = attrs.field(default=None, kw_only=True)


@frozen
class Block(Line):
    """A line that owns lines."""

    body: tuple[Line, ...] = attrs.field(default=(), kw_only=True)


# ---- values --------------------------------------------------------------------------------------------------


@frozen
class Let(Line):
    """Names a value. whether: the value is a condition (yes or no)."""

    name: str
    value: Node
    whether: bool = False


@frozen
class StartWith(Line):
    value: Node


@frozen
class Adjust(Line):
    """One step of a value's pipeline. op: times divided plus minus at-least at-most rounded moved instead."""

    op: str
    value: Node | None = None
    direction: Direction | None = None


@frozen
class Case(Line):
    """`E when C`, `otherwise E` or just `E`; in rules that add, the term to add. shift: left or right."""

    value: Node
    shift: str | None = None
    otherwise: bool = False


@frozen
class Holds(Line):
    """`when C` in a status: yes when C."""


# ---- flow and time -------------------------------------------------------------------------------------------


@frozen
class When(Block):
    """`when C:`; chain: `otherwise when C:` and `otherwise:` follow their `when` as arms."""

    arm: str = "when"


@frozen
class ForEach(Block):
    name: str
    over: Node
    role: str | None = None
    order: Node | None = None


@frozen
class Repeat(Block):
    times: Node
    condition: Node | None = None


@frozen
class Simultaneously(Block):
    pass


@frozen
class Phase(Block):
    name: str
    title: str = ""
    guards: tuple[tuple[str, str], ...] = ()
    step: bool = False


@frozen
class May(Line):
    who: Node
    orders: tuple[str, ...]
    manner: str = "alternately"


@frozen
class Stop(Line):
    name: str | None = None


@frozen
class EndGame(Line):
    winner: Node | None = None


@frozen
class Hint(Line):
    """What a beginner is told while the condition holds."""

    text: str


# ---- people and chance ---------------------------------------------------------------------------------------


@frozen
class Choice(Node):
    """What is to be chosen. kind: one, some, up_to, exactly, words, number, split (amount among source)."""

    kind: str
    source: Node | None = None
    amount: Node | None = None
    words: tuple[Node, ...] = ()


@frozen
class SuchThat(Node):
    condition: Node
    because: str | None = None


@frozen
class Choose(Line):
    who: Node
    name: str
    choice: Choice
    secretly: bool = False
    such_that: SuchThat | None = None


@frozen
class EachChooses(Line):
    """`each u in S chooses x: …` (or `each side chooses x`): one question to each owner, answered for every u; later `x of u`,

    a thing, a word or a number, or with `some`, `up to` and `exactly` a set.
    """

    item: str
    over: Node | None
    name: str
    choice: Choice
    secretly: bool = False
    such_that: SuchThat | None = None


@frozen
class Dice(Node):
    """`2d6+1`, `burst of gun of t`, or `N dice of 1d10` (count given: so many rolls)."""

    value: Node
    count: Node | None = None


@frozen
class Rolls(Line):
    who: Node
    dice: Dice
    name: str


@frozen
class Draws(Line):
    """`red rolls one of guns of s as lucky`: a die with as many faces as there are, and the one that it falls on."""

    who: Node
    source: Node
    name: str


@frozen
class EachRolls(Line):
    """`each side rolls 1d10 as die`, `each u in S rolls 1d10 as die`; later `die of u`."""

    item: str
    over: Node | None
    dice: Dice
    name: str


# ---- effects -------------------------------------------------------------------------------------------------


@frozen
class Until(Node):
    """`until end of movement`, or until a condition holds. edge: start or end; period: of what.

    whose: own or enemy, of the owner of what changes; following: the next one that begins, not the present one.
    """

    edge: str = ""
    period: str = ""
    whose: str = ""
    following: bool = False
    condition: Node | None = None


@frozen
class Becomes(Line):
    """`X becomes E`; filling: what stands in the gaps of a text, `armor of u becomes "{}H" with n`."""

    target: Node
    value: Node
    until: Until | None = None
    filling: tuple[Node, ...] = ()


@frozen
class Gains(Line):
    """`X gains N points`; loses: the amount is taken away."""

    target: Node
    amount: Node
    unit: str
    loses: bool = False
    until: Until | None = None


@frozen
class Move(Line):
    """`move u to h`; without a goal: `move u off the map`, where it is still in the game."""

    what: Node
    to: Node | None


@frozen
class Put(Line):
    """`put x (a unit some-type, side blue) in 0304`. written: the value of each setting as it stands in the text.

    naming: what it is called in the game, with a gap for each of `called`; None for the usual name. like: what it is a copy of.
    """

    name: str
    kind: str
    template: str | None
    settings: tuple[tuple[str, Node], ...]
    where: Node | None
    written: tuple[str, ...]
    naming: str | None = None
    called: tuple[Node, ...] = ()
    like: Node | None = None


@frozen
class Remove(Line):
    what: Node


@frozen
class Reveal(Line):
    what: Node
    whom: Node
    hide: bool = False


@frozen
class Do(Line):
    """`do P with A as X` binds arguments by their names; `do P of A by B` gives them as the heading of P says."""

    name: str
    bindings: tuple[tuple[tuple[Node, ...], str], ...]
    given: tuple[tuple[str, Node], ...] = ()


@frozen
class Tell(Line):
    whom: Node
    message: str
    args: tuple[Node, ...]


@frozen
class Story(Line):
    """What the procedure does from here on is told as one story. message: its title."""

    message: str
    args: tuple[Node, ...]


@frozen
class Relate(Line):
    """Values that go into the story that is told: each with the name that it has there, or None for its own."""

    parts: tuple[tuple[Node, str | None], ...]


# ---- orders and paths ----------------------------------------------------------------------------------------


@frozen
class GivenBy(Line):
    who: Node


@frozen
class LegalFrom(Line):
    before: tuple[Node, ...]
    after: tuple[Node, ...]


@frozen
class LegalWhen(Line):
    condition: Node


@frozen
class Refused(Line):
    condition: Node


@frozen
class Warned(Line):
    """`warned when …`: a game may begin so, but its umpire is told."""

    condition: Node


@frozen
class Reaching(Line):
    goal: str
    path: str
    mover: Node


@frozen
class PathFrom(Line):
    start: Node


@frozen
class PathBudget(Line):
    points: Node


@frozen
class Leg(Line):
    name: str
    limit: Node | None = None
    along: str | None = None
    until: Node | None = None


@frozen
class PathRule(Line):
    """A rule about one place on the way. kind: never, costs, halting. of: the kind of place."""

    kind: str
    place: str
    of: str | None
    value: Node | None = None


@frozen
class StartExempt(Line):
    """`starting place exempt`: bans do not apply to where the path starts."""

    word: str


# ---- examples ------------------------------------------------------------------------------------------------


@frozen
class OnMap(Line):
    """The maps that an example stands on."""

    names: tuple[str, ...]


@frozen
class Begins(Line):
    """The date of turn 1 and how long a turn is. unit: hours, days, weeks or months."""

    date: str
    count: int
    unit: str


@frozen
class Given(Line):
    condition: Node


@frozen
class DiceAre(Line):
    """`dice 7, 6+4`: the results of rolls; one that is written as a sum says each die of its roll."""

    faces: tuple[tuple[int, ...], ...]


@frozen
class Answer(Line):
    """`answer joiners with x, y`; items: `answer firing of x with B` for questions asked of each thing."""

    name: str
    items: tuple[Node, ...]
    values: tuple[Node, ...]


@frozen
class Orders(Line):
    """`blue orders march b to 0305`; the command is kept as it is typed."""

    side: str
    command: str


@frozen
class Expectation(Line):
    """A line that says what must come out."""


@frozen
class ThenMay(Expectation):
    side: str
    command: str
    negated: bool = False


@frozen
class ThenMayAnswer(Expectation):
    """`then blue may not answer joiners with x, y`: whether a side may answer so what it is asked."""

    side: str
    name: str
    items: tuple[Node, ...]
    values: tuple[Node, ...]
    negated: bool = False


@frozen
class ThenOver(Expectation):
    """`then the game is over`, `then the game is won by blue`: whether it has ended, and for whom. because: why."""

    winner: str = ""
    negated: bool = False


@frozen
class ThenBegins(Expectation):
    """`then the game may (not) begin`, `… may begin with (without) warning`: whether forces are fit to begin a game.

    warning: `with`, `without` or nothing. because: the refusal or warning.
    """

    negated: bool = False
    warning: str = ""


@frozen
class ThenKnows(Expectation):
    """`then red knows real of c`, `then red does not know of c`: what a side can tell. whole: of the thing itself."""

    side: str
    what: Node
    whole: bool = False
    negated: bool = False


@frozen
class ThenTold(Expectation):
    """`then red is told "…"`, `then red is told nothing`: all that a side has read since the `then` lines before."""

    side: str
    texts: tuple[str, ...] = ()


@frozen
class Then(Expectation):
    condition: Node


@frozen
class WithBlock(Block):
    """`with initiative:` runs the lines under another choice of modules; set: of one option."""

    switch: str = "with"
    names: tuple[str, ...] = ()
    option: str | None = None
    term: Node | None = None
