"""What a loop needs of the emitter that it is written for."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple, Protocol

from dsl.data.table_data import TableInfo
from dsl.ir import E, Routine
from dsl.rules.ruleset import Ruleset
from dsl.text.source import Span
from interpreter.codegen.emitted_code import Words

__all__ = ["HelperCall", "LoopOwner"]


class HelperCall(NamedTuple):
    """A call of a separate function. frame: what it gets first, if anything; names: the names whose definitions it gets."""

    name: str
    frame: tuple[str, ...]
    names: tuple[str, ...]

    def text(self, *definitions: str) -> str:
        """The call, with the definitions of its names."""
        return f"{self.name}({', '.join(self.frame + definitions)})"


class LoopOwner(Protocol):
    """The emitter that a loop is written for."""

    ruleset: Ruleset
    tables: Mapping[str, TableInfo]
    words: Words

    @property
    def span(self) -> Span | None:
        """The rule line that is being written."""

    def helper(self, e: E) -> HelperCall:
        """A call of a separate function for an aggregate. Raises TooHard if it must be emitted plainly."""

    def option(self, name: str, word: str | None = None) -> str:
        """An option, or a test whether it has a value."""

    def nested(self, table: str, column: int, order: tuple[int, ...], of: int = 1) -> str:
        """A table as nested dicts, its keys in that order."""

    def exact(self, value: int | Fraction) -> str:
        """A number in the form used in emitted text."""

    def free(self, e: E, bound: frozenset[str]) -> set[str]:
        """The names that an expression takes from its surroundings."""

    def routine(self, name: str) -> Routine | None:
        """The value or status of a name."""

    def is_light(self, text: str) -> bool:
        """Whether emitted text is little work."""

    def is_long(self, routine: Routine) -> bool:
        """Whether a value is too long to be computed in place."""
