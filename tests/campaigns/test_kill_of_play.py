"""Sealed dice, imports of each kind, written files and deadlines, killed at any instant: nothing is lost, nothing is half done.

The long form kills more than twenty times as often.
"""

import json
import random
import tempfile
from datetime import timedelta
from functools import cache
from pathlib import Path

import pytest

from campaigns.desk.calendar import DueDate, set_due
from campaigns.desk.trays import sealed_by
from campaigns.desk.turning import turn_on
from campaigns.file.store import Store
from campaigns.play.campaign import Campaign
from campaigns.play.recorded_seals import new_secret, read_secret
from campaigns.play.starting import start
from campaigns.play.together import batches
from campaigns.repair.exchange import export
from interpreter.messages.inputs import Input
from tests.campaigns import skirmishes, volleys
from tests.campaigns.nursery_of_play import NOON, PARTIES, WEEK
from tests.campaigns.test_kill import killed_writer, nursery
from tests.desk.outposts import arrived, begun, sent
from tests.long import either, number

KILLS = number("OPHEX_KILLS", 16, 400)
FEWEST = either(2, 8)
MOST = either(20, 10)
"""Where no kill has fallen in the middle of a step yet, up to so many times as many are tried."""
NURSERY = Path(__file__).with_name("nursery_of_play.py")
pytestmark = pytest.mark.slow


@pytest.fixture
def luck():
    seed = random.Random().randrange(2**32)
    print(f"seed {seed}")
    return random.Random(seed)


@pytest.fixture(scope="module")
def writers():
    """One process in which all writers are begun: to begin it takes longer than most of them live."""
    with nursery(NURSERY) as process:
        yield process


@pytest.fixture
def kills(luck, writers):
    """Kills a writer again and again, and looks after each at what there is; ends by seeing that some fell in the middle."""

    def kill(mode, path, count, patience, look, enough=lambda: True):
        """enough: whether what the writers did by now is worth looking at."""
        middle, count = 0, max(count, FEWEST)
        for killed in range(count * MOST):
            if killed >= count and middle and enough():
                break
            said = killed_writer(writers, path, luck.randrange(2**32), patience * luck.random(), mode)
            began = bool(said)
            # However busy the machine is, a writer has begun in most cases.
            patience *= 0.95 if began else 1.3
            middle += began and said[-1][0] == "about"
            look(said)
        assert middle, "no kill fell in the middle of a step: the test has lost its point"

    return kill


def test_sealed_dice_are_committed_and_revealed_by_whole_steps(tmp_path, kills):
    """Each reported anchor and link is in the record and is used once, and the roll continues with the next party."""
    with volleys.campaign_of(tmp_path, dice="sealed") as campaign:
        path = campaign.path
    for party in PARTIES:
        new_secret(tmp_path / f"{party}.secret", 2000)
    heads = [0]

    def look(said):
        with Campaign.open(path, start) as campaign:
            verdict = campaign.verify()  # it looks at every link of every line
            assert verdict.ok, verdict.problems
            reported = max([heads[0], *(int(rest[0]) for word, *rest in said if word in {"open", "done"})])
            under_way = bool(said) and said[-1][0] == "about"
            assert campaign.head in ({reported, reported + 1} if under_way else {reported})
            seals = [e.input for e in reversed(campaign.log()) if e.input.kind == "seal"]
            mailed = [e.number for e in campaign.log() if e.input.kind == "seal" and e.input.side != "umpire"]
            letters = campaign.letters()
            assert sorted(one for letter in letters for one in sealed_by(letter)) == sorted(mailed), (
                "each came in a letter that says so"
            )
            assert len(letters) == len(mailed)
            anchors = [one.side for one in seals if one.text.startswith("commit")]
            assert len(anchors) == len(set(anchors)) <= 3
            links = [one.side for one in seals if not one.text.startswith("commit")]
            counts = [links.count(party) for party in PARTIES]
            assert max(counts) - min(counts) <= 1
            assert [e.kind for one in campaign.log() for e in one.events].count("roll") >= min(counts)
            heads[0] = campaign.head

    kills("seals", path, KILLS // 4, 0.15, look, lambda: heads[0] > 20)
    assert heads[0] > 20, "hardly anything was thrown: the test has lost its point"


def test_a_secret_is_there_whole_or_not_at_all(tmp_path, kills):
    def look(_):
        for file in tmp_path.glob("*.secret"):
            assert read_secret(file).links == 40

    def made():
        return list(tmp_path.glob("*.secret"))

    kills("secret", tmp_path / "x", KILLS // 8, 0.02, look, made)
    assert made()


def test_an_imported_campaign_is_there_whole_or_not_at_all(tmp_path, kills):
    with skirmishes.campaign_of(tmp_path) as campaign:
        skirmishes.at_the_table(campaign)
        hash_, data = campaign.entry(2).hash, export(campaign)
    (tmp_path / "c.json").write_text(json.dumps(data))
    home = tmp_path / "made"
    home.mkdir()
    (home / "c.json").write_text(json.dumps(data))

    def look(_):
        for file in home.glob("*.ophex"):
            if not file.name.startswith("."):
                with Campaign.open(file, start) as made:
                    assert (made.head, made.entry(2).hash) == (2, hash_)
                    assert made.verify().ok
                file.unlink()
                found.append(file)

    found = []
    kills("exported", home / "x", KILLS // 8, 2.0, look, lambda: found)
    assert found


def test_a_form_is_given_whole_or_not_at_all(tmp_path, kills):
    """Five answers in one batch: the campaign is in the state before all of them or after."""
    with skirmishes.campaign_of(tmp_path) as campaign:
        path = skirmishes.at_the_table(campaign).path

    def look(_):
        with Campaign.open(path, start) as campaign:
            assert campaign.verify().ok
            line = campaign.between(0, campaign.head)
            assert len(line) in {2, 7}
            entries = {entry.number for entry in campaign.log()}
            whole = batches(campaign.store, 2, max(entries))
            assert entries == {1, 2, *(n for one in whole for n in range(one.first, one.last + 1))}
            assert all(one.last - one.first == 4 for one in whole)

    kills("form", path, KILLS // 8, 0.15, look)


def test_a_roster_is_read_in_whole_or_not_at_all(tmp_path, kills):
    """Both guns always have the same strength."""
    with skirmishes.campaign_of(tmp_path) as campaign:
        campaign.offer(roster_of(7))
        path = campaign.path

    def look(_):
        with Campaign.open(path, start) as campaign:
            assert campaign.verify().ok
            fields = {
                thing.id: thing.fields["strength"] for thing in campaign.game.view("umpire").things if thing.id in "ax"
            }
            assert fields["a"] == fields["x"]
            heads.append(campaign.head)

    heads = []
    kills("roster", path, KILLS // 16, 0.6, look, lambda: max(heads) > 2)
    assert max(heads) > 2


def roster_of(number):
    return Input("roster", "umpire", f"strength of a: {number}\nstrength of x: {number}", "begun alike")


def test_a_written_file_is_there_whole(tmp_path, kills):
    path = tmp_path / "x.json"

    def look(_):
        if path.exists():
            words = json.loads(path.read_text())["text"].split()
            assert len(words) in {1, 1000, 200_000}
            assert len(set(words)) == 1

    kills("files", path, KILLS // 8, 0.05, look, enough=path.exists)
    assert path.exists()


def test_what_is_closed_at_a_deadline_is_closed_once_and_for_every_side(tmp_path, kills):
    """However often the night's job is killed and restarted, the line is the same as that of a job that is never stopped."""
    path = late_week(tmp_path)
    (tmp_path / "outposts.ophex.week").write_text("0")
    reference = tmp_path / "reference"
    reference.mkdir()
    done = [-1]

    def look(_):
        with Campaign.open(path, start) as campaign:
            assert campaign.verify().ok
            line = inputs_of(campaign)
        given, done[0] = done[0], int((tmp_path / "outposts.ophex.week").read_text())
        nights(undisturbed, done[0] + 1, given + 1)
        assert line == inputs_of(undisturbed)[: len(line)]

    with Campaign.open(late_week(reference), start) as undisturbed:
        set_due(undisturbed, DueDate(NOON, every=WEEK))
        kills("deadline", path, KILLS // 8, 0.5, look, lambda: done[0] >= 3)
    assert done[0] >= 3


def late_week(folder):
    """A campaign in which nobody gives anything in time; red has standing orders that do one after the other."""
    with begun(folder) as campaign:
        sent(campaign, arrived("red", "repeat aim r-1 to 3", "repeat aim r-1 to 4"))
        return campaign.path


def nights(campaign, number, first=0):
    """All inputs after so many nights, each one week after the other."""
    for night in range(first, number):
        turn_on(campaign, NOON + timedelta(minutes=1 + WEEK * night), overdue=True)
    return inputs_of(campaign)


def inputs_of(campaign):
    return [campaign.entry(n).input for n in campaign.between(0, campaign.head)]


@cache
def known_nights():
    """The inputs after no night, one, two and three of a job that is never stopped."""
    with tempfile.TemporaryDirectory() as home, Campaign.open(late_week(Path(home)), start) as campaign:
        set_due(campaign, DueDate(NOON, every=WEEK))
        return [nights(campaign, number, max(number - 1, 0)) for number in range(4)]


class Killed(BaseException):
    """The process is killed here."""


@pytest.mark.parametrize("where", either(range(0, 9, 2), range(9)))
def test_a_job_that_is_killed_before_any_write_of_it_leads_to_the_same_when_it_is_run_again(
    tmp_path, where, monkeypatch
):
    """The same without chance: the job ends before its n-th write, and is run again the same night."""
    known = known_nights()[3]
    path = late_week(tmp_path)
    with Campaign.open(path, start) as campaign:
        set_due(campaign, DueDate(NOON, every=WEEK))
    left = [where]

    def before(store_write):
        def write(*given, **named):
            left[0] -= 1
            if left[0] < 0:
                raise Killed
            return store_write(*given, **named)

        return write

    def killed():
        with Campaign.open(path, start) as campaign:
            nights(campaign, 3)

    with monkeypatch.context() as patch:
        patch.setattr(Store, "_write", before(Store._write))
        with pytest.raises(Killed):
            killed()
    with Campaign.open(path, start) as campaign:
        stopped = inputs_of(campaign)
        assert stopped == known[: len(stopped)]
        week = next(n for n in range(4) if len(known_nights()[n]) >= len(stopped)) if stopped else 0
        for night in range(max(week - 1, 0), 3):
            turn_on(campaign, NOON + timedelta(minutes=1 + WEEK * night), overdue=True)
        assert inputs_of(campaign) == known
