"""Any sequence of steps against a plain model: a list of entries, a head, a tip. The long form tries more of them."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from campaigns.file.errors import CampaignError, RefusedAt, Stale
from interpreter.messages.inputs import Input, Refused
from tests.campaigns.toy import Tally, new, reopen
from tests.long import either

SIDES = st.sampled_from(["red", "blue"])
COMMANDS = st.sampled_from(["add 1", "add 5", "add 9", "lucky", "ask", "throw", "add 0", "fly"])
STEPS = st.one_of(
    st.builds(Input, st.just("do"), SIDES, COMMANDS),
    st.builds(Input, st.just("answer"), SIDES, st.sampled_from(["1", "3", "4"]), st.just("how-many")),
    st.builds(
        Input,
        st.just("override"),
        st.sampled_from(["umpire", "red"]),
        st.sampled_from(["the number = 3", "x"]),
        st.sampled_from(["counted wrong", ""]),
    ),
    st.builds(Input, st.just("roll"), st.just("umpire"), st.sampled_from(["1 1", "6 5", "7 7"])),
)


class Model:
    """What a campaign should be: inputs with their parents, where the head is, where redo leads."""

    def __init__(self):
        self.inputs, self.parents = [None], [None]
        self.head = self.tip = 0

    def path(self, number):
        way = []
        while number is not None:
            way.append(number)
            number = self.parents[number]
        return way

    def newest_beyond(self, number):
        """The last entry whose way to the beginning leads over this one."""
        return max(n for n in range(number, len(self.inputs)) if number in self.path(n))

    def state(self):
        game = Tally(10, 7)
        for number in reversed(self.path(self.head)[:-1]):
            game.offer(self.inputs[number])
        return game

    def add(self, given):
        self.inputs.append(given)
        self.parents.append(self.head)
        self.head = self.tip = len(self.inputs) - 1


class AnyPlay(RuleBasedStateMachine):
    @initialize(every=st.integers(1, 6))
    def begin(self, every):
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "tally.ophex"
        self.every = every
        self.model = Model()
        self.campaign = new(self.path, snapshot_every=every)

    @rule(given=STEPS)
    def offer(self, given):
        try:
            expected = self.model.state().offer(given)
        except Refused:
            with pytest.raises(Refused):
                self.campaign.offer(given)
        else:
            assert self.campaign.preview(given) == list(expected)
            assert self.campaign.offer(given) == list(expected)
            self.model.add(given)

    @rule(several=st.lists(STEPS, max_size=5))
    def offer_several(self, several):
        game = self.model.state()
        for position, given in enumerate(several):
            try:
                game.offer(given)
            except Refused:
                with pytest.raises(RefusedAt) as caught:
                    self.campaign.offer_all(several)
                assert caught.value.position == position
                return
        self.campaign.offer_all(several)
        for given in several:
            self.model.add(given)

    @rule(steps=st.integers(1, 8))
    def undo(self, steps):
        way = self.model.path(self.model.head)
        if steps < len(way):
            assert self.campaign.undo(steps).number == way[steps]
            self.model.head = way[steps]
        else:
            with pytest.raises(CampaignError):
                self.campaign.undo(steps)

    @rule()
    def redo(self):
        if self.model.tip == self.model.head:
            with pytest.raises(CampaignError):
                self.campaign.redo()
        else:
            way = self.model.path(self.model.tip)
            self.model.head = way[way.index(self.model.head) - 1]
            assert self.campaign.redo().number == self.model.head

    @rule(data=st.data())
    def go_to(self, data):
        number = data.draw(st.integers(0, len(self.model.inputs) - 1))
        assert self.campaign.go_to(number).number == number
        self.model.head = number
        if number not in self.model.path(self.model.tip):
            self.model.tip = self.model.newest_beyond(number)

    @rule()
    def drop_snapshots(self):
        self.campaign.drop_snapshots()

    @rule()
    def spoil_snapshots(self):
        self.campaign._store._execute("UPDATE snapshot SET bytes = x'00'")
        assert self.campaign.verify().ok == (self.campaign._store.unsound_snapshots() == [])
        self.campaign.drop_snapshots()

    @rule()
    def reopen(self):
        self.campaign.close()
        assert [p.name for p in self.path.parent.iterdir()] == [self.path.name]
        self.campaign = reopen(self.path, snapshot_every=self.every)

    @rule(given=STEPS)
    def another_session(self, given):
        """Another session gives a step; this one is told when it tries the next, and goes on from there."""
        with reopen(self.path) as other:
            try:
                other.offer(given)
            except Refused:
                return
        self.model.add(given)
        with pytest.raises(Stale):
            self.campaign.offer(self.legal_here())

    def legal_here(self):
        """A step that is legal where this session stands, which is behind."""
        pending = self.campaign.game.pending
        if pending == "dice":
            return Input("roll", "umpire", "1 1")
        return Input("answer", pending, "1", "how-many") if pending else Input("do", "red", "add 1")

    @precondition(lambda self: len(self.model.inputs) > 1)
    @rule()
    def verify(self):
        verdict = self.campaign.verify()
        assert (verdict.ok, verdict.entries) == (True, len(self.model.inputs) - 1), verdict.problems

    @invariant()
    def the_campaign_is_the_model(self):
        if not hasattr(self, "model"):
            return
        state = self.model.state()
        assert self.campaign.game.digest() == state.digest()
        assert self.campaign.head == self.model.head
        path = set(self.model.path(self.model.head))
        log = self.campaign.log()
        assert [(e.number, e.parent, e.input, e.on_path) for e in reversed(log)] == [
            (n, self.model.parents[n], self.model.inputs[n], n in path) for n in range(1, len(self.model.inputs))
        ]

    def teardown(self):
        if hasattr(self, "campaign"):
            assert self.campaign.verify().ok
            self.campaign.close()
            self.folder.cleanup()


AnyPlay.TestCase.settings = settings(
    max_examples=either(14, 200), stateful_step_count=40, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
TestAnyPlay = AnyPlay.TestCase
