"""A week for two sides by files alone, with letters as people write them: late, twice, signed, quoted, one wrong.

docs/organizing.md is the guide that this follows. Players know nothing but their packets: whose orders are awaited, and the examples
there.
"""

import json
import re

import pytest

from campaigns.play.campaign import Campaign
from campaigns.play.starting import create_campaign, start
from tests.desk.people import Week
from tests.long import LONG, either, in_the_long_form
from ui.main import main

pytestmark = pytest.mark.timeout(600)


class Umpire:
    """An umpire at his desk: a campaign file, and folders of what goes out and what comes back."""

    def __init__(self, room, scenario, capsys):
        self.file, self.out, self.inbox, self.capsys = room / "my.ophex", room / "out", room / "in", capsys
        self.inbox.mkdir()
        self.letters = 0
        assert self.run("new", "--scenario", scenario, "--seed", "7")[0] == 0

    def run(self, command, *words):
        self.capsys.readouterr()
        code = main([command, str(self.file), *map(str, words)])
        return code, self.capsys.readouterr().out

    def send(self):
        """Writes the packets; the sides of which something is awaited."""
        assert self.run("mail", "--out", self.out)[0] == 0
        templates = {one.name.removesuffix("-orders.txt"): one.read_text() for one in self.out.glob("*-orders.txt")}
        return {side: text for side, text in templates.items() if "#   nothing now" not in text}

    def comes(self, side, text):
        """A letter that was saved as it came."""
        self.letters += 1
        (self.inbox / f"{side}-{self.letters}.txt").write_bytes(text.encode())

    def take_in(self):
        """Reads the letters; the fate of each that is new, and the receipts."""
        code, out = self.run("mail", "--in", self.inbox, "--out", self.out, "--json")
        fates = [(one["side"], one["fate"]) for one in json.loads(out)["letters"] if one["fate"] != "known"]
        receipts = {one.name.removesuffix("-receipt.txt"): one.read_text() for one in self.out.glob("*-receipt.txt")}
        return code, fates, receipts

    def states(self):
        return {one["side"]: one["state"] for one in json.loads(self.run("desk", "--json")[1])["states"]}

    def turn(self):
        found = json.loads(self.run("status", "--json")[1])
        return found["turn"], found["over"]


def replied(template, *orders):
    """A template as a mail program sends it back: quoted, with a greeting and a signature, and CRLF."""
    kept = template.partition("end of orders")[0].rstrip().splitlines()
    lines = [
        "Hi,",
        "",
        "here they come.",
        *(f"> {line}" for line in (*kept, *orders)),
        "",
        "> end of orders",
        "-- ",
        "Tom",
        "done",
    ]
    return "\ufeff" + "\r\n".join(lines)


def answered(template):
    """What somebody writes who decides nothing: the first example of an answer, or `done`."""
    shown = template.partition("# For example:")[2].partition("\n#\n")[0]
    examples = re.findall(r"^#   (answer \S.*)$", shown, re.MULTILINE)
    return examples[0] if examples else "done"


def goes_on(umpire, rounds):
    """So many rounds by files alone, until nothing is awaited or the turn is over."""
    begun = umpire.turn()
    for _ in range(rounds):
        templates = umpire.send()
        if not templates or umpire.turn() != begun:
            break
        for side, template in templates.items():
            umpire.comes(side, replied(template, answered(template).upper()))
        code, fates, receipts = umpire.take_in()
        assert code == 0, receipts
        assert {fate for _, fate in fates} <= {"taken", "waiting"}, (fates, receipts)
        assert umpire.run("advance")[0] == 0
    return umpire.turn()


def is_whole(umpire):
    with Campaign.open(umpire.file, start) as campaign:
        return campaign.verify().ok


def test_a_week_of_gorsk(tmp_path, capsys):
    umpire = Umpire(tmp_path, "ww2/gorsk-week", capsys)
    umpire.run("desk", "--due", "2020-01-02 20:00+00:00", "--every", "1w", "--grace", "2h")
    templates = umpire.send()
    assert set(templates) == {"blue", "red"}
    assert umpire.states() == {"blue": "none", "red": "none"}

    # One is wrong: nothing of it is taken, and the receipt says where and what would be legal. The next lacks the answer to what its order asks.
    umpire.comes("blue", replied(templates["blue"], "file b-9pz to offensiv", "done"))
    umpire.comes("blue", replied(templates["blue"], "File B-9PZ to offensive.", "Done"))
    code, fates, receipts = umpire.take_in()
    assert (code, fates, umpire.states()["blue"]) == (1, [("blue", "refused"), ("blue", "refused")], "none")
    assert re.search(r"line \d+, column 17: file b-9pz to offensiv$", receipts["blue"], re.MULTILINE)
    assert "week-order (hold, march," in receipts["blue"]
    assert "answer objective with" in receipts["blue"]

    # Then it is right, and comes twice; the second time with another name.
    right = replied(templates["blue"], "File B-9PZ to offensive.", "answer objective with z-0302", "Done!")
    umpire.comes("blue", right)
    umpire.comes("blue", right)
    assert umpire.take_in()[:2] == (0, [("blue", "taken"), ("blue", "same")])
    assert umpire.states() == {"blue": "confirmed", "red": "none"}

    # Red is late, is reminded of nothing that blue did, and at last its window is ended without it.
    code, out = umpire.run("remind", "--json")
    (reminder,) = json.loads(out)["reminders"]
    assert (reminder["side"], reminder["late"]) == ("red", "over")
    assert "b-9pz" not in reminder["text"]
    assert json.loads(umpire.run("advance", "--due", "--json")[1])["closed"] == ["red"]
    umpire.comes("red", replied(templates["red"], "file r-70 to march"))
    code, fates, receipts = umpire.take_in()
    assert (code, fates) == (1, [("red", "refused")])
    assert "file" in receipts["red"]

    assert umpire.take_in()[:2] == (0, [])  # nothing has happened since: nobody is told of it again

    # In the long form both answer what they are asked from here on, and no more, to the end of the first turn.
    if LONG:
        assert goes_on(umpire, 12)[1] == ""
    assert is_whole(umpire)


WHOLE = 400
"""A campaign is over before so many rounds."""
BRISK = either({"eager_every": 2, "wrong_every": 2, "twice_every": 2}, {})
"""Where a campaign goes on for some rounds only, all that people do comes up in these."""


@pytest.mark.parametrize(
    ("scenario", "turn", "over", "orders", "habits", "rounds"),
    [
        ("bth/duel", 7, "nobody holds Market Cross after six turns", "march", {"eager_every": 2}, 3),
        pytest.param("btr/first-sorties", 3, "the exercise is over", "write-order", {"eager_every": 4, "twice_every": 6, "ahead": 2}, 2, marks=in_the_long_form),
        ("ogre/duel", 21, "the command post has held", "move", {"eager_every": 6, "twice_every": 6, "ahead": 4}, 4),
        pytest.param("infantry/skirmish", 13, "neither side has more troopers in the houses", "hasten", {"eager_every": 6, "twice_every": 6, "ahead": 4}, 3, marks=in_the_long_form),
    ],
)  # fmt: skip
def test_a_whole_campaign_of_each_system(tmp_path, scenario, turn, over, orders, habits, rounds):
    """To the end that the scenario names, by the bytes of letters alone: late, twice, wrong, signed, quoted, encoded, with either line end.

    In the daily form two of them go on for some rounds, with OPHEX_LONG=1 all four to their end.
    """
    with create_campaign(tmp_path / "my.ophex", scenario, seed=7) as campaign:
        week = Week.of(campaign, **{**habits, **BRISK})
        most = either(rounds, WHOLE)
        if week.runs(most) < most or most == WHOLE:
            assert (campaign.game.turn, campaign.game.over) == (turn, over)
        assert {"taken", "same", "refused"} <= set(week.fates)
        given = [campaign.entry(number).input for number in campaign.between(0, campaign.head)]
        assert orders in {one.text.split()[0].lower() for one in given if one.kind == "do"}
        assert {one.side for one in given} == {side.id for side in campaign.game.sides}
        assert campaign.verify().ok


@pytest.mark.slow
@in_the_long_form
def test_the_week_of_gorsk_to_its_end(tmp_path):
    """All seven days by the bytes of letters; the test above plays the beginning daily."""
    with create_campaign(tmp_path / "my.ophex", "ww2/gorsk-week", seed=7) as campaign:
        week = Week.of(campaign, eager_every=0, twice_every=5, ahead=2)
        assert week.runs(400) < 400
        assert (campaign.game.turn, campaign.game.over) == (7, "the last week is over")
        assert {"taken", "same", "refused"} <= set(week.fates)
        assert campaign.verify().ok
