"""Odds in the app: beside the open question and beside a typed order, as the seat may know them; no key waits for them."""

import asyncio

from textual.widgets import Input, Static

from interpreter.messages.inputs import Input as Given
from tests.campaigns import gunnery
from tests.campaigns.gunnery import battery
from tests.long import LONG
from ui.app.odds_beside import Bookmaker
from ui.app.ophex_app import CampaignApp
from ui.app.seat_desk import Desk
from ui.main import main

SMALL, LARGE = (80, 24), (160, 48)


class Slow:
    """Tells odds when it is let; what it was asked, and what was given up."""

    patience = 0.01

    def __init__(self):
        self.asked, self.given_up, self.may = [], [], asyncio.Event()

    async def tell(self, side, command=""):
        self.asked.append((side, command))
        try:
            await self.may.wait()
        except asyncio.CancelledError:
            self.given_up.append(command)
            raise
        return [f"{side} {command}"]


def opened(campaign, seat, bookmaker):
    app = CampaignApp(Desk(campaign, seat), bookmaker=bookmaker)
    app.follow_every = 0
    return app


async def comes(pilot, test):
    """Waits until something holds."""
    for _ in range(1_200):
        await pilot.pause(0.05)
        if test():
            return
    raise AssertionError("it has not come")


def odds(app):
    return str(app.query_one("#odds", Static).render()) if app.query_one("#odds").display else ""


async def typed(pilot, app, text):
    app.query_one("#line", Input).focus()
    await pilot.pause()
    app.query_one("#line", Input).value = text
    await pilot.pause()


async def test_no_key_waits_for_odds(tmp_path):
    slow = Slow()
    with battery(tmp_path) as campaign:
        app = opened(campaign, "blue", slow)
        async with app.run_test(size=SMALL) as pilot:
            await comes(pilot, lambda: app.situation is not None)
            await typed(pilot, app, "shell b-1 against r-1")
            await comes(pilot, lambda: slow.asked)
            await pilot.press("x")
            assert app.query_one("#line", Input).value == "shell b-1 against r-1x"  # though odds are being worked out
            await comes(pilot, lambda: slow.given_up == ["shell b-1 against r-1"])
            await pilot.press("backspace")
            await comes(pilot, lambda: slow.asked[-1] == ("blue", "shell b-1 against r-1"))
            assert odds(app) == ""
            slow.may.set()
            await comes(pilot, lambda: odds(app) == "Odds: blue shell b-1 against r-1")
            await typed(pilot, app, "")
            await comes(pilot, lambda: odds(app) == "")
            many = len(slow.asked)
            await typed(pilot, app, "nothing that is an order")
            await pilot.pause(0.2)
            assert len(slow.asked) == many


async def test_odds_of_what_is_typed_are_those_of_paper(tmp_path):
    """A shot does 0, 1 or 3 harm, a third each; r-1 has 3 hits and falls in one case of three. They fit small and large screens."""
    with battery(tmp_path) as campaign:
        app = opened(campaign, "blue", Bookmaker(str(campaign.path), patience=0.01))
        async with app.run_test(size=SMALL) as pilot:
            await comes(pilot, lambda: app.situation is not None)
            await typed(pilot, app, "shell b-1 against r-1")
            await comes(pilot, lambda: odds(app))
            first, second = odds(app).splitlines()
            assert first == "Odds: shell b-1 against r-1 [1d6 (die); exact]"
            assert "loss 0 1/3 = 33.3 %; 1 1/3 = 33.3 %; 3 1/3 = 33.3 %" in second
            assert "The Reds would lose 0.33" in second
            for size, most in ((SMALL, 4), (LARGE, 8)):
                await pilot.resize_terminal(*size)
                await pilot.pause()
                assert app.query_one("#odds").size.height <= most
            assert campaign.head == 0


async def test_odds_that_rest_on_what_is_hidden_are_not_told(tmp_path, capsys, monkeypatch):
    """Whether a roar scares depends on the nerve of r-1, which only red knows. If it were open, blue would read more than nothing.

    The long form also asks the bookmaker of the app, which runs the same command.
    """
    command = "scare b-1 against r-1"

    def told(folder, nerve):
        folder.mkdir(exist_ok=True)
        with battery(folder, nerve=nerve, name=f"nerve-{nerve}") as campaign:
            file = str(campaign.path)
        capsys.readouterr()
        assert main(["odds", file, "--as", "blue", "--brief", command]) == 0
        return file, *capsys.readouterr()

    file, out, err = told(tmp_path / "hidden", 1)
    assert told(tmp_path / "hidden", 6)[1:] == (out, err)
    assert "lose" not in out
    if LONG:
        assert await Bookmaker(file).tell("blue", command) == out.splitlines()
    monkeypatch.setattr(gunnery, "GUNNERY", gunnery.GUNNERY.replace("  hidden from enemy: nerve\n", ""))
    bold, timid = (told(tmp_path / "open", nerve)[1] for nerve in (1, 6))
    assert bold != timid
    assert "would lose" in bold


async def test_the_open_question_tells_what_each_answer_is_worth(tmp_path):
    """Two hits are due on a die of 5 or 6: 2/3 of a hit on average, whoever takes them. The worth is 10 less the hits of each."""
    with battery(tmp_path) as campaign:
        campaign.offer(Given("do", "blue", "pick b-1"))
        app = opened(campaign, "umpire", Bookmaker(str(campaign.path), patience=0.01))
        async with app.run_test(size=SMALL) as pilot:
            await comes(pilot, lambda: app.situation is not None and odds(app))
            assert odds(app).splitlines() == [
                "Odds: hits-due 2",
                "b-1: worth 7 · The Blues would lose strength 0.67 on average",
                "b-2: worth 8 · The Blues would lose strength 0.67 on average",
            ]


def test_the_command_says_shortly_what_hangs_on_dice(tmp_path, capsys):
    with battery(tmp_path) as campaign:
        file = str(campaign.path)
    for command, out, err in (
        ("shell b-1 against r-1", "shell b-1 against r-1 [1d6 (die); exact]", ""),
        ("done", "", "Nothing depends on dice before the next decision."),
    ):
        capsys.readouterr()
        assert main(["odds", file, "--as", "blue", "--brief", command]) == 0
        said = capsys.readouterr()
        assert (said.out.split("\n")[0], said.err.strip()) == (out, err)
