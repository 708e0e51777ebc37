"""Binding: every word of the rules is settled to what it means and typed; bodies become routines of the machine.

`passes.bind_rules` is the way in. The other modules each bind one sort of text; they are imported here, so that all of
them have told the context what they bind.
"""

from dsl.binding import (  # noqa: F401 (for what they register)
    after_is,
    aggregates,
    arguments,
    arithmetic,
    becoming,
    choices,
    comparing,
    conditions,
    doing,
    messages,
    names,
    narrowed_sets,
    nested_lines,
    past_asked,
    paths,
    placed,
    properties,
    putting,
    rolling,
    routines,
    statements,
    values,
    windows,
)
from dsl.binding.bound import BoundRuleset
from dsl.binding.context import Binder
from dsl.binding.passes import PASSES, bind_rules

__all__ = ["PASSES", "Binder", "BoundRuleset", "bind_rules"]
