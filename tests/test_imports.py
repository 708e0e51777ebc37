"""What is imported, and when: the start is light, and no package imports one above it."""

import subprocess
import sys
from pathlib import Path

import pytest

from campaigns.play.starting import create_campaign

CHECKOUT = Path(__file__).parent.parent
HEAVY = {"lark", "textual", "networkx", "sqlite_utils", "rich", "attrs", "attr", "platformdirs", "argparse", "pathlib"}


def modules_after(code):
    """The names of all modules that a fresh interpreter has loaded after `code`."""
    script = f"{code}\nimport sys\nprint(*sys.modules, file=sys.stderr)"
    ended = subprocess.run(
        [sys.executable, "-I", "-c", script], cwd=CHECKOUT, capture_output=True, text=True, check=True
    )
    return set(ended.stderr.splitlines()[-1].split())


@pytest.mark.parametrize("line", ["--help", "--version", "help", "nonsense", ""])
def test_the_door_loads_nothing_heavy(line):
    code = f"import sys; sys.path.insert(0, {str(CHECKOUT)!r}); from ui.main import main; main({line.split()})"
    bare = modules_after("")
    assert not (modules_after(code) - bare) & HEAVY


@pytest.mark.parametrize("room", ["dsl", "interpreter", "campaigns", "ui"])
def test_a_room_itself_loads_nothing_heavy(room):
    code = f"import sys; sys.path.insert(0, {str(CHECKOUT)!r}); import {room}"
    assert not (modules_after(code) - modules_after("")) & HEAVY


def test_what_is_only_looked_at_again_loads_nothing_of_the_rules(tmp_path):
    """The situation of an unchanged campaign is kept: neither its rules nor the machine are needed."""
    line = ["status", str(tmp_path / "a.ophex"), "--as", "combine"]
    with create_campaign(tmp_path / "a.ophex", "ogre/duel", seed=1):
        pass
    code = f"import sys; sys.path.insert(0, {str(CHECKOUT)!r}); from ui.main import main; main({line})"
    modules_after(code)  # it is looked at for the first time
    rooms = {"dsl.ir", "dsl.rules", "dsl.syntax", "interpreter.machine", "interpreter.world.world"}
    assert not modules_after(code) & {*rooms, "email"}  # nor what reads mails


def test_who_plays_waits_for_no_library_that_only_explanations_and_screens_need(tmp_path):
    line = ["legal", str(tmp_path / "a.ophex"), "--as", "combine"]
    with create_campaign(tmp_path / "a.ophex", "ogre/duel", seed=1):
        pass
    code = f"import sys; sys.path.insert(0, {str(CHECKOUT)!r}); from ui.main import main; main({line})"
    assert not modules_after(code) & {"lark", "networkx", "textual"}


def test_imports_keep_their_contracts():
    """The contracts and their reasons are in pyproject.toml."""
    ended = subprocess.run(
        [
            sys.executable,
            "-c",
            "from importlinter.cli import lint_imports_command; lint_imports_command()",
            "--no-cache",
        ],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert " 0 broken" in ended.stdout
