"""`ophex test`: runs the examples in rule files."""

import argparse
from typing import Any

from dsl.text.phrases import counted
from ui.cli import talking
from ui.cli.exits import ExitCode

KEYS = """\
examples: number      number of examples run
passed: number        how many passed
failed: [object]
  name, file, expected, got
  line: number"""
ABOUT = """

An example sets up a position and states the results that the rules must give. The exit code is 1
if an example fails."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a system's name or folder, or a rule file")
    parser.add_argument("-k", dest="pattern", metavar="TEXT", default="", help="only examples with TEXT in their name")
    talking.add_workers(parser, "one per core, if there are many examples")
    talking.add_talk(parser)
    talking.epilog(parser, "ophex test SYSTEM -k supply", KEYS)


def run(args: argparse.Namespace) -> int:
    """Run the examples; exit code 1 if one fails, or if none has the text of -k in its name."""
    from campaigns.trials.casebook import run_examples

    with talking.progress("Running examples") as tell:
        report = run_examples(args.paths, args.pattern, progress=tell, workers=args.workers)
    failed = [_failure(one) for one in report.failed]
    if args.json:
        talking.print_json({"examples": report.examples, "passed": report.passed, "failed": failed})
    else:
        for one in failed:
            print(f"{one['file']}:{one['line']}: {one['name']}")
            print(f"  expected  {one['expected']}")
            print(f"  got       {one['got']}")
        talking.note(f"{report.passed} of {counted(report.examples, 'example')} passed.")
    found_none = bool(args.pattern) and not report.examples
    if found_none:
        talking.note(f"No example has '{args.pattern}' in its name.")
    return ExitCode.WRONG if failed or found_none else ExitCode.DONE


def _failure(one: Any) -> dict[str, Any]:
    return talking.fields_of(one, ("name", "file", "line", "expected", "got"))
