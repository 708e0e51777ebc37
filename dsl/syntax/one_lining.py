"""One-line forms: the single expression of a value after its heading, the only line of a block after its colon."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from dsl.syntax import body_lines as ln
from dsl.syntax import declarations as d
from dsl.syntax.text_lines import TextLine

ONE_LINE = 120
"""A body with up to MOST_PARTS plain results, or one line, is written on one line if that is no longer, without its citation."""
MOST_PARTS = 3
"""The most cases and steps of a value on one line: more are easier to read below each other."""


def says_one_thing(declaration: d.Declaration) -> bool:
    """Whether the body of a value or status can go after its heading, as it has no reasons, labels or citations of its own.

    It is one plain result, a few cases (`1 when u is far, otherwise 2`), or steps from one (`tons of u / 5, rounded up`).
    """
    if not isinstance(declaration, d.Bodied) or declaration.word not in {"value", "status"}:
        return False
    body = declaration.body
    if any(line.cites or line.label or line.because for line in body) or len(body) > MOST_PARTS:
        return False
    if len(body) == 1 and isinstance(body[0], ln.Holds):
        return True
    first, *rest = body
    match first:
        case ln.Case(when=None, otherwise=False, shift=None):
            return not rest
        case ln.StartWith(when=None):
            return bool(rest) and all(isinstance(x, ln.Adjust) for x in rest)
    *cases, last = body
    return all(map(_is_case, cases)) and (_is_case(last) or (bool(cases) and _is_rest(last)))


def _is_case(line: ln.Line) -> bool:
    """Whether a line is `E when C`."""
    return isinstance(line, ln.Case) and line.when is not None and line.shift is None and not line.otherwise


def _is_rest(line: ln.Line) -> bool:
    """Whether a line is `otherwise E`."""
    return isinstance(line, ln.Case) and line.shift is None and line.otherwise


def one_lined(node: d.Declaration | ln.Line) -> Iterator[int]:
    """The lines, from 0, that open a block of one line which may go after their colon."""
    body: tuple[ln.Line, ...] = getattr(node, "body", ())
    if isinstance(node, d.Rule | ln.ForEach | ln.Repeat | ln.Phase):
        opens = True
    elif isinstance(node, d.Bodied):
        opens = node.word in {"order", "procedure", "setup"}
    else:
        opens = isinstance(node, ln.When) and node.arm == "otherwise"
    if opens and len({x.span.line for x in body}) == 1 and not any(map(_opens_block, body)):
        yield node.span.line - 1
    for line in body:
        yield from one_lined(line)


def _opens_block(line: ln.Line) -> bool:
    """Whether a line has or may have lines below it: `simultaneously` by itself, not several changes on one line."""
    return isinstance(line, ln.Block) and not (isinstance(line, ln.Simultaneously) and line.body[0].span == line.span)


def drawn_up(lines: list[TextLine], plain: frozenset[int]) -> list[TextLine]:
    """The lines with each plain body after its heading, if both fit on one line and have no remarks."""
    out: list[TextLine] = []
    at = 0
    while at < len(lines):
        head = lines[at]
        at += 1
        out.append(head)
        if head.number not in plain or head.remark or not head.text.endswith(":"):
            continue
        rest = list(itertools.takewhile(_of_body, lines[at:]))
        joined = _behind_heading(head, rest, lines[at + len(rest)] if at + len(rest) < len(lines) else None)
        if joined:
            head.text = joined
            at += len(rest)
            while rest and rest[-1].kind == "blank":
                out.append(rest.pop())
    return out


def _of_body(line: TextLine) -> bool:
    """Whether a line after a heading belongs to its body, or may: it is indented, or blank."""
    return line.kind == "blank" or (line.kind == "code" and line.level > 0)


def _behind_heading(head: TextLine, rest: list[TextLine], follows: TextLine | None) -> str:
    """A heading and its body on one line; empty if they do not fit, or if the body has a remark."""
    body = [x for x in rest if x.kind == "code"]
    if not body or any(x.remark or x.cite for x in body) or (follows is not None and follows.level > 0):
        return ""
    said = "".join(f"{' ' if x.goes_on else ', '}{x.text}" for x in body).removeprefix(", ")
    said = said.removeprefix("when " if head.text.startswith("status ") else "start with ")
    joined = f"{head.text.removesuffix(':')} = {said}"
    return joined if len(joined) <= ONE_LINE else ""


def joined_lines(lines: list[TextLine], single: frozenset[int]) -> list[TextLine]:
    """The lines with the only line of a block after the colon that opens it, under the same conditions."""
    out: list[TextLine] = []
    at = 0
    while at < len(lines):
        head = lines[at]
        at += 1
        out.append(head)
        if head.number not in single or head.remark or not head.text.endswith(":") or at == len(lines):
            continue
        line, follows = lines[at], lines[at + 1] if at + 1 < len(lines) else None
        alone = follows is None or (follows.level <= head.level and not follows.goes_on)
        joined = f"{head.text} {line.text}"
        if line.kind == "code" and alone and not (line.remark or line.cite) and len(joined) <= ONE_LINE:
            head.text = joined
            at += 1
    return out
