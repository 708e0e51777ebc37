"""Who may know what: which fields of a thing are hidden from whom, the public names of things, and who is told of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from dsl.analysis.filled_fields import fields_filled
from dsl.analysis.hidden_reads import WHOLLY, hidden_fields, with_full
from dsl.ir import Type
from dsl.rules.entries import template_cells
from dsl.rules.ruleset import Ruleset
from interpreter.program.secrecy import Secrecy
from interpreter.runtime.things import Thing

__all__ = ["Knowledge"]

NOTHING_HIDDEN = frozenset[str]()


class Ranking(Protocol):
    """The labels of things with hidden names, for sorting."""

    def __contains__(self, name: str) -> bool:
        """Whether something of the scenario has this id."""

    def rank(self, name: str, side: str) -> tuple[str, int]:
        """The sort key of a list for a side."""


class Peopled(Protocol):
    """The parts of a world that determine who may know what."""

    ruleset: Ruleset
    by_kind: dict[str, list[Thing]]

    @property
    def incognito(self) -> Ranking | None:
        """The labels of things with hidden names; None if the scenario hides no names."""


class Knowledge:
    """Determines who may know what of a world. Nothing here changes anything.

    conceals: whether a thing can be hidden as a whole; lifted_by: the marks of a kind that open hidden fields, with their attributes.
    """

    def __init__(self, world: Peopled, secrecy: Secrecy) -> None:
        self.world = world
        self.conceals = secrecy.conceals
        self.lifted_by: Mapping[str, tuple[tuple[str, str], ...]] = secrecy.marks
        self._shy_kinds, self._nameless_kinds = secrecy.shy_kinds, secrecy.nameless_kinds
        self._hidden: dict[tuple[str, bool, bool, tuple[str, ...]], frozenset[str]] = {}
        self._telling: dict[tuple[str, str, frozenset[str]], bool] = {}

    def as_shown(self, things: list[Thing], side: str) -> list[Thing]:
        """Things in the order of a list for a side: the order reveals nothing about hidden things."""
        labels = self.world.incognito
        if labels is not None:
            things = sorted(things, key=lambda x: labels.rank(getattr(x, "id", ""), side))
        drawn = {
            k
            for k in {getattr(x, "kind", "") for x in things}
            if k in self.world.ruleset.kinds and self.numbers_tell(k)
        }
        if side == "umpire" or not drawn:
            return things
        return sorted(things, key=lambda x: x.id if x.kind in drawn and self._is_others(x, side) else "")

    def _is_others(self, thing: Thing, side: str) -> bool:
        """Whether a thing is not the side's own and entered the game during play, while things of the scenario have labels."""
        labelled = self.world.incognito is not None and thing.id in self.world.incognito
        return not labelled and (thing.side is None or thing.side.id != side)

    def numbers_tell(self, kind: str) -> bool:
        """Whether numbered ids would reveal something hidden about a kind: where or what its things are, or what they belong to."""
        info = self.world.ruleset.kinds[kind]
        hidden = hidden_fields(self.world.ruleset, kind)
        belonging = {f.name for f in info.fields.values() if self._is_movable(f.type.of or f.type)}
        return bool(hidden & ({"place", "name", info.holder} | belonging))

    def _is_movable(self, type_: Type) -> bool:
        return (
            type_.name == "thing"
            and type_.word in self.world.ruleset.kinds
            and self.world.ruleset.kinds[type_.word].word != "place"
        )

    def called(self, thing: Thing) -> str:
        """The public name of a thing: its id if its name is hidden from some; for a place its typed form."""
        if self.world.ruleset.kinds[thing.kind].word == "place":
            return str(thing.label)
        return str(thing.id if thing.kind in self._nameless_kinds else thing.name)

    def concealed(self, thing: Thing, side: str) -> bool:
        """Whether a side must not know of a thing at all: its place is hidden from it, or its holder is concealed."""
        return self.conceals and thing.kind != "side" and "place" in self.hidden_from(thing, side)

    def knowing(self, things: Iterable[object], to: str = "all") -> list[str]:
        """Who may learn something about these things, out of the audience `to`: `all`, sides, or `umpire`."""
        if not self.conceals:
            return [to]
        sides = [s.id for s in self.world.by_kind["side"]]
        listed = [x for x in things if isinstance(x, Thing)]
        told = [s for s in (sides if to == "all" else [to]) if not any(self.concealed(x, s) for x in listed)]
        return ["all"] if told == sides else told or ["umpire"]

    def lifting(self, kind: str) -> tuple[str, ...]:
        """The marks of a kind that open hidden fields of a thing."""
        return tuple(mark for mark, _ in self.lifted_by.get(kind, ()))

    def hidden_from(self, thing: Thing, side: str) -> frozenset[str]:
        """The fields of a thing that a side may not see. A thing without a side counts as an enemy's for every side."""
        if side == "umpire":
            return NOTHING_HIDDEN
        marks = self.lifted_by.get(thing.kind)
        if marks is None:
            return NOTHING_HIDDEN
        if thing.part and thing.holder is not None:
            return self._hidden_lines(thing, side, marks) | self.hidden_from(thing.holder, side) & WHOLLY
        return self._hidden_lines(thing, side, marks)

    def _hidden_lines(self, thing: Thing, side: str, marks: tuple[tuple[str, str], ...]) -> frozenset[str]:
        """What the declaration of its kind hides of a thing. marks: those that reveal it, with their attributes."""
        if side in thing.known or (thing.part and thing.holder is not None and self._is_revealed(thing.holder, side)):
            return NOTHING_HIDDEN
        own = thing.side is not None and thing.side.id == side
        off = thing.place is None and thing.kind in self._shy_kinds
        open_by = tuple(mark for mark, slot in marks if getattr(thing, slot)) if marks else ()
        key = (thing.kind, own, off, open_by)
        found = self._hidden.get(key)
        if found is None:
            node = self.world.ruleset.kinds[thing.kind].node
            lines = [v for v in (node.visibility if node is not None else ()) if off or not v.off_map]
            lines = [v for v in lines if v.lifted not in open_by]
            hidden = frozenset(f for v in lines if _kept_back(v.hidden, v.audience, own) for f in v.fields)
            found = self._hidden[key] = with_full(self.world.ruleset, thing.kind, hidden)
        return found

    def entry_tells(self, x: Thing, hidden: frozenset[str]) -> bool:
        """Whether the unit list entry of a thing would reveal one of its hidden fields."""
        if not x.template or not hidden:
            return False
        key = x.kind, x.template, hidden
        if key not in self._telling:
            ruleset, cells = self.world.ruleset, template_cells(self.world.ruleset, x.template)
            filled = {f for head in cells for f in fields_filled(ruleset, x.kind, head)}
            self._telling[key] = not filled.isdisjoint(hidden)
        return self._telling[key]

    def _is_revealed(self, whole: Thing, side: str) -> bool:
        """Whether a whole was revealed to a side, and with it its parts."""
        return side in whole.known or (
            whole.part and whole.holder is not None and self._is_revealed(whole.holder, side)
        )

    def veils_flow(self, into: Iterable[tuple[str, str]], about: Iterable[object], roller: str, side: str) -> bool:
        """Whether a number that affects fields of these kinds is hidden from a side.

        about: what it is rolled for, if known: then it reveals nothing about other things of its kind. Otherwise it may be about any of
        the others; then the roller may not see it only if the field is hidden from them for all of these.
        """
        for kind, field in into:
            meant = [x for x in about if isinstance(x, Thing) and x.kind == kind]
            found = [bool({field, "place"} & self.hidden_from(x, side)) for x in meant or self.world.by_kind[kind]]
            enough = all if side == roller and not meant else any
            if enough(found) if found else side != roller:  # things still to arrive may be hidden
                return True
        return False

    def who_sees(self, thing: Thing, field: str) -> list[str]:
        """Who may learn of a change of a field: `all`, the sides that see it, or `umpire`."""
        sides = [s.id for s in self.world.by_kind["side"]]
        seen = [s for s in sides if not {field, "place"} & self.hidden_from(thing, s)]
        if field in self.lifting(thing.kind):  # the owner does not learn what others have found out
            seen = [s for s in seen if thing.side is None or s != thing.side.id]
        return ["all"] if seen == sides else seen or ["umpire"]


def _kept_back(hidden: bool, audience: str, own: bool) -> bool:
    """Whether a line `hidden from …` or `known to …` keeps its fields from a side that owns the thing, or does not."""
    named = {"everyone": True, "owner": own, "enemy": not own, "umpire": False}[audience]
    return named if hidden else not named and audience != "enemy"
