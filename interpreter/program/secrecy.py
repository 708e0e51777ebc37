"""What rules keep secret from sides: determined from them once, for all games and all questions.

`knowledge.py` decides what is hidden from whom at a moment, and `mirror.py` leaves it out of what a side sees. Both are called
thousands of times in a game.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from types import CodeType

from dsl import ir
from dsl.analysis.effects_of import kind_of
from dsl.analysis.flows import Flows, hidden_flows
from dsl.analysis.hidden_reads import conceals, hidden_fields, hidden_reads, hides, lifting_marks, rests_on_others
from dsl.binding.bound import BoundRuleset
from dsl.ir import E, Routine, lines_in
from dsl.rules.notation import attribute
from interpreter.codegen.expressions import code_of
from interpreter.program.unheard import Unheard
from interpreter.program.what_names_rest_on import Naming, NamingsRead
from interpreter.runtime.frames import Frame

__all__ = ["Question", "Rolling", "Secrecy"]

Question = ir.Choose | ir.EachChooses
Rolling = ir.Roll | ir.EachRolls | ir.Draw


class Secrecy:
    """What rules may have to keep from sides."""

    def __init__(self, rules: BoundRuleset) -> None:
        self._rules = rules
        self.ruleset = ruleset = rules.ruleset
        kinds = ruleset.kinds
        self.hides = hides(ruleset)
        self.conceals = conceals(ruleset)
        self.hiding_kinds = tuple(k for k in kinds if hidden_fields(ruleset, k, ever=True, anyone=True))
        self.shy_kinds = frozenset(k for k, x in kinds.items() if x.node and any(v.off_map for v in x.node.visibility))
        """The kinds of things that have more hidden fields while they are off the map."""
        self.concealed_kinds = frozenset(
            k for k in self.hiding_kinds if "place" in hidden_fields(ruleset, k, ever=True, anyone=True)
        )
        """The kinds of things that may be unknown to a side."""
        self.nameless_kinds = frozenset(k for k in kinds if "name" in hidden_fields(ruleset, k))
        """The kinds whose names are hidden."""
        self.marks = {k: tuple((m, attribute(m)) for m in lifting_marks(ruleset, k)) for k in self.hiding_kinds}
        """The marks that reveal hidden fields of a thing, with their attributes, by its kind."""
        speaking = {k: tuple(self._speaking(k)) for k in kinds}
        self.speaking = {k: slots for k, slots in speaking.items() if slots}
        """The attributes of a kind that hold things which may be completely hidden."""
        self._routines: dict[str, tuple[tuple[Question, ...], tuple[Rolling, ...], tuple[Naming, ...]]] = {}
        self._codes: dict[int, tuple[E, CodeType]] = {}
        self._slots: dict[type, tuple[str, ...]] = {}

    def _speaking(self, kind: str) -> Iterator[str]:
        for field in self.ruleset.kinds[kind].fields.values():
            if "place" in hidden_fields(self.ruleset, kind_of(field.type)):
                yield attribute(field.name)

    # ---- orders
    @cached_property
    def unheard(self) -> Unheard:
        """What may be done without others learning of it."""
        return Unheard(self._rules, self.flows)

    @cached_property
    def secretive(self) -> frozenset[str]:
        """The orders whose clauses read something that may be hidden: they are checked as the giver knows things."""
        orders = (routine for routine in self._rules.routines.values() if routine.word == "order")
        return frozenset(order.name for order in orders if self.hides and self._reads_hidden(order))

    @cached_property
    def concealing(self) -> frozenset[str]:
        """Those among them that are about things that may be unknown to others."""
        return frozenset(name for name in self.secretive if self._speaks_of_concealed(name))

    def _reads_hidden(self, order: Routine) -> bool:
        routines, clauses = self._rules.routines, order.clauses
        if any("place" in hidden_fields(self.ruleset, kind) for kind in _given_to(order)):
            return True
        found = next(hidden_reads(self.ruleset, routines, clauses), None) or next(
            rests_on_others(self.ruleset, routines, clauses, unheard=self.unheard.may_be_kept_back), None
        )
        return found is not None

    def _speaks_of_concealed(self, name: str) -> bool:
        routines = self._rules.routines
        order = routines[f"order {name}"]
        kinds = _given_to(order) | {
            r.kind for r in hidden_reads(self.ruleset, routines, order.clauses) if r.field == "place"
        }
        return any("place" in hidden_fields(self.ruleset, kind) for kind in kinds)

    # ---- names of procedures
    @cached_property
    def flows(self) -> Flows:
        """The rolls whose results affect something that may be hidden."""
        return hidden_flows(self.ruleset, self._rules.routines, self._rules.hooks)

    def secret_questions(self, routine: Routine) -> tuple[Question, ...]:
        """The lines of a routine that ask in secret."""
        return self._lines_of(routine)[0]

    def rolls(self, routine: Routine) -> tuple[Rolling, ...]:
        """The lines of a routine whose rolls affect something hidden."""
        return self._lines_of(routine)[1]

    def namings(self, routine: Routine) -> tuple[Naming, ...]:
        """What the names of a routine depend on, including whether they are set at all."""
        return self._lines_of(routine)[2]

    def _lines_of(self, routine: Routine) -> tuple[tuple[Question, ...], tuple[Rolling, ...], tuple[Naming, ...]]:
        key = f"{routine.word} {routine.name}"
        if key not in self._routines:
            lines, flows = list(lines_in(routine.body)), self.flows
            asks = tuple(s for s in lines if isinstance(s, ir.Choose | ir.EachChooses) and s.secret)
            rolls = tuple(s for s in lines if isinstance(s, Rolling) and flows.get(s.span))
            self._routines[key] = asks, rolls, NamingsRead(routine.body).namings
        return self._routines[key]

    def named_slots(self, frame: Frame) -> tuple[str, ...]:
        """The attributes of a frame that hold its names."""
        made = type(frame)
        if made not in self._slots:
            self._slots[made] = tuple(s for s in made.__slots__ if s.startswith("n_"))
        return self._slots[made]

    def code(self, value: E) -> CodeType:
        """The evaluator of an expression of the rules, emitted and compiled once."""
        kept = self._codes.get(id(value))
        if kept is None:
            kept = self._codes[id(value)] = value, code_of(self._rules, value, "<veiled>")
        return kept[1]


def _given_to(order: Routine) -> set[str]:
    """The kinds of the things that an order is given to and mentions."""
    return {p.type.word for p in order.params if p.type.name == "thing"}
