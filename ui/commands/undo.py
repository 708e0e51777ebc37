"""`ophex undo`: takes back the last inputs; nothing is deleted, `redo` returns to them."""

import argparse
from typing import TYPE_CHECKING

from ui import talking

if TYPE_CHECKING:
    from ui.playing import OpenCampaign

KEYS = """\
head                  the number of the entry that counts now
awaiting              what the game waits for now"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    talking.add_campaign(parser)
    parser.add_argument(
        "--steps", type=talking.at_least_one, default=1, metavar="N", help="how many inputs (default 1)"
    )
    talking.add_talk(parser)
    talking.epilog(parser, "ophex undo my.ophex", KEYS)


def run(args: argparse.Namespace) -> int:
    """Take back inputs."""
    import attrs

    from ui import situation
    from ui.playing import UMPIRE, sides_of

    with talking.open_campaign(args.campaign, to_write=True) as campaign:
        taken = _latest(campaign, args.steps)
        entry = campaign.undo(args.steps)
        view = campaign.game.view(UMPIRE)
        if args.json:
            talking.print_json({"head": entry.number, "awaiting": [attrs.asdict(one) for one in view.awaiting]})
            return 0
        print(
            f"The campaign stands after entry {entry.number}."
            if entry.number
            else "The campaign stands at its beginning."
        )
        for number, who, what in taken:
            talking.note(f"taken back: {number} {who}: {what}")
        for line in situation.standing(view):
            talking.note(line)
        for one in view.awaiting:
            talking.note(f"next: {situation.awaited_line(one, sides_of(view))}")
    return 0


def _latest(campaign: "OpenCampaign", steps: int) -> list[tuple[int, str, str]]:
    """The last inputs, newest first: number, who gave it and what."""
    from ui.playing import said_by

    found: list[tuple[int, str, str]] = []
    number = campaign.head
    while number and len(found) < steps:
        entry = campaign.entry(number)
        found.append((number, *said_by(entry.input)))
        number = entry.parent or 0
    return found
