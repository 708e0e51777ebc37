"""`ophex roll`: enters dice rolled at your table, in campaigns that use them."""

import argparse
import re

from ui.cli import seats, talking
from ui.cli.exits import UsageError

KEYS = """\
done, as, events, awaiting: as do     as `ophex do --json` prints them
tries?: as do"""
ABOUT = """

This is for campaigns with typed dice (`ophex new --dice typed`, `ophex dice`). Write the result
of each roll, as in 7 8, or each die of a roll, as in 6+4."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    talking.add_campaign(parser)
    parser.add_argument(
        "dice",
        nargs="*",
        metavar="DICE",
        help="what the dice show, in the order they are asked for; `seeded`: let the seed roll this one",
    )
    parser.add_argument("--rest", action="store_true", help="let the seed roll all others until the next decision")
    talking.add_side(parser, "who rolled them (default: the umpire)")
    talking.add_talk(parser)
    talking.epilog(parser, "ophex roll my.ophex 7 8\nophex roll my.ophex 7 --rest", KEYS)


def run(args: argparse.Namespace) -> int:
    """Give the dice."""
    from interpreter.messages.inputs import Input
    from ui.commands.do import tell

    with talking.open_campaign(args.campaign, to_write=True) as campaign:
        side = seats.side_of(campaign, args.side)
        asked = [one for one in campaign.game.awaiting if one.kind == "dice"]
        if not asked:
            raise UsageError(
                "The game is not waiting for dice.", "`ophex status` shows what it is waiting for.", "not-now"
            )
        said = " ".join([*args.dice, *(["rest"] if args.rest else [])])
        said = said or talking.ask(f"{asked[0].prompt} ({asked[0].form})", args)
        if not re.fullmatch(r"([\d\s,+-]|seeded\b)*(rest)?", said.lower()) or not re.search(r"\w", said):
            raise UsageError(
                f"'{said}' is not a dice roll.",
                "Write the result of each roll, as in `7 8`, or each die of a roll: `6+4`.",
            )
        tell(campaign, campaign.offer(Input("roll", side, said)), side, args)
    return 0
