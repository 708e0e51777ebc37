"""Gathering odds: a game is run to the dice, their outcomes are followed, and the results are added up."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING, Any

import attrs

from campaigns.file.errors import CampaignError
from campaigns.odds import odds_model
from campaigns.odds.tables_rolled_on import tables_of
from campaigns.odds.watched_game import Watch
from interpreter.messages.inputs import Input
from interpreter.messages.sides import UMPIRE
from interpreter.outcomes.outcomes import Outcomes, TooMany, enumerated, sampled
from interpreter.world.seat import readable

if TYPE_CHECKING:
    from campaigns.play.campaign import Campaign

__all__ = ["Limits", "odds_of"]


@attrs.frozen
class Limits:
    """Limits of the calculation. exact: only all outcomes, up to the most that are ever followed; trials: only that many trials; 0: all
    outcomes if they are few, otherwise trials. seconds: the most time that it takes. until_dice: whether all are taken to end their
    windows of this turn without further orders until dice are rolled.
    """

    exact: bool = False
    trials: int = 0
    seconds: float = 30.0
    until_dice: bool = False

    USUAL_WAYS = 400
    MOST_WAYS = 20_000
    USUAL_TRIALS = 200
    MOST_TRIALS = 100_000


def odds_of(
    campaign: Campaign[Any],
    inputs: Sequence[Input],
    side: str,
    limits: Limits | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> odds_model.Odds:
    """The possible results of some inputs that are given together, up to the first decision after dice, as a side may know them.

    Args:
        campaign: the campaign; nothing is recorded, and none of its dice are rolled.
        inputs: what would be given; none if dice are awaited.
        side: the side that asks; nothing hidden from it is used.
        limits: the limits of the calculation.
        progress: called with how many outcomes were followed, if given.

    Raises:
        Refused: an input is illegal.
        CampaignError: all outcomes were requested, and there are too many.
    """
    limits = limits or Limits()

    def begin() -> Watch:
        watch = Watch(campaign.state_at(campaign.head), side)
        watch.give(inputs)
        if limits.until_dice:
            watch.end_windows()
        return watch

    first = begin()
    if first.stopped:
        found = Outcomes({json.dumps({"stop": [[first.stopped, "", ""]], "things": [], "scores": []}): Fraction(1)})
        found.ways = 1
    else:
        found = _followed(begin, limits, progress)
    odds = _Summed(first, found, [one.text for one in inputs]).odds()
    return first.game.seat(side).told(odds)


def _followed(begin: Callable[[], Watch], limits: Limits, progress: Callable[[int, int], None] | None) -> Outcomes:
    """All outcomes of the dice, or a number of trials."""
    if not limits.trials:
        most = limits.MOST_WAYS if limits.exact else limits.USUAL_WAYS
        try:
            return enumerated(begin, most=most, seconds=limits.seconds, patient=limits.exact, progress=progress)
        except TooMany as many:
            if limits.exact:
                raise CampaignError(
                    f"Following all outcomes of the dice takes longer than {limits.seconds:g} seconds."
                    if many.slow
                    else f"The dice have more than {most:,} outcomes.",
                    "Leave out --exact: then the odds are estimated from a number of trials.",
                ) from None
    return sampled(begin, limits.trials or limits.USUAL_TRIALS, seconds=limits.seconds, progress=progress)


class _Summed:
    """The summed results of all outcomes, or of some trials."""

    def __init__(self, watch: Watch, found: Outcomes, commands: Sequence[str]) -> None:
        self.watch, self.found, self.commands = watch, found, commands
        self.ends = [(json.loads(end), chance) for end, chance in found.ends.items()]
        self.heard = {key: (times, found.squares.get(key, times)) for key, times in found.told.items()}
        for one in watch.said(watch.events):
            times, squares = self.heard.get(key := json.dumps(one), (Fraction(0), Fraction(0)))
            self.heard[key] = times + 1, squares + 2 * times + 1

    def odds(self) -> odds_model.Odds:
        watch, found = self.watch, self.found
        events = [event.text for event in readable(watch.events, watch.side) if event.kind != "story"]
        unseen = watch.side != UMPIRE and bool(watch.game.program.secrecy.hiding_kinds)
        return odds_model.Odds(
            watch.side, tuple(self.commands), not found.tries, found.ways, unseen, tuple(events), tuple(self._throws()),
            tuple(self._cards()), tuple(self._notes()), tuple(self._losses()), tuple(self._fates()), tuple(self._scores()),
            tuple(self._stops()),
        )  # fmt: skip

    # ---- numbers
    def _chance(self, part: Fraction) -> odds_model.Chance:
        if not self.found.tries:
            return odds_model.Chance(float(part), str(part), 0.0)
        return odds_model.Chance(
            float(part), "", sqrt(float(part * (1 - part)) / self.found.tries) if part < 1 else 0.0
        )

    def _mean(self, counts: Mapping[int, Fraction]) -> odds_model.Mean:
        """The mean of a number with known chances."""
        mean = sum((n * part for n, part in counts.items()), Fraction(0))
        square = sum((n * n * part for n, part in counts.items()), Fraction(0))
        return self._mean_of(mean, square)

    def _mean_of(self, mean: Fraction, square: Fraction) -> odds_model.Mean:
        if not self.found.tries:
            return odds_model.Mean(float(mean), str(mean), 0.0)
        return odds_model.Mean(float(mean), "", sqrt(max(0.0, float(square - mean * mean)) / self.found.tries))

    # ---- what is told on the way
    def _of(self, kind: str) -> Iterator[tuple[list[Any], odds_model.Mean]]:
        """What was noted of one kind, with how often it occurs on average."""
        for key, (times, squares) in self.heard.items():
            said = json.loads(key)
            if said[0] == kind:
                yield said[1:], self._mean_of(times, squares)

    def _throws(self) -> Iterator[odds_model.Throw]:
        game = self.watch.game
        for (name, dice, side, site), times in self._of("dice"):
            tables = tables_of(game.program, game.world.sites[site].span, name)
            yield odds_model.Throw(name, dice, side, times, tables)

    def _notes(self) -> Iterator[tuple[str, odds_model.Mean]]:
        found = [(text, times) for (text,), times in self._of("note")]
        return iter(sorted(found, key=lambda one: -one[1].value))

    def _cards(self) -> Iterator[odds_model.Card]:
        why = {tuple(said[:4]): said[4] for said, _ in self._of("why")}
        rows: dict[tuple[str, str], dict[str, dict[str, odds_model.Mean]]] = {}
        for (procedure, title, name, value), times in self._of("row"):
            rows.setdefault((procedure, title), {}).setdefault(name, {})[value] = times
        for (procedure, title), times in self._of("card"):
            lines = []
            for name, values in rows.get((procedure, title), {}).items():
                reasons = why[procedure, title, name, next(iter(values))] if len(values) == 1 else []
                lines.append(self._line(name, times, values, reasons))
            yield odds_model.Card(title, procedure, times, tuple(lines))

    def _line(
        self, name: str, card: odds_model.Mean, values: Mapping[str, odds_model.Mean], why: list[Any]
    ) -> odds_model.Line:
        """A row of a story: how likely each value is if the story is told, or how often it occurs in it."""
        whole = sum(self._exactly(times) for times in values.values())
        once = whole <= self._exactly(card)
        shown = []
        for value, times in values.items():
            part = Fraction(self._exactly(times)) / (whole if once else self._exactly(card))
            shown.append((value, self._chance(part) if once else self._often(part, times, card)))
        reasons = tuple(odds_model.ChanceReason(str(text), str(value), tuple(cites)) for text, value, cites in why)
        return odds_model.Line(name, once, tuple(sorted(shown, key=lambda one: -one[1].value)), reasons)

    @staticmethod
    def _exactly(mean: odds_model.Mean) -> Fraction:
        return Fraction(mean.fraction) if mean.fraction else Fraction(mean.value).limit_denominator(1_000_000)

    @staticmethod
    def _often(part: Fraction, times: odds_model.Mean, card: odds_model.Mean) -> odds_model.Chance:
        return odds_model.Chance(float(part), str(part) if times.fraction else "", times.error / card.value)

    # ---- how it ends
    def _tally(self, keyed: Callable[[dict[str, Any]], Iterable[Any]]) -> dict[Any, Fraction]:
        """The chance of each of some possible facts at the end."""
        out: dict[Any, Fraction] = {}
        for end, chance in self.ends:
            for key in dict.fromkeys(keyed(end)):
                out[key] = out.get(key, Fraction(0)) + chance
        return out

    def _losses(self) -> Iterator[odds_model.LossesExpected]:
        for side in self.watch.game.sides:
            removed: dict[int, Fraction] = {}
            weaker: dict[int, Fraction] = {}
            for end, chance in self.ends:
                own = [one for one in end["things"] if one[0] == side.id]
                lost = sum(one[3] == "removed" and not one[6] for one in own)
                fall = sum(_number(one[4]) - _number(one[5]) for one in own if one[3] == "#")
                fall += sum(_number(one[7]) for one in own if one[3] == "removed")
                removed[lost] = removed.get(lost, Fraction(0)) + chance
                weaker[fall] = weaker.get(fall, Fraction(0)) + chance
            strength = self._mean(weaker) if set(weaker) != {0} else None
            counts = tuple((n, self._chance(removed[n])) for n in sorted(removed))
            yield odds_model.LossesExpected(side.id, side.title or side.id, self._mean(removed), counts, strength)

    def _fates(self) -> Iterator[odds_model.Fate]:
        found = self._tally(lambda end: (tuple(one[:6]) for one in end["things"]))
        order = sorted(found.items(), key=lambda one: (one[0][0], one[0][1], -one[1]))
        for (side, name, title, what, was, value), chance in order:
            yield odds_model.Fate(side, name, title, what, was, value, self._chance(chance))

    def _scores(self) -> Iterator[tuple[str, str, odds_model.Chance]]:
        for (side, value), chance in self._tally(lambda end: map(tuple, end["scores"])).items():
            yield side, value, self._chance(chance)

    def _stops(self) -> Iterator[odds_model.Stop]:
        found = self._tally(lambda end: map(tuple, end["stop"]))
        for (kind, side, name), chance in sorted(found.items(), key=lambda one: -one[1]):
            yield odds_model.Stop(kind, side, name, self._chance(chance))


def _number(text: str) -> int:
    return int(text) if text.isdecimal() else 0
