"""Parts that move from one whole to another: ships between fleets, sailors between ships. The chart keeps its order.

The rules are those of toy/fleet.rules. Results are compared with lists of names that the test keeps itself.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.machine import resume
from interpreter.messages.inputs import Refused
from tests.interpreter.rulebook import ask, do, names, texts
from tests.interpreter.test_entry_fields import fleet
from tests.long import either


class Charts:
    """Fleets with their ships, and ships with their sailors, in the order of the charts."""

    def __init__(self):
        self.fleets = {"white": ["white-frigate", "white-sloop-1", "white-sloop-2", "white-hulk"]}
        self.crews = {
            "white-frigate": ["white-frigate-hand-1", "white-frigate-hand-2", "white-frigate-cook"],
            "white-sloop-1": ["white-sloop-1-hand"],
            "white-sloop-2": ["white-sloop-2-hand"],
            "white-hulk": [],
        }
        self.hulls = {"white-frigate": 6, "white-sloop-1": 3, "white-sloop-2": 3, "white-hulk": 1}
        self.ever = set(self.fleets)

    def whole(self, chart, name):
        return next(whole for whole, parts in chart.items() if name in parts)

    def step(self, command):
        word, _, rest = command.partition(" ")
        first, _, second = rest.replace(" to ", " with ").partition(" with ")
        if word == "detach":
            old = self.whole(self.fleets, first)
            self.fleets[old].remove(first)
            name = base = f"{first}-squadron"
            number = 1
            while name in self.ever:
                number += 1
                name = f"{base}-{number}"
            self.ever.add(name)
            self.fleets[name] = [first]
        elif word == "merge":
            self.fleets[second] += self.fleets.pop(first)
        elif word == "hire":
            if first not in self.crews[second]:
                self.crews[self.whole(self.crews, first)].remove(first)
                self.crews[second].append(first)
        elif word == "hit":
            self.hulls[first] -= 1


def charts_of(game):
    ours = [f for f in game.world.all_of("fleet") if f.side.id == "ann"]
    ships = [s for f in ours for s in ask(game, f"ships of {f.id}")]
    return (
        {f.id: [s.id for s in ask(game, f"ships of {f.id}")] for f in ours},
        {s.id: [t.id for t in ask(game, f"sailors of {s.id}")] for s in ships},
        {s.id: ask(game, f"hull of {s.id}") for s in ships},
    )


@settings(max_examples=either(10, 40), deadline=None)
@given(st.data())
def test_charts_stay_in_order(data):
    game, charts, given_ = fleet(), Charts(), []
    for _ in range(data.draw(st.integers(1, 12))):
        legal = [c for c in game.legal("ann", 400) if c.split()[0] in {"detach", "merge", "hire", "hit"}]
        legal = [c for c in legal if "black" not in c and "storm" not in c]
        legal = [c for c in legal if c.split()[0] != "hit" or charts.hulls[c.split()[1]] > 0]
        command = data.draw(st.sampled_from(legal))
        do(game, command)
        charts.step(command)
        given_.append(command)
        assert charts_of(game) == (charts.fleets, charts.crews, charts.hulls)
    for name, ships in charts.fleets.items():
        assert [t.id for t in ask(game, f"sailors of {name}")] == [t for s in ships for t in charts.crews[s]]
    assert {ask(game, f"full hull of {s}") for s in ("white-sloop-1", "white-sloop-2")} == {3}
    again = fleet()
    for command in given_:
        do(again, command)
    assert again.digest() == game.digest()
    for one in (game, again):
        do(one, "done")
        do(one, "done")
    later = resume(game.program, game.scenario, game.settings, game.snapshot())
    assert charts_of(later) == charts_of(again)
    assert later.digest() == again.digest()


def test_parts_of_parts_are_read_through_both():
    """`sailors of f` are those of its ships in the order of the ships; `fleet of t` is the fleet of its ship."""
    game = fleet()
    assert [t.id for t in ask(game, "sailors of black")] == ["black-sloop-1-hand", "black-sloop-2-hand", "storm-hand"]
    assert ask(game, "fleet of storm-hand").id == "black"
    assert ask(game, "place of storm-hand").label == "0404"
    do(game, "hire white-frigate-cook to white-hulk")
    assert [t.id for t in ask(game, "sailors of white")][-1] == "white-frigate-cook"
    do(game, "detach white-hulk")
    assert ask(game, "fleet of white-frigate-cook").id == "white-hulk-squadron"
    assert "white-frigate-cook" not in {t.id for t in ask(game, "sailors of white")}


def test_an_empty_whole_goes_without_its_former_parts():
    game = fleet()
    do(game, "detach white-sloop-1")
    told = texts(do(game, "merge white with white-sloop-1-squadron"))
    assert "white in 0101 is removed." in told
    assert not any("sloop-1 in" in t or "hand" in t for t in told)
    assert names(x for x in game.world.all_of("fleet") if x.side.id == "ann") == ["white-sloop-1-squadron"]
    assert [s.id for s in ask(game, "ships of white-sloop-1-squadron")] == [
        "white-sloop-1", "white-frigate", "white-sloop-2", "white-hulk",
    ]  # fmt: skip
    assert all(t.alive for t in ask(game, "sailors of white-sloop-1-squadron"))


def test_what_stands_together_still_does():
    """A ship that leaves is reported as one event; sailors are not reported singly."""
    game = fleet()
    assert texts(do(game, "detach white-frigate")) == [
        "ann: detach white-frigate.",
        "white-frigate-squadron is put into the game in 0101.",
        "white-frigate is now a part of white-frigate-squadron.",
    ]
    with pytest.raises(Refused, match="It would leave nobody"):
        do(game, "detach white-frigate")
