"""`ophex odds`: the possible results of a command, an answer or pending dice, before anybody commits to them."""

import argparse
import sys
from typing import TYPE_CHECKING

from ui.cli import seats, talking
from ui.cli.exits import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from campaigns.odds import Limits, Odds, Open
    from ui.cli.playing import OpenCampaign

KEYS = """\
as                    the side, or umpire
until_dice: truth     whether everybody is supposed to end their windows until dice are rolled
odds: [odds]          the odds, one object for each thing that was asked about:
        commands: the commands; empty for dice that are to be rolled
        exact, ways: whether all outcomes of the dice were computed (false: they were
        sampled), and how many
        unseen: whether the rules can hide something from the side (true even if nothing
        is hidden now): that is left out
        events: what happens before the first roll
        throws: name, dice, side, times (on average), tables
        cards: the battle cards (`story`): title, procedure, times, lines (name, once,
        values with the chance of each, reasons if they are always the same)
        told: the messages of the rules, and how often each appears on average
        losses: side, title, removed, counts (number and chance), strength (or null)
        fates: side, name, title, what, was, value, chance
        scores: side, score and chance, if it changes
        stops: kind, side, name, chance: the decision at which it stops, `over`, or what it
        depends on that the side may not know: `hidden`, `sealed`
questions: [open]     without COMMAND, the open ones: side, name, prompt, left, candidates,
                      more, answers (as odds)
        A chance or an average is an object: value; fraction (exact, such as 1/6; empty if
        sampled); error (the standard error; 0 if exact)."""

ABOUT = """

The commands are tried on a copy of the game, as the side knows it, up to the next decision that
anybody has to make after the dice. If the dice have few outcomes, all of them are computed and
the chances are exact. Otherwise the dice are rolled many times, and the standard error is shown.
The dice of the campaign are not touched, and nothing is recorded.

Without COMMAND it shows the odds of each answer to an open question of the side, or of the dice
that are to be rolled next (with --until-dice also if windows are open before them). Write an answer
as for `do`: 'answer QUESTION with ANSWER'. Several commands form one plan."""

GIVEN = {"do", "answer"}
"""The kinds of inputs that have odds."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    talking.add_campaign(parser)
    parser.add_argument("commands", nargs="*", metavar="COMMAND", help="a command, in quotes; `ophex legal` lists them")
    talking.add_side(parser, "as this side knows the game (default: the only side the game is waiting for)")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--exact", action="store_true", help="compute all outcomes of the dice, up to 20,000, or fail")
    how.add_argument(
        "--trials",
        type=talking.at_least_one,
        default=0,
        metavar="N",
        help="roll the dice N times (default: 200, if needed)",
    )
    parser.add_argument(
        "--seconds", type=talking.at_least_one, default=30, metavar="S", help="time limit in seconds (default 30)"
    )
    parser.add_argument(
        "--until-dice",
        action="store_true",
        help="suppose that everybody ends their windows of this turn without further orders until dice are rolled; "
        "other sides take the first of their things if they are asked for one",
    )
    parser.add_argument("--brief", action="store_true", help="one or two lines: what the dice decide, and the losses")
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

    limits = Limits(exact=args.exact, trials=args.trials, seconds=args.seconds, until_dice=args.until_dice)
    if limits.trials > Limits.MOST_TRIALS:
        raise UsageError(f"{limits.trials} trials are too many: the maximum is {Limits.MOST_TRIALS:,}.")
    with talking.open_campaign(args.campaign) as campaign, talking.progress("Outcomes", forks=True) as progress:
        side = seats.some_side(campaign, args.side)
        inputs = [with_question(input_of(text, side), campaign.game.awaiting) for text in args.commands]
        if any(given.kind not in GIVEN or not given.text for given in inputs):
            raise UsageError("Only commands and answers have odds.", "`ophex legal` lists them.")
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
                "until_dice": args.until_dice,
                "odds": [attrs.asdict(one) for one in odds],
                "questions": [attrs.asdict(one) for one in questions],
            }
        )
        return 0
    (_print_brief if args.brief else _print)(odds, questions, until_dice=args.until_dice)
    return 0


def _print_brief(odds: "Sequence[Odds]", questions: "Sequence[Open]", *, until_dice: bool) -> None:
    """A line or two for each; until_dice: whether all were supposed to end their windows before the dice."""
    from ui.wording.odds_in_words import brief_lines, brief_question

    lines = [line for one in odds for line in brief_lines(one)]
    lines += [line for question in questions for line in brief_question(question)]
    if lines:
        _suppose(until_dice)
        print("\n".join(lines))
    else:
        print("Nothing depends on dice before the next decision.", file=sys.stderr)


def _print(odds: "Sequence[Odds]", questions: "Sequence[Open]", *, until_dice: bool) -> None:
    from ui.wording.odds_in_words import odds_lines, question_lines

    _suppose(until_dice)
    for one in odds:
        print("\n".join(odds_lines(one)))
        if not (one.throws or until_dice) and any(stop.kind == "orders" for stop in one.stops):
            talking.note("--until-dice looks further, as if everybody ended their windows without further orders.")
    for question in questions:
        print("\n".join(question_lines(question)))


def _suppose(until_dice: bool) -> None:
    if until_dice:
        print(
            "Supposing that everybody ends their windows of this turn without further orders until dice are rolled, "
            "and that other sides take the first of their things if they are asked for one:"
        )


def _of_dice(
    campaign: "OpenCampaign", side: str, limits: "Limits", progress: "Callable[[int, int], None] | None"
) -> "Odds":
    """The odds of the dice that are to be rolled next.

    Raises:
        UsageError: there are none.
    """
    from campaigns.odds import odds_of
    from interpreter.messages.asking import Roll

    if not (limits.until_dice or isinstance(campaign.game.pending, Roll)):
        raise UsageError(
            f"No question is open for {side}, and no dice are to be rolled.",
            "Give a command, which `ophex legal` lists; or ask with --until-dice for what was ordered before.",
        )
    return odds_of(campaign, (), side, limits, progress)
