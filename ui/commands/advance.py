"""`ophex advance`: goes on as long as nobody has anything to decide.

A window in which only `done` is left is ended, and a question with a single answer is answered. Where a person must
decide, it stops and says who. At a deadline the umpire closes for an absent side what it has not given.
"""

import argparse
from typing import TYPE_CHECKING

from ui import talking
from ui.exits import ExitCode, UsageError

if TYPE_CHECKING:
    from interpreter.inputs import Event, Input
    from interpreter.play import Game
    from ui.playing import OpenCampaign

KEYS = """\
done, as, events, awaiting         as `ophex do --json` prints them
reached                            whether --to or --until was reached"""

ABOUT = """

With --deadline SIDE the umpire first closes what the game waits for from an absent side: its
window of orders ends as it stands, a question is answered as its automated side would. The log
says that it was so, and what the rules then do without orders, they do. With --standing its
automated side gives its orders as well, by the `appeal-of-…` values of the rules."""
MOST_STEPS = 1000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    talking.add_campaign(parser)
    parser.add_argument(
        "--deadline",
        action="append",
        default=[],
        metavar="SIDE",
        help="close for this side what it has not given, or for `all`",
    )
    parser.add_argument(
        "--standing", action="store_true", help="with --deadline: standing instructions give its orders"
    )
    goal = parser.add_mutually_exclusive_group()
    goal.add_argument("--to", metavar="PHASE", default="", help="stop when this phase begins")
    goal.add_argument(
        "--until", metavar="EVENT", default="", help="stop when an event of this kind or with this text happens"
    )
    talking.add_side(parser, "print only what this side may read (default: everything)")
    talking.add_talk(parser)
    talking.epilog(parser, "ophex advance my.ophex --to movement\nophex advance my.ophex --deadline red", KEYS)


def run(args: argparse.Namespace) -> int:
    """Go on as far as nobody is needed."""
    import attrs

    from ui import situation
    from ui.playing import UMPIRE, sides_of

    with talking.open_campaign(args.campaign) as campaign:
        side = talking.side_of(campaign, args.side)
        closed = _close(campaign, side, args)
        events, reached = _go_on(campaign, args.to, args.until)
        events = closed + events
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


def _close(campaign: "OpenCampaign", side: str, args: argparse.Namespace) -> "list[Event]":
    """Close for absent sides what they have not given.

    Raises:
        UsageError: who asks is not the umpire.
    """
    from ui.playing import UMPIRE

    if not args.deadline:
        if args.standing:
            raise UsageError("Say for whom: --deadline SIDE --standing.")
        return []
    if side != UMPIRE:
        raise UsageError(f"Only the umpire closes at a deadline, not {side}.", "Leave --as out.")
    from campaigns.deadline import EVERYBODY, close

    sides = [name if name == EVERYBODY else talking.side_of(campaign, name) for name in args.deadline]
    return close(campaign, sides, standing=args.standing)


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
