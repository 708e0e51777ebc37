"""Pages from the program's own templates: all text in them is escaped, and a missing name in a template is an error."""

import functools
import re
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from ui.cli.plain import plain

__all__ = ["filled", "own"]

TEMPLATES = Path(__file__).parents[1] / "templates"


def filled(template: str, **given: object) -> str:
    """A template filled with these values."""
    return plain(_room().get_template(template).render(given))


def own(name: str) -> Markup:
    """A file of the program, unchanged."""
    return Markup((TEMPLATES / name).read_text(encoding="utf-8"))  # noqa: S704 (nothing that was read is in it)


@functools.cache
def _room() -> Environment:
    room = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    room.filters["unbroken"] = _unbroken
    return room


def _unbroken(text: str) -> Markup:
    """A text whose words are not broken at their hyphens.

    >>> _unbroken("4 lmg-gunner & so")
    Markup('4 <span class="whole">lmg-gunner</span> &amp; so')
    """
    return Markup(re.sub(r"\w+(?:-\w+)+", r'<span class="whole">\g<0></span>', str(escape(text))))  # noqa: S704 (it is escaped)
