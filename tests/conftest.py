"""What every test relies on: the same environment on every machine."""

import functools
import gc
import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campaigns.library import compiling, rule_texts
from dsl.text import collecting
from tests.long import LONG
from tests.sharing_out import BySystem, in_order

# A deadline measures the machine, not the code; pytest-timeout catches what hangs.
settings.register_profile("here", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True, max_examples=100 if LONG else 50)
settings.load_profile("ci" if os.environ.get("CI") else "here")

# Rule systems that were read once stay for all tests of a process; to look through them for garbage takes a tenth of the time.
collecting.SELDOM = (1_000_000, 20, 50)
gc.set_threshold(*collecting.SELDOM)
# A test of one system after that of another must not read it anew, as it would where only a few are kept.
rule_texts._known = functools.lru_cache(maxsize=64)(rule_texts._known.__wrapped__)
compiling._compiled = functools.lru_cache(maxsize=128)(compiling._compiled.__wrapped__)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Where several processes run the tests, each rule system is one's."""
    return BySystem(config, log)


def pytest_collection_modifyitems(items):
    """In a process of several; alone, they stay in the order of the files."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        place = {test: number for number, test in enumerate(in_order([item.nodeid for item in items]))}
        items.sort(key=lambda item: place[item.nodeid])


@pytest.hookimpl(trylast=True)
def pytest_sessionstart():
    """Before its first test Hypothesis looks through all objects for garbage: here, where there are few."""

    @settings(max_examples=1, database=None)
    @given(st.none())
    def first_of_all(_):
        pass

    first_of_all()


def pytest_sessionfinish():
    """The long form looks whether anything thrown away was left open; daily that would take longer than most tests."""
    if not LONG:
        gc.freeze()


@pytest.fixture(autouse=True)
def plain_surroundings(tmp_path_factory, monkeypatch):
    """No systems, settings or caches of the developer's own, no colour, no debugging switch."""
    room = tmp_path_factory.getbasetemp()
    if os.environ.get("PYTEST_XDIST_WORKER"):
        room = room.parent  # what one process has parsed, the others need not parse again
    for kind in ("DATA", "CONFIG", "CACHE", "STATE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(room / kind.lower()))
    if os.environ.get("OPHEX_TESTS_CACHE"):  # where `.ci/run` has read the rule files already
        monkeypatch.setenv("XDG_CACHE_HOME", os.environ["OPHEX_TESTS_CACHE"])
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.delenv("OPHEX_DEBUG", raising=False)
