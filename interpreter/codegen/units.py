"""The rules with an audit trail, for `why` and for examples: each routine is emitted when it is first called, and compiled once.

Play needs one module that runs as fast as possible. Examples need many programs that differ little: one for each choice of
modules, one for each mutant. So here each routine is a unit of its own, written and compiled when it is first called. A unit
shares the code of one that was compiled before if their texts and rule lines are the same.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from types import CodeType, FunctionType
from typing import Any, NamedTuple, TypeAlias

import attrs

from dsl import ir
from dsl.text.source import Span
from interpreter.codegen.emitted_code import Word, compiled, defined


@attrs.frozen(slots=True)
class RuleSite:
    """A rule line that the machine can refer to: its place, citations, reason and module.

    title: the wording of a question, if it has one.
    """

    span: Span
    cites: tuple[str, ...]
    because: str
    module: str
    kind: type[ir.Statement]
    title: str = ""


class Sites:
    """Every rule line that units refer to, each by a number that stays the same for all programs."""

    def __init__(self) -> None:
        self.all: list[RuleSite] = []
        self._numbers: dict[tuple[object, ...], int] = {}

    def number(self, site: RuleSite) -> int:
        """The number of a line."""
        # Lines are distinguished by the identity of their place, which `all` keeps alive: that is fast to compare.
        key = (id(site.span), site.cites, site.because, site.module, site.kind)
        found = self._numbers.get(key)
        if found is None:
            found = self._numbers[key] = len(self.all)
            self.all.append(site)
        return found


SITES = Sites()


Space: TypeAlias = dict[str, Any]
"""The globals of emitted functions."""


class Text(NamedTuple):
    """Emitted text with its words, and for each line of it the rule line it came from."""

    text: str
    words: tuple[Word, ...]
    lines: dict[int, Span]


@attrs.frozen(slots=True, eq=False)
class CodeUnit:
    """A compiled routine. file: the name of its code in tracebacks; lines: for each Python line the rule line it came from."""

    file: str
    functions: tuple[tuple[str, CodeType], ...]
    lines: dict[int, Span]


class Units:
    """All routines of one program with their audit trail. `T` is the trail, `PIN` the given values.

    A routine is written and compiled when it is first called: one explanation, or one example, needs few of them.
    files: those compiled so far, by the names of their code in tracebacks.
    """

    def __init__(self, parts: Iterable[tuple[str, Callable[[], Text]]]) -> None:
        """parts: the one function by which others call a routine ("" if there are several), and what writes it."""
        self.files: dict[str, CodeUnit] = {}
        self._texts: dict[str, Callable[[], Text]] = {}
        self._found: dict[str, CodeUnit] = {}
        for name, write in parts:
            if name:
                self._texts[name] = write
            else:
                self._add(write)

    def _add(self, write: Callable[[], Text]) -> CodeUnit:
        unit = one_unit(write())
        self.files[unit.file] = unit
        self._found.update(dict.fromkeys((name for name, _ in unit.functions), unit))
        return unit

    def unit(self, name: str) -> CodeUnit:
        """The routine with a function, compiled."""
        found = self._found.get(name)
        if found is None:
            with _WRITING:
                found = self._found.get(name) or self._add(self._texts[name])
        return found

    @property
    def all(self) -> tuple[CodeUnit, ...]:
        """Every routine, compiled."""
        return tuple(dict.fromkeys(self.unit(name) for name in (*self._texts, *self._found)))

    def functions(self, space: Space) -> Space:
        """The functions on these globals, where they find each other too."""
        made = _Called(self, space)
        functions = {name: partial(made, name) for name in (*self._texts, *self._found)}
        space.update(functions)
        return functions


class _Called:
    """Calls functions by name; each is made when it is first called, and then stands among the globals itself."""

    __slots__ = ("functions", "space", "units")

    def __init__(self, units: Units, space: Space) -> None:
        self.units = units
        self.space = space
        self.functions: dict[str, FunctionType] = {}

    def __call__(self, name: str, /, *args: object) -> object:
        function = self.functions.get(name)
        if function is None:
            made = {x: FunctionType(code, self.space, x) for x, code in self.units.unit(name).functions}
            self.functions.update(made)
            self.space.update(made)
            function = made[name]
        return function(*args)


def one_unit(made: Text) -> CodeUnit:
    """Emitted functions as one unit."""
    text, words, lines = made
    key = (text, words, tuple(lines), tuple(map(id, lines.values())))
    found = _UNITS.get(key)
    if found is None:
        file = f"<rules {next(_NUMBERS)}>"
        found = _UNITS[key] = CodeUnit(file, tuple(_functions(compiled(text, words, file))), lines)
        while len(_UNITS) > MOST_UNITS:
            del _UNITS[next(iter(_UNITS))]
    return found


def _functions(code: CodeType) -> Iterator[tuple[str, CodeType]]:
    for name, function in defined(code, {}).items():
        if isinstance(function, FunctionType):
            assert function.__closure__ is None
            assert function.__defaults__ is None
            yield name, function.__code__


MOST_UNITS = 20_000
"""The number of compiled routines kept; beyond that the oldest is dropped."""
_UNITS: dict[tuple[str, tuple[Word, ...], tuple[int, ...], tuple[int, ...]], CodeUnit] = {}
_NUMBERS = itertools.count(1)
_WRITING = threading.RLock()
"""Held while a routine is written: the app looks from several threads at once."""


__all__ = ["SITES", "CodeUnit", "RuleSite", "Sites", "Text", "Units", "one_unit"]
