"""`ophex dice`: where the dice of a campaign come from. The umpire changes it, with a reason that everybody can read."""

import argparse
from typing import Any

from dsl.text.phrases import counted
from ui.cli import talking

KEYS = """\
without MANNER:
dice                  seeded, typed or sealed
rolled: number        number of rolls so far, not counting typed dice
with MANNER:
done, as, events, awaiting: as do     as `ophex do --json` prints them
tries?: as do"""
CHOICES = ("seeded", "typed", "sealed", "fresh")
ABOUT = """

Without MANNER it shows where the dice come from. Only the umpire can change it."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    talking.add_campaign(parser)
    parser.add_argument(
        "manner",
        nargs="?",
        default=None,
        choices=CHOICES,
        metavar="MANNER",
        help="where dice come from now on: seeded, typed (rolled at your table), sealed (`ophex seal`), or fresh (seeded, with a new seed)",
    )
    parser.add_argument("--reason", default="", metavar="TEXT", help="the reason; every side can read it")
    talking.add_talk(parser)
    talking.epilog(parser, "ophex dice my.ophex\nophex dice my.ophex typed --reason 'we meet on Thursday'", KEYS)


def run(args: argparse.Namespace) -> int:
    """Show where dice come from, or change it."""
    import secrets

    from interpreter.messages.inputs import Input
    from ui.cli.playing import UMPIRE
    from ui.commands.do import tell

    with talking.open_campaign(args.campaign, to_write=bool(args.manner)) as campaign:
        game: Any = campaign.game
        if not args.manner:
            manner = getattr(game, "manner", "") or campaign.settings.get("dice", "seeded")
            rolled = getattr(getattr(game, "dice", None), "rolled", 0)
            if args.json:
                talking.print_json({"dice": manner, "rolled": rolled})
            else:
                print(f"The dice are {manner}; {counted(rolled, 'roll')} so far.")
            return 0
        said = f"fresh {secrets.randbits(128)}" if args.manner == "fresh" else args.manner
        reason = args.reason or talking.ask("Why", args)
        tell(campaign, campaign.offer(Input("dice", UMPIRE, said, reason)), UMPIRE, args)
    return 0
