"""A small game of one example: it stands still where its dice and answers run out."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

import attrs

from dsl.text.source import Span
from interpreter.answers import REST, Incomplete, called
from interpreter.asking import UNSETTLED, EachQuestion, Question, Roll, Sealed, Window
from interpreter.codegen.units import SITES
from interpreter.commands import Commands
from interpreter.dice import Throw
from interpreter.explain import Trail
from interpreter.host import Asks
from interpreter.inputs import Input, Refused
from interpreter.play import Game
from interpreter.program import Program, Traced
from interpreter.reactions import reactions_of
from interpreter.runtime import RuleTrouble, say
from interpreter.setup import EXAMPLE_MAP, add_side, build_maps, new_world
from interpreter.throwing import BadFace
from interpreter.ways import Ways


@attrs.frozen(slots=True)
class LaidOut:
    """An answer that an example lays out. of: the things it is for, as they are called; empty where it names none."""

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
    """A choice that was taken without asking, as a question that has no other answer. left: for what no answer has said so yet."""

    question: Question | EachQuestion
    left: list[Any]


class Session(Game):
    """A small game of one example: a board, two sides, dice and answers laid out beforehand."""

    def __init__(
        self, program: Program, options: dict[str, str], map_names: Sequence[str], sides: Sequence[str]
    ) -> None:
        self.program = program
        self.settings = {}
        self.keeps_snapshots = False
        self.world = new_world(program, options)
        maps = program.ruleset.maps
        usual = [EXAMPLE_MAP] if EXAMPLE_MAP in maps else list(maps) if len(maps) == 1 else []
        build_maps(self.world, [maps[name] for name in map_names or usual if name in maps])
        for name in sides:
            add_side(self.world, name, name.capitalize(), name)
        self.world.active = self.world.all_of("side")[0]
        self.pins: dict[str, Any] = {}
        self.trail = Trail()
        self.world.ways = Ways(self.world)
        self.traced: Traced = program.traced_functions(self.world, self.world.options, self.pins, self.trail)
        self.world.functions = self.traced
        self.world.sites = SITES.all
        self.world.heed = reactions_of(self.world)
        self.commands = Commands(self.world)
        self._covert = {}
        self.world.host = self.host = Asks(self.world, self, self)
        self.typed = True
        self._given = []
        self._pending = None
        self._run: Any = None
        self._beneath: list[tuple[Any, Any]] = []
        self.faces: list[Throw] = []
        self.answers: list[LaidOut] = []
        self.active_given = False
        self.rehearsing = False
        self.rehearsed: set[str] = set()
        self.taken: list[Taken] = []

    def side(self, name: str) -> Any:
        """The side of that name. Raises Refused."""
        return self._side(name)

    def open_order(self, side: str) -> None:
        """An example's orders are given one after the other: nobody waits in the dark meanwhile."""

    def drop(self) -> None:
        """Leaves what stands still for good."""
        self._beneath.clear()
        if self._pending is not None:
            self._pending = self._run = None

    def order(self, side: Any, command: str) -> None:
        """Gives a command in the window that is open. Raises Refused."""
        read = self._read_command(Input("do", side.id, command))
        self.host.passed = []
        self._go(read)

    def is_so(self, side: Any, command: str) -> bool:
        """Whether a command is a `done` of a side that is awaited no more, because it could order nothing more."""
        pending = self._pending
        awaited = isinstance(pending, Window) and side in pending.waiting
        return not awaited and self.spend(Input("do", side.id, command))

    def try_answer(self, side: Any, name: str, text: str) -> None:
        """Whether a side may answer so what it is asked, where the example stands; nothing is answered. Raises Refused."""
        pending = self._pending
        asked = pending.open if isinstance(pending, Sealed) else [pending]
        found = [q for q in asked if isinstance(q, Question | EachQuestion) and q.name == name and q.side is side]
        others = [q.side.id for q in asked if isinstance(q, Question | EachQuestion) and q.name == name]
        if not found and others:
            raise Refused(f"{side.id} is not asked for {name}, but {' and '.join(others)}.")
        if not found:
            found = [x.question for x in self.taken[::-1] if x.question.name == name and x.question.side is side]
        if not found:
            raise RuleTrouble(f"{side.id} is not asked for {name} here: it waits for {self.waits_for}.")
        self._meant(found[0], text)

    # ---- choices that were taken without asking
    def settled(self, side: Any, name: str, kind: str, answer: Any) -> None:
        """Keeps a choice that was taken without asking, as a question that has no other answer."""
        if kind != "split" and not self.rehearsing:
            several = isinstance(answer, list)
            only = answer if several else [] if kind == "number" else [answer]
            amount = len(answer) if several else 0
            self.taken.append(Taken(Question(side, name, kind, only, amount, None, "", False, 0), []))

    def settled_each(self, question: EachQuestion) -> None:
        """Keeps choices for several things that were taken without asking."""
        if not self.rehearsing:
            self.taken.append(Taken(question, list(question.items)))

    def answer(self, said: Sequence[LaidOut]) -> bool:
        """Lays out answers. False where they only say what was taken without asking just before: they are spent then."""
        pending = self._pending
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
        """Whether an answer says what was taken without asking, of something of which none has said so."""
        if taken.question.name != laid.name or not self._says(taken.question, laid.spoken):
            return False
        return not laid.of or laid.of.lower() in REST or any(laid.of.lower() in called(x) for x in taken.left)

    def _spend(self, taken: Taken, laid: LaidOut) -> None:
        """An answer has said what was taken; another one may say so of what is left."""
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
            self._meant(question, text)
            return True
        return False

    def was_taken(self, laid: LaidOut) -> bool:
        """Whether a choice was taken without asking, and so as an answer says."""
        return any(self._says_taken(taken, laid) for taken in self.taken)

    def start(self, run: Iterator[Any]) -> None:
        """Runs a routine as far as the dice and answers go."""
        self._run = run
        self._go(None, first=True)

    def _go(self, answer: Any, first: bool = False) -> None:
        self.world.rounds = 0
        try:
            self._pending = next(self._run) if first else self._run.send(answer)
        except StopIteration:
            self._back()
        self.feed()

    def interpose(self, run: Iterator[Any]) -> None:
        """Runs a routine while another stands still, which goes on when this one has ended."""
        self._beneath.append((self._run, self._pending))
        self.start(run)

    def _back(self) -> None:
        """The routine is over; the one that it came between, if any, stands where it stood."""
        self._run, self._pending = self._beneath.pop() if self._beneath else (None, None)

    def throw(self, face: int) -> None:
        """Gives the dice that are awaited, and goes on."""
        self.faces.append(face)
        self.feed()

    def reply(self, answer: Any) -> None:
        """Gives what is asked a whole answer, and goes on."""
        self._go(answer)

    def feed(self) -> None:
        """Gives what is laid out to what is awaited, until something else is needed."""
        while self._pending is not None:
            item = self._pending
            if isinstance(item, Roll) and self.faces:
                self._given = [self.faces.pop(0)]
                try:
                    answer: Any = self._face(item)
                except BadFace as error:
                    raise Refused(str(error), hint=f"The dice line gives it for `{item.name}`.") from None
            elif isinstance(item, Sealed):
                for number, question in enumerate(item.questions):
                    if number not in item.answers and (given := self._laid_out(question)) is not UNSETTLED:
                        item.answers[number] = given
                if item.open:
                    return
                answer = [item.answers[number] for number in range(len(item.questions))]
            elif isinstance(item, Question | EachQuestion):
                answer = self._laid_out(item)
                if answer is UNSETTLED:
                    return
            else:
                return
            self.world.rounds = 0
            try:
                self._pending = self._run.send(answer)
            except StopIteration:
                self._back()

    def _laid_out(self, item: Question | EachQuestion) -> Any:
        """The answer that the example gives to a question; UNSETTLED when it gives none, or not all of it."""
        said = [laid for laid in self.answers if laid.name == item.name]
        if not said:
            return UNSETTLED
        if self.rehearsing:
            self.rehearsed.add(item.name)
        if isinstance(item, Question):
            answer = self._one_answer(item, said[0].spoken)
            if not self.rehearsing or len(said) > 1:
                self.answers.remove(said[0])
            return answer
        theirs = [laid for laid in said if self._speaks_of(item, laid)]
        try:
            each = self._each_answer(item, ", ".join(laid.spoken for laid in theirs))
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
        if not named or len(item.items) == 1 or any(x in item.items for x in named):
            return True
        return any(x in options for options in item.options for x in named)

    @property
    def waits_for(self) -> str:
        """What the example stands still for, in words."""
        item = self._pending
        if isinstance(item, Roll):
            return f"dice ({item.name})"
        if isinstance(item, Sealed):
            return "answers to " + ", ".join(dict.fromkeys(f"{q.name} ({q.side.id})" for q in item.open))
        if isinstance(item, EachQuestion):
            return f"an answer to {item.name} of {', '.join(say(x) for x in item.items)}"
        if isinstance(item, Question):
            return f"an answer to {item.name}"
        if isinstance(item, Window):
            sides, orders = ", ".join(s.id for s in item.waiting), ", ".join(item.orders)
            return f"orders of {sides} ({orders}; `{item.waiting[0].id} orders done` ends it)" if sides else "orders"
        return "nothing"
