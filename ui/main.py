"""The door: finds the command that was asked for and runs it.

Nothing heavy is imported before the command is known; the program's own help and version need no parser at all. A
command is a module `ui/commands/<name with - as _>.py` with `add_arguments(parser)` and `run(args) -> int`.
"""

import os
import sys
from collections.abc import Sequence
from importlib.machinery import PathFinder
from typing import TYPE_CHECKING, NoReturn

from ui import one_object
from ui.exits import ExitCode, UsageError, tell
from ui.known_errors import ROOMS
from ui.plain import plain_streams

if TYPE_CHECKING:
    from argparse import ArgumentParser

__all__ = ["COMMANDS", "GROUPS", "main", "parser_of"]

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

GETTING_STARTED = """\
Getting started:
  ophex demo                                    a campaign that is under way
  ophex systems                                 which rule systems there are
  ophex scenarios                               what can be played
  ophex new my.campaign --scenario SYSTEM/NAME  begin a campaign of your own
  ophex play my.campaign                        and play it
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line.

    Args:
        arguments: what follows the name of the program; taken from the shell when left out.

    Returns:
        the exit code, one of `ExitCode`.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a terminal that cannot show a sign gets a question mark, not a fault
            stream.reconfigure(errors="replace")
    given = list(sys.argv[1:] if arguments is None else arguments)
    with plain_streams(), one_object.of(given):
        return _ended(given)


def _ended(arguments: list[str]) -> int:
    """Runs one command line to its end, however it ends."""
    try:
        code = _run(arguments)
        sys.stdout.flush()
    except SystemExit as end:  # argparse ends so after `--help` and after a wrong option
        return end.code if isinstance(end.code, int) else ExitCode.DONE if end.code is None else _last_words(end.code)
    except BaseException as error:  # noqa: BLE001 - the last place where anything can be said to a person
        code = tell(error)
    if code == ExitCode.PIPE_CLOSED:
        # Python flushes stdout once more on its way out and would complain; there is nobody to read either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code


def _run(arguments: list[str]) -> int:
    misplaced = _misplaced_room()
    if misplaced:
        print(misplaced, file=sys.stderr)
        return ExitCode.WRONG
    if not arguments:
        print(_help(), end="", file=sys.stderr)
        return ExitCode.USAGE
    name, rest = arguments[0], arguments[1:]
    if name == "help" and rest:
        name, rest = rest[0], ["--help"]
    if name in {"-h", "--help", "help"}:
        print(_help(), end="")
        return ExitCode.DONE
    if name in {"-V", "--version"}:
        print(_version())
        return ExitCode.DONE
    if name not in COMMANDS:
        raise UsageError(_unknown(name), kind="unknown-name", name=name)
    return _run_command(name, rest)


def _run_command(name: str, rest: list[str]) -> int:
    args = parser_of(name).parse_intermixed_args(rest)
    one_object.follows(getattr(args, "schema_name", f"ophex-{name}/1"))
    return int(sys.modules[COMMANDS[name][0]].run(args))


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


def _help() -> str:
    width = max(map(len, COMMANDS)) + 2
    lines = [
        "usage: ophex COMMAND …",
        "",
        "A campaign manager for operational wargames. The rules of a game are text files.",
    ]
    for title, commands in GROUPS.items():
        lines += ["", f"{title}:", *(f"  {name:<{width}}{line}" for name, line in commands.items())]
    lines += [
        "",
        GETTING_STARTED,
        "`ophex COMMAND --help` explains one command.",
        "",
    ]
    return "\n".join(lines)


def _version() -> str:
    import dsl

    return f"ophex {dsl.__version__} (Python {'.'.join(map(str, sys.version_info[:3]))})"


def _unknown(name: str) -> str:
    from difflib import get_close_matches

    kind = "option" if name.startswith("-") else "command"
    near = get_close_matches(name, [*COMMANDS, "--help", "--version"], n=1, cutoff=0.5)
    meant = f" Did you mean `ophex {near[0]}`?" if near else ""
    return f"ophex has no {kind} '{name}'.{meant} `ophex --help` lists the commands."


def _misplaced_room() -> str:
    """What is wrong if another distribution put a package of the same name in front of one of ours, or nothing.

    The packages have plain names (`ui`, `dsl`), so in a shared environment another one may be found first.
    """
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    for room in ROOMS:
        loaded = sys.modules.get(room)
        spec = loaded.__spec__ if loaded else PathFinder.find_spec(room)
        folders = list(spec.submodule_search_locations or ()) if spec else []
        if not any(os.path.realpath(folder) == os.path.realpath(os.path.join(here, room)) for folder in folders):
            found = f"found in {folders[0]}" if folders else "not found"
            return (
                f"ophex is installed in {here}, but its package '{room}' is {found}.\n"
                "  Another program in this Python environment has a package of that name, or a file of that name lies"
                " in the current folder.\n"
                "  Install ophex in an environment of its own: `uv tool install ophex`, `pipx install ophex`, or a"
                " fresh `python3 -m venv`."
            )
    return ""


def _last_words(message: object) -> int:
    print(message, file=sys.stderr)
    return ExitCode.WRONG


if __name__ == "__main__":
    sys.exit(main())
