"""Chapters: the files of a system split up for readers, in a readable order."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

import attrs

from dsl.manual.cross_references import Named, Stacks, mentions, named_in, word_of
from dsl.rules.chains import nodes_in
from dsl.syntax import body_lines as ln
from dsl.syntax import declarations as d
from dsl.syntax.text_lines import TextLine, levelled
from dsl.text.source import SourceFile

MOST_WORDS = 5
"""A first remark with at most this many words before a colon is the title of its chapter."""
_HEADING = re.compile(r"-- -{2,} (.*?) ?-*$")


@attrs.frozen(slots=True)
class HandbookEntry:
    """One declaration with its lines. note: the remark before it; names: the names that it defines."""

    node: d.Declaration
    lines: tuple[TextLine, ...]
    note: str
    page: str
    anchor: str
    title: str
    word: str
    names: tuple[Named, ...]


@attrs.define(slots=True)
class Section:
    """Declarations under one heading."""

    title: str
    anchor: str
    entries: list[HandbookEntry] = attrs.field(factory=list)


@attrs.define(slots=True)
class HandbookChapter:
    """One file, with the examples that belong to it. intro: its first remark."""

    file: str
    title: str
    folder: str
    page: str
    intro: str
    sections: list[Section]

    @property
    def entries(self) -> list[HandbookEntry]:
        """All its declarations."""
        return [e for s in self.sections for e in s.entries]


def chapters(
    declarations: Sequence[d.Declaration], files: Mapping[str, SourceFile], known: Stacks
) -> list[HandbookChapter]:
    """The chapters in order: the game, its rules from the basics up, then lists, maps and scenarios."""
    by_file: dict[str, list[d.Declaration]] = {name: [] for name in files}
    for x in declarations:
        by_file[x.span.file].append(x)
    anchors: Counter[str] = Counter()
    found = {name: _chapter(files[name], own, anchors) for name, own in by_file.items() if own}
    texts = [n for n in found if not _only_examples(by_file[n])]
    out = [found[n] for n in _in_order(texts, by_file, known)]
    for name in sorted(set(found) - set(texts), key=lambda one: (one.rpartition("/")[0], _stem(one))):
        short = _stem(name).removeprefix("examples-")
        homes = [c for c in out if short == _stem(c.file) or short.startswith(f"{_stem(c.file)}-")]
        if homes:
            home = max(homes, key=lambda c: len(_stem(c.file)))
            _append_examples(home, found[name], short.removeprefix(_stem(home.file)).strip("-"))
        else:
            out.insert(sum(not c.folder for c in out), found[name])
    return out


def _stem(file: str) -> str:
    """The name of a file without its folder: `scenarios/raid.rules` is raid."""
    return file.rpartition("/")[2].removesuffix(".rules")


def spoken(name: str) -> str:
    """A name as a title: `present-strength` is Present strength.

    >>> spoken("present-strength")
    'Present strength'
    """
    return name[:1].upper() + name[1:].replace("-", " ")


def slug(text: str) -> str:
    """A text as a part of an address.

    >>> slug("U-1: what, now?")
    'u-1-what-now'
    """
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "x"


def _chapter(file: SourceFile, declarations: Sequence[d.Declaration], anchors: Counter[str]) -> HandbookChapter:
    stem = file.name.removesuffix(".rules")
    page = slug(stem) if slug(stem) not in {"index", "rules", "names"} else f"{slug(stem)}-chapter"
    at = {x.span.line - 1: x for x in declarations}
    sections = [Section("", "")]
    lines = levelled(file.text)
    intro: list[str] = []
    notes: list[str] = []
    taken: list[TextLine] = []
    node: d.Declaration | None = None

    def close() -> None:
        if node is not None:
            sections[-1].entries.append(_entry(node, tuple(taken), " ".join(notes), page, anchors))
            notes.clear()
        taken.clear()

    waiting: list[str] = []
    for line in lines:
        if line.number in at:
            close()
            node, notes[:], waiting = at[line.number], waiting, []
            taken.append(line)
        elif line.kind == "remark" and line.level == 0:
            heading = _HEADING.match(line.text)
            if heading:
                close()
                node = None
                sections.append(
                    Section(heading[1][:1].upper() + heading[1][1:], _unique(f"section-{slug(heading[1])}", anchors))
                )
            elif node is None and len(sections) == 1 and not taken:
                intro.append(line.text.removeprefix("--").strip())
            else:
                waiting.append(line.text.removeprefix("--").strip())
        elif line.kind == "blank":
            continue
        else:
            taken.append(line)
    close()
    title, told = _titled(stem, " ".join(intro), declarations)
    return HandbookChapter(file.name, title, stem.rpartition("/")[0], page, told, [s for s in sections if s.entries])


def _titled(stem: str, intro: str, declarations: Sequence[d.Declaration]) -> tuple[str, str]:
    """A chapter's title and the rest of its first remark: `The battle: who fights …` gives both."""
    name = spoken(stem.rpartition("/")[2])
    if any(isinstance(x, d.System) for x in declarations):
        return "The game", intro
    if _only_examples(declarations):
        return f"Examples: {spoken(name.removeprefix('Examples '))}", intro
    if len(declarations) == 1 and isinstance(declarations[0], d.Map | d.Scenario):
        return declarations[0].title or name, intro
    lead, colon, rest = intro.partition(": ")
    if colon and len(lead.split()) <= MOST_WORDS:
        return lead, rest[:1].upper() + rest[1:]
    return name, intro


def _entry(
    node: d.Declaration, lines: tuple[TextLine, ...], note: str, page: str, anchors: Counter[str]
) -> HandbookEntry:
    word = word_of(node)
    title = spoken(node.name)
    if isinstance(node, d.System | d.Module | d.Option | d.Map | d.Scenario) and node.title:
        title = node.title
    elif isinstance(node, d.Example):
        title = node.name
    elif isinstance(node, d.NotModelled):
        title = ", ".join(node.cites)
    anchor = _unique(f"{slug(word)}-{slug(node.name or title)}", anchors)
    return HandbookEntry(node, lines, note, page, anchor, title, word, tuple(named_in(node)))


def _unique(anchor: str, anchors: Counter[str]) -> str:
    anchors[anchor] += 1
    return anchor if anchors[anchor] == 1 else f"{anchor}-{anchors[anchor]}"


def _only_examples(declarations: Sequence[d.Declaration]) -> bool:
    return all(isinstance(x, d.Example) for x in declarations)


def _append_examples(home: HandbookChapter, examples: HandbookChapter, about: str) -> None:
    """Appends a file of examples to the chapter that they illustrate. about: their subject, if there are several such files."""
    entries = [attrs.evolve(e, page=home.page) for e in examples.entries]
    title = f"Examples: {spoken(about).lower()}" if about else "Examples"
    home.sections.append(Section(title, f"examples-{slug(f'{home.title} {about}')}", entries))


def _in_order(texts: Sequence[str], by_file: Mapping[str, Sequence[d.Declaration]], known: Stacks) -> list[str]:
    """Rule files so that each follows those that it reads most from, the front matter first; then other folders."""
    homes = {n: {x.home.span.file for x in found} for n, found in known.names.items()}
    reads: dict[str, Counter[str]] = {}
    for name in texts:
        words = Counter(w for x in by_file[name] if not isinstance(x, d.Example) for w in mentions(x))
        reads[name] = Counter()
        for word, count in words.items():
            for home in homes.get(word, set()) - {name}:
                reads[name][home] += count

    offered = _offered(by_file)

    def rank(name: str) -> tuple[str, int, int]:
        """Folders separately; the front matter, the data, the turn, its orders in order, the rest, modules, automated sides."""
        own = by_file[name]
        optional = sum(any(switch == "with" for switch, _ in x.guards) for x in own)
        folder = name.rpartition("/")[0]
        orders = [offered.index(x.name) for x in own if word_of(x) == "order" and x.name in offered]
        if any(isinstance(x, d.System) for x in own):
            return folder, 0, 0
        if any(x.name.startswith("appeal-of-") for x in own):
            return folder, 6, 0
        if 2 * optional > len(own) or any(isinstance(x, d.Module) for x in own):
            return folder, 5, 0
        if any(isinstance(x, d.Kind) and x.word in {"unit", "place"} for x in own):
            return folder, 1, 0
        if any(word_of(x) == "sequence" for x in own):
            return folder, 2, 0
        return (folder, 3, min(orders)) if orders else (folder, 4, 0)

    out: list[str] = []
    left = sorted(texts, key=lambda n: (rank(n), n))
    while left:
        first = rank(left[0])
        alike = [n for n in left if rank(n) == first]
        best = min(alike, key=lambda n: (sum(reads[n][x] for x in alike) - sum(reads[x][n] for x in alike), n))
        left.remove(best)
        out.append(best)
    return out


def _offered(by_file: Mapping[str, Sequence[d.Declaration]]) -> list[str]:
    """The orders in the order in which the turn offers them."""
    turns = [x for own in by_file.values() for x in own if isinstance(x, d.Bodied) and x.word == "sequence"]
    windows = sorted((x for turn in turns for x in nodes_in(turn) if isinstance(x, ln.May)), key=lambda x: x.span)
    return [order for window in windows for order in window.orders]
