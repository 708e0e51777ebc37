"""`ophex backup`: a complete backup of a campaign file, even while sessions have it open and write."""

import argparse
from pathlib import Path

from ui.cli import talking

KEYS = """\
campaign, backup      the file and its backup
entries, head: number     number of inputs in the backup, and its current entry
hash                  the hash of that entry"""
ABOUT = """

The database engine itself makes the backup: it contains everything accepted before that moment,
and nothing half finished. It is a complete campaign file that can replace the original."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    talking.add_campaign(parser)
    parser.add_argument("copy", metavar="COPY", help="the file to create; it must not exist yet")
    talking.add_talk(parser)
    talking.epilog(parser, "ophex backup my.ophex my-backup.ophex", KEYS)


def run(args: argparse.Namespace) -> int:
    """Make the backup, and check that it is complete."""
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
        print(f"{args.copy} has {holds}; its current entry is {entry.number}.")
        print(f"hash {entry.hash}")
    return 0
