"""`ophex handbook`: writes a rulebook to read and print, made from the rules and their examples."""

import argparse

from ui.cli import talking

KEYS = """\
folder                where the pages are
pages: [text]         their names; begin with index.html
examples: number      how many lines of examples say what comes out
failed: number        how many of them do not hold; they are marked in the pages"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("system", metavar="SYSTEM", help="a system's name or folder")
    parser.add_argument("--out", required=True, metavar="DIR", help="the folder to write to; made if it is not there")
    talking.add_workers(parser, "one for each core, if many examples")
    talking.add_talk(parser)
    talking.epilog(parser, "ophex handbook SYSTEM --out rulebook/", KEYS)


def run(args: argparse.Namespace) -> int:
    """Write the pages."""
    from pathlib import Path

    from campaigns.trials.rulebook import rulebook
    from ui.pages.handbook_pages import write

    with talking.progress("Running examples") as tell:
        book, maps = rulebook(args.system, tell, args.workers)
    folder = Path(args.out)
    pages = write(book, maps, folder)
    if args.json:
        talking.print_json({"folder": str(folder), "pages": pages, "examples": book.tried, "failed": book.failed})
        return 0
    print(f"{folder}/index.html")
    told = f"{book.tried - book.failed} of {talking.counted(book.tried, 'line')} in examples hold"
    talking.note(f"{talking.counted(len(pages), 'file')} written; {told}.")
    return 0
