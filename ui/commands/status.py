"""`ophex status`: shows turn, phase, whom the game is waiting for, and the order of battle with strengths."""

import argparse
from typing import TYPE_CHECKING, Any

from ui.cli import seats, talking

if TYPE_CHECKING:
    from campaigns.views.glance import Glance

KEYS = """\
system, scenario, title, as        what is played, and the side that looks, or umpire
turn: number          the current turn
phase, active
over, winner          why the game is over, and the winner; empty while it runs
facts: {text}         the campaign's own fields
hints: [text]         what the lesson of the scenario says to do now
awaiting: [awaited]   kind, side, name, prompt, choices, count, form, secret, where, title,
                      titles (what each order is for), at_table (only the table knows the answer)
sides: [object]
  id, title, colour
  fields: {text}      what it has itself, such as points
  changed: [text]     which of them are not as they began
  things: [thing]     id, name, kind, word, template, side, place, holder, fields, changed,
                      strength, part (of its holder), tracks (what they were),
                      made (for each entry: kind, left, of)
others: [thing]       the things that belong to no side
place?: object        the place that --of names; the things are those in it
  label, name, kind
  fields: {text}
  joined: {[text]}    what is next to it or linked to it, with the links
states: [state]       side, state, since, due, late, played_by, letter:
                      how far each side, or this one, is with its orders"""
ABOUT = """

To see every part of a force use `ophex roster`; to see what a side may order, `ophex legal`."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    talking.add_campaign(parser)
    talking.add_side(parser, "show what this side may know (default: everything, as the umpire)")
    parser.add_argument(
        "--of",
        metavar="NAME",
        default="",
        help="show everything about one thing, with each of its parts, or about one side or place",
    )
    talking.add_talk(parser)
    talking.epilog(parser, "ophex status my.ophex --as red", KEYS)


def run(args: argparse.Namespace) -> int:
    """Print the situation."""
    from ui.cli.playing import sides_of
    from ui.wording import situation, standing

    glance = _glance(args)
    plain = talking.ascii_only()
    shown = situation.thing_text(glance.view, args.of, ascii_only=plain) if args.of else []
    said = situation.as_json(glance.view, args.of)
    if args.of and not shown:
        shown, said = _place(args)
    if args.json:
        talking.print_json({**said, "states": standing.as_json(glance.standings)})
    else:
        lines = standing.standing_lines(glance.standings, sides_of(glance.view))
        print("\n".join(shown or situation.text(glance.view, ascii_only=plain, states=lines)))
    return 0


def _place(args: argparse.Namespace) -> tuple[list[str], dict[str, Any]]:
    """What is known of the place that --of names, as lines and as data; what is kept of the situation has no maps. Raises UsageError."""
    from ui.cli.exits import UsageError
    from ui.wording import place_in_words

    with talking.open_campaign(args.campaign) as campaign:
        view = campaign.game.view(seats.side_of(campaign, args.side, to_read=True))
    shown = place_in_words.place_text(view, args.of)
    if not shown:
        said = f"There is no {args.of} here."
        raise UsageError(said, "`ophex status` lists everything.", "unknown-name", name=args.of)
    return shown, place_in_words.as_json(view, args.of)


def _glance(args: argparse.Namespace) -> "Glance":
    """The situation, without replaying anything if it was kept."""
    from datetime import datetime

    from campaigns.file.watching import may_write
    from campaigns.views.glance import keep_glance, kept_glance, look, state_of

    now = datetime.now().astimezone()
    path = None if args.campaign == talking.AT_HAND else talking.existing(args.campaign)
    state = "" if path is None else state_of(path)
    known = kept_glance(state, args.side)
    if known is not None and path is not None:
        if not may_write(path):
            talking.note_read_only(path)
        return known.at(now)
    with talking.open_campaign(args.campaign) as campaign:
        found = look(campaign, seats.side_of(campaign, args.side, to_read=True), now)
    if path is not None:
        keep_glance(path, state, args.side, found)
    return found
