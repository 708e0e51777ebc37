"""The umpire's powers: overriding facts, changing options and modules in a running game, and closing at a deadline.

They are inputs like all others, so undo, replay and the log include them. Their contents:

    override   text: the changes, one a line; subject: the reason
    roster     text: the changes of a table, one a line (`interpreter/play/rosters.py`); subject: the reason
    option     text: `NAME=WORD`, or `with MODULE` and `without MODULE`, one a line; subject: the reason
    amend, rule   the rules themselves (`interpreter/messages/standing_rulings.py`, `interpreter/play/amending.py`)
    dice       text: where dice come from (`interpreter/play/throwing.py`); subject: the reason
    deadline   text: `done`, an order or an answer that is given for an absent side; subject: the side, and the question
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from dsl.rules.editions import CLOSED_BY, asks
from dsl.rules.ruleset import Ruleset
from dsl.rules.tabletops import is_result
from dsl.text.diagnostics import did_you_mean
from interpreter.codegen.python_names import py
from interpreter.codegen.reads import ALL
from interpreter.messages.asking import AGAIN, UNSETTLED, EachQuestion, Question, Roll, Sealed, Window
from interpreter.messages.happenings import DeadlinePassed, ModulesChanged, OptionChanged, OrdersClosed
from interpreter.messages.inputs import Event, Input, Refused, told
from interpreter.messages.json_data import JsonObject
from interpreter.messages.sides import side_called
from interpreter.messages.standing_rulings import AMEND, RULE
from interpreter.messages.state_data import read_snapshot
from interpreter.messages.view import ModuleView, OptionView
from interpreter.play.amending import RULED_BEFORE, Amendable, Amending, reason_of, umpire_alone
from interpreter.play.basis import Basis
from interpreter.play.contracts import Running, Throws
from interpreter.play.orders import Orders
from interpreter.play.override_reader import read_override
from interpreter.play.overrides import override
from interpreter.play.rosters import read_roster, roster
from interpreter.program.program import Program
from interpreter.runtime.hidden import is_hidden
from interpreter.runtime.refusals import Why
from interpreter.runtime.runtime import TROUBLE
from interpreter.world.ways import Ways
from interpreter.world.world import World

__all__ = [
    "RULINGS",
    "Umpire",
    "Umpired",
    "changes_modules",
    "modules_data",
    "modules_now",
    "options_now",
    "table_tells",
]

RULINGS = frozenset({"override", "option", "deadline", "roster", "dice", AMEND, RULE})
"""The kinds of inputs that only the umpire gives."""
MOST_CHANGES = 200
"""The most changes of an override."""
MOST_ROSTER = 5_000
"""The most changes of a roster."""
SWITCH = re.compile(r"(with|without)\s+(\S+)")


def changes_modules(given: Input) -> bool:
    """Whether an input turns modules on or off."""
    return given.kind == "option" and any(SWITCH.fullmatch(line.strip()) for line in given.text.split("\n"))


class Umpired(Amendable, Running, Throws, Protocol):
    """A game with an umpire."""

    @property
    def amending(self) -> Amending:
        """What changes its rules."""

    @property
    def orders(self) -> Orders:
        """What sides order in it."""

    def read(self, given: Input) -> object:
        """The meaning of an input for what the game is waiting for. Raises Refused."""


class Umpire:
    """Carries out the umpire's rulings."""

    def __init__(self, game: Umpired) -> None:
        self.game = game

    def rule(self, given: Input) -> object:
        """Carries out a ruling. Raises Refused with nothing changed.

        Returns:
            What the game continues with: AGAIN if a question is open, which is asked again; else UNSETTLED.
        """
        umpire_alone(given)
        if given.kind == "deadline":
            return self._close(given)
        if given.kind in {AMEND, RULE}:
            self.game.amending.rule(given)
            return UNSETTLED
        game, reason = self.game, reason_of(given)
        asked = isinstance(game.runner.pending, Question | EachQuestion | Sealed)
        if given.kind == "dice":
            found = game.throwing.rule(given.text, reason, order_is_open=game.aside.waits)
            return AGAIN if found is UNSETTLED and asked else found
        if given.kind == "option":
            changes = self._amended(_lines(given, "The change names no option.", "Write NAME=WORD."))
            self._restored_on_failure(lambda: self._amend(changes, reason))
        elif given.kind == "roster":
            table = _lines(given, "The roster changes nothing.", "Write `FIELD of NAME: VALUE`.", MOST_ROSTER)
            lines = read_roster(table)
            self._restored_on_failure(lambda: roster(game, lines, reason, game.basis.taken))
        else:
            texts = _lines(given, "The override changes nothing.", "Write what to change: `strength of tf-1 = 4`.")
            facts = read_override(game, texts)
            self._restored_on_failure(lambda: override(game, facts, reason, game.basis.taken))
        game.orders.look_again()
        return AGAIN if asked else UNSETTLED

    def _restored_on_failure(self, act: Callable[[], None]) -> None:
        """Does something that may fail half-way; in that case the game is restored."""
        try:
            act()
        except Exception:
            self.game.recover()
            raise

    # ---- options
    def _amended(self, texts: Sequence[str]) -> dict[str, str]:
        """The new values of options. Raises Refused."""
        world, changes = self.game.world, dict[str, str]()
        for text in texts:
            name, equals, word = (part.strip() for part in text.partition("="))
            known = self.game.program.ruleset.options
            if not equals:
                hint = f"Turn a module on with `with {name}`." if name in self.game.program.ruleset.modules else ""
                raise Why.NOT_UNDERSTOOD(
                    f"`{text}` does not set an option.", hint=hint or "Write NAME=WORD.", name=text
                )
            if name not in known:
                hint = did_you_mean(name, known) or "The options are: " + (", ".join(known) or "none") + "."
                raise Why.UNKNOWN_NAME(f"The system has no option {name}.", hint=hint, option=name)
            if word not in known[name].terms:
                raise Why.UNKNOWN_NAME(
                    f"The option {name} cannot be {word or 'nothing'}.",
                    hint=f"It can be: {', '.join(known[name].terms)}.",
                    option=name,
                    name=word,
                )
            if world.options[name] == word and name not in changes:
                raise Why.NO_CHANGE(
                    f"The option {name} is already {word}.",
                    hint=f"It can be: {', '.join(known[name].terms)}.",
                    option=name,
                    name=word,
                )
            changes[name] = word
        return changes

    def _amend(self, changes: Mapping[str, str], reason: str) -> None:
        """Gives options new values."""
        world = self.game.world
        for name, word in changes.items():
            cites = self.game.program.ruleset.options[name].cites
            world.journal.happened(OptionChanged(name, word, world.options[name], reason), cites=cites)
        world.rulings.amend(changes)
        world.rulings.count += 1
        world.touch(ALL)
        world.aside, world.ways = None, Ways(world, fine=True)

    # ---- modules
    def change_modules(self, given: Input) -> tuple[Event, ...]:
        """Turns modules on or off and restarts the turn under them. Raises Refused with nothing changed."""
        umpire_alone(given)
        reason = reason_of(given)
        switches = []
        for line in _lines(given, "The change names no module.", "Write `with MODULE` or `without MODULE`."):
            found = SWITCH.fullmatch(line)
            if found is None:
                raise Why.UNCLEAR(
                    "Options and modules cannot be changed in one input.", hint="Change the options separately."
                )
            switches.append((found[1], found[2]))
        game, basis = self.game, self.game.basis
        if game.world.over:
            raise Why.CLOSED("The game is over.", hint="Use `undo` to take back the last input.")
        if basis.remake is None or game.turn_start is None:
            raise Why.FIXED("The modules of this game cannot be changed.", hint="Start another game with `ophex new`.")
        if any(one.kind not in {*RULED_BEFORE, "dice"} for one in basis.inputs):
            turn = game.world.turn
            raise Why.NOT_NOW(
                f"Modules can change only at the beginning of a turn, and turn {turn} has already begun.",
                hint=f"Change them before any other input of turn {turn + 1}, or undo to the beginning of turn {turn}.",
            )
        was = basis.program.ruleset.active
        program = basis.remake(was, switches)
        on = program.ruleset.active
        if on == was:
            raise Why.NO_CHANGE(
                f"This changes no module. These are on: {', '.join(sorted(on)) or 'none'}.",
                hint="Use `ophex option` to list them.",
            )
        self._remodel(program)
        turned = tuple((name, name in on) for name in sorted(on ^ was))
        return (told(ModulesChanged(tuple(sorted(on)), reason, turned)), *game.world.journal.events)

    def _remodel(self, program: Program) -> None:
        """Replays the turn from its beginning under another program, with the umpire's rulings in it."""
        from interpreter.play.remodel import remodelled

        game, held = self.game, self.game.basis.kept()
        start = game.turn_start
        assert start is not None
        try:
            basis = game.basis
            basis.first = remodelled(read_snapshot(start), basis.program, program, basis.scenario, basis.settings)
            basis.settings = {"modules": sorted(basis.program.ruleset.active), **basis.settings}
            basis.program, basis.inputs = program, []
            game.begin()
            begun = game.world.journal.events
            for one in held.inputs:
                game.follow(one)
            game.basis.inputs, game.world.journal.events = list(held.inputs), begun
        except Exception as error:
            game.go_by(held)
            game.recover()
            if isinstance(error, Refused):
                raise
            message = getattr(error, "message", error)
            raise Why.RULES(
                f"The game cannot go on under these modules: {message}", hint="Nothing was changed."
            ) from error
        game.fresh = game.fresh and not game.basis.inputs

    # ---- the deadline
    def _close(self, given: Input) -> object:
        """Gives an order or answer for a side that missed the deadline, and records this."""
        name, _, question = given.subject.partition(" ")
        world, pending = self.game.world, self.game.runner.pending
        side = side_called(world, name)
        title = str(side.f_title or side.id)
        by = "The umpire" if asks(world.ruleset.edition, CLOSED_BY) else ""
        if question:
            if not isinstance(pending, Question | EachQuestion | Sealed):
                raise Why.NOT_NOW(
                    f"No question is open for {side.id}.",
                    hint="Use `ophex status` to see what the game is waiting for.",
                    side=side.id,
                )
            if table_tells(world, question):
                raise Why.NOT_YOURS(
                    f"Only your table knows this, so it is not chosen for you: {question} of {side.id}.",
                    hint="Use `ophex answer` once you know it.",
                    side=side.id,
                    question=question,
                )
            asked = pending.open if isinstance(pending, Sealed) else [pending]
            secret = any(q.name == question and q.secret for q in asked) or isinstance(pending, Sealed)
            to = side.id if secret else "all"
            world.journal.happened(DeadlinePassed(question, title, by=by), side=side, to=to)
            return self.game.read(Input("answer", side.id, given.text, question))
        if not isinstance(pending, Window) or side not in pending.waiting:
            who = (
                "the game is waiting for dice"
                if isinstance(pending, Roll)
                else f"the game is not waiting for {side.id}"
            )
            raise Why.NOT_NOW(
                f"There are no orders to close: {who}.", hint="Use `ophex status` to see what the game is waiting for."
            )
        if given.text.strip().lower() == "done":
            world.journal.happened(DeadlinePassed(title=title, by=by), side=side)
            closed = OrdersClosed(side in pending.given, title)
            world.journal.happened(closed, side=side, to=side.id)  # only the side itself may know whether it gave any
        else:
            passed = DeadlinePassed(title=title, then="standing instructions give an order", by=by)
            world.journal.happened(passed, side=side, to=side.id)
        return self.game.read(Input("do", side.id, given.text))


def options_now(world: World) -> tuple[OptionView, ...]:
    """The options of the rules, with their values in a game."""
    return tuple(
        OptionView(name, option.title, world.options[name], option.terms, name in world.rulings.amended)
        for name, option in world.ruleset.options.items()
    )


def modules_now(ruleset: Ruleset) -> tuple[ModuleView, ...]:
    """The modules of the rules, on or off."""
    return tuple(ModuleView(name, module.title, name in ruleset.active) for name, module in ruleset.modules.items())


def modules_data(basis: Basis) -> JsonObject:
    """The modules, if they are no longer those that the game began with."""
    on = basis.program.ruleset.active
    return {} if on == frozenset(basis.settings.get("modules", on)) else {"modules": sorted(on)}


def table_tells(world: World, question: str) -> bool:
    """Whether only the players' table knows the answer to a question: a result of a tabletop, or the rules have a value `table-tells-…` above 0.

    In a rehearsal that value may depend on something hidden: then it is not above 0.
    """
    if is_result(world.ruleset.tabletops.values(), question):
        return True
    routine = world.program.rules.routines.get(f"table-tells-{question}")
    if routine is None or routine.word != "value" or routine.params:
        return False
    try:
        return bool(world.functions[f"v_{py(routine.name)}"]() > 0)
    except TROUBLE as error:
        if not is_hidden(error):
            raise
        return False


def _lines(given: Input, empty: str, hint: str, most: int = MOST_CHANGES) -> list[str]:
    found = [line.strip() for line in given.text.split("\n") if line.strip()]
    if not found:
        raise Why.NOT_UNDERSTOOD(empty, hint=hint)
    if len(found) > most:
        raise Why.OUT_OF_BOUNDS(
            f"There are {len(found)} changes; the limit is {most:,}.",
            hint="Split them into several inputs.",
            number=len(found),
            most=most,
        )
    return found
