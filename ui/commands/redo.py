"""`ophex redo`: takes undone inputs again, or switches to another line of the campaign."""

import argparse

from ui.cli import seats, talking
from ui.cli.exits import UsageError

KEYS = """\
without --replay and --as:
head: number          number of the current entry
awaiting: as do       what the game is waiting for now
with --replay:
head, awaiting, after, taken, given: as undo    as `ophex undo --json` prints them
otherwise, instead, left, reason, hint: as undo
with --as:
done, as, events, awaiting: as do     as `ophex do --json` prints them
tries?: as do"""
ABOUT = """

An undone input can be redone until a new one is given. The new input starts another line of play;
--to goes back to the old line, and --replay replays it on the new one."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    talking.add_campaign(parser)
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--steps", type=talking.at_least_one, default=1, metavar="N", help="how many inputs (default 1)")
    how.add_argument(
        "--to",
        type=talking.not_negative,
        default=None,
        metavar="N",
        help="go to entry N, on any line of play; `ophex log --lines` lists them",
    )
    how.add_argument(
        "--replay",
        type=talking.at_least_one,
        default=None,
        metavar="N",
        help="replay here entry N of another line, and everything that came after it there",
    )
    talking.add_side(parser, "redo what this side undid last (default: the last undone input, as the umpire)")
    talking.add_talk(parser)
    talking.epilog(parser, "ophex redo my.ophex\nophex redo my.ophex --to 57\nophex redo my.ophex --replay 58", KEYS)


def run(args: argparse.Namespace) -> int:
    """Redo inputs."""
    from ui.cli.playing import UMPIRE
    from ui.commands.do import tell
    from ui.wording.given_again import tell_again, tell_gone

    with talking.open_campaign(args.campaign, to_write=True) as campaign:
        side = seats.side_of(campaign, args.side)
        if side != UMPIRE:
            if args.steps != 1 or args.to is not None or args.replay is not None:
                raise UsageError(
                    f"Only the umpire can redo several entries, not {side}.", "Leave out --steps, --to and --replay."
                )
            tell(campaign, campaign.give_again(side), side, args)
            return 0
        if args.replay is not None:
            from campaigns.play.giving_again import give_again

            return tell_again(campaign, give_again(campaign, args.replay), args.campaign, json=args.json)
        before = campaign.head
        entry = campaign.redo(args.steps) if args.to is None else campaign.go_to(args.to)
        tell_gone(campaign, before, entry.number, json=args.json)
    return 0
