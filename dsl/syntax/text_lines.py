"""The lines of a rule text, taken apart: how deep each is, its words with spaces normalized, its citation, its remark."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

import attrs

_CITE = re.compile(r"\s*(\[[A-Z][A-Z0-9]*-[A-Z0-9, -]+\])$")
_REMARK = re.compile(r"--[ \t]")
_STRING = re.compile(r'"[^"\n]*"')
_SHOWS = re.compile(r"put\b|(?:then|given)\b[^=<>]*\s(?:is|are)\s")
"""How lines begin that may contain a printed value."""
_SIGN = re.compile(r"(?:^|(?<=[ (]))- (?=[\w(])")
_BEFORE_NUMBERS = frozenset(
    [
        "plus",
        "minus",
        "times",
        "by",
        "with",
        "least",
        "most",
        "moved",
        "instead",
        "be",
        "otherwise",
        "becomes",
        "become",
        "gains",
        "gain",
        "loses",
        "lose",
        "when",
        "and",
        "or",
        "not",
        "starts",
        "is",
        "are",
        "else",
        "at",
        "against",
        "from",
        "to",
        "under",
        "then",
    ]
)
"""Words that come before a number, so that a minus after them is its sign."""


@attrs.define(slots=True)
class TextLine:
    """One line of a text, taken apart. kind: blank, remark, row, code; goes_on: it continues the line before.

    block: which block it stands in; opener: the line that opened that; number: in the file, from 0.
    """

    kind: str
    text: str
    cite: str = ""
    remark: str = ""
    level: int = 0
    goes_on: bool = False
    block: int = 0
    opener: str = ""
    number: int = 0

    @property
    def indent(self) -> str:
        """The spaces before it."""
        return " " * (2 * self.level + 4 * self.goes_on)


def levelled(text: str) -> list[TextLine]:
    """The lines of a text without errors, with their kind and depth as `dsl.syntax.layout` sees them."""
    lines: list[TextLine] = []
    depths, openers, blocks = [0], [""], [0]
    fresh = itertools.count(1)
    opens = False
    logical = ""
    for number, raw in enumerate(text.split("\n")):
        body = raw.strip(" \t\r")
        edge = raw[:1] not in {" ", "\t", "\r", ""}
        if not body or (body == "--" and not edge):
            lines.append(TextLine("blank", "", number=number))
            continue
        if _REMARK.match(body) or (edge and body.startswith("--")):
            lines.append(TextLine("remark", body, level=0 if edge else -1, number=number))
            continue
        column = len(raw) - len(raw.lstrip(" \t"))
        goes_on = False
        if edge or not logical:
            depths, openers, blocks = [0], [""], [0]
        elif column > depths[-1]:
            if opens:
                depths.append(column)
                openers.append(logical)
                blocks.append(next(fresh))
            else:
                goes_on = True
        else:
            while column < depths[-1]:
                depths.pop()
                openers.pop()
                blocks.pop()
        is_row = "|" in body and _holds_rows(openers)
        shows = bool(_SHOWS.match(logical if goes_on else body))
        line = TextLine("row", body) if is_row else _code(body, shows=shows, begins=not goes_on)
        line.level, line.goes_on, line.number = len(depths) - 1, goes_on, number
        line.block, line.opener = blocks[-1], openers[-1]
        logical = f"{logical} {line.text}" if goes_on else line.text
        opens = not is_row and line.text.endswith(":")
        lines.append(line)
    _place_remarks(lines)
    return lines


def _holds_rows(openers: Sequence[str]) -> bool:
    """Whether the innermost block consists of rows: of a list or table, a section of a map, the forces of a side."""
    outer, inner = openers[1] if len(openers) > 1 else "", openers[-1]
    first = inner.split(" ")[0]
    return first in {"list", "table", "forces"} or (outer.split(" ")[0] == "map" and len(openers) > 2)


def _code(body: str, *, shows: bool = False, begins: bool = True) -> TextLine:
    """A line of words, split into its text, its citation and its remark. shows, begins: as for `_spaced`."""
    text, remark = body, ""
    strings = [m.span() for m in _STRING.finditer(body)]
    for found in _REMARK.finditer(f"{body} "):
        if not any(a < found.start() < b for a, b in strings):
            text, remark = body[: found.start()].rstrip(), body[found.start() :]
            break
    if remark.strip() == "--":
        remark = ""
    cite = _CITE.search(text)
    if cite is None:
        return TextLine("code", _spaced(text, shows=shows, begins=begins), "", remark)
    said = _spaced(text[: cite.start()], shows=shows, begins=begins)
    return TextLine("code", said, _spaced(cite[1]), remark)


def _spaced(text: str, *, shows: bool = False, begins: bool = True) -> str:
    """Words with one space between them; text in quotes is left alone.

    shows: whether it may contain a printed value, `III/VIs`, which stays as it was typed.
    begins: whether it is the beginning of a line, not a continuation of the line above.

    >>> _spaced('A  when x>=3 ,because   "a  b"')
    'A when x >= 3, because "a  b"'
    >>> _spaced("- x * - (a - b)")
    '-x * -(a - b)'
    """
    quoted: list[str] = []

    def keep(found: re.Match[str]) -> str:
        quoted.append(found[0])
        return f' "{len(quoted) - 1}" '

    text = " ".join(_STRING.sub(keep, text).split())
    text = re.sub(r" ?(<=|>=|!=|<|>|=|\*|\.\.) ?", r" \1 ", text)
    text = re.sub(r"\d+/\d+| ?/ ?", lambda m: m[0] if m[0][0].isdigit() or (shows and m[0] == "/") else " / ", text)
    text = re.sub(r" ?([,;]) ?", r"\1 ", text)
    text = re.sub(r" ?: (?=\S)| ?:$|(?<=[a-z]):(?=[A-Za-z])", ": ", text)
    text = re.sub(r"(?<=[\w\"])\(|\) ?(?=[\w\"])", lambda m: " (" if m[0] == "(" else ") ", text)
    text = re.sub(r"\( ", "(", re.sub(r" \)", ")", text))
    text = _SIGN.sub(lambda m: "-" if _is_sign(text[: m.start()].rstrip(), begins=begins) else m[0], text)
    return re.sub(r'"(\d+)"', lambda m: quoted[int(m[1])], " ".join(text.split()))


def _is_sign(before: str, *, begins: bool) -> bool:
    """Whether a minus after some text is the sign of a number, not a subtraction."""
    if not before:
        return begins
    return (
        before[-1] in "(,:*/+<>="
        or before == "-"
        or before.endswith(" -")
        or before.rsplit(" ", maxsplit=1)[-1] in _BEFORE_NUMBERS
    )


def _place_remarks(lines: Sequence[TextLine]) -> None:
    """Gives remarks on lines of their own the depth of the line after them, within their declaration."""
    after: dict[int, TextLine] = {}
    following: TextLine | None = None
    for line in reversed(lines):
        if line.kind in {"row", "code"}:
            following = line
        elif line.kind == "remark" and following is not None:
            after[line.number] = following
    before: TextLine | None = None
    for line in lines:
        if line.kind in {"row", "code"}:
            before = line
        elif line.kind == "remark":
            near = after.get(line.number)
            if near is None or (not near.level and not near.goes_on):
                near = before if line.level < 0 else None
            if near is not None and _REMARK.match(line.text):
                line.level, line.goes_on = near.level, near.goes_on and near is not before
            else:
                line.level = 0
