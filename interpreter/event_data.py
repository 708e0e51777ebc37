"""What each kind of event tells as data, beside its sentence: for programs that read a log.

Names are ids as the rules and orders use them; a side that may not know a name is given the label of it, here as in the sentence,
and `veiled` is then true. Events are part of the chain that proves a record: a key that is added changes what older records are compared with.
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["EVENT_DATA", "VEILED", "WORDS"]

VEILED = "veiled"
"""Whether names are told as labels, or a number is left out, since the reader may not know them."""

WORDS: Mapping[str, str] = {
    "number": "integer",
    "text": "string",
    "truth": "boolean",
    "texts": "array",
    "data": "object",
    "rows": "array",
}
"""What a value may be, and what JSON Schema calls it."""

Keys = Mapping[str, tuple[str, str]]
"""Of each key what its value is, and what it means."""

THING = ("text", "the id of the thing")
THINGS = ("texts", "the ids of the things")
REASON = ("text", "why the umpire does it")

EVENT_DATA: Mapping[str, tuple[str, Keys]] = {
    "turn": ("a turn begins", {"turn": ("number", "its number")}),
    "phase": ("a phase begins", {"turn": ("number", "the turn"), "phase": ("text", "the name of the phase")}),
    "order": ("an order is carried out", {"order": ("text", "the name of the order")}),
    "done": ("a side is done with its orders", {}),
    "choice": ("a question is answered", {"name": ("text", "the name of the question")}),
    "roll": (
        "dice fall",
        {
            "dice": ("text", "which dice: 2d6"),
            "face": ("number", "what they show; left out where it is not known"),
            "name": ("text", "what the rules call the roll"),
        },
    ),
    "note": ("the rules tell something", {}),
    "change": (
        "a field of things changes",
        {
            "things": THINGS,
            "field": ("text", "the field; side or entry where these change"),
            "value": ("text", "what it is now"),
            "was": ("text", "what it was; left out for an entry"),
        },
    ),
    "move": (
        "a thing moves",
        {"thing": THING, "way": ("texts", "the places on its way, the first and the last; empty: off the map")},
    ),
    "arrive": (
        "a thing comes into the game",
        {"thing": THING, "way": ("texts", "where it comes to; empty where that is not a place")},
    ),
    "remove": ("a thing leaves the game", {"thing": THING}),
    "join": ("a thing is held by another", {"thing": THING}),
    "rule": (
        "a rule that waited applies, or the umpire rules for the rest of the campaign",
        {
            "rule": ("text", "the name of the rule that applies"),
            "number": ("number", "the number of the umpire's ruling"),
            "about": ("texts", "what the ruling is about"),
            "question": ("text", "what the ruling settles"),
        },
    ),
    "story": (
        "what a procedure did, as one card",
        {
            "procedure": ("text", "the name of the procedure"),
            "phase": ("text", "the title of the phase"),
            "sides": ("texts", "the ids of the sides in it"),
            "rows": ("rows", "its values: a name, a value, and how it came about"),
            "rolls": ("rows", "its dice"),
            "results": ("texts", "what it brought about"),
            "falls": ("rows", "who was lost"),
        },
    ),
    "over": ("the game is over", {"winner": ("text", "the id of the side that has won; empty for none")}),
    "undo": ("an input is taken back", {}),
    "deadline": ("a deadline has passed", {}),
    "dice": ("the umpire says where dice come from", {"manner": ("text", "seeded, typed or sealed"), "reason": REASON}),
    "seal": (
        "a side seals its dice, or gives a link",
        {
            "chain": ("text", "the name of the chain"),
            "party": ("text", "whose it is"),
            "anchor": ("text", "the end of the chain, given before any dice"),
            "links": ("number", "how long it is"),
            "index": ("number", "the number of a link"),
            "link": ("text", "the link"),
        },
    ),
    "option": (
        "the umpire changes an option or the modules",
        {
            "option": ("text", "the option"),
            "value": ("text", "what it is now"),
            "was": ("text", "what it was"),
            "modules": ("texts", "the modules that are on"),
            "reason": REASON,
        },
    ),
    "override": ("the umpire sets facts, or a roster", {"reason": REASON}),
    "amend": (
        "the umpire amends the rules",
        {
            "reason": REASON,
            "since": ("text", "from when on"),
            "changed": ("rows", "how and what"),
            "rules": ("text", "the digest of the rules that hold now"),
            "waits": ("truth", "whether they hold only later"),
        },
    ),
}
"""Of each kind of event what it tells, and its keys."""
