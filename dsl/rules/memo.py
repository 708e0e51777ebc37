"""A cache of results computed from a system's data that are the same under other choices of modules.

Kinds, lists, maps and scenarios seldom depend on modules. A result is kept by the declarations that it was read from (the
objects themselves, not their text) for as long as it is among the most recently used.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from dsl.rules.ruleset import Ruleset
from dsl.syntax import declarations as d

T = TypeVar("T")

MOST_KEPT = 256
"""So many answers are kept; then the oldest goes."""

_KEPT: dict[Hashable, tuple[tuple[d.Declaration, ...], Any]] = {}


def kept(ruleset: Ruleset, what: Hashable, work: Callable[[], T]) -> T:
    """What `work` comes to for a ruleset's data, worked out at most once. what: a name for it, and all else it hangs on.

    Whoever gets it must not change it.
    """
    key = (what, ruleset.data_key, ruleset.edition)
    found = _KEPT.get(key)
    if found is None:
        # The declarations are kept as well: while they are there, nothing else can have their identity.
        found = _KEPT[key] = (ruleset.data, work())
        while len(_KEPT) > MOST_KEPT:
            del _KEPT[next(iter(_KEPT))]
    value: T = found[1]
    return value
