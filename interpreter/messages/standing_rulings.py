"""The umpire's inputs about the rules: amendments of their text, and standing rulings in words; how both are written.

    amend   text: `rules DIGEST edition N from now`, or `… from the start`; subject: the reason
    rule    text: the ruling on one line, then `about WORD`, `to SIDE` and, where it amends the text too, the line of an
            amendment, each on a line of its own; subject: the question that it settles, or empty

DIGEST names a text that the campaign's file keeps (`campaigns/file/versions.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import attrs

from interpreter.runtime.refusals import Why

__all__ = ["AMEND", "RULE", "StandingRuling", "WordedRuling", "Wording", "amendment_of", "read_ruling", "read_wording"]

AMEND, RULE = "amend", "rule"
WORDING = re.compile(r"rules (?P<digest>[0-9a-f]{64}) edition (?P<edition>[1-9]\d{0,5}) from (?P<start>now|the start)")
ABOUT = re.compile(r"about (?P<word>\S+)")
TO = re.compile(r"to (?P<side>\S+)")
MOST_SAID = 2_000
"""The most characters of a ruling, and of the question that it settles."""
MOST_WORDS = 40
"""The most names that a ruling can be about."""


@attrs.frozen
class Wording:
    """An amended text. digest: which one; edition: of the language; from_start: whether the game restarts under it."""

    digest: str
    edition: int
    from_start: bool = False

    @property
    def line(self) -> str:
        """Its form in an input."""
        return f"rules {self.digest} edition {self.edition} from {'the start' if self.from_start else 'now'}"


@attrs.frozen
class StandingRuling:
    """A ruling in effect. number: from 1; turn: in which it was made; about: words of the rules; to: sides, or "all"."""

    number: int
    turn: int
    text: str
    question: str
    about: tuple[str, ...]
    to: tuple[str, ...]

    def known_to(self, side: str) -> bool:
        """Whether it is visible to a side, or to the umpire."""
        return side == "umpire" or bool({"all", side} & set(self.to))

    @classmethod
    def read(cls, row: Iterable[Any]) -> StandingRuling:
        """The ruling from the result of `attrs.astuple`."""
        number, turn, text, question, about, to = row
        return cls(number, turn, text, question, tuple(about), tuple(to))


@attrs.frozen
class WordedRuling:
    """The content of an input of the kind `rule`."""

    text: str
    question: str
    about: tuple[str, ...]
    to: tuple[str, ...]
    wording: Wording | None

    def without_wording(self) -> str:
        """Its text without the amendment."""
        return "\n".join([self.text, *(f"about {x}" for x in self.about), *(f"to {x}" for x in self.to if x != "all")])


def amendment_of(kind: str, text: str) -> Wording | None:
    """The amended text in an input; None if it has none."""
    if kind not in {AMEND, RULE}:
        return None
    return next((found for line in text.split("\n") if (found := _wording(line)) is not None), None)


def _wording(line: str) -> Wording | None:
    found = WORDING.fullmatch(line.strip())
    return Wording(found["digest"], int(found["edition"]), found["start"] != "now") if found else None


def read_wording(text: str) -> Wording:
    """The amended text that an input of the kind `amend` names. Raises Refused."""
    found = _wording(text)
    if found is None:
        raise Why.NOT_UNDERSTOOD("The amendment names no rule text.", hint="Use `ophex amend` to amend the rules.")
    return found


def read_ruling(text: str, question: str, words: frozenset[str], sides: Iterable[str]) -> WordedRuling:
    """A ruling read from an input. words: what it may be about; sides: who may see it. Raises Refused."""
    said, *lines = text.split("\n")
    said, question = " ".join(said.split()), " ".join(question.split())
    if not any(c.isalnum() for c in said):
        raise Why.NOT_UNDERSTOOD("The ruling is empty.", hint="State in a sentence what applies from now on.")
    for what, long in (("ruling", said), ("question", question)):
        if len(long) > MOST_SAID:
            raise Why.OUT_OF_BOUNDS(
                f"The {what} has {len(long):,} characters; the limit is {MOST_SAID:,}.",
                hint="Shorten it.",
                number=len(long),
                most=MOST_SAID,
            )
    about, to, wording = list[str](), list[str](), None
    known = {side.lower(): side for side in sides}
    for line in map(str.strip, lines):
        if found := ABOUT.fullmatch(line):
            about.append(_known_word(found["word"], words))
        elif found := TO.fullmatch(line):
            if found["side"].lower() not in known:
                raise Why.UNKNOWN_NAME(
                    f"There is no side {found['side']}.",
                    hint=f"The sides are {', '.join(known.values())}.",
                    side=found["side"],
                )
            to.append(known[found["side"].lower()])
        elif (found_wording := _wording(line)) is not None and wording is None:
            wording = found_wording
        elif line:
            raise Why.NOT_UNDERSTOOD(
                f"`{line[:80]}` is not a line of a ruling.", hint="Use `ophex rule` to make a ruling."
            )
    if len(about) > MOST_WORDS:
        raise Why.OUT_OF_BOUNDS(
            f"The ruling is about {len(about)} names; the limit is {MOST_WORDS}.",
            hint="Split it into several rulings.",
            number=len(about),
            most=MOST_WORDS,
        )
    return WordedRuling(said, question, tuple(dict.fromkeys(about)), tuple(dict.fromkeys(to)) or ("all",), wording)


def _known_word(word: str, words: frozenset[str]) -> str:
    from dsl.text.diagnostics import did_you_mean

    found = next((x for x in words if x == word), None) or next((x for x in words if x.lower() == word.lower()), None)
    if found is None:
        raise Why.UNKNOWN_NAME(
            f"The rules have nothing named {word[:80]}.",
            hint=did_you_mean(word, words) or "Name a value, a table, an order, a rule, or a citation.",
            name=word[:80],
        )
    return found
