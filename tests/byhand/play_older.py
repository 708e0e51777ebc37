"""The half of `try_older` that an older program runs: random sides play games into campaign files, as that program writes them.

    OLDER/.venv/bin/python tests/byhand/play_older.py FOLDER --first 0 --games 1000

It needs only an installed older program. Each game is drawn from its number: what is played, under which modules and
options, by which policy and how long; where inputs are undone, where the umpire gives a ruling, and where another line is then
begun. Games that follow each other share their rules, so that these are compiled once. A thousand take about ten minutes of one core.
"""

import argparse
import importlib
import random
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

SCENARIOS = {
    "bth/meeting": 5, "bth/duel": 4, "bth/texas-1": 5, "bth/three-days": 1, "bth/kafer-invasion": 1,
    "btr/first-sorties": 5, "btr/first-battle": 5, "btr/fulda-1986": 1, "btr/theatre": 1,
    "ww2/lipki": 4, "ww2/gorsk-week": 2, "ww2/gorsk-front": 1,
}  # fmt: skip
"""What is played, and how often beside the others."""
POLICIES = ("random", "random", "mixed")
TOGETHER = 10
"""So many games in a row share a scenario and a set of modules."""
SHORTEST, LONGEST = 5, 100
"""So many inputs: the lengths lie evenly on a scale of magnitudes, so most games are short."""
LATEST = 4.0
"""After so many seconds of the processor a game is left as it stands."""


def found(name: str, *homes: str) -> Any:
    """What a program calls so, wherever it keeps it."""
    for home in homes:
        try:
            return getattr(importlib.import_module(home), name)
        except (ImportError, AttributeError):
            continue
    raise SystemExit(f"This program has no {name} in any of {', '.join(homes)}.")


create_campaign = found("create_campaign", "campaigns.play.starting", "campaigns.systems")
scenario_of = found("scenario_of", "campaigns.library.systems_by_name", "campaigns.systems")
make_policy = found("make_policy", "interpreter.automated.policies", "interpreter.policy")
step = found("step", "interpreter.automated.policies", "interpreter.policy")
NothingLegal = found("NothingLegal", "interpreter.automated.policy", "interpreter.policy")
Input = found("Input", "interpreter.messages.inputs", "interpreter.inputs")
Refused = found("Refused", "interpreter.messages.inputs", "interpreter.inputs")
RuleFailure = found("RuleFailure", "interpreter.messages.inputs", "interpreter.inputs")


def modules_drawn(scenario: str, chance: random.Random) -> tuple[str, ...] | None:
    """A set of modules: whole with what each needs, and none that excludes another; None for the scenario's own, every third time."""
    if chance.random() < 1 / 3:
        return None
    modules = scenario_of(scenario)[0].modules
    chosen: set[str] = set()
    for name in chance.sample(sorted(modules), chance.randint(0, len(modules))):
        more, waiting = set(chosen), [name]
        while waiting:
            one = waiting.pop()
            more.add(one)
            waiting += [n for n in modules[one].needs if n not in more]
        if not any(more & set(modules[m].excludes) for m in more):
            chosen = more
    return tuple(sorted(chosen))


def options_drawn(scenario: str, chance: random.Random) -> dict[str, str]:
    """Some options that are set otherwise than the rules have them, in half of the games."""
    declared = [o for o in scenario_of(scenario)[0].declarations if type(o).__name__ == "Option"]
    many = min(len(declared), chance.choice((0, 0, 0, 1, 3, 9)))
    return {o.name: chance.choice([t for t in o.terms if t != o.default]) for o in chance.sample(declared, many)}


def ruling(game: Any, chance: random.Random) -> Any:
    """An umpire's override of some number of some thing; None where there is none."""
    things = [x for x in game.world.by_id.values() if x.alive]
    for x in chance.sample(things, min(len(things), 8)):
        kind = game.world.ruleset.kinds.get(x.kind)
        numbers = [f for f, info in kind.fields.items() if info.type.name == "number"] if kind is not None else []
        if numbers:
            return Input(
                "override", "umpire", f"{chance.choice(numbers)} of {x.id} = {chance.randint(0, 3)}", "by hand"
            )
    return None


def one(path: Path, number: int, longest: int, count: Counter[str]) -> str:
    """Plays game number so-and-so into a file, and says in a line what came of it."""
    started, shared = time.process_time(), random.Random(f"older/together/{number // TOGETHER}")
    [scenario] = shared.choices(list(SCENARIOS), list(SCENARIOS.values()))
    modules, chance = modules_drawn(scenario, shared), random.Random(f"older/{number}")
    policy, most = chance.choice(POLICIES), round(SHORTEST * (longest / SHORTEST) ** chance.random())
    switches: dict[str, Any] = {"options": options_drawn(scenario, chance)}
    if modules is not None:
        declared = scenario_of(scenario)[0].modules
        switches |= {"with_": modules, "without": [m for m in declared if m not in modules]}
    ended, counts = "left", {"input": 0, "undo": 0, "ruling": 0}
    with create_campaign(path, scenario, **switches, seed=number) as campaign:
        player = make_policy(policy, number)
        for _ in range(most):
            if campaign.game.over or time.process_time() > started + LATEST:
                ended = "over" if campaign.game.over else "late"
                break
            try:
                if chance.random() < 0.06 and campaign.head:
                    campaign.undo(chance.randint(1, min(4, campaign.head)))
                    counts["undo"] += 1
                elif chance.random() < 0.05 and (given := ruling(campaign.game, chance)) is not None:
                    campaign.offer(given)
                    counts["ruling"] += 1
                else:
                    campaign.offer(step(campaign.game, player, chance))
                    counts["input"] += 1
            except NothingLegal:
                ended = "stuck"
                break
            except RuleFailure:
                ended = "rule failed"
                break
            except Refused:
                continue
            except Exception as error:  # noqa: BLE001 (what an older program could not do is not what is tried)
                ended = f"{type(error).__name__}"
                break
    count.update({"games": 1, scenario: 1, f"games {ended}": 1, **{f"{name}s": n for name, n in counts.items()}})
    told = ", ".join(f"{name} {n}" for name, n in counts.items())
    rules = "its own" if modules is None else f"{len(modules)}"
    return f"{number} {scenario}, modules {rules}, options {len(switches['options'])}, {policy}: {told}: {ended}"


def main() -> int:
    """Plays the games that are not there yet."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path, help="where the campaign files go")
    parser.add_argument("--first", type=int, default=0, help="the number of the first game (default 0)")
    parser.add_argument("--games", type=int, default=100, help="how many (default 100)")
    parser.add_argument(
        "--every", type=int, default=1, help="only every so-and-so-manieth of them: for several processes"
    )
    parser.add_argument("--longest", type=int, default=LONGEST, help=f"so many inputs at most (default {LONGEST})")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    count = Counter[str]()
    for number in range(given.first, given.first + given.games, given.every):
        path = given.folder / f"{number:05}.ophex"
        if path.exists():
            continue
        beside = path.with_suffix(".begun")
        for old in given.folder.glob(f"{beside.name}*"):
            old.unlink()
        try:
            line = one(beside, number, given.longest, count)
        except Exception as error:  # noqa: BLE001 (as above: forces that its own checks refuse, for instance)
            count["not begun"] += 1
            print(f"{number} not begun: {type(error).__name__}: {str(error)[:120]}", flush=True)
            continue
        beside.rename(path)
        print(line, flush=True)
    print("Played now: " + ", ".join(f"{n} {name}" for name, n in sorted(count.items())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
