"""Editions of the language: a campaign continues under the checks that were in force when it was made.

A campaign file contains its rules. If the language later rejects what it accepted before, a half-played week must still
open. So a new check that rejects playable text gets a new edition here. The file keeps the edition it was made under, and each
check asks `asks`. Text read from rule files always has the newest edition. What events record depends on the edition too: when
it is replayed, a campaign must report what it reported before.
"""

from __future__ import annotations

CURRENT = 4
"""The edition that rule files are read in, and that new campaigns are made with."""
FIRST = 1
"""The edition of campaigns whose file says none."""

TOLD_PARTS = "told-parts"
"""What is recorded of events since its edition: what their sentences speak of."""

STAYS_NAMED = "stays-named"
"""What a ruling leaves in the lists that procedures have named, since its edition: what rules took out of the game before."""

SINCE = {
    "guards": 2,  # what may be absent is guarded where it is needed (E202); before, it failed in play
    "counted-in": 2,  # `loses 1 WORD`: a word that means something (E200); before, any word was taken
    "straight-links": 2,  # a link on a grid runs straight between the places it names (E343); before, it found its way
    STAYS_NAMED: 2,  # a ruling takes only what it removed itself out of those lists; before, all that was out of the game
    "one-name": 3,  # one `system` line (E102); before, the last one counted
    TOLD_PARTS: 4,  # records name what a sentence speaks of (`interpreter/messages/happenings.py`); before, the sentence alone
}
"""Since which edition each of these is asked."""


def asks(edition: int, what: str) -> bool:
    """Whether a text of an edition is asked for something. Raises KeyError for what SINCE does not name."""
    return edition >= SINCE[what]
