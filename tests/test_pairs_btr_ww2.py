"""Every pair of modules of btr and ww2 binds; declarations that two of them change were reviewed with the rulebook.

`tests/pairs/SYSTEM.toml` lists each declaration that rules of two modules change, with the result of the review. One that is not
listed there fails: read the two rules together, write an example with both modules on where it can go wrong, and list it.

The daily form binds each module with one other alone, without the modules that are on by default; the long form with every other.
"""

import itertools
import random
import tomllib
from collections import defaultdict
from pathlib import Path

import pytest

from campaigns.library.rule_texts import load_path
from dsl.load import bound_or_raise
from dsl.rules.variants import with_needs
from dsl.syntax import declarations as d
from tests.long import either

SYSTEMS = ("btr", "ww2")
LISTS = Path(__file__).parent / "pairs"
FOR_MACHINES = ("automated",)
"""Files of values that only automated sides ask: no rules of the game."""


def modules(system):
    return [x.name for x in load_path(system).own_declarations if isinstance(x, d.Module)]


def shared(system):
    """The texts that rules of two modules change: (module, module, text) of each."""
    hooks = defaultdict(set)
    for x in load_path(system).own_declarations:
        if not isinstance(x, d.Rule) or x.relation.target is None or x.span.file.startswith(FOR_MACHINES):
            continue
        for word, module in x.guards:
            if word == "with":
                hooks[module].add((x.relation.target.name, x.name))
    found = set()
    for a, b in itertools.combinations(modules(system), 2):
        for (text, one), (other, two) in itertools.product(hooks[a], hooks[b]):
            if text == other and one != two:
                found.add((a, b, text))
    return found


def listed(system):
    entries = tomllib.loads((LISTS / f"{system}.toml").read_text(encoding="utf-8"))["pair"]
    return {(*e["modules"], e["text"]): e["read"] for e in entries}


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_two_modules_change_was_read(system):
    known = listed(system)
    assert sorted(shared(system) - set(known)) == []
    assert sorted(set(known) - shared(system)) == []
    assert all(len(read.split()) > 3 for read in known.values())


def pairs(system):
    """Two modules at a time: all in the long form, else each with one other, the same every time."""
    names = sorted(modules(system))
    shuffled = random.Random(1).sample(names, len(names))
    few = zip(shuffled[::2], [*shuffled[1::2], shuffled[0]], strict=False)
    return either(list(few), list(itertools.combinations(names, 2)))


@pytest.mark.parametrize(("system", "pair"), [(s, pair) for s in SYSTEMS for pair in pairs(s)])
def test_every_pair_of_modules_binds(system, pair):
    text = load_path(system)
    bound_or_raise(text, frozenset(with_needs(text.modules, pair)))
