"""The five states of orders in the app, in the title and above the orders. In a side's own seat only that side's states are shown.

In the daily form each seat looks at one state on a large screen (blue while nothing is due) and at all of them on a small one; in the
long form at all of them on both.
"""

from contextlib import asynccontextmanager
from datetime import UTC, datetime

from campaigns.desk.calendar import DueDate, set_due
from interpreter.messages.inputs import Input
from tests.desk.outposts import begun
from tests.long import LONG
from tests.ui.drawing import screen_text
from tests.ui.seat import Seat
from ui.app.ophex_app import CampaignApp
from ui.app.seat_desk import Desk

SMALL, LARGE = (80, 24), (160, 48)


@asynccontextmanager
async def sat_down(campaign, seat):
    """Somebody in the seat: what the screen shows after some orders, small and large."""
    app = CampaignApp(Desk(campaign, seat))
    app.follow_every = 0
    async with app.run_test(size=SMALL) as pilot:
        person = Seat(app, pilot)
        await person.settle()

        async def shown(*orders, wide=True):
            for order in orders:
                await person.order(order)
            await person.press("escape", "2")
            small = screen_text(app)
            assert len(small.splitlines()) == SMALL[1]
            if not (wide or LONG):
                return (small,)
            await pilot.resize_terminal(*LARGE)
            await person.settle()
            await person.until(lambda: len(screen_text(app).splitlines()) == LARGE[1])
            large = screen_text(app)
            await pilot.resize_terminal(*SMALL)
            await person.settle()
            await person.until(lambda: len(screen_text(app).splitlines()) == SMALL[1])
            assert len(large.splitlines()) == LARGE[1]
            return small, large

        yield shown


async def test_each_state_is_told_where_one_orders(tmp_path):
    with begun(tmp_path) as campaign:
        steps = [
            ((), "none"),
            (("aim b-1 to 2",), "given"),
            (("brief b-2",), "partial"),
            (("answer pal-of with b-1", "answer goal with 3", "done"), "confirmed"),
        ]
        async with sat_down(campaign, "blue") as shown:
            for orders, state in steps:
                for text in await shown(*orders, wide=state == "confirmed"):
                    assert f"orders: {state}" in text.splitlines()[0]
                    assert "The Blues: " not in text
        async with sat_down(campaign, "umpire") as shown:
            for text in await shown():
                assert "The Blues: confirmed · The Reds: none" in text
        set_due(campaign, DueDate(datetime(2099, 1, 1, 20, tzinfo=UTC)))
        async with sat_down(campaign, "blue") as shown:
            for text in await shown(wide=False):
                assert "The Blues: confirmed, since" in text
                assert "The Reds: " not in text
        campaign.offer(Input("do", "red", "done"))
        campaign.offer(Input("override", "umpire", "remove r-1\nremove r-2", "by hand"))
        async with sat_down(campaign, "red") as shown:
            for text in await shown():
                assert "orders: nothing to order" in text.splitlines()[0]
                assert "The Reds: nothing to order" in text
                assert "Orders are due on Thu 1 Jan 2099 20:00" in text
                assert "The Blues: " not in text
