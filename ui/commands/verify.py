"""`ophex verify`: proves that a campaign file is sound: database, hash chain, and every state by a replay."""

import argparse

from dsl.text.phrases import counted
from ui.cli import talking
from ui.cli.exits import ExitCode, UsageError

KEYS = """\
ok: truth             whether nothing is wrong
entries: number       number of inputs checked, on all branches
seconds: number       how long it took
problems: [text]      what is wrong, one sentence each
head: number          number of the current entry
hash                  its hash"""
ABOUT = """

It checks the database and the hash chain through all entries, replays the campaign up to its
current entry, and compares every state and every event. This proves that the record is consistent.
But anyone who has the file could make a different one that is consistent too. So write down the
hash that is printed at the end of an evening, and check it later with --noted."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    talking.add_campaign(parser)
    parser.add_argument(
        "--noted",
        action="append",
        default=[],
        metavar="HASH",
        help="a hash written down earlier, or its first digits: the record must still contain it",
    )
    parser.add_argument(
        "--seal",
        action="append",
        default=[],
        metavar="SIDE=WHAT",
        help="with sealed dice: what a side has kept, its anchor or a file of the seals it has sent; the record must contain them",
    )
    talking.add_talk(parser)
    talking.epilog(parser, "ophex verify my.ophex\nophex verify my.ophex --noted 3f8a02c4b1d96e57", KEYS)


def run(args: argparse.Namespace) -> int:
    """Verify the file, even one that can no longer be played."""
    from campaigns.file.watching import may_write
    from campaigns.play.campaign import verify_file
    from campaigns.play.starting import start

    file = talking.existing(args.campaign)
    if not may_write(file):
        talking.note_read_only(file)
    with talking.progress("Replaying") as tell:
        verdict = verify_file(file, start, progress=tell, noted=args.noted, sealed=_kept(args.seal))
    looked_at = "1 entry" if verdict.entries == 1 else f"{verdict.entries} entries"
    if args.json:
        talking.print_json(
            {
                "ok": verdict.ok,
                "entries": verdict.entries,
                "seconds": round(verdict.seconds, 3),
                "problems": list(verdict.problems),
                "head": verdict.head,
                "hash": verdict.hash,
            }
        )
    elif verdict.ok:
        print(f"All is well: {looked_at}, {verdict.seconds:.2f} seconds.")
        print(f"Entry {verdict.head} has the hash {verdict.hash}")
    else:
        for problem in verdict.problems:
            print(problem)
        talking.note(f"{counted(len(verdict.problems), 'problem')} in {looked_at}.")
    return ExitCode.DONE if verdict.ok else ExitCode.WRONG


def _kept(said: list[str]) -> dict[str, list[str]]:
    """The seals that sides have kept, by side.

    Raises:
        UsageError: a value is neither an anchor nor a file.
    """
    from pathlib import Path

    from ui.commands.do import text_of

    found: dict[str, list[str]] = {}
    for one in said:
        side, sign, what = one.partition("=")
        if not sign or not side.strip() or not what.strip():
            raise UsageError(f"'{one}' is not of the form SIDE=WHAT.", "Write --seal SIDE=ANCHOR, or --seal SIDE=FILE.")
        if set(what.lower()) <= set("0123456789abcdef") and 8 <= len(what) <= 64:
            found.setdefault(side.strip(), []).append(what)
        elif Path(what).is_file():
            lines = [line.strip().removeprefix("seal ").strip() for line in text_of(what).splitlines()]
            found.setdefault(side.strip(), []).extend(
                line for line in lines if line and not line.startswith(("#", "--"))
            )
        else:
            raise UsageError(
                f"'{what}' is neither an anchor nor a file.", "An anchor has 64 digits; the first 8 are enough."
            )
    return found
