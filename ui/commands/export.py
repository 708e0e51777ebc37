"""`ophex export`: a complete campaign as JSON; the pack of a battle at a table; a table for spreadsheets; a map for Tiled."""

import argparse
from pathlib import Path

from ui.cli import seats, talking
from ui.cli.exits import UsageError
from ui.cli.whole import put

TABLES = ("forces", "losses", "strengths", "score", "battles", "supply", "luck")
PARTS = ("result.toml", "result.html", "briefing.html", "pack.json", "forces.csv", "map.svg")

ABOUT = """

Without an option it exports the whole campaign as JSON, for the umpire only, but not what the desk
keeps beside it: letters, who plays each side, commanders, due times, names of branches. To hand a
campaign over, use `ophex backup`. --battle exports a battle that is to be fought at a table, as one
side may know it: files to print, and a blank form for the result, which `ophex import` reads when
it is filled in. --csv exports a table for spreadsheets; `forces` has a row for each thing, and
`ophex roster --in` reads it back. --map exports a map for Tiled, with a picture of its tiles."""

KEYS = """\
for a campaign:
form                  name and version of the format
documents: [object]   the files that it started with
  name, kind, text
settings: object      the settings that it started with
  scenario
  modules: [text]
  options?: {text}
  dice?, undo?
  seed?: text or number
  edition?: number    the edition of the language
beginning: object
  hash, time
entries: [object]
  number, parent: number
  kind, side, subject, text, hash, time
head: number          number of the current entry
texts?: [text]        more files, of amended rules
versions?: [object]   the amended rules; for each file name, kind and digest
  version
  files: [[text]]
with --csv:
table                 its name
rows: [{text or number or truth or null}]    by heading; null: the side may not know it
with --out:
files: [text]         the files that were written
with --battle:
system, scenario, title, reader, date, phase    the game, the reader and the time
turn: number
mark                  the mark on its form
table: object
  name, tabletop, title
  cites: [text]
  facts: {text}
  results: [object]   the questions; each: the things that each need an answer of their own
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
files: [text]         the files that were written
with --map:
map                   its name
files: [text]         the files that were written"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    parser.add_argument("campaign", metavar="CAMPAIGN", help="a campaign file; with --map, a rule system works too")
    talking.add_side(
        parser, "with --battle or --csv: only what this side may know (default: everything, as the umpire)"
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--battle",
        nargs="?",
        const="",
        default=None,
        metavar="WHICH",
        help="export a battle for the table; WHICH: its name, if there are several",
    )
    what.add_argument(
        "--csv", choices=TABLES, default=None, metavar="TABLE", help=f"export a table: {', '.join(TABLES)}"
    )
    what.add_argument("--map", default=None, metavar="FILE", help="export a map for Tiled: FILE.tmj or FILE.tmx")
    parser.add_argument("--which", default="", metavar="NAME", help="with --map: which map, if there are several")
    parser.add_argument(
        "--part",
        choices=PARTS,
        default=None,
        metavar="FILE",
        help=f"with --battle: print only this file: {', '.join(PARTS)}",
    )
    parser.add_argument(
        "-o", "--out", metavar="FILE", help="write to FILE instead of printing; with --battle, a folder"
    )
    parser.add_argument("--force", action="store_true", help="overwrite existing files")
    talking.add_talk(parser)
    talking.epilog(
        parser,
        "ophex export my.ophex -o my.json\nophex export my.ophex --battle --out table\n"
        "ophex export my.ophex --csv forces --as red -o red.csv\nophex export my-rules --map hills.tmj --which hills",
        KEYS,
    )


def run(args: argparse.Namespace) -> int:
    """Export what was asked for."""
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
                "Only the umpire can export the whole campaign.",
                f"Use `ophex report --as {side} --format json` for a side.",
            )
        found = export(campaign)
    if not args.out:
        talking.print_json(found)
        return 0
    from json import dumps

    talking.new_file(args.out, force=args.force)
    put(Path(args.out), f"{dumps(found, indent=1)}\n")
    talking.note(f"Wrote {args.out}.")
    _tell_file(args)
    return 0


def _tell_file(args: argparse.Namespace) -> None:
    if args.json:
        talking.print_json({"files": [args.out]})
