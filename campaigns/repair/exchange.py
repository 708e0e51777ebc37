"""A complete campaign as JSON, and back: its texts, its settings and every input on every line, with the hash of each entry.

Results of the inputs are not written: they are computed again when the inputs are read, and must lead to the same hashes. What the
desk keeps beside the chain (letters, who plays a side, commanders, due times, names of branches) is not exported.
"""

import os
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from attrs import frozen

from campaigns.file.errors import CampaignError
from campaigns.file.history import Document, read_json
from campaigns.file.versions import Version, digest_of
from campaigns.play.campaign import Campaign, Starter
from campaigns.play.proving import Progress
from interpreter.messages.inputs import Input, Refused, RuleFailure
from interpreter.runtime.refusals import Why

__all__ = ["FORM", "export", "import_campaign"]

FORM = "ophex-campaign/1"
AMENDED_FORM = "ophex-campaign/2"
"""The form if it contains amended texts of the rules."""
MOST_BYTES = 32 * 1024 * 1024
MOST_INPUTS = 100_000
MOST_VALUES = 6_000_000
"""The most values in an export: a few bytes can encode many small values, which need a hundred times the memory."""
HINT = "Use a file that `ophex export` wrote, complete and unchanged."


@frozen
class _Line:
    number: int
    parent: int
    given: Input
    hash: str
    time: str


def export(campaign: Campaign[Any]) -> dict[str, Any]:
    """A campaign as an object that can be written as JSON."""
    first, entries = campaign.entry(0), [x for x in reversed(campaign.log()) if x.number]
    versions = campaign.store.versions()
    there = {x.sha256 for x in campaign.documents}
    new = {x.sha256: x.text for texts in versions.values() for x in texts if x.sha256 not in there}
    amended = {
        "texts": list(new.values()),
        "versions": [
            {"version": version, "files": [[x.name, x.kind, x.sha256] for x in texts]}
            for version, texts in sorted(versions.items())
        ],
    }
    return {
        "form": AMENDED_FORM if versions else FORM,
        "documents": [{"name": x.name, "kind": x.kind, "text": x.text} for x in campaign.documents],
        "settings": dict(campaign.settings),
        "beginning": {"hash": first.hash, "time": first.time},
        "entries": [
            {
                "number": x.number, "parent": x.parent, "kind": x.input.kind, "side": x.input.side, "subject": x.input.subject,
                "text": x.input.text, "hash": x.hash, "time": x.time,
            }
            for x in entries
        ],
        "head": campaign.head,
        **(amended if versions else {}),
    }  # fmt: skip


def import_campaign(source: Path, path: Path, starter: Starter[Any], progress: Progress | None = None) -> int:
    """Creates a campaign file from an export; returns the number of its inputs. A file appears only if it is correct.

    Raises:
        CampaignError: `export` did not write this, or it leads to a different result; nothing is left behind.
    """
    data = _read(source)
    documents, lines, beginning, head = (
        _documents(data),
        list(_lines(data)),
        _object(data, "beginning"),
        data.get("head"),
    )
    if not isinstance(head, int) or isinstance(head, bool) or not 0 <= head <= len(lines):
        raise _wrong(f"`head` is not an entry: the entries go up to {len(lines)}")
    versions = _versions(data, documents)
    if path.exists():
        raise CampaignError(f"{path} already exists.", "Name another file.", Why.FILE)
    partly = path.with_name(f".{path.name}.{os.getpid()}.partly")
    times = iter([_text(beginning, "time"), *(line.time for line in lines)])
    try:
        clock = lambda: _time(next(times, ""))  # noqa: E731 (one time for each entry, in their order)
        with Campaign.create(partly, documents, _object(data, "settings"), starter, clock=clock) as made:
            if made.entry(0).hash != _text(beginning, "hash"):
                raise _wrong("its texts or settings differ from those that it began with")
            for texts in versions:
                made.bring(texts)
            for place, line in enumerate(lines, 1):
                if made.head != line.parent:
                    made.go_to(line.parent)
                made.offer(line.given)
                if made.entry(line.number).hash != line.hash:
                    raise _wrong(f"entry {line.number} leads to a different result from the exported one")
                if progress is not None:
                    progress(place, len(lines))
            if made.head != head:
                made.go_to(head)
        os.link(partly, path)  # unlike renaming, this does not overwrite a file that has appeared in the meantime
    except (Refused, RuleFailure) as error:
        raise _wrong(f"an input is refused: {error}") from error
    except FileExistsError as error:
        raise CampaignError(f"{path} already exists.", "Name another file.", Why.FILE) from error
    finally:
        for ending in ("", "-wal", "-shm"):
            partly.with_name(partly.name + ending).unlink(missing_ok=True)
    return len(lines)


def _wrong(what: str) -> CampaignError:
    return CampaignError(f"The export cannot be read: {what[:300]}.", HINT)


def _read(source: Path) -> dict[str, Any]:
    try:
        if source.stat().st_size > MOST_BYTES:
            raise _wrong(f"it is longer than {MOST_BYTES // 1024 // 1024} MB")
        raw = source.read_bytes()
        if sum(map(raw.count, (b",", b":", b"[", b"{"))) > MOST_VALUES:
            raise _wrong(f"it contains more than {MOST_VALUES:,} values")
        data = read_json(raw.decode("utf-8-sig"))
    except OSError as error:
        raise CampaignError(f"{source} cannot be read: {error.strerror}.", "Check that the file exists.") from error
    except (ValueError, RecursionError) as error:
        raise _wrong("it is not JSON") from error
    if not isinstance(data, dict) or data.get("form") not in (FORM, AMENDED_FORM):
        raise _wrong(f"its `form` is not {FORM} or {AMENDED_FORM}")
    return data


def _documents(data: dict[str, Any]) -> list[Document]:
    rows = data.get("documents")
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise _wrong("`documents` is not a list of objects")
    return [Document(_text(row, "name"), _text(row, "kind"), _text(row, "text")) for row in rows]


def _versions(data: dict[str, Any], documents: Iterable[Document]) -> list[Version]:
    """The amended texts; none in an export without any."""
    if data["form"] == FORM:
        return []
    texts, rows = data.get("texts"), data.get("versions")
    if not isinstance(texts, list) or not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise _wrong("`texts` and `versions` are not lists")
    whole = [_text({"text": text}, "text") for text in texts]
    by_digest = {Document("", "", text).sha256: text for text in [*whole, *(x.text for x in documents)]}
    found = []
    for row in rows:
        files = row.get("files")
        if not isinstance(files, list) or not all(isinstance(x, list) and len(x) == 3 for x in files):
            raise _wrong("`files` of a version is not a list of names, kinds and digests")
        named = [dict(zip(("name", "kind", "sha256"), x, strict=True)) for x in files]
        if any(_text(x, "sha256") not in by_digest for x in named):
            raise _wrong("a text of an amended version is missing")
        version = tuple(Document(_text(x, "name"), _text(x, "kind"), by_digest[x["sha256"]]) for x in named)
        if digest_of(version) != _text(row, "version"):
            raise _wrong("an amended text differs from the exported one")
        found.append(version)
    return found


def _lines(data: dict[str, Any]) -> Iterator[_Line]:
    rows = data.get("entries")
    if not isinstance(rows, list) or len(rows) > MOST_INPUTS or not all(isinstance(row, dict) for row in rows):
        raise _wrong(f"`entries` is not a list of at most {MOST_INPUTS:,} objects")
    for number, row in enumerate(rows, 1):
        parent = row.get("parent")
        whole = isinstance(parent, int) and not isinstance(parent, bool) and 0 <= parent < number
        if row.get("number") != number or not whole or isinstance(row.get("number"), bool):
            raise _wrong(f"entry {number} is missing, or does not continue an earlier entry")
        given = Input(_text(row, "kind"), _text(row, "side"), _text(row, "text"), _text(row, "subject"))
        _time(_text(row, "time"))
        yield _Line(number, parent, given, _text(row, "hash"), _text(row, "time"))


def _object(data: dict[str, Any], key: str) -> dict[str, Any]:
    if not isinstance(found := data.get(key), dict):
        raise _wrong(f"`{key}` is not an object")
    return found


def _text(row: dict[str, Any], key: str) -> str:
    if not isinstance(found := row.get(key), str) or (not found.isprintable() and key in {"name", "kind", "side"}):
        raise _wrong(f"`{key}` is not text")
    try:
        found.encode()
    except UnicodeEncodeError as error:
        raise _wrong(f"`{key}` contains characters that cannot be written") from error
    return found


def _time(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise _wrong("`time` is not a time") from error
