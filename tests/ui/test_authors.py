"""The authors' manual names every command about rules and every option of theirs."""

import argparse
import re
from importlib import import_module
from pathlib import Path

import pytest

from ui import main as door

MANUAL = (Path(__file__).parent.parent.parent / "docs" / "authors.md").read_text(encoding="utf-8")
COMMON = {"--help", "--json", "--no-input"}


@pytest.mark.parametrize("name", door.GROUPS["Write rules"])
def test_the_manual_names_the_command(name):
    assert re.search(rf"^ophex {name} ", MANUAL, re.MULTILINE)


@pytest.mark.parametrize("name", sorted(set(door.GROUPS["Write rules"]) - {"sim"}))
def test_the_manual_names_every_option(name):
    parser = argparse.ArgumentParser()
    import_module(door.COMMANDS[name][0]).add_arguments(parser)
    section = MANUAL.partition(f"\n## {name}: ")[2].partition("\n## ")[0]
    options = {word for action in parser._actions for word in action.option_strings[-1:]} - COMMON
    assert not [word for word in options if word not in section]
