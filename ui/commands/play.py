"""`ophex play`: opens a campaign in the terminal app."""

import argparse
from typing import TYPE_CHECKING

from ui.cli import seats, talking
from ui.cli.exits import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from campaigns.play.machine_sides import MachineSides
    from ui.cli.playing import OpenCampaign

ABOUT = """

Without --as you sit in the umpire's seat: you see everything and may act for any side. Press ? in
the app for all keys. Every input is recorded at once, so there is nothing to save."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    talking.add_campaign(parser)
    talking.add_side(parser, "play in this side's seat and see only what it may see (default: the umpire's seat)")
    parser.add_argument(
        "--machine",
        action="append",
        default=[],
        metavar="SIDE",
        help="let the computer play this side, guided by the `appeal-of-…` values of the rules; may be repeated",
    )
    parser.add_argument("--no-input", action="store_true", help="never ask questions; this command then always fails")
    talking.epilog(
        parser, "ophex play my.ophex\nophex play my.ophex --as red\nophex play my.ophex --as red --machine blue"
    )


def run(args: argparse.Namespace) -> int:
    """Open the app; it needs a terminal."""
    campaign = talking.open_campaign(args.campaign)
    with campaign:
        side = seats.side_of(campaign, args.side)
        if args.no_input or not talking.is_terminal():
            raise UsageError(
                "The app needs a terminal.",
                "Without one, `ophex status`, `legal`, `do`, `answer` and `map` do the same.",
            )
        from ui.app.odds_beside import Bookmaker
        from ui.app.ophex_app import CampaignApp
        from ui.app.seat_desk import Desk

        desk = Desk(campaign, side, machines(campaign, args.machine, side))
        CampaignApp(desk, bookmaker=Bookmaker(args.campaign)).run()
    return 0


def machines(campaign: "OpenCampaign", sides: "Sequence[str]", seat: str) -> "MachineSides | None":
    """The sides that the computer plays; None if people play all.

    Raises:
        UsageError: the computer would play the side of this seat.
        CampaignError: there is no such side.
    """
    if not sides:
        return None
    if seat in sides:
        raise UsageError(f"You sit in {seat}'s seat: the computer cannot play it.", "Take another seat with --as.")
    from campaigns.play.machine_sides import MachineSides

    return MachineSides.of(campaign, sides)
