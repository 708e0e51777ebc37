"""Parsing: a file of rule text becomes declarations and a list of the errors found, several in one run."""

from __future__ import annotations

import functools
import hashlib
import re
from pathlib import Path
from typing import Any

import attrs
from lark import Lark, UnexpectedInput

from dsl.syntax import declarations as d
from dsl.syntax.body_lines import Line
from dsl.syntax.build import Build
from dsl.syntax.chunks import Chunk, cut
from dsl.syntax.kept_tables import parser_for
from dsl.syntax.layout import Layout, LayoutError
from dsl.syntax.stumble import token_span, unexpected
from dsl.syntax.syntax_tree import Node, fields_of
from dsl.text.collecting import uncollected
from dsl.text.diagnostics import Diagnostic, at
from dsl.text.source import SourceFile, Span

GRAMMAR = Path(__file__).with_name("grammar.lark")
MOST_BYTES = 2_000_000
MOST_LINES = 20_000
"""Limits: a file has at most MOST_BYTES characters, a declaration at most MOST_LINES lines: a rulebook is never larger."""
MOST_ERRORS = 50
"""After this many declarations that cannot be read, the rest of a file is not checked."""
MOST_NESTED = 50
"""Expressions nest at most this deep, counting brackets, `of`, `not` and signs of arithmetic."""


@attrs.frozen(slots=True)
class Parsed:
    """One file, parsed. digests: of each declaration's normalised text, in the order of `declarations`."""

    file: SourceFile
    declarations: tuple[d.Declaration, ...]
    digests: tuple[str, ...]
    diagnostics: tuple[Diagnostic, ...]


def parse(file: SourceFile) -> Parsed:
    """Parses a file. Never raises because of the text: all problems are in `diagnostics`."""
    size = len(file.text)
    start = Span(file.name, 1, 1, 1, 2)
    if size > MOST_BYTES:
        message = f"The file has {size:,} characters; the limit for a rule file is {MOST_BYTES:,}."
        return Parsed(file, (), (), (at("E001", message, start, hint="Split it into several files."),))
    text, unseen = _seen(file)
    chunks = cut(text)
    declarations: list[d.Declaration] = []
    digests: list[str] = []
    diagnostics: list[Diagnostic] = unseen
    failed = 0
    with uncollected():
        for chunk in chunks:
            found, errors = parse_chunk(chunk, file.name)
            diagnostics += errors
            failed += bool(errors)
            if found is not None:
                declarations.append(found)
                digests.append(digest(chunk.text))
            if failed >= MOST_ERRORS:
                place = Span(file.name, chunk.line, 1, chunk.line, 2)
                message = f"{MOST_ERRORS} declarations cannot be read; the rest of the file is not checked."
                diagnostics.append(at("E007", message, place, hint="Fix the errors above and check again."))
                break
    if not chunks:
        diagnostics.append(
            at("W001", "The file contains no rules.", start, hint="Add rules to it, or remove it from the folder.")
        )
    return Parsed(file, tuple(declarations), tuple(digests), tuple(diagnostics))


_UNSEEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]|\r(?!\n)")
"""Characters that no text needs and a terminal would obey: control characters and changes of the direction of writing."""
MOST_UNSEEN = 20


def _seen(file: SourceFile) -> tuple[str, list[Diagnostic]]:
    """The text with a replacement for each character that must not be printed, and diagnostics for the first of them."""
    if _UNSEEN.search(file.text) is None:
        return file.text, []
    found = []
    for number, line in enumerate(file.text.split("\n"), 1):
        for sign in _UNSEEN.finditer(f"{line}\n"):
            place = Span(file.name, number, sign.start() + 1, number, sign.end() + 1)
            hint = f"Delete it: it is the unprintable character U+{ord(sign[0]):04X}."
            found.append(at("E002", "There is an invisible character here.", place, hint=hint))
        if len(found) >= MOST_UNSEEN:
            break
    return _UNSEEN.sub("\N{REPLACEMENT CHARACTER}", file.text), found[:MOST_UNSEEN]


def digest(text: str) -> str:
    """sha256 of a declaration's text with remarks, spacing and blank lines normalised."""
    lines = [" ".join(line.split(" -- ")[0].split()) for line in text.split("\n")]
    return hashlib.sha256("\n".join(line for line in lines if line).encode()).hexdigest()


def parse_chunk(chunk: Chunk, file: str) -> tuple[d.Declaration | None, list[Diagnostic]]:
    """One declaration, or the problems with it."""
    lines = chunk.text.count("\n")
    place = Span(file, chunk.line, 1, chunk.line, 2 + len(chunk.text.partition("\n")[0]))
    if lines > MOST_LINES:
        message = f"This declaration has {lines:,} lines; the limit is {MOST_LINES:,}."
        return None, [at("E001", message, place, hint="Split it into several.")]
    parser, build, layout = _parser()
    build.file, build.shift_lines, build.text = file, chunk.line - 1, chunk.text
    too_deep = f"Something in this line is nested more than {MOST_NESTED} levels deep."
    try:
        tree: Any = build.transform(parser.parse(chunk.text))
    except UnexpectedInput as error:
        return None, [_tabbed(unexpected(error, chunk, file), chunk)]
    except LayoutError as error:
        span = token_span(error.token, chunk, file, next_line=error.next_line)
        return None, [_tabbed(at(error.code, error.message, span, hint=error.hint), chunk)]
    except RecursionError:
        return None, [at("E003", too_deep, place, hint="Name its parts with `let`.")]
    assert isinstance(tree, d.Declaration)
    deep = _too_deep(tree) if layout.longest > MOST_NESTED else None
    if deep is not None:
        return None, [at("E003", too_deep, deep, hint="Name its parts with `let`.")]
    return tree, []


def _tabbed(problem: Diagnostic, chunk: Chunk) -> Diagnostic:
    """The finding; if some lines of the declaration are indented with tabs and others with spaces, it says so."""
    begins = [line[0] for line in chunk.text.split("\n")[1:] if line.strip()]
    if not ("\t" in begins and " " in begins):
        return problem
    number = chunk.line + 1 + next(n for n, line in enumerate(chunk.text.split("\n")[1:]) if line.startswith("\t"))
    told = f"Line {number} is indented with a tab and others with spaces; a tab counts as one space. Indent all with spaces."
    return attrs.evolve(problem, hint=f"{told} {problem.hint}".strip())


def _too_deep(tree: Node) -> Span | None:
    """The place of an expression that nests deeper than MOST_NESTED, if there is one."""
    waiting: list[tuple[Any, int, Span]] = [(tree, 0, tree.span)]
    while waiting:
        item, depth, line = waiting.pop()
        if isinstance(item, tuple):
            waiting += [(x, depth, line) for x in item]
        elif isinstance(item, Node):
            if isinstance(item, Line):
                depth, line = 0, item.span
            if depth > MOST_NESTED:
                return line
            waiting += [(getattr(item, name), depth + 1, line) for name in fields_of(type(item))]
    return None


@functools.cache
def _parser() -> tuple[Lark, Build, Layout]:
    build, layout = Build(), Layout()
    text = GRAMMAR.read_text(encoding="utf-8")
    return parser_for(text, layout), build, layout
