"""What is selected and pointed at, and its consequences: which orders are listed, which hexes are marked."""

from collections.abc import Sequence

from attrs import define

from ui.app.command_names import Words, matching
from ui.app.seat_desk import Situation
from ui.cli.playing import UMPIRE
from ui.maps.chart import Cell

__all__ = ["Selection", "giver"]


@define
class Selection:
    """What a person has chosen on the map and in the list of orders.

    Attributes:
        thing: the id of the selected thing, or empty.
        target: the label of the hex that its orders shall name, or empty.
        pointed: what the order or answer under the cursor of the list names.
        marking: whether hexes are marked at all.
    """

    thing: str = ""
    target: str = ""
    pointed: frozenset[str] = frozenset()
    marking: bool = True

    def select(self, thing: str) -> None:
        """Select a thing, or nothing."""
        self.thing, self.target = thing, ""

    def keep(self, found: Situation) -> None:
        """Forget what a new situation no longer has."""
        if not any(one.id == self.thing for one in found.view.things):
            self.select("")
        elif not found.followed:  # after an order of one's own its target has served
            self.target = ""

    def place(self, found: Situation | None) -> str:
        """The label of where the selected thing is; empty where it is nowhere, or nothing is selected."""
        return next((one.place for one in found.view.things if one.id == self.thing), "") if found else ""

    def next_of(self, things: Sequence[str]) -> str:
        """The thing after the selected one, round and round; empty if there are none."""
        if not things:
            return ""
        return things[(things.index(self.thing) + 1) % len(things)] if self.thing in things else things[0]

    def choose(self, cell: Cell, found: Situation) -> None:
        """Choose a hex: as an answer, or as target of the selected thing if its orders name it, else whoever stands there."""
        things = [thing.id for thing in cell.things]
        if cell.label in found.answers:
            self.target = cell.label
        elif self._stands_among(things, found):
            self._go_on_among(things, found)
        elif self.thing and cell.label in self.targets(found):
            self.target = cell.label
        elif things:
            self.select(next((one for one in things if self.has_orders(one, found)), things[0]))
        else:
            self.target = ""

    def point(self, cell: Cell, found: Situation) -> None:
        """Point at a hex with the mouse: at whoever stands there and has orders of its own, else as the target of the selected thing."""
        things = [thing.id for thing in cell.things]
        givers = {one.side for one in found.waiting if one.kind in {"orders", "question"}}
        own = [one.id for one in cell.things if one.side in givers and self.has_orders(one.id, found)]
        if cell.label in found.answers:
            self.target = cell.label
        elif self._stands_among(things, found):
            self._go_on_among(things, found)
        elif own:
            self.select(own[0])
        else:
            self.target = cell.label if self.thing and cell.label in self.targets(found) else ""

    def _stands_among(self, things: Sequence[str], found: Situation) -> bool:
        return bool(self.thing) and found.chart.parts.whole_of(self.thing) in things

    def _go_on_among(self, things: Sequence[str], found: Situation) -> None:
        """Select another of a stack when the selected one has nothing left to do."""
        able = [one for one in things if self.has_orders(one, found)]
        if able and not self.has_orders(self.thing, found):
            self.select(able[0])
        self.target = ""

    def words(self, found: Situation | None) -> Words:
        """The ids that orders must name to be listed."""
        if found is None or not self.thing:
            return ((self.target,),) if self.target else ()
        named = (self._named(self.thing, found),)
        return (*named, (self.target, *self._standing_at(self.target, found))) if self.target else named

    def aimed(self, found: Situation | None) -> list[str]:
        """The things that are made of parts in the hex that is aimed at."""
        return [one for one in self._standing_at(self.target, found) if found and found.chart.parts.of(one)]

    @staticmethod
    def _standing_at(label: str, found: Situation | None) -> list[str]:
        """What stands in a hex, each thing with what it is made of: an order that names any of it aims there."""
        here = [one.id for one in found.view.things if one.place == label and not one.part] if found and label else []
        return [name for one in here if found for name in (one, *found.chart.parts.below(one))]

    def marks(self, found: Situation, *, pointing: bool) -> set[str]:
        """The hexes to mark: those that the order or answer which is pointed at names, or where what it names stands; else the targets of
        the selected thing, and the hexes that may be answered.
        """
        if not self.marking:
            return set()
        if pointing and self.pointed:
            named = self.pointed - {self.thing}
            return _labels(self.pointed, found) | {
                one.place for one in found.view.things if one.id in named and one.place
            }
        return self.targets(found) | _labels(found.answers, found)

    def targets(self, found: Situation) -> set[str]:
        """The hexes that orders of the selected thing name, and those in which something of others stands that they name."""
        if not self.thing:
            return set()
        named = (self._named(self.thing, found),)
        listed = (command for commands in found.legal.values() for command in matching(commands, named))
        own = next((one.side for one in found.view.things if one.id == self.thing), "")
        others = {one.id: one.place for one in found.view.things if one.side != own and one.place}
        names = frozenset(name for command in listed for name in command.names)
        return _labels(names, found) | {place for name, place in others.items() if name in names}

    def has_orders(self, thing: str, found: Situation) -> bool:
        """Whether any legal order names a thing, or any answer to what is asked."""
        return not (found.named | found.answers).isdisjoint(self._named(thing, found))

    def able(self, found: Situation) -> list[str]:
        """The things on the map that can be given an order, or that an answer names; where there are none, those that are off it."""
        named = found.named | found.answers
        able = [one for one in found.view.things if not one.part]
        here = [one.id for one in able if one.place and self.has_orders(one.id, found)]
        return here or [one.id for one in able if not one.place and one.id in named]

    @staticmethod
    def _named(thing: str, found: Situation) -> tuple[str, ...]:
        """By which ids orders may name a thing: its own, its parts', or that of a formation that holds it and stands nowhere."""
        things = {one.id: one for one in found.view.things}
        ids = [thing]
        while ids[-1] in things:
            holder = things[ids[-1]].holder
            if holder not in things or things[holder].place or holder in ids:
                break
            ids.append(holder)
        return (*ids, *found.chart.parts.below(thing))


def _labels(names: frozenset[str], found: Situation) -> set[str]:
    """Those of some names that are places of a map."""
    return {label for chart in found.charts for label in names & chart.by_label.keys()}


def giver(found: Situation | None, seat: str, text: str, shown: str) -> str:
    """Who gives a typed line: a side gives for itself, the umpire for whom it is awaited from.

    Args:
        found: the situation.
        seat: a side or "umpire".
        text: the line.
        shown: the side whose orders are shown, if any.
    """
    if seat != UMPIRE or found is None:
        return seat
    words = text.split()
    asked = [one.side for one in found.waiting if one.kind == "question" and one.name in words]
    able = [side for side, commands in found.legal.items() if any(text == one.text for one in commands)]
    return next((side for side in (*asked, *able, shown) if side), UMPIRE)
