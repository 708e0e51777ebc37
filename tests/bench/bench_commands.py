"""CPU seconds of complete commands as people give them: `status`, `check`, a random week. The minimum of several alternating runs.

    python tests/bench/bench_commands.py [--against OTHER/bin/ophex] [--rounds 5]

With --against, the same commands of another environment (an older commit, say) alternate with this one's. Each environment has
systems, campaigns and a cache of its own, and the ratio of the two is printed.
"""

import argparse
import os
import resource
import subprocess
import sysconfig
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = str(Path(sysconfig.get_path("scripts")) / "ophex")
SCENARIOS = ("bth/texas-1", "ww2/gorsk-week", "btr/theatre")
SYSTEMS = ("bth", "ww2", "btr")
WEEK = "a random week of ww2"
MORE = "two more weeks in the same command"
"""What three weeks cost more than the first alone: the games without starting up."""


def weeks(number):
    """The command for so many random weeks of ww2, with seeds from 1 on."""
    return ["sim", "ww2/gorsk-week", "--games", str(number), "--policy", "random", "--workers", "1"]


def cpu_of(command, room):
    """User and system seconds of a command and its children."""
    surroundings = {**os.environ, "XDG_CACHE_HOME": str(room)}
    surroundings.pop("PYTHONDONTWRITEBYTECODE", None)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, check=False, env=surroundings, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def commands_of(ophex, room):
    """The commands that are timed, by name, with campaigns of this program's own."""
    found = {}
    for scenario in SCENARIOS:
        file = room / f"{scenario.replace('/', '-')}.ophex"
        cpu_of([ophex, "new", str(file), "--scenario", scenario, "--seed", "7"], room)
        found[f"status of {scenario}"] = [ophex, "status", str(file)]
    found |= {f"check of {name}, unchanged": [ophex, "check", name] for name in SYSTEMS}
    return {**found, WEEK: [ophex, *weeks(1)], MORE: [ophex, *weeks(3)]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--against", metavar="OPHEX", help="the `ophex` of another environment")
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    with TemporaryDirectory() as folder:
        ways = {}
        for number, ophex in enumerate(filter(None, (HERE, args.against))):
            room = Path(folder) / str(number)
            room.mkdir(mode=0o700)
            ways[ophex] = (commands_of(ophex, room), room)
        print(f"{'command':<36}{'here':>8}" + (f"{'there':>8}{'ratio':>8}" if args.against else ""))
        least = {}
        for name in ways[HERE][0]:
            one_week, least = least, dict.fromkeys(ways, float("inf"))
            for number in range(args.rounds + 1):
                for ophex, (commands, room) in ways.items():
                    taken = cpu_of(commands[name], room)
                    if number:  # the first one fills the caches
                        least[ophex] = min(least[ophex], taken)
            if name == MORE:
                least = {ophex: taken - one_week[ophex] for ophex, taken in least.items()}
            more = f"{least[args.against]:>8.2f}{least[HERE] / least[args.against]:>8.2f}" if args.against else ""
            print(f"{name:<36}{least[HERE]:>8.2f}{more}")


if __name__ == "__main__":
    main()
