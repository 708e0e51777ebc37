"""`ophex secret`: the secret with which a side seals its dice, and what it sends of it. No campaign file is needed."""

import argparse
from pathlib import Path

from ui.cli import talking
from ui.cli.exits import UsageError

KEYS = """\
file                  where the secret is kept
chain                 the name of its chain
links: number         how many links it has
anchor                the value that binds its owner to all of them
say                   the line to send to the umpire"""
ABOUT = """

Make the secret yourself, keep the file, and send the line that is printed. When dice are to be
rolled, you are told which link is needed and for which entry: print it with --link and --for, and
send that line. Keep what you have sent: `ophex verify --seal` checks that the record contains it.
docs/trust.md explains how this keeps the dice honest. No campaign file is needed."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    parser.add_argument("file", metavar="FILE", help="the file with the secret; anyone who reads it can look ahead")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--new", action="store_true", help="make a new secret; FILE must not exist yet")
    what.add_argument("--link", type=talking.at_least_one, default=None, metavar="N", help="print link N of its chain")
    parser.add_argument(
        "--links",
        type=talking.at_least_one,
        default=5000,
        metavar="N",
        help="number of links in a new secret (default 5000)",
    )
    parser.add_argument(
        "--for",
        dest="asked",
        default="",
        metavar="HASH",
        help="the hash of the entry that needs the link; the link is valid for no other entry",
    )
    talking.add_talk(parser)
    talking.epilog(
        parser, "ophex secret red.secret --new\nophex secret red.secret --link 17 --for 3f8a02c4b1d96e57", KEYS
    )


def run(args: argparse.Namespace) -> int:
    """Make a secret, or print a link to send."""
    from campaigns.play.recorded_seals import new_secret, read_secret

    asked = args.asked.strip().lower()
    if asked and (args.link is None or not 8 <= len(asked) <= 64 or set(asked) - set("0123456789abcdef")):
        raise UsageError("--for takes the hash of an entry, or at least its first 8 digits.", "Use it with --link N.")
    secret = new_secret(Path(args.file), args.links) if args.new else read_secret(Path(args.file))
    said = f"seal {secret.commitment() if args.link is None else secret.link(args.link, asked)}"
    if args.json:
        talking.print_json(
            {
                "file": args.file,
                "chain": secret.anchor[:12],
                "links": secret.links,
                "anchor": secret.anchor,
                "say": said,
            }
        )
        return 0
    print(said)
    if args.new:
        talking.note(f"The secret is in {args.file}. Keep a copy and show it to nobody. Send the line above.")
    return 0
