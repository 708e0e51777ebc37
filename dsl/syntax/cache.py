"""A cache of parsed files, so that unchanged rule text needs no parser. It can be deleted without loss.

An entry is plain text with a digest (`dsl/text/keeping.py`, `dsl/syntax/tree_text.py`). It is read as data and can execute nothing,
whoever wrote it.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
from pathlib import Path

from dsl.syntax.declarations import Declaration
from dsl.syntax.tree_text import Unreadable, read, written
from dsl.text.diagnostics import Diagnostic
from dsl.text.keeping import folder, keep, kept, name_of
from dsl.text.source import SourceFile

__all__ = ["PARSING", "folder", "parsed", "stamp"]

PARSING = (
    "syntax/__init__.py", "syntax/build.py", "syntax/build_data.py", "syntax/build_example_lines.py", "syntax/build_expressions.py",
    "syntax/build_line_parts.py", "syntax/build_lines.py", "syntax/build_order_lines.py", "syntax/chunks.py", "syntax/declaration_base.py",
    "syntax/declarations.py", "syntax/declarations_of_data.py", "syntax/dice_words.py", "syntax/grammar.lark", "syntax/habits.py", "syntax/kept_tables.py", "syntax/layout.py", "syntax/line_base.py",
    "syntax/body_lines.py", "syntax/lines_of_examples.py", "syntax/lines_of_orders.py", "syntax/parse.py", "syntax/stumble.py",
    "syntax/syntax_tree.py", "syntax/language_words.py", "text/__init__.py", "text/codes.py", "text/codes.toml", "text/collecting.py", "text/diagnostics.py", "text/keeping.py", "text/nodes.py",
    "text/source.py", "text/withheld.py",
)  # fmt: skip
"""The files that determine the result of parsing: `parse.py` and everything that it imports."""

Found = tuple[tuple[Declaration, ...], tuple[Diagnostic, ...]]


@functools.cache
def stamp() -> str:
    """A digest of all code that parses and stores: a changed grammar does not read entries of an older one."""
    digest = hashlib.sha256()
    language = Path(__file__).parents[1]
    for name in (*PARSING, "syntax/tree_text.py"):
        digest.update((language / name).read_bytes())
    return digest.hexdigest()[:16]


def parsed(file: SourceFile) -> Found:
    """The declarations and diagnostics of a file, from the cache if its text was parsed before, in this file or another."""
    if folder() is None:
        return _parse(file)
    name = name_of("parsed", (stamp(), file.text))
    text = kept(name)
    if text is not None:
        with contextlib.suppress(Unreadable):
            return _read(text, file.name)
    found = _parse(file)
    with contextlib.suppress(RecursionError):
        keep(name, written(found, file.name))
    return found


def _read(text: str, file: str) -> Found:
    """The content of an entry, as that of a file with this name. Raises Unreadable if it is not a parsed file."""
    found = read(text, file)
    if not (isinstance(found, tuple) and len(found) == 2 and all(isinstance(x, tuple) for x in found)):
        raise Unreadable("no parsed file")
    made: Found = found
    return made


def _parse(file: SourceFile) -> Found:
    from dsl.syntax.parse import parse

    result = parse(file)
    return result.declarations, result.diagnostics
