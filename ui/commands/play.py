"""`ophex play`: opens a campaign in the terminal app."""

import argparse

from ui import talking
from ui.exits import UsageError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    talking.add_campaign(parser)
    talking.add_side(parser, "sit in this side's seat and see only what it may see (default: the umpire's)")
    parser.add_argument("--no-input", action="store_true", help="never ask anything; this command then only fails")
    talking.epilog(parser, "ophex play my.ophex\nophex play my.ophex --as red")


def run(args: argparse.Namespace) -> int:
    """Open the app; it needs a terminal."""
    campaign = talking.open_campaign(args.campaign)
    with campaign:
        side = talking.side_of(campaign, args.side)
        if args.no_input or not talking.is_terminal():
            raise UsageError(
                "The app needs a terminal.",
                "Without one, `ophex status`, `legal`, `do`, `answer` and `map` do the same.",
            )
        from ui.app.desk import Desk
        from ui.app.main import CampaignApp

        CampaignApp(Desk(campaign, side)).run()
    return 0
