"""Rules in which no errors were found are bound again without looking for any; what differs from them is looked at as ever."""

import pytest

from dsl import load
from dsl.load import bound_or_raise, read_system
from dsl.text.diagnostics import RuleTextError
from dsl.text.source import SourceFile

SOUND = """unit gun:
  tons number
table pay by 1d6, exactly one row:
  1d6 || pay
  1 || 10
  2..6 || 20
value wage of g (a gun) = pay at 6
"""
BEYOND = SOUND.replace("at 6", "at 7")
"""A finding of those passes that make nothing."""


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


def bound(text, more=""):
    files = [SourceFile("own.rules", text)] + ([SourceFile("more.rules", more)] if more else [])
    return bound_or_raise(read_system(files), ())


def test_what_only_looks_for_errors_runs_once(monkeypatch):
    first = bound(SOUND)
    monkeypatch.setattr(load, "PASSES", (lambda _: pytest.fail("judged again"),))
    assert bound(SOUND).routines.keys() == first.routines.keys()


def test_errors_are_found_whenever_they_are_there():
    bound(SOUND)
    for _ in range(2):
        with pytest.raises(RuleTextError) as refused:
            bound(BEYOND)
        assert [(x.code, x.span.line) for x in refused.value.diagnostics] == [("E349", 7)]
    bound(SOUND)


def test_a_file_of_which_nothing_can_be_read_is_none_of_the_sound_text():
    bound(SOUND)
    with pytest.raises(RuleTextError) as refused:
        bound(SOUND, more="value x:\n  start wit 3\n")
    assert {x.span.file for x in refused.value.diagnostics} == {"more.rules"}
