"""`ophex new`: makes a campaign file from a scenario. Rules, map and scenario are written into it."""

import argparse
from functools import partial
from pathlib import Path

from ui.cli import talking
from ui.cli.exits import UsageError

KEYS = """\
campaign              the file that was created
system, scenario, title, turn, phase, awaiting: as status    as `ophex status --json` prints them
warnings: [text]      warnings of the rules about these forces"""
ABOUT = """

The rules, the map and the scenario are copied into the file. Later changes of the rule files do
not affect the campaign (`ophex amend` does). `ophex systems` lists the modules and options."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    parser.add_argument("campaign", metavar="CAMPAIGN", help="the file to create; it must not exist yet")
    add_settings(parser)
    parser.add_argument(
        "--scenario",
        required=True,
        metavar="SCENARIO",
        help="the scenario's name, as `ophex scenarios` shows it, or a path",
    )
    talking.add_talk(parser)
    talking.epilog(
        parser,
        "ophex new my.ophex --scenario SYSTEM/NAME --seed 7\nophex new my.ophex --scenario SYSTEM/NAME --without weather --dice typed",
        KEYS,
    )


def add_settings(parser: argparse.ArgumentParser) -> None:
    """Add the settings of a campaign."""
    talking.add_modules(parser, "; `all`: all modules")
    add_options(parser)
    parser.add_argument(
        "--dice",
        choices=("seeded", "typed", "sealed"),
        default="seeded",
        help="where dice come from: a seed (default), your table, or the combined secrets of all sides (`ophex seal`)",
    )
    parser.add_argument(
        "--seed",
        type=int,
        default=None,
        metavar="N",
        help="the seed of the dice (default: a new one that nobody can guess; small numbers can be guessed by trying)",
    )
    parser.add_argument(
        "--undo",
        choices=("before-dice", "after-dice", "umpire"),
        default="before-dice",
        help="what a side may undo itself: its last order or answer unless it rolled dice or revealed something hidden (default); "
        "its last order or answer in any case; or nothing, so that only the umpire can undo",
    )


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the rules."""
    parser.add_argument(
        "--set", dest="options", action="append", default=[], metavar="OPTION=VALUE", help="set an option of the rules"
    )


def run(args: argparse.Namespace) -> int:
    """Make the campaign."""
    import shlex

    import attrs

    from campaigns.play.starting import create_campaign
    from ui.cli.playing import UMPIRE, sides_of
    from ui.wording import situation
    from ui.wording.events import event_lines

    options = chosen(args.options)
    campaign = create_campaign(
        Path(args.campaign),
        args.scenario,
        tuple(args.with_),
        tuple(args.without),
        options,
        args.dice,
        args.seed,
        args.undo,
    )
    campaign.before_closing = partial(talking.keep_for_next, campaign, made=True)
    with campaign:
        view = campaign.game.view(UMPIRE)
    if args.json:
        talking.print_json(
            {
                "campaign": args.campaign,
                "system": view.system,
                "scenario": view.scenario,
                "title": view.scenario_title,
                "turn": view.turn,
                "phase": view.phase,
                "awaiting": [attrs.asdict(one) for one in view.awaiting],
                "warnings": list(campaign.game.warnings),
            }
        )
        return 0
    print(f"Created {args.campaign}.")
    for warning in campaign.game.warnings:
        talking.note(f"warning: {warning}")
    for line in event_lines(campaign.game.opening, UMPIRE):
        print(line)
    for line in situation.standing(view):
        talking.note(line)
    for one in view.awaiting:
        talking.note(f"next: {situation.awaited_line(one, sides_of(view))}")
    name = shlex.quote(args.campaign)
    talking.note(f"`ophex play {name}` opens it; `ophex status {name}` shows more.")
    return 0


def chosen(settings: list[str]) -> dict[str, str]:
    """The options of `--set OPTION=VALUE`.

    Raises:
        UsageError: one of them has no `=`.
    """
    options = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals or not name.strip():
            raise UsageError(f"'{setting}' is not an option setting.", "Write --set OPTION=VALUE.")
        options[name.strip()] = value.strip()
    return options
