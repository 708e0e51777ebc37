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
    """What the user has chosen on the map and in the list of orders.

    Attributes:
        thing: the id of the selected thing, or empty.
        target: the label of the hex that listed orders must name, or empty.
        pointed: the ids that the order or answer under the list's cursor names.
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
        """Drop the selection if the new situation no longer has it."""
        if not any(one.id == self.thing for one in found.view.things):
            self.select("")
        elif not found.followed:  # after an order from this seat its target is used up
            self.target = ""

    def place(self, found: Situation | None) -> str:
        """The label of the selected thing's place; empty if it has none, or nothing is selected."""
        return next((one.place for one in found.view.things if one.id == self.thing), "") if found else ""

    def next_of(self, things: Sequence[str]) -> str:
        """The thing after the selected one, starting over at the end; empty if there are none."""
        if not things:
            return ""
        return things[(things.index(self.thing) + 1) % len(things)] if self.thing in things else things[0]

    def choose(self, cell: Cell, found: Situation) -> None:
        """Choose a hex: as an answer, or as target of the selected thing if its orders name the hex, or else select what is there."""
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
        """Click on a hex: select what is there and has orders of its own, or else make it the target of the selected thing."""
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
        """Select another thing of a stack if the selected one has nothing left to do."""
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
        """The things in the target hex that are made of parts."""
        return [one for one in self._standing_at(self.target, found) if found and found.chart.parts.of(one)]

    @staticmethod
    def _standing_at(label: str, found: Situation | None) -> list[str]:
        """The things in a hex and their parts: an order that names any of them targets the hex."""
        here = [one.id for one in found.view.things if one.place == label and not one.part] if found and label else []
        return [name for one in here if found for name in (one, *found.chart.parts.below(one))]

    def marks(self, found: Situation, *, pointing: bool) -> set[str]:
        """The hexes to mark: those that the order or answer under the cursor names, or where the things are that it names; or else
        the targets of the selected thing, and the hexes that are possible answers.
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
        """The hexes that the selected thing's orders name, and those with things of other sides that they name."""
        if not self.thing:
            return set()
        named = (self._named(self.thing, found),)
        listed = (command for commands in found.legal.values() for command in matching(commands, named))
        own = next((one.side for one in found.view.things if one.id == self.thing), "")
        others = {one.id: one.place for one in found.view.things if one.side != own and one.place}
        names = frozenset(name for command in listed for name in command.names)
        return _labels(names, found) | {place for name, place in others.items() if name in names}

    def has_orders(self, thing: str, found: Situation) -> bool:
        """Whether any legal order or any answer to an open question names a thing."""
        return not (found.named | found.answers).isdisjoint(self._named(thing, found))

    def able(self, found: Situation) -> list[str]:
        """The things on the map that an order or an answer names; if there are none, those off the map."""
        named = found.named | found.answers
        able = [one for one in found.view.things if not one.part]
        here = [one.id for one in able if one.place and self.has_orders(one.id, found)]
        return here or [one.id for one in able if not one.place and one.id in named]

    @staticmethod
    def _named(thing: str, found: Situation) -> tuple[str, ...]:
        """The ids by which orders may name a thing: its own, those of its parts, and those of off-map formations that hold it."""
        things = {one.id: one for one in found.view.things}
        ids = [thing]
        while ids[-1] in things:
            holder = things[ids[-1]].holder
            if holder not in things or things[holder].place or holder in ids:
                break
            ids.append(holder)
        return (*ids, *found.chart.parts.below(thing))


def _labels(names: frozenset[str], found: Situation) -> set[str]:
    """The names that are places on a map."""
    return {label for chart in found.charts for label in names & chart.by_label.keys()}


def giver(found: Situation | None, seat: str, text: str, shown: str) -> str:
    """Who gives a typed line: a side gives for itself, the umpire for the side that the game is waiting for.

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
