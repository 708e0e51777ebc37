"""`ophex try`: runs the examples of a file on their positions and shows how every value was computed."""

import argparse
from typing import Any

from ui.cli import talking
from ui.cli.exits import ExitCode

KEYS = """\
examples: [object]
  name
  modules: [text]     under which it ran
  options: {text}     those that its block chose
  failures: [text]
  lines: [object]
    text, value
    explanation: explained or null    how it came about"""
ABOUT = """

The exit code is 1 if a value is not what the file states."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    parser.add_argument("system", metavar="SYSTEM", help="a system's name or folder")
    parser.add_argument("file", metavar="FILE", help="a file with examples")
    parser.add_argument("--brief", action="store_true", help="print only the values, without explanations")
    talking.add_talk(parser)
    talking.epilog(parser, "ophex try SYSTEM battle.rules", KEYS)


def run(args: argparse.Namespace) -> int:
    """Print the values and their explanations; exit code 1 if one is not what the file states."""
    from campaigns.trials.casebook import try_file
    from ui.wording import explaining

    tried = list(try_file(args.system, args.file))
    if args.json:
        talking.print_json(
            {
                "examples": [
                    {
                        "name": example.name,
                        "modules": example.modules,
                        "options": example.options,
                        "failures": example.failures,
                        "lines": [
                            {
                                "text": line.text,
                                "value": line.value,
                                "explanation": explaining.as_json(line.explanation) if line.explanation else None,
                            }
                            for line in example.lines
                        ],
                    }
                    for example in tried
                ]
            }
        )
        return _code(tried)
    for number, example in enumerate(tried):
        under = [*example.modules, *(f"{name} {word}" for name, word in example.options.items())]
        print("\n" * bool(number) + example.name + (f" (with {', '.join(under)})" if under else ""))
        for line in example.lines:
            print(f"  {line.text}: {line.value}")
            if line.explanation and not args.brief:
                below = list(explaining.lines(line.explanation, 2))[1:]
                explaining.print_lines(below)
        for failure in example.failures:
            print(f"  failed, {failure}")
    if not tried:
        talking.note(f"{args.file} has no examples.")
    return _code(tried)


def _code(tried: list[Any]) -> int:
    return ExitCode.WRONG if any(example.failures for example in tried) else ExitCode.DONE
