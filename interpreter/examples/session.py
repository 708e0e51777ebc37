"""The small game of one example: it pauses where its dice and answers run out."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

import attrs

from dsl.text.source import Span
from interpreter.codegen.units import SITES
from interpreter.commands.listing import Commands
from interpreter.messages.asking import UNSETTLED, EachQuestion, Pending, Question, Roll, Run, Sealed, Window
from interpreter.messages.inputs import Awaited, Input, Refused
from interpreter.messages.sides import side_called
from interpreter.play.answer_reader import REST, AnswerReader, Incomplete, called
from interpreter.play.host import Asks
from interpreter.play.orders import Orders
from interpreter.play.runner import Runner
from interpreter.play.throwing import BadFace, Throwing
from interpreter.program.program import Program, Traced
from interpreter.queries.project import awaiting_as_known
from interpreter.runtime.audit_trail import Trail
from interpreter.runtime.die_rolls import Throw
from interpreter.runtime.refusals import Why
from interpreter.runtime.runtime import RuleTrouble, say
from interpreter.runtime.things import Thing, Value
from interpreter.setup.setup import EXAMPLE_MAP, add_side, build_maps, new_world
from interpreter.world.on_the_way import reactions_of
from interpreter.world.ways import Ways


@attrs.frozen(slots=True)
class LaidOut:
    """An answer given in advance by an example. of: the things it is for, by name; empty if it names none."""

    name: str
    text: str
    of: str = ""
    span: Span | None = attrs.field(default=None, eq=False)

    @property
    def spoken(self) -> str:
        """The answer as a player gives it."""
        return f"{self.of} {self.text}" if self.of else self.text


@attrs.define(slots=True, eq=False)
class Taken:
    """A choice made without asking, as a question with only one answer. left: the things for which no answer has confirmed it yet."""

    question: Question | EachQuestion
    left: list[Thing]


class CameUp(Trail):
    """The trail of an example: only which values and lines were used, since computing chances produces millions of entries."""

    def __init__(self) -> None:
        super().__init__()
        self.values: set[str] = set()
        self.sites: set[int] = set()

    def enter(self, name: str, args: tuple[object, ...]) -> None:  # noqa: ARG002
        """The evaluation of a value begins."""
        self.values.add(name)

    def step(self, site: int, value: object) -> None:  # noqa: ARG002
        """A line applied."""
        self.sites.add(site)

    def skip(self, site: int) -> None:
        """A line did not apply."""

    def leave(self, value: Value) -> Value:
        """The evaluation of the value is finished; the value is passed on."""
        return value


class Session:
    """A small game of one example: a board, sides, and dice and answers given in advance; it has the parts of a game.

    pins: values that the example gives; trail: what was used. faces, answers: those not yet used. rehearsing:
    whether possible outcomes are being tried: then answers apply every time they are needed, and rehearsed has their names.
    taken: the choices made without asking. active_given: whether the example has set whose turn it is.
    """

    def __init__(
        self, program: Program, options: dict[str, str], map_names: Sequence[str], sides: Sequence[str]
    ) -> None:
        self.program = program
        self.world = world = new_world(program, options)
        maps = program.ruleset.maps
        usual = [EXAMPLE_MAP] if EXAMPLE_MAP in maps else list(maps) if len(maps) == 1 else []
        build_maps(world, [maps[name] for name in map_names or usual if name in maps])
        for name in sides:
            add_side(world, name, name.capitalize(), name)
        world.active = world.all_of("side")[0]
        self.pins: dict[str, Value] = {}
        self.trail = CameUp()
        self.traced: Traced = program.traced_functions(world, world.options, self.pins, self.trail)
        world.ways, world.functions, world.sites = Ways(world), self.traced, SITES.all
        world.heed = reactions_of(world)
        self.runner = Runner(self._supplied)
        self.throwing = Throwing(world, program.secrecy.flows, self.runner, {"dice": "typed"})
        self.orders, self.reader = Orders(world, program), AnswerReader(world)
        world.host = self.host = Asks(world, self.orders, self)
        self.faces: list[Throw] = []
        self.answers: list[LaidOut] = []
        self.active_given = False
        self.rehearsing = False
        self.rehearsed: set[str] = set()
        self.taken: list[Taken] = []

    @property
    def pending(self) -> Pending | None:
        """What the example is waiting for."""
        return None if self.world.over else self.runner.pending

    @property
    def commands(self) -> Commands:
        """The reader and lister of commands."""
        return self.orders.commands

    def side(self, name: str) -> Thing:
        """The side of that name. Raises Refused."""
        return side_called(self.world, name)

    def what(self, side: str) -> str:
        """What it is waiting for, in words that a side may read."""
        return " ".join(a.prompt for a in awaiting_as_known(self, side))

    @property
    def phase(self) -> str:
        """The name of the phase, or an empty text between phases."""
        return self.world.phases[-1][0] if self.world.phases else ""

    @property
    def typed(self) -> bool:
        """Whether dice are typed: in an example they are given in advance."""
        return True

    @property
    def seals(self) -> None:
        """Nobody seals dice here."""

    @property
    def seals_awaited(self) -> tuple[Awaited, ...]:
        """Nobody seals dice here."""
        return ()

    def offered(self, side: Thing) -> tuple[str, ...]:
        """The orders of the open window for which a side has a legal command now, as far as it knows."""
        return self.orders.offered(self.runner.pending, side)

    def order(self, side: Thing, command: str) -> None:
        """Gives a command in the open window. Raises Refused."""
        read = self.orders.read(Input("do", side.id, command), self.runner.pending, self.what)
        self.host.passed = []
        self._go_on(read)

    def is_so(self, side: Thing, command: str) -> bool:
        """Whether a command is a redundant `done` of a side that had no legal order left."""
        pending = self.runner.pending
        awaited = isinstance(pending, Window) and side in pending.waiting
        return not awaited and self.host.spend(Input("do", side.id, command))

    def try_answer(self, side: Thing, name: str, text: str) -> None:
        """Checks whether a side may give this answer at this point of the example, without answering. Raises Refused."""
        pending = self.runner.pending
        asked = pending.open if isinstance(pending, Sealed) else [pending]
        found = [q for q in asked if isinstance(q, Question | EachQuestion) and q.name == name and q.side is side]
        others = [q.side.id for q in asked if isinstance(q, Question | EachQuestion) and q.name == name]
        if not found and others:
            raise Why.NOT_YOURS(
                f"{name} is not a question for {side.id}, but for {' and '.join(others)}.", question=name, sides=others
            )
        if not found:
            found = [x.question for x in self.taken[::-1] if x.question.name == name and x.question.side is side]
        if not found:
            raise RuleTrouble(
                f"{name} is not an open question for {side.id} here: the game is waiting for {self.waits_for}."
            )
        self.reader.meant(found[0], text)

    # ---- choices that were taken without asking
    def settled(self, side: Thing, name: str, kind: str, answer: Value) -> None:
        """Keeps a choice made without asking, as a question with only one answer."""
        if kind != "split" and not self.rehearsing:
            several = isinstance(answer, list)
            only = answer if several else [] if kind == "number" else [answer]
            amount = len(answer) if several else 0
            self.taken.append(Taken(Question(side, name, kind, only, amount, None, "", False, 0), []))

    def settled_each(self, question: EachQuestion) -> None:
        """Keeps choices for several things made without asking."""
        if not self.rehearsing:
            self.taken.append(Taken(question, list(question.items)))

    def answer(self, said: Sequence[LaidOut]) -> bool:
        """Takes answers in advance. False if they only confirm choices just made without asking; they are then used up."""
        pending = self.runner.pending
        asked = pending.open if isinstance(pending, Sealed) else [pending]
        kept = []
        for laid in said:
            taken = next((x for x in self.taken[::-1] if self._says_taken(x, laid)), None)
            if taken is None or any(isinstance(q, Question | EachQuestion) and self._is_for(q, laid) for q in asked):
                kept.append(laid)
            else:
                self._spend(taken, laid)
        self.answers += kept
        if kept:
            self.feed()
        return bool(kept)

    def _says_taken(self, taken: Taken, laid: LaidOut) -> bool:
        """Whether an answer confirms a choice made without asking, for something not confirmed yet."""
        if taken.question.name != laid.name or not self._says(taken.question, laid.spoken):
            return False
        return not laid.of or laid.of.lower() in REST or any(laid.of.lower() in called(x) for x in taken.left)

    def _spend(self, taken: Taken, laid: LaidOut) -> None:
        """An answer has confirmed a choice; another one may confirm it for the rest."""
        taken.left = [x for x in taken.left if laid.of and laid.of.lower() not in {*REST, *called(x)}]
        if not taken.left:
            self.taken.remove(taken)

    def _is_for(self, question: Question | EachQuestion, laid: LaidOut) -> bool:
        """Whether an answer can be for a question: not for that of another side, or about other things, under the same name."""
        if question.name != laid.name:
            return False
        return (
            self._speaks_of(question, laid) if isinstance(question, EachQuestion) else self._says(question, laid.spoken)
        )

    def _says(self, question: Question | EachQuestion, text: str) -> bool:
        with contextlib.suppress(Refused):
            self.reader.meant(question, text)
            return True
        return False

    def was_taken(self, laid: LaidOut) -> bool:
        """Whether a choice made without asking agrees with an answer."""
        return any(self._says_taken(taken, laid) for taken in self.taken)

    def start(self, run: Run) -> None:
        """Runs a routine as far as the dice and answers go."""
        self.world.rounds = 0
        self.runner.start(run)

    def interpose(self, run: Run) -> None:
        """Runs a routine while another is suspended; that one continues when this one has ended."""
        self.world.rounds = 0
        self.runner.interpose(run)

    def _go_on(self, answer: object) -> None:
        self.world.rounds = 0
        self.runner.go_on(answer)

    def throw(self, face: int) -> None:
        """Gives the dice that the game is waiting for, and continues."""
        self.faces.append(face)
        self.feed()

    def reply(self, answer: object) -> None:
        """Gives a complete answer to the question, and continues."""
        self._go_on(answer)

    def feed(self) -> None:
        """Uses the dice and answers given in advance, until something else is needed."""
        self.runner.feed()

    def _supplied(self, item: Pending) -> object:
        """The dice or answer given in advance; UNSETTLED if there is none. Raises Refused for impossible dice."""
        answer: object = UNSETTLED
        if isinstance(item, Roll) and self.faces:
            self.throwing.given = [self.faces.pop(0)]
            try:
                answer = self.throwing.face(item)
            except BadFace as error:
                raise Why.NOT_UNDERSTOOD(
                    str(error), hint=f"The `dice` line gives this result for the roll `{item.name}`."
                ) from None
        elif isinstance(item, Sealed):
            for number, question in enumerate(item.questions):
                if number not in item.answers and (given := self._laid_out(question)) is not UNSETTLED:
                    item.answers[number] = given
            if not item.open:
                answer = [item.answers[number] for number in range(len(item.questions))]
        elif isinstance(item, Question | EachQuestion):
            answer = self._laid_out(item)
        if answer is not UNSETTLED:
            self.world.rounds = 0
        return answer

    def _laid_out(self, item: Question | EachQuestion) -> object:
        """The answer that the example gives to a question; UNSETTLED if it gives none, or only a part."""
        said = [laid for laid in self.answers if laid.name == item.name]
        if not said:
            return UNSETTLED
        if self.rehearsing:
            self.rehearsed.add(item.name)
        if isinstance(item, Question):
            whole = _shares(said, item.amount or 0) if item.kind == "split" else said[:1]
            if not whole:
                return UNSETTLED
            answer = self.reader.one_answer(item, ", ".join(laid.spoken for laid in whole))
            for laid in whole if not self.rehearsing or len(said) > len(whole) else ():
                self.answers.remove(laid)
            return answer
        theirs = [laid for laid in said if self._speaks_of(item, laid)]
        if not theirs:
            return UNSETTLED
        try:
            each = self.reader.each_answer(item, ", ".join(laid.spoken for laid in theirs))
        except Incomplete:
            return UNSETTLED
        for laid in theirs if not self.rehearsing else ():
            self.answers.remove(laid)
        return each

    def _speaks_of(self, item: EachQuestion, laid: LaidOut) -> bool:
        """Whether an answer is for this question rather than for another one under the same name."""
        if laid.of:
            return laid.of.lower() in REST or any(laid.of.lower() in called(x) for x in item.items)
        word = laid.text.split(":", maxsplit=1)[0].split(maxsplit=1)[0].lower() if laid.text.strip() else ""
        named = [x for x in self.world.by_id.values() if x.alive and word in {x.id.lower(), x.name.lower()}]
        only_one = len(item.items) == 1 and not isinstance(self.runner.pending, Sealed)
        if not named or only_one or any(x in item.items for x in named):
            return True
        return any(x in options for options in item.options for x in named)

    @property
    def waits_for(self) -> str:
        """What the example is waiting for, in words."""
        item = self.runner.pending
        if isinstance(item, Roll):
            return f"dice ({item.name})"
        if isinstance(item, Sealed):
            return "answers to " + ", ".join(dict.fromkeys(f"{q.name} ({q.side.id})" for q in item.open))
        if isinstance(item, EachQuestion):
            return f"an answer to {item.name} for {', '.join(say(x) for x in item.items)}"
        if isinstance(item, Question):
            return f"an answer to {item.name}"
        if isinstance(item, Window):
            sides, orders = ", ".join(s.id for s in item.waiting), ", ".join(item.orders)
            return f"orders of {sides} ({orders}; `{item.waiting[0].id} orders done` ends it)" if sides else "orders"
        return "nothing"


def _shares(said: Sequence[LaidOut], amount: int) -> list[LaidOut]:
    """The first of some answers that make up a whole split, each the share of one thing; none if they do not come to the amount."""
    found, total = [], 0
    for laid in said:
        found.append(laid)
        is_share = laid.of and laid.of.lower() not in REST and laid.text.isdecimal()
        total += int(laid.text) if is_share else amount  # what says `even`, or speaks of the others, ends it
        if total >= amount:
            return found
    return []
