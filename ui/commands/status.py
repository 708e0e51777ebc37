"""`ophex status`: turn, phase, what is awaited from whom, and the order of battle with strengths."""

import argparse

from ui import talking

KEYS = """\
system, scenario, title, as        what is played, and who looks
turn, phase, active, over          where it stands; over is empty while it runs
facts                              the campaign's own fields
hints                              what the lesson of the scenario says to do now
awaiting: kind, side, name, prompt, choices, count, form, secret, where
sides: id, title, colour, things   things: id, name, kind, word, template, side,
                                   place, holder, fields, changed, strength
others                             the things that belong to no side"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    talking.add_campaign(parser)
    talking.add_side(parser, "what this side may know (default: everything, as the umpire)")
    talking.add_talk(parser)
    talking.epilog(parser, "ophex status my.ophex --as red", KEYS)


def run(args: argparse.Namespace) -> int:
    """Print the situation."""
    from ui import situation

    with talking.open_campaign(args.campaign) as campaign:
        view = campaign.game.view(talking.side_of(campaign, args.side))
        if args.json:
            talking.print_json(situation.as_json(view))
        else:
            print("\n".join(situation.text(view)))
    return 0
