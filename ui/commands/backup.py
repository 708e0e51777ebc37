"""`ophex backup`: a complete backup of a campaign file, even while sessions have it open and write."""

import argparse
from pathlib import Path

from ui.cli import talking

KEYS = """\
campaign, backup      the file and its copy
entries, head: number     how many inputs the copy holds, and where it stands
hash                  the hash there"""
ABOUT = """

The copy is made by the database engine itself: it holds all that was accepted before, and nothing
half done. It is a campaign of its own, and takes the place of the file where that is lost."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    talking.add_campaign(parser)
    parser.add_argument("copy", metavar="COPY", help="the file to make; nothing may be there yet")
    talking.add_talk(parser)
    talking.epilog(parser, "ophex backup my.ophex my-backup.ophex", KEYS)


def run(args: argparse.Namespace) -> int:
    """Make the copy, and see that it is whole."""
    from campaigns.play.campaign import backup_file

    file = talking.existing(args.campaign)
    entry, entries = backup_file(file, Path(args.copy))
    if args.json:
        talking.print_json(
            {
                "campaign": str(file),
                "backup": args.copy,
                "entries": entries,
                "head": entry.number,
                "hash": entry.hash,
            }
        )
    else:
        holds = "1 entry" if entries == 1 else f"{entries} entries"
        print(f"{args.copy} holds {holds} and stands after entry {entry.number}.")
        print(f"hash {entry.hash}")
    return 0
