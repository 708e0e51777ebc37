"""Things made of parts: which kinds are parts of which, and which parts a cell such as `main, 4 secondary` gives a thing.

A part has the place and the side of its whole; neither is stored with the part. `interpreter/world/making_things.py` makes the parts
of a world.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import attrs

from dsl.rules.entries import entries_of, template_cells
from dsl.rules.notation import DASHES, BadNotation
from dsl.rules.ruleset import Ruleset, plural_of
from dsl.syntax import declarations as d
from dsl.text.diagnostics import Diagnostic, at, did_you_mean
from dsl.text.phrases import an
from dsl.text.source import Span

MOST_PARTS = 1_000
"""The most parts of a thing, including the parts of its parts."""

_ONE = re.compile(r"(?:(\d{1,9})\s+)?([A-Za-z][\w-]*)")


@attrs.frozen(slots=True)
class PartMade:
    """A part of a thing. whole: the name of the thing that it is directly a part of."""

    name: str
    kind: str
    entry: str
    whole: str


def part_headings(ruleset: Ruleset, kind: str) -> dict[str, str]:
    """The headings for parts in a row of this kind, and the kind of each."""
    return {info.plural: name for name, info in ruleset.kinds.items() if info.part and info.holder == kind}


def resting_headings(ruleset: Ruleset, kind: str) -> set[str]:
    """The headings for parts of a module that is off: their columns are ignored."""
    if ruleset.part_kinds is None:
        ruleset.part_kinds = tuple(x for x in ruleset.everything if isinstance(x, d.Kind) and x.part)
    kinds = [x for x in ruleset.part_kinds if x.holder == kind]
    return {x.plural or plural_of(x.name) for x in kinds if x.name not in ruleset.kinds}


def read_parts(ruleset: Ruleset, part: str, text: str) -> list[tuple[str, int]]:
    """The list entries that a cell of parts names, each with its number. Raises BadNotation."""
    text = text.strip()
    if text in DASHES or text == "none":
        return []
    found: list[tuple[str, int]] = []
    known = entries_of(ruleset, part)
    for piece in (p.strip() for p in text.split(",")):
        match = _ONE.fullmatch(piece)
        if match is None:
            raise BadNotation(
                f"`{piece}` does not name parts: write a number and a list entry, such as `4 {_first(known)}`"
            )
        count, entry = int(match[1] or 1), match[2]
        if entry not in known:
            raise BadNotation(f"no unit list has {an(part)} named `{entry}`", did_you_mean(entry, known))
        if not 1 <= count <= MOST_PARTS:
            raise BadNotation(f"`{piece}`: the number must be between 1 and {MOST_PARTS:,}")
        if any(entry == other for other, _ in found):
            raise BadNotation(f"{entry} appears twice: write it once, with the total number")
        found.append((entry, count))
    return found


def _first(known: Mapping[str, object]) -> str:
    return next(iter(known), "gun")


def parts_made(ruleset: Ruleset, name: str, kind: str, cell: Mapping[str, str]) -> Iterator[PartMade]:
    """The parts that a thing has, each after its whole. cell: its row or entry, by heading.

    Of alternatives the first is used. Raises BadNotation, also for too many.
    """
    left = [MOST_PARTS]
    yield from _made(ruleset, name, kind, cell, left)


def _made(ruleset: Ruleset, name: str, kind: str, cell: Mapping[str, str], left: list[int]) -> Iterator[PartMade]:
    for heading, part in part_headings(ruleset, kind).items():
        for entry, count in read_parts(ruleset, part, cell.get(heading, "--").split(" or ")[0]):
            for number in range(1, count + 1):
                left[0] -= 1
                if left[0] < 0:
                    raise BadNotation(f"this makes more than {MOST_PARTS:,} parts, including the parts of parts")
                made = f"{name}-{entry}-{number}" if count > 1 else f"{name}-{entry}"
                yield PartMade(made, part, entry, name)
                yield from _made(ruleset, made, part, template_cells(ruleset, entry), left)


def parts_of_row(ruleset: Ruleset, kind: str, cell: Mapping[str, str]) -> Iterator[PartMade]:
    """The parts of a thing in a scenario. cell: its row, by heading."""
    if part_headings(ruleset, kind):
        yield from parts_made(
            ruleset, cell["name"], kind, row_cells(template_cells(ruleset, cell.get("type", "")), cell)
        )


def row_cells(entry: Mapping[str, str], cell: Mapping[str, str]) -> dict[str, str]:
    """The values of a row, completed by those of its list entry."""
    return {**entry, **{k: v for k, v in cell.items() if not (k in entry and v in DASHES)}}


def check_parts(ruleset: Ruleset, kind: str, cell: Mapping[str, str], span: Span, problems: list[Diagnostic]) -> bool:
    """Reports problems with the parts in a row or an entry; returns whether there are none."""
    wrong = len(problems)
    for heading, part in part_headings(ruleset, kind).items():
        for text in cell.get(heading, "--").split(" or "):
            try:
                read_parts(ruleset, part, text)
            except BadNotation as error:
                problems.append(at("E352", f"{heading}: {error}.", span, word=text.strip(), hint=error.hint))
    if len(problems) == wrong:
        try:
            sum(1 for _ in parts_made(ruleset, "", kind, cell))
        except BadNotation as error:
            problems.append(at("E352", f"{cell.get('name', '')}: {error}.".removeprefix(": "), span))
    return len(problems) == wrong


def check_part_kinds(ruleset: Ruleset) -> Iterator[Diagnostic]:
    """Reports problems with kinds that are parts of others."""
    for name, info in ruleset.kinds.items():
        node = info.node
        if node is None or not node.part:
            continue
        whole = ruleset.kinds.get(node.holder or "")
        if info.word in {"place", "side", "campaign"}:
            yield at("E112", f"A {info.word} cannot be part of anything.", node.span, word=name)
        elif whole is not None and whole.word in {"place", "side", "campaign"}:
            yield at("E112", f"A {whole.word} cannot have parts.", node.span, word=whole.name,
                     hint="Name a kind of thing that can be in a place: unit, formation, component or marker.")  # fmt: skip
        elif node.stands:
            yield at("E112", f"{an(name).capitalize()} cannot have `stands in`: it is always where its {node.holder} is.", node.span, word=name,
                     hint=f"Write `stands in` for the {node.holder} instead.")  # fmt: skip
        elif whole is not None and (
            info.plural in whole.fields
            or any(p.name == info.plural for p in (whole.node.printed if whole.node else ()))
        ):
            yield at("E112", f"`{info.plural}` is already a field of {whole.name}, so its parts cannot have this name.", node.span,
                     word=name, hint="Rename the field, or give the parts another plural: `plural guns`.")  # fmt: skip
