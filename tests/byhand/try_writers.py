"""Fifty people give an order at once, each by a command line of their own that is given again where it was turned away.

    python -m tests.byhand.try_writers --writers 50

All processes begin together on one campaign file. Each is `ophex do` with an order to another unit, half of them blue's and half
red's, so that all are legal in any order. It prints how long the run took, how much CPU time each process needed and how often it was
offered. It exits with 1 if an order was lost, taken twice, or offered more than three times on average, or if the run took a
minute or more. The figures are meaningful only on an idle machine: the load is printed beside them.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from campaigns.play.starting import create_campaign, open_campaign

RULES = """\
system fifty "Fifty" version 1.0, on btr
scenario crowd "A crowd" on fulda-gap and fulda-ophexes:
  about "Many units on either side that all await an order."
  side blue "NATO" blue
  side red "Warsaw Pact" red
  without supply, helicopters, special-operations
  begins 1986-08-02, 3 days a turn
{}
  going-forward is red
  prize of 0707 is yes
  end game won by blue when turn > 2 because "it is over"
"""
SIDES = {
    "blue": ("us-3ad-1", ("0507", "0606", "0607", "0707"), "HD"),
    "red": ("sov-39gmrd", ("0808", "0907", "0908", "1008"), "DA"),
}
MOST_TRIES = 3
MOST_SECONDS = 60
TURNED_AWAY = ("another session", "another program")


def crowd(folder, number):
    """A campaign with so many units, half on each side. Gives its file and an order for each unit, with its side."""
    tables = []
    for side, (kind, places, posture) in SIDES.items():
        rows = [f"    {side}-{n} | {kind} | {places[n % len(places)]} | {posture}" for n in range(1, number // 2 + 1)]
        tables.append("\n".join([f"  forces {side} of unit:", "    name | type | in | posture", *rows]))
    (folder / "fifty").mkdir()
    (folder / "fifty" / "fifty.rules").write_text(RULES.format("\n".join(tables)))
    path = folder / "crowd.ophex"
    orders = {}
    with create_campaign(path, str(folder / "fifty" / "crowd"), seed=1) as campaign:
        for side in SIDES:
            for order in campaign.game.legal(side, 10_000):
                if order != "done":
                    orders.setdefault((side, order.split()[1]), order)
    return path, [(side, order) for (side, _), order in orders.items()]


def begun(path, *words):
    """A command line as it is typed, in a process of its own. Python has the program compiled, as where it is installed."""
    compiled = {"PYTHONPYCACHEPREFIX": str(path.parent / "compiled"), "PYTHONDONTWRITEBYTECODE": ""}
    line = [sys.executable, "-m", "ui.main", *words]
    pipe = subprocess.PIPE
    return subprocess.Popen(line, stdout=pipe, stderr=pipe, text=True, env={**os.environ, **compiled})


def served(path, orders):
    """Gives all orders at once, and again those that were turned away. How often each was offered, and how many processes that took."""
    tries, processes = Counter(), 0
    waiting = list(orders)
    while waiting:
        processes += len(waiting)
        running = [(one, begun(path, "do", str(path), "--as", *one, "--json")) for one in waiting]
        waiting = []
        for one, process in running:
            out, err = process.communicate()
            if process.returncode == 0:
                tries[one] += json.loads(out)["tries"]
            elif any(said in (out + err).lower() for said in TURNED_AWAY):
                tries[one] += 2
                waiting.append(one)
            else:
                raise SystemExit(f"{one[1]} of {one[0]} is refused: {out}{err}")
    return tries, processes


def seconds_used():
    """How long processes that have ended had the processor."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main():
    """Try it, and print what it came to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--writers", type=int, default=50)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        path, orders = crowd(Path(name), args.writers)
        assert len(orders) == args.writers, f"there are orders for {len(orders)} units"
        begun(path, "do", str(path), "--as", *orders[0], "--dry-run").communicate()  # compiles it
        before, busy, begin = seconds_used(), os.getloadavg()[0], time.perf_counter()
        tries, processes = served(path, orders)
        took = time.perf_counter() - begin
        seconds = seconds_used() - before
        with open_campaign(path) as campaign:
            taken = Counter((entry.input.side, entry.input.text) for entry in campaign.log())
            whole = campaign.verify().ok
    each = sum(tries.values()) / len(orders)
    print(
        f"{len(orders)} orders by {processes} command lines in {took:.1f} s, offered {each:.2f} times each (most {max(tries.values())}); "
        f"{seconds / processes:.2f} s of the processor each, {seconds:.0f} s in all on {os.cpu_count()} cores. "
        f"The machine was busy with {busy:.1f} others at the start."
    )
    right = taken == Counter(orders) and whole
    print(
        "Each order is recorded once, and the file is whole."
        if right
        else f"Wrong: {taken - Counter(orders)} {Counter(orders) - taken}"
    )
    return int(not right or each > MOST_TRIES or took >= MOST_SECONDS)


if __name__ == "__main__":
    sys.exit(main())
