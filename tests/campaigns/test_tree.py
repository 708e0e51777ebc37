"""The tree of a name: its declaration, what changes it, what is in force."""

from pathlib import Path

import pytest

from campaigns.file.errors import CampaignError
from campaigns.library.name_tree import tree

TEXT = """\
system toy "Toy" version 1.0
module supply "Supply", default off
module fuel "Fuel", default off, needs supply
unit tank:
  speed number, starts 4
  tired mark
value allowance of u (a tank):                                                                  [T-MOVE-01]
  start with speed of u
rule hungry adds to allowance of u (a tank), with supply:
  minus 1 when u is tired because "hungry"
rule dry replaces allowance of u (a tank), with fuel:
  0
order go of u (a tank):
  given by side of u
  refused when allowance of u < 1 because "it stands still"
rule no-going forbids order go of u (a tank), with supply:
  when u is tired because "tired"
procedure wait:
  stop
sequence game-turn:
  phase march "March":
    active may go
rule first before phase march, without supply:
  do wait
rule stuck whenever u (a tank) becomes tired in go, with supply:
  do wait
rule crowded always for u (a tank) and v (a tank) when u is in v, with fuel:
  do wait
"""


@pytest.fixture
def toy(tmp_path):
    path = tmp_path / "toy.rules"
    path.write_text(TEXT)
    return str(path)


def changes(found):
    return [(x.relation, x.name, x.active) for x in found.meanings[0].changes]


def test_base_text_with_place_and_citation(toy, monkeypatch):
    monkeypatch.chdir(Path(toy).parent)
    (meaning,) = tree(toy, "allowance").meanings
    assert meaning.base.lines == ("value allowance of u (a tank):", "  start with speed of u")
    assert meaning.base.place == "toy.rules:7"
    assert (meaning.base.cites, meaning.base.active) == (("T-MOVE-01",), True)


def test_rules_are_in_force_with_their_modules(toy):
    assert changes(tree(toy, "allowance")) == [("replaces", "dry", False), ("adds", "hungry", False)]
    assert changes(tree(toy, "allowance", ["supply"])) == [("replaces", "dry", False), ("adds", "hungry", True)]


def test_a_module_brings_what_it_needs_and_a_replaced_text_is_not_in_force(toy):
    found = tree(toy, "allowance", ["fuel"])
    assert found.modules == ("fuel", "supply")
    assert changes(found) == [("replaces", "dry", True), ("adds", "hungry", True)]
    assert not found.meanings[0].base.active


def test_orders_and_phases(toy):
    assert changes(tree(toy, "go", ["supply"])) == [("forbids", "no-going", True), ("whenever", "stuck", True)]
    assert changes(tree(toy, "phase march")) == [("before", "first", True)]
    assert tree(toy, "march").meanings[0].base.lines == ('phase march "March":', "  active may go")


def test_who_reads_it_and_what_it_reads(toy):
    meaning = tree(toy, "allowance").meanings[0]
    assert [(x.word, x.name) for x in meaning.reads] == [("field", "speed"), ("unit", "tank")]
    assert [(x.word, x.name) for x in meaning.read_by] == [("order", "go")]
    assert [(x.word, x.name) for x in tree(toy, "tired").meanings[0].read_by] == [
        ("rule", "hungry"),
        ("rule", "no-going"),
    ]


def test_an_unknown_name_is_met_with_near_ones(toy):
    with pytest.raises(CampaignError, match="no name allowence") as caught:
        tree(toy, "allowence")
    assert "allowance" in caught.value.hint
    with pytest.raises(CampaignError, match="no module suply"):
        tree(toy, "allowance", ["suply"])


def test_rules_that_wait_stand_with_what_they_wait_for(toy):
    waiting = [("whenever", "stuck", True), ("always", "crowded", False)]
    assert changes(tree(toy, "tank", ["supply"])) == waiting
    assert changes(tree(toy, "order go", ["supply"])) == [("forbids", "no-going", True), waiting[0]]
    assert changes(tree(toy, "tired", ["fuel"])) == [("whenever", "stuck", True)]
