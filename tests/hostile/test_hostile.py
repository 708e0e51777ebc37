"""Many hostile inputs of every kind, and everything that was ever found: none ends in a traceback, none takes long."""

import pytest

from tests.hostile import kinds
from tests.hostile.running import kept, run, tried
from tests.long import either

pytestmark = pytest.mark.timeout(120)

BOUNDED = {
    "rules": 60,
    "bytes": 100,
    "orders": 150,
    "answers": 150,
    "overrides": 150,
    "asked": 150,
    "rosters": 150,
    "files": 300,
    "options": 60,
    "folders": 40,
    "letters": 80,
    "forms": 150,
    "tiled": 60,
    "exports": 30,
    "amended": 20,
    "damaged": 40,
}
"""How many of each kind are tried in the long form; every day a tenth of them. `python -m tests.hostile` tries as many as one likes."""
KEPT = [(kind, name, case) for kind in kinds.ALL for name, case in kept(kind.name)]


@pytest.mark.parametrize("kind", kinds.ALL, ids=lambda kind: kind.name)
def test_hostile_inputs_are_answered(kind):
    if kind.name == "tiled":
        pytest.importorskip("pytiled_parser")
    tries = either(BOUNDED[kind.name] // 10, BOUNDED[kind.name])
    report = run(kind, tries, "CI", keep=False)
    assert report.inputs >= tries
    assert {told: (case, finding.trace) for told, (case, finding) in report.findings.items()} == {}


@pytest.mark.parametrize(
    ("kind", "name", "case"), KEPT, ids=lambda x: getattr(x, "name", x if isinstance(x, str) else "")
)
def test_what_was_found_stays_mended(kind, name, case):
    finding = tried(kind, case)
    assert finding is None, finding.trace


def test_a_failing_input_is_found_made_small_and_told_from_others():
    """The machinery itself: a kind that fails for one part of many, slowly for another, and with half a change for a third."""
    from tests.hostile.running import Fault, Kind, smaller

    def feed(case):
        if "bad" in case:
            raise KeyError(case)
        if "half" in case:
            raise Fault("half a change")

    def make(chance):
        return tuple(chance.choice(("good",) * 9 + ("bad", "half")) for _ in range(20))

    kind = Kind("test", make, feed)
    report = run(kind, 30, "x", keep=False)
    assert {case for case, _ in report.findings.values()} == {("bad",), ("half",)}
    assert report.failed > 2
    finding = tried(kind, ("good", "bad", "good"))
    assert smaller(kind, ("good", "bad", "good"), finding) == ("bad",)
    assert tried(kind, ("good",)) is None
