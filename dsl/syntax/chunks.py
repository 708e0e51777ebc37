"""Splits a file into its declarations, at the left edge."""

from __future__ import annotations

import attrs

__all__ = ["Chunk", "cut"]


@attrs.frozen(slots=True)
class Chunk:
    """One declaration's text. line: the line of the file (from 1) at which it starts."""

    line: int
    text: str


def cut(text: str) -> list[Chunk]:
    """Splits a file at every line that starts at the left edge; blank lines and remarks belong to no declaration."""
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
