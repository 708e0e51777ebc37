"""The long form of `tests/test_leaks.py`: campaigns of all systems at many moments, until a given number of outputs has been compared.

    python -m tests.byhand.try_leaks --outputs 50000

With few `--guesses` the same number of outputs covers more scenarios and moments; with many, each is examined more closely.
It prints what was tried and each difference, and exits with 1 if there is one.
"""

import argparse
import random
import sys
import tempfile
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
                found = leaks(campaign, sides, printed, seed=seed, guesses=args.guesses)
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
