"""`ophex export`: a whole campaign as JSON, which `ophex import` reads back."""

import argparse
from pathlib import Path

from ui import talking
from ui.exits import UsageError

KEYS = """\
form                  name and version of the form
documents             the texts that it was begun with: name, kind, text
settings              the choices that it was begun with
beginning             hash, time
entries               number, parent, kind, side, subject, text, hash, time
head                  where it stands"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description} It holds everything: it is for the umpire, not for a side."
    talking.add_campaign(parser)
    parser.add_argument("-o", "--out", metavar="FILE", help="write it there instead of printing it")
    talking.add_talk(parser)
    talking.epilog(parser, "ophex export my.ophex -o my.json", KEYS)


def run(args: argparse.Namespace) -> int:
    """Write the campaign."""
    from json import dumps

    from campaigns.exchange import export

    with talking.open_campaign(args.campaign) as campaign:
        found = export(campaign)
    if not args.out:
        talking.print_json(found)
        return 0
    try:
        with Path(args.out).open("x", encoding="utf-8") as file:
            file.write(f"{dumps(found, indent=1)}\n")
    except FileExistsError:
        raise UsageError(f"{args.out} is there already.", "Name another file.") from None
    talking.note(f"{args.out} is written.")
    return 0
