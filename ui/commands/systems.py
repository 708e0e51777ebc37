"""`ophex systems`: the rule systems that ophex finds, with their modules and options."""

import argparse

from ui import talking

KEYS = """\
systems               name, title, version, modules, options, scenarios of each"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    talking.add_talk(parser)
    talking.epilog(parser, "ophex systems", KEYS)


def run(args: argparse.Namespace) -> int:
    """Print the systems."""
    from campaigns.locate import user_folder
    from ui.playing import rooms

    found = list(rooms().list_systems())
    if args.json:
        fields = ("name", "title", "version", "modules", "options", "scenarios")
        talking.print_json({"systems": [talking.fields_of(system, fields) for system in found]})
        return 0
    for number, system in enumerate(found):
        print("\n" * bool(number) + f"{system.name}  {system.title}, version {system.version}")
        for title, told in (("modules", system.modules), ("options", system.options), ("scenarios", system.scenarios)):
            if told:
                print(f"  {title + ':':<11}{', '.join(talking.names_of(told))}")
    if not found:
        talking.note(f"No rule system ships with this copy, and there is none in {user_folder()}.")
    return 0
