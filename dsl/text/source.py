"""Places in rule text: a file, a span in it. Nothing here knows what the text means."""

from __future__ import annotations

from collections.abc import Mapping

import attrs


def plain_text(text: str) -> str:
    """Text as every pass reads it: no byte order mark, no surrogates, every line ending with one newline."""
    text = text.removeprefix("\ufeff")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


@attrs.frozen(slots=True)
class SourceFile:
    """One file of rule text.

    name: its path relative to the system's folder, or a label.
    text: the whole text, always without a byte order mark and with one newline at each line end.
    path: the path as people would type it; the name if the file is in no folder.
    """

    name: str
    text: str = attrs.field(repr=False, converter=plain_text)
    path: str = attrs.field(default=attrs.Factory(lambda file: file.name, takes_self=True))
    _lines: list[str] = attrs.field(factory=list, init=False, repr=False, eq=False)

    def line(self, number: int) -> str:
        """The text of line `number` (from 1), without its line end; empty if there is no such line."""
        if not self._lines:
            self._lines.extend(self.text.split("\n"))
        return self._lines[number - 1] if 0 < number <= len(self._lines) else ""


@attrs.frozen(slots=True, order=True)
class Span:
    """A range of one file: from the first line and column (both from 1) to the last line and the column after the end."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


def path_of(span: Span, files: Mapping[str, SourceFile]) -> str:
    """The path of the file of a span, as shown to people."""
    return files[span.file].path if span.file in files else span.file


NOWHERE = Span("", 0, 0, 0, 0)
"""The span of things that come from the language itself, not from a text."""
