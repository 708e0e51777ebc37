"""The files of a rule system, and of those that it is built on, as text: found and read, not yet parsed."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import attrs

from campaigns.file.errors import CampaignError
from campaigns.library.locate import NotFound, SystemRef, find_system
from campaigns.library.reading_files import data_of
from dsl.text.source import SourceFile
from interpreter.runtime.refusals import Why

__all__ = ["OwnFiles", "RuleFiles", "lies_in", "on_which", "own_files", "read_file", "rule_files", "system_folder"]

Files = tuple[SourceFile, ...]

MOST_FILES = 2_000
"""How many files a system may have: each costs time, even an empty one."""


@attrs.frozen(slots=True)
class OwnFiles:
    """The files of one folder, or a single file that belongs to no system. folder: None for such a file; catalog: its text or ""."""

    files: Files
    folder: Path | None = None
    catalog: str = ""


@attrs.frozen(slots=True)
class RuleFiles:
    """The files of a system. below: those of the systems it is built on, nearest first; bases: the names of these systems."""

    own: OwnFiles
    bases: tuple[str, ...] = ()
    below: Files = ()
    base_catalog: str = ""

    @property
    def all(self) -> Files:
        """Every file, its own first."""
        return (*self.own.files, *self.below)


def read_file(path: Path, root: Path) -> SourceFile:
    """One rule file. Raises CampaignError when it cannot be read as text."""
    try:
        name = path.relative_to(root).as_posix()
    except ValueError:
        name = str(path)
    data = data_of(path)
    if not _is_text(name):
        raise CampaignError(
            f"The name of {name.encode('utf-8', 'backslashreplace').decode()} is not valid UTF-8.",
            "Give the file another name.",
        )
    if b"\0" in data:
        raise CampaignError(f"{path} is not a text file.", "Rule files are plain text (UTF-8).")
    try:
        return SourceFile(name, data.decode("utf-8"), _from_here(path))
    except UnicodeDecodeError as error:
        raise CampaignError(f"{path} is not valid UTF-8 (byte {error.start}).", "Save it as UTF-8.") from None


def _is_text(name: str) -> bool:
    """Whether a file's name is valid text: the operating system may allow names that are not."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _from_here(path: Path) -> str:
    """A path as one would type it: from the current folder, unless that is longer than the absolute path."""
    whole = os.path.realpath(path)
    try:
        return min(os.path.relpath(whole), whole, key=len)
    except (OSError, ValueError):  # there is no current folder, or it is on another drive
        return whole


def lies_in(path: Path, folder: Path) -> bool:
    """Whether a file lies in a folder or below it, also after links are followed: a stranger's folder names no files of yours."""
    return Path(os.path.realpath(path)).is_relative_to(
        os.path.realpath(folder)
    )  # unlike `resolve` also for links in a circle


def rule_files(ref: SystemRef) -> OwnFiles:
    """The files of a system's own folder. Raises CampaignError for a file that cannot be read or lies elsewhere, and for too many."""
    if len(ref.files) > MOST_FILES:
        message = f"{ref.folder} has {len(ref.files):,} files; a rule system may have at most {MOST_FILES:,}."
        raise CampaignError(message, "Merge some of them, or name the folder of one system.")
    for path in (*ref.files, ref.folder / "catalog.toml"):
        if not lies_in(path, ref.folder):
            raise CampaignError(f"{path} is a link to a file outside its folder.", "Put the file itself there.")
    files = tuple(read_file(path, ref.folder) for path in ref.files if path.suffix == ".rules")
    catalog = ref.folder / "catalog.toml"
    said = data_of(catalog).decode("utf-8", errors="replace") if catalog.is_file() else ""
    return OwnFiles(files, ref.folder, said)


def own_files(name: str) -> OwnFiles:
    """The files of a system by name or folder; for a single rule file those of the system in whose folder it lies, or only the file itself."""
    path = Path(name)
    if not path.is_file():
        return rule_files(find_system(name))
    folder = system_folder(path)
    if folder is not None:
        return rule_files(find_system(str(folder)))
    return OwnFiles((read_file(path, path.parent),))


def on_which(own: OwnFiles, base_of: Callable[[Sequence[SourceFile]], str]) -> RuleFiles:
    """A system with those that it is built on. base_of: the name of the system that files are built on, or "".

    Raises CampaignError for a base that does not exist.
    """
    if own.folder is None:
        return RuleFiles(own)
    bases: list[str] = []
    below: list[SourceFile] = []
    catalogs: list[str] = []
    seen = [own.folder]
    base = base_of(own.files)
    while base:
        found = _base(base, seen)
        seen.append(found.folder)
        beneath = rule_files(found)
        bases.append(base)
        below += [SourceFile(f"{base}/{file.name}", file.text, file.path) for file in beneath.files]
        catalogs.append(beneath.catalog)
        base = base_of(beneath.files)
    return RuleFiles(own, tuple(bases), tuple(below), next(filter(None, catalogs), ""))


def _base(name: str, seen: list[Path]) -> SystemRef:
    """The system that another is built on: a folder beside it, or a system that is known by name."""
    beside = seen[-1].parent / name
    try:
        found = find_system(beside if any(beside.glob("*.rules")) else name)
    except NotFound as error:
        raise CampaignError(
            f"{seen[-1].name} is built on {name}, which does not exist. {error.message}", error.hint, Why.RULES
        ) from None
    if found.folder in seen:
        raise CampaignError(
            f"{seen[-1].name} is built on {name}, which is itself built on {seen[-1].name}.",
            "Remove `, on …` from one of them.",
            Why.RULES,
        )
    return found


def system_folder(path: Path) -> Path | None:
    """The folder of the system that a file belongs to; None if it belongs to none."""
    return next((p for p in path.resolve().parents[:4] if _is_system(p)), None)


def _is_system(folder: Path) -> bool:
    """Whether a folder holds the front matter of a system: its catalog, or the line that names it."""
    return (folder / "catalog.toml").is_file() or any(_names_a_system(file) for file in folder.glob("*.rules"))


def _names_a_system(file: Path) -> bool:
    try:
        data = data_of(file)
    except CampaignError:  # it lies beside the given file
        return False
    return data.startswith(b"system ") or b"\nsystem " in data
