"""The rules as functions for play: each is checked and compiled when it is first called, once for all worlds.

A command calls few of the thousand functions of a large system. In a world they are closures over the same cells as if all
of them had been compiled together: for each other, the world and its options. Until a function is called, a stand-in is in its
cell; when called, it compiles the function and puts it there instead.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from functools import partial
from types import CellType, CodeType, FunctionType

from interpreter.codegen.emitted_code import UnknownCode, compiled_function
from interpreter.codegen.emitted_source import Source
from interpreter.codegen.units import Space

__all__ = ["PLAYED", "PlayedCode"]

PLAYED = "<rules>"
"""The file name of the code in tracebacks."""


class PlayedCode:
    """The functions of emitted text."""

    def __init__(
        self, source: Source, space_of: Callable[[Source], Space], again: Callable[[], Source] | None = None
    ) -> None:
        """space_of: what the globals of the functions are, the same for all worlds.

        again: emits the text again, if it was kept in a file and does not pass the checks.
        """
        self.space: Space = {}
        self._space_of = space_of
        self._again = again
        self._take(source)

    def _take(self, source: Source) -> None:
        self.source = source
        self.space.update(self._space_of(source), __builtins__={})
        self._texts = {function.name: function for function in source.functions}
        self._around = {*self._texts, *source.options, "W", "O"}
        self._codes: dict[str, CodeType] = {}

    def functions(self, world: object, options: Mapping[str, str]) -> Space:
        """The functions for one world, by name. `settle_options` is to be called when an option has changed."""
        cells = {name: CellType() for name in (*self._texts, *self.source.options)}
        cells |= {"W": CellType(world), "O": CellType(options)}
        settle = partial(_settle, self.source.options, cells, options)
        settle()
        found: Space = {"settle_options": settle} if self.source.options else {}
        call = _Called(self, cells, found)
        for name in self._texts:
            cells[name].cell_contents = found[name] = partial(call, name)
        return found

    def code(self, name: str) -> CodeType:
        """The code of one function. Raises UnknownCode if the emitter has written what may not be compiled."""
        found = self._codes.get(name)
        if found is None:
            with _COMPILING:
                found = self._codes[name] = self._compiled(name)
        return found

    def compile_all(self) -> PlayedCode:
        """Compiles every function. Raises UnknownCode."""
        for name in self._texts:
            self.code(name)
        return self

    def _compiled(self, name: str) -> CodeType:
        _, first, text = self._texts[name]
        try:
            return compiled_function(name, text, self.source.words, self._around, PLAYED, first)
        except (UnknownCode, SyntaxError, ValueError):  # somebody else wrote what was kept
            if self._again is None:
                raise
        again, self._again = self._again, None
        self._take(again())
        return self.code(name)


def _settle(
    names: Mapping[str, tuple[str, str | None]], cells: Mapping[str, CellType], options: Mapping[str, str]
) -> None:
    """Writes the options of a world into the cells that functions read them from."""
    for name, (option, word) in names.items():
        value = options.get(option)
        cells[name].cell_contents = value if word is None else value == word


class _Called:
    """Calls the functions of one world by name; from its first call on a function itself stands in its cell."""

    __slots__ = ("_cells", "_code", "_found", "_made")

    def __init__(self, code: PlayedCode, cells: Mapping[str, CellType], found: Space) -> None:
        self._code = code
        self._cells = cells
        self._found = found
        self._made: dict[str, FunctionType] = {}

    def __call__(self, name: str, /, *args: object) -> object:
        function = self._made.get(name)
        if function is None:
            code = self._code.code(name)
            around = tuple(self._cells[x] for x in code.co_freevars)
            function = self._made[name] = FunctionType(code, self._code.space, name, None, around)
            self._cells[name].cell_contents = self._found[name] = function
        return function(*args)


_COMPILING = threading.RLock()
"""Held while a function is compiled: the app looks from several threads at once."""
