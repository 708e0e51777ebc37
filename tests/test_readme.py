"""The README's walk-through runs as printed, with the promised output."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from pathlib import Path

import pytest

from tests.promises import is_kept

README = Path(__file__).parents[1] / "README.md"


def lines() -> list[tuple[str, str]]:
    """The commands of the walk-through, each with the text that must come out ("" where none is promised)."""
    text = README.read_text(encoding="utf-8")
    block = re.search(r"<!-- walk-through.*?```sh\n(.*?)```\n<!-- /walk-through -->", text, re.DOTALL)
    assert block is not None, "the README has lost its walk-through"
    out = []
    for line in block[1].strip().split("\n"):
        command, _, promise = line.partition("#:")
        out.append((command.split(" #")[0].strip(), promise.strip()))
    return out


def test_walk_through(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from ui.main import main

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "200")
    for command, promise in lines():
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            code = main(shlex.split(command)[1:])
        assert code == 0, f"{command}\n{said.getvalue()}"
        assert is_kept(promise, said.getvalue()), f"{command}\n{said.getvalue()}"
