"""How commands print: data on stdout, everything else on stderr, objects for programs, colour and bars on terminals only.

The arguments that many commands share are declared here once, so that they have the same names and the same help.
"""

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from ui.cli.exits import UsageError
from ui.cli.one_object import print_json, print_json_line
from ui.cli.plain import beneath, plain

if TYPE_CHECKING:
    from pathlib import Path

    from ui.cli.playing import OpenCampaign

__all__ = [
    "add_campaign",
    "add_format",
    "add_side",
    "add_talk",
    "ask",
    "epilog",
    "existing",
    "fields_of",
    "format_of",
    "give",
    "is_terminal",
    "named",
    "names_of",
    "new_file",
    "note",
    "note_read_only",
    "open_campaign",
    "print_json",
    "print_json_line",
    "print_table",
    "progress",
    "told",
]

SUFFIX = ".ophex"
"""The usual suffix of campaign files."""


def add_talk(parser: argparse.ArgumentParser) -> None:
    """Add `--json` and `--no-input`."""
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    parser.add_argument("--no-input", action="store_true", help="never ask questions; fail instead")


def add_campaign(parser: argparse.ArgumentParser) -> None:
    """Add the campaign file, the first argument of most commands."""
    parser.add_argument("campaign", metavar="CAMPAIGN", help="a campaign file made by `ophex new`")


def add_side(parser: argparse.ArgumentParser, what: str) -> None:
    """Add `--as SIDE`; `what` is its help."""
    parser.add_argument("--as", dest="side", metavar="SIDE", default="", help=what)


def add_format(parser: argparse.ArgumentParser, formats: Sequence[str]) -> None:
    """Add `--format`; `format_of` returns the choice. formats: the formats, the default first."""
    shown = f"{', '.join(formats[:-1])} or {formats[-1]} (default: by the ending of --out, otherwise {formats[0]})"
    parser.add_argument("--format", choices=formats, default="", help=shown)
    parser.set_defaults(formats=tuple(formats))


def format_of(args: argparse.Namespace) -> str:
    """The format to write: the chosen one, otherwise that of the ending of `--out`, otherwise the first."""
    ending = os.path.splitext(args.out or "")[1].removeprefix(".").lower()  # noqa: PTH122 (pathlib costs every command time)
    found: str = args.format or (ending if ending in args.formats else args.formats[0])
    return found


def at_least_one(text: str) -> int:
    """A typed number of at least 1. Raises an error that argparse reports."""
    return _at_least(1, text)


def not_negative(text: str) -> int:
    """A typed number of at least 0. Raises an error that argparse reports."""
    return _at_least(0, text)


def _at_least(least: int, text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number") from None
    if number < least:
        raise argparse.ArgumentTypeError(f"it must be at least {least}")
    return number


def add_workers(parser: argparse.ArgumentParser, usual: str = "one per core") -> None:
    """Add `--workers N`; `usual` describes the default."""
    parser.add_argument(
        "--workers", type=at_least_one, default=None, metavar="N", help=f"number of processes (default: {usual})"
    )


def add_modules(parser: argparse.ArgumentParser, every: str = "") -> None:
    """Add --with and --without. every: what `all` means, if it is allowed."""
    for word, turned in (("with", "on"), ("without", "off")):
        more = every if word == "with" else ""
        parser.add_argument(
            f"--{word}",
            dest="with_" if word == "with" else word,
            action="extend",
            type=_listed,
            default=[],
            metavar="MODULE",
            help=f"turn a module {turned}, or several, separated by commas{more}",
        )


def _listed(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def epilog(parser: argparse.ArgumentParser, example: str, keys: str = "", version: int = 1) -> None:
    """End a command's help with an example and, if it prints data, the keys of its JSON object.

    version: the version of the keys; it goes up when a key is removed or changes its meaning.
    """
    shown = "\n".join(f"  {line}" for line in example.strip().splitlines())
    parser.epilog = f"example:\n{shown}"
    schema = f"{parser.prog.replace(' ', '-')}/{version}"
    parser.set_defaults(schema_name=schema)
    if keys:
        parser.add_argument(
            "--schema", action=_PrintSchema, nargs=0, help="print the JSON Schema of the --json output and exit"
        )
        named = [f'schema                "{schema}"', *keys.strip().splitlines()]
        parser.epilog += "\n\nkeys of --json:\n" + "\n".join(f"  {line}" for line in named)


class _PrintSchema(argparse.Action):
    """The action of `--schema`: it needs no other argument, like `--help`."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from ui.cli.schemas import command_schema

        print_json(command_schema(parser.prog.partition(" ")[2]))
        parser.exit()


def is_terminal() -> bool:
    """Whether both input and output are a terminal."""
    return sys.stdout.isatty() and sys.stdin.isatty()


def note(text: str) -> None:
    """Print a message that is not data to stderr."""
    print(text, file=sys.stderr)


def new_file(path: str, *, force: bool = False) -> None:
    """Check that a file may be written.

    Raises:
        UsageError: it already exists and must not be overwritten.
    """
    from pathlib import Path

    if Path(path).exists() and not force:
        raise UsageError(
            f"{path} already exists.", "Choose another file name, or add --force to overwrite it.", "file", file=path
        )


def give(text: str, out: str | None, *, force: bool = False) -> None:
    """Print a text, or write it to a file. Raises UsageError if the file already exists."""
    from pathlib import Path

    from ui.cli.whole import put

    if not out:
        print(text, end="")
        return
    new_file(out, force=force)
    put(Path(out), plain(text))
    note(f"Wrote {out}.")


def print_table(rows: Sequence[Sequence[object]], heading: Sequence[str]) -> None:
    """Print rows in columns under a heading; numbers are right-aligned."""
    cells = [list(heading), *([str(value) for value in row] for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(heading))]
    right = [bool(rows) and all(_is_number(str(row[column])) for row in rows) for column in range(len(heading))]
    for row in cells:
        shown = (
            f"{value:>{width}}" if to_right else f"{value:<{width}}"
            for value, width, to_right in zip(row, widths, right, strict=True)
        )
        print("  ".join(shown).rstrip())


@contextmanager
def progress(title: str, *, forks: bool = False) -> Iterator[Callable[[int, int], None] | None]:
    """A progress bar on the terminal: yields a function that takes the steps done and the total.

    forks: whether processes are forked meanwhile: the bar then has no thread of its own, and moves only when told.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from time import monotonic

    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(file=beneath(sys.stderr)), transient=True, auto_refresh=not forks) as bar:
        task, drawn = bar.add_task(title, total=None), 0.0

        def tell(done: int, steps: int) -> None:
            nonlocal drawn
            now = monotonic()
            due = forks and now > drawn + 0.1
            bar.update(task, completed=done, total=steps or None, refresh=due)
            drawn = now if due else drawn

        yield tell


def open_campaign(path: str, *, to_write: bool = False) -> "OpenCampaign":
    """Open a campaign file; if it does not exist, the error lists similar ones.

    Args:
        path: the path as typed.
        to_write: whether something will be recorded in it; otherwise a read-only file is opened, with a note.

    Raises:
        UsageError: there is no such file.
        CampaignError: something would be recorded in a file that is read-only.
    """
    from campaigns.file.errors import cannot_write
    from campaigns.play.starting import open_campaign as opened

    if path == AT_HAND and _at_hand:
        return _at_hand[-1]
    found: OpenCampaign = opened(existing(path))
    if found.read_only:
        if to_write:
            found.close()
            raise cannot_write(found.path)
        note_read_only(found.path)
    else:
        found.before_closing = partial(keep_for_next, found)
    return found


def keep_for_next(campaign: "OpenCampaign", *, made: bool = False) -> None:
    """Computes and keeps the next `status` while the game is loaded: after an input, or for a campaign that was just made."""
    if made or campaign.store.has_written:
        from datetime import datetime

        from campaigns.views import glance

        glance.keep_for_next(campaign, datetime.now().astimezone())


AT_HAND = "\N{BLACK CIRCLE}at-hand"
"""The path that stands for a campaign in memory."""
_at_hand: "list[OpenCampaign]" = []


@contextmanager
def at_hand(campaign: Any) -> Iterator[None]:
    """Lets commands with the path AT_HAND work on a campaign in memory."""
    _at_hand.append(campaign)
    try:
        yield
    finally:
        _at_hand.pop()


def note_read_only(path: "Path") -> None:
    """Say that a campaign is read-only."""
    from campaigns.file.errors import is_full

    why = "is on a disk that is full" if is_full(path) else "is read-only"
    note(f"{path} {why}: you can look at the campaign, but you cannot give orders.")


def existing(path: str) -> "Path":
    """The campaign file of a path; the usual suffix may be left out.

    Raises:
        UsageError: there is no such file.
    """
    from pathlib import Path

    if not path.strip():
        raise UsageError("The name of the campaign file is empty.", "Name a campaign file.")
    file = Path(path)
    if not file.exists() and not file.suffix and file.with_suffix(SUFFIX).is_file():
        file = file.with_suffix(SUFFIX)
    if not file.is_file():
        raise _missing(path)
    return file


def _missing(path: str) -> UsageError:
    """The error for a campaign file that does not exist."""
    from difflib import get_close_matches
    from pathlib import Path

    file = Path(path)
    if file.is_dir():
        folder, what = file, f"{path} is a folder, not a campaign file."
    else:
        folder, what = file.parent, f"There is no campaign file {path}."
    here = sorted(other.name for other in folder.glob(f"*{SUFFIX}")) if folder.is_dir() else []
    if not here:
        return UsageError(what, f"`ophex new {'my' + SUFFIX} --scenario SYSTEM/NAME` creates one.", "file", file=path)
    near = get_close_matches(file.name, here, n=3, cutoff=0.4) or here[:5]
    shown = ", ".join(str(folder / name) if str(folder) != "." else name for name in near)
    return UsageError(what, f"Campaign files there: {shown}.", "file", file=path)


def ask(prompt: str, args: argparse.Namespace) -> str:
    """Ask the user at the terminal for a line.

    Raises:
        UsageError: there is no terminal, or questions are not allowed.
    """
    if args.no_input or not is_terminal():
        raise UsageError(
            f"A value is missing: {prompt}", "Give it on the command line, or run the command in a terminal."
        )
    print(f"{prompt}: ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip()


def told(events: Iterable[Any]) -> list[Mapping[str, Any]]:
    """Events as objects."""
    return [fields_of(event, ("kind", "text", "side", "to", "cites", "data")) for event in events]


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).replace("%", "", 1).lstrip("-").isdigit()


def fields_of(found: object, names: Sequence[str]) -> dict[str, Any]:
    """Some fields of an object, or some keys of a mapping, as an object."""
    return {name: found[name] if isinstance(found, Mapping) else getattr(found, name) for name in names}


def named(rows: Iterable[Sequence[Any]], *names: str) -> list[dict[str, Any]]:
    """Rows as objects, with names for their columns."""
    return [dict(zip(names, row, strict=True)) for row in rows]


def names_of(found: Iterable[Any]) -> list[str]:
    """The first elements of tuples, or the texts themselves."""
    return [str(one[0] if isinstance(one, tuple) else one) for one in found]


def ascii_only() -> bool:
    """Whether the output can show only ASCII characters."""
    try:
        "■□·".encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return True
    return False
