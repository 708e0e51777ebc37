"""A system that is built on another: its texts come on top, its base stays complete, and missing parts are reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from campaigns.file.errors import CampaignError
from campaigns.library import checking, rule_texts, systems_by_name
from campaigns.library.locate import NotFound
from campaigns.play import starting
from campaigns.trials.casebook import coverage, run_examples
from dsl.text.diagnostics import RuleTextError

BASE = """system base "The base" version 1.0
catalog "catalog.toml"
unit tank:
  power number
value strength of u (a tank):
  power of u

example "A tank is as strong as it is":   [B-01]
  put x (a tank, side blue, power 3)
  then strength of x = 3
"""
ABOVE = """system above "Above" version 2.0, on base
module rain "Rain", default off
rule mud replaces strength of u (a tank), with rain:   [B-01]
  start with power of u
  halved

example "Half in the rain":
  put x (a tank, side blue, power 3)
  with rain:
    then strength of x = 3/2
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    for name, text in (("base", BASE), ("above", ABOVE)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "rules.rules").write_text(text)
    (tmp_path / "base" / "catalog.toml").write_text('[[rule]]\nid = "B-01"\ntitle = "Strength"\n')
    return tmp_path


def test_both_texts_are_one_system(home: Path) -> None:
    report = checking.check(str(home / "above"))
    assert (report.errors, report.warnings) == (0, 0), report.rendered
    assert run_examples([str(home / "above")]).outcomes == (
        ("Half in the rain", True),
        ("A tank is as strong as it is", True),
    )
    text = rule_texts.load_path(str(home / "above"))
    assert [x.title for x in text.declarations if hasattr(x, "version")] == ["Above"]


def test_its_rules_are_measured_by_its_own_catalog(home: Path) -> None:
    assert coverage(str(home / "above"))["rules"] == 0
    assert coverage(str(home / "base"))["missing"] == []


def test_a_change_that_breaks_the_base_is_told(home: Path) -> None:
    file = home / "above" / "rules.rules"
    file.write_text(file.read_text().replace("default off", "default on"))
    failed = run_examples([str(home / "above")]).failed
    assert [row["got"] for row in failed] == ["1 1/2"]
    assert Path(failed[0]["file"]).resolve() == home / "base" / "rules.rules"


def test_a_base_that_is_not_there(home: Path) -> None:
    (home / "base" / "rules.rules").unlink()
    with pytest.raises(CampaignError, match="above is built on base, which does not exist"):
        checking.check(str(home / "above"))


def test_two_built_on_each_other(home: Path) -> None:
    file = home / "base" / "rules.rules"
    file.write_text(file.read_text().replace("version 1.0", "version 1.0, on above"))
    with pytest.raises(CampaignError, match="is itself built on base"):
        checking.check(str(home / "above"))


def test_a_scenario_of_the_base(home: Path) -> None:
    with pytest.raises(NotFound):
        systems_by_name.scenario_of("above/none")


def test_a_shipped_scenario_with_other_rules(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "mine.rules").write_text('system mine "Mine" version 1.0, on ogre\n')
    text, scenario, _ref = systems_by_name.scenario_of(f"{tmp_path}/mine/duel")
    assert scenario.name == "duel"
    assert "ogre/fire.rules" in text.files
    with starting.create_campaign(tmp_path / "c.ophex", f"{tmp_path}/mine/duel") as campaign:
        assert campaign.head is not None


def test_a_kind_of_the_base_that_is_opened_again_is_one_finding_at_the_new_place(home: Path) -> None:
    more = "unit tank:\n  zeal number, starts 3\nvalue wish of u (a tank):\n  zeal of u + power of u\n"
    (home / "above" / "more.rules").write_text(more)
    (found,) = [x for x in checking.check(str(home / "above")).diagnostics if x.is_error]
    assert (found.code, found.message) == ("E102", "`tank` is declared twice.")
    assert [(m.span.file.split("/")[-1], m.span.line) for m in found.marks] == [("more.rules", 1), ("rules.rules", 3)]


def test_to_find_what_a_system_is_built_on_takes_the_place_of_no_system(tmp_path):
    """Only a few complete systems are kept at a time; a file that is read only for the name of its base is not one of them."""
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "own.rules").write_text('system own "Own" version 1.0\n')
    (tmp_path / "own" / "pair.rules").write_text("value pair:\n  start with 2\n")
    before = rule_texts._known.cache_info().misses
    first = rule_texts.load_path(str(tmp_path / "own"))
    assert rule_texts.load_path(str(tmp_path / "own")) is first
    assert rule_texts._known.cache_info().misses == before + 1


def test_what_is_wrong_in_the_rules_of_a_new_campaign_is_told_with_the_files_as_people_know_them(tmp_path):
    rules = tmp_path / "mine" / "a.rules"
    rules.parent.mkdir()
    rules.write_text('system mine "Mine" 1\nscenario s "S" on m:\n  side blue "B"\n')
    with pytest.raises(RuleTextError) as caught:
        starting.create_campaign(tmp_path / "c.ophex", f"{rules.parent}/s")
    assert f"{rules}:1:" in caught.value.render()
    assert not (tmp_path / "c.ophex").exists()
