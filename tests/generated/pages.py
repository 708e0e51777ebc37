"""Which parts of which pages of the docs are generated, and their current contents."""

import re
from pathlib import Path

from tests.generated import codes, commands, rooms

ROOT = Path(__file__).parents[2]
PARTS = {
    "docs/architecture.md": {"rooms": rooms.rooms},
    "docs/commands.md": {"commands": commands.commands},
    "docs/diagnostics.md": {"codes": codes.codes_with_samples},
    "docs/modules.md": {"modules": rooms.modules},
}
"""For each page its parts by their marks, with what makes them."""


def outdated() -> dict[str, str]:
    """The pages that are not as they would be generated now, as they should be."""
    out = {}
    for name, parts in PARTS.items():
        kept = text = (ROOT / name).read_text(encoding="utf-8")
        for mark, make in parts.items():
            text = between(text, mark, make())
        if text != kept:
            out[name] = text
    return out


def between(text: str, mark: str, made: str) -> str:
    """A page with what was made between its marks.

    Raises:
        ValueError: the page has no such marks, or has them twice.
    """
    begin, end = f"<!-- generated: {mark} -->\n", "<!-- /generated -->\n"
    out, count = re.subn(f"{re.escape(begin)}.*?{re.escape(end)}", lambda _: begin + made + end, text, flags=re.DOTALL)
    if count != 1:
        raise ValueError(f"the marks {begin.strip()} and {end.strip()} stand there {count} times")
    return out
