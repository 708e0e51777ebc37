"""`ophex branch`: lists branches of a campaign, starts one, makes one the main one, or drops one."""

import argparse
from typing import TYPE_CHECKING

from ui.cli import talking
from ui.cli.exits import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from campaigns.play.named_branches import Branch
    from ui.cli.playing import OpenCampaign

KEYS = """\
head: number          number of the current entry
branches: [object]
  name
  role                main, aside, or dropped (with --all)
  begun, entry: number    the entry after which it starts, and its current entry
  tip: number         the last entry that redo can reach on it
  inputs: number      number of its own inputs
  is_here: truth      whether it is the current branch
former?               with --adopt: the name of the previous main branch"""
ABOUT = """

A branch starts after any entry and is played separately from the others; `ophex switch` goes from
one to another. All branches are in the same file, and nothing is ever deleted. Branches are for the
umpire: sides are not shown what is played on a branch other than `main`, and there `ophex mail`,
`ophex remind` and `ophex advance --due` are refused and letters left alone. Switch back to `main`
before you mail, or adopt the branch. Every other command works on the current branch."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    talking.add_campaign(parser)
    parser.add_argument(
        "name", nargs="?", default="", metavar="NAME", help="start a branch of this name, and switch to it"
    )
    parser.add_argument(
        "--at",
        type=talking.not_negative,
        default=None,
        metavar="N",
        help="start it after entry N (default: the current entry)",
    )
    parser.add_argument(
        "--fresh-dice",
        action="store_true",
        help="roll different dice on it than would have been rolled; the log says so",
    )
    other = parser.add_mutually_exclusive_group()
    other.add_argument("--adopt", default="", metavar="NAME", help="make this branch the main one, and switch to it")
    other.add_argument(
        "--drop", default="", metavar="NAME", help="no longer list this branch; `ophex switch` brings it back"
    )
    parser.add_argument("--all", action="store_true", help="list dropped branches too")
    talking.add_talk(parser)
    talking.epilog(
        parser,
        "ophex branch my.ophex what-if --at 57 --fresh-dice\nophex branch my.ophex\nophex branch my.ophex --adopt what-if",
        KEYS,
    )


def run(args: argparse.Namespace) -> int:
    """Change branches, and list them."""
    from campaigns.play.named_branches import adopt, begin_branch, branches, drop

    changes = bool(args.name or args.adopt or args.drop)
    if args.name and (args.adopt or args.drop):
        raise UsageError(
            "A branch can be started, adopted or dropped, but only one of these at a time.",
            "Leave out the name or the option.",
        )
    if not args.name and (args.at is not None or args.fresh_dice):
        raise UsageError("The branch needs a name.", "For example: ophex branch my.ophex what-if --at 57")
    former = ""
    with talking.open_campaign(args.campaign, to_write=changes) as campaign:
        if args.name:
            begun = begin_branch(campaign, args.name, args.at, _seed() if args.fresh_dice else "")
            talking.note(f"Started branch {begun.name} after entry {begun.begun} and switched to it.")
        elif args.adopt:
            _, former = adopt(campaign, args.adopt)
            talking.note(f"{args.adopt} is now the main branch; the previous one is called {former}.")
        elif args.drop:
            drop(campaign, args.drop)
            talking.note(f"{args.drop} is no longer listed; `ophex switch` brings it back.")
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
    talking.print_table(rows, ("", "name", "role", "starts after", "current entry", "own inputs"))
    talking.note("* marks the current branch. `ophex switch` goes to another; `ophex compare` compares two.")


def _own(campaign: "OpenCampaign", one: "Branch") -> int:
    """The number of a branch's own inputs: those after its start; for the main one, all inputs of its line."""
    return len(campaign.between(one.begun, max(one.entry, one.tip)))


def _seed() -> str:
    """A seed that nobody can guess."""
    import secrets

    return str(secrets.randbits(128))
