"""The tutorial, followed to the letter: its files are written, its commands are run, and the promised output appears.

In the daily form one process does it all and plays two games for each twenty, and the big game that is built on consists only of
what its training scenario needs. The long form (OPHEX_LONG=1) uses every core, plays all games and builds on the complete game.
"""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from campaigns.library.locate import user_folder
from campaigns.trials import casebook, mutation, sweep
from tests.long import LONG
from tests.promises import is_kept

ROOT = Path(__file__).parents[1]
TUTORIAL = ROOT / "docs" / "tutorial.md"
BLOCK = re.compile(r"(?P<what>[^\n]*)\n\n```(?P<shell>sh)?\n(?P<text>.*?)```\n", re.DOTALL)
SAID = {
    "file": "File `(.+)`:",
    "replace": "In `(.+)` replace this:",
    "by": "with (this):",
    "add": "Add to the end of `(.+)`:",
}
"""What a reader is told to do with a block, in the line above it."""


def blocks() -> Iterator[tuple[str, str, str]]:
    """The blocks in their order: what is to be done with each, with which file, and its text."""
    for found in BLOCK.finditer(TUTORIAL.read_text(encoding="utf-8")):
        if found["shell"]:
            yield "run", "", found["text"]
            continue
        said = [(verb, re.fullmatch(form, found["what"])) for verb, form in SAID.items()]
        (verb, name), *_ = [(verb, match[1]) for verb, match in said if match] or [("unsaid", found["what"])]
        yield verb, name, found["text"]


def run(line: str) -> None:
    from ui.main import main

    command, _, promise = line.partition("#:")
    if not LONG:
        command = command.replace("--games 20", "--games 2")
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        code = main(shlex.split(command)[1:])
    assert is_kept(promise.strip(), said.getvalue()), f"{command}\n{said.getvalue()}"
    assert "Traceback" not in said.getvalue()
    found_something = promise.split()[:1] == ["error"] or "why-not" in command
    assert code == found_something, f"{command}\nexit {code}\n{said.getvalue()}"


def test_above_every_block_stands_what_to_do_with_it() -> None:
    text = TUTORIAL.read_text(encoding="utf-8")
    found = list(blocks())
    assert text.count("```") == 2 * len(found)
    assert [name for verb, name, _ in found if verb == "unsaid"] == []
    assert "<!--" not in text, "what is done with a block is there to be read"


@pytest.fixture
def in_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every day: one process, and a big game without examples and without the scenarios that the tutorial does not name."""
    if LONG:
        return
    for module in (casebook, mutation, sweep):
        monkeypatch.setattr(module, "cores", lambda: 1)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    left_out = shutil.ignore_patterns(
        "examples-*", "duel.rules", "kafer-invasion.rules", "texas-1.rules", "three-days.rules"
    )
    shutil.copytree(ROOT / "examples" / "bth", user_folder() / "bth", ignore=left_out)


@pytest.mark.timeout(600)
@pytest.mark.usefixtures("in_small")
def test_the_tutorial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "200")
    before: tuple[Path, str] | None = None
    for verb, name, text in blocks():
        if verb == "run":
            for line in text.strip().split("\n"):
                run(line)
        elif verb == "by":
            assert before is not None
            file, old = before
            body = file.read_text()
            assert body.count(old) == 1, (file, old)
            file.write_text(body.replace(old, text))
        else:
            file = Path(name)
            file.parent.mkdir(parents=True, exist_ok=True)
            if verb == "file":
                file.write_text(text)
            elif verb == "add":
                file.write_text(file.read_text() + text)
            else:
                assert verb == "replace", name
                before = (file, text)
