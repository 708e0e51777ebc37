"""`ophex luck`: the rolls of each side, compared with the average of such dice."""

import argparse
from typing import TYPE_CHECKING

from ui.cli import seats, talking

if TYPE_CHECKING:
    from campaigns.views.luck_ledger import Luck

KEYS = """\
as                    who reads; only throws are counted that were told to him with their number
sides: [object]
  side, title
  all: count
  kinds: [kind-count]    name, dice, and a count
        A count has: throws; shown (the sum of the dice), mean (what such dice show on average),
        off (shown less mean), error (the standard error of off), units (off in units of it),
        chance (how often it is so far off, or farther, by chance alone), verdict (few: fewer than
        10 throws, usual: less than two units off, rare: less than three, very rare)."""

ABOUT = """

Whether high is good is for the rules to say: the ledger tells what dice showed, not who gained by
it. Of every 22 counts one is two units off by chance alone."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    talking.add_campaign(parser)
    talking.add_side(parser, "what this side was told (default: the umpire, who was told all)")
    talking.add_talk(parser)
    talking.epilog(parser, "ophex luck my.ophex --as red", KEYS)


def run(args: argparse.Namespace) -> int:
    """Print the ledger."""
    from campaigns.views.luck_ledger import luck_of

    with talking.open_campaign(args.campaign) as campaign:
        luck = luck_of(campaign, seats.side_of(campaign, args.side))
    if args.json:
        talking.print_json(as_json(luck))
        return 0
    from ui.wording.luck_in_words import luck_lines

    for line in luck_lines(luck.sides):
        print(line)
    return 0


def as_json(luck: "Luck") -> dict[str, object]:
    """The ledger as an object."""
    import attrs

    return {
        "as": luck.reader,
        "sides": [
            {
                "side": one.side,
                "title": one.title,
                "all": attrs.asdict(one.all),
                "kinds": [{"name": name, "dice": dice, **attrs.asdict(count)} for name, dice, count in one.kinds],
            }
            for one in luck.sides
        ],
    }
