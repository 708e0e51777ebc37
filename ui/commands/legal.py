"""`ophex legal`: lists every command that a side may give now, in the form that `do` takes, and the answers it may give."""

import argparse
import shlex
from typing import TYPE_CHECKING

from ui.cli import seats, talking

if TYPE_CHECKING:
    from collections.abc import Sequence

    from campaigns.desk.commanders import Commander
    from interpreter.commands.command import LegalCommand
    from interpreter.messages.inputs import Awaited
    from ui.cli.playing import OpenCampaign

KEYS = """\
as                    the side
commands: [text]      complete commands, as `ophex do` takes them
actions: [object]     the same as data
  text, order
  arguments: [object]
    name              its name
    of                its kind of thing or scale, or "number"
    values: [text]    ids, words or numbers
    before            the word before them
  via: [text]         the places of the route, if the command names them
questions: [object]   the questions to the side
  name, prompt, form
  choices: [text]
  named: [[text]]     for each choice the ids, words and numbers in it
  count: number
truncated: truth      whether there are more commands than --limit
unfinished: [text]    orders that may have more commands: the search stopped after too many
                      combinations of arguments that are not legal"""

ALL = 1_000_000
ABOUT = """

Each line is a command as `ophex do` takes it, or an answer to an open question. If a command that
you expect is missing, `ophex why-not` explains which rule forbids it."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    talking.add_campaign(parser)
    talking.add_side(parser, "the side (default: the only one the game is waiting for)")
    parser.add_argument(
        "-k", dest="pattern", metavar="TEXT", default="", help="only commands and answers that contain TEXT"
    )
    parser.add_argument(
        "--limit", type=talking.at_least_one, default=500, metavar="N", help="at most this many (default 500)"
    )
    talking.add_talk(parser)
    talking.epilog(parser, "ophex legal my.ophex --as red -k tf-1", KEYS)


def run(args: argparse.Namespace) -> int:
    """Print the legal commands."""
    from attrs import asdict

    from ui.cli.playing import UMPIRE, awaited_from

    with talking.open_campaign(args.campaign) as campaign:
        side = seats.some_side(campaign, args.side)
        waiting = awaited_from(campaign.game.view(side).awaiting, side)
        givers = [one.side for one in waiting if one.kind == "orders" and side in {UMPIRE, one.side}]
        person = seats.person_of(campaign, args.side) if "/" in args.side else None
        found, unfinished = _found(campaign, givers, side, person, args)
        commands = found[: args.limit]
        questions = [one for one in waiting if one.kind == "question" and _is_asked(campaign, person, one)]
        if args.json:
            talking.print_json(
                {
                    "as": side,
                    "commands": [one.text for one in commands],
                    "actions": [asdict(one) for one in commands],
                    "questions": [
                        talking.fields_of(one, ("name", "prompt", "form", "choices", "named", "count"))
                        for one in questions
                    ],
                    "truncated": len(found) > args.limit,
                    "unfinished": unfinished,
                }
            )
            return 0
        _tell_purposes(waiting, {command.order for command in commands})
        for command in commands:
            print(command.text)
        for one in questions:
            _tell_question(campaign, person, one, args.campaign, args.pattern)
        _tell_more(unfinished, args.limit if len(found) > args.limit else 0)
        for one in waiting:
            if one.kind == "dice":
                talking.note(f"{one.prompt} `ophex roll {shlex.quote(args.campaign)} DICE`: {one.form}")
        if not waiting:
            talking.note(f"The game is not waiting for {side} now; `ophex status` shows whom it is waiting for.")
    return 0


def _found(
    campaign: "OpenCampaign",
    givers: "Sequence[str]",
    side: str,
    person: "Commander | None",
    args: argparse.Namespace,
) -> "tuple[list[LegalCommand], list[str]]":
    """The requested commands, at least one more than are shown, and the orders that may have more commands."""
    from campaigns.desk.commanders import may_give

    most = ALL if args.pattern or person else args.limit + 1
    found, unfinished = list["LegalCommand"](), list[str]()
    for giver in givers:
        legal = [one for one in campaign.game.legal_commands(giver, most, side) if args.pattern in one.text]
        found += [one for one in legal if person is None or may_give(campaign.game, person, one.text)]
        unfinished += [order for order in campaign.game.unfinished if order not in unfinished]
    return found, unfinished


def _tell_purposes(waiting: "Sequence[Awaited]", listed: set[str]) -> None:
    """Say what the listed orders are for, as far as the rules say it."""
    purposes = {name: title for one in waiting for name, title in one.titles.items() if name in listed}
    for name, title in purposes.items():
        talking.note(f"{name}: {title}")


def _tell_more(unfinished: list[str], limit: int) -> None:
    """Say that there are more commands. limit: how many are printed if there are more; 0: all that were found."""
    if limit:
        talking.note(f"There are more commands: these are the first {limit}. A larger `--limit` shows more.")
    for order in unfinished:
        talking.note(
            f"There may be more `{order}` commands: the search stopped after too many combinations of arguments that are "
            "not legal. You can still type any of them; `ophex why-not` explains what is wrong with one."
        )


def _is_asked(campaign: "OpenCampaign", person: "Commander | None", one: "Awaited") -> bool:
    """Whether a question can be answered in a seat: all of them in that of a side."""
    from campaigns.desk.commanders import is_asked

    return person is None or is_asked(campaign.game, person, one)


def _tell_question(
    campaign: "OpenCampaign", person: "Commander | None", one: "Awaited", file: str, pattern: str
) -> None:
    """Print a question with each possible answer that contains a text, or what can be combined if no choice is an answer by itself."""
    from campaigns.desk.packets import may_be_answered
    from campaigns.play.whole_answers import answers_that_stand, choices_of_each

    talking.note(f"{one.prompt} ({one.form}) `ophex answer {shlex.quote(file)} {one.name} ANSWER`:")
    stand = answers_that_stand(one, may_be_answered(campaign.game, person, one))
    for command in (f"answer {one.name} with {answer}" for answer in stand):
        if pattern in command:
            print(command)
    if not stand and one.choices:
        talking.note(f"  Combine several of: {', '.join(one.choices)}")
    if one.form.endswith("each"):
        for thing, choices in choices_of_each(one).items():
            talking.note(f"  {thing}: {', '.join(choices)}")
