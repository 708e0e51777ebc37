"""The tree of a rule file: what an example sets up, orders and expects."""

from __future__ import annotations

from dsl.syntax.line_base import Block, Line, in_order
from dsl.syntax.syntax_tree import Node
from dsl.text.nodes import frozen


@in_order("on_map")
@frozen
class OnMap(Line):
    """The maps of an example."""

    names: tuple[str, ...]


@frozen
class Begins(Line):
    """The date of turn 1 and how long a turn is. unit: hours, days, weeks or months."""

    date: str
    count: int
    unit: str


@in_order("given")
@frozen
class Given(Line):
    condition: Node


@frozen
class DiceAre(Line):
    """`dice 7, 6+4`: the results of rolls; a sum gives each die of its roll."""

    faces: tuple[tuple[int, ...], ...]


@frozen
class Answer(Line):
    """`answer joiners with x, y`; items: `answer firing of x with B` for a question about each thing."""

    name: str
    items: tuple[Node, ...]
    values: tuple[Node, ...]


@frozen
class Orders(Line):
    """`blue orders march b to 0305`; the command is stored as typed."""

    side: str
    command: str


@frozen
class Expectation(Line):
    """A line that states what is expected."""


@frozen
class ThenMay(Expectation):
    """`then blue may not march x to 0306 because "…"`: whether a side may give a command, and why not.

    Attributes:
        only: the reasons of `only because "…", "…"`: these and no others.
    """

    side: str
    command: str
    negated: bool = False
    only: tuple[str, ...] = ()

    @property
    def reasons(self) -> tuple[str, ...]:
        """The reasons that the line names."""
        return (self.because,) if self.because else self.only


@frozen
class ThenMayAnswer(Expectation):
    """`then blue may not answer joiners with x, y`: whether a side may give this answer to its question."""

    side: str
    name: str
    items: tuple[Node, ...]
    values: tuple[Node, ...]
    negated: bool = False


@frozen
class ThenOver(Expectation):
    """`then the game is over`, `then the game is won by blue`: whether it has ended, and who has won. because: why."""

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
    """`then red knows real of c`, `then red does not know of c`: what a side can see. whole: of the thing itself."""

    side: str
    what: Node
    whole: bool = False
    negated: bool = False


@in_order("then_told")
@frozen
class ThenTold(Expectation):
    """`then red is told "…"`, `then red is told nothing`: all messages to a side since the previous `then` lines."""

    side: str
    texts: tuple[str, ...] = ()


@in_order("then")
@frozen
class Then(Expectation):
    condition: Node


@frozen
class WithBlock(Block):
    """`with initiative:` runs the lines under another choice of modules; set: of one option."""

    choices: tuple[tuple[str, str], ...] = ()
    option: str | None = None
    term: Node | None = None
