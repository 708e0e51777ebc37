"""The form for a result: its rows, how it is written as TOML, and how a filled one is read. Its meaning is not checked here."""

import re
from collections.abc import Iterator
from typing import Any

from attrs import frozen

from campaigns.file.errors import CampaignError
from campaigns.tabletop.pack import Pack
from dsl.text.toml_text import read_toml_text
from interpreter.queries.table_battles import TableQuestion
from interpreter.runtime.refusals import Why

__all__ = ["FORM", "Filled", "FormRow", "blank_rows", "read_form"]

FORM = "ophex-result/1"
"""The name and version of the form."""
ANSWER = "answer"
"""The key of a row that is neither for a thing nor for a side."""
MOST_BYTES = 1024 * 1024
MOST_ROWS = 20_000
MOST_LETTERS = 2000
HEADING = re.compile(r"""\s*\[\s*["']?(?P<name>[^\]"']*)["']?\s*\]""")
KEY = re.compile(r"""\s*["']?(?P<key>[\w-]+)["']?\s*=""")
HINT = "Use the form in the pack, `result.toml`, or the file that the page `result.html` saves."


@frozen
class FormRow:
    """A row of a form: the question, whose row it is (a thing, a side, or ANSWER), what was filled in, and its line; 0 if not known."""

    question: str
    key: str
    text: str
    line: int

    @property
    def place(self) -> str:
        """Its place, for people."""
        at = f"line {self.line}, " if self.line else ""
        return f"{at}[{self.question}] {self.key}"


@frozen
class Filled:
    """A form that was read: which battle it is for, and its rows."""

    battle: str
    mark: str
    rows: tuple[FormRow, ...]


def blank_rows(pack: Pack, asked: TableQuestion) -> list[str]:
    """The keys of a question's rows: the things it is asked about, the sides, or a single one."""
    if asked.each is not None:
        order = {name: number for number, name in enumerate(pack.units)}
        return sorted(asked.each, key=lambda name: order.get(name, len(order)))
    return [side.id for side in pack.view.sides] if asked.per_side else [ANSWER]


def read_form(raw: bytes) -> Filled:
    """Reads a filled form.

    Raises:
        CampaignError: it is not a form.
    """
    if len(raw) > MOST_BYTES:
        raise CampaignError(f"The form is too long: the limit is {MOST_BYTES // 1024:,} kB.", HINT, Why.OUT_OF_BOUNDS)
    try:
        text = raw.decode("utf-8-sig").replace("\r\n", "\n")
        found = read_toml_text(text)
    except UnicodeDecodeError:
        raise CampaignError("The form cannot be read: it is not UTF-8.", "Save it as plain text in UTF-8.") from None
    except ValueError as error:
        raise CampaignError(f"The form cannot be read: {str(error)[:200]}.", 'Put text in quotes: `tf-1 = "half"`.') from None  # fmt: skip
    if found.get("form") != FORM:
        raise CampaignError(f'This is not a result form: it has no line `form = "{FORM}"`.', HINT)
    battle, mark = found.get("battle"), found.get("mark")
    if not isinstance(battle, str) or not isinstance(mark, str):
        raise CampaignError("The form does not say which battle it is for (`battle`, `mark`).", HINT)
    rows = tuple(_rows(found, _lines(text)))
    if len(rows) > MOST_ROWS:
        raise CampaignError(f"The form is too long: the limit is {MOST_ROWS:,} rows.", HINT, Why.OUT_OF_BOUNDS)
    return Filled(battle, mark, rows)


def _rows(found: dict[str, Any], lines: dict[tuple[str, str], int]) -> Iterator[FormRow]:
    for question, rows in found.items():
        if question in {"form", "battle", "mark", "note"}:
            continue
        table = rows if isinstance(rows, dict) else {ANSWER: rows}
        for key, value in table.items():
            line = lines.get((question, key)) or lines.get(("", question), 0)
            text = _said(value)
            if text is None or len(text) > MOST_LETTERS:
                place = FormRow(question[:60], key[:60], "", line).place
                what = (
                    f"{place}: the value must be a text, a number, true or false, or a list of these, and not too long."
                )
                raise CampaignError(what, "Write the answer in quotes.")
            yield FormRow(question, key, text, line)


def _said(value: Any) -> str | None:
    """What was filled in, as an answer; None if it cannot be one."""
    match value:
        case bool():
            return "yes" if value else "no"
        case int():
            return str(value) if abs(value) < 10**12 else None
        case str():
            return " ".join(value.split())
        case list():
            parts = [_said(one) for one in value]
            return None if None in parts or any(isinstance(one, list) for one in value) else ", ".join(map(str, parts))
    return None


def _lines(text: str) -> dict[tuple[str, str], int]:
    """The line of each row, by its table and key, as far as that is clear."""
    found: dict[tuple[str, str], int] = {}
    table = ""
    for number, line in enumerate(text.split("\n"), 1):
        if heading := HEADING.match(line):
            table = heading["name"].strip()
        elif key := KEY.match(line):
            found.setdefault((table, key["key"]), number)
    return found
