"""Which clause of an order refuses a command, and in which words."""

from __future__ import annotations

from dsl import ir
from dsl.rules.notation import attribute
from interpreter.codegen.python_names import slot_of
from interpreter.commands.command import Command, sentence
from interpreter.commands.not_in_use import option_hint
from interpreter.geometry.place_graph import steps_between
from interpreter.geometry.reach import Reach
from interpreter.program.program_data import Clause, OrderProgram
from interpreter.runtime.frames import Frame
from interpreter.runtime.hidden import is_hidden
from interpreter.runtime.refusals import About, Refusal, Why
from interpreter.runtime.runtime import TROUBLE, Unconnected, say
from interpreter.runtime.things import Thing, Value
from interpreter.world.movement import Barred
from interpreter.world.world import World

__all__ = ["Clauses", "Perhaps"]


class Perhaps(Exception):
    """Whether something is legal cannot be determined without hidden facts, or not in the available time."""


class Clauses:
    """The clauses of the orders of a world. lenient: what cannot be determined without hidden facts counts as perhaps legal."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.lenient = False
        self._plain: dict[tuple[str, int, bool], list[tuple[Clause, str, bool]] | None] = {}

    def bars(self, order: OrderProgram, frame: Frame, side: Thing, known: int, *, reached: bool = False) -> bool:
        """Whether one of the clauses that need exactly `known` arguments refuses; the reason is not determined.

        reached: whether the goal is known to be within reach, so that this is not checked.
        """
        key = (order.name, known, reached)
        if key not in self._plain:
            self._plain[key] = _plain_clauses(order, known, reached)
        plainly = self._plain[key]
        if plainly is None:
            return bool(self.refusals(order, frame, side, known, first=True))
        functions = self.world.functions
        for clause, name, refuses in plainly:
            try:
                if refuses:
                    if functions[name](frame):
                        return True
                elif isinstance(clause.said, ir.GivenBy) and functions[name](frame) is side:
                    continue
                elif self._refuses(clause, frame, side) is not None:
                    return True
            except TROUBLE:
                return bool(self.refusals(order, frame, side, known, first=True))
        return False

    def refusals(
        self,
        order: OrderProgram,
        frame: Frame,
        side: Thing,
        known: int,
        *,
        first: bool = False,
    ) -> list[Refusal]:
        """The refusals of the clauses that need exactly `known` arguments."""
        out: list[Refusal] = []
        for clause in order.clauses:
            if clause.needs != known or isinstance(clause.said, ir.Permits | ir.LegalFrom):
                continue
            try:
                reason = self._refuses(clause, frame, side)
            except TROUBLE as error:
                if is_hidden(error):
                    reason = self._refused_unseen(clause, frame, side)
                    if reason is None:
                        continue
                    return [*out, reason]
                # A clause may rely on an earlier one that has refused, or on what another checks: that the goal is within reach.
                out = out or self._unreached(order, frame, side, known)
                if out:
                    return out
                if not isinstance(error, Unconnected):
                    raise
                reason = Refusal(error.places, clause.cites, clause.place, kind=Why.OUT_OF_REACH)
            if reason is None or self._is_lifted(clause, order, frame, known):
                continue
            out.append(reason)
            if first:
                return out
        moves = [c for c in order.clauses if isinstance(c.said, ir.LegalFrom)]
        if moves and max(c.needs for c in moves) == known:
            reason = self._wrong_step(moves, frame)
            if reason is not None and "" not in self._lifted(order, frame, known):
                out.append(reason)
        return out

    def _unreached(self, order: OrderProgram, frame: Frame, side: Thing, known: int) -> list[Refusal]:
        """The refusal that the goal is out of reach, if it is: such goals are never offered, whatever other clauses say."""
        for clause in order.clauses:
            if clause.needs == known and isinstance(clause.said, ir.Reaching):
                try:
                    reason = self._refuses(clause, frame, side)
                except TROUBLE:
                    return []
                if reason is not None and not self._is_lifted(clause, order, frame, known):
                    return [reason]
        return []

    def _refused_unseen(self, clause: Clause, frame: Frame, side: Thing) -> Refusal | None:
        """The refusal of a clause that would read something hidden from the side: none, except that the order is not its own."""
        if self.lenient and isinstance(clause.said, ir.GivenBy | ir.Reaching):
            raise Perhaps
        if isinstance(clause.said, ir.GivenBy):
            return Refusal(f"This order is not given by {side.id}.", clause.cites, clause.place, kind=Why.NOT_YOURS)
        if isinstance(clause.said, ir.Reaching):
            said = "How far it can move depends on something hidden from you."
            return Refusal(said, clause.cites, clause.place, kind=Why.NO_VALUE)
        if isinstance(clause.said, ir.Let) and self.world.veil is not None:
            self.world.veil.miss(frame, slot_of(clause.said.name))
        return None

    def _is_lifted(self, clause: Clause, order: OrderProgram, frame: Frame, known: int) -> bool:
        """Whether a permission lifts a refusal; refusals of modules cannot be lifted."""
        if clause.module or not isinstance(clause.said, ir.Refused | ir.LegalWhen | ir.Reaching):
            return False
        return not self._lifted(order, frame, known).isdisjoint({"", clause.label or ""})

    def _lifted(self, order: OrderProgram, frame: Frame, known: int) -> set[str]:
        """The labels of refusals that a permission lifts; the empty label lifts them all."""
        return {
            c.label
            for c in order.clauses
            if isinstance(c.said, ir.Permits) and c.needs <= known and self.world.functions[c.name](frame)
        }

    def _refuses(self, clause: Clause, frame: Frame, side: Thing) -> Refusal | None:
        answer = self.world.functions[clause.name](frame)
        if isinstance(clause.said, ir.Let):
            frame.memo.clear()  # only names of this order change
            return None
        if isinstance(clause.said, ir.GivenBy):
            givers = answer if isinstance(answer, list | tuple) else [answer]
            if side in givers:
                return None
            owner = say([g for g in givers if g is not None])
            said = f"This order is given by {owner}, not by {side.id}."
            return Refusal(said, clause.cites, clause.place, kind=Why.NOT_YOURS, about={"side": owner})
        if isinstance(clause.said, ir.Reaching):
            return self._out_of_reach(clause, frame)
        is_legal = answer in {True, None} if isinstance(clause.said, ir.LegalWhen) else not answer
        if is_legal:
            return None
        because = sentence(clause.because or "it is not allowed now")
        return Refusal(because, clause.cites, clause.place, option_hint(self.world, clause))

    def _out_of_reach(self, clause: Clause, frame: Frame) -> Refusal | None:
        goal = getattr(frame, slot_of(clause.goal))
        mover = self.mover_of(clause, frame)
        if mover.place is None or goal.place is None:
            off = say(mover if mover.place is None else goal)
            return Refusal(f"{off} is off the map.", clause.cites, clause.place, "", Why.OUT_OF_REACH, About(thing=off))
        if self.start_of(clause, frame) is None:
            about = About(place=mover.place.label)
            said = f"No route starts in {mover.place.label}."
            return Refusal(said, clause.cites, clause.place, "", Why.OUT_OF_REACH, about)
        if frame.via:
            return self._off_the_way(clause, frame, mover, goal.place)
        found = self.reach_of(clause, frame)
        if goal.place.index in found.points and goal.place.index != found.start:
            frame.route = self.world.ways.labels(found, goal.place.index)
            return None
        about = About(thing=say(mover), place=goal.place.label)
        if goal.place is mover.place:
            said = f"{say(mover)} is already in {goal.place.label}."
            return Refusal(said, clause.cites, clause.place, "", Why.NO_CHANGE, about)
        barred = self.world.ways.why_unreached(clause.path, (mover,), goal.place)
        if barred is not None:
            return Refusal(sentence(barred.reason), barred.cites, clause.place, "", Why.OUT_OF_REACH, about)
        grid, at = self.world.grid, goal.place.index
        near = sorted(found.points.keys() - {found.start}, key=lambda i: (steps_between(grid, i, at), i))[:3]
        hint = f"It can move as far as {', '.join(grid.label(i) for i in near)}." if near else ""
        said = f"{goal.place.label} is out of reach of {say(mover)}."
        return Refusal(said, clause.cites, clause.place, hint, Why.OUT_OF_REACH, about)

    def _off_the_way(self, clause: Clause, frame: Frame, mover: Thing, goal: Thing) -> Refusal | None:
        """Why a route that was chosen step by step is not possible."""
        ways = self.world.ways
        found = ways.along(clause.path, (mover,), frame.via, goal)
        if isinstance(found, Barred):
            return Refusal(sentence(found.reason), found.cites or clause.cites, clause.place, kind=Why.OUT_OF_REACH)
        frame.route = [place.label for place in found.places]
        ways.chosen = {((mover,), goal): (clause.path, found.places, found.cost)}
        frame.chosen = ways.chosen
        return None

    def _wrong_step(self, moves: list[Clause], frame: Frame) -> Refusal | None:
        answers = [self.world.functions[c.name](frame) for c in moves]
        leads = [c.said for c in moves if isinstance(c.said, ir.LegalFrom)]
        if any(a is True for a in answers) or all(a is None for a in answers):
            return None
        thing, field, held, new = self._step(moves[0], frame)
        allowed = [
            w
            for said, a in zip(leads, answers, strict=True)
            if a is not None and held in said.before
            for w in said.after
        ]
        cites = (
            tuple(dict.fromkeys(x for c, said in zip(moves, leads, strict=True) if new in said.after for x in c.cites))
            or moves[0].cites
        )
        because = next((c.because for c in moves if c.because), "")
        said, hint = _cannot_follow(thing, field, held, new, list(dict.fromkeys(allowed)))
        return Refusal(sentence(because) if because else said, cites, moves[0].place, hint)

    def _step(self, clause: Clause, frame: Frame) -> tuple[Value, str, Value, Value]:
        """The thing that would change, its field, the word there and the new one."""
        match clause.said:
            case ir.LegalFrom(held=ir.Field(holder=ir.FrameName(name=of), name=field), new=ir.FrameName(name=new)):
                thing = getattr(frame, slot_of(of))
                return thing, field, getattr(thing, attribute(field)), getattr(frame, slot_of(new))
        raise AssertionError(clause.said)

    def settle(self, command: Command, side: Thing) -> list[Refusal]:
        """Every reason against a command; a side that may not give the order learns only this."""
        reasons: list[Refusal] = []
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

    def _giver(self, clause: Clause, frame: Frame, side: Thing) -> Refusal | None:
        try:
            return self._refuses(clause, frame, side)
        except TROUBLE as error:
            if is_hidden(error):
                return self._refused_unseen(clause, frame, side)
            raise

    def name_truly(self, command: Command) -> None:
        """Names that the clauses set are computed again from the real facts: the order's effect is not limited to a side's view."""
        command.frame.memo.clear()
        for clause in command.order.clauses:
            if isinstance(clause.said, ir.Let):
                self.world.functions[clause.name](command.frame)
        command.frame.memo.clear()

    def mover_of(self, clause: Clause, frame: Frame) -> Value:
        """The thing that a `reaching` clause moves."""
        return self.world.functions[clause.name](frame)

    def start_of(self, clause: Clause, frame: Frame) -> Thing | None:
        """Where that thing's route begins; None if it is off the map, or where the path does not lead."""
        return self.world.ways.start(clause.path, (self.mover_of(clause, frame),))

    def first_steps_of(self, clause: Clause, frame: Frame) -> list[Thing]:
        """Some places next to that start that are certainly within reach; none if it is easier to ask how far it can move."""
        return self.world.ways.first_steps(clause.path, (self.mover_of(clause, frame),))

    def reach_of(self, clause: Clause, frame: Frame) -> Reach:
        """How far that thing can move."""
        return self.world.ways.reach(clause.path, (self.mover_of(clause, frame),))


def _cannot_follow(thing: Value, field: str, held: Value, new: Value, allowed: list[str]) -> tuple[str, str]:
    """Why a word may not follow the one that is held, and a hint at those that may."""
    if held is None:
        return f"{say(thing)} has no {field} that {say(new)} may follow.", ""
    hint = f"Allowed after {say(held)}: {say(allowed or 'nothing')}."
    return sentence(f"{say(new)} may not follow {say(held)}"), hint


def _plain_clauses(order: OrderProgram, known: int, reached: bool) -> list[tuple[Clause, str, bool]] | None:
    """The clauses that need this many arguments, with their functions, and whether these simply refuse.

    reached: without those about reaching the goal. None if some clauses of the order lift others.
    """
    if any(isinstance(c.said, ir.Permits | ir.LegalFrom) for c in order.clauses):
        return None
    clauses = [c for c in order.clauses if c.needs == known and not (reached and isinstance(c.said, ir.Reaching))]
    return [(c, c.name, isinstance(c.said, ir.Refused)) for c in clauses]
