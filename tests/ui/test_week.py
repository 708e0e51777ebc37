"""The app on a shipped campaign week: from sealed orders to the first dawn of the battle that they lead to.

In the daily form inputs of a kind that the app gives elsewhere in this test go straight to the campaign, and so does `done` for
sides that have nothing to order. In the long form each of them is typed in the app.
"""

import pytest

from campaigns.play.starting import create_campaign
from campaigns.play.typed import input_of
from tests.long import LONG
from tests.ui.drawing import screen_text
from tests.ui.seat import Seat
from ui.app.ophex_app import CampaignApp
from ui.app.seat_desk import Desk
from ui.cli.playing import with_question

pytestmark = pytest.mark.timeout(600)


def waits(person):
    """Whose turn it is, and for what."""
    return [(a.side, a.name) for a in person.app.desk.campaign.game.awaiting]


def place_of(person, name):
    """Where the app shows a unit."""
    return next(one.place for one in person.app.situation.view.things if one.id == name)


async def briefly(person, *orders):
    """Orders of whoever waits first, each day without the screen."""
    for order in orders:
        if LONG:
            await person.order(order)
        else:
            campaign = person.app.desk.campaign
            campaign.offer(with_question(input_of(order, waits(person)[0][0]), campaign.game.awaiting))


async def passed_over(person, idle):
    """Windows are ended as long as the first that waits is `idle`."""
    while idle(*waits(person)[0]):
        await briefly(person, "done")


async def look(person):
    """The app looks again at what has been given briefly."""
    if not LONG:
        person.app.action_refresh_now()
        await person.settle()


async def test_two_days_of_a_week_in_the_app(tmp_path):
    with create_campaign(tmp_path / "gorsk.ophex", "ww2/gorsk-week", seed=7) as campaign:
        app = CampaignApp(Desk(campaign, "umpire"))
        async with app.run_test(size=(180, 50)) as pilot:
            person = Seat(app, pilot)
            await person.settle()
            assert waits(person) == [("blue", "week"), ("red", "week")]

            # The first day: orders of the week, replacements, policies, plans, the march into the city.
            await person.order("file b-9pz to offensive")
            assert ", for b-9pz: Which zone?" in screen_text(app)
            await person.order("answer objective with Z-0302")
            await briefly(person, "done", "done", "rebuild r-19-t4", "done")
            for _ in range(2):
                assert waits(person) == [("blue", "ruling")]
                await briefly(person, "answer ruling with neutral")
            await look(person)
            assert waits(person) == [("blue", "ruling")]
            await person.order("answer ruling with neutral")
            assert waits(person) == [("blue", "plans")]
            await briefly(person, "done", "done")
            await passed_over(person, lambda side, name: (side, name) == ("red", "campaign"))
            await look(person)
            await person.order("advance b-9pz to Z-0203")
            assert "another objective" in person.notices[-1]
            await person.order("advance b-9pz to Z-0302")
            await briefly(person, "done")
            await passed_over(person, lambda _, name: name == "campaign")
            assert waits(person) == [("red", "strikes")]
            assert any("A battle will be fought in Z-0302" in e.text for x in campaign.log() for e in x.events)
            await briefly(person, "answer strikes with no")

            # The second: the defender sets out, then the attacker; the Division that acts first gets its orders.
            assert waits(person) == [("red", "deployment")]
            await look(person)
            await person.order("entrench r-70 to 1006")
            await briefly(person, "done", "deploy b-9pz-t1, b-9pz-t2, b-9pz-m1 to 0806", "done")
            await passed_over(person, lambda _, name: name != "plans")
            await briefly(person, "aim b-9pz to 0906")
            await passed_over(person, lambda _, name: name in {"plans", "campaign"})
            await passed_over(person, lambda side, _: side == "red")
            assert waits(person) == [("blue", "free-moves")]
            await look(person)
            assert "march b-9pz-t1 to 0906" in screen_text(app)
            await person.order("march b-9pz-t1 to 0906")
            await person.order("answer along with b-9pz-t2, b-9pz-m1")
            assert place_of(person, "b-9pz-m1") == "0906"
            await briefly(person, "done")
            await look(person)
            await person.order("assault b-9pz-m1 to 1006")
            await person.order("answer beside with b-9pz-t1")
            assert place_of(person, "b-9pz-m1") == "0906-1006"
            await person.press("escape", "u")
            assert place_of(person, "b-9pz-m1") == "0906"
        assert campaign.verify().ok
