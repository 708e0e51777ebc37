"""Objections: what the rules' setups say against beginning a game with its present forces."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import prod

import attrs

from dsl import ir
from dsl.syntax.declarations import Scenario
from dsl.text.source import Span
from interpreter.codegen.python_names import py
from interpreter.codegen.units import SITES
from interpreter.program.failures import FAILING, of_rules, rule_failure
from interpreter.program.program import Program
from interpreter.runtime.audit_trail import Trail
from interpreter.runtime.refusals import Why
from interpreter.runtime.runtime import typed
from interpreter.runtime.things import Thing
from interpreter.runtime.trouble import TroubleAt
from interpreter.setup.setup import set_up
from interpreter.world.ways import Ways
from interpreter.world.world import World

__all__ = ["Objection", "accepted", "objections", "objections_to", "opened"]


MOST_ASKED = 100_000
"""The most things, or pairs of things, that a setup is evaluated for."""
MOST_TOLD = 12
"""The most objections that are listed one by one."""


@attrs.frozen(slots=True)
class Objection:
    """One objection.

    Attributes:
        refuses: whether it prevents a game from beginning; else the umpire is warned.
        whose: the thing it is about, in words; empty if it is not about one thing.
        because: what is wrong.
        cites: the rules it comes from.
        span: the line of the rules that says so.
    """

    refuses: bool
    whose: str
    because: str
    cites: tuple[str, ...]
    span: Span

    def __str__(self) -> str:
        text = f"{self.whose}: {self.because}" if self.whose else self.because[:1].upper() + self.because[1:]
        return f"{text} [{', '.join(self.cites)}]" if self.cites else text


def objections(world: World) -> list[Objection]:
    """The objections in a world, setup by setup in the order of the rules, thing by thing in the order of the scenario.

    Raises what emitted rules raise (`interpreter/program/failures.py`).
    """
    found = []
    for routine in world.program.rules.routines.values():
        if routine.word != "setup":
            continue
        asked: Callable[..., list[int]] = world.functions[f"s_{py(routine.name)}"]
        groups = [list(world.all_of(p.type.word)) for p in routine.params]
        if (times := prod(map(len, groups))) > MOST_ASKED:
            raise TroubleAt(
                f"The setup {routine.name} would be evaluated {times:,} times; the limit is {MOST_ASKED:,}.",
                routine.span,
            )
        for things in product(*groups):
            whose = ", ".join(map(_called, things))
            for number in asked(*things):
                site = world.sites[number]
                found.append(Objection(site.kind is ir.Refused, whose, site.because, site.cites, site.span))
    return found


def accepted(world: World, scenario: Scenario) -> tuple[str, ...]:
    """The rules' warnings when a game is to begin in a world. Raises Refused if they do not allow it.

    They are not evaluated again for a game that is begun again, as when a turn is replayed from its inputs.
    """
    begun = scenario, world.seed, dict(world.options)
    known = world.program.accepted
    if known is None or known[0][0] is not scenario or known[0][1:] != begun[1:]:
        known = world.program.accepted = begun, _accepted(world, scenario.name)
    return known[1]


def _accepted(world: World, scenario: str) -> tuple[str, ...]:
    found = objections(world)
    refusals = [x for x in found if x.refuses]
    if refusals:
        more = f"\nAnd {len(refusals) - MOST_TOLD} more." if len(refusals) > MOST_TOLD else ""
        told = "".join(f"\n  {x}" for x in refusals[:MOST_TOLD])
        raise Why.AGAINST_RULE(
            f"The rules do not allow {scenario} to begin:{told}{more}",
            tuple(dict.fromkeys(c for x in refusals for c in x.cites)),
            "Correct the scenario's forces, or choose other modules.",
        )
    return tuple(map(str, found))


def _called(thing: Thing) -> str:
    """The title of a thing, and its name in the rule text."""
    title = getattr(thing, "f_title", None)
    if not title or title.lower() == typed(thing).lower():
        return title or typed(thing)
    return f"{title} ({typed(thing)})"


def objections_to(program: Program, scenario: Scenario) -> list[Objection]:
    """The objections to a scenario that no game has begun yet. Raises RuleFailure."""
    if not any(r.word == "setup" for r in program.rules.routines.values()):
        return []
    try:
        return objections(opened(program, scenario))
    except FAILING as error:
        if not of_rules(error):
            raise
        raise rule_failure(program, error) from error


def opened(program: Program, scenario: Scenario) -> World:
    """The world of a scenario that no game has begun yet, with its rules. Raises RuleFailure."""
    try:
        world = set_up(program, scenario)
    except FAILING as error:
        if not of_rules(error):
            raise
        raise rule_failure(program, error) from error
    world.functions = program.traced_functions(world, world.options, {}, Trail())
    world.sites, world.ways = SITES.all, Ways(world)
    return world
