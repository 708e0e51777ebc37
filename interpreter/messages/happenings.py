"""What can happen: one class for each kind of event, with its things, places and numbers (`happening.py` says what is recorded)."""

from __future__ import annotations

from typing import Annotated, Literal

import attrs
from attrs import frozen

from interpreter.messages.happening import NEWER, Happening
from interpreter.messages.story_parts import StoryFall, StoryRow, StoryThrow


# ---- the course of the game
@frozen
class TurnBegan(Happening):
    """date: the day, if the rules have a calendar."""

    KIND = "turn"
    MEANS = "a turn begins"
    turn: Annotated[int, "its number"]
    date: str = attrs.field(default="", eq=False)


@frozen
class PhaseBegan(Happening):
    """title: of the phase."""

    KIND = "phase"
    MEANS = "a phase begins"
    turn: Annotated[int, "the turn"]
    phase: Annotated[str, "the name of the phase"]
    title: str = attrs.field(default="", eq=False)


@frozen
class GameOver(Happening):
    """because: why; title: of the side that has won."""

    KIND = "over"
    MEANS = "the game is over"
    winner: Annotated[str, "the id of the side that has won; empty for none"]
    because: str = attrs.field(default="", eq=False)
    title: str = attrs.field(default="", eq=False)


@frozen
class DeadlinePassed(Happening):
    """title: of the side; then: what happens instead; by: who acts for it, also before any deadline."""

    KIND = "deadline"
    MEANS = "a deadline has passed"
    question: Annotated[str | None, "the question that was not answered in time", NEWER] = None
    title: str = attrs.field(default="", eq=False)
    then: str = attrs.field(default="", eq=False)
    by: str = attrs.field(default="", eq=False)


@frozen
class OrdersClosed(Happening):
    """Visible only to the side. title: of the side."""

    KIND = "deadline"
    MEANS = "a deadline has passed"
    given: Annotated[bool | None, "whether the side had given orders; they remain in effect", NEWER] = None
    title: str = attrs.field(default="", eq=False)


# ---- what sides give
@frozen
class OrderGiven(Happening):
    """by: the id of the side; command: as it was given."""

    KIND = "order"
    MEANS = "an order is carried out"
    order: Annotated[str, "the name of the order"]
    arguments: Annotated[dict[str, tuple[str, ...]] | None, "the value given for each argument", NEWER] = attrs.field(
        default=None, hash=False
    )
    by: str = attrs.field(default="", eq=False)
    command: str = attrs.field(default="", eq=False)


@frozen
class SideDone(Happening):
    """by: the id of the side; of_itself: whether it said so, rather than having no orders left."""

    KIND = "done"
    MEANS = "a side is done with its orders"
    by: str = attrs.field(default="", eq=False)
    of_itself: bool = attrs.field(default=True, eq=False)


@frozen
class QuestionAnswered(Happening):
    """by: the id of the side; said: the answer, if it is visible."""

    KIND = "choice"
    MEANS = "a question is answered"
    name: Annotated[str, "the name of the question"]
    answer: Annotated[tuple[str, ...] | None, "what was chosen: ids of things, words, numbers; omitted where it is not visible", NEWER] = None  # fmt: skip
    by: str = attrs.field(default="", eq=False)
    said: str | None = attrs.field(default=None, eq=False)


@frozen
class InputUndone(Happening):
    """by: the id of the side."""

    KIND = "undo"
    MEANS = "an input is taken back"
    taken: Annotated[str | None, "the input; omitted for other sides", NEWER] = None
    by: str = attrs.field(default="", eq=False)


@frozen
class DiceFell(Happening):
    """by: the id of the side."""

    KIND = "roll"
    MEANS = "dice are rolled"
    dice: Annotated[str, "which dice: 2d6"]
    name: Annotated[str, "what the rules call the roll"]
    face: Annotated[int | None, "the result; omitted where it is not known"] = None
    thing: Annotated[str | None, "the id of the thing that it is for", NEWER] = None
    by: str = attrs.field(default="", eq=False)


# ---- what becomes of things
@frozen
class FieldChanged(Happening):
    """called: what the things are called; titles: of the entry, or of the side and the one before; is_mark: whether it is one."""

    KIND = "change"
    MEANS = "a field of things changes"
    things: Annotated[tuple[str, ...], "the ids of the things"]
    field: Annotated[str, "the field; side or entry where these change"]
    value: Annotated[str, "the new value"]
    was: Annotated[str | None, "the old value; omitted for an entry"] = None
    called: tuple[str, ...] = attrs.field(default=(), eq=False)
    titles: tuple[str, ...] = attrs.field(default=(), eq=False)
    is_mark: bool = attrs.field(default=False, eq=False)


@frozen
class ThingMoved(Happening):
    """called: what it is called."""

    KIND = "move"
    MEANS = "a thing moves"
    thing: Annotated[str, "the id of the thing"]
    way: Annotated[tuple[str, ...], "the places it goes through, first and last included; empty: off the map"]
    called: str = attrs.field(default="", eq=False)


@frozen
class ThingArrived(Happening):
    """called: what it is called; whole: what a part belongs to; is_put: whether rules placed it."""

    KIND = "arrive"
    MEANS = "a thing enters the game"
    thing: Annotated[str, "the id of the thing"]
    way: Annotated[tuple[str, ...], "where it arrives; empty if that is not a place"]
    called: str = attrs.field(default="", eq=False)
    whole: str = attrs.field(default="", eq=False)
    is_put: bool = attrs.field(default=True, eq=False)


@frozen
class ThingRemoved(Happening):
    """called: what it is called; because: why, in the words of the rules."""

    KIND = "remove"
    MEANS = "a thing leaves the game"
    thing: Annotated[str, "the id of the thing"]
    place: Annotated[str | None, "where it was; empty: off the map", NEWER] = None
    called: str = attrs.field(default="", eq=False)
    because: str = attrs.field(default="", eq=False)


@frozen
class ThingJoined(Happening):
    """called: the names of both; is_part: whether the thing is a part."""

    KIND = "join"
    MEANS = "a thing is held by another"
    thing: Annotated[str, "the id of the thing"]
    holder: Annotated[str | None, "the id of its holder", NEWER] = None
    called: tuple[str, str] = attrs.field(default=("", ""), eq=False)
    is_part: bool = attrs.field(default=False, eq=False)


# ---- what rules say and do
@frozen
class Noted(Happening):
    """message: the sentence, with a gap `{}` for each part."""

    KIND = "note"
    MEANS = "the rules report something"
    parts: Annotated[tuple[int | str, ...] | None, "what the sentence mentions: ids of things, numbers, words", NEWER] = None  # fmt: skip
    message: str = attrs.field(default="", eq=False)


@frozen
class RuleApplied(Happening):
    """called: what the things are called; does: the verb between the first thing and the second."""

    KIND = "rule"
    MEANS = "a waiting rule fires"
    rule: Annotated[str, "the name of the rule"]
    things: Annotated[tuple[str, ...] | None, "the ids of the things that triggered it", NEWER] = None
    called: tuple[str, ...] = attrs.field(default=(), eq=False)
    does: str = attrs.field(default="and", eq=False)


@frozen
class StoryEnded(Happening):
    """title: of the story."""

    KIND = "story"
    MEANS = "what a procedure did, as one card"
    procedure: Annotated[str, "the name of the procedure"]
    phase: Annotated[str, "the title of the phase"]
    sides: Annotated[tuple[str, ...], "the ids of the sides in it"]
    rows: Annotated[tuple[StoryRow, ...], "its values"]
    rolls: Annotated[tuple[StoryThrow, ...], "its dice: sentence, side, name, dice, result, citations"] = ()
    results: Annotated[tuple[str, ...], "its results"] = ()
    falls: Annotated[tuple[StoryFall, ...], "its losses: sentence, side, ids, whether removed from the game"] = ()
    title: str = attrs.field(default="", eq=False)


# ---- what the umpire does
@frozen
class RulingStands(Happening):
    """ruling: its text."""

    KIND = "rule"
    MEANS = "the umpire makes a ruling for the rest of the campaign"
    number: Annotated[int, "the number of the ruling"]
    about: Annotated[tuple[str, ...], "what it is about"]
    question: Annotated[str, "what it settles"]
    ruling: str = attrs.field(default="", eq=False)


@frozen
class FactsOverridden(Happening):
    """heading: what the ruling is called."""

    KIND = "override"
    MEANS = "the umpire overrides facts or changes a roster"
    reason: Annotated[str, "the umpire's reason"]
    heading: str = attrs.field(default="", eq=False)


@frozen
class OptionChanged(Happening):
    """An option has a new value."""

    KIND = "option"
    MEANS = "the umpire changes an option"
    option: Annotated[str, "the option"]
    value: Annotated[str, "the new value"]
    was: Annotated[str, "the old value"]
    reason: Annotated[str, "the umpire's reason"]


@frozen
class ModulesChanged(Happening):
    """turned: the modules that changed, and whether they are now on."""

    KIND = "option"
    MEANS = "the umpire changes the modules"
    modules: Annotated[tuple[str, ...], "the modules that are on"]
    reason: Annotated[str, "the umpire's reason"]
    turned: tuple[tuple[str, bool], ...] = attrs.field(default=(), eq=False)


@frozen
class DiceChanged(Happening):
    """is_fresh: whether only the seed changes."""

    KIND = "dice"
    MEANS = "the umpire sets where dice come from"
    manner: Annotated[str, "seeded, typed or sealed"]
    reason: Annotated[str, "the umpire's reason"]
    is_fresh: bool = attrs.field(default=False, eq=False)


@frozen
class ChainSealed(Happening):
    """A chain of dice that can no longer be changed."""

    KIND = "seal"
    MEANS = "a side seals its dice"
    party: Annotated[str, "the side or umpire that owns it"]
    chain: Annotated[str, "the name of the chain"]
    anchor: Annotated[str, "the end of the chain, published before any dice are rolled"]
    links: Annotated[int, "its length"]


@frozen
class LinkGiven(Happening):
    """A link of a chain."""

    KIND = "seal"
    MEANS = "a side gives a link of its sealed dice"
    party: Annotated[str, "the side or umpire that owns it"]
    chain: Annotated[str, "the name of the chain"]
    index: Annotated[int, "the number of the link"]
    link: Annotated[str, "the link"]


@frozen
class RulesAmended(Happening):
    """titles: the changes, as a sentence."""

    KIND = "amend"
    MEANS = "the umpire amends the rules"
    reason: Annotated[str, "the umpire's reason"]
    since: Annotated[str, "when it takes effect"]
    changed: Annotated[tuple[tuple[str, str], ...], "the changes: how each rule changes, and which rule"]
    titles: str = attrs.field(default="", eq=False)


@frozen
class AmendmentHolds(Happening):
    """turn: the first turn under the amended rules."""

    KIND = "amend"
    MEANS = "amended rules take effect"
    rules: Annotated[str, "the digest of the rules now in effect"]
    turn: int = attrs.field(default=0, eq=False)


@frozen
class AmendmentWaits(Happening):
    """turn: in which it cannot take effect; why: what is wrong."""

    KIND = "amend"
    MEANS = "amended rules cannot take effect yet"
    waits: Annotated[Literal[True], "the amendment waits for the next turn"] = True
    turn: int = attrs.field(default=0, eq=False)
    why: str = attrs.field(default="", eq=False)


@frozen
class OtherTextsAmended(Happening):
    """titles: the changes, as a sentence."""

    KIND = "amend"
    MEANS = "the umpire changes lists or examples, not rules"
    titles: str = attrs.field(default="", eq=False)


def things_of(what: Happening) -> tuple[str, ...]:
    """The ids of the things that a happening has affected."""
    if isinstance(what, FieldChanged):
        return what.things
    return (what.thing,) if isinstance(what, ThingMoved | ThingArrived | ThingRemoved | ThingJoined) else ()
