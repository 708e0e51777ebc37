"""`status` repeats its earlier output only if the file, the program and the reader are the same."""

import json
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest

from campaigns.desk.calendar import IN_GRACE, IN_TIME, OVER, DueDate, set_due
from campaigns.play.starting import open_campaign
from campaigns.views import glance
from campaigns.views.glance import keep_for_next, keep_glance, kept_glance, look, state_of
from dsl.text import keeping
from interpreter.messages.inputs import Input
from tests.desk.outposts import begun
from ui import main as door

NOW = datetime(2031, 5, 6, 12, tzinfo=UTC)


@pytest.fixture
def path(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with begun(tmp_path) as campaign:
        return campaign.path


@pytest.fixture
def ophex(capsys, path):
    """What `status` prints, and whether the game was played for it."""
    played = []

    def run(*line, to=path):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("campaigns.play.starting.open_campaign", partial(opened, played))
            before = len(played)
            code = door.main(["status", str(to), *line])
            return code, *capsys.readouterr(), len(played) > before

    return run


def opened(played, path):
    played.append(path)
    return open_campaign(path)


@pytest.mark.parametrize(
    "line", [(), ("--as", "blue"), ("--as", "The Reds"), ("--json",), ("--json", "--as", "red"), ("--of", "b-1")]
)
def test_the_same_is_told_again_without_playing(ophex, line):
    *first, played = ophex(*line)
    assert played
    *second, again = ophex(*line)
    assert not again
    assert second == first
    assert first[0] == 0
    assert "b-1" in first[1]


def test_each_side_is_told_its_own(ophex):
    told = {side: [ophex("--as", side)[1] for _ in range(2)] for side in ("umpire", "blue", "red")}
    assert all(first == second for first, second in told.values())
    assert "0203" in told["umpire"][1]
    assert "0203" not in told["blue"][1]
    assert "0203" in told["red"][1]


def test_a_side_that_is_not_there_is_refused_each_time(ophex):
    assert ophex("--as", "green")[:3] == ophex("--as", "green")[:3]
    assert ophex("--as", "green")[0] == 2


def test_after_something_is_given_the_next_look_is_kept_already(ophex, path, capsys):
    """The kept output is the same as that of a game that is replayed."""
    assert door.main(["do", str(path), "--as", "blue", "aim b-1 to 3"]) == 0
    capsys.readouterr()
    told = {side: ophex("--as", side) for side in ("blue", "red")} | {"": ophex()}
    assert not any(one[3] for one in told.values())
    with open_campaign(path) as campaign:
        assert campaign.head == 1
        for side in ("umpire", "blue", "red"):
            assert kept_glance(state_of(path), side.replace("umpire", "")) == look(campaign, side, NOW).at(NOW)


@pytest.mark.parametrize("other", ["an input", "a note", "a reader"])
def test_nothing_is_kept_for_the_next_look_where_somebody_else_has_the_file(path, other):
    """What a session that has written sees is kept only if the file it leaves is exactly that."""
    with open_campaign(path) as campaign, open_campaign(path) as second:
        campaign.offer(Input("do", "blue", "aim b-1 to 3"))
        if other == "an input":
            second.refresh()
            second.offer(Input("do", "red", "aim r-1 to 3"))
        elif other == "a note":
            set_due(second, DueDate(NOW))
        keep_for_next(campaign, NOW)
    known = kept_glance(state_of(path), "")
    with open_campaign(path) as campaign:
        assert known is None or known == look(campaign, "umpire", NOW).at(NOW)


def test_nothing_is_kept_where_the_file_changes_while_it_is_looked_at(path, monkeypatch):
    with open_campaign(path) as campaign, open_campaign(path) as second:
        campaign.offer(Input("do", "blue", "aim b-1 to 3"))
        second.refresh()
        real = glance.look

        def slow(*given):
            found = real(*given)
            if given[1] == "red":
                second.offer(Input("do", "red", "aim r-1 to 3"))
                second.refresh()
            return found

        monkeypatch.setattr(glance, "look", slow)
        keep_for_next(campaign, NOW)
    assert kept_glance(state_of(path), "") is None


def test_what_is_given_shows_at_once(ophex, path):
    before = ophex("--as", "blue", "--json")
    with open_campaign(path) as campaign:
        campaign.offer(Input("do", "blue", "aim b-1 to 3"))
    code, out, _, played = ophex("--as", "blue", "--json")
    assert played
    assert (code, '"aim": "3"' in out, '"aim": "3"' in before[1]) == (0, True, False)


def test_a_note_of_the_desk_shows_at_once(ophex, path):
    ophex()
    with open_campaign(path) as campaign:
        set_due(campaign, DueDate(NOW))
    assert '"due": "2031-05-06T12:00:00+00:00"' in ophex("--json")[1]


def test_how_late_it_is_moves_with_the_time(path):
    with open_campaign(path) as campaign:
        set_due(campaign, DueDate(NOW, grace=60))
    state = state_of(path)
    with open_campaign(path) as campaign:
        found = look(campaign, "umpire", NOW)
    keep_glance(path, state, "", found)
    kept = kept_glance(state, "")
    assert kept == found
    later = [kept.at(NOW + timedelta(minutes=minutes)).standings[0].late for minutes in (-5, 5, 65)]
    assert later == [IN_TIME, IN_GRACE, OVER]


def test_another_program_tells_anew(ophex, monkeypatch):
    ophex()
    monkeypatch.setattr(glance, "stamp_of", lambda *_: "another")
    assert ophex()[3]


def test_a_copy_is_the_same_campaign_and_a_changed_one_is_not(ophex, path, tmp_path):
    first = ophex()
    copy = tmp_path / "copy.ophex"
    copy.write_bytes(path.read_bytes())
    assert ophex(to=copy) == (*first[:3], False)
    data = bytearray(path.read_bytes())
    data[0] ^= 0xFF  # it is not a database any more
    copy.write_bytes(data)
    assert ophex(to=copy)[0] == 1


def test_a_log_beside_the_file_is_part_of_it(path):
    before = state_of(path)
    path.with_name(path.name + "-wal").write_bytes(b"something")
    assert state_of(path) not in {before, ""}


def test_what_changes_while_it_is_looked_at_is_not_kept(path):
    state = state_of(path)
    with open_campaign(path) as campaign:
        found = look(campaign, "umpire", NOW)
        campaign.offer(Input("do", "blue", "aim b-1 to 3"))
    keep_glance(path, state, "", found)
    assert kept_glance(state, "") is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[]",
        "{}",
        '{"view":{},"standings":[]}',
        '{"view":{"sides":[[]],"things":[],"gone":[],"awaiting":[]},"standings":[]}',
    ],
)
def test_a_foreign_entry_is_not_believed(ophex, tmp_path, text):
    first = ophex()
    (entry,) = (tmp_path / "cache" / "ophex").glob("glance-*.json")
    entry.write_text(f"{keeping.digest(text)}\n{text}")
    assert ophex() == (*first[:3], True)


@pytest.mark.parametrize(
    ("field", "value"),
    [("turn", '"1"'), ("over", "1"), ("facts", '{"a":1}'), ("hints", '"x"'), ("scenario", "null")],
)
def test_a_value_of_another_kind_is_not_believed(ophex, tmp_path, field, value):
    first = ophex()
    (entry,) = (tmp_path / "cache" / "ophex").glob("glance-*.json")
    said = json.loads(entry.read_text().partition("\n")[2])
    said["view"][field] = json.loads(value)
    text = json.dumps(said)
    entry.write_text(f"{keeping.digest(text)}\n{text}")
    assert ophex() == (*first[:3], True)
