"""`ophex undo`: takes back the last inputs, or earlier ones. Nothing is deleted; `redo` returns to them."""

import argparse
from typing import TYPE_CHECKING

from ui.cli import seats, talking
from ui.cli.exits import UsageError

if TYPE_CHECKING:
    from campaigns.file.history import Entry
    from ui.cli.playing import OpenCampaign

KEYS = """\
without --replay and --as:
head: number          number of the current entry
awaiting: as do       what the game is waiting for now
with --replay:
head: number
awaiting: as do
after: number         the entry after which the new line starts
taken, left: [object]    what was undone, and what was not replayed
  number: number
  side, kind, text, subject
given: [object]       the entries that were replayed
  was, now: number
otherwise: [number]   the new numbers of replayed entries that had a different result
instead: [number]     the new entries that replace what was undone
reason, hint          why the first of `left` is no longer possible, and what would be
with --as:
done, as, events, awaiting: as do     as `ophex do --json` prints them
tries?: as do"""
ABOUT = """

With --replay only a mistake is undone: with --to N entry N+1, with --file the inputs of that file.
The inputs after it are replayed, up to the first one that is no longer possible. The rest are
listed; `ophex redo --replay N` replays them later. The old line of play is kept."""


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
        help="undo everything after entry N; 0: go back to the beginning",
    )
    how.add_argument(
        "--file",
        type=talking.not_negative,
        nargs="?",
        const=LAST,
        default=None,
        metavar="N",
        help="undo all inputs of the file or mail that entry N came in (default: the last entry), and everything after them",
    )
    parser.add_argument("--replay", action="store_true", help="undo only the mistake, and replay what came after it")
    parser.add_argument(
        "--instead",
        action="append",
        default=[],
        metavar="[SIDE:]COMMAND",
        help="with --replay: give this command in place of the mistake, for the same side or for another",
    )
    talking.add_side(
        parser, "undo this side's last order or answer, as the side itself may (default: the last input, as the umpire)"
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
"""Stands for the last entry."""


def run(args: argparse.Namespace) -> int:
    """Undo inputs."""
    from ui.cli.playing import UMPIRE
    from ui.commands.do import tell
    from ui.wording.given_again import tell_gone

    if args.replay and args.to is None and args.file is None:
        raise UsageError(
            "--replay needs --to N or --file to say what the mistake is.", "For example: --to 12 --replay."
        )
    if args.instead and not args.replay:
        raise UsageError("--instead needs --replay.", "Without it, undo first, then give the order with `ophex do`.")
    with talking.open_campaign(args.campaign, to_write=True) as campaign:
        side = seats.side_of(campaign, args.side)
        if side != UMPIRE:
            if args.steps != 1 or args.to is not None or args.file is not None:
                raise UsageError(
                    f"Only the umpire can undo several entries, not {side}.", "Leave out --steps, --to and --file."
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
    """Undo the mistake, and replay the rest."""
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
            raise UsageError(f"There is nothing after entry {after}.", "`ophex log` lists the entries.")
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
