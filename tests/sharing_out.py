"""Which tests share a process: those of one rule system, else those of one file, so that each system is bound in one process."""

import re

from xdist.scheduler import LoadScopeScheduling

SYSTEMS = {
    "bth": ("bth", "texas", "kafer"),
    "btr": ("btr", "fulda"),
    "ww2": ("ww2", "gorsk", "lipki", "week"),
    "ogre": ("ogre", "duel"),
    "infantry": ("infantry", "skirmish"),
}
"""Words of which one is in the names of tests of each system."""


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


class BySystem(LoadScopeScheduling):
    """Hands out the tests of a system together."""

    def _split_scope(self, nodeid: str) -> str:
        return shared_with(nodeid)
