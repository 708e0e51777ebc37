"""`ophex try`: works out the examples of a file on their positions and shows how every value came about."""

import argparse

from ui import talking

KEYS = """\
examples              name, lines of each
  lines               text, value, explanation (null where there is none)"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("system", metavar="SYSTEM", help="a system's name or folder")
    parser.add_argument("file", metavar="FILE", help="a file with examples")
    parser.add_argument("--brief", action="store_true", help="values only, without their explanations")
    talking.add_talk(parser)
    talking.epilog(parser, "ophex try SYSTEM battle.rules", KEYS)


def run(args: argparse.Namespace) -> int:
    """Print the values and their explanations."""
    from ui import explaining
    from ui.playing import rooms

    tried = list(rooms().try_file(args.system, args.file))
    if args.json:
        talking.print_json(
            {
                "examples": [
                    {
                        "name": example.name,
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
        return 0
    for number, example in enumerate(tried):
        print("\n" * bool(number) + example.name)
        for line in example.lines:
            print(f"  {line.text}: {line.value}")
            if line.explanation and not args.brief:
                below = list(explaining.lines(line.explanation, 2))[1:]
                talking.print_lines(below)
    if not tried:
        talking.note(f"{args.file} holds no example.")
    return 0
