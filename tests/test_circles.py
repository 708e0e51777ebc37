"""No circular imports: neither between files nor between packages, wherever the import is written.

An import within a function and one for types alone count like all others: a reader of a file must not need one that needs it.
"""

import ast
from pathlib import Path

import networkx as nx
import pytest

CHECKOUT = Path(__file__).parent.parent
ROOMS = ("dsl", "interpreter", "campaigns", "ui")


def name_of(path):
    """The name by which a file is imported; that of a package's `__init__` is the package."""
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(tree, own, modules):
    """The modules that a tree imports, each with the line; `from package import module` imports the module. own: the package it is in."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node.lineno
        elif isinstance(node, ast.ImportFrom):
            above = own.split(".")[: len(own.split(".")) + 1 - node.level] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            for alias in node.names:
                inner = f"{base}.{alias.name}"
                yield (inner if inner in modules else base), node.lineno


def imports(folder, rooms=ROOMS):
    """The graph of imports between the files of some rooms; each edge has the places in which it is written."""
    paths = {name_of(p.relative_to(folder)): p for room in rooms for p in sorted((folder / room).rglob("*.py"))}
    graph = nx.DiGraph()
    graph.add_nodes_from((name, {"package": package_of(name, path)}) for name, path in paths.items())
    for name, path in paths.items():
        for other, line in imported(ast.parse(path.read_text(encoding="utf-8")), package_of(name, path), paths):
            if other in paths and other != name:
                graph.add_edge(name, other)
                place = f"{path.relative_to(folder).as_posix()}:{line} imports {other}"
                graph.edges[name, other].setdefault("places", {})[place] = None
    return graph


def package_of(name, path):
    """The package that a file belongs to; an `__init__` belongs to its own."""
    return name if path.name == "__init__.py" else name.rpartition(".")[0]


def between_packages(graph):
    """The same graph with the files of a package as one."""
    found = nx.DiGraph()
    found.add_nodes_from(nx.get_node_attributes(graph, "package").values())
    for one, other, places in graph.edges(data="places"):
        packages = graph.nodes[one]["package"], graph.nodes[other]["package"]
        if packages[0] != packages[1]:
            found.add_edge(*packages)
            found.edges[packages].setdefault("places", []).extend(places)
    return found


LEVELS = {"files": lambda graph: graph, "packages": between_packages}


def circles(graph):
    """What to say of each circle, the largest first: who is in it, and every import that holds it together."""
    found = sorted((c for c in nx.strongly_connected_components(graph) if len(c) > 1), key=len, reverse=True)
    said = []
    for circle in found:
        lines = [f"a circle of {len(circle)}: {', '.join(sorted(circle))}"]
        for one, other, places in sorted(graph.subgraph(circle).edges(data="places")):
            lines.append(f"  {one} -> {other}")
            lines += [f"    {place}" for place in places]
        said.append("\n".join(lines))
    return said


@pytest.fixture(scope="module")
def product():
    return imports(CHECKOUT)


@pytest.mark.parametrize("level", LEVELS)
def test_there_are_no_circles(product, level):
    found = circles(LEVELS[level](product))
    assert not found, "\n" + "\n".join(found)


@pytest.fixture
def house(tmp_path):
    """Writes files of one room, by name, and gives what is said of its circles at each level."""

    def write(**files):
        for name, text in files.items():
            path = tmp_path / "room" / (name.replace("__in__", "/") + ".py")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return {level: circles(view(imports(tmp_path, ["room"]))) for level, view in LEVELS.items()}

    return write


@pytest.mark.parametrize(
    "back",
    [
        "import room.a",
        "from room import a",
        "from room.a import thing",
        "from . import a",
        "from .a import thing",
        "def f():\n    from room.a import thing",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from room.a import Thing",
        "class C:\n    import room.a as again",
    ],
)
def test_an_import_counts_wherever_it_is_written(house, back):
    (said,) = house(a="from room.b import one", b=back)["files"]
    line = back.count("\n") + 1
    assert said == (
        "a circle of 2: room.a, room.b\n"
        "  room.a -> room.b\n    room/a.py:1 imports room.b\n"
        f"  room.b -> room.a\n    room/b.py:{line} imports room.a"
    )


def test_a_way_around_several_files_is_one_circle(house):
    (said,) = house(a="import room.b", b="import room.c", c="import room.a", d="import room.a")["files"]
    assert said.startswith("a circle of 3: room.a, room.b, room.c\n")


def test_what_only_runs_downwards_is_no_circle(house):
    assert house(a="import room.b\nimport room.c", b="import room.c\nimport json", c="") == {
        "files": [],
        "packages": [],
    }


def test_packages_can_stand_in_a_circle_whose_files_do_not(house):
    found = house(low__in__a="", high__in__b="import room.low.a", low__in__c="import room.high.b")
    assert found["files"] == []
    (said,) = found["packages"]
    assert said.startswith("a circle of 2: room.high, room.low\n")


def test_an_init_belongs_to_its_package(house):
    found = house(
        low__in____init__="from room.low.a import x", low__in__a="x = 1", high__in__b="from room.low import x, a"
    )
    assert found == {"files": [], "packages": []}
