"""Parsing: a file of rule text to its declarations and the errors found, several of them in one go."""

from __future__ import annotations

import functools
import gc
import hashlib
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import attrs
from lark import Lark, UnexpectedInput
from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedToken, VisitError

from dsl import declarations as d
from dsl.build import Build
from dsl.diagnostics import Diagnostic, at, did_you_mean
from dsl.layout import MOST_DEPTH, MOST_WORDS, BadIndent, Chunk, Layout, TooDeep, TooLong, cut
from dsl.source import SourceFile, Span
from dsl.words import DECLARATION_WORDS, KEYWORDS, spoken

GRAMMAR = Path(__file__).with_name("grammar.lark")
MOST_BYTES = 4_000_000
MOST_LINES = 20_000
"""A file is at most MOST_BYTES long, a declaration at most MOST_LINES: beyond that it is not a rulebook."""


@attrs.frozen(slots=True)
class Parsed:
    """One file, parsed. digests: of each declaration's normalised text, in the order of `declarations`."""

    file: SourceFile
    declarations: tuple[d.Declaration, ...]
    digests: tuple[str, ...]
    diagnostics: tuple[Diagnostic, ...]


def parse(file: SourceFile) -> Parsed:
    """Parses a file. Never raises for what the text holds: whatever is wrong stands in `diagnostics`."""
    size = len(file.text.encode("utf-8", "replace"))
    if size > MOST_BYTES:
        message = f"The file is {size:,} bytes long; a rule file may have {MOST_BYTES:,}."
        return Parsed(
            file, (), (), (at("E001", message, Span(file.name, 1, 1, 1, 1), hint="Split it into several files."),)
        )
    text = file.text.removeprefix("\ufeff").replace("\r\n", "\n")
    declarations: list[d.Declaration] = []
    digests: list[str] = []
    diagnostics: list[Diagnostic] = []
    enabled = gc.isenabled()
    gc.disable()
    try:
        for chunk in cut(text):
            found, errors = parse_chunk(chunk, file.name)
            diagnostics += errors
            if found is not None:
                declarations.append(found)
                digests.append(digest(chunk.text))
    finally:
        if enabled:
            gc.enable()
    return Parsed(file, tuple(declarations), tuple(digests), tuple(diagnostics))


def digest(text: str) -> str:
    """sha256 of a declaration's text with remarks, spacing and blank lines normalised."""
    lines = [" ".join(line.split(" -- ")[0].split()) for line in text.split("\n")]
    return hashlib.sha256("\n".join(line for line in lines if line).encode()).hexdigest()


def parse_chunk(chunk: Chunk, file: str) -> tuple[d.Declaration | None, list[Diagnostic]]:
    """One declaration, or what is wrong with it."""
    lines = chunk.text.count("\n")
    if lines > MOST_LINES:
        message = f"This declaration has {lines:,} lines; one may have {MOST_LINES:,}."
        return None, [at("E001", message, Span(file, chunk.line, 1, chunk.line, 2), hint="Split it into several.")]
    parser, build = _parser()
    build.file, build.shift_lines, build.text = file, chunk.line - 1, chunk.text
    try:
        tree: Any = build.transform(parser.parse(chunk.text))
    except UnexpectedInput as error:
        return None, [_unexpected(error, chunk, file)]
    except TooLong as error:
        span = _token_span(error.token, chunk, file)
        return None, [
            at("E004", f"This line goes on for more than {MOST_WORDS} words.", span, hint="Name its parts with `let`.")
        ]
    except TooDeep as error:
        span = _token_span(error.token, chunk, file)
        return None, [
            at(
                "E003",
                f"Blocks nest more than {MOST_DEPTH} deep here.",
                span,
                hint="Name the inner steps as a procedure.",
            )
        ]
    except BadIndent as error:
        span = _token_span(error.token, chunk, file, next_line=True)
        return None, [
            at(
                "E005",
                "This line is indented to no block around it.",
                span,
                hint="Line it up with the lines it belongs to.",
            )
        ]
    except VisitError as error:
        if isinstance(error.orig_exc, RecursionError):
            span = Span(file, chunk.line, 1, chunk.line, 2)
            return None, [at("E003", "This declaration nests too deep.", span, hint="Name the inner parts.")]
        raise
    assert isinstance(tree, d.Declaration)
    return tree, []


@functools.cache
def _parser() -> tuple[Lark, Build]:
    build = Build()
    text = GRAMMAR.read_text(encoding="utf-8")
    return (
        Lark(
            text,
            parser="lalr",
            lexer="contextual",
            postlex=Layout(),
            propagate_positions=True,
            maybe_placeholders=False,
            cache=_cache_file(text),
        ),
        build,
    )


def _cache_file(text: str) -> str | bool:
    """Where Lark keeps its tables; False when nothing can be written."""
    import platformdirs

    stamp = hashlib.sha256(text.encode()).hexdigest()[:16]
    for folder in (
        Path(platformdirs.user_cache_dir("ophex", appauthor=False)),
        Path(tempfile.gettempdir()) / "ophex-cache",
    ):
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(folder, os.W_OK):
            return str(folder / f"grammar-{stamp}.lark-cache")
    return False


def _token_span(token: Any, chunk: Chunk, file: str, next_line: bool = False) -> Span:
    line = (token.end_line if next_line else token.line) or 1
    if next_line:
        return Span(file, line + chunk.line - 1, 1, line + chunk.line - 1, max(2, token.end_column or 2))
    return Span(
        file, line + chunk.line - 1, token.column or 1, line + chunk.line - 1, (token.column or 1) + max(1, len(token))
    )


def _unexpected(error: UnexpectedInput, chunk: Chunk, file: str) -> Diagnostic:
    """What the parser stumbled over, in the words of the field rather than of the grammar."""
    if isinstance(error, UnexpectedCharacters):
        span = Span(file, error.line + chunk.line - 1, error.column, error.line + chunk.line - 1, error.column + 1)
        allowed: Iterable[str] = error.allowed or ()
        first = chunk.text.split(maxsplit=1)[0] if chunk.text.split() else ""
        if (error.line == 1 and error.column == 1) or (first not in DECLARATION_WORDS and error.line == 1):
            return _not_a_declaration(first, span)
        word = chunk.text.split("\n")[error.line - 1][error.column - 1 :].split(maxsplit=1)
        return at("E002", f"I did not expect {word[0] if word else 'this'!r} here.", span, hint=_expected(allowed))
    if isinstance(error, UnexpectedToken):
        token = error.token
        if token.type == "$END" or isinstance(error, UnexpectedEOF):
            last = chunk.text.rstrip().count("\n") + chunk.line
            text = chunk.text.rstrip().split("\n")[-1]
            span = Span(file, last, max(1, len(text)), last, len(text) + 1)
            return at("E002", "This declaration ends too early.", span, hint=_expected(error.accepts or error.expected))
        span = _token_span(token, chunk, file)
        expected = set(error.accepts or error.expected)
        first = chunk.text.split(maxsplit=1)[0]
        if span.line == chunk.line and span.column == 1:
            return _not_a_declaration(first, span)
        if token.type in {"_INDENT", "_DEDENT", "_NL"}:
            line = chunk.text.split("\n")[max(0, (token.line or 1) - 1)]
            where = Span(file, span.line, len(line) or 1, span.line, len(line) + 1)
            return at("E002", "The line ends too early.", where, hint=_expected(expected))
        word = str(token)
        hint = _expected(expected)
        if "NAME" in expected and word in KEYWORDS:
            hint = f"`{word}` is a word of the language; a name of your own must differ from it here. {hint}"
        guess = did_you_mean(word, [spoken(e) for e in expected]) if token.type == "NAME" else ""
        return at("E002", f"I did not expect `{word.strip()[:60]}` here.", span, hint=(guess + " " + hint).strip())
    span = Span(file, chunk.line, 1, chunk.line, 2)
    return at("E002", "This declaration is not complete.", span)


def _not_a_declaration(word: str, span: Span) -> Diagnostic:
    hint = did_you_mean(word, DECLARATION_WORDS) or (
        "A line at the left edge starts a declaration: " + ", ".join(sorted(DECLARATION_WORDS)) + "."
    )
    return at(
        "E006",
        f"`{word[:40]}` starts no declaration.",
        attrs.evolve(span, end_column=span.column + max(1, len(word[:40]))),
        hint=hint,
    )


def _expected(names: Iterable[str]) -> str:
    words = sorted({spoken(n) for n in names} - {""})
    if not words:
        return ""
    shown = words if len(words) <= 12 else [*words[:12], f"… ({len(words) - 12} more)"]
    return "Expected " + ", ".join(shown) + "."
