"""`ophex handbook`: makes a rulebook to read and print from the rules and their examples."""

import argparse

from dsl.text.phrases import counted
from ui.cli import talking

KEYS = """\
folder                where the pages are
pages: [text]         their names; start with index.html
examples: number      number of lines in examples that state a result
failed: number        how many of them fail; they are marked on the pages"""
ABOUT = """

The web pages show the rules, and the examples with their results. Start with index.html."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    parser.add_argument("system", metavar="SYSTEM", help="a system's name or folder")
    parser.add_argument("-o", "--out", required=True, metavar="DIR", help="the folder to write to; created if missing")
    talking.add_workers(parser, "one per core, if there are many examples")
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
    told = f"{book.tried - book.failed} of {counted(book.tried, 'line')} in examples passed"
    talking.note(f"{counted(len(pages), 'file')} written; {told}.")
    return 0
