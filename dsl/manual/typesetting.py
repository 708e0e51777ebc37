"""Setting: the lines, tables and examples of a rule text as HTML, every name and citation linked."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import zip_longest

import attrs

from dsl.data.map_data import void_letters
from dsl.data.table_cells import split_row
from dsl.manual.chapters import Chapter, Entry, slug, spoken
from dsl.manual.cross_references import Named, Stacks, mentions, word_of
from dsl.rules.chains import nodes_in
from dsl.rules.ruleset import plural_of
from dsl.syntax import declarations as d
from dsl.syntax import lines as ln
from dsl.syntax.format_columns import FIELD, NO_FIELD
from dsl.syntax.text_lines import TextLine
from dsl.syntax.words import KEYWORDS

__all__ = ["Links", "Result", "Setter", "slug", "spoken"]

_TOKEN = re.compile(r'"[^"]*"|[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*|\d[\d.:/]*|\s+|[^\sA-Za-z0-9"]+|.')
_GUARD = re.compile(r", (?:with|without) [\w-]+(?=[,:]|$)")
_BACKTICKS = re.compile(r"`([^`]+)`")
_HELD = ("value", "status", "order", "procedure", "path", "table", "sequence", "setup")


@attrs.frozen(slots=True)
class Origin:
    """Where a rule is from, if not from the source.

    Attributes:
        mark: stands behind its name wherever it is cited.
        badge: a word or two for the list of all rules.
        told: what the mark says.
    """

    mark: str
    badge: str
    told: str


OWN = Origin("°", "our own", "our own: the source has no such rule")
BASE = Origin("†", "base game", "of the base game that the source builds on, in words of our own")
ORIGINS = {"base": BASE}
"""By the word that the catalog has for it; every other word but `source` is our own."""


@attrs.frozen(slots=True)
class Result:
    """What came of a line of an example. value: what came out, printed; told: what is wrong, or ""."""

    ok: bool
    value: str = ""
    told: str = ""


class Links:
    """Where everything stands: addresses of declarations, names and rules of the catalog.

    Attributes:
        rules: their titles.
        origins: where those are from that no source has.
    """

    def __init__(
        self, chapters: Sequence[Chapter], known: Stacks, rules: Mapping[str, str], origins: Mapping[str, Origin]
    ) -> None:
        self.rules = rules
        self.origins = origins
        self._places = {id(e.node): f"{e.page}#{e.anchor}" for c in chapters for e in c.entries}
        self._words: dict[str, str] = {}
        self._set: dict[str, dict[str, str]] = {}
        for x in (x.home for meanings in known.names.values() for x in meanings if x.word == "procedure"):
            self._set[x.name] = dict.fromkeys(_own_names(x), self.declared(x))
        for name, meanings in known.names.items():
            target = self._chosen(meanings)
            if target:
                self._words[name] = target
                if any(isinstance(x.home, d.Kind) and x.whole for x in meanings):
                    self._words.setdefault(
                        next(x.home.plural for x in meanings if isinstance(x.home, d.Kind)) or plural_of(name), target
                    )

    def place(self, entry: Entry) -> str:
        """The address of a declaration."""
        return f"{entry.page}#{entry.anchor}"

    def declared(self, declaration: d.Declaration) -> str:
        """The address of a declaration by its node, or ""."""
        return self._places.get(id(declaration), "")

    def to(self, named: Named) -> str:
        """The address of a name: of its own text, or of the text it stands in."""
        return self.declared(named.home)

    def word(self, word: str) -> str:
        """The address of what a word most likely means, or ""."""
        return self._words.get(word, "")

    def words_for(self, node: d.Declaration) -> dict[str, str]:
        """Where the words of a text lead that mean something else there: the names that a procedure sets.

        A value bound to a procedure reads its names; of an example it is not clear which procedure will run.
        """
        if isinstance(node, d.Example):
            return {word: "" for names in self._set.values() for word in names}
        bound = node.bound if isinstance(node, d.Bodied) else None
        return self._set.get(bound or "", {})

    def _chosen(self, meanings: Sequence[Named]) -> str:
        """A text of its own before a field, a field before a word; nothing where several fields have the name."""
        whole = [x for x in meanings if x.whole]
        if whole:
            return self.to(min(whole, key=lambda x: (x.word not in _HELD, x.span)))
        inner = [x for x in meanings if x.word != "term"] or list(meanings)
        homes = {id(x.home) for x in inner}
        return self.to(inner[0]) if len(homes) == 1 else ""


class Setter:
    """Sets texts. results: what came of each line of an example, by file and line; pictures: of maps, by their names."""

    def __init__(
        self, links: Links, results: Mapping[tuple[str, int], Result], pictures: Mapping[str, str] | None = None
    ) -> None:
        self.links, self.results, self.pictures = links, results, pictures or {}

    # ---- small things
    def cite(self, rule: str, said: str = "") -> str:
        """A rule of the catalog, linked; said: how much of its name is shown."""
        title = self.links.rules.get(rule)
        if title is None:
            return f"<span class='cite'>{escape(said or rule)}</span>"
        origin = self.links.origins.get(rule)
        full = f"{title} ({origin.told})" if origin else title
        shown = f"{escape(said or rule)}{origin.mark if origin else ''}"
        return f'<a class="cite" href="rules.html#{rule}" title="{escape(full)}">{shown}</a>'

    def cites(self, rules: Iterable[str]) -> str:
        """Several rules, in the margin; of those of one group only the first with its whole name."""
        shown, group = [], ""
        for rule in rules:
            before, group = group, rule.rpartition("-")[0]
            shown.append(self.cite(rule, rule.removeprefix(group) if group and group == before else rule))
        return f'<span class="cites">{", ".join(shown)}</span>' if shown else ""

    def badge(self, switch: str, module: str) -> str:
        """The mark of a module."""
        said = module.replace("-", " ") if switch == "with" else f"without {module.replace('-', ' ')}"
        target = self.links.word(module)
        inner = escape(said)
        return f' <a class="badge" href="{target}">{inner}</a>' if target else f' <span class="badge">{inner}</span>'

    def prose(self, text: str) -> str:
        """A remark or a rule in words; what stands in backticks is linked."""

        def link(found: re.Match[str]) -> str:
            target = self.links.word(found[1])
            return f'<a class="name" href="{target}">{found[1]}</a>' if target else f"<code>{found[1]}</code>"

        return _BACKTICKS.sub(link, escape(text, quote=False))

    def words(self, text: str, node: d.Declaration) -> str:
        """Words of the language: keywords quiet, names linked, texts in quotes as they are spoken."""
        own = _own_names(node)
        used = mentions(node)
        elsewhere = {} if " orders " in text or " may " in text else self.links.words_for(node)
        out = []
        for token in _TOKEN.findall(text):
            target = elsewhere.get(token, self.links.word(token)) if token in used and token not in own else ""
            if token.startswith('"'):
                out.append(f"<q>{escape(token[1:-1])}</q>")
            elif token in own:
                out.append(f"<var>{escape(token)}</var>")
            elif target:
                out.append(f'<a class="name" href="{target}">{escape(token)}</a>')
            elif token in KEYWORDS:
                out.append(f'<span class="k">{token}</span>')
            else:
                out.append(escape(token))
        return re.sub(r'</span>( +)<span class="k">', r"\1", "".join(out))

    def state(self, entry: Entry) -> str:
        """Whether an example holds: good, bad, or "" when it was not run."""
        found = [r for n in entry.lines if (r := self._result(entry, n)) is not None]
        return "" if not found else "good" if all(r.ok for r in found) else "bad"

    def _result(self, entry: Entry, line: TextLine) -> Result | None:
        return self.results.get((entry.node.span.file, line.number + 1))

    # ---- a declaration
    def body(self, entry: Entry) -> str:
        """Everything below the heading of a declaration."""
        node = entry.node
        match node:
            case d.Enum():
                return self._terms(node)
            case d.Group():
                if not node.of:  # of kinds, each of which has a text of its own
                    kinds = f"<p class='line'><span>{self.words(', '.join(node.words), node)}</span></p>\n"
                    return kinds + self._lines(entry)
                return f"<p class='line'><span>{self.words(node.of, node)}: {', '.join(escape(w) for w in node.words)}</span></p>\n"
            case d.Option():
                return self._option(node)
            case d.Module():
                return self._module(node)
            case d.System():
                return f"<p>Version {escape(node.version)}</p>\n"
            case d.NotModelled():
                return f"<p>{escape(node.reason)}</p>\n{self.cites(node.cites)}"
            case _:
                return self._lines(entry)

    def _terms(self, node: d.Enum) -> str:
        title = f"<p>{escape(node.title)}</p>\n" if node.title else ""
        if any(t.title for t in node.terms):
            rows = "".join(f"<dt>{escape(t.word)}</dt><dd>{escape(t.title)}</dd>" for t in node.terms)
            return f'{title}<dl class="terms{" rising" if node.ordered else ""}">{rows}</dl>\n'
        sign = ' <span class="k">&lt;</span> ' if node.ordered else ", "
        return f'{title}<p class="line"><span>{sign.join(escape(t.word) for t in node.terms)}</span></p>\n'

    def _option(self, node: d.Option) -> str:
        rows = []
        for term in node.terms:
            usual = term == node.default
            rows.append(
                f"<li{' class=usual' if usual else ''}>{escape(term.replace('-', ' '))}{' <small>unless chosen otherwise</small>' if usual else ''}</li>"
            )
        return f'<p class="line"><code>{escape(node.name)}</code></p>\n<ul class="choices">{"".join(rows)}</ul>\n'

    def _module(self, node: d.Module) -> str:
        told = [f"{'On' if node.default else 'Off'} unless a scenario or the organizer says otherwise."]
        if node.needs:
            told.append(f"Needs {', '.join(node.needs)}.")
        if node.excludes:
            told.append(f"Not together with {', '.join(node.excludes)}.")
        return f"<p>{' '.join(escape(x) for x in told)}</p>\n"

    def _lines(self, entry: Entry) -> str:
        """The lines of a text, tables as tables."""
        out: list[str] = []
        if isinstance(entry.node, d.Map) and (picture := self.pictures.get(entry.node.name)):
            out.append(f'<div class="scroll picture" tabindex="0">{picture}</div>\n')
        lines = _joined(entry.lines)
        i = 1
        while i < len(lines):
            line = lines[i]
            if line.kind == "row":
                block = [x for x in lines[i:] if x.block == line.block and x.kind == "row"]
                out.append(self._table(entry, block))
                i += sum(1 for x in lines[i:] if x.block == line.block)
            else:
                out.append(self._line(entry, line))
                i += 1
        return "".join(out)

    def head(self, entry: Entry) -> str:
        """What the first line says beyond the name: arguments, what it is bound to, what it changes."""
        node = entry.node
        if isinstance(node, d.Example | d.System | d.Enum | d.Group | d.Option | d.Module | d.NotModelled):
            return ""
        text = _GUARD.sub("", _joined(entry.lines)[0].text.rstrip(":").rstrip())
        if isinstance(node, d.Table):
            text = text.removesuffix(", exactly one row")
        text = text.removeprefix(f"{word_of(node)} {node.name}").strip()
        if isinstance(node, d.Map | d.Scenario):
            text = text.removeprefix(f'"{node.title}"').strip()
        return self.words(text.removeprefix(", "), node)

    def _line(self, entry: Entry, line: TextLine) -> str:
        level = f' style="--level:{line.level - 1}"' if line.level > 1 else ""
        if line.kind == "remark":
            return (
                f'<p class="line remark"{level}><span>{self.prose(line.text.removeprefix("--").strip())}</span></p>\n'
            )
        result = self._result(entry, line)
        css, came = "line", ""
        if result is not None:
            css += " good" if result.ok else " bad"
            said = escape(result.value) if result.ok else escape(result.told or result.value or "no")
            came = f'<output>{said} <span aria-hidden="true">{"✓" if result.ok else "✗"}</span></output>'
        remark = (
            f' <span class="remark">{self.prose(line.remark.removeprefix("--").strip())}</span>' if line.remark else ""
        )
        cites = self.cites(_rules_of(line.cite))
        text, field = line.text, ""
        found = FIELD.match(text) if isinstance(entry.node, d.Kind | d.Rating | d.Group) else None
        if found is not None and not NO_FIELD.match(text):
            name, text = found.groups()
            field = f'<b class="field">{escape(name)}</b> '
        return f'<p class="{css}"{level}><span>{field}{self.words(text, entry.node)}{remark}</span>{came}{cites}</p>\n'

    def _table(self, entry: Entry, rows: Sequence[TextLine]) -> str:
        """Rows with bars as a table; a map's letters as they are drawn."""
        if rows[0].opener.startswith("grid") or (isinstance(entry.node, d.Map) and rows[0].text[:1].isdigit()):
            return self._letters(entry.node, rows)
        (left, right), *split = [split_row(r.text) for r in rows]
        node, other = entry.node, None
        if isinstance(node, d.Table) and len(node.keys) == 2 and len(left) == 1 and right is not None:
            other = next((k for k in node.keys if k != left[0]), "")
        out = [f'<div class="scroll"><table{" class=across" if other is not None else ""}>\n']
        if other is not None:
            out.append(f"<caption>{escape(left[0])} down, {escape(other)} along the top</caption>\n")
        out.append("<thead><tr>" + self._cells(left, "th", "key", node, heading=True))
        out.append(self._cells(right or (), "th", "result", node, heading=True) + "</tr></thead>\n<tbody>\n")
        tag = "th" if right is not None else "td"
        for keys, cells in split:
            said = self._cells([k for k, _ in zip_longest(keys, left, fillvalue="")], tag, "key", node)
            out.append(f"<tr>{said}{self._cells(cells or (), 'td', 'result', node)}</tr>\n")
        return "".join(out) + "</tbody></table></div>\n"

    def _letters(self, node: d.Declaration, rows: Sequence[TextLine]) -> str:
        """A map as it is written, in letters; folded away where there is a picture of it."""
        letters = f'<pre class="grid">{escape(chr(10).join(_drawn_row(node, r.text) for r in rows))}</pre>\n'
        if not (isinstance(node, d.Map) and node.name in self.pictures):
            return letters
        return f"<details class='letters'><summary>In letters</summary>\n{letters}</details>\n"

    def _cells(self, cells: Sequence[str], tag: str, css: str, node: d.Declaration, *, heading: bool = False) -> str:
        out = []
        for i, cell in enumerate(cells):
            shown = "–" if cell in {"--", "—"} else _unbroken(escape(_times(cell)))
            target = self.links.word(cell) if heading and isinstance(node, d.Table) else ""
            shown = f'<a class="name" href="{target}">{shown}</a>' if target else shown
            edge = " edge" if css == "result" and i == 0 else ""
            out.append(f'<{tag} class="{css}{edge}">{shown}</{tag}>')
        return "".join(out)


def _times(cell: str) -> str:
    """Factors with a proper sign."""
    return re.sub(r"^x(?=\d)", "×", cell)


def _unbroken(cell: str) -> str:
    """A cell whose words are not parted at their hyphens where the table is wide.

    >>> _unbroken("4 lmg-gunner")
    '4 <span class="whole">lmg-gunner</span>'
    """
    return re.sub(r"\w+(?:-\w+)+", lambda m: f'<span class="whole">{m[0]}</span>', cell)


def _rules_of(cite: str) -> list[str]:
    """The rules that a citation names: `[A-B-01, -02]` are A-B-01 and A-B-02."""
    out: list[str] = []
    for part in cite.strip("[]").replace(" ", "").split(",") if cite else []:
        out.append(out[-1].rpartition("-")[0] + part if part.startswith("-") and out else part)
    return out


def _drawn_row(node: d.Declaration, text: str) -> str:
    """A row of a map's letters, blank where there is no place."""
    void = void_letters(node) if isinstance(node, d.Map) else set()
    head, bar, letters = text.partition("|")
    return head + bar + (" ".join(" " * len(x) if x in void else x for x in letters.split(" ")) if void else letters)


def _joined(lines: Iterable[TextLine]) -> list[TextLine]:
    """The lines with those that go on put to the line they continue."""
    out: list[TextLine] = []
    for line in lines:
        if line.goes_on and out and line.kind == "code":
            out[-1] = attrs.evolve(out[-1], text=f"{out[-1].text} {line.text}".strip(), cite=line.cite or out[-1].cite)
        elif line.kind != "blank":
            out.append(line)
    return out


@functools.lru_cache(maxsize=8192)
def _own_names(node: d.Declaration) -> frozenset[str]:
    """The names that a text gives itself: its arguments, its `let` lines, what is chosen and rolled in it."""
    found: set[str] = set()
    for x in nodes_in(node):
        match x:
            case d.Param():
                found.add(x.name)
            case ln.Let() | ln.ForEach() | ln.Put() | ln.Choose() | ln.Rolls() | ln.Draws():
                found.add(x.name)
            case ln.EachChooses() | ln.EachRolls():
                found |= {x.item, x.name}
    return frozenset(found)
