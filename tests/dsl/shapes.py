"""The structure of a tree in one line, for tests: `Of(strength, Name(u))`."""

from fractions import Fraction

import attrs

from dsl.syntax.syntax_tree import Node


def shape(item):
    """A node as its class and what it holds; what is empty is left out."""
    if isinstance(item, Node):
        held = [
            shape(getattr(item, f.name)) for f in attrs.fields(type(item)) if f.name not in {"span", "cites", "guards"}
        ]
        return f"{type(item).__name__}({', '.join(x for x in held if x)})"
    if isinstance(item, tuple):
        return f"[{', '.join(shape(x) for x in item)}]" if item else ""
    if item is None or item is False or item == "":
        return ""
    return str(item) if isinstance(item, str | bool | int | Fraction) else repr(item)
