"""The tree of a rule file: the checks of orders and setups, and the lines of paths."""

from __future__ import annotations

from dsl.syntax.line_base import Line, in_order
from dsl.syntax.syntax_tree import Node
from dsl.text.nodes import frozen


@in_order("given_by")
@frozen
class GivenBy(Line):
    who: Node


@frozen
class LegalFrom(Line):
    before: tuple[Node, ...]
    after: tuple[Node, ...]


@in_order("legal_when")
@frozen
class LegalWhen(Line):
    condition: Node


@in_order("refused")
@frozen
class Refused(Line):
    condition: Node


@in_order("warned")
@frozen
class Warned(Line):
    """`warned when …`: a game may begin like this, but its umpire gets a warning."""

    condition: Node


@in_order("reaching")
@frozen
class Reaching(Line):
    goal: str
    path: str
    mover: Node


@in_order("path_from")
@frozen
class PathFrom(Line):
    start: Node


@in_order("path_budget")
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
    """A rule about one place of a route. kind: never, costs, halting. of: the kind of place."""

    kind: str
    place: str
    of: str | None
    value: Node | None = None


@in_order("start_exempt")
@frozen
class StartExempt(Line):
    """`starting place exempt`: bans do not apply to the place where the route starts."""

    word: str
