"""Rules as parsed text: a system by name, by its files, or as embedded in a campaign, with the systems that it is built on."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable

from campaigns.file.errors import CampaignError
from campaigns.file.history import Document
from campaigns.library.locate import SystemRef
from campaigns.library.rule_files import OwnFiles, RuleFiles, on_which, own_files, rule_files
from dsl.load import SystemText, read_system
from dsl.rules.editions import CURRENT
from dsl.syntax import declarations as d
from dsl.text.source import SourceFile
from interpreter.runtime.refusals import Why

__all__ = ["load", "load_for_play", "load_path", "not_empty", "read_text", "text_of", "with_bases"]

FileTexts = tuple[tuple[str, str, str], ...]
"""Name, text and path of each file."""


def load(ref: SystemRef) -> SystemText:
    """The parsed files of a system and of those it is built on. Raises CampaignError for a base that is not there."""
    return text_of(with_bases(rule_files(ref)))


def load_for_play(ref: SystemRef) -> SystemText:
    """The same without the files that contain only examples: no game needs them. Raises CampaignError."""
    files = with_bases(rule_files(ref))
    played = (x for x in files.all if not _only_examples(x.text))
    return _read(played, files.own.catalog, files.base_catalog)


def with_bases(own: OwnFiles) -> RuleFiles:
    """The files of a system with those of the systems it is built on. Raises CampaignError for a base that is not there."""
    return on_which(own, lambda files: _base_of(_as_key(x for x in files if _FRONT.search(x.text))))


_FRONT = re.compile(r"^system\b", re.MULTILINE)
"""The beginning of a line that names a system: files without such a line have no base."""


def text_of(files: RuleFiles) -> SystemText:
    """Those files parsed."""
    return _read(files.all, files.own.catalog, files.base_catalog)


def _read(files: Iterable[SourceFile], catalog: str = "", base_catalog: str = "", edition: int = CURRENT) -> SystemText:
    """The same system for the same files: what was compiled once need not be compiled again."""
    return _known(_as_key(files), catalog, base_catalog, edition)


def _as_key(files: Iterable[SourceFile]) -> FileTexts:
    return tuple((file.name, file.text, file.path) for file in files)


@functools.lru_cache(maxsize=8)
def _known(files: FileTexts, catalog: str, base_catalog: str, edition: int) -> SystemText:
    return read_system([SourceFile(*file) for file in files], catalog, base_catalog, edition)


@functools.lru_cache(maxsize=64)
def _base_of(files: FileTexts) -> str:
    """The system that some files are built on, or nothing. Apart from what is known whole: it would push that out."""
    text = read_system([SourceFile(*file) for file in files])
    return next((x.base for x in text.declarations if isinstance(x, d.System)), "")


def load_path(name: str) -> SystemText:
    """A system by name or folder, or a single rule file together with the system whose folder it lies in."""
    return not_empty(text_of(with_bases(own_files(name))), name)


def not_empty(text: SystemText, name: str) -> SystemText:
    """The text itself. Raises CampaignError if it is empty."""
    if not text.declarations and not any(p.is_error for p in text.problems):
        raise CampaignError(
            f"{name} contains no rules.",
            "Start declarations such as `unit`, `table` or `value` at the left edge.",
            Why.RULES,
        )
    return text


def read_text(documents: Iterable[Document], edition: int, *, examples: bool = False) -> SystemText:
    """The rules in some texts. examples: whether files that contain only examples are read too; no game needs them."""
    rules = (x for x in documents if x.kind == "rules" and (examples or not _only_examples(x.text)))
    return _read([SourceFile(x.name, x.text) for x in rules], edition=edition)


@functools.lru_cache(maxsize=512)
def _only_examples(text: str) -> bool:
    """Whether a file's declarations are all examples: no game needs them."""
    starts = {
        line.split(" ", 1)[0]
        for line in text.split("\n")
        if line[:1] not in {"", " ", "\t", "\r"} and not line.startswith("--")
    }
    return starts == {"example"}
