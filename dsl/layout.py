"""Layout of rule text: cutting a file into declarations at the left edge, and indentation within one of them."""

from __future__ import annotations

from collections.abc import Iterator

import attrs
from lark import Token
from lark.lark import PostLex

MOST_DEPTH = 60
"""Blocks nest at most this deep; more is a mistake or an attack."""


MOST_WORDS = 400
"""A line with its continuations holds at most this many words; this also bounds how deep brackets nest."""


@attrs.frozen(slots=True)
class Chunk:
    """One declaration's text. line: the line of the file (from 1) at which it starts."""

    line: int
    text: str


def cut(text: str) -> list[Chunk]:
    """Cuts a file at every line that starts at the left edge; blank lines and remarks belong to no one."""
    chunks: list[Chunk] = []
    start = 0
    lines: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        edge = line[:1]
        if edge and edge not in " \t\r" and not line.startswith("--"):
            if lines:
                chunks.append(Chunk(start, "\n".join(lines).rstrip() + "\n"))
            start, lines = number, [line]
        elif lines:
            lines.append("" if line.startswith("--") else line)
        elif line.strip() and not line.startswith("--"):
            start, lines = number, [line]
    if lines:
        chunks.append(Chunk(start, "\n".join(lines).rstrip() + "\n"))
    return chunks


class TooDeep(Exception):
    """Blocks nest deeper than MOST_DEPTH; token: where."""

    def __init__(self, token: Token) -> None:
        super().__init__("too deep")
        self.token = token


class TooLong(TooDeep):
    """One line, with its continuations, has more words than MOST_WORDS."""


class BadIndent(Exception):
    """A line's indentation fits no block around it; token: where."""

    def __init__(self, token: Token) -> None:
        super().__init__("bad indent")
        self.token = token


class Layout(PostLex):
    """Turns line ends into line ends, indents and dedents.

    An indent comes only after a line that ends in a colon (perhaps with a citation); a deeper line after any
    other is its continuation, and the line end between them vanishes.
    """

    always_accept = ("_NL",)

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        depths = [0]
        last = before = ""
        token = None
        count = 0
        for token in stream:
            if token.type != "_NL":
                count += 1
                if count > MOST_WORDS:
                    raise TooLong(token)
                before, last = last, token.type
                yield token
                continue
            column = len(token.value) - len(token.value.rstrip(" \t"))
            opens = last == "COLON" or (last == "CITE" and before == "COLON")
            if column > depths[-1]:
                if not opens:
                    continue
                if len(depths) > MOST_DEPTH:
                    raise TooDeep(token)
                yield token
                depths.append(column)
                yield Token.new_borrow_pos("_INDENT", "", token)
                before, last, count = "", "_NL", 0
                continue
            count = 0
            if last != "_NL" and last:
                yield token
                before, last = "", "_NL"
            while column < depths[-1]:
                depths.pop()
                yield Token.new_borrow_pos("_DEDENT", "", token)
            if column != depths[-1]:
                raise BadIndent(token)
        while len(depths) > 1:
            depths.pop()
            yield Token.new_borrow_pos("_DEDENT", "", token) if token is not None else Token("_DEDENT", "")
