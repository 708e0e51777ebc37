"""What the shipped systems tell as the story of a fight, tried on their own examples."""

import pytest

from campaigns.casebook import run_examples
from interpreter.stories import Stories

TOLD = [
    ("ogre", "The defender fires first", "a, b overrun 0203", {"raiders": "a, b", "overrun-units": "g"}),
    ("ogre", "Disabled by a ram", "o rams g", {"ogre": "o", "prey": "g"}),
    ("ogre", "Under a tank", "A heavy mine goes off under g", {"hex": "0203"}),
    ("bth", "A quarter of the fire", "The bombardment of 0505", {"batteries": "g, h", "firepower": "30", "strength-struck": "35", "hits": "14"}),
    ("bth", "in the air", "The battle in the air", {"attack": "45", "defense": "12", "column": "3:1"}),
    ("btr", "Suppression comes before the missiles", "a, b suppress m", {"raiders": "a, b", "batteries": "m"}),
    ("btr", "Air defense of nine", "Air defense over O-0201", {"batteries": "m, n", "targets": "a, b", "column": "1.5:1"}),
    ("infantry", "A kick", "m strikes at p", {"blow": "kick", "needed": "5", "damage": "10"}),
    ("ww2", "Ambushed", "d meets the enemy in Z-0302", {"mover": "d", "result": "ambushed"}),
    ("ww2", "bombard", "The bombardment of 0603", {"guns": "g, h"}),
    ("ww2", "raid", "stuka comes in over 0503", {"raider": "stuka", "target": "0503"}),
]  # fmt: skip
"""A system, one of its examples, the title of a story in it, and values that the example itself puts or expects."""


@pytest.fixture
def told(monkeypatch):
    """The stories that came to an end: title, and what the umpire was told in them."""
    found = []
    end = Stories._end_story

    def ended(stories, frame):
        found.extend(
            (s.title, {r["name"]: r["value"] for r in next(iter(s.rows.values()))})
            for s in stories.open
            if s.frame is frame
        )
        end(stories, frame)

    monkeypatch.setattr(Stories, "_end_story", ended)
    return found


@pytest.mark.parametrize(("system", "example", "title", "rows"), TOLD)
def test_a_fight_tells_its_story(told, system, example, title, rows):
    run_examples([system], example)
    stories = [one for one in told if one[0] == title]
    assert stories, told
    assert rows.items() <= stories[0][1].items()
