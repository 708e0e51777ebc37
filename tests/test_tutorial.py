"""The tutorial, followed to the letter: its files are written, its commands are run, and what it promises comes out."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

TUTORIAL = Path(__file__).parents[1] / "docs" / "tutorial.md"
BLOCK = re.compile(r"<!-- (?P<what>[^>]+?) -->\n```(?:sh)?\n(?P<text>.*?)```\n", re.DOTALL)


def blocks() -> Iterator[tuple[str, str]]:
    """The marked blocks in their order: what is to be done with each, and its text."""
    for found in BLOCK.finditer(TUTORIAL.read_text(encoding="utf-8")):
        yield found["what"], found["text"]


def run(line: str) -> None:
    from ui.main import main

    command, _, promise = line.partition("#:")
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        code = main(shlex.split(command)[1:])
    assert promise.strip() in said.getvalue(), f"{command}\n{said.getvalue()}"
    assert "Traceback" not in said.getvalue()
    found_something = promise.strip().startswith("error") or "why-not" in command or "--mutate" in command
    assert code == 0 or (code == 1 and found_something), f"{command}\nexit {code}\n{said.getvalue()}"


def test_every_fence_is_marked() -> None:
    text = TUTORIAL.read_text(encoding="utf-8")
    assert text.count("```") == 2 * len(list(blocks()))


@pytest.mark.timeout(600)
def test_the_tutorial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "200")
    before: tuple[Path, str] | None = None
    for what, text in blocks():
        verb, _, name = what.partition(" ")
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
                assert verb == "replace", what
                before = (file, text)
