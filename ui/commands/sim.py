"""`ophex sim`: plays complete games with automated sides, to see whether a scenario holds together and who wins."""

import argparse
from typing import Any

from ui.cli import talking
from ui.cli.exits import ExitCode
from ui.commands.new import add_options, chosen

EXAMPLES = """\
ophex sim SYSTEM/NAME --games 100 --seed 1
ophex sim SYSTEM/NAME --with supply --set odds-rounding=nearest
ophex sim SYSTEM/NAME --games 2 --turns 2 --module-sets 20"""
KEYS = """\
games: number         number of games played
finished: number      how many of them came to an end
turns: number         number of turns played
decisions: number     number of commands and answers given
errors: [object]      rules that failed in play
  game, line: number
  seed, error, file
  inputs: [text]      the last inputs before the error
  modules?: [text]
dead_ends: [object]   situations without a legal input
  game, turn: number
  seed, phase, side, error
  inputs: [text]
  modules?: [text]
unused_phases: [text]    phases that never began
unused_orders: [text]    orders that nobody ever gave
victories: {number}   games won, by side
decisions_per_second, seconds: number    how fast it was, and how long it took
module_sets?: [object]    with --module-sets: the results of each set; errors and dead
                      ends name their modules, and unused means unused in every set
  modules: [text]
  games, finished, decisions, errors, dead_ends: number"""
ABOUT = """

It shows whether the games come to an end, which phases and orders are never used, and who wins.
The exit code is 1 if a rule fails or a game comes to a dead end."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    parser.add_argument(
        "scenario", metavar="SCENARIO", help="the scenario's name, as `ophex scenarios` shows it, or a path"
    )
    parser.add_argument(
        "--games", type=talking.at_least_one, default=10, metavar="N", help="number of games (default 10)"
    )
    parser.add_argument(
        "--seed",
        type=int,
        default=1,
        metavar="S",
        help="the seed of the first game (default 1); each further game adds 1",
    )
    parser.add_argument(
        "--policy",
        default="random",
        metavar="POLICY",
        help="how sides decide: random, greedy or mixed; `red=greedy,random` for red alone (default random)",
    )
    talking.add_workers(parser)
    talking.add_modules(parser, "; `all`: all modules")
    add_options(parser)
    parser.add_argument(
        "--turns",
        type=talking.at_least_one,
        default=None,
        metavar="N",
        help="number of turns in each game (default: play to the end)",
    )
    parser.add_argument(
        "--module-sets",
        type=talking.at_least_one,
        default=None,
        metavar="N",
        help="play the games with each of N sets of modules, drawn from the seed, and report on all together",
    )
    talking.add_talk(parser)
    talking.epilog(parser, EXAMPLES, KEYS)


def run(args: argparse.Namespace) -> int:
    """Play; exit code 1 when a rule failed or a game came to a dead end."""
    from campaigns.trials.sweep import simulate

    options = chosen(args.options)
    with talking.progress("Playing") as tell:
        found = simulate(
            args.scenario,
            args.games,
            args.seed,
            args.policy,
            args.workers,
            progress=tell,
            with_=tuple(args.with_),
            without=tuple(args.without),
            turns=args.turns,
            options=options,
            module_sets=args.module_sets,
        )
    if args.json:
        talking.print_json(found)
    else:
        for name, value in found.items():
            print(f"{name.replace('_', ' '):<22}{_shown(value)}")
    return ExitCode.WRONG if found.get("errors") or found.get("dead_ends") else ExitCode.DONE


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {number}" for name, number in value.items()) or "none"
    if isinstance(value, (list, tuple)) and any(isinstance(one, dict) for one in value):
        return "".join(f"\n  {_told(one)}" for one in value)
    if isinstance(value, (list, tuple)):
        return ", ".join(str(one) for one in value) or "none"
    return f"{value:.0f}" if isinstance(value, float) else str(value)


def _told(one: dict[str, Any]) -> str:
    """An error, a dead end or a set of modules, on one line: `game 3, seed 4, error …`."""
    parts = ((n, " ".join(map(str, v)) or "none") if n == "modules" else (n, v) for n, v in one.items())
    return ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in parts)
