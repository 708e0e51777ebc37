"""Files and functions stay small enough to be read at once: 400 lines, and 20 paths through a function (grade C of radon).

Class names are unique: nodes of the language and their bound forms have the names that the grammar uses (`t.Chance`, `ir.Chance`).
No two other classes share a name.
"""

import ast
import re
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parent.parent
MOST_LINES = 400
MOST_WAYS = 20
FUNCTION = ast.FunctionDef | ast.AsyncFunctionDef
ROOMS = ["dsl", "interpreter", "campaigns", "ui"]


def ways(node):
    """The ways through a piece of code, counted as radon counts them: one more for each branch, loop, case and condition."""
    match node:
        case ast.If() | ast.IfExp() | ast.Assert():
            found = 1
        case ast.For() | ast.AsyncFor() | ast.While():
            found = 1 + bool(node.orelse)
        case ast.Try():
            found = len(node.handlers) + bool(node.orelse)
        case ast.BoolOp():
            found = len(node.values) - 1
        case ast.comprehension():
            found = 1 + len(node.ifs)
        case ast.Match():
            found = len(node.cases) - any(
                isinstance(x.pattern, ast.MatchAs) and x.pattern.pattern is None for x in node.cases
            )
        case _:
            found = 0
    inner = () if isinstance(node, ast.Assert) else ast.iter_child_nodes(node)
    return found + sum(ways(x) for x in inner if not isinstance(x, FUNCTION))


def functions(tree):
    """All functions and methods by name, each with the ways through it; those within others count by themselves."""
    return [(node.name, 1 + ways(node)) for node in ast.walk(tree) if isinstance(node, FUNCTION)]


def too_large(room):
    """The files and functions of a room beyond the bounds, by name, with what was counted."""
    found = {}
    for path in sorted((CHECKOUT / room).rglob("*.py")):
        name, text = path.relative_to(CHECKOUT).as_posix(), path.read_text(encoding="utf-8")
        if (lines := text.count("\n")) > MOST_LINES:
            found[name] = f"{lines} lines"
        for function, count in functions(ast.parse(text)):
            if count > MOST_WAYS:
                found[f"{name}: {function}"] = f"{count} ways"
    return found


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("def f(): return 1", 1),
        ("def f(a, b):\n if a and b: return 1\n return 2", 3),
        ("def f(a):\n for x in a:\n  yield x if x else 1\n else: pass", 4),
        ("def f(a): return [x for x in a if x if not x]", 4),
        ("def f(a):\n match a:\n  case 1: return 1\n  case 2 if a: return 2\n  case _: return 3", 3),
        ("def f(a):\n try: g()\n except A: pass\n except B: pass\n else: pass", 4),
        ("def f(a):\n assert a or f\n def g(): return a or 1\n return g", 2),
    ],
)
def test_ways_are_counted(text, count):
    assert functions(ast.parse(text))[0] == ("f", count)


@pytest.mark.parametrize("room", ROOMS)
def test_files_and_functions_stay_small(room):
    assert too_large(room) == {}, (
        f"part it by subject: at most {MOST_LINES} lines of a file, {MOST_WAYS} ways through a function"
    )


MOST_ANY = 179
"""So many lines of the language and the machine say `Any`: it may become fewer."""


def test_what_may_be_anything_grows_no_more():
    files = [file for room in ("dsl", "interpreter") for file in (CHECKOUT / room).rglob("*.py")]
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    found = sum(re.search(r"\bAny\b", line) is not None for line in lines)
    assert found <= MOST_ANY, (
        "things are `Thing`, frames `Frame`, values of rules `Value`, what nobody looks into `object`"
    )


NODES = {"syntax", "ir"}
"""The rooms of the language whose classes are called as the grammar calls them."""


def classes_of_one_name():
    """The names that several classes have, with their files; those that begin with `_` are known in one file only."""
    found = {}
    for path in (file for room in ROOMS for file in sorted((CHECKOUT / room).rglob("*.py"))):
        name = path.relative_to(CHECKOUT)
        if not NODES.intersection(name.parts):
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    found.setdefault(node.name, []).append(name.as_posix())
    return {name: files for name, files in found.items() if len(files) > 1}


def test_a_class_is_known_by_its_name():
    assert classes_of_one_name() == {}, "give one of them another name"


def test_a_file_is_known_by_its_name():
    # A command's file bears the command's name, whatever another file of that name is about.
    found = {}
    for path in (file for room in ROOMS for file in sorted((CHECKOUT / room).rglob("*.py"))):
        name = path.relative_to(CHECKOUT)
        if name.parts[:2] != ("ui", "commands") and name.name != "__init__.py":
            found.setdefault(name.name, []).append(name.as_posix())
    assert {name: files for name, files in found.items() if len(files) > 1} == {}, "give one of them another name"
