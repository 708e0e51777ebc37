"""`ophex log`: what has happened, newest first, with what was taken back."""

import argparse
from typing import TYPE_CHECKING, Any

from ui import talking

if TYPE_CHECKING:
    from campaigns.history import Entry

KEYS = """\
head                  the number of the entry that counts now
entries               number, parent, side, kind, subject, text, events, time, on_path
                      on_path is false for what was taken back"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    talking.add_campaign(parser)
    parser.add_argument(
        "-n", dest="limit", type=int, default=20, metavar="N", help="at most this many (default 20; 0: all)"
    )
    talking.add_side(parser, "only what this side may read (default: everything)")
    talking.add_talk(parser)
    talking.epilog(parser, "ophex log my.ophex -n 50", KEYS)


def run(args: argparse.Namespace) -> int:
    """Print the log."""
    with talking.open_campaign(args.campaign) as campaign:
        side = talking.side_of(campaign, args.side)
        entries = campaign.log(args.limit or None)
        if args.json:
            talking.print_json({"head": campaign.head, "entries": [_entry(entry, side) for entry in entries]})
            return 0
        for entry in entries:
            mark = " " if entry.on_path else "x"
            print(f"{entry.number:>5} {mark} {_given(entry, side)}")
            for text in _texts(entry, side):
                print(f"          {text}")
        if not entries:
            talking.note("Nothing has happened yet.")
        elif any(not entry.on_path for entry in entries):
            talking.note("x marks what was taken back.")
    return 0


def _given(entry: "Entry", side: str) -> str:
    """Who gave what, as far as a side may know it."""
    from ui.playing import as_known

    given = as_known(entry.input, side)
    said = f"{given.subject}: {given.text}" if given.subject else given.text
    return f"{given.side or 'dice'}: {said}"


def _texts(entry: "Entry", side: str) -> list[str]:
    from ui import situation

    return [event.text for event in situation.may_read(entry.events, side)]


def _entry(entry: "Entry", side: str) -> dict[str, Any]:
    from ui import situation
    from ui.playing import as_known

    given = as_known(entry.input, side)
    return {
        "number": entry.number,
        "parent": entry.parent,
        "side": given.side,
        "kind": given.kind,
        "subject": given.subject,
        "text": given.text,
        "events": talking.told(situation.may_read(entry.events, side)),
        "time": entry.time,
        "on_path": entry.on_path,
    }
