"""`ophex status`: turn, phase, what is awaited from whom, and the order of battle with strengths."""

import argparse
from typing import TYPE_CHECKING

from ui import talking

if TYPE_CHECKING:
    from campaigns.desk.states import Standing
    from ui.playing import OpenCampaign

KEYS = """\
system, scenario, title, as        what is played, and who looks
turn, phase, active                where it stands
over, winner                       why it is over, and the side that has won; empty while it runs
facts                              the campaign's own fields
hints                              what the lesson of the scenario says to do now
awaiting: kind, side, name, prompt, choices, count, form, secret, where
sides: id, title, colour, things   things: id, name, kind, word, template, side,
                                   place, holder, fields, changed, strength,
                                   part (of its holder), tracks (what they were),
                                   made (of each entry: kind, left, of)
others                             the things that belong to no side
states: side, state, since, due, late, played_by, letter
                                   how far each side, or this one, has come"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    talking.add_campaign(parser)
    talking.add_side(parser, "what this side may know (default: everything, as the umpire)")
    parser.add_argument("--of", metavar="NAME", default="", help="all about one thing, with each of its parts")
    talking.add_talk(parser)
    talking.epilog(parser, "ophex status my.ophex --as red", KEYS)


def run(args: argparse.Namespace) -> int:
    """Print the situation."""
    from ui import situation, standing
    from ui.exits import UsageError
    from ui.playing import sides_of

    with talking.open_campaign(args.campaign) as campaign:
        view = campaign.game.view(talking.side_of(campaign, args.side))
        plain = talking.ascii_only()
        shown = situation.thing_text(view, args.of, ascii_only=plain) if args.of else []
        if args.of and not shown:
            raise UsageError(f"There is no {args.of} here.", "`ophex status` lists what there is.")
        states = _states(campaign, view.side)
        if args.json:
            talking.print_json({**situation.as_json(view, args.of), "states": standing.as_json(states)})
        else:
            lines = standing.standing_lines(states, sides_of(view))
            print("\n".join(shown or situation.text(view, ascii_only=plain, states=lines)))
    return 0


def _states(campaign: "OpenCampaign", side: str) -> "list[Standing]":
    """How far the sides have come that the viewer may be told of: a side hears of itself alone."""
    from datetime import datetime

    from campaigns.desk.states import standings
    from ui.playing import UMPIRE

    if campaign.game.over:
        return []
    return standings(campaign, datetime.now().astimezone(), () if side in {"", UMPIRE} else [side])
