"""The app on a shipped campaign week: from sealed orders to the first dawn of the battle that they lead to.

Every day whoever has nothing to order is passed over without a look at the screen; in the long form each such window is ended in the app.
"""

import pytest

from campaigns.play.starting import create_campaign
from interpreter.messages.inputs import Input
from tests.long import LONG
from tests.ui.drawing import screen_text
from tests.ui.seat import Seat
from ui.app.ophex_app import CampaignApp
from ui.app.seat_desk import Desk

pytestmark = pytest.mark.timeout(600)


def waits(person):
    """Whose turn it is, and for what."""
    return [(a.side, a.name) for a in person.app.desk.campaign.game.awaiting]


def place_of(person, name):
    """Where the app shows a unit."""
    return next(one.place for one in person.app.situation.view.things if one.id == name)


async def passed_over(person, idle):
    """Windows are ended as long as the first that waits is `idle`; the app looks again."""
    campaign = person.app.desk.campaign
    while idle(*waits(person)[0]):
        if LONG:
            await person.order("done")
        else:
            campaign.offer(Input("do", waits(person)[0][0], "done"))
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
            assert ", for b-9pz: To which zone?" in screen_text(app)
            await person.order("answer objective with Z-0302")
            await person.order("done")
            await person.order("done")
            await person.order("rebuild r-19-t4")
            await person.order("done")
            for _ in range(3):
                assert waits(person) == [("blue", "ruling")]
                await person.order("answer ruling with neutral")
            assert waits(person) == [("blue", "plans")]
            await person.order("done")
            await person.order("done")
            await passed_over(person, lambda side, name: (side, name) == ("red", "campaign"))
            await person.order("advance b-9pz to Z-0203")
            assert "another objective" in person.notices[-1]
            await person.order("advance b-9pz to Z-0302")
            await person.order("done")
            await passed_over(person, lambda _, name: name == "campaign")
            assert waits(person) == [("red", "strikes")]
            assert any("A battle is to be fought in Z-0302" in e.text for x in campaign.log() for e in x.events)
            await person.order("answer strikes with no")

            # The second: the defender sets out, then the attacker; the Division that acts first gets its orders.
            assert waits(person) == [("red", "deployment")]
            await person.order("entrench r-70 to 1006")
            await person.order("done")
            await person.order("deploy b-9pz-t1, b-9pz-t2, b-9pz-m1 to 0806")
            await person.order("done")
            await passed_over(person, lambda _, name: name != "plans")
            await person.order("aim b-9pz to 0906")
            await passed_over(person, lambda _, name: name in {"plans", "campaign"})
            await passed_over(person, lambda side, _: side == "red")
            assert waits(person) == [("blue", "free-moves")]
            assert "march b-9pz-t1 to 0906" in screen_text(app)
            await person.order("march b-9pz-t1 to 0906")
            await person.order("answer along with b-9pz-t2, b-9pz-m1")
            assert place_of(person, "b-9pz-m1") == "0906"
            await person.order("done")
            await person.order("assault b-9pz-m1 to 1006")
            await person.order("answer beside with b-9pz-t1")
            assert place_of(person, "b-9pz-m1") == "0906-1006"
            await person.press("escape", "u")
            assert place_of(person, "b-9pz-m1") == "0906"
        assert campaign.verify().ok
