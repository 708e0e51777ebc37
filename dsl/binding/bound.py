"""Bound rules: the immutable result that the language hands to the machine."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import attrs

from dsl.data.table_data import TableInfo
from dsl.ir import E, Lasting, Routine, Trigger
from dsl.rules.made_names import MadeName, made_names
from dsl.rules.ruleset import Ruleset
from dsl.rules.weave import Woven
from dsl.text.source import Span

Ending = tuple[E | None, E | None, str, Span]
"""An `end game` line of a scenario: who wins, when, why, and where the line stands."""
Hint = tuple[str, str, E | None, Span]
"""A hint of a lesson: the side that is told, the text, when, and where it stands."""


@attrs.frozen(slots=False, eq=False)
class BoundRuleset:
    """The rules of a system under one choice of modules, every name in them settled and every line typed.

    Attributes:
        ruleset: what is declared: kinds, fields, words, options, scenarios.
        tables: the tables as read, by name.
        woven: the rules that change each text, by "word name" of the text.
        routines: what is worked out and done, by name; of what has a keyword, by "order march" and the like.
        hooks: the rules that run "before phase movement", "after order march" and so on, in their order.
        triggers: the rules that wait.
        lasting: the conditions that end what lasts.
        past: the orders and procedures of which rules ask whether they were done.
        endings, hints: of each scenario.
        used: what the text speaks of, as "field tank.armour".
        variables: how many variables binding has named; a context over these rules counts on from there.
    """

    ruleset: Ruleset
    tables: Mapping[str, TableInfo]
    woven: Mapping[str, Woven]
    routines: Mapping[str, Routine]
    hooks: Mapping[str, tuple[Routine, ...]]
    triggers: tuple[Trigger, ...]
    lasting: tuple[Lasting, ...]
    past: frozenset[str]
    endings: Mapping[str, tuple[Ending, ...]]
    hints: Mapping[str, tuple[Hint, ...]]
    used: frozenset[str]
    variables: int

    @cached_property
    def _made(self) -> list[MadeName]:
        rules = (r for hooks in self.hooks.values() for r in hooks)
        return made_names(self.ruleset, (*self.routines.values(), *rules))

    def names_made(self) -> list[MadeName]:
        """What rules call the things that they put into the game."""
        return self._made
