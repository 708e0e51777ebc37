"""Making a handbook from the files of a system. Each file becomes a chapter. Nothing is run; results of examples are passed in."""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import attrs

from dsl.checks.citations import catalog_rules, cited
from dsl.manual import handbook_parts as h
from dsl.manual.addresses import Addresses
from dsl.manual.chapters import HandbookChapter, HandbookEntry, chapters, spoken
from dsl.manual.cross_references import Stacks, stacks
from dsl.manual.typesetting import Setter
from dsl.syntax import declarations as d
from dsl.text.collecting import uncollected
from dsl.text.source import SourceFile

__all__ = ["handbook"]

SOURCE = "source"
"""The word in the catalog for rules from the source, including those on which it is silent."""


@uncollected()
def handbook(
    declarations: Sequence[d.Declaration],
    files: Mapping[str, SourceFile],
    catalog: str = "",
    results: Mapping[tuple[str, int], h.Result] | None = None,
) -> h.Handbook:
    """The handbook of a system.

    Args:
        declarations: all declarations of the system, without errors.
        files: the texts by name.
        catalog: the text of the catalog, or empty.
        results: the result of each line of an example that states an expectation, by file and line.
    """
    known = stacks(declarations)
    found = chapters(declarations, files, known)
    rules = catalog_rules(catalog)
    origins = _origins(rules)
    titles = {n: str(r.get("title", "")) for n, r in rules.items()}
    setter = Setter(Addresses(found, known), titles, origins, results or {})
    entries = [e for chapter in found for e in chapter.entries]
    written, shown = _by_rule(entries)
    excused = {c: x.reason for x in declarations if isinstance(x, d.NotModelled) for c in x.cites}
    maker = _Maker(known, setter, rules, excused, written, shown)
    system = next((x for x in declarations if isinstance(x, d.System)), None)
    return h.Handbook(
        title=system.title if system else "Rules",
        version=system.version if system else "",
        chapters=tuple(map(maker.chapter, found)),
        modules=tuple(
            (setter.switch("with", m.name), m.title, m.default) for e in entries if isinstance(m := e.node, d.Module)
        ),
        origins=tuple(one for one in (h.BASE, h.OWN) if one in origins.values()),
        groups=maker.groups(),
        excused=tuple((setter.cite(rule), reason) for rule, reason in excused.items()),
        letters=maker.letters(),
        tried=len(setter.results),
        failed=sum(not r.ok for r in setter.results.values()),
    )


def _origins(rules: Mapping[str, Mapping[str, Any]]) -> dict[str, h.Origin]:
    """The origins of the rules of the catalog that are not from the source."""
    kinds = {n: str(r.get("origin", SOURCE)) for n, r in rules.items()}
    return {n: h.ORIGINS.get(kind, h.OWN) for n, kind in kinds.items() if kind != SOURCE}


def _by_rule(entries: Iterable[HandbookEntry]) -> tuple[dict[str, list[HandbookEntry]], dict[str, list[HandbookEntry]]]:
    """The texts that implement each rule of the catalog, and the examples that show it."""
    written: dict[str, list[HandbookEntry]] = defaultdict(list)
    shown: dict[str, list[HandbookEntry]] = defaultdict(list)
    for entry in entries:
        if not isinstance(entry.node, d.NotModelled):
            for cite in _cited(entry.node):
                (shown if isinstance(entry.node, d.Example) else written)[cite].append(entry)
    return written, shown


@attrs.frozen
class _Maker:
    """The data for making pages. written, shown: where each rule of the catalog is implemented and shown."""

    known: Stacks
    setter: Setter
    rules: Mapping[str, Mapping[str, Any]]
    excused: Mapping[str, str]
    written: Mapping[str, list[HandbookEntry]]
    shown: Mapping[str, list[HandbookEntry]]

    def chapter(self, chapter: HandbookChapter) -> h.Leaf:
        """A chapter, with the declarations that readers see."""
        told = [
            (s, [self._article(e) for e in s.entries if not isinstance(e.node, d.Catalog)]) for s in chapter.sections
        ]
        passages = tuple(h.Passage(s.title, s.anchor, tuple(articles)) for s, articles in told)
        return h.Leaf(chapter.page, chapter.title, spoken(chapter.folder), self.setter.prose(chapter.intro), passages)

    def groups(self) -> dict[str, list[h.CatalogRule]]:
        """The catalog."""
        groups: dict[str, list[h.CatalogRule]] = defaultdict(list)
        for name in self.rules:
            groups[name.rpartition("-")[0]].append(self._rule(name))
        return groups

    def _rule(self, name: str) -> h.CatalogRule:
        rule = self.rules[name]
        module = str(rule.get("module", ""))
        return h.CatalogRule(
            id=name,
            title=self.setter.titles[name],
            module=module if module in self.known.names else "",
            origin=self.setter.origins.get(name),
            text=self.setter.prose(str(rule.get("rule", ""))),
            ruling=self.setter.prose(str(rule.get("ruling") or "")),
            excuse=self.excused.get(name, ""),
            written=tuple(map(self._entry, self.written.get(name, ()))),
            shown=tuple(map(self._entry, self.shown.get(name, ()))),
        )

    def letters(self) -> dict[str, list[tuple[h.Pointer, str]]]:
        """The index of names."""
        letters: dict[str, list[tuple[h.Pointer, str]]] = defaultdict(list)
        for name, meanings in sorted(self.known.names.items(), key=lambda x: x[0].lower()):
            for named in meanings:
                target = self.setter.addresses.declared(named.home)
                if target and named.word != "term":
                    what = named.word if named.whole else f"{named.word} of {named.home.name}"
                    letters[name[0].upper()].append((h.Pointer(name, target), what))
        return letters

    # ---- a text
    def _article(self, entry: HandbookEntry) -> h.Article:
        node, setter = entry.node, self.setter
        switches = [setter.switch(switch, name) for switch, name in node.guards]
        if isinstance(node, d.Module):
            switches.append(setter.switch("with", node.name))
        return h.Article(
            anchor=entry.anchor,
            word=entry.word,
            title=entry.title,
            head=setter.head(entry),
            note=setter.prose(entry.note),
            switches=tuple(switches),
            cites=setter.cites(node.cites),
            holds=setter.holds(entry) if isinstance(node, d.Example) else None,
            map=node.name if isinstance(node, d.Map) else "",
            excuse=node.reason if isinstance(node, d.NotModelled) else "",
            blocks=tuple(setter.blocks(entry)),
            concerns=() if isinstance(node, d.Example | d.NotModelled) else tuple(self._concerns(entry)),
        )

    def _concerns(self, entry: HandbookEntry) -> Iterator[h.Concern]:
        """The rules that change a text, what reads it, what it changes itself, and the examples of the rules that it cites."""
        node = entry.node
        for named in entry.names:
            stack = self.known.of(named)
            part = "" if named.whole else spoken(named.name)
            for rule in stack.changes:
                switches = tuple(self.setter.switch(switch, module) for switch, module in rule.guards)
                yield h.Concern(rule.relation.kind, (self._declared(rule),), part, switches)
            if named.whole and stack.readers and isinstance(node, d.Bodied | d.Table | d.Option):
                yield h.Concern("readers", tuple(self._declared(x.home, x.name) for x in stack.readers))
        if isinstance(node, d.Rule) and node.relation.target is not None:
            targets = [x.target.name for x in node.relation.each() if x.target is not None]
            changed = (x for name in targets for x in self.known.names.get(name, ())[:1])
            yield h.Concern("changed", tuple(self._declared(x.home, x.name) for x in changed))
        if isinstance(node, d.Bodied | d.Table | d.Rule | d.Option):
            found = {e.anchor: e for c in _cited(node) for e in self.shown.get(c, ())}
            if found:
                yield h.Concern("examples", tuple(map(self._entry, found.values())))

    def _entry(self, entry: HandbookEntry) -> h.Pointer:
        return h.Pointer(entry.title, self.setter.addresses.of(entry))

    def _declared(self, declaration: d.Declaration, name: str = "") -> h.Pointer:
        return h.Pointer(spoken(name or declaration.name), self.setter.addresses.declared(declaration))


@functools.lru_cache(maxsize=8192)
def _cited(node: d.Declaration) -> tuple[str, ...]:
    """The rules that a text cites, each once."""
    return tuple(dict.fromkeys(c for c, _ in cited(node)))
