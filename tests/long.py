"""Two forms of a long test: a daily sample that covers everything once, and with OPHEX_LONG=1 all of it.

`OPHEX_LONG=1 OPHEX_MUTANTS=1 .venv/bin/python -m pytest -q -n 2 --timeout 14400` runs every long form and the mutants.
The docstring of the test, or of its file, says what the long form adds. Both forms make the same assertions.
"""

import os
from typing import TypeVar

import pytest

T = TypeVar("T")
LONG = os.environ.get("OPHEX_LONG", "") not in {"", "0"}

in_the_long_form = pytest.mark.skipif(not LONG, reason="the long form; OPHEX_LONG=1 runs it")
"""What is passed over every day: a further sample of a kind that comes up anyhow."""


def either(everyday: T, long: T) -> T:
    """What goes for today's form."""
    return long if LONG else everyday


def number(name: str, everyday: int, long: int) -> int:
    """How often something is done, with a variable of its own for whoever wants still more."""
    return int(os.environ.get(name) or either(everyday, long))
