"""`ophex why`: how a value, or an entry of the log, came about: every line that was looked at, applied or not."""

import argparse
from typing import TYPE_CHECKING

from ui import talking
from ui.exits import ExitCode

if TYPE_CHECKING:
    from ui.playing import OpenCampaign

KEYS = """\
of a value: name, value, cites, steps, parts
  steps: text, applied, value, because, cites, module, place
  parts: the values it was made of, in the same form
of an entry: entry, input, events    input: kind, side, text, subject"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    talking.add_campaign(parser)
    parser.add_argument(
        "what", nargs="+", metavar="ENTRY|VALUE", help="a number of the log, or an expression of the rules"
    )
    parser.add_argument(
        "--depth", type=int, default=2, metavar="N", help="how many levels of values to tell (default: 2; 99 tells all)"
    )
    talking.add_side(parser, "show only what this side may know (default: everything)")
    talking.add_talk(parser)
    talking.epilog(parser, "ophex why my.ophex 12\nophex why my.ophex 'supplied of tf-1' --depth 4", KEYS)


def run(args: argparse.Namespace) -> int:
    """Print the explanation."""
    from ui import explaining
    from ui.playing import explain

    what = " ".join(args.what)
    with talking.open_campaign(args.campaign) as campaign:
        side = talking.side_of(campaign, args.side)
        if what.isdigit():
            return _entry(campaign, int(what), side, args)
        explained = explain(campaign.game, what, side)
        if args.json:
            talking.print_json(explaining.as_json(explained))
        else:
            talking.print_lines(explaining.lines(explained, deepest=max(0, args.depth)))
    return ExitCode.DONE


def _entry(campaign: "OpenCampaign", number: int, side: str, args: argparse.Namespace) -> int:
    import attrs

    from ui import explaining, situation
    from ui.playing import as_known

    entry = campaign.entry(number)
    if args.json:
        given = attrs.asdict(as_known(entry.input, side))
        events = talking.told(situation.may_read(entry.events, side))
        talking.print_json({"entry": number, "input": given, "events": events})
    else:
        talking.print_lines(explaining.entry_lines(entry, side))
    return ExitCode.DONE
