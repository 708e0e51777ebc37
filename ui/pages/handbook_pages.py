"""The handbook of a system as linked HTML pages, in a folder. They have no script and load nothing; every text is escaped."""

from collections.abc import Mapping
from pathlib import Path

from markupsafe import Markup

from campaigns.file.errors import CampaignError
from dsl.manual.handbook_parts import Handbook
from interpreter.messages.view import MapView
from ui.cli.whole import put
from ui.maps.svg_map import figure
from ui.pages.filling import filled, own

__all__ = ["pages", "write"]

STYLE = "handbook.css"
MOST_DRAWN = 5_000
"""A map with more places is shown only as letters: the page would be too large."""


def pages(book: Handbook, maps: Mapping[str, MapView] | None = None) -> dict[str, str]:
    """Every file of the handbook by its name: HTML pages and their style sheet. maps: by their names; others are shown as letters."""
    small = {name: board for name, board in (maps or {}).items() if len(board.places) <= MOST_DRAWN}
    pictures = {name: Markup(figure(board)) for name, board in small.items()}  # noqa: S704 (svg_map escapes every text itself)
    out = {"index.html": _page(book, "index", book.title), "names.html": _page(book, "names", "Index of names")}
    if book.groups:
        parts = [(f"group-{group}", group) for group in book.groups]
        out["rules.html"] = _page(book, "rules", "The rules one by one", parts=parts)
    for before, chapter, after in zip((None, *book.chapters), book.chapters, (*book.chapters[1:], None), strict=False):
        parts = [(part.anchor, part.title) for part in chapter.passages if part.title]
        given = {"chapter": chapter, "before": before, "after": after, "pictures": pictures, "parts": parts}
        out[f"{chapter.page}.html"] = _page(book, chapter.page, chapter.title, "chapter", **given)
    out[STYLE] = own(f"handbook/{STYLE}")
    return out


def _page(book: Handbook, here: str, title: str, template: str = "", **given: object) -> str:
    return filled(f"handbook/{template or here}.html", book=book, here=here, title=title, **{"parts": (), **given})


def write(book: Handbook, maps: Mapping[str, MapView], folder: Path) -> list[str]:
    """Writes the files into a folder, over those of an older handbook, and returns their names. CampaignError if it cannot."""
    made = pages(book, maps)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, page in made.items():
            put(folder / name, page)
    except OSError as error:
        raise CampaignError(
            f"{folder} cannot be written: {error.strerror}.", "Choose a folder that you can write to with --out."
        ) from None
    return sorted(made)
