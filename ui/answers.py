"""Whole answers to a question of the game, as `ophex answer` takes them, and the choices of each thing it is put for."""

import re

from interpreter.inputs import Awaited

__all__ = ["choices_of_each", "thing_of", "whole_answers"]


def thing_of(choice: str) -> str:
    """The thing that a choice of a question about several things is for: `tf-1` of `tf-1 B`."""
    return choice.partition(" ")[0]


def choices_of_each(question: Awaited) -> dict[str, list[str]]:
    """What may be chosen for each thing of a question about several things.

    >>> choices_of_each(Awaited("question", "red", "x", "", ("a X", "a Y", "b X"), 3, "each"))
    {'a': ['X', 'Y'], 'b': ['X']}
    """
    found: dict[str, list[str]] = {}
    for choice in question.choices:
        found.setdefault(thing_of(choice), []).append(choice.partition(" ")[2])
    return found


def whole_answers(question: Awaited) -> list[str]:
    """Answers that may be given as they stand: all where one choice is an answer, else at least one.

    >>> whole_answers(Awaited("question", "red", "x", "", ("a X", "a Y", "b X"), 3, "each"))
    ['a X, b X']
    >>> whole_answers(Awaited("question", "red", "x", "", ("a", "b"), 4, "some"))
    ['a', 'b', 'none']
    """
    if question.form == "each":
        return [", ".join(f"{thing} {choices[0]}" for thing, choices in choices_of_each(question).items())]
    exactly = re.fullmatch(r"exactly (\d+)", question.form)
    if exactly:
        return [", ".join(question.choices[: int(exactly[1])])]
    if question.form == "some" or question.form.startswith("up to"):
        return [*question.choices, "none"]
    return list(question.choices)
