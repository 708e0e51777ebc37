"""`ophex desk`: how far each side has come with its orders, when they are due, who plays it; and setting due times and players."""

import argparse
from typing import TYPE_CHECKING, Any

from dsl.text.phrases import counted
from ui.cli import seats, talking
from ui.cli.exits import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from campaigns.desk.calendar import DueDate
    from campaigns.desk.commanders import Commander
    from campaigns.desk.states import SideState
    from ui.cli.playing import OpenCampaign

KEYS = """\
due                   when orders are due; empty if no time is set
grace, every: number  minutes of grace; minutes until orders are due again
hold: truth           whether the clock is stopped
states: [state]       for each side: side, state, since, due, late, played_by,
                      letter (its last one, if that was refused or stopped,
                      or the umpire withdrew it)
players: [object]
  side, played_by, name, substitute
waiting: [object]     letters that wait
  side, file
  left: number
in_advance: [object]  answers in advance that are in force
  side, line
  refused             why, if it was refused as an answer to an open question
odd: [object]
  kind                idle, unordered, unsupplied, twice, cancelled
  side, whole
  things, orders: [text]
commanders: [object]
  side, name
  over: [text]        what each commands; empty for an observer
  state?, since?, late?, letter?    as for sides"""

ABOUT = """

The states are: nothing to order, none, partial (the side still has a question to answer or a
refused letter), given, and confirmed (the side has said `done`). Oddities are listed below them:
formations and units without an order that they could have, units short of supply, orders that
cancel each other. Nothing happens automatically when orders are due; `advance --due` acts on it.
What you set here is only for organizing the game: the rules do not see it. After a setting, only
what was set is printed (with --json everything)."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    talking.add_campaign(parser)
    parser.add_argument(
        "--due", metavar="WHEN", default="", help="when orders are due: '2026-11-26 20:00', 'thu 20:00', or `none`"
    )
    parser.add_argument(
        "--grace", metavar="SPAN", default="", help="how long letters are accepted after that: 90m, 2h, 1d"
    )
    parser.add_argument("--every", metavar="SPAN", default="", help="how long until orders are due again: 1d, 1w")
    clock = parser.add_mutually_exclusive_group()
    clock.add_argument("--hold", dest="hold", action="store_true", default=None, help="stop the clock")
    clock.add_argument("--go-on", dest="hold", action="store_false", default=None, help="start the clock again")
    talking.add_side(parser, "show only this side; the following options apply to it")
    parser.add_argument("--played-by", metavar="WHO", default="", help="person, machine or absent")
    parser.add_argument("--name", metavar="NAME", default=None, help="the person's name, for reminders")
    parser.add_argument("--substitute", metavar="NAME", default=None, help="who plays for that person; '' for nobody")
    parser.add_argument(
        "--over",
        metavar="THINGS",
        default=None,
        help="with --as SIDE/NAME: make NAME the commander of THINGS ('iron-*': all named so); '' for an observer",
    )
    parser.add_argument("--drop", action="store_true", help="with --as SIDE/NAME: remove a commander or observer")
    parser.add_argument(
        "--withdraw", action="store_true", help="with --as: withdraw its letter; what waits of it is no longer given"
    )
    talking.add_talk(parser)
    talking.epilog(
        parser,
        "ophex desk my.ophex --due 'thu 20:00' --every 1w --grace 2h\n"
        "ophex desk my.ophex --as red --name Tom --substitute Ann\n"
        "ophex desk my.ophex --as red/tom --over 'iron-division, guns-3'\n"
        "ophex desk my.ophex --as blue --played-by machine\n"
        "ophex desk my.ophex --as blue --withdraw",
        KEYS,
    )


def run(args: argparse.Namespace) -> int:
    """Apply the settings and print what was set, or print the state of the desk."""
    from datetime import datetime

    from campaigns.desk.calendar import set_due

    of_due, of_side, of_person = _settings(args)
    is_set, said = of_due or of_side or of_person or args.withdraw, args.side
    with talking.open_campaign(args.campaign, to_write=is_set) as campaign:
        now = datetime.now().astimezone()
        due = _due(campaign, args, now) if of_due else None
        if of_person:
            args.side = _set_person(campaign, args)
        if of_side:
            _set_player(campaign, args)
        if args.withdraw:
            _withdraw(campaign, args.side)
        if due is not None:
            set_due(campaign, due)
        if is_set and not args.json:
            _print_set(campaign, now, said, of_due=of_due)
        else:
            _print(campaign, now, args)
    return 0


def _settings(args: argparse.Namespace) -> tuple[bool, bool, bool]:
    """Whether something is set about the due time, a side and a commander. Raises UsageError."""
    of_due = any((args.due, args.grace, args.every)) or args.hold is not None
    of_side = bool(args.played_by) or args.name is not None or args.substitute is not None
    if (of_side or args.withdraw) and not args.side:
        raise UsageError("Name the side with --as SIDE.")
    of_person = args.over is not None or args.drop
    if of_person and "/" not in args.side:
        raise UsageError("Name the commander with --as SIDE/NAME.")
    if of_side and "/" in args.side:
        raise UsageError(
            "--played-by, --name and --substitute are kept for a side, not for its commanders.",
            f"Name the side alone: --as {args.side.partition('/')[0]}.",
        )
    return of_due, of_side, of_person


def _due(campaign: "OpenCampaign", args: argparse.Namespace, now: "datetime") -> "DueDate":
    """The new due date.

    Raises:
        CampaignError: a value is not a time.
        UsageError: other settings need a due time, and there is none.
    """
    from campaigns.desk.calendar import DueDate, due_of, has_passed_today, span_of, when

    before = due_of(campaign)
    if args.due == "none":
        return DueDate()
    at = when(args.due, now) if args.due else before.at
    if at is None:
        raise UsageError("No time is set for orders.", "Set when they are due: --due 'thu 20:00'.")
    if args.due and has_passed_today(args.due, at, now):
        talking.note(f"'{args.due}' has passed today: orders are due next week.")
    grace = span_of(args.grace) if args.grace else before.grace
    every = span_of(args.every) if args.every else before.every
    return DueDate(at, grace, every, before.hold if args.hold is None else args.hold)


def _set_player(campaign: "OpenCampaign", args: argparse.Namespace) -> None:
    from campaigns.desk.players import PLAYED_BY, set_player
    from ui.cli.playing import UMPIRE

    side = seats.side_of(campaign, args.side)
    if side == UMPIRE:
        raise UsageError("The umpire does not play a side.", "Name a side.")
    if args.played_by and args.played_by not in PLAYED_BY:
        raise UsageError(f"A side cannot be played by '{args.played_by}'.", f"Choose one of {', '.join(PLAYED_BY)}.")
    said = {"played_by": args.played_by or None, "name": args.name, "substitute": args.substitute}
    set_player(campaign, side, {name: text for name, text in said.items() if text is not None})


def _withdraw(campaign: "OpenCampaign", said: str) -> None:
    """Withdraw the letter of a side or a commander that waits."""
    from campaigns.desk.delivering import withdraw

    seat = seats.person_of(campaign, said).seat if "/" in said else seats.side_of(campaign, said)
    tray = withdraw(campaign, seat)
    left = len(tray.commands) - tray.next
    talking.note(
        f"The letter {tray.kept.file} of {seat} is withdrawn: {counted(left, 'order')} of it will not be given."
    )


def _set_person(campaign: "OpenCampaign", args: argparse.Namespace) -> str:
    """Set or remove a commander or observer; returns the side."""
    import re

    from campaigns.desk.commanders import drop_commander, set_commander

    side, _, name = args.side.partition("/")
    side = seats.side_of(campaign, side)
    if args.drop:
        drop_commander(campaign, f"{side}/{name}")
        talking.note(f"{side}/{name} is no commander or observer any more.")
    else:
        set_commander(campaign, side, name, [one for one in re.split(r"[\s,]+", args.over) if one])
    return side


def _print_set(campaign: "OpenCampaign", now: "datetime", said: str, *, of_due: bool) -> None:
    """Print what was set: when orders are due; how far the side or the commander that `said` names is, and who that is."""
    from campaigns.desk.calendar import due_of
    from campaigns.desk.commander_states import standings_of
    from campaigns.desk.states import standings
    from ui.cli.playing import sides_of
    from ui.wording import standing

    if of_due:
        print(standing.due_line(due_of(campaign)))
    if not said:
        return
    side, titles = seats.side_of(campaign, said.partition("/")[0], to_read=True), sides_of(campaign.game)
    found = standings(campaign, now, [side])
    if "/" not in said:
        for line in standing.standing_lines(found, titles):
            print(line)
        return
    people = _people(campaign, side, f"{side}/{said.partition('/')[2]}")
    _tell_people(people, standings_of(campaign, found, people), titles)


def _print(campaign: "OpenCampaign", now: "datetime", args: argparse.Namespace) -> None:
    import attrs

    from campaigns.desk.calendar import due_of
    from campaigns.desk.commander_states import standings_of
    from campaigns.desk.odd import odd_things
    from campaigns.desk.players import players_of
    from campaigns.desk.states import standings
    from ui.cli.playing import UMPIRE, sides_of
    from ui.wording import oddities, standing

    side = seats.side_of(campaign, args.side, to_read=True)
    people = _people(campaign, side, args.side)
    own = {side} if args.side and side != UMPIRE else {one.id for one in campaign.game.sides}
    due, found = due_of(campaign), standings(campaign, now, sorted(own))
    parts = standings_of(campaign, found, people)
    waiting, in_advance = _waiting(campaign, own), _in_advance(campaign, own)
    odd = odd_things(campaign, sorted(own))
    if args.json:
        talking.print_json(
            {
                "due": due.at.isoformat() if due.at else "",
                "grace": due.grace,
                "every": due.every,
                "hold": due.hold,
                "states": standing.as_json(found),
                "players": [attrs.asdict(one) for one in players_of(campaign).values() if one.side in own],
                "waiting": waiting,
                "in_advance": in_advance,
                "odd": oddities.as_json(odd),
                "commanders": [
                    {"side": one.side, "name": one.name, "over": list(one.over), **_state_of(parts.get(one.seat))}
                    for one in people
                ],
            }
        )
        return
    titles = sides_of(campaign.game)
    for line in (standing.due_line(due), *standing.standing_lines(found, titles)):
        print(line)
    for one in waiting:
        print(
            f"The letter {one['file']} of {one['side']} waits: {counted(one['left'], 'order')} {'is' if one['left'] == 1 else 'are'} left."
        )
    for one in in_advance:
        print(f"{one['side']}, in advance: {', refused: '.join(filter(None, (one['line'], one['refused'])))}")
    for line in oddities.odd_lines(odd, titles):
        print(f"Odd: {line}")
    _tell_people(people, parts, titles)


def _tell_people(people: "list[Commander]", parts: "Mapping[str, SideState]", titles: dict[str, str]) -> None:
    """Print what each commander commands, and how far they are with their orders."""
    from ui.wording import standing

    for who in people:
        print(f"{who.seat} commands {', '.join(who.over)}." if who.over else f"{who.seat} observes.")
        for line in standing.standing_lines([parts[who.seat]] if who.seat in parts else [], titles):
            print(f"  {line}")


def _people(campaign: "OpenCampaign", side: str, said: str) -> "list[Commander]":
    """The commanders and observers of a side; only one if `said` names one."""
    from campaigns.desk.commanders import commanders_of
    from ui.cli.playing import UMPIRE

    people = [one for one in commanders_of(campaign) if side in {UMPIRE, one.side}]
    return [one for one in people if one.seat == said.lower()] if "/" in said else people


def _waiting(campaign: "OpenCampaign", sides: set[str]) -> list[dict[str, Any]]:
    """The waiting letters, each with the number of orders left."""
    from campaigns.desk.trays import WAITING, trays_of

    trays = [one for one in trays_of(campaign.letters()).values() if one.fate == WAITING and one.side in sides]
    return [{"side": one.seat, "file": one.kept.file, "left": len(one.commands) - one.next} for one in trays]


def _in_advance(campaign: "OpenCampaign", sides: set[str]) -> list[dict[str, str]]:
    """The answers in advance that are in force."""
    from campaigns.desk.answers_in_advance import with_refusals

    mine = [seat for seat in seats.seats_of(campaign) if seat.partition("/")[0] in sides]
    return [
        {"side": seat, "line": text, "refused": why} for seat in mine for text, why in with_refusals(campaign, seat)
    ]


def _state_of(found: "SideState | None") -> dict[str, Any]:
    """The state of a commander as keys of an object; empty for an observer."""
    names = ("state", "since", "late", "letter")
    return dict.fromkeys(names, "") if found is None else talking.fields_of(found, names)
