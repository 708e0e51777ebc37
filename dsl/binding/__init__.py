"""The binder: it resolves and types every word of the rules, and turns bodies into routines of the machine.

`passes.bind_rules` is the entry point. Each of the other modules binds one type of text. They are imported here so that each
can register what it binds.
"""

from dsl.binding import (  # noqa: F401 (for what they register)
    after_is,
    aggregates,
    arithmetic,
    becoming,
    bound_routines,
    choices,
    comparisons,
    doing,
    joined_conditions,
    messages,
    names,
    narrowed_sets,
    nested_lines,
    past_asked,
    path_clauses,
    placed,
    prepositions,
    property_of,
    putting,
    rolling,
    statements,
    value_rules,
    windows,
)
from dsl.binding.binding_passes import BINDING, PASSES, bind_rules
from dsl.binding.bound import BoundRuleset
from dsl.binding.context import Binder

__all__ = ["BINDING", "PASSES", "Binder", "BoundRuleset", "bind_rules"]
