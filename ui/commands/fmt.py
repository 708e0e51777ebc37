"""`ophex fmt`: formats rule files in the one style, or lists those that are not in it."""

import argparse
import difflib
from pathlib import Path
from typing import TYPE_CHECKING

from dsl.text.phrases import counted
from ui.cli import talking
from ui.cli.exits import ExitCode
from ui.cli.whole import put

if TYPE_CHECKING:
    from dsl.syntax.format import Formatted

KEYS = """\
files: number         number of files read
changed: [text]       the files that were rewritten; with --check or --diff, that would be
wrong: [text]         the files that were skipped because they cannot be read"""
ABOUT = """

The files are rewritten in place. The exit code is 1 if a file cannot be read or, with --check, if
one is not in the standard style."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    parser.add_argument(
        "paths", nargs="+", metavar="PATH", help="a rule file, a folder with rule files, or a system's name"
    )
    parser.add_argument(
        "--check", action="store_true", help="write nothing; exit with code 1 if a file is not in the standard style"
    )
    parser.add_argument("--diff", action="store_true", help="write nothing; print what would change")
    talking.add_talk(parser)
    talking.epilog(parser, "ophex fmt my-rules/\nophex fmt --check my-rules/battle.rules", KEYS)


def run(args: argparse.Namespace) -> int:
    """Format; exit code 1 when a file cannot be read, or with --check when one is not in style."""
    from campaigns.library.rule_files import read_file
    from dsl.syntax.format import formatted
    from dsl.text.diagnostics import render

    changed: list[str] = []
    wrong: list[str] = []
    files = [file for path in args.paths for file in _files(path)]
    for file in files:
        found = formatted(read_file(file, Path()))
        if found.diagnostics:
            wrong.append(str(file))
            talking.note("\n\n".join(render(d, {found.file.name: found.file}) for d in found.diagnostics))
            talking.note(f"{file} was skipped: it cannot be read.")
        elif found.changed:
            changed.append(str(file))
            if args.diff and not args.json:
                print("\n".join(_difference(str(file), found)))
            elif not args.check and not args.diff:
                put(file, found.text)
    _report(args, files, changed, wrong)
    return ExitCode.WRONG if wrong or (args.check and changed) else ExitCode.DONE


def _report(args: argparse.Namespace, files: list[Path], changed: list[str], wrong: list[str]) -> None:
    if args.json:
        talking.print_json({"files": len(files), "changed": changed, "wrong": wrong})
        return
    if args.check and not args.diff:
        for name in changed:
            print(name)
    what = "would be formatted" if args.check or args.diff else "formatted"
    left = len(files) - len(changed) - len(wrong)
    told = [f"{counted(len(changed), 'file')} {what}", f"{left} already in style"]
    if wrong:
        told.append(f"{len(wrong)} skipped")
    talking.note(", ".join(told) + ".")


def _files(path: str) -> list[Path]:
    """The rule files of a path: the file itself, all files in a folder and below, or those of a system by name."""
    from campaigns.library.rule_files import lies_in

    place = Path(path)
    if place.is_file():
        return [place]
    if place.is_dir():
        found = sorted(file for file in place.rglob("*.rules") if lies_in(file, place))
        if found:
            return found
    from campaigns.library.locate import find_system

    return list(find_system(path).files)


def _difference(name: str, found: "Formatted") -> list[str]:
    before, after = found.file.text.split("\n"), found.text.split("\n")
    return list(difflib.unified_diff(before, after, name, f"{name} (formatted)", lineterm=""))
