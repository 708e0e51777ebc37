"""`ophex check`: reads rule files and reports errors in them, where they are, and how to fix them."""

import argparse
from typing import Any

from dsl.text.phrases import counted
from ui.cli import talking
from ui.cli.exits import ExitCode

KEYS = """\
files: number         number of files read
errors, warnings: number    number of each found
elsewhere: number     number of errors in other files of the system, when a single file is checked
diagnostics: [object]
  code, message, file, hint
  line, column: number"""
ABOUT = """

Each finding has a code, a place and, if possible, a hint. docs/diagnostics.md explains the codes.
Six or more warnings of one code are printed as one, with up to ten places; `--json` lists each.
The exit code is 1 if there is an error."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a system's name or folder, or a rule file")
    parser.add_argument("--strict", action="store_true", help="treat warnings as errors")
    talking.add_talk(parser)
    talking.epilog(parser, "ophex check SYSTEM\nophex check my-rules/", KEYS)


def run(args: argparse.Namespace) -> int:
    """Check; exit code 1 when there is an error."""
    from campaigns.library.checking import check
    from ui.maps.symbols import DRAWINGS

    reports = [check(path, DRAWINGS) for path in args.paths]
    errors, warnings = (sum(getattr(report, name) for report in reports) for name in ("errors", "warnings"))
    files = sum(_count(report.files) for report in reports)
    elsewhere = sum(report.elsewhere for report in reports)
    if args.json:
        talking.print_json(
            {
                "files": files,
                "errors": errors,
                "warnings": warnings,
                "elsewhere": elsewhere,
                "diagnostics": [_as_json(found, report.files) for report in reports for found in report.diagnostics],
            }
        )
    else:
        for report in reports:
            for number, text in enumerate(report.rendered):
                print(f"\n{text}" if number else text)
        told = [counted(files, "file"), counted(errors, "error"), counted(warnings, "warning")]
        talking.note(", ".join(told) + ".")
        for path, report in zip(args.paths, reports, strict=True):
            if report.elsewhere:
                others = counted(report.elsewhere, "error")
                talking.note(
                    f"{others} in other files of its system: {path} cannot be checked completely. Check the folder."
                )
    return ExitCode.WRONG if errors or elsewhere or (args.strict and warnings) else ExitCode.DONE


def _count(files: Any) -> int:
    return files if isinstance(files, int) else len(files)


def _as_json(diagnostic: Any, files: Any) -> dict[str, Any]:
    from dsl.text.source import path_of

    span = diagnostic.span
    return {
        "code": diagnostic.code,
        "message": diagnostic.message,
        "file": path_of(span, files),
        "line": span.line,
        "column": span.column,
        "hint": diagnostic.hint,
    }
