"""Editions of the language: a campaign continues under the checks that were in force when it was made.

A campaign file contains its rules. If the language later rejects what it accepted before, a half-played week must still
open. So a new check that rejects playable text gets a new edition here. The file keeps the edition it was made under, and each
check asks `asks`. Text read from rule files always has the newest edition. What events record depends on the edition too: when
it is replayed, a campaign must report what it reported before.
"""

from __future__ import annotations

CURRENT = 10
"""The edition in which rule files are read and new campaigns are made."""
FIRST = 1
"""The edition of campaigns whose file does not name one."""

TOLD_PARTS = "told-parts"
"""What records of events contain since its edition: the things that their sentences mention."""

STAYS_NAMED = "stays-named"
"""What a ruling leaves in the lists that procedures have named, since its edition: things that rules removed before."""

DRAWN_THINGS = "drawn-things"
"""What a roll is kept from a side for, since its edition: something hidden that changes in the thing that is drawn."""

PLACES_THERE = "places-there"
"""What a set of places leaves out, since its edition: the place of what is off the map."""

NO_LESS_THAN_NOTHING = "no-less-than-nothing"
"""What an order takes as a number, since its edition: 0 or more."""

FRESH_LABELS = "fresh-labels"
"""How long a label stays, since its edition: until its side has lost sight of the thing."""

OWN_STOP = "own-stop"
"""What is no effect of a rule that waits, since its edition: that the rule stops itself."""

KNOWN_STOPS = "known-stops"
"""Who is told why something stops, since its edition: those who may know of the thing for which it runs."""

KNOWN_LISTS = "known-lists"
"""Who is told how a field that lists things changes, since its edition: those who may know of each of them."""

COLUMNS_ONCE = "columns-once"
"""How often a column may appear in a heading, since its edition: once."""

ONE_TO_CHOOSE = "one-to-choose"
"""What is chosen without asking, since its edition: the only thing there is to choose, though a condition on it reads hidden things."""

KEY_BY_KEY = "key-by-key"
"""Which columns a table is read by that has one key twice, since its edition: one for each."""

CLOSED_BY = "closed-by"
"""What a record says where the umpire acts for an absent side, since its edition: who acts."""

SINCE = {
    "guards": 2,  # values that may be absent are guarded where they are needed (E202); before, this failed in play
    "counted-in": 2,  # `loses 1 WORD`: a word with a meaning (E200); before, any word was accepted
    "straight-links": 2,  # a link on a grid runs straight between the places it names (E343); before, it found its own route
    STAYS_NAMED: 2,  # a ruling removes only what it took off itself from those lists; before, everything out of the game
    "one-name": 3,  # one `system` line (E102); before, the last one was used
    TOLD_PARTS: 4,  # records name what a sentence mentions (`interpreter/messages/happenings.py`); before, the sentence alone
    "worked-out": 5,  # one value works out others at most so often (E239); before, play could stand still
    DRAWN_THINGS: 5,  # `rolls one of` is as secret as what changes in the thing it selects; before, its number was told to all
    PLACES_THERE: 6,  # `place of (…)` holds only places; before, each thing off the map counted, and asking near it failed
    NO_LESS_THAN_NOTHING: 7,  # the number in an order is 0 or more; before, `spend -5` gained 5
    "joined-links": 7,  # a link of a drawn map joins neighbours (E334); before, any two places, and no path led along it
    FRESH_LABELS: 8,  # a thing that was lost from sight is met again under another label; before, a label stayed for ever
    OWN_STOP: 8,  # a waiting rule that does nothing but stop itself is not reported; before, it was
    KNOWN_STOPS: 8,  # `stop … because` is told to those who may know of the thing for which it runs; before, to everybody
    KEY_BY_KEY: 9,  # `table t by plan and plan` has a column for each key; before, the first column was read for both
    KNOWN_LISTS: 9,  # a field that lists things changes: told to those who may know of each; before, to all who see the field
    ONE_TO_CHOOSE: 10,  # a choice with one candidate is made, whatever its `such that` reads; before, it was asked
    COLUMNS_ONCE: 10,  # a heading has each column once (E102); before, one of two was read and the other was not
    CLOSED_BY: 10,  # the umpire closes orders, also before any deadline; before, the record said that the deadline had passed
}
"""The edition since which each of these applies."""


def asks(edition: int, what: str) -> bool:
    """Whether something applies to text of an edition. Raises KeyError for anything not in SINCE."""
    return edition >= SINCE[what]
