"""Mirrors: for each side that looks, a world of its own in which nothing exists that the side may not know.

Nothing is removed from the world in play, so several readers may look at once. A mirror has things and places, functions and
paths of its own. It is made when a side first looks, and brought up to date before each look. The world records what has
changed since (`World.touch`), and only that is copied again. Everything is copied if the changes are not known, or if
something becomes visible or hidden. Where a thing is visible but one of its values is hidden, reading that value raises `Hidden`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock

from dsl.rules.notation import attribute
from interpreter.codegen.reads import ALL, ENTRY, MOVES
from interpreter.mirrors.known_names import KnownNames, frames_heard
from interpreter.mirrors.known_past import SeenPast
from interpreter.mirrors.mirrored_kinds import MirroredKind, mirrored_kind, with_parts
from interpreter.mirrors.mirrored_world import FACTS, NOW, SHARED
from interpreter.runtime.frames import Frame
from interpreter.runtime.hidden import Hidden, hide, is_hidden, nature_of, withhold
from interpreter.runtime.things import NO_PLACE, Thing, Value
from interpreter.world.ways import Ways
from interpreter.world.world import World

__all__ = ["Mirror", "mirror_of"]

_NONE = object()
"""A placeholder for a missing value."""


class SeenWorld(World):
    """The world as a side knows it."""

    mirror: Mirror

    def last_frame(self, key: str) -> Frame:
        """The frame of a routine's last run, as the side knows it, or a fresh one."""
        found = self.frames.get(key)
        if found is None:
            real = None if self.mirror.names else self.mirror.real.frames.get(key)
            made = self.frame(key, self.active, None) if real is None else self.mirror.frame_there(real)
            found = self.frames[key] = made
        return found


class Mirror:
    """A world as one side knows it.

    world: what exists for the side. made_of: the functions of the mirrored world, which change when its rules change.
    """

    def __init__(self, real: World, side: str) -> None:
        self.real, self.side, self.made_of = real, side, real.functions
        self.lock, self.depth, self.names = RLock(), 0, False
        world = self.world = SeenWorld(real.program, real.options)
        world.mirror = world.veil = self
        world.options = real.options
        self._options = dict(real.options)
        for name in SHARED:
            setattr(world, name, getattr(real, name))
        world.durations = SeenPast(real, side, self.back)  # type: ignore[assignment]  # only past actions are read
        world.functions = real.program.functions(world, real.options)
        world.ways = Ways(world, fine=True)
        self._kinds: dict[str, MirroredKind] = {}
        self._there: dict[Thing, Thing] = {}
        self._back: dict[Thing, Thing] = {}
        self._seen: set[Thing] = set()
        self._hidden: dict[Thing, frozenset[str]] = {}
        self._shown: dict[Thing, tuple[object, frozenset[str]]] = {}
        """For each thing the plain values when it was last shown, and what was hidden of it."""
        self._frames: dict[int, tuple[Frame, Frame]] = {}
        self._copy_places()
        self._version = self._unclear = -1
        self._altered = self._stirred = 0
        self._counts: dict[str, int] = {}

    # ---- looking
    @contextmanager
    def held(self) -> Iterator[Mirror]:
        """The mirror in the side's current view of the world; it stays so until released, and only one thread uses it at a time."""
        with self.lock:
            if not self.depth:
                self._catch_up()
            self.depth += 1
            try:
                yield self
            finally:
                self.depth -= 1

    @contextmanager
    def with_names(self) -> Iterator[Mirror]:
        """The same, including what the side knows of the names of procedures that ran."""
        with self.held():
            before = self.world.frames, self._frames, self.names
            self._frames, self.names = {}, True
            self.world.changed()
            try:
                heard = frames_heard(self.real, self.side)
                self.world.frames = {key: self.frame_there(frame) for key, frame in heard.items()}
                KnownNames(self.real, self.world, self.side, self.world.frames, self).hide(heard)
                yield self
            finally:
                self.world.frames, self._frames, self.names = before
                self.world.changed()

    def covers(self, error: BaseException | None) -> bool:
        """Whether something failed because it is hidden from the side."""
        return is_hidden(error)

    def take(self, frame: Frame, slot: str) -> bool:
        """Hides the value of a name, if it has one; returns whether it had."""
        if there := hasattr(frame, slot):
            hide(frame, slot)
        return there

    def miss(self, frame: Frame, slot: str) -> None:
        """Records a name that could not be set because it depends on something hidden."""
        withhold(frame, slot)

    def there(self, value: Value) -> Value:
        """A value for the side: its own things for those of the game. Raises Hidden for one that it must not know of."""
        if hasattr(value, "members"):
            if value not in self._seen:
                raise Hidden(value, "place")
            return self._there[value]
        if isinstance(value, list | tuple):
            return type(value)([self.there(x) for x in value if self._may_see(x)])
        if isinstance(value, dict):
            shown = {k: x for k, x in value.items() if self._may_see(k) and self._may_see(x)}
            return type(value)({self.there(k): self.there(x) for k, x in shown.items()})
        return value

    def _may_see(self, value: Value) -> bool:
        return not hasattr(value, "members") or value in self._seen

    def back(self, value: Value) -> Value:
        """The game's value for a value of the side."""
        if hasattr(value, "members"):
            return self._back[value]
        if isinstance(value, list | tuple):
            return type(value)([self.back(x) for x in value])
        if isinstance(value, dict):
            return type(value)({self.back(k): self.back(x) for k, x in value.items()})
        return value

    def frame_there(self, frame: Frame) -> Frame:
        """A frame of the game as the side knows it: a name for something that it must not know of is hidden."""
        kept = self._frames.get(id(frame))
        if kept is not None:
            return kept[1]
        made: Frame = nature_of(frame)()
        self._frames[id(frame)] = frame, made
        for slot in type(frame).__slots__:
            if slot == "memo":
                made.memo, made.stamp = {}, -1
            elif slot == "up":
                made.up = None if frame.up is None else self.frame_there(frame.up)
            elif slot == "withheld":
                for name in getattr(frame, slot, ()):
                    withhold(made, name)
            elif slot != "stamp" and (value := getattr(frame, slot, _NONE)) is not _NONE:
                try:
                    setattr(made, slot, self.there(value))
                except Hidden:
                    withhold(made, slot)
        return made

    def frame_back(self, frame: Frame) -> Frame:
        """A frame of the game for one that was created here; it has no enclosing frame."""
        made: Frame = nature_of(frame)()
        for slot in type(frame).__slots__:
            if slot not in {"memo", "stamp", "withheld"} and hasattr(frame, slot):
                setattr(made, slot, self.back(getattr(frame, slot)))
        made.memo, made.stamp = {}, -1
        return made

    # ---- catching up
    def _catch_up(self) -> None:
        real, world = self.real, self.world
        self._frames = {}
        world.frames = {}
        world.ways.chosen = {}
        if self._options != real.options:
            self._options = dict(real.options)
            if "settle_options" in world.functions:
                world.functions["settle_options"]()
            world.aside = None
            world.touch(ALL)
        if self._version == real.version:
            return
        clear = self._unclear == real.unclear
        altered, stirred = real.altered[self._altered :], dict.fromkeys(real.stirred[self._stirred :])
        self._altered, self._stirred = len(real.altered), len(real.stirred)
        touched: set[str] = set()
        if not clear or not all(self._shown_again(x, touched) for x in dict.fromkeys(altered)):
            self._show_all(touched, set(altered) if clear else None)
        for index in stirred:
            self._stack(real.places[index], world.places[index])
        world.stirred += stirred
        self._now()
        for name in touched:
            world.touch(name)
        for name in FACTS:
            if self._counts.get(name, 0) != real.touched.get(name, 0):
                self._counts[name] = real.touched.get(name, 0)
                world.touch(name)
        world.changed()
        self._version, self._unclear = real.version, real.unclear

    def _now(self) -> None:
        """Copies the current state."""
        real, world = self.real, self.world
        for name in NOW:
            setattr(world, name, getattr(real, name))
        world.phases, world.entered = list(real.phases), set(real.entered)
        world.active, world.winner = self.there(real.active), self.there(real.winner)

    def _shown_again(self, x: Thing, touched: set[str]) -> bool:
        """Updates a changed thing; returns whether no other thing is affected by it."""
        if x not in self._there or x.alive != (self._there[x].alive if x in self._seen else False):
            return False
        before, seen = self._hidden[x], x in self._seen
        if (self._found_out(x) != seen) or self._hidden[x] != before:
            return False
        if seen:
            self._show(x, touched)
        return all(self._shown_again(part, touched) for part in x.members if part.part)

    def _show_all(self, touched: set[str], altered: set[Thing] | None) -> None:
        """Updates all things that a change affects; all if one appears or vanishes. altered: what changed, or None if unknown."""
        real, world = self.real, self.world
        was, looked = self._seen, self._found_anew(altered)
        affected = {*looked, *(x.holder for x in looked if x.holder is not None)}
        if altered is None or was != self._seen or any(x.alive != self._there[x].alive for x in altered & was):
            self._list()
        if was != self._seen:
            touched.add(MOVES)
            affected.update(real.by_id.values())
        for x in affected & self._seen:
            self._show(x, touched)
        world.game = None if real.game is None else self._there.get(real.game)

    def _found_anew(self, altered: set[Thing] | None) -> set[Thing]:
        """Finds out what the side may know of what changed and of the parts of this, or of everything; returns these."""
        real = self.real
        was, self._seen = self._seen, set(real.places)
        looked = {*real.places, *real.by_id.values()} if altered is None else with_parts(altered)
        for x in real.by_id.values():
            if x not in self._there:
                self._make(x)
                looked.add(x)
            if self._found_out(x) if x in looked else x in was:
                self._seen.add(x)
        for x in real.places:
            if x in looked or self._of(x.kind).telling:
                self._found_out(x)
                looked.add(x)
        return looked

    def _list(self) -> None:
        """Lists the things that exist for the side, in the order of the game, and puts them in their places."""
        real, world = self.real, self.world
        world.by_id = {i: self._there[x] for i, x in real.by_id.items() if x in self._seen}
        for kind, held in real.by_kind.items():
            if held and not self._of(held[0].kind).is_place:
                world.by_kind[kind] = [self._there[x] for x in held if x in self._seen]
            elif not held:
                world.by_kind[kind] = []
        for place, twin in zip(real.places, world.places, strict=True):
            if (place.things or twin.things) and self._stack(place, twin):
                world.stirred.append(place.index)

    def _found_out(self, x: Thing) -> bool:
        """Records what is hidden of a thing; returns whether the side may know of it."""
        knowledge = self.real.knowledge
        hidden = self._hidden[x] = knowledge.hidden_from(x, self.side)
        concealed = knowledge.conceals and "place" in hidden and x.kind in self.real.program.secrecy.concealed_kinds
        return not (concealed and x.kind != "side")

    def _show(self, x: Thing, touched: set[str]) -> None:
        """Gives a thing of the mirror what the side may know of it; records the names of what has changed."""
        twin, kind, hidden = self._there[x], self._of(x.kind), self._hidden[x]
        gone = {attribute(f) for f in hidden if f in kind.fields and f != "name"} if hidden else set[str]()
        give = self._give if x in self._shown else self._give_first
        self._show_fields(x, kind, gone, touched)
        give(twin, "id", x.id, touched, ALL)
        give(twin, "alive", x.alive, touched, MOVES)
        if self.real.knowledge.entry_tells(x, hidden):
            gone.add("template")
        else:
            give(twin, "template", x.template, touched, ENTRY)
        give(twin, "name", x.id if "name" in hidden else x.name, touched, ALL)
        give(twin, "members", [self._there[m] for m in x.members if self._is_known_member(m)], touched, MOVES)
        unknown = {"holder"} if kind.holder in hidden else set[str]()
        if "place" in hidden and "place" in kind.where:
            unknown.add("place")
        if x.holder is not None and not x.part and x.holder not in self._seen:
            unknown.add("holder")  # what a hidden thing holds is visible, but not its holder
        for slot in kind.where:
            if slot not in unknown:
                value = getattr(x, slot)
                give(twin, slot, self._there[value] if value in self._seen else None, touched, MOVES)
        self._take_away(x, gone | unknown, touched)

    def _show_fields(self, x: Thing, kind: MirroredKind, gone: set[str], touched: set[str]) -> None:
        """Gives it its fields. gone: those that are hidden."""
        twin, row = self._there[x], kind.row(x)
        shown, before = (row, self._hidden[x]), self._shown.get(x)
        give = self._give if before is not None else self._give_first
        if before != shown:
            self._shown[x] = shown
            for slot, value in zip(kind.plain, row[2:], strict=True):
                if slot not in gone:
                    give(twin, slot, value, touched)
        for slot in kind.referring:
            if slot not in gone:
                value = getattr(x, slot)
                give(twin, slot, self.there(value) if value is not None and self._may_see(value) else None, touched)

    def _take_away(self, x: Thing, gone: set[str], touched: set[str]) -> None:
        """Hides exactly what is hidden of it."""
        twin, nature = self._there[x], self.real.classes[x.kind]
        if not gone and type(twin) is not nature:
            twin.__class__ = nature
        for slot in gone:
            if getattr(twin, slot, _NONE) is not _NONE:
                hide(twin, slot)
                touched.add(slot if slot.startswith("f_") else MOVES)
            elif type(twin) is nature:
                withhold(twin, slot)

    @staticmethod
    def _give(twin: Thing, slot: str, value: object, touched: set[str], name: str = "") -> None:
        if getattr(twin, slot, _NONE) != value:
            setattr(twin, slot, value)
            touched.add(name or slot)

    @staticmethod
    def _give_first(twin: Thing, slot: str, value: object, touched: set[str], name: str = "") -> None:
        """The same for a thing that has never been shown: it has no value yet."""
        setattr(twin, slot, value)
        touched.add(name or slot)

    def _is_known_member(self, x: Thing) -> bool:
        return x in self._seen and self._of(x.kind).holder not in self._hidden.get(x, _NOTHING)

    def _stack(self, place: Thing, twin: Thing) -> bool:
        """Puts the things in a place that the side knows to be there; returns whether this has changed."""
        found = {self._there[x]: None for x in place.things if x in self._seen}
        if list(found) == list(twin.things):
            return False
        twin.things = found
        return True

    # ---- making
    def _of(self, kind: str) -> MirroredKind:
        found = self._kinds.get(kind)
        if found is None:
            secrecy = self.real.program.secrecy
            telling = kind in self.real.hiding_kinds or kind in secrecy.speaking
            found = self._kinds[kind] = mirrored_kind(self.real.ruleset.kinds[kind], telling=telling)
        return found

    def _make(self, x: Thing) -> Thing:
        """The twin of a thing or place, with its unchanging attributes."""
        twin = self.real.classes[x.kind]()
        twin.id, twin.kind, twin.label, twin.index = x.id, x.kind, x.label, x.index
        twin.column, twin.row, twin.known = x.column, x.row, x.known
        twin.near = twin.things = NO_PLACE
        self._there[x], self._back[twin] = twin, x
        return twin

    def _copy_places(self) -> None:
        """The places of the world, with nothing on them."""
        real, world = self.real, self.world
        for place in real.places:
            twin = self._make(place)
            twin.place, twin.side, twin.things = twin, None, {}
            world.places.append(twin)
        for place, twin in zip(real.places, world.places, strict=True):
            twin.near = tuple([self._there[x] for x in place.near])
        for kind, held in real.by_kind.items():
            if held and self._of(held[0].kind).is_place:
                world.by_kind[kind] = [self._there[x] for x in held]
        world.by_label = {label: self._there[x] for label, x in real.by_label.items()}
        world.ends = {index: [self._there[x] for x in ends] for index, ends in real.ends.items()}


_NOTHING: frozenset[str] = frozenset()


def mirror_of(world: World, side: str) -> Mirror:
    """The mirror of a side, created if there is none yet."""
    found = world.mirrors.get(side)
    if not isinstance(found, Mirror) or found.made_of is not world.functions:
        found = world.mirrors[side] = Mirror(world, side)
    return found
