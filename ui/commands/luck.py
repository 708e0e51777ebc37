"""`ophex luck`: the rolls of each side, compared with the average of such dice."""

import argparse
from typing import TYPE_CHECKING

from ui.cli import seats, talking

if TYPE_CHECKING:
    from campaigns.views.luck_ledger import Luck

KEYS = """\
as                    the reader; only rolls whose result the reader was shown are counted
sides: [object]
  side, title
  all: count
  kinds: [kind-count]    name, dice, and a count
        A count has: throws (the number of rolls); shown (the sum of the dice), mean (what such
        dice show on average), off (shown minus mean), error (the standard error of off), units
        (off divided by error), chance (how often it is this far off, or farther, by chance
        alone), verdict (few: fewer than 10 rolls; usual: less than two units off; rare: less
        than three; very rare)."""

ABOUT = """

The ledger shows what the dice rolled, not who gained by it: whether a high roll is good depends on
the rules. By chance alone, one count in 22 is two units off."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    talking.add_campaign(parser)
    talking.add_side(parser, "the rolls that this side was shown (default: the umpire, who sees all)")
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
