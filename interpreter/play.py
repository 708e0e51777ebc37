"""The machine: a game that runs its sequence, stops wherever somebody is needed, and goes on from inputs alone."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

import attrs

from dsl.rules.notation import RatingValue
from dsl.syntax.declarations import Scenario
from interpreter.amending import CHANGE_OVER, Reword, Turn
from interpreter.answers import Answers
from interpreter.asking import DONE, UNSETTLED, Roll, Sealed, Window
from interpreter.codegen.reads import TURN
from interpreter.commands import Command, Commands, Reason, slot_of
from interpreter.dice import read_dice, typed_faces
from interpreter.failures import FAILING, in_words, rule_failure
from interpreter.inputs import ENDINGS, SEAL, UNDO, Awaited, Event, Input, Refused, RuleFailure
from interpreter.looking import Looking
from interpreter.objections import MOST_TOLD, objections
from interpreter.parts import USUAL, Parts
from interpreter.program import Halt, Program
from interpreter.reactions import STOP_ORDER, reactions_of
from interpreter.runtime import TROUBLE, RuleTrouble, say
from interpreter.set_aside import SetAside
from interpreter.setup import arrive, set_up, tell_arrivals
from interpreter.standing_rulings import AMEND, RULE
from interpreter.state import digest_of, restore, state_of
from interpreter.taking_back import TAKEN_BACK, given_again, may_take_back, nothing, take_back, taking_back
from interpreter.throwing import BadFace, Throwing
from interpreter.trouble import ENDLESS, TroubleAt
from interpreter.umpire import RULINGS, Umpire, changes_modules
from interpreter.ways import Ways
from interpreter.written_rows import encode

if TYPE_CHECKING:
    from interpreter.rehearsal import Rehearsal


GAME_TURN = "game-turn"
"""The sequence of this name is the turn."""

SHOWN = 8
"""A refusal names so many of the things that it concerns."""

MOST_STEPS = 200_000
"""A game may draw this many rolls and questions without an input before it counts as endless."""
MOST_TURNS = 2_000
"""A game may go through this many turns in which nobody is asked."""
MOST_LOOKED = 5_000
"""An order is left out of a prompt only if so many arguments or fewer tell that it can be given to nothing."""


class Game(SetAside, Throwing, Umpire, Looking, Answers):
    """One running game.

    dice: where they come from (`throwing.py`). warnings: what the rules' setups warn of when a game
    begins; of one that was begun before, nothing. opening: what happens before anybody is asked, from where the game is set up
    or from the snapshot that it was taken up at.
    """

    warnings: tuple[str, ...] = ()
    opening: tuple[Event, ...] = ()
    blindfolded: AbstractContextManager[Any] | None = None
    """Where a rehearsal is played: the veil over the world, which is not lifted again."""
    _covert: dict[tuple[str, frozenset[str]], bool]
    _offered: tuple[Any, dict[str, tuple[str, ...]]] | None = None

    def __init__(
        self,
        program: Program,
        scenario: Scenario,
        settings: Mapping[str, Any] | None = None,
        start: bytes | None = None,
        reword: Reword | None = None,
        parts: Parts = USUAL,
        *,
        leads_on: bool = True,
    ) -> None:
        self.parts, self.leads_on = parts, leads_on
        self.program = program
        self.scenario = scenario
        self.reword = reword
        self.settings = dict(settings or {})
        self._first = start
        self._inputs: list[Input] = []
        self._seen: dict[str, Game] = {}
        self._earlier: Turn | None = None
        self.touched: list[tuple[tuple[Program, bytes | None, tuple[Input, ...]], frozenset[tuple[str, str]]]] = []
        """What turns changed, of which things and fields, as far as they have been told."""
        self._find_earlier: Callable[[], Game | None] | None = None
        self._turn_start: bytes | None = None
        self._fresh = False
        self.keeps_snapshots = bool(self.settings.get("snapshots", True))
        self._begin()

    # ---- life
    def _begin(self) -> None:
        self._make_world()
        self._clear()
        self._advance(None)
        self.opening = tuple(self.world.journal.events)

    def _clear(self) -> None:
        """Nothing is awaited yet, and the game runs from where the world stands."""
        self.host.passed, self._open_order = [], None
        self.host.open_windows.clear()
        self._pending: Any = None
        self._run = self._life()

    def _make_world(self) -> None:
        """Makes the world as it is where this game begins. Raises Refused where the rules refuse such a beginning."""
        try:
            self.world = set_up(
                self.program, self.scenario, self.settings.get("options"), str(self.settings.get("seed", 0))
            )
        except RuleTrouble as error:
            raise self._failure(error) from error
        self.world.stories.told = bool(self.settings.get("stories", True))
        data = None if self._first is None else json.loads(self._first)
        self._begin_rules(data)
        self._begin_dice(data)
        self._turns = self._taken = 0
        self._wire()
        if data is None:
            self._judge()
        else:
            restore(self.world, data["state"])

    def _judge(self) -> None:
        """Whether a game may begin so. Raises Refused."""
        try:
            found = objections(self.world)
        except FAILING as error:
            raise self._failure(error) from error
        refusals = [x for x in found if x.refuses]
        if refusals:
            more = f"\nAnd {len(refusals) - MOST_TOLD} more." if len(refusals) > MOST_TOLD else ""
            told = "".join(f"\n  {x}" for x in refusals[:MOST_TOLD])
            raise Refused(
                f"The rules refuse to begin {self.scenario.name}:{told}{more}",
                tuple(dict.fromkeys(c for x in refusals for c in x.cites)),
                "Mend the scenario's forces, or choose other modules.",
            )
        self.warnings = tuple(map(str, found))

    def _wire(self) -> None:
        """Ties the emitted rules to the world and to this game's questions and dice."""
        world = self.world
        world.ways = Ways(world, fine=True)
        world.functions = self.program.functions(world, world.options)
        world.sites = self.program.source.sites
        world.heed = reactions_of(world)
        self.commands = Commands(world)
        self._covert = {}
        world.host = self.host = self.parts.host(world, self)
        world.effects, world.positions = self.parts.effects(world), self.parts.positions(world)

    def _life(self) -> Generator[Any, Any, None]:
        world = self.world
        sequence = "p_sequence_game_turn"
        if sequence not in world.functions:
            return
        endings = self.program.endings(world, self.scenario)
        again = self._first is not None
        while not world.over:
            if not again:
                world.turn += 1
                world.touch(TURN)
                world.durations.begin_turn()
                world.stories.open = ()
                arrive(world)
                if self._ended(endings):
                    return
                if self._coming is not None:
                    yield CHANGE_OVER
            again = False
            self._turns += 1
            if self._turns > MOST_TURNS:
                raise TroubleAt(ENDLESS, self.program.rules.routines["sequence game-turn"].span)
            if self.keeps_snapshots:
                self._turn_start = self._snapshot()
            self._fresh = not self._given
            self.host.windows = self.host.asked = 0
            day = f": {world.calendar('date')}" if world.dates is not None else ""
            world.journal.happened("turn", f"Turn {world.turn}{day}.", turn=world.turn)
            tell_arrivals(world)
            frame = world.frame(f"sequence {GAME_TURN}", world.active, None)
            yield from world.react(frame)
            yield from world.functions[sequence](frame)
            yield from self.end_turn(frame)

    def end_turn(self, frame: Any) -> Generator[Any, Any, None]:
        """What lasts until the end of the turn is over."""
        self.world.durations.expire("end turn")
        self.world.durations.expire(f"end {GAME_TURN}")
        yield from self.world.react(frame)

    def _ended(self, endings: list[Callable[[], None]]) -> bool:
        """Whether one of the scenario's `end game` lines holds at the start of a turn."""
        for ending in endings:
            ending()
            if self.world.over:
                return True
        return False

    def _snapshot(self) -> bytes:
        now = {**self._dice_data(), **self._rules_data(), **self._remodelled()}
        data = {"state": state_of(self.world), "rolled": self.dice.rolled, **now}
        return json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode()

    def snapshot(self) -> bytes | None:
        """The state at the start of this turn, if nothing has been put in since; else None."""
        return self._turn_start if self._fresh and self.keeps_snapshots else None

    # ---- running
    def _advance(self, answer: Any) -> None:
        """Runs on until somebody is needed. Dice that the machine rolls itself are rolled here."""
        steps = self._turns = self.world.rounds = 0
        while True:
            steps += 1
            if steps > MOST_STEPS:
                raise self._failure(RuleTrouble(ENDLESS))
            try:
                item = self._run.send(answer)
            except StopIteration:
                self._pending = None
                if not self.world.over:
                    self.world.over = "there is nothing more to play"
                return
            except (
                RuleTrouble,
                AttributeError,
                TypeError,
                ValueError,
                LookupError,
                ArithmeticError,
                Halt,
                RecursionError,
            ) as error:
                raise self._failure(error) from error
            if item is CHANGE_OVER:
                answer = None
                if not self.leads_on:
                    self._pending = None
                    return
                self._change_over()
                continue
            if isinstance(item, Roll):
                if self._waits_for_dice():
                    self._pending = item
                    return
                answer = self._face(item)
                continue
            self._pending = item
            return

    def _tell_roll(self, item: Roll, face: int) -> None:
        """Tells a roll; without its number those from whom it is hidden what comes of it."""
        who = f" for {item.item.id}" if item.item is not None and item.item is not item.side else ""
        about = [item.item, item.subject]
        sides = [s.id for s in self.world.all_of("side")]
        place = self.world.sites[item.site].span
        into = self.program.flows.get(place)
        if into:
            self.world.thrown[place] = (item.side.id, about)
        shut = [s for s in sides if into and self.world.knowledge.veils_flow(into, about, item.side.id, s)]
        for to in ["all"] if not shut else [s for s in sides if s not in shut] or ["umpire"]:
            self.world.journal.happened(
                "roll", f"{item.side.id} rolls {face} on {item.dice} ({item.name}{who}).", item.site, item.side, to,
                about=about, dice=item.dice, face=face, name=item.name,
            )  # fmt: skip
        for to in shut:
            self.world.journal.happened(
                "roll", f"{item.side.id} rolls {item.dice} ({item.name}{who}).", item.site, item.side, to, about=about,
                dice=item.dice, name=item.name, veiled=True,
            )  # fmt: skip

    def _failure(self, error: Exception) -> RuleFailure:
        return rule_failure(self.program, error)

    # ---- what it waits for
    @property
    def turn(self) -> int:
        """The number of the turn."""
        return self.world.turn

    @property
    def phase(self) -> str:
        """The name of the phase, or an empty text between phases."""
        return self.world.phases[-1][0] if self.world.phases else ""

    @property
    def phases(self) -> dict[str, str]:
        """The phases of the game with their titles, in their order."""
        return self.program.phases()

    @property
    def active(self) -> str:
        """The id of the side whose turn it is, or an empty text."""
        return self.world.active.id if self.world.active is not None else ""

    @property
    def over(self) -> str:
        """Why the game is over; empty while it runs."""
        return self.world.over

    @property
    def pending(self) -> Any:
        """What the game waits for as the machine sees it: a Window, Question, EachQuestion, Sealed, Roll, or None."""
        return None if self.world.over else self._pending

    @property
    @in_words
    def awaiting(self) -> tuple[Awaited, ...]:
        """What the game waits for now; of orders those that a side can give to something, as far as it knows.

        Raises RuleFailure where a rule fails that has to tell.
        """
        from interpreter.awaited import awaited

        return (*awaited(self), *self._waiting_apart(all_orders=False))

    @property
    def running(self) -> Any:
        """The generator that stands still, from which those hang that it waits for."""
        return self._run

    @property
    def waiting(self) -> tuple[Awaited, ...]:
        """What the game waits for now, with every order of a window: nothing is looked for, so that it takes no time.

        Without what sides may give who know nothing of a secret order that is open.
        """
        from interpreter.awaited import awaited

        return awaited(self, all_orders=True)

    @property
    def waiting_apart(self) -> tuple[Awaited, ...]:
        """What sides may give meanwhile who know nothing of a secret order that is open, with every order of a window."""
        return self._waiting_apart(all_orders=True)

    def _waiting_apart(self, *, all_orders: bool) -> tuple[Awaited, ...]:
        from interpreter.awaited import awaited

        apart = [(s.id, seen) for s in self.sides if (seen := self.seen_by(s.id)) is not self]
        return tuple(one for side, seen in apart for one in awaited(seen, all_orders=all_orders) if one.side == side)

    def offered(self, side: Any) -> tuple[str, ...]:
        """The orders of the open window that a side can give to something now, as far as it knows."""
        window = self._pending
        if self._offered is None or self._offered[0] is not window:
            self._offered = (window, {})
        held = self._offered[1]
        if side.id not in held:
            held[side.id] = tuple(x for x in window.orders if self.commands.any_legal(side, x, MOST_LOOKED))
        return held[side.id]

    # ---- inputs
    def offer(self, given: Input) -> tuple[Event, ...]:
        """Takes one input. Raises Refused with nothing changed, RuleFailure with the game as it was before."""
        try:
            return self._offer(given)
        except (Refused, RuleFailure) as error:
            raise self.seat(given.side).told(error) from error.__cause__

    def standing(self, given: Input) -> Any:
        """Where an input would count: two situations for which this is equal, other sides' steps apart, are one for it.

        None where an input is only good for the very situation that its giver saw.
        """
        if (seen := self.seen_by(given.side)) is not self:
            return seen.standing(given)
        pending = self.pending
        here = self.turn, tuple(self.world.phases), self.active
        if given.kind in {"override", SEAL}:
            return given.kind
        if given.kind == "do" and isinstance(pending, Window):
            waiting = [s.id for s in pending.waiting]
            mine = waiting if given.side == "umpire" else given.side in waiting
            return given.kind, *here, self.host.windows, pending.rounds, mine
        if given.kind == "answer":
            asked = [a for a in self.waiting if a.kind == "question" and a.side == given.side]
            where = self.place_in_order(given.side) or (self.host.asked, self.dice.rolled)
            return given.kind, *here, where, tuple(asked)
        return None

    def spend(self, given: Input) -> bool:
        """Whether a `done` that comes right after the last input only says what is so: its side could order nothing more.

        Once for each window that was over by itself; where several commands are given together, such a `done` is none.
        """
        if given.kind != "do" or given.text.strip().lower() not in ENDINGS:
            return False
        name = given.side.lower()
        found = next((s for s in self.host.passed if name in {s.lower(), "umpire"}), None)
        if found is not None:
            self.host.passed.remove(found)
        return found is not None

    def _offer(self, given: Input) -> tuple[Event, ...]:
        self._seen = {}
        events = self._take_apart(given) if self._is_apart(given) else self._take(given)
        if not self._aside:
            return events
        passed, resumed = self.host.passed, self._resumed()
        self.host.passed, self.world.journal.events = [*passed, *self.host.passed], [*events, *resumed]
        return tuple(self.world.journal.events)

    def _take(self, given: Input) -> tuple[Event, ...]:
        """Takes an input as things stand. Raises Refused with nothing changed, RuleFailure with the game as it was before."""
        self.world.journal.events, self.host.passed = [], []
        if changes_modules(given):
            return self.change_modules(given)
        if self.amends_at_once(given):
            return self.amend_at_once(given)
        if given.kind == UNDO:
            return take_back(self, given)
        if given.kind == TAKEN_BACK:
            self._inputs.append(given)
            return ()
        rolled, own = self.dice.rolled, self._dice_for(given)
        answer, others = self._begun(given)
        held = self._held()
        fresh, self._fresh = self._fresh, False
        self._decided(given)
        try:
            if answer is not UNSETTLED:
                self._advance(answer)
            for other in others:
                self._take_other(other)
            self._thrown()
            if self._given:
                extra = len(self._given)
                raise Refused(f"There are {extra} dice too many.", hint="Type only the dice that are awaited.")
        except Exception as error:
            if self.blindfolded is not None:
                raise
            self._fresh = fresh
            self._put_back(held)
            self._recover()
            if isinstance(error, BadFace):
                raise Refused(str(error)) from None
            if given.kind in RULINGS and isinstance(error, RuleFailure):
                raise Refused(f"The game cannot go on so: {error}", hint="Nothing was changed.") from error
            raise
        self._heed(given, self.world.journal.events, rolled, own)
        self._inputs.append(given)
        self._taken += 1
        if self._fresh and self.keeps_snapshots:
            self._earlier = Turn(held["_first"], self._inputs, held["program"], held["scenario"])
            self._inputs, self._taken = [], 0
            self._first = self._turn_start
        return tuple(self.world.journal.events)

    @in_words
    def _begun(self, given: Input) -> tuple[Any, list[Input]]:
        """What an input answers, and the further inputs that it stands for."""
        first, *others = self._spread(given)
        return self._read(first), others

    def _spread(self, given: Input) -> list[Input]:
        """What an input stands for: a command that is given to several things, for each of them; else itself."""
        if given.kind not in {AMEND, RULE}:  # what the umpire says in words is told as he says it
            given = attrs.evolve(given, text=self._by_ids(given.text))
        self.commands.seat = self.seat(given.side)
        pending = self._pending
        if given.kind != "do" or not isinstance(pending, Window) or given.text.strip().lower() in ENDINGS:
            return [given]
        side = pending.waiting[0] if given.side == "umpire" and len(pending.waiting) == 1 else self._side(given.side)
        if side not in pending.waiting:
            return [given]
        texts = self.commands.spread(given.text, side, pending.orders)
        return [Input("do", given.side, text, given.subject) for text in texts]

    def _take_other(self, given: Input) -> None:
        """One more of several commands that are one input. Raises Refused; those before it have been done: set the game back."""
        try:
            if not isinstance(self._pending, Window):
                raise Refused("It asks something for each of them.", hint="Give it to one thing at a time.")
            answer = self._read(given)
        except Refused as error:
            raise Refused(f"{given.text}: {error.message}", error.cites, error.hint) from None
        if answer is not UNSETTLED:
            self._advance(answer)

    def _recover(self) -> None:
        """Plays again from the last start of a turn, after a step that failed half-way; a rehearsal is over then."""
        if self.blindfolded is not None:
            return
        self.replay(self._inputs)

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

    @property
    def inputs_of_turn(self) -> list[Input]:
        """The inputs since the start of the turn."""
        return self._inputs

    def replay(self, inputs: Sequence[Input]) -> None:
        """Plays the turn again with these inputs. Raises Refused or RuleFailure, half-way."""
        self._inputs, self._seen = [], {}
        self._begin()
        self._offered = None
        for given in inputs:
            self.follow(given)
            self._inputs.append(given)
        self._fresh = not inputs
        self.world.journal.events = []

    def led_again(self, program: Program, scenario: Scenario, start: bytes | None, parts: Parts) -> Game:
        """A game of its own at the start of a turn, made of other parts, that goes no further than to where its rules change."""
        return type(self)(program, scenario, self.settings, start, self.reword, parts, leads_on=False)

    def copy_of_turn(self, start: bytes | None = None) -> Game:
        """A game of its own at the start of this turn, or at another start of it."""
        settings = {**self.settings, "snapshots": False}
        copy = type(self)(self.program, self.scenario, settings, start or self._first, self.reword)
        if start is None and self._first is None and self._begun_by is not None:
            copy.rules = copy._begun_by = self._begun_by  # noqa: SLF001 (a game like this one)
        return copy

    @property
    def turn_start(self) -> bytes | None:
        """The state at the start of this turn, where it is kept."""
        return self._turn_start if self.keeps_snapshots else None

    def started_otherwise(self, start: bytes, change: Callable[[Game], int]) -> tuple[bytes, int]:
        """Makes a change at a start of this turn; gives the start with it, and what it gave. This game is of no use afterwards."""
        self._first = start
        self._make_world()
        number = change(self)
        return self._snapshot(), number

    def begin_at(self, start: bytes) -> None:
        """Plays the turn again from another start of it. Raises Refused or RuleFailure, half-way."""
        self._first = start
        self.replay(self._inputs)

    def follow(self, given: Input) -> None:
        """Takes an input that was accepted before, once more."""
        if given.kind == TAKEN_BACK:
            self._taken += 1
            return
        told, rolled, own = len(self.world.journal.events), self.dice.rolled, self._dice_for(given)
        for one in self._spread(given):
            answer = self._read(one)
            self._decided(given)
            if answer is not UNSETTLED:
                self._advance(answer)
        self._thrown()
        self._heed(given, self.world.journal.events[told:], rolled, own)
        self._taken += 1

    def rehearse(self, inputs: Sequence[Input], side: str) -> Rehearsal:
        """Tries inputs of a side on this game, which is of no use afterwards. Raises RefusedThere."""
        from interpreter.rehearsal import rehearse

        return rehearse(self.seen_by(side), inputs, side)

    def blindfold(self, side: str) -> None:
        """Makes a rehearsal of this game, for good: it goes on in the world as a side knows it, and waits for all dice."""
        from interpreter.veil import veiled

        self.blind_seat = self.seat(side).held()
        self.keeps_snapshots, self.typed, self._aside = False, True, ()
        self.blindfolded = veiled(self.world, side)
        self.blindfolded.__enter__()

    def look_back(self, find: Callable[[], Game | None]) -> None:
        """Says how the turn before the one in which this game began can be had: find gives a game at the end of it, if any."""
        self._find_earlier = find

    def course(self) -> list[Turn]:
        """What leads to where the game stands: the start of the turn and the inputs since; after it the turn before, if it
        can be had.
        """
        if self._earlier is None and self._find_earlier is not None:
            find, self._find_earlier = self._find_earlier, None
            game = find()
            before = game.course()[1:] if game is not None else []
            self._earlier = before[0] if before else None
        now = Turn(self._first, self._inputs, self.program, self.scenario)
        return [now, *([self._earlier] if self._earlier is not None else [])]

    def _read(self, given: Input) -> Any:
        """What an input means to the pending item. Raises Refused."""
        pending = self._pending
        if self.world.over or pending is None:
            raise Refused("The game is over.", hint="`undo` takes it back.")
        if given.kind in RULINGS:
            return self._rule(given)
        if given.kind == SEAL:
            return self._read_seal(given)
        if given.kind == "roll":
            return self._read_roll(given)
        if given.kind == "answer":
            return self._read_answer(given)
        if given.kind != "do":
            raise Refused(f"An input is a command, an answer or a roll, not `{given.kind}`.")
        return self._read_command(given)

    def _read_roll(self, given: Input) -> Any:
        if not isinstance(self._pending, Roll):
            raise Refused("No dice are awaited.", hint=self._what(given.side))
        faces = typed_faces(given.text)
        if not self.typed:
            raise Refused("No dice of the table are awaited.", hint=self._what(given.side))
        if not isinstance(faces[0], str):
            read_dice(self._pending.dice).total(faces[0])
        self._given = faces
        return self._face(self._pending)

    def _what(self, side: str) -> str:
        """What is waited for, in words that a side may read."""
        from interpreter.project import awaiting_of

        return " ".join(a.prompt for a in awaiting_of(self, side))

    def _side(self, name: str) -> Any:
        side = next((s for s in self.world.all_of("side") if s.id.lower() == name.lower()), None)
        if side is None:
            known = ", ".join(s.id for s in self.world.all_of("side"))
            raise Refused(f"There is no side {name}.", hint=f"The sides are {known}; the umpire may act for any.")
        return side

    def _read_command(self, given: Input) -> Any:
        pending = self._pending
        if not isinstance(pending, Window):
            raise Refused("No orders can be given now.", hint=self._what(given.side))
        side = pending.waiting[0] if given.side == "umpire" and len(pending.waiting) == 1 else None
        text = given.text.strip()
        if side is None:
            side = self._side(given.side)
        if side not in pending.waiting:
            raise Refused(f"It is not for {side.id} to give orders now.", hint=self._what(given.side))
        if text.lower() in ENDINGS:
            shut = self.still_open(side)
            if shut:
                raise Refused(shut[0].text, shut[0].cites, shut[0].hint)
            self.world.journal.happened("done", f"{side.id} is done.", side=side)
            return (side, DONE)
        order = self.commands.orders.get(text.partition(" ")[0].lower())
        if order is not None and order.name not in pending.orders:
            hint = "Now may be ordered: " + ", ".join([*self.offered(side), "done"]) + "."
            raise Refused(f"`{order.name}` cannot be ordered in this phase.", order.cites, hint)
        command = self.commands.read(text, side, pending.orders)
        reasons = self.commands.settle(command, side)
        if reasons:
            raise Refused(reasons[0].text, reasons[0].cites, reasons[0].hint)
        return (side, command)

    def still_open(self, side: Any) -> list[Reason]:
        """Why the phase may not end now for a side, as far as it may know: its own things are meant by `own`, whoever is active."""
        title = self.world.phases[-1][1] if self.world.phases else "This"
        shut = []
        active, self.world.active = self.world.active, side
        try:
            with self.commands.as_known_to(side, self.commands.veils):
                for test, because, cites, about in self.world.closing:
                    try:
                        holds = test()
                    except TROUBLE as error:
                        if not self.commands.unknown(error):
                            raise
                        holds = False
                    if holds:
                        things = [say(x) for x in about()] if about is not None else []
                        more = f" and {len(things) - SHOWN} more" if len(things) > SHOWN else ""
                        hint = f"It concerns {', '.join(things[:SHOWN])}{more}." if things else ""
                        shut.append(Reason(f"{title} cannot end yet: {because}.", cites, hint=hint))
        finally:
            self.world.active = active
        return shut

    def carry_out(self, command: Command) -> Generator[Any, Any, None]:
        """Carries out a command, with the rules before and after it."""
        world, order = self.world, command.order
        world.ways.chosen = command.frame.chosen
        named = [getattr(command.frame, slot_of(p[1])) for p in order.params]
        about = [x for part in named for x in (part if isinstance(part, list) else [part])]
        to = command.frame.acting.id if self._is_covert(order.name, about) else "all"
        text = f"{command.frame.acting.id}: {command.text}."
        opened = self.open_order(command.frame.acting.id) if to != "all" else None
        try:
            world.journal.happened("order", text, side=command.frame.acting, to=to, about=about, order=order.name)
            yield from self._carried_out(command)
        finally:
            self.close_order(opened)

    def _carried_out(self, command: Command) -> Generator[Any, Any, None]:
        """Does what an order does, with the rules before and after it."""
        world, order = self.world, command.order
        for hook in self.program.rules.hooks.get(f"before order {order.name}", ()):
            yield from world.functions[f"p_rule_{_py(hook.name)}"](
                world.frame(f"rule {hook.name}", command.frame.acting, command.frame)
            )
        try:
            yield from world.functions[order.effect](command.frame)
        except Halt as halt:
            if halt.name not in {order.name, STOP_ORDER}:
                raise
        finally:
            world.ways.chosen = {}
        if order.name in self.program.rules.past:
            world.remember(f"order {order.name}", command.frame)
            yield from world.react(command.frame)
        for hook in self.program.rules.hooks.get(f"after order {order.name}", ()):
            yield from world.functions[f"p_rule_{_py(hook.name)}"](
                world.frame(f"rule {hook.name}", command.frame.acting, command.frame)
            )

    def _is_covert(self, order: str, about: list[Any]) -> bool:
        """Whether an order that is given to these things is told to nobody else."""
        shy = self.program.secrecy.shy_kinds
        away = frozenset(x.kind for x in about if getattr(x, "kind", "") in shy and x.place is None)
        if (order, away) not in self._covert:
            from interpreter.veil import is_covert

            self._covert[order, away] = is_covert(self.world, order, away)
        return self._covert[order, away]

    def is_untold(self, order: str) -> bool:
        """Whether an order is told to nobody but its side."""
        return self._is_covert(order, [])

    def any_legal(self, side: Any, order: str) -> bool:
        """Whether a side has a legal command of this order; always where that it has none would tell what is hidden."""
        return self.commands.any_legal(side, order) or self.commands.may_seem_legal(side, order)

    def digest(self) -> str:
        """sha256 of the state: things, what is awaited, how many dice were rolled, and what running procedures have named."""
        awaited = [[a.kind, a.side, a.name, list(a.choices), a.count] for a in self.waiting]
        aside = [[x.side, [one.text for one in x.inputs]] for x in self._aside]
        sealed = pending.answers if isinstance(pending := self._pending, Sealed) else None
        extra: list[Any] = [
            self.dice.rolled,
            awaited,
            self.world.over,
            [p[0] for p in self.world.phases],
            self._named(),
        ]
        if sealed:
            extra.append([[number, encode(sealed[number])] for number in sorted(sealed)])
        if aside:
            extra.append(aside)
        if dice := self._dice_data():
            extra.append(dice)
        if rules := self._rules_data():
            extra.append(rules)
        return digest_of(self.world, extra)

    def _named(self) -> list[dict[str, Any]]:
        """The names set so far by each procedure that stands still now, from the outermost in."""
        out = []
        run: Any = self._run if self._pending is not None else None
        while run is not None and getattr(run, "gi_frame", None) is not None:
            frame = run.gi_frame.f_locals.get("F")
            if frame is not None:
                slots = [x for x in type(frame).__slots__ if x.startswith("n_") and hasattr(frame, x)]
                out.append({x: encode(getattr(frame, x)) for x in slots})
            run = run.gi_yieldfrom
        return out


def begin(
    program: Program, scenario: Scenario, settings: Mapping[str, Any] | None = None, reword: Reword | None = None
) -> Game:
    """A new game. reword: finds amended texts."""
    return Game(program, scenario, settings, None, reword)


def resume(
    program: Program, scenario: Scenario, settings: Mapping[str, Any], snapshot: bytes, reword: Reword | None = None
) -> Game:
    """The game that a snapshot was taken of, at the start of its turn."""
    return Game(program, scenario, settings, snapshot, reword)


def _py(name: str) -> str:
    return slot_of(name).removeprefix("n_")


__all__ = ["Game", "RatingValue", "begin", "resume", "rule_failure"]
