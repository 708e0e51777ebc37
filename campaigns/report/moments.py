"""How strong the sides were when turns began. Each moment is computed once, and kept as long as the program is the same.

What a side knew at a moment depends only on the texts, the settings and the inputs up to it. So it is kept under a digest of these,
and not under the hashes in the file: if a file was altered or forged, the report shows what it really contains.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from campaigns.file.history import encode
from campaigns.report import report_model
from dsl.text.keeping import folder, keep, kept, name_of, stamp_of

if TYPE_CHECKING:
    from campaigns.play.campaign import Campaign

__all__ = ["keep_strengths", "kept_strengths", "names_of", "spread"]

MOST_KEPT = 2000
"""How many moments are kept."""

Then = tuple[str, Mapping[str, report_model.Count]]
"""The date of a moment, and the strength of each side."""


def spread(turns: Sequence[tuple[int, int]], most: int) -> list[tuple[int, int]]:
    """Turns at even steps from the first on. Steps double as turns are added, so that later reports use moments that are already known."""
    step = 1
    while len(turns) > step * most:
        step *= 2
    return list(turns[::step])


def names_of(campaign: "Campaign[Any]", side: str, entries: Iterable[int]) -> dict[int, str]:
    """The names under which a side's knowledge after the entries of the current line is stored; empty if nothing is stored."""
    wanted = sorted(set(entries))
    if not wanted or folder() is None:
        return {}
    texts = [[x.name, x.kind, x.sha256] for x in campaign.documents]
    begun = [texts, dict(campaign.settings), sorted(campaign.store.version_names())]
    found, names, whose = sha256(encode(begun).encode()), {}, (stamp_of("dsl", "interpreter", "campaigns"), side)
    way = iter(campaign.store.inputs(0, wanted[-1]) or ())
    number = 0
    for entry in wanted:
        while number < entry:
            number, given = next(way, (entry, None))
            if given is not None:
                found.update(encode([given.kind, given.side, given.subject, given.text]).encode())
        names[entry] = name_of("strengths", (*whose, found.hexdigest()))
    return names


def kept_strengths(name: str) -> Then | None:
    """What was calculated before for a moment."""
    text = kept(name) if name else None
    if text is None:
        return None
    try:
        date, rows = json.loads(text)
        counts = dict(_counts(rows))
    except (ValueError, TypeError, RecursionError):  # not written by this program
        return None
    return (date, counts) if isinstance(date, str) else None


def _counts(rows: Any) -> Iterator[tuple[str, report_model.Count]]:
    for side, units, strength, partly in rows:
        if type(side) is not str or type(units) is not int or type(strength) not in {int, type(None)}:
            raise TypeError("no count")
        yield side, report_model.Count(units, strength, partly is True)


def keep_strengths(name: str, then: Then) -> None:
    """Stores what was calculated for a moment."""
    if name:
        date, counts = then
        keep(
            name,
            json.dumps([date, [[side, one.units, one.strength, one.partly] for side, one in counts.items()]]),
            MOST_KEPT,
        )
