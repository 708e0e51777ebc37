"""`ophex import`: reads in a file written by `ophex export`, a filled form, a roster or a map from Tiled."""

import argparse
from pathlib import Path

from ui.cli import talking
from ui.cli.exits import UsageError

ROSTERS = (".csv", ".tsv")
FORM = ".toml"
MAPS = (".tmj", ".tmx")

ABOUT = """

What is done goes by the ending of the file. FILE.json and a CAMPAIGN that is not there yet: the
campaign is made; all is played again and compared. FILE.toml: the filled form of a battle is
given to CAMPAIGN; every row is checked, everything wrong told at once, and all of it is one
batch that `undo --file` takes back. FILE.csv: the roster of CAMPAIGN, as `ophex roster --in`
reads it. FILE.tmj or FILE.tmx: a map made with Tiled becomes a map of the rules, printed or
written with --out."""

KEYS = """\
of a campaign:
campaign              the file that was made
inputs: number        how many inputs it has
of a form:
done: truth           whether it was given
battle                its title
given: [object]
  kind, side, subject, text
told: [text]          what it brought about
wrong: [refusal]      as of what is refused; its place: where it stands in the form
waiting: [text]       rows that are not asked for yet
of a map:
places: number        how many places it has
file                  where it was written
text                  what it is, where it was not written"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    parser.add_argument("file", metavar="FILE", help="what is read")
    parser.add_argument("campaign", nargs="?", default="", metavar="CAMPAIGN", help="the campaign that is made or given to; either may stand first")  # fmt: skip
    parser.add_argument(
        "--dry-run",
        action="store_true",
        help="a form or a roster: say what it comes to; record nothing",
    )
    parser.add_argument("-o", "--out", metavar="FILE", help="of a map: write it there instead of printing it")
    parser.add_argument("--force", action="store_true", help="write over what is there")
    talking.add_talk(parser)
    talking.epilog(
        parser,
        "ophex import my.json again.ophex\nophex import my.ophex fight-result.toml --dry-run\nophex import coast.tmj --out maps/coast.rules",
        KEYS,
        version=2,
    )


def run(args: argparse.Namespace) -> int:
    """Read it in."""
    first, second = args.file, args.campaign
    ending = next((Path(one).suffix.lower() for one in (first, second) if Path(one).suffix.lower() in {*MAPS, *ROSTERS, FORM}), "")  # fmt: skip
    other = next((one for one in (first, second) if one and Path(one).suffix.lower() != ending), "")
    read = first if other != first else second
    if ending in MAPS:
        from ui.maps.tiled_maps import import_map

        if other:
            raise UsageError("A map becomes rule text, not part of a campaign.", f"ophex import {read} --out MAP.rules")
        return import_map(args, read)
    if not second:
        raise UsageError("Say into which campaign.", f"ophex import {first} CAMPAIGN")
    if ending == FORM:
        from ui.tabletop.giving_out import import_form

        return import_form(args, other, read)
    if ending in ROSTERS:
        from ui.main import main

        talk = [word for word, said in (("--dry-run", args.dry_run), ("--json", args.json)) if said]
        return main(["roster", other, "--in", read, *talk])
    return _import_campaign(args)


def _import_campaign(args: argparse.Namespace) -> int:
    from campaigns.play.starting import start
    from campaigns.repair.exchange import import_campaign

    if args.dry_run:
        raise UsageError("A campaign is made or not made.", "Leave --dry-run out; `ophex verify` proves the new file.")
    with talking.progress("inputs") as progress:
        number = import_campaign(Path(args.file), Path(args.campaign), start, progress)
    if args.json:
        talking.print_json({"campaign": args.campaign, "inputs": number})
    else:
        talking.note(f"{args.campaign} is made: {talking.counted(number, 'input')}, each compared.")
    return 0
