"""Events as sentences, with the names that each reader may know: the only place where events are worded."""

from __future__ import annotations

import re
from functools import singledispatch

from dsl.text.phrases import joined
from interpreter.messages import happenings as h
from interpreter.messages.happening import Happening

__all__ = ["GAP", "in_gaps", "sentence_of"]

GAP = "\ufdd2"
"""A placeholder for what only the sentence of a record says; it occurs in no other text."""
MOST_READ = 1_000
"""A longer sentence is not read: in one that somebody made for it, looking for the parts could take minutes."""


def in_gaps(what: Happening, sentence: str) -> tuple[str, ...] | None:
    """The parts of a sentence that fill the gaps of a happening; None if the wording differs, or it is too long."""
    if len(sentence) > MOST_READ:
        return None
    pieces = map(re.escape, sentence_of(what).split(GAP))
    found = re.fullmatch("(.+)".join(pieces), sentence, re.DOTALL)
    return found.groups() if found else None


@singledispatch
def sentence_of(what: Happening) -> str:
    """What happened, as people read it."""
    raise NotImplementedError(f"{type(what).__name__} is worded here.")


# ---- the course of the game
@sentence_of.register
def _(what: h.TurnBegan) -> str:
    return f"Turn {what.turn}{': ' if what.date else ''}{what.date}."


@sentence_of.register
def _(what: h.PhaseBegan) -> str:
    return f"{what.title}."


@sentence_of.register
def _(what: h.GameOver) -> str:
    return f"{_capital(what.because)}{f': {what.title} wins' if what.title else ''}."


@sentence_of.register
def _(what: h.DeadlinePassed) -> str:
    if what.by and what.question is not None:
        return f"{what.by} acts for {what.title}: standing instructions choose {what.question}."
    if what.by:
        acts = f"acts for {what.title}: {what.then}" if what.then else f"closes the orders of {what.title}"
        return f"{what.by} {acts}."
    if what.question is not None:
        return f"The deadline has passed: {what.title} has not chosen {what.question}."
    return f"The deadline has passed for {what.title}{': ' if what.then else ''}{what.then}."


@sentence_of.register
def _(what: h.OrdersClosed) -> str:
    given = (
        "its orders are closed as they stand" if what.given else "it has given no orders here, and what stands is kept"
    )
    return f"{what.title}: {given}."


# ---- what sides give
@sentence_of.register
def _(what: h.OrderGiven) -> str:
    return f"{what.by}: {what.command}."


@sentence_of.register
def _(what: h.SideDone) -> str:
    return f"{what.by} {'is done' if what.of_itself else 'can order nothing more here'}."


@sentence_of.register
def _(what: h.QuestionAnswered) -> str:
    return f"{what.by} chooses {what.name}{'' if what.said is None else f': {what.said}'}."


@sentence_of.register
def _(what: h.InputUndone) -> str:
    return f"{what.by} takes back {'what it did last' if what.taken is None else what.taken}."


@sentence_of.register
def _(what: h.DiceFell) -> str:
    face = "" if what.face is None else f"{what.face} on "
    return f"{what.by} rolls {face}{what.dice} ({what.name}{f' for {what.thing}' if what.thing else ''})."


# ---- what becomes of things
@sentence_of.register
def _(what: h.FieldChanged) -> str:
    who = joined(what.called)
    if what.field == "entry":
        return f"{who} becomes {what.titles[0]}."
    does = "is" if len(what.called) == 1 else "are"
    if what.field == "side":
        return f"{who} {does} now of {what.titles[0]} (was of {what.titles[1]})."
    if what.is_mark:
        return f"{who} {does} {'now' if what.value == 'yes' else 'no longer'} {what.field}."
    if what.field == "name" and len(what.called) == 1:  # the new name alone would not identify it
        return f"{what.was} is now called {what.value}."
    return f"{what.field} of {who} becomes {what.value} (was {what.was})."


@sentence_of.register
def _(what: h.ThingMoved) -> str:
    start, goal = (what.way[0], what.way[-1]) if what.way else ("", "")
    if not goal:
        return f"{what.called} leaves the map{' from ' if start else ''}{start}."
    return f"{what.called} moves{' from ' if start else ''}{start} to {goal}."


@sentence_of.register
def _(what: h.ThingArrived) -> str:
    where = f" as a part of {what.whole}" if what.whole else f" in {what.way[0]}" if what.way else ""
    return f"{what.called} {'is put into the game' if what.is_put else 'arrives'}{where}."


@sentence_of.register
def _(what: h.ThingRemoved) -> str:
    where = f" in {what.place}" if what.place else ""
    return f"{what.called}{where} is removed{': ' if what.because else ''}{what.because}."


@sentence_of.register
def _(what: h.ThingJoined) -> str:
    thing, holder = what.called
    return f"{thing} is now {'a part of' if what.is_part else 'held by'} {holder}."


# ---- what rules say and do
@sentence_of.register
def _(what: h.Noted) -> str:
    if what.parts is None:
        return what.message
    pieces, parts = what.message.split("{}"), what.parts
    return "".join(
        f"{piece}{parts[n] if n < min(len(parts), len(pieces) - 1) else ''}" for n, piece in enumerate(pieces)
    )


@sentence_of.register
def _(what: h.RuleApplied) -> str:
    return f"{_capital(what.rule).replace('-', ' ')}: {f' {what.does} '.join(what.called)}."


@sentence_of.register
def _(what: h.StoryEnded) -> str:
    return f"{what.title}."


# ---- what the umpire does
@sentence_of.register
def _(what: h.RulingStands) -> str:
    settles = f" It settles: {_ended(what.question)}" if what.question else ""
    return f"Ruling {what.number}: {_ended(what.ruling)}{settles}"


@sentence_of.register
def _(what: h.FactsOverridden) -> str:
    return f"{what.heading}: {what.reason}."


@sentence_of.register
def _(what: h.OptionChanged) -> str:
    return f"The umpire changes the option {what.option} to {what.value} (was {what.was}): {what.reason}."


@sentence_of.register
def _(what: h.ModulesChanged) -> str:
    turned = ", ".join(f"{name} is now {'on' if is_on else 'off'}" for name, is_on in what.turned)
    return f"The umpire changes the modules of the rules; {turned}: {what.reason}."


@sentence_of.register
def _(what: h.DiceChanged) -> str:
    manners = {
        "typed": "Dice of the table are thrown",
        "seeded": "The dice come from the seed",
        "sealed": "The dice are sealed by all",
    }
    told = "The dice come from another seed" if what.is_fresh else manners[what.manner]
    return f"The umpire rules: {told} from now on: {what.reason}."


@sentence_of.register
def _(what: h.ChainSealed) -> str:
    return f"{what.party} seals its dice: chain {what.chain} of {what.links} links, anchor {what.anchor}."


@sentence_of.register
def _(what: h.LinkGiven) -> str:
    return f"{what.party} gives link {what.index} of its chain {what.chain}."


@sentence_of.register
def _(what: h.RulesAmended) -> str:
    return f"The umpire amends the rules {what.since}{what.titles}: {what.reason}."


@sentence_of.register
def _(what: h.AmendmentHolds) -> str:
    return f"From turn {what.turn} on the amended rules hold."


@sentence_of.register
def _(what: h.AmendmentWaits) -> str:
    return f"The amended rules cannot take hold in turn {what.turn} and wait for the next: {what.why}"


@sentence_of.register
def _(what: h.OtherTextsAmended) -> str:
    return f"Beside the rules other texts change{what.titles}."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _ended(text: str) -> str:
    return text if text.endswith((".", "?", "!")) else f"{text}."
