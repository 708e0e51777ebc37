"""The passes from parsed text to bound rules: every choice of modules goes through them, in this order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

import attrs

from dsl.binding import BINDING, BoundRuleset, bind_rules
from dsl.data.drawings import check_drawings
from dsl.data.maps import read_map
from dsl.data.scenario_checks import check_scenario
from dsl.data.table_data import TableInfo
from dsl.data.tables import read_tables
from dsl.data.unit_lists import check_lists
from dsl.rules.assemble import assemble
from dsl.rules.editions import CURRENT
from dsl.rules.memo import kept
from dsl.rules.ruleset import Ruleset, guarded
from dsl.rules.weave import Woven, weave
from dsl.syntax.declarations import Declaration
from dsl.text.collecting import uncollected
from dsl.text.diagnostics import Diagnostic


@attrs.define(slots=True)
class Rules:
    """The results of the passes so far. Each pass adds its own, and adds what it finds wrong to `problems`."""

    declarations: tuple[Declaration, ...]
    active: Iterable[str] | None
    edition: int = CURRENT
    problems: list[Diagnostic] = attrs.field(factory=list)
    _ruleset: Ruleset | None = None
    tables: Mapping[str, TableInfo] = attrs.field(factory=dict)
    woven: Mapping[str, Woven] = attrs.field(factory=dict)
    _bound: BoundRuleset | None = None

    @property
    def ruleset(self) -> Ruleset:
        """The declarations that are active under the choice of modules."""
        assert self._ruleset is not None, "nothing is assembled yet"
        return self._ruleset

    @property
    def bound(self) -> BoundRuleset:
        """The rules, bound."""
        assert self._bound is not None, "nothing is bound yet"
        return self._bound


def assembled(rules: Rules) -> None:
    """Assembles the declarations for the choice of modules; finds duplicates and unknown names."""
    rules._ruleset, found = assemble(rules.declarations, rules.active, rules.edition)  # noqa: SLF001 (a pass sets what it makes)
    rules.problems += found


def tables_read(rules: Rules) -> None:
    """Reads the tables: their keys, columns and rows."""
    rules.tables, found = read_tables(rules.ruleset)
    rules.problems += found


def woven(rules: Rules) -> None:
    """Collects the rules that change each declaration; finds two that replace the same thing."""
    rules.woven, found = weave(rules.ruleset)
    rules.problems += found


def bound(rules: Rules) -> None:
    """Resolves every name, types every line, and turns every body into a routine (`dsl.binding.binding_passes.PASSES`)."""
    rules._bound, found = bind_rules(rules.ruleset, rules.tables, rules.woven)  # noqa: SLF001 (a pass sets what it makes)
    rules.problems += found


def bound_unjudged(rules: Rules) -> None:
    """The same for rules that are known to have no errors: what only looks for errors is left out."""
    rules._bound, found = bind_rules(rules.ruleset, rules.tables, rules.woven, BINDING)  # noqa: SLF001 (a pass sets what it makes)
    rules.problems += found


def lists_read(rules: Rules) -> None:
    """Checks the unit lists."""
    rules.problems += kept(rules.ruleset, "lists", lambda: check_lists(rules.ruleset))


def drawings_read(rules: Rules) -> None:
    """Checks the `drawn … as` lines."""
    rules.problems += check_drawings(rules.ruleset)


def maps_read(rules: Rules) -> None:
    """Checks the maps."""
    for node in rules.ruleset.maps.values():
        rules.problems += read_map(rules.ruleset, node)[1]


def scenarios_read(rules: Rules) -> None:
    """Checks the scenarios: their forces, places and dates."""
    ruleset = rules.ruleset
    for scenario in ruleset.scenarios.values():
        there = tuple(guarded(forces.guards, ruleset.active) for forces in scenario.forces)
        rules.problems += kept(ruleset, ("scenario", id(scenario), there), partial(check_scenario, ruleset, scenario))


Pass = Callable[[Rules], None]
RULES: tuple[Pass, ...] = (assembled, tables_read, woven, bound)
"""The passes over the rules alone."""
PASSES: tuple[Pass, ...] = (*RULES, lists_read, drawings_read, maps_read, scenarios_read)
"""The passes over a complete system."""
KNOWN_PASSES: tuple[Pass, ...] = (assembled, tables_read, woven, bound_unjudged)
"""The passes over a complete system that is known to have no errors."""


def bind(
    declarations: tuple[Declaration, ...],
    active: Iterable[str] | None = None,
    passes: tuple[Pass, ...] = PASSES,
    edition: int = CURRENT,
) -> tuple[BoundRuleset, list[Diagnostic]]:
    """The bound rules of a system under one choice of modules, and everything wrong with it. active: the modules; None: the defaults."""
    rules = Rules(declarations, active, edition)
    with uncollected():
        for each in passes:
            each(rules)
    return rules.bound, rules.problems
