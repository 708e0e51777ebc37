"""`ophex import`: a campaign file from what `ophex export` wrote; all is played again and compared."""

import argparse
from pathlib import Path

from ui import talking

KEYS = """\
campaign              the file that was made
inputs                how many inputs it has"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("file", metavar="FILE", help="what `ophex export` wrote")
    parser.add_argument("campaign", metavar="CAMPAIGN", help="the campaign file to make; nothing may be there yet")
    talking.add_talk(parser)
    talking.epilog(parser, "ophex import my.json again.ophex", KEYS)


def run(args: argparse.Namespace) -> int:
    """Make the campaign."""
    import campaigns.systems  # noqa: F401 (it says how a campaign is started)
    from campaigns.exchange import import_campaign

    with talking.progress("inputs") as progress:
        number = import_campaign(Path(args.file), Path(args.campaign), progress=progress)
    if args.json:
        talking.print_json({"campaign": args.campaign, "inputs": number})
    else:
        talking.note(f"{args.campaign} is made: {talking.counted(number, 'input')}, each compared.")
    return 0
