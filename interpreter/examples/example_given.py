"""`given` in an example: facts are set, values and statuses are fixed, options are changed."""

from __future__ import annotations

from dsl import ir
from dsl.binding.absence import is_none
from dsl.binding.after_is import is_one
from dsl.binding.fitting import looked_for
from dsl.binding.said_words import empty_set, said_of, says_absent
from dsl.binding.scoping import means_phase
from dsl.ir import MARK, NUMBER, SIDE, E, Type
from dsl.rules.notation import attribute
from dsl.syntax import syntax_tree as t
from interpreter.codegen.python_names import py
from interpreter.codegen.reads import ALL, PHASE
from interpreter.examples.example_standing import ExampleStanding
from interpreter.runtime.refusals import Why
from interpreter.runtime.runtime import RuleTrouble, say
from interpreter.runtime.things import Thing, Value

__all__ = ["Givens"]


SAYS_WHAT_IS, GIVEN_SO = (
    "`given` must say what is the case, not what is not.",
    "Name the value: `given posture of u is …`.",
)


class Givens:
    """Applies the `given` lines of an example. x: the context of the example."""

    def __init__(self, x: ExampleStanding) -> None:
        self.x = x

    def amend(self, option: str, term: str) -> None:
        """Gives an option a new value from here on."""
        if term not in self.x.program.ruleset.options[option].terms:
            raise Why.UNKNOWN_NAME(f"The option {option} cannot be {term}.", option=option, name=term)
        if self.x.world.options.get(option) != term:
            self.x.world.rulings.amend({option: term})
            self.x.world.touch(ALL)
            self.x.world.changed()

    def given(self, condition: t.Node) -> None:
        """Sets a fact or gives a value, from a condition of the form `X is Y` or `X = Y`."""
        if isinstance(condition, t.AllOf):
            for item in condition.items:
                self.given(item)
            return
        if isinstance(condition, t.Negation):
            raise Why.NOT_UNDERSTOOD("`given` does not take `not` before a condition. Write `given u is not marked`.")
        if isinstance(condition, t.Compare) and condition.op == "=":
            self._assign(condition.left, condition.right, False)
        elif isinstance(condition, t.IsTest) and len(condition.alternatives) == 1:
            self._assign(condition.subject, condition.alternatives[0], condition.negated)
        elif isinstance(condition, t.IsPlaced) and condition.kind == "in":
            what, where = self.x.bound(
                lambda: (
                    self.x.binder.expr(condition.subject, self.x.scope()),
                    self.x.binder.expr(condition.arg, self.x.scope()),
                )
            )
            place = self.x.value(where)
            if place is None:
                raise Why.NO_VALUE(f"The place is missing: {self.x.text(condition.arg.span)} is absent here.")
            self.x.world.positions.stand(self.x.value(what), place.place)
        else:
            raise Why.NOT_UNDERSTOOD("`given` takes one plain fact: X is Y, X = 3, or X is in H.")
        self.x.world.changed()
        self.x.world.moves += 1

    def _assign(self, subject: t.Node, node: t.Node, negated: bool) -> None:
        whole = said_of(self.x.binder, subject, node, self.x.scope())
        if whole is not None:
            self._assign_word(whole, node, negated)
            return
        if isinstance(subject, t.Of):
            holder = self.x.bound(lambda: self.x.binder.expr(subject.arg, self.x.scope()))
            self._assign_property(subject.word, holder, node, negated)
            return
        if isinstance(subject, t.Called):
            bound = self.x.bound(lambda: self.x.binder.expr(subject, self.x.scope()))
            self._assign_called(bound, self._pinned(bound.type, node, negated))
            return
        if isinstance(subject, t.Name) and self._assign_name(subject.word, node, negated):
            return
        holder = self.x.bound(lambda: self.x.binder.expr(subject, self.x.scope()))
        self._assign_word(holder, node, negated)

    def _assign_called(self, bound: E, value: object) -> None:
        """Gives a value or status of several arguments."""
        if not isinstance(bound, ir.Call):
            raise Why.NOT_UNDERSTOOD("`given` takes one plain fact: X is Y, X = 3, or X is in H.")
        self.x.session.pins.setdefault(bound.name, {})[tuple(self.x.value(arg) for arg in bound.arguments)] = value

    def _assign_name(self, word: str, node: t.Node, negated: bool) -> bool:
        ruleset, world = self.x.program.ruleset, self.x.world
        if word in self.x.routine.frame:
            return False
        if word == "active":
            world.active = self._pinned(SIDE, node, negated)
            self.x.frame.acting = world.active
            self.x.session.active_given = True
            return True
        if word == "turn":
            world.turn = self._pinned(NUMBER, node, negated)
            return True
        if means_phase(self.x.binder, t.Name(node.span, word), self.x.scope()):
            if negated:
                raise Why.NOT_UNDERSTOOD("`given` must say what the phase is: `given phase is …`.")
            test = t.IsTest(node.span, t.Name(node.span, word), (node,))
            phase = self.x.bound(lambda: self.x.binder.condition(test, self.x.scope()))
            names = phase.names if isinstance(phase, ir.PhaseIs) else ()
            world.phases = [(name, self.x.program.phases().get(name, name)) for name in names]
            world.touch(PHASE)
            return True
        kind = ruleset.campaign_kind
        if kind and word in ruleset.kinds[kind].fields:
            field = ruleset.kinds[kind].fields[word]
            value = None if says_absent(ruleset, node, field.type) else self._pinned(field.type, node, negated)
            self._must_hold(world.game, word, value)
            setattr(world.game, attribute(word), list(value) if isinstance(value, tuple) else value)
            return True
        declared = ruleset.bodied.get(word)
        if declared is not None and declared.word in {"value", "status"}:
            routine = self.x.bound(lambda: self.x.binder.routine(word, node.span))
            self.x.session.pins[word] = {None: self._pinned(routine.type, node, negated)}
            return True
        for routine in self.x.program.rules.routines.values():
            if word in routine.frame and routine.frame[word].name != "map":
                frame = world.last_frame(f"{routine.word} {routine.name}")
                value = self._pinned(routine.frame[word], node, negated)
                setattr(frame, f"n_{py(word)}", value)
                self.x.session.pins[f"let {word}"] = value
                return True
        return False

    def _pinned(self, type_: Type, node: t.Node, negated: bool) -> Value:
        if type_ is MARK and isinstance(node, t.Name) and node.word in {"yes", "no"}:
            return (node.word == "yes") != negated
        if negated:
            raise Why.NOT_UNDERSTOOD(SAYS_WHAT_IS, hint=GIVEN_SO)
        wanted = looked_for(type_) or type_.of
        empty = empty_set(self.x.binder, node, type_, self.x.scope())
        if empty is not None:
            return self.x.value(empty)
        value = self.x.value(
            self.x.bound(lambda: self._fitting(type_, self.x.binder.expr(node, self.x.scope(), wanted), node))
        )
        if type_.name == "set" and not isinstance(value, list | tuple):
            value = [value]
        return value

    def _fitting(self, type_: Type, bound: E, node: t.Node) -> E:
        """The given value, if it has the right type; a single thing is accepted for a set."""
        one = type_.of if type_.name == "set" and bound.type.name != "set" and not is_none(bound) else None
        self.x.binder.lenient = True
        try:
            return self.x.binder.needs(bound, one or type_, node.span)
        finally:
            self.x.binder.lenient = False

    def _must_hold(self, thing_: Value, word: str, value: object) -> None:
        """A given value must respect the bounds of its field, like one that a rule sets."""
        try:
            self.x.world.effects.must_hold(thing_, word, value)
        except RuleTrouble as error:
            raise Why.NOT_UNDERSTOOD(str(error)) from None

    def _assign_property(self, word: str, holder: E, node: t.Node, negated: bool) -> None:
        ruleset = self.x.program.ruleset
        fields = ruleset.kinds[holder.type.word].fields if holder.type.name == "thing" else {}
        thing_ = self.x.value(holder)
        if negated and (isinstance(node, t.Literal) or (isinstance(node, t.Name) and node.word in {"absent", "none"})):
            raise Why.NOT_UNDERSTOOD(SAYS_WHAT_IS, hint=GIVEN_SO)
        if word in fields:
            self._assign_field(thing_, word, fields[word].type, node, negated)
            return
        printed = ruleset.kinds[holder.type.word].node if holder.type.name == "thing" else None
        if printed is not None and any(p.name == word for p in printed.printed) and isinstance(node, t.Literal):
            self.x.world.maker.fill(thing_, word, str(node.value))
            return
        declared = ruleset.bodied.get(word)
        if declared is not None and declared.word in {"value", "status"}:
            if holder.type.name == "set":
                raise Why.UNCLEAR("Give the value for one thing at a time.")
            routine = self.x.bound(lambda: self.x.binder.routine(word, node.span))
            self.x.session.pins.setdefault(word, {})[(thing_,)] = self._pinned(routine.type, node, negated)
            return
        if not self._assign_entry(thing_, word, node, negated):
            raise Why.FIXED(f"An example cannot give {word} of {say(thing_)}.")

    def _assign_field(self, thing_: Thing, word: str, type_: Type, node: t.Node, negated: bool) -> None:
        if isinstance(node, t.Literal) and node.kind == "text" and type_.name != "text":
            self.x.world.maker.fill(thing_, word, str(node.value))
            return
        if says_absent(self.x.program.ruleset, node, type_):
            setattr(thing_, attribute(word), None)
            return
        value = self._pinned(type_, node, negated)
        self._must_hold(thing_, word, value)
        setattr(thing_, attribute(word), list(value) if isinstance(value, tuple) else value)

    def _assign_entry(self, thing_: Thing, word: str, node: t.Node, negated: bool) -> bool:
        """Sets the value of a procedure's name for a thing, as after `each of S rolls`; returns whether there is such a name."""
        for routine in self.x.program.rules.routines.values():
            chosen = routine.frame.get(word)
            if chosen is not None and chosen.name == "map" and chosen.of is not None:
                frame = self.x.world.last_frame(f"{routine.word} {routine.name}")
                slot = f"n_{py(word)}"
                if not isinstance(getattr(frame, slot, None), dict):
                    setattr(frame, slot, {})
                getattr(frame, slot)[thing_] = self._pinned(chosen.of, node, negated)
                return True
        return False

    def _assign_word(self, holder: E, node: t.Node, negated: bool) -> None:
        """`given u is marked`: a mark, a word of one field, or a status; `given u is in-reach of h` likewise."""
        if isinstance(node, t.Called):
            bound = self.x.bound(lambda: is_one(self.x.binder, holder, (node,), self.x.scope(), node.span))
            self._assign_called(bound, not negated)
            return
        if not isinstance(node, t.Name) or holder.type.name != "thing":
            raise Why.NOT_UNDERSTOOD("`given` takes one plain fact: X is Y, X = 3, or X is in H.")
        things, word = self.x.value(holder), node.word
        if things is None:
            raise Why.NO_VALUE(f"{self.x.text(holder.span)} is absent here, so it cannot be {word}.")
        fields = self.x.program.ruleset.kinds[holder.type.word].fields
        if word in fields and fields[word].type is MARK:
            setattr(things, attribute(word), not negated)
            return
        declared = self.x.program.ruleset.bodied.get(word)
        if declared is not None and declared.word == "status":
            self.x.session.pins.setdefault(word, {})[(things,)] = not negated
            return
        homes = [
            n
            for n, f in fields.items()
            if f.type.name == "enum" and word in self.x.program.ruleset.enums[f.type.word].words
        ]
        if len(homes) == 1 and not negated:
            setattr(things, attribute(homes[0]), word)
            return
        raise Why.UNCLEAR(
            f"It is not clear which field of {say(things)} is {word}.",
            hint="Name the field: `given posture of u is …`.",
        )
