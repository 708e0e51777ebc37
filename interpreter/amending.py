"""The part of the machine that goes on under an amended text of the rules.

A turn is led from its beginning by one text. So an amendment takes hold when a turn begins: at once where it is given while
nothing but rulings has been given in the turn, which then begins anew; else it waits for the next turn. One that holds from the
start is the first input of a line, and the game is begun anew under it. The texts themselves the record keeps.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import attrs

from interpreter.carrying_over import lost_options, obstacles
from interpreter.inputs import Event, Input, Refused
from interpreter.remodel import OTHER_WAYS, STANDS_IN_THE_WAY, carried_over
from interpreter.standing_rulings import (
    AMEND,
    RULE,
    Standing,
    WordedRuling,
    Wording,
    amendment_of,
    read_ruling,
    read_wording,
)
from interpreter.state import state_of

if TYPE_CHECKING:
    from dsl.rules.amended import Changed
    from dsl.syntax.declarations import Scenario
    from interpreter.program import Program
    from interpreter.world import World

__all__ = ["CHANGE_OVER", "UMPIRE", "Amending", "Reword", "Reworded", "Turn", "reason_of", "umpire_alone"]

CHANGE_OVER = "change over"
"""What the course of the game yields where a turn begins and an amended text waits."""
UMPIRE = "umpire"
MOST_REASON = 1000
"""A reason has at most so many letters."""
RULED_BEFORE = frozenset({"override", "option", "roster", RULE})
"""What may have been given in a turn that begins anew: it is given again."""


class Turn(NamedTuple):
    """A turn as it can be told: the state at its start, the inputs since, and the rules by which it was led."""

    start: bytes | None
    inputs: list[Input]
    program: Program
    scenario: Any


@attrs.frozen(eq=False)
class Reworded:
    """The rules by an amended text. changed: what it says otherwise than the text before; remake: the same under other modules."""

    program: Program
    scenario: Scenario
    remake: Any
    changed: tuple[Changed, ...]

    def titles(self, *, rules_only: bool) -> str:
        """What changes, in a sentence. rules_only: of lists of forces, maps, scenarios and examples nothing is said."""
        found = [x for x in self.changed if x.is_rule or not rules_only]
        shown = [x.title if x.how == "changed" else f"{x.title} {x.how}" for x in found[:MOST_SHOWN]]
        more = f" and {len(found) - MOST_SHOWN} more" if len(found) > MOST_SHOWN else ""
        return f" ({', '.join(shown)}{more})" if shown else ""


MOST_SHOWN = 12

Reword = Callable[[Wording, "Wording | None", Iterable[str]], Reworded]
"""The rules by an amended text: which, the one that is in force (None: that of the beginning), the modules that are on. Raises Refused."""


@attrs.frozen
class Coming:
    """An amended text that waits for the next turn, and why it is amended."""

    wording: Wording
    reason: str


class Amending:
    """The part of the machine that changes its rules.

    reword: finds amended texts; None where there can be none. leads_on: whether it goes on where the rules change, too.
    rules: the text in force, where it is not that of the beginning.
    """

    world: World
    program: Program
    scenario: Any
    settings: dict[str, Any]
    keeps_snapshots: bool
    remake: Any
    reword: Reword | None = None
    leads_on: bool
    rules: Wording | None = None
    _coming: Coming | None = None
    _begun_by: Wording | None = None
    _first: bytes | None
    _earlier: Turn | None
    _inputs: list[Input]
    _aside: tuple[Any, ...]
    _turn_start: bytes | None
    _fresh: bool
    _run: Generator[Any, Any, None]
    _pending: Any
    _begin: Callable[[], None]
    _clear: Callable[[], None]
    _make_world: Callable[[], None]
    _recover: Callable[[], None]
    _snapshot: Callable[[], bytes]
    _life: Callable[[], Generator[Any, Any, None]]
    follow: Callable[[Input], None]

    # ---- what is in force
    def _rules_data(self) -> dict[str, Any]:
        """The amended text in force, and the one that waits; nothing where there is none."""
        out: dict[str, Any] = {}
        if self._coming is not None:
            out["coming"] = [self._coming.wording.line, self._coming.reason]
        if self.rules is not None:
            out["rules"] = [self.rules.digest, self.rules.edition]
        return out

    def _begin_rules(self, data: Any) -> None:
        """Takes up what `_rules_data` wrote; without it what the game was begun by. The program is that of it already."""
        self.rules, self._coming = self._begun_by, None
        if data is not None:
            rules, coming = data.get("rules"), data.get("coming")
            self.rules = Wording(str(rules[0]), int(rules[1])) if rules is not None else None
            if coming is not None and (wording := amendment_of(AMEND, str(coming[0]))) is not None:
                self._coming = Coming(wording, str(coming[1]))

    def _reworded(self, wording: Wording) -> Reworded:
        """The rules by an amended text. Raises Refused."""
        if self.reword is None:
            raise Refused("The rules of this game cannot be amended.", hint="Begin another with `ophex new`.")
        return self.reword(wording, self.rules, self.program.ruleset.active)

    # ---- at once
    def amends_at_once(self, given: Input) -> bool:
        """Whether an input brings an amended text that takes hold before anything else happens."""
        wording = amendment_of(given.kind, given.text)
        if wording is None or wording.from_start:
            return wording is not None
        begins = {one.kind for one in self._inputs} <= RULED_BEFORE and not self.world.over
        return begins and self.keeps_snapshots and self._turn_start is not None

    def amend_at_once(self, given: Input) -> tuple[Event, ...]:
        """The turn, or the game, begins anew under an amended text. Raises Refused with nothing changed."""
        umpire_alone(given)
        words, wording, reason = self._amendment(given)
        if wording.from_start and (self._first is not None or self._inputs or self.rules is not None):
            raise Refused(
                "From the start an amendment is the first input of its line.",
                hint="`ophex amend --from-start` gives it so.",
            )
        new, held = self._reworded(wording), self._held()
        events: list[Event] = []
        try:
            if wording.from_start:
                wrong = list(lost_options(new.program.ruleset, self.settings.get("options") or {}))
                if wrong:
                    raise Refused("\n  ".join([STANDS_IN_THE_WAY, *wrong]), hint=OTHER_WAYS)
                self._begun_by = wording
            else:
                start = self._turn_start
                assert start is not None
                self._first = self._carried(json.loads(start), new, wording)
            self._go_by(new)
            self._inputs = []
            self._begin()
            events += self.world.journal.events
            for one in held["_inputs"]:
                self.follow(one)
            if words is not None:
                self.world.journal.events = []
                ruling = attrs.evolve(given, text=words.without_wording())
                self.follow(ruling)
                events += self.world.journal.events
                held["_inputs"] = [*held["_inputs"], ruling]
            self._inputs = list(held["_inputs"])
        except Exception as error:
            self._put_back(held)
            self._recover()
            raise _refused(error) from error
        self.world.journal.events = [
            *self._told(new, reason, "from the start" if wording.from_start else "from now on"),
            *events,
        ]
        self._fresh = self._fresh and not self._inputs
        return tuple(self.world.journal.events)

    def _held(self) -> dict[str, Any]:
        names = (
            "program",
            "scenario",
            "settings",
            "remake",
            "rules",
            "_begun_by",
            "_coming",
            "_first",
            "_earlier",
            "_inputs",
        )
        return {name: getattr(self, name) for name in names}

    def _put_back(self, held: dict[str, Any]) -> None:
        for name, value in held.items():
            setattr(self, name, value)

    def _go_by(self, new: Reworded) -> None:
        self.program, self.scenario, self.remake = new.program, new.scenario, new.remake

    def _carried(self, start: dict[str, Any], new: Reworded, wording: Wording) -> bytes:
        """The start of a turn under an amended text. Raises Refused."""
        data = {name: value for name, value in start.items() if name != "coming"}
        scenarios = self.scenario, new.scenario
        rules = wording.digest, wording.edition
        return carried_over(data, self.program, new.program, scenarios, self.settings, rules)

    # ---- when the next turn begins
    def _rule_on_rules(self, given: Input) -> None:
        """A ruling in words, and an amended text that waits for the next turn. Raises Refused with nothing changed."""
        if given.kind == RULE and amendment_of(given.kind, given.text) is None:
            self._stand(self._words(given))
            return
        words, wording, reason = self._amendment(given)
        new = self._reworded(wording)
        scenarios = self.scenario, new.scenario
        wrong = obstacles(self.world, state_of(self.world), new.program, scenarios, self.world.options)
        if wrong:
            raise Refused("\n  ".join([STANDS_IN_THE_WAY, *wrong]), hint=OTHER_WAYS)
        self._coming = Coming(wording, reason)
        self.world.journal.events += self._told(new, reason, f"from turn {self.world.turn + 1} on")
        if words is not None:
            self._stand(words)

    def _amendment(self, given: Input) -> tuple[WordedRuling | None, Wording, str]:
        """What an input says that brings an amended text. Raises Refused."""
        if given.kind == RULE:
            words = self._words(given)
            assert words.wording is not None
            return words, words.wording, words.text.rstrip(".")
        return None, read_wording(given.text), reason_of(given)

    def _change_over(self) -> bool:
        """Goes on under the text that waits, where a turn begins; False where it must wait on."""
        coming, world = self._coming, self.world
        if coming is None or self.reword is None or self._aside:
            return False
        try:
            new = self._reworded(coming.wording)
            first = self._carried(json.loads(self._snapshot()), new, coming.wording)
        except Exception as error:  # noqa: BLE001 - whatever is wrong with the text, the turn goes on under the one in force
            why = " ".join(str(getattr(error, "message", error)).split())
            text = f"The amended rules cannot take hold in turn {world.turn} and wait for the next: {why}"
            world.journal.events.append(Event("amend", text, "", "umpire", (), {"waits": True}))
            return False
        self._first = first
        self._go_by(new)
        events, stories = world.journal.events, world.stories.open
        self._make_world()
        self.world.journal.events, self.world.stories.open = events, stories
        self.world.journal.events.append(
            Event(
                "amend",
                f"From turn {self.world.turn} on the amended rules hold.",
                data={"rules": coming.wording.digest},
            )
        )
        self._clear()
        return True

    def _told(self, new: Reworded, reason: str, since: str) -> list[Event]:
        """What is told of an amendment: to all which rules change and why, to the umpire which lists and examples besides."""
        text = f"The umpire amends the rules {since}{new.titles(rules_only=True)}: {reason}."
        open_ = [[x.how, x.title] for x in new.changed if x.is_rule]
        told = [Event("amend", text, data={"reason": reason, "since": since, "changed": open_})]
        if any(not x.is_rule for x in new.changed):
            others = [x for x in new.changed if not x.is_rule]
            whole = attrs.evolve(new, changed=tuple(others)).titles(rules_only=False)
            told.append(Event("amend", f"Beside the rules other texts change{whole}.", "", "umpire"))
        return told

    # ---- rulings in words
    def _words(self, given: Input) -> WordedRuling:
        return read_ruling(given.text, given.subject, self.words_of_rules(), [s.id for s in self.world.all_of("side")])

    def words_of_rules(self) -> frozenset[str]:
        """What a ruling can be about: names that the rules declare, and their citations."""
        ruleset, rules = self.program.ruleset, self.program.rules
        declared = {x.name for x in ruleset.declarations if x.name}
        cited = {c for x in ruleset.declarations for c in x.cites} | {
            c for r in rules.routines.values() for c in r.cites
        }
        return frozenset(declared | cited | ruleset.all_names())

    def _stand(self, said: WordedRuling) -> None:
        """Notes a ruling that stands, and tells it."""
        world = self.world
        ruling = Standing(len(world.rulings.standing) + 1, world.turn, said.text, said.question, said.about, said.to)
        world.rulings.standing.append(ruling)
        settles = f" It settles: {_sentence(said.question)}" if said.question else ""
        text = f"Ruling {ruling.number}: {_sentence(said.text)}{settles}"
        data = {"number": ruling.number, "about": list(said.about), "question": said.question}
        world.journal.events += [Event(RULE, text, "", to, (), data) for to in said.to]

    def standing_for(self, side: str) -> Sequence[Standing]:
        """The rulings that stand, as far as a side is told of them."""
        return self.world.rulings.standing_for(side)


def _sentence(text: str) -> str:
    return text if text.endswith((".", "?", "!")) else f"{text}."


def reason_of(given: Input) -> str:
    """Why the umpire rules so. Raises Refused where none is given."""
    reason = " ".join(given.subject.split()).rstrip(".")
    if not any(c.isalnum() for c in reason):
        raise Refused(
            "The umpire says why.", hint='Give a reason: `--reason "…"`, or `because "…"` at the end of the line.'
        )
    if len(reason) > MOST_REASON:
        raise Refused(f"The reason has {len(reason):,} letters; the most is {MOST_REASON:,}.", hint="Say it shorter.")
    return reason


def umpire_alone(given: Input) -> None:
    """Raises Refused where somebody else gives it."""
    if given.side != UMPIRE:
        raise Refused(
            f"Only the umpire may do this, not {given.side}.", hint=f"Give it as the umpire: `--as {UMPIRE}`."
        )


def _refused(error: Exception) -> Refused:
    """What is said where a game cannot go on under a text; a text may be bad in ways that only show when it is tried."""
    if isinstance(error, Refused):
        return error
    message = getattr(error, "message", error)
    return Refused(f"The game cannot go on under this text: {message}", hint="Nothing was changed.")
