"""Complete answers to a question of the game, as `ophex answer` takes them, and the choices for each thing that it asks about."""

import re
from collections.abc import Callable, Collection, Sequence
from itertools import islice

from interpreter.commands.command import Argument, LegalCommand
from interpreter.messages.inputs import Awaited

__all__ = [
    "answers_of",
    "answers_that_stand",
    "choices_of_each",
    "names_of",
    "one_for_each",
    "put_together",
    "takes_several",
    "whole_answers",
]


def answers_of(asked: Awaited) -> list[LegalCommand]:
    """The choices of a question as data."""
    if asked.kind != "question":
        return []
    choices = zip(asked.choices, names_of(asked), strict=True)
    return [LegalCommand(choice, asked.name, (Argument(asked.name, "", named),)) for choice, named in choices]


def names_of(question: Awaited) -> Sequence[tuple[str, ...]]:
    """What each choice of a question names; if that is not known, the choice itself."""
    return question.named or [(choice,) for choice in question.choices]


def choices_of_each(question: Awaited) -> dict[str, list[str]]:
    """What may be chosen for each thing of a question about several things.

    >>> choices_of_each(Awaited("question", "red", "x", "", ("a X", "b X"), 2, "each", named=(("a", "X"), ("b", "X"))))
    {'a': ['X'], 'b': ['X']}
    """
    return _of_each(question, question.choices)


def _of_each(question: Awaited, chosen: Collection[str]) -> dict[str, list[str]]:
    """What was chosen for each thing of a question."""
    found: dict[str, list[str]] = {}
    for choice, (thing, *_) in zip(question.choices, names_of(question), strict=True):
        found.setdefault(thing, []).extend([choice[len(thing) + 1 :]] if choice in chosen else [])
    return found


def one_for_each(question: Awaited) -> bool:
    """Whether each thing of a question gets exactly one of its choices."""
    return question.form in {"each", "number for each"}


def takes_several(question: Awaited) -> bool:
    """Whether an answer consists of several choices."""
    return question.form not in {"one", "number"} and not question.form.startswith("split")


def put_together(question: Awaited, chosen: Sequence[str]) -> str:
    """The answer that some of a question's choices make.

    >>> named = (("a", "X"), ("a", "Y"), ("b", "X"))
    >>> question = Awaited("question", "red", "x", "", ("a X", "a Y", "b X"), 3, "up to 2 for each", named=named)
    >>> put_together(question, ["a X", "a Y"])
    'a X, Y; b none'
    >>> put_together(Awaited("question", "red", "x", "", ("a", "b"), 4, "some"), ["a", "b"])
    'a, b'
    """
    if not question.form.endswith("for each"):
        return ", ".join(chosen) or "none"
    of_each = _of_each(question, chosen)
    return "; ".join(f"{thing} {', '.join(words) or 'none'}" for thing, words in of_each.items())


def answers_that_stand(question: Awaited, may: Callable[[str], bool], most: int | None = None) -> list[str]:
    """The complete answers that would be accepted, at most `most` of them; `all` if none with fewer choices would.

    may: whether an answer would be accepted.

    >>> answers_that_stand(Awaited("question", "red", "x", "", ("a", "b"), 4, "some"), lambda answer: answer == "all")
    ['all']
    """
    found = list(islice(filter(may, whole_answers(question)), most))
    if not found and takes_several(question) and question.choices and may("all"):
        return ["all"]
    return found


def whole_answers(question: Awaited) -> list[str]:
    """Answers that may be given unchanged: all if one choice is an answer, otherwise at least one.

    >>> named = (("a", "X"), ("a", "Y"), ("b", "X"))
    >>> whole_answers(Awaited("question", "red", "x", "", ("a X", "a Y", "b X"), 3, "each", named=named))
    ['all X']
    >>> whole_answers(Awaited("question", "red", "x", "", ("a X", "a Y"), 2, "each", named=named[:2]))
    ['a X', 'a Y']
    >>> whole_answers(Awaited("question", "red", "x", "", ("a", "b"), 4, "some"))
    ['a', 'b', 'none']
    >>> whole_answers(Awaited("question", "red", "x", "", ("a X", "b X"), 2, "up to 1 for each"))
    ['all none']
    """
    each = question.form.removesuffix(" for each")
    exactly = re.fullmatch(r"exactly (\d+)", each)
    if question.form.endswith("for each"):
        if each == "number":
            return ["all 0"]
        if not each.startswith("exactly"):
            return ["all none"]
        if not exactly:
            return []
        few = {thing: choices[: int(exactly[1])] for thing, choices in choices_of_each(question).items()}
        return ["; ".join(f"{thing} {', '.join(choices)}" for thing, choices in few.items())]
    if question.form == "each":
        of_each = choices_of_each(question)
        if len(of_each) == 1:
            return list(question.choices)
        common = [
            one for one in next(iter(of_each.values()), []) if all(one in choices for choices in of_each.values())
        ]
        if common:
            return [f"all {common[0]}"]
        return [", ".join(f"{thing} {choices[0]}" for thing, choices in of_each.items())]
    if exactly:
        return [", ".join(question.choices[: int(exactly[1])])]
    if question.form == "some" or question.form.startswith("up to"):
        return [*question.choices, "none"]
    return list(question.choices)
