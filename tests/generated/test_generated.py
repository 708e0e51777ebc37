"""The docs contain the program's own descriptions: codes, commands, packages and modules."""

import re

import pytest

from dsl.text.codes import codes
from tests.generated.commands import commands
from tests.generated.markdown import plain, table
from tests.generated.pages import ROOT, between, outdated
from tests.generated.rooms import rooms
from ui.cli.command_table import COMMANDS


def test_the_docs_hold_what_would_be_generated():
    assert sorted(outdated()) == [], "write it anew: python -m tests.generated"


def test_every_code_has_a_heading_of_its_own():
    text = (ROOT / "docs" / "diagnostics.md").read_text(encoding="utf-8")
    assert [code for code in codes() if text.count(f"\n### {code}: ") != 1] == []


def test_every_command_tells_its_arguments():
    made = commands().split("\n### ")
    assert [part.split("\n")[0] for part in made[1:]] == [f"ophex {name}" for name in COMMANDS]
    (do,) = (part for part in made if part.startswith("ophex do\n"))
    assert "ophex do CAMPAIGN [COMMAND …] [--as SIDE]" in do
    assert "| `-f FILE`, `--file FILE` | read commands from FILE" in do
    assert "\ndone: truth           whether the commands were recorded" in do


def test_the_rooms_of_the_language_stand_from_the_ground_up():
    named = re.findall(r"^\| `(dsl/\w+)/` \|", rooms(), re.MULTILINE)
    assert named[:3] == ["dsl/text", "dsl/syntax", "dsl/ir"]
    assert named[-1] == "dsl/manual"


def test_a_cell_ends_at_its_bar_alone():
    assert table(("a", "b"), [("`x | y`", plain("<b> of a*b `<c>`"))]).endswith(
        "| `x \\| y` | \\<b> of a\\*b `<c>` |\n"
    )


def test_a_page_without_its_marks_is_an_error():
    page = "before\n<!-- generated: x -->\nold\n<!-- /generated -->\nafter\n"
    assert between(page, "x", "new\n") == page.replace("old", "new")
    with pytest.raises(ValueError, match="0 times"):
        between(page, "y", "new\n")
    with pytest.raises(ValueError, match="2 times"):
        between(page * 2, "x", "new\n")
