"""Checks by name: the errors of a system or a rule file. Findings are kept as long as nothing of it has changed.

Findings depend on the text of every file, on what can be drawn, and on the program. They are kept as data under a digest of all
these. So neither the language nor the machine need be loaded to report the same findings again.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

from campaigns.library.rule_files import OwnFiles, RuleFiles, on_which, own_files
from dsl.text.diagnostics import Diagnostic, Mark, render
from dsl.text.keeping import digest, keep, kept, name_of, stamp_of
from dsl.text.source import SourceFile, Span

__all__ = ["CheckReport", "check"]

MOST_KEPT = 1000
"""For how many systems findings are kept."""
MANY = 5
"""If a warning has at least this many others of its code, their places are listed with the first."""
MOST_PLACES = 10
"""Of more places than these, the number of the others is printed."""


@attrs.frozen(slots=True)
class CheckReport:
    """The findings of a check. rendered: the diagnostics as people read them, many warnings of one code as one.

    elsewhere: of a single file, the errors in other files of its system, which may keep some of its own from being found.
    """

    diagnostics: tuple[Diagnostic, ...]
    files: dict[str, SourceFile]
    rendered: tuple[str, ...]
    errors: int
    warnings: int
    elsewhere: int = 0


def check(name: str, drawings: Collection[str] = ()) -> CheckReport:
    """Every diagnostic of a system or rule file. drawings: what can be drawn; if not given, that is not checked."""
    own = own_files(name)
    stands = name_of("checked", _hangs_on(own, drawings))
    whole, problems = _kept(stands, own) or _found(stands, own, name, drawings)
    files = {file.name: file for file in whole.all}
    path, all_errors = Path(name), sum(p.is_error for p in problems)
    if path.is_file():
        mine = {n for n in files if n == path.name or str(path.resolve()).endswith("/" + n)}
        problems = [p for p in problems if p.span.file in mine or not p.span.file]
    errors = sum(p.is_error for p in problems)
    return CheckReport(
        tuple(problems), files, tuple(_shown(problems, files)), errors, len(problems) - errors, all_errors - errors
    )


def _shown(problems: Sequence[Diagnostic], files: Mapping[str, SourceFile]) -> Iterator[str]:
    """The findings as people read them. Many warnings of one code are one: the first, with the places of the others."""
    alike: dict[str, list[Diagnostic]] = {}
    for problem in problems:
        alike.setdefault(problem.code, []).append(problem)
    for problem in problems:
        first, *others = alike[problem.code]
        if problem.is_error or len(others) < MANY:
            yield render(problem, files)
        elif problem is first:
            yield f"{render(first, files)}\n  {len(others)} more {first.code}: {_places(others, files)}"


def _places(problems: Sequence[Diagnostic], files: Mapping[str, SourceFile]) -> str:
    """Where the first findings are, with the words that are meant: `units.rules 8 strength, 9 fuel; maps.rules 3 level`."""
    rows: dict[str, list[str]] = {}
    for problem in problems[:MOST_PLACES]:
        span = problem.span
        file = files.get(span.file)
        end = span.end_column if span.end_line == span.line else None
        word = file.line(span.line)[span.column - 1 : end and end - 1].strip() if file is not None else ""
        rows.setdefault(span.file, []).append(f"{span.line} {word}" if " " not in word else str(span.line))
    shown = [f"{file} {', '.join(dict.fromkeys(row))}" for file, row in rows.items()]
    more = len(problems) - MOST_PLACES
    return "; ".join([*shown, f"and {more:,} more"] if more > 0 else shown)


def _hangs_on(own: OwnFiles, drawings: Collection[str]) -> Iterator[str]:
    """Everything that findings depend on except the systems below: the program, the files and what can be drawn."""
    yield stamp_of("dsl", "interpreter", "campaigns")
    yield json.dumps(sorted(drawings))
    yield own.catalog
    yield "" if own.folder is None else "a system"
    yield from _texts(own.files)


def _texts(files: Iterable[SourceFile]) -> Iterator[str]:
    for file in files:
        yield file.name
        yield file.text


def _beneath(whole: RuleFiles) -> str:
    """A digest of the systems below."""
    return digest("\0".join([whole.base_catalog, *_texts(whole.below)]))


Found = tuple[RuleFiles, list[Diagnostic]]


def _found(stands: str, own: OwnFiles, name: str, drawings: Collection[str]) -> Found:
    """Checks the files themselves, and keeps what was found."""
    from campaigns.library.diagnosing import diagnosed  # it loads the machine
    from campaigns.library.rule_texts import not_empty, text_of, with_bases

    whole = with_bases(own)
    problems = diagnosed(not_empty(text_of(whole), name), drawings)
    said = [
        [x.code, x.message, x.hint, [[*attrs.astuple(m.span), m.caption, m.word] for m in x.marks]] for x in problems
    ]
    keep(stands, json.dumps([list(whole.bases), _beneath(whole), said]), MOST_KEPT)
    return whole, problems


def _kept(stands: str, own: OwnFiles) -> Found | None:
    """The earlier findings for exactly these files, including those of the systems below."""
    text = kept(stands)
    if text is None:
        return None
    try:
        bases, beneath, said = json.loads(text)
        names = iter([*map(_text, bases), ""])
        whole = on_which(own, lambda _: next(names))
        return (whole, [_diagnostic(*one) for one in said]) if beneath == _beneath(whole) else None
    except (ValueError, TypeError, RecursionError, StopIteration):
        return None


def _diagnostic(code: Any, message: Any, hint: Any, marks: Any) -> Diagnostic:
    found = []
    for file, line, column, end_line, end_column, caption, word in marks:
        place = Span(_text(file), *map(_number, (line, column, end_line, end_column)))
        found.append(Mark(place, _text(caption), _text(word)))
    return Diagnostic(_text(code), _text(message), tuple(found), _text(hint))


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    return value


def _number(value: Any) -> int:
    if type(value) is not int:
        raise TypeError("no number")
    return value
