"""Where rule systems and scenarios are: from the name that a person types to folders and files.

A name is tried as a path, then in the user's own folder, then among the systems that ship with ophex. A system is a
folder with rule files in it, and maps, forces and scenarios in folders below:

    NAME/*.rules    NAME/maps/*.rules    NAME/forces/*.rules    NAME/scenarios/*.rules    NAME/catalog.toml

Here files are only located; the language understands their contents. Only scenario files are searched for the names that they
declare, since what several scenarios share may be in the same folder.
"""

import os
import re
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path

from attrs import frozen

from campaigns.file.errors import CampaignError
from campaigns.library.reading_files import data_of
from interpreter.runtime.refusals import Why

__all__ = [
    "NotFound",
    "ScenarioRef",
    "SystemRef",
    "find_scenario",
    "find_system",
    "scenarios",
    "shipped_folder",
    "systems",
    "user_folder",
]

PARTS = ("", "maps", "forces", "scenarios")


class NotFound(Exception):
    """Nothing with that name exists.

    Attributes:
        message: what was searched for and where, a full sentence.
        hint: the nearest names or the next thing to try; a full sentence.
    """

    kind = Why.UNKNOWN_NAME

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


@frozen
class SystemRef:
    """A rule system that was found.

    Attributes:
        name: the name of its folder.
        folder: its folder.
        files: its rule files, then its maps, forces and scenarios, each in order of their names.
        origin: "path" (named by its path), "yours" (in the user's folder) or "shipped".
    """

    name: str
    folder: Path
    files: tuple[Path, ...]
    origin: str

    @property
    def rules(self) -> tuple[Path, ...]:
        """The rule files proper."""
        return self._below("")

    @property
    def maps(self) -> tuple[Path, ...]:
        """The maps."""
        return self._below("maps")

    @property
    def forces(self) -> tuple[Path, ...]:
        """The orders of battle."""
        return self._below("forces")

    @property
    def scenarios(self) -> "tuple[ScenarioRef, ...]":
        """The scenarios: what the files of the folder `scenarios` declare as such."""
        return tuple(
            ScenarioRef(f"{self.name}/{name}", self, file)
            for file in self._below("scenarios")
            for name in _declared(file)
        )

    @property
    def catalog(self) -> Path | None:
        """The list of the game's rules that the system is measured against, if it has one."""
        file = self.folder / "catalog.toml"
        return file if file.is_file() else None

    def _below(self, part: str) -> tuple[Path, ...]:
        return tuple(file for file in self.files if file.parent == self.folder / part)


@frozen
class ScenarioRef:
    """A scenario that was found.

    Attributes:
        name: "SYSTEM/SCENARIO".
        system: the system it is played with.
        file: its file.
    """

    name: str
    system: SystemRef
    file: Path


def systems() -> list[SystemRef]:
    """The systems that are known by name, in order of their names.

    One in the user's folder takes precedence over a shipped one with the same name.
    """
    found: dict[str, SystemRef] = {}
    for origin, home in (("yours", user_folder()), ("shipped", shipped_folder())):
        for folder in _folders_in(home):
            found.setdefault(folder.name, _system(folder, origin))
    return [found[name] for name in sorted(found)]


def scenarios() -> list[ScenarioRef]:
    """The scenarios of all systems that are known by name."""
    return [scenario for system in systems() for scenario in system.scenarios]


def find_system(name: str | os.PathLike[str]) -> SystemRef:
    """The system of a name or a path.

    Raises:
        NotFound: with the nearest names, or with what is wrong with the folder.
    """
    path = Path(name)
    if path.is_dir() and _rule_files(path):
        return _system(path.resolve(), "path")
    known = systems()
    for system in known:
        if system.name == str(name):
            return system
    if path.is_dir():
        raise NotFound(
            f"The folder {path} is not a rule system: it has no file that ends in .rules.",
            "Put a system's rules into the folder itself, and its maps, forces and scenarios into subfolders.",
        )
    if path.is_file():
        raise NotFound(
            f"{path} is a file; a rule system is a folder.",
            f"Name the folder instead; the folder of this file is {path.parent}.",
        )
    raise NotFound(f"There is no rule system '{name}'.", _nearest(str(name), [system.name for system in known]))


def find_scenario(name: str | os.PathLike[str]) -> ScenarioRef:
    """The scenario of a name ("SYSTEM/SCENARIO", or "SCENARIO" where only one system has it) or a path.

    Raises:
        NotFound: with the nearest names.
    """
    path = Path(name)
    for file in (path, path.with_name(f"{path.name}.rules")) if path.name else ():
        if file.is_file():
            return _scenario_at(file)
    system_name, _, short = str(name).replace(os.sep, "/").rpartition("/")
    if system_name:
        system = find_system(system_name)
        return _pick(str(name), short, system.scenarios, f"The system '{system.name}' has no scenario '{short}'.")
    return _pick(short, short, scenarios(), f"There is no scenario '{short}'.")


def user_folder() -> Path:
    """The folder of a user's own systems; it need not exist."""
    from platformdirs import user_data_path

    return user_data_path("ophex", appauthor=False) / "systems"


def shipped_folder() -> Path:
    """The folder of the systems that ship with ophex: inside the package when installed, at the top in a checkout."""
    here = Path(__file__).resolve().parents[1]
    installed = here / "examples"
    return installed if installed.is_dir() else here.parent / "examples"


def _pick(asked: str, short: str, among: Iterable[ScenarioRef], otherwise: str) -> ScenarioRef:
    among = tuple(among)
    named = [scenario for scenario in among if scenario.name.rpartition("/")[2] == short]
    if len(named) == 1:
        return named[0]
    if named:
        raise NotFound(
            f"Several systems have a scenario '{asked}'.",
            f"Say which: {_list(scenario.name for scenario in named)}.",
        )
    raise NotFound(otherwise, _nearest(asked, [scenario.name for scenario in among]))


def _scenario_at(file: Path) -> ScenarioRef:
    file = file.resolve()
    folder = file.parent.parent
    if file.parent.name != "scenarios" or not _rule_files(folder):
        raise NotFound(
            f"{file} does not belong to a rule system.",
            "Put a scenario's file into the folder 'scenarios' of its system, beside the system's rule files.",
        )
    system = _system(folder, "path")
    return ScenarioRef(f"{system.name}/{file.stem}", system, file)


def _system(folder: Path, origin: str) -> SystemRef:
    files = tuple(file for part in PARTS for file in _rule_files(folder / part))
    return SystemRef(folder.name, folder, files, origin)


def _folders_in(home: Path) -> list[Path]:
    if not home.is_dir():
        return []
    return sorted(folder for folder in home.iterdir() if folder.is_dir() and _rule_files(folder))


_SCENARIO = re.compile(r"^scenario[ \t]+([A-Za-z][\w-]*)", re.MULTILINE)


def _declared(file: Path) -> list[str]:
    """The names of the scenarios that a file declares; the file's own name if it cannot be read."""
    try:
        return _SCENARIO.findall(data_of(file).decode("utf-8"))
    except (CampaignError, UnicodeDecodeError):
        return [file.stem]


def _rule_files(folder: Path) -> list[Path]:
    """The rule files of a folder; also links that lead to no file, so that whoever reads them says so."""
    return sorted(file for file in folder.glob("*.rules") if file.is_file() or file.is_symlink())


def _nearest(name: str, names: list[str]) -> str:
    if not names:
        return f"None is known by name: this copy ships with none, and there is none in {user_folder()}."
    last = [full.rpartition("/")[2] for full in names]  # within one system only the last part distinguishes them
    near = get_close_matches(name.rpartition("/")[2].lower(), last, n=3, cutoff=0.6)
    meant = [full for full, short in zip(names, last, strict=True) if short in near]
    return f"Did you mean {_list(meant, 'or')}?" if meant else f"Known names: {_list(names)}."


def _list(names: Iterable[str], last: str = "and") -> str:
    *most, end = names
    return f"{', '.join(most)} {last} {end}" if most else end
