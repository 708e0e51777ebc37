"""Commands: what orders a side may give, how a typed one is read, and which clause refuses it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any

import attrs

from dsl import ir
from dsl.data.naming import fits
from dsl.ir import Type
from dsl.rules.entries import entries_of
from dsl.text.withheld import plain
from interpreter.hidden import is_hidden
from interpreter.inputs import ENDINGS, Refused
from interpreter.namebook import Names
from interpreter.narrowing import Places, narrowings
from interpreter.program import Clause, OrderProgram
from interpreter.references import without_references
from interpreter.runtime import TROUBLE, say
from interpreter.seat import UMPIRE, Seat

if TYPE_CHECKING:
    from interpreter.mirror import Mirror
    from interpreter.world import World


@attrs.define(slots=True, eq=False)
class Command:
    """An order with its arguments settled, ready to be carried out."""

    order: OrderProgram
    frame: Any
    text: str


@attrs.frozen
class Argument:
    """What a command says for one argument. of: its kind, its scale of words, or "number", "mark" and the like.

    values: the ids of things and places, words, numbers; several where the order takes several.
    """

    name: str
    of: str
    values: tuple[str, ...]


@attrs.frozen
class LegalCommand:
    """A command that may be given, as data. text: as `do` takes it; order: the name of the order."""

    text: str
    order: str
    arguments: tuple[Argument, ...] = ()


@attrs.frozen(slots=True)
class Reason:
    """Why a command is refused: a sentence, the rules it comes from, the rule line, and what would help."""

    text: str
    cites: tuple[str, ...]
    place: str = ""
    hint: str = ""


class Sight:
    """What is looked at: commands of a world, where things are what they are."""

    def __init__(self, commands: Commands) -> None:
        self.commands = commands

    @property
    def world(self) -> World:
        """The world that is seen."""
        return self.commands.world

    def there(self, value: Any) -> Any:
        """A side, a thing, a value, or a command, as it is seen. Raises Hidden for a thing that is not."""
        return value

    def back(self, value: Any) -> Any:
        """The same of the game for what is seen."""
        return value

    def function_there(self, function: Callable[[], Any]) -> Callable[[], Any]:
        """A function that a procedure has made, as it would be of what is seen."""
        return function

    def show_way(self, seen: Command, command: Command) -> None:
        """Gives a command the way that was found for it as it is seen."""


class Mirrored(Sight):
    """What one side sees in its mirror."""

    def __init__(self, commands: Commands, mirror: Mirror) -> None:
        super().__init__(commands)
        self.mirror = mirror

    def there(self, value: Any) -> Any:
        """A side, a thing, a value, or a command, as the side sees it. Raises Hidden for a thing of which it must not know."""
        if isinstance(value, Command):
            return Command(value.order, self.mirror.frame_there(value.frame), value.text)
        return self.mirror.there(value)

    def back(self, value: Any) -> Any:
        """The same of the game for what the side sees."""
        if isinstance(value, Command):
            return Command(value.order, self.mirror.frame_back(value.frame), value.text)
        return self.mirror.back(value)

    def function_there(self, function: Callable[[], Any]) -> Callable[[], Any]:
        """A function that a procedure has made, as it would be of what the side sees."""
        made: Callable[[], Any] = self.mirror.function_there(function)
        return made

    def show_way(self, seen: Command, command: Command) -> None:
        """Gives a command the way that was found for it as it is seen."""
        command.frame.route, command.frame.chosen = seen.frame.route, self.mirror.back(seen.frame.chosen)


class Perhaps(Exception):
    """Whether something is legal cannot be told without what is hidden, or not in the time that there is."""


MOST_IN_VAIN = 100_000
"""So many arguments in a row are tried in vain for one order; then what is left of it is not looked through."""


class Commands:
    """Reading, checking and listing commands of one world."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.orders = world.program.orders
        self._narrowings: dict[tuple[str, int], list[Places]] = {}
        self._plain: dict[tuple[str, int], list[Clause] | None] = {}
        secrecy = world.program.secrecy
        self.veils = secrecy.hides
        self.secretive, self.concealing = secrecy.secretive, secrecy.concealing
        self.seat = Seat(world, UMPIRE)
        """Of whoever reads what is said of a command."""
        self.lenient = False
        self.patience: int | None = None
        """So many arguments may still be tried before it is given up; None: as many as in a row may be in vain."""
        self.unfinished: list[str] = []
        """The orders that `listed` has not looked through."""

    # ---- what a side knows
    @contextmanager
    def sight_of(self, side: Any, veils: bool = True) -> Iterator[Sight]:
        """What a side sees, if anything is hidden that matters here; else all."""
        if not veils or self.world.veil is not None:
            yield Sight(self)
            return
        with self._own_sight(side) as sight:
            yield sight

    @contextmanager
    def _own_sight(self, side: Any) -> Iterator[Sight]:
        """What a side sees: its mirror, or, where changes are not counted, the world under a veil."""
        if self.world.veil is None and self.world.ways.fine:
            from interpreter.mirror import mirror_of

            with mirror_of(self.world, side.id).held() as mirror:
                yield Mirrored(self._mirrored(mirror), mirror)
            return
        from interpreter.veil import veiled

        with veiled(self.world, side.id, names=False):
            yield Sight(self)

    def _mirrored(self, mirror: Mirror) -> Commands:
        """The same for a side's mirror."""
        if mirror.commands is None:
            mirror.commands = Commands(mirror.world)
        found: Commands = mirror.commands
        found.seat = Seat(self.world, mirror.side)
        return found

    @staticmethod
    def unknown(error: BaseException) -> bool:
        """Whether something failed because it is hidden from the side that asks."""
        return is_hidden(error)

    # ---- listing
    def any_legal(self, side: Any, name: str, most: int | None = None) -> bool:
        """Whether a side has a legal command of this order; also where that is not settled after `most` arguments, or too many."""
        self.patience = most
        try:
            return next(self.legal(side, name), None) is not None
        except Perhaps:
            return True
        finally:
            self.patience = None

    def may_seem_legal(self, side: Any, name: str) -> bool:
        """Whether others cannot tell that a side has no legal command of an order: then it is not passed over."""
        if name not in self.secretive:
            return False
        if name in self.concealing:
            return True
        others = [x for x in self.world.all_of("side") if x is not side]
        return any(self._seems_legal(side, name, other) for other in others)

    def _seems_legal(self, side: Any, name: str, other: Any) -> bool:
        """Whether another side cannot tell that a side has no legal command of an order."""
        with self._own_sight(other) as sight:
            sight.commands.lenient = True
            try:
                return next(sight.commands._legal(sight.there(side), name), None) is not None  # noqa: SLF001 (of the same class)
            except Perhaps:
                return True
            finally:
                sight.commands.lenient = False

    def listed(self, side: Any, name: str) -> Iterator[Command]:
        """As `legal`, but where too much is tried in vain it ends, and the order counts among the unfinished."""
        try:
            yield from self.legal(side, name)
        except Perhaps:
            if name not in self.unfinished:
                self.unfinished.append(name)

    def legal(self, side: Any, name: str) -> Iterator[Command]:
        """The legal commands of one order, one after the other; of sets of things only single ones are listed.

        They are as the side sees them: to be read, or given by their text. Raises Perhaps when too many arguments have been tried in vain.
        """
        if not self._veils(name):
            yield from self._legal(side, name)
            return
        found, batch, left = None, 1, self.patience
        while True:
            commands, enough = [], False
            with self.sight_of(side) as sight:  # it is let go again, but only after more and more commands
                asked = sight.commands
                found = found if found is not None else asked._legal(sight.there(side), name)  # noqa: SLF001 (of the same class)
                before, asked.patience = asked.patience, left
                try:
                    for command in islice(found, batch):
                        commands.append(command)  # noqa: PERF402 (what is found before it ends counts)
                except Perhaps:
                    enough = True
                finally:
                    left, asked.patience = asked.patience, before
            yield from commands
            if enough:
                raise Perhaps
            if len(commands) < batch:
                return
            batch *= 4

    def _veils(self, name: str) -> bool:
        return name in self.secretive or self.world.knowledge.conceals

    def _legal(self, side: Any, name: str) -> Iterator[Command]:
        order = self.orders[name]
        frame = self.world.frame(f"order {name}", side, None)
        if self.bars(order, frame, side, 0):
            return
        yield from self._fill(order, frame, side, 0, [0])

    def _fill(self, order: OrderProgram, frame: Any, side: Any, at: int, in_vain: list[int]) -> Iterator[Command]:
        """in_vain: how many arguments were tried since the last command."""
        if at == len(order.params):
            in_vain[0] = 0
            yield self.settled(order, frame, side)
            return
        _, name, _, many = order.params[at]
        values = self.domain(order, frame, at)
        for value in self.world.knowledge.as_shown(values, side.id) if at == 0 else values:
            if self.patience is not None:
                self.patience -= 1
                if self.patience < 0:
                    raise Perhaps
            in_vain[0] += 1
            if in_vain[0] > MOST_IN_VAIN:
                raise Perhaps
            setattr(frame, slot_of(name), [value] if many else value)
            frame.memo.clear()
            if not self.bars(order, frame, side, at + 1):
                yield from self._fill(order, frame, side, at + 1, in_vain)

    def settled(self, order: OrderProgram, frame: Any, side: Any) -> Command:
        """The command that a filled frame stands for, with a frame of its own."""
        done = self.world.frame(f"order {order.name}", side, None)
        for slot in type(frame).__slots__:
            if slot not in {"memo", "stamp"} and hasattr(frame, slot):
                setattr(done, slot, getattr(frame, slot))
        if type(done) is not type(frame):  # names are hidden in it
            done.__class__ = type(frame)
        return Command(order, done, self.text(order, done))

    def domain(self, order: OrderProgram, frame: Any, at: int) -> list[Any]:
        """Everything of the right type for an argument, before the clauses are asked."""
        _, name, type_, many = order.params[at]
        reaching = next((c for c in order.clauses if isinstance(c.said, ir.Reaching) and c.goal == name), None)
        if reaching is not None:
            try:
                if self.start_of(reaching, frame) is None:
                    return []
                found = self.reach_of(reaching, frame)
            except TROUBLE as error:
                if not self.unknown(error):
                    raise
                if self.lenient:
                    raise Perhaps from None
                return []
            return [self.world.places[i] for i in sorted(found.points) if i != found.start]
        key = (order.name, at)
        if key not in self._narrowings:
            self._narrowings[key] = narrowings(order, at) if type_.name == "thing" and not many else []
        if self._narrowings[key] and self.world.ruleset.kinds[type_.word].word == "place":
            return self._narrowed(self._narrowings[key], frame, type_.word)
        return self.values_of(type_)

    def _narrowed(self, wheres: list[Places], frame: Any, kind: str) -> list[Any]:
        """The places of a kind that the clauses about places leave, in the order of the map."""
        left: set[Any] | None = None
        for where in wheres:
            places = where(self.world, frame)
            if places is not None:
                left = set(places) if left is None else left.intersection(places)
        if left is None:
            return list(self.world.all_of(kind))
        return sorted((p for p in left if p.kind == kind), key=lambda p: p.index)

    def values_of(self, type_: Type) -> list[Any]:
        """Everything of a type that an argument can be."""
        if type_.name == "thing":
            return list(self.world.all_of(type_.word))
        if type_.name == "enum":
            return list(self.world.ruleset.enums[type_.word].words)
        if type_.name == "mark":
            return [True, False]
        if type_.name == "entry":
            return list(entries_of(self.world.ruleset, type_.word))
        return list(range(1, 21)) if type_.name == "number" else []

    def mover_of(self, clause: Clause, frame: Any) -> Any:
        """The thing that a `reaching` clause moves."""
        return self.world.functions[clause.name](frame)

    def start_of(self, clause: Clause, frame: Any) -> Any:
        """Where that thing's way begins; None for one that is off the map, or stands where the path does not lead."""
        return self.world.ways.start(clause.path, (self.mover_of(clause, frame),))

    def reach_of(self, clause: Clause, frame: Any) -> Any:
        """How far that thing can move."""
        return self.world.ways.reach(clause.path, (self.mover_of(clause, frame),))

    # ---- checking
    def bars(self, order: OrderProgram, frame: Any, side: Any, known: int) -> bool:
        """Whether a clause refuses among those that need exactly `known` arguments; why is not worked out."""
        key = (order.name, known)
        if key not in self._plain:
            self._plain[key] = _plain_clauses(order, known)
        plainly = self._plain[key]
        if plainly is None:
            return bool(self.refusals(order, frame, side, known, first=True))
        functions = self.world.functions
        for clause in plainly:
            try:
                if isinstance(clause.said, ir.Refused):
                    if functions[clause.name](frame):
                        return True
                elif isinstance(clause.said, ir.GivenBy) and functions[clause.name](frame) is side:
                    continue
                elif self._refuses(clause, frame, side) is not None:
                    return True
            except TROUBLE:
                return bool(self.refusals(order, frame, side, known, first=True))
        return False

    def refusals(
        self, order: OrderProgram, frame: Any, side: Any, known: int, *, first: bool = False, all_up_to: bool = False
    ) -> list[Reason]:
        """The clauses that refuse, among those that need exactly `known` arguments (or up to so many)."""
        out: list[Reason] = []
        moves = [c for c in order.clauses if isinstance(c.said, ir.LegalFrom)]
        lifted: set[str] | None = None
        for clause in order.clauses:
            if (clause.needs > known) if all_up_to else (clause.needs != known):
                continue
            if isinstance(clause.said, ir.Permits | ir.LegalFrom):
                continue
            try:
                reason = self._refuses(clause, frame, side)
            except TROUBLE as error:
                if self.unknown(error):
                    reason = self._refused_unseen(clause, frame, side)
                    if reason is None:
                        continue
                    return [*out, reason]
                if out:  # a clause may count on an earlier one that has refused
                    return out
                raise
            if reason is None:
                continue
            if not clause.module and isinstance(clause.said, ir.Refused | ir.LegalWhen | ir.Reaching):
                if lifted is None:
                    lifted = self._lifted(order, frame, known)
                if "" in lifted or (clause.label and clause.label in lifted):
                    continue
            out.append(reason)
            if first:
                return out
        asked = max((c.needs for c in moves), default=-1)
        if moves and (asked <= known if all_up_to else asked == known):
            reason = self._wrong_step(moves, frame)
            if reason is not None and "" not in self._lifted(order, frame, known):
                out.append(reason)
        return out

    def _refused_unseen(self, clause: Clause, frame: Any, side: Any) -> Reason | None:
        """What a clause says that would read what is hidden from the side: nothing, but that an order is not its own."""
        if self.lenient and isinstance(clause.said, ir.GivenBy | ir.Reaching):
            raise Perhaps
        if isinstance(clause.said, ir.GivenBy):
            return Reason(f"This order is not given by {side.id}.", clause.cites, clause.place)
        if isinstance(clause.said, ir.Reaching):
            return Reason("How far it gets rests on what is hidden from you.", clause.cites, clause.place)
        if isinstance(clause.said, ir.Let):
            self.world.veil.miss(frame, slot_of(clause.said.name))
        return None

    def _lifted(self, order: OrderProgram, frame: Any, known: int) -> set[str]:
        """The labels of refusals that a permission lifts; the empty label lifts them all."""
        return {
            c.label
            for c in order.clauses
            if isinstance(c.said, ir.Permits) and c.needs <= known and self.world.functions[c.name](frame)
        }

    def _refuses(self, clause: Clause, frame: Any, side: Any) -> Reason | None:
        answer = self.world.functions[clause.name](frame)
        if isinstance(clause.said, ir.Let):
            frame.memo.clear()  # nothing changes but what this order has named
            return None
        if isinstance(clause.said, ir.GivenBy):
            givers = answer if isinstance(answer, list | tuple) else [answer]
            if side in givers:
                return None
            owner = say([g for g in givers if g is not None])
            return Reason(f"This order is given by {owner}, not by {side.id}.", clause.cites, clause.place)
        if isinstance(clause.said, ir.Reaching):
            return self._out_of_reach(clause, frame)
        if isinstance(clause.said, ir.LegalWhen):
            return (
                None
                if answer in {True, None}
                else Reason(_sentence(clause.because or "it is not allowed now"), clause.cites, clause.place)
            )
        return Reason(_sentence(clause.because), clause.cites, clause.place) if answer else None

    def _out_of_reach(self, clause: Clause, frame: Any) -> Reason | None:
        goal = getattr(frame, slot_of(clause.goal))
        mover = self.mover_of(clause, frame)
        if mover.place is None or goal.place is None:
            return Reason(f"{say(mover if mover.place is None else goal)} is off the map.", clause.cites, clause.place)
        if self.start_of(clause, frame) is None:
            return Reason(f"No way leads on from {mover.place.label}.", clause.cites, clause.place)
        if frame.via:
            return self._off_the_way(clause, frame, mover, goal.place)
        found = self.reach_of(clause, frame)
        if goal.place.index in found.points and goal.place.index != found.start:
            frame.route = self.world.ways.labels(found, goal.place.index)
            return None
        if goal.place is mover.place:
            return Reason(f"{say(mover)} stands in {goal.place.label} already.", clause.cites, clause.place)
        barred = self.world.ways.why_unreached(clause.path, (mover,), goal.place)
        if barred is not None:
            return Reason(_sentence(barred.reason), barred.cites, clause.place)
        near = sorted(found.points, key=lambda i: (self.world.grid.distance(i, goal.place.index), i))[:3]
        hint = "It gets as far as " + ", ".join(self.world.grid.label(i) for i in near) + "."
        return Reason(f"{goal.place.label} is out of reach of {say(mover)}.", clause.cites, clause.place, hint)

    def _off_the_way(self, clause: Clause, frame: Any, mover: Any, goal: Any) -> Reason | None:
        """Why a way that was chosen step by step cannot be gone."""
        from interpreter.movement import Barred

        ways = self.world.ways
        found = ways.along(clause.path, (mover,), frame.via, goal)
        if isinstance(found, Barred):
            return Reason(_sentence(found.reason), found.cites or clause.cites, clause.place)
        frame.route = list(found.labels)
        ways.chosen = {(clause.path, (mover,), goal): found.cost}
        frame.chosen = ways.chosen
        return None

    def _wrong_step(self, moves: list[Clause], frame: Any) -> Reason | None:
        answers = [self.world.functions[c.name](frame) for c in moves]
        leads = [c.said for c in moves if isinstance(c.said, ir.LegalFrom)]
        if any(a is True for a in answers) or all(a is None for a in answers):
            return None
        held = self._evaluated(moves[0], frame)
        allowed = [
            w
            for said, a in zip(leads, answers, strict=True)
            if a is not None and held[0] in said.before
            for w in said.after
        ]
        cites = (
            tuple(
                dict.fromkeys(x for c, said in zip(moves, leads, strict=True) if held[1] in said.after for x in c.cites)
            )
            or moves[0].cites
        )
        because = next((c.because for c in moves if c.because), "")
        text = because or f"{say(held[1])} may not follow {say(held[0])}"
        hint = f"After {say(held[0])} may come {', '.join(dict.fromkeys(allowed)) or 'nothing'}."
        return Reason(_sentence(text), cites, moves[0].place, hint)

    def _evaluated(self, clause: Clause, frame: Any) -> tuple[Any, Any]:
        from dsl.rules.notation import attribute

        match clause.said:
            case ir.LegalFrom(held=ir.Field(holder=ir.FrameName(name=of), name=field), new=ir.FrameName(name=new)):
                return getattr(getattr(frame, slot_of(of)), attribute(field)), getattr(frame, slot_of(new))
        raise AssertionError(clause.said)

    # ---- reading
    def spread(self, text: str, side: Any, allowed: tuple[str, ...]) -> list[str]:
        """The commands of one that is given to several things at once: `dig-in a, b` or `dig-in all`; else itself alone.

        `all` are those of the side's things that may be given it now. Raises Refused when there are none.
        """
        name, _, rest = text.strip().partition(" ")
        order = self.orders.get(name.lower())
        if order is None or order.name not in allowed or not order.params:
            return [text]
        _, _, type_, many = order.params[0]
        if many or type_.name != "thing":
            return [text]
        rest = re.sub(r"^of\s+", "", rest.strip(), flags=re.IGNORECASE)
        first = self._split(order, rest)[0]
        tail = rest[len(first) :]
        if first.lower() != "all":
            words = [w for w in re.split(r"\s*,\s*", first) if w]
            return [f"{order.name} {w}{tail}" for w in words] if len(words) > 1 else [text]
        own = [x for x in self.world.all_of(type_.word) if getattr(x, "side", side) is side]
        refused: list[Reason] = []
        found = []
        for x in own:
            one = f"{order.name} {x.label or x.id}{tail}"
            reasons = self.settle(self.read(one, side, allowed), side)
            refused += reasons[:1]
            if not reasons:
                found.append(one)
        if not found:
            why = refused[0] if refused else Reason(f"{side.id} has no {type_.word}.", order.cites)
            raise Refused(f"Nothing can be given this order now. {why.text}", why.cites, why.hint)
        return found

    def read(self, text: str, side: Any, allowed: tuple[str, ...] | None = None) -> Command:
        """A typed command with its arguments settled. Raises Refused when it cannot be understood."""
        names_hide = self.world.knowledge.conceals or self.world.incognito is not None
        with self.sight_of(side, names_hide) as sight:
            read: Command = sight.back(sight.commands._read(text, sight.there(side), allowed))  # noqa: SLF001 (of the same class)
            return read

    def _read(self, text: str, side: Any, allowed: tuple[str, ...] | None) -> Command:
        words = text.split()
        if not words:
            raise Refused("No command was given.", hint="`legal` lists what may be ordered.")
        name = words[0].lower()
        if name in ENDINGS and name not in self.orders:
            raise Refused(
                "Nobody may give orders now, so there is nothing to end.", hint="`status` tells what is awaited."
            )
        if name not in self.orders:
            near = difflib.get_close_matches(plain(name), [*self.orders, "done"], 2)
            hint = (
                f"Did you mean {' or '.join(near)}?"
                if near
                else "The orders are: " + ", ".join(sorted(allowed or self.orders)) + "."
            )
            raise Refused(f"There is no order `{words[0]}`.", hint=hint)
        order = self.orders[name]
        frame = self.world.frame(f"order {name}", side, None)
        rest = text.split(None, 1)[1] if len(words) > 1 else ""
        rest, frame.via = self._via(order, rest)
        for (_, param, type_, many), part in zip(order.params, self._split(order, rest), strict=True):
            try:
                setattr(frame, slot_of(param), self.value(part, type_, many))
            except ValueError as error:
                raise Refused(f"{_sentence(str(error))}", hint=f"The order reads: {self.usage(order)}") from None
        return Command(order, frame, self.text(order, frame))

    def _via(self, order: OrderProgram, rest: str) -> tuple[str, list[Any]]:
        """The text before `via`, and the places after it, by which the way leads."""
        found = re.search(r"\s+via\s+", rest, flags=re.IGNORECASE)
        if found is None:
            return rest, []
        if not any(isinstance(c.said, ir.Reaching) for c in order.clauses):
            raise Refused(f"`{order.name}` takes no way.", hint=f"The order reads: {self.usage(order)}")
        places = []
        for word in re.split(r"[\s,]+", rest[found.end() :].strip()):
            place = self.world.by_label.get(word) or self.world.by_id.get(without_references(word))
            if place is None or place.index < 0:
                raise Refused(f"`{word}` is no place.", hint=f"The order reads: {self.usage(order)}")
            places.append(place)
        return rest[: found.start()], places

    def _split(self, order: OrderProgram, rest: str) -> list[str]:
        """The text of each argument, cut at the prepositions of the order in their order."""
        parts: list[str] = []
        left = re.sub(r"^of\s+", "", rest.strip(), flags=re.IGNORECASE)
        for prep, _, _, _ in order.params[1:]:
            found = re.search(rf"(?:^|\s){re.escape(prep)}\s+", left, flags=re.IGNORECASE)
            if found is None:
                raise Refused(f"`{order.name}` needs `{prep} …`.", hint=f"The order reads: {self.usage(order)}")
            parts.append(left[: found.start()].strip())
            left = left[found.end() :]
        parts.append(left.strip())
        if not order.params:
            if left:
                raise Refused(f"`{order.name}` takes nothing after it.", hint=f"The order reads: {self.usage(order)}")
            return []
        return parts

    def names_in(self, text: str) -> Names:
        """Where names stand in a typed command: in what it says for things and places, and after `via`; anywhere where it is no order."""
        head = re.match(r"\s*(\S+)\s*(?:of\s+)?", text, flags=re.IGNORECASE)
        order = self.orders.get(head[1].lower()) if head is not None else None
        if head is None or order is None:
            return Names(() if text.strip().lower() in ENDINGS else ((0, len(text)),))
        via = re.compile(r"\s+via\s+", re.IGNORECASE).search(text, head.end())
        at, end = head.end(), len(text) if via is None else via.start()
        spans = [] if via is None else [(via.end(), len(text))]
        for (_, _, type_, _), after in zip(order.params, [*order.params[1:], None], strict=True):
            word = re.compile(rf"(?<!\S){re.escape(after[0])}\s+", re.IGNORECASE) if after is not None else None
            found = word.search(text, at, end) if word is not None else None
            if type_.name == "thing" or (word is not None and found is None):
                spans.append((at, end if found is None else found.start()))
            if found is None:
                break
            at = found.end()
        return Names(tuple(spans), frozenset({"all", "and"}))

    def value(self, text: str, type_: Type, many: bool = False) -> Any:
        """One argument or answer. Raises ValueError with what was wanted."""
        if many:
            parts = [p for p in re.split(r"\s*,\s*|\s+and\s+", text) if p]
            return list(dict.fromkeys(self.value(p, type_) for p in parts))
        word = text.strip().strip('"')
        if not word:
            raise ValueError(f"{type_} is missing")
        if type_.name == "thing":
            return self._thing(word, type_.word)
        if type_.name == "enum":
            term = self.world.ruleset.enums[type_.word].meant(word)
            if term is not None:
                return term
            raise ValueError(
                f"{word} is no {type_.word.rpartition('.')[2]} ({', '.join(self.world.ruleset.enums[type_.word].words)})"
            )
        if type_.name == "entry":
            return self._entry(word, type_.word)
        if type_.name == "mark":
            if word.lower() in {"yes", "no"}:
                return word.lower() == "yes"
            raise ValueError(f"{word} is neither yes nor no")
        if type_.name == "number":
            if re.fullmatch(r"-?\d{1,9}", word):
                return int(word)
            raise ValueError(f"{word} is no whole number")
        return word

    def _entry(self, word: str, kind: str) -> str:
        """An entry of the unit lists of a kind, by its name or its title."""
        listed, low = entries_of(self.world.ruleset, kind), word.lower().replace(" ", "-")
        found = [name for name in listed if name.lower() == low]
        found = found or [n for n, cell in listed.items() if cell.get("title", "").lower().replace(" ", "-") == low]
        if len(found) != 1:
            near = difflib.get_close_matches(low, listed, 3)
            known = f"did you mean {' or '.join(near)}?" if near else ", ".join(listed)
            raise ValueError(f"{word} is no entry of {kind} ({known})")
        return found[0]

    def _thing(self, word: str, kind: str) -> Any:
        world, meant = self.world, without_references(word)
        found = world.by_label.get(word) or world.by_id.get(meant)
        lower = meant.lower()
        if found is None:
            found = next((x for i, x in world.by_id.items() if i.lower() == lower or x.name.lower() == lower), None)
        if found is None:
            found = next((x for x in world.places if x.name.lower() == lower and x.kind == kind), None)
        if found is None or not fits(world.ruleset, found.kind, kind) or not found.alive:
            near = self._near(word, kind)
            gone = (
                f"{word} is no longer in the game"
                if found is not None and not found.alive
                else f"there is no {kind} {word}"
            )
            raise ValueError(gone + (f" (did you mean {' or '.join(near)}?)" if near else ""))
        return found

    def _near(self, word: str, kind: str) -> list[str]:
        """Words that the reader has for things of a kind, spelt like one that means none of them."""
        pool = [self.seat.told(x.label or x.id) for x in self.world.all_of(kind)]
        return difflib.get_close_matches(self.seat.told(word), pool, 3)

    # ---- wording
    def text(self, order: OrderProgram, frame: Any) -> str:
        """A command as `do` takes it."""
        out = order.name
        for number, (prep, name, _, _) in enumerate(order.params):
            out += (
                f" {say(getattr(frame, slot_of(name)))}"
                if number == 0
                else f" {prep} {say(getattr(frame, slot_of(name)))}"
            )
        return out + (f" via {' '.join(p.label for p in frame.via)}" if frame.via else "")

    @staticmethod
    def as_data(command: Command) -> LegalCommand:
        """A command with what it says for each argument."""
        found = []
        for _, name, type_, _ in command.order.params:
            value = getattr(command.frame, slot_of(name))
            listed = value if isinstance(value, list | tuple) else [value]
            of = type_.of or type_
            found.append(Argument(name, of.word or of.name, tuple(say(one) for one in listed)))
        return LegalCommand(command.text, command.order.name, tuple(found))

    @staticmethod
    def usage(order: OrderProgram) -> str:
        """How an order is written."""
        out = order.name
        for number, (prep, name, type_, many) in enumerate(order.params):
            word = f"{name.upper()}{', …' if many else ''}"
            out += f" {word}" if number == 0 else f" {prep} {word}"
            del type_
        going = any(isinstance(c.said, ir.Reaching) for c in order.clauses)
        return out + (" [via PLACE PLACE …]" if going else "")

    def settle(self, command: Command, side: Any) -> list[Reason]:
        """Every reason against a command, each once, in the order of its clauses; `let` names are set on the way.

        Who may not give the order at all is told nothing but that: the other clauses may read what he must not know.
        """
        veils = self._veils(command.order.name)
        try:
            with self.sight_of(side, veils) as sight:
                seen = sight.there(command)
                reasons = sight.commands._settle(seen, sight.there(side))  # noqa: SLF001 (of the same class)
                sight.show_way(seen, command)
            if veils and not reasons:
                self._named_truly(command)
            once: dict[str, Reason] = {}
            for reason in reasons:
                once.setdefault(reason.text, reason)
            return list(once.values())
        finally:
            self.world.ways.chosen = {}

    def _giver(self, clause: Clause, frame: Any, side: Any) -> Reason | None:
        try:
            return self._refuses(clause, frame, side)
        except TROUBLE as error:
            if self.unknown(error):
                return self._refused_unseen(clause, frame, side)
            raise

    def _named_truly(self, command: Command) -> None:
        """Names that the clauses set are worked out again from all that is so: the order's effect is no view of a side."""
        command.frame.memo.clear()
        for clause in command.order.clauses:
            if isinstance(clause.said, ir.Let):
                self.world.functions[clause.name](command.frame)
        command.frame.memo.clear()

    def _settle(self, command: Command, side: Any) -> list[Reason]:
        reasons: list[Reason] = []
        givers = [c for c in command.order.clauses if isinstance(c.said, ir.GivenBy)]
        for known in range(len(command.order.params) + 1):
            try:
                wrong = [self._giver(c, command.frame, side) for c in givers if c.needs == known]
                if any(wrong):
                    return [r for r in wrong if r is not None]
                reasons += self.refusals(command.order, command.frame, side, known)
            except TROUBLE:
                if reasons:
                    break
                raise
        return reasons


@cache
def slot_of(name: str) -> str:
    """The slot of a name in a frame."""
    from interpreter.codegen.python_names import py

    return f"n_{py(name)}"


def _plain_clauses(order: OrderProgram, known: int) -> list[Clause] | None:
    """The clauses that need so many arguments; None where some of the order lift others."""
    if any(isinstance(c.said, ir.Permits | ir.LegalFrom) for c in order.clauses):
        return None
    return [c for c in order.clauses if c.needs == known]


def _sentence(text: str) -> str:
    text = text.strip()
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?", "!")) else ".")
