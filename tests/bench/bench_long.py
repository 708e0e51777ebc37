"""A campaign of 10,000 inputs: how long the commands of the desk take on it, each in a process of its own, as a person calls them.

    python tests/bench/bench_long.py                  a small game of rule text, all inputs on one line
    python tests/bench/bench_long.py ogre/duel        games of a shipped scenario, one line after the other in one file
    python tests/bench/bench_long.py FILE.ophex       any campaign file; it is copied first

The aims: `verify` at 4,000 entries/s; `status`, `do`, `report` under 1 s; a branch costs no more than its own inputs.
"""

import argparse
import contextlib
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import measure  # noqa: F401 - it puts the folder of the project on the path

from campaigns.play.campaign import Campaign
from campaigns.play.named_branches import begin_branch, switch
from campaigns.play.starting import create_campaign, open_campaign, start
from campaigns.play.whole_files import verify_file
from interpreter.automated.policies import make_policy, step
from interpreter.automated.policy import NothingLegal
from interpreter.machine import Game
from interpreter.messages.inputs import Input, Refused

MANY = 10_000
ROUNDS = 3
RULES = """\
system long "Long" version 1.0
place hex, on hex grid:
  terrain one of clear or wood
map field "The field" of hex, 12 by 10, even columns low:
  letters:
    letter | terrain
    .      | clear
  grid:
    01 | . . . . . . . . . . . .
    02 | . . . . . . . . . . . .
    03 | . . . . . . . . . . . .
    04 | . . . . . . . . . . . .
    05 | . . . . . . . . . . . .
    06 | . . . . . . . . . . . .
    07 | . . . . . . . . . . . .
    08 | . . . . . . . . . . . .
    09 | . . . . . . . . . . . .
    10 | . . . . . . . . . . . .
unit scout:
  aim number, starts 0
  toil number, starts 0
order aim of s (a scout) to n (a number):
  given by side of s
  refused when aim of s is n because "it aims there"
  aim of s becomes n
  toil of s becomes toil of s + 1
sequence game-turn:
  phase plans "Plans":
    sides may aim together
scenario long "A long campaign" on field:
  side blue "Blue"
  side red "Red"
"""


def small(folder: Path) -> Path:
    """A game of two sides with 20 units each that order for as long as one likes."""
    text = RULES
    for side, column in (("blue", 1), ("red", 8)):
        rows = [f"    {side}-{n} | {column:02d}{1 + n % 10:02d}" for n in range(20)]
        text += "\n".join([f"  forces {side} of scout:", "    name | in", *rows, ""])
    (folder / "long.rules").write_text(text)
    path = folder / "small.ophex"
    with create_campaign(path, str(folder / "long"), seed=1) as campaign:
        for inputs in turns():
            campaign.offer_all(inputs)
    return path


def turns() -> Iterator[list[Input]]:
    given, turn = 0, 0
    while given < MANY:
        turn += 1
        orders = [Input("do", side, f"aim {side}-{n} to {turn}") for side in ("blue", "red") for n in range(20)]
        inputs = [*orders[:20], Input("do", "blue", "done"), *orders[20:], Input("do", "red", "done")]
        inputs = inputs[: MANY - given]
        given += len(inputs)
        yield inputs


def shipped(folder: Path, scenario: str) -> Path:
    """Games of a scenario by random sides, each from the beginning, until there are enough inputs; the last is the line."""
    path = folder / "shipped.ophex"
    with create_campaign(path, scenario, seed=1) as campaign:
        number = 0
        while campaign.store.last() < MANY:
            number += 1
            if campaign.head:
                campaign.go_back(0)
            for given in played(campaign.state_at(0), number):
                campaign.offer(given)
    return path


def played(game: Game, seed: int) -> list[Input]:
    player, chance, found = make_policy("random", seed), random.Random(seed), []
    while not game.over and len(found) < MANY:
        try:
            given = step(game, player, chance)
        except NothingLegal:
            break
        with contextlib.suppress(Refused):
            game.offer(given)
            found.append(given)
    return found


def called(path: Path, *words: str) -> tuple[float, float]:
    """Seconds of wall clock and of processor time of one command in a process of its own, on a copy; the least of some rounds."""
    wall, processor = [], []
    surroundings = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    copy = path.with_name(f"copy-{path.name}")
    for _ in range(ROUNDS):
        shutil.copyfile(path, copy)
        words = (words[0], str(copy), *words[1:]) if str(copy) not in words else words
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        begun = time.perf_counter()
        done = subprocess.run([sys.executable, "-m", "ui.main", *words], capture_output=True, text=True, check=False, env=surroundings)  # fmt: skip
        wall.append(time.perf_counter() - begun)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        processor.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        if done.returncode:
            raise SystemExit(f"{words}: {done.stderr}")
    return min(wall), min(processor)


def timed(act: Callable[[], object]) -> float:
    begun = time.process_time()
    act()
    return time.process_time() - begun


def tell(path: Path) -> None:
    with open_campaign(path) as campaign:
        entries, way = campaign.store.last(), len(campaign.between(0, campaign.head))
        side = next((one.side for one in campaign.game.awaiting if one.side), "")
        legal = campaign.game.legal(side, 50) if side else ()
        order = next((one for one in legal if one != "done" and not campaign.game.why_not(side, one)), "done")
        anybody = side or campaign.game.sides[0].id
    print(f"{path.name}: {entries:,} entries, {way:,} on the way to the head, {path.stat().st_size / 1e6:.1f} MB")
    begun = time.process_time()
    verdict = verify_file(path, start)
    seconds = time.process_time() - begun
    assert verdict.ok, verdict.problems
    print(f"  verify               {seconds:8.2f} s of the processor, {entries / seconds:,.0f} entries/s")
    lines = [["status"], ["status", "--as", anybody], ["legal", "--as", anybody], ["log"], ["log", "--as", anybody], ["report", "--as", anybody], ["undo"]]  # fmt: skip
    if side:
        lines.insert(3, ["do", "--as", side, order])
    for command, *rest in lines:
        wall, processor = called(path, command, *rest)
        print(f"  {' '.join([command, *rest])[:40]:<40} {wall:6.2f} s, {processor:5.2f} s of the processor")
    branches(path)


def branches(path: Path) -> None:
    """What a branch adds to the file, beside what its inputs would add anyway, and how long it takes to begin one and to return."""
    with open_campaign(path) as campaign:
        size = pages(campaign)
        begin = timed(lambda: begin_branch(campaign, "what-if"))
        added = pages(campaign) - size
        back = timed(lambda: switch(campaign, "main"))
        print(
            f"  branch                {begin * 1000:8.0f} ms and {added} pages of 4 kB; back to main {back * 1000:.0f} ms"
        )
        far = campaign.between(0, campaign.head)[0]
        begin = timed(lambda: begin_branch(campaign, "from-the-start", at=far))
        print(
            f"  branch at the start   {begin * 1000:8.0f} ms; back to main {timed(lambda: switch(campaign, 'main')) * 1000:.0f} ms"
        )


def pages(campaign: "Campaign[Game]") -> int:
    return int(campaign.store.rows([int], "PRAGMA page_count")[0][0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", nargs="?", default="", help="a scenario or a campaign file")
    what = parser.parse_args().what
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        begun = time.perf_counter()
        if what.endswith(".ophex"):
            path = folder / "given.ophex"
            with open_campaign(Path(what)) as campaign:
                campaign.backup(path)
        else:
            path = shipped(folder, what) if what else small(folder)
        print(f"made in {time.perf_counter() - begun:.1f} s")
        tell(path)


if __name__ == "__main__":
    main()
