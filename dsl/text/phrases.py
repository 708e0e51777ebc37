"""Small phrases for sentences: a word with its article, a number with its noun, several names."""

from collections.abc import Sequence

__all__ = ["an", "counted", "joined"]


def an(word: str) -> str:
    """A word with its article, as it is spoken.

    >>> an("tank"), an("area"), an("one-shot"), an("user")
    ('a tank', 'an area', 'a one-shot', 'a user')
    """
    return f"{'an' if word[:1] in tuple('aeiou') and not word.startswith(('uni', 'use', 'one', 'eu')) else 'a'} {word}"


def counted(number: int, what: str) -> str:
    """A number with its noun.

    >>> counted(1, "gap"), counted(2, "gap")
    ('1 gap', '2 gaps')
    """
    return f"{number} {what}{'' if number == 1 else 's'}"


def joined(names: Sequence[str]) -> str:
    """Names in a sentence.

    >>> joined(["a"]), joined(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else "".join(names)
