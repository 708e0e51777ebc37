"""Actions of which not every side is told, as the rules show: secret orders, and procedures that depend on hidden things."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import cached_property

from dsl import ir
from dsl.analysis.effects_of import is_kept_back, kind_changed, kind_of, lines_done
from dsl.analysis.flows import Flows
from dsl.analysis.hidden_reads import hidden_fields, hidden_reads, hides
from dsl.binding.bound import BoundRuleset
from dsl.ir import SIDE, E, lines_in
from interpreter.codegen.python_names import py
from interpreter.program.what_names_rest_on import NamingsRead

__all__ = ["Unheard"]

Name = tuple[str, str]
"""A name, with the key of its routine."""


class Unheard:
    """What may be done without others learning of it, by its key in the rules, such as `order march`."""

    def __init__(self, rules: BoundRuleset, flows: Flows) -> None:
        self.rules, self.ruleset, self.flows = rules, rules.ruleset, flows

    def is_covert(self, order: str, away: Collection[str] = ()) -> bool:
        """Whether an order changes something that is hidden from the enemy: then only its own side learns of the order.

        away: the kinds of the things it is given to that are off the map, where more of their fields may be hidden.
        """
        lines = lines_done(self.rules.routines, self.rules.hooks, f"order {order}")
        return any(is_kept_back(self.ruleset, line, ever=kind_changed(line) in away) for line in lines)

    def is_quiet(self, key: str) -> bool:
        """Whether a routine asks no questions, rolls no dice and reports nothing."""
        return not any(
            line.DOES.asks or line.DOES.rolls or isinstance(line, ir.May | ir.Tell | ir.Story)
            for line in lines_done(self.rules.routines, self.rules.hooks, key)
        )

    # ---- whose past is asked
    def may_be_kept_back(self, keys: Iterable[str]) -> bool:
        """Whether a side may be unable to know whether another has done one of these."""
        return any(key in self.in_secret or key in self.of_the_unseen or self.hangs_on_hidden(key) for key in keys)

    def hangs_on_hidden(self, key: str) -> bool:
        """Whether the execution of a procedure, or its arguments, depends on something hidden from somebody: executing it would reveal that."""
        return key.startswith("procedure ") and key in self._by_hidden_things

    @cached_property
    def in_secret(self) -> frozenset[str]:
        """What others do secretly: secret orders, and the procedures that are done in them; among those that rules ask about."""
        past = {
            k for name in self.rules.past for k in (f"order {name}", f"procedure {name}") if k in self.rules.routines
        }
        if not past:
            return frozenset()
        done = {key: set(self._done_in(key)) | {key} for key in self._orders}
        asked = {key for key, found in done.items() if not past.isdisjoint(found)}
        covert = {key for key in asked if self.is_covert(key.partition(" ")[2], self._kinds_given(key))}
        return frozenset(k for key in covert for k in done[key])

    @cached_property
    def of_the_unseen(self) -> frozenset[str]:
        """Orders that may be given to things that others must not know of: this is hidden only for its sides."""
        return frozenset(
            key for key in self._orders if any("place" in self._hidden_of(k) for k in self._kinds_given(key))
        )

    def is_owners(self, key: str) -> bool:
        """Whether only its owner can have caused a thing to do this."""
        routine = self.rules.routines[key]
        if routine.word != "order" or not routine.params:
            return True
        first = routine.params[0].name
        for line in routine.clauses:
            if isinstance(line, ir.GivenBy):
                of = line.who.thing if isinstance(line.who, ir.SideOf) else None
                return isinstance(of, ir.FrameName) and of.name == first
        return False

    def is_given_to_sides(self, key: str) -> bool:
        """Whether an order is given to a side, which is then recorded after the side that gave it."""
        params = self.rules.routines[key].params
        return bool(params) and params[0].type == SIDE

    # ---- the lines of the rules
    @property
    def _orders(self) -> Iterator[str]:
        return (key for key in self.rules.routines if key.startswith("order "))

    def _hidden_of(self, kind: str) -> frozenset[str]:
        return hidden_fields(self.ruleset, kind, ever=True)

    def _kinds_given(self, order: str) -> set[str]:
        """The kinds of things that an order is given to, or mentions."""
        found = {kind_of(p.type) for p in self.rules.routines[order].params}
        return found | {k for kind in found for k in self.ruleset.sorts(kind)}

    def _done_in(self, key: str) -> Iterator[str]:
        """The procedures that are done as part of something."""
        return (s.key for s in lines_done(self.rules.routines, self.rules.hooks, key) if isinstance(s, ir.Do))

    # ---- what execution depends on
    @cached_property
    def _read(self) -> dict[str, NamingsRead]:
        """What names depend on, and what is done, in every routine."""
        hooks = {f"rule {r.name}": r for rules in self.rules.hooks.values() for r in rules}
        return {key: NamingsRead(routine.body) for key, routine in {**self.rules.routines, **hooks}.items()}

    @cached_property
    def _by_hidden_things(self) -> frozenset[str]:
        """The procedures for which `hangs_on_hidden` is true."""
        if not hides(self.ruleset):
            return frozenset()
        found = set(self._done_by_hidden_things())
        waiting = list(found)
        while waiting:
            more = set(self._done_in(waiting.pop())) - found
            found |= more
            waiting += more
        return frozenset(found)

    def _done_by_hidden_things(self) -> Iterator[str]:
        """The procedures whose lines or conditions depend on something hidden."""
        names = self._hidden_names()
        shy = {f"rule {t.rule}" for t in self.rules.triggers if self._waits_for_hidden(t)}
        for rule, read in self._read.items():
            for key, parts in read.done:
                if rule in shy or self._rests_on_hidden(parts, rule, names):
                    yield key

    def _waits_for_hidden(self, t: ir.Trigger) -> bool:
        """Whether a rule waits for something that may be hidden from somebody."""
        hidden = {f for p in t.params for k in self.ruleset.sorts(p.type.word) for f in self._hidden_of(k)}
        return "place" in hidden or t.field in hidden or self._rests_on_hidden((t.when, t.test, t.amount), "", ())

    def _hidden_names(self) -> set[Name]:
        """The names of procedures that may be hidden from somebody: chosen in secret, or computed from something hidden."""
        names: set[Name] = set()
        for key, routine in self.rules.routines.items():
            for s in lines_in(routine.body):
                secret = s.secret if isinstance(s, ir.Choose | ir.EachChooses) else bool(self.flows.get(s.span))
                if secret and isinstance(s, ir.Choose | ir.EachChooses | ir.Roll | ir.EachRolls | ir.Draw):
                    names.add((key, py(s.name)))
        before = -1
        while len(names) != before:
            before = len(names)
            for key, read in self._read.items():
                for naming in read.namings:
                    new = {(naming.into or key, slot.removeprefix("n_")) for slot in naming.slots} - names
                    if new and self._rests_on_hidden((naming.value,), key, names):
                        names |= new
        return names

    def _rests_on_hidden(self, parts: tuple[E | None, ...], key: str, names: Collection[Name]) -> bool:
        """Whether expressions of a routine read something that may be hidden from somebody. names: the names that may be."""
        routines = self.rules.routines
        if next(hidden_reads(self.ruleset, routines, parts, anyone=True), None) is not None:
            return True
        if any(
            not self.in_secret.isdisjoint(x.orders) for x in ir.reached(routines, parts) if isinstance(x, ir.HasDone)
        ):
            return True
        own = {py(x.name) for x in ir.walk(parts) if isinstance(x, ir.FrameName | ir.FrameEntry) and x.frame == "F"}
        read = {py(x.name) for x in ir.reached(routines, parts) if isinstance(x, ir.FrameName | ir.FrameEntry)}
        return any((word in own and of == key) or word in read - own for of, word in names)
