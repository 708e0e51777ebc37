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
"""The maximum number of results; then the oldest is dropped."""

_KEPT: dict[Hashable, tuple[tuple[d.Declaration, ...], Any]] = {}


def kept(ruleset: Ruleset, what: Hashable, work: Callable[[], T]) -> T:
    """The result of `work` for a ruleset's data, computed at most once. what: a name for it, and everything else it depends on.

    The caller must not change the result.
    """
    key = (what, ruleset.data_key, ruleset.edition)
    found = _KEPT.get(key)
    if found is None:
        # The declarations are kept as well: while they exist, no other object can have their identity.
        found = _KEPT[key] = (ruleset.data, work())
        while len(_KEPT) > MOST_KEPT:
            del _KEPT[next(iter(_KEPT))]
    value: T = found[1]
    return value
