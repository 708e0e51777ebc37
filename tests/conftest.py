"""What every test may count on: the same surroundings on every machine."""

import gc
import os

import pytest
from hypothesis import settings

from dsl.text.collecting import SELDOM

# A deadline measures the machine, not the code; pytest-timeout catches what hangs.
settings.register_profile("here", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "here")

# Rule systems that were read once stay for all tests of a process; to look through them for garbage takes a tenth of the time.
gc.set_threshold(*SELDOM)


@pytest.fixture(autouse=True)
def plain_surroundings(tmp_path_factory, monkeypatch):
    """No systems, settings or caches of the developer's own, no colour, no debugging switch."""
    room = tmp_path_factory.getbasetemp()
    if os.environ.get("PYTEST_XDIST_WORKER"):
        room = room.parent  # what one process has parsed, the others need not parse again
    for kind in ("DATA", "CONFIG", "CACHE", "STATE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(room / kind.lower()))
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.delenv("OPHEX_DEBUG", raising=False)
