"""Sweeps: many games played by policies, counted; and turns of one campaign played for absent players.

A sweep finds what no reader finds: rules that fail, states in which nobody can go on, phases and orders that never come.
Every game has its own seed, made of the sweep's seed and its number, so that any number of workers gives the same counts
and any single game can be played again.
"""

from __future__ import annotations

import os
import random
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from typing import Any

import attrs

from campaigns.campaign import Campaign
from campaigns.errors import CampaignError
from campaigns.systems import active_modules, chosen_options, compiled, scenario_of
from dsl import declarations as d
from dsl.diagnostics import did_you_mean
from dsl.ir import S
from interpreter.inputs import Event, Input, Refused, RuleFailure
from interpreter.play import Game, begin
from interpreter.policy import POLICIES, NothingLegal, Policy, make_policy, step
from interpreter.program import Program

__all__ = ["MOST_DECISIONS", "Played", "auto_play", "play", "simulate"]

MOST_DECISIONS = 20_000
"""A game that is not over after so many inputs counts as one without end."""
LAST_INPUTS = 10
"""So many inputs before an error are told."""


@attrs.define(slots=True)
class Played:
    """What one game came to. trouble: an error or a dead end as `simulate` tells it."""

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
) -> dict[str, Any]:
    """Plays many games of a scenario and counts what came of them.

    Args:
        scenario: its name, as for a new campaign.
        games: how many.
        seed: what all dice and choices come from; game number n takes seed + n (of a text: "seed/n").
        policy: who plays all sides: `random` or `greedy`.
        workers: how many processes, None: one for each core; the counts do not depend on it.
        progress: told how many games are done, and of how many.
        with_: modules to turn on.
        without: modules to turn off.
        turns: how many turns to play at most; None: to the end.
        options: options other than their defaults.

    Returns:
        games, finished (those that came to their end), turns, decisions, errors (of each: game, seed, error, file,
        line, inputs), dead_ends (of each: game, seed, turn, phase, side, error, inputs), unused_phases,
        unused_orders, victories (side or "nobody" → games), decisions_per_second, seconds.

    Raises:
        CampaignError: there is no such policy, module or option, or no number of games or workers.
        NotFound: there is no such scenario.
        RuleTextError: its rules have errors.
    """
    if policy not in POLICIES:
        raise CampaignError(
            f"There is no policy {policy}.", did_you_mean(policy, POLICIES) or "There are: " + ", ".join(POLICIES) + "."
        )
    workers = os.cpu_count() or 1 if workers is None else workers
    if games < 0 or workers < 1:
        raise CampaignError("A sweep needs a number of games and at least one worker.", "For example 100 games.")
    task = _Task(scenario, seed, policy, tuple(with_), tuple(without), turns, tuple(sorted((options or {}).items())))
    started = time.perf_counter()
    program = task.ready()[0]
    played: list[Played] = []
    if workers == 1 or games < 2:
        for number in range(games):
            played.append(task.run(number))
            if progress is not None:
                progress(len(played), games)
    else:
        with ProcessPoolExecutor(min(workers, games), mp_context=get_context("spawn")) as pool:
            waiting = [pool.submit(task.run, number) for number in range(games)]
            try:
                for done in as_completed(waiting):
                    played.append(done.result())
                    if progress is not None:
                        progress(len(played), games)
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise
        played.sort(key=lambda p: p.game)
    return _counted(program, played, time.perf_counter() - started)


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

    def ready(self) -> tuple[Program, d.Scenario, dict[str, str]]:
        """The compiled program, the scenario and the options; read once in each process."""
        if self not in _READY:
            text, found, _ = scenario_of(self.scenario)
            options = chosen_options(text, dict(self.options))
            _READY[self] = (compiled(text, active_modules(text, found, self.with_, self.without)), found, options)
        return _READY[self]

    def run(self, number: int) -> Played:
        """Plays game number so-and-so."""
        program, scenario, options = self.ready()
        seed = self.seed + number if isinstance(self.seed, int) else f"{self.seed}/{number}"
        done = Played(number)
        try:
            game = begin(program, scenario, {"seed": seed, "options": options, "snapshots": False})
        except RuleFailure as error:
            done.error = _error(done, seed, error)
            return done
        play(game, make_policy(self.policy, seed), seed, turns=self.turns, into=done)
        done.inputs = []
        return done


_READY: dict[_Task, tuple[Program, d.Scenario, dict[str, str]]] = {}


def play(
    game: Game, policy: Policy, seed: int | str = 0, *, turns: int | None = None, into: Played | None = None
) -> Played:
    """Plays a game to its end, or so many turns of it. Never raises for what the rules do wrong."""
    done = into if into is not None else Played(0)
    chance = random.Random(f"{seed}/first")
    last = game.turn + turns if turns is not None else None
    turns_seen: set[int] = set()
    while not game.over and (last is None or game.turn < last):
        turns_seen.add(game.turn)
        awaited = game.awaiting[0]
        done.phases.update(p[0] for p in game.world.phases)
        given: Input | None = None
        try:
            given = step(game, policy, chance)
            done.inputs.append(given)
            game.offer(given)
        except NothingLegal as error:
            done.dead_end = {
                "game": done.game, "seed": str(seed), "turn": game.turn, "phase": game.phase, "side": awaited.side, "error": str(error),
                "inputs": _shown(done.inputs),
            }  # fmt: skip
            break
        except (RuleFailure, Refused) as error:
            done.error = _error(done, seed, error)
            break
        except Exception as error:  # noqa: BLE001 (a machine that breaks is what a sweep is to find)
            done.error = _error(done, seed, error)
            break
        done.decisions += 1
        if given.kind == "do":
            done.orders.add(given.text.split(None, 1)[0])
        if done.decisions >= MOST_DECISIONS:
            done.error = _error(done, seed, RuleFailure("", 0, f"The game is not over after {MOST_DECISIONS} inputs."))
            break
    done.turns, done.over = len(turns_seen), game.over
    done.winner = game.world.winner.id if game.world.winner is not None else ""
    done.digest = game.digest()
    return done


def _error(done: Played, seed: int | str, error: Exception) -> dict[str, Any]:
    text = error.message if isinstance(error, RuleFailure) else f"{type(error).__name__}: {error}"
    file, line = (error.file, error.line) if isinstance(error, RuleFailure) else ("", 0)
    return {
        "game": done.game,
        "seed": str(seed),
        "error": text,
        "file": file,
        "line": line,
        "inputs": _shown(done.inputs),
    }


def _shown(inputs: list[Input]) -> list[str]:
    return [f"{i.side}: {i.subject + ' ' if i.subject else ''}{i.text}" for i in deque(inputs, LAST_INPUTS)]


def _counted(program: Program, played: list[Played], seconds: float) -> dict[str, Any]:
    phases = list(dict.fromkeys(_phases(program)))
    finished = [p for p in played if p.over]
    victories: dict[str, int] = {}
    for p in finished:
        victories[p.winner or "nobody"] = victories.get(p.winner or "nobody", 0) + 1
    decisions = sum(p.decisions for p in played)
    return {
        "games": len(played),
        "finished": len(finished),
        "turns": sum(p.turns for p in played),
        "decisions": decisions,
        "errors": [p.error for p in played if p.error is not None],
        "dead_ends": [p.dead_end for p in played if p.dead_end is not None],
        "unused_phases": [x for x in phases if not any(x in p.phases for p in played)],
        "unused_orders": [x for x in program.orders if not any(x in p.orders for p in played)],
        "victories": dict(sorted(victories.items())),
        "decisions_per_second": decisions / seconds if seconds else 0.0,
        "seconds": seconds,
    }


def _phases(program: Program) -> Iterable[str]:
    """The phases of all sequences, in the order in which they are written."""

    def found(body: tuple[S, ...]) -> Iterable[str]:
        for s in body:
            if s.op == "phase":
                yield s["name"]
            yield from found(s.body)

    for routine in program.binder.routines.values():
        if routine.word == "sequence":
            yield from found(routine.body)


def auto_play(campaign: Campaign[Any], *, turns: int = 1, policy: str = "random", seed: int | str = 0) -> list[Event]:
    """Lets a policy play all sides of a campaign for some turns, or to its end; every input is recorded.

    Returns:
        What happened.

    Raises:
        CampaignError: there is no such policy, nothing legal can be done, or the turns have no end.
        RuleFailure: a rule failed; what was recorded before stays.
    """
    if policy not in POLICIES:
        raise CampaignError(
            f"There is no policy {policy}.", did_you_mean(policy, POLICIES) or "There are: " + ", ".join(POLICIES) + "."
        )
    player, chance = make_policy(policy, f"{seed}/{campaign.head}"), random.Random(f"{seed}/first")
    happened: list[Event] = []
    last = campaign.game.turn + turns
    for _ in range(MOST_DECISIONS):
        game = campaign.game
        if game.over or game.turn >= last:
            return happened
        try:
            given = step(game, player, chance)
        except NothingLegal as error:
            raise CampaignError(str(error), "`undo` takes inputs back.") from None
        happened += campaign.offer(given)
    raise CampaignError(f"{turns} turns are not over after {MOST_DECISIONS} inputs.", "`undo` takes inputs back.")
