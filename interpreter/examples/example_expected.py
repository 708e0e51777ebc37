"""`then` in an example: whether the expectation holds, who may do what, and what each side is told and knows."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from dsl import ir
from dsl.binding.printed_fields import fields_under, headed
from dsl.ir import E, thing
from dsl.rules.chains import nodes_in
from dsl.rules.notation import attribute
from dsl.syntax import body_lines as ln
from dsl.syntax import syntax_tree as t
from interpreter.codegen.python_names import py
from interpreter.examples.example_standing import ExampleStanding
from interpreter.explain.explain import explain_in
from interpreter.explain.explanations import Explanation
from interpreter.messages.asking import Window
from interpreter.messages.inputs import ENDINGS, Refused
from interpreter.mirrors.knowing import knows
from interpreter.play.answer_reader import Incomplete
from interpreter.runtime.refusals import Refusal
from interpreter.runtime.runtime import say
from interpreter.runtime.things import Thing
from interpreter.setup.objections import objections
from interpreter.world.seat import Seat, messages

__all__ = ["Expectations"]


class Expectations:
    """Checks the expectations of an example.

    Attributes:
        x: the context of the example.
        settled: computes the chances in an expression.
        explaining: whether each expectation is explained.
        told_before: the number of events before the current expectations.
    """

    def __init__(self, x: ExampleStanding, settled: Callable[[E], E], *, explaining: bool) -> None:
        self.x, self.settled, self.explaining = x, settled, explaining
        self.told_before = 0

    def expect(self, line: ln.Expectation) -> None:
        """Checks one line. Raises Refused if it cannot be understood."""
        self.x.outcome.checks += 1
        failures = self.x.outcome.failures
        before = len(failures)
        match line:
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
                return
        shown = failures[-1].got if len(failures) > before else _met(line)
        self.x.outcome.shown.append((self.x.text(line.span), shown, None))

    def _then_may(self, line: ln.ThenMay) -> None:
        side = self.x.session.side(line.side)
        if not self.x.session.active_given and self.x.session.pending is None:
            self.x.world.active = side
        try:
            reasons = self._against(line.command, side)
        except Refused as refused:
            # A command that cannot be read counts as refused only if the example gives a reason: else a typing error would pass for one.
            if not line.negated or not line.reasons:
                raise
            reasons = [refused.refusal]
        expected = f"{line.command} to be {'refused' if line.negated else 'allowed'}"
        if self.x.session.pending is not None and not isinstance(self.x.session.pending, Window) and not line.reasons:
            self.x.fail(line, expected, f"the game is waiting for {self.x.session.waits_for}")
        elif line.negated and not reasons:
            self.x.fail(line, expected, "it is allowed")
        elif line.negated:
            self._then_refused(line, [r.message for r in reasons])
        elif reasons:
            self.x.fail(line, expected, "; ".join(r.message for r in reasons))

    def _then_refused(self, line: ln.ThenMay, given: list[str]) -> None:
        """Compares the reasons of a refusal with those that a line names: each of the line's is given, after `only` no other."""
        named = [(text, [m for m in given if text.lower() in m.lower()]) for text in line.reasons]
        if line.only and (
            not all(found for _, found in named) or {m for _, found in named for m in found} != set(given)
        ):
            self.x.fail(line, f"only {_quoted(line.only)}", _quoted(given))
        elif not all(found for _, found in named):
            self.x.fail(line, f"the reason {line.because!r}", "; ".join(given))

    def _then_may_answer(self, line: ln.ThenMayAnswer) -> None:
        side = self.x.session.side(line.side)
        text = ", ".join(f"{of} {words}" if of else words for words, of in self.x.answers_said(line))
        try:
            self.x.session.try_answer(side, line.name, text)
        except Refused as refused:
            if not line.negated:
                self.x.fail(line, f"the answer {text} to be allowed", str(refused))
            elif isinstance(refused, Incomplete):  # nothing is wrong with what the line says
                self.x.fail(line, f"the answer {text} to be refused", f"it is allowed so far. {refused}")
            elif line.because and line.because.lower() not in str(refused).lower():
                self.x.fail(line, f"the reason {line.because!r}", str(refused))
            return
        if line.negated:
            self.x.fail(line, f"the answer {text} to be refused", "it is allowed")

    def _then_over(self, line: ln.ThenOver) -> None:
        over, winner = self.x.world.over, self.x.world.winner
        ended = f"won by {winner.id}" if winner is not None else "over"
        if not over or line.negated:
            if bool(over) != line.negated:
                return
            self.x.fail(line, self.x.text(line.span), f"the game is {ended}: {over}" if over else "the game goes on")
        elif line.winner and (winner is None or winner.id != self.x.session.side(line.winner).id):
            self.x.fail(line, self.x.text(line.span), f"the game is {ended}")
        elif line.because and line.because != over:
            self.x.fail(line, f"the reason {line.because!r}", over)

    def _then_begins(self, line: ln.ThenBegins) -> None:
        found = objections(self.x.world)
        refusals = [x for x in found if x.refuses]
        told = [x for x in found if x.refuses == line.negated]
        if bool(refusals) != line.negated:
            self.x.fail(line, self.x.text(line.span), "; ".join(map(str, refusals)) or "there is no objection")
        elif line.negated or line.warning:
            meant = any((line.because or "").lower() in str(x).lower() for x in told)
            if meant == (line.warning == "without"):
                self.x.fail(line, self.x.text(line.span), "; ".join(map(str, told)) or "there is no warning")

    def _then_knows(self, line: ln.ThenKnows) -> None:
        side = self.x.session.side(line.side)
        bound = self.x.bound(lambda: self.x.binder.expr(line.what, self.x.scope()))
        known = knows(self.x.world, side.id, self.x.frame, lambda: self.x.value(bound), whole=line.whole)
        if known == line.negated:
            self.x.fail(line, self.x.text(line.span), f"{side.id} {'knows it' if known else 'does not know it'}")

    def _then_told(self, line: ln.ThenTold) -> None:
        side = self.x.session.side(line.side)
        told = messages(Seat(self.x.world, side.id), self.x.world.journal.events[self.told_before :])
        if told != list(line.texts):
            self.x.fail(line, self.x.text(line.span), _quoted(told) or "nothing")

    def _against(self, text: str, side: Thing) -> list[Refusal]:
        """Why a side may not give a command, or end the phase, at this point of the example."""
        if text in ENDINGS:
            return self.x.session.orders.still_open(side)
        command = self.x.session.commands.read(text, side)
        reasons = self.x.session.commands.settle(command, side)
        window = self.x.session.pending
        if isinstance(window, Window) and command.order.name not in window.orders:
            reasons.insert(0, Refusal("It cannot be ordered in this phase.", ()))
        elif isinstance(window, Window) and side not in window.waiting:
            reasons.insert(0, Refusal(f"It is not {side.id}'s turn to give orders.", ()))
        return reasons

    def _then(self, line: ln.Then) -> None:
        bound = self.settled(self.bound(line))
        held = bool(self.x.value(bound))
        subject = getattr(line.condition, "subject", None) or getattr(line.condition, "left", None)
        got = ""
        if subject is not None and not getattr(line.condition, "quantifier", None):
            there = isinstance(line.condition, t.Exists)
            got = self._found(bound) if there else self._got(subject)
            got = "" if got == self.x.text(subject.span) else got
        explained = self._explained(subject) if self.explaining else None
        self.x.outcome.shown.append((self.x.text(line.span), got or ("yes" if held else "no"), explained))
        if not held:
            self.x.fail(line, self.x.text(line.span), (got or "no") + self.waits(line))

    def bound(self, line: ln.Then) -> E:
        """The expectation of a line, with its chances not computed yet. Raises Refused if it cannot be understood."""
        bound: E = self.x.bound(lambda: self._with_chances(line.condition))
        return bound

    def _found(self, bound: E) -> str:
        """For an expectation that something exists, what there is, in words; empty for other expectations."""
        asked = bound.item if isinstance(bound, ir.Not) else bound
        return say(self.x.value(asked.value)) if isinstance(asked, ir.IsThere) else ""

    def _got(self, subject: t.Node) -> str:
        """The value of the subject of an expectation, in words."""
        under = headed(self.x.binder, subject, self.x.scope())
        if under is not None:
            of = self.x.value(under[0])
            info = self.x.program.ruleset.kinds[under[0].type.word]
            return ", ".join(f"{f} {say(getattr(of, attribute(f)))}" for f in fields_under(info, under[1]))
        return say(self.x.value(self.settled(self.x.bound(lambda: self._with_chances(subject, value=True)))))

    def waits(self, line: ln.Then) -> str:
        """What the game is waiting for when an expectation fails: often it has not got that far. Chances look ahead."""
        if self.x.session.pending is None or any(isinstance(n, t.Chance) for n in nodes_in(line)):
            return ""
        return f"; the game is waiting for {self.x.session.waits_for}"

    def _with_chances(self, node: t.Node, *, value: bool = False) -> E:
        """A condition or value of a `then` line, which may contain chances."""
        self.x.binder.chances = self.x.binder.lenient = True
        try:
            return self.x.binder.expr(node, self.x.scope()) if value else self.x.binder.condition(node, self.x.scope())
        finally:
            self.x.binder.chances = self.x.binder.lenient = False

    def _explained(self, subject: t.Node | None) -> Explanation | None:
        if subject is None:
            return None
        names: dict[str, E] = {
            n: ir.ThingNamed(getattr(self.x.frame, f"n_{py(n)}").id, type=thing(ty.word))
            for n, ty in self.x.routine.frame.items()
            if ty.name == "thing" and getattr(getattr(self.x.frame, f"n_{py(n)}", None), "id", None)
        }
        try:
            return explain_in(self.x.program, self.x.world, self.x.text(subject.span), self.x.session.pins, names)
        except Refused:
            return None


def _quoted(texts: Iterable[str]) -> str:
    return ", ".join(f'"{text}"' for text in texts)


def _met(line: ln.Expectation) -> str:
    """The result of an expectation that is met and reads no value."""
    match line:
        case ln.ThenBegins():
            return "refused" if line.negated else f"{line.warning} warning" if line.warning else "fit to begin"
        case ln.ThenOver():
            return "it goes on" if line.negated else "it is over"
        case ln.ThenTold():
            return "told" if line.texts else "nothing"
        case ln.ThenKnows():
            return "not known" if line.negated else "known"
        case ln.ThenMay() | ln.ThenMayAnswer():
            return "refused" if line.negated else "allowed"
    raise AssertionError(line)
