"""Safeguards against classes of defects are removed, and the checks notice: types or tests reject the program without them.

`taken_out.toml` has each such change as text that replaces another. The daily form compares it with the present sources.
The long form makes each change in a copy of the tree, and runs there the tests that must fail, and mypy where it must fail.
"""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from tests.long import in_the_long_form

ROOT = Path(__file__).resolve().parents[1]
TAKEN_OUT = tomllib.loads((ROOT / "tests" / "taken_out.toml").read_text(encoding="utf-8"))["take_out"]
IN_THE_COPY = ("dsl", "interpreter", "campaigns", "ui", "examples", "tests", "docs")

each = pytest.mark.parametrize("change", TAKEN_OUT, ids=lambda x: x["name"])


def changed(text, edit):
    """A file without what is taken out of it."""
    assert text.count(edit["old"]) == 1, f"{edit['file']} does not have it once: {edit['old']!r}"
    return text.replace(edit["old"], edit["new"])


@each
def test_what_is_taken_out_stands_in_the_sources(change):
    texts = {e["file"]: (ROOT / e["file"]).read_text(encoding="utf-8") for e in change["edits"]}
    for edit in change["edits"]:
        texts[edit["file"]] = changed(texts[edit["file"]], edit)
    for file, text in texts.items():
        compile(text, file, "exec")
    for test in change.get("fail", ()):
        file, _, name = test.partition("::")
        name = name.partition("[")[0]
        assert re.search(rf"^def {name}\b", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE) or not name, test
    assert change.get("fail") or change.get("mypy"), "nothing is to notice it"


def test_the_names_of_changes_are_their_own():
    assert [n for n, many in Counter(x["name"] for x in TAKEN_OUT).items() if many > 1] == []


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the tree. Who changes it puts it right again."""
    tree = tmp_path_factory.mktemp("copy")
    for name in IN_THE_COPY:
        shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__", ".*"))
    for file in [*ROOT.glob("*.toml"), *ROOT.glob("*.md")]:
        shutil.copy2(file, tree)
    return tree


def ran(tree, *command):
    """What came of a module of Python in a copy: how it ended, and what it said."""
    apart = ("PYTEST_", "OPHEX_", "COVERAGE_")
    surroundings = {k: v for k, v in os.environ.items() if not k.startswith(apart)}
    surroundings |= {"PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1", "NO_COLOR": "1", "COLUMNS": "1000"}
    done = subprocess.run(
        [sys.executable, "-m", *command],
        check=False,
        cwd=tree,
        env=surroundings,
        capture_output=True,
        text=True,
        timeout=900,
    )
    return done.returncode, done.stdout + done.stderr


@in_the_long_form
@pytest.mark.slow
@pytest.mark.timeout(1800)
@each
def test_without_it_the_program_is_refused(change, copy):
    files = {copy / e["file"]: (copy / e["file"]).read_text(encoding="utf-8") for e in change["edits"]}
    try:
        for edit in change["edits"]:
            path = copy / edit["file"]
            path.write_text(changed(path.read_text(encoding="utf-8"), edit), encoding="utf-8")
        if tests := change.get("fail"):
            ended, said = ran(copy, "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "--tb", "line", *tests)
            refused = {x.strip() for x in re.findall(r"^(?:FAILED|ERROR) (\S.*?)(?: - .*)?$", said, re.MULTILINE)}
            assert [t for t in tests if t not in refused] == [], f"passed without it ({ended}):\n{said[-3000:]}"
        if words := change.get("mypy"):
            ended, said = ran(copy, "mypy")
            assert ended == 1, said[-3000:]
            assert [w for w in words if w not in said] == [], said[-3000:]
    finally:
        for path, text in files.items():
            path.write_text(text, encoding="utf-8")
