"""Small phrases for sentences: a word with its article, a number with its noun, several names."""

from collections.abc import Container, Sequence

__all__ = ["an", "counted", "hyphened", "joined"]


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


def hyphened(text: str, known: Container[str]) -> str:
    """The known name that the first words of a text are if hyphens stand between them instead of blanks; else empty.

    >>> hyphened("Dig in tf-1", {"dig-in", "dig"}), hyphened("dig tf-1", {"dig-in", "dig"})
    ('dig-in', '')
    """
    words = text.lower().split()
    names = ("-".join(words[:count]) for count in range(min(len(words), 4), 1, -1))
    return next((name for name in names if name in known), "")
