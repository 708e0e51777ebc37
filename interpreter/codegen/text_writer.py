"""The text of emitted functions, line by line, with a map back to rule lines."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from dsl.text.source import Span
from interpreter.codegen.emitted_code import Words
from interpreter.codegen.units import Text

__all__ = ["TextWriter"]


class TextWriter:
    """Writes functions.

    Attributes:
        out: the lines so far.
        lines: for each line of the text the rule line it came from.
        words: the words of the rules in it.
        span: the rule line that is being written.
        depth: how far the next line is indented.
        postponed: lines that wait until no function is open, each with its rule line.
    """

    def __init__(self) -> None:
        self.out: list[str] = []
        self.lines: dict[int, Span] = {}
        self.words = Words()
        self.span: Span | None = None
        self.depth = 1
        self.postponed: list[tuple[str, Span | None]] = []
        self._number = 0

    def put(self, text: str) -> None:
        """Writes a line, which came from the rule line at `span`."""
        self.out.append("    " * self.depth + text)
        if self.span is not None:
            self.lines[len(self.out) + 1] = self.span

    def fresh(self, stem: str) -> str:
        """A unique name."""
        self._number += 1
        return f"_{stem}{self._number}"

    def flush(self) -> None:
        """Writes what was postponed."""
        postponed, self.postponed, held = self.postponed, [], self.span
        for text, self.span in postponed:
            self.put(text)
        self.span = held

    @contextmanager
    def deeper(self) -> Iterator[None]:
        """What is written meanwhile is indented."""
        held, self.depth = self.depth, self.depth + 1
        try:
            yield
        finally:
            self.depth = held

    @contextmanager
    def function(self, name: str, args: str) -> Iterator[None]:
        """What is written meanwhile is the body of a function."""
        if self.depth == 1:
            self.flush()
        self.put(f"def {name}({args}):")
        with self.deeper():
            yield

    def unit(self) -> Text:
        """The functions written so far as a separate text."""
        return self.body("if True:", "    pass")

    def body(self, head: str, *otherwise: str) -> Text:
        """The lines written so far under this head. otherwise: what stands there if there are none."""
        return Text(head + "\n" + "\n".join(self.out or otherwise) + "\n", self.words.all, self.lines)
