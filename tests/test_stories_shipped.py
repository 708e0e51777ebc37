"""The stories of fights in the shipped systems, tried on their own examples.

The daily form tries one story of each system, and one that is a side's secret; the long form (`OPHEX_LONG=1`) tries all.
"""

import pytest

from campaigns.trials.casebook import run_examples
from interpreter.mirrors.stories import Stories
from tests.long import either

TOLD = [
    ("ogre", "The defender fires first", "a, b overrun 0203", {"raiders": "a, b", "overrun-units": "g"}),
    ("ogre", "Disabled by a ram", "o rams g", {"ogre": "o", "prey": "g"}),
    ("ogre", "Under a tank", "A heavy mine goes off under g", {"hex": "0203"}),
    ("bth", "A quarter of the fire", "The bombardment of 0505", {"batteries": "g, h", "firepower": "30", "strength-struck": "35", "hits": "14"}),
    ("bth", "Air combat with 2d6-2", "The air battle", {"attack": "45", "defense": "12", "column": "3:1"}),
    ("btr", "Suppression comes before the missiles", "a, b suppress m", {"raiders": "a, b", "batteries": "m"}),
    ("btr", "Air defense of nine", "Air defense over O-0201", {"batteries": "m, n", "targets": "a, b", "column": "1.5:1"}),
    ("infantry", "A kick", "m strikes at p", {"blow": "kick", "needed": "5", "damage": "10"}),
    ("ww2", "Ambushed", "d meets the enemy in Z-0302", {"mover": "d", "result": "ambushed"}),
    ("ww2", "bombard", "The bombardment of 0603", {"guns": "g, h"}),
    ("bth", "Air defense at the nearest", "The flak of blue", {"raiders": "f, g", "gunners": "x", "defense": "28", "odds": "2:1", "loss-percent": "0"}),
    ("bth", "A raid without air defense", "The raid on 0505", {"raiders": "f", "residents": "y", "defense": "0"}),
    ("ww2", "A landing beside friends", "p1 lands at 0505", {"base": "p1", "scatter": "2"}),
    ("ww2", "Results of a raid", "b strikes in Z-0202", {"zone": "Z-0202", "strength": "2", "modifier": "2"}),
    ("ww2", "Who may flush out a band", "b is brought to battle in Z-0202", {"band": "b", "bases": "3"}),
    ("ww2", "Flak hits on 1", "Flak of 0404 against o", {"helicopter": "o", "result": "hit"}),
    ("ww2", "raid", "stuka comes in over 0503", {"raider": "stuka", "target": "0503"}),
]  # fmt: skip
"""A system, one of its examples, the title of a story in it, and values that the example itself puts or expects."""
DAILY = {"Disabled by a ram", "A quarter of the fire", "Air defense of nine", "A kick", "bombard"}
"""The examples that are told every day."""


@pytest.fixture
def told(monkeypatch):
    """The stories that came to an end: title, and what the umpire was told in them."""
    found = []
    end = Stories._end_story

    def ended(stories, frame):
        found.extend(
            (s.title, {r.name: r.value for r in next(iter(s.rows.values()))}) for s in stories.open if s.frame is frame
        )
        end(stories, frame)

    monkeypatch.setattr(Stories, "_end_story", ended)
    return found


@pytest.mark.parametrize(
    ("system", "example", "title", "rows"), either([told for told in TOLD if told[1] in DAILY], TOLD)
)
def test_a_fight_tells_its_story(told, system, example, title, rows):
    run_examples([system], example)
    stories = [one for one in told if one[0] == title]
    assert stories, told
    assert rows.items() <= stories[0][1].items()


def test_a_raid_of_partisans_is_told_to_their_own_side_alone(monkeypatch):
    """The place of a band is hidden, and its raid is its side's secret."""
    told = []
    end = Stories._end_story

    def ended(stories, frame):
        before = len(stories.world.journal.events)
        end(stories, frame)
        told.extend((event.text, event.to) for event in stories.world.journal.events[before:])

    monkeypatch.setattr(Stories, "_end_story", ended)
    run_examples(["ww2"], "Results of a raid")
    assert {to for text, to in told if text.startswith("b strikes")} == {"umpire", "red"}


def test_the_reasons_of_a_shot_are_words(monkeypatch):
    """Infantry: the card says what each number is for, not how the rules compute it."""
    reasons = []
    found = Stories._reasons

    def gathered(stories, *given):
        reasons.extend(told := found(stories, *given))
        return told

    monkeypatch.setattr(Stories, "_reasons", gathered)
    run_examples(["infantry"], "A kick")
    run_examples(["infantry"], "fire")
    assert {"gunnery and movement of the firer", "range", "what lies between"} <= {one.text for one in reasons}
    assert not [one.text for one in reasons if " of v" in one.text or one.text.startswith(("start with", "plus "))]
