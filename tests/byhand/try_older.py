"""Campaigns that an older program played open with this one, reach the same states, and are played on.

    git worktree add --detach OLDER COMMIT && python3 -m venv OLDER/.venv && OLDER/.venv/bin/pip install -q -e OLDER
    OLDER/.venv/bin/python tests/byhand/play_older.py GAMES --games 1000
    python -m tests.byhand.try_older GAMES --whole 10

Each file is opened and replayed from its own rule text. Its state after every entry, and its events, are compared with the
recorded ones. With `--whole N`, random sides play on in every N-th file, which is then verified completely, including the lines
that were undone. It prints each difference, and counts at the end. It exits with 1 if a campaign does not open, reaches another
state, reports events differently, or cannot be played on. Two things are counted separately: events reported to fewer readers than
before (dice, say, that flow into hidden fields), and events that differ only in the rules they cite. A thousand take about ten
minutes of one core.
"""

import argparse
import random
import shutil
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from campaigns.file.errors import CampaignError
from campaigns.play.campaign import verify_file
from campaigns.play.starting import open_campaign, start
from interpreter.automated.policies import make_policy, step
from interpreter.automated.policy import NothingLegal
from interpreter.messages.inputs import Event, RuleFailure

MORE = 8
"""So many inputs are given to each."""


def difference(then: Sequence[Event], now: Sequence[Event]) -> str:
    """How events differ from those that were recorded; "" where they do not."""

    def alike(*parts: str) -> bool:
        def row(events: Sequence[Event]) -> list[tuple[str, ...]]:
            return sorted(tuple(str(getattr(e, p)) for p in parts) for e in events if not e.data.get("veiled"))

        return row(then) == row(now)

    if alike("kind", "text", "side", "to", "cites"):
        return ""
    if alike("kind", "text", "side", "to"):
        return "citing other rules"
    return "told to fewer" if alike("kind", "text", "side") else "otherwise"


def replayed(path: Path, count: Counter[str]) -> list[str]:
    """What comes out otherwise when a campaign is played again, in lines; counts what was compared."""
    wrong: list[str] = []
    with open_campaign(path) as campaign:
        count["other lines"] += len(campaign.lines()) - 1
        entries = [e for e in campaign.log()[::-1] if e.on_path]
        scenario, game = campaign.settings["scenario"], campaign.state_at(0)
        count.update({"rulings": sum(e.input.kind == "override" for e in entries), f"campaigns of {scenario}": 1})
        count["campaigns with changed options"] += bool(campaign.settings["options"])
        for entry in entries:
            if entry.number:
                how = difference(entry.events, game.offer(entry.input))
                count["inputs"] += 1
                if how:
                    count[f"entries in {scenario} {how}"] += 1
                if how == "otherwise":
                    wrong.append(f"Entry {entry.number} tells other events.")
            if game.digest() != entry.digest:
                return [*wrong, f"Entry {entry.number} leads to another state."]
    return wrong


def played_on(path: Path, seed: str) -> int:
    """Random sides give some more inputs. Returns how many."""
    chance, player = random.Random(seed), make_policy("random", seed)
    with open_campaign(path) as campaign:
        for number in range(MORE):
            if campaign.game.over:
                return number
            try:
                campaign.offer(campaign.game.in_own_words(step(campaign.game, player, chance)))
            except (NothingLegal, RuleFailure):
                return number
    return MORE


def tried(path: Path, count: Counter[str], *, whole: bool) -> list[str]:
    """What is wrong with one campaign, in lines; counts what was done. whole: whether it is played on and verified too."""
    wrong = replayed(path, count)
    if not whole:
        return wrong
    more = played_on(path, path.stem)
    count["inputs given now"] += more
    count["campaigns played on"] += more > 0
    return wrong + [x for x in verify_file(path, start).problems if "tells other events" not in x]


def main() -> int:
    """Tries all campaigns of a folder, and prints what came of it."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.byhand.try_older",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", type=Path, help="where play_older put the campaign files")
    parser.add_argument("--first", type=int, default=0, help="the first of them, in their order (default 0)")
    parser.add_argument("--most", type=int, default=sys.maxsize, help="so many at most")
    parser.add_argument(
        "--whole", type=int, default=1, help="play on in every so-and-so-manieth, and verify it (default 1)"
    )
    given = parser.parse_args()
    count, different, started = Counter[str](), 0, time.monotonic()
    files = sorted(given.folder.glob("*.ophex"))[given.first :][: given.most]
    for number, path in enumerate(files):
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(shutil.copy(path, folder))
            try:
                wrong = tried(copy, count, whole=number % given.whole == 0)
            except (CampaignError, RuleFailure) as error:
                wrong = [f"{type(error).__name__}: {error}"]
            except Exception:  # noqa: BLE001 (a traceback is a difference like any other)
                wrong = [traceback.format_exc(limit=-3)]
        different += bool(wrong)
        for line in wrong:
            print(f"{path.name}: {line}", flush=True)
    for name, many in sorted(count.items()):
        print(f"  {many} {name}")
    print(
        f"{len(files)} campaigns of an older program, {count['inputs']} inputs played again: {different} campaigns differ"
        f" ({time.monotonic() - started:.0f} s)."
    )
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
