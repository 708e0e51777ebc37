"""Failures of rules: what went wrong while emitted rules ran, put to the line of rule text that it came from."""

from __future__ import annotations

import re
import traceback

from interpreter.inputs import RuleFailure
from interpreter.program import Program
from interpreter.runtime import RuleTrouble
from interpreter.world import TroubleAt


def rule_failure(program: Program, error: Exception) -> RuleFailure:
    """Puts the place in the rule text on an error that emitted rules ran into."""
    place = None
    for frame in traceback.extract_tb(error.__traceback__):
        if frame.filename.startswith("<rules"):
            place = program.rule_line(frame.filename, frame.lineno or 0) or place
    if isinstance(error, TroubleAt):
        place = error.span
    if isinstance(error, RuleTrouble):
        message = str(error)
    elif isinstance(error, AttributeError):
        found = re.search(r"'n_(\w+)'|attribute '([fn]_\w+)'", str(error))
        name = (found[1] or found[2][2:]).replace("_", "-") if found else ""
        message = f"`{name}` has not been set yet here." if name else "Something is absent that this rule needs."
    elif isinstance(error, TypeError):
        message = "A value is absent that this rule needs."
    elif isinstance(error, KeyError):
        message = "Nothing was chosen or rolled for what this rule asks about."
    else:
        message = f"The rule cannot go on ({error})."
    return RuleFailure(place.file if place else "", place.line if place else 0, message)
