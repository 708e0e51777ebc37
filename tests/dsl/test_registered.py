"""Every node that the grammar makes of an expression or a condition has a function that binds it."""

import inspect
import re
from pathlib import Path

import dsl.binding  # noqa: F401 (for what its modules register)
from dsl.binding.context import BODIES, CONDITIONS, EXPRESSIONS
from dsl.syntax import syntax_tree as t

ROOT = Path(__file__).parents[2]
PARTS = {t.Node, t.Direction}
"""Nodes that stand within others and mean nothing by themselves."""


def nodes():
    return {
        x for _, x in inspect.getmembers(t, inspect.isclass) if issubclass(x, t.Node) and x.__module__ == t.__name__
    }


def test_every_node_is_bound():
    assert nodes() - PARTS - set(EXPRESSIONS) - set(CONDITIONS) == set(), (
        "nothing binds these: a function under dsl/binding/ with @expresses(…) or @asks(…)"
    )


def test_every_declaration_with_a_body_is_bound():
    assert set(BODIES) == {"value", "status", "path", "order", "procedure", "sequence"}


def test_the_files_that_the_recipes_name_are_there():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:dsl|interpreter|campaigns|ui|tests|docs|\.ci)/[\w./]*\w/?)`", text))
    assert len(named) > 40
    assert [name for name in sorted(named) if not (ROOT / name).exists() and name != "ui/commands/NAME.py"] == []


NAMED = re.compile(r"`(\w[\w.]*)`(?: and `(\w+)`)? (?:of|in)\s+`([\w/]+\.py)`")
"""`DOES` and `DOING` of `a/b.py`."""
BEHIND = re.compile(r"`([\w/]+\.py)` \(`(\w[\w.]*)`\)")
"""`a/b.py` (`name`)."""
IN_MESSAGES = re.compile(r"([A-Za-z_.]+) \((\w+/[\w/]+\.py)\)")
"""What the messages of tests say: name (a/b.py)."""


def test_what_the_recipes_name_in_a_file_is_there():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = [(name, path) for one, other, path in NAMED.findall(text) for name in (one, other) if name]
    named += [(name, path) for path, name in BEHIND.findall(text)]
    messages = (ROOT / "tests" / "test_effects.py").read_text(encoding="utf-8")
    named += [pair for pair in IN_MESSAGES.findall(messages) if pair[0] not in {"for", "by"}]
    assert len(named) > 10
    gone = [
        (n, p)
        for n, p in named
        if not re.search(rf"\b{n.rpartition('.')[2]}\b", (ROOT / p).read_text(encoding="utf-8"))
    ]
    assert gone == [], "CONTRIBUTING.md, or a message in tests/test_effects.py, names what has moved"
