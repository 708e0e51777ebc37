"""The machine: a game that runs its sequence, stops wherever somebody is needed, and continues from inputs alone.

Its parts do the work, and each declares what it needs of a game. This module puts them together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

import attrs

from dsl.rules.notation import RatingValue
from dsl.syntax.declarations import Scenario
from interpreter.messages.asking import UNSETTLED, Roll
from interpreter.messages.inputs import UNDO, Awaited, Event, Input, Refused, RuleFailure
from interpreter.messages.settings import Settings
from interpreter.messages.sides import UMPIRE
from interpreter.messages.state_data import read_snapshot
from interpreter.messages.view import SideView
from interpreter.play.amending import CHANGE_OVER, Amending, take_up_rules
from interpreter.play.answers import Answers
from interpreter.play.basis import Basis, Reword, Turn
from interpreter.play.game_parts import GameParts
from interpreter.play.host import Asks
from interpreter.play.intake import Intake
from interpreter.play.orders import Orders
from interpreter.play.rehearsal import Rehearsal, rehearse
from interpreter.play.replaceable_parts import USUAL, Parts
from interpreter.play.runner import Runner
from interpreter.play.set_aside import SetAside
from interpreter.play.state import restore
from interpreter.play.taking_back import TAKEN_BACK, given_again, may_take_back, nothing, take_back, taking_back
from interpreter.play.throwing import Throwing
from interpreter.play.turns import Turns, digest_now, state_now
from interpreter.play.umpire import Umpire, changes_modules
from interpreter.program.failures import FAILING, in_words, rule_failure
from interpreter.program.program import Program
from interpreter.queries import looking
from interpreter.queries.awaited import awaited
from interpreter.queries.project import awaiting_of
from interpreter.runtime.references import without_references
from interpreter.runtime.runtime import RuleTrouble
from interpreter.runtime.things import Thing
from interpreter.setup.objections import accepted
from interpreter.setup.setup import set_up
from interpreter.world.incognito import look_about
from interpreter.world.on_the_way import reactions_of
from interpreter.world.seat import Seat
from interpreter.world.ways import Ways

__all__ = ["Game", "RatingValue", "begin", "resume", "rule_failure"]


class Game(GameParts):
    """One running game.

    basis: what it rests on. world, with host, orders, answers and throwing: created again whenever the turn restarts. runner: what
    runs in it, and what that is waiting for. warnings: the warnings of the rules' setups when a game begins; for one begun before,
    none. opening: the events before anybody is asked, from the setup or from the snapshot that the game was restored
    from. touched: the things and fields that turns changed, as far as they have been replayed. fresh: whether there has been no
    input since the turn began. blindfolded: in a rehearsal, the veil over the world, which is not lifted again;
    blind_seat: the seat of the side in a rehearsal, as it was at the start. told: views kept by reader;
    only for games that take no more inputs and are read often.
    """

    host: Asks
    answers: Answers

    def __init__(
        self, program: Program, scenario: Scenario, settings: Settings | None = None, start: bytes | None = None,
        reword: Reword | None = None, parts: Parts = USUAL, *, leads_on: bool = True,
    ) -> None:  # fmt: skip
        """A game from its beginning, or from a start of a turn. reword: finds amended texts. leads_on: whether it continues when the rules change."""
        self.basis = Basis(program, scenario, settings or {}, reword, start)
        self.parts, self.leads_on = parts, leads_on
        self.keeps_snapshots = bool(self.settings.get("snapshots", True))
        self.runner = Runner(self._supplied, self._failure)
        self.turns, self.aside, self.intake = Turns(self), SetAside[Game](self), Intake(self)
        self.amending, self.umpire = Amending(self), Umpire(self)
        self.warnings: tuple[str, ...] = ()
        self.fresh = False
        self.touched: list[tuple[tuple[Program, bytes | None, tuple[Input, ...]], frozenset[tuple[str, str]]]] = []
        self.find_earlier: Callable[[], Game | None] | None = None
        self.blindfolded: AbstractContextManager[object] | None = None
        self.blind_seat: Seat | None = None
        self.opening: tuple[Event, ...] = ()
        self.told: looking.KeptTellings | None = None
        self.begin()

    # ---- life
    def begin(self) -> None:
        """Restarts from its basis. Raises Refused if the rules do not allow such a beginning."""
        self._make_world()
        self._set_going()
        self.advance(None)
        self.opening = tuple(self.world.journal.events)

    def _set_going(self) -> None:
        """Runs the game from the current state of the world; it is not waiting for anything yet."""
        self.aside.order = None
        self.runner.set_up(self.turns.life())

    def _make_world(self) -> None:
        """Creates the world as it is at the start of this game, and the parts bound to it."""
        basis = self.basis
        try:
            world = set_up(
                basis.program, basis.scenario, basis.settings.get("options"), str(basis.settings.get("seed", 0))
            )
        except RuleTrouble as error:
            raise self._failure(error) from error
        self.world = world
        world.stories.told = bool(basis.settings.get("stories", True))
        data = None if basis.first is None else read_snapshot(basis.first)
        take_up_rules(basis, data)
        self.throwing = Throwing(world, basis.program.secrecy.flows, self.runner, basis.settings, data)
        self.turns.count = basis.taken = 0
        self.wire()
        if data is None:
            try:
                self.warnings = accepted(world, basis.scenario)
            except FAILING as error:
                raise self._failure(error) from error
        else:
            restore(world, data["state"])
        if self.parts.prepare is not None:
            self.parts.prepare(world)

    def wire(self) -> None:
        """Gives the world the emitted rules, the parts that change it, and the host that its rules ask."""
        world = self.world
        world.ways = Ways(world, fine=True)
        world.functions = self.program.functions(world, world.options)
        world.sites = self.program.source.sites
        world.heed = reactions_of(world)
        self.orders, self.answers = Orders(world, self.program, self.aside), Answers(world, self.what)
        world.effects, world.positions = self.parts.effects(world), self.parts.positions(world)
        world.host = self.host = self.parts.host(world, self.orders)

    def change_over(self) -> None:
        """Creates the world again from its basis, at the beginning of a turn, and continues in it."""
        self._make_world()
        self._set_going()

    def go_by(self, basis: Basis) -> None:
        """Replaces its basis without playing anything."""
        self.basis = basis

    def advance(self, answer: object) -> None:
        """Continues until an input is needed. Dice that the machine rolls itself are rolled here."""
        self.turns.count = self.world.rounds = 0
        self.runner.go_on(answer)
        if self.runner.run is None and not self.world.over:
            self.world.over = "there is nothing more to play"
        look_about(self.world)

    def _supplied(self, item: Any) -> Any:
        """Supplies what is available without an input: the machine's own dice, and new rules where they change."""
        if item is CHANGE_OVER and not self.leads_on:
            self.runner.pending = None
            return UNSETTLED
        if item is CHANGE_OVER:
            self.amending.change_over()
            return None
        if isinstance(item, Roll) and not self.throwing.waits():
            return self.throwing.face(item)
        return UNSETTLED

    def _failure(self, error: Exception) -> RuleFailure:
        return rule_failure(self.program, error)

    def state_now(self) -> bytes:
        """The current state, at the beginning of a turn."""
        return state_now(self)

    def digest(self) -> str:
        """sha256 of the state; equal states have equal digests, in every process."""
        return digest_now(self)

    # ---- what it waits for
    @property
    @in_words
    def awaiting(self) -> tuple[Awaited, ...]:
        """What the game is waiting for now; for orders only those that are possible, as far as the side knows.

        Raises RuleFailure if a rule that is needed for this fails.
        """
        return self._as_umpire((*awaited(self), *self._waiting_apart(all_orders=False)))

    @property
    def waiting(self) -> tuple[Awaited, ...]:
        """What the game is waiting for now, with every order of a window: nothing is checked, so it is fast.

        Without the inputs of sides that know nothing of an open secret order.
        """
        return self._as_umpire(awaited(self, all_orders=True))

    @property
    def waiting_apart(self) -> tuple[Awaited, ...]:
        """What sides that know nothing of an open secret order may give meanwhile, with every order of a window."""
        return self._as_umpire(self._waiting_apart(all_orders=True))

    def _waiting_apart(self, *, all_orders: bool) -> tuple[Awaited, ...]:
        apart = [(s.id, seen) for s in self.sides if (seen := self.seen_by(s.id)) is not self]
        return tuple(one for side, seen in apart for one in awaited(seen, all_orders=all_orders) if one.side == side)

    def _as_umpire(self, found: tuple[Awaited, ...]) -> tuple[Awaited, ...]:
        """What the game is waiting for, with all names in it."""
        return Seat(self.world, UMPIRE).told(found)

    def offered(self, side: Thing) -> tuple[str, ...]:
        """The orders of the open window for which a side has a legal command now, as far as it knows."""
        return self.orders.offered(self.runner.pending, side)

    def what(self, side: str) -> str:
        """What the game is waiting for, in words that a side may read."""
        return self.seat(side).told(" ".join(a.prompt for a in awaiting_of(self, side)))

    # ---- inputs
    def offer(self, given: Input) -> tuple[Event, ...]:
        """Takes one input. Raises Refused with nothing changed, RuleFailure with the game as it was before."""
        if self.world.incognito is not None:
            given = attrs.evolve(given, text=without_references(given.text))
        try:
            return self._offer(given)
        except (Refused, RuleFailure) as error:
            raise self.seat(given.side).told(error) from error.__cause__

    def _offer(self, given: Input) -> tuple[Event, ...]:
        aside = self.aside
        aside.seen = {}
        events = aside.take_apart(given) if aside.is_apart(given) else self.take(given)
        if not aside.held:
            return events
        passed, resumed = self.host.passed, aside.resumed()
        self.host.passed, self.world.journal.events = [*passed, *self.host.passed], [*events, *resumed]
        return tuple(self.world.journal.events)

    def take(self, given: Input) -> tuple[Event, ...]:
        """Takes an input in the current state. Raises Refused with nothing changed, RuleFailure with the game as it was before."""
        self.world.journal.events, self.host.passed = [], []
        if changes_modules(given):
            return self.umpire.change_modules(given)
        if self.amending.amends_at_once(given):
            return self.amending.amend_at_once(given)
        if given.kind == UNDO:
            return take_back(self, given)
        if given.kind == TAKEN_BACK:
            self.basis.inputs.append(given)
            return ()
        return self.intake.take(given)

    def read(self, given: Input) -> object:
        """The meaning of an input for what the game is waiting for. Raises Refused."""
        return self.intake.read(given)

    def follow(self, given: Input) -> None:
        """Takes an input again that was accepted before."""
        self.intake.follow(given)

    def spend(self, given: Input) -> bool:
        """Whether a `done` right after the last input is redundant: its side had no legal order left."""
        return self.host.spend(given)

    def standing(self, given: Input) -> object:
        """The situation an input applies to (`Intake.where`)."""
        return self.seen_by(given.side).intake.where(given)

    def recover(self) -> None:
        """Replays from the last start of a turn, after a step that failed half-way; this ends a rehearsal."""
        if self.blindfolded is None:
            self.replay(self.basis.inputs)

    def replay(self, inputs: Sequence[Input]) -> None:
        """Replays the turn with these inputs. May raise Refused or RuleFailure half-way."""
        self.basis.inputs, self.aside.seen = [], {}
        self.begin()
        for given in inputs:
            self.follow(given)
            self.basis.inputs.append(given)
        self.fresh = not inputs
        self.world.journal.events = []

    def begin_at(self, start: bytes) -> None:
        """Replays the turn from another start. May raise Refused or RuleFailure half-way."""
        self.basis.first = start
        self.replay(self.basis.inputs)

    def started_otherwise(self, start: bytes, change: Callable[[Game], int]) -> tuple[bytes, int]:
        """Makes a change at the start of this turn; returns the changed start, and the result of the change. This game must not be used afterwards."""
        self.basis.first = start
        self._make_world()
        number = change(self)
        return self.state_now(), number

    # ---- taking back
    def taking_back(self, side: str) -> Input:
        """The input by which a side takes back its last one; an answer that cannot be taken back alone is taken back with its order.

        Raises Refused if it may not.
        """
        seen = self.seen_by(side)
        for whole in (False, True):
            given = taking_back(seen, side, whole=whole)
            if may_take_back(seen, side, whole=whole):
                return given
        raise nothing()

    def given_again(self, side: str) -> Input:
        """The input that a side took back last, if it has given nothing since. Raises Refused."""
        return given_again(self.seen_by(side), side)

    # ---- other games like this one
    def copy_of_turn(self, start: bytes | None = None) -> Game:
        """A separate game at the start of this turn, or at another start of it."""
        settings: Settings = {**self.settings, "snapshots": False}
        basis = self.basis
        copy = Game(basis.program, basis.scenario, settings, start or basis.first, basis.reword, self.parts)
        if start is None and basis.first is None and basis.begun_by is not None:
            copy.basis.rules = copy.basis.begun_by = basis.begun_by
        return copy

    def led_again(self, program: Program, scenario: Scenario, start: bytes | None, parts: Parts) -> Game:
        """A separate game at the start of a turn, made of other parts, that goes no further than the next change of its rules."""
        return Game(program, scenario, self.settings, start, self.basis.reword, parts, leads_on=False)

    def seen_by(self, side: str) -> Game:
        """The game as a side sees it: this one, or one without the secret order of another side that it does not know of."""
        return self.aside.seen_by(side)

    def rehearse(self, inputs: Sequence[Input], side: str) -> Rehearsal:
        """Tries inputs of a side on this game, which must not be used afterwards. Raises RefusedThere."""
        return rehearse(self.seen_by(side), inputs, side)

    def blindfold(self, side: str) -> None:
        """Turns this game into a rehearsal permanently: it continues in the world as a side knows it, and waits for all dice."""
        from interpreter.mirrors.veil import veiled

        self.blind_seat = self.seat(side).held()
        self.keeps_snapshots, self.throwing.typed, self.aside.held = False, True, ()
        self.blindfolded = veiled(self.world, side)
        self.blindfolded.__enter__()

    def look_back(self, find: Callable[[], Game | None]) -> None:
        """Sets how to find the turn before the one in which this game began: find returns a game at the end of it, if there is one."""
        self.find_earlier = find

    def course(self) -> list[Turn]:
        """The turns that lead to the current state: the start of the turn and the inputs since; then the turn before, if it
        is available.
        """
        basis = self.basis
        if basis.earlier is None and self.find_earlier is not None:
            find, self.find_earlier = self.find_earlier, None
            game = find()
            before = game.course()[1:] if game is not None else []
            basis.earlier = before[0] if before else None
        now = Turn(basis.first, basis.inputs, basis.program, basis.scenario)
        return [now, *([basis.earlier] if basis.earlier is not None else [])]

    # ---- looking
    def seat(self, side: str) -> Seat:
        """The gate for everything that a side types and reads."""
        return self.blind_seat if self.blind_seat is not None else Seat(self.world, side)

    @property
    def sides(self) -> tuple[SideView, ...]:
        """The sides: everybody may know them."""
        return looking.sides_of(self)

    as_typed = looking.as_typed
    in_own_words = looking.in_own_words
    legal = in_words(looking.legal)
    legal_commands = in_words(looking.legal_commands)
    examples = in_words(looking.examples)
    why_not = in_words(looking.why_not)
    as_data = in_words(looking.as_data)
    understand = looking.understand
    ordered = looking.ordered
    named_of = looking.named_of
    asked_of = looking.asked_of
    explain = in_words(looking.explain)
    explain_changes = in_words(looking.explain_changes)
    view = in_words(looking.view)
    map_graph = in_words(looking.map_graph)
    may_answer = looking.may_answer


def begin(program: Program, scenario: Scenario, settings: Settings | None = None, reword: Reword | None = None) -> Game:
    """A new game. reword: finds amended texts."""
    return Game(program, scenario, settings, None, reword)


def resume(
    program: Program, scenario: Scenario, settings: Settings, snapshot: bytes, reword: Reword | None = None
) -> Game:
    """The game of a snapshot, at the start of its turn."""
    return Game(program, scenario, settings, snapshot, reword)
