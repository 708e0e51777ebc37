"""The passes that improve the function of a loop before it is written out, each over all of it, in this order."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.codegen.form_text import taken_in, written
from interpreter.codegen.passes.form import Body, Lines
from interpreter.codegen.passes.join_copies import join_copies
from interpreter.codegen.passes.settle_tests import settle_tests
from interpreter.codegen.passes.sink_names import sink_names
from interpreter.codegen.passes.skip_empty_sums import skip_empty_sums

PASSES: tuple[Callable[[Body], Body], ...] = (
    join_copies,
    skip_empty_sums,
    settle_tests,
    sink_names,
)
"""Each takes the body of a function, changes it, and returns it."""


def optimized(lines: Lines) -> Lines:
    """The lines of a function after all optimization passes."""
    body = taken_in(lines)
    for one in PASSES:
        body = one(body)
    return written(body)
