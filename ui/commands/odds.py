"""`ophex odds`: the possible results of a command, an answer or pending dice, before anybody commits to them."""

import argparse
import sys
from typing import TYPE_CHECKING

from ui.cli import seats, talking
from ui.cli.exits import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from campaigns.odds import Limits, Odds, Open
    from ui.cli.playing import OpenCampaign

KEYS = """\
as                    the side, or umpire
odds: [odds]          what was asked about, one object each:
        commands: the commands; empty for dice that are awaited
        exact, ways: whether all ways of the dice were followed, else tried; how many were
        events: what happens before the first dice
        throws: name, dice, side, times (on average), tables
        cards: the stories of the rules: title, procedure, times, lines (name, once,
        values with the chance of each, reasons where it is always the same)
        told: the messages of the rules, with how often they come on average
        losses: side, title, removed, counts (number and chance), strength (or null)
        fates: side, name, title, what, was, value, chance
        scores: side, score and chance, where it changes
        stops: kind, side, name, chance: the decision that it stops before, `over`, or what
        it hangs on that the side may not know: `hidden`, `sealed`
questions: [open]     open ones, without COMMAND: side, name, prompt, left, candidates, more,
                      answers (as odds)
        A chance, and a number on average, is an object: value; fraction (exactly, as 1/6; empty
        where it was tried); error (the standard error, 0 where it is exact)."""

ABOUT = """

What is asked about is tried on a copy of the game as the side knows it. It goes up to the next
decision of anybody after the dice and stops there. Where the dice can fall in few ways all of them
are followed, and the chances are exact; else they are thrown so many times, and the standard error
is told. The dice of the campaign are not touched and nothing is recorded.

Without COMMAND: of each answer to an open question of the side, or of dice that are awaited.
An answer is written as for `do`: 'answer QUESTION with ANSWER'. Several commands are one plan."""

GIVEN = {"do", "answer"}
"""The kinds of inputs that odds are asked of."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    talking.add_campaign(parser)
    parser.add_argument("commands", nargs="*", metavar="COMMAND", help="a command, in quotes; `ophex legal` lists them")
    talking.add_side(parser, "as this side knows it (default: the only one that the game waits for)")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--exact", action="store_true", help="all ways of the dice, up to 20,000, or nothing")
    how.add_argument(
        "--trials",
        type=talking.at_least_one,
        default=0,
        metavar="N",
        help="throw so many times (default: 200, where needed)",
    )
    parser.add_argument(
        "--seconds", type=talking.at_least_one, default=30, metavar="S", help="how long it may take (default 30)"
    )
    parser.add_argument("--brief", action="store_true", help="a line or two: what dice decide, and what is lost")
    talking.add_talk(parser)
    talking.epilog(
        parser,
        "ophex odds my.ophex --as red 'attack tank-1 against h-3'\n"
        "ophex odds my.ophex --as red                     each answer to the open question\n"
        "ophex odds my.ophex --as red --trials 1000 done",
        KEYS,
    )


def run(args: argparse.Namespace) -> int:
    """Print the odds."""
    import attrs

    from campaigns.odds import Limits, odds_of, odds_of_answers
    from campaigns.play.typed import input_of
    from ui.cli.playing import with_question

    limits = Limits(exact=args.exact, trials=args.trials, seconds=args.seconds)
    if limits.trials > Limits.MOST_TRIALS:
        raise UsageError(f"{limits.trials} are too many trials: the most are {Limits.MOST_TRIALS:,}.")
    with talking.open_campaign(args.campaign) as campaign, talking.progress("ways of the dice") as progress:
        side = seats.some_side(campaign, args.side)
        inputs = [with_question(input_of(text, side), campaign.game.awaiting) for text in args.commands]
        if any(given.kind not in GIVEN or not given.text for given in inputs):
            raise UsageError("Odds are asked of commands and answers alone.", "`ophex legal` lists them.")
        questions: list[Open] = []
        odds: list[Odds] = []
        if inputs:
            odds = [odds_of(campaign, inputs, side, limits, progress)]
        else:
            questions = odds_of_answers(campaign, side, limits, progress)
            if not questions:
                odds = [_of_dice(campaign, side, limits, progress)]
    if args.json:
        talking.print_json(
            {
                "as": side,
                "odds": [attrs.asdict(one) for one in odds],
                "questions": [attrs.asdict(one) for one in questions],
            }
        )
        return 0
    from ui.wording.odds_in_words import brief_lines, brief_question, odds_lines, question_lines

    if args.brief:
        lines = [line for one in odds for line in brief_lines(one)]
        lines += [line for question in questions for line in brief_question(question)]
        if lines:
            print("\n".join(lines))
        else:
            print("Nothing hangs on dice before the next decision.", file=sys.stderr)
        return 0
    for one in odds:
        print("\n".join(odds_lines(one)))
    for question in questions:
        print("\n".join(question_lines(question)))
    return 0


def _of_dice(
    campaign: "OpenCampaign", side: str, limits: "Limits", progress: "Callable[[int, int], None] | None"
) -> "Odds":
    """The odds of dice that are awaited.

    Raises:
        UsageError: none are.
    """
    from campaigns.odds import odds_of
    from interpreter.messages.asking import Roll

    if not isinstance(campaign.game.pending, Roll):
        raise UsageError(
            f"No question is open to {side}, and no dice are awaited.", "Say which command: `ophex legal` lists them."
        )
    return odds_of(campaign, (), side, limits, progress)
