"""Changes and losses in a row, summed up: a field that changed twice is told once, and things that fared alike share a line."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from attrs import evolve

from dsl.text.phrases import joined
from interpreter.messages.happenings import FieldChanged, ThingRemoved
from interpreter.messages.inputs import Event
from interpreter.messages.recorded_events import with_names
from ui.cli.plain import one_line
from ui.wording.events import worded
from ui.wording.spoken import in_words

__all__ = ["is_summed", "summed"]


def summed(events: Iterable[Event]) -> list[str]:
    """Events in words; neighbouring changes and losses are summed up.

    >>> from interpreter.messages.inputs import told
    >>> def change(thing, value, was):
    ...     return told(FieldChanged((thing,), "losses", value, was, (thing,)))
    >>> def loss(thing):
    ...     return told(ThingRemoved(thing, "0304", thing, "lost"))
    >>> summed([change("a", "half", "none"), change("a", "all", "half"), change("b", "all", "none")])
    ['losses of a and b become all (were none).']
    >>> summed([change("a", "half", "none"), change("a", "none", "half")])
    ['losses of a becomes none (was half).']
    >>> summed([change("a", "half", "none"), change("a", "none", "all")])
    ['losses of a becomes half (was none).', 'losses of a becomes none (was all).']
    >>> summed([loss("a"), loss("b")])
    ['a and b in 0304 are removed: lost.']
    """
    out: list[str] = []
    for kind, some in groupby(((_what(event), event) for event in events), lambda one: type(one[0])):
        found = list(some)
        if kind is FieldChanged:
            out += _changes([what for what, _ in found if isinstance(what, FieldChanged)])
        elif kind is ThingRemoved:
            out += _losses([what for what, _ in found if isinstance(what, ThingRemoved)])
        else:
            out += worded(event for _, event in found)
    return out


def is_summed(event: Event) -> bool:
    """Whether an event is a change or a loss that may be summed up with its neighbours."""
    return _what(event) is not None


def _what(event: Event) -> FieldChanged | ThingRemoved | None:
    """A change of one thing that has no other wording, or a loss, with the name of the thing."""
    match with_names(event.what, event.text):
        case FieldChanged(things=(_,), is_mark=False) as what if what.field not in {"side", "entry", "name"}:
            return what
        case ThingRemoved() as what:
            return what
    return None


def _changes(found: Sequence[FieldChanged]) -> list[str]:
    """Each field of each thing from what it was first to what it became last; things that changed alike together."""
    chains: dict[tuple[str, str], list[FieldChanged]] = {}
    done: list[list[FieldChanged]] = []
    for now in found:
        chain = chains.pop((now.field, now.called[0]), [])
        if chain and chain[-1].value != now.was:  # something in between is not told
            done.append(chain)
            chain = []
        chains[now.field, now.called[0]] = [*chain, now]
    alike: dict[FieldChanged, dict[str, str]] = {}
    for chain in (*done, *chains.values()):
        one = _whole(chain)
        alike.setdefault(evolve(one, things=(), called=(), titles=(), veiled=False), {})[one.called[0]] = one.things[0]
    return [
        one_line(in_words(evolve(one, things=tuple(things.values()), called=tuple(things))))
        for one, things in alike.items()
    ]


def _whole(chain: Sequence[FieldChanged]) -> FieldChanged:
    """Changes that follow from one another as one; the last of them if it all came back to what it was."""
    first, last = chain[0], chain[-1]
    return last if last.value == first.was else evolve(last, was=first.was)


def _losses(found: Iterable[ThingRemoved]) -> list[str]:
    """What was lost for one reason, place by place."""
    alike: dict[str, dict[str, list[str]]] = {}
    for one in found:
        alike.setdefault(one.because, {}).setdefault(one.place or "", []).append(one.called)
    out = []
    for why, places in alike.items():
        told = "; ".join(f"{joined(things)}{f' in {where}' if where else ''}" for where, things in places.items())
        does = "are" if sum(map(len, places.values())) > 1 else "is"
        out.append(one_line(f"{told} {does} removed{': ' if why else ''}{why}."))
    return out
