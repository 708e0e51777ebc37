"""`ophex legal`: every command that a side may give now, in the form that `do` takes, and the answers it may give."""

import argparse
import shlex

from ui import talking

KEYS = """\
as                    the side
commands              whole commands, as `ophex do` takes them
actions               the same as data: text, order, arguments; of each argument its
                      name, what it is of (a kind, a scale, "number"), and its values:
                      ids, words or numbers
questions             name, prompt, form, choices, count of each question to the side
truncated             whether there are more commands than --limit
unfinished            orders of which there may be more: too many combinations of
                      arguments were tried in vain"""

ALL = 1_000_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    talking.add_campaign(parser)
    talking.add_side(parser, "the side (default: the only one that the game waits for)")
    parser.add_argument("-k", dest="pattern", metavar="TEXT", default="", help="only commands with this text")
    parser.add_argument(
        "--limit", type=talking.at_least_one, default=500, metavar="N", help="at most this many (default 500)"
    )
    talking.add_talk(parser)
    talking.epilog(parser, "ophex legal my.ophex --as red -k tf-1", KEYS)


def run(args: argparse.Namespace) -> int:
    """Print the legal commands."""
    from functools import partial

    from attrs import asdict

    from campaigns.desk.commanders import may_give
    from ui.answers import answers_that_stand, choices_of_each
    from ui.playing import UMPIRE, awaited_from

    with talking.open_campaign(args.campaign) as campaign:
        side = talking.some_side(campaign, args.side)
        person = talking.person_of(campaign, args.side) if "/" in args.side else None
        view = campaign.game.view(side)
        waiting = awaited_from(view.awaiting, side)
        givers = [one.side for one in waiting if one.kind == "orders" and side in {UMPIRE, one.side}]
        most = ALL if args.pattern else args.limit + 1
        found, unfinished = [], list[str]()
        for giver in givers:
            legal = [
                command
                for command in campaign.game.legal_commands(giver, ALL if person else most, side)
                if args.pattern in command.text
            ]
            found += [one for one in legal if person is None or may_give(campaign.game, person, one.text)]
            unfinished += [order for order in campaign.game.unfinished if order not in unfinished]
        commands = found[: args.limit]
        questions = [one for one in waiting if one.kind == "question"]
        if args.json:
            talking.print_json(
                {
                    "as": side,
                    "commands": [one.text for one in commands],
                    "actions": [asdict(one) for one in commands],
                    "questions": [
                        {
                            "name": one.name,
                            "prompt": one.prompt,
                            "form": one.form,
                            "choices": one.choices,
                            "count": one.count,
                        }
                        for one in questions
                    ],
                    "truncated": len(found) > args.limit,
                    "unfinished": unfinished,
                }
            )
            return 0
        for command in commands:
            print(command.text)
        for one in questions:
            talking.note(f"{one.prompt} ({one.form}) `ophex answer {shlex.quote(args.campaign)} {one.name} ANSWER`:")
            stand = answers_that_stand(one, partial(campaign.game.may_answer, one.side, one.name))
            for answer in stand:
                print(f"answer {one.name} with {answer}")
            if not stand and one.choices:
                talking.note(f"  Several together, of: {', '.join(one.choices)}")
            if one.form.endswith("each"):
                for thing, choices in choices_of_each(one).items():
                    talking.note(f"  {thing}: {', '.join(choices)}")
        if len(found) > args.limit:
            talking.note(f"There are more; these are the first {args.limit}. `--limit` shows others.")
        for order in unfinished:
            talking.note(
                f"Of `{order}` there may be more: so many combinations of arguments were tried in vain that the rest was not "
                "looked through. Any can be typed; `ophex why-not` says what speaks against it."
            )
        for one in waiting:
            if one.kind == "dice":
                talking.note(f"{one.prompt} `ophex roll {shlex.quote(args.campaign)} DICE`: {one.form}")
        if not waiting:
            talking.note(f"Nothing is awaited from {side} now; `ophex status` tells from whom.")
    return 0
