"""Every command: help that teaches, objects as documented, a light start."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ui import main as door

CHECKOUT = Path(__file__).parent.parent.parent
WITHOUT_DATA = {"play"}
OF_REAL_RULES = {"odds", "leaks", "mail", "report", "compare", "dice", "export", "import", "amend", "rule"}
"""Their objects are looked at elsewhere, with rules: `test_leaks`, `test_report`, `test_mail`, `test_comparing`, `test_seals`, `test_amend_commands`."""
HEAVY = {"lark", "textual", "rich", "networkx", "sqlite_utils", "attrs", "jinja2", "campaigns.play.campaign"}

LINES = {
    "demo": ["--turns", "1"],
    "desk": ["CAMPAIGN"],
    "remind": ["CAMPAIGN"],
    "systems": [],
    "scenarios": [],
    "new": ["NEW", "--scenario", "fake/valley"],
    "status": ["CAMPAIGN"],
    "roster": ["CAMPAIGN"],
    "map": ["CAMPAIGN"],
    "legal": ["CAMPAIGN"],
    "do": ["CAMPAIGN", "done"],
    "answer": ["CAMPAIGN", "reply", "stand"],
    "roll": ["CAMPAIGN", "4"],
    "advance": ["CAMPAIGN"],
    "override": ["CAMPAIGN", "strength of n-1 = 4", "--reason", "counted wrong"],
    "option": ["CAMPAIGN"],
    "why": ["CAMPAIGN", "strength of n-1"],
    "why-not": ["CAMPAIGN", "done"],
    "log": ["CAMPAIGN"],
    "luck": ["CAMPAIGN"],
    "undo": ["CAMPAIGN"],
    "redo": ["CAMPAIGN"],
    "backup": ["CAMPAIGN", "NEW"],
    "restore": ["CAMPAIGN", "NEW"],
    "doctor": ["CAMPAIGN"],
    "verify": ["CAMPAIGN"],
    "leaks": ["CAMPAIGN", "--guesses", "0"],
    "check": ["right"],
    "test": ["right"],
    "coverage": ["fake"],
    "fmt": [str(CHECKOUT / "examples" / "bth" / "supply.rules"), "--diff"],
    "tree": ["bth", "stance"],
    "handbook": ["RULES", "--out", "NEW"],
    "try": ["fake", "a.rules"],
    "sim": ["fake/valley"],
    "branch": ["CAMPAIGN"],
    "switch": ["CAMPAIGN", "main"],
    "compare": ["CAMPAIGN", "main", "0"],
    "dice": ["CAMPAIGN", "seeded", "--reason", "the table is gone"],
    "seal": ["CAMPAIGN"],
    "secret": ["NEW", "--new"],
}
BEFORE = {
    "restore": [["backup", "CAMPAIGN", "NEW"]],
    "answer": [["do", "CAMPAIGN", "attack 0406 with n-1"]],
    "roll": [["do", "CAMPAIGN", "attack 0406 with n-1"], ["answer", "CAMPAIGN", "reply", "stand"]],
    "undo": [["do", "CAMPAIGN", "done"]],
    "redo": [["do", "CAMPAIGN", "done"], ["undo", "CAMPAIGN"]],
    "switch": [["branch", "CAMPAIGN", "what-if"]],
}


@pytest.mark.parametrize("name", door.COMMANDS)
def test_help_has_an_example_and_fits_a_terminal(name, ophex):
    code, out, _ = ophex(name, "--help")
    assert code == 0
    assert f"\n  ophex {name}" in out
    assert "--no-input" in out
    assert not re.search(r"\w\.\.(?!\.)", out)
    assert ("keys of --json:" in out) == (name not in WITHOUT_DATA)
    assert "\n  --out" not in out  # it has the short form -o, as in every command
    assert max(map(len, out.splitlines())) <= 100


@pytest.mark.parametrize("name", sorted(set(door.COMMANDS) - WITHOUT_DATA - OF_REAL_RULES))
def test_json_is_one_object_whose_keys_the_help_names(name, ophex, typed, tmp_path):
    def filled(line):
        paths = {"CAMPAIGN": typed, "NEW": tmp_path / "new.ophex", "RULES": rules}
        return [str(paths.get(word, word)) for word in line]

    rules = tmp_path / "two.rules"
    rules.write_text('system two "Two" version 1.0\nvalue pair:\n  start with 2\nexample "A pair":\n  then pair = 2\n')

    assert name in LINES, f"LINES lacks what `ophex {name}` is called with here"
    for line in BEFORE.get(name, ()):
        assert ophex(*filled(line))[0] == 0
    code, out, _ = ophex(name, *filled(LINES[name]), "--json")
    assert code == 0
    found = json.loads(out)
    documented = ophex(name, "--help")[1].partition("keys of --json:")[2]
    if "ophex do" in documented:
        documented += ophex("do", "--help")[1]
    if "ophex status" in documented:
        documented += ophex("status", "--help")[1]
    assert not [key for key in found if not re.search(rf"\b{key}\b", documented)]


@pytest.mark.parametrize("name", door.COMMANDS)
def test_a_command_is_light_until_it_runs(name):
    module = door.COMMANDS[name][0]
    code = (
        f"import sys, importlib, argparse; sys.path.insert(0, {str(CHECKOUT)!r});"
        f"importlib.import_module({module!r}).add_arguments(argparse.ArgumentParser());"
        "print(*sys.modules, sep='\\n')"
    )
    ended = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    assert not set(ended.stdout.split()) & HEAVY
