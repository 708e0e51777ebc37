"""`ophex option`: the options and modules of a campaign. The umpire may change them while it runs, and gives a reason."""

import argparse
from typing import TYPE_CHECKING

from ui.cli import seats, talking
from ui.cli.exits import UsageError

if TYPE_CHECKING:
    from interpreter.machine import Game

KEYS = """\
when they are listed:
options: [object]
  name, title, value
  words: [text]
  changed: truth      whether the umpire changed it
modules: [object]
  name, title
  on: truth
after a change:
done, as, events, awaiting: as do     as `ophex do --json` prints them
tries?: as do"""
ABOUT = """

Without a change it lists them. Options and modules are chosen when a campaign is made; from then
on only the umpire changes them. An option counts from the input that changes it on, and an open
question is put anew. Modules change while a turn begins, before anything but the umpire's rulings
was given in it; the turn then begins anew under them. What the scenario has only with a module
comes and goes with it."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    talking.add_campaign(parser)
    parser.add_argument("options", nargs="*", metavar="OPTION=VALUE", help="the option and the word it is to have")
    parser.add_argument("--with", dest="with_", action="append", default=[], metavar="MODULE", help="turn a module on")
    parser.add_argument("--without", action="append", default=[], metavar="MODULE", help="turn a module off")
    parser.add_argument("--reason", metavar="TEXT", default="", help="why; it is recorded")
    talking.add_side(parser, "only the umpire may change them (default: the umpire)")
    parser.add_argument("--dry-run", action="store_true", help="say what would happen, and record nothing")
    talking.add_talk(parser)
    talking.epilog(
        parser,
        "ophex option my.ophex\n"
        "ophex option my.ophex odds-rounding=nearest --reason 'as we agreed'\n"
        "ophex option my.ophex --with supply --reason 'the second week'",
        KEYS,
    )


def run(args: argparse.Namespace) -> int:
    """List the options, or change them."""
    from interpreter.messages.inputs import Input
    from ui.commands.do import tell

    changes = [
        *args.options,
        *(f"with {name}" for name in args.with_),
        *(f"without {name}" for name in args.without),
    ]
    with talking.open_campaign(args.campaign, to_write=bool(changes) and not args.dry_run) as campaign:
        side = seats.side_of(campaign, args.side)
        if not changes:
            if args.reason:
                raise UsageError("Say which option is to change.", "Write it as OPTION=VALUE, or --with MODULE.")
            _tell(campaign.game, args)
            return 0
        given = Input("option", side, "\n".join(changes), args.reason)
        events = campaign.preview(given) if args.dry_run else campaign.offer(given)
        tell(campaign, events, side, args)
    return 0


def _tell(game: "Game", args: argparse.Namespace) -> None:
    """Print what can be chosen and what is."""
    import attrs

    options, modules = game.options_now(), game.modules_now()
    if args.json:
        talking.print_json(
            {"options": [attrs.asdict(one) for one in options], "modules": [attrs.asdict(one) for one in modules]}
        )
        return
    if options:
        rows = [[o.name, o.value + "*" * o.changed, ", ".join(o.words), o.title] for o in options]
        talking.print_table(rows, ("option", "is", "can be", "about"))
    if options and modules:
        print()
    if modules:
        talking.print_table([[m.name, "on" if m.on else "off", m.title] for m in modules], ("module", "is", "about"))
    if any(option.changed for option in options):
        talking.note("* changed by the umpire")
    if not options and not modules:
        talking.note("The rules of this campaign have no options and no modules.")
