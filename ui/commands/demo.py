"""`ophex demo`: a campaign that is under way, in a fresh temporary file.

On a terminal it opens the app; without one it plays a day with automated sides and prints the situation and the map.
"""

import argparse
from typing import TYPE_CHECKING

from ui import talking
from ui.exits import ExitCode

if TYPE_CHECKING:
    from pathlib import Path

    from ui.playing import OpenCampaign

KEYS = """\
campaign              the file that was made
scenario              the scenario it was made from
turns                 how many turns were played
situation             as `ophex status --json` prints it
map                   the text map"""

SHOWN_EVENTS = 30


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "--scenario", metavar="SCENARIO", default="", help="which one (default: the largest of the first system)"
    )
    parser.add_argument(
        "--turns", type=int, default=3, metavar="N", help="without a terminal: how many turns (default 3, a day)"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="the seed of the dice (default 1)")
    talking.add_talk(parser)
    talking.epilog(parser, "ophex demo\nophex demo --no-input --turns 1 | less", KEYS)


def run(args: argparse.Namespace) -> int:
    """Make the campaign, then open it or play it."""
    from ui.playing import UMPIRE, rooms

    scenario = args.scenario or _default()
    if not scenario:
        talking.note("No scenario ships with this copy. `ophex demo --scenario PATH` takes one of your own.")
        return ExitCode.WRONG
    file = _fresh_file()
    if talking.is_terminal():
        talking.note(f"Making a campaign of {scenario} …")
    campaign: OpenCampaign = rooms().create_campaign(file, scenario, (), (), {}, "seeded", args.seed)
    with campaign:
        if talking.is_terminal() and not args.no_input and not args.json:
            from ui.app.desk import Desk
            from ui.app.main import CampaignApp

            CampaignApp(Desk(campaign, UMPIRE)).run()
        else:
            _play(campaign, scenario, args)
    talking.note(f"The campaign is in {file}; `ophex play {file}` opens it.")
    return ExitCode.DONE


def _play(campaign: "OpenCampaign", scenario: str, args: argparse.Namespace) -> None:
    """Play some turns and print what has come of them."""
    from ui import situation, text_map
    from ui.chart import chart_of
    from ui.events import event_lines
    from ui.playing import UMPIRE, rooms

    happened = list(rooms().auto_play(campaign, turns=args.turns, policy="greedy"))
    view = campaign.game.view(UMPIRE)
    chart = chart_of(view)
    drawn = text_map.draw(chart, numbers=5 * chart.columns <= 160)
    if args.json:
        talking.print_json(
            {
                "campaign": str(campaign.path),
                "scenario": scenario,
                "turns": args.turns,
                "situation": situation.as_json(view),
                "map": "\n".join(drawn),
            }
        )
        return
    print(f"{view.scenario_title or scenario}: {talking.counted(args.turns, 'turn')} played by automated sides\n")
    lines = event_lines(happened, UMPIRE)
    left_out = len(lines) - SHOWN_EVENTS
    if left_out > 0:
        print(f"… {talking.counted(left_out, 'earlier event')}")
    print("\n".join(lines[-SHOWN_EVENTS:]))
    print("\n".join(["", *situation.text(view), "", chart.title, "", *drawn, "", *text_map.legend(chart)]))


def _default() -> str:
    """The largest scenario of the first system that has one: the one with the most to see."""
    from ui.playing import rooms

    for system in rooms().list_systems():
        found = list(rooms().scenarios(system.name))
        if found:
            return str(max(found, key=lambda s: s.rows).name)
    return ""


def _fresh_file() -> "Path":
    from pathlib import Path
    from tempfile import mkdtemp

    return Path(mkdtemp(prefix="ophex-demo-")) / "demo.ophex"
