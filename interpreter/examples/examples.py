"""Examples: the positions and expectations in rule files, set up, run and judged."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

import attrs

from dsl import ir
from dsl.binding.example_lines import option_given
from dsl.binding.statements import statement
from dsl.data.dates import problem_with
from dsl.data.maps_together import check_together
from dsl.ir import LAST, NUMBER, E
from dsl.ir.phases import LonePhase, phase_named
from dsl.rules.chains import nodes_in
from dsl.rules.variants import Variant
from dsl.syntax import body_lines as ln
from dsl.syntax import declarations as d
from dsl.syntax import syntax_tree as t
from dsl.text.diagnostics import did_you_mean
from dsl.text.source import Span
from interpreter.codegen.emit_statements import act_of
from interpreter.codegen.emitted_code import compiled_once, defined, worked_out
from interpreter.codegen.expressions import code_of
from interpreter.codegen.routine_emitter import RoutineEmitter
from interpreter.codegen.units import SITES
from interpreter.examples.exact_chances import Enumeration
from interpreter.examples.example_expected import Expectations
from interpreter.examples.example_given import Givens
from interpreter.examples.example_outcome import Outcome
from interpreter.examples.example_standing import ExampleStanding
from interpreter.examples.lone_phases import alone, frame_of, phase_function
from interpreter.examples.session import LaidOut
from interpreter.messages.asking import Window
from interpreter.messages.inputs import Refused, RuleFailure
from interpreter.outcomes.standings import SideStanding, slots_kept
from interpreter.play.turns import GAME_TURN, end_turn
from interpreter.program.failures import rule_failure
from interpreter.program.program import Program
from interpreter.runtime.die_rolls import Throw
from interpreter.runtime.refusals import Why
from interpreter.runtime.runtime import Halt, RuleTrouble

FAILING = (RuleTrouble, AttributeError, TypeError, KeyError, IndexError, Halt)
"""What emitted code of a failing rule raises."""


@attrs.define(slots=True, eq=False)
class _Begun:
    """The routine that was begun last: the state at its start, how to start it, and the lines of the example since."""

    standing: SideStanding
    start: Callable[[], Any]
    faces: list[Throw]
    answers: list[LaidOut]
    since: list[ln.Line] = attrs.field(factory=list)


class Stopped(Exception):
    """The example cannot continue; the failure is recorded."""


def run_example(program: Program, example: d.Example, variant: Variant, *, explain: bool = False) -> Outcome:
    """Runs one variant of an example on its own small board."""
    outcome = Outcome(example.name, example.span)
    runner = _Runner(program, example, variant, outcome, explain)
    with contextlib.suppress(Stopped):
        runner.run()
    return outcome


def _told(failure: RuleFailure) -> str:
    """A failure with the place of the rule that caused it, if there is one."""
    return f"{failure.file}:{failure.line}: {failure.message}" if failure.file else failure.message


class _Runner:
    """One run of an example's lines, in order. x: its context."""

    def __init__(self, program: Program, example: d.Example, variant: Variant, outcome: Outcome, explain: bool) -> None:
        self.x = ExampleStanding(program, example, variant, outcome)
        self.variant = variant
        self.givens = Givens(self.x)
        self.rehearses = any(isinstance(n, t.Chance) for x in variant.lines for n in nodes_in(x))
        self.begun: _Begun | None = None
        self.idle = self.expects = False
        self._chances: dict[Span, Fraction] = {}
        self._ahead: tuple[ln.Line, ...] = ()
        self.expected = Expectations(self.x, self._settled, explaining=explain)

    def run(self) -> None:
        for name, term in self.x.options.items():
            option = self.x.program.ruleset.options.get(name)
            if option is None or term not in option.terms:
                self.x.fail(self.variant.lines[-1], f"the option {name} to be {term}", "it has no such value")
                return
        for number, line in enumerate(self.variant.lines):
            self._ahead = self.variant.lines[number + 1 :]
            try:
                self._line(line)
            except Refused as error:
                told = str(error) + (f" ({error.hint})" if error.hint else "")
                self.x.fail(
                    line, "this to be allowed", told + (self.expected.waits(line) if isinstance(line, ln.Then) else "")
                )
                raise Stopped from None
            except RuleFailure as error:
                self.x.fail(line, "a rule that can be evaluated", _told(error))
                raise Stopped from None
            except FAILING as error:
                failure = rule_failure(self.x.program, error)
                known = failure.file or isinstance(error, RuleTrouble | Halt)
                cause = (
                    ""
                    if known
                    else f" (The error is in this line itself, not in a rule: {type(error).__name__}: {error})"
                )
                self.x.fail(line, "a rule that can be evaluated", _told(failure) + cause)
                raise Stopped from error
        if self.x.session.faces:
            left = len(self.x.session.faces)
            self.x.fail(
                self._dice_left(left),
                "all dice to be used",
                f"{left} left over; the game is waiting for {self.x.session.waits_for}",
            )
        for laid in self.x.session.answers:
            if laid.name not in self.x.session.rehearsed and not self.x.session.was_taken(laid):
                about = f"{laid.name} of {laid.of}" if laid.of else laid.name
                line = next((x for x in self.variant.lines if x.span is laid.span), self.variant.lines[-1])
                self.x.fail(
                    line, f"the question {about} to be asked", f"the game is waiting for {self.x.session.waits_for}"
                )
        self._fold()

    def _dice_left(self, left: int) -> ln.Line:
        """The line with the first of the unused dice: the last `left` dice are left over."""
        for line in reversed(self.variant.lines):
            if isinstance(line, ln.DiceAre):
                left -= len(line.faces)
                if left <= 0:
                    return line
        return self.variant.lines[-1]

    def _fold(self) -> None:
        """Records which values and lines were used so far."""
        trail, fired = self.x.session.trail, self.x.outcome.fired
        spans = (SITES.all[number].span for number in trail.sites)
        fired.update(trail.values, (f"{span.file}:{span.line}" for span in spans))
        trail.values.clear()
        trail.sites.clear()

    # ---- lines
    def _line(self, line: ln.Line) -> None:
        begun = self.begun
        self.idle = False
        if self.expects and not isinstance(line, ln.Expectation):
            self.expected.told_before = len(self.x.world.journal.events)
        self.expects = isinstance(line, ln.Expectation)
        if not isinstance(line, ln.Then):
            self._chances.clear()
        self._do_line(line)
        if self.begun is begun is not None and not (self.idle or isinstance(line, ln.Expectation)):
            begun.since.append(line)

    def _do_line(self, line: ln.Line) -> None:
        match line:
            case ln.OnMap():
                maps = self.x.program.ruleset.maps
                for name in line.names:
                    if name not in maps:
                        raise Why.UNKNOWN_NAME(f"There is no map {name}.", hint=did_you_mean(name, maps), name=name)
                wrong = check_together(self.x.program.ruleset, [maps[name] for name in line.names], line.span)[1]
                if wrong:
                    raise Why.RULES(wrong[0].message, hint=wrong[0].hint)
            case ln.Begins():
                if fault := problem_with(line):
                    raise Why.NOT_UNDERSTOOD(fault)
                self.x.world.dates = line
            case ln.Given():
                if found := option_given(self.x.program.ruleset, line):
                    self.givens.amend(*found)
                else:
                    self.givens.given(line.condition)
            case ln.DiceAre():
                self.x.session.faces += [f[0] if len(f) == 1 else f for f in line.faces]
                self.x.session.feed()
            case ln.Answer():
                laid = [LaidOut(line.name, *said, line.span) for said in self.x.answers_said(line)]
                self.idle = not self.x.session.answer(laid)
            case ln.Orders():
                self._orders(line)
            case ln.Expectation():
                self.expected.expect(line)
            case _:
                self._act(line)

    def _act(self, line: ln.Line) -> None:
        """Any line that does something, run as a small procedure."""
        if isinstance(line, ln.Do) and not self._called(line.name):
            phase = phase_named(self.x.program.rules.routines, line.name)
            if phase is not None:
                self._phase(line, phase)
                return
        statements = self.x.bound(lambda: statement(self.x.binder, line, self.x.scope(), self.x.routine))
        if isinstance(line, ln.Do):
            self._nothing_awaited(line)
            self.x.session.runner.drop()
        text, words, _ = act_of(RoutineEmitter(self.x.program.rules, traced=True), statements, self.x.routine)
        space = self.x.space()
        defined(compiled_once(text, words, "<example>"), space)
        turn = isinstance(line, ln.Do) and line.name == GAME_TURN
        if not isinstance(line, ln.Do) and self.x.session.runner.run is not None:
            self.x.session.interpose(space["act"](self.x.frame))
            return
        self._begin(lambda: self._whole_turn(space["act"]) if turn else space["act"](self.x.frame), [])

    def _nothing_awaited(self, line: ln.Do) -> None:
        """Refuses to begin something while the running routine waits for dice or an answer: that would never be finished."""
        if self.x.session.pending is not None and not isinstance(self.x.session.pending, Window):
            raise Why.NOT_NOW(
                f"{line.name} cannot begin now: the game is waiting for {self.x.session.waits_for}.",
                hint="Give the dice or the answer before this line, or move what follows into a second example.",
            )

    def _called(self, name: str) -> bool:
        """Whether a name is that of a procedure, an order or a sequence."""
        return any(f"{word} {name}" in self.x.program.ruleset.bodied for word in ("procedure", "order", "sequence"))

    def _phase(self, line: ln.Do, found: LonePhase) -> None:
        """One phase or step by itself: `do movement`."""
        if line.bindings or line.given:
            raise Why.NOT_UNDERSTOOD(f"{line.name} is a phase and takes no arguments.")
        if line.when is not None:
            when = line.when
            if not self.x.value(self.x.bound(lambda: self.x.binder.condition(when, self.x.scope()))):
                return
        self._nothing_awaited(line)
        self.x.session.runner.drop()
        frame = frame_of(self.x.world, found, self.x.session.pins)
        run = phase_function(self.x.program, found, self.x.space())
        self._begin(lambda: alone(self.x.world, found, run, frame), [frame])

    def _whole_turn(self, act: Callable[[Any], Any]) -> Iterator[Any]:
        """The sequence of the turn, followed by the end of the turn."""
        yield from act(self.x.frame)
        yield from end_turn(self.x.world, self.x.frame)

    def _begin(self, start: Callable[[], Any], frames: list[Any]) -> None:
        """Runs a routine; if a chance will be computed, keeps what is needed to run it again from here."""
        if self.rehearses:
            standing = SideStanding(self.x.world, [self.x.frame, *frames])
            self.begun = _Begun(standing, start, list(self.x.session.faces), list(self.x.session.answers))
        self.x.session.start(start())

    def _begin_again(self) -> None:
        """Restores the state at the start of the suspended routine, then runs to the example's current point."""
        begun = self.begun
        assert begun is not None
        self._fold()
        begun.standing.set_back()
        self.x.session.runner.drop()
        self.x.session.faces, self.x.session.answers = list(begun.faces), list(begun.answers)
        self.x.session.start(begun.start())
        for line in begun.since:
            self._do_line(line)

    def _settled(self, bound: E) -> E:
        """An expression with every chance in it computed."""
        if next(ir.find(bound, ir.Chance), None) is None:
            return bound

        def known(e: ir.Node) -> ir.Node:
            if not isinstance(e, ir.Chance):
                return e
            if e.span not in self._chances:
                self._chances |= self._worked_out(e)
            return ir.Constant(self._chances[e.span], type=NUMBER, span=e.span)

        settled: E = ir.transform(bound, known)
        return settled

    def _worked_out(self, chance: ir.Chance) -> dict[Span, Fraction]:
        """A chance, together with those in the next lines for the same state, so that the dice are enumerated only once."""
        together = {chance.span: chance, **{e.span: e for e in self._asked_ahead()}}
        if len(together) > 1:
            with contextlib.suppress(Refused, RuleFailure, *FAILING):  # each line reports its own errors
                return self._exact(together)
        return self._exact({chance.span: chance})

    def _asked_ahead(self) -> Iterator[ir.Chance]:
        """The chances in the lines before anything else is done."""
        for line in itertools.takewhile(lambda x: isinstance(x, ln.Then), self._ahead):
            assert isinstance(line, ln.Then)
            if any(isinstance(n, t.Chance) for n in nodes_in(line)):
                with contextlib.suppress(Refused):
                    yield from ir.find(self.expected.bound(line), ir.Chance)

    def _exact(self, asked: Mapping[Span, ir.Chance]) -> dict[Span, Fraction]:
        """The exact chances of conditions, over all dice to come."""
        rules = self.x.program.rules
        codes = [code_of(rules, chance.condition, "<chance>", traced=True) for chance in asked.values()]
        space = {**self.x.space(), "F": self.x.frame}

        def held() -> Iterator[bool]:
            return (bool(worked_out(code, space)) for code in codes)

        begun = self.begun
        if begun is None or self.x.session.pending is None:
            return dict(zip(asked, map(Fraction, held()), strict=True))
        read = frozenset(name for chance in asked.values() for name in _frames_read(chance.condition))
        whole = Enumeration(self.x.session, begun.standing, self._begin_again, held, read)
        try:
            return dict(zip(asked, whole.chances(), strict=True))
        except RecursionError:
            raise Why.OUT_OF_BOUNDS(
                "The chance cannot be calculated: too many dice are rolled one after another.",
                hint="Give the first of them in an earlier line: `dice 3, 4`.",
            ) from None

    def _orders(self, line: ln.Orders) -> None:
        side = self.x.session.side(line.side)
        if self.x.session.is_so(side, line.command):
            return
        if isinstance(self.x.session.pending, Window):
            self.x.session.order(side, line.command)
            return
        if self.x.session.pending is not None:
            raise Why.NOT_NOW(f"You cannot give orders now: the game is waiting for {self.x.session.waits_for}.")
        if not self.x.session.active_given:
            self.x.world.active = side
        command = self.x.session.commands.read(line.command, side)
        reasons = self.x.session.commands.settle(command, side)
        if reasons:
            raise Refused(reasons[0])
        frame = slots_kept(command.frame)

        def start() -> Any:
            for slot, value in frame.items():
                setattr(command.frame, slot, value)
            return self.x.session.orders.carry_out(command)

        self._begin(start, [command.frame])


def _frames_read(part: object) -> Iterator[str]:
    """The keys of the routines whose last frames an expression reads directly."""
    for x in ir.walk(part):
        if isinstance(x, ir.Call | ir.FrameName | ir.FrameEntry | ir.Acting) and (x.frame or "").startswith(LAST):
            yield (x.frame or "").removeprefix(LAST)


__all__ = ["run_example"]
