"""The formatter: one style for rule text, without options. It works on the text, so remarks, order and wording stay.

The style: two spaces a level, and four more for a continued line; one space between words; the cells of tables and the fields
of kinds in columns; the single expression of a value or status after its heading, and the only line of a rule or loop after its
colon; citations at column CITATIONS; at most one blank line. The meaning of the text never changes: that is checked after
every change.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, cast

import attrs

from dsl.syntax import declarations as d
from dsl.syntax.cache import parsed
from dsl.syntax.format_columns import align_fields, align_remarks, align_rows
from dsl.syntax.one_lining import drawn_up, joined_lines, one_lined, says_one_thing
from dsl.syntax.syntax_tree import Node
from dsl.syntax.text_lines import TextLine, levelled
from dsl.text.diagnostics import Diagnostic
from dsl.text.source import SourceFile

CITATIONS = 96
"""Where citations begin (columns from 0), unless the line reaches further: then one space follows it."""
_KINDS = {"unit", "formation", "component", "marker", "place", "side", "record", "pool", "campaign", "rating", "group"}


@attrs.frozen(slots=True)
class Formatted:
    """A file after formatting. text: unchanged if the file has errors, which are in `diagnostics`."""

    file: SourceFile
    text: str
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether formatting changed the text."""
        return self.text != self.file.text


class FormatFault(Exception):
    """The formatter would have changed the meaning of a text; the text must stay as it is."""


def formatted(file: SourceFile) -> Formatted:
    """The file in the standard style; unchanged if it cannot be read.

    Raises:
        FormatFault: the new text would mean something else, which is a fault of this module.
    """
    declarations, problems = parsed(file)
    errors = tuple(p for p in problems if p.is_error)
    if errors:
        return Formatted(file, file.text, errors)
    text = restyled(
        file.text,
        frozenset(x.span.line - 1 for x in declarations if says_one_thing(x)),
        frozenset(at for x in declarations for at in one_lined(x)),
    )
    if text != file.text:
        again, wrong = parsed(SourceFile(file.name, text))
        if any(p.is_error for p in wrong) or meaning(again) != meaning(declarations):
            raise FormatFault(f"Formatting {file.name} would change its meaning, so the file is left unchanged.")
    return Formatted(file, text)


def restyled(text: str, plain: frozenset[int] = frozenset(), single: frozenset[int] = frozenset()) -> str:
    r"""Rule text without errors in the one style.

    plain: the lines, from 0, of headings whose body may stand behind `=`. single: of those with one line, which may
    stand behind the colon.

    >>> print(restyled('table t by  d6,first row:\n    d6||result\n    1, 2  ||  x1'), end="")
    table t by d6, first row:
      d6   || result
      1, 2 || x1
    """
    lines = joined_lines(drawn_up(levelled(text), plain), single)
    for _, block in _blocks(lines, "row"):
        align_rows(block)
    for _, block in _blocks(lines, "code"):
        if block[0].opener.split(" ")[0] in _KINDS and block[0].level == 1:
            align_fields(block)
        align_remarks(block)
    out: list[str] = []
    for line in lines:
        shown = _written(line)
        if shown or (out and out[-1]):
            out.append(shown)
    while out and not out[-1]:
        out.pop()
    return "".join(x + "\n" for x in out)


def meaning(node: Any) -> Any:
    """A tree as plain values without places, layout and spacing: equal for texts with the same meaning."""
    if isinstance(node, d.Row):
        return ("row", *(" ".join(cell.split()) for cell in node.text.split("|")))
    if isinstance(node, Node):
        fields = [f.name for f in attrs.fields(cast("type[attrs.AttrsInstance]", type(node))) if f.name != "span"]
        return (type(node).__name__, *(_spoken(n, meaning(getattr(node, n))) for n in fields))
    if isinstance(node, tuple | list):
        return tuple(meaning(x) for x in node)
    return node


def _spoken(name: str, value: Any) -> Any:
    """A typed command may be spaced in any way; every other text is taken literally."""
    return re.sub(r"\s*,\s*", ",", value) if name == "command" and isinstance(value, str) else value


def _blocks(lines: Iterable[TextLine], kind: str) -> list[tuple[int, list[TextLine]]]:
    """The lines of one kind by block."""
    found: dict[int, list[TextLine]] = {}
    for line in lines:
        if line.kind == kind and line.block:
            found.setdefault(line.block, []).append(line)
    return list(found.items())


def _written(line: TextLine) -> str:
    shown = line.indent + line.text
    if line.cite:
        shown = f"{shown.rstrip():<{CITATIONS - 1}} {line.cite}" if shown.strip() else f"{'':<{CITATIONS}}{line.cite}"
    return (f"{shown}  {line.remark}" if line.remark else shown).rstrip()
