"""A secret order that asks its side something: nobody else learns of the question, and other sides continue in the same window.

A side that knows nothing of the order sees a game without it, and its inputs are carried out before it (docs/semantics.md).
"""

import re

import pytest
from hypothesis import given as given_
from hypothesis import settings
from hypothesis import strategies as st

from campaigns.play.deadline import close
from campaigns.play.machine_sides import MachineSides
from campaigns.play.starting import create_campaign, open_campaign
from interpreter.messages.inputs import Input, Refused
from tests.interpreter.rulebook import KIT, game_of
from tests.long import either
from ui.cli.playing import changes_of
from ui.main import main

SPIES = """\
unit spy:
  aim   number, starts 0
  pal   spy, optional
  rank  number, starts 1
  hidden from enemy: aim, pal
unit mole:
  depth number, starts 0
  hidden from enemy: place, depth
order brief of s (a spy):
  given by side of s
  refused when rank of s is 0 because "it has no rank"
  refused when there is no own spies except s because "it is alone"
  side of s chooses secretly pal-of: one of own spies except s
  side of s chooses secretly goal: a number up to 5
  pal of s becomes pal-of
  aim of s becomes goal
order step of s (a spy) to goal (a hex):
  given by side of s
  move s to goal
order shame of s (a spy) against v (a spy):
  given by side of s
  rank of v becomes 0
order catch of s (a spy) against v (a spy):
  given by side of s
  remove v
order hail of s (a spy) against v (a spy):
  given by side of s
  side of v chooses reply: a number up to 3
  rank of s becomes reply
order dig of m (a mole):
  given by side of m
  side of m rolls 1d6 as luck
  side of m chooses secretly down: a number up to luck
  depth of m becomes down
order gamble of s (a spy):
  given by side of s
  side of s rolls 1d6 as stake
  rank of s becomes stake
sequence game-turn:
  phase all:
    sides may brief, step, shame, catch, hail, dig, gamble together
scenario spies "Spies" on field:
  side blue "The Blues"
  side red "The Reds"
  forces blue of spy:
    name | in
    b-1  | 0202
    b-2  | 0303
    b-3  | 0304
  forces red of spy:
    name | in
    r-1  | 0601
    r-2  | 0602
    r-3  | 0603
  forces red of mole:
    name | in
    r-m  | 0505
"""
THREE = """\
scenario three "Three" on field:
  side blue "The Blues"
  side red "The Reds"
  side grey "The Greys"
  forces blue of spy:
    name | in
    b-1  | 0202
    b-2  | 0203
  forces red of spy:
    name | in
    r-1  | 0601
    r-2  | 0602
  forces grey of spy:
    name | in
    g-1  | 0303
    g-2  | 0304
"""


def spies(seed=3, rules=SPIES, scenario="spies", **settings):
    return game_of(rules, scenario=scenario, seed=seed, **{"dice": "seeded", "snapshots": True, **settings})


def give(game, side, text):
    """Gives a command, or an answer: `pal-of = r-2`."""
    question, sign, said = text.partition(" = ")
    return game.offer(Input("answer", side, said, question) if sign else Input("do", side, text))


def given(*inputs, game=None):
    game = game or spies()
    for side, text in inputs:
        give(game, side, text)
    return game


def asked(game, side):
    return [(a.kind, a.side, a.name) for a in game.view(side).awaiting]


def told(events, side):
    return [e.text for e in events if e.to in {"all", side}]


def looks(game, side, *, last=True):
    """What a side can read of a game. last: also what the last input changed; the log asks that of inputs that it knows."""
    out = [game.view(side), game.legal(side), game.why_not(side, "done"), game.explain_changes(side) if last else []]
    for call in (
        lambda: game.explain("aim of b-1", side),
        lambda: game.explain("pal-of", side),
        lambda: game.why_not(side, "step b-9 to 0101"),
        lambda: game.why_not(side, "step r-1 to 0101"),
        lambda: game.taking_back(side),
    ):
        try:
            out.append(call())
        except Refused as refused:
            out.append(refused.refusal)
    return out


BRIEF = ("red", "brief r-1")
PAL = ("red", "pal-of = r-2")
GOAL = ("red", "goal = 4")
STEP = ("blue", "step b-1 to 0203")


def test_the_other_side_reads_what_it_would_read_had_no_order_been_given():
    for before in ([], [STEP]):
        for open_ in ([BRIEF], [BRIEF, PAL]):
            assert looks(given(*before, *open_), "blue") == looks(given(*before), "blue")
    game = given(BRIEF)
    assert asked(game, "red") == [("question", "red", "pal-of")]
    assert asked(game, "blue") == [("orders", "blue", "all"), ("orders", "red", "all")]
    assert asked(game, "umpire") == [("question", "red", "pal-of"), ("orders", "blue", "all")]


def test_what_it_gives_meanwhile_is_taken_and_told_as_if_no_order_had_been_given():
    game, plain = given(BRIEF, PAL), spies()
    for text in ("step b-1 to 0203", "brief b-2", "pal-of = b-3", "goal = 2", "gamble b-1"):
        events = give(game, "blue", text)
        assert told(events, "blue") == told(give(plain, "blue", text), "blue")
        assert told(events, "red") == [e.text for e in events if e.to == "all"]  # red's order is not told anew
        assert looks(game, "blue") == looks(plain, "blue")
    assert asked(game, "red") == [("question", "red", "goal")]


def test_the_order_is_done_as_a_whole_when_the_last_answer_is_in():
    game = given(BRIEF, STEP, PAL, ("blue", "step b-2 to 0204"))
    assert (game.world.by_id["r-1"].f_pal, game.world.by_id["r-1"].f_aim) == (None, 0)
    assert told(give(game, *GOAL), "red") == [
        "red chooses goal: 4.", "pal of r-1 becomes r-2 (was none).", "aim of r-1 becomes 4 (was 0).",
    ]  # fmt: skip
    after = given(STEP, ("blue", "step b-2 to 0204"), BRIEF, PAL, GOAL)
    assert game.digest() == after.digest()
    assert game.inputs_of_turn == after.inputs_of_turn
    assert game.explain("aim of r-1", "red") == after.explain("aim of r-1", "red")


def test_what_the_other_side_is_refused_changes_nothing():
    game, plain = given(BRIEF, PAL), spies()
    before = game.digest()
    for side, text in (
        ("blue", "step r-1 to 0203"),
        ("blue", "pal-of = b-2"),
        ("blue", "goal = 1"),
        ("blue", "nonsense"),
    ):
        refusals = []
        for one in (game, plain):
            with pytest.raises(Refused) as found:
                give(one, side, text)
            refusals.append((found.value.message, found.value.hint, found.value.cites))
        assert refusals[0] == refusals[1]
        assert game.digest() == before
    assert asked(game, "red") == [("question", "red", "goal")]


def test_both_sides_think_about_orders_of_their_own():
    game = given(BRIEF, ("blue", "brief b-1"))
    assert asked(game, "red") == asked(given(BRIEF), "red")
    assert asked(game, "blue") == asked(given(("blue", "brief b-1")), "blue")
    given(PAL, ("blue", "pal-of = b-3"), GOAL, game=game)
    assert asked(game, "blue") == [("question", "blue", "goal")]
    assert asked(game, "red") == [("orders", "blue", "all"), ("orders", "red", "all")]
    give(game, "blue", "goal = 5")
    found = game.world.by_id
    assert (found["r-1"].f_pal.id, found["r-1"].f_aim) == ("r-2", 4)
    assert (found["b-1"].f_pal.id, found["b-1"].f_aim) == ("b-3", 5)


def test_the_other_side_may_be_done_and_the_window_waits_for_the_answer():
    game = given(BRIEF, ("blue", "done"))
    assert asked(game, "umpire") == [("question", "red", "pal-of")]
    assert asked(game, "blue") == asked(given(("blue", "done")), "blue") == [("orders", "red", "all")]
    given(PAL, GOAL, game=game)
    assert asked(game, "umpire") == [("orders", "red", "all")]
    assert told(give(game, "red", "done"), "blue") == ["red is done.", "Turn 2.", "All."]


def test_its_giver_ends_its_window_only_when_it_has_answered():
    with pytest.raises(Refused, match="You cannot give orders now"):
        give(given(BRIEF, STEP), "red", "done")


def test_an_order_that_can_be_given_no_longer_is_dropped_and_its_side_told():
    game = given(BRIEF, PAL)
    events = give(game, "blue", "shame b-1 against r-1")
    assert told(events, "red")[-1] == "`brief r-1` is not done after all: It has no rank."
    assert told(events, "blue") == told(give(spies(), "blue", "shame b-1 against r-1"), "blue")
    assert asked(game, "red") == asked(given(("blue", "shame b-1 against r-1")), "red")
    assert game.digest() == given(("blue", "shame b-1 against r-1")).digest()


def test_an_answer_that_no_longer_fits_is_asked_for_again():
    game = given(("red", "brief r-1"), PAL)
    events = give(game, "blue", "catch b-1 against r-2")
    assert [e.text.partition(": ")[0] for e in events if e.to == "red"] == ["`r-2` no longer answers pal-of"]
    # r-3 alone is left, and a secret question is put all the same
    assert game.view("red").awaiting[0].choices == ("r-3",)


def test_a_public_question_in_between_comes_first_and_the_order_is_then_taken_up_again():
    game = given(BRIEF, PAL, ("blue", "hail b-1 against r-3"))
    assert asked(game, "red") == [("question", "red", "reply")]
    give(game, "red", "reply = 2")
    assert asked(game, "red") == [("question", "red", "goal")]
    give(game, *GOAL)
    assert (game.world.by_id["b-1"].f_rank, game.world.by_id["r-1"].f_aim) == (2, 4)


def test_rolls_that_an_order_has_made_stay_its_own():
    """Red sees its roll before it is asked. An order that blue gives meanwhile rolls another number for blue, and red's stays the same."""
    for seed in range(either(3, 12)):
        game = given(("red", "dig r-m"), game=spies(seed))
        luck = game.view("red").awaiting[0].count - 1
        assert told(game.world.journal.events, "blue") == []
        first, second = spies(seed), spies(seed)
        rolled = [
            e.data["face"]
            for s in ("gamble b-1", "gamble b-2", "gamble b-3")
            for e in give(first, "blue", s)
            if "face" in e.data
        ]
        assert luck == rolled[0]
        found = []
        for text in ("gamble b-1", "gamble b-2"):
            found += [e.data["face"] for e in give(game, "blue", text) if "face" in e.data]
            assert game.view("red").awaiting[0].count - 1 == luck
        assert found == rolled[1:]
        give(game, "red", f"down = {luck}")
        assert game.world.by_id["r-m"].f_depth == luck
        game.replay(list(game.inputs_of_turn))
        assert (game.world.by_id["r-m"].f_depth, game.world.by_id["b-1"].f_rank) == (luck, rolled[1])
        assert told(give(second, "red", "dig r-m"), "blue") == []


def test_a_side_takes_its_order_back_while_it_is_open_and_the_other_its_own():
    game = given(STEP, BRIEF, PAL)
    assert game.taking_back("blue") == given(STEP).taking_back("blue")
    game.offer(game.taking_back("blue"))
    assert looks(game, "blue") == looks_after_taking_back(STEP)
    assert asked(game, "red") == [("question", "red", "goal")]
    game.offer(game.taking_back("red"))
    assert asked(game, "red") == [("question", "red", "pal-of")]
    game.offer(game.taking_back("red"))
    assert asked(game, "red") == [("orders", "blue", "all"), ("orders", "red", "all")]


def looks_after_taking_back(step):
    plain = given(step)
    plain.offer(plain.taking_back("blue"))
    return looks(plain, "blue")


def test_what_the_umpire_rules_meanwhile_holds_for_all_at_once():
    game = given(BRIEF, PAL)
    ruling = Input("override", "umpire", "rank of b-2 = 7", "counted wrong")
    game.offer(ruling)
    assert asked(game, "red") == [("question", "red", "goal")]
    plain = spies()
    plain.offer(ruling)
    assert looks(game, "blue") == looks(plain, "blue")
    give(game, *STEP)
    assert looks(game, "blue") == looks(given(STEP, game=plain), "blue")
    give(game, *GOAL)
    assert (game.world.by_id["b-2"].f_rank, game.world.by_id["r-1"].f_aim) == (7, 4)


def test_of_three_sides_two_know_nothing():
    rules = f"{SPIES}{THREE}"
    game, plain = spies(rules=rules, scenario="three"), spies(rules=rules, scenario="three")
    given(BRIEF, ("grey", "brief g-1"), ("blue", "step b-1 to 0203"), game=game)
    give(plain, "blue", "step b-1 to 0203")
    assert looks(game, "blue") == looks(plain, "blue")
    give(plain, "grey", "brief g-1")
    assert looks(game, "grey") == looks(plain, "grey")
    given(PAL, ("grey", "pal-of = g-2"), ("grey", "goal = 1"), GOAL, game=game)
    assert {x.id: x.f_aim for x in game.world.by_id.values() if x.kind == "spy" and x.f_aim} == {"g-1": 1, "r-1": 4}


def test_a_question_to_another_side_is_put_to_it_alone():
    """Red's order asks grey: grey sees the question, blue continues."""
    asks = SPIES.replace(
        "  side of s chooses secretly pal-of: one of own spies except s\n",
        "  side of v chooses secretly pal-of: one of spies except s\n",
    ).replace("order brief of s (a spy):", "order brief of s (a spy) with v (a spy):")
    rules = f"{asks}{THREE}"
    game, plain = spies(rules=rules, scenario="three"), spies(rules=rules, scenario="three")
    give(game, "red", "brief r-1 with g-1")
    assert asked(game, "grey") == [("question", "grey", "pal-of")]
    assert looks(game, "blue") == looks(plain, "blue")
    give(game, "blue", "step b-1 to 0203")
    give(game, "grey", "pal-of = r-2")
    give(game, *GOAL)
    assert game.world.by_id["r-1"].f_pal.id == "r-2"


BLUE = [
    "step b-1 to 0203", "step b-2 to 0302", "brief b-1", "brief b-2", "shame b-1 against r-1", "shame b-2 against b-1", "catch b-3 against r-2",
    "catch b-3 against r-3", "gamble b-2", "pal-of = b-3", "pal-of = b-2", "goal = 2", "hail b-1 against b-2", "reply = 1", "take back", "nonsense",
]  # fmt: skip
RED = ["brief r-1", "brief r-2", "brief r-3", "pal-of = r-2", "pal-of = r-1", "goal = 0", "goal = 5", "take back"]


def tried(game, side, text):
    """What comes of an input for its side: what it is told, or why it is refused."""
    try:
        events = game.offer(game.taking_back(side)) if text == "take back" else give(game, side, text)
    except Refused as refused:
        return repr(refused.refusal)
    return told(events, side)


@settings(max_examples=either(2, 15), deadline=None)
@given_(
    st.lists(
        st.one_of(st.sampled_from([("blue", x) for x in BLUE]), st.sampled_from([("red", x) for x in RED])), max_size=14
    )
)
def test_whatever_red_does_in_secret_blue_is_told_the_same(inputs):
    game, plain = spies(), spies()
    for side, text in inputs:
        found = tried(game, side, text)
        if side == "blue":
            assert found == tried(plain, side, text)
        assert looks(game, "blue", last=False) == looks(plain, "blue", last=False)
    again = spies()
    again.replay(list(game.inputs_of_turn))
    if not game.aside.held:
        assert again.digest() == game.digest()


@pytest.fixture
def campaign(tmp_path):
    (tmp_path / "spies.rules").write_text(f"{KIT}\n{SPIES}")
    with create_campaign(tmp_path / "c.ophex", str(tmp_path / "spies"), seed=3) as made:
        yield made


def as_input(side, text):
    question, sign, said = text.partition(" = ")
    return Input("answer", side, said, question) if sign else Input("do", side, text)


def test_a_campaign_is_opened_and_verified_in_the_midst_of_it(campaign):
    for one in (BRIEF, STEP, ("blue", "brief b-2"), PAL, ("red", "goal = 2"), ("blue", "done")):
        if one[1] == "done":
            campaign.offer(as_input("blue", "pal-of = b-3"))
            campaign.offer(as_input("blue", "goal = 1"))
        campaign.offer(as_input(*one))
        with open_campaign(campaign.path) as again:
            assert again.game.digest() == campaign.game.digest()
            for side in ("red", "blue", "umpire"):
                assert again.game.view(side) == campaign.game.view(side)
    assert campaign.verify().ok
    campaign.undo(6)
    assert asked(campaign.game, "umpire") == [("question", "red", "pal-of"), ("orders", "blue", "all")]


def test_an_answer_from_another_session_is_taken_whatever_was_done_in_secret_meanwhile(campaign):
    """Red looked at its question before blue gave orders that asked and rolled; its answer is still for the same question."""
    campaign.offer(as_input(*BRIEF))
    with open_campaign(campaign.path) as elsewhere:
        for text in ("brief b-1", "pal-of = b-2", "goal = 1", "gamble b-2"):
            campaign.offer(as_input("blue", text))
        events, tries = elsewhere.give([as_input(*PAL)])
        assert (told(events, "red"), tries) == (["red chooses pal-of: r-2."], 2)


def test_the_log_explains_what_came_between_by_itself(campaign):
    """Red's order is played again after blue's step and roll. Blue's entry reports only blue's change, also to red."""
    for one in (BRIEF, PAL, ("blue", "gamble b-1")):
        campaign.offer(as_input(*one))
    for side in ("blue", "red", "umpire"):
        assert [x.name for x in changes_of(campaign, 3, side)] == ["rank of b-1"]


def test_on_the_command_line_the_other_side_goes_on(campaign, capsys):
    path = str(campaign.path)
    plain = str(campaign.path.with_name("p.ophex"))
    create_campaign(plain, str(campaign.path.parent / "spies"), seed=3).close()

    def said(file, *words):
        code = main([words[0], file, *words[1:], "--as", "blue"])
        found = capsys.readouterr()
        out = re.sub(r"\d{4}-\d\d-\d\dT[\d:+.]+", "WHEN", found.out)  # the two were made one after the other
        return code, out.replace(file, "FILE"), found.err.replace(file, "FILE")

    assert main(["do", path, "brief r-1", "--as", "red"]) == 0
    capsys.readouterr()
    for words in (
        ("status",), ("status", "--json"), ("legal",), ("do", "--dry-run", "step b-1 to 0203", "brief b-2"), ("do", "step b-1 to 0203"), ("answer", "b-2"),
        ("why", "1"), ("why-not", "brief b-1"), ("do", "brief b-1"), ("answer", "pal-of", "b-2"), ("undo",), ("redo",), ("do", "done"), ("do", "goal"),
        ("advance",), ("log", "-n", "1"),
    ):  # fmt: skip
        assert said(path, *words) == said(plain, *words), words
    assert main(["answer", path, "pal-of", "r-2", "--as", "red"]) == 0
    assert main(["verify", path]) == 0


def test_the_deadline_closes_the_other_side_and_then_the_question(campaign):
    campaign.offer(as_input(*BRIEF))
    close(campaign, ["blue"])
    assert asked(campaign.game, "umpire") == [("question", "red", "pal-of")]
    close(campaign, ["red"])
    assert asked(campaign.game, "umpire")[0][1] == "red"


def test_a_machine_plays_on_while_a_person_thinks(campaign):
    campaign.offer(as_input(*BRIEF))
    MachineSides.of(campaign, ["blue"], "random").play(campaign)
    assert {one.input.side for one in campaign.log(campaign.head - 1)} == {"blue"}
    assert {one.side for one in campaign.game.awaiting} == {"red"}
