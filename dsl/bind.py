"""Binding bodies: values, statuses, orders, procedures, paths, sequences and rules, each to a routine of the machine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs

from dsl import declarations as d
from dsl import lines as ln
from dsl import tree as t
from dsl.assemble import circle
from dsl.bind_conditions import ConditionBinder
from dsl.bind_expressions import ERROR
from dsl.chains import MOST_CHAIN, bind_order, procedure_circles, readings
from dsl.diagnostics import Mark, did_you_mean
from dsl.ir import MARK, NOTHING, NUMBER, SIDE, E, Param, Routine, S, Type, enum, set_of, thing
from dsl.ruleset import Ruleset, named_type
from dsl.scope import Scope, framed, local
from dsl.source import Span
from dsl.tables import TableInfo
from dsl.weave import Woven, module_of

CLAUSES = (ln.GivenBy, ln.LegalFrom, ln.LegalWhen, ln.Refused, ln.Reaching)
ENDLESS = 10_000
"""`repeat at most N times`: N may not be more than this."""
MOST_PROBLEMS = 100
"""After so many problems the binder stops."""


class BodyBinder(ConditionBinder):
    """Binds every routine of a ruleset."""

    def __init__(self, ruleset: Ruleset, tables: dict[str, TableInfo], woven: dict[str, Woven]) -> None:
        super().__init__(ruleset, tables)
        self.woven = woven
        self.hooks: dict[str, list[Routine]] = {}
        self.triggers: list[Routine] = []
        self.endings: dict[str, list[tuple[E | None, E | None, str, Span]]] = {}
        self._open: list[str] = []

    # ---- signatures
    def params(self, signature: d.Signature) -> tuple[Param, ...]:
        """The arguments of a text, with their types."""
        out = []
        for param in signature.params:
            type_ = NUMBER
            word = param.kind or param.name
            type_, missing = named_type(self.ruleset, word)
            if missing and param.kind is None:
                guess = [k for k in self.ruleset.kinds if k[:1] == param.name[:1]]
                self.problem(
                    "E103",
                    f"What is `{param.name}`? Say its type in brackets.",
                    param.span,
                    hint=f"Write, for example: {param.name} (a {guess[0] if guess else 'number'})",
                )
            elif missing:
                known = [
                    *self.ruleset.kinds,
                    *self.ruleset.plurals,
                    *self.ruleset.enums,
                    *self.ruleset.ratings,
                    "number",
                    "side",
                    "text",
                ]
                self.problem("E103", f"There is no type {word}.", param.span, did_you_mean(word, known), word=word)
            out.append(Param(param.prep, param.name, type_, param.many))
        return tuple(out)

    def whose(self, params: Sequence[Param], names: dict[str, E]) -> E | None:
        """The side that `own` speaks of: that of the first thing named, or the side itself."""
        for param in params:
            if param.type.name == "thing" and not param.many:
                value = names[param.name]
                if param.type.word == "side":
                    return value
                if self.ruleset.kinds[param.type.word].word != "place":
                    return E("side_of", SIDE, (value,))
        return None

    # ---- on demand
    def routine(self, name: str, span: Span, scope: Scope | None = None) -> Routine | None:
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
            frames = self._frames_of(declared, scope)
            routine = self._path(declared) if declared.word == "path" else self._value(declared, frames)
        finally:
            self._open.pop()
        self.routines[name] = routine
        return routine

    def _frames_of(self, declared: d.Bodied, scope: Scope | None) -> tuple[tuple[Routine, str], ...]:
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
        self.problem("E200", f"There is no procedure {name}.", span, did_you_mean(name, known), word=name)
        return None

    # ---- everything
    def bind_all(self) -> None:
        """Binds every declaration; whatever is wrong stands in `problems`."""
        for bodied in [x for x in self.ruleset.bodied.values() if x.word in {"value", "status", "path"}]:
            if len(set(p.name for p in bodied.signature.params)) < len(bodied.signature.params):
                self.problem("E102", "Two arguments have one name.", bodied.signature.span, hint="Rename one.")
        reads = readings(self.ruleset, self.woven)
        order, lengths = bind_order(reads)
        for key, bodied in self.ruleset.bodied.items():
            if bodied.word in {"procedure", "order", "sequence"} and key not in self.routines and not self._enough():
                self._active(bodied)
        for key in order:
            if not self._enough():
                self.routine(key, self.ruleset.bodied[key].span)
        longest = max(lengths, key=lambda k: lengths[k], default="")
        if longest and lengths[longest] > MOST_CHAIN and not circle(longest, reads):
            self._too_long(self.ruleset.bodied[longest], lengths[longest])
        self.problems += procedure_circles(self.ruleset, self.woven)
        for key, woven in self.woven.items():
            for when, rules in (("before", woven.before), ("after", woven.after)):
                for rule in rules:
                    self.hooks.setdefault(f"{when} {key}", []).append(self._hook(rule, key))
        for rule in self.ruleset.rules.values():
            if rule.relation.kind in {"whenever", "always"}:
                self.problem(
                    "E901",
                    f"`{rule.relation.kind}` rules are understood but not yet run by this version.",
                    rule.relation.span,
                )

        for scenario in self.ruleset.scenarios.values():
            self.endings[scenario.name] = [self._ending(scenario, line) for line in scenario.endings]

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
        scope = Scope({s.name: E("side_named", SIDE, (s.name,)) for s in scenario.sides}, E("active", SIDE, ()))
        winner = self.expr(line.winner, scope) if line.winner is not None else None
        when = self.condition(line.when, scope) if line.when is not None else None
        return winner, when, line.because or "", line.span

    # ---- values and statuses
    def _value(self, declared: d.Bodied, frames: tuple[tuple[Routine, str], ...]) -> Routine:
        params = self.params(declared.signature)
        woven = self.woven.get(f"{declared.word} {declared.name}", Woven())
        routine = Routine(
            declared.word, declared.name, params, NOTHING, declared.span, declared.bound, cites=declared.cites
        )
        scope = self._param_scope(params, declared.signature, params, frames)
        wrong = len(self.problems) + self.poisoned
        body: list[S] = []
        for rule in woven.excepts:
            lines = tuple(self._rule_lines(rule, params, frames, routine))
            body += [S("except", rule.span, {"rule": rule.name}, lines, rule.cites, module_of(rule))]
        source, base_scope = self._base_body(declared, woven, params, frames, scope)
        added = [line for rule in woven.adds for line in self._rule_lines(rule, params, frames, routine, adding=True)]
        body += self._value_lines(source, base_scope, routine, added)
        for line in body:
            if line.op == "add" and line["value"] is not ERROR:
                self._addable(line, routine)
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

    def _addable(self, line: S, routine: Routine) -> None:
        """What a rule adds must be of the sort that it is added to: numbers to a number, things to a set of them."""
        value: E = line["value"]
        type_ = routine.type
        several = type_.name == "set" and type_.of is not None and value.type.name == "set"
        if type_.name != "nothing" and not (value.type.same(type_) and (type_.name == "number" or several)):
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
        return rule.body, self._param_scope(params, rule.relation.target, params, frames, module_of(rule))

    def _param_scope(
        self, params: tuple[Param, ...], signature: d.Signature, base: tuple[Param, ...],
        frames: tuple[tuple[Routine, str], ...], module: str = "",
    ) -> Scope:  # fmt: skip
        """A scope in which the names of `signature` mean the parameters of the base text, by position."""
        names: dict[str, E] = {}
        for given, param in zip(signature.params, base, strict=False):
            names[given.name] = local(param.name, set_of(param.type) if param.many else param.type)
        renamed = [attrs.evolve(p, name=g.name) for g, p in zip(signature.params, base, strict=False)]
        whose = self.whose(renamed, names)
        if whose is None and frames:
            whose = E("acting", SIDE, (frames[0][1],))
        if whose is None and not frames:
            whose = E("active", SIDE, ())
        return Scope(names, whose, None, frames, module=module)

    def _rule_lines(
        self,
        rule: d.Rule,
        params: tuple[Param, ...],
        frames: tuple[tuple[Routine, str], ...],
        routine: Routine,
        adding: bool = False,
    ) -> list[S]:
        assert rule.relation.target is not None
        scope = self._param_scope(params, rule.relation.target, params, frames, module_of(rule))
        if len(rule.relation.target.params) > len(params):
            self.problem("E211", f"`{routine.name}` has not so many arguments.", rule.relation.target.span)
        out: list[S] = []
        for line in rule.body:
            bound = self._value_line(line, scope, routine, adding=adding)
            if bound is not None:
                cites = bound.cites or rule.cites
                if bound.op == "add" and line.because is None:
                    self.problem("E231", "A modifier needs a reason.", line.span, hint='Add: because "…"')
                out.append(
                    attrs.evolve(bound, cites=cites, module=module_of(rule), fields={**bound.fields, "rule": rule.name})
                )
        return out

    def _value_lines(self, lines: Sequence[ln.Line], scope: Scope, routine: Routine, added: list[S]) -> list[S]:
        out: list[S] = []
        placed = not added
        labelled = any(line.label == "adds" for line in lines)
        for line in lines:
            bound = self._value_line(line, scope, routine)
            if bound is None:
                continue
            begins = line.label == "adds" if labelled else bound.op == "adjust"
            if not placed and begins:
                out += added
                placed = True
            out.append(bound)
        if not placed:
            out += added
        return out

    def _value_line(self, line: ln.Line, scope: Scope, routine: Routine, adding: bool = False) -> S | None:
        when = self.condition(line.when, scope) if line.when is not None else None
        common = {"when": when, "because": line.because, "label": line.label}

        def made(op: str, **fields: Any) -> S:
            return S(op, line.span, {**common, **fields}, (), line.cites)

        match line:
            case ln.Let():
                value = self.condition(line.value, scope) if line.whether else self.expr(line.value, scope)
                type_ = value.type.maybe() if when is not None and value.type.name != "set" else value.type
                name = line.name
                if name in scope.names:
                    self.problem(
                        "E224", f"`{name}` already has a meaning here.", line.span, hint="Choose another name."
                    )
                scope.names[name] = local(name, type_)
                return made("let", name=name, value=value)
            case ln.Holds():
                if routine.word == "path":
                    return None
                if adding or routine.word != "status":
                    return made("holds") if routine.word == "status" else self._misplaced(line, "a status or a refusal")
                return made("holds")
            case ln.StartWith() | ln.Case() if routine.word == "status":
                if isinstance(line, ln.Case) and isinstance(line.value, t.Name) and line.value.word in {"yes", "no"}:
                    return made("case", value=E("const", MARK, (line.value.word == "yes",)), otherwise=line.otherwise)
                return self._misplaced(line, "a value; a status has lines `when …`")
            case ln.StartWith():
                return made("start", value=self._result(line.value, scope, routine))
            case ln.Case():
                if line.shift is not None:
                    value = self.number(line.value, scope)
                    if line.shift == "left":
                        value = E("negative", NUMBER, (value,), value.span)
                    return made("add", value=value)
                if adding:
                    value = self.expr(line.value, scope, routine.type if routine.type.name == "enum" else None)
                    return made("add", value=value)
                return made("case", value=self._result(line.value, scope, routine), otherwise=line.otherwise)
            case ln.Adjust():
                return self._adjust(line, scope, routine, made)
        return self._misplaced(line, "a procedure or an order")

    def _misplaced(self, line: ln.Line, where: str) -> None:
        self.problem("E225", f"This line belongs in {where}.", line.span)

    def _result(self, node: t.Node, scope: Scope, routine: Routine) -> E:
        """A value's result; its type must agree with the other lines'."""
        want = (
            routine.type
            if routine.type.name not in {"nothing", "set"}
            else routine.type.of
            if routine.type.name == "set"
            else None
        )
        value = self.expr(node, scope, want)
        if value is ERROR:
            return value
        if routine.type.name == "nothing":
            routine.type = value.type
        elif (
            routine.type.name == "set"
            and value.type.name != "set"
            and routine.type.of
            and value.type.same(routine.type.of)
        ):
            return E("list", routine.type, (value,), value.span)
        elif (
            value.type.name == "set"
            and routine.type.name != "set"
            and value.type.of
            and routine.type.same(value.type.of)
        ):
            routine.type = value.type
        elif not value.type.same(routine.type):
            return self.problem("E201", f"This is {value.type}, but `{routine.name}` is {routine.type}.", node.span)
        elif value.type.optional:
            routine.type = routine.type.maybe()
        return value

    def _adjust(self, line: ln.Adjust, scope: Scope, routine: Routine, made: Any) -> S | None:
        type_ = routine.type
        if line.op == "rounded":
            if type_.name != "number":
                self.problem("E201", f"Only a number can be rounded, but `{routine.name}` is {type_}.", line.span)
            assert line.direction is not None
            return made("adjust", how="rounded", way=line.direction.way, halves=line.direction.halves)
        assert line.value is not None
        if line.op == "instead":
            return made("adjust", how="instead", value=self._result(line.value, scope, routine))
        if type_.name == "set" and line.op in {"plus", "minus"}:
            value = self.expr(line.value, scope, type_.of)
            if value.type.name != "set":
                value = E("list", set_of(value.type), (value,), value.span)
            return made("adjust", how="put-in" if line.op == "plus" else "take-out", value=value)
        if line.op == "moved":
            if type_.name != "enum" or not self.ruleset.enums[type_.word].ordered:
                self.problem(
                    "E201", f"Only a word of a scale can be moved, but `{routine.name}` is {type_}.", line.span
                )
                return None
            return made("adjust", how="moved", value=self.number(line.value, scope), scale=type_.word)
        if type_.name == "enum" and line.op in {"at-least", "at-most"}:
            return made("adjust", how=line.op, value=self.expr(line.value, scope, type_), scale=type_.word)
        if type_.name not in {"number", "nothing"}:
            self.problem("E201", f"Only a number can be so changed, but `{routine.name}` is {type_}.", line.span)
        if routine.type.name == "nothing":
            routine.type = NUMBER
        amount = self.number(line.value, scope)
        if line.op == "divided":
            self.divisor(amount, line.value.span)
        return made("adjust", how=line.op, value=amount)

    # ---- paths
    def _path(self, declared: d.Bodied) -> Routine:
        params = self.params(declared.signature)
        routine = Routine("path", declared.name, params, MARK, declared.span, None, cites=declared.cites)
        scope = self._param_scope(params, declared.signature, params, ())
        body: list[S] = []
        place = thing(self._place_kind())
        uses_mover = False
        for line in declared.body:
            fields: dict[str, Any] = {"because": line.because, "label": line.label}
            inner = scope
            if isinstance(line, ln.PathRule):
                entered = local(line.place, place)
                inner = scope.inner(names={**scope.names, line.place: entered}, way=(local("previous", place), entered))
            if isinstance(line, ln.Leg):
                inner = scope.inner(it=local("it", place))
            when = self.condition(line.when, inner) if line.when is not None else None
            fields["when"] = when
            match line:
                case ln.Let():
                    value = self.condition(line.value, scope) if line.whether else self.expr(line.value, scope)
                    scope.names[line.name] = local(line.name, value.type)
                    body.append(S("let", line.span, {**fields, "name": line.name, "value": value}, (), line.cites))
                    uses_mover = uses_mover or _mentions(value, params)
                case ln.PathFrom():
                    body.append(S("from", line.span, {**fields, "value": self.expr(line.start, scope)}, (), line.cites))
                case ln.PathBudget():
                    body.append(
                        S("budget", line.span, {**fields, "value": self.number(line.points, scope)}, (), line.cites)
                    )
                case ln.PathRule():
                    value = self.number(line.value, inner) if line.value is not None else None
                    body.append(
                        S(line.kind, line.span, {**fields, "place": line.place, "value": value}, (), line.cites)
                    )
                    uses_mover = uses_mover or _mentions(when, params) or _mentions(value, params)
                case ln.Leg():
                    limit = self.number(line.limit, scope) if line.limit is not None else None
                    until = self.condition(line.until, inner) if line.until is not None else None
                    if line.along and line.along not in self.links():
                        self.problem(
                            "E210",
                            f"`{line.along}` is no link of the map.",
                            line.span,
                            did_you_mean(line.along, self.links()),
                        )
                    if line.until is None:
                        self.problem(
                            "E226",
                            f"The leg {line.name} never ends.",
                            line.span,
                            hint="Say where: `until it is …`.",
                            word=line.name,
                        )
                    body.append(
                        S(
                            "leg",
                            line.span,
                            {**fields, "name": line.name, "limit": limit, "along": line.along, "until": until},
                            (),
                            line.cites,
                        )
                    )
                    uses_mover = uses_mover or _mentions(until, params) or _mentions(limit, params)
                case ln.StartExempt():
                    body.append(S("exempt", line.span, fields, (), line.cites))
                case _:
                    self.problem("E225", "This line does not belong in a path.", line.span)
        ops = {s.op for s in body}
        if "from" not in ops:
            self.problem(
                "E226",
                f"The path {declared.name} starts nowhere.",
                declared.span,
                hint="Add: from place of …",
                word=declared.name,
            )
        if ("leg" in ops) == ("budget" in ops):
            self.problem(
                "E226",
                f"The path {declared.name} needs either legs or `at most … points`.",
                declared.span,
                word=declared.name,
            )
        routine.body = tuple(body)
        routine.side_only = not uses_mover
        return routine

    # ---- orders, procedures, sequences
    def _active(self, declared: d.Bodied) -> Routine:
        key = f"{declared.word} {declared.name}"
        if key in self.routines:
            return self.routines[key]
        params = self.params(declared.signature)
        routine = Routine(
            declared.word, declared.name, params, NOTHING, declared.span, declared.bound, cites=declared.cites
        )
        for param in params:
            routine.frame[param.name] = set_of(param.type) if param.many else param.type
        self.routines[key] = routine
        outer = self._frames_of(declared, None) if declared.bound else ()
        frames = ((routine, "F"), *((r, "F.up" + a[1:]) for r, a in outer))
        whose = E("active", SIDE, ()) if declared.word == "sequence" else E("acting", SIDE, ("F",))
        scope = Scope({}, whose, None, frames)
        woven = self.woven.get(key, Woven())
        lines = woven.replaces[-1].body if woven.replaces else declared.body
        if declared.word == "order":
            clauses, effects = self._split_order(lines)
            routine.clauses = tuple(self._clause(line, scope, routine) for line in clauses)
            routine.clauses += tuple(c for rule in woven.forbids for c in self._forbid(rule, routine))
            permits = tuple(p for rule in woven.permits for p in self._permit(rule, routine))
            if permits:
                routine.clauses += permits
            lines = effects
        elif woven.forbids:
            self.problem("E227", "Only an order can be forbidden.", woven.forbids[0].relation.span)
        routine.body = tuple(s for line in lines for s in self._statement(line, scope, routine))
        return routine

    def _split_order(self, lines: Sequence[ln.Line]) -> tuple[list[ln.Line], list[ln.Line]]:
        """Clauses come first (with the `let` lines among them); effects follow."""
        last = max((i for i, line in enumerate(lines) if isinstance(line, CLAUSES)), default=-1)
        head = list(lines[: last + 1])
        for line in head:
            if not isinstance(line, (*CLAUSES, ln.Let)):
                self.problem(
                    "E228",
                    "What may refuse an order stands before what the order does.",
                    line.span,
                    hint="Move this line below the last `refused`, `legal` or `reaching`.",
                )
        return [x for x in head if isinstance(x, (*CLAUSES, ln.Let))], list(lines[last + 1 :])

    def _clause(self, line: ln.Line, scope: Scope, routine: Routine) -> S:
        fields: dict[str, Any] = {"because": line.because, "label": line.label}
        fields["when"] = self.condition(line.when, scope) if line.when is not None else None
        match line:
            case ln.Let():
                value = self.condition(line.value, scope) if line.whether else self.expr(line.value, scope)
                routine.frame[line.name] = value.type
                return S("let", line.span, {**fields, "name": line.name, "value": value}, (), line.cites)
            case ln.GivenBy():
                value = self.expr(line.who, scope)
                if value is not ERROR and not value.type.same(SIDE) and not value.type.same(set_of(SIDE)):
                    self.problem("E201", f"An order is given by a side, but this is {value.type}.", line.who.span)
                return S("given_by", line.span, {**fields, "who": value}, (), line.cites)
            case ln.LegalWhen():
                return S(
                    "legal_when", line.span, {**fields, "test": self.condition(line.condition, scope)}, (), line.cites
                )
            case ln.Refused():
                return S(
                    "refused", line.span, {**fields, "test": self.condition(line.condition, scope)}, (), line.cites
                )
            case ln.Reaching():
                return self._reaching(line, scope, routine, fields)
            case ln.LegalFrom():
                return self._legal_from(line, scope, routine, fields)
        raise AssertionError(line)

    def _reaching(self, line: ln.Reaching, scope: Scope, routine: Routine, fields: dict[str, Any]) -> S:
        paths = [n for n, x in self.ruleset.bodied.items() if x.word == "path"]
        if line.path not in paths:
            self.problem("E229", f"`{line.path}` is no path.", line.span, did_you_mean(line.path, paths))
        elif self.routine(line.path, line.span) is not None and line.goal not in routine.frame:
            self.problem("E200", f"I do not know `{line.goal}`.", line.span, did_you_mean(line.goal, routine.frame))
        self.used.add(f"value {line.path}")
        mover = self.expr(line.mover, scope)
        return S(
            "reaching", line.span, {**fields, "goal": line.goal, "path": line.path, "mover": mover}, (), line.cites
        )

    def _legal_from(self, line: ln.LegalFrom, scope: Scope, routine: Routine, fields: dict[str, Any]) -> S:
        """The field that changes: the one field of the order's things whose words are those of another argument."""
        found = []
        for param in routine.params:
            if param.type.name != "thing" or param.many:
                continue
            for name, field in self.ruleset.kinds[param.type.word].fields.items():
                if field.type.name == "enum":
                    found += [
                        (param, name, field.type, other) for other in routine.params if other.type.same(field.type)
                    ]
        if len(found) != 1:
            self.problem(
                "E230", "It is not clear what goes from one word to another here.", line.span,
                hint="The order needs one argument that is a word, and one thing with a field of such words.",
            )  # fmt: skip
            return S("legal_from", line.span, {**fields, "before": (), "after": ()}, (), line.cites)
        thing_param, field_name, type_, word_param = found[0]
        self.used.add(f"field {thing_param.type.word}.{field_name}")
        words = {}
        for side, nodes in (("before", line.before), ("after", line.after)):
            words[side] = tuple(w for node in nodes for w in self._words(node, type_))
        held = E("field", type_, (framed("F", thing_param.name, thing_param.type), field_name), line.span)
        return S(
            "legal_from",
            line.span,
            {
                **fields,
                **words,
                "held": held,
                "new": framed("F", word_param.name, word_param.type),
                "field": field_name,
            },
            (),
            line.cites,
        )

    def _words(self, node: t.Node, type_: Type) -> tuple[str, ...]:
        word = node.word if isinstance(node, t.Name) else str(node.value) if isinstance(node, t.Literal) else ""
        info = self.ruleset.enums[type_.word]
        if word in info.words:
            return (word,)
        if word in self.ruleset.groups and self.ruleset.groups[word][0] == type_.word:
            return self.ruleset.groups[word][1]
        self.problem("E219", f"`{word}` is no word of {type_.word}.", node.span, did_you_mean(word, info.words))
        return ()

    def _outside(self, rule: d.Rule, routine: Routine) -> Scope:
        """The scope of a rule's lines about a routine: its names for the arguments, by position."""
        assert rule.relation.target is not None
        names = {}
        for given, param in zip(rule.relation.target.params, routine.params, strict=False):
            names[given.name] = framed("F", param.name, routine.frame[param.name])
        return Scope(names, E("acting", SIDE, ("F",)), None, ((routine, "F"),), module=module_of(rule))

    def _forbid(self, rule: d.Rule, routine: Routine) -> list[S]:
        scope = self._outside(rule, routine)
        out = []
        for line in rule.body:
            if not isinstance(line, ln.Holds) or line.when is None:
                self._misplaced(line, "a procedure; a rule that forbids has lines `when …  because …`")
                continue
            if line.because is None:
                self.problem("E231", "A refusal needs a reason.", line.span, hint='Add: because "…"')
            fields = {
                "test": self.condition(line.when, scope),
                "because": line.because,
                "label": line.label,
                "when": None,
            }
            out.append(S("refused", line.span, fields, (), line.cites or rule.cites, module_of(rule) or rule.name))
        return out

    def _permit(self, rule: d.Rule, routine: Routine) -> list[S]:
        scope = self._outside(rule, routine)
        out = []
        for line in rule.body:
            if not isinstance(line, ln.Holds) or line.when is None:
                self._misplaced(line, "a procedure; a rule that permits has lines `when …`")
                continue
            fields = {
                "test": self.condition(line.when, scope),
                "because": line.because,
                "label": line.label,
                "when": None,
            }
            out.append(S("permits", line.span, fields, (), line.cites or rule.cites, module_of(rule) or rule.name))
        return out

    def _hook(self, rule: d.Rule, key: str) -> Routine:
        """A rule that runs before or after a phase, order or procedure, as a routine of its own."""
        routine = Routine("rule", rule.name, (), NOTHING, rule.span, None, cites=rule.cites)
        self.routines[f"rule {rule.name}"] = routine
        base = self.routines.get(key)
        if base is not None and base.word in {"order", "procedure"}:
            outer = self._outside(rule, base)
            names = {n: framed("F.up", e.args[1], e.type) for n, e in outer.names.items()}
            scope = Scope(
                names, E("acting", SIDE, ("F",)), None, ((routine, "F"), (base, "F.up")), module=module_of(rule)
            )
            routine.within = base.name
        else:
            scope = Scope({}, E("acting", SIDE, ("F",)), None, ((routine, "F"),), module=module_of(rule))
        routine.body = tuple(s for line in rule.body for s in self._statement(line, scope, routine))
        return routine

    # ---- statements
    def _statement(self, line: ln.Line, scope: Scope, routine: Routine) -> list[S]:
        from dsl.bind_statements import statement

        return statement(self, line, scope, routine)


def _always(body: tuple[S, ...]) -> bool:
    """Whether a value's lines give a start in every case."""
    for line in body:
        if line.op in {"start", "case"} and (line["when"] is None or line["otherwise"]):
            return True
        if line.op in {"adjust", "add"} and line["when"] is None:
            return True
    return False


def _mentions(value: Any, params: Sequence[Param]) -> bool:
    """Whether an expression reads a parameter otherwise than for its side."""
    if not isinstance(value, E):
        return any(_mentions(v, params) for v in value) if isinstance(value, tuple | list) else False
    if value.op == "side_of" and isinstance(value.args[0], E) and value.args[0].op == "local":
        return False
    if value.op == "local":
        return any(p.name == value.args[0] for p in params)
    return any(_mentions(a, params) for a in value.args)


__all__ = ["ENDLESS", "BodyBinder", "enum"]
