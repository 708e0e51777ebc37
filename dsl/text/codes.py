"""The codes of diagnostics: the meaning, cause and remedy of each, as listed in `codes.toml`."""

from __future__ import annotations

import functools
import tomllib
from pathlib import Path

import attrs

__all__ = ["Code", "codes", "remedy"]


@attrs.frozen(slots=True)
class Code:
    """What one code stands for.

    Attributes:
        chapter: what of rule text it is about.
        meaning: what is wrong.
        cause: what usually brings it about.
        remedy: what to do, where a message has nothing more exact to say.
    """

    chapter: str
    meaning: str
    cause: str
    remedy: str


@functools.cache
def codes() -> dict[str, Code]:
    """Every code there is, chapter by chapter."""
    chapters = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return {code: Code(chapter, **told) for chapter, found in chapters.items() for code, told in found.items()}


def remedy(code: str) -> str:
    """What to do about a finding of this code; "" where there is no such code."""
    found = codes().get(code)
    return found.remedy if found else ""
