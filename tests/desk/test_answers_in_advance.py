"""Letters that answer in advance what their side may be asked while nobody reads its mail."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from campaigns.desk.answers_in_advance import answers_in_force, with_refusals
from campaigns.desk.calendar import DueDate, set_due
from campaigns.desk.commanders import set_commander
from campaigns.desk.packets import note_packets, packet_of
from campaigns.desk.players import set_player
from campaigns.desk.turning import turn_on
from campaigns.play.giving_again import undo_file
from interpreter.messages.inputs import Input
from tests.desk.outposts import OUTPOSTS, arrived, begun, sent, texts
from ui.main import main
from ui.wording.letters import judged_lines, receipt, template

NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)
HEIR = ("  remove v\n", "  remove v\n  side of v chooses heir: one of own spies\n")
"""Who loses a spy is asked for another, in the middle of what somebody else orders."""
CATCH = Input("do", "red", "catch r-2 against b-1")
HEIR_B3 = ("blue", "answer", "b-3")


@pytest.fixture
def campaign(tmp_path):
    with begun(tmp_path, HEIR) as made:
        yield made


def moved(campaign):
    """The sides end their plans: the moves begin."""
    campaign.offer_all([Input("do", side, "done") for side in ("blue", "red")])


def in_force(campaign, seat="blue"):
    return [one.text for one in answers_in_force(campaign, seat)]


def told(intake):
    """What receipts say of letters, a line each."""
    return [line for one in intake.judged for line in judged_lines(one)]


def next_turn(campaign):
    turn = campaign.game.turn
    while campaign.game.turn == turn:
        side = next(one.side for one in campaign.game.awaiting if one.kind == "orders")
        campaign.offer(Input("do", side, "done"))


def test_a_question_is_answered_in_advance_between_the_orders_of_a_letter(campaign):
    letter = ("Dear umpire,", "if it rains I am late", "", "aim b-1 to 2", "if asked heir: b-3", "done", "Tom")
    intake = sent(campaign, arrived("blue", *letter))
    assert intake.judged[0].fate == "taken"
    assert "  line 5: if asked heir: b-3 [kept]" in told(intake)
    assert "  line 2 was not read as an order: if it rains I am late" in told(intake)
    assert in_force(campaign) == ["if asked heir: b-3"]
    campaign.offer_all([Input("do", "red", "done"), CATCH])
    intake = sent(campaign)
    assert texts(campaign)[-1] == HEIR_B3
    assert (intake.judged, len(intake.answered), intake.refused) == ((), 1, ())
    assert campaign.verify().ok


@pytest.mark.parametrize(
    "line",
    ["If asked Heir : b-3.", "> * `if asked heir: answer heir with b-3`", "if  asked heir: answer b-3", "if asked heir of b-2: b-3"],
)  # fmt: skip
def test_people_write_it_in_several_ways(campaign, line):
    assert sent(campaign, arrived("blue", line)).judged[0].fate == "answers"
    moved(campaign)
    campaign.offer(CATCH)
    turn_on(campaign, NOON)
    assert texts(campaign)[-1] == HEIR_B3


def test_a_line_for_a_thing_that_the_question_does_not_name_is_left_alone(campaign):
    sent(campaign, arrived("blue", "if asked heir of b-1: b-2", "if asked heir: b-3"))
    moved(campaign)
    campaign.offer(CATCH)
    sent(campaign)
    assert texts(campaign)[-1] == HEIR_B3, "b-1 is gone"


def test_without_repeat_it_holds_for_the_turn_and_with_it_for_all(campaign):
    sent(campaign, arrived("blue", "if asked heir: b-3", "repeat if asked heir: b-2"))
    assert in_force(campaign) == ["if asked heir: b-3", "repeat if asked heir: b-2"]
    next_turn(campaign)
    assert in_force(campaign) == ["repeat if asked heir: b-2"]
    moved(campaign)
    campaign.offer(CATCH)
    sent(campaign)
    assert texts(campaign)[-1] == ("blue", "answer", "b-2")
    next_turn(campaign)
    assert in_force(campaign) == ["repeat if asked heir: b-2"]


def test_a_later_letter_replaces_or_ends_them_and_one_without_such_lines_leaves_them(campaign):
    sent(campaign, arrived("blue", "repeat if asked heir: b-3"))
    sent(campaign, arrived("blue", "aim b-1 to 2", file="blue-2.txt"))
    assert in_force(campaign) == ["repeat if asked heir: b-3"]
    sent(campaign, arrived("blue", "aim b-1 to 2", "if asked goal: 3", file="blue-3.txt"))
    assert in_force(campaign) == ["if asked goal: 3"], "the orders are the same as before"
    intake = sent(campaign, arrived("blue", "If asked nothing.", file="blue-4.txt"))
    assert (in_force(campaign), intake.judged[0].fate) == ([], "answers")
    assert in_force(campaign, "red") == []


def test_a_letter_that_is_refused_changes_nothing(campaign):
    sent(campaign, arrived("blue", "if asked heir: b-3"))
    intake = sent(campaign, arrived("blue", "aim b-9 to 2", "if asked heir: b-2", file="blue-2.txt"))
    assert intake.judged[0].fate == "refused"
    assert "  line 2: if asked heir: b-2 [not kept]" in told(intake)
    assert in_force(campaign) == ["if asked heir: b-3"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("if asked hier: b-3", "No rule asks a question named hier."),
        ("if asked heir b-3", "This is no answer in advance."),
        ("repeat if ask heir: b-3", "This is no answer in advance."),
    ],
)
def test_a_line_that_is_wrong_is_reported_and_stops_no_order(campaign, line, why):
    sent(campaign, arrived("blue", "if asked heir: b-2"))
    intake = sent(campaign, arrived("blue", "aim b-1 to 2", line, "done", file="blue-2.txt"))
    assert (intake.judged[0].fate, len(intake.judged[0].answers.faults)) == ("taken", 1)
    assert any(line.strip() == why for line in told(intake))
    assert "an answer in advance was refused" in told(intake)[0]
    assert in_force(campaign) == ["if asked heir: b-2"]


def test_the_name_of_a_question_that_nobody_asks_is_hinted_at(campaign):
    intake = sent(campaign, arrived("blue", "if asked hier: b-3"))
    assert "Did you mean heir?" in "\n".join(told(intake))


def test_what_is_hidden_and_what_does_not_exist_are_told_apart_by_nothing(campaign):
    """r-m is hidden from blue; r-x does not exist."""
    found = []
    for number, name in enumerate(("r-m", "r-x"), 1):
        line = f"repeat if asked heir of {name}: {name}", f"repeat if asked heir: {name}"
        intake = sent(campaign, arrived("blue", *line, file=f"blue-{number}.txt"))
        with campaign_at_question(campaign) as lines:
            found.append([one.replace(name, "NAME") for one in (*told(intake), *lines)])
    assert [one.replace("blue-2", "blue-1") for one in found[1]] == found[0]


class campaign_at_question:  # noqa: N801
    """What blue reads of its answers in advance when the question is open; then the campaign is as before."""

    def __init__(self, campaign):
        self.campaign, self.head = campaign, campaign.head

    def __enter__(self):
        moved(self.campaign)
        self.campaign.offer(CATCH)
        sent(self.campaign)
        assert self.campaign.entry(self.campaign.head).input == CATCH, "none was accepted"
        return [f"{line}: {why}" for line, why in with_refusals(self.campaign, "blue")]

    def __exit__(self, *_):
        self.campaign.go_back(self.head)


def test_an_answer_that_the_rules_refuse_is_told_and_the_question_stays_open(campaign, capsys):
    sent(campaign, arrived("blue", "if asked heir: b-1"))
    moved(campaign)
    campaign.offer(CATCH)
    intake = sent(campaign, arrived("red", "done"))
    [(line, why)] = intake.refused
    assert (line.text, line.seat) == ("if asked heir: b-1", "blue")
    assert texts(campaign)[-1] == ("red", "do", CATCH.text)
    assert [one.name for one in campaign.game.awaiting if one.side == "blue"] == ["heir"]
    packet = packet_of(campaign, "blue")
    assert packet.in_advance == (("if asked heir: b-1", why.message),)
    assert "# Your answers in advance:\n#   if asked heir: b-1 [refused:" in template(packet).replace("\r", "")
    assert "[refused:" in receipt("blue", [], campaign.game.view("blue"), in_advance=packet.in_advance)
    path = str(campaign.path)
    assert main(["desk", path, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["in_advance"] == [
        {"side": "blue", "line": "if asked heir: b-1", "refused": why.message}
    ]
    assert main(["desk", path]) == 0
    assert "blue, in advance: if asked heir: b-1, refused: " in capsys.readouterr().out
    assert main(["advance", path]) == 0
    assert "answer in advance of blue refused: if asked heir: b-1: " in "".join(capsys.readouterr())


def test_of_several_lines_the_first_that_the_rules_accept_counts(campaign):
    sent(campaign, arrived("blue", "if asked heir: b-1", "if asked heir: b-3", "if asked heir: b-2"))
    moved(campaign)
    campaign.offer(CATCH)
    assert sent(campaign).refused == ()
    assert texts(campaign)[-1] == HEIR_B3


def test_a_letter_that_answers_the_question_goes_first(campaign):
    sent(campaign, arrived("blue", "if asked heir: b-3"))
    moved(campaign)
    campaign.offer(CATCH)
    [packet] = note_packets(campaign, [packet_of(campaign, "blue")])
    head = f"orders of blue, packet {packet.number}-{packet.mark}"
    sent(campaign, arrived("blue", head, "answer heir with b-2", file="blue-2.txt"))
    assert texts(campaign)[-1] == ("blue", "answer", "b-2")


def test_orders_that_wait_behind_the_question_are_given_then(campaign):
    sent(campaign, arrived("blue", "if asked heir: b-3", "done", "step b-2 to 0402", "done"))
    campaign.offer(Input("do", "red", "done"))
    campaign.offer_all([CATCH])
    sent(campaign)
    assert texts(campaign)[-3:] == [HEIR_B3, ("blue", "do", "step b-2 to 0402"), ("blue", "do", "done")]


def test_undo_of_a_mail_takes_back_the_answer_and_the_same_letter_gives_it_again(campaign):
    letters = (
        arrived("blue", "if asked heir: b-3", "done", "step b-2 to 0402"),
        arrived("red", "done", "catch r-2 against b-1", "aim r-1 to 2"),
    )
    sent(campaign, *letters)
    after = texts(campaign)
    assert after[-2:] == [HEIR_B3, ("blue", "do", "step b-2 to 0402")]
    undo_file(campaign)
    assert campaign.head == 0
    sent(campaign, *letters)
    assert texts(campaign) == after
    assert in_force(campaign) == ["if asked heir: b-3"]


def test_a_corrected_letter_takes_back_an_order_with_its_answers_in_advance(campaign):
    letter = ("if asked goal: 3", "if asked pal-of: b-3", "aim b-2 to 4", "brief b-1")
    assert sent(campaign, arrived("blue", *letter)).judged[0].fate == "taken"
    assert texts(campaign)[-3:] == [("blue", "do", "brief b-1"), HEIR_B3, ("blue", "answer", "3")]
    assert sent(campaign, arrived("blue", *letter, file="blue-2.txt")).judged[0].fate == "same"
    intake = sent(campaign, arrived("blue", "aim b-2 to 5", "brief b-2", file="blue-3.txt"))
    assert (intake.judged[0].fate, intake.judged[0].replaces) == ("taken", "blue.txt")
    assert [campaign.game.explain(f"aim of {spy}").value for spy in ("b-1", "b-2")] == ["0", "3"]
    assert campaign.verify().ok


def test_a_mail_that_gives_only_answers_in_advance_is_taken_back_as_one(campaign):
    sent(campaign, arrived("blue", "if asked heir: b-3"))
    moved(campaign)
    campaign.offer(CATCH)
    head = campaign.head
    sent(campaign)
    undo_file(campaign)
    assert campaign.head == head


def test_whoever_is_interrupted_between_reading_and_giving_gives_it_the_next_time(campaign, monkeypatch):
    moved(campaign)
    campaign.offer(CATCH)
    with monkeypatch.context() as patch:
        patch.setattr("campaigns.desk.letter_intake.deliver", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            sent(campaign, arrived("blue", "if asked heir: b-3"))
    assert in_force(campaign) == ["if asked heir: b-3"]
    assert sent(campaign, arrived("blue", "if asked heir: b-3")).judged[0].fate == "known"
    assert texts(campaign)[-1] == HEIR_B3


def test_a_dry_run_keeps_nothing(campaign):
    intake = sent(campaign, arrived("blue", "if asked heir: b-3"), arrived("red", "if asked heir: r-1"), dry_run=True)
    assert [one.fate for one in intake.judged] == ["answers", "answers"]
    assert in_force(campaign) == in_force(campaign, "red") == []


def test_only_for_the_side_whose_letters_are_read(campaign):
    sent(campaign, arrived("blue", "if asked heir: b-3"))
    moved(campaign)
    campaign.offer(CATCH)
    sent(campaign, only="red")
    assert texts(campaign)[-1] == ("red", "do", CATCH.text)
    sent(campaign, only="blue")
    assert texts(campaign)[-1] == HEIR_B3


def test_a_commander_answers_only_what_concerns_what_is_under_them(campaign):
    for name, over in (("tom", ["b-3"]), ("press", [])):
        set_commander(campaign, "blue", name, over)
    lines = ("if asked heir: b-2", "if asked heir: b-3")
    intake = sent(campaign, arrived("blue/tom", *lines), arrived("blue/press", lines[1], file="blue-press.txt"))
    assert [[one.message for one in judged.answers.faults] for judged in intake.judged] == [
        ["b-2 is not under blue/tom."],
        ["blue/press is an observer and cannot give orders."],
    ]
    assert in_force(campaign, "blue/tom") == ["if asked heir: b-3"]
    set_commander(campaign, "blue", "tom", ["b-2"])
    moved(campaign)
    campaign.offer(CATCH)
    assert [why.message for _, why in sent(campaign).refused] == ["b-3 is not under blue/tom."]
    set_commander(campaign, "blue", "tom", ["b-3"])
    sent(campaign)
    assert texts(campaign)[-1] == HEIR_B3


def test_the_seat_of_a_side_goes_before_its_commanders(campaign):
    set_commander(campaign, "blue", "ann", ["b-2"])
    sent(campaign, arrived("blue/ann", "if asked heir: b-2"), arrived("blue", "if asked heir: b-3"))
    moved(campaign)
    campaign.offer(CATCH)
    sent(campaign)
    assert texts(campaign)[-1] == HEIR_B3


def test_an_absent_side_is_closed_with_its_standing_orders_and_answers(campaign):
    sent(campaign, arrived("blue", "repeat brief b-1", "answer pal-of with b-2", "answer goal with 2"))
    campaign.go_back(0)
    sent(campaign, arrived("blue", "repeat if asked goal: 3", "repeat if asked pal-of: b-3", file="blue-2.txt"))
    set_player(campaign, "blue", {"played_by": "absent"})
    turned = turn_on(campaign, NOON)
    assert turned.closed == ["blue"]
    assert texts(campaign) == [
        ("blue", "do", "brief b-1"),
        HEIR_B3,
        ("blue", "answer", "3"),
        ("umpire", "deadline", "done"),
    ]


def test_a_late_or_absent_side_answers_before_the_umpire_does(campaign):
    sent(campaign, arrived("blue", "if asked heir: b-3"))
    set_player(campaign, "blue", {"played_by": "absent"})
    moved(campaign)
    campaign.offer(CATCH)
    turn_on(campaign, NOON)
    assert HEIR_B3 in texts(campaign)


@pytest.mark.parametrize("line", ["if asked heir: b-3", "if asked heir: b-1"])
def test_who_is_late_with_an_answer_that_he_gave_in_advance_is_not_closed(campaign, line):
    """Nor is his next window, which opens then. If the rules refuse the answer, the umpire chooses."""
    sent(campaign, arrived("blue", line))
    moved(campaign)
    campaign.offer(CATCH)
    set_due(campaign, DueDate(NOON, every=7 * 24 * 60))
    turned = turn_on(campaign, NOON + timedelta(minutes=1), overdue=True)
    is_legal = line.endswith("b-3")
    assert turned.closed == ([] if is_legal else ["blue"])
    assert [text for _, text, _ in turned.refused] == ([] if is_legal else [line])
    assert [one[:2] for one in texts(campaign)[3:]] == [HEIR_B3[:2] if is_legal else ("umpire", "deadline")]
    assert {(one.side, one.name) for one in campaign.game.awaiting} == {("blue", "moves"), ("red", "moves")}
    assert turn_on(campaign, NOON + timedelta(minutes=2), overdue=True).closed == []


def test_what_only_the_table_knows_is_not_answered(tmp_path):
    table = OUTPOSTS.replace("unit spy:", "value table-tells-heir = 1\nunit spy:", 1)
    text = table.replace(*HEIR)
    with begun(tmp_path, (OUTPOSTS, text)) as campaign:
        intake = sent(campaign, arrived("blue", "if asked heir: b-3"))
        assert [one.message for one in intake.judged[0].answers.faults] == ["heir is decided at the table."]
        assert in_force(campaign) == []


@pytest.mark.parametrize("note", [3, "x", [["heir"]], [["heir", "", 3, 0]], [{}, ["heir", "", "b-3", 0.5]], {"a": 1}])
def test_a_forged_note_is_ignored(campaign, note):
    from campaigns.file.beside import Beside

    campaign.keep(Beside({"answers blue": note}))
    assert in_force(campaign) == []
    sent(campaign)


def test_greetings_and_older_letters_count_as_before(campaign):
    """A sentence that only begins alike hides no quoted orders; a quoted line is not read again."""
    intake = sent(campaign, arrived("blue", "If asked, I would do it again", "> aim b-1 to 2", "> done"))
    assert [said.text for said in intake.judged[0].tray.commands] == ["aim b-1 to 2", "done"]
    intake = sent(campaign, arrived("red", "aim r-1 to 2", "> if asked heir: r-1"))
    assert in_force(campaign, "red") == []
    assert "  line 2 is quoted and was not given: if asked heir: r-1" in told(intake)


def test_mail_reports_them(campaign, tmp_path, capsys):
    file, path = tmp_path / "blue.txt", str(campaign.path)
    file.write_text("if asked heir: b-3\nif asked hier: b-2\n")
    assert main(["mail", path, "--in", str(file), "--json", "--dry-run"]) == 1
    [found] = json.loads(capsys.readouterr().out)["letters"]
    assert [one["given"] for one in found["answers"]] == [True, False]
    assert [one["line"] for one in found["faults"]] == [2]
    assert main(["mail", path, "--in", str(file)]) == 1
    assert "Your answers in advance:\n  if asked heir: b-3\n" in capsys.readouterr().out
