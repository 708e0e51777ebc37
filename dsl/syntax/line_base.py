"""The tree of a rule file: what every line has, and lines that own lines."""

from __future__ import annotations

import attrs

from dsl.syntax.tree import Node, frozen


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
