"""`ophex coverage`: which rules of a system's catalog are written down, which are tested, which are left out."""

import argparse
import textwrap

from ui import talking

KEYS = """\
rules                 how many rules the catalog has
cited                 how many of them the rule files cite
tested                how many an example cites
missing               the rules that nothing cites
untested              the rules that are written but in no example
not_modelled          the rules that are left out on purpose"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("system", metavar="SYSTEM", help="a system's name or folder")
    talking.add_talk(parser)
    talking.epilog(parser, "ophex coverage SYSTEM", KEYS)


def run(args: argparse.Namespace) -> int:
    """Print the coverage."""
    from ui.playing import rooms

    found = rooms().coverage(args.system)
    if args.json:
        talking.print_json(found)
        return 0
    rules = found["rules"]
    talking.print_table(
        [(name, found[name], _percent(found[name], rules)) for name in ("cited", "tested")],
        ("rules", str(rules), ""),
    )
    for name in ("missing", "untested", "not_modelled"):
        names = talking.names_of(found.get(name, ()))
        if names:
            print(f"\n{name.replace('_', ' ')}: {len(names)}")
            print(
                textwrap.fill(
                    ", ".join(names), 100, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False
                )
            )
    return 0


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else ""
