"""The layout of rule text: indentation within a declaration, and how long and how deeply nested it may be."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lark import Token
from lark.lark import PostLex

from dsl.syntax.dice_words import MOST_DICE, MOST_FACES, dice_of

MOST_DEPTH = 12
"""Blocks nest at most this deep; more is a mistake or an attack."""

MOST_WORDS = 400
"""A line with its continuations holds at most this many words and signs; this also bounds how deep brackets nest."""

LONGEST = {
    "NAME": 60,
    "THING": 60,
    "NUMBER": 24,
    "SIGNED": 24,
    "PERCENT": 24,
    "FRACTION": 40,
    "ODDS": 40,
    "DICE": 16,
    "DICE_WORD": 16,
    "STRING": 2_000,
    "CITE": 500,
    "ROW": 10_000,
}
"""The most characters of a word of each type."""


class LayoutError(Exception):
    """A declaration or a word of it that cannot be read because of its layout.

    token: where. code, message, hint: of the diagnostic. next_line: the token is a line end, and the fault is after it.
    """

    def __init__(self, token: Token, code: str, message: str, hint: str = "", *, next_line: bool = False) -> None:
        super().__init__(message)
        self.token, self.code, self.message, self.hint, self.next_line = token, code, message, hint, next_line


class Layout(PostLex):
    """Turns line ends into line ends, indents and dedents.

    An indent comes only after a line that ends in a colon (perhaps with a citation); a deeper line after any
    other is its continuation, and the line end between them vanishes. longest: the words of the longest line of
    the declaration read last.
    """

    always_accept = ("_NL",)

    def __init__(self) -> None:
        self.longest = 0

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """The tokens of one declaration, with indents and dedents. Raises LayoutError."""
        depths = [0]
        last = before = ""
        token = None
        count = longest = self.longest = 0
        for token in stream:
            kind = token.type
            if kind != "_NL":
                count += 1
                if count > longest:
                    longest = self.longest = count
                    if count > MOST_WORDS:
                        message = f"This line has more than {MOST_WORDS} words and signs."
                        raise LayoutError(
                            token,
                            "E004",
                            message,
                            "Split it: name its parts with `let`, or write two declarations.",
                        )
                if kind in LONGEST:
                    _check(token)
                before, last = last, kind
                yield token
                continue
            column = len(token.value) - len(token.value.rstrip(" \t"))
            opens = last == "COLON" or (last == "CITE" and before == "COLON")
            if column > depths[-1]:
                if not opens:
                    continue
                if len(depths) > MOST_DEPTH:
                    message = f"Blocks are nested more than {MOST_DEPTH} levels deep here."
                    raise LayoutError(token, "E003", message, "Move the inner steps into a procedure.", next_line=True)
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
                message = "This line is indented less than its block but more than the block around it."
                raise LayoutError(token, "E005", message, "Align it with the lines that it belongs to.", next_line=True)
        while len(depths) > 1:
            depths.pop()
            yield Token.new_borrow_pos("_DEDENT", "", token) if token is not None else Token("_DEDENT", "")


def _check(token: Token) -> None:
    """Rejects words that no rulebook has: endless names and numbers, dividing by zero, a thousand dice."""
    kind = token.type
    if len(token) > LONGEST[kind]:
        what = {
            "NAME": "name",
            "THING": "name",
            "STRING": "text in quotes",
            "CITE": "citation",
            "ROW": "row",
            "DICE": "roll",
            "DICE_WORD": "roll",
        }.get(kind, "number")
        raise LayoutError(
            token, "E008", f"This {what} has {len(token):,} characters; the limit is {LONGEST[kind]:,}.", "Shorten it."
        )
    if kind in {"FRACTION", "ODDS"}:
        below = re.split("[/:]", token)[1]
        if not float(below):
            raise LayoutError(
                token,
                "E205",
                f"`{token}` divides by zero.",
                "Change the number after the sign: nothing can be divided by zero.",
            )
    elif kind in {"DICE", "DICE_WORD"}:
        count, faces = dice_of(token)[:2]
        if not (0 < count <= MOST_DICE and 0 < faces <= MOST_FACES):
            message = f"`{token}` cannot be rolled."
            raise LayoutError(
                token,
                "E009",
                message,
                f"Write 1 to {MOST_DICE} dice, each with 1 to {MOST_FACES:,} faces: 1d10, 2d6, 3d6+1.",
            )
