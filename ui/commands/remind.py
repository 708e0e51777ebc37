"""`ophex remind`: a text for each side whose orders are awaited. ophex writes it; you send it."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from ui.cli import seats, talking
from ui.cli.exits import UsageError
from ui.cli.outbox import called, drop_reminder
from ui.cli.whole import put

if TYPE_CHECKING:
    from campaigns.desk.states import SideState
    from interpreter.messages.view import View
    from ui.cli.playing import OpenCampaign

KEYS = """\
reminders: [object]
  side                SIDE, or SIDE/NAME for a commander
  state, late, name, text
  file                with --out
removed: [text]       with --out: the files of earlier reminders that are no longer needed"""

ABOUT = """

There is no reminder for a side that the game is not waiting for, that has said `done`, that is
absent, or that the computer plays. The text says what is missing and when it is due, and nothing
about other sides. A commander is reminded if units under their command could have orders and have
none. ophex only writes the reminders; sending them is up to you."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    talking.add_campaign(parser)
    parser.add_argument(
        "-o", "--out", metavar="DIR", default="", help="write each reminder into this folder, as SIDE-reminder.txt"
    )
    talking.add_side(parser, "only this side's reminder (default: those of all sides)")
    talking.add_talk(parser)
    talking.epilog(parser, "ophex remind my.ophex --out out", KEYS)


def run(args: argparse.Namespace) -> int:
    """Write the reminders."""
    from campaigns.desk.commanders import side_of_seat
    from campaigns.desk.packets import owed_link
    from campaigns.play.named_branches import refuse_aside
    from ui.cli.plain import plain

    with talking.open_campaign(args.campaign) as campaign:
        refuse_aside(campaign)
        reminders = []
        for one in _late(campaign, args.side):
            view = campaign.game.view(side_of_seat(one.side))
            text = plain(reminder(one, view, owed_link(campaign, one.awaited)))
            file = _written(args.out, one.side, text) if args.out else ""
            reminders.append(
                {"side": one.side, "state": one.state, "late": one.late, "name": one.player.called, "text": text, "file": file}
            )  # fmt: skip
        removed = _put_away(campaign, args, {one["side"] for one in reminders}) if args.out else []
    if args.json:
        talking.print_json({"reminders": reminders, "removed": removed})
        return 0
    for said in reminders:
        if said["file"]:
            talking.note(f"reminder: {said['file']}")
        else:
            print(said["text"])
    for file in removed:
        talking.note(f"removed, no longer needed: {file}")
    if not reminders:
        talking.note("No reminders are needed.")
    return 0


def _late(campaign: "OpenCampaign", said: str) -> "list[SideState]":
    """The sides and commanders to remind; only `said`, if it names one."""
    from datetime import datetime

    from campaigns.desk.commander_states import standings_of
    from campaigns.desk.commanders import commanders_of
    from campaigns.desk.players import PERSON
    from campaigns.desk.states import GIVEN, NONE, PARTIAL, standings
    from ui.cli.playing import UMPIRE

    side = seats.side_of(campaign, said, to_read=True)
    if said and side == UMPIRE:
        raise UsageError("There are no reminders for the umpire.", "Name a side.")
    person = seats.person_of(campaign, said) if "/" in said else None
    found = standings(campaign, datetime.now().astimezone(), [side] if said else ())
    people = [one for one in commanders_of(campaign) if person in {None, one}]
    parts = standings_of(campaign, found, people)
    due = [one for one in found if person is None and one.awaited and one.state in {NONE, PARTIAL, GIVEN}]
    due += [
        one for one in parts.values() if one.awaited and one.state in {NONE, PARTIAL}
    ]  # a commander cannot end the window
    return [one for one in due if one.player.played_by == PERSON]


def _put_away(campaign: "OpenCampaign", args: argparse.Namespace, needed: set[str]) -> list[str]:
    """Remove the earlier reminders of those who need none now; returns the files."""
    folder, asked = Path(args.out), args.side.lower()
    seen = [seat for seat in seats.seats_of(campaign) if asked in {"", seat.lower(), seat.partition("/")[0].lower()}]
    return [file for seat in seen if seat not in needed for file in drop_reminder(folder, seat)]


def _written(out: str, seat: str, text: str) -> str:
    """Write a reminder into a folder, which is created if missing; returns the file."""
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    return str(put(folder / f"{called(seat)}-reminder.txt", text))


def reminder(one: "SideState", view: "View", link: tuple[int, str] | None = None) -> str:
    """The reminder for a side, with what it may know. link: the link of sealed dice that it owes, as in its packet."""
    from campaigns.desk.calendar import IN_GRACE, OVER
    from campaigns.desk.states import GIVEN, NONE
    from interpreter.messages.inputs import SEAL
    from ui.cli.playing import sides_of
    from ui.wording import situation
    from ui.wording.letters import mailed, sealing
    from ui.wording.standing import due_line

    said = {
        NONE: "Nothing has arrived from you yet.",
        GIVEN: "Your orders have arrived. `done` is missing: add it when they are complete.",
    }.get(one.state, "Some of your orders have arrived.")
    if any(awaited.kind == SEAL for awaited in one.awaited):
        said = "The dice cannot be rolled without your seal."
    late = {IN_GRACE: "They are late, but are still accepted.", OVER: "The deadline has passed."}.get(one.late, "")
    order, why = one.stopped
    wrong = f"Your letter {one.letter} stopped at `{order}`: {why}" if order else ""
    wrong = wrong or (f"The umpire has withdrawn your letter {one.letter}." if one.withdrawn else "")
    wrong = wrong or (f"Your letter {one.letter} was refused; the receipt says why." if one.letter else "")
    titles = sides_of(view)
    return mailed(
        [
            f"ophex reminder for {one.side}",
            "",
            *([f"Dear {one.player.called},", ""] if one.player.called else []),
            *situation.standing(view),
            "",
            *filter(None, (said, wrong, due_line(one.due) if one.due.at else "", late)),
            "",
            "Still needed from you:",
            *(f"  {situation.awaited_line(awaited, titles)}" for awaited in one.awaited),
            *(f"  {line}" for line in sealing(one.awaited, link, "Send the line that this prints:")),
        ]
    )
