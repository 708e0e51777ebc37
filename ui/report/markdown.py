"""A report as Markdown, readable as plain text and in a mail. Text from the campaign is never taken for Markdown."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from campaigns.report.report_model import Battle, Report
from ui.cli.plain import one_line
from ui.report.report_words import ReportWords

__all__ = ["markdown"]

SIGNS = re.compile(r"([\\`*_\[\]<>|~&])")
FIRST = re.compile(r"^(\s*)([#+-]|\d+[.)])")
MOST_ON_A_LINE = 100
"""An entry and the only thing that came of it share a line if that is no longer."""
INDENT = "\N{NO-BREAK SPACE}\N{NO-BREAK SPACE}"


def markdown(report: Report) -> str:
    """The complete report."""
    words = ReportWords(report)
    return "\n".join(
        [
            *_head(words),
            *_due(words),
            *_since(words),
            *_errata(words),
            *_losses(words),
            *_forces(words),
            *_score(words),
            *_luck(words),
            "",
        ]
    )


def _safe(text: str) -> str:
    """A text with all Markdown characters escaped."""
    text = SIGNS.sub(r"\\\1", one_line(text))
    return FIRST.sub(lambda found: f"{found[1]}{found[2][:-1]}\\{found[2][-1]}", text)


def _table(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    lines = [f"| {' | '.join(headings)} |", f"|{'|'.join(' --- ' for _ in headings)}|"]
    return [*lines, *(f"| {' | '.join(_safe(str(cell)) or ' ' for cell in row)} |" for row in rows), ""]


def _list(lines: Iterable[str]) -> list[str]:
    return [*(f"- {_safe(line)}" for line in lines), ""]


def _head(words: ReportWords) -> Iterator[str]:
    report = words.report
    yield from (f"# {_safe(words.title)}", "")
    yield from (f"Report {_safe(words.reader)} ({_safe(report.system)}).", "", f"**{_safe(words.standing)}.**", "")
    if words.over:
        yield from (f"**{_safe(words.over)}**", "")
    rows = [(side.title, words.strength(side)) for side in report.sides]
    yield from ("## Situation", "", *_table(("side", "forces"), rows))
    facts = [f"{name}: {value}" for name, value in report.facts.items()]
    if stated := [*facts, *words.sides()]:
        yield from _list(stated)


def _due(words: ReportWords) -> Iterator[str]:
    yield from ("## Due from you", "")
    mine = words.due(mine=True)
    for one in mine:
        yield f"- {_safe(words.prompt(one))}"
        if one.kind == "question" and one.choices:
            shown = ", ".join(one.choices[:12]) + (" …" if len(one.choices) > 12 else "")
            yield f"  {_safe(f'Answer {one.name} with: {shown}')}"
    if not mine:
        yield "Nothing is awaited from you now."
    yield ""
    if others := words.due(mine=False):
        yield from ("Awaited from others:", "", *_list(words.prompt(one) for one in others))
    if words.report.hints:
        yield from _list(f"Hint: {hint}" for hint in words.report.hints)


def _since(words: ReportWords) -> Iterator[str]:
    report = words.report
    if taken_back := words.taken_back():
        yield from ("## Taken back by the umpire", "", *_list(taken_back))
    yield from (f"## What happened since turn {report.since.turn}", "")
    if not report.happened and not report.opening:
        yield from ("Nothing that you know of.", "")
    for turn, entries in words.turns():
        yield from (f"### Turn {turn}", "")
        for one in entries:
            said, lines = f"{one.numbers}. {one.said}", one.lines
            if len(lines) == 1 and len(said) + len(lines[0]) <= MOST_ON_A_LINE:
                said, lines = f"{said} → {lines[0]}", []
            yield f"- {_safe(said)}"
            yield from (f"  - {_safe(line)}" for line in lines)
        yield ""
    if report.battles:
        yield from ("## Battles", "")
        for battle in report.battles:
            yield from _battle(words, battle)


def _errata(words: ReportWords) -> Iterator[str]:
    if words.report.errata:
        yield from ("## Amendments and rulings", "")
        rows = [(one.date[:10], one.turn, one.entry, one.text) for one in words.report.errata]
        yield from _table(("date", "turn", "entry", "in effect"), rows)


def _battle(words: ReportWords, battle: Battle) -> Iterator[str]:
    yield from (f"### {_safe(words.battle(battle))}", "")
    sides = " against ".join(words.side(side) for side in battle.sides)
    yield from (_safe(f"Turn {battle.turn}, {battle.phase or 'between phases'}{f'; {sides}' if sides else ''}."), "")
    yield from _list(f"{role.name}: {', '.join(role.who) or 'none'}" for role in battle.roles)
    for plain, some in groupby(battle.rows, lambda row: not row.reasons):
        rows = list(some)
        if plain:
            yield f"- {_safe('; '.join(words.row(row) for row in rows))}"
        for row in () if plain else rows:
            yield f"- {_safe(words.row(row))}"
            yield from (f"  - {_safe(f'{reason.text} → {reason.value}')}" for reason in row.reasons)
    yield from _list(words.roll(roll) for roll in battle.rolls)
    yield from _list(battle.results)
    yield from _list(words.losses(battle))


def _losses(words: ReportWords) -> Iterator[str]:
    report = words.report
    yield from (f"## Losses since turn {report.since.turn}", "")
    losses = report.losses
    if losses.lost:
        yield from _list(words.lost())
    rows = [(words.side(x.side), x.name, x.title, x.what, x.was, x.now) for x in losses.weakened]
    if rows:
        yield from _table(("side", "name", "title", "what", "was", "now"), rows)
    if not losses.lost and not rows:
        yield from ("None that you know of.", "")
    yield from ("### Over time", "")
    headings = ["when", *(_safe(side.title) for side in report.sides)]
    moments = [
        (words.moment(one), *(words.count(one.sides[side.id]) for side in report.sides)) for one in losses.moments
    ]
    yield from _table(headings, moments)
    if report.supply_is_declared:
        yield from (
            "## Supply",
            "",
            "Short of supply:" if report.supply else "No unit that you know of is short of supply.",
            "",
        )
        yield from _list(
            f"{words.side(one.side)}: {words.named(one)} ({one.place or 'off the map'})" for one in report.supply
        )


def _forces(words: ReportWords) -> Iterator[str]:
    report = words.report
    yield from ("## Order of battle", "")
    for side in [*(one.id for one in report.sides), ""]:
        things = [thing for thing in report.forces if (thing.side if thing.side in words.titles else "") == side]
        if not things:
            continue
        counted = next((f": {words.strength(one)}" for one in report.sides if one.id == side), "")
        yield from (f"### {_safe(words.side(side) if side else 'Belonging to no side')}{counted}", "")
        rows = [
            (
                f"{INDENT * thing.depth}{thing.name}",
                thing.title,
                thing.type,
                thing.place,
                thing.number,
                words.state(thing),
            )
            for thing in things
        ]
        yield from _table(("name", "title", "type", "place", "number", "state"), rows)


def _score(words: ReportWords) -> Iterator[str]:
    score = words.report.score
    yield from ("## Score and what ends the game", "")
    if score.standings:
        yield from _table(("side", "score"), [(words.side(one.side), one.score) for one in score.standings])
    if score.endings:
        yield from ("Checked in this order when a turn begins:", "")
        rows = [(words.won(one), one.because, words.condition(one)) for one in score.endings]
        yield from _table(("who wins", "because", "when"), rows)


def _luck(words: ReportWords) -> Iterator[str]:
    if rows := words.luck():
        yield from (
            "## Luck",
            "",
            "What the dice that you know of have rolled, compared with what such dice roll on average.",
            "",
        )
        yield from _table(("side", "dice", "shown", "verdict"), rows)
