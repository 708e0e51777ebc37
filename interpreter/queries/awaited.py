"""What a game is waiting for, in words for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, TypeAlias

from interpreter.messages.asking import EachQuestion, Pending, Question, Roll, Sealed, Window, form_of
from interpreter.messages.inputs import OR_DONE, Awaited
from interpreter.play.answer_reader import even_split
from interpreter.play.sealed_dice import Seals
from interpreter.play.umpire import table_tells
from interpreter.runtime.runtime import Shares, say
from interpreter.runtime.things import Thing
from interpreter.world.world import World

Choice: TypeAlias = tuple[str, tuple[str, ...]]
"""A possible answer, and what it names."""
SHOWN = 200
"""A question lists at most this many of its legal answers."""


class Awaiting(Protocol):
    """A game that waits for inputs."""

    @property
    def world(self) -> World:
        """Its world."""

    @property
    def pending(self) -> Pending | None:
        """What it is waiting for; None if it is over."""

    @property
    def phase(self) -> str:
        """The name of the phase."""

    @property
    def typed(self) -> bool:
        """Whether dice are rolled at the table and typed."""

    @property
    def seals(self) -> Seals | None:
        """The seals of sealed dice."""

    @property
    def seals_awaited(self) -> tuple[Awaited, ...]:
        """Who must seal the dice that the game is waiting for."""

    def offered(self, side: Thing) -> tuple[str, ...]:
        """The orders of the open window for which a side has a legal command now, as far as it knows."""


def awaited(game: Awaiting, *, all_orders: bool = False) -> tuple[Awaited, ...]:
    """What the game is waiting for; for a finished game one item of kind `over`.

    all_orders: every order of a window, which is faster than determining which of them are possible now.
    """
    pending = game.pending
    world = game.world
    if pending is None:
        return (Awaited("over", "", "over", f"The game is over: {world.over}.", ()),)
    if isinstance(pending, Window):
        name = game.phase
        offered = [pending.orders if all_orders else game.offered(s) for s in pending.waiting]
        return tuple(
            Awaited(
                "orders",
                s.id,
                name,
                f"{may_order(game, pending, s)}: {_listed(orders)}.",
                orders,
                titles=_said(world, orders),
            )
            for s, orders in zip(pending.waiting, offered, strict=True)
        )
    if isinstance(pending, Sealed):
        return tuple(_asked(world, q) for q in pending.open)
    if isinstance(pending, Roll) and game.seals is not None and not game.typed:
        return game.seals_awaited
    if isinstance(pending, Roll):
        cites = world.sites[pending.site].cites
        where = cites[0] if cites else ""
        return (Awaited("dice", "", pending.name, rolling(pending), (), 0, pending.dice, False, where),)
    return (_asked(world, pending),)


def _said(world: World, orders: tuple[str, ...]) -> dict[str, str]:
    """What each order is for, in the words of the rules, as far as they say it."""
    bodied = world.ruleset.bodied
    return {name: title for name in orders if (title := bodied[f"order {name}"].title)}


def may_order(game: Awaiting, window: Window, side: Thing, *, to_all: bool = False) -> str:
    """A sentence that a side may give orders, for what, if it may know that, and in which phase. to_all: as all may know it."""
    world, about = game.world, None if to_all else window.subject
    known = about is not None and world.knowledge.knowing([about], side.id) == [side.id]
    title, enums = world.phases[-1][1] if world.phases else "", world.ruleset.enums
    rounds = [(enums[e].titles.get(w) if e in enums else "") or w for e, w in window.rounds]
    title = ": ".join([title, ", ".join(rounds)] if rounds else [title])
    return f"{_title(side)} may give orders{_for(about, side) if known else ''} ({title})"


def rolling(roll: Roll, *, to_all: bool = False) -> str:
    """Which dice the game is waiting for, and for what. to_all: as all may know it, without the thing the rules currently deal with."""
    about = roll.item if roll.item is not None or to_all else roll.subject
    return f"{_title(roll.side)} must roll {roll.dice}{_for(about, roll.side)} ({roll.name})."


def _for(about: object, side: Thing) -> str:
    return f" for {say(about)}" if about is not None and about is not side else ""


def _asked(world: World, pending: Question | EachQuestion) -> Awaited:
    """A question, as its side is asked."""
    site = world.sites[pending.site]
    where, title = site.cites[0] if site.cites else "", site.title
    if isinstance(pending, EachQuestion):
        return _asked_of_each(world, pending, where, title)
    listed = _choices(world, pending)
    count = -1 if len(pending.candidates) > SHOWN or pending.kind == "split" else len(listed)
    words = {
        "one": "one of", "words": "one of", "some": "any of", "number": f"a number up to {pending.amount}",
        "split": f"{pending.amount} split among",
    }.get(pending.kind, f"{pending.form} of")  # fmt: skip
    among = [say(c) for c in pending.candidates] if pending.kind == "split" else [choice for choice, _ in listed]
    shown = "" if pending.kind == "number" else " " + ", ".join(among[:8]) + (" …" if len(among) > 8 else "")
    about = _for(pending.subject, pending.side) if pending.subject not in pending.candidates else ""
    offered = f"{words}{shown}."
    if pending.kind not in {"number", "split"} and not among:
        offered = "there is nothing to choose: answer `none`."
    if title:
        prompt = f"{_title(pending.side)}{',' if about else ''}{about}: {followed(title, offered)}"
    else:
        prompt = f"{_title(pending.side)} must choose {pending.name}{about}: {offered}"
    if pending.kind == "split" and pending.candidates:
        prompt += f" Answer like this: `{among[0]} {pending.amount}`; or `even`."
    return _question(world, pending, prompt, listed, count, where, title)


def _asked_of_each(world: World, pending: EachQuestion, where: str, title: str) -> Awaited:
    """A question about several things, as its side is asked."""
    listed = [
        (f"{say(item)} {choice}", (say(item), *named))
        for at, item in enumerate(pending.items)
        for choice, named in _choices(world, pending.asked(at))
    ]
    whom = f" for {say(pending.items)}{_amounts(pending)}"
    if list(pending.items) == [pending.side] and not _amounts(pending):
        whom = ""  # each side was asked: it is clear for whom this one chooses
    prompt = f"{_title(pending.side)} must choose {pending.name}{whom}."
    if title:
        prompt = f"{_title(pending.side)}: {followed(title, f'{whom[1:]}.' if whom else '')}"
    return _question(world, pending, prompt, listed, -1 if len(listed) > SHOWN else len(listed), where, title)


def _question(
    world: World,
    pending: Question | EachQuestion,
    prompt: str,
    listed: list[Choice],
    count: int,
    where: str,
    title: str,
) -> Awaited:
    """A question with its choices."""
    at_table = table_tells(world, pending.name)
    prompt += " This is decided at the table." if at_table else ""
    choices, named = tuple(choice for choice, _ in listed[:SHOWN]), tuple(names for _, names in listed[:SHOWN])
    form, secret = pending.form, pending.secret
    return Awaited(
        "question", pending.side.id, pending.name, prompt, choices, count, form, secret, where, title, named,
        at_table=at_table,
    )  # fmt: skip


def followed(title: str, rest: str = "") -> str:
    """The title of a question followed by its possible answers: as a new sentence after a sentence, else after a colon.

    >>> followed("Who goes first?", "one of a, b."), followed("The way", "one of a, b."), followed("The way")
    ('Who goes first? One of a, b.', 'The way: one of a, b.', 'The way.')
    """
    whole = title.endswith(("?", "!", "."))
    if not rest:
        return title if whole else f"{title}."
    return f"{title} {rest[:1].upper()}{rest[1:]}" if whole else f"{title}: {rest}"


def _choices(world: World, question: Question) -> list[Choice]:
    """The possible answers, one by one; for splits only some. The order reveals nothing about things with hidden names."""
    if question.kind == "number":
        return [(str(n), (str(n),)) for n in range(min(question.amount or 0, SHOWN - 1) + 1)]
    if question.kind == "split":
        said = {shares_said(s): tuple(say(x) for x, n in s.items() if n) for s in sample_splits(question)}
        return [(choice, named) for choice, named in said.items() if choice]
    among = question.candidates[: SHOWN + 1]
    if (labels := world.incognito) is not None:
        among = sorted(among, key=lambda c: labels.order(getattr(c, "id", ""), question.side.id))
    return [(say(c), (say(c),)) for c in among]


def sample_splits(question: Question) -> Iterator[Shares]:
    """Some legal splits: as even as possible, and all to each one."""
    sharers, amount = question.candidates, question.amount or 0
    for split in (even_split(sharers, amount), *(Shares.of(sharers, {x: amount}) for x in sharers)):
        if question.legal(split):
            yield split


def shares_said(shares: Shares) -> str:
    """A split in the form of an answer: `tf-1 2, tf-2 1`."""
    return ", ".join(f"{say(x)} {n}" for x, n in shares.items() if n)


def _amounts(pending: EachQuestion) -> str:
    """How much may be chosen for each, if the kind of the choice does not say it."""
    if pending.kind in {"one", "words"}:
        return ""
    if len(set(pending.amounts)) == 1:
        word = "any number" if pending.kind == "some" else form_of(pending.kind, pending.amounts[0])
        return f": {f'a number up to {pending.amounts[0]}' if pending.kind == 'number' else word} for each"
    word = {"number": "a number up to", "up_to": "up to", "exactly": "exactly"}[pending.kind]
    shown = [f"{say(i)} {n}" for i, n in zip(pending.items, pending.amounts, strict=True)]
    return f": {word} {', '.join(shown[:8])}{' …' if len(shown) > 8 else ''}"


def _listed(orders: tuple[str, ...]) -> str:
    return f"{', '.join(orders)}{OR_DONE}" if orders else "done"


def _title(side: Thing) -> str:
    return str(side.f_title or side.id)
