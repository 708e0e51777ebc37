"""The part of the machine that continues under an amended rule text.

One rule text runs a complete turn. So an amendment takes effect when a turn begins: at once if only rulings have been given in
the turn, which then restarts; otherwise at the next turn. An amendment that applies from the start is the first input of a
line, and the game restarts under it. The record keeps the texts themselves.
"""

from __future__ import annotations

from typing import Any, Protocol

import attrs

from interpreter.messages.happenings import (
    AmendmentHolds,
    AmendmentWaits,
    OtherTextsAmended,
    RulesAmended,
    RulingStands,
)
from interpreter.messages.inputs import Event, Input, Refused, told
from interpreter.messages.json_data import JsonObject
from interpreter.messages.standing_rulings import (
    AMEND,
    RULE,
    StandingRuling,
    WordedRuling,
    Wording,
    amendment_of,
    read_ruling,
    read_wording,
)
from interpreter.messages.state_data import TurnSnapshot, read_snapshot
from interpreter.play.basis import Basis, Coming, Reworded
from interpreter.play.carrying_over import lost_options, obstacles
from interpreter.play.contracts import Resting
from interpreter.play.remodel import OTHER_WAYS, STANDS_IN_THE_WAY, carried_over
from interpreter.play.set_aside import SetAside
from interpreter.play.state import state_of
from interpreter.runtime.refusals import Why

__all__ = [
    "CHANGE_OVER",
    "RULED_BEFORE",
    "UMPIRE",
    "Amendable",
    "Amending",
    "reason_of",
    "rules_data",
    "take_up_rules",
    "umpire_alone",
]

CHANGE_OVER = "change over"
"""What the course of the game yields when a turn begins and an amended text is waiting."""
UMPIRE = "umpire"
MOST_REASON = 1000
"""The most characters of a reason."""
RULED_BEFORE = frozenset({"override", "option", "roster", RULE})
"""Inputs that may precede the restart of a turn: they are given again."""


class Amendable(Resting, Protocol):
    """A game whose rules can be amended. fresh: whether there has been no input since the turn began."""

    fresh: bool

    @property
    def aside(self) -> SetAside[Any]:
        """The secret orders that are set aside."""

    @property
    def turn_start(self) -> bytes | None:
        """The state at the start of this turn, if it is kept."""

    def go_by(self, basis: Basis) -> None:
        """Replaces its basis without playing anything."""

    def begin(self) -> None:
        """Restarts from its basis."""

    def follow(self, given: Input) -> None:
        """Takes an input again that was accepted before."""

    def recover(self) -> None:
        """Replays from the last start of a turn, after a step that failed half-way."""

    def state_now(self) -> bytes:
        """The current state, at the beginning of a turn."""

    def change_over(self) -> None:
        """Creates the world again from its basis, at the beginning of a turn, and continues in it."""


class Amending:
    """Changes the rules of a game."""

    def __init__(self, game: Amendable) -> None:
        self.game = game

    def _reworded(self, wording: Wording) -> Reworded:
        """The rules of an amended text. Raises Refused."""
        basis = self.game.basis
        if basis.reword is None:
            raise Why.FIXED("The rules of this game cannot be amended.", hint="Start another game with `ophex new`.")
        return basis.reword(wording, basis.rules, basis.program.ruleset.active)

    # ---- at once
    def amends_at_once(self, given: Input) -> bool:
        """Whether an input contains an amended text that takes effect before anything else happens."""
        wording = amendment_of(given.kind, given.text)
        if wording is None or wording.from_start:
            return wording is not None
        begins = {one.kind for one in self.game.basis.inputs} <= RULED_BEFORE and not self.game.world.over
        return begins and self.game.turn_start is not None

    def amend_at_once(self, given: Input) -> tuple[Event, ...]:
        """Restarts the turn, or the game, under an amended text. Raises Refused with nothing changed."""
        umpire_alone(given)
        words, wording, reason = self._amendment(given)
        game, basis = self.game, self.game.basis
        if wording.from_start and (basis.first is not None or basis.inputs or basis.rules is not None):
            raise Why.NOT_NOW(
                "An amendment from the start must be the first input of its line of play.",
                hint="Use `ophex amend --from-start`.",
            )
        new, held = self._reworded(wording), basis.kept()
        events: list[Event] = []
        try:
            inputs = list(basis.inputs)
            self._begin_under(new, wording)
            events += game.world.journal.events
            for one in inputs:
                game.follow(one)
            if words is not None:
                game.world.journal.events = []
                ruling = attrs.evolve(given, text=words.without_wording())
                game.follow(ruling)
                events += game.world.journal.events
                inputs.append(ruling)
            game.basis.inputs = inputs
        except Exception as error:
            game.go_by(held)
            game.recover()
            raise _refused(error) from error
        game.world.journal.events = [
            *self._told(new, reason, "from the start" if wording.from_start else "from now on"),
            *events,
        ]
        game.fresh = game.fresh and not game.basis.inputs
        return tuple(game.world.journal.events)

    def _begin_under(self, new: Reworded, wording: Wording) -> None:
        """Restarts the turn, or the game, under an amended text. May raise Refused half-way."""
        basis = self.game.basis
        if wording.from_start:
            wrong = list(lost_options(new.program.ruleset, basis.settings.get("options") or {}))
            if wrong:
                raise Why.RULES("\n  ".join([STANDS_IN_THE_WAY, *wrong]), hint=OTHER_WAYS)
            basis.begun_by = wording
        else:
            start = self.game.turn_start
            assert start is not None
            basis.first = self._carried(read_snapshot(start), new, wording)
        self._go_by(basis, new)
        basis.inputs = []
        self.game.begin()

    @staticmethod
    def _go_by(basis: Basis, new: Reworded) -> None:
        basis.program, basis.scenario, basis.remake = new.program, new.scenario, new.remake

    def _carried(self, start: TurnSnapshot, new: Reworded, wording: Wording) -> bytes:
        """The start of a turn under an amended text. Raises Refused."""
        basis = self.game.basis
        scenarios = basis.scenario, new.scenario
        rules = wording.digest, wording.edition
        return carried_over(start, basis.program, new.program, scenarios, basis.settings, rules)

    # ---- when the next turn begins
    def rule(self, given: Input) -> None:
        """Takes a ruling in words, or an amended text that waits for the next turn. Raises Refused with nothing changed."""
        if given.kind == RULE and amendment_of(given.kind, given.text) is None:
            self._stand(self._words(given))
            return
        words, wording, reason = self._amendment(given)
        new, world = self._reworded(wording), self.game.world
        scenarios = self.game.basis.scenario, new.scenario
        wrong = obstacles(world, state_of(world), new.program, scenarios, world.options)
        if wrong:
            raise Why.RULES("\n  ".join([STANDS_IN_THE_WAY, *wrong]), hint=OTHER_WAYS)
        self.game.basis.coming = Coming(wording, reason)
        world.journal.events += self._told(new, reason, f"from turn {world.turn + 1} on")
        if words is not None:
            self._stand(words)

    def _amendment(self, given: Input) -> tuple[WordedRuling | None, Wording, str]:
        """The content of an input with an amended text. Raises Refused."""
        if given.kind == RULE:
            words = self._words(given)
            assert words.wording is not None
            return words, words.wording, words.text.rstrip(".")
        return None, read_wording(given.text), reason_of(given)

    def change_over(self) -> bool:
        """Switches to the waiting text at the beginning of a turn; False if it must keep waiting."""
        game, basis, world = self.game, self.game.basis, self.game.world
        coming = basis.coming
        if coming is None or basis.reword is None or game.aside.held:
            return False
        try:
            new = self._reworded(coming.wording)
            first = self._carried(read_snapshot(game.state_now()), new, coming.wording)
        except Exception as error:  # noqa: BLE001 - whatever is wrong with the text, the turn continues under the one in effect
            why = " ".join(str(getattr(error, "message", error)).split())
            world.journal.events.append(told(AmendmentWaits(turn=world.turn, why=why), to="umpire"))
            return False
        basis.first = first
        self._go_by(basis, new)
        events, stories = world.journal.events, world.stories.open
        game.change_over()
        world = game.world
        world.journal.events, world.stories.open = events, stories
        world.journal.events.append(told(AmendmentHolds(coming.wording.digest, world.turn)))
        return True

    @staticmethod
    def _told(new: Reworded, reason: str, since: str) -> list[Event]:
        """The events of an amendment: for all, which rules change and why; for the umpire, also which lists and examples."""
        rules = tuple((x.how, x.title) for x in new.changed if x.is_rule)
        events = [told(RulesAmended(reason, since, rules, new.titles(rules_only=True)))]
        if any(not x.is_rule for x in new.changed):
            others = [x for x in new.changed if not x.is_rule]
            whole = attrs.evolve(new, changed=tuple(others)).titles(rules_only=False)
            events.append(told(OtherTextsAmended(whole), to="umpire"))
        return events

    # ---- rulings in words
    def _words(self, given: Input) -> WordedRuling:
        return read_ruling(
            given.text, given.subject, self.words_of_rules(), [s.id for s in self.game.world.all_of("side")]
        )

    def words_of_rules(self) -> frozenset[str]:
        """What a ruling can be about: names that the rules declare, and their citations."""
        ruleset, rules = self.game.basis.program.ruleset, self.game.basis.program.rules
        declared = {x.name for x in ruleset.declarations if x.name}
        cited = {c for x in ruleset.declarations for c in x.cites} | {
            c for r in rules.routines.values() for c in r.cites
        }
        return frozenset(declared | cited | ruleset.all_names())

    def _stand(self, said: WordedRuling) -> None:
        """Records a ruling in effect and its event."""
        world = self.game.world
        ruling = StandingRuling(
            len(world.rulings.standing) + 1, world.turn, said.text, said.question, said.about, said.to
        )
        world.rulings.standing.append(ruling)
        what = RulingStands(ruling.number, said.about, said.question, said.text)
        world.journal.events += [told(what, to=to) for to in said.to]


def rules_data(basis: Basis) -> JsonObject:
    """The amended text in effect, and the waiting one; empty if there are none."""
    out: JsonObject = {}
    if basis.coming is not None:
        out["coming"] = [basis.coming.wording.line, basis.coming.reason]
    if basis.rules is not None:
        out["rules"] = [basis.rules.digest, basis.rules.edition]
    return out


def take_up_rules(basis: Basis, data: Any) -> None:
    """Restores what `rules_data` wrote, or the rules that the game began with. The program already matches them."""
    basis.rules, basis.coming = basis.begun_by, None
    if data is not None:
        rules, coming = data.get("rules"), data.get("coming")
        basis.rules = Wording(str(rules[0]), int(rules[1])) if rules is not None else None
        if coming is not None and (wording := amendment_of(AMEND, str(coming[0]))) is not None:
            basis.coming = Coming(wording, str(coming[1]))


def reason_of(given: Input) -> str:
    """The umpire's reason. Raises Refused if none is given."""
    reason = " ".join(given.subject.split()).rstrip(".")
    if not any(c.isalnum() for c in reason):
        raise Why.NOT_UNDERSTOOD(
            "The umpire must give a reason.",
            hint='Give a reason: `--reason "…"`, or `because "…"` at the end of the line.',
        )
    if len(reason) > MOST_REASON:
        raise Why.OUT_OF_BOUNDS(
            f"The reason has {len(reason):,} characters; the limit is {MOST_REASON:,}.",
            hint="Shorten it.",
            number=len(reason),
            most=MOST_REASON,
        )
    return reason


def umpire_alone(given: Input) -> None:
    """Raises Refused if somebody else gives the input."""
    if given.side != UMPIRE:
        raise Why.NOT_YOURS(
            f"Only the umpire may do this, not {given.side}.",
            hint=f"Act as the umpire: `--as {UMPIRE}`.",
            side=given.side,
        )


def _refused(error: Exception) -> Refused:
    """The refusal when a game cannot continue under a text; some faults only appear when the text is tried."""
    if isinstance(error, Refused):
        return error
    message = getattr(error, "message", error)
    return Why.RULES(f"The game cannot go on under this text: {message}", hint="Nothing was changed.")
