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
    """Something was asked for that the side may not know whose eyes the world is seen with.

    It reads like what is not set, since a rule that needs it fails in the same words as one that asks for what is not there.
    """

    def __init__(self, holder: Thing | Frame, slot: str) -> None:
        super().__init__(_missing(holder, slot), name=slot, obj=holder)


def is_hidden(error: BaseException | None) -> bool:
    """Whether something failed because it is hidden, itself or as what it was told for."""
    while error is not None and not isinstance(error, Hidden):
        error = error.__cause__
    return error is not None


def hide(holder: Thing | Frame, slot: str) -> Nature:
    """Takes a value out of a thing, or a name out of a frame: who reads it meets `Hidden`. Gives what the holder was before."""
    delattr(holder, slot)
    return withhold(holder, slot)


def withhold(holder: Thing | Frame, slot: str) -> Nature:
    """Says that what a thing or frame does not have is hidden. Gives what the holder was before."""
    made = type(holder)
    before = made, frozenset[str]()
    if not _hides(made):
        holder.__class__ = _hiding(made)
    if _may_lack(made):
        before = made, getattr(holder, "withheld", frozenset())
        holder.withheld = before[1] | {slot}
    return before


def show(holder: Thing | Frame, before: Nature) -> None:
    """Makes a thing or frame what it was before something was hidden of it. What was taken out must be put back besides."""
    holder.__class__ = before[0]
    if _may_lack(before[0]):
        holder.withheld = before[1]


def nature_of(holder: Thing | Frame) -> type:
    """The class of a thing or frame where nothing of it is hidden."""
    made = type(holder)
    return made.__bases__[0] if _hides(made) else made


def _hides(made: type) -> bool:
    return "__getattr__" in made.__dict__


def _hiding(made: type) -> type:
    """The class of what is of some class and hides something. It hangs on that class, and lasts as long."""
    found: type | None = made.__dict__.get("hiding")
    if found is None:
        found = type(made.__name__, (made,), {"__slots__": (), "__getattr__": _missed})
        if "__slots__" in made.__dict__:  # who goes through what one holds asks its class
            found.__slots__ = made.__slots__  # type: ignore[attr-defined]
        else:
            del found.__slots__  # type: ignore[attr-defined]
        made.hiding = found  # type: ignore[attr-defined]
    return found


def _may_lack(made: type) -> bool:
    """Whether values may be missing without being hidden, as names are that nothing has given: frames say which ones are."""
    return "withheld" in getattr(made, "__slots__", ("withheld",))


def _missed(holder: Thing | Frame, slot: str) -> Value:
    """Called for what an object of such a class does not have."""
    made = type(holder)
    hidden = slot != "withheld" and slot in (holder.withheld if _may_lack(made) else made.__slots__)
    raise Hidden(holder, slot) if hidden else AttributeError(_missing(holder, slot), name=slot, obj=holder)


def _missing(holder: Thing | Frame, slot: str) -> str:
    return f"'{type(holder).__name__}' object has no attribute '{slot}'"
