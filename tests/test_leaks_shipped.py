"""The comparison of `ophex leaks` on the shipped systems, in short: random games are played, and in between each side looks.

All kinds of secrets are varied at once. The daily form plays one game, the smallest, of each system that hides something. One side,
from which something is hidden by then, looks at a third of all outputs, so that each output is covered in one of the systems. The
long form (`OPHEX_LONG=1`) plays every such game, and both sides look, also in between, at more in every world, with one
kind of secret varied alone, in random games that run longer. `tests/byhand/try_leaks.py` can fill an evening with it.
"""

import contextlib
import functools
import random
import tempfile
from pathlib import Path

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from campaigns.leaks.compared_worlds import ALL_SECRETS, leaks, looks
from campaigns.leaks.secrets import SECRETS
from campaigns.play.starting import create_campaign
from interpreter.automated.policies import make_policy, step
from interpreter.messages.inputs import Input, Refused
from tests.long import LONG, either
from ui.commands.leaks import printed

SCENARIOS = {
    "bth/duel": (), "bth/kafer-invasion": ("fog-of-war",), "btr/first-sorties": (), "btr/first-battle": (), "ww2/lipki": (),
    "ww2/gorsk-week": (),
}  # fmt: skip
SMALLEST = ("bth/duel", "btr/first-battle", "ww2/lipki")
"""Those that are played every day."""
LOOKS = dict(zip(SCENARIOS, (1, 1, 0, 1, 0, 1), strict=True))
"""Which side looks every day."""
MOST_STEPS = 25


class Played(RuleBasedStateMachine):
    """A game of one scenario: automated sides play on, inputs are taken back, the umpire rules, and sides look."""

    scenario = ""

    @initialize(seed=st.integers(0, 999), steps=st.integers(0, 3 * MOST_STEPS))
    def begin(self, seed, steps):
        self.folder = tempfile.TemporaryDirectory()
        path = Path(self.folder.name) / "c.ophex"
        self.campaign = create_campaign(path, self.scenario, SCENARIOS[self.scenario], seed=seed)
        self.sides = [s.id for s in self.campaign.game.sides]
        self.chance = random.Random(seed)
        self.player = make_policy("mixed", seed)
        self.go_on(steps)

    @rule(steps=st.integers(1, MOST_STEPS))
    def go_on(self, steps):
        for _ in range(steps):
            game = self.campaign.game
            if game.over:
                return
            self.campaign.offer(game.in_own_words(step(game, self.player, self.chance)))

    @rule(number=st.integers(0, 1))
    def take_back(self, number):
        with contextlib.suppress(Refused):
            self.campaign.take_back(self.sides[number])

    @rule(number=st.integers(0, 999), value=st.integers(0, 5))
    def rule_on_something(self, number, value):
        """The umpire sets a number of a thing, hidden or not; what does not fit is refused."""
        world = self.campaign.game.world
        things = [x for x in world.by_id.values() if x.alive and x.kind != "side"]
        thing = things[number % len(things)]
        fields = [f for f in world.ruleset.kinds[thing.kind].fields.values() if f.type.name == "number"]
        if fields:
            text = f"{fields[number % len(fields)].name} of {thing.id} = {value}"
            with contextlib.suppress(Refused):
                self.campaign.offer(Input("override", "umpire", text, "counted wrong"))

    @rule(number=st.integers(0, 1), seed=st.integers(0, 9999))
    def look(self, number, seed):
        kinds = either((ALL_SECRETS,), (ALL_SECRETS, random.Random(seed).choice(list(SECRETS))))
        found = leaks(self.campaign, [self.sides[number]], printed, guesses=either(1, 12), seed=seed, kinds=kinds)
        assert found.differences == []
        assert found.outputs["status"] >= 2 * found.worlds > 0  # twice in each world, and where a guess draws it
        self.varied = found.secrets

    def teardown(self):
        try:
            for number in either((LOOKS[self.scenario],), (0, 1)):
                self.look(number, self.chance.randrange(9999))
        finally:
            self.campaign.close()
            self.folder.cleanup()


def some_looks(scenario, *given):
    """Every third of all looks, beginning with another in each of the scenarios that are played every day; and `status`."""
    for number, look in enumerate(looks(*given)):
        if number % len(SMALLEST) == SMALLEST.index(scenario) or look.kind == "status":
            yield look


@pytest.mark.parametrize("scenario", either(SMALLEST, tuple(SCENARIOS)))
def test_no_side_can_tell_what_it_may_not_know(scenario, monkeypatch):
    game = type("Played", (Played,), {"scenario": scenario})
    if LONG:
        limits = settings(max_examples=1, stateful_step_count=12, deadline=None, phases=[Phase.generate])
        run_state_machine_as_test(game, settings=limits)
        return
    monkeypatch.setattr("campaigns.leaks.compared_worlds.looks", functools.partial(some_looks, scenario))
    played = game()
    played.begin(seed=7, steps=10)
    played.rule_on_something(number=11, value=2)
    played.take_back(number=0)
    played.go_on(steps=4)
    played.teardown()
    assert played.varied["fields"] > 0
