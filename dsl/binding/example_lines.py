"""Checking examples without running them: the names and expressions in their lines are resolved and typed as they would be in a run.

What depends on the course of play stays open: which procedures have run, and which things they have made.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping

from dsl.binding.bound import BoundRuleset
from dsl.binding.example_answers import check_answer, check_command
from dsl.binding.example_facts import check_fact
from dsl.binding.example_reading import ExampleReading, ExamplesShared
from dsl.binding.statements import statement
from dsl.data.dates import problem_with
from dsl.data.maps_together import check_together
from dsl.ir.phases import phase_named
from dsl.rules.ruleset import Ruleset
from dsl.rules.variants import Variant
from dsl.rules.weave import declared_phases
from dsl.syntax import body_lines as ln
from dsl.syntax import declarations as d
from dsl.syntax import syntax_tree as t
from dsl.text.diagnostics import Diagnostic, at, did_you_mean
from dsl.text.source import Span


def option_given(ruleset: Ruleset, line: ln.Given) -> tuple[str, str] | None:
    """The option and word that a `given` line sets; None for any other fact."""
    c = line.condition
    if isinstance(c, t.IsTest):
        subject, word = c.subject, c.alternatives[0]
    elif isinstance(c, t.Compare) and c.op == "=":
        subject, word = c.left, c.right
    else:
        return None
    if isinstance(subject, t.Name) and subject.word in ruleset.options:
        return subject.word, t.literal_text(word) if isinstance(word, t.Name | t.Literal) else ""
    return None


def check_examples(examples: Iterable[tuple[d.Example, Variant]], rules: BoundRuleset) -> list[Diagnostic]:
    """Checks examples under the choice of modules for which the rules are bound."""
    shared = ExamplesShared(rules)
    problems: list[Diagnostic] = []
    for example, variant in examples:
        problems += _read(ExampleReading(shared, example, variant))
    return problems


def _read(r: ExampleReading) -> list[Diagnostic]:
    """Checks one variant of an example."""
    problems = []
    for block in (x for x in r.example.body if isinstance(x, ln.WithBlock) and x.option in r.variant.options):
        problems += _option(r, block.option or "", r.variant.options[block.option or ""], block.span)
    for line in r.variant.lines:
        problems += _tried(r, functools.partial(_line, r, line))
        _note(r, line)
    return problems


def _tried(r: ExampleReading, work: Callable[[], None]) -> list[Diagnostic]:
    """The problems of a line. It has none if it is correct for one possible order of the procedures run before it."""
    first: list[Diagnostic] | None = None
    for run in dict.fromkeys([r.begun, r.begun[::-1], ()]):
        r.run, r.b.problems = run, []
        work()
        if not r.b.problems:
            return []
        first = first or r.b.problems
    return first or []


def _note(r: ExampleReading, line: ln.Line) -> None:
    """Moves the procedures that a line may start to the front of those that names are read from."""
    key = ""
    if isinstance(line, ln.Do):
        key = next((f"{w} {line.name}" for w in ("procedure", "sequence") if f"{w} {line.name}" in r.b.routines), "")
        if not key and (phase := phase_named(r.b.routines, line.name)) is not None:
            key = phase.key
    elif isinstance(line, ln.Orders):
        key = f"order {line.command.split()[0].lower()}"
    if key:
        r.begun = tuple(dict.fromkeys((*r.shared.begun_by(key), *r.begun)))


def _line(r: ExampleReading, line: ln.Line) -> None:
    match line:
        case ln.OnMap():
            _on_map(r, line)
        case ln.Begins():
            if fault := problem_with(line):
                r.problem("E341", fault, line.span)
        case ln.Given():
            found = option_given(r.ruleset, line)
            if found is None:
                check_fact(r, line.condition)
            else:
                r.b.problems += _option(r, *found, line.span)
        case ln.DiceAre():
            pass
        case ln.Answer():
            check_answer(r, line)
        case ln.ThenMayAnswer():
            r.side(line.side, line.span)
            check_answer(r, line)
        case ln.Orders():
            r.side(line.side, line.span)
            check_command(r, line)
        case ln.ThenMay():
            r.side(line.side, line.span)
            if not (line.negated and line.reasons):
                check_command(r, line)
        case ln.ThenOver():
            if line.winner:
                r.side(line.winner, line.span)
        case ln.ThenTold():
            r.side(line.side, line.span)
        case ln.ThenKnows():
            r.side(line.side, line.span)
            r.b.expr(line.what, r.scope())
        case ln.Then():
            r.b.chances = r.b.lenient = True
            try:
                r.b.condition(line.condition, r.scope())
            finally:
                r.b.chances = r.b.lenient = False
        case ln.WithBlock() | ln.ThenBegins():
            pass
        case ln.Do() if _means_phase(r, line):
            _phase(r, line)
        case _:
            statement(r.b, line, r.scope(), r.routine)


def _means_phase(r: ExampleReading, line: ln.Do) -> bool:
    """Whether a `do` line runs a phase or step on its own."""
    callable_ = any(f"{word} {line.name}" in r.ruleset.bodied for word in ("procedure", "order", "sequence"))
    return not callable_ and line.name in declared_phases(r.ruleset)


def _phase(r: ExampleReading, line: ln.Do) -> None:
    if line.bindings or line.given:
        hint = "State what it reads beforehand: `given active is …`."
        r.problem("E211", f"{line.name} is a phase and takes no arguments.", line.span, hint, word=line.name)
    elif phase_named(r.b.routines, line.name) is None:
        hint = "Turn the module on: `with MODULE` after the title of the example."
        message = f"{line.name} is a phase of a module that is off here."
        r.problem("E200", message, line.span, hint, word=line.name)
    if line.when is not None:
        r.b.condition(line.when, r.scope())


def _option(r: ExampleReading, name: str, term: str, span: Span) -> list[Diagnostic]:
    """Checks an option that is set."""
    option = r.ruleset.options.get(name)
    if option is None:
        hint = did_you_mean(name, r.ruleset.options)
        return [at("E104", f"There is no option {name}.", span, word=name, hint=hint)]
    if term in option.terms:
        return []
    hint = did_you_mean(term, option.terms) or "It can be: " + ", ".join(option.terms) + "."
    return [at("E104", f"{name} cannot be {term}.", span, word=term, hint=hint)]


def _on_map(r: ExampleReading, line: ln.OnMap) -> None:
    maps = r.ruleset.maps
    for name in line.names:
        if name not in maps:
            r.problem("E318", f"There is no map {name}.", line.span, did_you_mean(name, maps), word=name)
            return
    r.b.problems += check_together(r.ruleset, [maps[name] for name in line.names], line.span)[1]


def fitting(bound: Mapping[frozenset[str], BoundRuleset], modules: frozenset[str]) -> BoundRuleset | None:
    """Of bound rules by their modules, those that have all of these and the fewest others; None if none has all."""
    able = [on for on in bound if modules <= on]
    return bound[min(able, key=lambda on: (len(on - modules), sorted(on)))] if able else None


__all__ = ["check_examples", "fitting", "option_given"]
