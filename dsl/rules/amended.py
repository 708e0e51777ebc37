"""How an amended rule text differs from the one before: declaration by declaration, whichever files they are in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import attrs

from dsl.syntax import declarations as d
from dsl.syntax.chunks import cut
from dsl.text.source import SourceFile, Span

__all__ = ["Changed", "alike", "differing"]

WORDS: tuple[tuple[type[d.Declaration], str], ...] = (
    (d.Rule, "rule"), (d.Table, "table"), (d.UnitList, "list"), (d.Map, "map"), (d.Scenario, "scenario"), (d.Option, "option"),
    (d.Module, "module"), (d.Group, "group"), (d.Rating, "rating"), (d.System, "system"), (d.Catalog, "catalog"),
    (d.Drawn, "drawing"), (d.NotModelled, "not modelled"), (d.Ruling, "ruling"),
)  # fmt: skip
DATA = (d.UnitList, d.Map, d.Scenario)
"""Declarations of data: they are not rules of play."""


@attrs.frozen(slots=True)
class Changed:
    """A declaration that differs. word: table, value, rule …; how: changed, added or removed.

    is_rule: whether it is a rule of play, not a list of forces, a map or a scenario.
    """

    how: str
    word: str
    name: str
    file: str
    line: int
    is_rule: bool

    @property
    def title(self) -> str:
        """Its name in a sentence."""
        return f"{self.word} {self.name}".rstrip()


def differing(
    before: tuple[Iterable[d.Declaration], Mapping[str, SourceFile]],
    after: tuple[Iterable[d.Declaration], Mapping[str, SourceFile]],
) -> tuple[Changed, ...]:
    """The declarations that differ between two texts, in the order of the later one; remarks, blank lines and examples are ignored.

    Args:
        before: the declarations of the earlier text, and its files.
        after: those of the later one.
    """
    one, other = _texts(*before), _texts(*after)
    found: list[Changed] = []
    for key, said in other.items():
        if key not in one or sorted(text for text, _ in one[key]) != sorted(text for text, _ in said):
            known = {text for text, _ in one.get(key, ())}
            new = next((x for text, x in said if text not in known), said[0][1])
            found.append(_changed("changed" if key in one else "added", new))
    found += [_changed("removed", said[0][1]) for key, said in one.items() if key not in other]
    return tuple(found)


def _texts(
    declarations: Iterable[d.Declaration], files: Mapping[str, SourceFile]
) -> dict[tuple[str, str], list[tuple[str, d.Declaration]]]:
    """The texts of declarations by word and name."""
    chunks = {(name, chunk.line): chunk.text for name, file in files.items() for chunk in cut(file.text)}
    found: dict[tuple[str, str], list[tuple[str, d.Declaration]]] = {}
    for one in (x for x in declarations if not isinstance(x, d.Example)):
        lines = chunks.get((one.span.file, one.span.line), "").split("\n")
        text = "\n".join(line.rstrip() for line in lines if line.strip() and not line.lstrip().startswith("--"))
        found.setdefault((_word(one), one.name), []).append((text, one))
    return found


def _word(one: d.Declaration) -> str:
    if isinstance(one, d.Bodied | d.Kind):
        return one.word
    if isinstance(one, d.Enum):
        return "scale" if one.ordered else "enum"
    return next((word for kind, word in WORDS if isinstance(one, kind)), type(one).__name__.lower())


def _changed(how: str, one: d.Declaration) -> Changed:
    return Changed(how, _word(one), one.name, one.span.file, one.span.line, not isinstance(one, DATA))


def alike(one: Any, other: Any) -> bool:
    """Whether two nodes mean the same, wherever they are in the text."""
    if isinstance(one, Span) and isinstance(other, Span):
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(alike, one, other))
    if attrs.has(type(one)):
        return all(alike(getattr(one, x.name), getattr(other, x.name)) for x in attrs.fields(type(one)))
    return bool(one == other)
