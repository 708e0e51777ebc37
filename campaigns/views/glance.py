"""The output of `status`, kept as data as long as not a byte of the campaign file has changed.

The situation depends on the campaign file and the program alone, so it is kept under a digest of both. How late a side is depends
on the time, too, and is computed each time. If a file changes while it is read, nothing is kept. A session that has written to a
file prepares the next `status` before it closes the file.
"""

import contextlib
import hashlib
import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import attrs

from campaigns.desk.calendar import DueDate
from campaigns.desk.players import Player
from campaigns.desk.states import SideState, standings
from campaigns.file.errors import CampaignError
from dsl.text.keeping import folder, keep, kept, name_of, stamp_of
from interpreter.messages.inputs import Awaited, RuleFailure
from interpreter.messages.sides import UMPIRE
from interpreter.messages.view import SideView, ThingView, View

if TYPE_CHECKING:
    from campaigns.play.campaign import Campaign
    from interpreter.machine import Game

__all__ = ["Glance", "keep_for_next", "keep_glance", "kept_glance", "look", "state_of"]

MOST_KEPT = 200
"""How many are kept."""
MOST_SIDES = 4
"""For how many sides the next request is prepared."""

T = TypeVar("T")


@attrs.frozen
class Glance:
    """What a side, or the umpire, is told about the situation of a campaign.

    Attributes:
        view: the situation, without its maps.
        standings: how far the sides visible to the viewer have come with their orders; none if the game is over.
    """

    view: View
    standings: tuple[SideState, ...]

    def at(self, now: datetime) -> "Glance":
        """The same at another time."""
        return attrs.evolve(self, standings=tuple(one.at(now) for one in self.standings))


def look(campaign: "Campaign[Game]", side: str, now: datetime) -> Glance:
    """The current report: a side gets only its own state."""
    view = attrs.evolve(campaign.game.view(side), maps=())
    sides = () if view.side in {"", UMPIRE} else (view.side,)
    return Glance(view, () if campaign.game.over else tuple(standings(campaign, now, sides)))


def state_of(path: Path) -> str:
    """A digest of a campaign file as it is, with the log beside it; empty if it cannot be read, or nothing is to be kept."""
    return _state_of(path, path.with_name(path.name + "-wal"))


def _state_of(path: Path, log: Path | None) -> str:
    if folder() is None:
        return ""
    found = hashlib.sha256()
    try:
        with path.open("rb") as file:
            found.update(hashlib.file_digest(file, "sha256").digest())
        if log is not None and log.exists():
            found.update(log.read_bytes())
    except OSError:
        return ""
    return found.hexdigest()


def _name(state: str, side: str) -> str:
    return name_of("glance", (stamp_of("dsl", "interpreter", "campaigns"), state, side))


def kept_glance(state: str, side: str) -> Glance | None:
    """The earlier report on a file in this state. side: as it was typed."""
    text = kept(_name(state, side)) if state else None
    if text is None:
        return None
    try:
        said = json.loads(text)
        return Glance(_view(said["view"]), tuple(map(_standing, said["standings"])))
    except (ValueError, TypeError, LookupError, RecursionError):  # not written by this program
        return None


def keep_glance(path: Path, state: str, side: str, glance: Glance) -> None:
    """Keeps the report on a file, if the file has not changed since it was read."""
    if state and state_of(path) == state:
        _keep(state, side, glance)


def _keep(state: str, side: str, glance: Glance) -> None:
    said = attrs.asdict(glance, value_serializer=lambda _, __, value: _plain(value))
    keep(_name(state, side), json.dumps(said, separators=(",", ":")), MOST_KEPT)


def keep_for_next(campaign: "Campaign[Game]", now: datetime) -> None:
    """Prepares the next report of `status`, after writing to a campaign or creating it.

    The file is as it is looked at: all is folded into it, and no other session has written meanwhile. So closing changes no byte of it.
    """
    store = campaign.store
    if folder() is None:
        return
    with contextlib.suppress(CampaignError, RuleFailure, OSError):
        others = store.others()
        if campaign.refresh() or not store.is_folded():
            return
        sides = {"": UMPIRE, **{one.id: one.id for one in campaign.game.sides[:MOST_SIDES]}}
        found = {typed: look(campaign, side, now) for typed, side in sides.items()}
        state = _state_of(campaign.path, None)
        if state and store.others() == others:
            for typed, glance in found.items():
                _keep(state, typed, glance)


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value


# ---- reading
def _view(said: Any) -> View:
    parts = {
        "sides": tuple(_made(SideView, one) for one in said["sides"]),
        "things": tuple(_made(ThingView, one) for one in said["things"]),
        "gone": tuple(_made(ThingView, one) for one in said["gone"]),
        "awaiting": tuple(_made(Awaited, one) for one in said["awaiting"]),
        "maps": (),
    }
    return _made(View, said, parts)


def _standing(said: Any) -> SideState:
    due = said["due"]
    at = None if due["at"] is None else datetime.fromisoformat(due["at"])
    parts = {
        "due": _made(DueDate, due, {"at": at}),
        "player": _made(Player, said["player"]),
        "awaited": tuple(_made(Awaited, one) for one in said["awaited"]),
    }
    return _made(SideState, said, parts)


def _made(kind: type[T], said: Any, parts: Mapping[str, Any] | None = None) -> T:
    """An object from its written form. parts: the fields that are objects themselves. Raises TypeError."""
    fields: dict[str, Any] = dict(parts or {})
    for field in attrs.fields(cast("Any", kind)):
        if field.name not in fields:
            fields[field.name] = _fitting(said[field.name], field.type)
    return kind(**fields)


def _fitting(value: Any, kind: Any) -> Any:
    """A value with the type of its field. Raises TypeError."""
    if isinstance(value, list):
        value = tuple(tuple(x) if isinstance(x, list) else x for x in value)
    fits = FITS.get(kind if isinstance(kind, str) else getattr(kind, "__name__", "") if isinstance(kind, type) else "")
    fits = fits or FITS[str(kind)]
    if not fits(value):
        raise TypeError(f"no {kind}")
    return value


def _texts(value: Any) -> bool:
    return all(type(x) is str for x in value)


FITS = {
    "str": lambda x: type(x) is str,
    "int": lambda x: type(x) is int,
    "bool": lambda x: type(x) is bool,
    "dict[str, str]": lambda x: type(x) is dict and _texts(x) and _texts(x.values()),
    "dict[str, int]": lambda x: type(x) is dict and _texts(x) and all(type(n) is int for n in x.values()),
    "tuple[str, ...]": lambda x: type(x) is tuple and _texts(x),
    "tuple[str, str]": lambda x: type(x) is tuple and [type(y) for y in x] == [str, str],
    "tuple[tuple[str, ...], ...]": lambda x: type(x) is tuple and all(type(row) is tuple and _texts(row) for row in x),
    "tuple[tuple[str, str, int, int], ...]": lambda x: (
        type(x) is tuple and all([type(y) for y in row] == [str, str, int, int] for row in x)
    ),
}
"""For the types of fields: whether a value has that type."""
