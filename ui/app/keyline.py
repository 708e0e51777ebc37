"""The line of keys at the bottom. It is rebuilt only when different keys apply, and drops the previous ones."""

from textual.screen import Screen
from textual.widgets import Footer

__all__ = ["KeyLine"]


class KeyLine(Footer):
    """Textual's footer would be rebuilt at each change of focus and keep every key that it ever showed; this one is not."""

    def __init__(self) -> None:
        super().__init__(compact=True, show_command_palette=True)
        self._told: object = None

    def bindings_changed(self, screen: Screen[object]) -> None:
        """Show the active keys, unless they are already shown."""
        if not (self.is_attached and screen is self.screen):
            return
        telling = [
            (key, active.binding.action, active.binding.description, active.enabled)
            for key, active in screen.active_bindings.items()
            if active.binding.show
        ]
        if telling != self._told:
            self._told = telling
            super().bindings_changed(screen)

    async def recompose(self) -> None:
        """Rebuild the keys, and drop old ones from the watchers of `compact`."""
        await super().recompose()
        self.mutate_reactive(Footer.compact)
