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
        "demo": "a ready-made campaign; without a terminal, one day of it is printed",
        "systems": "the rule systems that ophex finds, with their modules and options",
        "scenarios": "the scenarios of one system or of all",
    },
    "Play a campaign": {
        "new": "make a campaign file from a scenario",
        "play": "open a campaign in the terminal app",
        "status": "turn, phase, what is awaited and from whom",
        "roster": "a force part by part; as a table for a spreadsheet, and back",
        "map": "draw the map as a side sees it",
        "report": "all that a side is told, to read, to print or to mail",
        "legal": "every command that a side may give now",
        "odds": "the chances of what a command may come to",
        "do": "give commands",
        "answer": "answer a question that the game asks",
        "roll": "type in dice that were rolled on a table",
        "secret": "a secret to seal dice with, and what you send of it",
        "seal": "sealed dice: who is awaited, and what a side has sent",
        "advance": "run whatever needs nobody's decision",
    },
    "Be the umpire": {
        "mail": "packets for the sides out, letters with orders in",
        "desk": "how far each side has come, when orders are due, who plays",
        "remind": "a text for each side of which orders are awaited",
        "override": "set a fact of the running game, with a reason",
        "dice": "where the dice come from; change it, with a reason",
        "option": "the options and modules of a campaign; change one, with a reason",
        "amend": "other rules for a campaign that runs, after a dry run",
        "rule": "a ruling that stands from now on; list those that stand",
    },
    "Look back and ask why": {
        "why": "how a value or an entry of the log came about",
        "why-not": "which rule forbids a command",
        "log": "what has happened, newest first",
        "luck": "what the dice have shown, against what dice show on average",
        "undo": "take back the last input; nothing is lost",
        "redo": "take an undone input again",
        "branch": "other courses of one campaign: begin, list, adopt or drop one",
        "switch": "go on with another branch",
        "compare": "two branches side by side",
        "backup": "copy a campaign file, also while it is open",
        "restore": "back to a copy of a campaign file",
        "doctor": "what is wrong with a campaign file, and what can be saved",
        "export": "a campaign, a battle for the table, tables, a map",
        "import": "read in what was exported, a filled form or a map",
        "verify": "replay the whole campaign and compare every step",
        "leaks": "try whether a side can tell what it may not know",
    },
    "Write rules": {
        "check": "read rule files and say what is wrong with them",
        "test": "run the examples in rule files",
        "coverage": "which rules of a system are written and tested",
        "fmt": "set rule files in the one style",
        "tree": "what a name of the rules is, and which rules change it",
        "handbook": "a rulebook to read and print, made from the rules",
        "try": "work out the examples of a file and show how values came about",
        "sim": "play whole games with automated sides",
    },
}
"""Every command with its line of help, in the order in which the help lists them."""

COMMANDS: dict[str, tuple[str, str]] = {
    name: (f"ui.commands.{name.replace('-', '_')}", line) for group in GROUPS.values() for name, line in group.items()
}
"""The module and the line of help of every command."""


def parser_of(name: str) -> "ArgumentParser":
    """What reads the arguments of a command, and explains them."""
    import argparse
    from importlib import import_module

    class Parser(argparse.ArgumentParser):
        def error(self, message: str) -> NoReturn:
            if one_object.is_awaited():
                raise UsageError(f"{message[:1].upper()}{message[1:]}.", f"`ophex {name} --help` explains it.")
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
