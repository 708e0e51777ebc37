"""`ophex why-not`: explains which rule forbids a command, and what is legal instead."""

import argparse
from typing import TYPE_CHECKING

from ui.cli import seats, talking
from ui.cli.exits import ExitCode, UsageError

if TYPE_CHECKING:
    from interpreter.runtime.refusals import Refusal
    from ui.cli.playing import OpenCampaign

KEYS = """\
legal: truth          whether the command may be given now
as, command           the side and the command
order                 the order that it names; empty if it is not understood
arguments: [object]   of: its kind; values: ids, or labels if names are hidden
  name, of, before
  values: [text]
reasons: [refusal]    why not, as refusals"""
ABOUT = """

It lists the rules that forbid the command, and what is legal instead. Nothing is recorded. The
exit code is 1 if the command is refused."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    talking.add_campaign(parser)
    parser.add_argument("command", metavar="COMMAND", help="the command, in quotes")
    talking.add_side(parser, "the side that would give it (default: the only one the game is waiting for)")
    talking.add_talk(parser)
    talking.epilog(parser, "ophex why-not my.ophex --as red 'march tf-1 to 0304'", KEYS, version=2)


def run(args: argparse.Namespace) -> int:
    """Print the reasons; exit code 1 when the command is refused."""
    from attrs import asdict

    with talking.open_campaign(args.campaign) as campaign:
        side = seats.some_side(campaign, args.side)
        reasons = _reasons(campaign, side, args.command)
        meant = campaign.game.as_data(side, args.command) if args.json else None
    if args.json:
        talking.print_json(
            {
                "legal": not reasons,
                "as": side,
                "command": args.command,
                "order": meant.order if meant is not None else "",
                "arguments": [asdict(one) for one in meant.arguments] if meant is not None else [],
                "reasons": [reason.as_data() for reason in reasons],
            }
        )
    elif reasons:
        from ui.wording import explaining

        explaining.print_lines(explaining.reason_lines(reasons))
    else:
        print("Nothing forbids it.")
    return ExitCode.WRONG if reasons else ExitCode.DONE


def _reasons(campaign: "OpenCampaign", side: str, command: str) -> "list[Refusal]":
    """Why a command is refused; anything but an order is tried on a copy of the game.

    Raises:
        UsageError: no command was given.
    """
    from campaigns.play.typed import input_of
    from interpreter.play.rehearsal import RefusedThere
    from ui.cli.playing import with_question

    given = input_of(command, side)
    if not given.text and not given.subject:
        raise UsageError("No command was given.", "`ophex legal` lists the legal commands.")
    if given.kind == "do":
        return list(campaign.game.why_not(side, command))
    try:
        campaign.state_at(campaign.head).rehearse([with_question(given, campaign.game.awaiting)], side)
    except RefusedThere as there:
        return [there.refused.refusal]
    return []
