"""Random complete games by seed: a scenario of some system, a set of modules, options and a policy; then played to the end.

`python -m tests.drawn_games --games 1000 --seed 7` plays a thousand over all systems and reports each game that a rule
failed or in which nobody could continue, with the `ophex sim` command that plays it again. The counts do not depend on the
number of workers. `--system` and `--scenario` restrict the choice. `test_drawn_games.py` plays a few such games.
"""

import argparse
import functools
import random
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from shlex import join
from typing import Any

import attrs

from campaigns.library.systems_by_name import scenario_of, scenarios
from campaigns.trials.sweep import simulate
from campaigns.trials.workers import Crew, cores
from dsl.syntax.declarations import Option
from interpreter.automated.policies import POLICIES

OPTIONS_CHANGED = 0.5
"""So often a game is played under options other than their defaults."""


@attrs.frozen(slots=True)
class Draw:
    """One game: what is played, by whom, under which options; the set of modules is drawn from the seed as well."""

    scenario: str
    seed: str
    policy: str
    options: tuple[tuple[str, str], ...] = ()
    turns: int | None = None

    @property
    def command(self) -> str:
        """What plays this game again."""
        words = ["ophex", "sim", self.scenario, "--games", "1", "--seed", self.seed, "--policy", self.policy]
        words += ["--module-sets", "1"]
        for name, word in self.options:
            words += ["--set", f"{name}={word}"]
        return join(words if self.turns is None else [*words, "--turns", str(self.turns)])


def drawn(seed: str, number: int, names: Sequence[str], turns: int | None = None) -> Draw:
    """Game number so-and-so of a sweep. Each system is as likely as any other, and in it each scenario."""
    chance = random.Random(f"{seed}/{number}/what")
    system = chance.choice(sorted({name.partition("/")[0] for name in names}))
    scenario = chance.choice([name for name in names if name.partition("/")[0] == system])
    chosen: tuple[tuple[str, str], ...] = ()
    if chance.random() < OPTIONS_CHANGED:
        chosen = tuple((o.name, chance.choice(o.terms)) for o in _options(scenario))
    return Draw(scenario, f"{seed}/{number}", chance.choice(sorted(POLICIES)), chosen, turns)


@functools.cache
def _options(scenario: str) -> tuple[Option, ...]:
    """The options of a scenario's system: a sweep asks for them game by game."""
    return tuple(x for x in scenario_of(scenario)[0].declarations if isinstance(x, Option))


def found_in(draw: Draw) -> dict[str, Any]:
    """What came of the game, as `simulate` tells it."""
    return simulate(
        draw.scenario,
        1,
        seed=draw.seed,
        policy=draw.policy,
        options=dict(draw.options),
        turns=draw.turns,
        module_sets=1,
    )


def troubles(draw: Draw, found: dict[str, Any]) -> Iterator[str]:
    """What went wrong in a game, and how to see it again; nothing of one that went well."""
    for one in found["errors"]:
        yield f"{draw.command}\n  {one['file']}:{one['line']}: {one['error']}\n  modules: {', '.join(one['modules'])}"
    for one in found["dead_ends"]:
        where = f"turn {one['turn']}, {one['phase']}"
        yield f"{draw.command}\n  dead end in {where}: {one['error']}\n  modules: {', '.join(one['modules'])}"


def all_scenarios(systems: Iterable[str] = (), only: Iterable[str] = ()) -> list[str]:
    """The scenarios of all bundled systems, or of these; or only those named."""
    chosen = set(systems)
    names = [s.name for s in scenarios()]
    return sorted(set(only) or {n for n in names if not chosen or n.partition("/")[0] in chosen})


def main(arguments: Sequence[str] | None = None) -> int:
    """Plays the games and prints what came of them. Returns 1 if anything went wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.drawn_games", description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=100, help="how many (default 100)")
    parser.add_argument("--seed", default="1", help="what all is drawn from (default 1)")
    parser.add_argument("--first", type=int, default=0, help="the number of the first game (default 0)")
    parser.add_argument("--system", action="append", default=[], help="only games of this system; may be repeated")
    parser.add_argument("--scenario", action="append", default=[], help="only games of this scenario; may be repeated")
    parser.add_argument("--turns", type=int, help="turns of each game (default: to its end)")
    parser.add_argument("--workers", type=int, default=cores(), help="processes (default: one for each core)")
    given = parser.parse_args(arguments)
    names = all_scenarios(given.system, given.scenario)
    draws = [drawn(given.seed, n, names, given.turns) for n in range(given.first, given.first + given.games)]
    started, counted, wrong, systems = time.monotonic(), Counter[str](), Counter[str](), Counter[str]()

    def told(answer: tuple[Draw, dict[str, Any]]) -> None:
        draw, found = answer
        counted.update(games=1, finished=found["finished"], decisions=found["decisions"], turns=found["turns"])
        systems[f"{draw.scenario.partition('/')[0]}, {draw.policy}"] += 1
        for kind in ("errors", "dead_ends"):
            wrong[kind] += len(found[kind])
        for line in troubles(draw, found):
            print(line, flush=True)
        if counted["games"] % 20 == 0:
            print(f"... {counted['games']} of {len(draws)}, {time.monotonic() - started:.0f} s", flush=True)

    with Crew(given.workers) as crew:
        crew.do(played, [(d,) for d in draws], told)
    print(
        f"{counted['games']} games, {counted['finished']} finished, {counted['turns']} turns, {counted['decisions']} "
        f"decisions: {wrong['errors']} errors, {wrong['dead_ends']} dead ends; {time.monotonic() - started:.0f} s."
    )
    print("; ".join(f"{name} {count}" for name, count in sorted(systems.items())))
    return 1 if wrong.total() else 0


def played(draw: Draw) -> tuple[Draw, dict[str, Any]]:
    """A game and what came of it."""
    return draw, found_in(draw)


if __name__ == "__main__":
    sys.exit(main())
