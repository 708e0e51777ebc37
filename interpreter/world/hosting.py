"""What rules may ask of the host of their game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeAlias

from interpreter.messages.asking import Amount, AmountOf, EachAnswer, Many, ManyOf, Run, Test, TestOf
from interpreter.runtime.exact_numbers import Number
from interpreter.runtime.frames import Frame
from interpreter.runtime.things import Thing

__all__ = ["Host", "Rounds", "Whoever"]

Rounds: TypeAlias = tuple[tuple[str, str], ...]
"""The position of something in loops over words, as pairs of enum and word."""
Whoever: TypeAlias = Thing | list[Thing] | tuple[Thing, ...] | None
"""The sides that a rule names: one, several, or none, which some operations refuse."""


class Host(Protocol):
    """The receiver of the questions, dice and windows of a world's rules."""

    def ask(
        self, site: int, side: Whoever, name: str, kind: str, source: Many | None, amount: Amount | None,
        test: Test | None, reason: str, secret: bool, always: bool = False, subject: Thing | None = None,
        weighed: bool = False,
    ) -> Run:  # fmt: skip
        """Asks a side."""

    def ask_each(
        self, site: int, over: list[Thing], name: str, kind: str, source: ManyOf | None,
        amount: AmountOf | None, test: TestOf | None, reason: str, secret: bool,
        always: bool = False, before: EachAnswer | None = None,
    ) -> Run:  # fmt: skip
        """Asks each owner of some things for something of each."""

    def roll(
        self,
        site: int,
        side: Whoever,
        dice: str,
        name: str,
        count: Number | None = None,
        item: Thing | None = None,
        subject: Thing | None = None,
    ) -> Run:
        """Rolls dice for a side."""

    def draw(self, site: int, side: Whoever, among: list[Thing], name: str, subject: Thing | None) -> Run:
        """Draws one of several things by a die."""

    def window(
        self,
        frame: Frame,
        who: Whoever,
        orders: tuple[str, ...],
        manner: str,
        rounds: Rounds = (),
        subject: Thing | None = None,
    ) -> Run:
        """Takes orders."""

    def branches(self, branches: Sequence[Run]) -> Run:
        """Does several things at once."""
