"""`ophex handbook`: writes a rulebook to read and print, made from the rules and their examples."""

import argparse

from ui import talking

KEYS = """\
folder                where the pages are
pages                 their names; begin with index.html
examples              how many lines of examples say what comes out
failed                how many of them do not hold; they are marked in the pages"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("system", metavar="SYSTEM", help="a system's name or folder")
    parser.add_argument("--out", required=True, metavar="DIR", help="the folder to write to; made if it is not there")
    talking.add_workers(parser, "one for each core, if many examples")
    talking.add_talk(parser)
    talking.epilog(parser, "ophex handbook SYSTEM --out rulebook/", KEYS)


def run(args: argparse.Namespace) -> int:
    """Write the pages."""
    from campaigns.rulebook import write_handbook
    from ui.svg_map import figure

    with talking.progress("Running examples") as tell:
        found = write_handbook(args.system, args.out, tell, args.workers, figure)
    if args.json:
        talking.print_json(found)
        return 0
    print(f"{found['folder']}/index.html")
    held = found["examples"] - found["failed"]
    told = f"{held} of {talking.counted(found['examples'], 'line')} in examples hold"
    talking.note(f"{talking.counted(len(found['pages']), 'file')} written; {told}.")
    return 0
