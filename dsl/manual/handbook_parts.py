"""The parts of a handbook: everything that a system's rules tell a reader, as data. The code that makes pages decides the layout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import attrs


@attrs.frozen(slots=True)
class Address:
    """Where something is explained: a page, and the anchor of a text on it."""

    page: str
    anchor: str


@attrs.frozen(slots=True)
class Pointer:
    """A title that links to its text; address: None if no page has it."""

    title: str
    address: Address | None


@attrs.frozen(slots=True)
class Piece:
    """A part of a line. kind: plain, keyword, name (a link to its address), own (a name that the text defines), quoted or code."""

    kind: str
    text: str
    address: Address | None = None


Phrase = tuple[Piece, ...]


@attrs.frozen(slots=True)
class Origin:
    """The origin of a rule that is not from the source. mark: shown after its id wherever it is cited; badge, told: its explanation."""

    mark: str
    badge: str
    told: str


OWN = Origin("°", "our own", "our own: the source has no such rule")
BASE = Origin("†", "base game", "from the base game that the source builds on, in our own words")
ORIGINS = {"base": BASE}
"""By the word in the catalog; every other word except `source` is our own."""


@attrs.frozen(slots=True)
class Cite:
    """A cited rule. said: the part of its id that is shown; title: None if the catalog has no such rule."""

    rule: str
    said: str
    title: str | None
    origin: Origin | None


@attrs.frozen(slots=True)
class Switch:
    """A module that must be on, or off, for a text to apply."""

    module: str
    on: bool
    address: Address | None


@attrs.frozen(slots=True)
class Result:
    """The result of a line of an example. value: the actual value, printed; told: the problem, or empty."""

    ok: bool
    value: str = ""
    told: str = ""


# ---- the parts of texts: `kind` tells them apart
@attrs.frozen(slots=True)
class SetLine:
    """A line of a text. field: the field that it declares, or empty; remark: the remark after it, or alone."""

    kind: ClassVar = "line"
    level: int
    words: Phrase
    field: str = ""
    remark: Phrase = ()
    cites: tuple[Cite, ...] = ()
    result: Result | None = None


@attrs.frozen(slots=True)
class PrintedTable:
    """A table. axes: of a two-way table, the keys down the side and across the top; a heading without results is not for lookups."""

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
    """Words with their meanings, or empty. rising: whether they are a scale."""

    kind: ClassVar = "terms"
    title: str
    rising: bool
    terms: tuple[tuple[str, str], ...]


@attrs.frozen(slots=True)
class OptionWords:
    """The words of an option, and the default."""

    kind: ClassVar = "choices"
    name: str
    words: tuple[str, ...]
    usual: str


@attrs.frozen(slots=True)
class Modular:
    """Of a module: whether it is on by default, and the modules that it needs or excludes."""

    kind: ClassVar = "modular"
    usual: bool
    needs: tuple[str, ...]
    excludes: tuple[str, ...]


Block = SetLine | PrintedTable | Letters | Terms | OptionWords | Modular


# ---- the parts of pages
@attrs.frozen(slots=True)
class Concern:
    """References of a text, or of a part of it. switches: when a rule that changes it applies.

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
        head: the rest of its first line after the name.
        note: the remark before it.
        holds: of an example that was run, whether it passes.
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
    """A chapter: the texts of one file. folder: the folder of the file, as a title."""

    page: str
    title: str
    folder: str
    intro: Phrase
    passages: tuple[Passage, ...]


@attrs.frozen(slots=True)
class CatalogRule:
    """A rule of the catalog. excuse: why it is not modelled, or empty; written, shown: texts that implement it, and examples."""

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
    """The complete handbook.

    Attributes:
        modules: each with its title, and whether it is on by default.
        origins: the origins of rules, except the source.
        groups: the rules of the catalog by the beginning of their ids.
        excused: rules that are not modelled, and why.
        letters: names by their first letters, each with what it is.
        tried, failed: how many lines of examples state an expectation, and how many of them fail.
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
