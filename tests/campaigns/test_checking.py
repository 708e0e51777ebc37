"""A check repeats its earlier findings only if nothing has changed that they depend on."""

import json
import shutil

import pytest

from campaigns.file.errors import CampaignError
from campaigns.library import checking, diagnosing
from campaigns.library.checking import check
from dsl.text import keeping

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
value force of u (a tank):
  strength of u + 1
drawn tank as armour
"""


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name, text in (("base", BASE), ("above", ABOVE)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "all.rules").write_text(text)
    (tmp_path / "base" / "catalog.toml").write_text('[[rule]]\nid = "B-01"\ntitle = "One"\n')
    return tmp_path


@pytest.fixture
def checked(monkeypatch):
    """How many systems were really checked."""
    seen = []
    real = diagnosing.diagnose
    monkeypatch.setattr(diagnosing, "diagnose", lambda text: seen.append(text) or real(text))
    return seen


def said(report):
    return [(x.code, x.span.file) for x in report.diagnostics]


@pytest.mark.parametrize("name", ["base", "above", "above/all.rules"])
def test_what_has_not_changed_is_not_checked_again(home, checked, name):
    first = check(str(home / name), {"tank"})
    assert len(checked) == 1
    assert check(str(home / name), {"tank"}) == first
    assert len(checked) == 1
    assert bool(first.diagnostics) == (name != "base")


def test_findings_are_told_of_the_files_where_they_lie_now(home, checked):
    first = check(str(home / "base"))
    shutil.move(home / "base", home / "other")
    moved = check(str(home / "other"))
    assert len(checked) == 1
    assert said(moved) == said(first)
    assert all("/base/all.rules:" in text for text in first.rendered)
    assert all("/other/all.rules:" in text for text in moved.rendered)


def edited(home):
    (home / "above" / "all.rules").write_text(ABOVE.replace("+ 1", "+ nothing-here"))


def added(home):
    (home / "above" / "more.rules").write_text("value more of u (a tank):\n  nothing-here\n")


def edited_below(home):
    (home / "base" / "all.rules").write_text(BASE.replace("value strength", "value vigour"))


def added_below(home):
    (home / "base" / "more.rules").write_text("value more of u (a tank):\n  nothing-here\n")


@pytest.mark.parametrize("change", [edited, added, edited_below, added_below], ids=lambda x: x.__name__)
def test_a_changed_file_is_checked_anew(home, checked, change):
    assert not check(str(home / "above")).errors
    change(home)
    assert check(str(home / "above")).errors
    assert len(checked) == 2


def test_a_base_that_is_gone_is_missed(home):
    check(str(home / "above"))
    shutil.rmtree(home / "base")
    with pytest.raises(CampaignError, match="above is built on base, which does not exist"):
        check(str(home / "above"))


def test_a_catalog_is_part_of_it(home):
    assert not [x for x in said(check(str(home / "base"))) if x[0] == "E401"]
    (home / "base" / "catalog.toml").write_text('[[rule]]\nid = "B-02"\ntitle = "Another"\n')
    assert check(str(home / "base")).diagnostics != ()
    assert "B-01" in "".join(check(str(home / "base")).rendered)


def test_what_can_be_drawn_is_part_of_it(home):
    assert not [x for x in check(str(home / "above"), {"armour"}).rendered if "armour" in x.splitlines()[0]]
    assert [x for x in check(str(home / "above"), {"infantry"}).rendered if "armour" in x.splitlines()[0]]


def test_another_program_checks_anew(home, checked, monkeypatch):
    check(str(home / "base"))
    monkeypatch.setattr(checking, "stamp_of", lambda *_: "another")
    check(str(home / "base"))
    assert len(checked) == 2


def test_every_file_of_the_program_is_in_its_stamp(tmp_path, monkeypatch):
    monkeypatch.setattr(keeping, "_program", lambda: tmp_path)
    (tmp_path / "dsl" / "below").mkdir(parents=True)
    stamps = set()
    for file in ("one.py", "below/two.py", "below/grammar.lark"):
        for text in ("before", "after"):
            (tmp_path / "dsl" / file).write_text(text)
            keeping.stamp_of.cache_clear()
            stamps.add(keeping.stamp_of("dsl"))
    keeping.stamp_of.cache_clear()
    assert len(stamps) == 6


def test_without_a_cache_all_is_checked(home, checked, monkeypatch):
    monkeypatch.setenv("OPHEX_NO_CACHE", "1")
    assert check(str(home / "base")) == check(str(home / "base"))
    assert len(checked) == 2


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "null",
        '[["base"],"",[]]',
        '[[],"",[["E1","m","","no",[["f","x",1,1,1,"",""]]]]]',
        '[[7],"",[]]',
        "[" * 100_000,
    ],
)
def test_a_foreign_entry_is_not_believed(home, checked, text):
    first = check(str(home / "above"))
    (entry,) = (home / "cache" / "ophex").glob("checked-*.json")
    entry.write_text(f"{keeping.digest(text)}\n{text}")
    assert check(str(home / "above")) == first
    assert len(checked) == 2


def test_a_damaged_entry_is_checked_anew(home, checked):
    first = check(str(home / "above"))
    (entry,) = (home / "cache" / "ophex").glob("checked-*.json")
    kept = entry.read_text()
    entry.write_text(kept[:-3])
    assert check(str(home / "above")) == first
    assert len(checked) == 2
    assert json.loads(entry.read_text().partition("\n")[2])


def test_many_warnings_of_one_code_are_told_as_one_in_print(home):
    """Twenty-nine fields that nothing read yet buried every other finding."""
    fields = "".join(f"  mark-{letter} mark\n" for letter in "abcdefg")
    (home / "base" / "more.rules").write_text(f"unit van:\n{fields}unit cart:\n  load number\n  axle number\n")
    report = check(str(home / "base"))
    assert report.warnings == len(report.diagnostics) == 9
    (told,) = report.rendered
    first, *_, last = told.split("\n")
    assert first == "warning W608: Nothing reads the field mark-a of a van."
    assert last == (
        "  8 more W608: more.rules 3 mark-b, 4 mark-c, 5 mark-d, 6 mark-e, 7 mark-f, 8 mark-g, 10 load, 11 axle"
    )
    (home / "base" / "more.rules").write_text("unit cart:\n  load number\n  axle number\n")
    assert len(check(str(home / "base")).rendered) == 2


def test_of_hundreds_of_places_ten_are_told(home):
    """Three hundred warnings of one code made a line of thousands of characters."""
    fields = "".join(f"  mark-{number} mark\n" for number in range(1, 301))
    (home / "base" / "more.rules").write_text(f"unit van:\n{fields}")
    report = check(str(home / "base"))
    assert len(report.diagnostics) == 300
    (told,) = report.rendered
    last = told.split("\n")[-1]
    assert last.startswith("  299 more W608: more.rules 3 mark-2, 4 mark-3, ")
    assert last.endswith(" 12 mark-11; and 289 more")
