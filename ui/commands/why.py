"""`ophex why`: how a value, or an entry of the log, was computed: every line that was evaluated, applied or not."""

import argparse
import shlex
from typing import TYPE_CHECKING

from ui.cli import seats, talking
from ui.cli.exits import ExitCode, UsageError

if TYPE_CHECKING:
    from ui.cli.playing import OpenCampaign

KEYS = """\
for a value:
name, value
of: [text]            the ids, words and numbers it was computed for, if the name gives them
cites: [text]
steps: [object]
  text, value, because, module, place
  applied: truth
  cites: [text]
parts: [explained]    the values it was computed from, in the same form
rulings: [text]       rulings (`ophex rule`) about what is used there
for an entry:
entry: number
input: object
  kind, side, text, subject
events: as do
changes: [explained]  the fields it changed, each as a value"""
ABOUT = """

An explanation lists every line of the rules that was looked at: `+` marks a line that applied,
`-` one that did not. The citation in brackets names the rule of the printed game."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    talking.add_campaign(parser)
    parser.add_argument(
        "what",
        nargs="+",
        metavar="ENTRY|VALUE",
        help="the number of a log entry, an expression of the rules, or both: the value as it was after that entry",
    )
    parser.add_argument(
        "--depth",
        type=talking.not_negative,
        metavar="N",
        help="how many levels of values to show (default: 2, for a log entry 1; 99 shows all)",
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
        raise UsageError(
            "There is nothing to explain.",
            "Give the number of a log entry, or a value, for example 'supplied of tf-1'.",
        )
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
            if explained.value == what and not (explained.steps or explained.parts):
                file, about = shlex.quote(args.campaign), shlex.quote(f"FIELD of {what}")
                seat = f" --as {shlex.quote(args.side)}" if args.side else ""
                talking.note(
                    f"`ophex status {file} --of {shlex.quote(what)}{seat}` shows its values; "
                    f"`ophex why {file} {about}{seat}` explains one."
                )
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
