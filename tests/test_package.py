"""The package contains what git contains, no more and no less, and the README says how to test it."""

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parent.parent
ROOMS = ("dsl", "interpreter", "campaigns", "ui")


def tracked(*folders):
    """What git holds in these folders."""
    ended = subprocess.run(
        ["git", "ls-files", "-z", "--", *folders], cwd=CHECKOUT, capture_output=True, text=True, check=True
    )
    return {name for name in ended.stdout.split("\0") if name}


def build(kind, folder, out):
    """Build a "wheel" or an "sdist" of a folder; needs no network."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(out)]
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    (built,) = out.iterdir()
    return built


def names_in(wheel):
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


@pytest.fixture(scope="module")
def clean(tmp_path_factory):
    """A copy of exactly what git holds, so that files lying about in the checkout change nothing."""
    if not (CHECKOUT / ".git").exists():
        pytest.skip("needs a git checkout to compare with")
    folder = tmp_path_factory.mktemp("clean")
    subprocess.run(["git", "checkout-index", "--all", f"--prefix={folder}/"], cwd=CHECKOUT, check=True)
    return folder


@pytest.fixture(scope="module")
def in_the_wheel(clean, tmp_path_factory):
    """What the wheel holds that is built of the checkout."""
    return names_in(build("wheel", clean, tmp_path_factory.mktemp("wheel")))


@pytest.mark.slow
def test_the_wheel_holds_the_rooms_and_the_systems(in_the_wheel):
    expected = tracked(*ROOMS) | {f"campaigns/{name}" for name in tracked("examples")}
    assert in_the_wheel == expected


@pytest.mark.slow
def test_the_wheel_made_from_the_sdist_is_the_same(clean, in_the_wheel, tmp_path):
    sdist = build("sdist", clean, tmp_path / "sdist")
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path / "source", filter="data")
    (source,) = (tmp_path / "source").iterdir()
    assert names_in(build("wheel", source, tmp_path / "again")) == in_the_wheel


def test_the_readme_has_one_test_command_between_its_markers():
    """`.ci/run` executes it: two commands would run as two, none would run nothing."""
    text = (CHECKOUT / "README.md").read_text(encoding="utf-8")
    block = text.split("<!-- test-command", 1)[1].split("<!-- /test-command", 1)[0]
    commands = [line for line in block.splitlines()[1:] if line and not line.startswith("```")]
    assert len(commands) == 1
    assert "-m pytest" in commands[0]
