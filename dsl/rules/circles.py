"""Circular definitions: the shortest circle through a name, and kinds and ratings that are defined by themselves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dsl.ir import TEXT
from dsl.rules.ruleset import Ruleset
from dsl.text.diagnostics import Diagnostic, at


def circle(start: str, following: Mapping[str, Iterable[str]]) -> list[str]:
    """The shortest route from a name back to itself, both ends included; empty if there is none."""
    came: dict[str, str] = {}
    waiting = [start]
    for name in waiting:
        for other in following.get(name, ()):
            if other == start:
                way = [start, name]
                while way[-1] != start:
                    way.append(came[way[-1]])
                return way[::-1] if name != start else [start, start]
            if other not in came:
                came[other] = name
                waiting.append(other)
    return []


def circling(following: Mapping[str, Iterable[str]]) -> list[str]:
    """The names without those that lead into no circle."""
    before: dict[str, list[str]] = {}
    left = {name: set(others) for name, others in following.items()}
    for name, others in left.items():
        for other in others:
            before.setdefault(other, []).append(name)
    ended = [name for name in before if name not in left] + [name for name, others in left.items() if not others]
    for name in ended:
        for other in before.get(name, ()):
            left[other].discard(name)
            if not left[other]:
                ended.append(other)
    return [name for name, others in left.items() if others]


def cut_circles(ruleset: Ruleset, problems: list[Diagnostic]) -> None:
    """Reports kinds that hold each other and ratings that contain themselves, and breaks the circle so that later passes end."""
    holders = {name: (info.holder,) if info.holder else () for name, info in ruleset.kinds.items()}
    made = {
        name: [f.type.word for f in fields.values() if f.type.name == "rating"]
        for name, fields in ruleset.rating_fields.items()
    }
    for name, info in ruleset.kinds.items():
        way = circle(name, holders)
        if way and info.node is not None:
            problems.append(
                at(
                    "E106",
                    f"Kinds hold each other in a circle: {' → '.join(way)}.",
                    info.node.span,
                    word=name,
                    hint="Remove the holder of one of them.",
                )
            )
            info.holder, info.part = None, False
            holders[name] = ()
    for name, node in ruleset.ratings.items():
        way = circle(name, made)
        if way:
            problems.append(
                at(
                    "E106",
                    f"Ratings contain each other in a circle: {' → '.join(way)}.",
                    node.span,
                    word=name,
                    hint="Make one of them of words and numbers only.",
                )
            )
            made[name] = []
            for field in ruleset.rating_fields[name].values():
                if field.type.name == "rating":
                    field.type = TEXT
