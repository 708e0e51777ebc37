"""What a side sees when its commands are read, checked or listed: the game itself, or its mirror of it."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.commands.command import Command
from interpreter.commands.plain_commands import PlainCommands
from interpreter.mirrors.known_world import function_there
from interpreter.mirrors.mirror import Mirror
from interpreter.runtime.things import Value
from interpreter.world.world import World

__all__ = ["Mirrored", "Sight"]


class Sight:
    """The view of a world's commands with nothing hidden."""

    def __init__(self, commands: PlainCommands) -> None:
        self.commands = commands

    @property
    def world(self) -> World:
        """The world in view."""
        return self.commands.world

    def there(self, value: Value) -> Value:
        """A side, a thing, a value, or a command, as seen. Raises Hidden for a thing that is not visible."""
        return value

    def back(self, value: Value) -> Value:
        """The object in the game for one as seen."""
        return value

    def function_there(self, function: Callable[[], Value]) -> Callable[[], Value]:
        """A function that a procedure has made, for the things as seen."""
        return function

    def show_way(self, seen: Command, command: Command) -> None:
        """Gives a command the route that was found for it as seen."""


class Mirrored(Sight):
    """The view of one side in its mirror."""

    def __init__(self, commands: PlainCommands, mirror: Mirror) -> None:
        super().__init__(commands)
        self.mirror = mirror

    def there(self, value: Value) -> Value:
        """A side, a thing, a value, or a command, as the side sees it. Raises Hidden for a thing that it must not know of."""
        if isinstance(value, Command):
            return Command(value.order, self.mirror.frame_there(value.frame), value.data)
        return self.mirror.there(value)

    def back(self, value: Value) -> Value:
        """The object in the game for one that the side sees."""
        if isinstance(value, Command):
            return Command(value.order, self.mirror.frame_back(value.frame), value.data)
        return self.mirror.back(value)

    def function_there(self, function: Callable[[], Value]) -> Callable[[], Value]:
        """A function that a procedure has made, for the things as the side sees them."""
        return function_there(self.mirror, function)

    def show_way(self, seen: Command, command: Command) -> None:
        """Gives a command the route that was found for it as seen."""
        command.frame.route, command.frame.chosen = seen.frame.route, self.mirror.back(seen.frame.chosen)
