"""The tree of a rule file: what every declaration has, and elements that many of them contain."""

from __future__ import annotations

import attrs

from dsl.syntax.syntax_tree import Node
from dsl.text.nodes import frozen

Guards = tuple[tuple[str, str], ...]
"""(`with` or `without`, module) pairs that a declaration depends on."""


@frozen
class Param(Node):
    """One named argument. prep: the preposition before it (`of` for the first). many: `some units`.

    kind: the name of its type; of several kinds `tank or gun`; of entries of unit lists `entry of tank`.

    whose: own or enemy, of the first argument; empty for anybody's. on_map: whether it must be on the map.
    """

    prep: str
    name: str
    kind: str | None = None
    many: bool = False
    whose: str = ""
    on_map: bool = False


@frozen
class Signature(Node):
    name: str
    params: tuple[Param, ...]


@frozen
class Declaration(Node):
    """name: the name by which other declarations refer to it. digest: of its normalised text. source: the text of its chunk."""

    name: str = attrs.field(kw_only=True)
    cites: tuple[str, ...] = attrs.field(default=(), kw_only=True)
    guards: Guards = attrs.field(default=(), kw_only=True)


@frozen
class Row(Node):
    text: str
