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
campaign, restored    the file, and the copy that it is again
entries, head: number    how many inputs it holds now, and where it stands
hash                  the hash there
kept: text or null    the copy of what was replaced; null where nothing was there
was_damaged: truth    whether what was replaced could not be read any more"""
ABOUT = """

The copy is proved first, as `ophex verify` does. What is replaced is kept as a copy too, so that
you can return to it. Sessions that have the file open go on with what is restored; what they give
to the old state is refused."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    talking.add_campaign(parser)
    parser.add_argument(
        "copy", metavar="FROM", nargs="?", default="", help="a copy: a path, or a name of the list (default: list them)"
    )
    talking.add_talk(parser)
    talking.epilog(parser, "ophex restore my.ophex\nophex restore my.ophex turn-003", KEYS)


def run(args: argparse.Namespace) -> int:
    """List the copies, or go back to one."""
    from campaigns.play.starting import start
    from campaigns.repair.restoring import named_copy, restore

    file = _meant(args.campaign)
    if not args.copy:
        return _tell_copies(file, json=args.json)
    source = named_copy(file, args.copy)
    with talking.progress("Playing the copy again") as tell:
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
    print(f"{file} is again what {source} is: {_held(done.entries)}, standing after entry {done.entry.number}.")
    print(f"hash {done.entry.hash}")
    if done.kept is not None:
        what = "The damaged file" if done.was_damaged else "What it was before"
        talking.note(f"{what} is kept: {done.kept}")
    return 0


def _meant(path: str) -> Path:
    """The campaign file, which may be gone where copies of it lie."""
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
        talking.note(f"No copies lie beside {file}. `ophex advance` and `mail --in` make one before each turn.")
        return 0
    rows = [
        [one.path.stem, one.head, one.entries, one.written, one.hash[:16]]
        if not one.problem
        else [one.path.stem, "", "", one.problem, ""]
        for one in found
    ]
    talking.print_table(rows, ("copy", "stands after", "inputs", "newest input", "hash"))
    talking.note(
        f"They lie in {found[0].path.parent}. `ophex restore {file} {found[0].path.stem}` goes back to the first."
    )
    return 0


def _held(entries: int) -> str:
    return "1 entry" if entries == 1 else f"{entries} entries"
