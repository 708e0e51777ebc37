"""`ophex leaks`: tests whether a side can find out what it may not know, in copies of a campaign that differ only in that."""

import argparse
import io
import sys
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import TYPE_CHECKING, Any

from dsl.text.phrases import counted
from ui.cli import seats, talking
from ui.cli.exits import ExitCode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from campaigns.leaks.compared_worlds import Copy, Difference, Found, Look

KEYS = """\
as: [text]            the sides whose outputs were compared
same: truth           whether no byte differed
complete: truth       whether all of it was tried in the time given
worlds: number        number of pairs of worlds
secrets: {number}     number of things varied, by kind of secret
outputs: {number}     number of outputs compared, by command
differences: [object]
  as, secret, command, one, other"""

ABOUT = """

It makes copies of the campaign in memory in which everything that is hidden from the side is
different: hidden fields, places, names and holders, now and at the beginning of the turn (if the
turn then shows the side the same), whether unseen things exist at all and whose they are, the dice
to come, the secret orders and answers of others, and the umpire's rulings on hidden things.
Everything that the side can print must then be the same, byte for byte: the situation, the map,
the log, legal orders, explanations, refusals with their hints, dry runs and exit codes, even for
names and values that somebody could guess from the scenario. The file is not changed.

A difference is a leak: in the rules (a message that reveals too much) or in ophex. Test a campaign
at several moments: only what is hidden at the moment can be tested."""

SHOWN = 10
"""The number of differences that are printed."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    talking.add_campaign(parser)
    talking.add_side(parser, "test this side (default: each side)")
    parser.add_argument(
        "--rounds",
        type=talking.at_least_one,
        default=1,
        metavar="N",
        help="vary each kind of secret N times (default 1)",
    )
    parser.add_argument(
        "--guesses",
        type=talking.not_negative,
        default=60,
        metavar="N",
        help="number of values, orders and names to guess in each pair of worlds (default 60)",
    )
    parser.add_argument(
        "--seconds",
        type=talking.at_least_one,
        metavar="S",
        help="stop after so many seconds and report what was tried (default: try everything)",
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="the seed of the random choices (default 0)")
    talking.add_talk(parser)
    talking.epilog(parser, "ophex leaks my.ophex\nophex leaks my.ophex --as red --rounds 20 --guesses 200", KEYS)


def run(args: argparse.Namespace) -> int:
    """Compare the worlds, and print the result."""
    from campaigns.leaks.compared_worlds import leaks
    from ui.cli.playing import UMPIRE

    with talking.open_campaign(args.campaign) as campaign, talking.progress("worlds", forks=True) as progress:
        side = seats.side_of(campaign, args.side)
        sides = [one.id for one in campaign.game.sides] if side == UMPIRE else [side]
        found = leaks(
            campaign,
            sides,
            printed,
            rounds=args.rounds,
            guesses=args.guesses,
            seed=args.seed,
            seconds=args.seconds,
            progress=progress,
        )
    if args.json:
        talking.print_json(_as_json(found, sides))
    else:
        _print(found, sides)
    return ExitCode.WRONG if found.differences else ExitCode.DONE


def printed(copy: "Copy", side: str, look: "Look") -> str:
    """Everything that a command prints for a side of a campaign in memory, and its exit code."""
    from campaigns.leaks.compared_worlds import LETTER
    from ui.main import main

    if look.kind == "app":
        return _screen(copy, side)
    out, kind, words = io.StringIO(), look.kind, look.words
    if kind == LETTER:
        kind, words = "mail", ("--dry-run", "--in", "-")
    with talking.at_hand(copy), _piped("\n".join(look.words)), redirect_stdout(out), redirect_stderr(out):
        code = main([kind, talking.AT_HAND, *words, "--as", side])
    if code == ExitCode.INTERRUPTED:
        raise KeyboardInterrupt
    return f"{out.getvalue()}exit code {int(code)}\n"


@contextmanager
def _piped(text: str) -> "Iterator[None]":
    """Replaces standard input by a text for a while."""
    before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8")
    try:
        yield
    finally:
        sys.stdin = before


def _screen(copy: Any, side: str) -> str:
    """Everything that the app shows and completes in a seat."""
    from campaigns.play.whole_answers import whole_answers
    from ui.app.seat_desk import Desk
    from ui.cli.playing import as_known
    from ui.wording.events import log_lines

    found = Desk(copy, side).look()
    answers = [whole_answers(one) for one in found.waiting if one.kind == "question"]
    log = [(one.number, one.parent, as_known(one.entry, side), log_lines(one.entry, side)) for one in found.log]
    return repr((found.view, found.waiting, found.legal, log, sorted(found.named), answers))


def _print(found: "Found", sides: list[str]) -> None:
    for number, one in enumerate(found.differences[:SHOWN], start=1):
        print(f"{number}. {one.side} can see a difference ({one.secret}): ophex {_command(one)}")
        for line in _apart(one):
            print(f"   {line}")
    if len(found.differences) > SHOWN:
        print(f"And {len(found.differences) - SHOWN} more; --json prints them all.")
    tried = ", ".join(f"{kind} {number}" for kind, number in sorted(found.secrets.items())) or "nothing is hidden"
    outputs = ", ".join(f"{kind} {number}" for kind, number in sorted(found.outputs.items())) or "none"
    print(f"Varied for {' and '.join(sides)}, in {counted(found.worlds, 'pair')} of worlds: {tried}.")
    print(f"Compared {counted(found.outputs.total(), 'pair')} of outputs: {outputs}.")
    if found.cut_short:
        print("The time was up before everything was tried. Give it more --seconds, or test one side with --as.")
    if found.outputs or not found.cut_short:
        print("No byte differs." if not found.differences else f"{len(found.differences)} of them differ.")


def _command(one: "Difference") -> str:
    import shlex

    if one.look.kind == "letter":
        return f"{shlex.join(['mail', 'CAMPAIGN', '--dry-run', '--in', '-', '--as', one.side])} <<< {shlex.join(one.look.words)}"
    return shlex.join([one.look.kind, "CAMPAIGN", *one.look.words, "--as", one.side])


def _apart(one: "Difference") -> list[str]:
    """The lines in which two outputs differ."""
    from difflib import unified_diff

    lines = list(unified_diff(one.one.splitlines(), one.other.splitlines(), lineterm="", n=0))[2:]
    return [line[:300] for line in lines if not line.startswith("@@")][:6]


def _as_json(found: "Found", sides: list[str]) -> dict[str, Any]:
    return {
        "as": sides,
        "same": not found.differences,
        "complete": not found.cut_short,
        "worlds": found.worlds,
        "secrets": dict(found.secrets),
        "outputs": dict(found.outputs),
        "differences": [
            {"as": one.side, "secret": one.secret, "command": _command(one), "one": one.one, "other": one.other}
            for one in found.differences
        ],
    }
