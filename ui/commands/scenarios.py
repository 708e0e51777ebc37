"""`ophex scenarios`: the scenarios that can be played, of one system or of all."""

import argparse
import textwrap

from ui.cli import talking

KEYS = """\
scenarios: [object]
  name, title, about
  modules, maps: [text]
  sides: [object]
    id, title"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "system", nargs="?", default=None, metavar="SYSTEM", help="a system's name or folder (default: all)"
    )
    talking.add_talk(parser)
    talking.epilog(parser, "ophex scenarios\nophex scenarios SYSTEM --json", KEYS)


def run(args: argparse.Namespace) -> int:
    """Print the scenarios."""
    from campaigns.library.systems_by_name import scenarios

    found = list(scenarios(args.system))
    if args.json:
        fields = ("name", "title", "about", "modules", "maps")
        talking.print_json(
            {
                "scenarios": [
                    {**talking.fields_of(scenario, fields), "sides": talking.named(scenario.sides, "id", "title")}
                    for scenario in found
                ]
            }
        )
        return 0
    for number, scenario in enumerate(found):
        print("\n" * bool(number) + f"{scenario.name}  {scenario.title}")
        told = [
            f"sides: {', '.join(talking.names_of(scenario.sides))}",
            f"map{'s' if scenario.maps[1:] else ''}: {', '.join(scenario.maps)}",
        ]
        if scenario.modules:
            told.append(f"with {', '.join(talking.names_of(scenario.modules))}")
        print(f"  {'; '.join(told)}")
        if scenario.about:
            print(textwrap.fill(" ".join(scenario.about.split()), 100, initial_indent="  ", subsequent_indent="  "))
    if found:
        talking.note(f"\n`ophex new my.ophex --scenario {found[0].name}` starts a campaign.")
    else:
        talking.note("There are no scenarios.")
    return 0
