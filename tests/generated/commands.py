"""The help of every command. It is laid out here and not by argparse, whose lines differ between versions of Python."""

import argparse
from collections.abc import Iterator

from tests.generated.markdown import block, plain, table
from ui.cli.command_table import GROUPS, parser_of

SHARED = {"--help", "--json", "--no-input", "--schema"}
"""What the top of the page says once for all commands."""


def commands() -> str:
    """Every command, group by group."""
    out = []
    for group, names in GROUPS.items():
        out.append(f"\n## {group}\n")
        out += (_command(name) for name in names)
    return "".join(out)


def _command(name: str) -> str:
    parser = parser_of(name)
    told = [_paragraph(text) for text in (parser.description or "").split("\n\n")]
    rows = [(_names(one), plain(_help(one, parser))) for one in _arguments(parser)]
    end = [_ending(text) for text in (parser.epilog or "").split("\n\n")]
    parts = [*told, block(_usage(parser)), *([table(("argument", "is"), rows)] if rows else []), *end]
    return f"\n### ophex {name}\n" + "\n".join(parts)


def _paragraph(text: str) -> str:
    """A paragraph of a description; one whose lines are lined up stays so."""
    return block(text) if "\n " in f"\n{text}" else f"{plain(text)}\n"


def _ending(text: str) -> str:
    """The example, or the keys of --json."""
    title, _, lines = text.partition(":\n")
    shown = "\n".join(line.removeprefix("  ") for line in lines.split("\n"))
    return f"{title[:1].upper()}{title[1:].replace('--json', '`--json`')}:\n\n{block(shown)}"


def _arguments(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """What a command takes: those without a name first, then those that are needed."""
    found = [one for one in parser._actions if not SHARED & {*one.option_strings} and one.help != argparse.SUPPRESS]
    return sorted(found, key=lambda one: (bool(one.option_strings), not one.required))


def _names(action: argparse.Action) -> str:
    names = [f"{name} {_value(action)}".strip() for name in action.option_strings] or [_one_value(action)]
    return ", ".join(f"`{name}`" for name in names)


def _value(action: argparse.Action) -> str:
    """What stands for the value of an argument, as often as it may be given; "" for an option without one."""
    if action.nargs == 0:
        return ""
    one = _one_value(action)
    match action.nargs:
        case "?":
            return f"[{one}]"
        case "*":
            return f"[{one} …]"
        case "+":
            return f"{one} [{one} …]"
        case int(count):
            return " ".join([one] * count)
    return one


def _one_value(action: argparse.Action) -> str:
    usual = "{" + ",".join(map(str, action.choices)) + "}" if action.choices else action.dest.upper()
    return usual if action.metavar is None else str(action.metavar)


def _help(action: argparse.Action, parser: argparse.ArgumentParser) -> str:
    return (action.help or "") % {**vars(action), "prog": parser.prog}


def _usage(parser: argparse.ArgumentParser) -> str:
    """How a command is called, in lines that fit a page."""
    lines = [parser.prog]
    for part in _parts(parser):
        if len(f"{lines[-1]} {part}") > 96:
            lines.append(" " * len(parser.prog))
        lines[-1] += f" {part}"
    return "\n".join(lines)


def _parts(parser: argparse.ArgumentParser) -> Iterator[str]:
    groups = {id(one): group for group in parser._mutually_exclusive_groups for one in group._group_actions}
    told = set()
    for action in _arguments(parser):
        group = groups.get(id(action))
        if group is None:
            needed = action.required or not action.option_strings
            yield _short(action) if needed else f"[{_short(action)}]"
        elif id(group) not in told:
            told.add(id(group))
            choices = " | ".join(_short(one) for one in group._group_actions)
            yield f"({choices})" if group.required else f"[{choices}]"


def _short(action: argparse.Action) -> str:
    return f"{next(iter(action.option_strings), '')} {_value(action)}".strip()
