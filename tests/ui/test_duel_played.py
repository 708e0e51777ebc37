"""A lesson played to its end in the app: once by keys alone, once by clicks alone. Only orders that the screen shows are given.

The daily form uses only keys, and the umpire ends the computer's play after two turns. In the long form (OPHEX_LONG=1) keys and
clicks play all twenty turns.
"""

import pytest
from textual.events import MouseScrollDown, MouseScrollUp

from campaigns.library.systems_by_name import scenarios
from campaigns.play.starting import create_campaign, open_campaign
from interpreter.messages.inputs import Input
from tests.long import LONG, in_the_long_form
from tests.ui.drawing import screen_text
from tests.ui.seat import Seat
from ui.app.ophex_app import CampaignApp
from ui.commands.demo import lesson

pytestmark = pytest.mark.timeout(600)

GUARD = "paneuropean"
MOST_WINDOWS = 80
"""Twenty turns have three windows each."""
CALLED_OFF = 3
"""The turn in which the umpire takes the machine away, every day."""


class Hands:
    """Somebody who plays the guard, and looks at nothing but the screen and the map."""

    to_the_end = True

    def __init__(self, person: Seat) -> None:
        self.person = person
        self.app: CampaignApp = person.app

    @property
    def view(self):
        return self.app.situation.view

    @property
    def phase(self) -> str:
        return self.view.phase

    def place_of(self, name: str) -> str:
        return next((one.place for one in self.view.things if one.id == name), "")

    def starred(self) -> list[str]:
        """Where the stars are, those nearest to the machine first."""
        chart, goal = self.app.map.sheet.chart, self.place_of("huscarl")
        column, row = chart.by_label[goal]
        marked = [(label, chart.by_label[label]) for label in self.app.map.sheet.marked]
        return [
            label
            for label, (x, y) in sorted(
                marked, key=lambda one: (abs(one[1][0] - column) + abs(one[1][1] - row), one[0])
            )
        ]

    async def play(self) -> None:
        """Two units go towards the machine, and shoot when they can; else the windows are ended."""
        for _ in range(MOST_WINDOWS):
            if self.view.over:
                return
            if self.has_fought and not self.to_the_end:
                return
            if self.view.turn == CALLED_OFF and self.place_of("huscarl") and not LONG:
                await self.called_off()
            if self.phase == "movement" and self.place_of("huscarl"):
                for unit in ("ht-1", "ht-2"):
                    if self.place_of(unit) and self.view.turn < 4:
                        await self.go(unit)
            if self.phase == "fire":
                for unit in ("hw-1", "ht-1"):
                    if self.place_of(unit) and self.place_of("huscarl"):
                        await self.shoot(unit)
            if not self.view.over:
                await self.done()

    @property
    def has_fought(self) -> bool:
        """Whether the guard has given an attack."""
        given = [entry.input.text for entry in self.app.desk.campaign.log() if entry.input.side == GUARD]
        return any(text.startswith("attack ") for text in given)

    async def called_off(self) -> None:
        """The umpire takes the machine away, in another session; the app follows."""
        with open_campaign(self.app.desk.campaign.path) as other:
            other.offer(Input("override", "umpire", "remove huscarl", "called off"))
        self.app.follow()
        await self.person.settle()

    async def begin(self) -> None:
        raise NotImplementedError

    async def go(self, unit: str) -> None:
        raise NotImplementedError

    async def shoot(self, unit: str) -> None:
        raise NotImplementedError

    async def done(self) -> None:
        raise NotImplementedError


class Mouse(Hands):
    """It has no keyboard."""

    to_the_end = LONG

    async def begin(self) -> None:
        assert await self.text("Begin")

    async def at(self, x: int, y: int) -> None:
        await self.person.pilot.click(offset=(x, y))
        await self.person.settle()

    async def hex(self, label: str) -> None:
        """Click on a hex; what is not in the window is brought there by the wheel."""
        shown = self.app.map
        left, top = shown.sheet.corner(*shown.sheet.chart.by_label[label])
        for _ in range(shown.sheet.height):
            y = top + 1 - shown.scroll_offset.y
            if 0 <= y < shown.size.height:
                break
            wheel = MouseScrollDown if y > 0 else MouseScrollUp
            shown.post_message(wheel(shown, 5, 5, 0, 0, 0, shift=False, meta=False, ctrl=False))
            await self.person.settle()
        x, y = left + 1 - shown.scroll_offset.x, top + 1 - shown.scroll_offset.y
        await self.at(shown.content_region.x + x, shown.content_region.y + y)

    async def text(self, said: str) -> bool:
        """Click on what the screen says; whether it does."""
        for y, line in enumerate(screen_text(self.app).splitlines()):
            if said in line:
                await self.at(line.index(said), y)
                return True
        return False

    async def go(self, unit: str) -> None:
        await self.hex(self.place_of(unit))
        if self.app.chosen.thing != unit or not self.starred():
            return  # it has nothing to do
        goal = self.starred()[0]
        await self.hex(goal)
        await self.hex(goal)
        assert await self.text(f"move {unit} to {goal}")
        assert self.place_of(unit) == goal

    async def shoot(self, unit: str) -> None:
        await self.hex(self.place_of(unit))
        target = self.place_of("huscarl")
        if self.app.chosen.thing != unit or target not in self.app.map.sheet.marked:
            return
        await self.hex(target)
        await self.hex(target)
        assert await self.text(f"attack {unit} against huscarl-main") or await self.text(
            f"attack {unit} against huscarl"
        )
        while "[ ] " in screen_text(self.app):
            await self.text("[ ] ")
        await self.text("Send answer")

    async def done(self) -> None:
        assert await self.text("Done")


class Keys(Hands):
    """They have no mouse."""

    async def begin(self) -> None:
        await self.person.press("enter")

    async def next_to(self, unit: str) -> None:
        """`n` until it is that unit's turn."""
        for _ in range(len(self.view.things)):
            if self.app.chosen.thing == unit:
                return
            await self.person.press("n")

    async def arrows(self, label: str) -> None:
        """Go there by arrows: along the row, then up or down."""
        shown = self.app.map
        for _ in range(200):
            (x, y), (column, row) = (shown.sheet.chart.by_label[one] for one in (shown.cell.label, label))
            if (x, y) == (column, row):
                return
            if x != column:
                keys = ["left" if column < x else "right"] * abs(column - x)
            else:
                keys = ["up" if row < y else "down"] * abs(row - y)
            await self.person.pilot.press(*keys)
            await self.person.settle()

    async def go(self, unit: str) -> None:
        await self.next_to(unit)
        if self.app.chosen.thing != unit or not self.starred():
            return  # it has nothing to do
        goal = self.starred()[0]
        await self.arrows(goal)
        await self.person.press("enter")
        assert f"move {unit} to {goal}" in screen_text(self.app)
        await self.person.press("enter")
        assert self.place_of(unit) == goal
        assert self.app.focused is self.app.map

    async def shoot(self, unit: str) -> None:
        await self.next_to(unit)
        target = self.place_of("huscarl")
        if self.app.chosen.thing != unit or target not in self.app.map.sheet.marked:
            return
        await self.arrows(target)
        await self.person.press("enter", "enter")
        if "F2 sends" in screen_text(self.app):
            await self.person.press("space", "f2")

    async def done(self) -> None:
        await self.person.press("d")


async def played(path, hands, size):
    """What came of a lesson: who has won, what the guard gave, and what the screen says at the end."""
    found = next(one for one in scenarios("ogre") if one.lesson)
    with create_campaign(path / "duel.ophex", "ogre/duel", seed=3) as campaign:
        app = lesson(campaign, found)
        async with app.run_test(size=size) as pilot:
            person = Seat(app, pilot)
            await person.settle()
            one = hands(person)
            assert "You play Paneuropean Federation (P on the map)." in screen_text(app)
            await one.begin()
            await one.play()
            told = screen_text(app)
            given = [entry.input.text for entry in campaign.log() if entry.input.side == GUARD]
        assert campaign.verify().ok
        return app.situation.view, given, told


@pytest.mark.parametrize(("hands", "size"), [(Keys, (80, 24)), pytest.param(Mouse, (160, 48), marks=in_the_long_form)])
async def test_a_duel_is_played_to_its_end(tmp_path, hands, size):
    view, given, told = await played(tmp_path, hands, size)
    if hands.to_the_end:
        assert view.over
        assert "The game is over" in told
        winner = next(side.title for side in view.sides if side.id == view.winner)
        assert f"{winner} won: {view.over}." in told
    moved = {text.split()[1] for text in given if text.startswith("move ")}
    shot = {text.split()[1] for text in given if text.startswith("attack ")}
    assert moved == {"ht-1", "ht-2"}
    assert shot & {"hw-1", "ht-1"}
