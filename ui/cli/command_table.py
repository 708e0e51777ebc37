"""The commands of the program: their names, their help lines, their modules, and the parser of their arguments.

A command is a module `ui/commands/<name with - as _>.py` with `add_arguments(parser)` and `run(args) -> int`. It is
imported when it is called.
"""

from typing import TYPE_CHECKING, NoReturn

from ui.cli import one_object
from ui.cli.exits import UsageError

if TYPE_CHECKING:
    from argparse import ArgumentParser

__all__ = ["COMMANDS", "GROUPS", "parser_of"]

GROUPS: dict[str, dict[str, str]] = {
    "Look around": {
        "demo": "try a ready-made campaign; without a terminal, print a few turns",
        "systems": "list the rule systems with their modules and options",
        "scenarios": "list the scenarios of one system or of all",
    },
    "Play a campaign": {
        "new": "create a campaign file from a scenario",
        "play": "open a campaign in the terminal app",
        "status": "show the turn, phase and forces, and whom the game is waiting for",
        "roster": "list a force part by part; exchange it with a spreadsheet",
        "map": "draw the map as a side sees it",
        "report": "report everything a side knows, to read, to print or to mail",
        "legal": "list every command that a side may give now",
        "odds": "show the possible outcomes of a command and their chances",
        "do": "give commands",
        "answer": "answer a question that the game asks",
        "roll": "enter dice that were rolled at your table",
        "secret": "make a secret for sealed dice, and print what to send of it",
        "seal": "show which seals are needed for sealed dice, or enter one",
        "advance": "play on until somebody has to make a decision",
    },
    "Be the umpire": {
        "mail": "write packets for the sides, and read their letters with orders",
        "desk": "track orders: who has given them, when they are due, who plays",
        "remind": "write a reminder for each side whose orders are missing",
        "override": "set a fact of the running game, with a reason",
        "dice": "show or change where the dice come from",
        "option": "show or change the options and modules of a campaign",
        "amend": "change the rules of a running campaign, after a dry run",
        "rule": "make a ruling that applies from now on, or list the rulings",
    },
    "Look back and ask why": {
        "why": "explain how a value or a log entry came about",
        "why-not": "explain which rule forbids a command",
        "log": "show what has happened, newest first",
        "luck": "compare the dice rolled so far with the average",
        "undo": "undo the last input; nothing is lost",
        "redo": "redo an undone input",
        "branch": "list, start, adopt or drop branches of a campaign",
        "switch": "switch to another branch",
        "compare": "compare two branches side by side",
        "backup": "back up a campaign file, even while it is open",
        "restore": "restore a campaign file from a backup",
        "doctor": "find damage in a campaign file, and save what can be saved",
        "export": "export a campaign, a battle for the table, a data table or a map",
        "import": "import an exported campaign, a filled-in form, a roster or a map",
        "verify": "replay the whole campaign and compare every step",
        "leaks": "test whether a side can find out what it may not know",
    },
    "Write rules": {
        "check": "check rule files for errors",
        "test": "run the examples in rule files",
        "coverage": "show which rules of a system are written and tested",
        "fmt": "format rule files in the standard style",
        "tree": "show what a name in the rules is, and which rules change it",
        "handbook": "make a rulebook to read and print from the rules",
        "try": "evaluate the examples of a file and explain every value",
        "sim": "play whole games with automated sides",
    },
}
"""Every command with its help line, in the order of the help."""

COMMANDS: dict[str, tuple[str, str]] = {
    name: (f"ui.commands.{name.replace('-', '_')}", line) for group in GROUPS.values() for name, line in group.items()
}
"""The module and the help line of every command."""


def parser_of(name: str) -> "ArgumentParser":
    """The argument parser of a command."""
    import argparse
    from importlib import import_module

    class Parser(argparse.ArgumentParser):
        def error(self, message: str) -> NoReturn:
            if one_object.is_awaited():
                raise UsageError(f"{message[:1].upper()}{message[1:]}.", f"See `ophex {name} --help`.")
            super().error(message)

    module, line = COMMANDS[name]
    command = import_module(module)
    parser = Parser(
        prog=f"ophex {name}",
        description=f"{line[0].upper()}{line[1:]}.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    command.add_arguments(parser)
    return parser
