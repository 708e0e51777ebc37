"""Names of things that rules place in the game, as far as the text determines them, so that examples can use them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

import attrs

from dsl import ir
from dsl.ir import Routine, lines_in
from dsl.rules.entries import entries_of, template_cells
from dsl.rules.notation import BadNotation
from dsl.rules.parts import parts_made, row_cells
from dsl.rules.ruleset import Ruleset
from dsl.syntax.syntax_tree import Literal

NUMBER = r"(-\d+)?"
COUNTED = r"-\d+"
"""A name that is already used gets a number; some names always have one."""


@attrs.frozen(slots=True)
class MadeName:
    """A pattern for the names of things of a kind. said: how many of its letters the text gives, without names of other things."""

    pattern: re.Pattern[str]
    kind: str
    said: int


def made_names(ruleset: Ruleset, routines: Iterable[Routine]) -> list[MadeName]:
    """The names of all things that orders, procedures and rules place in the game; the most specific first."""
    found: dict[tuple[str, str], MadeName] = {}
    for routine in routines:
        for line in lines_in(routine.body):
            if isinstance(line, ir.Put):
                for base, template in _bases(ruleset, line):
                    for text, kind in _names(ruleset, line, base, template):
                        said = len(re.sub(r"\W", "", text.replace(NUMBER, "").replace(COUNTED, "")))
                        found.setdefault((text, kind), MadeName(re.compile(text), kind, said))
    return sorted(found.values(), key=lambda made: -made.said)


def _bases(ruleset: Ruleset, line: ir.Put) -> Iterator[tuple[str, str]]:
    """The name that a line gives to the thing it places, as a pattern, with the list entry of that thing."""
    for entry in entries_of(ruleset, line.kind) if line.entry is not None else [line.template or ""]:
        if line.naming is not None:
            pieces = line.naming.split("{}")
            # A name that consists of another thing's name alone has a number: that thing has the name itself.
            yield ".+".join(map(re.escape, pieces)) + (NUMBER if any(pieces) else COUNTED), entry
        elif line.entry is not None:
            yield re.escape(entry) + COUNTED, entry
        else:
            yield re.escape(line.name) + NUMBER, entry


def _names(ruleset: Ruleset, line: ir.Put, base: str, template: str) -> Iterator[tuple[str, str]]:
    """The thing itself and its parts."""
    yield base, line.kind
    try:
        for part in parts_made(ruleset, "", line.kind, row_cells(template_cells(ruleset, template), _said(line))):
            yield base + re.escape(part.name) + NUMBER, part.kind
    except BadNotation:
        return  # reported where it is written


def _said(line: ir.Put) -> Mapping[str, str]:
    settings = line.settings.items()
    return {name: str(value.value) for name, value in settings if isinstance(value, Literal)}


def kind_of_made(names: Iterable[MadeName], word: str) -> str:
    """The kind of the things that rules may give this name; empty if there are none."""
    return next((made.kind for made in names if made.pattern.fullmatch(word)), "")
