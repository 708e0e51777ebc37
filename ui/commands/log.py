"""`ophex log`: what has happened, newest first, including what was taken back."""

import argparse
import sys
from typing import TYPE_CHECKING, Any

from ui.cli import seats, talking
from ui.cli.exits import ExitCode, UsageError

if TYPE_CHECKING:
    from ui.cli.playing import OpenCampaign, Told
    from ui.wording.persons import Persons

KEYS = """\
head: number          number of the current entry; a side's log has numbers of its own
entries: [entry]      number, parent, side, kind, subject, text, events, time, on_path;
                      on_path is false for an undone entry
opening: [event]      what happened before the first entry, if the list goes back that far
with --lines:
head: number
lines: [object]
  end, parts, inputs, beyond: number
  is_here: truth
  side, text, time
with --follow, one object on each line:
what                  "entry" with the keys of an entry; "taken-back" or "taken-up" with the
                      number of an entry printed before
number: number
parent?: number
side?, kind?, subject?, text?, time?
events?: [event]
on_path?: truth"""
ABOUT = """

--follow keeps running and prints new inputs of any session as they come, the oldest first; with
--json, one object on each line, for programs. It ends with Ctrl+C, or when its output is closed."""
SECONDS = 0.5
"""The interval between looks at a campaign that is followed."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    talking.add_campaign(parser)
    parser.add_argument(
        "-n",
        dest="limit",
        type=talking.not_negative,
        default=20,
        metavar="N",
        help="at most this many (default 20; 0: all)",
    )
    parser.add_argument(
        "--lines",
        action="store_true",
        help="list the lines of play: an input after an undo starts a new line, and the old one is kept",
    )
    parser.add_argument("--follow", action="store_true", help="keep printing new entries as they come")
    parser.add_argument(
        "--after",
        type=talking.not_negative,
        metavar="N",
        help="with --follow: start with everything after entry N, instead of the newest entries",
    )
    talking.add_side(parser, "only what this side may read (default: everything)")
    talking.add_talk(parser)
    talking.epilog(
        parser, "ophex log my.ophex -n 50\nophex log my.ophex --lines\nophex log my.ophex --follow --json", KEYS
    )


def run(args: argparse.Namespace) -> int:
    """Print the log."""
    with talking.open_campaign(args.campaign) as campaign:
        side = seats.side_of(campaign, args.side, to_read=True)
        if args.after is not None and not args.follow:
            raise UsageError("--after needs --follow.", "`-n N` prints the last N entries.")
        if args.follow and args.lines:
            raise UsageError("--lines and --follow cannot be combined.", "Leave out one of them.")
        if args.follow:
            return _follow(campaign, side, args)
        if args.lines:
            return _tell_lines(campaign, side, json=args.json)
        _tell_entries(campaign, side, args.limit, json=args.json)
    return 0


def _tell_entries(campaign: "OpenCampaign", side: str, limit: int, *, json: bool) -> None:
    """Print the newest entries, and the beginning if they go back that far. limit: how many; 0: all."""
    from ui.cli.playing import UMPIRE, told_log
    from ui.wording.events import OPENING, event_lines
    from ui.wording.persons import Persons
    from ui.wording.situation import may_read

    entries = told_log(campaign, side, limit or None)
    whole = not limit or len(entries) < limit
    opening = may_read(campaign.seen_at(0).opening, side) if whole else []
    if json:
        head = next((told.number for told in told_log(campaign, side) if told.entry.on_path), 0)
        talking.print_json(
            {
                "head": head,
                "entries": [_entry(told, side) for told in entries],
                "opening": talking.told(opening),
            }
        )
        return
    persons = Persons(campaign.game.view(side))
    for told in entries:
        _tell_entry(told, side, persons)
    if opening:
        print(f"{0:>5}   {OPENING}")
        for text in persons.all_told(event_lines(opening, side)):
            print(f"          {text}")
    elif not entries:
        talking.note("Nothing has happened yet.")
    if any(not told.entry.on_path for told in entries):
        talking.note("x marks undone entries.")
        if side == UMPIRE:
            talking.note("`ophex redo --to N` returns to the line of entry N; `--lines` lists where the lines end.")


def _tell_entry(told: "Told", side: str, persons: "Persons") -> None:
    from ui.cli.playing import as_known, said_by
    from ui.wording.events import log_lines

    given = ": ".join(said_by(as_known(told.entry, side)))
    print(f"{told.number:>5} {' ' if told.entry.on_path else 'x'} {given}")
    for text in persons.all_told(log_lines(told.entry, side)):
        print(f"          {text}")


def _follow(campaign: "OpenCampaign", side: str, args: argparse.Namespace) -> int:
    """Print new entries until nobody reads them any more."""
    from campaigns.views.following import BACK, ENTRY, follow
    from ui.wording.persons import Persons

    waits = _waits if args.campaign != talking.AT_HAND else bool  # nobody else changes a campaign in memory
    for news in follow(campaign, side, waits, args.limit or None, args.after):
        told = news.told
        if args.json:
            talking.print_json_line(
                {"what": news.what, **(_entry(told, side) if news.what == ENTRY else {"number": told.number})}
            )
        elif news.what != ENTRY:
            print(
                f"{told.number:>5} {'x' if news.what == BACK else ' '} {'was undone' if news.what == BACK else 'was redone'}"
            )
        else:
            _tell_entry(told, side, Persons(campaign.game.view(side)))
        sys.stdout.flush()
    return ExitCode.PIPE_CLOSED if args.campaign != talking.AT_HAND else ExitCode.DONE


def _waits() -> bool:
    """Waits a while; returns whether anybody is still reading. It notices a closed output even if there are no new entries."""
    import select
    import time

    time.sleep(SECONDS)
    try:
        poll = select.poll()
        poll.register(sys.stdout.fileno(), 0)
    except (AttributeError, OSError, ValueError):  # not available on this platform
        return True
    return not any(event & (select.POLLERR | select.POLLNVAL) for _, event in poll.poll(0))


def _tell_lines(campaign: "OpenCampaign", side: str, *, json: bool) -> int:
    """Print the lines of play."""
    from ui.cli.playing import UMPIRE, said_by

    if side != UMPIRE:
        raise UsageError("Only the umpire can list the lines of play.", "Leave out --as.")
    found = campaign.lines()
    ends = [campaign.entry(line.end) for line in found]
    if json:
        talking.print_json(
            {
                "head": campaign.head,
                "lines": [
                    {
                        **talking.fields_of(line, ("end", "parts", "inputs", "beyond", "is_here")),
                        "side": end.input.side,
                        "text": end.input.text,
                        "time": end.time,
                    }
                    for line, end in zip(found, ends, strict=True)
                ],
            }
        )
        return 0
    rows = [
        [
            "*" if line.is_here else "",
            line.end,
            line.inputs,
            line.parts,
            line.beyond,
            end.time,
            ": ".join(said_by(end.input)),
        ]
        for line, end in zip(found, ends, strict=True)
    ]
    talking.print_table(rows, ("", "end", "inputs", "splits after", "own inputs", "written", "last input"))
    talking.note(f"The current entry is {campaign.head}; * marks the lines that continue from it.")
    talking.note("`ophex redo --to N` goes to the line of entry N; the line that you leave is kept.")
    return 0


def _entry(told: "Told", side: str) -> dict[str, Any]:
    from ui.cli.playing import as_known, may_read

    entry = told.entry
    given = as_known(entry, side)
    return {
        "number": told.number,
        "parent": told.parent,
        **talking.fields_of(given, ("side", "kind", "subject", "text")),
        "events": talking.told(may_read(entry.events, side)),
        "time": entry.time,
        "on_path": entry.on_path,
    }
