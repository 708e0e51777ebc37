"""Orders that differ only in the part of a whole that they name, folded into one line each: thirty parts do not flood a list."""

from collections.abc import Collection, Iterator, Sequence

from attrs import evolve, frozen

from campaigns.views.parts_in_words import PartsOfThings
from interpreter.commands.command import LegalCommand, worded

__all__ = ["ListRow", "rows"]


@frozen
class ListRow:
    """A line of a list of orders.

    Attributes:
        command: the order, or for several the order with the wholes in place of the parts.
        count: how many orders are folded in it; 0 for an order itself.
        depth: how deep it is under opened lines.
        opened: whether its folded orders are listed below.
    """

    command: LegalCommand
    count: int = 0
    depth: int = 0
    opened: bool = False

    @property
    def said(self) -> str:
        """The order in words."""
        return self.command.text

    def __str__(self) -> str:
        if not self.count:
            return f"{'  ' * self.depth}{self.said}"
        return f"{'  ' * self.depth}{'▾' if self.opened else '▸'} {self.said} ({self.count})"


def rows(
    commands: Sequence[LegalCommand], parts: PartsOfThings, opened: Collection[str], aimed: Collection[str] = ()
) -> list[ListRow]:
    """The lines for some orders, in their order.

    Args:
        commands: the orders.
        parts: what things are made of.
        opened: the texts of the folded lines that are open.
        aimed: wholes whose parts are never folded because somebody aims at them.
    """
    return list(_rows(commands, 0, 0, parts, opened, frozenset(aimed)))


def _rows(
    commands: Sequence[LegalCommand], first: int, depth: int, parts: PartsOfThings, opened: Collection[str],
    aimed: frozenset[str],
) -> Iterator[ListRow]:  # fmt: skip
    """Lines in which the parts among the values from `first` on are folded."""
    groups: dict[tuple[object, ...], list[LegalCommand]] = {}
    for command in commands:
        shown = [*command.values[:first], *(_whole(value, parts, aimed) for value in command.values[first:])]
        counts = [len(one.values) for one in command.arguments]
        groups.setdefault((command.order, *counts, *shown, command.via), []).append(command)
    for found in groups.values():
        if len(found) == 1:
            yield ListRow(found[0], depth=depth)
            continue
        columns = list(zip(*(command.values for command in found), strict=True))
        folded = [number for number, values in enumerate(columns) if len(set(values)) > 1]
        row = _folded(found[0], folded, parts)
        yield ListRow(row, len(found), depth, row.text in opened)
        if row.text in opened and folded:
            yield from _rows(found, max(first, folded[0]) + 1, depth + 1, parts, opened, aimed)


def _folded(command: LegalCommand, folded: Collection[int], parts: PartsOfThings) -> LegalCommand:
    """A command that names the wholes in place of some of its values, by their numbers; its text says that any part is meant."""
    named, said = [], []
    numbers = iter(range(len(command.values)))
    for one in command.arguments:
        here = [(value, next(numbers) in folded) for value in one.values]
        named.append(evolve(one, values=tuple(parts.whole_of(x) if is_any else x for x, is_any in here)))
        said.append(evolve(one, values=tuple(f"a part of {parts.whole_of(x)}" if is_any else x for x, is_any in here)))
    return evolve(command, text=worded(command.order, said, command.via), arguments=tuple(named))


def _whole(name: str, parts: PartsOfThings, aimed: frozenset[str]) -> str:
    """The whole in place of a part, unless that is aimed at."""
    whole = parts.whole_of(name)
    return name if whole in aimed else whole
