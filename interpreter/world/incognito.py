"""Labels for hidden names: what a side calls others' things whose names it may not know. They reveal no type, holder or order.

Rules, logs and campaign files use the names of the scenario. Where a kind hides its names (`hidden from enemy:
name`), another side reads labels instead, such as `counter-b83`, and may write them. They are drawn from the seed of the
campaign. Where things can also be hidden completely, a label lasts until its side has lost sight of the thing (`fresh_labels.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from hashlib import blake2b
from typing import Any, Protocol, TypeVar

import attrs

from dsl.analysis.hidden_reads import hidden_fields
from dsl.data.forces import NOBODY
from dsl.rules.editions import FRESH_LABELS, asks
from dsl.rules.parts import parts_of_row
from dsl.rules.rows import cells
from dsl.rules.ruleset import Ruleset
from dsl.syntax import declarations as d
from interpreter.messages.happening import Happening
from interpreter.messages.sentences import sentence_of
from interpreter.messages.sides import UMPIRE
from interpreter.runtime.references import ShyName, mapped, named_in, projected, without_references
from interpreter.runtime.things import Thing
from interpreter.world.fresh_labels import FreshLabels
from interpreter.world.knowledge import Knowledge
from interpreter.world.namebook import Names
from interpreter.world.new_ids import unlike_names

V = TypeVar("V")
WORD = re.compile(r"[\w-]+")


class Populated(Protocol):
    """The parts of a world that labels need. due: arrivals still to come, by turn."""

    due: dict[int, list[tuple[d.Forces, dict[str, str]]]]

    ruleset: Ruleset
    """The rules in force."""

    @property
    def by_kind(self) -> Mapping[str, list[Thing]]:
        """All living things by their kinds."""

    @property
    def by_id(self) -> Mapping[str, Thing]:
        """All things by their ids."""

    places: list[Thing]
    """The places by their numbers."""
    knowledge: Knowledge
    """Who may know what."""


class Incognito:
    """The labels of the things of a scenario whose names can be hidden.

    Args:
        world: the world they are in.
        labels: the labels by id; if others are read, these only say in which order rules take things.
        sides: the id of the side of each, empty for none; in the order of the scenario.
        fresh: the labels that are read, of things whose labels change; None if all stay.
    """

    def __init__(
        self, world: Populated, labels: Mapping[str, str], sides: Mapping[str, str], fresh: FreshLabels | None = None
    ) -> None:
        self._world = world
        self._labels = dict(labels)
        self._fresh = fresh
        self._sides = dict(sides)
        self._written = {name: number for number, name in enumerate(sides)}
        self._held: dict[str, frozenset[str]] = {}

    def __contains__(self, name: str) -> bool:
        """Whether something of the scenario has this id."""
        return name in self._labels or name in self._written

    def call(self, things: Iterable[Thing]) -> None:
        """Turns the ids of things with labels into references; also their names, if these are the ids."""
        for thing in things:
            if thing.id in self._labels:
                is_called_so = thing.name == thing.id
                thing.id = ShyName(without_references(thing.id))
                if is_called_so:
                    thing.name = thing.id

    def called(self, side: str) -> Callable[[str], str]:
        """What a side, or the umpire, may call the thing of an id. For a truncated id nothing is revealed."""
        if side == UMPIRE:
            return str
        return lambda name: (
            (self.label(name, side) if self._hidden(name, side) else name) if name in self._labels else "…"
        )

    def told(self, text: str, side: str) -> str:
        """A text as a side may read it."""
        return projected(text, self.called(side))

    def hold(self, side: str) -> None:
        """From now on a side sees no name that it does not know now, whatever is revealed later."""
        self._held[side] = frozenset(name for name in self._labels if self._hidden(name, side))

    def meant(self, text: str, side: str = UMPIRE) -> str:
        """Typed text with references for the labels of a side, or of all, no matter who may know them: a recorded input was accepted."""
        if self._fresh is None:
            ids = self._ids
        else:
            readers = [side] if side in self._viewers else self._viewers
            ids = {self.label(name, reader): name for reader in readers for name in self._labels}
        return WORD.sub(lambda found: str(ShyName(ids[found[0]])) if found[0] in ids else found[0], text)

    def printed(self, ids: str) -> str:
        """Printed ids, separated by commas, as references."""
        return ", ".join(str(ShyName(x)) if x in self._labels else x for x in ids.split(", "))

    def referred(self, text: str, names: Names) -> str:
        """Text typed with ids, with references for them. names: where they occur."""
        return WORD.sub(
            lambda one: (
                str(ShyName(one[0])) if one[0] in self._labels and names.has(one[0].lower(), one.start()) else one[0]
            ),
            text,
        )

    def id_of(self, word: str) -> str:
        """The id that a label stands for, or stood for; for any other word the word itself."""
        return self._ids.get(word, word)

    @cached_property
    def _ids(self) -> dict[str, str]:
        """The ids by all labels."""
        ids = {label: name for name, label in self._labels.items()}
        return ids if self._fresh is None else {**ids, **self._fresh.ids()}

    @property
    def _viewers(self) -> list[str]:
        return [s.id for s in self._world.by_kind["side"]]

    def retold(self, value: V, side: str) -> V:
        """A structure with every text in it in the form that a side, or the umpire, may read."""
        called = self.called(side)
        told: V = mapped(value, lambda text: projected(text, called))
        return told

    def label(self, name: str, side: str) -> str:
        """The label under which a side knows a thing now, by its id; empty if it has none."""
        if self._fresh is not None and name in self._fresh and side != UMPIRE:
            return self._fresh.label(name, side)
        return self._labels.get(name, "")

    def absent(self, here: Iterable[str], side: str) -> list[str]:
        """The names known from the scenario of things that are not in the game."""
        found = set(self._labels).difference(here)
        return [name for name in self._labels if name in found and self._sides[name] != side]

    def renamed(self, called: Mapping[str, str]) -> Incognito:
        """The same labels, for renamed things: the new names by the old ones."""
        labels = {called.get(name, name): label for name, label in self._labels.items()}
        sides = {called.get(name, name): side for name, side in self._sides.items()}
        return Incognito(self._world, labels, sides, None if self._fresh is None else self._fresh.renamed(called))

    def order(self, name: str, side: str) -> str:
        """The sort key of a list for a side, so that the order reveals nothing: the label of a hidden thing, else nothing."""
        return self.label(name, side) if name in self._labels and self._hidden(name, side) else ""

    def rank(self, name: str, side: str) -> tuple[str, int]:
        """Like `order`, with things that are not hidden in the order of the scenario."""
        label = self.order(name, side)
        return label, self._written.get(name, len(self._written)) if not label else 0

    def lot(self, name: str) -> str:
        """The replacement for a name where rules take things in the order of their names, so that the order reveals nothing."""
        return self._labels.get(name, name)

    def shuffle(self) -> None:
        """Sorts the things of the scenario, and their holders, by their labels (at the start, if these change).

        Rules take things in the order in which they entered the game. Messages about one after the other would reveal the order
        of the scenario, and so their identities.
        """
        world = self._world
        for group in world.by_kind.values():
            self._mix(group)
        for place in world.places:
            if len(place.things) > 1:
                stack = list(place.things)
                self._mix(stack)
                place.things = dict.fromkeys(stack)
        for thing in world.by_id.values():
            self._mix(thing.members)
        for rows in world.due.values():
            self._mix_rows(rows)

    def _mix(self, things: list[Thing]) -> None:
        """Things with labels sorted by them, for each kind and side; all others stay in place."""
        self._sort(
            things,
            lambda x: (x.kind, self._sides[x.id]) if x.id in self._labels else None,
            lambda x: self._labels[x.id],
        )

    def _mix_rows(self, rows: list[Any]) -> None:
        """Rows of things that arrive together, holders before the things they hold."""
        holders = {}
        for forces, row in rows:
            holder = self._world.ruleset.kinds[forces.of].holder
            holders[row["name"]] = row.get(holder, "") if holder else ""

        def depth(name: str) -> int:
            return 1 + depth(holders[name]) if name in holders else 0

        self._sort(
            rows,
            lambda one: (one[0].of, one[0].side) if one[1]["name"] in self._labels else None,
            lambda one: (depth(one[1]["name"]), self._labels[one[1]["name"]]),
        )

    @staticmethod
    def _sort(found: list[Thing], group: Callable[[Any], Any], key: Callable[[Any], Any]) -> None:
        """Sorts the members of each group among their positions in a list; things in no group stay."""
        members: dict[object, list[int]] = {}
        for at, one in enumerate(found):
            if (of := group(one)) is not None:
                members.setdefault(of, []).append(at)
        for places in members.values():
            for at, one in zip(places, sorted((found[at] for at in places), key=key), strict=True):
                found[at] = one

    def versions(self, what: Happening, to: str) -> list[tuple[Happening, list[str]]]:
        """The versions of a happening for its audience `to` (all, a side, the umpire), each with its readers; the one with all names first."""
        plain, names = self.retold(what, UMPIRE), named_in(sentence_of(what))
        if to == UMPIRE or not names:
            return [(plain, [to])]
        sides = [s.id for s in self._world.by_kind["side"]] if to == "all" else [to]
        found: dict[str, tuple[Happening, list[str]]] = {sentence_of(plain): (plain, [])}
        for side in sides:
            veiled = any(name not in self._labels or self._hidden(name, side) for name in names)
            if veiled and self._fresh is not None:
                for name in names:
                    self._fresh.tell(name, side)
            here = attrs.evolve(self.retold(what, side), veiled=True) if veiled else plain
            found.setdefault(sentence_of(here), (here, []))[1].append(side)
        if len(found) == 1:
            return [(plain, [to])]
        return [(one, readers or [UMPIRE]) for one, readers in found.values()]

    # ---- what a side loses from sight
    def look(self) -> None:
        """Each side looks at what it can see, while the game waits for somebody."""
        if self._fresh is not None:
            world, sides = self._world, [side for side in self._viewers if side not in self._held]
            self._fresh.look(
                (name, side, not world.knowledge.concealed(x, side))
                for name in self._fresh
                if (x := world.by_id.get(name)) is not None and x.alive
                for side in sides
                if x.side is None or x.side.id != side
            )

    def data(self) -> dict[str, dict[str, int]]:
        """What sides have met and lost from sight."""
        return {} if self._fresh is None else self._fresh.data()

    def restore(self, data: Mapping[str, Mapping[str, int]]) -> None:
        """Restores what `data` gave."""
        if self._fresh is not None:
            self._fresh.restore(data)

    def _hidden(self, name: str, side: str) -> bool:
        if side == UMPIRE:
            return False
        if name in self._held.get(side, ()):
            return True
        thing = self._world.by_id.get(name)
        if thing is None:
            return self._sides[name] != side
        return "name" in self._world.knowledge.hidden_from(thing, side)


def incognito(world: Populated, scenario: d.Scenario, seed: str) -> Incognito | None:
    """The labels for a scenario; None if no kind hides its names."""
    labels: dict[str, str] = {}
    sides: dict[str, str] = {}
    rows: dict[tuple[str, str], list[str]] = {}
    for forces in scenario.forces:  # also those of modules that are off: turning these on must change no label
        side = "" if forces.side == NOBODY else forces.side
        for kind, name in _listed(world, forces):
            if "name" in hidden_fields(world.ruleset, kind, ever=True):
                if name not in sides:
                    rows.setdefault((kind, side), []).append(name)
                sides[name] = side
    for (kind, side), names in rows.items():
        drawn = unlike_names(f"{seed} label", kind, (side or "x")[0])
        for name in sorted(names, key=lambda name: blake2b(f"{seed} {name}".encode(), digest_size=8).digest()):
            labels[name] = next(label for label in drawn if label not in sides and label not in labels.values())
    return Incognito(world, labels, sides, _fresh(world, rows, labels, scenario, seed)) if labels else None


class Sighted(Protocol):
    """A world that sides look at."""

    incognito: Incognito | None


def look_about(world: Sighted) -> None:
    """Each side looks at what it can see: what it loses from sight later, it meets again as something new."""
    if world.incognito is not None:
        world.incognito.look()


def _fresh(
    world: Populated,
    rows: Mapping[tuple[str, str], list[str]],
    labels: Mapping[str, str],
    scenario: d.Scenario,
    seed: str,
) -> FreshLabels | None:
    """The labels that change: those of things that can be hidden completely."""
    groups: dict[tuple[str, str], list[str]] = {}
    for (kind, side), names in rows.items():
        if asks(world.ruleset.edition, FRESH_LABELS) and _can_vanish(world.ruleset, kind):
            groups.setdefault((kind, (side or "x")[0]), []).extend(names)
    if not groups:
        return None
    lots = {key: sorted(names, key=lambda name: labels[name]) for key, names in groups.items()}
    return FreshLabels(seed, lots, [side.name for side in scenario.sides], frozenset(labels))


def _can_vanish(ruleset: Ruleset, kind: str) -> bool:
    """Whether things of a kind can be hidden completely, or the wholes that they are part of."""
    info = ruleset.kinds[kind]
    whole = info.holder if info.part else None
    return "place" in hidden_fields(ruleset, kind, ever=True) or (whole is not None and _can_vanish(ruleset, whole))


def _listed(world: Populated, forces: d.Forces) -> Iterator[tuple[str, str]]:
    """Kind and name of each thing in a table of forces, including its parts."""
    if forces.of not in world.ruleset.kinds:
        return
    header = cells(forces.rows[0])
    for row in forces.rows[1:]:
        cell = dict(zip(header, cells(row), strict=True))
        yield forces.of, cell["name"]
        yield from ((part.kind, part.name) for part in parts_of_row(world.ruleset, forces.of, cell))
