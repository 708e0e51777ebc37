"""A command: an order with what it says for each argument, how it is written, and why it is refused."""

from __future__ import annotations

import attrs

from dsl import ir
from interpreter.codegen.python_names import slot_of
from interpreter.frames import Frame
from interpreter.program_data import OrderProgram
from interpreter.refusals import Refusal
from interpreter.runtime import say

__all__ = [
    "Argument",
    "Command",
    "LegalCommand",
    "about_command",
    "command_data",
    "sentence",
    "usage",
    "written",
]


@attrs.define(slots=True, eq=False)
class Command:
    """An order with its arguments settled, ready to be carried out."""

    order: OrderProgram
    frame: Frame
    text: str


@attrs.frozen
class Argument:
    """What a command says for one argument. of: its kind, its scale of words, or "number", "mark" and the like.

    values: the ids of things and places, words, numbers; several where the order takes several.
    """

    name: str
    of: str
    values: tuple[str, ...]


@attrs.frozen
class LegalCommand:
    """A command that may be given, as data. text: as `do` takes it; order: the name of the order."""

    text: str
    order: str
    arguments: tuple[Argument, ...] = ()


def written(order: OrderProgram, frame: Frame) -> str:
    """A command as `do` takes it."""
    out = order.name
    for number, (prep, name, _, _) in enumerate(order.params):
        out += (
            f" {say(getattr(frame, slot_of(name)))}" if number == 0 else f" {prep} {say(getattr(frame, slot_of(name)))}"
        )
    return out + (f" via {' '.join(p.label for p in frame.via)}" if frame.via else "")


def command_data(command: Command) -> LegalCommand:
    """A command with what it says for each argument."""
    found = []
    for _, name, type_, _ in command.order.params:
        value = getattr(command.frame, slot_of(name))
        listed = value if isinstance(value, list | tuple) else [value]
        of = type_.of or type_
        found.append(Argument(name, of.word or of.name, tuple(say(one) for one in listed)))
    return LegalCommand(command.text, command.order.name, tuple(found))


def about_command(command: Command, reason: Refusal) -> Refusal:
    """A reason against a command, which speaks of that, too."""
    said = command_data(command)
    about = {"order": said.order, "arguments": {x.name: list(x.values) for x in said.arguments}}
    return attrs.evolve(reason, about={**about, **reason.about})


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
