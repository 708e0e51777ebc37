"""Places in rule text: a file, a span in it. Nothing here knows what the text means."""

from __future__ import annotations

from collections.abc import Mapping

import attrs


def plain_text(text: str) -> str:
    """Text as every pass sees it: no byte order mark, no half characters, lines that end in one newline."""
    text = text.removeprefix("\ufeff")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


@attrs.frozen(slots=True)
class SourceFile:
    """One file of rule text.

    name: its path relative to the system's folder, or a label.
    text: the whole text, without a byte order mark and with one newline at each line end, whatever it was given with.
    path: what people see: the path as they would type it; the name where it lies in no folder.
    """

    name: str
    text: str = attrs.field(repr=False, converter=plain_text)
    path: str = attrs.field(default=attrs.Factory(lambda file: file.name, takes_self=True))
    _lines: list[str] = attrs.field(factory=list, init=False, repr=False, eq=False)

    def line(self, number: int) -> str:
        """The text of line `number` (from 1), without its line end; empty when there is no such line."""
        if not self._lines:
            self._lines.extend(self.text.split("\n"))
        return self._lines[number - 1] if 0 < number <= len(self._lines) else ""


@attrs.frozen(slots=True, order=True)
class Span:
    """A stretch of one file: first line and column (both from 1) to last line and the column after the end."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


def path_of(span: Span, files: Mapping[str, SourceFile]) -> str:
    """The path of the file that a span lies in, as people see it."""
    return files[span.file].path if span.file in files else span.file


NOWHERE = Span("", 0, 0, 0, 0)
"""The span of things that no text wrote: what the language itself brings."""
