"""The tree of a rule file: the lines of bodies. There is one class of line; the checker decides which line fits where.

This file has the lines of values and statements. The lines of orders, paths and examples have files of their own and are exported
from here.
"""

from __future__ import annotations

import re

import attrs

from dsl.syntax.line_base import Block, Line, in_order
from dsl.syntax.lines_of_examples import (
    Answer,
    Begins,
    DiceAre,
    Expectation,
    Given,
    OnMap,
    Orders,
    Then,
    ThenBegins,
    ThenKnows,
    ThenMay,
    ThenMayAnswer,
    ThenOver,
    ThenTold,
    WithBlock,
)
from dsl.syntax.lines_of_orders import (
    GivenBy,
    Leg,
    LegalFrom,
    LegalWhen,
    PathBudget,
    PathFrom,
    PathRule,
    Reaching,
    Refused,
    StartExempt,
    Warned,
)
from dsl.syntax.syntax_tree import Direction, Node
from dsl.text.nodes import frozen

# ---- values --------------------------------------------------------------------------------------------------


@frozen
class Let(Line):
    """Names a value. whether: the value is a condition (yes or no)."""

    name: str
    value: Node
    whether: bool = False


@in_order("start_with")
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


@in_order("stop")
@frozen
class Stop(Line):
    name: str | None = None


@in_order("end_game", "end_game_line")
@frozen
class EndGame(Line):
    winner: Node | None = None


@in_order("lesson_hint")
@frozen
class Hint(Line):
    """A hint for a beginner, shown while the condition holds."""

    text: str


# ---- players and chance ---------------------------------------------------------------------------------------


@frozen
class Choice(Node):
    """What can be chosen. kind: one, some, up_to, exactly, words, number, split (amount among source)."""

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
    """`SIDE chooses x "Which of them?": …`. title: the question as the player sees it."""

    who: Node
    name: str
    choice: Choice
    secretly: bool = False
    such_that: SuchThat | None = None
    title: str = ""


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
    title: str = ""


@frozen
class Dice(Node):
    """`2d6+1`, `burst of gun of t`, or `N dice of 1d10` (count given: that many rolls)."""

    value: Node
    count: Node | None = None


@in_order("rolls")
@frozen
class Rolls(Line):
    who: Node
    dice: Dice
    name: str


@in_order("draws")
@frozen
class Draws(Line):
    """`red rolls one of guns of s as lucky`: a die with as many faces as there are guns, and the gun that it selects."""

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

    whose: own or enemy, relative to the owner of the changed thing; following: the next period that begins, not the present one.
    """

    edge: str = ""
    period: str = ""
    whose: str = ""
    following: bool = False
    condition: Node | None = None


@frozen
class Becomes(Line):
    """`X becomes E`; filling: the values for the gaps of a text, `armor of u becomes "{}H" with n`."""

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


@in_order("move", "move_off")
@frozen
class Move(Line):
    """`move u to h`; without a goal: `move u off the map`, where it is still in the game."""

    what: Node
    to: Node | None


@frozen
class Put(Line):
    """`put x (a unit some-type, side blue) in 0304`. written: the text of the value of each setting.

    naming: its name in the game, with a gap for each of `called`; None for the usual name. like: the thing that it is a copy of.
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


@in_order("remove")
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
    """`do P with A as X` binds arguments by their names; `do P of A by B` gives them in the form of P's heading."""

    name: str
    bindings: tuple[tuple[tuple[Node, ...], str], ...]
    given: tuple[tuple[str, Node], ...] = ()


@in_order("tell")
@frozen
class Tell(Line):
    whom: Node
    message: str
    args: tuple[Node, ...]


@in_order("story")
@frozen
class Story(Line):
    """From here on the procedure is reported as one story. message: its title."""

    message: str
    args: tuple[Node, ...]


@frozen
class Relate(Line):
    """Values that are part of the story: each with its name there, or None for its own name."""

    parts: tuple[tuple[Node, str | None], ...]


CHANGING = Becomes | Gains | Move | Put | Remove | Reveal | EndGame
"""The lines that change something by themselves: an umpire may use one as an override."""
CHANGING_WORDS = re.compile(r"\b(becomes|gains|loses)\b|^(move|put|remove|reveal|hide|end)\b")
"""Typed text that begins with one of these words is such a line, not a fact."""
