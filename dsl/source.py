"""Places in rule text: a file, a span in it. Nothing here knows what the text means."""

from __future__ import annotations

import attrs


@attrs.frozen(slots=True)
class SourceFile:
    """One file of rule text.

    name: what people see (a path relative to the system's folder, or a label).
    text: the whole text, with ``\\n`` line ends.
    """

    name: str
    text: str = attrs.field(repr=False)

    def line(self, number: int) -> str:
        """The text of line `number` (from 1), without its line end; empty when there is no such line."""
        lines = self.text.split("\n")
        return lines[number - 1] if 0 < number <= len(lines) else ""


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


NOWHERE = Span("", 0, 0, 0, 0)
"""The span of things that no text wrote: what the language itself brings."""
