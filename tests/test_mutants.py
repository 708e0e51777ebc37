"""Mutation of complete systems: examples notice nearly all changes; the survivors are listed, each with its reason.

A complete run takes minutes for each system, so it needs `OPHEX_MUTANTS=1 pytest tests/test_mutants.py --timeout 3600`.
Without that the lists in `tests/mutants/` are compared with the present rules.
"""

import os
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from campaigns.library.rule_texts import load_path
from campaigns.trials.mutation import mutate, said
from dsl.checks.mutants import mutants

SYSTEMS = ("bth", "btr", "infantry", "ogre", "ww2")
LISTS = Path(__file__).parent / "mutants"
LEAST = 0.99
"""How many of its changes the examples of a system notice at least."""


def explained(system):
    """The listed survivors of a system by (file, text of the line, change), with the reasons."""
    found = {}
    for entry in tomllib.loads((LISTS / f"{system}.toml").read_text(encoding="utf-8")).get("survivor", ()):
        assert set(entry) - {"changes", "change"} == {"file", "text", "why"}, entry
        for change in entry.get("changes") or [entry["change"]]:
            key = entry["file"], said(entry["text"]), change
            assert key not in found, f"listed twice: {key}"
            found[key] = entry["why"]
    return found


@pytest.mark.parametrize("system", SYSTEMS)
def test_listed_survivors_are_changes_of_the_rules_as_they_stand(system):
    text = load_path(system)
    made = Counter(
        (m.span.file, said(text.files[m.span.file].line(m.span.line)), m.change) for m in mutants(text.own_declarations)
    )
    listed = explained(system)
    assert [key for key in listed if key not in made] == []
    assert sum(made[key] for key in listed) < (1 - LEAST) * made.total()
    assert all(len(why.split()) > 3 for why in listed.values())


@pytest.mark.slow
@pytest.mark.skipif("OPHEX_MUTANTS" not in os.environ, reason="minutes for each system; OPHEX_MUTANTS=1 runs it")
@pytest.mark.parametrize("system", SYSTEMS)
def test_examples_notice_what_is_changed(system):
    found = mutate(system)
    listed = explained(system)
    survivors = {(x["file"], said(x["text"]), x["change"]): x["line"] for x in found["survivors"]}
    unlisted = [f"{key[0]}:{line}: {key[2]}: {key[1]}" for key, line in survivors.items() if key not in listed]
    assert unlisted == [], "\n".join(["write an example for each, or explain it in the list:", *unlisted])
    assert found["killed"] >= LEAST * found["mutants"]
