"""The codes of diagnostics: the meaning, cause and remedy of each, as listed in `codes.toml`."""

from __future__ import annotations

import functools
import tomllib
from pathlib import Path

import attrs

__all__ = ["Code", "codes", "remedy"]


@attrs.frozen(slots=True)
class Code:
    """The explanation of one code.

    Attributes:
        chapter: the part of rule text it belongs to.
        meaning: what is wrong.
        cause: the usual cause.
        remedy: how to fix it; the hint of messages without a more exact one.
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
    """How to fix a finding of this code; "" if there is no such code."""
    found = codes().get(code)
    return found.remedy if found else ""
