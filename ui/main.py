"""The entry of the program: it finds the command that was called and runs it.

Nothing heavy is imported before the command is known. The program's own help and version need no parser at all. A
command is a module `ui/commands/<name with - as _>.py` with `add_arguments(parser)` and `run(args) -> int`.
"""

import os
import sys
from collections.abc import Sequence
from importlib.machinery import PathFinder

from ui.cli import one_object
from ui.cli.command_table import COMMANDS, GROUPS, parser_of
from ui.cli.exits import ExitCode, UsageError, tell
from ui.cli.interrupts import heeded
from ui.cli.known_errors import ROOMS
from ui.cli.plain import plain_streams

__all__ = ["main"]

GETTING_STARTED = """\
Getting started:
  ophex demo                                    open a campaign in mid-battle
  ophex systems                                 list the rule systems
  ophex scenarios                               list what you can play
  ophex new my.campaign --scenario SYSTEM/NAME  start a campaign of your own
  ophex play my.campaign                        play it
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line.

    Args:
        arguments: the command line without the program's name; None: that of the process.

    Returns:
        the exit code, one of `ExitCode`.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a terminal that cannot show a character gets a question mark, not an error
            stream.reconfigure(errors="replace")
    given = list(sys.argv[1:] if arguments is None else arguments)
    with heeded(), plain_streams(), one_object.of(given):
        return _ended(given)


def _ended(arguments: list[str]) -> int:
    """Runs one command line; returns its exit code however it ends."""
    try:
        code = _run(arguments)
        sys.stdout.flush()
    except SystemExit as end:  # raised by argparse after `--help` and after a wrong option
        return end.code if isinstance(end.code, int) else ExitCode.DONE if end.code is None else _last_words(end.code)
    except BaseException as error:  # noqa: BLE001 - the last place that can report an error to the user
        code = tell(error)
    if code == ExitCode.PIPE_CLOSED:
        # Python flushes stdout again at exit and would complain, though nobody reads it any more.
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
    """An error message if a package of another distribution hides one of ours; empty if none does.

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
                "  Another program in this Python environment has a package of that name, or the current folder has"
                " a file of that name.\n"
                "  Install ophex in an environment of its own: `uv tool install ophex`, `pipx install ophex`, or a"
                " fresh `python3 -m venv`."
            )
    return ""


def _last_words(message: object) -> int:
    print(message, file=sys.stderr)
    return ExitCode.WRONG


if __name__ == "__main__":
    sys.exit(main())
