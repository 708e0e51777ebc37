"""Weaving: which rules change which base declarations under the modules that are on, and where two of them conflict."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import attrs

from dsl.rules.ruleset import APART, Ruleset
from dsl.syntax import declarations as d
from dsl.text.diagnostics import Diagnostic, Mark, at, did_you_mean

SPOKEN = {"adds": "adds to", "before": "comes before", "after": "comes after"}


@attrs.define(slots=True)
class Woven:
    """The rules that change one declaration, by relation."""

    adds: list[d.Rule] = attrs.field(factory=list)
    replaces: list[d.Rule] = attrs.field(factory=list)
    excepts: list[d.Rule] = attrs.field(factory=list)
    forbids: list[d.Rule] = attrs.field(factory=list)
    permits: list[d.Rule] = attrs.field(factory=list)
    before: list[d.Rule] = attrs.field(factory=list)
    after: list[d.Rule] = attrs.field(factory=list)


def phases_of(ruleset: Ruleset) -> dict[str, str]:
    """Every phase and step by name, with the key of the sequence, procedure or order that contains it."""
    from dsl.syntax import body_lines as ln

    if ruleset.phases is not None:
        return ruleset.phases
    found: dict[str, str] = {}

    def walk(body: tuple[ln.Line, ...], key: str) -> None:
        for line in body:
            if isinstance(line, ln.Phase):
                found[line.name] = key
            if isinstance(line, ln.Block):
                walk(line.body, key)

    for key, bodied in ruleset.bodied.items():
        walk(bodied.body, key)
    for name, rule in ruleset.rules.items():
        if rule.relation.kind in {"replaces", "before", "after"}:
            walk(rule.body, f"rule {name}")
    ruleset.phases = found
    return found


def declared_phases(ruleset: Ruleset) -> frozenset[str]:
    """The names of all phases and steps in all declarations, whichever modules are on."""
    from dsl.syntax import body_lines as ln

    def names(body: tuple[ln.Line, ...]) -> Iterator[str]:
        for line in body:
            if isinstance(line, ln.Phase):
                yield line.name
            if isinstance(line, ln.Block):
                yield from names(line.body)

    return frozenset(n for x in ruleset.everything if isinstance(x, d.Bodied | d.Rule) for n in names(x.body))


def module_of(declaration: d.Declaration) -> str:
    """The module that a declaration belongs to; empty for the base."""
    return next((name for switch, name in declaration.guards if switch == "with"), "")


def weave(ruleset: Ruleset) -> tuple[dict[str, Woven], list[Diagnostic]]:
    """The rules by what they change: keys are `value x`, `order x`, `phase x`, …"""
    woven: dict[str, Woven] = defaultdict(Woven)
    problems: list[Diagnostic] = []
    phases = phases_of(ruleset)
    for rule in ruleset.rules.values():
        relation = rule.relation
        if relation.kind in {"whenever", "always"} or relation.target is None:
            continue
        for one in relation.each():
            alone = attrs.evolve(rule, relation=one) if relation.more else rule
            _weave_in(ruleset, alone, _target(ruleset, alone, phases, problems), woven, problems)
    for key, found in woven.items():
        if len(found.replaces) > 1:
            first, second = found.replaces[:2]
            base = _base(ruleset, key)
            also = [Mark(first.span, f"{first.name} replaces it here")]
            if base is not None:
                also.append(Mark(base.span, "what both replace"))
            problems.append(
                at("E401", f"Two rules replace the {key}: {first.name} and {second.name}.", second.span, also=also,
                   hint="Make one of them exclude the other's module, or write a third rule that applies when both are on.")
            )  # fmt: skip
    return dict(woven), [*problems, *_never_run(woven, phases)]


def _never_run(woven: dict[str, Woven], phases: dict[str, str]) -> Iterator[Diagnostic]:
    """W609: rules for a phase or step of a declaration that another rule replaces without it."""
    for key, found in woven.items():
        name = key.removeprefix("phase ")
        home = phases.get(name, "") if name != key else ""
        if home not in woven or not woven[home].replaces:
            continue
        other = woven[home].replaces[-1]
        for rule in (*found.before, *found.adds, *found.after):
            message = f"`{rule.name}` has no effect where {other.name} applies: {other.name} replaces the {home} and has no {name}."
            yield at(
                "W609", message, rule.relation.span, word=name,
                also=[Mark(other.span, f"{other.name} replaces it here")],
                hint=f"Add a `step {name}` to {other.name}, or make {rule.name} apply only without its module.",
            )  # fmt: skip


def _weave_in(ruleset: Ruleset, rule: d.Rule, key: str, woven: dict[str, Woven], problems: list[Diagnostic]) -> None:
    relation = rule.relation
    if not key or relation.target is None:
        return
    already: list[d.Rule] = getattr(woven[key], relation.kind)
    if any(x.name == rule.name for x in already):
        message = f"`{rule.name}` names the {key} twice."
        problems.append(at("E402", message, relation.span, word=relation.target.name, hint="Remove one."))
        return
    already.append(rule)
    text = _base(ruleset, key)
    meant = text.bound if text is not None else None
    if relation.bound and relation.bound != meant:
        message = f"`{relation.target.name}` is not bound to {relation.bound}."
        hint = f"It is bound to {meant}." if meant else "Remove `in …`."
        problems.append(at("E402", message, relation.span, word=relation.bound, hint=hint))


def _base(ruleset: Ruleset, key: str) -> d.Bodied | None:
    word, _, name = key.partition(" ")
    return ruleset.bodied.get(key if word in APART else name)


def _target(ruleset: Ruleset, rule: d.Rule, phases: dict[str, str], problems: list[Diagnostic]) -> str:
    """The key of the declaration that a rule changes; empty, and perhaps reported, if there is none."""
    assert rule.relation.target is not None
    key = _text_meant(ruleset, rule.relation, rule.relation.target.name, phases)
    if not key and (problem := _no_text(ruleset, rule, rule.relation.target.name, phases)) is not None:
        problems.append(problem)
    return key


def _text_meant(ruleset: Ruleset, relation: d.Relation, name: str, phases: dict[str, str]) -> str:
    """The key of the first declaration with a name that such a rule can change; empty if there is none."""
    values = relation.kind in {"adds", "excepts", "replaces"} and relation.word in {None, "value", "status", "path"}
    if values and name in ruleset.bodied:
        return f"{ruleset.bodied[name].word} {name}"
    there = {*ruleset.bodied, *(f"phase {phase}" for phase in phases)}
    return next((key for key in _keys_meant(relation.kind, relation.word, name) if key in there), "")


def _keys_meant(kind: str, word: str | None, name: str) -> Iterator[str]:
    """The possible keys of the declaration that a rule names, the most likely first. kind: of the relation; word: before the name."""
    done = [f"{x} {name}" for x in ("order", "procedure", "sequence") if word in {None, x}]
    if kind in {"adds", "replaces"} and word in {None, "setup"}:
        yield f"setup {name}"
    if word in {"order", "procedure"} or (word is None and kind in {"forbids", "permits"}):
        yield f"{word or 'order'} {name}"
    if kind == "replaces" and word in {None, "sequence"}:
        yield from done
    if kind in {"adds", "before", "after"} and word in {None, "phase", "step"}:
        yield f"phase {name}"
    if kind in {"before", "after"}:
        yield from done


def _no_text(ruleset: Ruleset, rule: d.Rule, name: str, phases: dict[str, str]) -> Diagnostic | None:
    """The diagnostic for a rule whose target does not exist; None if the target belongs to a module that is off."""
    relation = rule.relation
    does = SPOKEN.get(relation.kind, relation.kind)
    if f"setup {name}" in ruleset.bodied:
        message = f"`{rule.name}` {does} the setup {name}, but a rule can only add to a setup or replace it."
        hint = f"Write: rule {rule.name} adds to setup {name}, with lines `refused when …` and `warned when …`."
        return at("E402", message, relation.span, hint=hint, word=name)
    if any(isinstance(x, d.Bodied) and x.name == name for x in ruleset.everything):
        return None
    if relation.kind in {"forbids", "permits"} and name in phases:
        message = f"A rule cannot {relation.kind.removesuffix('s')} a phase."
        hint = "Replace or forbid the orders of the phase, or what the phase does."
        return at("E402", message, relation.span, word=name, hint=hint)
    known = [*phases, *(k.split(" ")[-1] for k in ruleset.bodied)]
    what = f"the {relation.word} {name}" if relation.word else name
    message = f"`{rule.name}` {does} {what}, but there is no such declaration."
    return at("E402", message, relation.span, hint=did_you_mean(name, known), word=name)
