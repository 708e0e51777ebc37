"""The five states of orders in the app: in the title and above the orders, of a side's own seat that side's alone."""

from datetime import UTC, datetime

import pytest

from campaigns.desk.calendar import DueDate, set_due
from interpreter.messages.inputs import Input
from tests.desk.outposts import begun
from tests.ui.drawing import screen_text
from tests.ui.seat import Seat
from ui.app.ophex_app import CampaignApp
from ui.app.seat_desk import Desk


async def shown(campaign, seat, size, *orders):
    """The screen after some orders."""
    app = CampaignApp(Desk(campaign, seat))
    app.follow_every = 0
    async with app.run_test(size=size) as pilot:
        person = Seat(app, pilot)
        await person.settle()
        for order in orders:
            await person.order(order)
        await person.press("escape", "2")
        return screen_text(app)


@pytest.mark.parametrize("size", [(80, 24), (160, 48)])
async def test_each_state_is_told_where_one_orders(tmp_path, size):
    with begun(tmp_path) as campaign:
        steps = [
            ((), "none"),
            (("aim b-1 to 2",), "given"),
            (("brief b-2",), "partial"),
            (("answer pal-of with b-1", "answer goal with 3", "done"), "confirmed"),
        ]
        for orders, state in steps:
            text = await shown(campaign, "blue", size, *orders)
            assert f"orders: {state}" in text.splitlines()[0]
            assert "The Blues: " not in text
        text = await shown(campaign, "umpire", size)
        assert "The Blues: confirmed · The Reds: none" in text
        set_due(campaign, DueDate(datetime(2099, 1, 1, 20, tzinfo=UTC)))
        text = await shown(campaign, "blue", size)
        assert "The Blues: confirmed, since" in text
        assert "The Reds: " not in text
        campaign.offer(Input("do", "red", "done"))
        campaign.offer(Input("override", "umpire", "remove r-1\nremove r-2", "by hand"))
        text = await shown(campaign, "red", size)
        assert "orders: nothing to order" in text.splitlines()[0]
        assert "The Reds: nothing to order" in text
        assert "Orders are due on Thu 1 Jan 2099 20:00" in text
        assert "The Blues: " not in text
