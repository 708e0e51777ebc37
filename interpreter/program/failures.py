"""Errors of rules: what went wrong while emitted rules ran, linked to the rule line that caused it."""

from __future__ import annotations

import dis
import functools
import inspect
import re
import traceback
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from interpreter.messages.inputs import RuleFailure
from interpreter.program.program import Program
from interpreter.runtime.exact_numbers import BEYOND
from interpreter.runtime.runtime import TROUBLE, RuleTrouble
from interpreter.runtime.trouble import TroubleAt

FAILING = (*TROUBLE, RecursionError)
"""What emitted rules may raise, whoever calls them."""
NAMED = re.compile(r"[ln]_(?!x\d+$)([a-z]\w*)")
"""Names in emitted code for arguments and names of the rules; not those that binding made itself."""


P = ParamSpec("P")
R = TypeVar("R")


def in_words(method: Callable[P, R]) -> Callable[P, R]:
    """Decorates a method of a game that evaluates rules: if one fails that is needed, RuleFailure is raised with its place.

    It is worded for the reader or the side that the method is called for, or else for the umpire. An error that did not come from
    a rule is a fault of the program and is passed on unchanged.
    """
    signature = inspect.signature(method)

    @functools.wraps(method)
    def asked(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return method(*args, **kwargs)
        except FAILING as error:
            if not of_rules(error):
                raise
            game: Any = args[0]
            failure = rule_failure(game.program, error)
            if not hasattr(game, "seat"):  # a part of a game: its caller words the failure
                raise failure from error
            said = signature.bind(*args, **kwargs).arguments
            raise game.seat(said.get("reader") or said.get("side", "umpire")).told(failure) from error

    return asked


def of_rules(error: BaseException) -> bool:
    """Whether an error occurred in emitted rules, or is one that only they raise."""
    if isinstance(error, RuleTrouble):
        return True
    return any(frame.filename.startswith("<rules") for frame in traceback.extract_tb(error.__traceback__))


def _whose_place(error: AttributeError) -> str:
    """The name in the rules of the thing whose place is None, read from the instructions that failed (`u.place.things`); or ""."""
    tb = error.__traceback__
    while tb is not None and tb.tb_next is not None:
        tb = tb.tb_next
    if tb is None:
        return ""
    steps = [x for x in dis.get_instructions(tb.tb_frame.f_code) if x.offset <= tb.tb_lasti][-3:]
    # Since Python 3.13 one instruction may load two names: the last is the one that is read.
    done = [x.argval[-1] if "LOAD_FAST" in x.opname and isinstance(x.argval, tuple) else x.argval for x in steps]
    if len(done) < 3 or done[1:] != ["place", "things"] or not isinstance(done[0], str):
        return ""
    found = NAMED.fullmatch(done[0])
    return found[1].replace("_", "-") if found is not None else ""


def rule_failure(program: Program, error: Exception) -> RuleFailure:
    """Adds the place in the rule text to an error in emitted rules."""
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
        if name:
            message = f"`{name}` has not been set yet here."
        elif error.name == "things" and error.obj is None:
            name = _whose_place(error)
            what, test = (f"`{name}`", f"`{name} is on the map`") if name else ("Something here", "it `is on the map`")
            message = f"{what} is off the map and has no place. Check that {test} first."
        else:
            message = "Something that this rule needs is absent."
    elif isinstance(error, TypeError):
        message = "A value that this rule needs is absent."
    elif isinstance(error, ValueError) and "int_max_str_digits" in str(error):
        message = BEYOND
    elif isinstance(error, KeyError):
        message = "Nothing has been chosen or rolled for the thing that this rule asks about."
    else:
        message = f"The rule failed ({error})."
    return RuleFailure(place.file if place else "", place.line if place else 0, message)
