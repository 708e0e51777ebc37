"""Whether a side can see what it may not know: its outputs in worlds that differ only in that, compared byte for byte.

Two copies of a campaign are made in memory and varied (`campaigns/leaks/secrets.py`). Everything that can be printed for the side
is then printed from both. This module does not know who prints it. Nothing is written to the file.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from time import monotonic
from types import TracebackType
from typing import Any, Self

import attrs

from campaigns.file.beside import Kept
from campaigns.file.history import Entry, events_to_json
from campaigns.leaks.guesses import Guesses
from campaigns.leaks.secrets import SECRETS, START
from campaigns.play.campaign import Campaign
from interpreter.machine import Game
from interpreter.messages.inputs import Event
from interpreter.outcomes.forks import can_fork, in_a_fork
from interpreter.queries.looking import KeptTellings

__all__ = ["ALL_SECRETS", "LETTER", "Copy", "Difference", "Found", "Look", "leaks"]

ALL_SECRETS = "all at once"
"""Every kind of secret varied together."""


@attrs.frozen
class Look:
    """One output for a side. kind: the command, or LETTER; words: its arguments, without the campaign and the side."""

    kind: str
    words: tuple[str, ...]


@attrs.frozen
class Difference:
    """A difference that a side could see: which side, which output, which secret, and what was printed in either world."""

    side: str
    secret: str
    look: Look
    one: str
    other: str


@attrs.define
class Found:
    """The tests and their results.

    secrets: how many things were varied, by kind of secret; outputs: how many outputs were compared, by kind of output;
    cut_short: whether the time was up before all of it was done.
    """

    secrets: Counter[str] = attrs.field(factory=Counter)
    outputs: Counter[str] = attrs.field(factory=Counter)
    worlds: int = 0
    differences: list[Difference] = attrs.field(factory=list)
    cut_short: bool = False


class Copy:
    """A campaign in memory, at the head of another, in which something differs. Nothing is recorded.

    Args:
        campaign: the campaign that is copied.
        vary: changes a game at its head, the same each time; returns the inputs that it needed for that.
        earlier: the games at earlier entries, which all copies share: they are only read.
    """

    read_only = False

    def __init__(
        self, campaign: Campaign[Any], vary: Callable[[Game], Any], earlier: dict[int, Game] | None = None
    ) -> None:
        self._campaign, self._vary = campaign, vary
        self._earlier = earlier if earlier is not None else {}
        self.path, self.documents, self.settings = campaign.path, campaign.documents, campaign.settings
        self.store = campaign.store  # only read: which entries are reported depends on the branches
        self._start: tuple[bytes | None, bytes | None] = None, None
        self._spare: Game | None = None
        game, given = self._varied()
        self.game = _only_looked_at(game)
        if self._begins_otherwise:
            self._earlier = {}
        self._more: list[Entry] = []
        for number, (one, events) in enumerate(given, campaign.head + 1):
            last = campaign.entry(campaign.head)
            self._more.append(
                Entry(number, number - 1, one, events_to_json(events), "", "", last.time or "2000-01-01T00:00:00+00:00")
            )
        self.head = campaign.head + len(self._more)

    def _varied(self) -> tuple[Game, list[Any]]:
        game: Game = self._campaign.state_at(self._campaign.head)
        before = game.turn_start
        given = self._vary(game)
        self._start = before, game.turn_start
        return game, given

    def printed_apart(self, say: Callable[[], str]) -> str:
        """What a command prints that tries something on a game: in a process of its own, with a game that is built once.

        The file is only read there while nothing is read here, so that the open connection may be shared.
        """
        if not can_fork():
            return say()
        if self._spare is None:
            self._spare = self._varied()[0]
        return in_a_fork(say)

    def forget(self) -> None:
        """Nothing more is printed from it."""
        self._spare = None

    def _to_try_on(self) -> Game:
        """A game at the head that may be changed: the spare one, if there is one."""
        game, self._spare = self._spare, None
        return self._varied()[0] if game is None else game

    @property
    def _begins_otherwise(self) -> bool:
        """Whether the turn begins differently from the campaign."""
        return self._start[0] != self._start[1]

    def state_at(self, number: int) -> Game:
        """A game in the state after an entry; at the head one of its own, with the difference."""
        if number < self._campaign.head or (number == self._campaign.head and self._more):
            if number not in self._earlier:
                game: Game = self._campaign.state_at(number)
                before, start = self._start
                if start is not None and self._begins_otherwise and game.turn_start == before:
                    game.begin_at(start)
                self._earlier[number] = _only_looked_at(game)
            return self._earlier[number]
        return self._to_try_on()

    def seen_at(self, number: int) -> Game:
        """A game in the state after an entry, which is only read."""
        return self.game if number == self.head else self.state_at(number)

    def log(self, limit: int | None = None) -> list[Entry]:
        """The entries, newest first."""
        entries = [*reversed(self._more), *self._campaign.log()]
        return entries if limit is None else entries[:limit]

    def entry(self, number: int) -> Entry:
        """One entry."""
        return next((one for one in self._more if one.number == number), None) or self._campaign.entry(number)

    def notes(self) -> dict[str, Any]:
        """What the desk has noted; it is the same in every world."""
        return self._campaign.notes()

    def letters(self) -> list[Kept]:
        """The letters that came; they are the same in every world."""
        return self._campaign.letters()

    def between(self, after: int, until: int) -> list[int]:
        """The numbers of the entries that follow one entry up to another."""
        more = [one.number for one in self._more if after < one.number <= until]
        return [*self._campaign.between(after, min(until, self._campaign.head)), *more]

    def take_back(self, side: str) -> list[Event]:
        """The events if a side took its last input back. Raises Refused."""
        given = self.game.taking_back(side)
        return list(self._to_try_on().offer(given))

    def give_again(self, side: str) -> list[Event]:
        """The events if a side gave again what it took back. Raises Refused."""
        given = self.game.given_again(side)
        return list(self._to_try_on().offer(given))

    def refresh(self) -> bool:
        """Nobody else is here."""
        return False

    def close(self) -> None:
        """Nothing is open."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return


def _only_looked_at(game: Game) -> Game:
    """A game that gets no more inputs: queries are always answered the same."""
    game.told = KeptTellings()
    return game


Printed = Callable[[Copy, str, Look], str]
"""Prints an output of a side from a copy: all of it, with the exit code."""


def leaks(
    campaign: Campaign[Any],
    sides: Iterable[str],
    printed: Printed,
    *,
    rounds: int = 1,
    guesses: int = 60,
    seed: int = 0,
    kinds: Sequence[str] | None = None,
    seconds: float | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Found:
    """Compares what can be printed for sides in worlds that differ only in what they may not know.

    Args:
        campaign: the campaign; its file is not touched.
        sides: whose outputs are compared.
        printed: prints them.
        rounds: how often each kind of secret is varied.
        guesses: how many values are tried, with fewer orders and names, besides the fixed outputs.
        seed: the seed of random choices.
        kinds: the kinds of secrets that are varied, each in a world of its own; None: each, and all at once.
        seconds: how long it may take; None: as long as it takes.
        progress: called with how far it has come, before each world is made and before each output, if given.
    """
    found, begun = Found(), monotonic()
    work = [(number, side) for number in range(rounds) for side in sides]
    kinds = (*SECRETS, ALL_SECRETS) if kinds is None else kinds
    steps = 2 * len(kinds) + 1  # of each side: the worlds that are made, those that are printed, and the plain one

    def tell(done: int, part: float) -> None:
        if seconds is not None and monotonic() - begun > seconds:
            raise _TimeIsUp
        if progress is not None:
            progress(round(100 * (done + part)), 100 * steps * len(work))

    def compare(at: int, number: int, side: str) -> None:
        done, earlier = at * steps, dict[int, Game]()
        plain = Copy(campaign, lambda _game: [], earlier)
        worlds = dict(_worlds(found, campaign, side, f"{seed}/{number}/{side}", kinds, earlier, partial(tell, done)))
        if not worlds:
            return
        games = [plain.game, *(copy.game for copy in worlds.values())]
        looked = list(looks(games, side, random.Random(f"{seed}/{number}/{side}"), guesses))
        known = list(_outputs(printed, plain, side, looked, partial(tell, done + len(kinds))))
        for place, (kind, copy) in enumerate(worlds.items(), done + len(kinds) + 1):
            otherwise = _outputs(printed, copy, side, looked, partial(tell, place))
            for look, text, other in zip(looked, known, otherwise, strict=True):
                found.outputs[look.kind] += 1
                if other != text:
                    found.differences.append(Difference(side, kind, look, text, other))

    try:
        for at, (number, side) in enumerate(work):
            compare(at, number, side)
    except _TimeIsUp:
        found.cut_short = True
    return found


class _TimeIsUp(Exception):
    """The time that was given is over."""


def _outputs(
    printed: Printed, copy: Copy, side: str, looked: Sequence[Look], tell: Callable[[float], None]
) -> Iterator[str]:
    """The outputs of a side in one world, which is then forgotten. tell: called with how much of them is there."""
    for number, look in enumerate(looked):
        tell(number / len(looked))
        yield _printed(printed, copy, side, look)
    copy.forget()


def _printed(printed: Printed, copy: Copy, side: str, look: Look) -> str:
    say = partial(printed, copy, side, look)
    return copy.printed_apart(say) if look.kind in TRYING else say()


def _worlds(
    found: Found,
    campaign: Campaign[Any],
    side: str,
    seed: str,
    kinds: Sequence[str],
    earlier: dict[int, Game],
    tell: Callable[[float], None],
) -> Iterator[tuple[str, Copy]]:
    """The worlds in which something differs, by the kind of secret; none if nothing of the kind can be varied."""
    for number, kind in enumerate(kinds):
        tell(number)
        varied = Counter[str]()
        vary = partial(_vary, side=side, kind=kind, seed=f"{seed}/{kind}", varied=varied, starts={})
        copy = Copy(campaign, vary, earlier)
        if varied.total():
            found.secrets += varied
            found.worlds += 1
            yield kind, copy


def _vary(
    game: Game, side: str, kind: str, seed: str, varied: Counter[str], starts: dict[str, bytes | None]
) -> list[Any]:
    """Varies a kind of secret, or all. starts: varied beginnings of the turn that were found before; finding one takes long."""
    given = []
    for name, vary in SECRETS.items():
        if kind not in {name, ALL_SECRETS}:
            continue
        if name in starts:
            if (start := starts[name]) is not None:
                game.begin_at(start)
            continue
        before = game.turn_start
        number, more = vary(game, side, random.Random(f"{seed}/{name}"))
        if name == START:
            starts[name] = game.turn_start if game.turn_start != before else None
        varied[name] += number
        given += more
    game.world.journal.events = []
    return given


# ---- the outputs
LETTER = "letter"
"""An output by mail: the words are the lines of a letter, and the output is its receipt."""
TRYING = frozenset({"do", "undo", "redo", "why-not", "odds", LETTER})
"""The kinds of outputs that try something on a game of their own."""
ALWAYS = (
    Look("status", ()), Look("status", ("--json",)), Look("map", ()), Look("map", ("--json",)), Look("map", ("--format", "svg")),
    Look("map", ("--format", "graphml")), Look("legal", ()), Look("legal", ("--json",)), Look("log", ("-n", "0")), Look("log", ("-n", "0", "--json")), Look("log", ("-n", "3")),
    Look("log", ("--follow", "-n", "0")), Look("log", ("--follow", "--after", "1", "--json")),
    Look("app", ()), Look("why-not", ("done",)), Look("do", ("--dry-run", "done")), Look("do", ("--dry-run", "--json", "done")),
    Look("undo", ()), Look("redo", ()),
    Look("roster", ()), Look("roster", ("--json",)), Look("roster", ("--out", "-")), Look("mail", ("--out", "-")),
    Look("rule", ()), Look("rule", ("--json",)), Look("report", ("--json",)), Look("report", ("--format", "html")), Look("report", ("--since", "LAST")),
    Look("desk", ()), Look("desk", ("--json",)), Look("remind", ()), Look("remind", ("--json",)),
    Look("export", ("--battle", "--json")), Look("export", ("--part", "briefing.html")), Look("export", ("--part", "result.html")), Look("export", ("--part", "result.toml")),
    Look("odds", ("--trials", "1")), Look("luck", ()), Look("luck", ("--json",)),
)  # fmt: skip
"""The outputs that are compared in every world."""
TABLES = ("losses", "strengths", "score", "forces", "battles", "supply", "luck")
"""The tables of a report; one of them is compared."""


def looks(games: Sequence[Game], side: str, chance: random.Random, guesses: int) -> Iterator[Look]:
    """What to print: what a player reads, and what a player types who guesses names and values of the scenario."""
    yield from ALWAYS
    for number in chance.sample(range(1, 40), 4):
        yield Look("why", (str(number),))
    yield Look("report", ("--format", "csv", "--table", chance.choice(TABLES)))
    guess = Guesses(games, side, chance)
    for _ in range(guesses):
        yield Look("why", (*chance.choice(((), (), ("--json",))), guess.value()))
    for _ in range(guesses // 2):
        yield Look("why-not", (*chance.choice(((), ("--json",))), guess.order()))
    for _ in range(guesses // 8):
        yield Look("why-not", (guess.answer(),))
    for _ in range(guesses // 6):
        yield Look("do", ("--dry-run", *chance.choice(((), ("--json",))), guess.order()))
    for _ in range(-(-guesses // 15)):
        yield Look("odds", ("--trials", "2", *chance.choice(((), ("--json",), ("--until-dice",))), guess.order()))
    for _ in range(guesses // 15):
        yield Look(LETTER, tuple(chance.choice((guess.order, guess.answer))() for _ in range(chance.randint(1, 4))))
    for _ in range(guesses // 12):
        yield Look("status", ("--of", chance.choice((guess.name(), guess.place()))))
        yield Look("legal", ("-k", guess.name()))
        yield Look("roster", (guess.name(),))
        yield Look("map", ("--around", chance.choice((guess.name(), guess.place()))))
    for _ in range(guesses // 24):
        yield Look("map", ("--format", chance.choice(("graphml", "svg", "text")), "--layer", f"guess={guess.layer()}"))
