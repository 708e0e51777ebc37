"""Weaving: which rules change which base texts under the modules that are on, and where two of them clash."""

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
    """What rules do to one base text, by relation."""

    adds: list[d.Rule] = attrs.field(factory=list)
    replaces: list[d.Rule] = attrs.field(factory=list)
    excepts: list[d.Rule] = attrs.field(factory=list)
    forbids: list[d.Rule] = attrs.field(factory=list)
    permits: list[d.Rule] = attrs.field(factory=list)
    before: list[d.Rule] = attrs.field(factory=list)
    after: list[d.Rule] = attrs.field(factory=list)


def phases_of(ruleset: Ruleset) -> dict[str, str]:
    """Every phase and step by name, and the key of the sequence, procedure or order in which it stands."""
    from dsl.syntax import lines as ln

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
    """The names of all phases and steps that the texts have, whichever modules are on."""
    from dsl.syntax import lines as ln

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
            alone = attrs.evolve(rule, relation=one) if relation.more else rule  # type: ignore[misc]
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
                   hint="Let one of them exclude the other's module, or write a third that holds when both are on.")
            )  # fmt: skip
    return dict(woven), [*problems, *_never_run(woven, phases)]


def _never_run(woven: dict[str, Woven], phases: dict[str, str]) -> Iterator[Diagnostic]:
    """W609: rules that hang on a phase or step of a text which another rule replaces without it."""
    for key, found in woven.items():
        name = key.removeprefix("phase ")
        home = phases.get(name, "") if name != key else ""
        if home not in woven or not woven[home].replaces:
            continue
        other = woven[home].replaces[-1]
        for rule in (*found.before, *found.adds, *found.after):
            message = f"`{rule.name}` never does anything where {other.name} holds: that replaces the {home}, and has no {name}."
            yield at(
                "W609", message, rule.relation.span, word=name,
                also=[Mark(other.span, f"{other.name} replaces it here")],
                hint=f"Give {other.name} a `step {name}` too, or let {rule.name} hold without its module.",
            )  # fmt: skip


def _weave_in(ruleset: Ruleset, rule: d.Rule, key: str, woven: dict[str, Woven], problems: list[Diagnostic]) -> None:
    relation = rule.relation
    if not key or relation.target is None:
        return
    already: list[d.Rule] = getattr(woven[key], relation.kind)
    if any(x.name == rule.name for x in already):
        message = f"`{rule.name}` names the {key} twice."
        problems.append(at("E402", message, relation.span, word=relation.target.name, hint="Take one out."))
        return
    already.append(rule)
    text = _base(ruleset, key)
    meant = text.bound if text is not None else None
    if relation.bound and relation.bound != meant:
        message = f"`{relation.target.name}` is not bound to {relation.bound}."
        hint = f"It is bound to {meant}." if meant else "Leave `in …` out."
        problems.append(at("E402", message, relation.span, word=relation.bound, hint=hint))


def _base(ruleset: Ruleset, key: str) -> d.Bodied | None:
    word, _, name = key.partition(" ")
    return ruleset.bodied.get(key if word in APART else name)


def _target(ruleset: Ruleset, rule: d.Rule, phases: dict[str, str], problems: list[Diagnostic]) -> str:
    relation = rule.relation
    assert relation.target is not None
    name, word = relation.target.name, relation.word
    if (
        relation.kind in {"adds", "excepts", "replaces"}
        and word in {None, "value", "status", "path"}
        and name in ruleset.bodied
    ):
        return f"{ruleset.bodied[name].word} {name}"
    if relation.kind in {"adds", "replaces"} and word in {None, "setup"} and f"setup {name}" in ruleset.bodied:
        return f"setup {name}"
    if word in {"order", "procedure"} or (word is None and relation.kind in {"forbids", "permits"}):
        key = f"{word or 'order'} {name}"
        if key in ruleset.bodied:
            return key
    if relation.kind == "replaces" and word in {None, "sequence"}:
        for guess in ("order", "procedure", "sequence"):
            if word in {None, guess} and f"{guess} {name}" in ruleset.bodied:
                return f"{guess} {name}"
    if relation.kind in {"adds", "before", "after"} and word in {None, "phase", "step"} and name in phases:
        return f"phase {name}"
    if relation.kind in {"before", "after"}:
        for guess in ("order", "procedure", "sequence"):
            if word in {None, guess} and f"{guess} {name}" in ruleset.bodied:
                return f"{guess} {name}"
    if f"setup {name}" in ruleset.bodied:
        message = f"`{rule.name}` {SPOKEN.get(relation.kind, relation.kind)} the setup {name}, but rules only add to a setup or replace it."
        hint = f"Write: rule {rule.name} adds to setup {name}, with lines `refused when …` and `warned when …`."
        problems.append(at("E402", message, relation.span, hint=hint, word=name))
        return ""
    known = [*phases, *(k.split(" ")[-1] for k in ruleset.bodied)]
    elsewhere = any(isinstance(x, d.Bodied) and x.name == name for x in ruleset.everything)
    if elsewhere:
        return ""
    if relation.kind in {"forbids", "permits"} and name in phases:
        hint = "Let it replace or forbid the orders of the phase, or what the phase does."
        problems.append(
            at("E402", f"A rule cannot {relation.kind.removesuffix('s')} a phase.", relation.span, word=name, hint=hint)
        )
        return ""
    problems.append(
        at(
            "E402",
            f"`{rule.name}` {SPOKEN.get(relation.kind, relation.kind)} {f'the {word} ' if word else ''}{name}, but there is no such text.",
            relation.span,
            hint=did_you_mean(name, known),
            word=name,
        )
    )
    return ""
