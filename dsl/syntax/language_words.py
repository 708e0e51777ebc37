"""The words of the language: which start a declaration, which are keywords, and what messages call the names of the grammar."""

from __future__ import annotations

import functools
import re
from pathlib import Path

DECLARATION_WORDS = frozenset(
    [
        "system",
        "catalog",
        "module",
        "option",
        "enum",
        "scale",
        "group",
        "unit",
        "formation",
        "component",
        "marker",
        "place",
        "side",
        "record",
        "pool",
        "campaign",
        "rating",
        "list",
        "table",
        "value",
        "status",
        "order",
        "procedure",
        "path",
        "sequence",
        "setup",
        "tabletop",
        "rule",
        "example",
        "ruling",
        "not",
        "drawn",
        "map",
        "scenario",
    ]
)

_SPOKEN = {
    "NAME": "a name", "THING": "a name", "NUMBER": "a number", "SIGNED": "a signed number", "FRACTION": "a fraction", "ODDS": "odds such as 3:1",
    "PERCENT": "a percentage", "STRING": "text in quotes", "PLACE": "a hex number", "DICE": "dice such as 2d6", "DICE_WORD": "dice such as 2d6",
    "CITE": "a citation in [ ]", "ROW": "a table row with |", "_NL": "the end of the line", "_INDENT": "an indented block",
    "_DEDENT": "the end of the block", "_IS": "`is`", "COMMA_OR": "`, or`", "CMP": "a comparison such as <=", "DATE": "a date",
    "NOT": "`not`", "$END": "the end", "COLON": "`:`", "COMMA": "`,`", "LPAR": "`(`", "RPAR": "`)`", "PLUS": "`+`", "MINUS": "`-`",
    "STAR": "`*`", "SLASH": "`/`", "LESSTHAN": "`<`", "SEMICOLON": "`;`", "RANGE": "`..`", "THE": "", "ON_MAP": "`on the map`",
    "SECRETLY": "`secretly`", "HALVES": "which way halves are rounded",
}  # fmt: skip


@functools.cache
def _keywords() -> frozenset[str]:
    text = Path(__file__).with_name("grammar.lark").read_text(encoding="utf-8")
    text = re.sub(r"//[^\n]*", "", text)
    plain = set(re.findall(r'"([a-z]+)"', text))
    for alternatives in re.findall(r"/\(([a-z |]+)\)\(\?!", text):
        plain.update(w for a in alternatives.split("|") for w in a.split())
    return frozenset(plain)


KEYWORDS = _keywords()
"""Every keyword of the language. Most can be used as names where they have no meaning."""


def spoken(terminal: str) -> str:
    """A readable name for a terminal of the grammar."""
    if terminal in _SPOKEN:
        return _SPOKEN[terminal]
    return f"`{terminal.lower()}`" if terminal.lower() in KEYWORDS else ""
