"""`ophex status`: turn, phase, what is awaited from whom, and the order of battle with strengths."""

import argparse

from ui import talking

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
others                             the things that belong to no side"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    talking.add_campaign(parser)
    talking.add_side(parser, "what this side may know (default: everything, as the umpire)")
    parser.add_argument("--of", metavar="NAME", default="", help="all about one thing, with each of its parts")
    talking.add_talk(parser)
    talking.epilog(parser, "ophex status my.ophex --as red", KEYS)


def run(args: argparse.Namespace) -> int:
    """Print the situation."""
    from ui import situation
    from ui.exits import UsageError

    with talking.open_campaign(args.campaign) as campaign:
        view = campaign.game.view(talking.side_of(campaign, args.side))
        plain = talking.ascii_only()
        shown = situation.thing_text(view, args.of, ascii_only=plain) if args.of else []
        if args.of and not shown:
            raise UsageError(f"There is no {args.of} here.", "`ophex status` lists what there is.")
        if args.json:
            talking.print_json(situation.as_json(view, args.of))
        else:
            print("\n".join(shown or situation.text(view, ascii_only=plain)))
    return 0
