"""A command: an order with its arguments, how it is written, and why it is refused."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import attrs

from dsl import ir
from interpreter.codegen.python_names import slot_of
from interpreter.program.program_data import OrderProgram
from interpreter.runtime.frames import Frame
from interpreter.runtime.refusals import About, Refusal
from interpreter.runtime.runtime import say

__all__ = [
    "Argument",
    "Command",
    "LegalCommand",
    "about_command",
    "command_of",
    "sentence",
    "usage",
    "worded",
]


@attrs.frozen
class Argument:
    """The value of one argument of a command. of: its kind, its scale of words, or "number", "mark" and the like.

    values: the ids of things and places, words, numbers; several if the order takes several. before: the preposition before them.
    """

    name: str
    of: str
    values: tuple[str, ...]
    before: str = ""


@attrs.frozen
class LegalCommand:
    """A legal command as data. text: as `do` takes it; order: the name of the order; via: the places of its chosen route, if it has one."""

    text: str
    order: str
    arguments: tuple[Argument, ...] = ()
    via: tuple[str, ...] = ()

    @property
    def values(self) -> tuple[str, ...]:
        """Its arguments, in order."""
        return tuple(value for one in self.arguments for value in one.values)

    @property
    def names(self) -> frozenset[str]:
        """All that it names: ids of things and places, words and numbers."""
        return frozenset((*self.values, *self.via))


@attrs.define(slots=True, eq=False)
class Command:
    """An order with its arguments settled, ready to be carried out. data: the same as data."""

    order: OrderProgram
    frame: Frame
    data: LegalCommand

    @property
    def text(self) -> str:
        """As `do` takes it."""
        return self.data.text


def worded(order: str, arguments: Iterable[Argument], via: Sequence[str] = ()) -> str:
    """A command as `do` takes it.

    >>> worded("attack", [Argument("who", "unit", ("a-1", "a-2")), Argument("whom", "unit", ("b-1",), "against")])
    'attack a-1, a-2 against b-1'
    """
    said = (f"{f' {one.before}' if one.before else ''} {', '.join(one.values) or 'none'}" for one in arguments)
    return order + "".join(said) + (f" via {' '.join(via)}" if via else "")


def command_of(order: OrderProgram, frame: Frame) -> LegalCommand:
    """A command as data, with its arguments."""
    found = []
    for number, (before, name, type_, _) in enumerate(order.params):
        value = getattr(frame, slot_of(name))
        listed = value if isinstance(value, list | tuple) else [value]
        of = type_.of or type_
        found.append(Argument(name, of.word or of.name, tuple(map(say, listed)), before if number else ""))
    via = tuple(place.label for place in frame.via)
    return LegalCommand(worded(order.name, found, via), order.name, tuple(found), via)


def about_command(command: Command, reason: Refusal) -> Refusal:
    """A reason against a command, with the command's data added."""
    said = command.data
    about = About(order=said.order, arguments={x.name: list(x.values) for x in said.arguments})
    about.update(reason.about)
    return attrs.evolve(reason, about=about)


def usage(order: OrderProgram) -> str:
    """How an order is written."""
    out = order.name
    for number, (prep, name, type_, many) in enumerate(order.params):
        word = f"{name.upper()}{', …' if many else ''}"
        out += f" {word}" if number == 0 else f" {prep} {word}"
        del type_
    going = any(isinstance(c.said, ir.Reaching) for c in order.clauses)
    return out + (" [via PLACE PLACE …]" if going else "")


def sentence(text: str) -> str:
    """A text as a sentence of its own."""
    text = text.strip()
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?", "!")) else ".")
