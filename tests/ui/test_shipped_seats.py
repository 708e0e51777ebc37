"""The app on the shipped systems, in a side's seat: another session gives orders, and `why` is asked about things without numbers.

The daily form plays one game in each of two systems: in btr an order and the end of a window come from elsewhere, in ww2 things
without numbers are asked about. The long form does both in further games of both, with all orders.
"""

import pytest
from textual.widgets import Input, OptionList

from campaigns.play.starting import create_campaign, open_campaign
from interpreter.messages.inputs import Input as Given
from tests.long import either
from tests.ui.drawing import screen_text
from tests.ui.seat import Seat
from ui.app.ophex_app import CampaignApp
from ui.app.seat_desk import Desk

pytestmark = pytest.mark.timeout(600)

BLUES = {
    "btr/first-battle": ("write-order guns-41 to AA", "guns"),
    "ww2/gorsk-week": ("file b-9pz to campaign-probe", "b-9pz"),
}
REDS = {
    "btr/first-battle": ("write-order gtd-79 to AA", "write-order gmrd-39 to AA", "done"),
    "ww2/gorsk-week": ("file r-70 to hold", "file r-corps-troops to rest", "done"),
}


@pytest.mark.parametrize("scenario", either(["btr/first-battle"], list(BLUES)))
async def test_what_red_gives_elsewhere_moves_nothing_on_blues_screen(tmp_path, scenario):
    """The filter and the highlighted line stay, not one character on the screen changes, and Enter gives the order that was highlighted."""
    meant, typed = BLUES[scenario]
    with create_campaign(tmp_path / "two.ophex", scenario, seed=7) as campaign:
        app = CampaignApp(Desk(campaign, "blue"))
        async with app.run_test(size=(120, 40)) as pilot:
            person = Seat(app, pilot)
            await person.settle()
            await person.press("2", "f")
            await person.type(typed)
            await person.press("enter")
            choices = app.query_one("#choices", OptionList)
            choices.focus()
            choices.highlighted = person.listed.index(meant)
            await person.settle()
            before = screen_text(app)
            given_by_red = either(REDS[scenario][::2], REDS[scenario])
            for order in given_by_red:
                with open_campaign(campaign.path) as other:
                    other.offer(Given("do", "red", order))
                app.follow()
                await person.settle()
                assert screen_text(app) == before
                assert str(choices.highlighted_option.prompt) == meant
                assert app.query_one("#filter", Input).value == typed
            await person.press("enter")
            given = [entry.input for entry in campaign.log()]
            assert (given[0].side, given[0].text) == ("blue", meant)
            assert len(given) == len(given_by_red) + 1


@pytest.mark.parametrize("scenario", either(["btr/first-battle"], list(BLUES)))
async def test_an_order_that_is_gone_meanwhile_is_not_another_one(tmp_path, scenario):
    """Somebody else on blue's side gives the order that is highlighted here: Enter then gives nothing."""
    meant, _ = BLUES[scenario]
    with create_campaign(tmp_path / "two.ophex", scenario, seed=7) as campaign:
        app = CampaignApp(Desk(campaign, "blue"))
        async with app.run_test(size=(120, 40)) as pilot:
            person = Seat(app, pilot)
            await person.settle()
            await person.press("2")
            choices = app.query_one("#choices", OptionList)
            choices.highlighted = person.listed.index(meant)
            await person.settle()
            with open_campaign(campaign.path) as other:
                other.offer(Given("do", "blue", meant))
                assert meant not in other.game.legal("blue")
            app.follow()
            await person.settle()
            assert choices.highlighted is None
            await person.press("enter")
            assert [one.input.text for one in campaign.log()] == [meant]


@pytest.mark.parametrize("scenario", either(["ww2/lipki"], ["ww2/gorsk-week", "ww2/lipki", "btr/theatre"]))
async def test_why_of_the_next_unit_shows_something(tmp_path, scenario):
    """`n`, `w`, Enter: even for a unit without a number of its own, the app says what can be asked, and answers it."""
    with create_campaign(tmp_path / "why.ophex", scenario, seed=7) as campaign:
        app = CampaignApp(Desk(campaign, "blue"))
        async with app.run_test(size=(120, 40)) as pilot:
            person = Seat(app, pilot)
            await person.settle()
            await person.press("n")
            if not app.chosen.thing:  # nothing can be ordered to a unit yet
                app.go_to(next(x.id for x in app.situation.view.things if x.side == "blue" and x.place))
            said = list(person.notices)
            await person.press("w")
            because = app.query_one("#because", OptionList)
            question = app.query_one("#question", Input).value
            if not question:
                assert "You can ask, for example:" in screen_text(app)
                question = str(because.highlighted_option.prompt).strip()
                await person.press("enter")
            await person.press("enter")
            assert question.endswith(f" of {app.chosen.thing}")
            assert because.option_count > 0
            assert f"{question} = " in screen_text(app)
            assert person.notices == said
