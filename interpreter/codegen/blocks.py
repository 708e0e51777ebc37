"""Blocks of emitted lines: what loops are written into before they are text, and what is made better once they are."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from dsl.ir import E
from dsl.text.source import Span


class TooHard(Exception):
    """This aggregate is emitted in the plain way."""


class Value(NamedTuple):
    """Python text for a value, and the depth of the innermost loop that it depends on."""

    text: str
    depth: int


class Deferred(NamedTuple):
    """What a name stands for that is not worked out before it is asked for, with the names that hold there."""

    text: str
    depth: int
    e: E
    names: Any


TRUE, FALSE, NONE = Value("True", 0), Value("False", 0), Value("None", 0)


class Block:
    """Lines of Python that run one after the other. known: what has been worked out here, by its text."""

    def __init__(self, parent: Block | None, depth: int, *, body: bool = False) -> None:
        self.items: list[Any] = []
        self.parent = parent
        self.depth = depth
        self.body = body
        self.known: dict[str, Value] = {}
        self.loops: dict[str, tuple[Fork, Block, Value, list[Block]]] = {}
        self.open: Fork | Block | None = None
        self.late: set[str] = set()

    def learn(self, text: str, value: Value) -> None:
        """Notes what has been worked out here: late if that stands after the loops that are here already."""
        self.known[text] = value
        if self.loops and self.open is None:
            self.late.add(text)
        else:
            self.late.discard(text)

    def again(self) -> dict[str, Value]:
        """Forgets what stands after the loops, when more is written into one of them; gives what was forgotten."""
        gone = {text: self.known.pop(text) for text in self.late if text in self.known}
        self.late = set()
        return gone

    def insert(self, item: Any) -> None:
        """Adds a line before whatever is being written inside this block."""
        if self.open is None:
            self.items.append(item)
        else:
            self.items.insert(next(i for i, x in enumerate(self.items) if x is self.open), item)

    def before(self, fork: Fork, item: Any) -> None:
        """Adds a line before a compound statement of this block."""
        self.items.insert(next(i for i, x in enumerate(self.items) if x is fork), item)


class Fork:
    """A compound statement: heads, each with its block."""

    def __init__(self, *arms: tuple[str, Block], span: Span | None) -> None:
        self.arms = list(arms)
        self.span = span


def lines_of(block: Block, depth: int, out: list[tuple[str, Span | None]]) -> None:
    """Writes the lines of a block, each with its rule line."""
    if not block.items:
        out.append(("    " * depth + "pass", None))
    for item in block.items:
        if isinstance(item, Block):
            if item.items:
                lines_of(item, depth, out)
        elif isinstance(item, Fork):
            arms = [a for a in item.arms if a[1].items or a[0] != "else:"]
            for head, inner in arms:
                if (
                    head == "else:"
                    and len(inner.items) == 1
                    and isinstance(inner.items[0], Fork)
                    and inner.items[0].arms[0][0].startswith("if ")
                ):
                    nested: list[tuple[str, Span | None]] = []
                    lines_of(inner, depth, nested)
                    out.append(("    " * depth + "el" + nested[0][0].lstrip(), nested[0][1]))
                    out += nested[1:]
                    continue
                out.append(("    " * depth + head, item.span))
                lines_of(inner, depth + 1, out)
        else:
            out.append(("    " * depth + item[0], item[1]))


TEST = re.compile(r"(?:el)?(?:if )?\((\w+) (==|>=|<=|<|>) (-?\d+|K_\d+)\):?")


def exclusive(heads: list[str], test: str, result: str) -> bool:
    """Whether a test of a name can only hold where none of the tests before it does."""
    new = TEST.fullmatch(test)
    return (
        new is not None
        and new[1] != result
        and all((old := TEST.fullmatch(h)) is not None and old[1] == new[1] and _apart(old, new) for h in heads)
    )


def _apart(old: re.Match[str], new: re.Match[str]) -> bool:
    if "K" in old[3] + new[3]:
        return old[2] == new[2] == "==" and old[3] != new[3]
    a, b = int(old[3]), int(new[3])
    if old[2] == "==":
        return not {"==": a == b, ">=": a >= b, "<=": a <= b, "<": a < b, ">": a > b}[new[2]]
    return False
