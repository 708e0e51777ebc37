"""A program that forks writers on request, for the tests that kill them.

It reads lines "MODE PATH SEED" and forks a child for each, so that a child starts within a millisecond. When the child
is dead it prints "dead STATUS". Children print what they are about to do and what they have done, each in one write:

    ready PID           before the file is opened
    open HEAD           it is open
    about ACT           "offer", "several", "undo" or "redo" is about to be called
    done HEAD           it has returned, and this is the head
    stale               another session was faster
    end                 the child has done all it wanted and closed the file

MODE is "desk" (batches, branches, notes and letters, replays and restoring at random until killed; "noted N" says what was
noted), "play" (offer, undo and redo at random until killed), "race" (wait for a file "go", offer 100 inputs, again after each
Stale) or "make" (make the campaign file).
"""

import os
import random
import signal
import sys
import time
import traceback
from pathlib import Path

import sqlite_utils  # noqa: F401 - so that no child needs to

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from campaigns.file.beside import Beside, Kept, seen_of
from campaigns.file.errors import CampaignError, Stale
from campaigns.play.giving_again import give_otherwise
from campaigns.play.named_branches import adopt, begin_branch, branches, drop, switch
from campaigns.repair.restoring import restore
from interpreter.messages.inputs import Input
from tests.campaigns.toy import do, new, reopen, start


def say(words):
    os.write(1, f"{words}\n".encode())


def play(path, luck):
    campaign = reopen(path, snapshot_every=3)
    say(f"open {campaign.head}")
    depth = len(campaign._store.lineage(campaign.head)) - 1
    undone = 0
    while True:
        act = luck.choices(["offer", "several", "undo", "redo"], [12, 2, 2 if depth else 0, 4 if undone else 0])[0]
        say(f"about {act}")
        if act == "offer":
            ruled = Input("override", "umpire", f"the number = {luck.randrange(99)}", "counted wrong")
            campaign.offer(luck.choice([do(f"add {luck.randrange(1, 10)}"), ruled]))
            depth, undone = depth + 1, 0
        elif act == "several":
            campaign.offer_all([do("lucky"), do("add 1", "blue"), do("lucky")])
            depth, undone = depth + 3, 0
        elif act == "undo":
            campaign.undo()
            depth, undone = depth - 1, undone + 1
        else:
            campaign.redo()
            depth, undone = depth + 1, undone - 1
        say(f"done {campaign.head}")


def desk(path, luck):
    campaign = reopen(path, snapshot_every=3)
    copy = path.with_name(f"{path.stem}-copy.ophex")
    say(f"open {campaign.head}")
    number = campaign.notes().get("n", 0)
    while True:
        known = branches(campaign)
        aside = [one.name for one in known if one.role == "aside" and not one.is_here]
        away = [one.name for one in known if not one.is_here]
        acts = ["batch", "branch", "note", "replay", "restore"]
        act = luck.choices(
            [*acts, "switch", "adopt", "drop"], [6, 2, 6, 2, 2, 2 * bool(away), bool(aside), bool(aside)]
        )[0]
        say(f"about {act}")
        try:
            if act == "batch":
                campaign.give([do(f"add {luck.randrange(1, 10)}"), do("lucky", "blue")], "a.txt")
            elif act == "branch":
                begin_branch(
                    campaign, f"b{luck.randrange(10**9)}", at=luck.choice(campaign.between(0, campaign.head) or [0])
                )
            elif act == "switch":
                switch(campaign, luck.choice(away))
            elif act == "adopt":
                adopt(campaign, luck.choice(aside))
            elif act == "drop":
                drop(campaign, luck.choice(aside))
            elif act == "replay":
                line = campaign.between(0, campaign.head)
                if len(line) > 4:
                    give_otherwise(campaign, line[-4], line[-3], [do("add 2")])
            elif act == "note":
                number += 1
                kept = Kept(number, "red", f"{number}.txt", "0", "now", {"n": number})
                campaign.keep(Beside({"n": number}, [kept], seen=seen_of(campaign.letters())))
                say(f"noted {number}")
            elif luck.random() < 0.5 or not copy.exists():
                copy.unlink(missing_ok=True)
                campaign.backup(copy)
            else:
                restore(path, copy, start)
                campaign.refresh()
                number = campaign.notes().get("n", 0)
                say(f"noted {number}")
        except CampaignError as error:
            if "branches; the most" not in error.message:
                raise
        say(f"done {campaign.head}")


def race(path, luck):
    campaign = reopen(path, patience=30)
    say(f"open {campaign.head}")
    while not path.with_name("go").exists():
        time.sleep(0.001)
    accepted = 0
    while accepted < 100:
        try:
            campaign.offer(do(f"add {luck.randrange(1, 10)}", luck.choice(["red", "blue"])))
            accepted += 1
        except Stale:
            say("stale")
    campaign.close()
    say("end")


def make(path, _luck):
    new(path).close()
    say("end")
    signal.pause()  # it is killed in any case, and its number must stay its own until then


def main(modes):
    for line in sys.stdin:
        mode, path, seed = line.rstrip("\n").split("\t")
        child = os.fork()
        if child == 0:
            say(f"ready {os.getpid()}")
            try:
                modes[mode](Path(path), random.Random(int(seed)))
            except BaseException:  # noqa: BLE001 - whatever it is, it is shown, and ends the writer
                traceback.print_exc()
                os._exit(1)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        say(f"dead {status}")


if __name__ == "__main__":
    main({"desk": desk, "play": play, "race": race, "make": make})
