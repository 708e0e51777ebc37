"""Letters with orders at the desk: accepted in full or rejected, replaced until somebody has acted on them, and reported completely.

With OPHEX_LONG=1 three times as many letters of random words are drawn.
"""

import pytest
from attrs import evolve
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from campaigns.desk.letter_senders import Arrived, side_named
from campaigns.desk.packets import note_packets, packet_of
from campaigns.desk.rehearsing import _nearest
from campaigns.file.beside import Beside
from campaigns.play.campaign import Campaign
from campaigns.play.giving_again import give_otherwise
from campaigns.play.starting import start
from interpreter.messages.inputs import Input, Refused
from tests.desk.outposts import OUTPOSTS, arrived, begun, sent, texts
from tests.long import either
from ui.wording.letters import judged_lines, receipt, template
from ui.wording.letters_as_data import as_json

STUBBORN = (
    "    sides may step, gamble, catch together",
    """\
    sides may aim, step together
    refused when any own spies is aimless because "a spy has no aim yet"
status aimless of s (a spy) = aim of s is 0""",
)


def heading(packet):
    """The first line of a template."""
    return f"orders of {packet.side}, packet {packet.number}-{packet.mark}"


@pytest.fixture
def campaign(tmp_path):
    with begun(tmp_path) as made:
        yield made


def fates(intake):
    return [one.fate for one in intake.judged]


def faults(intake, which=0):
    judged = intake.judged[which]
    return [(fault.kind, *judged.tray.commands[fault.position].place_of(fault.message)) for fault in judged.faults]


def test_a_greeting_above_the_template_that_names_a_unit_costs_nothing(campaign):
    [packet] = note_packets(campaign, [packet_of(campaign, "blue")])
    greeting = ("Hi!", "Here are my orders. Please aim b-1 quickly, while b-2 is away!")
    for number, head in enumerate((heading(packet), f"> {heading(packet)}"), 1):
        intake = sent(campaign, arrived("blue", *greeting, "", head, f"aim b-1 to {number}", file=f"blue-{number}.txt"))
        assert fates(intake) == ["taken"]
        assert [line.number for line in intake.judged[0].passed_over] == [1, 2]
    below = sent(campaign, arrived("blue", greeting[1], "aim b-1 to 4", heading(packet), file="blue-3.txt"))
    assert fates(below) == ["refused"]
    said = "\n".join(judged_lines(below.judged[0]))
    assert "line 1, column 1: Here are my orders" in said  # it was column 56, the word `is` of the message


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("Take aim b-1 to 2", "Did you mean take-aim?"),
        ("taek aim b-1 to 2", "Did you mean take-aim?"),
        ("take-aimm b-1 to 2", "Did you mean take-aim?"),
        ("anwser goal with 2", "Did you mean answer?"),
    ],
)
def test_a_slip_in_the_name_of_an_order_is_guessed_alike_in_a_letter_and_in_the_terminal(tmp_path, line, hint):
    with begun(tmp_path, ("aim", "take-aim")) as campaign:
        [fault] = sent(campaign, arrived("blue", line, "done")).judged[0].faults
        assert fault.hint.startswith(f"{hint} If it is not meant as one")
        with pytest.raises(Refused) as refused:
            campaign.offer(Input("do", "blue", line))
        assert refused.value.hint == hint


def test_no_order_of_another_phase_is_guessed(campaign):
    [fault] = sent(campaign, arrived("blue", "Gambel", "aim b-1 to 2")).judged[0].faults
    assert fault.hint == "If it is not meant as one, put `#` in front of it. Orders now: brief, aim."
    with pytest.raises(Refused) as refused:
        campaign.offer(Input("do", "blue", "gambel b-1"))
    assert refused.value.hint == "The orders are: aim, brief."
    sent(campaign, arrived("blue", "done"), arrived("red", "done"))
    [fault] = sent(campaign, arrived("blue", "Gambel b-1", "done", file="b.txt")).judged[0].faults
    assert fault.hint.startswith("Did you mean gamble? ")


def test_a_blank_in_the_name_of_a_thing_is_guessed(campaign):
    """Of several names that are alike, only the one that has a hyphen in place of the blank, or nothing."""
    for said in ("b 2", "B2"):
        with pytest.raises(Refused, match=r"There is no spy .* \(did you mean b-2\?\)"):
            campaign.offer(Input("do", "blue", f"aim {said} to 2"))


def test_a_letter_is_given_and_may_answer_what_its_orders_ask(campaign):
    intake = sent(
        campaign, arrived("blue", "Hi!", "brief b-1", "answer pal-of with b-2", "answer goal with 3", "Done.", "Tom")
    )
    (judged,) = intake.judged
    assert (judged.fate, [line.number for line in judged.passed_over]) == ("taken", [1, 6])
    assert campaign.game.explain("aim of b-1", "blue").value == "3"
    assert texts(campaign)[-1] == ("blue", "do", "Done")
    assert campaign.verify().ok


def test_all_that_is_wrong_is_told_at_once_and_nothing_is_taken(campaign):
    intake = sent(
        campaign,
        arrived("blue", "breif b-1", "aim b-9 to 2", "> done", "aim b-1 to many", "aim b-2 to 0", "aim r-1 to 2", "override x", "aim b-3 to 4", "done"),
    )  # fmt: skip
    assert fates(intake) == ["refused"]
    assert faults(intake) == [
        ("no command", 1, 1),
        ("refused", 2, 5),
        ("refused", 4, 12),
        ("refused", 5, 1),
        ("refused", 6, 1),
        ("not yours", 7, 1),
    ]
    told = intake.judged[0].faults
    assert "did you mean" in told[1].message
    assert told[3].legal[0] == "aim b-2 to 1"
    assert campaign.head == 0
    assert campaign.game.digest() == campaign.state_at(0).digest()


def test_a_question_that_an_order_will_ask_is_known_before_it_is_given(campaign):
    intake = sent(campaign, arrived("blue", "brief b-1", "answer pal-of with b-2", "aim b-2 to 3", "brief b-3", "done"))
    told = [(fault.kind, fault.question, fault.legal) for fault in intake.judged[0].faults]
    assert [(kind, question) for kind, question, _ in told] == [("no answer", "goal"), ("no answer", "pal-of")]
    assert told[0][2][:2] == ("answer goal with 0", "answer goal with 1")
    assert told[1][2] == ("answer pal-of with b-1", "answer pal-of with b-2")


def test_what_is_asked_last_may_be_left_open(campaign):
    intake = sent(campaign, arrived("blue", "aim b-1 to 2", "brief b-2"))
    assert fates(intake) == ["taken"]
    assert not intake.judged[0].faults


def test_an_answer_that_is_wrong_is_told_with_those_that_are_right(campaign):
    intake = sent(campaign, arrived("blue", "brief b-1", "answer pal-of with b-1", "answer goal with 1", "done"))
    (fault,) = intake.judged[0].faults
    assert (fault.position, fault.legal) == (1, ("answer pal-of with b-2", "answer pal-of with b-3"))


POSTED = (
    "  aim of s becomes n\n",
    "  aim of s becomes n\n  each u in own spies except s chooses posted: one of hexes next to u\n",
)


@pytest.mark.parametrize("said", [("answer posted with b-2 0302",), ("aim b-2 to 2",)])
def test_an_answer_that_is_offered_for_several_things_is_whole(tmp_path, said):
    """b-2 and b-3 each get a hex: an answer for one of them alone would be refused again."""
    with begun(tmp_path, POSTED) as campaign:
        (judged,) = sent(campaign, arrived("blue", "aim b-1 to 2", *said)).judged
        offered = judged.faults[0].legal
        assert offered
        assert all(f"    {one}\n" in receipt("blue", [judged], campaign.game.view("blue")) for one in offered)
        campaign.offer(Input("do", "blue", "aim b-1 to 2"))
        awaited = template(packet_of(campaign, "blue"))
        assert offered[0] in awaited
        assert "b-3: 0203, " in awaited
        again = sent(campaign, arrived("blue", offered[0], file="blue-2.txt"))
        assert fates(again) == ["taken"]


def test_what_may_be_wrong_only_because_of_an_earlier_fault_says_so(campaign):
    intake = sent(campaign, arrived("blue", "aim b-1 to x", "aim b-1 to 0"))
    assert [fault.after for fault in intake.judged[0].faults] == [(), (0,)]


def test_what_waits_for_others_is_given_when_its_turn_comes(campaign):
    intake = sent(campaign, arrived("blue", "done", "step b-1 to 0201", "step b-2 to b-1"))
    assert fates(intake) == ["refused"]  # that `b-1` is no hex is seen though it is not tried yet
    intake = sent(campaign, arrived("blue", "done", "step b-1 to 0201", "done", file="blue-2.txt"))
    assert fates(intake) == ["waiting"]
    assert texts(campaign) == [("blue", "do", "done")]
    sent(campaign, arrived("red", "done"))
    assert texts(campaign)[1:] == [("red", "do", "done"), ("blue", "do", "step b-1 to 0201"), ("blue", "do", "done")]
    assert campaign.letters()[1].told["fate"] == "taken"


def test_two_letters_go_together_as_the_game_waits_for_them(campaign):
    sent(campaign, arrived("blue", "aim b-1 to 2", "done", "done"), arrived("red", "done", "step r-1 to 0602", "done"))
    assert campaign.game.turn == 2
    assert campaign.game.explain("place of r-1").value == "0602"


# ---- replacing
def test_a_later_letter_replaces_what_nobody_has_acted_on(campaign):
    sent(campaign, arrived("blue", "aim b-1 to 2", "brief b-2", "answer pal-of with b-1", "answer goal with 5", "done"))
    campaign.offer(Input("do", "red", "aim r-1 to 4"))
    intake = sent(campaign, arrived("blue", "aim b-1 to 3", file="blue-2.txt"))
    (judged,) = intake.judged
    assert (judged.fate, judged.replaces) == ("taken", "blue.txt")
    values = [campaign.game.explain(f"aim of {name}").value for name in ("b-1", "b-2", "r-1")]
    assert values == ["3", "0", "4"]  # red's order stays
    assert [one.told["fate"] for one in campaign.letters()] == ["replaced", "taken"]
    kinds = [kind for _, kind, _ in texts(campaign)]
    assert kinds == ["do", "do", "answer", "answer", "do", "do", "undo", "undo", "undo", "do"]
    assert campaign.verify().ok


def test_red_hears_nothing_of_a_letter_that_is_replaced(campaign):
    sent(campaign, arrived("blue", "aim b-1 to 2"))
    before = campaign.game.view("red")
    intake = sent(campaign, arrived("blue", "aim b-1 to 3", file="blue-2.txt"))
    assert [event.text for event in intake.events if event.to in {"all", "red"}] == []
    assert campaign.game.view("red") == before


def test_a_worse_letter_replaces_nothing(campaign):
    sent(campaign, arrived("blue", "aim b-1 to 2"))
    head = campaign.head
    intake = sent(campaign, arrived("blue", "aim b-1 to 3", "aim b-7 to 2", file="blue-2.txt"))
    assert (fates(intake), campaign.head) == (["refused"], head)
    assert [one.told["fate"] for one in campaign.letters()] == ["taken", "refused"]


def test_what_was_acted_on_stands_and_the_rest_is_replaced(campaign):
    sent(campaign, arrived("blue", "aim b-1 to 2", "done", "step b-1 to 0201", "done"), arrived("red", "done"))
    assert texts(campaign)[-1] == ("blue", "do", "done")
    intake = sent(campaign, arrived("blue", "aim b-1 to 2", "done", "step b-1 to 0102", "done", file="blue-2.txt"))
    (judged,) = intake.judged
    assert (judged.fate, judged.tray.stands, judged.replaces) == ("taken", 2, "blue.txt")
    assert campaign.game.explain("place of b-1").value == "0102"
    intake = sent(campaign, arrived("blue", "aim b-1 to 4", "done", file="blue-3.txt"))
    assert fates(intake) == ["refused"]  # too late: the plans were acted on


def test_what_dice_were_thrown_for_is_not_replaced(campaign):
    sent(campaign, arrived("blue", "done", "gamble b-1"), arrived("red", "done"))
    rank = campaign.game.explain("rank of b-1").value
    intake = sent(campaign, arrived("blue", "done", "step b-1 to 0201", file="blue-2.txt"))
    assert (fates(intake), faults(intake)) == (["refused"], [("too late", 2, 1)])
    assert campaign.game.explain("rank of b-1").value == rank
    intake = sent(campaign, arrived("blue", "done", "gamble b-1", "step b-1 to 0201", file="blue-3.txt"))
    assert (fates(intake), intake.judged[0].tray.stands) == (["taken"], 2)
    assert campaign.game.explain("place of b-1").value == "0201"


def test_the_same_letter_again_changes_nothing(campaign):
    letter = arrived("blue", "aim b-1 to 2", "done")
    sent(campaign, letter)
    head = campaign.head
    assert fates(sent(campaign, letter)) == ["known"]
    assert fates(sent(campaign, arrived("blue", "> Aim B-1 to 2.", "> Done", file="blue-2.txt"))) == ["same"]
    assert campaign.head == head


def test_done_for_the_next_window_is_told_where_the_rules_refuse_it(tmp_path):
    """It says the same as the letter before, and still is not a duplicate of it."""
    with begun(tmp_path, more=STUBBORN) as campaign:
        packet = note_packets(campaign, [packet_of(campaign, "blue")])[0]
        assert not packet.shut
        sent(campaign, arrived("blue", "done"), arrived("red", "done"))
        packet = note_packets(campaign, [packet_of(campaign, "blue")])[0]
        assert [(one.message, one.hint) for one in packet.shut] == [
            ("Moves cannot end yet: a spy has no aim yet.", "It concerns b-1, b-2, b-3.")
        ]
        text = template(packet)
        assert "Before `done`: Moves cannot end yet: a spy has no aim yet." in " ".join(text.replace("#", "").split())
        assert "#   done" not in text.partition("You have given")[0].splitlines()
        for letter in (
            arrived("blue", "done", file="blue-2.txt"),
            arrived("blue", heading(packet), "done", file="blue-3.txt"),
        ):
            intake = sent(campaign, letter)
            assert fates(intake) == ["refused"]
            assert intake.judged[0].faults[0].hint == "It concerns b-1, b-2, b-3."
        many = [f"aim b-{n} to {n}" for n in (1, 2, 3)]
        assert fates(sent(campaign, arrived("blue", *many, "done", file="blue-4.txt"))) == ["taken"]
        assert fates(sent(campaign, arrived("blue", *many, "done", file="blue-5.txt"))) == ["same"]


def test_an_order_for_a_later_round_of_the_same_orders_is_shown_the_way_there(tmp_path):
    """As one for a later phase is."""
    plans, rounds = (
        "    sides may brief, aim together\n",
        "    for each w in (early, late):\n      sides may aim together\n",
    )
    with begun(tmp_path, (OUTPOSTS, f"enum watch: early, late\n{OUTPOSTS.replace(plans, rounds)}")) as campaign:
        (fault,) = sent(campaign, arrived("blue", "aim b-1 to 0")).judged[0].faults
        assert fault.hint == "If it is meant for a later round of orders, end this one with `done` on a line above it."


def test_after_the_umpire_went_back_the_same_file_is_read_again(campaign):
    letter = arrived("blue", "aim b-1 to 2")
    sent(campaign, letter)
    campaign.undo()
    assert fates(sent(campaign, letter)) == ["taken"]
    assert campaign.game.explain("aim of b-1").value == "2"


def test_a_letter_is_not_said_to_replace_one_that_the_umpire_had_taken_back(campaign):
    sent(campaign, arrived("blue", "aim b-1 to 2"))
    campaign.undo()
    (judged,) = sent(campaign, arrived("blue", "aim b-1 to 3", file="blue-2.txt")).judged
    assert (judged.fate, judged.replaces) == ("taken", "")
    assert fates(sent(campaign, arrived("blue", "aim b-1 to 2"))) == ["known"]


def ruled_and_played(campaign):
    """Two rulings, then letters that end the window; the letters."""
    for rank in (2, 3):
        campaign.offer(Input("override", "umpire", f"rank of b-3 = {rank}", "a ruling"))
    letters = [arrived("blue", "aim b-1 to 2", "done"), arrived("red", "done")]
    assert fates(sent(campaign, *letters)) == ["taken", "taken"]
    return letters


def test_a_letter_that_was_given_again_without_a_ruling_is_known(campaign):
    """Its `done` ended the next window: the letter was read anew, since its entries have other numbers now."""
    letters = ruled_and_played(campaign)
    phase = campaign.game.phase
    for _ in range(2):
        first, *_ = campaign.between(0, campaign.head)
        again = give_otherwise(campaign, 0, first)
        assert (again.left, campaign.game.phase) == ((), phase)
        assert fates(sent(campaign, *letters)) == ["known", "known"]


def test_a_letter_that_was_given_again_may_still_be_corrected(campaign):
    campaign.offer(Input("override", "umpire", "rank of b-3 = 2", "a ruling"))
    sent(campaign, arrived("blue", "aim b-1 to 2"))
    give_otherwise(campaign, 0, 1)
    intake = sent(campaign, arrived("blue", "aim b-1 to 3", file="blue-2.txt"))
    assert [one.replaces for one in intake.judged] == ["blue.txt"]
    assert [kind for _, kind, _ in texts(campaign)] == ["do", "undo", "do"]


def test_what_a_stranger_wrote_of_entries_given_again_does_no_harm(campaign):
    letter = arrived("blue", "aim b-1 to 2")
    sent(campaign, letter)
    kept = campaign.letters()[0]
    for rows in (7, [[1]], [["a", "b"], [1, None]], [[1, 1]], [[2, 1], [1, 2]], [[1, 10**30]]):
        campaign.keep(Beside(letters=[evolve(kept, told={**kept.told, "again": rows})]))
        assert fates(sent(campaign, letter)) == ["known"]


def test_what_the_side_gave_itself_since_is_not_taken_back_by_a_letter(campaign):
    sent(campaign, arrived("blue", "aim b-1 to 2"))
    campaign.offer(Input("do", "blue", "aim b-2 to 5"))
    sent(campaign, arrived("blue", "aim b-1 to 3", file="blue-2.txt"))
    assert [campaign.game.explain(f"aim of {name}").value for name in ("b-1", "b-2")] == ["3", "5"]
    assert "undo" not in [kind for _, kind, _ in texts(campaign)]


def test_the_letter_for_the_next_phase_is_no_correction_of_the_one_before(campaign):
    sent(campaign, arrived("blue", "aim b-1 to 2", "done"), arrived("red", "done"))
    intake = sent(
        campaign, arrived("red", "step r-1 to 0501", file="red-2.txt"), arrived("blue", "done", file="blue-2.txt")
    )
    assert fates(intake) == ["taken", "taken"]
    assert [one.replaces for one in intake.judged] == ["", ""]
    assert "undo" not in [kind for _, kind, _ in texts(campaign)]
    intake = sent(campaign, arrived("red", "done", file="red-3.txt"))
    assert fates(intake) == ["taken"]
    assert intake.judged[0].replaces == "red-2.txt"  # it comes in the same phase, and no longer moves


def test_a_correction_of_the_phase_before_is_known_as_one(campaign):
    """Both were done with their plans, and nobody has moved. Red, who was last, can still take back its plan; blue's is final."""
    sent(campaign, arrived("blue", "aim b-1 to 2", "done"), arrived("red", "aim r-1 to 2", "done"))
    intake = sent(campaign, arrived("blue", "aim b-1 to 5", "done", file="blue-2.txt"))
    assert (fates(intake), intake.judged[0].replaces) == (["refused"], "")
    intake = sent(campaign, arrived("red", "aim r-1 to 5", "done", file="red-2.txt"))
    assert (fates(intake), intake.judged[0].replaces) == (["taken"], "red.txt")
    assert campaign.game.explain("aim of r-1").value == "5"


IN_TURN = (
    "    sides may step, gamble, catch together",
    "    for each s in sides, as active: active may step, gamble, catch",
)


def test_orders_for_the_phase_in_which_others_move_first_are_no_correction_of_the_plans(tmp_path):
    """Blue moves first, and has not; red's letter with moves was refused, because with its `done` taken back it could not move."""
    with begun(tmp_path, IN_TURN) as campaign:
        sent(campaign, arrived("blue", "done"), arrived("red", "aim r-1 to 2", "done"))
        (judged,) = sent(campaign, arrived("red", "step r-1 to 0501", "done", file="red-2.txt")).judged
        assert (judged.fate, judged.replaces, judged.corrects) == ("waiting", "", "")
        sent(campaign, arrived("blue", "done", file="blue-2.txt"))
        assert texts(campaign)[-2:] == [("red", "do", "step r-1 to 0501"), ("red", "do", "done")]
        assert campaign.game.explain("aim of r-1").value == "2"


def test_a_letter_for_a_phase_of_others_is_read_alike_whether_or_not_they_choose_secretly(tmp_path):
    may_brief = (IN_TURN[0], IN_TURN[1].replace("may step", "may brief, step"))
    for of_blue in ([], ["brief b-1"]):
        (tmp_path / f"{len(of_blue)}").mkdir()
        with begun(tmp_path / f"{len(of_blue)}", may_brief) as campaign:
            sent(campaign, arrived("blue", "done", *of_blue), arrived("red", "aim r-1 to 2", "done"))
            (judged,) = sent(campaign, arrived("red", "step r-1 to 0501", "done", file="red-2.txt")).judged
            assert (judged.fate, judged.corrects) == ("waiting", ""), of_blue


def test_a_refused_letter_says_as_whose_correction_it_was_read(tmp_path):
    with begun(tmp_path, IN_TURN) as campaign:
        sent(campaign, arrived("blue", "done"), arrived("red", "aim r-1 to 2", "done"))
        for lines in (["aim r-1 to"], ["aim r-2 to 3", "step r-1 to 0501"]):
            (judged,) = sent(campaign, arrived("red", *lines, file="red-2.txt")).judged
            told = "red-2.txt: refused; none of it was accepted. It was read as a correction of red.txt."
            assert next(judged_lines(judged)) == told


def test_the_packet_that_a_letter_answers_tells_further_orders_from_corrections(campaign):
    heads = []
    for _ in range(2):
        (packet,) = note_packets(campaign, [packet_of(campaign, "blue")])
        heads.append(f"orders of blue, packet {packet.number}-{packet.mark}")
    sent(campaign, arrived("blue", heads[0], "aim b-1 to 2"))
    intake = sent(campaign, arrived("blue", heads[1], "aim b-2 to 3", file="blue-2.txt"))
    assert (fates(intake), intake.judged[0].replaces) == (["taken"], "")
    assert [campaign.game.explain(f"aim of {name}").value for name in ("b-1", "b-2")] == ["2", "3"]


def test_a_letter_that_answers_a_newer_packet_is_no_correction_of_one_without_a_first_line(campaign):
    """The first letter stopped after what can no longer be taken back: the `done` of the next was refused as a correction of it."""
    note_packets(campaign, [packet_of(campaign, "blue")])
    first = arrived("blue", "done", "gamble b-2", "step b-1 to 0601", "done")
    assert fates(sent(campaign, first, arrived("red", "done"))) == ["stopped", "taken"]
    (packet,) = note_packets(campaign, [packet_of(campaign, "blue")])
    head = f"orders of blue, packet {packet.number}-{packet.mark}"
    (judged,) = sent(campaign, arrived("blue", head, "done", file="blue-2.txt")).judged
    assert (judged.fate, judged.replaces, texts(campaign)[-1]) == ("taken", "", ("blue", "do", "done"))


# ---- dice and what is hidden
def test_no_die_can_be_seen_before_by_sending_a_wrong_letter(campaign, tmp_path):
    """The reason why a letter is refused is the same for all outcomes of the dice."""
    (tmp_path / "other").mkdir()
    told = []
    with begun(tmp_path / "other", seed=5) as other:
        for one in (campaign, other):
            sent(one, arrived("blue", "done"), arrived("red", "done"))
            intake = sent(one, arrived("blue", "gamble b-1", "aim b-9 to 2", "brief b-1"))
            told.append((intake.judged[0].faults, one.head))
    assert told[0] == told[1]
    assert [fault.kind for fault in told[0][0]] == ["not understood"]


def test_what_is_refused_only_when_its_turn_comes_leaves_what_was_given(campaign):
    sent(campaign, arrived("blue", "done", "gamble b-2", "step b-1 to 0201", "done"))
    intake = sent(campaign, arrived("red", "done", "catch r-2 against b-1"))
    assert [(one.side, one.fate) for one in intake.judged] == [("blue", "stopped"), ("red", "taken")]
    assert faults(intake) == [("refused", 3, 6)]
    kept = campaign.letters()[0]
    assert (kept.told["fate"], kept.told["next"], kept.told["why"]["position"]) == ("stopped", 2, 2)
    assert "b-1 is no longer in the game" in kept.told["why"]["message"].lower()
    assert texts(campaign)[-1] == ("blue", "do", "gamble b-2")
    assert campaign.verify().ok


def test_a_letter_cannot_tell_a_hidden_thing_from_one_that_is_not_there(campaign):
    one = sent(campaign, arrived("blue", "aim r-m to 2"), dry_run=True)
    other = sent(campaign, arrived("blue", "aim r-x to 2"), dry_run=True)
    texts_ = [[fault.message.replace("r-x", "r-m") for fault in found.judged[0].faults] for found in (one, other)]
    assert texts_[0] == texts_[1] != []


def test_the_legal_commands_offered_are_those_most_like_the_refused_one():
    legal = ["step b-1 to 0201", "step b-1 to 0302", "step b-1 to 1203", "step b-2 to 1204"]
    assert _nearest("step b-1 to 1204", legal) == ["step b-1 to 1203", "step b-1 to 0201", "step b-1 to 0302"]


def test_a_window_in_which_only_done_could_be_said_awaits_nothing(campaign):
    sent(campaign, arrived("blue", "done"), arrived("red", "done"))
    campaign.offer(Input("override", "umpire", "remove r-1\nremove r-2", "by hand"))
    assert "#   nothing now" in template(packet_of(campaign, "red"))
    assert "For example:" not in template(packet_of(campaign, "red"))
    assert receipt("red", [], campaign.game.view("red")).endswith("Still awaited from you:\n  nothing now\n")
    assert "For example:" in template(packet_of(campaign, "blue"))


# ---- whose it is
@pytest.mark.parametrize(
    ("name", "side"),
    [
        ("red.txt", "red"),
        ("Red-2.txt", "red"),
        ("red 3.eml", "red"),
        ("the reds-1.txt", "red"),
        ("redder.txt", ""),
        ("x.txt", ""),
    ],
)
def test_whose_a_letter_is_says_the_name_of_its_file(name, side):
    assert side_named(name, {"red": "red", "the reds": "red", "blue": "blue"}) == side


def test_the_mark_of_a_packet_proves_whose_a_letter_is(campaign):
    (packet,) = note_packets(campaign, [packet_of(campaign, "blue")])
    assert packet_of(campaign, "blue").number == 2
    head = f"orders of blue, packet 1-{packet.mark}"
    assert fates(sent(campaign, Arrived("x.txt", f"> {head}\ndone".encode()))) == ["taken"]
    for wrong in (
        head.replace("blue", "red"),
        "orders of blue, packet 1-00000000",
        "orders of blue, packet 1",
        "orders of grey, packet 1",
        "",
    ):
        assert fates(sent(campaign, Arrived("x.txt", f"{wrong}\naim b-1 to 2".encode()))) == ["unreadable"]
    assert fates(sent(campaign, arrived("red", head, "done"))) == ["unreadable"]


def test_who_is_named_by_a_file_that_is_no_text_is_told_of_it(campaign):
    (judged,) = sent(campaign, Arrived("blue.txt", b"done \xff", "blue")).judged
    assert (judged.side, judged.fate) == ("blue", "unreadable")
    assert "blue.txt:1:6" in receipt("blue", [judged], campaign.game.view("blue"))


# ---- the file
def test_what_is_kept_is_read_again_by_another_session(campaign):
    sent(campaign, arrived("blue", "done", "step b-1 to 0201"))
    with Campaign.open(campaign.path, start) as other:
        sent(other, arrived("red", "done"))
        assert texts(other)[-1] == ("blue", "do", "step b-1 to 0201")
        assert other.verify().ok


def test_a_dry_run_changes_nothing(campaign):
    before = campaign.path.read_bytes()
    intake = sent(campaign, arrived("blue", "aim b-1 to 2", "aim b-2 to x"), arrived("red", "done"), dry_run=True)
    assert fates(intake) == ["refused", "waiting"]
    assert (campaign.head, campaign.letters(), campaign.path.read_bytes()) == (0, [], before)


WORDS = st.sampled_from(["aim", "b-1", "to", "3", "brief", "done", "answer", "pal-of", "with", "b-2", "all", "step", "0201", ",", "\n", "\n",
                         "gamble", "catch", "against", "r-1", "roll", "repeat", "override", "> ", "\x00", "\ud7ff", '"', "x" * 500])  # fmt: skip


@settings(max_examples=either(8, 25), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.sampled_from(["red", "blue"]), st.lists(WORDS, max_size=30)), max_size=4))
def test_whatever_letters_come_the_record_stays_whole(tmp_path_factory, letters):
    with begun(tmp_path_factory.mktemp("c")) as campaign:
        for number, (side, words) in enumerate(letters):
            before = campaign.head
            intake = sent(campaign, Arrived(f"{number}.txt", " ".join(words).encode(), side))
            if intake.judged[0].fate in {"refused", "empty", "unreadable", "same", "known"}:
                assert not campaign.letters() or campaign.head >= before
        assert campaign.verify().ok


def test_orders_that_waited_and_are_no_longer_given_are_told(campaign):
    """Blue sends its moves ahead; its next letter comes when others have acted, and says nothing of one of them."""
    letter = ("orders of blue, packet 1", "aim b-1 to 3", "done", "step b-1 to 0201", "step b-2 to 0302", "done")
    assert fates(sent(campaign, arrived("blue", *letter))) == ["waiting"]
    campaign.offer(Input("do", "red", "done"))
    later = ("orders of blue, packet 2", "step b-2 to 0302")
    (judged,) = sent(campaign, arrived("blue", *later, file="blue-2.txt")).judged
    assert (judged.replaces, judged.dropped) == ("", ("step b-1 to 0201",))
    told = "\n".join(judged_lines(judged))
    assert "  step b-1 to 0201 [waited since an earlier letter; no longer given." in told


def test_a_question_that_an_answer_leads_to_is_told_as_one_more(campaign):
    (judged,) = sent(campaign, arrived("blue", "brief b-1", "answer pal-of with b-2", "aim b-2 to 3")).judged
    assert "After this it needs one more `answer goal with ...`: " in "\n".join(judged_lines(judged))


def test_a_letter_after_the_deadline_says_that_it_waits_for_the_next_window(campaign):
    """It may come when the next packet has already gone out, as every night."""
    [first] = note_packets(campaign, [packet_of(campaign, "red")])
    campaign.offer(Input("deadline", "umpire", "done", "red"))
    [second] = note_packets(campaign, [packet_of(campaign, "red")])
    (judged,) = sent(campaign, arrived("red", heading(first), "aim r-1 to 3", "done")).judged
    assert (judged.late, judged.fate) == (True, "waiting")
    said = "red.txt: accepted, but it came after the deadline: all of it waits for the next window."
    assert next(judged_lines(judged)) == said
    assert as_json(judged)["late"]
    (judged,) = sent(campaign, arrived("red", heading(second), "aim r-2 to 3", file="red-2")).judged
    assert (judged.late, judged.fate) == (False, "waiting")


def test_a_late_done_alone_does_not_end_the_next_window(campaign):
    [first] = note_packets(campaign, [packet_of(campaign, "red")])
    campaign.offer(Input("deadline", "umpire", "done", "red"))
    (judged,) = sent(campaign, arrived("red", heading(first), "done")).judged
    assert (judged.fate, judged.needless) == ("taken", (0,))
    campaign.offer(Input("do", "blue", "done"))
    sent(campaign)
    assert [(one.side, one.name) for one in campaign.game.awaiting] == [("blue", "moves"), ("red", "moves")]
