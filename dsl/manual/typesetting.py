"""Typesetting: the lines, tables and examples of a rule text as phrases and blocks, with an address for every name and citation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest

import attrs

from dsl.data.map_data import void_letters
from dsl.data.table_cells import split_row
from dsl.manual import handbook_parts as h
from dsl.manual.addresses import Addresses, own_names
from dsl.manual.chapters import HandbookEntry
from dsl.manual.cross_references import mentions, word_of
from dsl.syntax import declarations as d
from dsl.syntax.format_columns import FIELD, NO_FIELD
from dsl.syntax.language_words import KEYWORDS
from dsl.syntax.text_lines import TextLine

_TOKEN = re.compile(r'"[^"]*"|[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*|\d[\d.:/]*|\s+|[^\sA-Za-z0-9"]+|.')
_GUARD = re.compile(r", (?:with|without) [\w-]+(?=[,:]|$)")
_BACKTICKS = re.compile(r"`([^`]+)`")


@attrs.frozen
class Setter:
    """Typesets texts.

    Attributes:
        titles: of the rules of the catalog.
        origins: of those that are not from the source.
        results: the result of each line of an example, by file and line.
    """

    addresses: Addresses
    titles: Mapping[str, str]
    origins: Mapping[str, h.Origin]
    results: Mapping[tuple[str, int], h.Result]

    # ---- small things
    def cite(self, rule: str, said: str = "") -> h.Cite:
        """A rule of the catalog; said: the part of its id that is shown."""
        return h.Cite(rule, said or rule, self.titles.get(rule), self.origins.get(rule))

    def cites(self, rules: Iterable[str]) -> tuple[h.Cite, ...]:
        """Several rules; of those in one group only the first with its full id."""
        shown, group = [], ""
        for rule in rules:
            before, group = group, rule.rpartition("-")[0]
            shown.append(self.cite(rule, rule.removeprefix(group) if group and group == before else rule))
        return tuple(shown)

    def switch(self, switch: str, module: str) -> h.Switch:
        """A module that must be on (`with`) or off (`without`)."""
        return h.Switch(module, switch == "with", self.addresses.word(module))

    def prose(self, text: str) -> h.Phrase:
        """A remark or a rule in words; text in backticks becomes a link if it is a name."""
        out = []
        for place, part in enumerate(_BACKTICKS.split(text)):
            target = self.addresses.word(part) if place % 2 else None
            if part:
                out.append(h.Piece(("name" if target else "code") if place % 2 else "plain", part, target))
        return tuple(out)

    def words(self, text: str, node: d.Declaration) -> h.Phrase:
        """Words of the language: keywords, names with their addresses, texts in quotes."""
        own, used = own_names(node), mentions(node)
        elsewhere = {} if " orders " in text or " may " in text else self.addresses.words_for(node)
        out: list[tuple[str, str, h.Address | None]] = []
        for token in _TOKEN.findall(text):
            target = elsewhere.get(token, self.addresses.word(token)) if token in used and token not in own else None
            if token.startswith('"'):
                out.append(("quoted", token[1:-1], None))
            elif token in own:
                out.append(("own", token, None))
            elif target:
                out.append(("name", token, target))
            elif token in KEYWORDS:
                before = ""
                if len(out) > 1 and out[-2][0] == "keyword" and out[-1][0] == "plain" and not out[-1][1].strip(" "):
                    before = out[-2][1] + out[-1][1]
                    del out[-2:]
                out.append(("keyword", before + token, None))
            else:
                before = out.pop()[1] if out and out[-1][0] == "plain" else ""
                out.append(("plain", before + token, None))
        return tuple(h.Piece(*one) for one in out)

    def holds(self, entry: HandbookEntry) -> bool | None:
        """Whether an example passes, if it was run."""
        found = [r for n in entry.lines if (r := self._result(entry, n)) is not None]
        return all(r.ok for r in found) if found else None

    def _result(self, entry: HandbookEntry, line: TextLine) -> h.Result | None:
        return self.results.get((entry.node.span.file, line.number + 1))

    # ---- a declaration
    def head(self, entry: HandbookEntry) -> h.Phrase:
        """The rest of the first line after the name: arguments, what it is bound to, what it changes."""
        node = entry.node
        if isinstance(node, d.Example | d.System | d.Enum | d.Group | d.Option | d.Module | d.NotModelled):
            return ()
        text = _GUARD.sub("", _joined(entry.lines)[0].text.rstrip(":").rstrip())
        if isinstance(node, d.Table):
            text = text.removesuffix(", exactly one row")
        text = text.removeprefix(f"{word_of(node)} {node.name}").strip()
        if isinstance(node, d.Map | d.Scenario):
            text = text.removeprefix(f'"{node.title}"').strip()
        return self.words(text.removeprefix(", "), node)

    def blocks(self, entry: HandbookEntry) -> Iterator[h.Block]:
        """Everything below the heading of a declaration."""
        node = entry.node
        match node:
            case d.Enum():
                yield h.Terms(node.title, node.ordered, tuple((t.word, t.title) for t in node.terms))
            case d.Group() if node.of:
                yield h.SetLine(1, (*self.words(node.of, node), h.Piece("plain", f": {', '.join(node.words)}")))
            case d.Group():  # of kinds, each with a text of its own
                yield h.SetLine(1, self.words(", ".join(node.words), node))
                yield from self._lines(entry)
            case d.Option():
                yield h.OptionWords(node.name, tuple(node.terms), node.default)
            case d.Module():
                yield h.Modular(node.default, tuple(node.needs), tuple(node.excludes))
            case d.NotModelled() | d.System():
                pass
            case _:
                yield from self._lines(entry)

    def _lines(self, entry: HandbookEntry) -> Iterator[h.Block]:
        """The lines of a text, tables as tables."""
        lines = _joined(entry.lines)
        i = 1
        while i < len(lines):
            line = lines[i]
            if line.kind == "row":
                yield self._table(entry.node, [x for x in lines[i:] if x.block == line.block and x.kind == "row"])
                i += sum(1 for x in lines[i:] if x.block == line.block)
            else:
                yield self._line(entry, line)
                i += 1

    def _line(self, entry: HandbookEntry, line: TextLine) -> h.SetLine:
        if line.kind == "remark":
            return h.SetLine(line.level, (), remark=self._remark(line.text))
        text, field = line.text, ""
        found = FIELD.match(text) if isinstance(entry.node, d.Kind | d.Rating | d.Group) else None
        if found is not None and not NO_FIELD.match(text):
            field, text = found.groups()
        remark = self._remark(line.remark) if line.remark else ()
        cites = self.cites(_rules_of(line.cite))
        return h.SetLine(line.level, self.words(text, entry.node), field, remark, cites, self._result(entry, line))

    def _remark(self, text: str) -> h.Phrase:
        return self.prose(text.removeprefix("--").strip())

    def _table(self, node: d.Declaration, rows: Sequence[TextLine]) -> h.Block:
        """Rows with bars as a table; a map's letters as they are drawn."""
        if rows[0].opener.startswith("grid") or (isinstance(node, d.Map) and rows[0].text[:1].isdigit()):
            return h.Letters(tuple(_drawn_row(node, r.text) for r in rows))
        (left, right), *split = [split_row(r.text) for r in rows]
        axes = None
        if isinstance(node, d.Table) and len(node.keys) == 2 and len(left) == 1 and right is not None:
            axes = left[0], node.keys[node.keys[0] == left[0]]
        heading = self._heading(left, node), None if right is None else self._heading(right, node)
        keys = ([k for k, _ in zip_longest(keys, left, fillvalue="")] for keys, _ in split)
        return h.PrintedTable(
            axes, heading, tuple((_cells(k), _cells(own or ())) for k, (_, own) in zip(keys, split, strict=True))
        )

    def _heading(self, cells: Sequence[str], node: d.Declaration) -> h.Phrase:
        looked_up = [self.addresses.word(c) if isinstance(node, d.Table) else None for c in cells]
        return tuple(attrs.evolve(c, address=a) for c, a in zip(_cells(cells), looked_up, strict=True))


def _cells(cells: Sequence[str]) -> h.Phrase:
    """Cells as they are printed: an absent value is a dash, factors have a proper sign."""
    return tuple(h.Piece("plain", "–" if c in {"--", "—"} else re.sub(r"^x(?=\d)", "×", c)) for c in cells)


def _rules_of(cite: str) -> list[str]:
    """The rules of a citation: `[A-B-01, -02]` are A-B-01 and A-B-02."""
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
    """The lines, with continuations joined to the lines that they continue."""
    out: list[TextLine] = []
    for line in lines:
        if line.goes_on and out and line.kind == "code":
            out[-1] = attrs.evolve(out[-1], text=f"{out[-1].text} {line.text}".strip(), cite=line.cite or out[-1].cite)
        elif line.kind != "blank":
            out.append(line)
    return out
