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
"""A name that was taken already gets a number; some have one in any case."""


@attrs.frozen(slots=True)
class MadeName:
    """How things of a kind may be called. said: how many letters of it the text says, and no other thing's name."""

    pattern: re.Pattern[str]
    kind: str
    said: int


def made_names(ruleset: Ruleset, routines: Iterable[Routine]) -> list[MadeName]:
    """The names of what orders, procedures and rules put into the game; those that say most come first."""
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
    """What a line calls what it puts, as a pattern, with the entry that this is."""
    for entry in entries_of(ruleset, line.kind) if line.entry is not None else [line.template or ""]:
        if line.naming is not None:
            pieces = line.naming.split("{}")
            # What is called after another thing alone has a number: that thing has the name.
            yield ".+".join(map(re.escape, pieces)) + (NUMBER if any(pieces) else COUNTED), entry
        elif line.entry is not None:
            yield re.escape(entry) + COUNTED, entry
        else:
            yield re.escape(line.name) + NUMBER, entry


def _names(ruleset: Ruleset, line: ir.Put, base: str, template: str) -> Iterator[tuple[str, str]]:
    """The thing itself and the parts that it comes with."""
    yield base, line.kind
    try:
        for part in parts_made(ruleset, "", line.kind, row_cells(template_cells(ruleset, template), _said(line))):
            yield base + re.escape(part.name) + NUMBER, part.kind
    except BadNotation:
        return  # told where it is said


def _said(line: ir.Put) -> Mapping[str, str]:
    settings = line.settings.items()
    return {name: str(value.value) for name, value in settings if isinstance(value, Literal)}


def kind_of_made(names: Iterable[MadeName], word: str) -> str:
    """The kind of what rules may have called so; "" where none calls anything so."""
    return next((made.kind for made in names if made.pattern.fullmatch(word)), "")
