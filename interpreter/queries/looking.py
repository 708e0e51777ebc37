"""Looking at a game: which orders are legal, what speaks against one, what a command names, what can be asked about things.

A reader who asks as a side may write labels for names that the side may not know, and gets answers with them (`seat.py`,
`incognito.py`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Protocol

import attrs

from dsl.rules.notation import attribute
from interpreter.codegen.python_names import slot_of
from interpreter.commands.command import Command, LegalCommand
from interpreter.explain.explain import explain as explained
from interpreter.explain.explain import explain_changes as changes_explained
from interpreter.explain.explanations import Explanation, with_rulings
from interpreter.messages.asking import EachQuestion, Question, Sealed, Window
from interpreter.messages.inputs import ENDINGS, Input, Refused, RuleFailure
from interpreter.messages.sides import side_called
from interpreter.messages.standing_rulings import StandingRuling
from interpreter.messages.view import SideView, View
from interpreter.play.answer_reader import names_in_answer
from interpreter.play.answers import Answers
from interpreter.play.contracts import Retold, Running, Seated, Waiting
from interpreter.play.orders import Orders
from interpreter.queries.awaited import Awaiting, awaited
from interpreter.queries.project import Viewed
from interpreter.queries.project import view as shown
from interpreter.runtime.references import named_in
from interpreter.runtime.refusals import About, Refusal, Why
from interpreter.runtime.runtime import typed
from interpreter.runtime.things import Thing
from interpreter.world.namebook import NO_NAMES, Names
from interpreter.world.seat import Seat

if TYPE_CHECKING:
    import networkx as nx

__all__ = [
    "Looked", "as_data", "as_typed", "asked_of", "examples", "explain", "explain_changes", "in_own_words", "legal", "legal_commands", "map_graph", "may_answer", "named_of",
    "ordered", "sides_of", "understand", "view", "why_not",
]  # fmt: skip


class Looked(Running, Seated, Waiting, Awaiting, Protocol):
    """A game that can be viewed."""

    @property
    def orders(self) -> Orders:
        """Its orders."""

    def what(self, side: str) -> str:
        """What the game is waiting for, in words that a side may read."""


class Answered(Looked, Protocol):
    """A game that can have open questions."""

    @property
    def answers(self) -> Answers:
        """What takes answers."""


@attrs.frozen
class KeptTellings:
    """Views of a game kept by reader: the situation, and what the last input changed."""

    views: dict[str, View] = attrs.field(factory=dict)
    changes: dict[str, list[Explanation]] = attrs.field(factory=dict)


class Shown(Viewed, Retold, Protocol):
    """A game that can show its situation and explain it."""

    told: KeptTellings | None

    def standing_for(self, side: str) -> Sequence[StandingRuling]:
        """The rulings in effect that are visible to a side."""


def as_typed(game: Looked, given: Input) -> Input:
    """A side's typed input: a word that is not in the side's name book means nothing."""
    if given.kind not in {"do", "answer"}:
        return given
    names = names_in(game, given.kind, given.side, given.text)
    return attrs.evolve(given, text=game.seat(given.side).heard(given.text, names=names))


def names_in(game: Looked, kind: str, side: str, text: str) -> Names:
    """Where names occur in a command, or in an answer."""
    return (
        game.orders.commands.reader.names_in(text)
        if kind == "do"
        else names_in_answer(game.seen_by(side).runner.pending, side, text)
    )


def sides_of(game: Looked) -> tuple[SideView, ...]:
    """The sides: everybody may know them."""
    world = game.world
    return tuple(SideView(s.id, s.f_title or s.id, world.colours.get(s.id, "")) for s in world.by_kind["side"])


def in_own_words(game: Looked, given: Input) -> Input:
    """An input as its side would write it: the umpire, and standing instructions, use names that it may not know."""
    labels = game.world.incognito
    side = given.subject.partition(" ")[0] if given.kind == "deadline" else given.side
    if labels is None or given.kind not in {"do", "answer", "deadline"}:
        return given
    if not named_in(text := given.text):
        kind = "answer" if given.kind == "answer" or " " in given.subject else "do"
        text = labels.referred(text, names_in(game, kind, side, text))
    return attrs.evolve(given, text=labels.told(text, side))


def legal(game: Looked, side: str, limit: int = 500, reader: str = "") -> list[str]:
    """Complete commands that the side may give now, as `do` takes them; answers when a question is open.

    reader: who reads them, if not the side itself but the umpire.

    Raises RuleFailure if a rule that is needed for this fails.
    """
    seen = game.seen_by(side)
    found = [one if isinstance(one, str) else one.text for one in _legal(seen, side, limit)]
    game.orders.commands.unfinished = seen.orders.commands.unfinished
    return seen.seat(reader or side).told(found)


def legal_commands(game: Looked, side: str, limit: int = 500, reader: str = "") -> list[LegalCommand]:
    """Like `legal`, with the order and its arguments; for an answer, and for `done`, both are its text."""
    seen = game.seen_by(side)
    commands = seen.orders.commands
    found = [LegalCommand(one, one) if isinstance(one, str) else one.data for one in _legal(seen, side, limit)]
    game.orders.commands.unfinished = commands.unfinished
    return seen.seat(reader or side).told(found)


def _legal(game: Looked, side: str, limit: int) -> Sequence[Command | str]:
    """The commands, and the answers and words that are not commands."""
    pending, game.orders.commands.unfinished = game.runner.pending, []
    if isinstance(pending, Window):
        who = [s for s in pending.waiting if side in {"umpire", s.id}]
        out: list[Command | str] = []
        for found in who:
            for name in pending.orders:
                for command in game.orders.commands.listed(found, name):
                    out.append(command)
                    if len(out) >= limit:
                        return out
            if not game.orders.still_open(found):
                out.append("done")
        return out
    if not isinstance(pending, Question | EachQuestion | Sealed):
        return []
    return [c for a in awaited(game, all_orders=True) if side in {"umpire", a.side} for c in a.choices][:limit]


def examples(
    game: Looked, side: str, orders: Iterable[str], most: int = 1, under: Collection[str] = ()
) -> dict[str, list[str]]:
    """Commands that the side may give now, at most so many of each of some orders of its window.

    under: ids of things of the side; then only commands that name one of them, or something that belongs to one, first.
    """
    game = game.seen_by(side)
    pending, found = game.runner.pending, {}
    if isinstance(pending, Window) and (who := side_called(game.world, side)) in pending.waiting:
        own = (x for x in game.world.by_id.values() if _is_own(x, who)) if under else ()
        among = {x.id for x in own if not belongs_to(game, x).isdisjoint(under)} if under else None
        for name in (name for name in orders if name in pending.orders):
            texts = [command.text for command in islice(game.orders.commands.listed(who, name, among), most)]
            found[name] = game.seat(side).told(texts)
    return found


def _command(game: Looked, seat: Seat, text: str) -> str:
    """A side's typed command, converted for reading."""
    return seat.heard(text, as_ids=True, names=game.orders.commands.reader.names_in(text))


def understand(game: Looked, side: str, command: str) -> None:
    """Checks that a command names an existing order and existing things, whatever the game is waiting for. Raises Refused if not."""
    game = game.seen_by(side)
    seat = game.seat(side)
    game.orders.commands.reader.seat = seat
    giver, text = side_called(game.world, side), _command(game, seat, command)
    try:
        if len(words := text.lower().split()) > 1 and words[0] in game.orders.commands.orders and words[1] == "all":
            return
        for one in game.orders.commands.spread(text, giver, tuple(game.orders.commands.orders)):
            game.orders.commands.read(one, giver)
    except (Refused, RuleFailure) as error:
        raise seat.told(error) from error.__cause__


def ordered(game: Looked, side: str, command: str) -> dict[str, frozenset[str]]:
    """For each thing of a side that its command names: its id, and the ids of itself and of what it belongs to.

    It belongs to its holder, to what the holder belongs to, and to formations that its fields name. Raises Refused if the
    command names no order, or things that do not exist.
    """
    game = game.seen_by(side)
    seat = game.seat(side)
    game.orders.commands.reader.seat = seat
    giver, text = side_called(game.world, side), _command(game, seat, command)
    found: dict[str, frozenset[str]] = {}
    try:
        for one in game.orders.commands.spread(text, giver, tuple(game.orders.commands.orders)):
            read = game.orders.commands.read(one, giver)
            for _, name, _, _ in read.order.params:
                value = getattr(read.frame, slot_of(name))
                for x in value if isinstance(value, list | tuple) else (value,):
                    if _is_own(x, giver):
                        found[typed(x)] = belongs_to(game, x)
    except (Refused, RuleFailure) as error:
        raise seat.told(error) from error.__cause__
    return found


def named_of(game: Looked, side: str, text: str) -> dict[str, frozenset[str]]:
    """For each thing of a side whose id is a word of a text: its id, and the ids of itself and of what it belongs to."""
    by_id, giver = game.world.by_id, side_called(game.world, side)
    words = [word for word in re.findall(r"[\w-]+", text) if word in by_id]
    return {word: belongs_to(game, by_id[word]) for word in words if _is_own(by_id[word], giver)}


def _is_own(x: Thing, side: Thing) -> bool:
    return getattr(x, "alive", False) and getattr(x, "side", None) is side and x.kind != "side"


def belongs_to(game: Looked, thing: Thing) -> frozenset[str]:
    """The ids of a thing, of what holds it and of the formations that its fields name, and so on upwards."""
    kinds = game.world.ruleset.kinds
    found: set[str] = set()
    above: list[Thing | None] = [thing]
    while above:
        x = above.pop()
        if x is None or x.id in found or getattr(x, "alive", False) is not True:
            continue
        found.add(typed(x))
        above.append(getattr(x, "holder", None))  # if it is hidden, nothing above it is known
        for field in kinds[x.kind].fields.values():
            if field.type.name == "thing" and (kind := kinds.get(field.type.word)) and kind.word == "formation":
                value = getattr(x, attribute(field.name), None)
                above += value if isinstance(value, list) else [value]
    return frozenset(found)


def why_not(game: Looked, side: str, command: str) -> list[Refusal]:
    """Every reason against a command; empty if it is legal now. Raises Refused if it cannot be understood."""
    game = game.seen_by(side)
    seat = game.seat(side)
    try:
        return seat.told(_why_not(game, side, _command(game, seat, command)))
    except (Refused, RuleFailure) as error:
        raise seat.told(error) from error.__cause__


def as_data(game: Looked, side: str, command: str) -> LegalCommand | None:
    """What a typed command names, in its side's names, whether it is legal or not; None if it cannot be understood."""
    game = game.seen_by(side)
    seat, waiting = game.seat(side), getattr(game.runner.pending, "waiting", ())
    commands = game.orders.commands
    commands.reader.seat = seat
    giver = next(iter(waiting), None) if side == "umpire" else side_called(game.world, side)
    try:
        return seat.told(commands.read(_command(game, seat, command), giver).data) if giver is not None else None
    except (Refused, RuleFailure):
        return None


def _why_not(game: Looked, side: str, command: str) -> list[Refusal]:
    pending = game.runner.pending
    if not isinstance(pending, Window):
        return [Refusal(f"You cannot give orders now. {game.what(side)}", kind=Why.NOT_NOW)]
    game.orders.commands.reader.seat = game.seat(side)
    who = side_called(game.world, side) if side != "umpire" else pending.waiting[0]
    reasons = []
    if who not in pending.waiting:
        said, about = f"It is not {who.id}'s turn to give orders.", About(side=who.id)
        reasons.append(Refusal(said, kind=Why.NOT_NOW, about=about))
    if command.strip().lower() in ENDINGS:
        return reasons + game.orders.still_open(who)
    read = game.orders.commands.read(command, who, pending.orders)
    if read.order.name not in pending.orders:
        said, hint = (
            f"`{read.order.name}` cannot be ordered in this phase.",
            f"Possible now: {', '.join(pending.orders)}.",
        )
        reasons.append(Refusal(said, read.order.cites, "", hint, Why.NOT_NOW, About(order=read.order.name)))
    return reasons + game.orders.commands.settle(read, who)


def asked_of(game: Looked, kind: str) -> tuple[tuple[str, str], ...]:
    """What the rules compute for one thing of a kind: the names of values and statuses, each with `value` or `status`.

    Those without a citation are left out: they serve automated sides, or are intermediate steps.
    """
    ruleset = game.world.ruleset
    return tuple(
        (routine.word, routine.name)
        for routine in game.program.rules.routines.values()
        if routine.word in {"value", "status"} and routine.within is None and routine.cites
        if len(routine.params) == 1 and not routine.params[0].many and routine.params[0].type.name == "thing"
        if kind in ruleset.sorts(routine.params[0].type.word)
    )


# ---- what is told of it
def explain(game: Shown, expression: str, side: str = "umpire") -> Explanation:
    """A value computed again with its audit trail, from what a side may know.

    Raises Refused when it cannot be understood, has no value now, or depends on something that is hidden from the side.
    """
    seen = game.seen_by(side)
    seat = seen.seat(side)
    try:
        told = explained(seen, seat.heard(expression, names=NO_NAMES), side, seat.book)
        found: Explanation = seat.told(with_rulings([told], seen.standing_for(side))[0])
        return found
    except (Refused, RuleFailure) as error:
        raise seat.told(error) from error.__cause__


def explain_changes(game: Shown, side: str = "umpire") -> list[Explanation]:
    """The fields that the last input changed, each explained down to its sources, as far as a side may know."""
    kept = {} if game.told is None else game.told.changes
    if side not in kept:
        seen = game.seen_by(side)
        kept[side] = seen.seat(side).told(with_rulings(changes_explained(seen, side), seen.standing_for(side)))
    return kept[side]


def view(game: Shown, side: str) -> View:
    """The situation as a side, or the umpire, may know it."""
    kept = {} if game.told is None else game.told.views
    if side not in kept:
        seen = game.seen_by(side)
        kept[side] = seen.seat(side).told(shown(seen, side))
    return kept[side]


def map_graph(game: Shown, side: str, layers: Mapping[str, str] | None = None, on: str = "") -> nx.Graph[str]:
    """The maps, or one by its name, as a networkx graph as a side may know them, with layers (`interpreter/queries/map_graph.py`).

    Raises Refused for a layer that cannot be understood.
    """
    from interpreter.queries.map_graph import map_graph as graph  # networkx is slow to import

    seen = game.seen_by(side)
    return graph(seen, view(seen, side), layers or {}, on)


def may_answer(game: Answered, side: str, name: str, text: str) -> bool:
    """Whether an answer to an open question would be accepted, without answering."""
    seen = game.seen_by(side)
    return seen.answers.may_be(
        seen.runner.pending,
        side,
        name,
        seen.seat(side).heard(text, as_ids=True, names=names_in(seen, "answer", side, text)),
    )
