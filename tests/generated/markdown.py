"""Plain words as Markdown: nothing in them is taken for a tag, and nothing ends a table cell."""

import re
from collections.abc import Sequence


def plain(text: str) -> str:
    """Words of a paragraph. What stands in backticks stays as it is.

    >>> plain("write `<value>` as <value>")
    'write `<value>` as \\\\<value>'
    """
    return re.sub(r"(`[^`]*`)|([<*_])", lambda found: found[1] or f"\\{found[2]}", text)


def table(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table. Its cells are Markdown already."""
    lines = [[cell.replace("|", r"\|") for cell in line] for line in (heading, ["---"] * len(heading), *rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def block(text: str) -> str:
    """Text as it is."""
    return f"```text\n{text}\n```\n"
