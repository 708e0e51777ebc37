"""The handbook: the rules of a system as a rulebook of linked pages. It is made from the texts; nothing is run here.

A file is a chapter. `dsl.manual.chapters` takes the files apart and orders them, `dsl.manual.typesetting` sets lines and tables; here the
pages are put together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

import attrs

from dsl.checks.citations import catalog_rules, cited
from dsl.manual.chapters import Chapter, Entry, Section, chapters
from dsl.manual.cross_references import Named, Stacks, stacks
from dsl.manual.typesetting import BASE, ORIGINS, OWN, Links, Result, Setter, spoken
from dsl.syntax import declarations as d
from dsl.text.source import SourceFile

__all__ = ["Result", "pages"]

STYLE = "handbook.css"
SAID = {
    "before": "Before it",
    "forbids": "Forbidden by",
    "permits": "Permitted by",
    "excepts": "Except as in",
    "replaces": "Replaced by",
    "adds": "Added to by",
    "after": "After it",
    "whenever": "Sets off",
    "always": "Watched by",
}

SOURCE = "source"
"""The word of the catalog for what the source has; where it has none, too."""


def pages(
    declarations: Sequence[d.Declaration],
    files: Mapping[str, SourceFile],
    catalog: str = "",
    results: Mapping[tuple[str, int], Result] | None = None,
    pictures: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """Every file of the handbook by its name: pages of HTML and their style sheet.

    Args:
        declarations: all declarations of the system, without errors.
        files: the texts by name.
        catalog: the text of the catalog, or "".
        results: what came of each line of an example that says what comes out, by file and line.
        pictures: of maps by their names, as SVG elements; a map without one is set in letters.
    """
    book = _book(declarations, files, catalog, results or {}, pictures or {})
    out = {"index.html": _index(book), "names.html": _names(book)}
    if book.rules:
        out["rules.html"] = _rules(book)
    for number, chapter in enumerate(book.chapters):
        out[chapter.page] = _chapter(book, number)
    out[STYLE] = Path(__file__).with_name(STYLE).read_text(encoding="utf-8")
    return out


@attrs.define(slots=True)
class _Book:
    """All that the pages are made of. written, shown: where each rule of the catalog is set down and shown, as links."""

    title: str
    version: str
    chapters: list[Chapter]
    known: Stacks
    links: Links
    setter: Setter
    rules: dict[str, dict[str, Any]]
    excused: dict[str, str]
    results: Mapping[tuple[str, int], Result]
    written: dict[str, list[Entry]]
    shown: dict[str, list[Entry]]


def _book(
    declarations: Sequence[d.Declaration],
    files: Mapping[str, SourceFile],
    catalog: str,
    results: Mapping[tuple[str, int], Result],
    pictures: Mapping[str, str],
) -> _Book:
    known = stacks(declarations)
    found = chapters(declarations, files, known)
    rules = catalog_rules(catalog)
    origins = {n: str(r.get("origin", SOURCE)) for n, r in rules.items()}
    marked = {n: ORIGINS.get(origin, OWN) for n, origin in origins.items() if origin != SOURCE}
    links = Links(found, known, {n: str(r.get("title", "")) for n, r in rules.items()}, marked)
    system = next((x for x in declarations if isinstance(x, d.System)), None)
    excused = {c: x.reason for x in declarations if isinstance(x, d.NotModelled) for c in x.cites}
    written: dict[str, list[Entry]] = defaultdict(list)
    shown: dict[str, list[Entry]] = defaultdict(list)
    for entry in (e for chapter in found for e in chapter.entries):
        if isinstance(entry.node, d.NotModelled):
            continue
        for cite in dict.fromkeys(c for c, _ in cited(entry.node)):
            (shown if isinstance(entry.node, d.Example) else written)[cite].append(entry)
    return _Book(
        system.title if system else "Rules", system.version if system else "", found, known, links,
        Setter(links, results, pictures), rules, excused, results, written, shown,
    )  # fmt: skip


# ---- the pages -----------------------------------------------------------------------------------------------


def _page(book: _Book, title: str, body: str, here: str, aside: str = "") -> str:
    rows = [_menu_row("index.html", "Contents", here, aside)]
    folder = ""
    for chapter in book.chapters:
        if chapter.folder != folder:
            folder = chapter.folder
            rows.append(f'<li class="folder">{escape(spoken(folder))}</li>\n')
        rows.append(_menu_row(chapter.page, chapter.title, here, aside))
    rows.append('<li class="folder">Look up</li>\n')
    rows += [_menu_row("rules.html", "The rules one by one", here, aside)] if book.rules else []
    rows.append(_menu_row("names.html", "Index of names", here, aside))
    heading = escape(title if title == book.title else f"{title} · {book.title}")
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{heading}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="color-scheme" content="light dark">\n<link rel="stylesheet" href="{STYLE}">\n</head>\n<body>\n'
        '<nav class="menu" aria-label="Chapters"><input type="checkbox" id="menu" aria-label="Show the chapters">\n'
        f'<label for="menu">{escape(book.title)}</label>\n<ul>\n{"".join(rows)}</ul></nav>\n'
        f"<main>\n{body}</main>\n</body>\n</html>\n"
    )


def _menu_row(page: str, name: str, here: str, aside: str) -> str:
    if page != here:
        return f'<li><a href="{page}">{escape(name)}</a></li>\n'
    return f'<li class="here"><a href="{page}" aria-current="page">{escape(name)}</a>{aside}</li>\n'


def _index(book: _Book) -> str:
    """The first page: modules, contents, the rules one by one, what is not modelled, and whether the examples hold."""
    front = f'<header class="front"><h1>{escape(book.title)}</h1>\n<p class="version">Version {escape(book.version)}</p></header>\n'
    parts = (_modules, _contents, _rules_by_group, _not_modelled, _tally)
    return _page(book, book.title, front + "".join(part(book) for part in parts), "index.html")


def _modules(book: _Book) -> str:
    modules = [e.node for c in book.chapters for e in c.entries if isinstance(e.node, d.Module)]
    if not modules:
        return ""
    out = ["<h2>Modules</h2>\n<p>Parts of the rules that are on or off in a campaign.</p>\n<ul class='modules'>\n"]
    for module in modules:
        usual = "played unless left out" if module.default else "left out unless chosen"
        out.append(f"<li>{book.setter.badge('with', module.name)} {escape(module.title)}, {usual}</li>\n")
    return "".join(out) + "</ul>\n"


def _contents(book: _Book) -> str:
    out = ["<h2>Contents</h2>\n<ol class='contents'>\n"]
    folder = ""
    for chapter in book.chapters:
        if chapter.folder != folder:
            folder = chapter.folder
            out.append(f'</ol>\n<h3 class="folder">{escape(spoken(folder))}</h3>\n<ol class="contents">\n')
        out.append(f'<li><a href="{chapter.page}">{escape(chapter.title)}</a>')
        if chapter.intro:
            out.append(f'<p class="intro">{book.setter.prose(chapter.intro)}</p>')
        titled = [s for s in chapter.sections if s.title]
        if titled:
            rows = ", ".join(f'<a href="{chapter.page}#{s.anchor}">{escape(s.title)}</a>' for s in titled)
            out.append(f'<p class="sections">{rows}</p>')
        out.append("</li>\n")
    return "".join(out) + "</ol>\n"


def _rules_by_group(book: _Book) -> str:
    if not book.rules:
        return ""
    told = "Every rule of the game in a few words, with what was decided where it is silent, and where it is set down here."
    out = [f"<h2>The rules one by one</h2>\n<p>{told}</p>\n"]
    marks = (one for one in (BASE, OWN) if one in book.links.origins.values())
    out += (f"<p>Rules marked {one.mark} are {one.told}.</p>\n" for one in marks)
    out.append('<ul class="groups">\n')
    for group, names in _groups(book.rules).items():
        out.append(f'<li><a href="rules.html#group-{group}">{escape(group)}</a> <small>{len(names)}</small></li>\n')
    return "".join(out) + "</ul>\n"


def _not_modelled(book: _Book) -> str:
    if not book.excused:
        return ""
    rows = (f"<dt>{book.setter.cite(rule)}</dt><dd>{escape(reason)}</dd>\n" for rule, reason in book.excused.items())
    return f"<h2>What is not modelled</h2>\n<dl class='excused'>\n{''.join(rows)}</dl>\n"


def _tally(book: _Book) -> str:
    if not book.results:
        return ""
    failed, tried = sum(not r.ok for r in book.results.values()), len(book.results)
    told = f"{failed} of {tried} lines in examples fail" if failed else f"All {tried} lines in examples hold"
    return f'<p class="tally {"bad" if failed else "good"}">{told}.</p>\n'


def _names(book: _Book) -> str:
    letters: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for name, meanings in sorted(book.known.names.items(), key=lambda x: x[0].lower()):
        for named in meanings:
            target = book.links.to(named)
            if target and named.word != "term":
                what = named.word if named.whole else f"{named.word} of {named.home.name}"
                letters[name[0].upper()].append(
                    (name, f'<li><a href="{target}">{escape(name)}</a> <small>{escape(what)}</small></li>\n')
                )
    out = ["<h1>Index of names</h1>\n<p class='letters'>"]
    out += [f'<a href="#letter-{x}">{x}</a> ' for x in letters]
    out.append("</p>\n")
    for letter, rows in letters.items():
        out.append(f'<h2 id="letter-{letter}">{letter}</h2>\n<ul class="names">\n{"".join(r for _, r in rows)}</ul>\n')
    return _page(book, "Index of names", "".join(out), "names.html")


def _groups(rules: Mapping[str, Any]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for rule in rules:
        groups.setdefault(rule.rpartition("-")[0], []).append(rule)
    return groups


def _rules(book: _Book) -> str:
    out = ["<h1>The rules one by one</h1>\n"]
    rows = []
    for group, names in _groups(book.rules).items():
        rows.append(f'<li><a href="#group-{group}">{escape(group)}</a></li>')
        out.append(f'<h2 id="group-{group}">{escape(group)}</h2>\n')
        for name in names:
            rule = book.rules[name]
            module = str(rule.get("module", ""))
            badge = f' <span class="badge">{escape(module)}</span>' if module in book.known.names else ""
            if name in book.links.origins:
                origin = book.links.origins[name]
                badge += f' <span class="badge own" title="{origin.told}">{origin.badge} {origin.mark}</span>'
            out.append(
                f'<article class="rule" id="{name}"><h3><span class="id">{name}</span> {escape(str(rule.get("title", "")))}{badge}</h3>\n'
            )
            out.append(f"<p>{book.setter.prose(str(rule.get('rule', '')))}</p>\n")
            if rule.get("ruling"):
                out.append(f'<p class="ruling"><b>Ruling.</b> {book.setter.prose(str(rule["ruling"]))}</p>\n')
            if name in book.excused:
                out.append(f'<p class="excuse"><b>Not modelled.</b> {escape(book.excused[name])}</p>\n')
            out += _where(book, "Set down in", book.written.get(name, ()))
            out += _where(book, "Examples", book.shown.get(name, ()))
            if name not in book.excused and not book.written.get(name) and not book.shown.get(name):
                out.append('<p class="where">Not set down yet.</p>\n')
            out.append("</article>\n")
    return _page(book, "The rules one by one", "".join(out), "rules.html", f"<ul>{''.join(rows)}</ul>")


def _where(book: _Book, said: str, entries: Iterable[Entry]) -> list[str]:
    links = [f'<a href="{book.links.place(e)}">{escape(e.title)}</a>' for e in entries]
    return [f'<p class="where">{said}: {", ".join(links)}</p>\n'] if links else []


# ---- a chapter -----------------------------------------------------------------------------------------------


def _chapter(book: _Book, number: int) -> str:
    chapter = book.chapters[number]
    out = [f"<h1>{escape(chapter.title)}</h1>\n"]
    if chapter.intro:
        out.append(f'<p class="intro">{book.setter.prose(chapter.intro)}</p>\n')
    rows = []
    for section in chapter.sections:
        if section.title:
            rows.append(f'<li><a href="#{section.anchor}">{escape(section.title)}</a></li>')
            out.append(f'<h2 id="{section.anchor}">{escape(section.title)}</h2>\n')
        out += _section(book, section)
    out.append(_turn(book, number))
    return _page(book, chapter.title, "".join(out), chapter.page, f"<ul>{''.join(rows)}</ul>" if rows else "")


def _turn(book: _Book, number: int) -> str:
    """The links to the pages before and after."""
    out = ['<nav class="turn" aria-label="Pages">']
    for step, before, behind in ((-1, "← ", ""), (1, "", " →")):
        if 0 <= number + step < len(book.chapters):
            other = book.chapters[number + step]
            out.append(f'<a href="{other.page}">{before}{escape(other.title)}{behind}</a>')
    return "".join(out) + "</nav>\n"


def _section(book: _Book, section: Section) -> list[str]:
    out = []
    for entry in section.entries:
        if isinstance(entry.node, d.Catalog):
            continue
        if entry.note:
            out.append(f'<p class="note">{book.setter.prose(entry.note)}</p>\n')
        out.append(_entry(book, entry))
    return out


def _entry(book: _Book, entry: Entry) -> str:
    node = entry.node
    setter = book.setter
    kind = "example" if isinstance(node, d.Example) else "text"
    state = setter.state(entry) if isinstance(node, d.Example) else ""
    badges = "".join(setter.badge(switch, name) for switch, name in node.guards)
    if isinstance(node, d.Module):
        badges += setter.badge("with", node.name)
    cites = setter.cites(node.cites) if not isinstance(node, d.NotModelled) else ""
    out = [f'<article class="{kind}{" " + state if state else ""}" id="{entry.anchor}">\n<header><h3>']
    head = setter.head(entry)
    said = f' <span class="head">{head}</span>' if head else ""
    title = f'<a class="self" href="#{entry.anchor}">{escape(entry.title)}</a>'
    out.append(f'<span class="kind">{escape(entry.word)}</span> {title}{said}{badges}</h3>{cites}</header>\n')
    out.append(setter.body(entry))
    out += _concerns(book, entry)
    out.append("</article>\n")
    return "".join(out)


def _concerns(book: _Book, entry: Entry) -> list[str]:
    """What changes a text, who reads it, and the examples of the rules that it cites."""
    if isinstance(entry.node, d.Example | d.NotModelled):
        return []
    rows = [row for named in entry.names for row in _changed_and_read(book, named, entry.node)]
    rows += _changes(book, entry.node)
    rows += _shown_by(book, entry.node)
    return [f"<footer>\n{''.join(rows)}</footer>\n"] if rows else []


def _changed_and_read(book: _Book, named: Named, node: d.Declaration) -> list[str]:
    """The rules that change what a text names, and what reads it."""
    stack = book.known.of(named)
    part = "" if named.whole else f" (<i>{escape(spoken(named.name))}</i>)"
    rows: list[str] = []
    for rule in stack.changes:
        badges = "".join(book.setter.badge(switch, module) for switch, module in rule.guards)
        rows.append(f'<p class="changed">{SAID[rule.relation.kind]}{part}: {_link(book, rule)}{badges}</p>\n')
    if named.whole and stack.readers and isinstance(node, d.Bodied | d.Table | d.Option):
        rows.append(f'<p class="where">Read by {", ".join(_named(book, x) for x in stack.readers)}</p>\n')
    return rows


def _changes(book: _Book, node: d.Declaration) -> list[str]:
    """What a rule changes."""
    if not isinstance(node, d.Rule) or node.relation.target is None:
        return []
    targets = [x.target.name for x in node.relation.each() if x.target is not None]
    changed = ", ".join(_named(book, x) for name in targets for x in book.known.names.get(name, ())[:1])
    return [f'<p class="where">Changes {changed}</p>\n']


def _shown_by(book: _Book, node: d.Declaration) -> list[str]:
    """The examples of the rules that a text cites."""
    cites = dict.fromkeys(c for c, _ in cited(node))
    examples = list({e.anchor: e for c in cites for e in book.shown.get(c, ())}.values())
    if not examples or not isinstance(node, d.Bodied | d.Table | d.Rule | d.Option):
        return []
    links = ", ".join(f'<a href="{book.links.place(e)}">{escape(e.title)}</a>' for e in examples)
    count = f"{len(examples)} example{'s' * (len(examples) > 1)}"
    return [f'<details class="where"><summary>{count}</summary><p>{links}</p></details>\n']


def _link(book: _Book, declaration: d.Declaration) -> str:
    return f'<a href="{book.links.declared(declaration)}">{escape(spoken(declaration.name))}</a>'


def _named(book: _Book, named: Named) -> str:
    target = book.links.to(named)
    return f'<a href="{target}">{escape(spoken(named.name))}</a>' if target else escape(spoken(named.name))
