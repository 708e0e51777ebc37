"""The tree of a name: its declaration, every rule that changes it, and which of these are in force under a choice of modules."""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from campaigns.file.errors import CampaignError
from campaigns.library.rule_texts import load_path
from dsl.load import SystemText
from dsl.manual.cross_references import Named, NumberStack, stacks
from dsl.rules.ruleset import guarded
from dsl.rules.variants import with_needs
from dsl.syntax import declarations as d
from dsl.text.diagnostics import did_you_mean
from dsl.text.source import Span, path_of
from interpreter.runtime.refusals import Why

__all__ = ["Layer", "Reference", "Resolved", "Tree", "tree"]


@attrs.frozen(slots=True)
class Layer:
    """One declaration of a stack. relation: its relation to the base ("" for the base itself); modules: as `with supply`."""

    relation: str
    word: str
    name: str
    lines: tuple[str, ...]
    cites: tuple[str, ...]
    modules: tuple[str, ...]
    active: bool
    place: str


@attrs.frozen(slots=True)
class Reference:
    """Another name that it reads, or that reads it."""

    word: str
    name: str
    place: str
    active: bool


@attrs.frozen(slots=True)
class Resolved:
    """One meaning of a name."""

    base: Layer
    changes: tuple[Layer, ...]
    reads: tuple[Reference, ...]
    read_by: tuple[Reference, ...]


@attrs.frozen(slots=True)
class Tree:
    """All meanings of a name. modules: those that are on."""

    name: str
    modules: tuple[str, ...]
    meanings: tuple[Resolved, ...]


def tree(system: str, name: str, with_: Iterable[str] = (), without: Iterable[str] = ()) -> Tree:
    """What a name of a system means and what changes it.

    Args:
        system: a system's name or folder, or one rule file.
        name: a name of the rules, optionally with its kind: `march`, `order march`.
        with_: modules to turn on, with those that they need.
        without: modules to turn off.

    Raises:
        CampaignError: there is no such name or module.
        NotFound: there is no such system.
    """
    text = load_path(system)
    on = _modules(text, with_, without)
    known = stacks(text.declarations)
    word, _, short = name.strip().rpartition(" ")
    found = [x for x in known.names.get(short, ()) if not word or x.word == word]
    if not found:
        hint = did_you_mean(short, known.names) or "`ophex handbook` lists all names."
        raise CampaignError(f"The system has no {word or 'name'} {short}.", hint, Why.UNKNOWN_NAME)
    return Tree(short, tuple(sorted(on)), tuple(_resolved(text, known.of(x), on) for x in found))


def _modules(text: SystemText, with_: Iterable[str], without: Iterable[str]) -> frozenset[str]:
    with_, without = tuple(with_), tuple(without)
    for name in (*with_, *without):
        if name not in text.modules:
            hint = did_you_mean(name, text.modules) or f"Its modules are: {', '.join(text.modules) or 'none'}."
            raise CampaignError(f"The system has no module {name}.", hint, Why.UNKNOWN_NAME)
    return frozenset(with_needs(text.modules, {*text.defaults, *with_}) - set(without))


def _resolved(text: SystemText, stack: NumberStack, on: frozenset[str]) -> Resolved:
    changes = tuple(_layer(text, rule, on) for rule in stack.changes)
    replaced = any(x.relation == "replaces" and x.active for x in changes)
    base = stack.base
    active = guarded(base.guards, on) and not replaced
    shown = Layer(
        "",
        base.word,
        base.name,
        _text(text, base.span),
        base.cites,
        _spoken(base.guards),
        active,
        _place(text, base.span),
    )
    return Resolved(shown, changes, _references(text, stack.reads, on), _references(text, stack.readers, on))


def _layer(text: SystemText, rule: d.Rule, on: frozenset[str]) -> Layer:
    lines = _text(text, rule.span)
    active = guarded(rule.guards, on)
    return Layer(
        rule.relation.kind, "rule", rule.name, lines, rule.cites, _spoken(rule.guards), active, _place(text, rule.span)
    )


def _references(text: SystemText, names: Iterable[Named], on: frozenset[str]) -> tuple[Reference, ...]:
    found = {(x.word, x.name): Reference(x.word, x.name, _place(text, x.span), guarded(x.guards, on)) for x in names}
    return tuple(found.values())


def _text(text: SystemText, span: Span) -> tuple[str, ...]:
    """The lines of a span, without their common indentation and the citations."""
    file = text.files[span.file]
    last = span.end_line - (not file.line(span.end_line)[: span.end_column - 1].strip())
    lines = [file.line(n).partition("   [")[0].rstrip() for n in range(span.line, last + 1)]
    while lines and not lines[-1]:
        lines.pop()
    edge = min((len(x) - len(x.lstrip()) for x in lines if x), default=0)
    return tuple(x[edge:] for x in lines)


def _spoken(guards: d.Guards) -> tuple[str, ...]:
    return tuple(f"{switch} {name}" for switch, name in guards)


def _place(text: SystemText, span: Span) -> str:
    return f"{path_of(span, text.files)}:{span.line}"
