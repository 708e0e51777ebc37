"""`ophex demo`: something to look at or to play at once, in a new temporary file.

Without a name the app opens in the middle of a battle, in the umpire's seat. With the name of a system or scenario that
has a lesson, it opens at the beginning, in the learner's seat, and the computer plays the other sides. Without a terminal
automated sides play some turns, and the situation and the map are printed.
"""

import argparse
from typing import TYPE_CHECKING, Any

from dsl.text.phrases import counted
from ui.cli import talking
from ui.cli.exits import ExitCode

if TYPE_CHECKING:
    from pathlib import Path

    from ui.app.ophex_app import CampaignApp
    from ui.cli.playing import OpenCampaign

ABOUT = """

Without a name it opens a small campaign in the middle of a battle, with a question to answer and
a log to explore. With the name of a system or scenario that has a lesson, you play one side from
the beginning, hints tell you what to do, and the computer plays against you."""

KEYS = """\
campaign              the file that was created
scenario              the scenario it was created from
turns: number         number of turns played
situation: situation    as `ophex status --json` prints it
map                   the text map"""

GREETING = """\
You are the umpire, in the middle of a fight.
2: the open question; Enter answers it.
4: the log; Enter on a line explains it.
Esc: back to the map; ?: all keys."""

HOW = """\
Keyboard: n goes to the next unit; stars show where it may go. Move to a star with the arrow keys: \
Enter lists the orders there, and Enter again gives the highlighted one. \
d: done; 2: all orders; u: undo; ?: all keys.

Mouse: click a unit, click a star, click it again, click the order. \
You can also click the words in the last line: Done, Undo, Help."""

SHOWN_EVENTS = 30


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    parser.add_argument(
        "name", nargs="?", metavar="SCENARIO", default="", help="a scenario or a system (default: a small battle)"
    )
    parser.add_argument(
        "--turns", type=int, default=3, metavar="N", help="without a terminal: number of turns to play (default 3)"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="the seed of the dice (default 1)")
    talking.add_talk(parser)
    talking.epilog(parser, "ophex demo\nophex demo --no-input --turns 1 | less", KEYS)


def run(args: argparse.Namespace) -> int:
    """Make the campaign, then open it or play it."""
    from campaigns.play.starting import create_campaign

    if talking.is_terminal():
        talking.note("Reading the rules …")
    scenario, found = _chosen(args.name)
    if found is None:
        talking.note("There are no scenarios in this installation. `ophex demo PATH` opens one of your own.")
        return ExitCode.WRONG
    file = _fresh_file()
    if talking.is_terminal():
        talking.note(f"Creating a campaign from {scenario} …")
    campaign: OpenCampaign = create_campaign(file, scenario, (), (), {}, "seeded", args.seed)
    how = ""
    with campaign:
        if talking.is_terminal() and not args.no_input and not args.json:
            learns = bool(args.name and found.lesson)
            app = lesson(campaign, found) if learns else _middle(campaign, args.seed)
            desk = app.desk
            how = f" --as {desk.seat}" * desk.fixed
            how += "".join(f" --machine {side}" for side in sorted(desk.machines.sides if desk.machines else ()))
            app.run()
        else:
            _play(campaign, scenario, args)
    talking.note(f"The campaign is in {file}; `ophex play {file}{how}` opens it.")
    return ExitCode.DONE


def lesson(campaign: "OpenCampaign", scenario: Any) -> "CampaignApp":
    """The app in the learner's seat of a scenario with a lesson, with the computer in all other seats."""
    from campaigns.play.machine_sides import MachineSides
    from ui.app.odds_beside import Bookmaker
    from ui.app.ophex_app import CampaignApp
    from ui.app.seat_desk import Desk

    others = [side for side, _ in scenario.sides if side != scenario.lesson]
    desk = Desk(campaign, scenario.lesson, MachineSides.of(campaign, others))
    return CampaignApp(desk, story=_story(campaign, scenario), bookmaker=Bookmaker(str(campaign.path)))


def _story(campaign: "OpenCampaign", scenario: Any) -> tuple[str, str]:
    """What a beginner reads first: the scenario, who is who on the map, and how to give an order."""
    from ui.maps.charting import charts_of

    letters = {side: letter for side, (_, letter, _) in charts_of(campaign.game.view(scenario.lesson))[0].sides.items()}
    told = {
        side: f"{title} ({letters[side]} on the map)" if side in letters else title for side, title in scenario.sides
    }
    others = " and ".join(name for side, name in told.items() if side != scenario.lesson)
    who = f"You play {told[scenario.lesson]}. The computer plays {others}."
    return scenario.title, "\n\n".join(filter(None, [scenario.about, who, HOW]))


def _middle(campaign: "OpenCampaign", seed: int) -> "CampaignApp":
    """The app in the umpire's seat, after automated sides have played to a question in the middle of a fight."""
    from campaigns.play.machine_sides import play_to_a_fight
    from ui.app.odds_beside import Bookmaker
    from ui.app.ophex_app import CampaignApp
    from ui.app.seat_desk import Desk
    from ui.cli.playing import UMPIRE

    play_to_a_fight(campaign, seed)
    return CampaignApp(Desk(campaign, UMPIRE), GREETING, bookmaker=Bookmaker(str(campaign.path)))


def _play(campaign: "OpenCampaign", scenario: str, args: argparse.Namespace) -> None:
    """Play some turns and print the result."""
    from campaigns.play.auto_play import auto_play
    from ui.cli.playing import UMPIRE
    from ui.maps import text_map
    from ui.maps.charting import chart_of
    from ui.wording import situation
    from ui.wording.events import event_lines

    happened = list(auto_play(campaign, turns=args.turns, policy="greedy"))
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
    print(f"{view.scenario_title or scenario}: {counted(args.turns, 'turn')} played by automated sides\n")
    lines = event_lines(happened, UMPIRE)
    left_out = len(lines) - SHOWN_EVENTS
    if left_out > 0:
        print(f"… {counted(left_out, 'earlier event')}")
    print("\n".join(lines[-SHOWN_EVENTS:]))
    print("\n".join(["", *situation.text(view), "", chart.title, "", *drawn, "", *text_map.legend(chart)]))


def _chosen(name: str) -> tuple[str, Any]:
    """The scenario to show, by its name or path, and its description.

    For a system it is the first lesson, or else the smallest scenario; None if there are none.

    Raises:
        NotFound: there is no system or scenario of that name.
    """
    from campaigns.library.locate import NotFound
    from campaigns.library.systems_by_name import names_of_systems, scenarios

    if not name:
        each = (list(scenarios(system)) for system in names_of_systems())
        found = min(next(filter(None, each), []), key=lambda one: one.rows, default=None)
        return str(found.name if found else ""), found
    try:
        all_of_it = list(scenarios(name))
    except NotFound:
        system, _, scenario = name.removesuffix(".rules").rpartition("/")
        if not system:
            raise
        return f"{system}/{scenario}", _named(scenario, system)
    found = next((one for one in all_of_it if one.lesson), None) or min(
        all_of_it, key=lambda one: one.rows, default=None
    )
    return (f"{name.rstrip('/')}/{_short(found)}" if found else ""), found


def _named(scenario: str, system: str) -> Any:
    """A scenario of a system. Raises NotFound."""
    from campaigns.library.locate import NotFound
    from campaigns.library.systems_by_name import scenarios
    from dsl.text.diagnostics import did_you_mean

    found = {_short(one): one for one in scenarios(system)}
    if scenario not in found:
        hint = did_you_mean(scenario, found) or f"It has: {', '.join(found)}."
        raise NotFound(f"There is no scenario {scenario} in {system}.", hint)
    return found[scenario]


def _short(scenario: Any) -> str:
    return str(scenario.name).rpartition("/")[2]


def _fresh_file() -> "Path":
    from pathlib import Path
    from tempfile import mkdtemp

    return Path(mkdtemp(prefix="ophex-demo-")) / "demo.ophex"
