"""Battles at a table: which there are now, what goes to the table for each, and what it answers, as one side may know it.

A tabletop of the rules (`tabletop NAME …`) is open while one of its results is being asked for, or, if it has a `when`, while that
holds. The possible answers are derived from the rules and the forces, not from the open question, so they are known before it is
asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

import attrs

from dsl import ir
from dsl.ir import Routine, Type
from dsl.ir.walk import walk
from dsl.rules.tabletops import Laid
from interpreter.codegen.python_names import py
from interpreter.messages.asking import EachQuestion, Question, Sealed
from interpreter.messages.sides import UMPIRE
from interpreter.mirrors.known_world import known_world
from interpreter.program.failures import rule_failure
from interpreter.queries.project import Viewed, awaiting_of
from interpreter.runtime.hidden import is_hidden
from interpreter.runtime.runtime import TROUBLE, say
from interpreter.runtime.things import Thing, Value
from interpreter.world.world import World

__all__ = ["Force", "Table", "TableQuestion", "at_tables", "open_questions"]


@attrs.frozen
class Force:
    """A group of things that go to the table: its name in the rules, and the things, by their names."""

    name: str
    things: tuple[str, ...]


@attrs.frozen
class TableQuestion:
    """A question that the table answers.

    question: its name; form: one, words, some, up_to, exactly, number or split; each: the things of which each has an answer of its
    own; per_side: whether each side may be asked it for itself; words: what may be answered, where the rules list it; things: of
    which things may be answered; open: whether it is asked now; title: the question as people read it, or empty.
    """

    question: str
    form: str
    each: tuple[str, ...] | None
    per_side: bool
    words: tuple[str, ...]
    things: tuple[str, ...]
    open: bool
    title: str = ""


@attrs.frozen
class Table:
    """A battle at a table. name: its name in commands; facts: what the rules relate about it, by name; ground: labels of places."""

    name: str
    tabletop: str
    title: str
    cites: tuple[str, ...]
    forces: tuple[Force, ...]
    ground: tuple[str, ...]
    facts: tuple[tuple[str, str], ...]
    results: tuple[TableQuestion, ...]


def at_tables(game: Viewed, side: str = UMPIRE) -> tuple[Table, ...]:
    """The battles that are at a table now, or could be fought at one, as a side may know them."""
    if (seen := game.seen_by(side)) is not game:
        return at_tables(seen, side)
    seat = game.seat(side)
    asked = {one.name for one in awaiting_of(game, side) if one.kind == "question"}
    found: list[Table] = []
    with known_world(game.world, side) as world:
        for laid in world.ruleset.tabletops.values():
            reader = _Reader(world, laid, frozenset(asked))
            found += [table for about in reader.abouts() if (table := reader.table(about)) is not None]
    return seat.told(tuple(found))


class _Reader:
    """Reads the values of one tabletop in a world as one side knows it: what it may not know does not exist there."""

    def __init__(self, world: World, laid: Laid, asked: frozenset[str]) -> None:
        self.world, self.laid, self.asked = world, laid, asked

    def abouts(self) -> Sequence[Thing | None]:
        """The things that a battle may be about; None if it is not about a thing."""
        params = self.laid.node.signature.params
        if not params:
            return [None]
        kind = next(r.params[0].type.word for n in self.laid.names if (r := self.routine(n)) is not None)
        things = chain.from_iterable(self.world.by_kind.get(one, ()) for one in self.world.ruleset.sorts(kind))
        return list(things)

    def routine(self, name: str) -> Routine | None:
        """The bound value of a name."""
        return self.world.program.rules.routines.get(name)

    def value(self, name: str, about: Thing | None, default: object = None) -> Value:
        """A value of the tabletop; `default` if the side may not know it, or it has none now."""
        routine = self.routine(name)
        assert routine is not None
        frame = self.world.frames.get(f"procedure {routine.within}") if routine.within else None
        given: list[object] = ([] if not routine.within else [frame]) + ([about] if routine.params else [])
        try:
            return self.world.functions[f"v_{py(name)}"](*given)
        except TROUBLE as error:
            if not is_hidden(error):
                raise rule_failure(self.world.program, error) from error
            return default

    def is_open(self, about: Thing | None) -> bool:
        """Whether this battle is being fought at a table now."""
        within = next((r.within for n in self.laid.names if (r := self.routine(n)) is not None), None)
        pending = bool(self.asked & set(self.laid.results))
        if within and (not pending or f"procedure {within}" not in self.world.frames):
            return False
        if self.laid.when is not None:
            return bool(self.value(self.laid.when, about, default=False))
        return pending

    def table(self, about: Thing | None) -> Table | None:
        """The battle about a thing; None if there is none now."""
        if not self.is_open(about):
            return None
        node, laid = self.laid.node, self.laid
        gaps = [say(self.value(name, about, default="?")) for name in laid.gaps]
        parts = node.message.split("{}")
        title = "".join(f"{part}{gap}" for part, gap in zip(parts, [*gaps, ""], strict=False))
        forces = {name: self.things(value, about) for name, value in laid.forces}
        ground = [] if laid.ground is None else _listed(self.value(laid.ground, about))
        every = list(dict.fromkeys(x for things in forces.values() for x in things))
        return Table(
            about.id if about is not None else node.name, node.name, title, node.cites,
            tuple(Force(name, _ids(things)) for name, things in forces.items()),
            tuple(p.label for p in ground if getattr(p, "label", "")),
            tuple((name, say(found)) for name, value in laid.relates if (found := self.value(value, about)) is not None),
            tuple(self.asks(name, _with_parts(forces.get(of, []) if of else every), _with_parts(every), ground) for name, of in node.results),
        )  # fmt: skip

    def things(self, name: str, about: Thing | None) -> list[Thing]:
        """Things that go to the table."""
        return _listed(self.value(name, about))

    # ---- what the table answers
    def asks(
        self, question: str, whose: Sequence[Thing], forces: Sequence[Thing], ground: Sequence[Thing]
    ) -> TableQuestion:
        """A question for the table, from the rules. whose: the things it is asked about, if there are several."""
        line = next(one for one in _questions(self.world) if one.name == question)
        each = None
        if isinstance(line, ir.EachChooses) and not line.sides:
            each = _ids(x for x in whose if self.suits(x, line.over.type.of))
        listed = _words_of(line)
        words = listed or ()
        of = line.source.type.of if line.source is not None else None
        things = self._things_for(of, forces, ground) if listed is None else ()
        per_side = each is None and (not words and line.kind != "number")
        return TableQuestion(question, line.kind, each, per_side, words, things, question in self.asked, line.title)

    def _things_for(self, of: Type | None, forces: Sequence[Thing], ground: Sequence[Thing]) -> tuple[str, ...]:
        """The things of a type that could be an answer."""
        if of is None or of.name != "thing":
            return ()
        among = ground if self.world.ruleset.is_place(of) else forces
        return tuple(say(x) for x in among if self.suits(x, of))

    def suits(self, x: Thing, type_: Type | None) -> bool:
        """Whether a thing is of the kind, or of the group of kinds, that a type names."""
        return type_ is not None and type_.name == "thing" and x.kind in self.world.ruleset.sorts(type_.word)


def _words_of(line: ir.Choose | ir.EachChooses) -> tuple[str, ...] | None:
    """The words that a question offers; None if it does not list them."""
    if not isinstance(line.source, ir.Listed) or not all(isinstance(x, ir.Constant) for x in line.source.items):
        return None
    return tuple(say(x.value) for x in line.source.items if isinstance(x, ir.Constant))


def _questions(world: World) -> Iterator[ir.Choose | ir.EachChooses]:
    """Every question in the rules."""
    rules = world.program.rules
    for routine in chain(rules.routines.values(), chain.from_iterable(rules.hooks.values())):
        for line in walk(routine.body, routine.clauses):
            if isinstance(line, ir.Choose | ir.EachChooses):
                yield line


def _listed(value: Value) -> list[Thing]:
    """The things or places in a value."""
    if value is None:
        return []
    return list(value) if isinstance(value, list | tuple) else [value]


def _with_parts(things: Iterable[Thing]) -> list[Thing]:
    """Things with their parts, each whole before its parts."""
    found: list[Thing] = []
    for x in things:
        found.append(x)
        found += _with_parts(part for part in x.members if part.part)
    return list(dict.fromkeys(found))


def _ids(things: Iterable[Thing]) -> tuple[str, ...]:
    return tuple(x.id for x in things)


def open_questions(game: Viewed) -> tuple[Question | EachQuestion, ...]:
    """The questions that are open now."""
    pending = game.pending
    asked = pending.open if isinstance(pending, Sealed) else (pending,)
    return tuple(one for one in asked if isinstance(one, Question | EachQuestion))
