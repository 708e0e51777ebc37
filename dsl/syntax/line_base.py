"""The tree of a rule file: what every line has, and lines that contain lines."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import attrs

from dsl.syntax.syntax_tree import Node, frozen


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


L = TypeVar("L", bound=type[Line])
IN_ORDER: dict[str, type[Line]] = {}
"""The lines whose text has their fields in their order, by the rule of the grammar: how they are built need not be written."""


def in_order(*rules: str) -> Callable[[L], L]:
    """Builds the line whenever one of these rules of the grammar is read: what it holds is filled in the order of the text.

    A field that has the name of a part (`until`, `dice`) is that part. Else a node, or all that are left, goes by its type, and a text is the
    next name or the next words in quotes. What can be missing is None.
    """

    def registered(line: L) -> L:
        IN_ORDER.update(dict.fromkeys(rules, line))
        return line

    return registered
