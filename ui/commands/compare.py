"""`ophex compare`: two courses of a campaign side by side: losses, positions, values of the rules, since they parted."""

import argparse

from ui.cli import talking

KEYS = """\
parts: number         the last entry that both have in common
first, second: object
  name, date, phase, over, winner
  entry, turn: number
  inputs: number      number of inputs after `parts`
  lost, came: {[text]}    by side, the ids of units that are gone or new since then
facts: {[text or null]}    the campaign's own fields that differ, with both values
things: [differing]         id, kind, side, and the fields that differ, with first, second
asked: [differing-value]    values that differ: word, name, of, first, second"""
SHOWN = 60
"""The number of rows of each table that are printed; --json and --all give all of them."""
ABOUT = """

It shows losses, positions and values of the rules that differ since the two branches split."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    talking.add_campaign(parser)
    parser.add_argument("first", metavar="A", help="a branch, or the number of an entry")
    parser.add_argument("second", metavar="B", help="another branch or entry")
    parser.add_argument("--all", action="store_true", help=f"print all rows, not only the first {SHOWN} of each table")
    talking.add_talk(parser)
    talking.epilog(parser, "ophex compare my.ophex main what-if\nophex compare my.ophex 40 57", KEYS)


def run(args: argparse.Namespace) -> int:
    """Print the comparison."""
    import attrs

    from campaigns.amending.comparing_courses import compare
    from ui.wording.comparison_in_words import tell_comparison

    with talking.open_campaign(args.campaign) as campaign:
        found = compare(campaign, args.first, args.second)
    if args.json:
        talking.print_json(attrs.asdict(found))
        return 0
    talking.note(f"They diverge after entry {found.parts}.")
    tell_comparison(found, None if args.all else SHOWN)
    return 0
