"""`ophex override`: the umpire sets a fact in a running campaign, and gives a reason."""

import argparse

from ui.cli import seats, talking
from ui.cli.exits import UsageError

KEYS = """\
done, as, events, awaiting: as do     as `ophex do --json` prints them
tries?: as do"""
ABOUT = """

Write a change as rules and examples do: `strength of tf-1 = 4`, `tf-1 is marked`,
`tf-1 is in 0304`, `brigade of tf-1 = mab`, `move tf-1 off the map`, `remove tf-1`, or
`put x (a battalion task-force, side blue) in 0304`. Several changes form one input;
`;` may stand between them. It takes effect at once, wherever the game is waiting, and may also
change the facts of an interrupted procedure. An open question is asked again. A side that may see
everything that changed also sees the reason; it learns nothing about changes that are hidden from
it."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    talking.add_campaign(parser)
    parser.add_argument("changes", nargs="*", metavar="CHANGE", help="the new fact, in quotes")
    parser.add_argument("--reason", metavar="TEXT", default="", help="the reason; it is recorded")
    talking.add_side(parser, "only the umpire may override (default: the umpire)")
    parser.add_argument("--dry-run", action="store_true", help="show what would happen, and record nothing")
    talking.add_talk(parser)
    talking.epilog(
        parser,
        "ophex override my.ophex 'strength of tf-1 = 4' --reason 'counted wrong'\n"
        "ophex override my.ophex 'tf-1 is in 0304' 'tf-1 is not marked' --reason 'the move was misread'",
        KEYS,
    )


def run(args: argparse.Namespace) -> int:
    """Override."""
    from campaigns.play.typed import APART, with_reason
    from interpreter.messages.inputs import Input
    from ui.commands.do import tell

    if not args.changes:
        raise UsageError("No change was given.", "Write it in quotes, for example 'strength of tf-1 = 4'.")
    changes, because = with_reason("\n".join(part.strip() for change in args.changes for part in APART.split(change)))
    with talking.open_campaign(args.campaign, to_write=not args.dry_run) as campaign:
        side = seats.side_of(campaign, args.side)
        given = Input("override", side, changes, args.reason or because)
        events, tries = (campaign.preview(given), 1) if args.dry_run else campaign.give([given])
        tell(campaign, events, side, args, tries=tries)
    return 0
