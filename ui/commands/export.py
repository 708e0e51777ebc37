"""`ophex export`: a complete campaign as JSON; the pack of a battle at a table; a table for spreadsheets; a map for Tiled."""

import argparse
from pathlib import Path

from ui.cli import seats, talking
from ui.cli.exits import UsageError
from ui.cli.whole import put

TABLES = ("forces", "losses", "strengths", "score", "battles", "supply", "luck")
PARTS = ("result.toml", "result.html", "briefing.html", "pack.json", "forces.csv", "map.svg")

ABOUT = """

Without an option: everything, as JSON; that is for the umpire, not for a side. --battle: a
battle that is to be fought at a table, as files to print, with a blank form of its result, as a
side may know it; `ophex import` takes the filled form. --csv: a table for spreadsheets; of
forces it is a row for each thing, which `ophex roster --in` reads back. --map: a map for Tiled,
with a picture of its tiles beside it."""

KEYS = """\
of a campaign:
form                  name and version of the form
documents: [object]   the texts that it was begun with
  name, kind, text
settings: object      the choices that it was begun with
  scenario
  modules: [text]
  options?: {text}
  dice?, undo?
  seed?: text or number
  edition?: number    of the language
beginning: object
  hash, time
entries: [object]
  number, parent: number
  kind, side, subject, text, hash, time
head: number          where it stands
texts?: [text]        further texts, of amended rules
versions?: [object]   the amended rules; of each file name, kind and digest
  version
  files: [[text]]
with --csv:
table                 its name
rows: [{text or number or truth or null}]    by heading; null: what the side may not know
with --out:
files: [text]         what was written
with --battle:
system, scenario, title, reader, date, phase    of which game, for whom, and when
turn: number
mark                  what its form bears
table: object
  name, tabletop, title
  cites: [text]
  facts: {text}
  results: [object]   what is asked; each: the things of which each has an answer of its own
    question, form
    each: [text] or null
    per_side, open: truth
    words, things: [text]
forces: {[force]}     by name: depth, side, name, title, kind, type, place, whole, number, gone,
                      fields, tracks
ground: [object]
  place, name
  fields: {text}
with --battle and --out:
battle                its name
files: [text]         what was written
with --map:
map                   its name
files: [text]         what was written"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    parser.add_argument("campaign", metavar="CAMPAIGN", help="the campaign file; with --map also a rule system")
    talking.add_side(parser, "--battle, --csv: as this side may know it (default: everything, as the umpire)")
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--battle", nargs="?", const="", default=None, metavar="WHICH", help="the pack of a battle at a table"
    )
    what.add_argument("--csv", choices=TABLES, default=None, metavar="TABLE", help=f"a table: {', '.join(TABLES)}")
    what.add_argument("--map", default=None, metavar="FILE", help="a map for Tiled: FILE.tmj or FILE.tmx")
    parser.add_argument("--which", default="", metavar="NAME", help="--map: which map, where there are several")
    parser.add_argument(
        "--part",
        choices=PARTS,
        default=None,
        metavar="FILE",
        help=f"--battle: print one file of the pack alone: {', '.join(PARTS)}",
    )
    parser.add_argument(
        "-o", "--out", metavar="FILE", help="write it there instead of printing it; of --battle a folder"
    )
    parser.add_argument("--force", action="store_true", help="write over what is there")
    talking.add_talk(parser)
    talking.epilog(
        parser,
        "ophex export my.ophex -o my.json\nophex export my.ophex --battle --out table\n"
        "ophex export my.ophex --csv forces --as red -o red.csv\nophex export my-rules --map hills.tmj --which hills",
        KEYS,
    )


def run(args: argparse.Namespace) -> int:
    """Write what was asked for."""
    if args.battle is not None or args.part:
        from ui.tabletop.giving_out import export_battle

        return export_battle(args)
    if args.map is not None:
        from ui.maps.tiled_maps import export_map

        return export_map(args)
    with talking.open_campaign(args.campaign) as campaign:
        side = seats.side_of(campaign, args.side)
        if args.csv:
            from ui.report.tables_out import rows_of, table_of

            if args.json and not args.out:
                talking.print_json({"table": args.csv, "rows": rows_of(campaign, args.csv, side)})
            else:
                talking.give(table_of(campaign, args.csv, side), args.out, force=args.force)
                _tell_file(args)
            return 0
        from campaigns.repair.exchange import export
        from ui.cli.playing import UMPIRE

        if side != UMPIRE:
            raise UsageError(
                "The whole campaign is for the umpire.", f"`ophex report --as {side} --format json` is for a side."
            )
        found = export(campaign)
    if not args.out:
        talking.print_json(found)
        return 0
    from json import dumps

    talking.new_file(args.out, force=args.force)
    put(Path(args.out), f"{dumps(found, indent=1)}\n")
    talking.note(f"{args.out} is written.")
    _tell_file(args)
    return 0


def _tell_file(args: argparse.Namespace) -> None:
    if args.json:
        talking.print_json({"files": [args.out]})
