"""Cross-references: what each name is, which rules change it, what it reads and what reads it, over all modules at once."""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

import attrs

from dsl.rules.chains import nodes_in, words_in
from dsl.rules.ruleset import ENTRY_OF
from dsl.syntax import body_lines as ln
from dsl.syntax import declarations as d
from dsl.text.source import Span

RELATIONS = ("before", "forbids", "permits", "excepts", "replaces", "adds", "after", "whenever", "always")
"""How rules change a declaration that they name, in the order in which they apply; then rules that wait for its events."""

_TARGETS = {
    "adds": ("value", "status", "path", "phase", "step", "setup"),
    "excepts": ("value", "status"),
    "replaces": ("value", "status", "path", "order", "procedure", "sequence", "setup"),
    "forbids": ("order", "procedure"),
    "permits": ("order", "procedure"),
    "before": ("phase", "step", "order", "procedure"),
    "after": ("phase", "step", "order", "procedure"),
}
"""The possible targets of a relation, if the rule itself does not give the word."""


@attrs.frozen(slots=True)
class Named:
    """A name in a rule text. word: what it is, as in `value`, `order`, `phase`, `field`; home: the declaration that contains it."""

    word: str
    name: str
    span: Span
    cites: tuple[str, ...]
    guards: d.Guards
    home: d.Declaration

    @property
    def whole(self) -> bool:
        """Whether it is a declaration of its own, not a part of one."""
        return self.home.name == self.name and self.span == self.home.span


@attrs.frozen(slots=True)
class NumberStack:
    """A name with all its references. changes: rules in the order of RELATIONS; reads, readers: by word and name."""

    base: Named
    changes: tuple[d.Rule, ...]
    reads: tuple[Named, ...]
    readers: tuple[Named, ...]


@attrs.define(slots=True)
class Stacks:
    """The names of a system. Build with `stacks`."""

    names: dict[str, list[Named]]
    changes: dict[tuple[str, str], list[d.Rule]]
    mentioned: dict[str, list[Named]]

    def of(self, named: Named) -> NumberStack:
        """All references of one name."""
        changes = sorted(self.changes.get((named.word, named.name), ()), key=lambda r: RELATIONS.index(r.relation.kind))
        mentioned = mentions(named.home) if named.whole else frozenset()
        reads = [x for word in sorted(mentioned - {named.name}) for x in self.names.get(word, ()) if x.word != "term"]
        readers = [x for x in self.mentioned.get(named.name, ()) if x.home is not named.home and x.home not in changes]
        return NumberStack(named, tuple(changes), tuple(reads), tuple(readers))


def stacks(declarations: Sequence[d.Declaration]) -> Stacks:
    """Every name of a system, whatever modules are on."""
    names: dict[str, list[Named]] = defaultdict(list)
    mentioned: dict[str, list[Named]] = defaultdict(list)
    for x in declarations:
        for named in named_in(x):
            names[named.name].append(named)
        if not isinstance(x, d.Example | d.NotModelled | d.Module):
            itself = _itself(x)
            for word in mentions(x):
                mentioned[word].append(itself)
    changes: dict[tuple[str, str], list[d.Rule]] = defaultdict(list)
    for x in declarations:
        if isinstance(x, d.Rule):
            for named in targets_of(x, names) or waited_for(x, names):
                changes[named.word, named.name].append(x)
    return Stacks(dict(names), dict(changes), dict(mentioned))


def targets_of(rule: d.Rule, names: dict[str, list[Named]]) -> list[Named]:
    """The targets of a rule; empty for one that waits for an event."""
    return [x for one in rule.relation.each() if (x := _target_of(one, names)) is not None]


def _target_of(relation: d.Relation, names: dict[str, list[Named]]) -> Named | None:
    if relation.target is None or relation.kind not in _TARGETS:
        return None
    wanted = (relation.word,) if relation.word else _TARGETS[relation.kind]
    found = {x.word: x for x in names.get(relation.target.name, ())}
    return next((found[word] for word in wanted if word in found), None)


def waited_for(rule: d.Rule, names: dict[str, list[Named]]) -> list[Named]:
    """The names that a waiting rule is about: the kinds of its things, what one becomes, the order or procedure it applies in."""
    event = rule.relation.event
    params = rule.relation.params if event is None else tuple(p for p in (event.first, event.second) if p is not None)
    words: list[tuple[str | None, tuple[str, ...]]] = [(p.kind, ()) for p in params]
    if event is not None:
        words += [(event.word, ("status", "field")), (event.bound, ("order", "procedure"))]
    found: dict[tuple[str, str], Named] = {}
    for word, sorts in words:
        for named in names.get(word or "", ()):
            another = named.word == "field" and params[0].kind not in _owners(named.home)
            if (named.word in sorts and not another) if sorts else (isinstance(named.home, d.Kind) and named.whole):
                found.setdefault((named.word, named.name), named)
    return list(found.values())


def _owners(home: d.Declaration) -> tuple[str, ...]:
    """The kinds whose fields a declaration defines; for a group also its own name."""
    return (home.name, *home.words) if isinstance(home, d.Group) else (home.name,)


def word_of(declaration: d.Declaration) -> str:
    """The type of a declaration, as the word that it starts with."""
    match declaration:
        case d.Bodied() | d.Kind():
            return declaration.word
        case d.Enum():
            return "scale" if declaration.ordered else "enum"
        case d.UnitList():
            return "list"
        case d.NotModelled():
            return "not modelled"
        case _:
            return type(declaration).__name__.lower()


def named_in(declaration: d.Declaration) -> Iterator[Named]:
    """The names that a declaration defines: its own, its phases and steps, its fields, its words."""
    if isinstance(declaration, d.System | d.Catalog | d.NotModelled | d.Example):
        return
    yield _itself(declaration)
    guards = declaration.guards
    match declaration:
        case d.Bodied():
            for line in _lines(declaration.body):
                if isinstance(line, ln.Phase):
                    word = "step" if line.step else "phase"
                    yield Named(word, line.name, line.span, line.cites, (*guards, *line.guards), declaration)
        case d.Kind() | d.Rating() | d.Group():
            for field in declaration.fields:
                yield Named("field", field.name, field.span, field.cites, guards, declaration)
        case d.Enum():
            for term in declaration.terms:
                yield Named("term", term.word, term.span, declaration.cites, guards, declaration)


@functools.lru_cache(maxsize=8192)
def mentions(declaration: d.Declaration) -> frozenset[str]:
    """Every word of a declaration that may be the name of another."""
    found = set(words_in(declaration))
    match declaration:
        case d.Table():
            found.update(declaration.keys)
        case d.UnitList():
            found.add(declaration.of)
        case d.Group():
            found.update([declaration.of] if declaration.of else declaration.words)
            found.update(word for field in declaration.fields for word in field.type.words)
        case d.Bodied(bound=str(bound)):
            found.add(bound)
        case d.Kind() | d.Rating():
            for field in declaration.fields:
                found.update(field.type.words)
        case d.Scenario():
            found.update(declaration.maps)
        case d.Rule():
            found.update(x.target.name for x in declaration.relation.each() if x.target is not None)
    for node in nodes_in(declaration):
        match node:
            case ln.Do():
                found.add(node.name)
            case ln.May():
                found.update(node.orders)
            case d.Param(kind=str(kind)):
                found.update(kind.removeprefix(ENTRY_OF).split(" or "))
    return frozenset(found)


def _itself(declaration: d.Declaration) -> Named:
    return Named(
        word_of(declaration), declaration.name, declaration.span, declaration.cites, declaration.guards, declaration
    )


def _lines(body: Iterable[ln.Line]) -> Iterator[ln.Line]:
    for line in body:
        yield line
        if isinstance(line, ln.Block):
            yield from _lines(line.body)
