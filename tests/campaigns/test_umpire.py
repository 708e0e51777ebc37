"""The umpire's inputs in campaign files of shipped systems: recorded, taken back, replayed, and refused without a trace.

With OPHEX_LONG=1 the same kinds of changes are made in more systems, modules are changed after two turns instead of one, and three
times as many courses are drawn.
"""

import contextlib
import random
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from campaigns.file.errors import CampaignError
from campaigns.play.campaign import Campaign
from campaigns.play.deadline import close
from campaigns.play.starting import create_campaign, start
from interpreter.automated.policies import make_policy, step
from interpreter.messages.inputs import Input, Refused
from interpreter.play.state import state_of
from tests.campaigns import skirmishes
from tests.long import LONG, either, in_the_long_form


def override(*changes, reason="counted wrong"):
    return Input("override", "umpire", "\n".join(changes), reason)


def option(*changes, reason="as agreed"):
    return Input("option", "umpire", "\n".join(changes), reason)


def new(folder, scenario, **settings_):
    return create_campaign(folder / "c.ophex", scenario, seed=5, **settings_)


def texts(events, side="umpire"):
    return [e.text for e in events if side == "umpire" or e.to in {"all", side}]


@pytest.mark.parametrize(
    ("scenario", "change", "expression", "value"),
    [
        ("bth/texas-1", "strength of hussar-1 = 4", "strength of hussar-1", "4"),
        ("bth/texas-1", "hussar-1 is in 0101", "place of hussar-1", "0101"),
        ("bth/texas-1", "posture of mib is AA", "posture of mib", "AA"),
        pytest.param("btr/first-sorties", "size of bde-1 = 3", "size of bde-1", "3", marks=in_the_long_form),
        pytest.param("ww2/gorsk-week", "b-10 is in Z-0101", "place of b-10", "Z-0101", marks=in_the_long_form),
        pytest.param(
            "ww2/gorsk-week", "week-order of b-10 is hold", "week-order of b-10", "hold", marks=in_the_long_form
        ),
    ],
)
def test_an_override_is_recorded_replayed_undone_and_told(tmp_path, scenario, change, expression, value):
    with new(tmp_path, scenario) as campaign:
        before = campaign.game.digest()
        campaign.offer(override(change))
        after = campaign.game.digest()
        (line,) = campaign.game.explain(expression).steps
        assert (campaign.game.explain(expression).value, line.because) == (value, "counted wrong")
        assert campaign.undo().number == 0
        assert campaign.game.digest() == before
        assert campaign.redo().number == 1
        assert campaign.verify().ok
    with Campaign.open(tmp_path / "c.ophex", start) as again:
        assert again.game.digest() == after
        assert again.game.explain(expression).steps[0].because == "counted wrong"
        assert again.entry(1).input == override(change)


@pytest.mark.parametrize(
    "given",
    [
        override("strength of nobody-here = 4"),
        override("strength of hussar-1 = 4", reason=""),
        override("strength of hussar-1 = 4", "strength of hussar-2 is HD"),
        Input("override", "mexico", "strength of hussar-1 = 4", "mine"),
        option("odds-rounding=sideways"),
        option("odds-rounding=nearest", reason=" "),
        option("with nothing-such"),
        Input("option", "america", "odds-rounding=nearest", "mine"),
        Input("option", "america", "with supply", "mine"),
        Input("deadline", "umpire", "done", "america"),
        Input("deadline", "mexico", "done", "mexico"),
        override("strength of hussar-1 = 4 \ud800"),
        override("strength of hussar-1 = 4", reason="\ud800 why"),
    ],
)
def test_what_is_refused_leaves_the_file_byte_for_byte(tmp_path, given):
    path = tmp_path / "c.ophex"
    with new(tmp_path, "bth/texas-1") as campaign:
        campaign.offer(override("strength of hussar-3 = 4"))
    before = path.read_bytes()
    with Campaign.open(path, start) as campaign:
        digest = campaign.game.digest()
        with pytest.raises(Refused) as caught:
            campaign.offer(given)
        assert caught.value.message
        assert caught.value.hint
        assert campaign.game.digest() == digest
    assert path.read_bytes() == before


# ---- options and modules
def test_only_the_umpire_changes_an_option_of_a_campaign_that_has_begun(tmp_path):
    """WW2-CAMP-01: a player who changes dig-limit is refused; the umpire's change is accepted and logged."""
    with new(tmp_path, "ww2/gorsk-week") as campaign:
        with pytest.raises(Refused):
            campaign.offer(Input("option", "blue", "dig-limit=5", "deeper"))
        events = campaign.offer(option("dig-limit=5", reason="deep trenches"))
        assert texts(events, "red") == ["The umpire changes the option dig-limit to 5 (was 3): deep trenches."]
        assert campaign.game.explain("dig-limit").value == "5"
        assert campaign.log()[0].input.subject == "deep trenches"
        campaign.undo()
        assert campaign.game.explain("dig-limit").value == "3"


@pytest.mark.parametrize(
    ("gone", "back"),
    [
        (("withdrawal", "helicopters"), ("withdrawal", "helicopters")),
        pytest.param(("withdrawal",), ("withdrawal", "supply"), marks=in_the_long_form),
    ],
)
def test_a_module_comes_with_what_the_scenario_has_only_with_it_and_goes_again(tmp_path, gone, back):
    with new(tmp_path, "btr/first-sorties") as campaign:
        first = campaign.game.digest()
        assert {*gone} <= campaign.game.program.ruleset.active
        campaign.offer(option(*(f"without {name}" for name in gone)))
        assert not {*gone} & campaign.game.program.ruleset.active
        campaign.offer(override("size of bde-1 = 3"))
        campaign.offer(option(*(f"with {name}" for name in back)))
        assert {*back} <= campaign.game.program.ruleset.active
        assert campaign.game.explain("size of bde-1").value == "3"
        campaign.undo(3)
        assert campaign.game.digest() == first
        campaign.redo()
        assert campaign.verify().ok


@pytest.mark.parametrize(
    ("kind", "text"), [("roster", "size of bde-1: 3"), ("override", "size of bde-1 = 3"), ("dice", "typed")]
)
def test_the_umpires_own_rulings_may_come_before_a_change_of_modules(tmp_path, kind, text):
    with new(tmp_path, "btr/first-sorties") as campaign:
        campaign.offer(Input(kind, "umpire", text, "from the camp"))
        ruled = campaign.game.explain("size of bde-1").value
        campaign.offer(option("without withdrawal"))
        assert "withdrawal" not in campaign.game.program.ruleset.active
        assert campaign.game.explain("size of bde-1").value == ruled
        assert campaign.verify().ok


@pytest.mark.parametrize(
    ("scenario", "switch", "module"),
    [
        pytest.param("bth/three-days", "with", "air", marks=in_the_long_form),  # brings flights
        ("bth/texas-1", "with", "fog-of-war"),  # hides what was open
        ("bth/texas-1", "with", "supply"),
        pytest.param("bth/three-days", "with", "fog-of-war", marks=in_the_long_form),
        pytest.param("bth/three-days", "without", "supply", marks=in_the_long_form),
        pytest.param("btr/first-sorties", "without", "helicopters", marks=in_the_long_form),
        pytest.param("ww2/gorsk-week", "with", "commanders-manual", marks=in_the_long_form),
    ],
)
def test_modules_that_change_at_the_beginning_are_as_if_begun_with(tmp_path, scenario, switch, module):
    with new(tmp_path, scenario) as campaign:
        campaign.offer(option(f"{switch} {module}"))
        choice = {"with_": [module]} if switch == "with" else {"without": [module]}
        with create_campaign(tmp_path / "other.ophex", scenario, seed=5, **choice) as other:
            assert state_of(campaign.game.world) == state_of(other.game.world)
            assert campaign.game.awaiting == other.game.awaiting
            assert campaign.game.program.ruleset.active == other.game.program.ruleset.active


def test_modules_change_only_while_a_turn_begins(tmp_path):
    with new(tmp_path, "bth/texas-1") as campaign:
        campaign.offer(Input("do", "mexico", "done"))
        with pytest.raises(Refused) as caught:
            campaign.offer(option("with supply"))
        assert "turn 1 has already begun" in caught.value.message
        assert "before any other input of turn 2" in caught.value.hint
        campaign.undo()
        campaign.offer(Input("roster", "umpire", "posture of guards-hussars: DA", "by hand"))
        campaign.offer(option("with supply"))
        with pytest.raises(Refused) as caught:
            campaign.offer(option("with supply"))
        assert "This changes no module" in caught.value.message
        assert campaign.game.explain("posture of guards-hussars").value == "DA"


def test_a_game_goes_on_under_other_modules_through_turns_and_snapshots(tmp_path):
    path = tmp_path / "c.ophex"
    with new(tmp_path, "bth/texas-1") as campaign:
        campaign._snapshot_every = 1
        campaign.offer(option("with supply"))
        for _ in range(either(1, 2)):
            turn = campaign.game.turn
            while campaign.game.turn == turn and not campaign.game.over:
                close(campaign, ["all"])
        campaign.offer(option("without supply"))
        digest = campaign.game.digest()
        assert campaign.game.snapshot() is not None
        assert campaign.verify().ok
    with Campaign.open(path, start) as campaign:
        assert campaign.game.digest() == digest
        assert "supply" not in campaign.game.program.ruleset.active
        campaign.undo()
        assert "supply" in campaign.game.program.ruleset.active


# ---- the deadline
def test_who_files_nothing_by_the_deadline_keeps_his_standing_orders_and_the_log_says_so(tmp_path):
    """WW2-CAMP-06."""
    with new(tmp_path, "ww2/gorsk-week") as campaign:
        campaign.offer(Input("do", "blue", "done"))
        events = close(campaign, ["red"])
        said = texts(events, "red")
        assert said[0] == "The umpire closes the orders of The Front."
        assert "r-70 has no new order and keeps its old one: hold." in said
        assert not any("r-70" in text for text in texts(events, "blue"))
        assert campaign.log()[0].input == Input("deadline", "umpire", "done", "red")
        assert campaign.game.explain("week-order of r-70").value == "hold"
        assert campaign.verify().ok


def ordered(given):
    return given.text.startswith(("march", "attack"))


def brought_up(given):
    """Whether it answers a question that orders brought up."""
    return given.subject.count(" ") == 1


def test_standing_instructions_give_orders_for_absent_sides(tmp_path):
    """Until there is an order and an answer to its question; in the long form for a turn."""
    with new(tmp_path, "bth/texas-1") as campaign:
        with pytest.raises(CampaignError) as caught:
            close(campaign, ["america"])
        assert caught.value.message == "The game is not waiting for america."
        assert caught.value.hint
        for _ in range(200):
            if campaign.game.turn > 1 or campaign.game.over:
                break
            close(campaign, ["all"], standing=True)
            if not LONG and all(
                any(map(wanted, (e.input for e in campaign.log()))) for wanted in (ordered, brought_up)
            ):
                break
        inputs = [e.input for e in campaign.log()]
        assert {(i.kind, i.side) for i in inputs} == {("deadline", "umpire")}
        assert any(map(ordered, inputs))
        assert any(map(brought_up, inputs))
        assert campaign.verify().ok


def test_a_deadline_makes_up_nothing_that_only_the_table_knows(tmp_path):
    """The same in a small game, whose battle is at the table after two inputs."""
    with skirmishes.campaign_of(tmp_path) as campaign:
        skirmishes.at_the_table(campaign)
        asked = campaign.game.awaiting[0]
        assert (asked.side, asked.name) == ("red", "outcome")
        before, digest = campaign.head, campaign.game.digest()
        with pytest.raises(CampaignError) as caught:
            close(campaign, ["red"], standing=True)
        assert caught.value.message.startswith("Only your table knows this, so it is not chosen for you: outcome of ")
        with pytest.raises(Refused, match="so it is not chosen for you"):
            campaign.offer(Input("deadline", "umpire", "all unhurt", "red outcome"))
        assert (campaign.head, campaign.game.digest()) == (before, digest)
        campaign.offer(Input("answer", "red", "all unhurt", "outcome"))
        assert campaign.head == before + 1


@in_the_long_form
def test_a_deadline_makes_up_nothing_of_a_battle_of_gorsk(tmp_path):
    """WW2-MAJOR-01: the result of a battle that is fought with miniatures is typed in, and comes from nobody else."""
    with new(tmp_path, "ww2/gorsk-week") as campaign:
        while not {"outcome", "fight-at-table"} & {x for a in campaign.game.awaiting for x in (a.name, *a.choices)}:
            assert not campaign.game.over
            close(campaign, ["all"], standing=True)
        window = next(a for a in campaign.game.awaiting if "fight-at-table" in a.choices)
        order = next(c for c in campaign.game.legal(window.side) if c.startswith("fight-at-table"))
        campaign.offer(Input("do", window.side, order))
        for _ in range(200):
            table = [a for a in campaign.game.awaiting if a.name == "outcome"]
            if table:
                break
            if over := [a for a in campaign.game.awaiting if a.name == "is-over"]:  # the table's to say as well
                with pytest.raises(CampaignError, match="not chosen for you: is-over"):
                    close(campaign, ["all"])
                campaign.offer(Input("answer", over[0].side, "yes", "is-over"))
                continue
            close(campaign, ["all"])
        assert table
        before, digest = campaign.head, campaign.game.digest()
        with pytest.raises(CampaignError) as caught:
            close(campaign, [table[0].side], standing=True)
        assert caught.value.message.startswith("Only your table knows this, so it is not chosen for you: outcome of ")
        given = Input("deadline", "umpire", "all unhurt", f"{table[0].side} outcome")
        with pytest.raises(Refused, match="so it is not chosen for you"):
            campaign.offer(given)
        assert (campaign.head, campaign.game.digest()) == (before, digest)
        assert campaign.game.awaiting[0].name == "outcome"
        campaign.offer(Input("answer", table[0].side, "all unhurt", "outcome"))
        assert campaign.head == before + 1


# ---- any course
CHANGES = [
    "strength of hussar-1 = 4", "strength of hussar-1 = 5", "hussar-2 is in 0101", "remove hussar-3", "posture of mib is HD",
    "hover-1 is not on the map", "odd", "strength of hussar-3 = 2",
]  # fmt: skip


class AnyRulings(RuleBasedStateMachine):
    """A real campaign of which the umpire is an active one, against the digests of the entries."""

    @initialize()
    def begin(self):
        self.folder = tempfile.TemporaryDirectory()
        self.campaign = create_campaign(Path(self.folder.name) / "c.ophex", "bth/texas-1", seed=3)
        self.campaign._snapshot_every = 3
        self.digests = {0: self.campaign.game.digest()}
        self.luck = random.Random(1)

    def note(self):
        self.digests[self.campaign.head] = self.campaign.game.digest()

    def offer(self, given):
        before = self.campaign.head, self.campaign.game.digest()
        with contextlib.suppress(Refused):
            self.campaign.offer(given)
            before = None
        assert before in {None, (self.campaign.head, self.campaign.game.digest())}
        self.note()

    @rule(changes=st.lists(st.sampled_from(CHANGES), min_size=1, max_size=2), reason=st.sampled_from(["r", "", "x y"]))
    def override(self, changes, reason):
        self.offer(override(*changes, reason=reason))

    @rule(change=st.sampled_from(["odds-rounding=nearest", "odds-rounding=down", "with supply", "without supply"]))
    def option(self, change):
        self.offer(option(change))

    @rule()
    def deadline(self):
        if not self.campaign.game.over:
            try:
                close(self.campaign, ["all"])
            except CampaignError:
                assert self.campaign.game.awaiting[0].kind == "dice"
            for entry in self.campaign.log():
                self.digests.setdefault(entry.number, entry.digest)

    @rule(times=st.integers(1, 3))
    def play(self, times):
        for _ in range(times):
            if not self.campaign.game.over:
                self.offer(step(self.campaign.game, make_policy("random", self.luck.random()), self.luck))

    @rule(steps=st.integers(1, 4))
    def undo(self, steps):
        try:
            self.campaign.undo(steps)
        except CampaignError:
            return

    @rule()
    def redo(self):
        try:
            self.campaign.redo()
        except CampaignError:
            return

    @rule()
    def reopen(self):
        self.campaign.close()
        self.campaign = Campaign.open(self.campaign.path, start, snapshot_every=3)

    @invariant()
    def the_state_is_that_of_the_entry(self):
        if hasattr(self, "campaign"):
            assert self.campaign.game.digest() == self.digests[self.campaign.head]

    def teardown(self):
        if hasattr(self, "campaign"):
            verdict = self.campaign.verify()
            assert verdict.ok, verdict.problems
            self.campaign.close()
            self.folder.cleanup()


AnyRulings.TestCase.settings = settings(
    max_examples=either(2, 6), stateful_step_count=15, deadline=None, suppress_health_check=list(HealthCheck)
)
TestAnyRulings = AnyRulings.TestCase
