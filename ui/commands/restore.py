"""`ophex restore`: goes back to a backup of a campaign file; without one it lists the backups beside the file."""

import argparse
from pathlib import Path

from ui.cli import talking

KEYS = """\
without FROM:
copies: [object]
  path, hash, written, problem
  head, entries: number
with FROM:
campaign, restored    the file, and the backup that it was restored from
entries, head: number    number of inputs it has now, and its current entry
hash                  the hash of that entry
kept: text or null    the backup of the replaced file; null if there was none
was_damaged: truth    whether the replaced file could no longer be read"""
ABOUT = """

The backup is verified first, as `ophex verify` does. The replaced file is kept as a backup too, so
that you can go back to it. Sessions that have the file open continue with the restored state;
inputs that they give for the old state are refused."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    talking.add_campaign(parser)
    parser.add_argument(
        "copy",
        metavar="FROM",
        nargs="?",
        default="",
        help="a backup: a path, or a name from the list (default: list the backups)",
    )
    talking.add_talk(parser)
    talking.epilog(parser, "ophex restore my.ophex\nophex restore my.ophex turn-003", KEYS)


def run(args: argparse.Namespace) -> int:
    """List the backups, or restore one."""
    from campaigns.play.starting import start
    from campaigns.repair.restoring import named_copy, restore

    file = _meant(args.campaign)
    if not args.copy:
        return _tell_copies(file, json=args.json)
    source = named_copy(file, args.copy)
    with talking.progress("Replaying the backup") as tell:
        done = restore(file, source, start, tell)
    if args.json:
        talking.print_json(
            {
                "campaign": str(file),
                "restored": str(source),
                "entries": done.entries,
                "head": done.entry.number,
                "hash": done.entry.hash,
                "kept": None if done.kept is None else str(done.kept),
                "was_damaged": done.was_damaged,
            }
        )
        return 0
    print(f"Restored {file} from {source}: {_held(done.entries)}; its current entry is {done.entry.number}.")
    print(f"hash {done.entry.hash}")
    if done.kept is not None:
        what = "The damaged file" if done.was_damaged else "The replaced file"
        talking.note(f"{what} is kept: {done.kept}")
    return 0


def _meant(path: str) -> Path:
    """The campaign file, which may be missing if there are backups of it."""
    from campaigns.desk.copies import folder_of

    file = Path(path)
    gone = [file, file.with_suffix(talking.SUFFIX)] if not file.suffix else [file]
    return next((one for one in gone if not one.exists() and folder_of(one).is_dir()), None) or talking.existing(path)


def _tell_copies(file: Path, *, json: bool) -> int:
    from campaigns.repair.restoring import copies_of

    found = copies_of(file)
    if json:
        names = ("path", "head", "entries", "hash", "written", "problem")
        talking.print_json({"copies": [{**talking.fields_of(one, names), "path": str(one.path)} for one in found]})
        return 0
    if not found:
        talking.note(f"There are no backups of {file}. `ophex advance` and `mail --in` make one before each turn.")
        return 0
    rows = [
        [one.path.stem, one.head, one.entries, one.written, one.hash[:16]]
        if not one.problem
        else [one.path.stem, "", "", one.problem, ""]
        for one in found
    ]
    talking.print_table(rows, ("backup", "current entry", "inputs", "newest input", "hash"))
    talking.note(f"They are in {found[0].path.parent}. `ophex restore {file} {found[0].path.stem}` restores the first.")
    return 0


def _held(entries: int) -> str:
    return "1 entry" if entries == 1 else f"{entries} entries"
