"""Parts of a report as tables for a spreadsheet. A cell that a spreadsheet would execute is guarded."""

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from campaigns.report.report_model import Report
from ui.cli.plain import one_line
from ui.roster.roster_cells import guarded

__all__ = ["PARTS", "as_csv"]

Table = tuple[Sequence[str], Iterable[Sequence[Any]]]


def as_csv(report: Report, part: str) -> str:
    """One part of a report as CSV, with a heading."""
    heading, rows = PARTS[part](report)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(heading)
    for row in rows:
        writer.writerow([_cell(cell) for cell in row])
    return out.getvalue()


def _cell(value: Any) -> str:
    if isinstance(value, int | float):  # a spreadsheet does not run a negative number
        return str(value)
    text = one_line(str(value))
    return text if text.isdecimal() else guarded(text)


def _losses(report: Report) -> Table:
    rows: list[Sequence[Any]] = [
        (
            x.turn,
            x.entry,
            x.side,
            x.name,
            x.title,
            x.kind,
            x.whole,
            "removed",
            "" if x.strength is None else x.strength,
            0,
            x.told,
        )
        for x in report.losses.lost
    ]
    rows += [
        (report.turn, "", x.side, x.name, x.title, "", "", x.what, x.was, x.now, "") for x in report.losses.weakened
    ]
    return ("turn", "entry", "side", "name", "title", "kind", "whole", "what", "was", "now", "told"), rows


def _strengths(report: Report) -> Table:
    rows = [
        (
            one.turn,
            one.date,
            one.entry,
            "yes" if one.now else "no",
            side,
            count.units,
            "" if count.strength is None else count.strength,
            "yes" if count.partly else "no",
        )
        for one in report.losses.moments
        for side, count in one.sides.items()
    ]
    return ("turn", "date", "entry", "now", "side", "units", "strength", "partly"), rows


def _score(report: Report) -> Table:
    rows: list[Sequence[Any]] = [("score", one.side, "", one.score, "", "", "") for one in report.score.standings]
    rows += [
        ("ending", one.winner, one.because, test.text, test.holds, test.left, test.right)
        for one in report.score.endings
        for test in one.tests
    ]
    return ("row", "side", "because", "text", "holds", "left", "right"), rows


def _forces(report: Report) -> Table:
    rows = []
    for x in report.forces:
        state = "; ".join(f"{name}={value}" for name, value in x.state.items())
        tracks = "; ".join(f"{name}={left}/{full}" for name, (left, full) in x.tracks.items())
        gone = "yes" if x.gone else "no"
        rows.append(
            (
                x.side,
                x.whole,
                x.name,
                x.title,
                x.kind,
                x.type,
                x.place,
                x.number,
                gone,
                state,
                tracks,
                "; ".join(x.parts),
            )
        )
    heading = ("side", "whole", "name", "title", "kind", "type", "place", "number", "gone", "state", "tracks", "parts")
    return heading, rows


def _battles(report: Report) -> Table:
    rows = []
    for x in report.battles:
        rolls = "; ".join(f"{roll.side} {roll.name} {roll.face}" for roll in x.rolls)
        roles = "; ".join(f"{role.name}: {', '.join(role.who)}" for role in x.roles)
        values = "; ".join(f"{row.called}: {row.value}" for row in x.rows)
        rows.append(
            (x.turn, x.entry, x.title, roles, values, rolls, "; ".join(x.results), "; ".join(y.text for y in x.losses))
        )
    return ("turn", "entry", "battle", "who", "values", "rolls", "results", "losses"), rows


def _supply(report: Report) -> Table:
    return ("side", "name", "title", "place"), [(x.side, x.name, x.title, x.place) for x in report.supply]


def _luck(report: Report) -> Table:
    rows = [
        (one.side, name, dice, x.throws, x.shown, x.mean, x.off, round(x.error, 3), round(x.units, 3), x.verdict)
        for one in report.luck
        for name, dice, x in (("", "", one.all), *one.kinds)
        if x.throws
    ]
    return ("side", "name", "dice", "throws", "shown", "mean", "off", "error", "units", "verdict"), rows


PARTS: dict[str, Callable[[Report], Table]] = {
    "losses": _losses, "strengths": _strengths, "score": _score, "forces": _forces, "battles": _battles, "supply": _supply,
    "luck": _luck,
}  # fmt: skip
"""The parts of a report that exist as tables."""
