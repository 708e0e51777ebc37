"""Changes and losses in a row, summed up: a field that changed twice is told once, and things that fared alike share a line."""

import re
from collections.abc import Iterable
from itertools import groupby

from attrs import evolve, frozen

from interpreter.messages.happenings import FieldChanged
from interpreter.messages.sentences import sentence_of

__all__ = ["summed"]

CHANGED = re.compile(r"(?P<field>\S+) of (?P<thing>\S+) becomes (?P<value>.+) \(was (?P<was>.+)\)\.")
REMOVED = re.compile(r"(?P<thing>\S+)(?P<where> in \S+)? is removed(?P<because>: .+)?\.")


@frozen
class _Change:
    field: str
    value: str
    was: str


def summed(lines: Iterable[str]) -> list[str]:
    """Sentences about changes and losses, the neighbouring ones summed up; all others as they are.

    >>> summed(["losses of a becomes half (was none).", "losses of a becomes all (was half).", "losses of b becomes all (was none)."])
    ['losses of a, b becomes all (was none).']
    >>> summed(["losses of a becomes half (was none).", "losses of a becomes none (was half)."])
    ['losses of a becomes none (was half).']
    >>> summed(["losses of a becomes half (was none).", "losses of a becomes none (was all)."])
    ['losses of a becomes half (was none).', 'losses of a becomes none (was all).']
    >>> summed(["a in 0304 is removed: lost.", "b in 0304 is removed: lost.", "The rest retreats."])
    ['a and b in 0304 are removed: lost.', 'The rest retreats.']
    """
    out: list[str] = []
    for kind, some in groupby(lines, _kind):
        rows = list(some)
        if kind == "change":
            out += _changes(rows)
        elif kind == "removal":
            out += _removals(rows)
        else:
            out += rows
    return out


def _kind(line: str) -> str:
    return "change" if CHANGED.fullmatch(line) else "removal" if REMOVED.fullmatch(line) else ""


def _changes(lines: list[str]) -> list[str]:
    chains: dict[tuple[str, str], list[_Change]] = {}
    alike: dict[_Change, dict[str, None]] = {}
    for line in lines:
        found = CHANGED.fullmatch(line)
        assert found is not None
        now = _Change(found["field"], found["value"], found["was"])
        chain = chains.pop((found["field"], found["thing"]), [])
        if chain and chain[-1].value != now.was:  # something in between is not told
            alike.setdefault(_whole(chain), {})[found["thing"]] = None
            chain = []
        chains[found["field"], found["thing"]] = [*chain, now]
    for (_, thing), chain in chains.items():
        alike.setdefault(_whole(chain), {})[thing] = None
    return [
        sentence_of(FieldChanged((), one.field, one.value, one.was, (", ".join(things),)))
        for one, things in alike.items()
    ]


def _whole(chain: list[_Change]) -> _Change:
    """Changes that follow from one another as one; the last of them if it all came back to what it was."""
    first, last = chain[0], chain[-1]
    return last if last.value == first.was else evolve(last, was=first.was)


def _removals(lines: list[str]) -> list[str]:
    alike: dict[str, dict[str, list[str]]] = {}
    for line in lines:
        found = REMOVED.fullmatch(line)
        assert found is not None
        alike.setdefault(found["because"] or "", {}).setdefault(found["where"] or "", []).append(found["thing"])
    out = []
    for why, places in alike.items():
        told = "; ".join(f"{_listed(things)}{where}" for where, things in places.items())
        out.append(f"{told} {'are' if sum(map(len, places.values())) > 1 else 'is'} removed{why}.")
    return out


def _listed(things: list[str]) -> str:
    return f"{', '.join(things[:-1])} and {things[-1]}" if len(things) > 1 else things[0]
