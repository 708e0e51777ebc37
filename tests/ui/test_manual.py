"""The manual names every command and every key."""

import re
from pathlib import Path

import pytest

from ui import main as door
from ui.app.actions import ACTIONS
from ui.app.pane_rack import PANES

MANUAL = (Path(__file__).parent.parent.parent / "docs" / "playing.md").read_text(encoding="utf-8")
AUTHORS = {"check", "test", "coverage", "fmt", "tree", "handbook", "try", "sim", "systems"}
KEYS = {"escape": "esc", "plus": "`+`", "equals_sign": "`+`", "minus": "`-`", "question_mark": "`?`", "colon": "`:`",
        "space": "space", "enter": "Enter", "up": "arrows", "down": "arrows", "left": "arrows", "right": "arrows"}  # fmt: skip


@pytest.mark.parametrize("name", sorted(set(door.COMMANDS) - AUTHORS))
def test_the_manual_names_every_command_of_play(name):
    assert re.search(rf"ophex {name}\b", MANUAL), "docs/playing.md does not speak of it (nor is it in AUTHORS)"


@pytest.mark.parametrize("title", [pane.title for pane in PANES])
def test_the_manual_names_every_pane(title):
    assert f"\n| {title} |" in MANUAL, f"the table of panes in docs/playing.md has no line that begins with | {title} |"


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.id)
def test_the_manual_names_every_key(action):
    for key in action.keys.split(","):
        if key.isdigit():
            last = max(pane.title[0] for pane in PANES)
            assert f"`1` to `{last}`" in MANUAL, f"the table of keys in docs/playing.md does not say `1` to `{last}`"
            continue
        said = KEYS.get(key) or (f"`{key}`" if len(key) == 1 else key.upper() if key[0] == "f" else key)
        assert said in MANUAL, f"docs/playing.md does not name the key {said}"
