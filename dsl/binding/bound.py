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
"""An `end game` line of a scenario: who wins, when, why, and its span."""
Hint = tuple[str, str, E | None, Span]
"""A hint of a lesson: the side that reads it, the text, its condition, and its span."""


@attrs.frozen(slots=False, eq=False)
class BoundRuleset:
    """The rules of a system under one choice of modules, with every name resolved and every line typed.

    Attributes:
        ruleset: what is declared: kinds, fields, words, options, scenarios.
        tables: the tables as read, by name.
        woven: the rules that change each declaration, by its "keyword name".
        routines: values by name; orders, procedures and the like by keyword and name, such as "order march".
        hooks: the rules that run "before phase movement", "after order march" and so on, in their order.
        triggers: the rules that wait.
        lasting: the conditions that end temporary changes.
        past: the orders and procedures that rules check with `has done`.
        endings, hints: of each scenario.
        used: what the rules use, such as "field tank.armour".
        variables: the number of variables named in binding; a binder over these rules continues from there.
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
        """The names that rules give to the things they place."""
        return self._made
