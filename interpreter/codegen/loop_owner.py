"""What a loop needs of the emitter that writes it, and what that emitter needs of a loop around another."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Protocol

from dsl import ir
from dsl.data.table_data import TableInfo
from dsl.ir import E, Routine, S
from dsl.rules.ruleset import Ruleset
from dsl.text.source import Span
from interpreter.codegen.blocks import Value
from interpreter.codegen.emitted_code import Words

__all__ = ["LoopOwner", "OuterLoop"]


class OuterLoop(Protocol):
    """A loop in which another one is asked for."""

    def local(self, name: str) -> Value:
        """What a name stands for."""

    def joined(self, template: str, *values: Value) -> Value:
        """A text made of others."""


class LoopOwner(Protocol):
    """The emitter that a loop is written for."""

    ruleset: Ruleset
    tables: Mapping[str, TableInfo]
    words: Words
    span: Span | None
    uncounted: frozenset[str]

    def helper(self, e: E, around: OuterLoop | None = None) -> Value:
        """A call of a function of its own that answers an aggregate. Raises TooHard when it must be emitted plainly."""

    def option(self, name: str, word: str | None = None) -> str:
        """An option, or whether it has a word."""

    def nested(self, table: str, column: int, order: tuple[int, ...], of: int = 1) -> str:
        """A table as dicts within dicts, its keys in that order."""

    def exact(self, value: int | Fraction) -> str:
        """A number as it stands in emitted text."""

    def free(self, e: E, bound: frozenset[str]) -> set[str]:
        """The names that an expression takes from around it."""

    def routine(self, name: str) -> Routine | None:
        """The value or status of a name."""

    def is_light(self, text: str) -> bool:
        """Whether emitted text is little work."""

    def is_long(self, routine: Routine) -> bool:
        """Whether a value is too long to be worked out in place."""

    def flat(self, body: ir.Body) -> list[S]:
        """The lines of a body, those of its exceptions in their places."""

    def step_text(self, s: S, acc: str, emit: Callable[[E], str]) -> str:
        """One step of a value, done to `acc`."""
