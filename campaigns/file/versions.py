"""Amended rule texts in the file: each is kept under the digest of all its files, which inputs name.

    digest of a version = sha256 of the JSON array [[name, kind, sha256 of the text], ...] in the order of the files

A file that has not changed since the beginning is not stored twice. Nothing in a version is ever changed or removed.
"""

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any

from campaigns.file.beside import Statement
from campaigns.file.file_rows import Unsound
from campaigns.file.history import Document, encode
from interpreter.messages.inputs import Input
from interpreter.messages.standing_rulings import amendment_of

__all__ = [
    "FILES",
    "NAMES",
    "Version",
    "digest_of",
    "keeping",
    "named_by",
    "versions_in",
    "versions_of",
    "versions_saved",
    "whole_texts",
]

AMENDED = "amended"
"""The kind of a text of a version among the texts of a campaign; its name begins with the digest of the version."""
ADD_TEXT = "INSERT OR IGNORE INTO kept_text (sha256, text) VALUES (?, ?)"
ADD_FILE = "INSERT OR IGNORE INTO version (version, number, name, kind, sha256) VALUES (?, ?, ?, ?, ?)"
NAMES = "SELECT DISTINCT version FROM version"
FILES = """SELECT version.version, version.name, version.kind, version.sha256, coalesce(kept_text.text, document.text)
           FROM version LEFT JOIN kept_text ON kept_text.sha256 = version.sha256
           LEFT JOIN document ON document.sha256 = version.sha256 AND document.kind = version.kind
           GROUP BY version.version, version.number ORDER BY version.version, version.number"""

Version = tuple[Document, ...]


def digest_of(texts: Iterable[Document]) -> str:
    """The digest of a version, which identifies it."""
    return sha256(encode([[x.name, x.kind, x.sha256] for x in texts]).encode()).hexdigest()


def named_by(given: Input) -> str:
    """The version that an input names; empty if it names none."""
    wording = amendment_of(given.kind, given.text)
    return wording.digest if wording is not None else ""


def keeping(version: str, texts: Version, own: Iterable[Document]) -> list[Statement]:
    """The statements that store a version in the file. own: the texts of the beginning, which are already there."""
    there = {x.sha256 for x in own}
    found: list[Statement] = [(ADD_TEXT, (x.sha256, x.text)) for x in texts if x.sha256 not in there]
    found += [(ADD_FILE, (version, number, x.name, x.kind, x.sha256)) for number, x in enumerate(texts)]
    return found


def versions_in(rows: Iterable[Sequence[Any]]) -> dict[str, Version]:
    """The versions from the rows of FILES. Raises Unsound if one differs from what was recorded."""
    found: dict[str, list[Document]] = {}
    for row in rows:
        if not all(type(value) is str for value in row):
            raise Unsound("an amended text is missing, or is not text")
        version, name, kind, digest, text = row
        document = Document(name, kind, text)
        if document.sha256 != digest:
            raise Unsound(f"the amended text of {name[:80]} differs from the recorded one")
        found.setdefault(version, []).append(document)
    for version, texts in found.items():
        if digest_of(texts) != version:
            raise Unsound(f"the amended text {version[:12]} differs from the recorded one")
    return {version: tuple(texts) for version, texts in found.items()}


def versions_saved(own: Iterable[Document], rows: Mapping[str, Iterable[Sequence[Any]]]) -> dict[str, Version]:
    """The complete versions among the readable rows of `kept_text` and `version`; damaged versions are left out."""
    texts = {x.sha256: x.text for x in own} | {str(digest): str(text) for digest, text in rows.get("kept_text", ())}
    files: dict[str, list[Sequence[Any]]] = {}
    for row in sorted(rows.get("version", ()), key=lambda row: (str(row[0]), int(row[1]))):
        files.setdefault(str(row[0]), []).append(row)
    found: dict[str, Version] = {}
    for version, named in files.items():
        if all(digest in texts for *_, digest in named):
            made = tuple(Document(str(name), str(kind), texts[digest]) for _, _, name, kind, digest in named)
            if digest_of(made) == version:
                found[version] = made
    return found


def whole_texts(own: Iterable[Document], versions: Mapping[str, Version]) -> tuple[Document, ...]:
    """The texts of the beginning and those of all versions, as a starter takes them."""
    amended = [Document(f"{v}/{x.name}", f"{AMENDED} {x.kind}", x.text) for v, texts in versions.items() for x in texts]
    return (*own, *amended)


def versions_of(texts: Iterable[Document]) -> tuple[Version, dict[str, Version]]:
    """The texts of the beginning, and the versions, from what `whole_texts` returned."""
    own: list[Document] = []
    found: dict[str, list[Document]] = {}
    for one in texts:
        if not one.kind.startswith(f"{AMENDED} "):
            own.append(one)
            continue
        version, _, name = one.name.partition("/")
        found.setdefault(version, []).append(Document(name, one.kind.removeprefix(f"{AMENDED} "), one.text))
    return tuple(own), {version: tuple(texts) for version, texts in found.items()}
