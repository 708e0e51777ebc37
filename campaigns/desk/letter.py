"""A letter as it came: a mail or a text file, as lines in which each character knows its position in the file.

This module knows nothing of games or orders. It undoes what mail programs do to a text: quotation marks before lines, curly
quotes, hard blanks, long dashes, line ends of all kinds, signatures. If a mail is encoded, lines are counted in its decoded text.
"""

import re
from hashlib import sha256
from typing import Any

from attrs import field, frozen

from campaigns.file.errors import CampaignError
from interpreter.runtime.refusals import Why

__all__ = ["MOST_BYTES", "OURS", "Letter", "LetterLine", "read_letter"]

MOST_BYTES = 1_000_000
"""The most bytes that a letter may have."""
MOST_LETTERS = 20_000
"""The most characters that a line of a letter may have."""
OURS = re.compile(r"ophex (report|receipt|reminder) for ")
"""The beginning of texts that ophex writes for sides, other than templates to fill in."""

QUOTED = re.compile(r"[ \t]*(?:>[ \t]?)+")
HEADER = re.compile(r"[A-Za-z][A-Za-z0-9-]*:(?:[ \t].*)?")
HEADERS = {"from", "to", "subject", "date", "received", "return-path", "message-id", "mime-version", "content-type", "delivered-to",
           "cc", "sent", "reply-to", "x-mailer"}  # fmt: skip
"""An email begins with one of these."""
CUT_OFF = re.compile(r"-{3,}[^-].*-{3,}")
"""What some programs put above a quoted email."""
BLANKS = dict.fromkeys(
    "\t\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000", " "
)
UNSEEN = dict.fromkeys(
    "\u00ad\u200b\u200c\u200d\u2060\ufeff\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069", ""
)
MARKS = {**dict.fromkeys("\u2018\u2019\u201a\u201b\u2032", "'"), **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033", '"'),
         **dict.fromkeys("\u2010\u2011\u2012\u2212\ufe58\ufe63\uff0d", "-"), "\u2026": "..."}  # fmt: skip
PLAIN = BLANKS | UNSEEN | MARKS
DASHES = frozenset("\u2013\u2014\u2015")
SIGNATURE = "--"


@frozen
class LetterLine:
    """A line of a letter.

    Attributes:
        text: its text in plain characters, without quotation marks.
        number: its line in the file, counted from 1.
        places: for each character of `text` its line and its column in the file, counted from 1.
        depth: how many quotation marks precede it.
    """

    text: str
    number: int
    places: tuple[tuple[int, int], ...]
    depth: int


@frozen
class Letter:
    """A letter as it came.

    Attributes:
        file: the name of its file.
        sha256: the digest of the file, as hexadecimal digits.
        lines: its lines, without headers and signatures.
        headers: who wrote it, when and about what, by header name in lower case; empty for a plain text.
        decoded: whether it was encoded, so that lines are counted in its text and not in the file.
    """

    file: str
    sha256: str
    lines: tuple[LetterLine, ...]
    headers: dict[str, str] = field(factory=dict)
    decoded: bool = False


def read_letter(data: bytes, file: str) -> Letter:
    """A letter from the bytes of a file.

    Args:
        data: the bytes.
        file: its name, for messages.

    Raises:
        CampaignError: it is not text, or far too long.
    """
    if len(data) > MOST_BYTES:
        raise CampaignError(f"{file} is larger than {MOST_BYTES:,} bytes: it cannot be a letter with orders.")
    headers, text, before, decoded = _opened(data, file)
    lines = tuple(_without_signatures(_lines(text, before, file)))
    return Letter(file, sha256(data).hexdigest(), lines, headers, decoded)


def _opened(data: bytes, file: str) -> tuple[dict[str, str], str, int, bool]:
    """The headers of a letter, its text, how many lines of the file precede that, and whether it was encoded."""
    head = _head(data)
    if not head:
        return {}, _decoded(data, "", file), 0, False
    import email  # only for an email: every command that uses the desk loads this file

    from campaigns.desk.mail_bounds import BoundedMail, charset_of

    try:
        mail: Any = email.message_from_bytes(data.removeprefix(b"\xef\xbb\xbf").lstrip(), policy=BoundedMail())
        headers = {name: " ".join(str(mail[name]).split())[:500] for name in ("from", "date", "subject") if mail[name]}
        encoding = str(mail.get("content-transfer-encoding", "7bit")).strip().lower()
        if not mail.is_multipart() and encoding in {"7bit", "8bit", "binary"}:
            return headers, _decoded(data[head:], charset_of(mail), file), _ends(data[:head]), False
        part = mail.get_body(preferencelist=("plain",))
        if part is not None:
            charset_of(part)
        text = None if part is None else part.get_content()
    except Exception as error:  # how a library fails on a broken email does not matter
        raise CampaignError(
            f"{file} looks like an email, but cannot be read as one.", "Save only its text, as plain text."
        ) from error
    if not isinstance(text, str):
        raise CampaignError(
            f"The email {file} contains no plain text.", "Ask the sender for plain text, or copy the orders out of it."
        )
    return headers, text, 0, True


def _head(data: bytes) -> int:
    """Where the text of an email begins, after its headers; 0 if it has none."""
    at, known, is_first = 0, False, True
    body = data.removeprefix(b"\xef\xbb\xbf")
    start = len(data) - len(body)
    for row in body.split(b"\n"):
        line = row.rstrip(b"\r").decode("ascii", "replace")
        at += len(row) + 1
        if is_first and not line.strip():
            continue
        if not line.strip():
            return min(start + at, len(data)) if known else 0
        if is_first and line.startswith("From "):  # how mailboxes begin
            is_first = False
            continue
        if not HEADER.fullmatch(line) and (is_first or line[0] not in " \t"):
            return 0
        is_first = False
        known = known or line.partition(":")[0].lower() in HEADERS
    return 0


def _ends(data: bytes) -> int:
    """How many lines end in some bytes."""
    return len(data.decode("latin-1").replace("\r\n", "\n").replace("\r", "\n").split("\n")) - 1


def _decoded(data: bytes, charset: str, file: str) -> str:
    """The text of some bytes. Raises CampaignError if they are not text."""
    place = "1:1"
    named = "utf-16" if data[:2] in {b"\xff\xfe", b"\xfe\xff"} else charset.lower() or "utf-8-sig"
    for encoding in dict.fromkeys((named if named != "us-ascii" else "utf-8-sig", "utf-8-sig")):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError as error:
            line, column = data.count(b"\n", 0, error.start) + 1, error.start - data.rfind(b"\n", 0, error.start)
            place = f"{line}:{column}" if named != "utf-16" else place
        except LookupError:  # an unknown encoding
            continue
    raise CampaignError(
        f"{file}:{place}: the text here is not valid UTF-8.",
        "Save the file as UTF-8 in your editor, or write the character without its accent.",
    )


def _lines(text: str, before: int, file: str) -> list[LetterLine]:
    found, more = [], 0
    for number, row in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), before + 1):
        if len(row) > MOST_LETTERS:
            raise CampaignError(
                f"{file}: line {number} has {len(row):,} characters; the limit is {MOST_LETTERS:,}.",
                "Write one command per line.",
                Why.OUT_OF_BOUNDS,
            )
        row = row.removeprefix("\ufeff")
        marks = QUOTED.match(row)
        start = marks.end() if marks else 0
        depth = row[:start].count(">") + more
        said, columns = _plain(row, start)
        if CUT_OFF.fullmatch(said):
            more += 1
        found.append(LetterLine(said, number, tuple((number, column) for column in columns), depth))
    return found


def _plain(row: str, start: int) -> tuple[str, tuple[int, ...]]:
    """The rest of a row in plain characters, without blanks around it, and the column of each character."""
    signs: list[tuple[str, int]] = []
    for at in range(start, len(row)):
        sign = row[at]
        plain = PLAIN.get(sign, sign)
        if sign in DASHES:
            around = (row[at - 1] if at > start else " ") + (row[at + 1] if at + 1 < len(row) else " ")
            plain = SIGNATURE if not "".join(BLANKS.get(one, one) for one in around).strip() else "-"
        signs += [(one, at + 1) for one in plain]
    text = "".join(sign for sign, _ in signs)
    first, last = len(text) - len(text.lstrip()), len(text.rstrip())
    return text[first:last], tuple(column for _, column in signs[first:last])


def _without_signatures(lines: list[LetterLine]) -> list[LetterLine]:
    """The lines without signatures; a signature extends as far as its quotation depth."""
    kept: list[LetterLine] = []
    signed: int | None = None
    for line in lines:
        if signed is not None and line.depth >= signed:
            continue
        signed = line.depth if line.text == SIGNATURE else None
        if signed is None:
            kept.append(line)
    return kept
