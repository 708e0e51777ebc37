"""`ophex answer`: answers a question that the game asks."""

import argparse
from typing import TYPE_CHECKING

from ui.cli import seats, talking
from ui.cli.exits import UsageError

if TYPE_CHECKING:
    from interpreter.messages.inputs import Awaited
    from ui.cli.playing import OpenCampaign

KEYS = """\
done, as, events, awaiting: as do     as `ophex do --json` prints them
tries?: as do"""
ABOUT = """

Without ANSWER you are asked for it in the terminal, with a numbered list of the choices. If only
one question is open, you can leave out QUESTION."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    talking.add_campaign(parser)
    parser.add_argument(
        "question", nargs="?", default="", metavar="QUESTION", help="the question's name, as `ophex status` shows it"
    )
    parser.add_argument(
        "answer", nargs="?", default=None, metavar="ANSWER", help="ids, words or numbers, separated by commas; or none"
    )
    talking.add_side(parser, "the side that answers (default: the only side that is asked)")
    talking.add_talk(parser)
    talking.epilog(
        parser,
        "ophex answer my.ophex --as blue joiners 'tf-2, tf-3'      one or several\n"
        "ophex answer my.ophex 'tf-2, tf-3'                        if only one question is open\n"
        "ophex answer my.ophex firing 'tf-1, tf-2 B, others A'     one value for each\n"
        "ophex answer my.ophex guns 'tf-1 g-1, g-2; others none'   several values for each\n"
        "ophex answer my.ophex losses 'tf-1 2, tf-2 1'             shares of a split; or: even",
        KEYS,
    )


def run(args: argparse.Namespace) -> int:
    """Give the answer."""
    from interpreter.messages.inputs import Input
    from ui.commands.do import tell

    with talking.open_campaign(args.campaign, to_write=True) as campaign:
        question = _question(campaign, args)
        answer = args.answer
        if answer is None:
            for number, choice in enumerate(question.choices, start=1):
                talking.note(f"{number:>4}  {choice}")
            answer = _by_number(talking.ask(f"{question.prompt} ({question.form})", args), question)
        given = Input(
            "answer", seats.giver_of(campaign, args.side) if args.side else question.side, answer, question.name
        )
        side = seats.giver_of(campaign, args.side, [given]) if args.side else question.side
        events, tries = campaign.give([given])
        tell(campaign, events, side, args, tries=tries)
    return 0


def _question(campaign: "OpenCampaign", args: argparse.Namespace) -> "Awaited":
    """The question that is meant. If only one is open, a single word or list that is not its name is the answer.

    Raises:
        UsageError: no question has that name, or it is not clear which is meant.
    """
    from ui.cli.playing import awaited_from

    side = seats.giver_of(campaign, args.side)
    asked = [one for one in awaited_from(campaign.game.awaiting, side) if one.kind == "question"]
    named = [one for one in asked if args.question in {"", one.name}]
    known = ", ".join(one.name for one in asked)
    if len(named) == 1:
        return named[0]
    if not asked:
        raise UsageError(
            f"No question is open for {side}.",
            "`ophex status` shows what the game is waiting for.",
            "not-now",
            side=side,
        )
    if not named and args.answer is None and len(asked) == 1:
        args.answer = args.question
        return asked[0]
    if not named:
        said = f"No question '{args.question}' is open for {side}."
        raise UsageError(said, f"Open questions: {known}.", "not-now", question=args.question, side=side)
    raise UsageError(
        "It is not clear which question you mean.",
        f"Name one, and its side with --as. Open questions: {known}.",
        "unclear",
    )


def _by_number(said: str, question: "Awaited") -> str:
    """The choice of a typed number; anything else as it was typed."""
    if question.form != "number" and said.isdigit() and said not in question.choices:
        number = int(said)
        if 1 <= number <= len(question.choices):
            return question.choices[number - 1]
    return said
