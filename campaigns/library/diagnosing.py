"""Every diagnostic of a system: those of its text, and those that appear only when its scenarios are set up."""

from __future__ import annotations

from collections.abc import Collection

from campaigns.library.compiling import active_modules, compiled
from dsl.checks.prospects import check_prospects
from dsl.data.drawings import undrawable
from dsl.load import SystemText, check_system
from dsl.rules.module_choices import module_problems
from dsl.rules.rows import cells
from dsl.syntax import declarations as d
from dsl.text.diagnostics import Diagnostic, Mark, at, placed, sort_key
from dsl.text.source import Span
from interpreter.messages.inputs import RuleFailure
from interpreter.setup.footing import misplaced_in
from interpreter.setup.objections import objections_to

__all__ = ["diagnose", "diagnosed"]


def diagnosed(text: SystemText, drawings: Collection[str] = ()) -> list[Diagnostic]:
    """Every diagnostic of a system's text. drawings: what can be drawn; if not given, that is not checked."""
    problems = diagnose(text)
    return sorted([*problems, *undrawable(text.own_declarations, drawings)], key=sort_key) if drawings else problems


def diagnose(text: SystemText) -> list[Diagnostic]:
    """Every diagnostic of a system's text and of the setup of its scenarios, sorted by place."""
    problems = check_system(text)
    if any(p.is_error for p in problems):
        return problems
    return sorted([*problems, *_unfit(text)], key=sort_key)


def _unfit(text: SystemText) -> list[Diagnostic]:
    """What will go wrong in play with each scenario, under its modules, and the objections to its setup."""
    found = []
    for scenario in (x for x in text.declarations if isinstance(x, d.Scenario)):
        active = active_modules(text, scenario)
        unmet = module_problems(text.modules, active)
        if unmet:
            message = f"The scenario {scenario.name} cannot begin: {' '.join(unmet)}"
            found.append(at("E105", message, scenario.span, word=scenario.name))
            continue
        program = compiled(text, active)
        found += check_prospects(program.rules, scenario)
        try:
            for x in objections_to(program, scenario):
                code, said = ("E328", "refuse") if x.refuses else ("W703", "warn of")
                also = [Mark(x.span, "the rules say so here")]
                found.append(at(code, f"The rules {said} {scenario.name}: {x}.", scenario.span, also=also))
            for wrong in misplaced_in(program, scenario):
                cited = f" [{', '.join(wrong.cites)}]" if wrong.cites else ""
                message = (
                    f"{wrong.name} is in {wrong.place}, where none of its own paths may lead: {wrong.because}{cited}."
                )
                also = [Mark(wrong.span, "this line forbids it")]
                found.append(at("W350", message, _row_of(scenario, wrong.name), word=wrong.place, also=also))
        except RuleFailure as failure:
            found.append(
                at("E328", f"It cannot be determined whether {scenario.name} may begin: {failure}", scenario.span)
            )
    return [placed(x, text.files) for x in found]


def _row_of(scenario: d.Scenario, name: str) -> Span:
    """The row in which a scenario lists a thing."""
    rows = (row for forces in scenario.forces for row in forces.rows[1:] if name in cells(row))
    return next((row.span for row in rows), scenario.span)
