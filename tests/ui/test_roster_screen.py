"""The roster in the app: opened by key and by mouse, in narrow and wide windows, following the game.

The game is `tests/interpreter/toy/ships.rules`: iris at 0202 has six guns, otto at 0203 five, one of them shot away.
"""

from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.widgets import Static

from campaigns.play.starting import create_campaign
from interpreter.messages.inputs import Input
from tests.ui.drawing import screen_text
from tests.ui.seat import Seat
from ui.app.actions import ACTIONS
from ui.app.dialogs import help_rows
from ui.app.ophex_app import CampaignApp
from ui.app.roster_window import RosterScreen
from ui.app.seat_desk import Desk

SHIPS = (Path(__file__).parents[1] / "interpreter" / "toy" / "ships.rules").read_text(encoding="utf-8")


@pytest.fixture
def duel(tmp_path):
    (tmp_path / "ships").mkdir()
    (tmp_path / "ships" / "ships.rules").write_text(SHIPS)
    with create_campaign(tmp_path / "a.ophex", str(tmp_path / "ships" / "duel"), seed=4) as campaign:
        for line in ("remove otto-secondary-2", "otto-main becomes out", 'title of otto-main = "[b]Ann[/b]"'):
            campaign.offer(Input("override", "umpire", line, "hit before"))
        yield campaign


@pytest.fixture
def sit(duel):
    @asynccontextmanager
    async def open_app(size=(160, 48), seat="blue"):
        app = CampaignApp(Desk(duel, seat))
        app.follow_every = 0
        async with app.run_test(size=size) as pilot:
            person = Seat(app, pilot)
            await person.settle()
            yield person

    return open_app


async def go_to(person, name):
    await person.press("g")
    await person.type(name)
    await person.press("enter")


def shown(person):
    return str(person.app.screen.query_one("#roster-text", Static).render())


@pytest.mark.parametrize("size", [(80, 24), (160, 48)])
async def test_a_key_opens_the_roster_of_the_selected_unit(sit, size):
    async with sit(size) as person:
        await go_to(person, "otto")
        await person.press("o")
        lines = shown(person).splitlines()
        assert max(map(len, lines)) < size[0]
        assert any(line.startswith("otto: cruiser ship, in 0203") for line in lines)
        (main,) = [line for line in lines if line.strip().startswith("otto-main ")]
        assert main.split() == ["otto-main", "[b]Ann[/b]", "6", "4", "out"]
        (lost,) = [line for line in lines if line.strip().startswith("otto-secondary-2 ")]
        assert lost.endswith("gone")
        assert "iris" not in shown(person)
        assert "otto: cruiser ship, in 0203" in screen_text(person.app)
        await person.press("escape")
        assert not isinstance(person.app.screen, RosterScreen)


async def test_a_click_on_the_line_under_the_map_opens_it(sit):
    async with sit((80, 24)) as person:
        await go_to(person, "0202")
        assert "o roster" in str(person.app.query_one("#under", Static).render())
        await person.pilot.click("#under")
        await person.settle()
        assert "iris-cutter-2-cox" in shown(person)
        assert "otto" not in shown(person)


async def test_without_a_unit_it_lists_all_forces_and_a_turns_to_them(sit):
    async with sit() as person:
        await go_to(person, "0101")
        await person.press("o")
        assert "Blue:" in shown(person)
        assert "Red:" in shown(person)
        await person.press("o")
        await go_to(person, "otto")
        await person.press("o", "a")
        assert "iris-main" in shown(person)
        await person.press("a")
        assert "iris-main" not in shown(person)


async def test_it_shows_what_the_seat_may_know(sit):
    async with sit(seat="red") as person:
        await person.press("o")
        assert "iris-main" in shown(person)
        assert "eel" not in shown(person)


async def test_it_follows_what_another_session_does(sit, duel):
    async with sit(seat="umpire") as person:
        await go_to(person, "iris")
        await person.press("o")
        assert "hull ■■■■■■■■■■■■ 12/12" in shown(person)
        duel.offer(Input("override", "umpire", "hull of iris = 7", "a hit"))
        person.app.ask(person.app.desk.refresh)
        await person.settle()
        assert "hull ■■■■■■■□□□□□ 7/12" in shown(person)
        duel.offer(Input("override", "umpire", "remove iris", "sunk"))
        person.app.ask(person.app.desk.refresh)
        await person.settle()
        assert "iris: cruiser ship; gone" in shown(person)


def test_the_help_tells_of_the_key():
    assert [text for key, text in help_rows() if key == "o"] == [next(x.help for x in ACTIONS if x.id == "play.roster")]
