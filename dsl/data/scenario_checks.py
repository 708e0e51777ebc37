"""Checks of scenarios: maps, sides, switches and settings, the rows under `forces`, facts, and when the game begins."""

from __future__ import annotations

from functools import partial

from dsl.data.colours import check_colours
from dsl.data.dates import problem_with
from dsl.data.forces import NOBODY, Listed, Mustered, check_forces, needs_saying
from dsl.data.maps import numbered_kinds
from dsl.data.maps_together import check_together
from dsl.data.scenario_names import Called, check_facts, check_named, parts_of_cell
from dsl.data.unit_lists import kind_listed
from dsl.rules.ruleset import Ruleset, guarded
from dsl.syntax import declarations as d
from dsl.syntax import syntax_tree as t
from dsl.text.diagnostics import Diagnostic, at, did_you_mean
from dsl.text.source import Span


def check_scenario(ruleset: Ruleset, node: d.Scenario) -> list[Diagnostic]:
    """Checks the names, cells and places of a scenario."""
    problems = [
        at("E318", f"There is no map {name}.", node.span, word=name, hint=did_you_mean(name, ruleset.maps))
        for name in node.maps
        if name not in ruleset.maps
    ]
    if problems:
        return problems
    places, problems = check_together(ruleset, [ruleset.maps[name] for name in node.maps], node.span)
    sides = [s.name for s in node.sides]
    if not sides:
        problems.append(
            at("E319", "The scenario has no sides.", node.span, hint='Add a line for each: side blue "Blue" blue')
        )
    problems += check_colours(node)
    for switch, name in node.switches:
        if name not in ruleset.modules:
            hint, message = did_you_mean(name, ruleset.modules), f"`{switch} {name}`: there is no module {name}."
            problems.append(at("E101", message, node.span, word=name, hint=hint))
    for option, term in node.settings:
        problems += _setting(ruleset, option, term, node.span)
    mustered = Mustered(ruleset, places, problems, dict.fromkeys(sides, Listed("side", "")))
    for forces in node.forces:
        if guarded(forces.guards, ruleset.active):
            _muster(mustered, forces, sides)
    called = Called(
        {n: x.kind for n, x in mustered.names.items()},
        places,
        mustered.arrivals,
        partial(numbered_kinds, ruleset, here=node.maps),
    )
    for field, cell, span, turn in mustered.named:
        problems += check_named(ruleset, field, parts_of_cell(field, cell), called, span, turn)
    problems += check_facts(ruleset, node, called)
    problems += _unsaid(ruleset, node)
    if node.begins is not None and (wrong := problem_with(node.begins)):
        problems.append(at("E341", wrong, node.begins.span))
    return problems


def _setting(ruleset: Ruleset, option: str, term: str, span: Span) -> list[Diagnostic]:
    if option not in ruleset.options:
        return [
            at("E104", f"There is no option {option}.", span, word=option, hint=did_you_mean(option, ruleset.options))
        ]
    terms = ruleset.options[option].terms
    return (
        []
        if term in terms
        else [at("E104", f"{option} cannot be {term}.", span, word=term, hint="It can be: " + ", ".join(terms) + ".")]
    )


def _muster(mustered: Mustered, forces: d.Forces, sides: list[str]) -> None:
    """Checks the forces of a side, or of nobody."""
    if forces.side not in sides and forces.side != NOBODY:
        hint, message = did_you_mean(forces.side, sides), f"The scenario has no side {forces.side}."
        mustered.problem("E320", message, forces.span, hint, forces.side)
    info = kind_listed(mustered.ruleset, forces, mustered.problems)
    if info is not None:
        check_forces(mustered, forces, info)


def _unsaid(ruleset: Ruleset, node: d.Scenario) -> list[Diagnostic]:
    """Fields of the campaign that need a value from the scenario and get none."""
    said = {fact.target.word for fact in node.facts if isinstance(fact.target, t.Name)}
    state = ruleset.kinds[ruleset.campaign_kind].fields if ruleset.campaign_kind else {}
    return [
        at("E324", f"The scenario does not give the {field.name}.", node.span, word=node.name,
           hint=f"Add a line: {field.name} is …")
        for field in state.values()
        if field.name not in said and (field.node.stated or needs_saying(field))
    ]  # fmt: skip
