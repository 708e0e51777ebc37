"""The settings of a game: the choices that are made when it begins, and kept."""

from __future__ import annotations

from typing import TypedDict

__all__ = ["Settings"]


class Settings(TypedDict, total=False):
    """The choices that a game begins with.

    scenario: its name; modules: those that are on; options: their values, if chosen; dice: seeded, typed or sealed; seed: of dice,
    labels and ids; edition: of the language of its text; undo: what a side may take back; snapshots: whether it keeps the state when a
    turn begins; stories: whether stories are told.
    """

    scenario: str
    modules: list[str]
    options: dict[str, str]
    dice: str
    seed: int | str
    edition: int
    undo: str
    snapshots: bool
    stories: bool
