"""`ophex option`: the options and modules of a campaign. The umpire may change them while it runs, and gives a reason."""

import argparse
from typing import TYPE_CHECKING

from ui.cli import seats, talking
from ui.cli.exits import UsageError

if TYPE_CHECKING:
    from interpreter.machine import Game

KEYS = """\
without a change:
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

Without a change it lists them. Options and modules are chosen when a campaign is created; after
that only the umpire can change them. A new option applies from that input on, and an open question
is asked again. Modules can change only at the beginning of a turn, before any input except the
umpire's rulings; the turn then restarts. Anything that the scenario has only with a module
appears and disappears with it."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    talking.add_campaign(parser)
    parser.add_argument("options", nargs="*", metavar="OPTION=VALUE", help="an option and its new value")
    talking.add_modules(parser)
    parser.add_argument("--reason", metavar="TEXT", default="", help="the reason; it is recorded")
    talking.add_side(parser, "only the umpire may change them (default: the umpire)")
    parser.add_argument("--dry-run", action="store_true", help="show what would happen, and record nothing")
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
                raise UsageError("No change was given.", "Write OPTION=VALUE, --with MODULE or --without MODULE.")
            _tell(campaign.game, args)
            return 0
        given = Input("option", side, "\n".join(changes), args.reason)
        events = campaign.preview(given) if args.dry_run else campaign.offer(given)
        tell(campaign, events, side, args)
    return 0


def _tell(game: "Game", args: argparse.Namespace) -> None:
    """Print the possible and the current values."""
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
