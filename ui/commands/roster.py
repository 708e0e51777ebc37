"""`ophex roster`: a force with its parts, one line each; written as a table for a spreadsheet, and read back."""

import argparse
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dsl.text.phrases import counted
from ui.cli import seats, talking
from ui.cli.exits import ExitCode, UsageError
from ui.cli.whole import put

if TYPE_CHECKING:
    from collections.abc import Sequence

    from campaigns.views.force_forest import ForceNode
    from ui.cli.playing import OpenCampaign
    from ui.roster.roster_changes import Plan
    from ui.roster.roster_files import RosterFile

KEYS = """\
without --in:
as                    the side that looks, or umpire
turn: number          the current turn
things: [object]
  name, title, kind, type    its id and title; its kind and the type it is made from
  side, place, whole         whole: what it belongs to
  in_play: truth      false if it has left the game
  fields: {text}      as `ophex status --json` prints them
  changed: [text]
  tracks: {number}
  made: [[text or number]]    for each entry its name, kind, how many are left, of how many
with --in:
done: truth           whether the changes were recorded; false with --dry-run
changes: [object]
  thing, was, now
  field               empty for a thing that is added
wrong: [refusal]      the errors, as refusals; its place: `row 5, column D (wounds)`"""
ABOUT = """

Without THING it lists all forces. THING is a ship, a platoon, one of its parts, or a side. Each
line is one part at the lowest level or, with `--per KIND`, one thing of that kind with its parts.
A column that has the same value everywhere is left out. Marks are shown as words, tracks as boxes,
and what has left the game as `gone`. With --as SIDE you see what that side may know.

--out writes a table with a row for each thing: FILE.csv for a spreadsheet (UTF-8), FILE.tsv with
tabs, FILE.toml for an editor, `-` for CSV on standard output. A text that a spreadsheet would
evaluate or convert (=1+1, 4/3, 0304) gets an apostrophe in front; `?` means that the side may not
know the value. Without --as the file of all forces, or of a side, also has the units that have left
the game (`no` in the column `in play`, and `?` for the rest).

--in reads such a table back, as a ruling of the umpire. You may move or leave out columns and
rows; whatever is missing stays as it is. An empty cell empties its field. `?` and columns whose
heading begins with `#` are ignored. Cells may be separated by commas, semicolons or tabs; 2,5
means 2.5. In the column `in play`, `no` removes a thing from the game and `new` adds a part: such
a row needs `made from` and `belongs to`, and gets a name if it has none. All errors are listed at
once, and then nothing is changed. All changes are printed; with --dry-run they are not made."""

FORMATS = (".csv", ".tsv", ".toml")
STDOUT = "-"
MOST_BYTES = 4_000_000
MOST_WRONG = 50
"""The number of errors that are printed."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    talking.add_campaign(parser)
    parser.add_argument(
        "things", nargs="*", metavar="THING", help="only this thing with all its parts, or only this side"
    )
    talking.add_side(parser, "show what this side may know (default: everything, as the umpire)")
    parser.add_argument("--per", metavar="KIND", default="", help="one line for each thing of this kind")
    parser.add_argument(
        "-o", "--out", metavar="FILE", default="", help="write a table: .csv, .tsv, .toml, or - for CSV"
    )
    parser.add_argument("--force", action="store_true", help="overwrite an existing file")
    parser.add_argument("--in", dest="file", metavar="FILE", default="", help="read a table back, as the umpire")
    parser.add_argument("--reason", metavar="TEXT", default="", help="with --in: the reason; it is recorded")
    parser.add_argument("--dry-run", action="store_true", help="with --in: show what would change, and record nothing")
    talking.add_talk(parser)
    talking.epilog(
        parser,
        "ophex roster my.ophex iris --as red\n"
        "ophex roster my.ophex --per trooper\n"
        "ophex roster my.ophex blue --out blue.csv\n"
        "ophex roster my.ophex --in blue.csv --dry-run\n"
        "ophex roster my.ophex --in blue.csv --reason 'replacements of day 2'",
        KEYS,
        version=2,
    )


def run(args: argparse.Namespace) -> int:
    """Print a roster, write it, or read it back."""
    if args.file and (args.out or args.things or args.per):
        raise UsageError(
            "--in cannot be combined with --out, --per or names of things.",
            "Leave them out: the file names its things.",
        )
    if (args.reason or args.dry_run) and not args.file:
        raise UsageError("--reason and --dry-run need --in.", "Write: ophex roster CAMPAIGN --in FILE --dry-run")
    if args.force and not args.out:
        raise UsageError("--force needs --out.", "Write: ophex roster CAMPAIGN --out FILE --force")
    return _take_in(args) if args.file else _give_out(args)


# ---- out
def _give_out(args: argparse.Namespace) -> int:
    from ui.roster import roster_lines

    with talking.open_campaign(args.campaign) as campaign:
        side = seats.side_of(campaign, args.side)
        view = campaign.game.view(side)
        try:
            nodes = roster_lines.forest(view, args.things)
            if args.out:
                return _write(args, campaign, side, nodes)
            if args.json:
                talking.print_json(roster_lines.as_json(view, nodes))
                return 0
            width = shutil.get_terminal_size((80, 24)).columns
            plain = talking.ascii_only()
            print("\n".join(roster_lines.text(view, args.things, per=args.per, width=width, ascii_only=plain)))
        except roster_lines.NoSuchThing as missing:
            from dsl.text.diagnostics import did_you_mean

            hint = did_you_mean(missing.name, missing.known) or "`ophex roster CAMPAIGN` lists everything."
            raise UsageError(f"There is no {missing.name} here.", hint, "unknown-name", name=missing.name) from None
    return 0


def _write(args: argparse.Namespace, campaign: "OpenCampaign", side: str, nodes: Any) -> int:
    from ui.cli.playing import UMPIRE
    from ui.roster.roster_files import MARK, as_table, as_toml

    file, form = Path(args.out), _form_of(args.out)
    if args.per:
        raise UsageError("--per does not work with --out: a file always has a row for each thing.", "Leave out --per.")
    kinds = campaign.game.roster_kinds()
    if side == UMPIRE:
        nodes = [*nodes, *_departed(campaign, args.things)]
    if form == ".toml":
        text = as_toml(kinds, nodes, for_side=side != UMPIRE)
    else:
        text = as_table(kinds, nodes, "\t" if form == ".tsv" else ",", for_side=side != UMPIRE)
    if args.out == STDOUT:
        print(text, end="")
        return 0
    if file.exists() and not args.force:
        raise UsageError(
            f"{args.out} already exists.", "Choose another file name, or add --force to overwrite it.", "file"
        )
    put(file, f"{'' if form == '.toml' else MARK}{text}")
    talking.note(f"{args.out} has {counted(text.count(chr(10)), 'line')}; `ophex roster --in` reads it back.")
    return 0


def _departed(campaign: "OpenCampaign", names: "Sequence[str]") -> "list[ForceNode]":
    """The units that have left the game, for a file of all forces or of one side: they must be missing after it is read in."""
    from campaigns.views.force_forest import departed
    from ui.cli.playing import UMPIRE

    sides = [side.id for side in campaign.game.sides if side.id.lower() in {name.lower() for name in names}]
    begun = campaign.state_at(0).view(UMPIRE)
    return departed(campaign.game, begun, sides) if sides or not names else []


def _form_of(name: str) -> str:
    form = ".csv" if name == STDOUT else Path(name).suffix.lower()
    if form not in FORMATS:
        raise UsageError(f"The file type of {name} is not supported.", f"Use a name that ends in {', '.join(FORMATS)}.")
    return form


# ---- in
def _take_in(args: argparse.Namespace) -> int:
    from interpreter.messages.inputs import Input
    from ui.cli.playing import UMPIRE
    from ui.roster.roster_changes import plan_of, told_changes

    with talking.open_campaign(args.campaign, to_write=not args.dry_run) as campaign:
        if seats.side_of(campaign, args.side) != UMPIRE:
            raise UsageError("Only the umpire can read a roster in.", "Leave out --as.")
        game = campaign.game
        plan = plan_of(
            _sheet(args.file, game.roster_kinds()), game.view(UMPIRE), game.roster_kinds(), game.roster_trouble
        )
        if plan.wrong:
            return _say_wrong(args, plan)
        if plan.absent:
            talking.note(f"Not in the game, so there was nothing to remove: {', '.join(plan.absent)}.")
        if plan.changes:
            reason = args.reason or f"the roster {Path(args.file).name}"
            given = Input("roster", UMPIRE, "\n".join(one.line for one in plan.changes), reason)
            if args.dry_run:
                campaign.preview(given)
            else:
                campaign.give([given])
        done = bool(plan.changes) and not args.dry_run
        if args.json:
            talking.print_json({"done": done, "changes": _changes(plan), "wrong": []})
            return 0
        for line in told_changes(plan):
            print(line)
        things = len({one.thing for one in plan.changes})
        said = f"{counted(len(plan.changes), 'change')} of {counted(things, 'thing')}"
        talking.note("The file does not differ from the game." if not plan.changes else f"{said}.")
        if plan.changes:
            talking.note(
                "Nothing was recorded."
                if args.dry_run
                else f"Recorded as entry {campaign.head}; `ophex undo` undoes it."
            )
    return 0


def _sheet(name: str, kinds: Any) -> "RosterFile":
    from ui.roster.roster_files import OWN, read_table, read_toml

    form, text = _form_of(name), _text_of(name)
    if form == ".toml":
        return read_toml(text)
    return read_table(text, {*OWN, *(column.name for kind in kinds.values() for column in kind.columns)})


def _text_of(name: str) -> str:
    """The text of a file, in the encodings that spreadsheets write.

    Raises:
        UsageError: it is not text, or too large.
        OSError: it cannot be read.
    """
    with Path(name).open("rb") as source:
        data = source.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise UsageError(f"{name} is larger than {MOST_BYTES:,} bytes, which is too large for a roster.")
    try:
        return data.decode("utf-16" if data[:2] in {b"\xff\xfe", b"\xfe\xff"} else "utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise UsageError(
            f"{name}: line {line} is not valid UTF-8.", "Save it as CSV UTF-8 in the spreadsheet."
        ) from None


def _say_wrong(args: argparse.Namespace, plan: "Plan") -> int:
    """Print all errors; nothing was changed."""
    if args.json:
        wrong = [one.as_data() for one in plan.wrong]
        talking.print_json({"done": False, "changes": _changes(plan), "wrong": wrong})
        return ExitCode.WRONG
    from ui.cli.plain import clipped, one_line

    for one in plan.wrong[:MOST_WRONG]:
        talking.note(clipped(f"{args.file}: {one_line(one.place)}: {one_line(one.message)}"))
        if one.hint:
            talking.note(clipped(f"  hint: {one_line(one.hint)}"))
    if len(plan.wrong) > MOST_WRONG:
        talking.note(f"And {len(plan.wrong) - MOST_WRONG} more; --json prints them all.")
    talking.note(f"{counted(len(plan.wrong), 'error')}; nothing was changed.")
    return ExitCode.WRONG


def _changes(plan: "Plan") -> list[dict[str, str]]:
    return [{"thing": x.thing, "field": x.field, "was": x.was, "now": x.now} for x in plan.changes]
