"""`ophex undo`: takes back the last inputs; nothing is deleted, `redo` returns to them."""

import argparse
from typing import TYPE_CHECKING

from ui import talking
from ui.exits import UsageError

if TYPE_CHECKING:
    from ui.playing import OpenCampaign

KEYS = """\
head                  the number of the entry that counts now
awaiting              what the game waits for now
with --as: done, as, events, awaiting, as `ophex do --json` prints them"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    talking.add_campaign(parser)
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--steps", type=talking.at_least_one, default=1, metavar="N", help="how many inputs (default 1)")
    how.add_argument(
        "--to",
        type=talking.not_negative,
        default=None,
        metavar="N",
        help="back to where entry N was accepted; 0: the beginning",
    )
    talking.add_side(
        parser, "take back this side's last order or answer, as it may itself (default: the last input, as the umpire)"
    )
    talking.add_talk(parser)
    talking.epilog(parser, "ophex undo my.ophex\nophex undo my.ophex --to 12", KEYS)


def run(args: argparse.Namespace) -> int:
    """Take back inputs."""
    import attrs

    from ui import situation
    from ui.commands.do import tell
    from ui.playing import UMPIRE, sides_of

    with talking.open_campaign(args.campaign, to_write=True) as campaign:
        side = talking.side_of(campaign, args.side)
        if side != UMPIRE:
            if args.steps != 1 or args.to is not None:
                raise UsageError(
                    f"Only the umpire goes over several entries, not {side}.", "Leave --steps and --to out."
                )
            tell(campaign, campaign.take_back(side), side, args)
            return 0
        before = campaign.head
        entry = campaign.undo(args.steps) if args.to is None else campaign.go_back(args.to)
        taken = _taken(campaign, before, entry.number)
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


def _taken(campaign: "OpenCampaign", before: int, now: int) -> list[tuple[int, str, str]]:
    """The inputs that were taken back, newest first: number, who gave it and what."""
    from ui.playing import said_by

    return [(number, *said_by(campaign.entry(number).input)) for number in reversed(campaign.between(now, before))]
