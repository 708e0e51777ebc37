"""Diagnostics: what is wrong with a rule text, where, and what would mend it. Errors are values, never tracebacks."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping

import attrs

from dsl.source import SourceFile, Span


@attrs.frozen(slots=True)
class Mark:
    """One place that a diagnostic points at, with a caption."""

    span: Span
    caption: str = ""


@attrs.frozen(slots=True)
class Diagnostic:
    """One finding. `code` is stable (E… is an error, W… a warning) and is listed in docs/diagnostics.md.

    marks: the places, the first of them the main one. hint: a sentence that says what to do. sure: whether
    following the hint is safe without thinking further.
    """

    code: str
    message: str
    marks: tuple[Mark, ...]
    hint: str = ""
    sure: bool = False

    @property
    def is_error(self) -> bool:
        return self.code.startswith("E")

    @property
    def span(self) -> Span:
        return self.marks[0].span if self.marks else Span("", 0, 0, 0, 0)


class RuleTextError(Exception):
    """Rule text that cannot be used; carries its diagnostics (never empty)."""

    def __init__(self, diagnostics: Iterable[Diagnostic], files: Mapping[str, SourceFile] | None = None) -> None:
        self.diagnostics = tuple(diagnostics)
        self.files = dict(files or {})
        super().__init__("; ".join(d.message for d in self.diagnostics[:3]))

    def render(self) -> str:
        return "\n\n".join(render(d, self.files) for d in self.diagnostics)


def at(
    code: str, message: str, span: Span, *, hint: str = "", sure: bool = False, also: Iterable[Mark] = ()
) -> Diagnostic:
    """A diagnostic with one main place and perhaps further ones."""
    return Diagnostic(code, message, (Mark(span), *also), hint, sure)


def nearest(word: str, known: Iterable[str], most: int = 3) -> list[str]:
    """The known words closest in spelling to `word`, best first."""
    return difflib.get_close_matches(word, sorted(set(known)), n=most, cutoff=0.6)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint naming the nearest known words, or an empty string."""
    words = nearest(word, known)
    return "" if not words else f"Did you mean {' or '.join(words)}?"


def render(diagnostic: Diagnostic, files: Mapping[str, SourceFile]) -> str:
    """The diagnostic as people read it: code and message, each place with its own line underlined, the hint."""
    kind = "error" if diagnostic.is_error else "warning"
    out = [f"{kind} {diagnostic.code}: {diagnostic.message}"]
    width = max((len(str(m.span.line)) for m in diagnostic.marks), default=1)
    for mark in diagnostic.marks:
        span = mark.span
        if not span.file:
            continue
        out.append(f"{' ' * width}--> {span}")
        source = files.get(span.file)
        if source is None or span.line < 1:
            if mark.caption:
                out.append(f"{' ' * width}  | {mark.caption}")
            continue
        line = source.line(span.line).rstrip()
        start = min(span.column, len(line) + 1)
        end = span.end_column if span.end_line == span.line else len(line) + 1
        if len(line) > 160:
            cut = max(0, min(start - 40, len(line) - 160))
            line, start, end = "…" + line[cut : cut + 158] + "…", start - cut + 1, min(end - cut + 1, 159)
        bar = " " * (start - 1) + "^" * max(1, end - start)
        out.append(f"{span.line:>{width}} | {line}")
        out.append(f"{' ' * width} | {bar}{' ' + mark.caption if mark.caption else ''}")
    if diagnostic.hint:
        out.append(f"{' ' * width} = help: {diagnostic.hint}")
    return "\n".join(out)


def sort_key(diagnostic: Diagnostic) -> tuple[str, int, int, str]:
    """Order of reading: by file, line, column, code."""
    span = diagnostic.span
    return (span.file, span.line, span.column, diagnostic.code)
