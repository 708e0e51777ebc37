"""A handbook: all that the rules of a system tell a reader, as data. How it looks is settled by who makes pages of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import attrs


@attrs.frozen(slots=True)
class Address:
    """Where something is told: a page, and the anchor of a text on it."""

    page: str
    anchor: str


@attrs.frozen(slots=True)
class Pointer:
    """A title that leads to its text; address: None where no page has that."""

    title: str
    address: Address | None


@attrs.frozen(slots=True)
class Piece:
    """A part of a line. kind: plain, keyword, name (it leads to its address), own (the text gives itself that name), quoted or code."""

    kind: str
    text: str
    address: Address | None = None


Phrase = tuple[Piece, ...]


@attrs.frozen(slots=True)
class Origin:
    """Where a rule is from, if not from the source. mark: stands behind its name wherever it is cited; badge, told: what that says."""

    mark: str
    badge: str
    told: str


OWN = Origin("°", "our own", "our own: the source has no such rule")
BASE = Origin("†", "base game", "from the base game that the source builds on, in our own words")
ORIGINS = {"base": BASE}
"""By the word that the catalog has for it; every other word but `source` is our own."""


@attrs.frozen(slots=True)
class Cite:
    """A rule that is cited. said: as much of its id as is shown; title: None where the catalog has no such rule."""

    rule: str
    said: str
    title: str | None
    origin: Origin | None


@attrs.frozen(slots=True)
class Switch:
    """A module that must be on, or off, for a text to hold."""

    module: str
    on: bool
    address: Address | None


@attrs.frozen(slots=True)
class Result:
    """What came of a line of an example. value: what came out, printed; told: what is wrong, or ""."""

    ok: bool
    value: str = ""
    told: str = ""


# ---- what texts are made of: `kind` says which of these it is
@attrs.frozen(slots=True)
class SetLine:
    """A line of a text. field: what it declares, or ""; remark: what stands behind it, or alone."""

    kind: ClassVar = "line"
    level: int
    words: Phrase
    field: str = ""
    remark: Phrase = ()
    cites: tuple[Cite, ...] = ()
    result: Result | None = None


@attrs.frozen(slots=True)
class PrintedTable:
    """A table. axes: of one that is read across, what goes down and along the top; a heading without results is no look-up's."""

    kind: ClassVar = "table"
    axes: tuple[str, str] | None
    heading: tuple[Phrase, Phrase | None]
    rows: tuple[tuple[Phrase, Phrase], ...]


@attrs.frozen(slots=True)
class Letters:
    """A map as it is written."""

    kind: ClassVar = "letters"
    rows: tuple[str, ...]


@attrs.frozen(slots=True)
class Terms:
    """Phrase with what they mean, or "". rising: whether they are a scale."""

    kind: ClassVar = "terms"
    title: str
    rising: bool
    terms: tuple[tuple[str, str], ...]


@attrs.frozen(slots=True)
class OptionWords:
    """The words of an option, and the one that is usual."""

    kind: ClassVar = "choices"
    name: str
    words: tuple[str, ...]
    usual: str


@attrs.frozen(slots=True)
class Modular:
    """Of a module: whether it is usually on, and what it goes with."""

    kind: ClassVar = "modular"
    usual: bool
    needs: tuple[str, ...]
    excludes: tuple[str, ...]


Block = SetLine | PrintedTable | Letters | Terms | OptionWords | Modular


# ---- what pages are made of
@attrs.frozen(slots=True)
class Concern:
    """What concerns a text, or a part of it. switches: when a rule holds that changes it.

    relation: one of `cross_references.RELATIONS` for such a rule; `readers`, `changed` (by the text) or `examples`.
    """

    relation: str
    links: tuple[Pointer, ...]
    part: str = ""
    switches: tuple[Switch, ...] = ()


@attrs.frozen(slots=True)
class Article:
    """A text of the rules.

    Attributes:
        word: what it is: `value`, `order`, `example` …
        head: what its first line says beyond the name.
        note: the remark before it.
        holds: of an example that was run, whether it holds.
        map: of a map, its name.
        excuse: of rules that are not modelled, why.
    """

    anchor: str
    word: str
    title: str
    head: Phrase
    note: Phrase
    switches: tuple[Switch, ...]
    cites: tuple[Cite, ...]
    holds: bool | None
    map: str
    excuse: str
    blocks: tuple[Block, ...]
    concerns: tuple[Concern, ...]


@attrs.frozen(slots=True)
class Passage:
    """Texts under one heading; the first may have none."""

    title: str
    anchor: str
    articles: tuple[Article, ...]


@attrs.frozen(slots=True)
class Leaf:
    """A chapter: the texts of one file. folder: where that lies, as a title."""

    page: str
    title: str
    folder: str
    intro: Phrase
    passages: tuple[Passage, ...]


@attrs.frozen(slots=True)
class CatalogRule:
    """A rule of the catalog. excuse: why it is not modelled, or ""; written, shown: texts that set it down, and examples."""

    id: str
    title: str
    module: str
    origin: Origin | None
    text: Phrase
    ruling: Phrase
    excuse: str
    written: tuple[Pointer, ...]
    shown: tuple[Pointer, ...]


@attrs.frozen(slots=True)
class Handbook:
    """The whole.

    Attributes:
        modules: each with its title, and whether it is usually on.
        origins: those that rules have, beside the source.
        groups: the rules of the catalog by the beginning of their ids.
        excused: rules that are not modelled, and why.
        letters: names by their first letters, each with what it is.
        tried, failed: how many lines of examples say what comes out, and how many of them do not hold.
    """

    title: str
    version: str
    chapters: tuple[Leaf, ...]
    modules: tuple[tuple[Switch, str, bool], ...]
    origins: tuple[Origin, ...]
    groups: Mapping[str, Sequence[CatalogRule]]
    excused: tuple[tuple[Cite, str], ...]
    letters: Mapping[str, Sequence[tuple[Pointer, str]]]
    tried: int
    failed: int
