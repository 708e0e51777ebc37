"""Commanders give orders only to what is under their command, observers give none; the record knows only their side."""

import json

import pytest

from campaigns.desk.commanders import commander_of, commanders_of, drop_commander, refuse, set_commander
from campaigns.desk.packets import note_packets, packet_of
from campaigns.file.errors import CampaignError
from campaigns.leaks.compared_worlds import ALL_SECRETS, Copy, Look, leaks
from campaigns.play.starting import create_campaign
from interpreter.messages.inputs import Input, Refused
from tests.desk.outposts import arrived, begun, sent, texts
from tests.interpreter.rulebook import KIT
from tests.long import either
from ui.commands.leaks import printed
from ui.main import main
from ui.wording.letters import template

STAFF = """\
formation army:
  title-of text, optional
unit squad, held by army:
  aim  number, starts 0
unit scout:
  for  army, optional
  aim  number, starts 0
order aim of s (a squad or a scout) to n (a number):
  given by side of s
  aim of s becomes n
order pair of s (a squad) to t (a squad):
  given by side of s
  refused when side of s is not side of t because "the other is the enemy's"
  aim of s becomes aim of t
sequence game-turn:
  phase plans "Plans":
    sides may aim, pair together
scenario staff "Staff" on field:
  side blue "The Blues"
  side red "The Reds"
  forces blue of army:
    name  | title-of
    north | "North"
    south | "South"
  forces blue of squad:
    name | in   | army
    n-1  | 0202 | north
    n-2  | 0303 | north
    s-1  | 0304 | south
  forces blue of scout:
    name | in   | for
    eye  | 0401 | north
  forces red of squad:
    name | in
    r-1  | 0601
"""


@pytest.fixture
def campaign(tmp_path):
    with begun(tmp_path) as made:
        set_commander(made, "blue", "tom", ["b-1", "b-2"])
        set_commander(made, "blue", "ann", ["b-3"])
        set_commander(made, "blue", "press", [])
        yield made


def fates(intake):
    return [(one.side, one.fate) for one in intake.judged]


def test_a_star_stands_for_all_things_whose_names_begin_alike(campaign):
    assert set_commander(campaign, "blue", "tom", ["b-*"]).over == ("b-1", "b-2", "b-3")
    assert set_commander(campaign, "blue", "ann", ["*-1", "b-3"]).over == ("b-1", "b-3")  # r-1 is red's
    with pytest.raises(CampaignError, match=r"blue has no r-\*"):
        set_commander(campaign, "blue", "tom", ["r-*"])


def test_a_commander_gives_orders_to_his_own_and_a_letter_with_others_is_refused_whole(campaign):
    assert fates(sent(campaign, arrived("blue/tom", "aim b-1 to 3", "aim b-2 to 4"))) == [("blue/tom", "taken")]
    intake = sent(campaign, arrived("blue/ann", "aim b-3 to 3", "aim b-1 to 5", "aim b-2 to 1"))
    assert fates(intake) == [("blue/ann", "refused")]
    assert [(f.position, f.message, f.hint) for f in intake.judged[0].faults] == [
        (1, "b-1 is not under blue/ann.", "Under blue/ann: b-3."), (2, "b-2 is not under blue/ann.", "Under blue/ann: b-3."),
    ]  # fmt: skip
    assert texts(campaign) == [("blue", "do", "aim b-1 to 3"), ("blue", "do", "aim b-2 to 4")]


def test_letters_of_two_commanders_and_of_the_seat_do_not_replace_each_other(campaign):
    sent(
        campaign,
        arrived("blue/tom", "aim b-1 to 3"),
        arrived("blue/ann", "aim b-3 to 2"),
        arrived("blue", "aim b-2 to 5"),
    )
    assert len(texts(campaign)) == 3
    sent(campaign, arrived("blue/ann", "aim b-3 to 4", file="ann-2.txt"))
    assert ("blue", "do", "aim b-3 to 4") in texts(campaign)
    assert ("blue", "do", "aim b-1 to 3") in texts(campaign)


def test_done_of_a_commander_ends_nothing_and_no_letter_of_an_observer_is_taken(campaign):
    intake = sent(campaign, arrived("blue/tom", "aim b-1 to 3", "done"))
    assert fates(intake) == [("blue/tom", "taken")]
    assert intake.judged[0].needless == (1,)
    assert "blue" in {one.side for one in campaign.game.awaiting}
    intake = sent(campaign, arrived("blue/press", "aim b-1 to 4"))
    assert fates(intake) == [("blue/press", "refused")]
    assert "is an observer" in intake.judged[0].faults[0].message


def test_what_waits_is_asked_again_when_its_turn_comes(campaign):
    """Tom's letter waits for the next phase; meanwhile b-1 is put under another commander."""
    assert fates(sent(campaign, arrived("blue/tom", "aim b-1 to 3", "done", "step b-1 to 0203"))) == [
        ("blue/tom", "waiting")
    ]
    assert texts(campaign) == [("blue", "do", "aim b-1 to 3")]
    set_commander(campaign, "blue", "tom", ["b-2"])
    for side in ("blue", "red"):
        campaign.offer(Input("do", side, "done"))
    intake = sent(campaign)
    assert fates(intake) == [("blue/tom", "stopped")]
    assert intake.judged[0].faults[0].message == "b-1 is not under blue/tom."
    assert ("blue", "do", "step b-1 to 0203") not in texts(campaign)


def test_answers_belong_to_whose_order_asks(campaign):
    tom, ann = commander_of(campaign, "blue/tom"), commander_of(campaign, "BLUE/ann")
    campaign.offer(Input("do", "blue", "brief b-1"))
    question = next(one for one in campaign.game.seen_by("blue").awaiting if one.kind == "question")
    refuse(campaign.game, tom, Input("answer", "blue", "b-2", question.name))
    with pytest.raises(Refused, match="b-2 is not under blue/ann"):
        refuse(campaign.game, ann, Input("answer", "blue", "b-2", question.name))
    campaign.offer(Input("answer", "blue", "b-2", question.name))
    with pytest.raises(Refused, match="does not result from an order of blue/ann"):
        refuse(campaign.game, ann, Input("answer", "blue", "3", "goal"))
    refuse(campaign.game, tom, Input("answer", "blue", "3", "goal"))
    assert fates(sent(campaign, arrived("blue/ann", "answer goal with 3"))) == [("blue/ann", "refused")]
    assert fates(sent(campaign, arrived("blue/tom", "answer goal with 3"))) == [("blue/tom", "taken")]


def test_formations_and_what_a_field_says_belongs_to_them_are_under_a_commander(tmp_path):
    (tmp_path / "staff.rules").write_text(f"{KIT}\n{STAFF}")
    with create_campaign(tmp_path / "staff.ophex", str(tmp_path / "staff"), seed=1) as campaign:
        who = set_commander(campaign, "blue", "tom", ["north"])
        for text in ("aim n-1 to 1", "aim n-1, n-2 to 2", "pair n-1 to n-2", "aim eye to 3"):
            refuse(campaign.game, who, Input("do", "blue", text))
        for text in ("aim s-1 to 1", "pair n-1 to s-1", "pair s-1 to n-1", "aim n-1, s-1 to 2", "aim all to 1", "done"):
            with pytest.raises(Refused):
                refuse(campaign.game, who, Input("do", "blue", text))


def test_a_packet_of_a_commander_has_a_mark_of_its_own_and_examples_for_his_own(campaign):
    tom, blue = note_packets(campaign, [packet_of(campaign, "blue/tom"), packet_of(campaign, "blue")])
    assert tom.mark != blue.mark
    assert tom.view.side == "blue"
    assert {text.split()[1] for found in tom.examples.values() for text in found} <= {"b-1", "b-2"}
    assert packet_of(campaign, "blue/press").awaited == ()
    heading = f"orders of blue/tom, packet 1-{tom.mark}"
    assert fates(sent(campaign, arrived("", heading, "aim b-1 to 3", file="x.txt"))) == [("blue/tom", "taken")]
    wrong = f"orders of blue/tom, packet 1-{blue.mark}"
    assert fates(sent(campaign, arrived("", wrong, "aim b-1 to 4", file="y.txt"))) == [("", "unreadable")]


@pytest.mark.parametrize(
    "file", ["blue-tom2.txt", "Blue tom.txt", "the blues_tommy-2.txt", "tom2.txt", "blue (tom).txt"]
)
def test_a_letter_that_is_named_almost_like_a_commander_is_not_the_seats(campaign, file):
    intake = sent(campaign, arrived("blue", "aim b-3 to 4", file=file))
    assert fates(intake) == [("", "unreadable")]
    assert intake.judged[0].message == f"{file} may be from blue/tom or from blue."
    assert fates(sent(campaign, arrived("blue", "orders of blue", "aim b-3 to 4", file=file))) == [("", "unreadable")]
    (blue,) = note_packets(campaign, [packet_of(campaign, "blue")])
    heading = f"orders of blue, packet {blue.number}-{blue.mark}"
    assert fates(sent(campaign, arrived("blue", heading, "aim b-3 to 4", file=file))) == [("blue", "taken")]
    assert fates(sent(campaign, arrived("blue", "aim b-3 to 5", file="blue-to-b-3.txt"))) == [("blue", "taken")]


def test_the_ending_of_a_file_name_is_no_name_of_a_commander(campaign):
    set_commander(campaign, "blue", "t", ["b-3"])
    assert fates(sent(campaign, arrived("blue", "aim b-3 to 4", file="blue.txt"))) == [("blue", "taken")]
    assert fates(sent(campaign, arrived("blue", "aim b-3 to 5", file="blue t.txt"))) == [("", "unreadable")]


def test_commanders_are_named_and_dropped_and_no_side_has_what_it_has_not(campaign):
    assert [(one.seat, one.over) for one in commanders_of(campaign)] == [
        ("blue/ann", ("b-3",)),
        ("blue/press", ()),
        ("blue/tom", ("b-1", "b-2")),
    ]
    for side, name, over in (
        ("blue", "x", ["r-1"]),
        ("blue", "x", ["b-9"]),
        ("blue", "a b", ["b-1"]),
        ("blue", "7", ["b-1"]),
    ):
        with pytest.raises(CampaignError):
            set_commander(campaign, side, name, over)
    drop_commander(campaign, "blue/tom")
    with pytest.raises(CampaignError, match="no commander blue/tom"):
        commander_of(campaign, "blue/tom")


def test_on_the_command_line_a_commander_reads_as_his_side_and_gives_what_is_his(campaign, capsys):
    path = str(campaign.path)

    def said(*words):
        code = main([words[0], path, *words[1:]])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    assert said("do", "--as", "blue/tom", "aim b-1 to 4")[0] == 0
    assert said("do", "--as", "blue/tom", "aim b-3 to 4")[0] == 1
    assert said("do", "--as", "blue/press", "aim b-3 to 4")[0] == 1
    assert said("do", "--as", "blue/tom", "brief b-1", "answer pal-of with b-3", "answer goal with 3")[0] == 1
    assert said("do", "--as", "blue/tom", "brief b-1", "answer pal-of with b-2", "answer goal with 3")[0] == 0
    assert said("undo", "--as", "blue/tom")[0] == 2
    assert said("do", "--as", "blue/nobody", "aim b-3 to 4")[0] == 1
    _, own, _ = said("legal", "--as", "blue/tom")
    assert {line.split()[1] for line in own.splitlines()} == {"b-1", "b-2"}
    for command in ("status", "log", "map"):
        assert said(command, "--as", "blue/ann") == said(command, "--as", "blue")
    assert said("desk", "--as", "red/eva", "--over", "r-1 r-2")[0] == 0
    found = json.loads(said("desk", "--json")[1])
    assert ("red", "eva", ["r-1", "r-2"]) in [(one["side"], one["name"], one["over"]) for one in found["commanders"]]
    assert [one["name"] for one in json.loads(said("desk", "--as", "red", "--json")[1])["commanders"]] == ["eva"]
    out = campaign.path.parent / "out"
    assert said("mail", "--out", str(out))[0] == 0
    assert {"blue-orders.txt", "blue-tom-orders.txt", "red-eva-map.svg"} <= {one.name for one in out.iterdir()}
    letter = campaign.path.parent / "blue-tom-2.txt"
    letter.write_text("aim b-2 to 9\ndone\n")
    assert said("mail", "--in", str(letter), "--out", str(out))[0] == 0
    assert "not needed" in (out / "blue-tom-receipt.txt").read_text()
    campaign.refresh()
    assert texts(campaign)[-1] == ("blue", "do", "aim b-2 to 9")


def states(campaign, capsys, *words):
    assert main(["desk", str(campaign.path), "--json", *words]) == 0
    found = json.loads(capsys.readouterr().out)["commanders"]
    return {f"{one['side']}/{one['name']}": (one["state"], one["letter"]) for one in found}


def reminded(campaign, capsys, *words):
    assert main(["remind", str(campaign.path), "--json", *words]) == 0
    return {one["side"]: one["text"] for one in json.loads(capsys.readouterr().out)["reminders"]}


def test_each_commander_has_a_state_of_his_own_and_is_reminded_of_his_part(campaign, capsys, tmp_path):
    """Tom has b-1 and b-2, Ann b-3; the press observes and gets no reminder."""
    assert states(campaign, capsys) == {"blue/ann": ("none", ""), "blue/press": ("", ""), "blue/tom": ("none", "")}
    assert list(reminded(campaign, capsys)) == ["blue", "red", "blue/ann", "blue/tom"]
    sent(campaign, arrived("blue/tom", "aim b-1 to 3"), arrived("blue/ann", "aim b-1 to 5", file="a.txt"))
    assert states(campaign, capsys) == {
        "blue/ann": ("none", "a.txt"),
        "blue/press": ("", ""),
        "blue/tom": ("given", ""),
    }
    told = reminded(campaign, capsys)
    assert list(told) == ["blue", "red", "blue/ann"]
    assert told["blue/ann"].startswith("ophex reminder for blue/ann\n")
    assert "a.txt was refused" in told["blue/ann"]
    assert list(reminded(campaign, capsys, "--as", "blue/ann")) == ["blue/ann"]
    assert main(["remind", str(campaign.path), "--out", str(tmp_path / "out")]) == 0
    assert {one.name for one in (tmp_path / "out").iterdir()} == {
        "blue-reminder.txt",
        "red-reminder.txt",
        "blue-ann-reminder.txt",
    }
    capsys.readouterr()
    campaign.offer(Input("do", "blue", "done"))
    assert states(campaign, capsys, "--as", "blue/tom") == {"blue/tom": ("confirmed", "")}
    assert list(reminded(campaign, capsys)) == ["red"]
    assert states(campaign, capsys, "--as", "red") == {}
    assert main(["desk", str(campaign.path)]) == 0
    assert "  blue/tom: confirmed, since" in capsys.readouterr().out


def test_a_commander_whose_order_asks_is_reminded_of_the_question(campaign, capsys):
    """The seat is, too; a commander who may not answer it is not."""
    campaign.offer(Input("do", "blue", "brief b-1"))
    campaign.offer(Input("answer", "blue", "b-2", "pal-of"))
    assert states(campaign, capsys)["blue/tom"] == ("partial", "")
    told = reminded(campaign, capsys)
    assert list(told) == ["blue", "red", "blue/tom"]
    assert "goal" in told["blue/tom"]
    campaign.offer(Input("answer", "blue", "3", "goal"))
    assert states(campaign, capsys)["blue/tom"] == ("given", "")


def test_commanders_and_observers_are_told_what_their_side_is_and_no_more(campaign):
    """In worlds that differ only in what blue may not know, everything that they can print is the same.

    In the daily form all of it differs at once; with OPHEX_LONG=1 each kind also differs alone.
    """
    for who in ("press", "tom"):

        def as_person(copy, side, look, who=who):
            return printed(copy, side if look.kind == "app" else f"{side}/{who}", look)

        found = leaks(campaign, ["blue"], as_person, guesses=either(1, 4), kinds=either([ALL_SECRETS], None))
        assert found.differences == []
        assert found.outputs["log"] > 0
    plain = Copy(campaign, lambda _: [])
    for kind in ("status", "map", "log", "report"):
        assert printed(plain, "blue/press", Look(kind, ())) == printed(plain, "blue", Look(kind, ()))


def test_an_observer_gets_the_report_and_no_template(campaign, capsys, tmp_path):
    """Nor does an earlier template stay, unless something was written into it."""
    out = tmp_path / "out"
    set_commander(campaign, "blue", "press", ["b-1"])
    assert main(["mail", str(campaign.path), "--out", str(out)]) == 0
    assert (out / "blue-press-orders.txt").exists()
    set_commander(campaign, "blue", "press", [])
    assert main(["mail", str(campaign.path), "--out", str(out)]) == 0
    told = {one.name for one in out.iterdir() if "press" in one.name}
    assert told == {"blue-press-report.txt", "blue-press-report.md", "blue-press-report.html", "blue-press-map.svg"}
    assert (out / "blue-press-report.txt").read_text().startswith("ophex report for blue/press, packet 2\n")
    (out / "blue-press-orders.txt").write_text(
        "orders of blue/press, packet 1-01234567\n\naim b-1 to 2\nend of orders\n"
    )
    assert main(["mail", str(campaign.path), "--out", str(out)]) == 0
    assert (out / "blue-press-orders.txt").exists()
    capsys.readouterr()
    assert main(["mail", str(campaign.path), "--out", "-", "--as", "blue/press"]) == 0
    assert "Write your orders" not in capsys.readouterr().out


def test_what_a_commander_orders_is_given_before_the_seat_ends_the_window(campaign):
    """Both letters are there in time, whatever the order in which they are read, and each may hold orders for several windows."""
    intake = sent(
        campaign,
        arrived("blue", "aim b-3 to 2", "done", "step b-3 to 0403", "done"),
        arrived("blue/tom", "aim b-1 to 3", "done", "step b-1 to 0201"),
        arrived("red", "done"),
    )
    assert fates(intake) == [("blue", "taken"), ("blue/tom", "taken"), ("red", "taken")]
    own = [text for side, _, text in texts(campaign) if side == "blue"]
    assert own == ["aim b-3 to 2", "aim b-1 to 3", "done", "step b-3 to 0403", "step b-1 to 0201", "done"]


def test_an_order_waits_while_its_side_is_asked_something_else(campaign):
    """A question of the seat is no reason to refuse the letter of a commander."""
    campaign.offer(Input("do", "blue", "brief b-3"))
    assert fates(sent(campaign, arrived("blue/tom", "aim b-1 to 3"))) == [("blue/tom", "waiting")]
    assert fates(sent(campaign)) == []
    for answer in (Input("answer", "blue", "b-2", "pal-of"), Input("answer", "blue", "3", "goal")):
        campaign.offer(answer)
    assert fates(sent(campaign)) == [("blue/tom", "taken")]


def test_who_plays_the_side_is_not_changed_through_a_commander(campaign, capsys):
    path = str(campaign.path)
    assert main(["desk", path, "--as", "blue", "--name", "Eva"]) == 0
    capsys.readouterr()
    assert main(["desk", path, "--as", "blue/tom", "--over", "b-1", "--name", "Tom"]) == 2
    assert "--as blue." in capsys.readouterr().err
    assert main(["desk", path, "--as", "blue", "--json"]) == 0
    assert [one["name"] for one in json.loads(capsys.readouterr().out)["players"]] == ["Eva"]


def test_the_examples_of_a_commander_are_theirs_however_many_commands_others_have(tmp_path):
    """The search for them does not end among the commands for other things, and `done` is none of theirs."""
    rows = "\n".join(f"    x-{n} | 0304" for n in range(60))
    with begun(tmp_path, ("    b-3  | 0304\n", f"    b-3  | 0304\n{rows}\n    z-1  | 0304\n")) as campaign:
        campaign.offer_all([Input("do", side, "done") for side in ("blue", "red")])
        set_commander(campaign, "blue", "tom", ["z-1"])
        [packet] = note_packets(campaign, [packet_of(campaign, "blue/tom")])
        assert packet.examples["step"][0].startswith("step z-1 to ")
        told = template(packet)
        assert "#   step z-1 to " in told
        assert "#   done" not in told
        intake = sent(campaign, arrived("blue/tom", "step z-1 to 0601"))
        legal = intake.judged[0].faults[0].legal
        assert legal
        assert all(one.startswith("step z-1 to ") for one in legal)
