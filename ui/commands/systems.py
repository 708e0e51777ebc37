"""`ophex systems`: lists the rule systems that ophex finds, with their modules and options."""

import argparse

from ui.cli import talking

KEYS = """\
systems: [object]
  name, title, version
  modules: [object]
    name, title
    default           on or off
  options: [object]
    name, title, default
    values: [text]
  scenarios: [text]"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("systems", nargs="*", metavar="SYSTEM", help="a system's name or folder (default: all)")
    talking.add_talk(parser)
    talking.epilog(parser, "ophex systems\nophex systems SYSTEM", KEYS)


def run(args: argparse.Namespace) -> int:
    """Print the systems."""
    from campaigns.library.locate import user_folder
    from campaigns.library.systems_by_name import list_systems

    found = list(list_systems(*args.systems))
    if args.json:
        talking.print_json(
            {
                "systems": [
                    {
                        **talking.fields_of(system, ("name", "title", "version")),
                        "modules": talking.named(system.modules, "name", "title", "default"),
                        "options": talking.named(system.options, "name", "title", "values", "default"),
                        "scenarios": system.scenarios,
                    }
                    for system in found
                ]
            }
        )
        return 0
    for number, system in enumerate(found):
        print("\n" * bool(number) + f"{system.name}  {system.title}, version {system.version}")
        for name, title, default in system.modules:
            print(f"  module    {name:<20} {title}{' (on)' if default == 'on' else ''}")
        for name, title, values, default in system.options:
            print(f"  option    {name:<20} {title}: {', '.join(values)} (default {default})")
        for name in system.scenarios:
            print(f"  scenario  {name}")
    if not found:
        talking.note(f"There are no rule systems in this installation or in {user_folder()}.")
    return 0
