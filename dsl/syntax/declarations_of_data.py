"""The tree of a rule file: maps and scenarios."""

from __future__ import annotations

from dsl.syntax.body_lines import Begins, EndGame, Hint
from dsl.syntax.declaration_base import Declaration, Guards, Row
from dsl.syntax.syntax_tree import Node
from dsl.text.nodes import frozen


@frozen
class MapSection(Node):
    name: str
    rows: tuple[Row, ...]


@frozen
class MapLink(Node):
    """A link along a sequence of places, or on the sides between the first place and each of the others.

    word: the type of link, if it has types (empty for none).
    """

    link: str
    places: tuple[str, ...]
    sides: bool = False
    word: str = ""


@frozen
class MapBorder(Node):
    """A place of a drawn map and its neighbours."""

    place: str
    others: tuple[str, ...]


@frozen
class Map(Declaration):
    """A map. columns, rows: 0 for a drawn one; numbered: the label of its first place (empty for the usual 0101)."""

    title: str
    of: str
    columns: int
    rows: int
    low: str
    sections: tuple[MapSection, ...]
    links: tuple[MapLink, ...]
    numbered: str = ""
    borders: tuple[MapBorder, ...] = ()


@frozen
class ScenarioSide(Node):
    name: str
    title: str
    colour: str


@frozen
class Forces(Node):
    """The units of one kind that a side has in a scenario. guards: the modules that they depend on."""

    side: str
    of: str
    rows: tuple[Row, ...]
    guards: Guards = ()


@frozen
class Fact(Node):
    target: Node
    values: tuple[Node, ...]


@frozen
class Lesson(Node):
    """Hints of a scenario for a beginner who plays a side, each shown while its condition holds."""

    side: str
    hints: tuple[Hint, ...]


@frozen
class Scenario(Declaration):
    """A scenario. maps: its maps; the first is shown first."""

    title: str
    maps: tuple[str, ...]
    about: str
    sides: tuple[ScenarioSide, ...]
    forces: tuple[Forces, ...]
    facts: tuple[Fact, ...]
    switches: tuple[tuple[str, str], ...]
    settings: tuple[tuple[str, str], ...]
    endings: tuple[EndGame, ...]
    begins: Begins | None = None
    lessons: tuple[Lesson, ...] = ()
