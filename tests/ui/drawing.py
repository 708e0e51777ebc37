"""Screens as text, and the kept ones for comparison. UPDATE_GOLDENS=1 writes them again; read the diff."""

import os
from pathlib import Path

from ui.app.hexmap import HexMap

KEPT = Path(__file__).parent / "golden"


def text_of(hexmap: HexMap) -> str:
    """What a map widget shows, line by line."""
    return "\n".join(hexmap.render_line(y).text.rstrip() for y in range(hexmap.size.height)) + "\n"


def screen_text(app) -> str:
    """What the whole screen shows; the one place that asks Textual for its strips."""
    lines = [[] for _ in range(app.size.height)]
    for y, strips in enumerate(app.screen._compositor.render_strips()):
        lines[y] = "".join(segment.text for segment in strips)
    return "\n".join(line.rstrip() if line else "" for line in lines) + "\n"


def same_as_kept(name: str, drawn: str) -> None:
    """Compare a drawing with the kept one of that name."""
    file = KEPT / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDENS"):
        file.parent.mkdir(exist_ok=True)
        file.write_text(drawn, encoding="utf-8")
    assert drawn == file.read_text(encoding="utf-8"), "UPDATE_GOLDENS=1 draws it anew; read the difference"
