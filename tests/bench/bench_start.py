"""How long `ophex --help` and `ophex --version` take, in empty interpreters: `python tests/bench/bench_start.py`."""

import statistics
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

ROUNDS = 40
OPHEX = str(Path(sysconfig.get_path("scripts")) / "ophex")


def seconds(command):
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


def main():
    commands = {
        "an empty interpreter": [sys.executable, "-c", "pass"],
        "ophex --help": [OPHEX, "--help"],
        "ophex --version": [OPHEX, "--version"],
    }
    times = {name: [] for name in commands}
    for _ in range(ROUNDS):  # in turns, so that a busy moment falls on all of them
        for name, command in commands.items():
            times[name].append(seconds(command))
    middle = {name: statistics.median(each) for name, each in times.items()}
    empty = middle["an empty interpreter"]
    for name, value in middle.items():
        print(f"{name:<22}{value * 1000:7.1f} ms{value / empty:7.2f} x")


if __name__ == "__main__":
    main()
