"""Two courses of one campaign side by side: losses, positions, fields, statuses and values of the rules, since they parted.

It is for the umpire: nothing is hidden here. The rules define what a status or a value means. Compared are all that cite a rule
and apply to one thing, to a side or to nothing.
"""

from collections.abc import Iterator
from typing import Any

from attrs import frozen

from campaigns.file.errors import CampaignError
from campaigns.play.campaign import Campaign
from interpreter.messages.inputs import RuleFailure
from interpreter.messages.sides import UMPIRE
from interpreter.messages.view import ThingView, View
from interpreter.runtime.references import without_references
from interpreter.runtime.refusals import Why
from interpreter.runtime.runtime import TROUBLE, typed

__all__ = ["Comparison", "Course", "Differing", "DifferingValue", "compare", "entry_named", "side_by_side"]

UNTOLD = frozenset({"title"})


@frozen
class Course:
    """One of the two courses.

    Attributes:
        name: the branch or entry that was requested.
        entry: the entry that it is at.
        inputs: how many inputs it has since the two diverged.
        turn, date, phase, over, winner: as in a view.
        lost: by side, the ids of the units that existed when the two diverged and are gone.
        came: by side, the ids of those that have come since.
    """

    name: str
    entry: int
    inputs: int
    turn: int
    date: str
    phase: str
    over: str
    winner: str
    lost: dict[str, tuple[str, ...]]
    came: dict[str, tuple[str, ...]]


@frozen
class Differing:
    """A thing that differs. first, second: the values of each field that differs, and `place`; empty if the thing does not exist."""

    id: str
    kind: str
    side: str
    first: dict[str, str]
    second: dict[str, str]


@frozen
class DifferingValue:
    """A calculated value that differs: of a thing, of a side or of nothing (""). word: value or status."""

    word: str
    name: str
    of: str
    first: str
    second: str


@frozen
class Comparison:
    """Two courses, where they diverge, and how they differ. facts: those of the campaign, with both values.

    asked: calculated values, but not those of a thing that only one of the courses has.
    """

    parts: int
    first: Course
    second: Course
    facts: dict[str, tuple[str, str]]
    things: tuple[Differing, ...]
    asked: tuple[DifferingValue, ...]


def entry_named(campaign: Campaign[Any], name: str) -> int:
    """The entry that a branch is at, or the entry with a number. Raises CampaignError."""
    if name.isdecimal():
        if len(name) > 15:
            raise CampaignError(f"There is no entry {name[:15]}…", "`ophex log` lists the entries.", Why.UNKNOWN_NAME)
        return campaign.entry(int(name)).number
    from campaigns.play.named_branches import branch_of

    return branch_of(campaign, name).entry


def compare(campaign: Campaign[Any], one: str, other: str) -> Comparison:
    """Compare two branches, or entries by number. Nothing is recorded.

    Raises:
        CampaignError: there is no such branch or entry, or it cannot be replayed.
    """
    entries = entry_named(campaign, one), entry_named(campaign, other)
    parts = campaign.parting(*entries)
    begun = campaign.state_at(parts).view(UMPIRE)
    beyond = [len(campaign.between(parts, entry)) for entry in entries]
    games = campaign.state_at(entries[0]), campaign.state_at(entries[1])
    return side_by_side(parts, begun, games, (one, other), entries, (beyond[0], beyond[1]))


def side_by_side(
    parts: int,
    begun: View,
    games: tuple[Any, Any],
    names: tuple[str, str],
    entries: tuple[int, int],
    inputs: tuple[int, int],
) -> Comparison:
    """Compare two games.

    Args:
        parts: the last entry that both have in common.
        begun: the situation there.
        games: both.
        names: what they are called.
        entries: the entries that they are at.
        inputs: how many each has had since they diverged.
    """
    first, second = views = [game.view(UMPIRE) for game in games]
    courses = [
        _course(name, entry, number, begun, view)
        for name, entry, number, view in zip(names, entries, inputs, views, strict=True)
    ]
    facts = {
        name: (first.facts.get(name, ""), second.facts.get(name, ""))
        for name in dict.fromkeys([*first.facts, *second.facts])
        if first.facts.get(name) != second.facts.get(name)
    }
    asked = [dict(_asked(game)) for game in games]
    alone = {thing.id for thing in first.things} ^ {thing.id for thing in second.things}
    differing = tuple(
        DifferingValue(*key, asked[0].get(key, ""), asked[1].get(key, ""))
        for key in dict.fromkeys([*asked[0], *asked[1]])
        if asked[0].get(key, "") != asked[1].get(key, "") and key[2] not in alone
    )
    return Comparison(parts, courses[0], courses[1], facts, tuple(_things(first, second)), differing)


def _course(name: str, entry: int, inputs: int, begun: View, view: View) -> Course:
    then, now = _units(begun), _units(view)
    lost, came = _by_side(then, now), _by_side(now, then)
    return Course(name, entry, inputs, view.turn, view.date, view.phase, view.over, view.winner, lost, came)


def _units(view: View) -> dict[str, ThingView]:
    return {thing.id: thing for thing in view.things if thing.word == "unit"}


def _by_side(there: dict[str, ThingView], missing_in: dict[str, ThingView]) -> dict[str, tuple[str, ...]]:
    """The ids of things that are only in the first, by side."""
    found: dict[str, list[str]] = {}
    for name, thing in there.items():
        if name not in missing_in:
            found.setdefault(thing.side, []).append(name)
    return {side: tuple(names) for side, names in found.items()}


def _things(first: View, second: View) -> Iterator[Differing]:
    """The things that differ between two situations."""
    here, there = ({thing.id: thing for thing in view.things} for view in (first, second))
    for name in dict.fromkeys([*here, *there]):
        one, other = here.get(name), there.get(name)
        if one is None or other is None:
            known = one or other
            assert known is not None
            told = _told(known)
            yield Differing(name, known.kind, known.side, told if one else {}, told if other else {})
            continue
        a, b = _told(one), _told(other)
        names = [field for field in dict.fromkeys([*a, *b]) if a.get(field) != b.get(field)]
        if names:
            yield Differing(
                name, one.kind, one.side, {x: a.get(x, "") for x in names}, {x: b.get(x, "") for x in names}
            )


def _told(thing: ThingView) -> dict[str, str]:
    """Where a thing is, who holds it, and its fields."""
    fields = {name: value for name, value in thing.fields.items() if name not in UNTOLD}
    held = {"holder": thing.holder} if thing.holder else {}
    return {"place": thing.place, "side": thing.side, **held, **fields}


def _asked(game: Any) -> Iterator[tuple[tuple[str, str, str], str]]:
    """The calculated values of each thing and side, and those without an argument. Those without a value now are left out."""
    world = game.world
    kinds = [kind for kind, info in world.ruleset.kinds.items() if info.word != "place"]
    for kind in kinds:
        things = [thing for thing in world.by_kind.get(kind, ()) if getattr(thing, "alive", True)]
        for word, name in game.asked_of(kind) if things else ():
            if word == "status" or kind == "side":
                for thing in things:
                    yield from _answer(game, word, name, thing)
    for routine in game.program.rules.routines.values():
        if routine.word in {"value", "status"} and not routine.params and routine.within is None and routine.cites:
            yield from _answer(game, routine.word, routine.name)


def _answer(game: Any, word: str, name: str, *of: Any) -> Iterator[tuple[tuple[str, str, str], str]]:
    from interpreter.codegen.python_names import py

    try:
        value = game.world.functions[f"v_{py(name)}"](*of)
    except (*TROUBLE, RuleFailure, KeyError):
        return
    yield (word, name, without_references(of[0].id) if of else ""), typed(value)
