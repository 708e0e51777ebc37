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
from interpreter.world.on_the_way import reactions_of
from interpreter.world.seat import Seat
from interpreter.world.ways import Ways

__all__ = ["Game", "RatingValue", "begin", "resume", "rule_failure"]


class Game(GameParts):
    """One running game.

    basis: what it rests on. world, with host, orders, answers and throwing: made anew whenever the turn begins anew. runner: what
    runs in it, and what that waits for. warnings: what the rules' setups warn of when a game begins; of one that was begun before,
    nothing. opening: what happens before anybody is asked, from where the game is set up or from the snapshot that it was taken up
    at. touched: what turns changed, of which things and fields, as far as they have been told. fresh: whether nothing has been put
    in since the turn began. blindfolded: where a rehearsal is played, the veil over the world, which is not lifted again;
    blind_seat: the seat there of the side that it is for, as it was at the start. told: what readers were told of it;
    kept where nothing is put in any more and many ask it.
    """

    host: Asks
    answers: Answers

    def __init__(
        self, program: Program, scenario: Scenario, settings: Settings | None = None, start: bytes | None = None,
        reword: Reword | None = None, parts: Parts = USUAL, *, leads_on: bool = True,
    ) -> None:  # fmt: skip
        """A game from its beginning, or from a start of a turn. reword: finds amended texts. leads_on: whether it goes on where the rules change."""
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
        """Begins anew from what it rests on. Raises Refused where the rules refuse such a beginning."""
        self._make_world()
        self._set_going()
        self.advance(None)
        self.opening = tuple(self.world.journal.events)

    def _set_going(self) -> None:
        """Nothing is awaited yet, and the game runs from where the world stands."""
        self.aside.order = None
        self.runner.set_up(self.turns.life())

    def _make_world(self) -> None:
        """Makes the world as it is where this game begins, and what is bound to it."""
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
        """Hands the world the emitted rules, the parts that change it, and whom its rules ask."""
        world = self.world
        world.ways = Ways(world, fine=True)
        world.functions = self.program.functions(world, world.options)
        world.sites = self.program.source.sites
        world.heed = reactions_of(world)
        self.orders, self.answers = Orders(world, self.program, self.aside), Answers(world, self.what)
        world.effects, world.positions = self.parts.effects(world), self.parts.positions(world)
        world.host = self.host = self.parts.host(world, self.orders)

    def change_over(self) -> None:
        """Makes the world anew from what it rests on, where a turn begins, and goes on in it."""
        self._make_world()
        self._set_going()

    def go_by(self, basis: Basis) -> None:
        """Has it rest on something else; nothing is played for that."""
        self.basis = basis

    def advance(self, answer: object) -> None:
        """Runs on until somebody is needed. Dice that the machine rolls itself are rolled here."""
        self.turns.count = self.world.rounds = 0
        self.runner.go_on(answer)
        if self.runner.run is None and not self.world.over:
            self.world.over = "there is nothing more to play"

    def _supplied(self, item: Any) -> Any:
        """What is at hand for what is awaited: dice that fall by themselves, and other rules where they change."""
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
        """The state as it is, where a turn begins."""
        return state_now(self)

    def digest(self) -> str:
        """sha256 of the state; equal states have equal digests, in every process."""
        return digest_now(self)

    # ---- what it waits for
    @property
    @in_words
    def awaiting(self) -> tuple[Awaited, ...]:
        """What the game waits for now; of orders those that a side can give to something, as far as it knows.

        Raises RuleFailure where a rule fails that has to tell.
        """
        return self._as_umpire((*awaited(self), *self._waiting_apart(all_orders=False)))

    @property
    def waiting(self) -> tuple[Awaited, ...]:
        """What the game waits for now, with every order of a window: nothing is looked for, so that it takes no time.

        Without what sides may give who know nothing of a secret order that is open.
        """
        return self._as_umpire(awaited(self, all_orders=True))

    @property
    def waiting_apart(self) -> tuple[Awaited, ...]:
        """What sides may give meanwhile who know nothing of a secret order that is open, with every order of a window."""
        return self._as_umpire(self._waiting_apart(all_orders=True))

    def _waiting_apart(self, *, all_orders: bool) -> tuple[Awaited, ...]:
        apart = [(s.id, seen) for s in self.sides if (seen := self.seen_by(s.id)) is not self]
        return tuple(one for side, seen in apart for one in awaited(seen, all_orders=all_orders) if one.side == side)

    def _as_umpire(self, found: tuple[Awaited, ...]) -> tuple[Awaited, ...]:
        """What is awaited with all names in it."""
        return Seat(self.world, UMPIRE).told(found)

    def offered(self, side: Thing) -> tuple[str, ...]:
        """The orders of the open window that a side can give to something now, as far as it knows."""
        return self.orders.offered(self.runner.pending, side)

    def what(self, side: str) -> str:
        """What is waited for, in words that a side may read."""
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
        """Takes an input as things stand. Raises Refused with nothing changed, RuleFailure with the game as it was before."""
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
        """What an input means to what is awaited. Raises Refused."""
        return self.intake.read(given)

    def follow(self, given: Input) -> None:
        """Takes an input that was accepted before, once more."""
        self.intake.follow(given)

    def spend(self, given: Input) -> bool:
        """Whether a `done` that comes right after the last input only says what is so: its side could order nothing more."""
        return self.host.spend(given)

    def standing(self, given: Input) -> object:
        """Where an input would count (`Intake.where`)."""
        return self.seen_by(given.side).intake.where(given)

    def recover(self) -> None:
        """Plays again from the last start of a turn, after a step that failed half-way; a rehearsal is over then."""
        if self.blindfolded is None:
            self.replay(self.basis.inputs)

    def replay(self, inputs: Sequence[Input]) -> None:
        """Plays the turn again with these inputs. Raises Refused or RuleFailure, half-way."""
        self.basis.inputs, self.aside.seen = [], {}
        self.begin()
        for given in inputs:
            self.follow(given)
            self.basis.inputs.append(given)
        self.fresh = not inputs
        self.world.journal.events = []

    def begin_at(self, start: bytes) -> None:
        """Plays the turn again from another start of it. Raises Refused or RuleFailure, half-way."""
        self.basis.first = start
        self.replay(self.basis.inputs)

    def started_otherwise(self, start: bytes, change: Callable[[Game], int]) -> tuple[bytes, int]:
        """Makes a change at a start of this turn; gives the start with it, and what it gave. This game is of no use afterwards."""
        self.basis.first = start
        self._make_world()
        number = change(self)
        return self.state_now(), number

    # ---- taking back
    def taking_back(self, side: str) -> Input:
        """The input by which a side takes its last one back; an answer that cannot go alone goes with its order.

        Raises Refused where it may not.
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
        """A game of its own at the start of this turn, or at another start of it."""
        settings: Settings = {**self.settings, "snapshots": False}
        basis = self.basis
        copy = Game(basis.program, basis.scenario, settings, start or basis.first, basis.reword, self.parts)
        if start is None and basis.first is None and basis.begun_by is not None:
            copy.basis.rules = copy.basis.begun_by = basis.begun_by
        return copy

    def led_again(self, program: Program, scenario: Scenario, start: bytes | None, parts: Parts) -> Game:
        """A game of its own at the start of a turn, made of other parts, that goes no further than to where its rules change."""
        return Game(program, scenario, self.settings, start, self.basis.reword, parts, leads_on=False)

    def seen_by(self, side: str) -> Game:
        """The game that a side looks at: this one, or one without the secret order of another of which it knows nothing."""
        return self.aside.seen_by(side)

    def rehearse(self, inputs: Sequence[Input], side: str) -> Rehearsal:
        """Tries inputs of a side on this game, which is of no use afterwards. Raises RefusedThere."""
        return rehearse(self.seen_by(side), inputs, side)

    def blindfold(self, side: str) -> None:
        """Makes a rehearsal of this game, for good: it goes on in the world as a side knows it, and waits for all dice."""
        from interpreter.mirrors.veil import veiled

        self.blind_seat = self.seat(side).held()
        self.keeps_snapshots, self.throwing.typed, self.aside.held = False, True, ()
        self.blindfolded = veiled(self.world, side)
        self.blindfolded.__enter__()

    def look_back(self, find: Callable[[], Game | None]) -> None:
        """Says how the turn before the one in which this game began can be had: find gives a game at the end of it, if any."""
        self.find_earlier = find

    def course(self) -> list[Turn]:
        """What leads to where the game stands: the start of the turn and the inputs since; after it the turn before, if it
        can be had.
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
        """The gate through which everything that a side types and reads must pass."""
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
    """The game that a snapshot was taken of, at the start of its turn."""
    return Game(program, scenario, settings, snapshot, reword)
