"""The umpire's powers: facts overridden, options and modules changed in a running game, and what a deadline closes.

They are inputs like all others, so that undo, replay and the log know them. What is said here:

    override   text: the changes, one a line; subject: the reason
    roster     text: the changes of a table, one a line (`interpreter/rosters.py`); subject: the reason
    option     text: `NAME=WORD`, or `with MODULE` and `without MODULE`, one a line; subject: the reason
    amend, rule   the rules themselves (`interpreter/standing_rulings.py`, `interpreter/amending.py`)
    dice       text: where dice come from (`interpreter/throwing.py`); subject: the reason
    deadline   text: `done`, an order or an answer that is given for an absent side; subject: the side, and the question
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from dsl.text.diagnostics import did_you_mean
from interpreter.amending import Amending, reason_of, umpire_alone
from interpreter.asking import AGAIN, UNSETTLED, EachQuestion, Question, Roll, Sealed, Window
from interpreter.codegen.expressions import py
from interpreter.codegen.reads import ALL
from interpreter.inputs import Event, Input, Refused
from interpreter.overrides import override, read_override
from interpreter.rosters import RosterKind, read_roster, roster, roster_kinds, roster_trouble
from interpreter.standing_rulings import AMEND, RULE
from interpreter.tabletops import is_result
from interpreter.view import ModuleView, OptionView
from interpreter.ways import Ways

if TYPE_CHECKING:
    from interpreter.program import Program

__all__ = ["RULINGS", "Umpire", "changes_modules"]

RULINGS = frozenset({"override", "option", "deadline", "roster", "dice", AMEND, RULE})
"""The kinds of inputs that only the umpire gives."""
MOST_CHANGES = 200
"""An override has at most so many changes."""
MOST_ROSTER = 5_000
"""A roster has at most so many."""
NOTHING_GIVEN = "it has given no orders here, and what stands is kept"
SWITCH = re.compile(r"(with|without)\s+(\S+)")

Remake = Callable[[frozenset[str], Sequence[tuple[str, str]]], "Program"]
"""The program under other modules: from those that are on, and (`with` or `without`, module). Raises Refused."""


def changes_modules(given: Input) -> bool:
    """Whether an input turns modules on or off."""
    return given.kind == "option" and any(SWITCH.fullmatch(line.strip()) for line in given.text.split("\n"))


class Umpire(Amending):
    """The part of the machine that does what the umpire rules."""

    remake: Remake | None = None
    _taken: int
    _offered: Any

    def _read(self, given: Input) -> Any:
        raise NotImplementedError

    def _rule_dice(self, text: str, reason: str) -> Any:
        raise NotImplementedError

    def _side(self, name: str) -> Any:
        raise NotImplementedError

    def _rule(self, given: Input) -> Any:
        """Does what the umpire rules. Raises Refused with nothing changed.

        Returns:
            With what the game goes on: AGAIN where a question is open, which is put anew; else UNSETTLED.
        """
        umpire_alone(given)
        if given.kind == "deadline":
            return self._close(given)
        if given.kind in {AMEND, RULE}:
            self._rule_on_rules(given)
            return UNSETTLED
        reason = reason_of(given)
        if given.kind == "dice":
            found = self._rule_dice(given.text, reason)
            return (
                AGAIN if found is UNSETTLED and isinstance(self._pending, Question | EachQuestion | Sealed) else found
            )
        if given.kind == "option":
            changes = self._amended(_lines(given, "It names no option.", "Write NAME=WORD."))
            self._restored_on_failure(lambda: self._amend(changes, reason))
        elif given.kind == "roster":
            table = _lines(given, "It changes nothing.", "Write `FIELD of NAME: VALUE`.", MOST_ROSTER)
            lines = read_roster(table)
            self._restored_on_failure(lambda: roster(self, lines, reason, self._taken))  # type: ignore[arg-type]
        else:
            texts = _lines(given, "It changes nothing.", "Write what is to be so: `strength of tf-1 = 4`.")
            facts = read_override(self, texts)  # type: ignore[arg-type]
            self._restored_on_failure(lambda: override(self, facts, reason, self._taken))  # type: ignore[arg-type]
        self._offered = None
        return AGAIN if isinstance(self._pending, Question | EachQuestion | Sealed) else UNSETTLED

    def _restored_on_failure(self, act: Callable[[], None]) -> None:
        """Does what may fail half-way; the game is as it was before if it does."""
        try:
            act()
        except Exception:
            self._recover()
            raise

    # ---- options
    def _amended(self, texts: Sequence[str]) -> dict[str, str]:
        """The words that options are to have. Raises Refused."""
        world, changes = self.world, dict[str, str]()
        for text in texts:
            name, equals, word = (part.strip() for part in text.partition("="))
            known = self.program.ruleset.options
            if not equals:
                hint = f"A module is turned on by `with {name}`." if name in self.program.ruleset.modules else ""
                raise Refused(f"`{text}` changes no option.", hint=hint or "Write NAME=WORD.")
            if name not in known:
                hint = did_you_mean(name, known) or "Its options are: " + (", ".join(known) or "none") + "."
                raise Refused(f"The system has no option {name}.", hint=hint)
            if word not in known[name].terms:
                raise Refused(
                    f"The option {name} cannot be {word or 'nothing'}.",
                    hint=f"It can be: {', '.join(known[name].terms)}.",
                )
            if world.options[name] == word and name not in changes:
                raise Refused(
                    f"The option {name} is {word} already.", hint=f"It can be: {', '.join(known[name].terms)}."
                )
            changes[name] = word
        return changes

    def _amend(self, changes: Mapping[str, str], reason: str) -> None:
        """Gives options other words."""
        world = self.world
        for name, word in changes.items():
            text = f"The umpire changes the option {name} to {word} (was {world.options[name]}): {reason}."
            cites = self.program.ruleset.options[name].cites
            world.journal.happened(
                "option", text, cites=cites, option=name, value=word, was=world.options[name], reason=reason
            )
        world.rulings.amend(changes)
        world.rulings.count += 1
        world.touch(ALL)
        world.aside, world.ways = None, Ways(world, fine=True)

    def options_now(self) -> tuple[OptionView, ...]:
        """The options of the rules, as they are."""
        world = self.world
        return tuple(
            OptionView(name, option.title, world.options[name], option.terms, name in world.rulings.amended)
            for name, option in self.program.ruleset.options.items()
        )

    def modules_now(self) -> tuple[ModuleView, ...]:
        """The modules of the rules, on or off."""
        ruleset = self.program.ruleset
        return tuple(ModuleView(name, module.title, name in ruleset.active) for name, module in ruleset.modules.items())

    # ---- rosters
    def roster_kinds(self) -> dict[str, RosterKind]:
        """The kinds whose things can stand in a roster, by name: everybody may know them."""
        return roster_kinds(self.world)

    def roster_trouble(self, texts: Sequence[str]) -> list[Refused | None]:
        """What speaks against each line of a roster that the umpire means to give."""
        return roster_trouble(self.world, texts)

    # ---- modules
    def change_modules(self, given: Input) -> tuple[Event, ...]:
        """Turns modules on or off: the turn begins anew under them. Raises Refused with nothing changed."""
        umpire_alone(given)
        reason = reason_of(given)
        switches = []
        for line in _lines(given, "It names no module.", "Write `with MODULE` or `without MODULE`."):
            found = SWITCH.fullmatch(line)
            if found is None:
                raise Refused(
                    "Options and modules are changed one after the other.", hint="Give the options by themselves."
                )
            switches.append((found[1], found[2]))
        if self.world.over:
            raise Refused("The game is over.", hint="`undo` takes it back.")
        if self.remake is None or not self.keeps_snapshots or self._turn_start is None:
            raise Refused("The modules of this game cannot be changed.", hint="Begin another with `ophex new`.")
        if any(one.kind not in {"override", "option", RULE} for one in self._inputs):
            raise Refused(
                f"Modules change only while a turn begins: turn {self.world.turn} is under way.",
                hint=f"Give it before anything else in turn {self.world.turn + 1}, or undo to the beginning of turn {self.world.turn}.",
            )
        was = self.program.ruleset.active
        program = self.remake(was, switches)
        on = program.ruleset.active
        if on == was:
            raise Refused(
                f"The modules are so already: {', '.join(sorted(on)) or 'none'}.", hint="`ophex option` lists them."
            )
        self._remodel(program)
        turned = [f"{name} is now {'on' if name in on else 'off'}" for name in sorted(on ^ was)]
        text = f"The umpire changes the modules of the rules; {', '.join(turned)}: {reason}."
        return (Event("option", text, data={"modules": sorted(on), "reason": reason}), *self.world.journal.events)

    def _remodel(self, program: Program) -> None:
        """The same turn from its beginning under another program, with what the umpire ruled in it."""
        from interpreter.remodel import remodelled

        held = self.program, self.settings, self._first, self._inputs, self._earlier
        start = self._turn_start
        assert start is not None
        try:
            self._first = remodelled(json.loads(start), self.program, program, self.scenario, self.settings)
            self.settings = {"modules": sorted(self.program.ruleset.active), **self.settings}
            self.program, self._inputs = program, []
            self._begin()
            begun = self.world.journal.events
            for one in held[3]:
                self.follow(one)
            self._inputs, self.world.journal.events = list(held[3]), begun
        except Exception as error:
            self.program, self.settings, self._first, self._inputs, self._earlier = held
            self._recover()
            if isinstance(error, Refused):
                raise
            message = getattr(error, "message", error)
            raise Refused(
                f"The game cannot go on under these modules: {message}", hint="Nothing was changed."
            ) from error
        self._fresh = self._fresh and not self._inputs

    def _remodelled(self) -> dict[str, Any]:
        """The modules, where they are no longer those that the game was begun with."""
        on = self.program.ruleset.active
        return {} if on == frozenset(self.settings.get("modules", on)) else {"modules": sorted(on)}

    # ---- the deadline
    def table_tells(self, question: str) -> bool:
        """Whether only the players' table knows the answer to a question: a result of a tabletop, or the rules have a value `table-tells-…` above 0."""
        if is_result(self.program.ruleset, question):
            return True
        routine = self.program.rules.routines.get(f"table-tells-{question}")
        if routine is None or routine.word != "value" or routine.params:
            return False
        return bool(self.world.functions[f"v_{py(routine.name)}"]() > 0)

    def _close(self, given: Input) -> Any:
        """Gives for an absent side what it has not given in time, and says so."""
        name, _, question = given.subject.partition(" ")
        side, pending = self._side(name), self._pending
        title = str(side.f_title or side.id)
        if question:
            if not isinstance(pending, Question | EachQuestion | Sealed):
                raise Refused(
                    f"No question is open for {side.id}.", hint="`ophex status` tells what the game waits for."
                )
            if self.table_tells(question):
                raise Refused(
                    f"What only your table knows is not made up: {question} of {side.id}.",
                    hint="`ophex answer` gives it when it is known.",
                )
            asked = pending.open if isinstance(pending, Sealed) else [pending]
            secret = any(q.name == question and q.secret for q in asked) or isinstance(pending, Sealed)
            to = side.id if secret else "all"
            self.world.journal.happened(
                "deadline", f"The deadline has passed: {title} has not chosen {question}.", side=side, to=to
            )
            return self._read(Input("answer", side.id, given.text, question))
        if not isinstance(pending, Window) or side not in pending.waiting:
            who = "dice are awaited" if isinstance(pending, Roll) else f"nothing is awaited from {side.id} here"
            raise Refused(f"There are no orders to close: {who}.", hint="`ophex status` tells what the game waits for.")
        if given.text.strip().lower() == "done":
            self.world.journal.happened("deadline", f"The deadline has passed for {title}.", side=side)
            what = "its orders are closed as they stand" if side in pending.given else NOTHING_GIVEN
            self.world.journal.happened(
                "deadline", f"{title}: {what}.", side=side, to=side.id
            )  # whether it has given any is its own affair
        else:
            text = f"The deadline has passed for {title}: standing instructions give an order."
            self.world.journal.happened("deadline", text, side=side, to=side.id)
        return self._read(Input("do", side.id, given.text))


def _lines(given: Input, empty: str, hint: str, most: int = MOST_CHANGES) -> list[str]:
    found = [line.strip() for line in given.text.split("\n") if line.strip()]
    if not found:
        raise Refused(empty, hint=hint)
    if len(found) > most:
        raise Refused(
            f"These are {len(found)} changes; the most at once is {most:,}.", hint="Give them in several parts."
        )
    return found
