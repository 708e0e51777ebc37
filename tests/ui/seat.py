"""A person in front of the app, who presses keys and reads."""

from textual.widgets import Input

from tests.long import LONG

KEYS = {" ": "space", "-": "minus", ",": "comma", "_": "underscore"}


class Seat:
    """A person in front of the app."""

    def __init__(self, app, pilot):
        self.app, self.pilot = app, pilot
        app.NOTIFICATION_TIMEOUT = 3600  # on a slow machine a notice must not be gone before it is read

    async def press(self, *keys):
        for key in keys:
            await self.pilot.press(key)
            await self.settle()

    async def type(self, text):
        """Type into what has the focus: key by key in the long form, every day the last key by itself and what is before it at once."""
        if isinstance(self.app.focused, Input) and not LONG:
            self.app.focused.insert_text_at_cursor(text[:-1])
            text = text[-1:]
        await self.pilot.press(*(KEYS.get(sign, sign) for sign in text))
        await self.settle()

    async def settle(self):
        await self.app.workers.wait_for_complete()
        await self.pilot.pause()

    async def until(self, holds):
        """Wait until something holds, at most some seconds: what is asserted after it may take its time on a busy machine."""
        for _ in range(200):
            if holds():
                return
            await self.pilot.pause(0.05)

    async def order(self, text):
        """Give an order by the command line."""
        line = self.app.query_one("#line", Input)
        line.focus()
        line.value = text
        await self.press("enter")

    @property
    def listed(self):
        """The orders and answers in the list, as they are typed."""
        return [one.text for one in self.app.orders._shown]

    @property
    def log(self):
        return [entry.input.text for entry in self.app.desk.campaign.log() if entry.on_path]

    @property
    def notices(self):
        return [notice.message for notice in self.app._notifications]
