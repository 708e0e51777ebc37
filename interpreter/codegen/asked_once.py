"""Which values need not be remembered, and after which lines nothing need be forgotten.

Remembering a value that is used in only one place costs more than it saves. If a remembered value uses it, it is computed
inside that value. If a procedure uses it, it is computed when the procedure reaches that line. A name that gets its only value
makes nothing stale: anything that reads it could not have been computed before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import attrs

from dsl import ir
from dsl.analysis.effects_of import frame_changed, names_changed, names_given
from dsl.binding.bound import BoundRuleset
from dsl.ir import Routine, S, lines_in

MOST_SITES = 2
"""The most places of another value in which a value is written out."""


@attrs.frozen(slots=True)
class _Site:
    """A place that uses a value. home: its routine; None: one that may use it repeatedly."""

    name: str
    home: str | None


def asked_once(rules: BoundRuleset, remembered: Callable[[Routine], bool]) -> frozenset[str]:
    """The values that nothing uses twice unnecessarily.

    Args:
        rules: all values, and everything that uses them.
        remembered: whether a routine would be remembered.
    """
    sites: dict[str, list[_Site]] = {}
    for key, routine in rules.routines.items():
        for site in _sites_of(key, routine, remembered):
            sites.setdefault(site.name, []).append(site)
    others: tuple[attrs.AttrsInstance, ...] = (*rules.triggers, *rules.lasting)
    for site in _sites(
        ((*rules.endings.values(), *rules.hints.values()), tuple(attrs.astuple(x, recurse=False) for x in others)),
        None,
    ):
        sites.setdefault(site.name, []).append(site)
    return frozenset(name for name, found in sites.items() if _once(rules, found))


def _once(rules: BoundRuleset, sites: list[_Site]) -> bool:
    homes = {site.home for site in sites}
    if len(homes) != 1 or None in homes:
        return False
    home = rules.routines[str(sites[0].home)]
    return len(sites) <= (1 if home.word == "procedure" else MOST_SITES)


def _sites_of(key: str, routine: Routine, remembered: Callable[[Routine], bool]) -> Iterator[_Site]:
    if routine.word == "procedure":
        for s in routine.body:
            yield from _sites(s, key if isinstance(s, ir.Let) else None)
        yield from _sites(routine.clauses, None)
    else:
        asks_once = routine.word in {"value", "status"} and remembered(routine)
        yield from _sites((routine.body, routine.clauses), key if asks_once else None)


def _sites(part: object, home: str | None) -> Iterator[_Site]:
    if isinstance(part, tuple | list):
        for x in part:
            yield from _sites(x, home)
    if not isinstance(part, ir.Expression | ir.Statement):
        return
    if isinstance(part, ir.Call):
        yield _Site(part.name, home)
    if isinstance(part, ir.Expression) and part.LOOPS:
        home = None
    for x in ir.inner(part):
        yield from _sites(x, home)


def named_once(rules: BoundRuleset, routine: Routine) -> frozenset[str]:
    """The names of a procedure that are set in only one line, which is reached once."""
    found: dict[str, int] = {}
    for name in _naming(routine.body, 1):
        found[name] = found.get(name, 0) + 1
    elsewhere = {
        name
        for other in rules.routines.values()
        for x in lines_in(other.body)
        for name in names_changed(x)
        if frame_changed(x) != "F"
    }
    given = {p.name for p in routine.params}
    return frozenset(name for name, count in found.items() if count == 1) - elsewhere - given


def _naming(body: tuple[S, ...], times: int) -> Iterator[str]:
    """The names that statements set, with those in loops listed several times."""
    for s in body:
        changed, names = names_changed(s), names_given(s)
        again = times if isinstance(s, ir.Phase) or (names and not isinstance(s, ir.ForEach)) else times + 1
        for name in names:
            yield from [name] * (2 if name in changed or name == getattr(s, "item", None) else again)
        yield from _naming(s.body, again)
