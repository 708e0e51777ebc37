"""`ophex verify`: proves that a campaign file is whole: database, hash chain, and every state by playing it again."""

import argparse

from ui import talking
from ui.exits import ExitCode

KEYS = """\
ok                    whether nothing is wrong
entries               how many inputs were looked at, on all branches
seconds               how long it took
problems              what is wrong, each a sentence"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    talking.add_campaign(parser)
    talking.add_talk(parser)
    talking.epilog(parser, "ophex verify my.ophex", KEYS)


def run(args: argparse.Namespace) -> int:
    """Verify the file, even one that can no longer be played."""
    from campaigns.campaign import verify_file
    from campaigns.watching import may_write

    file = talking.existing(args.campaign)
    if not may_write(file):
        talking.note_read_only(file)
    with talking.progress("Playing it again") as tell:
        verdict = verify_file(file, progress=tell)
    looked_at = "1 entry" if verdict.entries == 1 else f"{verdict.entries} entries"
    if args.json:
        talking.print_json(
            {
                "ok": verdict.ok,
                "entries": verdict.entries,
                "seconds": round(verdict.seconds, 3),
                "problems": list(verdict.problems),
            }
        )
    elif verdict.ok:
        print(f"All is well: {looked_at}, {verdict.seconds:.2f} seconds.")
    else:
        for problem in verdict.problems:
            print(problem)
        talking.note(f"{talking.counted(len(verdict.problems), 'problem')} in {looked_at}.")
    return ExitCode.DONE if verdict.ok else ExitCode.WRONG
