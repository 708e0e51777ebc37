"""`ophex tree`: what a name of the rules is, which rules change it, what it reads and what reads it."""

import argparse
import textwrap
from typing import TYPE_CHECKING, Any

from ui.cli import talking

if TYPE_CHECKING:
    from campaigns.library.name_tree import Layer, Reference, Resolved

KEYS = """\
name                  the name that was asked for
modules: [text]       the modules that are on
meanings: [meaning]    what the name is; for each:
        base: its declaration: relation, word, name, lines, cites, modules, active, place
        changes: the same for every rule that changes it, in the order they apply
        reads, read_by: word, name, place, active of other names"""

SAID = {
    "before": "before it",
    "forbids": "forbidden by",
    "permits": "permitted by",
    "excepts": "except as in",
    "replaces": "replaced by",
    "adds": "added to by",
    "after": "after it",
    "whenever": "triggers",
    "always": "watched by",
}
ABOUT = """

`+` marks a declaration that is in force, `-` one that is not."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    parser.add_argument("system", metavar="SYSTEM", help="a system's name or folder")
    parser.add_argument("name", metavar="NAME", help="a name in the rules, such as `march` or 'order march'")
    talking.add_modules(parser)
    talking.add_talk(parser)
    talking.epilog(parser, "ophex tree SYSTEM allowance --with supply", KEYS)


def run(args: argparse.Namespace) -> int:
    """Print the tree. `+` marks a declaration that is in force, `-` one that is not."""
    from campaigns.library.name_tree import tree

    found = tree(args.system, args.name, args.with_, args.without)
    if args.json:
        import attrs

        talking.print_json(attrs.asdict(found))
        return 0
    for number, meaning in enumerate(found.meanings):
        print("\n" * bool(number), end="")
        _print(meaning)
    talking.note(f"Modules that are on: {', '.join(found.modules) or 'none'}.")
    return 0


def _print(meaning: "Resolved") -> None:
    _layer(meaning.base, "")
    for change in meaning.changes:
        print()
        _layer(change, f"{SAID[change.relation]} ")
    for title, references in (("reads", meaning.reads), ("read by", meaning.read_by)):
        if references:
            print()
            _references(title, references)


def _layer(layer: "Layer", said: str) -> None:
    notes: list[Any] = [layer.place]
    if layer.modules:
        notes.append(f"{', '.join(layer.modules)} ({'on' if layer.active else 'off'})")
    if layer.cites:
        notes.append(f"[{', '.join(layer.cites)}]")
    print(f"{'+' if layer.active else '-'} {said}{layer.word} {layer.name}  {'  '.join(notes)}")
    for line in layer.lines:
        print(f"    {line}".rstrip())


def _references(title: str, references: "tuple[Reference, ...]") -> None:
    words: dict[str, list[str]] = {}
    for one in references:
        words.setdefault(one.word, []).append(one.name if one.active else f"{one.name} (off)")
    print(f"{title}:")
    for word, names in words.items():
        shown = textwrap.fill(", ".join(names), 84, break_on_hyphens=False, break_long_words=False)
        print(textwrap.indent(shown, " " * 16).replace(" " * 16, f"  {word:<14}", 1))
