"""`Hidden`: the error raised by reading something hidden of a thing, or of the names of a procedure. Nothing else raises it.

Ordinary reads stay as fast as they are: only an object with something to hide has a class that checks where a value is missing.
"""

from __future__ import annotations

from interpreter.runtime.frames import Frame
from interpreter.runtime.things import Thing, Value

__all__ = ["Hidden", "Nature", "hide", "is_hidden", "nature_of", "show", "withhold"]


Nature = tuple[type, frozenset[str]]
"""The class of a thing or frame, and which names of a frame are hidden."""


class Hidden(AttributeError):
    """Something was read that is hidden from the side that views the world.

    It looks like an unset value, since a rule that needs it must fail in the same words as one that reads something absent.
    """

    def __init__(self, holder: Thing | Frame, slot: str) -> None:
        super().__init__(_missing(holder, slot), name=slot, obj=holder)


def is_hidden(error: BaseException | None) -> bool:
    """Whether a failure was caused by something hidden, directly or as its cause."""
    while error is not None and not isinstance(error, Hidden):
        error = error.__cause__
    return error is not None


def hide(holder: Thing | Frame, slot: str) -> Nature:
    """Hides a value of a thing, or a name of a frame: reading it raises `Hidden`. Returns the previous class of the holder."""
    delattr(holder, slot)
    return withhold(holder, slot)


def withhold(holder: Thing | Frame, slot: str) -> Nature:
    """Marks the missing values of a thing or frame as hidden. Returns the previous class of the holder."""
    made = type(holder)
    before = made, frozenset[str]()
    if not _hides(made):
        holder.__class__ = _hiding(made)
    if _may_lack(made):
        before = made, getattr(holder, "withheld", frozenset())
        holder.withheld = before[1] | {slot}
    return before


def show(holder: Thing | Frame, before: Nature) -> None:
    """Restores the class of a thing or frame before hiding. The removed values must be put back separately."""
    holder.__class__ = before[0]
    if _may_lack(before[0]):
        holder.withheld = before[1]


def nature_of(holder: Thing | Frame) -> type:
    """The class of a thing or frame without hidden values."""
    made = type(holder)
    return made.__bases__[0] if _hides(made) else made


def _hides(made: type) -> bool:
    return "__getattr__" in made.__dict__


def _hiding(made: type) -> type:
    """The class for objects of some class with hidden values. It is attached to that class, and lives as long."""
    found: type | None = made.__dict__.get("hiding")
    if found is None:
        found = type(made.__name__, (made,), {"__slots__": (), "__getattr__": _missed})
        if "__slots__" in made.__dict__:  # code that iterates over the values asks the class
            found.__slots__ = made.__slots__  # type: ignore[attr-defined]
        else:
            del found.__slots__  # type: ignore[attr-defined]
        made.hiding = found  # type: ignore[attr-defined]
    return found


def _may_lack(made: type) -> bool:
    """Whether values may be missing without being hidden, like unset names: frames list the hidden ones."""
    return "withheld" in getattr(made, "__slots__", ("withheld",))


def _missed(holder: Thing | Frame, slot: str) -> Value:
    """Called for a missing attribute of an object of such a class."""
    made = type(holder)
    hidden = slot != "withheld" and slot in (holder.withheld if _may_lack(made) else made.__slots__)
    raise Hidden(holder, slot) if hidden else AttributeError(_missing(holder, slot), name=slot, obj=holder)


def _missing(holder: Thing | Frame, slot: str) -> str:
    return f"'{type(holder).__name__}' object has no attribute '{slot}'"
