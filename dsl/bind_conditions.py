"""Binding conditions: what `is`, `there is`, quantifiers and comparisons mean for what they are said of."""

from __future__ import annotations

import attrs
from attrs import evolve

from dsl import ir
from dsl import tree as t
from dsl.absence import always_there, holds_of, set_of_one, shown_there, with_gaps
from dsl.bind_entries import printed_for
from dsl.bind_expressions import ERROR, looked_for
from dsl.bind_places import alike
from dsl.bind_printed import headed, headed_is, legible, printed, prints
from dsl.bind_sets import SetBinder
from dsl.diagnostics import did_you_mean
from dsl.entries import entries_of
from dsl.ir import MARK, NOTHING, TEXT, E, Type, enum, set_of, thing
from dsl.ir import alike as same
from dsl.kind_groups import narrowed_to
from dsl.scope import Scope, local
from dsl.source import Span
from dsl.weave import declared_phases, phases_of

EDGES = ("north", "east", "south", "west", "any")


class ConditionBinder(SetBinder):
    """Binds conditions to expressions of type mark."""

    def condition(self, node: t.Node, scope: Scope) -> E:
        """A condition as an expression of yes or no."""
        match node:
            case t.AnyOf():
                return ir.Or(tuple(self.condition(i, scope) for i in node.items), span=node.span)
            case t.AllOf():
                items: list[E] = []
                for item in node.items:
                    items.append(self.condition(item, scope))
                    scope = self.narrowed(items[-1], scope)
                return ir.And(tuple(items), span=node.span)
            case t.Negation():
                return ir.Not(self.condition(node.item, scope), span=node.span)
            case t.IsTest():
                return self._is(node, scope)
            case t.IsPlaced():
                return self._placed(node, scope)
            case t.Compare():
                return self._compare(node, scope)
            case t.Exists():
                return self._exists(node, scope)
            case t.HasDone():
                return self._done(node, scope)
        raise AssertionError(node)

    def narrowed(self, cond: E, scope: Scope) -> Scope:
        """The scope where a condition holds: after `x is tank`, x of a group is known to be a tank; after `there is x`, to be there."""
        if isinstance(cond, ir.And):
            for item in cond.items:
                scope = self.narrowed(item, scope)
            return scope
        if found := shown_there(cond):
            return scope.inner(known=(*scope.known, *found))
        tests = cond.items if isinstance(cond, ir.Or) else (cond,)
        kinds = [x for x in tests if isinstance(x, ir.KindIs)]
        if len(kinds) < len(tests) or any(not same(x.thing, kinds[0].thing) for x in kinds):
            return scope
        subject = kinds[0].thing
        type_ = narrowed_to(self.ruleset, subject.type, [x.kind for x in kinds])
        if type_ is None or not isinstance(subject, ir.Local | ir.FrameName):
            return scope
        known = attrs.evolve(subject, type=type_)
        if scope.it is not None and same(scope.it, subject):
            return scope.inner(it=known)
        called = [n for n, e in scope.names.items() if same(e, subject)]
        if isinstance(subject, ir.FrameName) and subject.name not in scope.names:
            called.append(subject.name)
        return scope.inner(names={**scope.names, **dict.fromkeys(called, known)}) if called else scope

    def _done(self, node: t.HasDone, scope: Scope) -> E:
        from dsl.bind_triggers import has_done

        subject = self.expr(node.subject, scope)
        if node.quantifier is None:
            return has_done(self, subject=subject, node=node)  # type: ignore[arg-type]
        return self._quantified(
            node.quantifier, subject, node.subject, lambda e: has_done(self, node, e), node.span,  # type: ignore[arg-type]
        )  # fmt: skip

    # ---- each of several
    def _quantified(self, quantifier: str, subject: E, node: t.Node, test: object, span: Span) -> E:
        if subject is ERROR:
            return ERROR
        if subject.type.name != "set":
            return self.problem(
                "E214", f"`{quantifier}` is asked of several things, but this is {subject.type}.", node.span
            )
        variable, of, every = self.fresh(), subject.type.of or NOTHING, with_gaps(subject)
        # What is absent counts as well: of it no condition holds.
        body = test(local(variable, of if every is subject else of.maybe()))  # type: ignore[operator]
        return ir.Quantified(every, variable, quantifier, body, span=span)

    def _is(self, node: t.IsTest, scope: Scope) -> E:
        if not node.quantifier and isinstance(node.subject, t.Name) and node.subject.word == "crossing" and scope.way:
            return self._crossing(node, scope)
        if not node.quantifier and self.means_phase(node.subject, scope):
            return self._phase_is(node.alternatives, node.negated, node.span)
        under = None if node.quantifier else headed(self, node.subject, scope)
        if under is not None:
            return _negate(headed_is(self, *under, node), node.negated)
        subject = self.expr(node.subject, scope)
        if node.quantifier:
            return self._quantified(
                node.quantifier,
                subject,
                node.subject,
                lambda e: self.is_one(e, node.alternatives, scope, node.span, node.negated),
                node.span,
            )
        return self.is_one(subject, node.alternatives, scope, node.span, node.negated)

    def _crossing(self, node: t.IsTest, scope: Scope) -> E:
        assert scope.way is not None
        tests: list[E] = []
        links = self.links()
        for word in node.alternatives:
            sorts = [
                k
                for k, home in links.items()
                if home and isinstance(word, t.Name) and word.word in self.ruleset.enums[home].words
            ]
            if isinstance(word, t.Name) and word.word in links:
                tests.append(ir.Linked(word.word, *scope.way, span=node.span))
            elif isinstance(word, t.Name) and len(sorts) == 1:
                sort = ir.LinkFrom(sorts[0], *scope.way, type=enum(links[sorts[0]]).maybe(), span=node.span)
                tests.append(ir.WordIs(sort, (word.word,), span=node.span))
            else:
                known = [*links, *(w for home in links.values() if home for w in self.ruleset.enums[home].words)]
                hint = did_you_mean(word.word, known) if isinstance(word, t.Name) else ""
                return self.problem(
                    "E210", "After `crossing is` stands a link of the map, or a sort of one.", word.span, hint
                )
        return _negate(tests[0] if len(tests) == 1 else ir.Or(tuple(tests), span=node.span), node.negated)

    def _phase_is(self, alternatives: tuple[t.Node, ...], negated: bool, span: Span) -> E:
        """`phase is movement`: whether that phase or step runs, or one within it."""
        known, names = phases_of(self.ruleset), []
        for node in alternatives:
            word = node.word if isinstance(node, t.Name) else ""
            if word in known:
                names.append(word)
            elif not word or word not in declared_phases(self.ruleset):
                hint = (
                    did_you_mean(word, known) or "After `phase is` stands the name of a phase or step: `phase NAME:`."
                )
                return self.problem("E200", "There is no such phase or step.", node.span, hint, word=word)
        return _negate(ir.PhaseIs(tuple(names), span=span), negated)

    def links(self) -> dict[str, str]:
        """The links of the maps, with the enum of their words."""
        return self.ruleset.links()

    def is_one(
        self, subject: E, alternatives: tuple[t.Node, ...], scope: Scope, span: Span, negated: bool = False
    ) -> E:
        """`subject is A or B`: each alternative settled by what the subject is."""
        if subject is ERROR:
            return ERROR
        tests: list[E] = []
        words: list[str] = []
        for alternative in alternatives:
            bound = self._alternative(subject, alternative, scope)
            if bound is ERROR:
                return ERROR
            if isinstance(bound, ir.WordIs):
                words += bound.words
            else:
                tests.append(bound)
        if words:
            tests.insert(0, ir.WordIs(subject, tuple(words), span=span))
        return _negate(tests[0] if len(tests) == 1 else ir.Or(tuple(tests), span=span), negated)

    def _alternative(self, subject: E, node: t.Node, scope: Scope) -> E:
        if (
            subject.type.name == "enum"
            and subject.type.word.startswith("option ")
            and isinstance(node, t.Name | t.Literal)
        ):
            return self._option_term(subject, t.literal_text(node), node.span)
        if subject.type.name == "set" and not (isinstance(node, t.Name) and node.word == "absent"):
            return self._whole(subject, node, scope)
        if isinstance(node, t.Name):
            return self._word(subject, node, scope)
        other = self.expr(node, scope, looked_for(subject.type))
        return self._equal(subject, other, node.span)

    def _whole(self, subject: E, node: t.Node, scope: Scope) -> E:
        """`defenders is (e, f)`: whether a set holds these and nothing else, in whatever order."""
        inner = subject.type.of or NOTHING
        if isinstance(node, t.Name):
            if node.word in {"empty", "none", "nothing", "nobody"}:
                return ir.Not(ir.IsThere(subject), span=node.span)
            if self._said_of_each(inner, node.word, scope):
                hint = f"Say of how many: `every … is {node.word}`, `any … is {node.word}`, `no … is {node.word}`."
                return self.problem(
                    "E214", f"This is {subject.type}: not one thing that is {node.word}.", node.span, hint
                )
        other = self.expr(node, scope, subject.type if isinstance(node, t.Tuple) else inner)
        if other is ERROR:
            return ERROR
        if other.type.name == "text" and inner.name != "text":
            return printed(self, subject, other, node.span)
        if not alike(self, inner, other.type.of or NOTHING if other.type.name == "set" else other.type):
            hint = "What each of them is: `every … is …`."
            message = f"This is {subject.type}: never {other.type}."
            return self.problem("E201", message, node.span, hint)
        if other.type.name != "set":
            other = ir.Listed(
                (self.needs(other, other.type.sure(), node.span),), type=set_of(other.type), span=node.span
            )
        return self._equal(subject, other, node.span)

    def _said_of_each(self, inner: Type, word: str, scope: Scope) -> bool:
        """Whether a word says something of one thing of a set: a mark, a status, a word of a field, a kind."""
        known = self.scoped(word, scope)
        if inner.name != "thing" or (known is not None and alike(self, inner, known.type.of or known.type)):
            return False
        types = [f.type for f in self.ruleset.kinds[inner.word].fields.values()]
        enums = {x.word for x in types if x.name == "enum"}
        declared = self.ruleset.bodied.get(word)
        return (
            self.ruleset.kinds[inner.word].fields.get(word) is not None
            or (declared is not None and declared.word == "status")
            or any(word in self.ruleset.enums[x].words for x in enums)
            or (word in self.ruleset.groups and self.ruleset.groups[word][0] in enums)
            or word in self.ruleset.kinds
            or bool(self.template(word))
        )

    def _equal(self, subject: E, other: E, span: Span) -> E:
        if subject is ERROR or other is ERROR:
            return ERROR
        if isinstance(other, ir.Constant) and other.value is None:
            return self._is_absent(subject, span)
        if isinstance(subject, ir.Constant) and subject.value is None:
            return self._is_absent(other, span)
        if (
            subject.type.name == "enum"
            and other.type.name == "enum"
            and subject.type.word != other.type.word
            and isinstance(other, ir.Constant)
        ):
            return self.problem("E219", f"`{other.value}` is no word of {subject.type.word}.", span)
        if other.type.name == "text" and isinstance(other, ir.Constant) and prints(self, subject):
            return printed(self, subject, other, span)
        if (subject.type.name == "set") != (other.type.name == "set") and subject.type.name in {"thing", "set", "enum"}:
            return self._one_and_several(subject, other, span)
        if not alike(self, subject.type, other.type):
            return self.problem("E201", f"{str(subject.type).capitalize()} is never {other.type}.", span)
        if subject.type.name == "set" and other.type.name == "set":
            return ir.SameSet(subject, other, span=span)
        return ir.Equal(subject, other, span=span)

    def _is_absent(self, subject: E, span: Span) -> E:
        """`X is absent`; an error of what is always there."""
        if always_there(subject) or subject.type.name == "nothing":
            return self._never_asked(subject, subject.span if subject.span.file else span)
        return ir.IsAbsent(subject, span=span)

    def _never_asked(self, subject: E, span: Span) -> E:
        """Reports a question whether something is there that is always there, or never."""
        when = "never" if subject.type.name == "nothing" else "always"
        hint = "Whether it is there is asked of several things, or of a value that may be absent."
        return self.problem("E221", f"This is {subject.type} and {when} there.", span, hint)

    def _one_and_several(self, subject: E, other: E, span: Span) -> E:
        """One thing compared with several by a sign, or by `is` the wrong way round."""
        if other.type.name == "set":
            hint = "Ask whether it is one of them: `… is in …`, `… is A or B`."
            return self.problem(
                "E201", f"This is {subject.type}, that {other.type}: they are never the same.", span, hint
            )
        return self._equal(
            subject, ir.Listed((self.needs(other, other.type.sure(), span),), type=set_of(other.type), span=span), span
        )

    def _word(self, subject: E, node: t.Name, scope: Scope) -> E:
        word, type_ = node.word, subject.type
        if type_.name == "enum":
            return self._enum_word(subject, node, scope)
        if type_.name == "mark" and word in {"yes", "no"}:
            return subject if word == "yes" else ir.Not(subject, span=node.span)
        if word == "absent":
            return self._is_absent(subject, node.span)
        if type_.name == "rating":
            fields = self.ruleset.rating_fields.get(type_.word, {})
            found = self._field_word(subject, node, {n: f.type for n, f in fields.items()})
            if found is not None:
                return found
            if self.scoped(word, scope) is None and legible(self, type_, word):
                return printed(self, subject, ir.Constant(word, type=TEXT), node.span)
        if type_.name in {"thing", "entry"}:
            word_of = self._thing_word if type_.name == "thing" else self._entry_word
            found = word_of(subject, node, scope)
            if found is not None:
                return found
        if word in self.links() and type_.name == "thing" and self.scoped(word, scope) is None:
            return self.problem("E210", f"`{word}` joins places: ask `… is on {word}`.", node.span)
        other = self.expr(node, scope, looked_for(type_))
        return self._equal(subject, other, node.span)

    def _option_term(self, subject: E, word: str, span: Span) -> E:
        option = self.ruleset.options[subject.type.word.removeprefix("option ")]
        if word in option.terms:
            return ir.WordIs(subject, (word,), span=span)
        hint = did_you_mean(word, option.terms) or "Its choices: " + ", ".join(option.terms) + "."
        return self.problem("E219", f"`{word}` is no choice of the option {option.name}.", span, hint)

    def _enum_word(self, subject: E, node: t.Name, scope: Scope) -> E:
        word, home = node.word, subject.type.word
        info = self.ruleset.enums[home]
        if word in info.words:
            return ir.WordIs(subject, (word,), span=node.span)
        if word in self.ruleset.groups and self.ruleset.groups[word][0] == home:
            return ir.WordIs(subject, self.ruleset.groups[word][1], span=node.span)
        if word == "absent":
            return self._is_absent(subject, node.span)
        scoped = self.scoped(word, scope)
        if scoped is None and word in self.ruleset.bodied:
            scoped = self.expr(node, scope)
        if scoped is not None:
            return self._equal(subject, scoped, node.span)
        groups = [g for g, (of, _) in self.ruleset.groups.items() if of == home]
        return self.problem(
            "E219",
            f"`{word}` is no word of {home.rpartition('.')[2]}.",
            node.span,
            did_you_mean(info.meant(word) or word, [*info.words, *groups]),
        )

    def _field_word(self, subject: E, node: t.Name, fields: dict[str, Type]) -> E | None:
        """`u is W` where W is a mark of u, or a word or group of one of its fields (of several: the one so named)."""
        word = node.word
        maybe = subject.type.optional
        if word in fields and fields[word].name == "mark":
            value = self._read_field(subject, word, MARK, node.span)
            return ir.And((ir.IsThere(subject), value), span=node.span) if maybe else value
        homes: list[tuple[str, tuple[str, ...]]] = []
        for name, type_ in fields.items():
            if type_.name != "enum":
                continue
            if word in self.ruleset.enums[type_.word].words:
                homes.append((name, (word,)))
            elif word in self.ruleset.groups and self.ruleset.groups[word][0] == type_.word:
                homes.append((name, self.ruleset.groups[word][1]))
        if len(homes) > 1:  # of several such fields the one that is named as its words are
            homes = [x for x in homes if x[0] == fields[x[0]].word] or homes
        if len(homes) > 1:
            names = " and ".join(n for n, _ in homes)
            return self.problem(
                "E203", f"`{word}` is a word of {names}: say which, as `{homes[0][0]} of …`.", node.span
            )
        if not homes:
            return None
        name, words = homes[0]
        type_ = enum(fields[name].word)
        field = self._read_field(subject, name, type_.maybe() if maybe else type_, node.span)
        return ir.WordOf(field, tuple(words), span=node.span) if field is not ERROR else ERROR

    def _read_field(self, subject: E, name: str, type_: Type, span: Span) -> E:
        """A field of a thing or a rating; of an entry what its list prints."""
        if subject.type.name == "entry":
            return printed_for(self, name, subject, span) or ERROR
        self.used.add(f"field {subject.type.word}.{name}")
        return ir.Field(subject, name, type=type_, span=span)

    def _thing_word(self, subject: E, node: t.Name, scope: Scope) -> E | None:
        word, kind = node.word, subject.type.word
        local_name = self.scoped(word, scope)
        # A name that could never equal the subject leaves the word to the subject's own fields.
        if local_name is not None and alike(self, subject.type, local_name.type):
            return None
        info = self.ruleset.kinds[kind]
        if kind == "side" and word == "active":
            return ir.Equal(subject, ir.Active(type=subject.type), span=node.span)
        found = self._field_word(subject, node, {n: f.type for n, f in info.fields.items()})
        if found is not None:
            return found
        if (status := self._status_of(subject, node, scope)) is not None:
            return status
        if word in self.ruleset.kinds and word != kind:
            return ir.KindIs(subject, word, span=node.span)
        template = self.template(word)
        if template:
            return ir.TemplateIs(subject, word, span=node.span)
        return None

    def _entry_word(self, subject: E, node: t.Name, scope: Scope) -> E | None:
        """`e is W` of an entry of a unit list: what its list prints, or a status of such entries; another entry is left alone."""
        info = self.ruleset.kinds.get(subject.type.word)
        if (
            info is None
            or self.scoped(node.word, scope) is not None
            or node.word in entries_of(self.ruleset, info.name)
        ):
            return None
        found = self._field_word(subject, node, {n: f.type for n, f in info.fields.items()})
        return found if found is not None else self._status_of(subject, node, scope)

    def _status_of(self, subject: E, node: t.Name, scope: Scope) -> E | None:
        """`u is STATUS`; None where the word names no status."""
        declared = self.ruleset.bodied.get(node.word)
        if declared is None or declared.word != "status":
            return None
        of = evolve(subject, type=subject.type.sure())
        call = self.call(node.word, [("of", of, node.span)], scope, node.span)
        if subject.type.optional and call is not ERROR:
            return ir.And((ir.IsThere(subject), call), span=node.span)
        return call

    # ---- places
    def _placed(self, node: t.IsPlaced, scope: Scope) -> E:
        subject = self.expr(node.subject, scope)
        if node.quantifier:
            return self._quantified(
                node.quantifier, subject, node.subject, lambda e: self._place_one(e, node, scope), node.span
            )
        return self._place_one(subject, node, scope)

    def _place_one(self, subject: E, node: t.IsPlaced, scope: Scope) -> E:
        if subject is ERROR:
            return ERROR
        if subject.type.name == "thing" and subject.type.optional:
            sure = attrs.evolve(subject, type=subject.type.sure())
            test = self._place_one(sure, attrs.evolve(node, negated=False), scope)  # type: ignore[misc]
            return test if test is ERROR else _negate(holds_of(subject, test), node.negated)
        if node.kind == "edge":
            assert isinstance(node.arg, t.Name)
            if node.arg.word not in EDGES:
                hint = f"Write {', '.join(EDGES)}."
                return self.problem("E210", f"A map has no {node.arg.word} edge.", node.span, hint)
            return _negate(ir.OnEdge(subject, node.arg.word, span=node.span), node.negated)
        if node.kind == "on":
            assert isinstance(node.arg, t.Name)
            if node.arg.word == "map" and subject.type.name == "thing":
                where = ir.PlaceOf(subject, type=thing(self.ruleset.ground(subject.type.word)))
                return _negate(ir.IsThere(where, span=node.span), node.negated)
            if node.arg.word not in self.links():
                return self.problem(
                    "E210",
                    f"`{node.arg.word}` is no link of the map.",
                    node.span,
                    did_you_mean(node.arg.word, self.links()),
                )
            return _negate(ir.OnLink(subject, node.arg.word, span=node.span), node.negated)
        arg = self.expr(node.arg, scope)
        if arg is ERROR:
            return ERROR
        if node.kind == "in" and arg.type.name == "set" and arg.type.of and alike(self, arg.type.of, subject.type):
            return _negate(ir.Member(subject, arg, span=node.span), node.negated)
        if subject.type.name != "thing":
            return self.problem(
                "E201", f"Only a thing stands somewhere, but this is {subject.type}.", node.subject.span
            )
        if arg.type.name == "thing" and arg.type.optional:
            arg = set_of_one(self, arg)
        inner = arg.type.of if arg.type.name == "set" else arg.type
        if inner is None or inner.name not in {"thing", "nothing"}:
            return self.problem("E201", f"A place or a thing is needed here, but this is {arg.type}.", node.arg.span)
        amount = self.number(node.extra, scope) if node.extra is not None else None
        return _negate(ir.IsPlaced(subject, node.kind, arg, amount, span=node.span), node.negated)

    # ---- comparisons
    def _compare(self, node: t.Compare, scope: Scope) -> E:
        if node.op in {"=", "!="} and not node.quantifier and self.means_phase(node.left, scope):
            return self._phase_is((node.right,), node.op == "!=", node.span)
        if node.quantifier:
            subject = self.expr(node.left, scope)
            return self._quantified(
                node.quantifier, subject, node.left, lambda e: self._compare_each(node, e, scope), node.span
            )
        left_want = (
            self.expr(node.right, scope).type
            if isinstance(node.left, t.Literal) and node.left.kind != "number"
            else None
        )
        return self._compare_one(node, self.expr(node.left, scope, left_want), scope)

    def _compare_each(self, node: t.Compare, left: E, scope: Scope) -> E:
        """A comparison of one of several, which may be absent."""
        if node.op in {"=", "!="} or not left.type.optional:
            return self._compare_one(node, left, scope)
        test = self._compare_one(node, attrs.evolve(left, type=left.type.sure()), scope)
        return test if test is ERROR else holds_of(left, test)

    def _compare_one(self, node: t.Compare, left: E, scope: Scope) -> E:
        right = self.expr(node.right, scope, left.type)
        if left is ERROR or right is ERROR:
            return ERROR
        if node.op in {"=", "!="}:
            return _negate(self._equal(left, right, node.span), node.op == "!=")
        for value, where in ((left, node.left), (right, node.right)):
            if value.type.optional:
                return self.needs(value, value.type.sure(), where.span)
        if not left.type.same(right.type):
            return self.problem(
                "E201", f"This is {right.type}, the other {left.type}: they cannot be compared.", node.right.span
            )
        if left.type.name == "enum":
            if not self.ruleset.enums[left.type.word].ordered:
                return self.problem(
                    "E220",
                    f"The words of {left.type.word} have no order.",
                    node.span,
                    hint=f"Declare it as a scale: scale {left.type.word}: low < high",
                )
            return ir.CompareWords(node.op, left.type.word, left, right, span=node.span)
        if left.type.name != "number":
            message = f"Only numbers and words of a scale are compared, but this is {left.type}."
            hint = "Compare what they show: `average of …`, `highest of …`." if left.type.name == "dice" else ""
            return self.problem("E201", message, node.left.span, hint)
        return ir.Compare(node.op, left, right, span=node.span)

    def _exists(self, node: t.Exists, scope: Scope) -> E:
        # A guard said twice is no error: it is asked as if the first had not been said.
        subject = self.expr(node.subject, scope.inner(known=()))
        if subject is ERROR:
            return ERROR
        subject = _asked(subject)
        if isinstance(subject, ir.PathExists) or subject.type.name == "set" or subject.type.optional:
            return _negate(
                subject if isinstance(subject, ir.PathExists) else ir.IsThere(subject, span=node.span), node.negated
            )
        if subject.type.name == "mark":
            return _negate(subject, node.negated)
        if isinstance(subject, ir.FrameName):
            return _negate(ir.IsThere(subject, span=node.span), node.negated)
        return self._never_asked(subject, node.subject.span)


def _asked(subject: E) -> E:
    """A holder of which it is asked whether it is there: nothing may hold the thing, nor what holds it."""
    if not isinstance(subject, ir.HolderOf):
        return subject
    return ir.HolderOf(_asked(subject.held), subject.kind, True, type=subject.type.maybe(), span=subject.span)


def _negate(value: E, negated: bool) -> E:
    return ir.Not(value, span=value.span) if negated and value is not ERROR else value


__all__ = ["ConditionBinder", "set_of"]
