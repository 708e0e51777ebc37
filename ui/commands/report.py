"""`ophex report`: everything that a side, or the umpire, may read of a campaign: to read, to print, to mail, or for programs."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from ui.cli import seats, talking
from ui.cli.exits import UsageError

if TYPE_CHECKING:
    from campaigns.report import Report

FORMATS = ("md", "html", "json", "csv")
TABLES = ("losses", "strengths", "score", "forces", "battles", "supply", "luck")

ABOUT = """

The report has the situation, the events, battles, losses over time, supply, the order of battle,
the score and what ends the game, the luck ledger, and what is due: everything that the side may
know. `md` is Markdown, readable as it is. `html` is one page with maps and charts, to print or to
mail. `json` follows a schema (`--schema`). `csv` is a single table; choose it with `--table`."""

KEYS = """\
as --schema describes them: schema (name and version), system, scenario,
title, reader, turn, date, phase, active, over, winner, since, sides, facts,
hints, due, opening (what happened before the first entry, if it goes back that far),
happened, errata, battles, losses, supply, supply_is_declared, forces, score,
luck (what the dice of each side have shown)"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    talking.add_campaign(parser)
    talking.add_side(parser, "for this side (default: everything, as the umpire)")
    parser.add_argument(
        "--all", action="store_true", help="write one for each side and one for the umpire into the folder --out"
    )
    parser.add_argument(
        "--since",
        default="",
        metavar="TURN",
        help="begin with this turn; LAST: begin after the side's own last input (default: the turn before)",
    )
    talking.add_format(parser, FORMATS)
    parser.add_argument("--table", choices=TABLES, default="losses", help="csv: which table (default losses)")
    parser.add_argument("-o", "--out", metavar="FILE", help="write to FILE instead of printing; with --all, a folder")
    parser.add_argument("--force", action="store_true", help="overwrite existing files")
    talking.add_talk(parser)
    talking.epilog(
        parser,
        "ophex report my.ophex --as red\nophex report my.ophex --as red --since 3 -o red.html\n"
        "ophex report my.ophex --all --format html --out reports",
        KEYS,
    )


def run(args: argparse.Namespace) -> int:
    """Make the report, or all of them."""
    from dsl.text.collecting import seldom_collected

    with seldom_collected():  # a long log makes many things and little garbage
        return _run(args)


def _run(args: argparse.Namespace) -> int:
    from campaigns.report import Wanted, report_of

    args.format = "json" if args.json else talking.format_of(args)
    if args.all and (args.side or not args.out):
        raise UsageError(
            "--all writes a file for each side into a folder.", "Name the folder with --out, and leave out --as."
        )
    with talking.open_campaign(args.campaign) as campaign:
        if not args.all:
            report = report_of(campaign, seats.side_of(campaign, args.side, to_read=True), Wanted(args.since))
            _give(_written(report, args), args.out, force=args.force)
            return 0
        from ui.cli.playing import UMPIRE

        folder = Path(args.out)
        files = {side: folder / f"{side}.{args.format}" for side in [*(one.id for one in campaign.game.sides), UMPIRE]}
        there = [str(file) for file in files.values() if file.exists()]
        if there and not args.force:
            raise UsageError(f"{there[0]} already exists.", "Choose another folder, or add --force to overwrite it.")
        folder.mkdir(parents=True, exist_ok=True)
        for side, file in files.items():
            _give(_written(report_of(campaign, side, Wanted(args.since)), args), str(file), force=True)
    return 0


def _written(report: "Report", args: argparse.Namespace) -> str:
    if args.format == "md":
        from ui.report.markdown import markdown

        return markdown(report)
    if args.format == "html":
        from ui.report.page import page

        return page(report)
    if args.format == "csv":
        from ui.report.report_tables import as_csv

        return as_csv(report, args.table)
    from json import dumps

    from campaigns.report import as_json
    from ui.cli.plain import escaped

    return escaped(f"{dumps(as_json(report), indent=2, ensure_ascii=False)}\n")


def _give(text: str, out: str | None, *, force: bool) -> None:
    from ui.cli.plain import plain
    from ui.cli.whole import put

    if not out:
        print(text, end="")
        return
    file = Path(out)
    if file.exists() and not force:
        raise UsageError(f"{out} already exists.", "Choose another file name, or add --force to overwrite it.")
    put(file, plain(text))
    talking.note(f"Wrote {out}.")
