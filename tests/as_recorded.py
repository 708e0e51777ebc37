"""Events as a record has them: a kind, a sentence and data."""

from interpreter.messages.inputs import Event
from interpreter.messages.recorded_events import read_happening


def recorded(kind, text, side="", to="all", cites=(), data=None):
    """An event of a record."""
    return Event(read_happening(kind, data or {}), text, side, to, cites)
