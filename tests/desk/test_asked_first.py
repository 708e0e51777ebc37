"""Letters whose side is asked something before their turn comes, which their writers could not know."""

import re
from datetime import UTC, datetime

import pytest

from campaigns.desk.commanders import set_commander
from campaigns.desk.letter_orders import SaidOrder
from campaigns.desk.packets import note_packets, packet_of
from campaigns.desk.states import standings
from campaigns.desk.trays import WAITING, Tray, is_past, waits_for_an_answer
from campaigns.file.beside import Kept
from interpreter.messages.inputs import Awaited, Input
from tests.desk.outposts import OUTPOSTS, arrived, begun, sent, texts
from ui.main import main
from ui.wording.letters import judged_lines, template

HEIR = ("  remove v\n", "  remove v\n  side of v chooses heir: one of own spies\n")
"""Who loses a spy is asked for another, in the middle of what somebody else orders."""
PARTNER = (
    "  rank of s becomes stake\n",
    "  rank of s becomes stake\n  side of s chooses partner: one of own spies except s\n",
)
"""After the die its own side is asked something."""


@pytest.fixture
def asked(tmp_path):
    """Blue's letter waits for its second window; before that comes, red's order asks blue something."""
    with begun(tmp_path, HEIR) as campaign:
        [packet] = note_packets(campaign, [packet_of(campaign, "blue")])
        head = f"orders of blue, packet 1-{packet.mark}"
        assert fates(sent(campaign, arrived("blue", head, "done", "step b-2 to 0402", "done"))) == ["waiting"]
        campaign.offer_all([Input("do", "red", "done"), Input("do", "red", "catch r-2 against b-1")])
        yield campaign


def fates(intake):
    return [one.fate for one in intake.judged]


def test_a_letter_waits_while_its_side_is_asked_something_else(asked):
    """It stopped there, and the side had to send all of it again."""
    assert fates(sent(asked)) == []
    assert standings(asked, datetime.now(UTC), ["blue"])[0].state == "partial"
    asked.offer(Input("answer", "blue", "b-3", "heir"))
    assert fates(sent(asked)) == ["taken"]
    assert texts(asked)[-2:] == [("blue", "do", "step b-2 to 0402"), ("blue", "do", "done")]
    assert asked.verify().ok


def test_a_letter_that_answers_adds_to_one_that_waits_for_the_answer(asked):
    [packet] = note_packets(asked, [packet_of(asked, "blue")])
    head = f"orders of blue, packet {packet.number}-{packet.mark}"
    waits = "# These orders of yours wait; another letter must say them again:\n#   step b-2 to 0402\n#   done\n"
    assert waits in template(packet).replace("\r", "")
    assert "again:" not in template(packet_of(asked, "red"))
    intake = sent(asked, arrived("blue", head, "answer heir with b-3", "step b-3 to 0203", "done", file="blue-2.txt"))
    assert fates(intake) == ["taken"]
    assert (intake.judged[0].replaces, intake.judged[0].dropped) == ("", ("step b-2 to 0402",))
    assert texts(asked)[-3:] == [
        ("blue", "answer", "b-3"),
        ("blue", "do", "step b-3 to 0203"),
        ("blue", "do", "done"),
    ]


def test_a_done_after_an_order_that_asked_something_behind_the_dice_waits_for_the_answer(tmp_path):
    with begun(tmp_path, PARTNER) as campaign:
        sent(campaign, arrived("red", "done"))
        assert fates(sent(campaign, arrived("blue", "done", "gamble b-1", "done"))) == ["waiting"]
        assert texts(campaign)[-1] == ("blue", "do", "gamble b-1")
        campaign.offer(Input("answer", "blue", "b-2", "partner"))
        assert fates(sent(campaign)) == ["taken"]
        assert texts(campaign)[-1] == ("blue", "do", "done")


def test_an_answer_takes_back_nothing_of_the_letter_that_waits_for_it(tmp_path):
    """Not even where a side may take back what dice were rolled for."""
    with begun(tmp_path, PARTNER, undo="after-dice") as campaign:
        sent(campaign, arrived("red", "done"))
        for number, letter in enumerate((("done", "gamble b-1", "step b-2 to 0402"), ("answer partner with b-2",)), 1):
            [packet] = note_packets(campaign, [packet_of(campaign, "blue")])
            head = f"orders of blue, packet {packet.number}-{packet.mark}"
            sent(campaign, arrived("blue", head, *letter, file=f"blue-{number}.txt"))
        assert texts(campaign)[-2:] == [("blue", "do", "gamble b-1"), ("blue", "answer", "b-2")]


PICKED = (
    '  phase moves "Moves":\n    sides may step, gamble, catch together\n',
    """\
  phase moves "Moves":
    for each p in sides:
      p chooses mover: one of own spies
      do outing of mover
      p chooses second: one of own spies except mover
      do outing of second
procedure outing of s (a spy):
  when rank of s > 0:
    side of s may step, gamble
""",
)
"""A side picks who acts, one after the other; a spy without rank cannot."""


def test_a_done_for_a_window_that_did_not_open_is_passed_over_if_the_letter_answers_what_is_asked_then(tmp_path):
    """It stopped the letter."""
    with begun(tmp_path, PICKED) as campaign:
        campaign.offer(Input("override", "umpire", "rank of b-1 = 0", "by hand"))
        letter = ("done", "answer mover with b-1", "done", "answer second with b-2", "step b-2 to 0402", "done")
        assert fates(sent(campaign, arrived("blue", *letter))) == ["waiting"]
        intake = sent(campaign, arrived("red", "done"))
        assert [(one.side, one.fate, one.needless) for one in intake.judged] == [
            ("blue", "taken", (2,)),
            ("red", "taken", ()),
        ]
        assert ("blue", "do", "step b-2 to 0402") in texts(campaign)


def waits(awaiting, *commands, after=0):
    said = tuple(SaidOrder(text, ((1, 1),)) for text in commands)
    return waits_for_an_answer(Tray(Kept(1, "blue", "blue.txt", "", ""), WAITING, said, (), after), awaiting)


def test_an_answer_waits_only_if_it_is_not_for_an_order_above_it():
    heir = [Awaited("question", "blue", "heir", "heir?", ())]
    assert waits(heir, "answer next with b-1")
    assert waits(heir, "done", "answer next with b-1", after=1)
    assert not waits(heir, "answer heir with b-1")
    assert not waits(heir, "answer b-1"), "it may be for the only question"
    assert not waits(heir, "brief b-1", "answer next with b-1", after=1), "its order did not ask that: it is refused"
    assert not waits([Awaited("question", "red", "heir", "heir?", ())], "aim b-1 to 2")
    said = tuple(SaidOrder(text, ((1, 1),)) for text in ("done", "answer heir with b-1"))
    assert is_past(Tray(Kept(1, "blue", "blue.txt", "", ""), WAITING, said), heir)
    assert not waits([*heir, Awaited("orders", "blue", "", "orders", ())], "aim b-1 to 2")


def offered(campaign, capsys, seat):
    """The answers that packet, receipt and `legal` offer to a seat."""
    path, found = str(campaign.path), []
    letter = campaign.path.parent / f"{seat.replace('/', '-')}.txt"
    letter.write_text("aim b-9 to 2\n")
    for words in (
        ["mail", path, "--out", "-", "--as", seat],
        ["mail", path, "--in", str(letter), "--dry-run", "--as", seat],
        ["legal", path, "--as", seat],
    ):
        capsys.readouterr()
        main(words)
        found.append(re.findall(r"answer heir with (\S+)", "".join(capsys.readouterr())))
    return found


def test_a_commander_is_offered_only_answers_about_what_is_under_them(tmp_path, capsys):
    """Others were offered as well, and refused when they came; an observer was told that answers are awaited."""
    with begun(tmp_path, HEIR) as campaign:
        for name, over in (("tom", ["b-3"]), ("eve", ["b-1"]), ("press", [])):
            set_commander(campaign, "blue", name, over)
        campaign.offer_all([Input("do", side, "done") for side in ("blue", "red")])
        campaign.offer(Input("do", "red", "catch r-2 against b-1"))
        assert offered(campaign, capsys, "blue") == [["b-2", "b-3"]] * 3
        assert offered(campaign, capsys, "blue/tom") == [["b-3"]] * 3
        assert offered(campaign, capsys, "blue/eve") == [[]] * 3
        assert offered(campaign, capsys, "blue/press") == [[]] * 3
        assert [one.name for one in packet_of(campaign, "blue/tom").awaited] == ["heir"]
        assert packet_of(campaign, "blue/eve").awaited == ()
        out = tmp_path / "out"
        assert main(["mail", str(campaign.path), "--out", str(out)]) == 0
        for name, whose, due in (
            ("blue", "The Blues", "Answer heir with"),
            ("blue-tom", "blue/tom of The Blues", "Answer heir with: b-3\n"),
            ("blue-press", "blue/press of The Blues", "Nothing is awaited from you now."),
        ):
            text = (out / f"{name}-report.md").read_text()
            assert f"Report for {whose} (" in text
            assert due in text
            assert f"for {whose}" in (out / f"{name}-report.html").read_text()


def test_a_done_waits_for_dice_that_are_due_in_its_window(tmp_path):
    with begun(tmp_path, dice="typed") as campaign:
        for side in ("blue", "red"):
            campaign.offer(Input("do", side, "done"))
        intake = sent(campaign, arrived("blue", "gamble b-1", "done"), arrived("red", "gamble r-1", "done"))
        assert fates(intake) == ["waiting", "waiting"]
        for _ in range(2):
            campaign.offer(Input("roll", "umpire", "3"))
            sent(campaign)
        assert [side for side, _, text in texts(campaign) if text == "done"] == ["blue", "red"] * 2


@pytest.mark.parametrize("window", ["for each s in sides:\n      s may step, gamble", "sides may step, gamble"])
def test_a_done_waits_for_what_its_order_asks_the_others(tmp_path, window):
    """Where sides order one after the other it was left out as not needed, and its side was awaited again afterwards."""
    asks = OUTPOSTS.replace("side of s rolls 1d6 as stake", "foe of (side of s) chooses stake: a number up to 5")
    text = asks.replace("sides may step, gamble, catch together", window)
    with begun(tmp_path, (OUTPOSTS, text)) as campaign:
        campaign.offer_all([Input("do", side, "done") for side in ("blue", "red", "blue")])
        assert fates(sent(campaign, arrived("red", "gamble r-1", "done"))) == ["waiting"]
        campaign.offer(Input("answer", "blue", "3", "stake"))
        sent(campaign)
        assert texts(campaign)[-2:] == [("blue", "answer", "3"), ("red", "do", "done")]
        assert {one.kind for one in campaign.game.waiting} == {"orders"}
        assert campaign.game.turn == 2


def test_orders_that_wait_below_something_hidden_are_said_to_be_untried(tmp_path):
    """The receipt said that the rest depends on something hidden, though it only waits for the other side."""
    asks = "let stake be sum aim of spies\n  foe of (side of s) chooses reply: a number up to 5"
    with begun(tmp_path, ("side of s rolls 1d6 as stake", asks)) as campaign:
        campaign.offer_all([Input("do", side, "done") for side in ("blue", "red")])
        intake = sent(campaign, arrived("red", "gamble r-1", "done"))
        assert fates(intake) == ["waiting"]
        lines = list(judged_lines(intake.judged[0]))
        assert lines[-1] == "  The rest could not be tried in advance: it comes after something hidden from you."


def test_a_done_that_waits_is_not_for_the_next_window_if_its_own_ended_by_itself(tmp_path):
    asks = OUTPOSTS.replace(
        "side of s rolls 1d6 as stake",
        'refused when rank of s is 0 because "no"\n  foe of (side of s) chooses stake: a number up to 5',
    )
    text = asks.replace(
        "sides may step, gamble, catch together", 'sides may gamble\n  phase more "More":\n    sides may step together'
    )
    with begun(tmp_path, (OUTPOSTS, text)) as campaign:
        campaign.offer_all([Input("do", side, "done") for side in ("blue", "red", "blue")])
        campaign.offer_all([Input("do", "red", "gamble r-1"), Input("answer", "blue", "0", "stake")])
        assert fates(sent(campaign, arrived("red", "gamble r-2", "done"))) == ["waiting"]
        campaign.offer_all([Input("answer", "blue", "0", "stake")])
        sent(campaign)
        assert texts(campaign)[-1] == ("blue", "answer", "0")


ANSWERED = "answer goal with 3", "answer fate with none"


def test_an_answer_below_an_order_that_asks_nothing_more_is_not_needed(tmp_path):
    """It stopped the letter, and the `done` below it was not given."""
    with begun(tmp_path) as campaign:
        letter = arrived("blue", "brief b-1", "answer pal-of with b-2", *ANSWERED, "aim b-3 to 1", "done")
        (judged,) = sent(campaign, letter, dry_run=True).judged
        assert [line for line in judged_lines(judged, only_tried=True) if "fate" in line] == [
            "  line 4: answer fate with none [not needed]"
        ]
        (judged,) = sent(campaign, letter).judged
        assert (judged.fate, judged.needless) == ("taken", (3,))
        assert texts(campaign)[-2:] == [("blue", "do", "aim b-3 to 1"), ("blue", "do", "done")]


def test_an_answer_behind_the_dice_that_nothing_asks_is_not_needed(tmp_path):
    with begun(tmp_path) as campaign:
        sent(campaign, arrived("red", "done"))
        (judged,) = sent(campaign, arrived("blue", "done", "gamble b-1", "answer fate with none", "done")).judged
        assert (judged.fate, judged.needless, texts(campaign)[-1]) == ("taken", (2,), ("blue", "do", "done"))


@pytest.mark.parametrize(
    "orders",
    [
        ("brief b-1", "answer fate with none", "answer pal-of with b-2", "answer goal with 3"),  # one is open
        ("answer fate with none", "aim b-1 to 2"),  # it may still be asked
        ("aim b-1 to 2", "done", "answer fate with none"),
    ],
)
def test_an_answer_is_needed_while_its_question_may_still_come(tmp_path, orders):
    with begun(tmp_path) as campaign:
        (judged,) = sent(campaign, arrived("blue", *orders)).judged
        assert judged.fate in {"refused", "waiting"}


def test_a_wrong_answer_costs_only_its_own_line(asked):
    """Whatever stood below it was refused as well: what the letter answered in the next line was said to be open."""
    (judged,) = sent(asked, arrived("blue", "answer fate with none", "answer heir with b-3", "step b-2 to 0402")).judged
    assert [fault.position for fault in judged.faults] == [0]
    (judged,) = sent(asked, arrived("blue", "answer heir with b-3", "answer fate with none", "step b-2 to 0402")).judged
    assert (judged.fate, judged.needless) == ("taken", (1,))


def test_an_answer_to_what_each_side_is_asked_at_once_is_checked_when_its_letter_is_read(tmp_path):
    """A dry run found nothing wrong with it, since the other side was asked too, and then it was refused."""
    asks = "    each u in spies chooses secretly course: a number up to 3"
    with begun(tmp_path, ("    sides may step, gamble, catch together", asks)) as campaign:
        campaign.offer_all([Input("do", side, "done") for side in ("blue", "red")])
        for side in ("blue", "red"):
            [judged] = sent(campaign, arrived(side, "answer course with all 7"), dry_run=True).judged
            assert (judged.fate, [fault.position for fault in judged.faults]) == ("refused", [0])
            [judged] = sent(campaign, arrived(side, "answer course with all 2", "done"), dry_run=True).judged
            assert (judged.faults, judged.fate, judged.rehearsed.reached) == ((), "waiting", 1)
        assert fates(sent(campaign, arrived("blue", "answer course with all 2"))) == ["taken"]
