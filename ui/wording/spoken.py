"""What happened, in words that suit any side: *The Blues*, *America and Texas*. What is recorded keeps its wording."""

from functools import singledispatch

from attrs import evolve

from dsl.text.phrases import joined
from interpreter.messages import happenings as h
from interpreter.messages.happening import Happening
from interpreter.messages.inputs import Event
from interpreter.messages.recorded_events import with_names
from interpreter.messages.sentences import sentence_of

__all__ = ["answered", "in_words", "spoken"]


def spoken(event: Event) -> str:
    """What happened, as people read it.

    >>> from interpreter.messages.inputs import told
    >>> spoken(told(h.DiceFell("2d6", "attack", 7, by="The Blues")))
    'The Blues rolled 7 on 2d6 (attack).'
    """
    what = with_names(event.what, event.text)
    return event.text if what is None else in_words(what)


def answered(what: h.QuestionAnswered) -> str | None:
    """The answer, if it is visible; without the name of the side where each side answers for itself.

    >>> answered(h.QuestionAnswered("plan", by="red", said="red attack"))
    'attack'
    """
    said = what.said
    return said.removeprefix(f"{what.by} ") if said and "; " not in said else said


@singledispatch
def in_words(what: Happening) -> str:
    """The same of what happened as data."""
    return sentence_of(what)


@in_words.register
def _(what: h.GameOver) -> str:
    because = sentence_of(evolve(what, title=""))
    return f"{because.removesuffix('.')}: {what.title} won." if what.title else because


@in_words.register
def _(what: h.DeadlinePassed) -> str:
    """The umpire closes orders also for an absent side, before any deadline: it says what was done, not why."""
    if what.question is not None:
        return f"{what.title} did not choose {what.question}: standing instructions do."
    return f"{what.title}: {what.then}." if what.then else f"The umpire closes the orders of {what.title}."


@in_words.register
def _(what: h.OrdersClosed) -> str:
    closed = "the orders are closed as they stand" if what.given else "no orders were given here"
    return f"{what.title}: {closed}."


@in_words.register
def _(what: h.SideDone) -> str:
    return f"{what.by}: done." if what.of_itself else sentence_of(what)


@in_words.register
def _(what: h.QuestionAnswered) -> str:
    said = answered(what)
    return f"{what.by} chose {what.name}{'' if said is None else f': {said}'}."


@in_words.register
def _(what: h.FieldChanged) -> str:
    """Fields of several things, or their entry, become something together."""
    if len(what.things) < 2 or what.is_mark or what.field == "side":
        return sentence_of(what)
    who = joined(what.called)
    if what.field == "entry":
        return f"{who} become {what.titles[0]}."
    return f"{what.field} of {who} become {what.value} (were {what.was})."


@in_words.register
def _(what: h.InputUndone) -> str:
    return f"{what.by} took back {what.taken or 'the last step'}."


@in_words.register
def _(what: h.DiceFell) -> str:
    face = "" if what.face is None else f"{what.face} on "
    return f"{what.by} rolled {face}{what.dice} ({what.name}{f' for {what.thing}' if what.thing else ''})."
