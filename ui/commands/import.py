"""`ophex import`: reads in a file written by `ophex export`, a filled form, a roster or a map from Tiled."""

import argparse
from pathlib import Path

from dsl.text.phrases import counted
from ui.cli import talking
from ui.cli.exits import UsageError

ROSTERS = (".csv", ".tsv")
FORM = ".toml"
MAPS = (".tmj", ".tmx")

ABOUT = """

What is imported depends on the file name. FILE.json creates CAMPAIGN, which must not exist yet;
everything is replayed and compared, and every side is played by a person until `ophex desk` says
otherwise. FILE.toml is the filled-in form of a battle and is given to CAMPAIGN: every row is
checked, all errors are listed at once, and `undo --file` undoes the whole form. FILE.csv changes
the roster of CAMPAIGN, as `ophex roster --in` does. FILE.tmj or FILE.tmx is a map made with Tiled;
it becomes a map in rule text, printed or written with --out."""

KEYS = """\
for a campaign:
campaign              the file that was created
inputs: number        number of inputs in it
for a form:
done: truth           whether it was recorded
battle                its title
given: [object]
  kind, side, subject, text
told: [text]          what it led to
wrong: [refusal]      the errors, as refusals; its place: where it is in the form
waiting: [text]       rows that are not asked for yet
for a map:
places: number        number of places on it
file                  the file that was written
text                  the map, if no file was written"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    parser.add_argument("file", metavar="FILE", help="the file to read")
    parser.add_argument("campaign", nargs="?", default="", metavar="CAMPAIGN", help="the campaign to create or change; FILE and CAMPAIGN may be swapped")  # fmt: skip
    parser.add_argument(
        "--dry-run",
        action="store_true",
        help="for a form or a roster: show the result, and record nothing",
    )
    parser.add_argument("-o", "--out", metavar="FILE", help="for a map: write to FILE instead of printing")
    parser.add_argument("--force", action="store_true", help="overwrite an existing file")
    talking.add_talk(parser)
    talking.epilog(
        parser,
        "ophex import my.json again.ophex\nophex import my.ophex fight-result.toml --dry-run\nophex import coast.tmj --out maps/coast.rules",
        KEYS,
        version=2,
    )


def run(args: argparse.Namespace) -> int:
    """Import the file."""
    first, second = args.file, args.campaign
    ending = next((Path(one).suffix.lower() for one in (first, second) if Path(one).suffix.lower() in {*MAPS, *ROSTERS, FORM}), "")  # fmt: skip
    other = next((one for one in (first, second) if one and Path(one).suffix.lower() != ending), "")
    read = first if other != first else second
    if ending in MAPS:
        from ui.maps.tiled_maps import import_map

        if other:
            raise UsageError(
                "A map becomes rule text, not part of a campaign.", f"Write: ophex import {read} --out MAP.rules"
            )
        return import_map(args, read)
    if not second:
        raise UsageError("The campaign to import into is missing.", f"Write: ophex import {first} CAMPAIGN")
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
        raise UsageError(
            "--dry-run does not work for a campaign.", "Leave out --dry-run; `ophex verify` checks the new file."
        )
    with talking.progress("inputs") as progress:
        number = import_campaign(Path(args.file), Path(args.campaign), start, progress)
    if args.json:
        talking.print_json({"campaign": args.campaign, "inputs": number})
    else:
        talking.note(
            f"Created {args.campaign}: {counted(number, 'input')}, each compared. Every side is played by a person; `ophex desk` changes that."
        )
    return 0
