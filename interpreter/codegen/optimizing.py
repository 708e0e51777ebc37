"""The passes that improve the function of a loop before it is written out, each over all of it, in this order."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.codegen.form_text import taken_in, written
from interpreter.codegen.passes.choose_once import choose_once
from interpreter.codegen.passes.decide_together import decide_together
from interpreter.codegen.passes.form import Body, Lines
from interpreter.codegen.passes.go_through_in_place import go_through_in_place
from interpreter.codegen.passes.join_copies import join_copies
from interpreter.codegen.passes.settle_tests import settle_tests
from interpreter.codegen.passes.share_tests import share_tests
from interpreter.codegen.passes.sink_names import sink_names
from interpreter.codegen.passes.skip_empty_sums import skip_empty_sums
from interpreter.codegen.passes.start_together import start_together

PASSES: tuple[Callable[[Body], Body], ...] = (
    share_tests,
    join_copies,
    skip_empty_sums,
    settle_tests,
    choose_once,
    sink_names,
    decide_together,
    start_together,
    go_through_in_place,
)
"""Each takes the body of a function, changes it, and returns it."""


def optimized(lines: Lines) -> Lines:
    """The lines of a function after all optimization passes."""
    body = taken_in(lines)
    for one in PASSES:
        body = one(body)
    return written(body)
