"""Blocks of emitted lines: loops are written into blocks, and improved there, before they become text."""

from __future__ import annotations

from typing import Any, NamedTuple

from dsl.ir import E
from dsl.text.source import Span


class TooHard(Exception):
    """This aggregate must be emitted plainly."""


class Value(NamedTuple):
    """Python text for a value, and the depth of the innermost loop that it depends on."""

    text: str
    depth: int


class Deferred(NamedTuple):
    """The definition of a name that is computed on demand, with the names in scope there."""

    text: str
    depth: int
    e: E
    names: Names


Names = dict[str, Value | Deferred]
"""The definitions of the names in scope."""

TRUE, FALSE, NONE = Value("True", 0), Value("False", 0), Value("None", 0)


class CodeBlock:
    """Lines of Python that run one after the other. known: what has been computed here, by its text."""

    def __init__(self, parent: CodeBlock | None, depth: int, *, body: bool = False) -> None:
        self.items: list[Any] = []
        self.parent = parent
        self.depth = depth
        self.body = body
        self.known: dict[str, Value] = {}
        self.loops: dict[str, tuple[Loop, CodeBlock, Value, list[CodeBlock]]] = {}
        self.open: Fork | Loop | CodeBlock | None = None
        self.late: set[str] = set()

    def learn(self, text: str, value: Value) -> None:
        """Records what has been computed here: late if it comes after the loops that are already here."""
        self.known[text] = value
        if self.loops and self.open is None:
            self.late.add(text)
        else:
            self.late.discard(text)

    def again(self) -> dict[str, Value]:
        """Forgets what comes after the loops, when more is written into one of them; returns what was forgotten."""
        gone = {text: self.known.pop(text) for text in self.late if text in self.known}
        self.late = set()
        return gone

    def insert(self, item: Any) -> None:
        """Adds a line before whatever is being written inside this block."""
        if self.open is None:
            self.items.append(item)
        else:
            self.items.insert(next(i for i, x in enumerate(self.items) if x is self.open), item)

    def before(self, fork: Fork | Loop, item: Any) -> None:
        """Adds a line before a compound statement of this block."""
        self.items.insert(next(i for i, x in enumerate(self.items) if x is fork), item)


class Fork:
    """An `if`: tests, each with its block; the last test is None for an `else`."""

    def __init__(self, *arms: tuple[str | None, CodeBlock], span: Span | None) -> None:
        self.arms = list(arms)
        self.span = span


class Loop:
    """A `for`: `item` names each element of `source`."""

    def __init__(self, item: str, source: str, body: CodeBlock, *, span: Span | None) -> None:
        self.item = item
        self.source = source
        self.body = body
        self.span = span


def lines_of(block: CodeBlock, depth: int, out: list[tuple[str, Span | None]]) -> None:
    """Writes the lines of a block, each with its rule line."""
    before = "    " * depth
    if not block.items:
        out.append((before + "pass", None))
    for item in block.items:
        match item:
            case CodeBlock():
                if item.items:
                    lines_of(item, depth, out)
            case Loop():
                out.append((f"{before}for {item.item} in {item.source}:", item.span))
                lines_of(item.body, depth + 1, out)
            case Fork():
                _lines_of_fork(item, depth, out, "if")
            case _:
                out.append((before + item[0], item[1]))


def _lines_of_fork(fork: Fork, depth: int, out: list[tuple[str, Span | None]], first: str) -> None:
    """Writes an `if`. first: `elif`, if it is the only statement in the `else` of another one."""
    before, word = "    " * depth, first
    for test, inner in fork.arms:
        if test is not None:
            out.append((f"{before}{word} {test}:", fork.span))
            lines_of(inner, depth + 1, out)
            word = "elif"
        elif len(inner.items) == 1 and isinstance(inner.items[0], Fork):
            _lines_of_fork(inner.items[0], depth, out, "elif")
        elif inner.items:
            out.append((before + "else:", fork.span))
            lines_of(inner, depth + 1, out)
