"""What people write who know other languages or the printed rules, and how the language says it: hints for lines that cannot be read."""

from __future__ import annotations

import re

__all__ = ["of_habit", "roll_of"]

LONGEST = 300
"""A longer line is no such line."""
_DICE = r"(\d*\s?[dD]\d+(?:[+-]\d+)?)"
_CHOICE = re.compile(
    r"(.*\bchooses\s+(?:secretly\s+)?[\w-]+(?:\s+\"[^\"]*\")?\s*:)\s*(?:one|any|some) of\s+\(?"
    r"([a-z][\w-]*(?:\s*,\s*or\s+[a-z][\w-]*|\s*,\s*[a-z][\w-]*|\s+or\s+[a-z][\w-]*)+)"
)
_LOOP = re.compile(r"\s*(?:repeat\s+)?(while|until)\s+(\S.*?)\s*:?\s*$")
_ROLL = re.compile(rf"\s*(?:let\s+([\w-]+)\s+be\s+)?(?:roll|rolls|throw)\s+{_DICE}(?:\s+as\s+([\w-]+))?")
_LIST = re.compile(r"(units|unit-list|list|lists)\s+([a-z][\w-]*)\s*:\s*$")
_KEYS = re.compile(r"table\s+([\w-]+)\s+by\s+(?:the\s+)?([\w-]+)((?:\s*,\s*(?:and\s+)?[a-z0-9][\w-]*)+)")
_FIELD = re.compile(
    r"\s*(at|do|end|for|hide|leg|let|move|phase|put|relate|remove|repeat|reveal|step|stop|story|tell|when) of"
    r"\s.*\s(?:becomes?|gains?|loses?)\s"
)
_DIGIT = re.compile(r"\s*(?:enum|scale|group)\s.*?[:,<]\s*(?!\d*d\d)(\d+(?:-[a-z]|[a-z])[\w-]*)")
_WHEN = re.compile(r"\s*(otherwise\s+)?when\s+([^:\"]+):\s+([^\s\[].*?)\s*(?:\[[A-Z].*)?$")
_NOT = re.compile(r"\s*([a-z][\w-]*(?:\s+(?:of\s+)?[a-z][\w-]*)*)\s+becomes?\s+not\s+([a-z][\w-]*)")
_IS = re.compile(
    r"\s*(then\s+)?(?:the\s+)?([a-z][\w-]*(?:\s+of\s+[a-z][\w-]*)*)\s+(is|are)\s+(?:(now|no longer)\s+)?([a-z][\w-]*)\s*(?:\[[A-Z].*)?$"
)
_FACT = re.compile(r"\s*([a-z][\w-]* of\s+)\(?([a-z][\w-]*)\s*(?:,|\band\b)[\w\s,-]*\)?\s+(?:is|are)\s+([\w-]+)\s*$")
_THERE = re.compile(r".*\b(?:when|where|while|until|and|or|not|then)\s+there\s*(?:[<>=*/+-]|is\s+(?:not\s+)?\d)")
_NO_KEYS = {"exactly", "first", "last", "all", "with", "without"}


def roll_of(dice: str, name: str = "die") -> str:
    """A hint with the correct form of a roll of dice."""
    return f"A side rolls, and its result has a name: `active rolls {dice} as {name}`."


def of_habit(line: str) -> str:
    """The correct form of a line that is written from habit; empty for any other line."""
    if len(line) > LONGEST:
        return ""
    return next(
        filter(
            None,
            (
                guess(line)
                for guess in (_words, _loop, _roll, _list, _keys, _field, _digit, _not, _is, _fact, _there, _when)
            ),
        ),
        "",
    )


def _words(line: str) -> str:
    """`chooses x: one of a or b`."""
    found = _CHOICE.match(line)
    if found is None or " or " not in found[2]:
        return ""
    words = re.split(r"\s*,\s*or\s+|\s*,\s*|\s+or\s+", found[2])
    return (
        f"Words to choose from stand alone: `{found[1].strip()} {' or '.join(words)}`. `one of` is followed by a set."
    )


def _loop(line: str) -> str:
    """`repeat while x:`, `while x:`, `repeat until x:`."""
    found = _LOOP.match(line)
    if found is None:
        return ""
    if found[1] == "until":
        return "A loop says how often at most, and how long it goes on: `repeat at most 20 times while …:`."
    return f"A loop says how often at most: `repeat at most 20 times while {found[2]}:`."


def _roll(line: str) -> str:
    """`roll 1d6 as die`."""
    found = _ROLL.match(line)
    return roll_of(found[2], found[1] or found[3] or "die") if found else ""


def _list(line: str) -> str:
    """`units squad:`."""
    found = _LIST.match(line)
    if found is None:
        return ""
    kind = found[2].removesuffix("s") if len(found[2]) > 2 else found[2]
    declared = f"`unit {kind}:` declares a kind. " if found[1] == "units" else ""
    return f"{declared}A list of ready-made things has a name and a kind: `list {kind}s of {kind}:`."


def _keys(line: str) -> str:
    """`table t by a, b`: its keys are joined by `and`, and how a row is found comes after a comma."""
    found = _KEYS.match(line)
    if found is None:
        return ""
    keys = [found[2], *re.findall(r"[a-z0-9][\w-]*", re.sub(r"\band\b", " ", found[3]))]
    keys = keys[: next((at for at, key in enumerate(keys) if key in _NO_KEYS), len(keys))]
    if len(keys) < 2:
        return ""
    return f"Join the keys of a table by `and`: `table {found[1]} by {' and '.join(keys)}`."


def _field(line: str) -> str:
    """`move of u becomes 3`: a field with the name of a word that begins other lines."""
    found = _FIELD.match(line)
    return f"`{found[1]}` begins other lines: no line can change a field of this name. Rename it." if found else ""


def _digit(line: str) -> str:
    """`enum water: deep, 7-fathoms`."""
    found = _DIGIT.match(line)
    return f"A word of the rules begins with a letter, not with a digit as `{found[1]}` does." if found else ""


def _not(line: str) -> str:
    """`u becomes not tired`."""
    found = _NOT.match(line)
    return f"A mark is taken away like this: `{found[2]} of {found[1]} becomes no`." if found else ""


def _is(line: str) -> str:
    """`u is now tired`."""
    found = _IS.match(line)
    if found is None:
        return ""
    then, what, verb, since, word = found.groups()
    if what in {"game", "campaign"}:
        now = "no" if since == "no longer" else "yes"
        lines = f"`then {word} is {now}`" if then else f"`{word} becomes {now}`, `when {word} is {now}`"
        return f"A mark of the campaign is written alone: {lines}."
    asked = f"{what} {verb} {'not ' if since == 'no longer' else ''}{word}"
    if then:
        return f"Leave out `{since}`: `then {asked}`." if since else ""
    change = f"{word} of {what} becomes no" if since == "no longer" else f"{what} becomes {word}"
    return f"To change this, write `{change}`; to ask for it, `when {asked}`."


def _fact(line: str) -> str:
    """`owner of alba, bern is red`, in a scenario."""
    found = _FACT.match(line)
    if found is None:
        return ""
    return f"A line states this for one place or thing: `{found[1]}{found[2]} is {found[3]}`. Write a line for each."


def _there(line: str) -> str:
    """`when there > 0`, where `there` is a name."""
    if not _THERE.match(line):
        return ""
    return "In a condition, `there` begins `there is …`, so it cannot be a name here. Rename it."


def _when(line: str) -> str:
    """`when C: EFFECT`."""
    found = _WHEN.match(line)
    if found is None:
        return ""
    below = "What is done when this holds goes on the next line, indented"
    if found[1] or re.search(r"\b(?:when|because)\b", found[3]):
        return f"{below}."
    return f"{below}; a single line can also be followed by its condition: `{found[3]} when {found[2].strip()}`."
