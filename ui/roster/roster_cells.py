"""The cells of a roster as a table: how a field is written, how a cell is kept from being executed, and what people type in it.

A spreadsheet executes text that begins with `= + - @`, and makes dates and numbers of what looks like them (`4/3`, `0304`). Such a
text is written with an apostrophe before it, which is removed when it is read.
"""

import re
from collections.abc import Mapping
from fractions import Fraction

from attrs import evolve

from dsl.text.diagnostics import did_you_mean
from interpreter.messages.view import ThingView
from interpreter.play.rosters import ColumnView
from ui.cli.plain import UNSEEN

__all__ = ["UNKNOWN", "BadCell", "canonical", "guarded", "number_text", "shown", "unguarded"]

UNKNOWN = "?"
"""The value of a field that the creator of the file may not know; it is left unchanged."""
DASHES = {"", "-", "--", "—", "–"}
YES = {"yes", "y", "true", "x", "1"}
NO = {"no", "n", "false", "0", *DASHES}

RUN = re.compile(r"\s*[=+\-@＝＋－＠']")
"""The beginning of a text that a spreadsheet would run, or that has an apostrophe of its own."""
MADE_OVER = re.compile(
    r"\d[\d\s.,:/e+-]*%?|(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[-/ .]?\d+|true|false", re.IGNORECASE
)
"""What a spreadsheet would interpret as a number, a date or a truth value."""
PARTED = re.compile(r"""([;\t]\s*"*)('*)(?=[=+\-@])""")
"""What a spreadsheet with other separators would interpret as the beginning of a cell that is run."""
JOINED = re.compile(r"""([;\t]\s*"*)'('*)(?=[=+\-@])""")

NUMBER = re.compile(r"(?P<sign>[+-]?)(?P<whole>\d{1,24})(?P<rest>([.,]\d{1,24})*)", re.ASCII)
MIXED = re.compile(r"(?P<sign>[+-]?)(?:(?P<whole>\d{1,24}) )?(?P<over>\d{1,24})/(?P<under>\d{1,24})", re.ASCII)
DECIMALS = 6
"""A fraction with more decimals is written as a fraction."""


class BadCell(Exception):
    """A cell that cannot be understood. message: what is wrong; hint: what would be right."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message, self.hint = message, hint


# ---- written
def shown(column: ColumnView, thing: ThingView) -> str | None:
    """The value of a field as a cell: empty for nothing, None for what may not be known.

    >>> gun = ThingView("a", "a", "gun", "component", "", "", "", "", {"weight": "2 1/2"})
    >>> shown(ColumnView("weight", "number"), gun)
    '2.5'
    """
    value = thing.fields.get(column.name)
    if column.name in thing.unknown:
        return None
    if value is None:
        return ""
    if column.sort == "number":
        return number_text(value)
    if column.sort == "list" and column.of == "number":
        apart = column.joined or ","
        return (column.joined or ", ").join(number_text(one.strip()) for one in value.split(apart))
    return value


def number_text(told: str) -> str:
    """A displayed number as a cell.

    >>> number_text("2 1/2"), number_text("-1/3"), number_text("12")
    ('2.5', '-1/3', '12')
    """
    found = MIXED.fullmatch(told)
    return _written(_fraction(found)) if found else told


def _fraction(found: re.Match[str]) -> Fraction:
    if not int(found["under"]):
        raise BadCell("it divides by zero")
    number = int(found["whole"] or 0) + Fraction(int(found["over"]), int(found["under"]))
    return -number if found["sign"] == "-" else number


def _written(number: Fraction) -> str:
    for places in range(DECIMALS + 1):
        if (number * 10**places).denominator == 1:
            digits = f"{abs(int(number * 10**places)):0{places + 1}d}"
            whole, decimals = (digits[:-places], digits[-places:]) if places else (digits, "")
            return f"{'-' if number < 0 else ''}{whole}{'.' if decimals else ''}{decimals}"
    return f"{number.numerator}/{number.denominator}"


def guarded(text: str) -> str:
    """A text that no spreadsheet runs or converts.

    >>> guarded("=1+1"), guarded("4/3"), guarded("Hale"), guarded("'Ace' Hale")
    ("'=1+1", "'4/3", 'Hale', "''Ace' Hale")
    """
    text = PARTED.sub(r"\1\2'", text)
    return f"'{text}" if _needs_guard(text) else text


def _needs_guard(text: str) -> bool:
    return text == UNKNOWN or RUN.match(text) is not None or MADE_OVER.fullmatch(text) is not None


def unguarded(text: str) -> str:
    """The text that a cell represents.

    >>> [unguarded(guarded(text)) for text in ("=1+1", "a; -b", "''", "Hale")]
    ['=1+1', 'a; -b', "''", 'Hale']
    >>> unguarded("'Tis he")
    "'Tis he"
    """
    if text.startswith("'") and _needs_guard(text[1:]):
        text = text[1:]
    return JOINED.sub(r"\1\2", text)


# ---- read
def canonical(column: ColumnView, text: str, called: Mapping[str, str], *, points_part: bool = False) -> str:
    """The value of a cell in canonical form; empty for nothing.

    Args:
        column: the field.
        text: the cell.
        called: the names of things and places, by the name in lower case.
        points_part: whether points may separate thousands, as in files with decimal commas.

    Raises:
        BadCell: the field cannot have such a value.
    """
    text = text.strip()
    if found := UNSEEN.search(text) or re.search(r"[\t\n\r\ud800-\udfff]", text):
        raise BadCell(
            f"it contains a character that a name cannot have (U+{ord(found[0]):04X})", "Remove that character."
        )
    match column.sort:
        case "mark":
            return _mark(text)
        case "text":
            return "" if text in DASHES and column.optional else text
        case "list":
            return _list(column, text, called, points_part=points_part)
    if text in DASHES:
        if column.optional:
            return ""
        raise BadCell("it is empty", f"Write {_wanted(column)}.")
    if column.sort == "number":
        return _number(column, text, points_part=points_part)
    if column.sort == "word":
        return _word(column, text)
    return called.get(text.lower(), text) if column.sort == "thing" else text


def _wanted(column: ColumnView) -> str:
    match column.sort:
        case "number":
            return f"a number from {column.low} to {column.high}" if column.low is not None else "a number"
        case "word":
            return f"one of: {', '.join(column.words)}"
    return {"thing": "the name of a thing", "entry": "an entry of a list"}.get(column.sort, "what is printed")


def _mark(text: str) -> str:
    low = text.lower()
    if low in YES:
        return "yes"
    if low in NO:
        return "no"
    raise BadCell(f"`{text}` is neither yes nor no", "Write yes or no.")


def _list(column: ColumnView, text: str, called: Mapping[str, str], *, points_part: bool) -> str:
    if text in {*DASHES, "none"}:
        return ""
    one = evolve(column, sort=column.of, of="", optional=False)
    parts = re.split(f"{re.escape(column.joined)}|[,;]" if column.joined else "[,;]", text)
    return (column.joined or ", ").join(canonical(one, part, called, points_part=points_part) for part in parts)


def _word(column: ColumnView, text: str) -> str:
    low = text.lower().replace(" ", "-")
    found = [word for word in column.words if text == word]
    found = found or [word for word in column.words if low == word.lower()]
    found = found or [word for word, title in column.words.items() if low == title.lower().replace(" ", "-")]
    if len(found) == 1:
        return found[0]
    raise BadCell(f"`{text}` is not one of its words", did_you_mean(text, column.words) or f"Write {_wanted(column)}.")


def _number(column: ColumnView, text: str, *, points_part: bool) -> str:
    """A number with a decimal point or comma, or as a fraction. What could be two numbers is refused."""
    text = text.replace("\u2212", "-").replace("\u00a0", "").replace("\u202f", "")
    if found := MIXED.fullmatch(text):
        return _written(_fraction(found))
    found = NUMBER.fullmatch(text)
    if found is None:
        raise BadCell(f"`{text}` is not a number", f"Write {_wanted(column)}.")
    whole, rest = found["whole"], found["rest"]
    signs = re.sub(r"\d", "", rest)
    pieces = re.split("[.,]", rest)[1:]
    if not signs:
        decimals = ""
    elif len(set(signs)) == 2 and signs.count(signs[-1]) == 1 and _thousands(whole, pieces[:-1]):
        whole, decimals = whole + "".join(pieces[:-1]), pieces[-1]
    elif len(signs) > 1 and len(set(signs)) == 1 and _thousands(whole, pieces):
        whole, decimals = whole + "".join(pieces), ""
    elif len(signs) == 1 and not ((signs == "," or points_part) and _thousands(whole, pieces) and int(whole)):
        decimals = pieces[0]
    elif len(signs) == 1:
        hint = f"Write {whole}{pieces[0]}, or {whole}.{pieces[0]}0 for a number just above {whole}."
        raise BadCell(f"`{text}` could be two numbers", hint)
    else:
        raise BadCell(f"`{text}` is not a number", f"Write {_wanted(column)}.")
    number = Fraction(f"{whole}.{decimals or 0}")
    return _written(-number if found["sign"] == "-" else number)


def _thousands(whole: str, pieces: list[str]) -> bool:
    """Whether digits are separated as thousands."""
    return len(whole) <= 3 and all(len(piece) == 3 for piece in pieces)
