"""The formatter: one style for rule text, without options. It works on the text, so remarks, order and wording stay.

Two spaces a level, four more for a line that goes on; one space between words; the cells of tables and the fields of
kinds in columns; what a value or status plainly says behind its heading, and the only line of a rule or loop behind its
colon; citations at column CITATIONS; at most one blank line. What the text says never changes: that is checked after
every change.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, cast

import attrs

from dsl.syntax import declarations as d
from dsl.syntax import lines as ln
from dsl.syntax.cache import parsed
from dsl.syntax.tree import Node
from dsl.text.diagnostics import Diagnostic
from dsl.text.source import SourceFile

CITATIONS = 96
"""Where citations begin (columns from 0), unless the line reaches further: then one space follows it."""

ONE_LINE = 120
"""What says up to MOST_PARTS plain things, or holds one line, stands in one line, if that is no longer, its citation aside."""
MOST_PARTS = 3
"""So many cases and steps of a value may stand in one line: more are read better one below the other."""

_CITE = re.compile(r"\s*(\[[A-Z][A-Z0-9]*-[A-Z0-9, -]+\])$")
_REMARK = re.compile(r"--[ \t]")
_STRING = re.compile(r'"[^"\n]*"')
_SHOWS = re.compile(r"put\b|(?:then|given)\b[^=<>]*\s(?:is|are)\s")
"""How lines begin in which something may stand as it is printed."""
NO_FIELD = re.compile(r'printed [\w-]+ "|written "|hidden from |known to ')
"""How lines of a kind begin that name no field."""
FIELD = re.compile(r"([\w-]+(?:, [\w-]+)*) (.+)")
"""The names of a field, or of several that are alike, and the rest of its line."""
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
"""Words behind which a number begins, so that a minus there is its sign."""
_NAMES = 12
"""The types of fields begin at least so far behind the names' begin."""
_KINDS = {"unit", "formation", "component", "marker", "place", "side", "record", "pool", "campaign", "rating", "group"}


@attrs.frozen(slots=True)
class Formatted:
    """A file after formatting. text: the same as before when the file has errors, which stand in `diagnostics`."""

    file: SourceFile
    text: str
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether formatting made another text of it."""
        return self.text != self.file.text


class FormatFault(Exception):
    """The formatter would have changed what a text says; the text must be left alone."""


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


def formatted(file: SourceFile) -> Formatted:
    """The file in the one style; as it is when it cannot be read.

    Raises:
        FormatFault: the new text would say something else, which is a fault of this module.
    """
    declarations, problems = parsed(file)
    errors = tuple(p for p in problems if p.is_error)
    if errors:
        return Formatted(file, file.text, errors)
    text = restyled(
        file.text,
        frozenset(x.span.line - 1 for x in declarations if says_one_thing(x)),
        frozenset(at for x in declarations for at in _one_lined(x)),
    )
    if text != file.text:
        again, wrong = parsed(SourceFile(file.name, text))
        if any(p.is_error for p in wrong) or meaning(again) != meaning(declarations):
            raise FormatFault(f"Formatting {file.name} would change what it says; it is left alone.")
    return Formatted(file, text)


def says_one_thing(declaration: d.Declaration) -> bool:
    """Whether a value or status says what stands behind its heading, without reasons, labels or citations of its own.

    That is one plain thing, a few cases (`1 when u is far, otherwise 2`), or steps from one (`tons of u / 5, rounded up`).
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


def _one_lined(node: d.Declaration | ln.Line) -> Iterator[int]:
    """The lines, from 0, that open a block of one line which may stand behind their colon."""
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
        yield from _one_lined(line)


def _opens_block(line: ln.Line) -> bool:
    """Whether a line has lines below it, or may have: `simultaneously` by itself, not several changes in one line."""
    return isinstance(line, ln.Block) and not (isinstance(line, ln.Simultaneously) and line.body[0].span == line.span)


def restyled(text: str, plain: frozenset[int] = frozenset(), single: frozenset[int] = frozenset()) -> str:
    r"""Rule text without errors in the one style.

    plain: the lines, from 0, of headings whose body may stand behind `=`. single: of those with one line, which may
    stand behind the colon.

    >>> print(restyled('table t by  d6,first row:\n    d6||result\n    1, 2  ||  x1'), end="")
    table t by d6, first row:
      d6   || result
      1, 2 || x1
    """
    lines = _joined(_drawn_up(levelled(text), plain), single)
    for _, block in _blocks(lines, "row"):
        _align_rows(block)
    for _, block in _blocks(lines, "code"):
        if block[0].opener.split(" ")[0] in _KINDS and block[0].level == 1:
            _align_fields(block)
        _align_remarks(block)
    out: list[str] = []
    for line in lines:
        shown = _written(line)
        if shown or (out and out[-1]):
            out.append(shown)
    while out and not out[-1]:
        out.pop()
    return "".join(x + "\n" for x in out)


def meaning(node: Any) -> Any:
    """A tree as plain values without places, layout and spacing: equal for texts that say the same."""
    if isinstance(node, d.Row):
        return ("row", *(" ".join(cell.split()) for cell in node.text.split("|")))
    if isinstance(node, Node):
        fields = [f.name for f in attrs.fields(cast("type[attrs.AttrsInstance]", type(node))) if f.name != "span"]
        return (type(node).__name__, *(_spoken(n, meaning(getattr(node, n))) for n in fields))
    if isinstance(node, tuple | list):
        return tuple(meaning(x) for x in node)
    return node


def _spoken(name: str, value: Any) -> Any:
    """A typed command may be spaced in any way; every other text counts as it is."""
    return re.sub(r"\s*,\s*", ",", value) if name == "command" and isinstance(value, str) else value


# ---- reading the layout --------------------------------------------------------------------------------------


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
    """Whether the innermost block is one of rows: of a list or table, a section of a map, the forces of a side."""
    outer, inner = openers[1] if len(openers) > 1 else "", openers[-1]
    first = inner.split(" ")[0]
    return first in {"list", "table", "forces"} or (outer.split(" ")[0] == "map" and len(openers) > 2)


def _code(body: str, *, shows: bool = False, begins: bool = True) -> TextLine:
    """A line of words, cut into what it says, its citation and its remark. shows, begins: as of `_spaced`."""
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
    """Words with one space between them; what stands in quotes is left alone.

    shows: whether it may show what is printed on a counter, `III/VIs`, which stays together as it was typed.
    begins: whether it is the beginning of a line, not what goes on from the line above.

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
    """Whether a minus behind some text is the sign of a number, which nothing is taken from."""
    if not before:
        return begins
    return (
        before[-1] in "(,:*/+<>="
        or before == "-"
        or before.endswith(" -")
        or before.rsplit(" ", maxsplit=1)[-1] in _BEFORE_NUMBERS
    )


def _place_remarks(lines: Sequence[TextLine]) -> None:
    """Gives remarks on lines of their own the depth of the line they stand before, within their declaration."""
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


def _blocks(lines: Iterable[TextLine], kind: str) -> list[tuple[int, list[TextLine]]]:
    """The lines of one kind by block."""
    found: dict[int, list[TextLine]] = {}
    for line in lines:
        if line.kind == kind and line.block:
            found.setdefault(line.block, []).append(line)
    return list(found.items())


# ---- one line for one thing ----------------------------------------------------------------------------------


def _drawn_up(lines: list[TextLine], plain: frozenset[int]) -> list[TextLine]:
    """The lines with each plain body behind its heading, where both have room in one line and no remark stands with them."""
    out: list[TextLine] = []
    at = 0
    while at < len(lines):
        head = lines[at]
        at += 1
        out.append(head)
        if head.number not in plain or head.remark or not head.text.endswith(":"):
            continue
        rest = list(
            itertools.takewhile(lambda x: x.kind in {"code", "blank"} and (x.level or x.kind == "blank"), lines[at:])
        )
        body = [x for x in rest if x.kind == "code"]
        follows = lines[at + len(rest)] if at + len(rest) < len(lines) else None
        said = "".join(f"{' ' if x.goes_on else ', '}{x.text}" for x in body).removeprefix(", ")
        said = said.removeprefix("when " if head.text.startswith("status ") else "start with ")
        joined = f"{head.text.removesuffix(':')} = {said}"
        noted = any(x.remark or x.cite for x in body) or (follows is not None and follows.level > 0)
        if body and not noted and len(joined) <= ONE_LINE:
            head.text = joined
            at += len(rest)
            while rest and rest[-1].kind == "blank":
                out.append(rest.pop())
    return out


def _joined(lines: list[TextLine], single: frozenset[int]) -> list[TextLine]:
    """The lines with the only one of a block behind the colon that opens it, on the same terms."""
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


# ---- columns -------------------------------------------------------------------------------------------------


def _align_rows(rows: Sequence[TextLine]) -> None:
    """Sets the cells of a table under each other."""
    if rows[0].opener.startswith("grid"):
        _align_grid(rows)
        return
    split = [[[cell.strip() for cell in side.strip().split("|")] for side in row.text.split("||", 1)] for row in rows]
    if any(_odd(sides) for sides in split):
        return
    widths = [_widths([sides[n] for sides in split if len(sides) > n]) for n in (0, 1)]
    for row, sides in zip(rows, split, strict=True):
        shown = []
        for number, cells in enumerate(sides):
            padded = [f"{' '.join(c.split()):<{w}}" for c, w in zip(cells, widths[number], strict=False)]
            missing = len(widths[number]) - len(cells)
            wide = sum(widths[number][len(cells) :]) + 3 * missing if number == 0 and len(sides) > 1 else 0
            shown.append(" | ".join(padded) + " " * wide)
        row.text = " || ".join(shown).rstrip()


def _odd(sides: Sequence[Sequence[str]]) -> bool:
    """A row that begins or ends in a bar, or whose first cell would read as a remark: its spaces count."""
    return any(not cells[0] or not cells[-1] for cells in sides) or sides[0][0].startswith("--")


def _widths(rows: Sequence[Sequence[str]]) -> list[int]:
    return [max(len(" ".join(c.split())) for c in column) for column in itertools.zip_longest(*rows, fillvalue="")]


def _align_grid(rows: Sequence[TextLine]) -> None:
    """Sets the letters of a map under each other."""
    split = [(head.strip(), body.split()) for head, _, body in (row.text.partition("|") for row in rows)]
    if any(not head or head.startswith("--") or not body for head, body in split):
        return
    first = max(len(head) for head, _ in split)
    widths = _widths([body for _, body in split])
    for row, (head, body) in zip(rows, split, strict=True):
        row.text = f"{head:<{first}} | {' '.join(f'{c:<{w}}' for c, w in zip(body, widths, strict=False))}".rstrip()


def _align_fields(block: Sequence[TextLine]) -> None:
    """Sets the types of a kind's fields under each other."""
    fields = [x for x in block if not x.goes_on and not NO_FIELD.match(x.text) and FIELD.match(x.text)]
    split = [cast("re.Match[str]", FIELD.match(x.text)).groups() for x in fields]
    width = max((_NAMES, *(len(names) for names, _ in split if "," not in names)))
    for line, (names, rest) in zip(fields, split, strict=True):
        line.text = f"{names:<{width}} {rest}"


def _align_remarks(block: Sequence[TextLine]) -> None:
    """Sets the remarks behind the lines of a block under each other."""
    noted = [x for x in block if x.remark and not x.cite]
    width = max((len(x.indent + x.text) for x in noted), default=0)
    for line in noted:
        line.text = line.text.ljust(width - len(line.indent))


def _written(line: TextLine) -> str:
    shown = line.indent + line.text
    if line.cite:
        shown = f"{shown.rstrip():<{CITATIONS - 1}} {line.cite}" if shown.strip() else f"{'':<{CITATIONS}}{line.cite}"
    return (f"{shown}  {line.remark}" if line.remark else shown).rstrip()
