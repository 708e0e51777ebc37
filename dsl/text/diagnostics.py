"""Diagnostics: what is wrong with a rule text, where, and how to fix it. Errors are values, never tracebacks."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping

import attrs

from dsl.text.codes import remedy
from dsl.text.source import SourceFile, Span, path_of
from dsl.text.withheld import plain

SHOWN = 158
"""The number of characters that are shown of a longer line."""
MOST_COMPARED = 60
"""The number of words with which a misspelt word is compared."""


@attrs.frozen(slots=True)
class Mark:
    """One place that a diagnostic points at, with a caption."""

    span: Span
    caption: str = ""
    word: str = ""
    """The word in the span that is meant; `placed` narrows the span to it."""


@attrs.frozen(slots=True)
class Diagnostic:
    """One finding. `code` is stable (E… is an error, W… a warning) and is listed in `codes.toml`.

    marks: the places, the main one first. hint: a sentence that says what to do.
    """

    code: str
    message: str
    marks: tuple[Mark, ...]
    hint: str = ""

    @property
    def is_error(self) -> bool:
        """Whether it must be fixed before play."""
        return self.code.startswith("E")

    @property
    def span(self) -> Span:
        """The main place."""
        return self.marks[0].span if self.marks else Span("", 0, 0, 0, 0)


class RuleTextError(Exception):
    """Rule text that cannot be used, with its diagnostics (never empty)."""

    def __init__(self, diagnostics: Iterable[Diagnostic], files: Mapping[str, SourceFile] | None = None) -> None:
        self.diagnostics = tuple(diagnostics)
        self.files = dict(files or {})
        super().__init__("; ".join(d.message for d in self.diagnostics[:3]))

    def render(self) -> str:
        """Every diagnostic as text for people."""
        return "\n\n".join(render(d, self.files) for d in self.diagnostics)


def at(
    code: str, message: str, span: Span, *, hint: str = "", also: Iterable[Mark] = (), word: str = ""
) -> Diagnostic:  # fmt: skip
    """A diagnostic with one main place and optional further ones. word: the word in the main place that is meant."""
    return Diagnostic(code, _LONG.sub(r"`\1…`", message), (Mark(span, "", word), *also), hint or remedy(code))


_LONG = re.compile("`([^`]{60})[^`]{10,}`")


def placed(diagnostic: Diagnostic, files: Mapping[str, SourceFile]) -> Diagnostic:
    """The diagnostic with each place narrowed to the word that is meant, if it is found there.

    If the main place has no word, it is narrowed to the name with which the message begins, as in "`x` is not a …".
    """
    marks = []
    for number, mark in enumerate(diagnostic.marks):
        begins = re.match("`([^`]+)`", diagnostic.message) if number == 0 else None
        word = mark.word or (begins[1] if begins else "")
        marks.append(attrs.evolve(mark, span=_narrowed(mark.span, word, files), word=""))
    return attrs.evolve(diagnostic, marks=tuple(marks))


def _narrowed(span: Span, word: str, files: Mapping[str, SourceFile]) -> Span:
    source = files.get(span.file)
    if source is None or not word:
        return span
    pattern = re.compile(r"(?<![\w-])" + re.escape(word) + r"(?![\w-])")
    for number in range(span.line, min(span.end_line, span.line + 200) + 1):
        begin = span.column - 1 if number == span.line else 0
        line = source.line(number)
        found = pattern.search(line, begin, len(line.partition(" -- ")[0]) if "|" not in line else len(line))
        if found:
            return Span(span.file, number, found.start() + 1, number, found.end() + 1)
    return span


def nearest(word: str, known: Iterable[str], most: int = 3) -> list[str]:
    """The known words closest in spelling to `word`, best first, never itself. Of many, only those of similar length are compared."""
    word = plain(word)
    words = set(known) - {word}
    if len(words) > MOST_COMPARED:
        words = set(sorted(words, key=lambda w: (abs(len(w) - len(word)), w[:2] != word[:2], w))[:MOST_COMPARED])
    return difflib.get_close_matches(word[:80], sorted(words), n=most, cutoff=0.6)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint naming the nearest known words, or an empty string."""
    words = nearest(word, known)
    return "" if not words else f"Did you mean {' or '.join(words)}?"


def render(diagnostic: Diagnostic, files: Mapping[str, SourceFile]) -> str:
    """The diagnostic as text for people: code and message, each place with its line underlined, the hint."""
    kind = "error" if diagnostic.is_error else "warning"
    out = [f"{kind} {diagnostic.code}: {_shown(diagnostic.message)}"]
    width = max((len(str(m.span.line)) for m in diagnostic.marks), default=1)
    for mark in diagnostic.marks:
        span = mark.span
        if not span.file:
            continue
        out.append(f"{' ' * width}--> {path_of(span, files)}:{span.line}:{span.column}")
        source = files.get(span.file)
        if source is None or span.line < 1:
            if mark.caption:
                out.append(f"{' ' * width}  | {mark.caption}")
            continue
        line = _shown(source.line(span.line).rstrip())
        start = min(span.column, len(line) + 1)
        end = span.end_column if span.end_line == span.line else len(line) + 1
        if len(line) > SHOWN:
            cut = max(0, min(start - 40, len(line) - SHOWN))
            head, tail = "…" if cut else "", "…" if cut + SHOWN < len(line) else ""
            line = head + line[cut : cut + SHOWN] + tail
            start, end = start - cut + len(head), min(end - cut, SHOWN + 1) + len(head)
        bar = " " * (start - 1) + "^" * max(1, end - start)
        out.append(f"{span.line:>{width}} | {line}")
        out.append(f"{' ' * width} | {bar}{' ' + mark.caption if mark.caption else ''}")
    if diagnostic.hint:
        out.append(f"{' ' * width} = help: {_shown(diagnostic.hint)}")
    return "\n".join(out)


def _shown(text: str) -> str:
    """Text that is safe on a terminal: unprintable characters become a sign, a tab one space."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else " " if c == "\t" else "\N{REPLACEMENT CHARACTER}" for c in text)


def sort_key(diagnostic: Diagnostic) -> tuple[str, int, int, str]:
    """Order of reading: by file, line, column, code."""
    span = diagnostic.span
    return (span.file, span.line, span.column, diagnostic.code)
