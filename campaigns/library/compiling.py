"""From a system to a playable program: which modules are on, and which options are chosen."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping

from campaigns.file.errors import CampaignError
from dsl.checks.prospects import check_prospects
from dsl.load import SystemText, bound_or_raise
from dsl.rules.variants import with_needs
from dsl.syntax import declarations as d
from dsl.text.diagnostics import RuleTextError, did_you_mean, placed
from interpreter.program.program import Program
from interpreter.runtime.refusals import Why
from interpreter.setup.compile_rules import compile_program

__all__ = ["ALL_MODULES", "active_modules", "chosen_options", "compiled", "playable"]


@functools.lru_cache(maxsize=32)
def _compiled(text: SystemText, active: frozenset[str]) -> Program:
    return compile_program(bound_or_raise(text, active), text.files, text.key(active))


def compiled(text: SystemText, active: Iterable[str] | None = None) -> Program:
    """The program of a system under a choice of modules. Raises RuleTextError."""
    return _compiled(text, text.defaults if active is None else frozenset(active))


def playable(text: SystemText, scenario: d.Scenario, active: Iterable[str]) -> Program:
    """The program with which a scenario can be played to an end. Raises RuleTextError."""
    program = compiled(text, active)
    errors = [placed(x, text.files) for x in check_prospects(program.rules, scenario) if x.is_error]
    if errors:
        raise RuleTextError(errors, text.files)
    return program


ALL_MODULES = "all"
"""What an organizer writes for every module."""


def active_modules(
    text: SystemText, scenario: d.Scenario, with_: Iterable[str] = (), without: Iterable[str] = ()
) -> frozenset[str]:
    """The modules of a game: the defaults, those of the scenario, those of the organizer, and what they need.

    with_: names of modules, or `all` for every one. Raises CampaignError for a module that does not exist.
    """
    with_ = {name for given in with_ for name in (text.modules if given == ALL_MODULES else (given,))}
    on = set(text.defaults)
    for switch, name in scenario.switches:
        (on.add if switch == "with" else on.discard)(name)
    for name in (*sorted(with_), *without):
        if name not in text.modules:
            hint = did_you_mean(name, text.modules) or "Its modules are: " + (", ".join(text.modules) or "none") + "."
            raise CampaignError(f"The system has no module {name}.", hint, Why.UNKNOWN_NAME)
    on = set(with_needs(text.modules, on | with_))
    return frozenset(on - set(without))


def chosen_options(text: SystemText, options: Mapping[str, str]) -> dict[str, str]:
    """Options checked against the system. Raises CampaignError."""
    known = {o.name: o for o in text.declarations if isinstance(o, d.Option)}
    for name, term in options.items():
        if name not in known:
            raise CampaignError(
                f"The system has no option {name}.",
                did_you_mean(name, known) or "`ophex systems` lists them.",
                Why.UNKNOWN_NAME,
            )
        if term not in known[name].terms:
            raise CampaignError(
                f"The option {name} cannot be {term}.",
                "It can be: " + ", ".join(known[name].terms) + ".",
                Why.UNKNOWN_NAME,
            )
    return dict(options)
