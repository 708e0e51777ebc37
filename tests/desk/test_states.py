"""Five states of a side, when its orders are due, who plays it: distinguished, kept beside the chain, and revealing nothing of others."""

import json
import re
from datetime import UTC, datetime, timedelta

import pytest

from campaigns.desk.calendar import (
    IN_GRACE,
    IN_TIME,
    ON_HOLD,
    OVER,
    DueDate,
    due_of,
    has_passed_today,
    set_due,
    span_of,
    when,
)
from campaigns.desk.players import players_of, set_player
from campaigns.desk.states import standings
from campaigns.file.beside import Beside
from campaigns.file.errors import CampaignError
from interpreter.messages.inputs import Input
from tests.desk.outposts import arrived, begun, sent
from ui.main import main

NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)
"""A Monday."""


@pytest.fixture
def campaign(tmp_path):
    with begun(tmp_path) as made:
        yield made


def states(campaign):
    return {one.side: one.state for one in standings(campaign, NOON)}


def test_the_five_states_are_told_apart(campaign):
    assert states(campaign) == {"blue": "none", "red": "none"}
    campaign.offer(Input("do", "blue", "aim b-1 to 2"))
    assert states(campaign) == {"blue": "given", "red": "none"}
    campaign.offer(Input("do", "blue", "brief b-1"))
    assert states(campaign) == {"blue": "partial", "red": "none"}
    campaign.take_back("blue")
    campaign.take_back("blue")
    assert states(campaign) == {"blue": "none", "red": "none"}
    campaign.offer(Input("do", "blue", "done"))
    assert states(campaign) == {"blue": "confirmed", "red": "none"}
    campaign.offer(Input("do", "red", "done"))
    assert states(campaign) == {"blue": "none", "red": "none"}  # the next phase
    campaign.offer(Input("override", "umpire", "remove r-1\nremove r-2", "by hand"))
    assert states(campaign) == {"blue": "none", "red": "nothing to order"}


def test_a_side_that_only_answered_a_question_has_confirmed_nothing(tmp_path):
    asks = "    each u in spies chooses secretly course: a number up to 3"
    with begun(tmp_path, ("    sides may step, gamble, catch together", asks)) as campaign:
        for side in ("blue", "red"):
            campaign.offer(Input("do", side, "done"))
        assert states(campaign) == {"blue": "none", "red": "none"}
        campaign.offer(Input("answer", "red", "all 2", "course"))
        assert states(campaign) == {"blue": "none", "red": "nothing to order"}


IN_STEPS = (
    "    sides may step, gamble, catch together",
    """\
    do day-begins
    sides may step, gamble, catch together
procedure day-begins:
  step orders-of-the-day:
    for each s in sides, as active: active may aim
  step deployment "Take positions":
    for each s in sides, as active: active may aim""",
)


def test_one_can_advance_to_a_step_that_is_in_no_sequence(tmp_path, capsys):
    with begun(tmp_path, IN_STEPS) as campaign:
        for side in ("blue", "red", "blue", "red"):
            campaign.offer(Input("do", side, "done"))
    for name in ("deployment", "take positions", "moves"):
        assert main(["advance", str(campaign.path), "--to", name]) == 0
    assert main(["advance", str(campaign.path), "--to", "Orders of the day"]) == 1
    capsys.readouterr()
    assert main(["advance", str(campaign.path), "--to", "breakfast"]) == 2
    assert "Its phases are plans, moves, orders-of-the-day, deployment." in capsys.readouterr().err


def test_one_can_advance_to_a_phase_in_which_nobody_is_asked(tmp_path):
    silent = ("  phase moves", "  phase night:\n    aim of spies becomes 0\n  phase moves")
    with begun(tmp_path, silent) as campaign:
        campaign.offer(Input("do", "red", "done"))
        set_player(campaign, "blue", {"played_by": "machine"})
    assert main(["advance", str(campaign.path), "--to", "night"]) == 0


def test_done_in_a_step_confirms_nothing_in_the_next(tmp_path):
    with begun(tmp_path, IN_STEPS) as campaign:
        for side in ("blue", "red", "blue"):
            campaign.offer(Input("do", side, "done"))
        assert states(campaign) == {"blue": "confirmed", "red": "none"}
        campaign.offer(Input("do", "red", "done"))
        assert states(campaign) == {"blue": "none", "red": "nothing to order"}  # the next step
        campaign.offer(Input("do", "blue", "done"))
        assert states(campaign) == {"blue": "confirmed", "red": "none"}


def test_orders_without_done_confirm_nothing_while_the_other_side_is_at_it(tmp_path):
    in_turns = ("    sides may step, gamble, catch together", "    sides may step alternately")
    with begun(tmp_path, in_turns) as campaign:
        for side in ("blue", "red"):
            campaign.offer(Input("do", side, "done"))
        campaign.offer(Input("do", "blue", "step b-1 to 0201"))
        assert states(campaign) == {"blue": "given", "red": "none"}


def test_letters_that_wait_and_letters_that_were_refused_count(campaign):
    sent(campaign, arrived("blue", "aim b-1 to 2"), arrived("red", "aim r-9 to 2"))
    found = {one.side: (one.state, one.letter) for one in standings(campaign, NOON)}
    assert found == {"blue": ("given", ""), "red": ("none", "red.txt")}
    sent(campaign, arrived("blue", "aim b-1 to 2", "done", "step b-1 to 0201", "done", file="blue-2.txt"))
    assert states(campaign)["blue"] == "confirmed"
    sent(campaign, arrived("red", "done", file="red-2.txt"))
    assert states(campaign) == {"blue": "confirmed", "red": "none"}


@pytest.mark.parametrize("words", [("status",), ("desk",), ("remind",)])
def test_of_a_side_nothing_of_others_is_told(tmp_path, capsys, words):
    """Blue orders in secret, a letter of blue waits, blue's player has a name: red reads the same as without all that."""
    told = []
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        with begun(tmp_path / name) as made:
            set_due(made, DueDate(datetime(2099, 1, 1, tzinfo=UTC)))
            set_player(made, "red", {"name": "Ann"})
            sent(made, arrived("blue", *["aim b-1 to 2"] * (name == "other"), "done"))
            if name == "other":
                sent(made, arrived("blue", "aim b-1 to 2", "done", "step b-1 to 0201", "done", file="blue-2.txt"))
                set_player(made, "blue", {"name": "Tom", "played_by": "absent"})
            for json in ((), ("--json",)):
                main([*words, str(made.path), "--as", "red", *json])
                told.append(re.sub(r"20(?!99)\d\d-\d\d-\d\dT[^\"]*|since [^,]*,?", "then", capsys.readouterr().out))
    plain, as_json, *others = told
    assert others == [plain, as_json]
    assert "none" in as_json
    assert "Tom" not in as_json
    if words != ("status",):
        assert "blue" not in plain.lower() + as_json


@pytest.mark.parametrize(("after", "late"), [(-1, IN_TIME), (0, IN_TIME), (1, IN_GRACE), (120, IN_GRACE), (121, OVER)])
def test_after_the_time_comes_grace(after, late):
    due = DueDate(NOON, grace=120)
    assert due.lateness(NOON + timedelta(minutes=after)) == late
    assert DueDate(NOON, grace=120, hold=True).lateness(NOON + timedelta(days=9)) == ON_HOLD


def test_only_who_has_something_to_give_is_late(campaign):
    set_due(campaign, DueDate(NOON - timedelta(hours=1)))
    campaign.offer(Input("do", "blue", "done"))
    assert {one.side: one.late for one in standings(campaign, NOON)} == {"blue": "", "red": OVER}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("2026-11-26 20:00", datetime(2026, 11, 26, 20, tzinfo=UTC)),
        ("2026-11-26T20:00+01:00", datetime(2026, 11, 26, 19, tzinfo=UTC)),
        ("thu 20:00", datetime(2026, 11, 26, 20, tzinfo=UTC)),
        ("Monday 11:00", datetime(2026, 11, 30, 11, tzinfo=UTC)),
        ("mon 13:30", datetime(2026, 11, 23, 13, 30, tzinfo=UTC)),
    ],
)
def test_times_as_people_type_them(text, found):
    assert when(text, NOON) == found


@pytest.mark.parametrize("text", ["", "soon", "2026-11-26", "thu 25:00", "xyz 20:00", "9999-99-99 20:00", "x" * 500])
def test_what_is_no_time(text):
    with pytest.raises(CampaignError, match=r"is not a time|has no time of day"):
        when(text, NOON)


def test_what_is_due_again_and_again():
    due = DueDate(NOON, every=span_of("1w"))
    assert due.following(NOON + timedelta(days=15)).at == NOON + timedelta(days=21)
    assert DueDate(NOON).following(NOON + timedelta(days=15)).at == NOON
    with pytest.raises(CampaignError, match="is not a duration"):
        span_of("two hours")


def test_the_desk_changes_no_digest_and_whatever_stands_in_a_note_is_no_fault(campaign):
    before = campaign.head, campaign.game.digest()
    set_due(campaign, DueDate(NOON, 5, 60, hold=True))
    set_player(campaign, "red", {"played_by": "machine", "name": "Tom"})
    assert due_of(campaign) == DueDate(NOON, 5, 60, hold=True)
    assert (players_of(campaign)["red"].played_by, players_of(campaign)["red"].called) == ("machine", "Tom")
    assert (campaign.head, campaign.game.digest()) == before
    assert campaign.verify().ok
    for wrong in ([], {"at": 3}, {"at": "x"}, {"at": "2026-01-01T00:00"}, {"at": NOON.isoformat(), "grace": 10**17}):
        campaign.keep(Beside({"due": wrong, "player red": wrong}))
        assert due_of(campaign) == DueDate()
        assert players_of(campaign)["red"].played_by == "person"
    campaign.keep(Beside({"due": {"at": NOON.isoformat(), "grace": 10**30}}))
    assert due_of(campaign) == DueDate(NOON), "no file could hold such a number: it is passed over"


def test_after_a_setting_the_desk_tells_what_was_set_and_no_more(campaign, capsys):
    def told(*words):
        capsys.readouterr()
        assert main(["desk", str(campaign.path), *words]) == 0
        return capsys.readouterr()

    assert told("--due", "2099-11-26 20:00+00:00").out == "Orders are due on Thu 26 Nov 2099 20:00 (+0000).\n"
    assert told("--as", "red", "--played-by", "absent").out.splitlines()[0].startswith("The Reds: none")
    assert told("--as", "blue/ann", "--over", "b-3").out.splitlines()[0] == "blue/ann commands b-3."
    out = told("--as", "blue/Tom", "--over", "b-1").out.splitlines()
    assert (len(out), out[0]) == (2, "blue/tom commands b-1.")
    assert told("--as", "blue/tom", "--drop") == ("", "blue/tom is no commander or observer any more.\n")
    assert len(told().out.splitlines()) > 3
    assert [one["side"] for one in json.loads(told("--hold", "--json").out)["states"]] == ["blue", "red"]


def test_a_day_whose_time_has_passed_today_is_said_to_be_that_of_next_week(campaign, capsys):
    now = datetime.now().astimezone()
    day = f"{now:%a} {'00:00' if now.hour or now.minute else '23:59'}"
    assert main(["desk", str(campaign.path), "--due", day]) == 0
    told = capsys.readouterr()
    assert (f"'{day}' has passed today: orders are due next week." in told.err) is not day.endswith("23:59")
    assert has_passed_today("mon 11:00", when("mon 11:00", NOON), NOON)
    assert not has_passed_today("mon 13:00", when("mon 13:00", NOON), NOON)
    assert not has_passed_today("sun 11:00", when("sun 11:00", NOON), NOON)
    assert not has_passed_today("2026-11-30 11:00", when("2026-11-30 11:00", NOON), NOON)


def test_reminders_go_to_who_plays_and_tell_only_him_what_is_awaited(campaign, tmp_path, capsys):
    main(["desk", str(campaign.path), "--as", "red", "--name", "Tom", "--substitute", "Ann"])
    main(["desk", str(campaign.path), "--due", "2026-11-26 20:00", "--grace", "2h"])
    campaign.refresh()
    campaign.offer(Input("do", "blue", "done"))
    capsys.readouterr()
    assert main(["remind", str(campaign.path), "--out", str(tmp_path / "out")]) == 0
    assert [one.name for one in (tmp_path / "out").iterdir()] == ["red-reminder.txt"]
    text = (tmp_path / "out/red-reminder.txt").read_text()
    assert "Dear Ann," in text
    assert "26 Nov 2026 20:00" in text
    assert "aim, brief" in text or "brief, aim" in text
    main(["desk", str(campaign.path), "--as", "red", "--played-by", "machine"])
    capsys.readouterr()
    assert main(["remind", str(campaign.path)]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    "words",
    [
        ("--grace", "2h"),
        ("--due", "soon"),
        ("--played-by", "machine"),
        ("--as", "red", "--played-by", "dog"),
        ("--as", "red", "--name", "x" * 300),
    ],
)
def test_what_is_said_wrongly_changes_nothing(campaign, capsys, words):
    assert main(["desk", str(campaign.path), *words]) in {1, 2}
    assert capsys.readouterr().out == ""
    assert campaign.notes() == {}


def test_while_dice_are_due_nobody_has_confirmed_who_may_order_again(tmp_path):
    """A `done` that ended a window before this one says nothing of it, nor do orders in it."""
    two = ("sides may step, gamble, catch together", "sides may step together\n    sides may gamble together")
    with begun(tmp_path, two, dice="typed") as campaign:
        for side in ("blue", "red", "blue", "red"):
            campaign.offer(Input("do", side, "done"))
        campaign.offer(Input("do", "blue", "gamble b-1"))
        assert states(campaign) == {"blue": "given", "red": "none"}
        campaign.offer(Input("roll", "umpire", "3"))
        assert states(campaign) == {"blue": "given", "red": "none"}
        campaign.offer(Input("do", "red", "done"))
        campaign.offer(Input("do", "blue", "gamble b-2"))
        assert states(campaign) == {"blue": "given", "red": "confirmed"}


def test_a_letter_that_was_refused_or_stopped_is_told_of_until_its_window_is_over(campaign):
    def wrong():
        return {one.side: (one.letter, *one.stopped[:1]) for one in standings(campaign, NOON) if one.letter}

    sent(campaign, arrived("blue", "aim b-9 to 2"), arrived("red", "aim r-9 to 2"))
    assert wrong() == {"blue": ("blue.txt", ""), "red": ("red.txt", "")}
    sent(campaign, arrived("blue", "done", "step b-1 to 0605", "done", file="b.txt"))
    campaign.offer(Input("do", "red", "done"))
    assert wrong() == {}
    sent(campaign)
    assert wrong() == {"blue": ("b.txt", "step b-1 to 0605")}
    campaign.offer(Input("do", "blue", "step b-1 to 0201"))
    assert wrong() == {"blue": ("b.txt", "step b-1 to 0605")}
    campaign.offer(Input("do", "blue", "done"))
    assert wrong() == {}
