"""The tree of a rule file: what every line has, and lines that contain lines."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import attrs

from dsl.syntax.syntax_tree import Node
from dsl.text.nodes import frozen


@frozen
class Line(Node):
    """What any line may have: citations, a label that modules can name, a condition, a reason."""

    cites: tuple[str, ...] = attrs.field(default=(), kw_only=True)
    label: str | None = attrs.field(default=None, kw_only=True)
    when: Node | None = attrs.field(default=None, kw_only=True)
    because: str | None = attrs.field(default=None, kw_only=True)


@frozen
class Block(Line):
    """A line that contains lines."""

    body: tuple[Line, ...] = attrs.field(default=(), kw_only=True)


L = TypeVar("L", bound=type[Line])
IN_ORDER: dict[str, type[Line]] = {}
"""The lines whose text has their fields in order, by the rule of the grammar: they need no building code."""


def in_order(*rules: str) -> Callable[[L], L]:
    """Builds the line whenever one of these rules of the grammar is read: its fields are filled in the order of the text.

    A field with the name of a part (`until`, `dice`) is that part. Otherwise a node, or all remaining ones, is assigned by type, and a
    text is the next name or the next words in quotes. A field that can be missing is None.
    """

    def registered(line: L) -> L:
        IN_ORDER.update(dict.fromkeys(rules, line))
        return line

    return registered
