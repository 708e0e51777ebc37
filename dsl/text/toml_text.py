"""Reading TOML that strangers may have written: the time that keys take grows with the square of their depth."""

from __future__ import annotations

import re
import tomllib

MOST_KEYS = 50
"""Keys joined by dots are at most this many: `a.b.c` are three."""
_JOINED = re.compile(
    r"""(?<![\w-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+)""" + f"{{{MOST_KEYS}}}",
)


def read_toml_text(text: str) -> dict[str, object]:
    """The tables of a TOML text; fractions as they are written. Raises ValueError for any text that is not TOML, or nests too deeply."""
    if _JOINED.search(text):
        raise ValueError(f"more than {MOST_KEYS} keys are joined by dots")
    try:
        return tomllib.loads(text, parse_float=str)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except tomllib.TOMLDecodeError:
        raise
    except ValueError:  # Python's limit, in words for programmers
        raise ValueError("a number has too many digits") from None


__all__ = ["MOST_KEYS", "read_toml_text"]
