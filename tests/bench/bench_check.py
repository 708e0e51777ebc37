"""How long a check of 5,000 lines of rule text takes, against Python's own compile() of as many lines.

`python tests/bench/bench_check.py`. Both texts express the same in their own language: things with fields, values computed
in steps, tables, orders, procedures. compile() is written in C and checks no names, no types and no tables, so
the ratio only shows whether reading and checking rule text has become slower. The aim: 5,000 lines in 2 seconds.

Then each shipped system as its authors wait for it: read again, checked under every choice of modules, all examples run.
"""

import os
import time
from pathlib import Path

os.environ["OPHEX_NO_CACHE"] = "1"

from measure import in_turns, peak_bytes, table

from campaigns.library.rule_texts import load_path
from campaigns.trials.casebook import run_examples
from campaigns.trials.workers import cores
from dsl.load import check_system, read_system
from dsl.syntax.parse import parse
from dsl.text.source import SourceFile

LINES = 5_000

HEAD = """system bench "Bench" version 1.0
enum stance: ready, dug-in, moving
scale column: 1:2 < 1:1 < 2:1
side side:
  funds number, starts 0
unit tank:
  strength number, starts 1
  armour   number, optional
  stance   stance, starts ready
  damaged  mark
place hex, on hex grid:
  height number
"""
PART = """
value weight-{n} of u (a tank):                                         -- what it is worth
  start with strength of u + {n}
  halved when stance of u is dug-in or moving because "it is not ready"
  plus armour of u else 0 when u is damaged and strength of u > {n}
  plus sum strength of own tanks next to place of u when there is enemy tanks within 3 of place of u
  at least 1
  rounded down
status fit-{n} of u (a tank):
  when weight-{n} of u >= 3 and stance of u is ready
  when every own tanks within 2 of place of u is ready
table results-{n} by 1d6 and column, exactly one row:
  1d6 kept within 1 .. 6
  cells attacker-loss, defender-loss
  1d6  || 1:2  | 1:1  | 2:1
  1..2 || 60,0 | 40,0 | 20,0
  3..4 || 40,0 | 20,0 | 0,20
  5..6 || 20,0 | 0,20 | 0,40
order strike-{n} of u (a tank) against target (a hex):
  given by side of u
  refused when u is not fit-{n} because "it is not fit"
  refused when there is no enemy tanks in target because "no enemy stands there"
  do fight-{n} with u as attackers and target as target
procedure fight-{n} of attackers (some tanks) against target (a hex):
  let attacker be active
  let defenders be enemy tanks in target
  let odds-now be column for (odds of sum weight-{n} of attackers to count defenders) rounded down
  attacker rolls 1d6 as die
  let cell be results-{n} at (die, odds-now)
  when defender-loss of cell > 10:
    for each v in defenders:
      strength of v loses 1 points
      v becomes damaged
  otherwise when attacker-loss of cell > 10:
    attackers becomes damaged
"""
TAIL = """sequence game-turn:
  for each s in sides, as active:
    phase fighting "Fighting":
"""

PY_HEAD = (
    "from __future__ import annotations\n" * 1
    + "class Tank:\n    strength: int = 1\n    armour: int | None = None\n    stance: str = 'ready'\n    damaged: bool = False\n"
    * 2
)
PY_PART = """
def weight_{n}(u, world):  # what it is worth
    value = u.strength + {n}
    value = value / 2 if u.stance == "dug-in" or u.stance == "moving" else value
    value += (u.armour or 0) if u.damaged and u.strength > {n} else 0
    value += sum(t.strength for t in world.own(u) if t.place in u.place.near) if any(world.within(u.place, 3)) else 0
    value = max(value, 1)
    return int(value // 1)
def fit_{n}(u, world):
    if weight_{n}(u, world) >= 3 and u.stance == "ready": return True
    return all(t.stance == "ready" for t in world.own(u) if t.place in world.within(u.place, 2))
results_{n} = {{
    "keys": ("1d6", "column"),
    "kept": (1, 6),
    "cells": ("attacker-loss", "defender-loss"),
    "1..2": ((60, 0), (40, 0), (20, 0)),
    "3..4": ((40, 0), (20, 0), (0, 20)),
    "5..6": ((20, 0), (0, 20), (0, 40)),
}}
def strike_{n}(u, target, world):
    world.given_by(u.side)
    if not fit_{n}(u, world): raise ValueError("it is not fit")
    if not any(world.enemy_in(u, target)): raise ValueError("no enemy stands there")
    fight_{n}([u], target, world)
def fight_{n}(attackers, target, world):
    attacker = world.active
    defenders = world.enemy_in(attacker, target)
    odds_now = world.column(sum(weight_{n}(u, world) for u in attackers) / len(defenders))
    die = world.roll(attacker, "1d6")
    cell = results_{n}[die][odds_now]
    if cell[1] > 10:
        for v in defenders:
            v.strength -= 1
            v.damaged = True
    elif cell[0] > 10:
        for u in attackers: u.damaged = True
"""


def rule_text():
    count = (LINES - HEAD.count("\n") - TAIL.count("\n")) // (PART.count("\n") + 1)
    orders = "".join(f"      active may strike-{n}\n" for n in range(count))
    return HEAD + "".join(PART.format(n=n) for n in range(count)) + TAIL + orders


def python_text(lines):
    text, n = PY_HEAD, 0
    while text.count("\n") < lines:
        text += PY_PART.format(n=n)
        n += 1
    return text


def shipped():
    """Seconds for each system that ships: reading it with no cache, checking it, running its examples (files read by then)."""
    print(
        f"\n{'system':12}{'lines':>8}{'read':>9}{'check':>9}{'examples':>10}{'all run':>9}   seconds, {cores()} processes"
    )
    for folder in sorted(Path(__file__).parents[2].glob("examples/*/")):
        if not any(folder.glob("*.rules")):
            continue
        began = time.perf_counter()
        system = load_path(str(folder))
        read = time.perf_counter()
        errors = [x for x in check_system(system) if x.is_error]
        assert not errors, errors[0]
        checked = time.perf_counter()
        os.environ.pop("OPHEX_NO_CACHE", None)
        load_path(str(folder))
        ready = time.perf_counter()
        report = run_examples([str(folder)], workers=None)
        run = time.perf_counter() - ready
        os.environ["OPHEX_NO_CACHE"] = "1"
        lines = sum(file.text.count("\n") for file in system.files.values())
        assert not report.failed, report.failed[0]
        print(f"{folder.name:12}{lines:8,}{read - began:9.2f}{checked - read:9.2f}{report.examples:10,}{run:9.2f}")


def main():
    text = rule_text()
    other = python_text(text.count("\n"))
    files = [SourceFile("bench.rules", text)]
    system = read_system(files)
    errors = [x for x in check_system(system) if x.is_error]
    assert not errors, errors[0]
    peer = "compile() of Python of as many lines"
    ways = {
        peer: lambda: compile(other, "bench.py", "exec"),
        "parsing alone": lambda: parse(files[0]),
        "checking what is parsed": lambda: check_system(system),
        "parsing and checking": lambda: check_system(read_system(files)),
    }
    title = f"{text.count(chr(10)):,} lines of rule text, {other.count(chr(10)):,} of Python"
    print(table(title, peer, in_turns(ways, 5), {name: peak_bytes(work) for name, work in ways.items()}))
    shipped()


if __name__ == "__main__":
    main()
