"""Odds in words: what is known before the dice, the chance of each result, expected losses, and the decision at which it stops."""

from collections.abc import Iterator, Sequence

from campaigns.odds.odds_model import Card, Chance, Fate, Line, LossesExpected, Mean, Odds, Open, Stop
from ui.cli.plain import one_line

__all__ = ["brief_lines", "brief_question", "odds_lines", "question_lines", "said_chance"]

MOST_SHOWN = 12
"""How many values, messages and fates of one type are printed."""
LARGEST = 1000
"""A fraction with a larger denominator is only written in percent."""
HANGS = {
    "hidden": "what follows depends on something that the side may not know",
    "sealed": "what follows depends on what others answer in secret",
    "over": "the game is over",
}


def said_chance(chance: Chance) -> str:
    """`1/6 = 16.7 %`, or `16.5 % ± 2.6` if it is estimated from trials.

    >>> said_chance(Chance(1 / 6, "1/6", 0.0))
    '1/6 = 16.7 %'
    >>> said_chance(Chance(0.165, "", 0.026))
    '16.5 % ± 2.6'
    >>> said_chance(Chance(1.0, "1", 0.0))
    'always'
    """
    if chance.value == 1:
        return "always" if chance.fraction else "in all trials"
    percent = f"{100 * chance.value:.1f} %"
    if not chance.fraction:
        return f"{percent} ± {100 * chance.error:.1f}"
    below = int(chance.fraction.partition("/")[2] or 1)
    return f"{chance.fraction} = {percent}" if below <= LARGEST else percent


def said_mean(mean: Mean) -> str:
    """`1.33`, `2` if it is exactly that, or `1.40 ± 0.43` if it is estimated from trials.

    >>> said_mean(Mean(4 / 3, "4/3", 0.0)), said_mean(Mean(2.0, "2", 0.0)), said_mean(Mean(1.4, "", 0.43))
    ('1.33', '2', '1.40 ± 0.43')
    """
    if mean.fraction.isdecimal():
        return mean.fraction
    return f"{mean.value:.2f}" + ("" if mean.fraction else f" ± {mean.error:.2f}")


def _loss(mean: Mean) -> str:
    """What a side loses on average, or simply loses if that is a whole number."""
    return said_mean(mean) if mean.fraction.isdecimal() else f"{said_mean(mean)} on average"


def odds_lines(odds: Odds) -> Iterator[str]:
    """All lines about odds."""
    return map(one_line, _lines(odds))


def question_lines(question: Open) -> Iterator[str]:
    """An open question, what its answers are worth, and the odds of each."""
    return map(one_line, _question(question))


def brief_lines(odds: Odds) -> Iterator[str]:
    """What depends on dice, in a line or two; nothing if no dice are rolled and nothing is lost."""
    results = list(_results(odds))
    if results:
        dice = ", ".join(dict.fromkeys(f"{throw.dice} ({throw.name})" for throw in odds.throws))
        how = "" if not odds.throws else f" [{dice}; {'exact' if odds.exact else f'{odds.ways} trials'}]"
        yield one_line(f"{'; '.join(odds.commands) or 'dice'}{how}")
        yield one_line(f"  {' · '.join(results)}")


def brief_question(question: Open) -> Iterator[str]:
    """For an open question, the numbers that its rule uses and, in a line each, what the answers are worth and may result in.

    Nothing if no answer says more than another: a worth that all share decides nothing, and neither do the numbers alone.
    """
    worth = {one.name: f"worth {one.appeal}" for one in question.candidates if one.appeal}
    if len(set(worth.values())) == 1 and len(worth) == len(question.candidates):
        worth = {}
    lines = []
    for odds in question.answers:
        answer = "; ".join(odds.commands)
        told = [worth[answer]] if answer in worth else []
        told += _results(odds)
        if told:
            lines.append(one_line(f"{answer}: {' · '.join(told)}"))
    if question.left and lines:
        yield one_line(", ".join(f"{left.name} {left.value}" for left in question.left))
    yield from lines


def _results(odds: Odds) -> Iterator[str]:
    """What dice decide, then the losses of each side and the score."""
    for card in odds.cards:
        for line in card.lines:
            if line.once and len(line.values) > 1:
                yield f"{line.name} {_values(line)}"
    for one in odds.losses:
        if one.removed.value:
            yield f"{one.title} would lose {_loss(one.removed)}"
        elif one.strength is not None and one.strength.value:
            yield f"{one.title} would lose strength {_loss(one.strength)}"
    for side, score, chance in odds.scores[:MOST_SHOWN]:
        sure = chance.fraction == "1"
        yield f"score of {side} becomes {score}" if sure else f"score of {side} {score}: {said_chance(chance)}"


def _question(question: Open) -> Iterator[str]:
    yield question.prompt or f"{question.side}: {question.name}"
    if question.left:
        yield "  " + ", ".join(f"{left.name} {left.value}" for left in question.left)
    for one in question.candidates:
        worth = [f"counter {one.number}"] if one.number else []
        worth += [f"{track} {left}" for track, left in one.tracks]
        worth += [f"worth {one.appeal} to its side"] if one.appeal else []
        yield f"  {one.name}{f' ({one.title})' if one.title else ''}: {', '.join(worth) or 'no number shows its worth'}"
    for odds in question.answers:
        yield from _lines(odds)
    if question.more:
        yield f"There are more answers than the {len(question.answers)} above; ask for one with `answer {question.name} with …`."
    elif not question.answers:
        yield HANGS["sealed"].capitalize() + "."


def _lines(odds: Odds) -> Iterator[str]:
    what = "; ".join(odds.commands) or "the next dice"
    known = "" if odds.side == "umpire" else f", as {odds.side} knows it"
    yield f"{what}{known}:"
    if not odds.throws:
        yield "  No dice are rolled before the next decision."
    elif odds.exact:
        yield f"  Exact: all outcomes of the dice were followed, {odds.ways} of them distinct."
    else:
        yield f"  Estimated from {odds.ways} trials with random dice; ± is the standard error."
    if odds.unseen:
        yield f"  Left out is whatever the rules hide from {odds.side}, if there is anything."
    for throw in odds.throws:
        times = "" if throw.times.value == 1 else f", {said_mean(throw.times)} times on average"
        yield f"  {throw.side} would roll {throw.dice} ({throw.name}){times}" + (
            f", for the table {', '.join(throw.tables)}" if throw.tables else ""
        )
    for card in odds.cards:
        yield from _card(card)
    if not odds.cards:
        yield from _told(odds)
    yield from _lost(odds.losses)
    yield from _fates(odds.fates)
    for side, score, chance in odds.scores[:MOST_SHOWN]:
        yield f"  score of {side} becomes {score}: {said_chance(chance)}"
    yield from map(_stop, odds.stops[:MOST_SHOWN])


def _card(card: Card) -> Iterator[str]:
    often = "" if card.times.value == 1 else f" ({said_mean(card.times)} times on average)"
    yield f"  {card.title}{often}"
    sure = [line for line in card.lines if len(line.values) == 1 and line.once]
    if sure:
        yield "    " + ", ".join(f"{line.name} {line.values[0][0]}" for line in sure)
    for line in sure:
        for reason in line.reasons:
            cites = f"  [{', '.join(reason.cites)}]" if reason.cites else ""
            yield f"      {line.name}: {reason.text}: {reason.value}{cites}"
    for line in card.lines:
        if line not in sure:
            yield f"    {line.name}: {_values(line)}"


def _values(line: Line) -> str:
    said = said_chance if line.once else _often
    shown = "; ".join(f"{value} {said(chance)}" for value, chance in line.values[:MOST_SHOWN])
    more = len(line.values) - MOST_SHOWN
    return shown + (f"; and {more} more" if more > 0 else "")


def _often(times: Chance) -> str:
    """How often a value occurs in a story that tells it several times."""
    return "once" if times.fraction == "1" else f"{said_mean(Mean(times.value, times.fraction, times.error))} times"


def _told(odds: Odds) -> Iterator[str]:
    for text, times in odds.told[:MOST_SHOWN]:
        often = said_chance(Chance(times.value, times.fraction, times.error)) if times.value <= 1 else said_mean(times)
        yield f"  “{text}” {often}"


def _lost(losses: Sequence[LossesExpected]) -> Iterator[str]:
    for one in losses:
        if one.removed.value or one.strength is not None:
            counts = "; ".join(f"{count} {said_chance(chance)}" for count, chance in one.counts[:MOST_SHOWN])
            strength = "" if one.strength is None else f", and strength {said_mean(one.strength)} on average"
            units = (
                f"{said_mean(one.removed)} things on average ({counts})" if one.removed.value else "nothing outright"
            )
            yield f"  {one.title} would lose {units}{strength}"


def _fates(fates: Sequence[Fate]) -> Iterator[str]:
    """What may happen to things: first what is lost, then what depends on the dice."""
    shown = [fate for fate in fates if fate.what != "#"]
    shown.sort(key=lambda fate: (fate.what != "removed", fate.chance.value >= 1))
    for fate in shown[:MOST_SHOWN]:
        name = f"{fate.name} ({fate.title})" if fate.title else fate.name
        yield f"  {name} {_fate(fate)}: {said_chance(fate.chance)}"
    if len(shown) > MOST_SHOWN:
        yield f"  and {len(shown) - MOST_SHOWN} more changes, which --json prints"


def _fate(fate: Fate) -> str:
    match fate.what:
        case "removed":
            return "is removed"
        case "new":
            return "enters the game"
        case "place":
            return f"is in {fate.value}" if fate.value else "leaves the map"
    return f"{fate.what} {fate.was or '--'} becomes {fate.value or '--'}"


def _stop(stop: Stop) -> str:
    often = "" if stop.chance.fraction == "1" else f" ({said_chance(stop.chance)})"
    if stop.kind in HANGS:
        return f"  It stops there: {HANGS[stop.kind]}{often}."
    if stop.kind == "orders":
        return f"  It stops where {stop.side} may give orders ({stop.name}){often}."
    if stop.kind == "question" and stop.name:
        return f"  It stops where {stop.side} must choose {stop.name}{often}."
    return f"  It stops where {stop.side or 'somebody'} must decide{often}."
