"""An organizer's commands in any order, on campaigns of all systems: in every sequence nothing fails and the record is valid.

`python -m tests.desk_sweep --runs 200` tries so many campaigns, `--seed 7 --runs 1` repeats one, and prints what it did.
"""

import argparse
import contextlib
import io
import os
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from campaigns.file.history import CampaignError
from campaigns.play.starting import open_campaign
from interpreter.automated.policies import make_policy, step
from interpreter.messages.inputs import Refused
from ui.main import main as ophex

SCENARIOS = ("bth/duel", "btr/first-sorties", "infantry/skirmish", "ogre/duel", "ww2/gorsk-week")
STEPS = 30
PROVED_EVERY = 6
"""After so many commands the record is proved."""

TAKEN = {0, 1, 2, 3, 4}
"""What a command may end with: it did it, or said why not."""


class Found(Exception):
    """Something is wrong: the commands so far and what the last one said."""


class Desk:
    """A campaign in a folder of its own, with an organizer who does anything."""

    def __init__(self, room: Path, seed: int, steps: int = STEPS) -> None:
        self.room = room
        self.seed, self.steps = seed, steps
        self.chance = random.Random(f"desk {seed}")
        self.file = str(room / "my.ophex")
        self.did: list[list[str]] = []
        self.codes: Counter[tuple[str, int]] = Counter()
        self.scenario = self.chance.choice(SCENARIOS)

    # ---- commands
    def say(self, *line: str, must: bool = False) -> str:
        """Runs a command. Raises Found where it fails, or ends badly though it must not."""
        self.did.append(list(line))
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            try:
                code = ophex([*line, "--no-input"])
            except SystemExit as ended:
                code = ended.code if isinstance(ended.code, int) else 2
        text = out.getvalue()
        self.codes[line[0], int(code)] += 1
        if code not in TAKEN or "This is a fault in ophex" in text or "Traceback" in text or (must and code):
            raise Found(f"exit {code}: {text[-1500:]}")
        return text

    def prove(self) -> None:
        """The record is whole, and all of it comes to the same again."""
        self.say("verify", self.file, must=True)

    def entries(self) -> list[int]:
        with open_campaign(self.file) as campaign:
            return list(range(campaign.head + 1)) or [0]

    def an_entry(self) -> str:
        return str(self.chance.choice(self.entries()))

    def sides(self) -> list[str]:
        with open_campaign(self.file) as campaign:
            return [side.id for side in campaign.game.sides]

    # ---- what an organizer does
    def plays(self) -> None:
        """Both sides go on for a while, dice of the table typed in."""
        policy = make_policy("random", self.chance.randrange(99))
        with open_campaign(self.file) as campaign:
            for _ in range(self.chance.randrange(1, 12)):
                if campaign.game.over:
                    return
                with contextlib.suppress(Refused, CampaignError):
                    campaign.offer(step(campaign.game, policy, self.chance))
        self.did.append(["plays on"])

    def goes_back(self) -> None:
        how = self.chance.choice(
            [["--steps", "2"], ["--to", self.an_entry()], ["--file"], ["--to", self.an_entry(), "--replay"], []]
        )
        self.say("undo", self.file, *how)

    def goes_on(self) -> None:
        how = self.chance.choice([[], ["--to", self.an_entry()], ["--replay", self.an_entry()], ["--steps", "3"]])
        self.say("redo", self.file, *how)

    def branches(self) -> None:
        name = self.chance.choice(["main", "east", "west"])
        fresh = ["--fresh-dice"] if self.chance.random() < 0.4 else []
        how = self.chance.choice(
            [
                ["branch", self.file, name, *fresh],
                ["branch", self.file, name, "--at", self.an_entry(), *fresh],
                ["switch", self.file, name],
                ["switch", self.file, "main"],
                ["branch", self.file, "--adopt", name],
                ["branch", self.file, "--drop", name],
                ["branch", self.file, "--all"],
                ["compare", self.file, "main", name],
            ]
        )
        self.say(*how)

    def amends(self) -> None:
        folder = self.room / "rules"
        shutil.rmtree(folder, ignore_errors=True)
        self.say("amend", self.file, "--out", str(folder))
        files = sorted(folder.glob("*.rules"))
        if not files:
            return
        file = self.chance.choice(files)
        file.write_text(file.read_text() + f"-- House rules, {self.chance.randrange(99)}.\n")
        how = self.chance.choice([[], ["--from-now"], ["--from-start"], ["--from-turn", "1"], ["--keep"]])
        self.say("amend", self.file, "--rules", str(folder), "--reason", "as agreed", *how)

    def rules(self) -> None:
        self.say(
            "rule",
            self.file,
            "A tie is a draw.",
            "--question",
            "What is a tie?",
            *self.chance.choice([[], ["--dry-run"]]),
        )

    def sets(self) -> None:
        kind = self.chance.choice(["dice", "dice", "option", "override"])
        if kind == "dice":
            self.say(
                "dice", self.file, self.chance.choice(["seeded", "typed", "fresh", "sealed"]), "--reason", "a change"
            )
        elif kind == "option":
            self.say(
                "option",
                self.file,
                *self.chance.choice([["--with", "table-battles"], ["--without", "table-battles"]]),
                "--reason",
                "a change",
            )
        else:
            with open_campaign(self.file) as campaign:
                things = [x for x in campaign.game.view("umpire").things if x.place]
            if things:
                one, other = self.chance.choice(things), self.chance.choice(things)
                change = self.chance.choice(
                    [f"{one.id} is in {other.place}", f"remove {one.id}", f"move {one.id} off the map"]
                )
                self.say("override", self.file, change, "--reason", "counted wrong")

    def mails(self) -> None:
        side = self.chance.choice(self.sides())
        inbox, outbox = self.room / "in", self.room / "out"
        inbox.mkdir(exist_ok=True)
        what = self.chance.randrange(3)
        if what == 0:
            self.say("mail", self.file, "--out", str(outbox))
            return
        orders = [line for line in self.say("legal", self.file, "--as", side).splitlines() if line.strip()]
        picked = self.chance.sample(orders, min(len(orders), self.chance.randrange(1, 4)))
        letter = "\n".join(["Dear umpire,", *picked, *self.chance.choice([["done"], []]), "-- ", "Yours, " + side, ""])
        (inbox / f"{side}-{self.chance.randrange(5)}.txt").write_text(letter)
        self.say("mail", self.file, "--in", str(inbox), *(["--dry-run"] if what == 1 else []))

    def turns(self) -> None:
        side = self.chance.choice(self.sides())
        how = self.chance.choice(
            [
                ["desk", self.file, "--due", "thu 20:00", "--grace", "2h"],
                ["desk", self.file, "--as", side, "--played-by", self.chance.choice(["machine", "person", "absent"])],
                ["desk", self.file],
                ["remind", self.file],
                ["advance", self.file],
                ["advance", self.file, "--due"],
                ["advance", self.file, "--deadline", side],
                ["advance", self.file, "--deadline", side, "--standing"],
                ["advance", self.file, "--dry-run"],
            ]
        )
        self.say(*how)

    def keeps(self) -> None:
        copy = str(self.room / f"copy-{self.chance.randrange(3)}.ophex")
        what = self.chance.randrange(4)
        if what == 0:
            self.say("backup", self.file, copy)
        elif what == 1 and Path(copy).exists():
            self.say("restore", self.file, copy)
        elif what == 2:
            out, again = str(self.room / "all.json"), str(self.room / f"again-{len(self.did)}.ophex")
            self.say("export", self.file, "-o", out, "--force", must=True)
            self.say("import", out, again, must=True)
            self.say("verify", again, must=True)
        else:
            self.say("doctor", self.file)

    def reads(self) -> None:
        side = self.chance.choice([*self.sides(), "umpire"])
        as_side = [] if side == "umpire" else ["--as", side]
        how = self.chance.choice(
            [
                ["report", self.file, *as_side, "--format", self.chance.choice(["md", "html", "json", "csv"])],
                ["status", self.file, *as_side],
                ["log", self.file, *as_side, "-n", "5"],
                ["log", self.file, "--lines"],
                ["luck", self.file, *as_side],
                ["legal", self.file, *as_side],
                ["map", self.file, *as_side],
                ["export", self.file, "--csv", "forces", *as_side],
                ["export", self.file, "--battle", "--out", str(self.room / "table")],
                ["rule", self.file, *as_side],
            ]
        )
        self.say(*how)

    def runs(self) -> None:
        """One campaign of any system, and anything in any order."""
        dice = self.chance.choice(["seeded", "seeded", "typed"])
        self.say("new", self.file, "--scenario", self.scenario, "--seed", str(self.seed), "--dice", dice, must=True)
        self.plays()
        ways: list[Callable[[], None]] = [
            self.plays, self.plays, self.plays, self.goes_back, self.goes_on, self.branches, self.branches, self.amends,
            self.rules, self.sets, self.mails, self.mails, self.turns, self.turns, self.keeps, self.reads,
        ]  # fmt: skip
        for number in range(self.steps):
            self.chance.choice(ways)()
            if number % PROVED_EVERY == PROVED_EVERY - 1:
                self.prove()


@contextlib.contextmanager
def a_room() -> Iterator[Path]:
    """A folder that is thrown away."""
    before = Path.cwd()
    folder = Path(tempfile.mkdtemp(prefix="desk-sweep-"))
    try:
        yield folder
    finally:
        os.chdir(before)
        shutil.rmtree(folder, ignore_errors=True)


def swept(seed: int, steps: int = STEPS) -> tuple[Desk, str]:
    """One campaign, and what was wrong with it; empty where nothing was."""
    with a_room() as room:
        desk = Desk(room, seed, steps)
        try:
            desk.runs()
        except Found as wrong:
            return desk, str(wrong)
        return desk, ""


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.desk_sweep", description=__doc__)
    parser.add_argument("--runs", type=int, default=20, help="so many campaigns (default 20)")
    parser.add_argument("--seed", type=int, default=1, help="the first of them (default 1)")
    args = parser.parse_args(arguments)
    codes: Counter[tuple[str, int]] = Counter()
    wrong, began = 0, time.monotonic()
    for seed in range(args.seed, args.seed + args.runs):
        desk, said = swept(seed)
        codes += desk.codes
        if said:
            wrong += 1
            print(f"seed {seed}, {desk.scenario}:")
            for line in desk.did[-6:]:
                print("   ", " ".join(line))
            print("   ", said, flush=True)
    print(f"{args.runs} campaigns, {sum(codes.values())} commands in {time.monotonic() - began:.0f} s, {wrong} wrong.")
    for (name, code), number in sorted(codes.items()):
        print(f"  {name:10} {code:3} {number}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
