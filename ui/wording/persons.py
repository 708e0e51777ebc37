"""Parts with a title are persons, or things with a name of their own. A log line that mentions one says who it is.

Titles are read from what a side may see, and are added after the name that commands use. Names are searched for in the finished line:
records keep the report of an event as a sentence, with names as letters, and some lines report several events together.
"""

import re
from collections.abc import Iterable

from campaigns.views.force_forest import title_of
from interpreter.messages.view import View
from ui.cli.plain import one_line

__all__ = ["Persons"]


class Persons:
    """The titles of the parts that a viewer knows, also of those that are gone.

    Args:
        view: what the viewer may see.
    """

    def __init__(self, view: View) -> None:
        parts = [thing for thing in (*view.things, *view.gone) if thing.part and title_of(thing)]
        self._titles = {thing.id: one_line(title_of(thing)) for thing in parts}
        names = "|".join(re.escape(name) for name in sorted(self._titles, key=len, reverse=True))
        self._named = re.compile(rf"(?<![\w-])(?:{names})(?![\w-])") if names else None

    def told(self, line: str) -> str:
        """A line in which each of them also gets its title where it is first mentioned."""
        if self._named is None:
            return line
        said: set[str] = set()

        def called(found: re.Match[str]) -> str:
            name = found[0]
            if name in said or self._titles[name] in line:
                return name
            said.add(name)
            return f"{name} ({self._titles[name]})"

        return self._named.sub(called, line)

    def all_told(self, lines: Iterable[str]) -> list[str]:
        """The same for several lines."""
        return [self.told(line) for line in lines]
