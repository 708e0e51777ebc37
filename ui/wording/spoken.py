"""What happened, in words that suit any side: *The Blues*, *America and Texas*. What is recorded keeps its wording."""

from functools import singledispatch

from attrs import evolve

from dsl.text.phrases import joined
from interpreter.messages import happenings as h
from interpreter.messages.happening import Happening
from interpreter.messages.inputs import Event
from interpreter.messages.recorded_events import with_names
from interpreter.messages.sentences import sentence_of

__all__ = ["spoken", "spoken_of"]


def spoken(event: Event) -> str:
    """What happened, as people read it.

    >>> from interpreter.messages.inputs import told
    >>> spoken(told(h.DiceFell("2d6", "attack", 7, by="The Blues")))
    'The Blues rolled 7 on 2d6 (attack).'
    """
    what = with_names(event.what, event.text)
    return event.text if what is None else spoken_of(what)


@singledispatch
def spoken_of(what: Happening) -> str:
    """The same of what has no event of its own, as several changes summed up."""
    return sentence_of(what)


@spoken_of.register
def _(what: h.GameOver) -> str:
    because = sentence_of(evolve(what, title=""))
    return f"{because.removesuffix('.')}: {what.title} won." if what.title else because


@spoken_of.register
def _(what: h.DeadlinePassed) -> str:
    if what.question is None:
        return sentence_of(what)
    return f"The deadline has passed: {what.title} did not choose {what.question}."


@spoken_of.register
def _(what: h.OrdersClosed) -> str:
    closed = (
        "the orders are closed as they stand" if what.given else "no orders were given here, and what stands is kept"
    )
    return f"{what.title}: {closed}."


@spoken_of.register
def _(what: h.SideDone) -> str:
    return f"{what.by}: done." if what.of_itself else sentence_of(what)


@spoken_of.register
def _(what: h.QuestionAnswered) -> str:
    return f"{what.by} chose {what.name}{'' if what.said is None else f': {what.said}'}."


@spoken_of.register
def _(what: h.InputUndone) -> str:
    return f"{what.by} took back {what.taken or 'the last step'}."


@spoken_of.register
def _(what: h.DiceFell) -> str:
    face = "" if what.face is None else f"{what.face} on "
    return f"{what.by} rolled {face}{what.dice} ({what.name}{f' for {what.thing}' if what.thing else ''})."


@spoken_of.register
def _(what: h.FieldChanged) -> str:
    who = joined(what.called)
    match what.field:
        case "side" | "name":
            return sentence_of(what)
        case _ if len(what.things) == 1 or what.is_mark:
            return sentence_of(what)
        case "entry":
            return f"{who} become {what.titles[0]}."
        case _:
            return f"{what.field} of {who} become {what.value} (was {what.was})."
