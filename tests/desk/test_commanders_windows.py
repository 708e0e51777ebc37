"""A letter of a commander holds orders for several windows: each `done` in it waits until the seat of the side has ended one."""

import pytest

from campaigns.desk.commanders import set_commander
from campaigns.desk.packets import note_packets, packet_of
from interpreter.messages.inputs import Input
from tests.desk.outposts import OUTPOSTS, arrived, begun, sent, texts
from ui.main import main

WAVES = (
    'phase moves "Moves":\n    sides may step, gamble, catch together\n',
    """phase first-wave "First wave":
    sides may step together
  phase second-wave "Second wave":
    sides may step together
  phase third-wave "Third wave":
    sides may step, catch together
""",
)


@pytest.mark.parametrize("first", ["blue", "blue/tom"])
def test_orders_of_a_commander_wait_for_the_next_window_also_if_it_offers_the_same_orders(tmp_path, first):
    """Each `done` stands for the end of one window; what the seat's letter ends in between does not matter."""
    letters = [
        arrived("blue", "done", "done", "done", "done"),
        arrived("blue/tom", "done", "step b-1 to 0201", "done", "done", "step b-1 to 0202"),
    ]
    with begun(tmp_path, WAVES) as campaign:
        set_commander(campaign, "blue", "tom", ["b-1"])
        if first == "blue/tom":
            letters.reverse()
        intake = sent(campaign, *letters, arrived("red", "done", "done", "done", "done"))
        assert {one.fate for one in intake.judged} == {"taken"}
        own = [text for side, _, text in texts(campaign) if side == "blue"]
        assert own == ["done", "step b-1 to 0201", "done", "done", "step b-1 to 0202", "done"]


def test_orders_of_a_commander_wait_from_mail_to_mail_and_a_correction_goes_on_where_it_stands(tmp_path):
    with begun(tmp_path, WAVES) as campaign:
        set_commander(campaign, "blue", "tom", ["b-1"])
        for side in ("blue", "red"):
            campaign.offer(Input("do", side, "done"))
        intake = sent(campaign, arrived("blue/tom", "step b-1 to 0201", "done", "step b-1 to 0202"))
        assert [one.fate for one in intake.judged] == ["waiting"]
        corrected = arrived("blue/tom", "step b-1 to 0201", "done", "step b-1 to 0301", file="b.txt")
        campaign.offer(Input("do", "red", "done"))
        campaign.offer(Input("do", "blue", "done"))
        assert sent(campaign, corrected).judged[-1].fate == "taken"
        assert texts(campaign)[-2:] == [("blue", "do", "done"), ("blue", "do", "step b-1 to 0301")]


def test_a_commander_need_not_know_which_windows_are_skipped(tmp_path):
    """A `done` too many does not hold up an order of another kind: its window is open."""
    with begun(tmp_path, WAVES) as campaign:
        set_commander(campaign, "blue", "tom", ["b-1"])
        more = ("done", "done", "done", "done", "done")
        intake = sent(
            campaign,
            arrived("blue/tom", "aim b-1 to 3", *more, "step b-1 to 0201"),
            arrived("blue", "done"),
            arrived("red", "done"),
        )
        assert {one.fate for one in intake.judged} == {"taken"}
        assert ("blue", "do", "step b-1 to 0201") in texts(campaign)


def test_a_done_too_many_does_not_hold_up_an_order_that_was_refused_in_the_windows_before(tmp_path):
    """A spy without an aim cannot step; after the first wave all get one."""
    aimed = "  refused when goal is not next to s"
    text = OUTPOSTS.replace(*WAVES).replace(aimed, f'  refused when aim of s is 0 because "it has no aim"\n{aimed}')
    aims = '  phase aims "Aims":\n    for each u in spies:\n      aim of u becomes 1\n'
    text = text.replace("  phase second-wave", f"{aims}  phase second-wave")
    with begun(tmp_path, (OUTPOSTS, text)) as campaign:
        set_commander(campaign, "blue", "tom", ["b-1"])
        sent(
            campaign,
            arrived("blue", "aim b-2 to 1", "done", "done"),
            arrived("blue/tom", "done", "done", "done", "step b-1 to 0201"),
            arrived("red", "done", "done"),
        )
        own = [text for side, _, text in texts(campaign) if side == "blue"]
        assert own == ["aim b-2 to 1", "done", "done", "step b-1 to 0201"]


def test_a_refused_letter_of_a_commander_is_told_of_though_the_seat_has_ended_the_window(tmp_path, capsys):
    """Both came in one mail: the desk said nothing of the letter, and his receipt only that nothing was awaited."""
    closed = "Still awaited from you: nothing now; the orders of your side have been closed in the meantime"
    with begun(tmp_path) as campaign:
        set_commander(campaign, "blue", "tom", ["b-1"])
        (packet,) = note_packets(campaign, [packet_of(campaign, "blue/tom")])
        head = f"orders of blue/tom, packet 1-{packet.mark}"
        (tmp_path / "in").mkdir()
        (tmp_path / "in" / "blue.txt").write_text("done\n")

        def mailed(orders):
            (tmp_path / "in" / "blue-tom.txt").write_text(f"{head}\n{orders}\n")
            main(["mail", str(campaign.path), "--in", str(tmp_path / "in"), "--as", "blue"])
            return " ".join(capsys.readouterr().out.split())

        assert closed in mailed("aim b-1 to x")
        assert main(["desk", str(campaign.path)]) == 0
        assert "blue/tom: confirmed" in (told := capsys.readouterr().out)
        assert "its letter blue-tom.txt was refused" in told
        assert closed in mailed("aim b-1 to 2")
        assert main(["desk", str(campaign.path)]) == 0
        assert "refused" not in capsys.readouterr().out


IN_STEPS = (
    "    sides may step, gamble, catch together",
    """\
    do standing-plans
    each u in spies chooses secretly course: a number up to 3
    sides may step, gamble, catch together
procedure standing-plans:
  step week:
    sides may aim together""",
)
"""An earlier window of the same phase, and a question before the next."""


def test_orders_and_answers_before_a_window_are_not_taken_for_orders_in_it(tmp_path, capsys):
    """The side read that its orders had arrived, and its commander got no reminder."""
    with begun(tmp_path, IN_STEPS) as campaign:
        assert main(["desk", str(campaign.path), "--as", "blue/tom", "--over", "b-1"]) == 0
        campaign.refresh()
        campaign.offer_all([Input("do", side, "done") for side in ("blue", "red")])
        campaign.offer_all(
            [Input("do", "blue", "aim b-1 to 2"), *(Input("do", side, "done") for side in ("blue", "red"))]
        )
        campaign.offer_all([Input("answer", side, "all 2", "course") for side in ("blue", "red")])
        capsys.readouterr()
        assert main(["remind", str(campaign.path), "--as", "blue"]) == 0
        told = capsys.readouterr().out
        assert "ophex reminder for blue/tom" in told
        assert told.count("Nothing has arrived from you yet.") == 2
        assert "orders have arrived" not in told
        campaign.offer(Input("do", "blue", "step b-1 to 0201"))
        assert main(["remind", str(campaign.path), "--as", "blue"]) == 0
        told = capsys.readouterr().out
        assert "Your orders have arrived." in told
        assert "blue/tom" not in told


def test_commanders_are_not_offered_the_end_of_a_window(tmp_path, capsys):
    with begun(tmp_path) as campaign:
        assert main(["desk", str(campaign.path), "--as", "blue/tom", "--over", "b-1"]) == 0
        for command in ("remind",), ("mail", "--out", "-"):
            for seat, offered in ("blue", True), ("blue/tom", False):
                capsys.readouterr()
                assert main([command[0], str(campaign.path), *command[1:], "--as", seat]) == 0
                told = " ".join(capsys.readouterr().out.replace("#", " ").split())
                own = told.split("ophex reminder for blue/tom")[0] if offered else told
                own = own.split("Awaited from you")[-1]
                assert "may give orders (Plans): brief, aim" in own
                assert ("aim, or done." in own) == offered
