"""Binding bodies: values, statuses, orders, procedures, paths, sequences and rules, each to a routine of the machine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from dsl import declarations as d
from dsl import ir
from dsl import lines as ln
from dsl import tree as t
from dsl.absence import set_of_one
from dsl.assemble import circle
from dsl.bind_effects import winner_of
from dsl.bind_expressions import ERROR, is_none, looked_for
from dsl.bind_orders import OrderBinder
from dsl.bind_places import suits
from dsl.bind_setups import bind_setup
from dsl.bind_triggers import asked_of_the_past, bind_trigger
from dsl.bind_words import empty_set
from dsl.chains import MOST_CHAIN, bind_order, procedure_circles, readings
from dsl.diagnostics import Mark, did_you_mean
from dsl.hidden import hides, opens, rests_on_others
from dsl.ir import MARK, NOTHING, NUMBER, E, Lasting, Param, Routine, S, Trigger, set_of
from dsl.kind_groups import joined
from dsl.lookups import check_lookups
from dsl.made_names import MadeName, made_names
from dsl.ruleset import Ruleset
from dsl.scope import Scope, framed, local
from dsl.source import Span
from dsl.tables import TableInfo
from dsl.weave import Woven, module_of, phases_of

ENDLESS = 10_000
"""`repeat at most N times`: N may not be more than this."""
MOST_PROBLEMS = 100
"""After so many problems the binder stops."""


class BodyBinder(OrderBinder):
    """Binds every routine of a ruleset."""

    def __init__(self, ruleset: Ruleset, tables: dict[str, TableInfo], woven: dict[str, Woven]) -> None:
        super().__init__(ruleset, tables)
        self.woven = woven
        self.hooks: dict[str, list[Routine]] = {}
        self.triggers: list[Trigger] = []
        self.lasting: list[Lasting] = []
        self.past = frozenset(word for x in ruleset.everything for word in asked_of_the_past(x))
        self.endings: dict[str, list[tuple[E | None, E | None, str, Span]]] = {}
        self.hints: dict[str, list[tuple[str, str, E | None, Span]]] = {}
        self._open: list[str] = []
        self._made: list[list[MadeName]] = []
        """What `names_made` has found, once it was asked for; examples share it."""

    def names_made(self) -> list[MadeName]:
        """What rules call the things that they put into the game."""
        if not self._made:
            rules = (r for hooks in self.hooks.values() for r in hooks)
            self._made.append(made_names(self.ruleset, (*self.routines.values(), *rules)))
        return self._made[0]

    # ---- on demand
    def routine(self, name: str, span: Span) -> Routine | None:
        """The bound value, status or path of this name; None when there is none or it goes round in a circle."""
        if name in self.routines:
            return self.routines[name]
        declared = self.ruleset.bodied.get(name)
        if declared is None:
            self.problem("E200", f"I know no value `{name}`.", span, did_you_mean(name, self.ruleset.bodied))
            return None
        if len(self._open) >= MOST_CHAIN:
            self._too_long(declared)
            return None
        if name in self._open:
            circle = " → ".join([*self._open[self._open.index(name) :], name])
            self.problem(
                "E222", f"`{name}` depends on itself: {circle}.", span, also=[Mark(declared.span, "it starts here")]
            )
            return None
        self._open.append(name)
        try:
            frames = self._frames_of(declared)
            routine = self._path(declared) if declared.word == "path" else self._value(declared, frames)
        finally:
            self._open.pop()
        self.routines[name] = routine
        return routine

    def _frames_of(self, declared: d.Bodied) -> tuple[tuple[Routine, str], ...]:
        """The frames that a bound text reads: those of its procedure and of the procedures that one is bound to."""
        if declared.bound is None:
            return ()
        chain: list[tuple[Routine, str]] = []
        access = "F"
        name: str | None = declared.bound
        while name:
            if any(r.name == name for r, _ in chain) or name == declared.name:
                circle_of = " → ".join([declared.name, *(r.name for r, _ in chain if r.name != declared.name), name])
                self.problem(
                    "E222",
                    f"`{declared.name}` is bound in a circle: {circle_of}.",
                    declared.span,
                    hint="Some procedure must be bound to none.",
                )
                return ()
            routine = self.procedure(name, declared.span)
            if routine is None:
                return ()
            chain.append((routine, access))
            access += ".up"
            name = routine.within
        return tuple(chain)

    def procedure(self, name: str, span: Span) -> Routine | None:
        """The bound procedure or order of this name; while it is being bound, what of it is known so far."""
        for word in ("procedure", "order", "sequence"):
            key = f"{word} {name}"
            if key in self.routines:
                return self.routines[key]
            if key in self.ruleset.bodied:
                return self._active(self.ruleset.bodied[key])
        known = [k.split(" ")[1] for k in self.ruleset.bodied if k.startswith("procedure ")]
        hint = did_you_mean(name, known)
        if name in phases_of(self.ruleset):
            hint = f"{name} is a phase: it runs where its sequence says so. An example may do it by itself."
        self.problem("E200", f"There is no procedure {name}.", span, hint, word=name)
        return None

    # ---- everything
    def bind_all(self) -> None:
        """Binds every declaration; whatever is wrong stands in `problems`."""
        for bodied in [x for x in self.ruleset.bodied.values() if x.word in {"value", "status", "path"}]:
            if len({p.name for p in bodied.signature.params}) < len(bodied.signature.params):
                self.problem("E102", "Two arguments have one name.", bodied.signature.span, hint="Rename one.")
        reads = readings(self.ruleset, self.woven)
        order, lengths = bind_order(reads)
        for key, bodied in self.ruleset.bodied.items():
            if bodied.word in {"procedure", "order", "sequence"} and key not in self.routines and not self._enough():
                self._active(bodied)
            elif bodied.word == "setup" and not self._enough():
                bind_setup(self, bodied)
        for key in order:
            if not self._enough():
                self.routine(key, self.ruleset.bodied[key].span)
        longest = max(lengths, key=lambda k: lengths[k], default="")
        if longest and lengths[longest] > MOST_CHAIN and not circle(longest, reads):
            self._too_long(self.ruleset.bodied[longest], lengths[longest])
        self.problems += procedure_circles(self.ruleset, self.woven)
        for key, woven in self.woven.items():
            for when, rules in (("before", woven.before), ("after", woven.after)):
                for rule in sorted(rules, key=self._place_of_module):
                    self.hooks.setdefault(f"{when} {key}", []).append(self._hook(rule, key))
        for rule in self.ruleset.rules.values():
            if rule.relation.kind in {"whenever", "always"}:
                bind_trigger(self, rule)
        self._judged_by_hidden_things()
        if not any(problem.is_error for problem in self.problems):
            self.problems += check_lookups(self.ruleset, self.tables, self.routines)
        for scenario in self.ruleset.scenarios.values():
            self.endings[scenario.name] = [self._ending(scenario, line) for line in scenario.endings]
            self.hints[scenario.name] = [hint for lesson in scenario.lessons for hint in self._lesson(scenario, lesson)]

    def _judged_by_hidden_things(self) -> None:
        """W702: orders that are refused for what may be hidden from who gives them."""
        if not hides(self.ruleset):
            return
        for order in [r for r in self.routines.values() if r.word == "order"]:
            for clause, read in rests_on_others(self.ruleset, self.routines, order.clauses, lawful=True):
                if read.field == "place" and opens(self.ruleset, read.kind, read.field):
                    continue  # the rules themselves open it to who finds out: he acts on what he knows
                what = f"`{read.field}` of a {read.kind} may be hidden from who gives {order.name}."
                asked = [] if _within(read.e.span, clause.span) else [Mark(clause.span, f"{order.name} asks it here")]
                self.problem(
                    "W702", what, read.e.span, also=asked,
                    hint="Of what he does not know the order refuses nothing; let what it does ask it: `stop when …`.",
                )  # fmt: skip

    def _place_of_module(self, rule: d.Rule) -> int:
        """Rules before and after one thing run in the order in which their modules are declared; the base comes first."""
        name = module_of(rule)
        return list(self.ruleset.modules).index(name) if name in self.ruleset.modules else -1

    def _enough(self) -> bool:
        """Whether so much is wrong that more of it helps nobody."""
        return len(self.problems) > MOST_PROBLEMS

    def _too_long(self, declared: d.Bodied, length: int = 0) -> None:
        reads = readings(self.ruleset, self.woven)
        way = circle(declared.name, reads)
        if len(way) > 8:
            way = [*way[:4], "…", *way[-3:]]
        if way:
            self.problem("E222", f"`{declared.name}` depends on itself: {' → '.join(way)}.", declared.span)
        else:
            long = f"{length:,}" if length else f"more than {MOST_CHAIN}"
            self.problem(
                "E239",
                f"`{declared.name}` rests on a chain of {long} values; the most is {MOST_CHAIN}.",
                declared.span,
                hint="Work it out in fewer steps.",
            )

    def _ending(self, scenario: d.Scenario, line: ln.EndGame) -> tuple[E | None, E | None, str, Span]:
        """An `end game` line of a scenario, in which the scenario's sides can be named."""
        scope = Scope({s.name: ir.SideNamed(s.name) for s in scenario.sides}, ir.Active())
        sides, known = [s.name for s in scenario.sides], len(self.problems)
        winner = winner_of(self, line.winner, scope) if line.winner is not None else None
        if isinstance(line.winner, t.Name) and [p.code for p in self.problems[known:]] == ["E200"]:
            near = did_you_mean(line.winner.word, sides)
            self.problems.pop()
            self.problem("E320", f"The scenario has no side {line.winner.word}.", line.winner.span, near)
        when = self.condition(line.when, scope) if line.when is not None else None
        return winner, when, line.because or "", line.span

    def _lesson(self, scenario: d.Scenario, lesson: d.Lesson) -> Iterator[tuple[str, str, E | None, Span]]:
        """The hints of a lesson: the side that is told, the text, when, and where it stands."""
        sides = [s.name for s in scenario.sides]
        if lesson.side not in sides:
            near = did_you_mean(lesson.side, sides)
            self.problem("E320", f"The scenario has no side {lesson.side}.", lesson.span, near)
        learner = ir.SideNamed(lesson.side)
        scope = Scope({name: ir.SideNamed(name) for name in sides}, learner)
        for hint in lesson.hints:
            when = self.condition(hint.when, scope) if hint.when is not None else None
            yield lesson.side, hint.text, when, hint.span

    # ---- values and statuses
    def _value(self, declared: d.Bodied, frames: tuple[tuple[Routine, str], ...]) -> Routine:
        params = self.params(declared.signature)
        woven = self.woven.get(f"{declared.word} {declared.name}", Woven())
        text: d.Bodied | d.Rule = woven.replaces[-1] if woven.replaces else declared
        routine = Routine(
            declared.word, declared.name, params, NOTHING, declared.span, declared.bound, cites=text.cites
        )
        scope = self._param_scope(declared.signature, params, frames)
        wrong = len(self.problems) + self.poisoned
        # The base text comes first: it says of what sort the value is.
        source, base_scope = self._base_body(declared, woven, params, frames, scope)
        base, place = self._value_lines(source, base_scope, routine)
        added = [line for rule in woven.adds for line in self._rule_lines(rule, params, frames, routine, adding=True)]
        excepts: list[S] = []
        for rule in woven.excepts:
            lines = tuple(self._rule_lines(rule, params, frames, routine))
            head = ir.Head(rule.span, cites=rule.cites, module=module_of(rule), rule=rule.name)
            excepts.append(ir.Except(head, lines))
        if declared.word == "status":
            # One line that holds is enough, so what rules add goes first: an exception beats the printed lines alone.
            body = [*added, *excepts, *base] if excepts else [*base[:place], *added, *base[place:]]
        else:
            body = [*excepts, *base[:place], *added, *base[place:]]
        for line in body:
            if isinstance(line, ir.Add) and line.value is not ERROR:
                self._addable(line, routine)
        if routine.type.name == "set":
            body = [self._empty_set(line, routine) for line in body]
        routine.body = tuple(body)
        if declared.word == "status":
            routine.type = MARK
        elif routine.type.name == "nothing" and len(self.problems) + self.poisoned > wrong:
            self.failed.add(declared.name)
        elif routine.type.name == "nothing":
            self.problem(
                "E223",
                f"`{declared.name}` never gets a value.",
                declared.span,
                hint="Start it with a line such as `start with 0`.",
            )
        elif not _always(routine.body):
            routine.type = routine.type.maybe() if routine.type.name != "set" else routine.type
        return routine

    def _empty_set(self, line: S, routine: Routine) -> S:
        """A line of a value that is a set: `none` before the line that says of what is the empty one, too."""
        if isinstance(line, ir.Except):
            return attrs.evolve(line, body=tuple(self._empty_set(x, routine) for x in line.body))
        if not isinstance(line, ir.Start | ir.Case) or not is_none(line.value):
            return line
        return attrs.evolve(line, value=self.needs(line.value, routine.type, line.span))

    def _addable(self, line: ir.Add, routine: Routine) -> None:
        """What a rule adds must be of the sort that it is added to: numbers to a number, things to a set of them."""
        value = line.value
        type_ = routine.type
        several = type_.name == "set" and type_.of is not None and value.type.name == "set"
        if type_.name != "nothing" and not (suits(self, value.type, type_) and (type_.name == "number" or several)):
            hint = "To a number a number is added; what is chosen in another way is replaced, or `excepts` it."
            self.problem("E201", f"This adds {value.type}, but `{routine.name}` is {type_}.", line.span, hint)
        elif type_.name == "number" and value.type.optional:
            self.needs(value, NUMBER, line.span)

    def _base_body(
        self,
        declared: d.Bodied,
        woven: Woven,
        params: tuple[Param, ...],
        frames: tuple[tuple[Routine, str], ...],
        scope: Scope,
    ) -> tuple[tuple[ln.Line, ...], Scope]:
        """The base text's lines, or those of the rule that replaces it, with the scope they are read in."""
        if not woven.replaces:
            return declared.body, scope
        rule = woven.replaces[-1]
        assert rule.relation.target is not None
        return rule.body, self._param_scope(rule.relation.target, params, frames, module_of(rule))

    def _rule_lines(
        self,
        rule: d.Rule,
        params: tuple[Param, ...],
        frames: tuple[tuple[Routine, str], ...],
        routine: Routine,
        adding: bool = False,
    ) -> list[S]:
        assert rule.relation.target is not None
        scope = self._param_scope(rule.relation.target, params, frames, module_of(rule))
        out: list[S] = []
        for line in rule.body:
            bound = self._value_line(line, scope, routine, adding=adding, apart=f"..{rule.name}")
            if bound is not None:
                cites = bound.cites or rule.cites
                if isinstance(bound, ir.Add) and line.because is None:
                    self.problem("E231", "A modifier needs a reason.", line.span, hint='Add: because "…"')
                out.append(bound.brought_by(rule.name, cites, module_of(rule)))
        return out

    def _value_lines(self, lines: Sequence[ln.Line], scope: Scope, routine: Routine) -> tuple[list[S], int]:
        """A text's lines, and before which of them stands what rules add: the label `adds:`, or the first step."""
        out: list[S] = []
        place: int | None = None
        labelled = any(line.label == "adds" for line in lines)
        for line in lines:
            bound = self._value_line(line, scope, routine)
            if bound is None:
                continue
            if place is None and (line.label == "adds" if labelled else isinstance(bound, ir.Adjust)):
                place = len(out)
            out.append(bound)
        return out, len(out) if place is None else place

    def _value_line(
        self, line: ln.Line, scope: Scope, routine: Routine, *, adding: bool = False, apart: str = ""
    ) -> S | None:
        """A line of a value. apart: what keeps the names that a rule gives apart from those of the text it changes."""
        when = self.condition(line.when, scope) if line.when is not None else None
        head = ir.Head(line.span, when, line.because, line.label, line.cites)
        named, scope = scope.names, scope if when is None else self.narrowed(when, scope)

        match line:
            case ln.Let():
                value = self.condition(line.value, scope) if line.whether else self.expr(line.value, scope)
                type_ = value.type.maybe() if when is not None and value.type.name != "set" else value.type
                name = line.name
                if name in scope.names:
                    self.problem(
                        "E224", f"`{name}` already has a meaning here.", line.span, hint="Choose another name."
                    )
                named[name] = local(name + apart, type_)
                return ir.Let(head, name=name + apart, value=value)
            case ln.Holds():
                if routine.word == "path":
                    return None
                if adding or routine.word != "status":
                    return (
                        ir.Holds(head) if routine.word == "status" else self._misplaced(line, "a status or a refusal")
                    )
                return ir.Holds(head)
            case ln.StartWith() | ln.Case() if routine.word == "status":
                if isinstance(line, ln.Case) and isinstance(line.value, t.Name) and line.value.word in {"yes", "no"}:
                    return ir.Case(
                        head, value=ir.Constant(line.value.word == "yes", type=MARK), otherwise=line.otherwise
                    )
                return self._misplaced(line, "a value; a status has lines `when …`")
            case ln.StartWith():
                return ir.Start(head, value=self._result(line.value, scope, routine))
            case ln.Case():
                if line.shift is not None:
                    value = self.number(line.value, scope)
                    if line.shift == "left":
                        value = ir.Negative(value, span=value.span)
                    return ir.Add(head, value=value)
                if adding:
                    value = self.expr(line.value, scope, looked_for(routine.type))
                    return ir.Add(head, value=value)
                return ir.Case(head, value=self._result(line.value, scope, routine), otherwise=line.otherwise)
            case ln.Adjust():
                return self._adjust(line, scope, routine, head)
        return self._misplaced(line, "a procedure or an order")

    def _result(self, node: t.Node, scope: Scope, routine: Routine) -> E:
        """A value's result; its type must agree with the other lines'."""
        want = (
            routine.type
            if routine.type.name not in {"nothing", "set"}
            else routine.type.of
            if routine.type.name == "set"
            else None
        )
        empty = empty_set(self, node, routine.type, scope)
        value = empty if empty is not None else self.expr(node, scope, want)
        if value is ERROR:
            return value
        if routine.type.name == "set" and is_none(value):
            return self.needs(value, routine.type, node.span)
        if routine.type.name == "nothing":
            routine.type = value.type
        elif (
            routine.type.name == "set"
            and value.type.name != "set"
            and routine.type.of
            and suits(self, value.type, routine.type.of)
        ):
            return set_of_one(self, value)
        elif (
            value.type.name == "set"
            and routine.type.name != "set"
            and value.type.of
            and routine.type.same(value.type.of)
        ):
            routine.type = value.type
        elif (
            not value.type.same(routine.type) and (common := joined(self.ruleset, routine.type, value.type)) is not None
        ):
            routine.type = common
        elif not value.type.same(routine.type):
            return self.problem("E201", f"This is {value.type}, but `{routine.name}` is {routine.type}.", node.span)
        elif value.type.optional:
            routine.type = routine.type.maybe()
        return value

    def _adjust(self, line: ln.Adjust, scope: Scope, routine: Routine, head: ir.Head) -> S | None:
        type_ = routine.type
        if line.op == "rounded":
            if type_.name != "number":
                self.problem("E201", f"Only a number can be rounded, but `{routine.name}` is {type_}.", line.span)
            assert line.direction is not None
            return ir.Adjust(head, how="rounded", way=line.direction.way, halves=line.direction.halves)
        assert line.value is not None
        if line.op == "instead":
            return ir.Adjust(head, how="instead", value=self._result(line.value, scope, routine))
        if type_.name == "set" and line.op in {"plus", "minus"}:
            value = self.expr(line.value, scope, type_.of)
            if value.type.name != "set":
                value = set_of_one(self, value)
            return ir.Adjust(head, how="put-in" if line.op == "plus" else "take-out", value=value)
        if line.op == "moved":
            if type_.name != "enum" or not self.ruleset.enums[type_.word].ordered:
                self.problem(
                    "E201", f"Only a word of a scale can be moved, but `{routine.name}` is {type_}.", line.span
                )
                return None
            return ir.Adjust(head, how="moved", value=self.number(line.value, scope), scale=type_.word)
        if type_.name == "enum" and line.op in {"at-least", "at-most"}:
            value = self.needs(self.expr(line.value, scope, type_), type_.sure(), line.value.span)
            return ir.Adjust(head, how=line.op, value=value, scale=type_.word)
        if type_.name not in {"number", "nothing"}:
            self.problem("E201", f"Only a number can be so changed, but `{routine.name}` is {type_}.", line.span)
        if routine.type.name == "nothing":
            routine.type = NUMBER
        amount = self.number(line.value, scope)
        if line.op == "divided":
            self.divisor(amount, line.value.span)
        return ir.Adjust(head, how=line.op, value=amount)

    # ---- orders, procedures, sequences
    def _active(self, declared: d.Bodied) -> Routine:
        key = f"{declared.word} {declared.name}"
        if key in self.routines:
            return self.routines[key]
        params = self.params(declared.signature, order=declared.word == "order")
        woven = self.woven.get(key, Woven())
        text: d.Bodied | d.Rule = woven.replaces[-1] if woven.replaces else declared
        routine = Routine(
            declared.word, declared.name, params, NOTHING, declared.span, declared.bound, cites=text.cites
        )
        for param in params:
            routine.frame[param.name] = set_of(param.type) if param.many else param.type
        self.routines[key] = routine
        outer = self._frames_of(declared) if declared.bound else ()
        frames = ((routine, "F"), *((r, "F.up" + a[1:]) for r, a in outer))
        whose = ir.Active() if declared.word == "sequence" else ir.Acting("F")
        scope = Scope({}, whose, None, frames)
        lines: Sequence[ln.Line] = text.body
        if declared.word == "order":
            clauses, lines = self._split_order(lines)
            for line in (*self._demanded(declared.signature), *clauses):
                routine.clauses += (self._clause(line, scope, routine),)
                if not woven.permits:  # what a permission lifts says nothing of what comes after
                    scope = self._unless_refused(routine.clauses[-1], scope)
            routine.clauses += tuple(c for rule in woven.forbids for c in self._forbid(rule, routine))
            permits = tuple(p for rule in woven.permits for p in self._permit(rule, routine))
            if permits:
                routine.clauses += permits
        elif woven.forbids:
            self.problem("E227", "Only an order can be forbidden.", woven.forbids[0].relation.span)
        routine.body = tuple(s for line in lines for s in self._statement(line, scope, routine))
        return routine

    def _hook(self, rule: d.Rule, key: str) -> Routine:
        """A rule that runs before or after a phase, order or procedure, as a routine of its own."""
        # A rule that stands at several texts is a routine at each; no name that people give holds two full stops.
        name = f"{rule.name}..{key.partition(' ')[2]}" if rule.relation.more else rule.name
        routine = Routine("rule", name, (), NOTHING, rule.span, None, cites=rule.cites)
        self.routines[f"rule {name}"] = routine
        base = self.routines.get(key)
        if key.startswith("phase "):
            base = self.routines.get(phases_of(self.ruleset).get(key.removeprefix("phase "), ""))
        if base is not None and base.word in {"order", "procedure"}:
            outer = self._outside(rule, base)
            names = {n: framed("F.up", e.name, e.type) for n, e in outer.names.items() if isinstance(e, ir.FrameName)}
            scope = Scope(names, ir.Acting("F"), None, ((routine, "F"), (base, "F.up")), module=module_of(rule))
            routine.within = base.name
        else:
            scope = Scope({}, ir.Acting("F"), None, ((routine, "F"),), module=module_of(rule))
        for line in rule.body:
            if not (rule.relation.more and base is not None and self._speaks_past(rule, line, scope, base)):
                routine.body += tuple(self._statement(line, scope, routine))
        return routine

    # ---- statements
    def _statement(self, line: ln.Line, scope: Scope, routine: Routine) -> list[S]:
        from dsl.bind_statements import statement

        return statement(self, line, scope, routine)


def _always(body: tuple[S, ...]) -> bool:
    """Whether a value's lines give a start in every case."""
    for line in body:
        if isinstance(line, ir.Start | ir.Case) and (
            line.when is None or (isinstance(line, ir.Case) and line.otherwise)
        ):
            return True
        if isinstance(line, ir.Adjust | ir.Add) and line.when is None:
            return True
    return False


def _within(one: Span, other: Span) -> bool:
    """Whether one place of a text lies in another."""
    return one.file == other.file and other.line <= one.line <= other.end_line


__all__ = ["ENDLESS", "BodyBinder"]
