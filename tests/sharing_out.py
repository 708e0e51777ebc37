"""Which tests share a process, and which come first.

Those of one rule system share one, else those of one file, so that each system is bound in one process. Files whose tests fork
come first: a process that has bound several systems has a large memory, which every fork costs anew.
"""

import re
from collections import Counter

from xdist.scheduler import LoadScopeScheduling

SYSTEMS = {
    "bth": ("bth", "texas", "kafer"),
    "btr": ("btr", "fulda"),
    "ww2": ("ww2", "gorsk", "lipki", "week"),
    "ogre": ("ogre", "duel"),
    "infantry": ("infantry", "skirmish"),
}
"""Words of which one is in the names of tests of each system."""

FORKING = (
    "tests/test_leaks.py",
    "tests/campaigns/test_odds.py",
    "tests/ui/test_roster.py",
    "tests/test_games_of_parts.py",
    "tests/test_amend_commands.py",
    "tests/desk/test_commanders.py",
    "tests/ui/test_odds_shown.py",
    "tests/campaigns/test_luck.py",
)
"""Files of tests that try things in hundreds of forks."""


def shared_with(test: str) -> str:
    """What a test shares with others: the first system that its name speaks of, or its file.

    >>> shared_with("tests/ui/test_week.py::test_two_days"), shared_with("tests/test_a.py::test_b[bth/duel]")
    ('ww2', 'bth')
    >>> shared_with("tests/dsl/test_forms.py::test_x[a]")
    'tests/dsl/test_forms.py'
    """
    words = set(re.split(r"[^a-z0-9]+", test.lower()))
    file = test.partition("::")[0]
    return next((system for system, names in SYSTEMS.items() if words.intersection(names)), file)


def in_order(tests: list[str]) -> list[str]:
    """The tests in the order in which they are handed out: those that fork, then what most others share.

    >>> in_order(["tests/a.py::a", "tests/b.py::b", "tests/b.py::c", "tests/test_leaks.py::d"])
    ['tests/test_leaks.py::d', 'tests/b.py::b', 'tests/b.py::c', 'tests/a.py::a']
    """
    many = Counter(map(shared_with, tests))
    return sorted(tests, key=lambda test: (shared_with(test) not in FORKING, -many[shared_with(test)]))


class BySystem(LoadScopeScheduling):
    """Hands out the tests of a system together, in the order in which they were collected."""

    def __init__(self, config, log=None):
        config.option.loadscopereorder = False
        super().__init__(config, log)

    def _split_scope(self, nodeid: str) -> str:
        return shared_with(nodeid)
