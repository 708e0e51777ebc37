"""`ophex advance`: continues as long as nobody has a decision.

A window in which only `done` is left is ended, and a question with a single answer is answered. Where a person must
decide, it stops and says who. At a deadline the umpire closes for an absent side what it has not given.
"""

import argparse
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ui.cli import seats, talking
from ui.cli.exits import ExitCode, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from campaigns.desk.turning import Turned
    from interpreter.messages.inputs import Event
    from interpreter.messages.view import View
    from ui.cli.playing import OpenCampaign

KEYS = """\
done, as, events, awaiting: as do     as `ophex do --json` prints them
reached: truth        whether --to or --until was reached
closed: [text]        sides whose orders windows were ended for them
refused: [object]     standing orders and answers in advance that were refused
  side, order
  why: refusal
stopped: [object]     letters that stopped at an order when its turn came
  side, file, order
  why: refusal
backup                the backup that was made, or empty
odd: as desk          oddities found before: as `ophex desk --json` prints them"""

ABOUT = """

It ends orders windows in which only `done` is possible, answers questions that have a single
answer, and stops at the first real decision.

With --deadline SIDE the umpire first acts for an absent side: its orders window is ended as it is,
and a question is answered as an automated side would. The log records it, and play continues
without those orders. With --standing an automated side also gives its orders, guided by the
`appeal-of-…` values of the rules.

The umpire's `advance` also gives letters that wait, plays the computer's sides, and ends the
windows of absent sides (`ophex desk`); with --due also those of sides whose time is up. Standing
orders are given first. Before each turn a backup is written into CAMPAIGN.backups. Oddities (units
without orders or supply, orders that cancel each other) are listed first; they stop nothing."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    talking.add_campaign(parser)
    parser.add_argument(
        "--deadline",
        action="append",
        default=[],
        metavar="SIDE",
        help="end the window or answer the question of this side, or of `all`",
    )
    parser.add_argument(
        "--standing", action="store_true", help="with --deadline: let an automated side give its orders"
    )
    parser.add_argument(
        "--due", action="store_true", help="end the windows of sides whose time is up, and set the next due time"
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="show what would happen up to the next roll, and record nothing"
    )
    goal = parser.add_mutually_exclusive_group()
    goal.add_argument("--to", metavar="PHASE", default="", help="stop when this phase or step begins")
    goal.add_argument("--until", metavar="EVENT", default="", help="stop at an event of this kind or with this text")
    talking.add_side(parser, "advance for this side alone, and print what it may read (default: for all)")
    talking.add_talk(parser)
    talking.epilog(parser, "ophex advance my.ophex --to movement\nophex advance my.ophex --deadline red", KEYS)


def run(args: argparse.Namespace) -> int:
    """Play on until somebody is needed."""
    from datetime import datetime

    import attrs

    from campaigns.desk.copies import back_up
    from campaigns.desk.odd import odd_things
    from campaigns.desk.turning import Turned, turn_on
    from campaigns.play.going_on import go_on
    from ui.cli.playing import UMPIRE, sides_of
    from ui.wording import oddities, situation

    with _opened(args) as campaign:
        side = seats.side_of(campaign, args.side)
        if side != UMPIRE and (args.due or args.dry_run):
            raise UsageError("Only the umpire can use --due and --dry-run.", "Leave out --as.")
        goal = _goal(campaign, args.to, args.until, side)
        copy = back_up(campaign) if side == UMPIRE and not args.dry_run else None
        odd = odd_things(campaign) if side == UMPIRE else []
        for line in () if args.json else oddities.odd_lines(odd, sides_of(campaign.game)):
            talking.note(f"odd: {line}")
        letters = Turned()
        closed = _close(campaign, side, args, letters)
        if side == UMPIRE:
            turned = turn_on(campaign, datetime.now().astimezone(), overdue=args.due, reached=goal)
            turned.stopped = letters.stopped + turned.stopped
        else:
            turned = Turned(*go_on(campaign, side, goal))
        events, has_cut = closed + turned.events, False
        if args.dry_run:
            events, has_cut = _to_the_dice(events)
        view = campaign.game.view(side)
        if args.json:
            talking.print_json(
                {
                    "done": bool(events),
                    "as": side,
                    "events": talking.told(situation.may_read(events, side)),
                    "awaiting": [] if has_cut else [attrs.asdict(one) for one in view.awaiting],
                    "reached": turned.reached,
                    "closed": turned.closed,
                    "refused": [
                        {"side": one, "order": order, "why": why.as_data()} for one, order, why in turned.refused
                    ],
                    "stopped": [
                        {"side": one, "file": file, "order": order, "why": why.as_data()}
                        for one, file, order, why in turned.stopped
                    ],
                    "backup": str(copy or ""),
                    "odd": oddities.as_json(odd),
                }
            )
        else:
            _tell(events, side, turned, args, over=bool(view.over))
            _tell_next(view, args, has_cut=has_cut)
    return ExitCode.DONE if turned.reached or not (args.to or args.until) else ExitCode.WRONG


def _tell(events: "list[Event]", side: str, turned: "Turned", args: argparse.Namespace, *, over: bool) -> None:
    """Print what happened, and what was not reached."""
    from campaigns.desk.letter_orders import is_said_in_advance
    from ui.wording.events import event_lines

    for line in event_lines(events, side):
        print(line)
    stopped = "the game is over" if over else "somebody must decide first"
    if not events:
        talking.note(f"Nothing could be done: {stopped}.")
    if not turned.reached and (args.to or args.until):
        what = f"The phase {args.to} was not reached" if args.to else f"The event '{args.until}' did not happen"
        talking.note(f"{what}: {stopped}.")
    for who, order, why in turned.refused:
        what = "answer in advance" if is_said_in_advance(order) else "standing order"
        talking.note(f"{what} of {who} refused: {order}: {why.message}")
    for who, file, order, why in turned.stopped:
        talking.note(f"letter {file} of {who} stopped at `{order}`: {why.message} {why.hint}".rstrip())


def _tell_next(view: "View", args: argparse.Namespace, *, has_cut: bool) -> None:
    """Print what the game is waiting for now. has_cut: a dry run has stopped at dice."""
    from ui.cli.playing import sides_of
    from ui.wording import situation

    if args.dry_run:
        talking.note("Then dice are rolled." if has_cut else "No dice are rolled before that.")
        talking.note("This was a dry run: nothing was recorded.")
    for one in () if has_cut else view.awaiting:
        talking.note(f"next: {situation.awaited_line(one, sides_of(view))}")


@contextmanager
def _opened(args: argparse.Namespace) -> "Iterator[OpenCampaign]":
    """The campaign; for a dry run a temporary copy of it."""
    from pathlib import Path
    from tempfile import TemporaryDirectory

    with talking.open_campaign(args.campaign, to_write=not args.dry_run) as campaign:
        if not args.dry_run:
            yield campaign
            return
        with TemporaryDirectory() as folder:
            copy = Path(folder) / "copy.ophex"
            campaign.backup(copy)
            with talking.open_campaign(str(copy), to_write=True) as trial:
                yield trial


def _to_the_dice(events: "list[Event]") -> "tuple[list[Event], bool]":
    """The events before the first roll, and whether there is a roll: a dry run must not reveal coming dice."""
    first = next((at for at, event in enumerate(events) if event.kind == "roll"), None)
    return (events, False) if first is None else (events[:first], True)


def _close(campaign: "OpenCampaign", side: str, args: argparse.Namespace, letters: "Turned") -> "list[Event]":
    """End windows and answer questions for absent sides, after what waits in letters was given.

    Raises:
        UsageError: it is not the umpire who asks.
    """
    from ui.cli.playing import UMPIRE

    if not args.deadline:
        if args.standing:
            raise UsageError("--standing needs --deadline SIDE.")
        return []
    if side != UMPIRE:
        raise UsageError(f"Only the umpire can enforce a deadline, not {side}.", "Leave out --as.")
    from campaigns.desk.turning import give_letters
    from campaigns.play.deadline import EVERYBODY, close, stretch

    sides = [name if name == EVERYBODY else seats.side_of(campaign, name) for name in args.deadline]
    meant = stretch(campaign)
    given = give_letters(campaign, letters)
    if given:
        here = {one.side for one in campaign.game.awaiting} if stretch(campaign) == meant else set()
        sides = [one for one in here if one in sides or EVERYBODY in sides]
    return given + (close(campaign, sides, standing=args.standing) if sides else [])


def _goal(campaign: "OpenCampaign", phase: str, until: str, side: str) -> "Callable[[list[Event]], bool]":
    """Whether the phase has begun or is in progress, or an event of this kind or with this text has happened that the side may read.

    Raises:
        UsageError: there is no such phase.
    """
    from interpreter.messages.happenings import PhaseBegan
    from ui.cli.playing import may_read

    phases = campaign.game.phases
    if phase:
        said = "-".join(phase.lower().split())
        phase = next((name for name, title in phases.items() if said == name or phase.lower() == title.lower()), phase)
    if phase and phase not in phases:
        raise UsageError(f"This game has no phase '{phase}'.", f"Its phases are {', '.join(phases)}.", "unknown-name")

    def reached(events: "list[Event]") -> bool:
        if phase and campaign.game.is_in_phase(phase):
            return True
        if any(isinstance(event.what, PhaseBegan) and event.what.phase == phase for event in events):
            return True  # also if it is over already
        told = may_read(events, side) if until else []
        return any(until == event.kind or until.lower() in event.text.lower() for event in told)

    return reached
