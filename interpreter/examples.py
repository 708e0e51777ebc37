"""Examples: the positions and expectations that stand in rule files, set up, run and judged."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import takewhile
from typing import Any

import attrs

from dsl import ir
from dsl.binding.absence import is_none
from dsl.binding.after_is import is_one
from dsl.binding.context import Binder
from dsl.binding.example_lines import option_given
from dsl.binding.fitting import looked_for
from dsl.binding.printed_fields import fields_under, headed
from dsl.binding.said_words import said_of, says_absent
from dsl.binding.scope import Scope
from dsl.binding.scoping import last_frame, means_phase
from dsl.binding.statements import statement
from dsl.data.dates import problem_with
from dsl.data.maps_together import check_together
from dsl.ir import LAST, MARK, NOTHING, NUMBER, SIDE, E, Routine, Type, thing
from dsl.ir.phases import LonePhase, phase_named
from dsl.rules.chains import nodes_in
from dsl.rules.notation import attribute
from dsl.rules.variants import Variant, sides_of, variants
from dsl.syntax import declarations as d
from dsl.syntax import lines as ln
from dsl.syntax import tree as t
from dsl.text.diagnostics import did_you_mean
from dsl.text.source import Span
from interpreter.asking import Window
from interpreter.chances import Enumeration
from interpreter.codegen.emitted_code import compiled_once, defined, worked_out
from interpreter.codegen.module import Emitter
from interpreter.codegen.python_names import py
from interpreter.codegen.reads import ALL, PHASE
from interpreter.codegen.statements import emit_statement
from interpreter.codegen.units import SITES
from interpreter.commands import Reason
from interpreter.dice import Throw
from interpreter.evaluating import evaluate
from interpreter.explain import explain_in
from interpreter.explanations import Explanation
from interpreter.failures import rule_failure
from interpreter.inputs import ENDINGS, Refused, RuleFailure
from interpreter.knowing import knows
from interpreter.lone_phases import alone, frame_of, phase_function
from interpreter.objections import objections
from interpreter.program import Halt, Program
from interpreter.runtime import RuleTrouble, say
from interpreter.seat import Seat, messages
from interpreter.session import LaidOut, Session
from interpreter.standings import Standing, slots_kept
from interpreter.turns import GAME_TURN, end_turn

SAYS_WHAT_IS, GIVEN_SO = "`given` says what is, not what is not.", "Name the value: `given posture of u is …`."


@attrs.frozen(slots=True)
class Failure:
    """An expectation that was not met: the line, what it expects, and what came."""

    span: Span
    expected: str
    got: str


@attrs.define(slots=True)
class Outcome:
    """What became of one example under one choice of modules. checks: how many expectations were asked."""

    name: str
    span: Span
    checks: int = 0
    failures: list[Failure] = attrs.field(factory=list)
    shown: list[tuple[str, str, Explanation | None]] = attrs.field(factory=list)
    fired: set[str] = attrs.field(factory=set)

    @property
    def passed(self) -> bool:
        """Whether something was expected and all of it came."""
        return not self.failures and self.checks > 0


@attrs.define(slots=True, eq=False)
class _Begun:
    """The routine that was begun last: what stood when it began, how it begins, and the lines of the example since."""

    standing: Standing
    start: Callable[[], Any]
    faces: list[Throw]
    answers: list[LaidOut]
    since: list[ln.Line] = attrs.field(factory=list)


class Stopped(Exception):
    """The example cannot go on; the failure is noted."""


def run_example(program: Program, example: d.Example, variant: Variant, *, explain: bool = False) -> Outcome:
    """Runs one variant of an example on its own small board."""
    outcome = Outcome(example.name, example.span)
    runner = _Runner(program, example, variant, outcome, explain)
    with contextlib.suppress(Stopped):
        runner.run()
    return outcome


def _told(failure: RuleFailure) -> str:
    """A failure with the place of the rule that it came from, if it came from one."""
    return f"{failure.file}:{failure.line}: {failure.message}" if failure.file else failure.message


class _Runner:
    """One run of an example's lines, in order."""

    def __init__(self, program: Program, example: d.Example, variant: Variant, outcome: Outcome, explain: bool) -> None:
        self.program, self.example, self.variant, self.outcome = program, example, variant, outcome
        self.explaining = explain
        boards = next((x.names for x in variant.lines if isinstance(x, ln.OnMap)), ())
        self.binder = Binder.over(program.rules)
        self.routine = Routine("example", "this example", (), NOTHING, example.span)
        # An option that is given before the first expectation stands from the start, a later one from its line on.
        options = dict(variant.options)
        for line in takewhile(lambda x: not isinstance(x, ln.Expectation), variant.lines):
            if isinstance(line, ln.Given) and (found := option_given(program.ruleset, line)):
                options[found[0]] = found[1]
        self.options = options
        self.session = Session(program, options, boards, sides_of(variant.lines))
        self.world = self.session.world
        self.rehearses = any(isinstance(n, t.Chance) for x in variant.lines for n in nodes_in(x))
        self.begun: _Begun | None = None
        self.idle = False
        self.told_before, self.expects = 0, False
        self._chances: dict[Span, Fraction] = {}

    def fail(self, line: ln.Line, expected: str, got: str) -> None:
        self.outcome.failures.append(Failure(line.span, expected, got))

    def run(self) -> None:
        self.frame = type("Frame_example", (), {})()
        self.frame.acting, self.frame.up, self.frame.route = self.world.active, None, None
        self.frame.memo, self.frame.stamp = {}, -1
        for name, term in self.options.items():
            option = self.program.ruleset.options.get(name)
            if option is None or term not in option.terms:
                self.fail(self.variant.lines[-1], f"the option {name} to be {term}", "there is no such choice")
                return
        for line in self.variant.lines:
            try:
                self._line(line)
            except Refused as error:
                told = str(error) + (f" ({error.hint})" if error.hint else "")
                self.fail(line, "this to be allowed", told + (self._waits(line) if isinstance(line, ln.Then) else ""))
                raise Stopped from None
            except RuleFailure as error:
                self.fail(line, "a rule that can be worked out", _told(error))
                raise Stopped from None
            except (RuleTrouble, AttributeError, TypeError, KeyError, IndexError, Halt) as error:
                failure = rule_failure(self.program, error)
                known = failure.file or isinstance(error, RuleTrouble | Halt)
                cause = "" if known else f" (In this line itself, not in a rule: {type(error).__name__}: {error})"
                self.fail(line, "a rule that can be worked out", _told(failure) + cause)
                raise Stopped from error
        if self.session.faces:
            left = len(self.session.faces)
            self.fail(
                self._dice_left(left), "all dice to be used", f"{left} left over; it waits for {self.session.waits_for}"
            )
        for laid in self.session.answers:
            if laid.name not in self.session.rehearsed and not self.session.was_taken(laid):
                about = f"{laid.name} of {laid.of}" if laid.of else laid.name
                line = next((x for x in self.variant.lines if x.span is laid.span), self.variant.lines[-1])
                self.fail(line, f"the answer to {about} to be asked for", f"it waits for {self.session.waits_for}")
        self._fold()

    def _dice_left(self, left: int) -> ln.Line:
        """The line that gives the first of the dice that nobody rolled: the last so many are left over."""
        for line in reversed(self.variant.lines):
            if isinstance(line, ln.DiceAre):
                left -= len(line.faces)
                if left <= 0:
                    return line
        return self.variant.lines[-1]

    def _fold(self) -> None:
        """Notes which lines fired, and forgets the trail that told it."""
        for note in self.session.trail.notes:
            if note[0] == "enter":
                self.outcome.fired.add(note[1])
            elif note[0] == "step":
                site = SITES.all[note[1]]
                self.outcome.fired.add(f"{site.span.file}:{site.span.line}")
        self.session.trail.notes.clear()

    # ---- lines
    def _line(self, line: ln.Line) -> None:
        begun = self.begun
        self.idle = False
        if self.expects and not isinstance(line, ln.Expectation):
            self.told_before = len(self.world.journal.events)
        self.expects = isinstance(line, ln.Expectation)
        self._do_line(line)
        if self.begun is begun is not None and not (self.idle or isinstance(line, ln.Expectation)):
            begun.since.append(line)

    def _do_line(self, line: ln.Line) -> None:
        match line:
            case ln.OnMap():
                maps = self.program.ruleset.maps
                for name in line.names:
                    if name not in maps:
                        raise Refused(f"There is no map {name}.", hint=did_you_mean(name, maps))
                wrong = check_together(self.program.ruleset, [maps[name] for name in line.names], line.span)[1]
                if wrong:
                    raise Refused(wrong[0].message, hint=wrong[0].hint)
            case ln.Begins():
                if fault := problem_with(line):
                    raise Refused(fault)
                self.world.dates = line
            case ln.Given():
                if found := option_given(self.program.ruleset, line):
                    self._amend(*found)
                else:
                    self._given(line.condition)
            case ln.DiceAre():
                self.session.faces += [f[0] if len(f) == 1 else f for f in line.faces]
                self.session.feed()
            case ln.Answer():
                laid = [LaidOut(line.name, *said, line.span) for said in self._answers_said(line)]
                self.idle = not self.session.answer(laid)
            case ln.Orders():
                self._orders(line)
            case ln.ThenMay():
                self._then_may(line)
            case ln.ThenMayAnswer():
                self._then_may_answer(line)
            case ln.ThenOver():
                self._then_over(line)
            case ln.ThenBegins():
                self._then_begins(line)
            case ln.ThenTold():
                self._then_told(line)
            case ln.ThenKnows():
                self._then_knows(line)
            case ln.Then():
                self._then(line)
            case _:
                self._act(line)

    def scope(self) -> Scope:
        sides = {s.id: ir.ThingNamed(s.id, type=SIDE) for s in self.world.all_of("side")}
        routines = self.program.rules.routines
        run = tuple((routines[k], last_frame(routines[k])) for k in reversed(self.world.frames) if k in routines)
        return Scope(dict(sides), ir.Active(), None, ((self.routine, "F"), *run), any_frame=True)

    def _bound(self, work: Any) -> Any:
        """What the binder makes of something; its problems end the example."""
        self.binder.problems = []
        made = work()
        if self.binder.problems:
            found = self.binder.problems[0]
            raise Refused(found.message, hint=found.hint)
        return made

    def value(self, bound: E) -> Any:
        return evaluate(self.program, self.world, bound, self.session.pins, self.session.trail, {"F": self.frame})

    def _act(self, line: ln.Line) -> None:
        """Any line that does something, run as a small procedure."""
        if isinstance(line, ln.Do) and not self._called(line.name):
            phase = phase_named(self.program.rules.routines, line.name)
            if phase is not None:
                self._phase(line, phase)
                return
        statements = self._bound(lambda: statement(self.binder, line, self.scope(), self.routine))
        if isinstance(line, ln.Do):
            self._nothing_awaited(line)
            self.session.runner.drop()
        emitter = Emitter(self.program.rules, traced=True)
        emitter.put("if False: yield")
        for s in statements:
            emit_statement(emitter, s, self.routine)
        space = self._space()
        text, words, _ = emitter.body("def act(F):")
        defined(compiled_once(text, words, "<example>"), space)
        turn = isinstance(line, ln.Do) and line.name == GAME_TURN
        if not isinstance(line, ln.Do) and self.session.runner.run is not None:
            self.session.interpose(space["act"](self.frame))
            return
        self._begin(lambda: self._whole_turn(space["act"]) if turn else space["act"](self.frame), [])

    def _nothing_awaited(self, line: ln.Do) -> None:
        """Refuses to begin something where what runs waits for dice or an answer: it would never be finished."""
        if self.session.pending is not None and not isinstance(self.session.pending, Window):
            raise Refused(
                f"{line.name} cannot begin now: it waits for {self.session.waits_for}.",
                hint="Lay out the dice or the answer before this line, or make a second example of what follows.",
            )

    def _called(self, name: str) -> bool:
        """Whether a name is that of something that is done by calling it."""
        return any(f"{word} {name}" in self.program.ruleset.bodied for word in ("procedure", "order", "sequence"))

    def _phase(self, line: ln.Do, found: LonePhase) -> None:
        """One phase or step by itself: `do movement`."""
        if line.bindings or line.given:
            raise Refused(f"{line.name} is a phase and takes nothing.")
        if line.when is not None:
            when = line.when
            if not self.value(self._bound(lambda: self.binder.condition(when, self.scope()))):
                return
        self._nothing_awaited(line)
        self.session.runner.drop()
        frame = frame_of(self.world, found, self.session.pins)
        run = phase_function(self.program, found, self._space())
        self._begin(lambda: alone(self.world, found, run, frame), [frame])

    def _whole_turn(self, act: Callable[[Any], Any]) -> Iterator[Any]:
        """The sequence of the turn, and what the end of a turn ends."""
        yield from act(self.frame)
        yield from end_turn(self.world, self.frame)

    def _begin(self, start: Callable[[], Any], frames: list[Any]) -> None:
        """Runs a routine; where a chance will be asked, what is needed to run it again from here is kept."""
        if self.rehearses:
            standing = Standing(self.world, [self.frame, *frames])
            self.begun = _Begun(standing, start, list(self.session.faces), list(self.session.answers))
        self.session.start(start())

    def _begin_again(self) -> None:
        """Everything as it was when the routine that stands still began; then on to where the example stands."""
        begun = self.begun
        assert begun is not None
        self._fold()
        begun.standing.set_back()
        self.session.runner.drop()
        self.session.faces, self.session.answers = list(begun.faces), list(begun.answers)
        self.session.start(begun.start())
        for line in begun.since:
            self._do_line(line)

    def _settled(self, bound: E) -> E:
        """An expression with every chance in it worked out."""

        def known(e: ir.Node) -> ir.Node:
            if not isinstance(e, ir.Chance):
                return e
            if e.span not in self._chances:
                self._chances[e.span] = self._chance(e.condition)
            return ir.Constant(self._chances[e.span], type=NUMBER, span=e.span)

        settled: E = ir.transform(bound, known)
        return settled

    def _chance(self, condition: E) -> Fraction:
        """The exact chance of a condition, over all dice to come."""
        emitter = Emitter(self.program.rules, traced=True)
        text = emitter.emit(condition)
        code = compiled_once(text, emitter.words.all, "<chance>", "eval")
        space = {**self._space(), "F": self.frame}
        begun = self.begun
        if begun is None or self.session.pending is None:
            return Fraction(bool(worked_out(code, space)))
        read = frozenset(_frames_read(condition))
        whole = Enumeration(
            self.session,
            begun.standing,
            self._begin_again,
            lambda: bool(worked_out(code, space)),
            read,
        )
        try:
            return whole.chance()
        except RecursionError:
            raise Refused(
                "The chance cannot be worked out: too many dice follow each other.",
                hint="Lay the first of them out before: `dice 3, 4`.",
            ) from None

    def _space(self) -> dict[str, Any]:
        return dict(self.session.traced.space)

    def _amend(self, option: str, term: str) -> None:
        """Gives an option another word from here on."""
        if term not in self.program.ruleset.options[option].terms:
            raise Refused(f"The option {option} cannot be {term}.")
        if self.world.options.get(option) != term:
            self.world.rulings.amend({option: term})
            self.world.touch(ALL)
            self.world.changed()

    def _given(self, condition: t.Node) -> None:
        """Sets a fact or gives a value, from a condition of the form `X is Y` or `X = Y`."""
        if isinstance(condition, t.AllOf):
            for item in condition.items:
                self._given(item)
            return
        if isinstance(condition, t.Negation):
            raise Refused("`given` says what is: `given u is not marked`.")
        if isinstance(condition, t.Compare) and condition.op == "=":
            self._assign(condition.left, condition.right, False)
        elif isinstance(condition, t.IsTest) and len(condition.alternatives) == 1:
            self._assign(condition.subject, condition.alternatives[0], condition.negated)
        elif isinstance(condition, t.IsPlaced) and condition.kind == "in":
            what, where = self._bound(
                lambda: (
                    self.binder.expr(condition.subject, self.scope()),
                    self.binder.expr(condition.arg, self.scope()),
                )
            )
            place = self.value(where)
            if place is None:
                raise Refused(f"There is no such place: {self._text(condition.arg.span)} is absent here.")
            self.world.positions.stand(self.value(what), place.place)
        else:
            raise Refused("`given` takes one plain fact: X is Y, X = 3, or X is in H.")
        self.world.changed()
        self.world.moves += 1

    def _assign(self, subject: t.Node, node: t.Node, negated: bool) -> None:
        whole = said_of(self.binder, subject, node, self.scope())
        if whole is not None:
            self._assign_word(whole, node, negated)
            return
        if isinstance(subject, t.Of):
            holder = self._bound(lambda: self.binder.expr(subject.arg, self.scope()))
            self._assign_property(subject.word, holder, node, negated)
            return
        if isinstance(subject, t.Called):
            bound = self._bound(lambda: self.binder.expr(subject, self.scope()))
            self._assign_called(bound, self._pinned(bound.type, node, negated))
            return
        if isinstance(subject, t.Name) and self._assign_name(subject.word, node, negated):
            return
        holder = self._bound(lambda: self.binder.expr(subject, self.scope()))
        self._assign_word(holder, node, negated)

    def _assign_called(self, bound: E, value: Any) -> None:
        """Gives a value or status of several arguments."""
        if not isinstance(bound, ir.Call):
            raise Refused("`given` takes one plain fact: X is Y, X = 3, or X is in H.")
        self.session.pins.setdefault(bound.name, {})[tuple(self.value(arg) for arg in bound.arguments)] = value

    def _assign_name(self, word: str, node: t.Node, negated: bool) -> bool:
        ruleset, world = self.program.ruleset, self.world
        if word in self.routine.frame:
            return False
        if word == "active":
            world.active = self._pinned(SIDE, node, negated)
            self.frame.acting = world.active
            self.session.active_given = True
            return True
        if word == "turn":
            world.turn = self._pinned(NUMBER, node, negated)
            return True
        if means_phase(self.binder, t.Name(node.span, word), self.scope()):
            if negated:
                raise Refused("`given` says what is: `given phase is …`.")
            test = t.IsTest(node.span, t.Name(node.span, word), (node,))
            phase = self._bound(lambda: self.binder.condition(test, self.scope()))
            names = phase.names if isinstance(phase, ir.PhaseIs) else ()
            world.phases = [(name, self.program.phases().get(name, name)) for name in names]
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
            routine = self._bound(lambda: self.binder.routine(word, node.span))
            self.session.pins[word] = {None: self._pinned(routine.type, node, negated)}
            return True
        for routine in self.program.rules.routines.values():
            if word in routine.frame and routine.frame[word].name != "map":
                frame = world.last_frame(f"{routine.word} {routine.name}")
                value = self._pinned(routine.frame[word], node, negated)
                setattr(frame, f"n_{py(word)}", value)
                self.session.pins[f"let {word}"] = value
                return True
        return False

    def _pinned(self, type_: Type, node: t.Node, negated: bool) -> Any:
        if type_ is MARK and isinstance(node, t.Name) and node.word in {"yes", "no"}:
            return (node.word == "yes") != negated
        if negated:
            raise Refused(SAYS_WHAT_IS, hint=GIVEN_SO)
        wanted = looked_for(type_) or type_.of
        value = self.value(
            self._bound(lambda: self._fitting(type_, self.binder.expr(node, self.scope(), wanted), node))
        )
        if type_.name == "set" and not isinstance(value, list | tuple):
            value = [value]
        return value

    def _fitting(self, type_: Type, bound: E, node: t.Node) -> E:
        """What is given, if it is of the type that is given; one thing will do where several are."""
        one = type_.of if type_.name == "set" and bound.type.name != "set" and not is_none(bound) else None
        self.binder.lenient = True
        try:
            return self.binder.needs(bound, one or type_, node.span)
        finally:
            self.binder.lenient = False

    def _must_hold(self, thing_: Any, word: str, value: Any) -> None:
        """What is given is held to the bounds of its field, as what a rule sets is."""
        try:
            self.world.effects.must_hold(thing_, word, value)
        except RuleTrouble as error:
            raise Refused(str(error)) from None

    def _assign_property(self, word: str, holder: E, node: t.Node, negated: bool) -> None:
        ruleset = self.program.ruleset
        fields = ruleset.kinds[holder.type.word].fields if holder.type.name == "thing" else {}
        thing_ = self.value(holder)
        if negated and (isinstance(node, t.Literal) or (isinstance(node, t.Name) and node.word in {"absent", "none"})):
            raise Refused(SAYS_WHAT_IS, hint=GIVEN_SO)
        if word in fields:
            type_ = fields[word].type
            if isinstance(node, t.Literal) and node.kind == "text" and type_.name != "text":
                self.world.maker.fill(thing_, word, str(node.value))
                return
            if says_absent(ruleset, node, type_):
                setattr(thing_, attribute(word), None)
                return
            value = self._pinned(type_, node, negated)
            self._must_hold(thing_, word, value)
            setattr(thing_, attribute(word), list(value) if isinstance(value, tuple) else value)
            return
        printed = ruleset.kinds[holder.type.word].node if holder.type.name == "thing" else None
        if printed is not None and any(p.name == word for p in printed.printed) and isinstance(node, t.Literal):
            self.world.maker.fill(thing_, word, str(node.value))
            return
        declared = ruleset.bodied.get(word)
        if declared is not None and declared.word in {"value", "status"}:
            if holder.type.name == "set":
                raise Refused("A value is given of one thing at a time.")
            routine = self._bound(lambda: self.binder.routine(word, node.span))
            self.session.pins.setdefault(word, {})[(thing_,)] = self._pinned(routine.type, node, negated)
            return
        for routine in self.program.rules.routines.values():
            chosen = routine.frame.get(word)
            if chosen is not None and chosen.name == "map" and chosen.of is not None:
                frame = self.world.last_frame(f"{routine.word} {routine.name}")
                slot = f"n_{py(word)}"
                if not isinstance(getattr(frame, slot, None), dict):
                    setattr(frame, slot, {})
                getattr(frame, slot)[thing_] = self._pinned(chosen.of, node, negated)
                return
        raise Refused(f"{word} of {say(thing_)} cannot be given.")

    def _assign_word(self, holder: E, node: t.Node, negated: bool) -> None:
        """`given u is marked`: a mark, a word of one field, or a status; `given u is in-reach of h` likewise."""
        if isinstance(node, t.Called):
            bound = self._bound(lambda: is_one(self.binder, holder, (node,), self.scope(), node.span))
            self._assign_called(bound, not negated)
            return
        if not isinstance(node, t.Name) or holder.type.name != "thing":
            raise Refused("`given` takes one plain fact: X is Y, X = 3, or X is in H.")
        things, word = self.value(holder), node.word
        if things is None:
            raise Refused(f"{self._text(holder.span)} is absent here, so it cannot be {word}.")
        fields = self.program.ruleset.kinds[holder.type.word].fields
        if word in fields and fields[word].type is MARK:
            setattr(things, attribute(word), not negated)
            return
        declared = self.program.ruleset.bodied.get(word)
        if declared is not None and declared.word == "status":
            self.session.pins.setdefault(word, {})[(things,)] = not negated
            return
        homes = [
            n
            for n, f in fields.items()
            if f.type.name == "enum" and word in self.program.ruleset.enums[f.type.word].words
        ]
        if len(homes) == 1 and not negated:
            setattr(things, attribute(homes[0]), word)
            return
        raise Refused(
            f"It is not clear what of {say(things)} is {word}.", hint="Name the field: `given posture of u is …`."
        )

    def _answers_said(self, line: ln.Answer | ln.ThenMayAnswer) -> list[tuple[str, str]]:
        """The answers of a line, each as its words and the thing that it is for, "" where none is named."""
        values = ", ".join(self._spoken(v) for v in line.values)
        return [(values, self._spoken(item)) for item in line.items] or [(values, "")]

    def _spoken(self, node: t.Node) -> str:
        if isinstance(node, t.Name):
            found = getattr(self.frame, f"n_{py(node.word)}", None)
            return say(found) if found is not None else node.word
        if isinstance(node, t.Literal):
            return str(node.value)
        return say(self.value(self._bound(lambda: self.binder.expr(node, self.scope()))))

    def _orders(self, line: ln.Orders) -> None:
        side = self.session.side(line.side)
        if self.session.is_so(side, line.command):
            return
        if isinstance(self.session.pending, Window):
            self.session.order(side, line.command)
            return
        if self.session.pending is not None:
            raise Refused(f"No orders can be given now: it waits for {self.session.waits_for}.")
        if not self.session.active_given:
            self.world.active = side
        command = self.session.commands.read(line.command, side)
        reasons = self.session.commands.settle(command, side)
        if reasons:
            raise Refused(reasons[0].text, reasons[0].cites, reasons[0].hint)
        frame = slots_kept(command.frame)

        def start() -> Any:
            for slot, value in frame.items():
                setattr(command.frame, slot, value)
            return self.session.orders.carry_out(command)

        self._begin(start, [command.frame])

    def _then_may(self, line: ln.ThenMay) -> None:
        self.outcome.checks += 1
        side = self.session.side(line.side)
        if not self.session.active_given and self.session.pending is None:
            self.world.active = side
        try:
            reasons = self._against(line.command, side)
        except Refused as refused:
            # A command that cannot be read is a refusal only where the example says why: else a slip would pass for one.
            if not line.negated or not line.because:
                raise
            reasons = [Reason(str(refused), refused.cites)]
        if line.negated:
            if not reasons:
                self.fail(line, f"{line.command} to be refused", "it is allowed")
            elif line.because and not any(line.because.lower() in r.text.lower() for r in reasons):
                self.fail(line, f"the reason {line.because!r}", "; ".join(r.text for r in reasons))
        elif reasons:
            self.fail(line, f"{line.command} to be allowed", "; ".join(r.text for r in reasons))

    def _then_may_answer(self, line: ln.ThenMayAnswer) -> None:
        self.outcome.checks += 1
        side = self.session.side(line.side)
        text = ", ".join(f"{of} {words}" if of else words for words, of in self._answers_said(line))
        try:
            self.session.try_answer(side, line.name, text)
        except Refused as refused:
            if not line.negated:
                self.fail(line, f"the answer {text} to be allowed", str(refused))
            elif line.because and line.because.lower() not in str(refused).lower():
                self.fail(line, f"the reason {line.because!r}", str(refused))
            return
        if line.negated:
            self.fail(line, f"the answer {text} to be refused", "it is allowed")

    def _then_over(self, line: ln.ThenOver) -> None:
        self.outcome.checks += 1
        over, winner = self.world.over, self.world.winner
        ended = f"won by {winner.id}" if winner is not None else "over"
        if not over or line.negated:
            if bool(over) != line.negated:
                return
            self.fail(line, self._text(line.span), f"the game is {ended}: {over}" if over else "the game goes on")
        elif line.winner and (winner is None or winner.id != self.session.side(line.winner).id):
            self.fail(line, self._text(line.span), f"the game is {ended}")
        elif line.because and line.because != over:
            self.fail(line, f"the reason {line.because!r}", over)

    def _then_begins(self, line: ln.ThenBegins) -> None:
        self.outcome.checks += 1
        found = objections(self.world)
        refusals = [x for x in found if x.refuses]
        told = [x for x in found if x.refuses == line.negated]
        if bool(refusals) != line.negated:
            self.fail(line, self._text(line.span), "; ".join(map(str, refusals)) or "nothing speaks against it")
        elif line.negated or line.warning:
            meant = any((line.because or "").lower() in str(x).lower() for x in told)
            if meant == (line.warning == "without"):
                self.fail(line, self._text(line.span), "; ".join(map(str, told)) or "there is no warning")

    def _then_knows(self, line: ln.ThenKnows) -> None:
        self.outcome.checks += 1
        side = self.session.side(line.side)
        bound = self._bound(lambda: self.binder.expr(line.what, self.scope()))
        known = knows(self.world, side.id, self.frame, lambda: self.value(bound), whole=line.whole)
        if known == line.negated:
            self.fail(line, self._text(line.span), f"{side.id} {'knows it' if known else 'does not know it'}")

    def _then_told(self, line: ln.ThenTold) -> None:
        self.outcome.checks += 1
        side = self.session.side(line.side)
        told = messages(Seat(self.world, side.id), self.world.journal.events[self.told_before :])
        if told != list(line.texts):
            self.fail(line, self._text(line.span), ", ".join(f'"{text}"' for text in told) or "nothing")

    def _against(self, text: str, side: Any) -> list[Reason]:
        """Why a side may not give a command, or end the phase, where the example stands."""
        if text in ENDINGS:
            return self.session.orders.still_open(side)
        command = self.session.commands.read(text, side)
        reasons = self.session.commands.settle(command, side)
        window = self.session.pending
        if isinstance(window, Window) and command.order.name not in window.orders:
            reasons.insert(0, Reason("It cannot be ordered in this phase.", ()))
        elif isinstance(window, Window) and side not in window.waiting:
            reasons.insert(0, Reason(f"It is not for {side.id} to give orders now.", ()))
        return reasons

    def _then(self, line: ln.Then) -> None:
        self.outcome.checks += 1
        self._chances.clear()
        bound = self._settled(self._bound(lambda: self._with_chances(line.condition)))
        held = bool(self.value(bound))
        subject = getattr(line.condition, "subject", None) or getattr(line.condition, "left", None)
        got = ""
        if subject is not None and not getattr(line.condition, "quantifier", None):
            there = isinstance(line.condition, t.Exists)
            got = self._found(bound) if there else self._got(subject)
            got = "" if got == self._text(subject.span) else got
        explained = self._explained(subject) if self.explaining else None
        self.outcome.shown.append((self._text(line.span), got or ("yes" if held else "no"), explained))
        if not held:
            self.fail(line, self._text(line.span), (got or "no") + self._waits(line))

    def _found(self, bound: E) -> str:
        """What there is of what an expectation asks whether it is there, in words; empty where it asks nothing of that kind."""
        asked = bound.item if isinstance(bound, ir.Not) else bound
        return say(self.value(asked.value)) if isinstance(asked, ir.IsThere) else ""

    def _got(self, subject: t.Node) -> str:
        """What the subject of an expectation comes to, in words."""
        under = headed(self.binder, subject, self.scope())
        if under is not None:
            of = self.value(under[0])
            info = self.program.ruleset.kinds[under[0].type.word]
            return ", ".join(f"{f} {say(getattr(of, attribute(f)))}" for f in fields_under(info, under[1]))
        return say(self.value(self._settled(self._bound(lambda: self._with_chances(subject, value=True)))))

    def _waits(self, line: ln.Then) -> str:
        """What the game stands still for when a line does not hold: often it has not come so far. Chances look ahead."""
        if self.session.pending is None or any(isinstance(n, t.Chance) for n in nodes_in(line)):
            return ""
        return f"; it waits for {self.session.waits_for}"

    def _with_chances(self, node: t.Node, *, value: bool = False) -> E:
        """A condition or value of a `then` line, in which chances may be asked."""
        self.binder.chances = self.binder.lenient = True
        try:
            return self.binder.expr(node, self.scope()) if value else self.binder.condition(node, self.scope())
        finally:
            self.binder.chances = self.binder.lenient = False

    def _explained(self, subject: t.Node | None) -> Explanation | None:
        if subject is None:
            return None
        names: dict[str, E] = {
            n: ir.ThingNamed(getattr(self.frame, f"n_{py(n)}").id, type=thing(ty.word))
            for n, ty in self.routine.frame.items()
            if ty.name == "thing" and getattr(getattr(self.frame, f"n_{py(n)}", None), "id", None)
        }
        try:
            return explain_in(self.program, self.world, self._text(subject.span), self.session.pins, names)
        except Refused:
            return None

    def _text(self, span: Span) -> str:
        file = self.program.files.get(span.file)
        if file is None:
            return ""
        line = file.line(span.line)
        text = line[span.column - 1 : span.end_column - 1] if span.line == span.end_line else line[span.column - 1 :]
        return text.split(" [")[0].strip()


def _frames_read(part: object) -> Iterator[str]:
    """The keys of the routines whose last frames an expression reads itself."""
    for x in ir.walk(part):
        if isinstance(x, ir.Call | ir.FrameName | ir.FrameEntry | ir.Acting) and (x.frame or "").startswith(LAST):
            yield (x.frame or "").removeprefix(LAST)


__all__ = ["Failure", "Outcome", "Session", "Variant", "run_example", "variants"]
