"""The packages and modules of the program, each with the first line of its docstring."""

import re
import tomllib
from pathlib import Path
from typing import Any

from tests.generated.markdown import plain, table

ROOT = Path(__file__).parents[2]
FOLDERS = ("dsl", "interpreter", "campaigns", "ui")
_DOCSTRING = re.compile(r'r?"""(.*?)(?:"""|\n)')


def rooms() -> str:
    """The packages within the four folders, each after those that it imports."""
    rank = {name: place for place, name in enumerate(_floors())}
    found = [path.parent for folder in FOLDERS for path in sorted((ROOT / folder).glob("*/**/__init__.py"))]
    found.sort(
        key=lambda path: (
            FOLDERS.index(path.relative_to(ROOT).parts[0]),
            rank.get(_named(path), rank.get(_named(path.parent), 0)),
        )
    )
    return table(("package", "is"), [(f"`{_named(path)}/`", _first_line(path / "__init__.py")) for path in found])


def modules() -> str:
    """Every module, room by room."""
    out = []
    for folder in FOLDERS:
        for room in sorted({path.parent for path in (ROOT / folder).rglob("*.py")}):
            rows = [
                (f"`{path.name}`", _first_line(path)) for path in sorted(room.glob("*.py")) if path.stem != "__init__"
            ]
            told = f"{_first_line(room / '__init__.py')}\n" if (room / "__init__.py").exists() else ""
            out.append(f"\n## {_named(room)}/\n{told}\n{table(('module', 'is'), rows)}")
    return "".join(out)


def _floors() -> list[str]:
    """The packages of all folders as the import contracts have them, lowest first."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    found = []
    for folder in FOLDERS:
        layers = max((one.get("layers", ()) for one in contracts if _is_about(one, folder)), key=len)
        found += [name.strip().replace(".", "/") for layer in reversed(layers) for name in layer.split("|")]
    return found


def _is_about(contract: dict[str, Any], folder: str) -> bool:
    """Whether a contract is about the packages directly within a folder."""
    names = [name.strip().split(".") for layer in contract.get("layers", ()) for name in layer.split("|")]
    return any(len(name) == 2 and name[0] == folder for name in names)


def _named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _first_line(path: Path) -> str:
    """The first line of a module's docstring."""
    found = _DOCSTRING.match(path.read_text(encoding="utf-8"))
    if found is None:
        raise LookupError(f"{_named(path)} does not begin with a docstring that says what it is")
    return plain(found[1])
