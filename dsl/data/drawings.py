"""`drawn WORD as WHAT`: how maps and counters show words of the rules. Only the code that draws knows what can be drawn."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from dsl.rules.entries import entries_of
from dsl.rules.ruleset import Ruleset
from dsl.syntax import declarations as d
from dsl.text.diagnostics import Diagnostic, at, did_you_mean
from dsl.text.name_words import words_of_name

GROUND = "ground"
"""The drawing for a field that gives the terrain of a place."""
BOXES = "boxes"
"""The drawing for a field whose number fills a row of boxes, like wounds on a record sheet."""
OF_FIELDS = (GROUND, BOXES)
"""The drawings that only fields can have."""


def check_drawings(ruleset: Ruleset) -> Iterator[Diagnostic]:
    """E200 for a `drawn` line whose first word is unknown, W346 for boxes whose number is not defined."""
    known = {*ruleset.terms, *ruleset.kinds, *ruleset.links()}
    known |= {name for kind in ruleset.kinds.values() for name in kind.fields}
    known |= {
        word for kind in ruleset.kinds for entry in entries_of(ruleset, kind) for word in (entry, *words_of_name(entry))
    }
    for node in ruleset.drawn.values():
        if node.name not in known:
            hint = (
                did_you_mean(node.name, known)
                or "Name a word of an enum, a kind, a list entry (or a word in its name), a link or a field."
            )
            yield at("E200", f"Unknown name `{node.name}`.", node.span, hint=hint, word=node.name)
        elif BOXES in node.shows and not any(node.name in boxed(ruleset, kind) for kind in ruleset.kinds):
            message = f"The number of boxes of `{node.name}` is not defined."
            hint = f"Give the field bounds that start at 0: `{node.name} 0 .. 6`."
            if any(node.name in kind.fields and kind.fields[node.name].track for kind in ruleset.kinds.values()):
                message, hint = f"The track `{node.name}` is drawn as boxes anyway.", "Leave this line out."
            yield at("W346", message, node.span, hint=hint, word=node.name)


def boxed(ruleset: Ruleset, kind: str) -> dict[str, int]:
    """The fields of a kind that are drawn as boxes, each with its number of boxes: its greatest value."""
    fields, named = ruleset.kinds[kind].fields, (name for name, node in ruleset.drawn.items() if BOXES in node.shows)
    found = {name: fields[name] for name in named if name in fields}
    return {name: field.high for name, field in found.items() if field.high and field.low == 0 and not field.track}


def undrawable(declarations: Iterable[d.Declaration], drawings: Collection[str]) -> Iterator[Diagnostic]:
    """W346 for drawings in a `drawn` line that do not exist. drawings: all drawings except those for fields."""
    for node in (x for x in declarations if isinstance(x, d.Drawn)):
        for shown in node.shows:
            if shown not in OF_FIELDS and shown not in drawings:
                hint = did_you_mean(shown, drawings) or f"It can be: {', '.join(drawings)}."
                yield at("W346", f"Unknown drawing `{shown}`.", node.span, hint=hint, word=shown)


def drawn_as(ruleset: Ruleset) -> dict[str, tuple[str, ...]]:
    """How each word of the rules is drawn."""
    return {name: node.shows for name, node in ruleset.drawn.items()}
