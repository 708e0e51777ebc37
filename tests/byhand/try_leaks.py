"""The long form of `tests/test_leaks.py`: campaigns of all systems at many moments, until a given number of outputs has been compared.

    python -m tests.byhand.try_leaks --outputs 50000

With few `--guesses` the same number of outputs covers more scenarios and moments; with many, each is examined more closely.
It prints what was tried and each difference, and exits with 1 if there is one. A command that changes the game it tries
things on runs in a process of its own, so the present game need not be rebuilt for each.
"""

import argparse
import os
import random
import sys
import tempfile
import traceback
from collections import Counter
from pathlib import Path

from campaigns.leaks.compared_worlds import leaks
from campaigns.play.starting import create_campaign
from interpreter.automated.policies import make_policy, step
from interpreter.messages.inputs import Refused
from ui.commands.leaks import printed

SCENARIOS = [
    ("bth/duel", ()), ("ww2/lipki", ()), ("bth/duel", ("supply",)),
    ("btr/first-sorties", ()), ("btr/first-battle", ()), ("ww2/gorsk-week", ()),
    ("ww2/gorsk-front", ()), ("bth/kafer-invasion", ("fog-of-war",)), ("btr/fulda-1986", ()),
    ("ogre/belt", ()), ("ogre/belt", ("disable-mobile-infantry",)),
    ("ogre/watch", ()),
    ("infantry/skirmish", ()), ("infantry/company", ()),  # there only the dice to come are hidden
]  # fmt: skip
MOST_INPUTS = 160
TRYING = {"do", "undo", "redo", "why-not"}
"""The commands that try something on a game of their own."""


def played(path, scenario, with_, seed):
    """A campaign that automated sides have played for a while."""
    chance = random.Random(f"{scenario} {seed}")
    campaign = create_campaign(path, scenario, with_, seed=seed)
    player = make_policy(chance.choice(["random", "mixed"]), seed)
    for _ in range(chance.randrange(MOST_INPUTS)):
        if campaign.game.over:
            break
        try:
            campaign.offer(campaign.game.in_own_words(step(campaign.game, player, chance)))
        except Refused:
            break
    return campaign


def printed_apart(copy, side, look):
    """As `printed`; what tries something on a game is let loose on the game at hand, in a process that then ends."""
    if look.kind not in TRYING:
        return printed(copy, side, look)
    read, write = os.pipe()
    child = os.fork()
    if child:
        os.close(write)
        with os.fdopen(read, encoding="utf-8") as said:
            text = said.read()
        os.waitpid(child, 0)
        return text
    try:
        copy._varied = lambda: (copy.game, [])
        text = printed(copy, side, look)
    except BaseException:  # noqa: BLE001 (whatever it is, the other process must hear of it)
        text = f"{look}: {traceback.format_exc()}"
        print(text, file=sys.stderr)
    with os.fdopen(write, "w", encoding="utf-8") as said:
        said.write(text)
    os._exit(0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--outputs", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="")
    parser.add_argument("--guesses", type=int, default=60)
    args = parser.parse_args()
    outputs, secrets, seed, wrong = Counter(), Counter(), args.seed, 0
    scenarios = [s for s in SCENARIOS if args.only in s[0]]
    with tempfile.TemporaryDirectory() as folder:
        while outputs.total() < args.outputs:
            scenario, with_ = scenarios[seed % len(scenarios)]
            path = Path(folder) / f"{seed}.ophex"
            with played(path, scenario, with_, seed) as campaign:
                sides = [s.id for s in campaign.game.sides]
                found = leaks(campaign, sides, printed_apart, seed=seed, guesses=args.guesses)
                where = f"{scenario} seed {seed} turn {campaign.game.turn} entry {campaign.head}"
            outputs, secrets = outputs + found.outputs, secrets + found.secrets
            for one in found.differences:
                wrong += 1
                print(f"DIFFERENCE {where}: {one.side} ({one.secret}) {one.look.kind} {' '.join(one.look.words)}")
                print(f"  {one.one[:600]!r}\n  {one.other[:600]!r}")
            print(f"{where}: {outputs.total()} compared, {wrong} differ", file=sys.stderr, flush=True)
            path.unlink()
            seed += 1
    print(f"{outputs.total()} outputs compared, {wrong} differ. Varied: {dict(secrets)}. Looked at: {dict(outputs)}.")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
