"""What a game waits for, in words for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter.asking import EachQuestion, Question, Roll, Window
from interpreter.inputs import Awaited
from interpreter.runtime import say

if TYPE_CHECKING:
    from interpreter.play import Game

SHOWN = 200
"""A question lists at most this many of its legal answers."""


def awaited(game: Game) -> tuple[Awaited, ...]:
    """What the game waits for; for a finished game one item of kind `over`."""
    pending: Any = game.pending
    world = game.world
    if pending is None:
        return (Awaited("over", "", "over", f"The game is over: {world.over}.", ()),)
    title = world.phases[-1][1] if world.phases else ""
    if isinstance(pending, Window):
        name = game.phase
        return tuple(
            Awaited(
                "orders",
                s.id,
                name,
                f"{_title(s)} may give orders ({title}): {', '.join(pending.orders)}, or done.",
                pending.orders,
            )
            for s in pending.waiting
        )
    site = world.sites[pending.site]
    where = site.cites[0] if site.cites else ""
    if isinstance(pending, Roll):
        who = f" for {say(pending.item)}" if pending.item is not None and pending.item is not pending.side else ""
        return (
            Awaited(
                "dice",
                "",
                pending.name,
                f"{_title(pending.side)} rolls {pending.dice}{who} ({pending.name}).",
                (),
                0,
                pending.dice,
                False,
                where,
            ),
        )
    if isinstance(pending, EachQuestion):
        choices = tuple(
            f"{say(i)} {say(o)}" for i, options in zip(pending.items, pending.options, strict=True) for o in options
        )[:SHOWN]
        prompt = f"{_title(pending.side)} chooses {pending.name} for {say(pending.items)}."
        return (
            Awaited(
                "question", pending.side.id, pending.name, prompt, choices, len(choices), "each", pending.secret, where
            ),
        )
    assert isinstance(pending, Question)
    if pending.kind == "number":
        choices = tuple(str(n) for n in range(min(pending.amount or 0, SHOWN - 1) + 1))
    else:
        choices = tuple(say(c) for c in pending.candidates[:SHOWN])
    count = -1 if len(pending.candidates) > SHOWN else len(choices)
    words = {"one": "one of", "words": "one of", "some": "any of", "number": f"a number up to {pending.amount}:"}.get(
        pending.kind, f"{pending.form} of"
    )
    shown = "" if pending.kind == "number" else " " + ", ".join(choices[:8]) + (" …" if len(choices) > 8 else "")
    prompt = f"{_title(pending.side)} chooses {pending.name}: {words}{shown}."
    return (
        Awaited("question", pending.side.id, pending.name, prompt, choices, count, pending.form, pending.secret, where),
    )


def _title(side: Any) -> str:
    return str(side.f_title or side.id)
