"""What a page of the docs promises of a command: the words after `#:` appear in its output, as complete words or codes."""

import re

__all__ = ["is_kept"]


def is_kept(promise: str, said: str) -> bool:
    """Whether an output holds a promise.

    >>> is_kept("error", "1 file, 0 errors"), is_kept("0 errors", "10 errors"), is_kept("E235", "error E235: no road")
    (False, False, True)
    >>> is_kept("", "whatever")
    True
    """
    return not promise or re.search(rf"(?<![\w-]){re.escape(promise)}(?![\w-])", said) is not None
