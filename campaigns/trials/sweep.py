"""Sweeps: many games played by policies, and counts of their results.

A sweep finds what no reader finds: rules that fail, states in which nobody can continue, phases and orders that never come.
Every game has its own seed, made of the sweep's seed and its number. So any number of workers gives the same counts,
and any single game can be played again.
"""

from __future__ import annotations

import random
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import attrs

from campaigns.file.errors import CampaignError
from campaigns.library.compiling import active_modules, chosen_options, playable
from campaigns.library.systems_by_name import scenario_of
from campaigns.play.auto_play import known_policy
from campaigns.play.starting import ASK_SOMEBODY, over_unasked
from campaigns.trials.workers import Crew, cores
from dsl import ir
from dsl.ir import S
from dsl.rules.variants import with_needs
from dsl.syntax import declarations as d
from dsl.text.diagnostics import RuleTextError, placed
from dsl.text.source import SourceFile
from interpreter.automated.policies import make_policy, step
from interpreter.automated.policy import NothingLegal, Policy
from interpreter.machine import Game, begin
from interpreter.messages.inputs import Input, Refused, RuleFailure
from interpreter.program.program import Program
from interpreter.runtime.references import without_references
from interpreter.runtime.refusals import Why

__all__ = ["PlayedGame", "play", "simulate"]

MOST_DECISIONS = 20_000
"""After how many inputs a game is considered endless."""
MOST_READY = 4
"""How many compiled programs are kept in one process."""
LAST_INPUTS = 10
"""How many inputs before an error are reported."""


@attrs.frozen(slots=True)
class Known:
    """What may occur in a game under its modules: the phases and the orders, as they are written."""

    phases: tuple[str, ...]
    orders: tuple[str, ...]


@attrs.define(slots=True)
class PlayedGame:
    """The result of one game. error, dead_end: as `simulate` reports them; known: what could have occurred in it."""

    game: int
    turns: int = 0
    decisions: int = 0
    over: str = ""
    winner: str = ""
    digest: str = ""
    error: dict[str, Any] | None = None
    dead_end: dict[str, Any] | None = None
    phases: set[str] = attrs.field(factory=set)
    orders: set[str] = attrs.field(factory=set)
    known: Known | None = None
    unasked: str = ""
    """The message if it was over before anybody was asked anything."""
    inputs: list[Input] = attrs.field(factory=list)


def simulate(
    scenario: str,
    games: int,
    seed: int | str = 0,
    policy: str = "random",
    workers: int | None = 1,
    progress: Callable[[int, int], None] | None = None,
    with_: Iterable[str] = (),
    without: Iterable[str] = (),
    turns: int | None = None,
    options: Mapping[str, str] | None = None,
    module_sets: int | None = None,
) -> dict[str, Any]:
    """Plays many games of a scenario and counts their results.

    Args:
        scenario: its name, as for a new campaign.
        games: how many.
        seed: the source of all dice and choices; game number n uses seed + n (for a text: "seed/n").
        policy: who plays: `random`, `greedy`, `mixed`, or of each side its own, `red=greedy,random`.
        workers: how many processes, None: one for each core; the counts do not depend on it.
        progress: called with how many games are done, and of how many.
        with_: modules to turn on.
        without: modules to turn off.
        turns: how many turns to play at most; None: to the end.
        options: options other than their defaults.
        module_sets: so many sets of modules, drawn from the seed, take the place of the scenario's own; `games` are
            played with each. with_ is part of each set, without of none.

    Returns:
        games, finished (those that came to their end), turns, decisions, errors (of each: game, seed, error, file,
        line, inputs), dead_ends (of each: game, seed, turn, phase, side, error, inputs), unused_phases (that never began),
        unused_orders (that nobody gave), victories (side or "nobody" → games), decisions_per_second, seconds. Of module sets also
        module_sets (of each: modules, games, finished, decisions, errors, dead_ends); errors and dead ends name their
        modules, and what is unused came up under no set.

    Raises:
        CampaignError: there is no such policy, module or option, or no number of games or workers, or every game is over
            before anybody is asked anything; where only some are, that is an error of theirs.
        NotFound: there is no such scenario.
        RuleTextError: its rules have errors, under the scenario's own modules. Errors under a drawn set alone are counted.
    """
    known_policy(policy, [side.name for side in scenario_of(scenario)[1].sides])
    workers = cores() if workers is None else workers
    if games < 0 or workers < 1:
        raise CampaignError(
            "A sweep needs a number of games and at least one worker.",
            "Ask for 100 games, for example.",
            Why.OUT_OF_BOUNDS,
        )
    task = _Task(scenario, seed, policy, tuple(with_), tuple(without), turns, tuple(sorted((options or {}).items())))
    started = time.perf_counter()
    tasks = [task]
    if module_sets is not None:
        tasks = [attrs.evolve(task, modules=chosen) for chosen in drawn_modules(task, module_sets)]
    task.ready()
    todo = [(task, number) for task in tasks for number in range(games)]
    played = _play_all(todo, workers, progress)
    if played and all(one.unasked for one in played):
        raise CampaignError(played[0].unasked, ASK_SOMEBODY)
    found = _counted(played, time.perf_counter() - started)
    if module_sets is not None:
        found["module_sets"] = [_of_set(one, played[n * games : (n + 1) * games]) for n, one in enumerate(tasks)]
    return found


DRAWS = 20
"""How many times the requested number of sets is drawn at most: after that there are hardly any others."""


def drawn_modules(task: _Task, number: int) -> list[tuple[str, ...]]:
    """Random sets of modules: complete with what each needs, and never two that exclude each other.

    Small and large sets are equally likely, and no set occurs twice: if there are fewer, all that were found. Raises
    CampaignError for an unknown module or option, or no number of sets.
    """
    if number < 1:
        raise CampaignError(
            "A sweep over modules needs a number of sets.", "Ask for 20 sets, for example.", Why.OUT_OF_BOUNDS
        )
    text, found, _ = scenario_of(task.scenario)
    active_modules(text, found, task.with_, task.without)
    chosen_options(text, dict(task.options))
    names = [n for n in text.modules if n not in task.without]
    out: dict[tuple[str, ...], None] = {}
    for at in range(number * DRAWS):
        chance = random.Random(f"{task.seed}/modules/{at}")
        chosen = with_needs(text.modules, task.with_)
        for name in chance.sample(names, chance.randint(0, len(names))):
            more = with_needs(text.modules, {*chosen, name})
            if not more & set(task.without) and not any(more & set(text.modules[m].excludes) for m in more):
                chosen = more
        out[tuple(n for n in text.modules if n in chosen)] = None
        if len(out) == number:
            break
    return list(out)


def _play_all(
    todo: list[tuple[_Task, int]], workers: int, progress: Callable[[int, int], None] | None
) -> list[PlayedGame]:
    """Plays the games of tasks by number, in order."""
    if workers == 1 or len(todo) < 2:
        played = []
        for task, number in todo:
            played.append(task.run(number))
            if progress is not None:
                progress(len(played), len(todo))
        return played
    finished = 0

    def one_more(_: PlayedGame) -> None:
        nonlocal finished
        finished += 1
        if progress is not None:
            progress(finished, len(todo))

    with Crew(min(workers, len(todo))) as crew:
        return crew.do(_Task.run, todo, one_more)


def _of_set(task: _Task, played: list[PlayedGame]) -> dict[str, Any]:
    for p in played:
        for trouble in (p.error, p.dead_end):
            if trouble is not None:
                trouble["modules"] = list(task.modules or ())
    return {
        "modules": list(task.modules or ()),
        "games": len(played),
        "finished": sum(bool(p.over) for p in played),
        "decisions": sum(p.decisions for p in played),
        "errors": sum(p.error is not None for p in played),
        "dead_ends": sum(p.dead_end is not None for p in played),
    }


@attrs.frozen(slots=True)
class _Task:
    """What every game of a sweep has in common; small enough to be sent to a worker."""

    scenario: str
    seed: int | str
    policy: str
    with_: tuple[str, ...]
    without: tuple[str, ...]
    turns: int | None
    options: tuple[tuple[str, str], ...]
    modules: tuple[str, ...] | None = None
    """The modules that replace the scenario's own, with_ and without; None: those."""

    def ready(self) -> tuple[Program, d.Scenario, dict[str, str]]:
        """The compiled program, the scenario and the options; read once in each process."""
        if self not in _READY:
            text, found, _ = scenario_of(self.scenario)
            options = chosen_options(text, dict(self.options))
            active = active_modules(text, found, self.with_, self.without) if self.modules is None else self.modules
            program = playable(text, found, frozenset(active))
            while len(_READY) >= MOST_READY:
                _READY.pop(next(iter(_READY)))
            _READY[self] = (program, found, options)
        return _READY[self]

    def run(self, number: int) -> PlayedGame:
        """Plays the game with a given number."""
        seed = self.seed + number if isinstance(self.seed, int) else f"{self.seed}/{number}"
        done = PlayedGame(number)
        try:
            program, scenario, options = self.ready()
        except RuleTextError as error:
            first = placed(error.diagnostics[0], error.files)
            done.error = _error(done, seed, RuleFailure(first.span.file, first.span.line, first.message), error.files)
            return done
        done.known = Known(tuple(program.phases()), _offered(program))
        try:
            game = begin(program, scenario, {"seed": seed, "options": options, "snapshots": False, "stories": False})
        except RuleFailure as error:
            done.error = _error(done, seed, error, program.files)
            return done
        done.unasked = over_unasked(scenario.name, game)
        if done.unasked:
            done.error = _error(done, seed, RuleFailure("", 0, done.unasked))
            return done
        play(game, make_policy(self.policy, seed), seed, turns=self.turns, into=done)
        done.inputs = []
        return done


_READY: dict[_Task, tuple[Program, d.Scenario, dict[str, str]]] = {}


def play(
    game: Game, policy: Policy, seed: int | str = 0, *, turns: int | None = None, into: PlayedGame | None = None
) -> PlayedGame:
    """Plays a game to its end, or a number of turns. Never raises for mistakes of the rules."""
    done = into if into is not None else PlayedGame(0)
    chance = random.Random(f"{seed}/first")
    last = game.turn + turns if turns is not None else None
    turns_seen: set[int] = set()
    while not game.over and (last is None or game.turn < last):
        turns_seen.add(game.turn)
        given: Input | None = None
        try:
            given = step(game, policy, chance)
            done.inputs.append(given)
            game.offer(given)
        except NothingLegal as error:
            done.dead_end = {
                "game": done.game, "seed": str(seed), "turn": game.turn, "phase": game.phase, "side": game.waiting[0].side, "error": str(error),
                "inputs": _shown(done.inputs),
            }  # fmt: skip
            break
        except (RuleFailure, Refused) as error:
            done.error = _error(done, seed, error, game.program.files)
            break
        except Exception as error:  # noqa: BLE001 (a sweep looks for failures of the machine)
            done.error = _error(done, seed, error, game.program.files)
            break
        done.decisions += 1
        if given.kind == "do":
            done.orders.add(given.text.split(None, 1)[0])
        if done.decisions >= MOST_DECISIONS:
            done.error = _error(done, seed, RuleFailure("", 0, f"The game is not over after {MOST_DECISIONS} inputs."))
            break
    done.phases |= game.world.entered
    done.turns, done.over = len(turns_seen), game.over
    done.winner = game.world.winner.id if game.world.winner is not None else ""
    done.digest = game.digest()
    return done


def _error(
    done: PlayedGame, seed: int | str, error: Exception, files: Mapping[str, SourceFile] | None = None
) -> dict[str, Any]:
    if isinstance(error, RuleFailure):
        text, file, line = error.message, error.file, error.line
        file = files[file].path if files and file in files else file
    else:  # a fault of the machine: its place helps to fix it
        last = traceback.extract_tb(error.__traceback__)[-1:]
        text, file, line = (
            f"{type(error).__name__}: {error}",
            *((last[0].filename, last[0].lineno or 0) if last else ("", 0)),
        )
    return {
        "game": done.game,
        "seed": str(seed),
        "error": text,
        "file": file,
        "line": line,
        "inputs": _shown(done.inputs),
    }


def _shown(inputs: list[Input]) -> list[str]:
    said = (f"{i.side}: {i.subject + ' ' if i.subject else ''}{i.text}" for i in deque(inputs, LAST_INPUTS))
    return [without_references(one) for one in said]


def _counted(played: list[PlayedGame], seconds: float) -> dict[str, Any]:
    """The results of all games together."""
    finished = [p for p in played if p.over]
    winners = [p.winner or "nobody" for p in finished]
    decisions = sum(p.decisions for p in played)
    phases, orders = _unused(played)
    return {
        "games": len(played),
        "finished": len(finished),
        "turns": sum(p.turns for p in played),
        "decisions": decisions,
        "errors": [p.error for p in played if p.error is not None],
        "dead_ends": [p.dead_end for p in played if p.dead_end is not None],
        "unused_phases": phases,
        "unused_orders": orders,
        "victories": {name: winners.count(name) for name in sorted(set(winners))},
        "decisions_per_second": decisions / seconds if seconds else 0.0,
        "seconds": seconds,
    }


def _unused(played: list[PlayedGame]) -> tuple[list[str], list[str]]:
    """The phases that no game reached, and the orders that none gave, among those in the rules of any game."""
    known = [p.known for p in played if p.known is not None]
    come_to, given = {x for p in played for x in p.phases}, {x for p in played for x in p.orders}
    phases = dict.fromkeys(x for k in known for x in k.phases if x not in come_to)
    return list(phases), list(dict.fromkeys(x for k in known for x in k.orders if x not in given))


def _offered(program: Program) -> tuple[str, ...]:
    """The orders that some window offers under the modules of the program, as they are written."""

    def found(body: tuple[S, ...]) -> Iterable[str]:
        for s in body:
            if isinstance(s, ir.May):
                yield from s.orders
            yield from found(s.body)

    windows = {name for routine in program.rules.routines.values() for name in found(routine.body)}
    return tuple(name for name in program.orders if name in windows)
