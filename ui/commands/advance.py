"""`ophex advance`: goes on as long as nobody has anything to decide.

A window in which only `done` is left is ended, and a question with a single answer is answered. Where a person must
decide, it stops and says who.
"""

import argparse
from typing import TYPE_CHECKING

from ui import talking
from ui.exits import ExitCode

if TYPE_CHECKING:
    from interpreter.inputs import Event, Input
    from interpreter.play import Game
    from ui.playing import OpenCampaign

KEYS = """\
done, as, events, awaiting         as `ophex do --json` prints them
reached                            whether --to or --until was reached"""

MOST_STEPS = 1000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    talking.add_campaign(parser)
    goal = parser.add_mutually_exclusive_group()
    goal.add_argument("--to", metavar="PHASE", default="", help="stop when this phase begins")
    goal.add_argument(
        "--until", metavar="EVENT", default="", help="stop when an event of this kind or with this text happens"
    )
    talking.add_side(parser, "print only what this side may read (default: everything)")
    talking.add_talk(parser)
    talking.epilog(parser, "ophex advance my.ophex --to movement", KEYS)


def run(args: argparse.Namespace) -> int:
    """Go on as far as nobody is needed."""
    import attrs

    from ui import situation
    from ui.playing import UMPIRE, sides_of

    with talking.open_campaign(args.campaign) as campaign:
        side = talking.side_of(campaign, args.side)
        events, reached = _go_on(campaign, args.to, args.until)
        shown = situation.may_read(events, side)
        view = campaign.game.view(UMPIRE if side == UMPIRE else side)
        if args.json:
            talking.print_json(
                {
                    "done": bool(events),
                    "as": side,
                    "events": talking.told(shown),
                    "awaiting": [attrs.asdict(one) for one in view.awaiting],
                    "reached": reached,
                }
            )
        else:
            for event in shown:
                print(event.text)
            if not events:
                talking.note("Nothing could be done without a decision.")
            for one in view.awaiting:
                talking.note(f"next: {situation.awaited_line(one, sides_of(view))}")
    return ExitCode.DONE if reached or not (args.to or args.until) else ExitCode.WRONG


def _go_on(campaign: "OpenCampaign", phase: str, until: str) -> "tuple[list[Event], bool]":
    """Give the inputs that need no decision; what happened, and whether the goal was reached."""
    happened: list[Event] = []
    for _ in range(MOST_STEPS):
        if phase and _phase(campaign.game) == phase:
            return happened, True
        given = _needless(campaign.game)
        if given is None:
            break
        events = campaign.offer(given)
        happened += events
        if until and any(until in {event.kind, event.text} or until.lower() in event.text.lower() for event in events):
            return happened, True
    return happened, False


def _phase(game: "Game") -> str:
    from ui.playing import UMPIRE

    return game.view(UMPIRE).phase


def _needless(game: "Game") -> "Input | None":
    """An input that is the only one possible, or None where somebody has a choice."""
    from interpreter.inputs import Input

    for one in game.awaiting:
        if one.kind == "question" and one.form in {"one", "each"} and one.count == 1 == len(one.choices):
            return Input("answer", one.side, one.choices[0], one.name)
        if one.kind == "orders" and game.legal(one.side, 2) in ([], ["done"]):
            return Input("do", one.side, "done")
    return None
