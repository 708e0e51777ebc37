"""`ophex undo`: takes back the last inputs, or earlier ones. Nothing is deleted; `redo` returns to them."""

import argparse
from typing import TYPE_CHECKING

from ui.cli import seats, talking
from ui.cli.exits import UsageError

if TYPE_CHECKING:
    from campaigns.file.history import Entry
    from ui.cli.playing import OpenCampaign

KEYS = """\
of an entry:
head: number          the number of the entry that counts now
awaiting: as do       what the game waits for now
with --replay:
head: number
awaiting: as do
after: number         the entry that the new line begins after
taken, left: [object]    what was taken back, and what no longer holds
  number: number
  side, kind, text, subject
given: [object]       the entries given again
  was, now: number
otherwise: [number]   of these the new numbers of those that brought about something else
instead: [number]     the new entries that stand in the place of what was taken back
reason, hint          why the first of `left` does not hold, and what would
with --as:
done, as, events, awaiting: as do     as `ophex do --json` prints them
tries?: as do"""
ABOUT = """

With --replay only what is wrong is taken back: with --to N entry N+1, with --file what came with
it. What came after it is given again, up to the first input that no longer holds. The rest is
listed; `ophex redo --replay N` gives it again later. The old line stays in the record."""


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
        help="back to where entry N was accepted; 0: the beginning",
    )
    how.add_argument(
        "--file",
        type=talking.not_negative,
        nargs="?",
        const=LAST,
        default=None,
        metavar="N",
        help="all inputs of the file or mail that entry N came in (default: the last input), and what came after them",
    )
    parser.add_argument("--replay", action="store_true", help="give again what came after what is taken back")
    parser.add_argument(
        "--instead",
        action="append",
        default=[],
        metavar="[SIDE:]COMMAND",
        help="with --replay: give this in its place, for the side that gave it or for another",
    )
    talking.add_side(
        parser, "take back this side's last order or answer, as it may itself (default: the last input, as the umpire)"
    )
    talking.add_talk(parser)
    talking.epilog(
        parser,
        "ophex undo my.ophex\n"
        "ophex undo my.ophex --to 12\n"
        "ophex undo my.ophex --file\n"
        "ophex undo my.ophex --to 12 --replay --instead 'march tf-1 to 0304'",
        KEYS,
    )


LAST = -1
"""Stands for the last input."""


def run(args: argparse.Namespace) -> int:
    """Take back inputs."""
    from ui.cli.playing import UMPIRE
    from ui.commands.do import tell
    from ui.wording.given_again import tell_gone

    if args.replay and args.to is None and args.file is None:
        raise UsageError("--replay goes with --to N or --file: it says what is wrong.", "For example --to 12 --replay.")
    if args.instead and not args.replay:
        raise UsageError("--instead goes with --replay.", "Without it, undo first, and give the order with `ophex do`.")
    with talking.open_campaign(args.campaign, to_write=True) as campaign:
        side = seats.side_of(campaign, args.side)
        if side != UMPIRE:
            if args.steps != 1 or args.to is not None or args.file is not None:
                raise UsageError(
                    f"Only the umpire goes over several entries, not {side}.", "Leave --steps, --to and --file out."
                )
            tell(campaign, campaign.take_back(side), side, args)
            return 0
        if args.replay:
            return _replay(campaign, args)
        before = campaign.head
        tell_gone(campaign, before, _gone_back(campaign, args).number, json=args.json)
    return 0


def _gone_back(campaign: "OpenCampaign", args: argparse.Namespace) -> "Entry":
    if args.file is not None:
        from campaigns.play.giving_again import undo_file

        return undo_file(campaign, None if args.file == LAST else args.file)
    return campaign.undo(args.steps) if args.to is None else campaign.go_back(args.to)


def _replay(campaign: "OpenCampaign", args: argparse.Namespace) -> int:
    """Take back what is wrong, and give the rest again."""
    from campaigns.play.giving_again import file_of, give_otherwise
    from campaigns.play.typed import input_of
    from ui.wording.given_again import tell_again

    if args.file is not None:
        batch = file_of(campaign, None if args.file == LAST else args.file)
        after, last = campaign.entry(batch.first).parent or 0, batch.last
    else:
        after = args.to
        beyond = campaign.between(after, campaign.head)
        if not beyond:
            raise UsageError(f"Nothing comes after entry {after}.", "`ophex log` lists the entries.")
        last = beyond[0]
    usual = campaign.entry(last).input.side
    instead = []
    for said in args.instead:
        side, colon, command = said.partition(":")
        if colon and side.strip() and " " not in side.strip():
            instead.append(input_of(command, seats.side_of(campaign, side.strip())))
        else:
            instead.append(input_of(said, usual))
    return tell_again(campaign, give_otherwise(campaign, after, last, instead), args.campaign, json=args.json)
