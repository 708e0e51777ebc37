"""`ophex switch`: continues with another branch of the campaign, from its head."""

import argparse

from ui.cli import talking

KEYS = """\
branch                the current branch
head: number          number of the current entry
awaiting: as do       what the game is waiting for now"""
ABOUT = """

From then on every command works on that branch."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    talking.add_campaign(parser)
    parser.add_argument(
        "name", metavar="NAME", help="the branch; `ophex branch` lists them, and the main one is `main`"
    )
    talking.add_talk(parser)
    talking.epilog(parser, "ophex switch my.ophex main", KEYS)


def run(args: argparse.Namespace) -> int:
    """Go to another branch."""
    import attrs

    from campaigns.play.named_branches import switch
    from ui.cli.playing import UMPIRE, sides_of
    from ui.wording import situation

    with talking.open_campaign(args.campaign, to_write=True) as campaign:
        found = switch(campaign, args.name)
        view = campaign.game.view(UMPIRE)
        if args.json:
            awaiting = [attrs.asdict(one) for one in view.awaiting]
            talking.print_json({"branch": found.name, "head": campaign.head, "awaiting": awaiting})
            return 0
        print(f"The campaign is now on branch {found.name}, after entry {found.entry}.")
        for line in situation.standing(view):
            talking.note(line)
        for one in view.awaiting:
            talking.note(f"next: {situation.awaited_line(one, sides_of(view))}")
    return 0
