"""The rules with an audit trail, for `why` and for examples: emitted routine by routine, and each compiled only once.

Play wants one module that runs as fast as can be; examples want many programs that differ little: one for each choice of
modules, one for each mutant. So here each routine is a unit of its own. A unit whose text and rule lines are those of one
that was compiled before shares its code.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any

import attrs

from dsl.source import Span


@attrs.frozen(slots=True)
class Site:
    """A rule line that the machine can speak of: its place, citations, reason and the module it came from."""

    span: Span
    cites: tuple[str, ...]
    because: str
    module: str
    op: str


class Sites:
    """Every rule line that units speak of, each by a number that stays the same for all programs."""

    def __init__(self) -> None:
        self.all: list[Site] = []
        self._numbers: dict[tuple[Any, ...], int] = {}

    def number(self, site: Site) -> int:
        """The number of a line."""
        # Lines are told apart by the identity of their place, which `all` keeps alive: that is quick to compare.
        key = (id(site.span), site.cites, site.because, site.module, site.op)
        found = self._numbers.get(key)
        if found is None:
            found = self._numbers[key] = len(self.all)
            self.all.append(site)
        return found


SITES = Sites()


@attrs.frozen(slots=True, eq=False)
class Unit:
    """A compiled routine. file: the name of its code in tracebacks; lines: for each Python line the rule line it came from."""

    file: str
    functions: tuple[tuple[str, CodeType], ...]
    lines: dict[int, Span]


@attrs.frozen(slots=True, eq=False)
class Units:
    """All routines of one program with their audit trail. `T` is where it goes, `PIN` the values that are given."""

    units: tuple[Unit, ...]
    files: dict[str, Unit]

    def functions(self, space: dict[str, Any]) -> dict[str, Any]:
        """The emitted functions on these globals, where they find each other too."""
        made = {name: FunctionType(code, space, name) for unit in self.units for name, code in unit.functions}
        space.update(made)
        return made


def units(texts: Iterator[tuple[str, dict[int, Span]]]) -> Units:
    """Compiles emitted routines, each of them functions at the left edge of an `if True:`, with their rule lines."""
    found = tuple(_unit(text, lines) for text, lines in texts)
    return Units(found, {unit.file: unit for unit in found})


def one_unit(text: str, lines: dict[int, Span]) -> Unit:
    """Some emitted functions as a unit of their own."""
    return _unit(text, lines)


def _unit(text: str, lines: dict[int, Span]) -> Unit:
    key = (text, tuple(lines), tuple(map(id, lines.values())))
    made = _UNITS.get(key)
    if made is None:
        file = f"<rules {next(_NUMBERS)}>"
        made = _UNITS[key] = Unit(file, tuple(_functions(compile(text, file, "exec"))), lines)
        while len(_UNITS) > MOST_UNITS:
            del _UNITS[next(iter(_UNITS))]
    return made


def _functions(code: CodeType) -> Iterator[tuple[str, CodeType]]:
    space: dict[str, Any] = {}
    exec(code, space)  # noqa: S102 (our own emitted source, which defines functions and does nothing else)
    for name, function in space.items():
        if isinstance(function, FunctionType):
            assert function.__closure__ is None
            assert function.__defaults__ is None
            yield name, function.__code__


MOST_UNITS = 20_000
"""So many compiled routines are kept; then the oldest goes."""
_UNITS: dict[tuple[str, tuple[int, ...], tuple[int, ...]], Unit] = {}
_NUMBERS = itertools.count(1)


@functools.lru_cache(maxsize=8192)
def compiled_text(text: str, file: str, mode: str) -> CodeType:
    """Emitted text compiled; what examples say over and over again is compiled once."""
    code: CodeType = compile(text, file, mode)
    return code


__all__ = ["SITES", "Site", "Sites", "Unit", "Units", "compiled_text", "one_unit", "units"]
