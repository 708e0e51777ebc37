"""`ophex branch`: other courses of one campaign: begin one, list them, make one the main one, or drop it."""

import argparse
from typing import TYPE_CHECKING

from ui.cli import talking
from ui.cli.exits import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from campaigns.play.named_branches import Branch
    from ui.cli.playing import OpenCampaign

KEYS = """\
head: number          the number of the entry that counts now
branches: [object]
  name
  role                main, aside, or dropped (with --all)
  begun, entry: number    where it was begun, and where it stands
  tip: number         where redo leads to on it in the end
  inputs: number      how many inputs of its own it has
  is_here: truth      whether the campaign stands on it
former?               with --adopt: what the main branch until now is called"""
ABOUT = """

A branch begins after any entry and is played on beside the others; `ophex switch` goes from one to
another. All is in the one file, and nothing is ever deleted. Branches are for the umpire: what is
given on one that is not `main` is told to no side, but as long as the campaign stands on it, every
command looks at it. So switch back before you mail."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    talking.add_campaign(parser)
    parser.add_argument(
        "name", nargs="?", default="", metavar="NAME", help="begin a branch of this name, and go on there"
    )
    parser.add_argument(
        "--at", type=talking.not_negative, default=None, metavar="N", help="begin it after entry N (default: here)"
    )
    parser.add_argument(
        "--fresh-dice", action="store_true", help="let other dice fall on it than would have fallen; the log says so"
    )
    other = parser.add_mutually_exclusive_group()
    other.add_argument("--adopt", default="", metavar="NAME", help="make this branch the main one, and go on there")
    other.add_argument(
        "--drop", default="", metavar="NAME", help="list this branch no more; `ophex switch` takes it up"
    )
    parser.add_argument("--all", action="store_true", help="list dropped branches too")
    talking.add_talk(parser)
    talking.epilog(
        parser,
        "ophex branch my.ophex what-if --at 57 --fresh-dice\nophex branch my.ophex\nophex branch my.ophex --adopt what-if",
        KEYS,
    )


def run(args: argparse.Namespace) -> int:
    """Do something about branches, and list them."""
    from campaigns.play.named_branches import adopt, begin_branch, branches, drop

    changes = bool(args.name or args.adopt or args.drop)
    if args.name and (args.adopt or args.drop):
        raise UsageError("Begin a branch, adopt one or drop one: one at a time.", "Leave the name or the option out.")
    if not args.name and (args.at is not None or args.fresh_dice):
        raise UsageError("Say what the branch is called.", "For example: ophex branch my.ophex what-if --at 57")
    former = ""
    with talking.open_campaign(args.campaign, to_write=changes) as campaign:
        if args.name:
            begun = begin_branch(campaign, args.name, args.at, _seed() if args.fresh_dice else "")
            talking.note(f"The branch {begun.name} begins after entry {begun.begun}, and the campaign stands on it.")
        elif args.adopt:
            _, former = adopt(campaign, args.adopt)
            talking.note(f"{args.adopt} is the main branch now; the one before is called {former}.")
        elif args.drop:
            drop(campaign, args.drop)
            talking.note(f"{args.drop} is no longer listed; `ophex switch` takes it up again.")
        found = branches(campaign, dropped=args.all)
        if args.json:
            listed = [
                {
                    **talking.fields_of(one, ("name", "role", "begun", "entry", "tip", "is_here")),
                    "inputs": _own(campaign, one),
                }
                for one in found
            ]
            talking.print_json({"head": campaign.head, "branches": listed, **({"former": former} if former else {})})
            return 0
        tell_branches(campaign, found)
    return 0


def tell_branches(campaign: "OpenCampaign", found: "Sequence[Branch]") -> None:
    """Print a table of branches."""
    rows = [
        ["*" if one.is_here else "", one.name, one.role, one.begun, one.entry, _own(campaign, one)] for one in found
    ]
    talking.print_table(rows, ("", "name", "role", "begun after", "stands at", "own inputs"))
    talking.note(
        "* marks where the campaign stands. `ophex switch` goes to another; `ophex compare` sets two side by side."
    )


def _own(campaign: "OpenCampaign", one: "Branch") -> int:
    """How many inputs of its own a branch has: beyond where it was begun; the main one has all of its line."""
    return len(campaign.between(one.begun, max(one.entry, one.tip)))


def _seed() -> str:
    """A seed that nobody guesses."""
    import secrets

    return str(secrets.randbits(128))
