"""Two modules at a time: every legal pair binds. If one removes a declaration that the other changes, somebody has reviewed the pair.

The daily form binds each module with at least one other, the long form with every other.
"""

import random
from collections import defaultdict
from itertools import combinations

import pytest

from campaigns.library.rule_texts import load_path
from dsl.load import bind_system
from dsl.rules.variants import with_needs
from dsl.syntax import declarations as d
from tests.long import either

SYSTEMS = ("bth", "btr", "ww2")
TAKES_AWAY = {"excepts", "replaces"}
READ = {
    "bth": {
        "game-turn": "sequential movement orders the phases anew; what comes before the turn comes before that one too",
        "stance": "VTOLs take no shelter in a Safe-Place, so a unit is never both",
        "step-now": "calm Kafers and those under enemy markers alike keep the order that they hold",
        "still-losing": "the walls of a garrison are left out of whatever may be lost, whole units or companies",
    },
    "btr": {
        "in-supply": "an exception of the basic game; who lives off the land is in supply besides",
    },
    "ww2": {
        "answers-itself": "both exceptions say no",
        "barred": "no terrain bars a helicopter; what is added holds besides: the edge of the board does",
        "fires-directly": "both exceptions say no",
        "fit-to-storm": "both exceptions say no",
    },
}
"""The texts that a rule of one module takes away, wholly or in some cases, and that rules of others touch; and why that is well."""


def modules_of(rule):
    return frozenset(name for switch, name in rule.guards if switch == "with")


def contested(system):
    """The names of texts that one rule replaces or excepts while rules under other modules change them."""
    touched = defaultdict(list)
    for rule in load_path(system).declarations:
        if isinstance(rule, d.Rule) and rule.relation.target is not None:
            touched[rule.relation.target.name].append(rule)
    return {
        name
        for name, rules in touched.items()
        if any(r.relation.kind in TAKES_AWAY for r in rules) and len({modules_of(r) for r in rules}) > 1
    }


@pytest.mark.parametrize("system", SYSTEMS)
def test_where_one_module_takes_away_what_another_touches_somebody_has_read_it(system):
    assert contested(system) == set(READ[system])
    assert all(len(why.split()) > 3 for why in READ[system].values())


def chosen(modules):
    """Pairs of modules that may be on together: all in the long form, else so many that each comes up, the same every time."""
    two = [pair for pair in combinations(sorted(modules), 2) if not {*pair} & excluded_by(modules, pair)]
    few, met = [], set()
    for pair in random.Random(1).sample(two, len(two)):  # first those of which neither has come up
        if not met & {*pair}:
            few.append(pair)
            met |= {*pair}
    few += [next(pair for pair in two if name in pair) for name in sorted(set(modules) - met)]
    return either(few, two)


def excluded_by(modules, pair):
    """What the modules that are on with a pair shut out."""
    return {other for name in with_needs(modules, pair) for other in modules[name].excludes}


def pairs(system):
    """What is on with each two modules that are tried and may be on together."""
    text = load_path(system)
    for two in chosen(text.modules):
        on = with_needs(text.modules, text.defaults | set(two))
        if not any(on & set(text.modules[m].excludes) for m in on):
            yield two, on


@pytest.mark.slow
@pytest.mark.parametrize("system", SYSTEMS)
def test_every_pair_of_modules_binds(system):
    text, tried = load_path(system), set()
    for two, on in pairs(system):
        _, problems = bind_system(text, on)
        assert [p.message for p in problems if p.is_error] == [], two
        tried |= {*two}
    assert tried == set(text.modules)
