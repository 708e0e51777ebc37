"""`ophex doctor`: what is wrong with a campaign file, what can be saved, and a sound file made of that."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dsl.text.phrases import counted
from ui.cli import talking
from ui.cli.exits import ExitCode

if TYPE_CHECKING:
    from campaigns.repair.file_doctor import Diagnosis

KEYS = """\
ok: truth             whether nothing is wrong
wrong: [object]       what is wrong
  kind, text
  entry: number or null
mended, lost: [number]    entries that can be repaired, and those that are lost
saved: object or null    what can be saved; null for nothing
  entries, of, head, turn: number    number of inputs, of how many; its current entry and turn
  hash
  moved: truth        whether that is not the current entry in the file
repaired: text or null    the new file that was written"""
ABOUT = """

The file itself is never changed, only copied. Everything that is saved is proven: an entry is saved
if the hash chain confirms it, and a damaged entry is repaired only if replaying it leads to exactly
the hash in the chain. --repair writes the result to another file, which passes `ophex verify`.
First check whether you have a backup: `ophex restore` lists them."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    talking.add_campaign(parser)
    parser.add_argument("--repair", metavar="OUT", default="", help="write what can be saved to a new file")
    talking.add_talk(parser)
    talking.epilog(parser, "ophex doctor my.ophex\nophex doctor my.ophex --repair saved.ophex", KEYS)


def run(args: argparse.Namespace) -> int:
    """Examine the file, and write a repaired copy."""
    from campaigns.play.starting import start
    from campaigns.repair.file_doctor import examine, repair

    file = talking.existing(args.campaign)
    with talking.progress("Examining") as tell:
        found = repair(file, Path(args.repair), start, tell) if args.repair else examine(file, start, tell)
    if args.json:
        talking.print_json(
            {
                "ok": found.is_sound,
                "wrong": [talking.fields_of(one, ("kind", "text", "entry")) for one in found.wrong],
                "mended": list(found.mended),
                "lost": list(found.lost),
                "saved": _saved(found),
                "repaired": args.repair or None,
            }
        )
    else:
        _tell(found, file, args.repair)
    return ExitCode.DONE if found.is_sound or args.repair else ExitCode.WRONG


def _saved(found: "Diagnosis") -> dict[str, Any] | None:
    if found.saved is None:
        return None
    return talking.fields_of(found.saved, ("entries", "of", "head", "turn", "hash", "moved"))


def _tell(found: "Diagnosis", file: Path, out: str) -> None:
    for one in found.wrong:
        print(one.text)
    saved = found.saved
    if found.is_sound:
        print(f"Nothing is wrong with {file}.")
    elif saved is None:
        print("Nothing can be saved.")
    else:
        turn = f", in turn {saved.turn}" if saved.turn else ""
        print(
            f"{saved.entries} of {counted(saved.of, 'input')} can be saved; the current entry would be {saved.head}{turn}."
        )
        print(f"hash {saved.hash}")
    if out:
        talking.note(f"Wrote {out}, which verifies.")
        if found.lost:
            talking.note("Entries after lost ones have new numbers in it.")
    elif not found.is_sound:
        more = (
            f"; `ophex doctor {file} --repair OUT` writes what can be saved to a new file" if saved is not None else ""
        )
        talking.note(f"{file} was not changed. `ophex restore {file}` lists its backups{more}.")
