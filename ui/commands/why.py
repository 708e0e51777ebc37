"""`ophex why`: how a value, or an entry of the log, was computed: every line that was evaluated, applied or not."""

import argparse
from typing import TYPE_CHECKING

from ui.cli import seats, talking
from ui.cli.exits import ExitCode, UsageError

if TYPE_CHECKING:
    from ui.cli.playing import OpenCampaign

KEYS = """\
of a value:
name, value
of: [text]            the ids, words and numbers that it is worked out for, where the name
                      says them
cites: [text]
steps: [object]
  text, value, because, module, place
  applied: truth
  cites: [text]
parts: [explained]    the values it was made of, in the same form
rulings: [text]       what `ophex rule` has ruled about what is used there
of an entry:
entry: number
input: object
  kind, side, text, subject
events: as do
changes: [explained]  what it changed of fields, each as a value"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    talking.add_campaign(parser)
    parser.add_argument(
        "what",
        nargs="+",
        metavar="ENTRY|VALUE",
        help="a number of the log, an expression of the rules, or both: the value as it was after that entry",
    )
    parser.add_argument(
        "--depth",
        type=talking.not_negative,
        metavar="N",
        help="how many levels of values to tell (default: 2, for an entry of the log 1; 99 tells all)",
    )
    talking.add_side(parser, "show only what this side may know (default: everything)")
    talking.add_talk(parser)
    talking.epilog(
        parser,
        "ophex why my.ophex 12\nophex why my.ophex 'supplied of tf-1' --depth 4\nophex why my.ophex 12 'losses of tf-1'",
        KEYS,
    )


def run(args: argparse.Namespace) -> int:
    """Print the explanation."""
    from ui.cli.playing import explain, told_entry
    from ui.wording import explaining

    entry = args.what[0] if args.what[0].isdigit() else ""
    what = " ".join(args.what[1:] if entry else args.what)
    if not entry and not what.strip():
        raise UsageError("Say of what.", "For example a number of the log, or a value: 'supplied of tf-1'.")
    with talking.open_campaign(args.campaign) as campaign:
        side = seats.side_of(campaign, args.side, to_read=True)
        if not what:
            return _entry(campaign, int(entry), side, args)
        game = campaign.state_at(told_entry(campaign, side, int(entry)).entry.number) if entry else campaign.game
        explained = explain(game, what, side)
        if args.json:
            talking.print_json(explaining.as_json(explained))
        else:
            deepest = 2 if args.depth is None else args.depth
            explaining.print_lines(explaining.lines(explained, deepest=deepest))
    return ExitCode.DONE


def _entry(campaign: "OpenCampaign", number: int, side: str, args: argparse.Namespace) -> int:
    import attrs

    from ui.cli.playing import as_known, changes_of, told_entry
    from ui.wording import explaining, situation

    told = told_entry(campaign, side, number)
    entry = told.entry
    changes = changes_of(campaign, entry.number, side) if number else []
    if args.json:
        given = attrs.asdict(as_known(entry, side))
        events = talking.told(situation.may_read(entry.events, side))
        changed = [explaining.as_json(change) for change in changes]
        talking.print_json({"entry": number, "input": given, "events": events, "changes": changed})
    else:
        deepest = 1 if args.depth is None else args.depth
        explaining.print_lines(explaining.entry_lines(told, side, changes, deepest))
    return ExitCode.DONE
