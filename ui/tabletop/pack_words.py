"""The text of the pages of a pack, line by line."""

from collections.abc import Iterator, Mapping, Sequence

from campaigns.tabletop import Pack, PackUnit
from dsl.text.phrases import counted
from interpreter.messages.sides import UMPIRE
from interpreter.queries.table_battles import TableQuestion
from ui.cli.plain import one_line
from ui.maps.symbols import SIDE_COLOURS

__all__ = ["PackWords"]

FORMS = {
    "one": "one, by its name", "words": "one", "some": "any number, or none", "up_to": "some, or none", "exactly": "as many as the rules require", "number": "a number",
    "split": "shares, as `a 2, b 1`",
}  # fmt: skip


MOST_LISTED = 60
"""The most names that are listed in a remark."""


class PackWords:
    """The words of one pack."""

    def __init__(self, pack: Pack) -> None:
        self.pack = pack
        self._sides = {side.id: side for side in pack.view.sides}

    @property
    def standing(self) -> str:
        """Turn, date and phase."""
        pack = self.pack
        dated = f" ({pack.date})" if pack.date else ""
        return one_line(f"Turn {pack.turn}{dated}{f', {pack.phase}' if pack.phase else ''}.")

    @property
    def scenario(self) -> str:
        """What is played."""
        return one_line(f"{self.pack.title or self.pack.scenario} ({self.pack.system})")

    @property
    def reader(self) -> str:
        """For whom it is."""
        return "for the umpire" if self.pack.reader == UMPIRE else f"as known to {self.side(self.pack.reader)}"

    def file(self, ending: str) -> str:
        """The name of another file of the pack."""
        return f"{self.pack.table.name}-{ending}"

    def side(self, name: str) -> str:
        """A side by its title; `nobody` for things without a side."""
        side = self._sides.get(name)
        return one_line((side.title or side.id) if side is not None else name) or "nobody"

    def colour(self, name: str) -> str:
        """The colour of a side's counters."""
        side = self._sides.get(name)
        return "#{:02x}{:02x}{:02x}".format(*SIDE_COLOURS.get(side.colour if side is not None else "", (90, 90, 90)))

    def force(self, name: str, units: Sequence[PackUnit]) -> str:
        """The heading of a force: its name in the rules, its sides and the number of units."""
        sides = ", ".join(dict.fromkeys(self.side(unit.side) for unit in units))
        top = sum(unit.depth == 0 for unit in units)
        return one_line(f"{name}: {sides}, {counted(top, 'unit')}" if units else name)

    def what(self, unit: PackUnit) -> str:
        """A thing by its title and type."""
        return one_line(", ".join(filter(None, (unit.title, unit.type))))

    def state(self, unit: PackUnit) -> str:
        """What is known about a thing besides its name: its fields and tracks."""
        told = [f"{name} {left}/{full}" for name, (left, full) in unit.tracks.items()]
        told += [name if value == "yes" else f"{name} {value}" for name, value in unit.fields.items()]
        return one_line("; ".join((["lost"] if unit.gone else []) + told))

    @property
    def ground(self) -> list[tuple[str, str, str]]:
        """The places that have something to report."""
        return [
            (label, one_line(name), one_line("; ".join(self._told(fields))))
            for label, name, fields in self.pack.ground
            if name or fields
        ]

    def _told(self, fields: Mapping[str, str]) -> Iterator[str]:
        for name, value in fields.items():
            if value not in {"no", "--", ""}:
                yield name if value == "yes" else f"{name} {value}"

    def asked(self, asked: TableQuestion, *, listed: bool = True, titled: bool = True) -> str:
        """What a question of the table asks for. listed: with the possible answers, if they are few; titled: as people read it first."""
        of = "for each" if asked.each is not None else "for each side that is asked" if asked.per_side else "once"
        things = asked.things if listed and len(asked.things) <= MOST_LISTED else ()
        what = " or ".join(asked.words or things)
        how = FORMS.get(asked.form, asked.form)
        title = f"{asked.title} " if titled and asked.title else ""
        return one_line(f"{title}{asked.question}, {of}: {what if asked.words else f'{how}: {what}' if what else how}")

    def key(self, key: str) -> str:
        """The subject of a row, in words."""
        unit = self.pack.units.get(key)
        if unit is not None:
            title = f", {unit.title}" if unit.title else ""
            return one_line(f"{key}{title} ({self.side(unit.side)})")
        return self.side(key) if key in self._sides else "answer"

    def own(self, asked: TableQuestion, key: str) -> tuple[str, ...]:
        """The possible answers in the row of a thing or a side: only things of that side, or parts of that thing if it has any."""
        units = self.pack.units
        if key in self._sides:
            return tuple(x for x in asked.things if x not in units or units[x].side == key)
        under = tuple(x for x in asked.things if x in units and self._is_under(units[x], key))
        return under or asked.things

    def _is_under(self, unit: PackUnit, whole: str) -> bool:
        while unit.whole and unit.whole != whole and unit.whole in self.pack.units:
            unit = self.pack.units[unit.whole]
        return unit.whole == whole
