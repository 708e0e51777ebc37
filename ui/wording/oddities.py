"""Oddities of the sides, in words: for `desk` and `advance`."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from campaigns.desk import odd

if TYPE_CHECKING:
    from campaigns.desk.odd import Odd

__all__ = ["as_json", "odd_lines"]

MOST_NAMES = 12
MOST_LINES = 20


def odd_lines(
    found: "Sequence[Odd]", titles: Mapping[str, str], rest: str = "; `ophex desk --json` prints them all"
) -> list[str]:
    """A line for each odd thing; similar ones of one side share a line. rest: says where the lines are that are left out."""
    lines = []
    alike: dict[tuple[str, str, tuple[str, ...]], list[str]] = {}
    for one in found:
        who = titles.get(one.side, one.side)
        match one.kind:
            case odd.IDLE:
                lines.append(f"{who}: no part of {one.whole} has an order ({_few(one.things)}; {_could(one.orders)}).")
            case odd.TWICE:
                lines.append(f"{who}: {one.things[0]} has several orders of the same kind: {'; '.join(one.orders)}.")
            case odd.CANCELLED:
                lines.append(f"{who}: {one.things[0]} is unchanged by its orders: {'; '.join(one.orders)}.")
            case _:
                alike.setdefault((one.kind, one.side, one.orders), []).extend(one.things)
    for (kind, side, orders), names in alike.items():
        who = titles.get(side, side)
        said = f"no order ({_could(orders)})" if kind == odd.UNORDERED else "short of supply"
        lines.append(f"{who}: {said}: {_few(names)}.")
    left = len(lines) - MOST_LINES
    return lines if left <= 0 else [*lines[:MOST_LINES], f"and {left} more lines{rest}."]


def _could(orders: Sequence[str]) -> str:
    return f"possible: {_few(orders)}"


def _few(names: Sequence[str]) -> str:
    more = len(names) - MOST_NAMES
    return ", ".join(names[:MOST_NAMES]) + (f" and {more} more" if more > 0 else "")


def as_json(found: "Sequence[Odd]") -> list[dict[str, Any]]:
    """The odd things as objects."""
    return [
        {"kind": x.kind, "side": x.side, "things": list(x.things), "orders": list(x.orders), "whole": x.whole}
        for x in found
    ]
