"""How things are drawn, by name: grounds, ways, arms and sizes that a rule text can say a word of its own is drawn as.

What each looks like is for whatever draws. A word that is one of these, or holds one, need not be declared.
"""

from __future__ import annotations

from collections.abc import Iterator

from dsl.rules.entries import entries_of
from dsl.rules.ruleset import Ruleset
from dsl.text.diagnostics import Diagnostic, at, did_you_mean

GROUNDS = ("water", "swamp", "woods", "mountains", "hills", "town", "desert", "fields", "ruins", "beach")
WAYS = ("road", "track", "rail", "river")
ARMS = (
    "headquarters", "engineers", "artillery", "air", "airborne", "reconnaissance", "mechanized", "armor", "supply", "infantry",
)  # fmt: skip
SIZES = (
    "army-group", "army", "corps", "division", "brigade", "regiment", "battalion", "company", "platoon", "section", "squad",
)  # fmt: skip
GROUND = "ground"
"""What a field is drawn as that tells the ground of a place."""
DRAWINGS = (*GROUNDS, *WAYS, *ARMS, *SIZES, GROUND)


def check_drawings(ruleset: Ruleset) -> Iterator[Diagnostic]:
    """E200 for a `drawn` line whose first word nothing in the rules is called, or whose others nobody can draw."""
    known = {*ruleset.terms, *ruleset.kinds, *ruleset.links()}
    known |= {name for kind in ruleset.kinds.values() for name in kind.fields}
    known |= {entry for kind in ruleset.kinds for entry in entries_of(ruleset, kind)}
    for node in ruleset.drawn.values():
        if node.name not in known:
            hint = (
                did_you_mean(node.name, known) or "Drawn are words of enums, kinds, entries of lists, links and fields."
            )
            yield at("E200", f"I do not know `{node.name}`.", node.span, hint=hint, word=node.name)
        for shown in node.shows:
            if shown not in DRAWINGS:
                hint = did_you_mean(shown, DRAWINGS) or f"It can be: {', '.join(DRAWINGS)}."
                yield at("E200", f"Nothing is drawn as `{shown}`.", node.span, hint=hint, word=shown)


def drawn_as(ruleset: Ruleset) -> dict[str, tuple[str, ...]]:
    """What each word that the rules speak of is drawn as."""
    return {name: node.shows for name, node in ruleset.drawn.items()}
