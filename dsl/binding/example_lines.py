"""Checking examples: what their lines name and ask is settled and typed, as when they are run, but nothing is run.

What depends on the course of play stays open: which procedures have run, and what things they have made.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from dsl import ir
from dsl.binding.after_is import is_one
from dsl.binding.bound import BoundRuleset
from dsl.binding.context import Binder
from dsl.binding.fitting import looked_for, suits
from dsl.binding.said_words import said_of
from dsl.binding.scope import Scope
from dsl.binding.scoping import last_frame, means_phase
from dsl.binding.statements import statement
from dsl.data.dates import problem_with
from dsl.data.forces import check_together
from dsl.data.maps import numbered_kinds
from dsl.ir import ERROR, MARK, NOTHING, NUMBER, SIDE, E, Param, Routine, S, Type
from dsl.ir.phases import phase_named
from dsl.rules.made_names import kind_of_made
from dsl.rules.notation import BadNotation, read_field
from dsl.rules.ruleset import Ruleset
from dsl.rules.variants import Variant, sides_of
from dsl.rules.weave import declared_phases
from dsl.syntax import declarations as d
from dsl.syntax import lines as ln
from dsl.syntax import tree as t
from dsl.text.diagnostics import Diagnostic, at, did_you_mean
from dsl.text.source import Span

ENDINGS = frozenset({"done", "pass"})
"""Words that end a side's orders of a phase."""
Question = ir.Choose | ir.EachChooses
SAID = frozenset({"none", "nobody", "nothing", "all", "others", "rest", "even", "yes", "no"})
"""Words that an answer may hold whatever is asked."""
PLAIN_FACT = "`given` takes one plain fact."


def option_given(ruleset: Ruleset, line: ln.Given) -> tuple[str, str] | None:
    """The option that a `given` line sets, and its word; None for any other fact."""
    c = line.condition
    if isinstance(c, t.IsTest):
        subject, word = c.subject, c.alternatives[0]
    elif isinstance(c, t.Compare) and c.op == "=":
        subject, word = c.left, c.right
    else:
        return None
    if isinstance(subject, t.Name) and subject.word in ruleset.options:
        return subject.word, t.literal_text(word) if isinstance(word, t.Name | t.Literal) else ""
    return None


def check_examples(examples: Iterable[tuple[d.Example, Variant]], rules: BoundRuleset) -> list[Diagnostic]:
    """What is wrong with some examples under the choice of modules that rules are bound under."""
    room = _Room(rules)
    problems: list[Diagnostic] = []
    for example, variant in examples:
        problems += _Reader(room, example, variant).read()
    return problems


class _Room:
    """What the examples under one choice of modules share. questions: by name."""

    def __init__(self, rules: BoundRuleset) -> None:
        self.rules = rules
        self.questions: dict[str, list[Question]] = {}
        hooked = [r for hooks in rules.hooks.values() for r in hooks]
        for routine in (*rules.routines.values(), *hooked):
            for line in _lines(routine.body):
                if isinstance(line, ir.Choose | ir.EachChooses):
                    self.questions.setdefault(line.name, []).append(line)
        self._begun: dict[str, tuple[Routine, ...]] = {}

    def begun_by(self, key: str) -> tuple[Routine, ...]:
        """A routine and those that it may do, the last one done first."""
        if key not in self._begun:
            found: dict[str, Routine] = {}
            self._follow(key, found)
            self._begun[key] = tuple(reversed(found.values()))
        return self._begun[key]

    def _follow(self, key: str, found: dict[str, Routine]) -> None:
        routine = self.rules.routines.get(key)
        if routine is None or key in found:
            return
        found[key] = routine
        for line in _lines(routine.body):
            if isinstance(line, ir.Do):
                self._follow(line.key, found)


def _lines(body: Iterable[S]) -> Iterator[S]:
    for line in body:
        yield line
        yield from _lines(line.body)


class _Reader:
    """Reads one variant of an example, line by line."""

    def __init__(self, room: _Room, example: d.Example, variant: Variant) -> None:
        self.room, self.example, self.variant = room, example, variant
        self.b = Binder.over(room.rules)
        self.ruleset = self.b.ruleset
        self.routine = Routine("example", "this example", (), NOTHING, example.span)
        self.sides = sides_of(variant.lines)
        self.run: tuple[Routine, ...] = ()
        self.begun: tuple[Routine, ...] = ()

    def read(self) -> list[Diagnostic]:
        """What is wrong with it."""
        problems = []
        for block in (x for x in self.example.body if isinstance(x, ln.WithBlock) and x.option in self.variant.options):
            problems += self._option(block.option or "", self.variant.options[block.option or ""], block.span)
        for line in self.variant.lines:
            problems += self._tried(functools.partial(self._line, line))
            self._note(line)
        return problems

    def _tried(self, work: Callable[[], None]) -> list[Diagnostic]:
        """What is wrong with a line whichever of the procedures that may have run its names are read from."""
        first: list[Diagnostic] | None = None
        for run in dict.fromkeys([self.begun, self.begun[::-1], ()]):
            self.run, self.b.problems = run, []
            work()
            if not self.b.problems:
                return []
            first = first or self.b.problems
        return first or []

    def _note(self, line: ln.Line) -> None:
        """The procedures that a line may begin come before all others where names are read."""
        key = ""
        if isinstance(line, ln.Do):
            key = next(
                (f"{w} {line.name}" for w in ("procedure", "sequence") if f"{w} {line.name}" in self.b.routines), ""
            )
            if not key and (phase := phase_named(self.b.routines, line.name)) is not None:
                key = phase.key
        elif isinstance(line, ln.Orders):
            key = f"order {line.command.split()[0].lower()}"
        if key:
            self.begun = tuple(dict.fromkeys((*self.room.begun_by(key), *self.begun)))

    def scope(self) -> Scope:
        sides = {name: ir.ThingNamed(name, type=SIDE) for name in self.sides}
        run = tuple((r, last_frame(r)) for r in self.run)
        return Scope(dict(sides), ir.Active(), None, ((self.routine, "F"), *run), any_frame=True)

    def problem(self, code: str, message: str, span: Span, hint: str = "", word: str = "") -> None:
        self.b.problem(code, message, span, hint, word=word)

    # ---- lines
    def _line(self, line: ln.Line) -> None:
        match line:
            case ln.OnMap():
                self._on_map(line)
            case ln.Begins():
                if fault := problem_with(line):
                    self.problem("E341", fault, line.span)
            case ln.Given():
                found = option_given(self.ruleset, line)
                if found is None:
                    self._given(line.condition)
                else:
                    self.b.problems += self._option(*found, line.span)
            case ln.DiceAre():
                pass
            case ln.Answer():
                self._answer(line)
            case ln.ThenMayAnswer():
                self._side(line.side, line.span)
                self._answer(line)
            case ln.Orders():
                self._side(line.side, line.span)
                self._command(line)
            case ln.ThenMay():
                self._side(line.side, line.span)
                if not (line.negated and line.because):
                    self._command(line)
            case ln.ThenOver():
                if line.winner:
                    self._side(line.winner, line.span)
            case ln.ThenTold():
                self._side(line.side, line.span)
            case ln.ThenKnows():
                self._side(line.side, line.span)
                self.b.expr(line.what, self.scope())
            case ln.Then():
                self.b.chances = self.b.lenient = True
                try:
                    self.b.condition(line.condition, self.scope())
                finally:
                    self.b.chances = self.b.lenient = False
            case ln.WithBlock() | ln.ThenBegins():
                pass
            case ln.Do() if self._means_phase(line):
                self._phase(line)
            case _:
                statement(self.b, line, self.scope(), self.routine)

    def _means_phase(self, line: ln.Do) -> bool:
        """Whether a line does a phase or step by itself."""
        callable_ = any(f"{word} {line.name}" in self.ruleset.bodied for word in ("procedure", "order", "sequence"))
        return not callable_ and line.name in declared_phases(self.ruleset)

    def _phase(self, line: ln.Do) -> None:
        if line.bindings or line.given:
            hint = "What it reads is said before: `given active is …`."
            self.problem("E211", f"{line.name} is a phase and takes nothing.", line.span, hint, word=line.name)
        elif phase_named(self.b.routines, line.name) is None:
            hint = "Say with which: `with MODULE` behind the title of the example."
            message = f"{line.name} is a phase of a module that is off here."
            self.problem("E200", message, line.span, hint, word=line.name)
        if line.when is not None:
            self.b.condition(line.when, self.scope())

    def _option(self, name: str, term: str, span: Span) -> list[Diagnostic]:
        """What is wrong with an option that is set."""
        option = self.ruleset.options.get(name)
        if option is None:
            hint = did_you_mean(name, self.ruleset.options)
            return [at("E104", f"There is no option {name}.", span, word=name, hint=hint)]
        if term in option.terms:
            return []
        hint = did_you_mean(term, option.terms) or "It can be: " + ", ".join(option.terms) + "."
        return [at("E104", f"{name} cannot be {term}.", span, word=term, hint=hint)]

    def _side(self, name: str, span: Span) -> None:
        if name not in self.sides:
            self.problem("E200", f"There is no side {name} here.", span, did_you_mean(name, self.sides), word=name)

    def _on_map(self, line: ln.OnMap) -> None:
        maps = self.ruleset.maps
        for name in line.names:
            if name not in maps:
                self.problem("E318", f"There is no map {name}.", line.span, did_you_mean(name, maps), word=name)
                return
        self.b.problems += check_together(self.ruleset, [maps[name] for name in line.names], line.span)[1]

    # ---- facts
    def _given(self, condition: t.Node) -> None:
        if isinstance(condition, t.AllOf):
            for item in condition.items:
                self._given(item)
        elif isinstance(condition, t.Compare) and condition.op == "=" and not condition.quantifier:
            self._assigned(condition.left, condition.right)
        elif isinstance(condition, t.IsTest) and len(condition.alternatives) == 1 and not condition.quantifier:
            self._assigned(condition.subject, condition.alternatives[0])
        elif isinstance(condition, t.IsPlaced) and condition.kind == "in":
            self.b.expr(condition.subject, self.scope())
            self.b.expr(condition.arg, self.scope())
        else:
            self.problem("E253", PLAIN_FACT, condition.span)

    def _assigned(self, subject: t.Node, node: t.Node) -> None:
        whole = said_of(self.b, subject, node, self.scope())
        if whole is not None:
            self._word(whole, node)
        elif isinstance(subject, t.Of):
            self._property(subject, self.b.expr(subject.arg, self.scope()), node)
        elif isinstance(subject, t.Called):
            self._called(self.b.expr(subject, self.scope()), subject.span, node)
        elif not (isinstance(subject, t.Name) and self._named(subject.word, node)):
            self._word(self.b.expr(subject, self.scope()), node)

    def _called(self, bound: E, span: Span, node: t.Node | None = None) -> None:
        """A value or status of several arguments, each of them one thing. node: what it is said to be, None: so or not."""
        if bound is ERROR:
            return
        if not isinstance(bound, ir.Call):
            self.problem("E253", PLAIN_FACT, span, "Give it of one thing at a time.")
        elif any(param.many for param in self.b.routines[bound.name].params):
            hint = f"Give it whatever it is asked of: `given {bound.name} = …`."
            self.problem("E253", "A value of several things at once is not given of these or those.", span, hint)
        elif node is not None:
            self._fits(bound.type, node)

    def _fits(self, type_: Type, node: t.Node) -> None:
        """Reports a value that is not of the type of what is given."""
        if type_ is MARK and isinstance(node, t.Name) and node.word in {"yes", "no"}:
            return
        value = self.b.expr(node, self.scope(), looked_for(type_) or type_.of)
        if value is ERROR or value.type.name == "nothing":
            return
        one = type_.of if type_.name == "set" and value.type.name != "set" else type_
        if one is not None and not suits(self.ruleset, value.type, one):
            self.problem("E201", f"This is {value.type}, but {one} is needed here.", node.span)

    def _named(self, word: str, node: t.Node) -> bool:
        ruleset = self.ruleset
        if word in self.routine.frame:
            return False
        kind = ruleset.campaign_kind
        declared = ruleset.bodied.get(word)
        if word == "active":
            self._fits(SIDE, node)
        elif word == "turn":
            self._fits(NUMBER, node)
        elif means_phase(self.b, t.Name(node.span, word), self.scope()):
            self.b.condition(t.IsTest(node.span, t.Name(node.span, word), (node,)), self.scope())
        elif kind and word in ruleset.kinds[kind].fields:
            self._fits(ruleset.kinds[kind].fields[word].type, node)
        elif declared is not None and declared.word in {"value", "status"}:
            self._fits(self._type_of(word), node)
        else:
            frames = [
                r.frame[word] for r in self.b.routines.values() if word in r.frame and r.frame[word].name != "map"
            ]
            if not frames:
                return False
            self._fits(frames[0], node)
        return True

    def _type_of(self, word: str) -> Type:
        routine = self.b.routines.get(word)
        return routine.type if routine is not None else NOTHING

    def _property(self, subject: t.Of, holder: E, node: t.Node) -> None:
        if holder is ERROR:
            return
        word = subject.word
        info = self.ruleset.kinds.get(holder.type.word) if holder.type.name == "thing" else None
        printed = {p.name for p in info.node.printed} if info is not None and info.node is not None else set()
        text = node.value if isinstance(node, t.Literal) and node.kind == "text" else None
        declared = self.ruleset.bodied.get(word)
        if info is not None and text is not None and (word in info.fields or word in printed):
            if word in printed or info.fields[word].type.name != "text":
                try:
                    read_field(self.ruleset, info.name, word, str(text))
                except BadNotation as error:
                    self.problem("E311", f"{word} of {info.name}: {error}.", node.span)
        elif info is not None and word in info.fields:
            if not (isinstance(node, t.Name) and node.word in {"absent", "none"}):
                self._fits(info.fields[word].type, node)
        elif declared is not None and declared.word in {"value", "status"}:
            if holder.type.name == "set":
                self._called(self.b.expr(subject, self.scope()), subject.span)
            self._fits(self._type_of(word), node)
        else:
            chosen = [
                r.frame[word].of for r in self.b.routines.values() if word in r.frame and r.frame[word].name == "map"
            ]
            if chosen and chosen[0] is not None:
                self._fits(chosen[0], node)
            else:
                known = [*(info.fields if info is not None else ()), *printed, *self.ruleset.bodied]
                self.problem(
                    "E209",
                    f"`{word}` of {holder.type} cannot be given.",
                    subject.span,
                    did_you_mean(word, known),
                    word=word,
                )

    def _word(self, holder: E, node: t.Node) -> None:
        """`given u is marked`: a mark, a word of one field, or a status."""
        if holder is ERROR:
            return
        if isinstance(node, t.Called):
            self._called(is_one(self.b, holder, (node,), self.scope(), node.span), node.span)
            return
        if not isinstance(node, t.Name) or holder.type.name != "thing":
            self.problem("E253", PLAIN_FACT, node.span)
            return
        word, fields = node.word, self.ruleset.kinds[holder.type.word].fields
        declared = self.ruleset.bodied.get(word)
        if (word in fields and fields[word].type is MARK) or (declared is not None and declared.word == "status"):
            return
        words = {n: self.ruleset.enums[f.type.word].words for n, f in fields.items() if f.type.name == "enum"}
        homes = [n for n, known in words.items() if word in known]
        if len(homes) != 1:
            marks = [n for n, f in fields.items() if f.type is MARK]
            hint = "Name the field: `given posture of u is …`."
            known = [*marks, *(w for ws in words.values() for w in ws)]
            self.problem(
                "E236",
                f"It is not clear what of it is {word}.",
                node.span,
                did_you_mean(word, known) or hint,
                word=word,
            )

    # ---- answers and commands
    def _answer(self, line: ln.Answer | ln.ThenMayAnswer) -> None:
        asked = self.room.questions.get(line.name)
        if asked is None:
            hint = did_you_mean(line.name, self.room.questions)
            self.problem("E254", f"Nobody is asked for {line.name}.", line.span, hint, word=line.name)
            return
        types = [_chosen(s) for s in asked]
        for item in line.items:
            self._spoken(item, [NOTHING])
        for value in line.values:
            self._spoken(value, types)

    def _spoken(self, node: t.Node, types: list[Type]) -> None:
        """A word of an answer."""
        if not isinstance(node, t.Name):
            if not isinstance(node, t.Literal):
                self.b.expr(node, self.scope())
            return
        wrong = [self._unfit(node.word, type_) for type_ in types]
        first = wrong[0] if wrong else None
        if first is not None and all(wrong):
            self.problem(first[0], first[1], node.span, first[2], word=node.word)

    def _unfit(self, word: str, type_: Type) -> tuple[str, str, str] | None:
        """Why a word cannot stand for something of a type: code, message, hint; None when it can."""
        if word.lower() in SAID or type_.name in {"text", "number", "mark", "entry"}:
            return None
        if type_.name == "enum":
            words = self.ruleset.enums[type_.word].words
            if self.ruleset.enums[type_.word].meant(word) is not None:
                return None
            if word not in self.routine.frame:
                return "E219", f"`{word}` is no word of {type_.word.rpartition('.')[2]}.", did_you_mean(word, words)
        known = self.routine.frame.get(word)
        if known is not None:
            if type_.name == "nothing" or suits(self.ruleset, known, type_):
                return None
            return "E201", f"`{word}` is {known}, but {type_} is needed here.", ""
        lower = word.lower()
        if lower in self.sides or numbered_kinds(self.ruleset, word) or kind_of_made(self.b.names_made(), word):
            return None
        if any(
            lower in row.text.lower()
            for x in self.ruleset.maps.values()
            for s in x.sections
            for row in s.rows
            if s.name not in {"grid", "letters"}
        ):
            return None
        return "E200", f"I do not know `{word}`.", did_you_mean(word, [*self.routine.frame, *self.sides])

    def _command(self, line: ln.Orders | ln.ThenMay) -> None:
        """A command: its order, and its arguments as far as they can be told before it is given."""
        name, _, rest = line.command.partition(" ")
        name = name.lower()
        if name in ENDINGS:
            return
        orders = {k.partition(" ")[2]: k for k in self.ruleset.bodied if k.startswith("order ")}
        routine = self.b.routines.get(orders.get(name, ""))
        if routine is None:
            self.problem("E200", f"There is no order {name}.", line.span, did_you_mean(name, orders), word=name)
            return
        parts = _arguments(routine.params, re.split(r"\s+via\s+", rest)[0])
        if isinstance(parts, str):
            self.problem(
                "E211", f"{name} needs {parts}." if parts else f"{name} takes nothing after it.", line.span, word=name
            )
            return
        for param, part in zip(routine.params, parts, strict=True):
            for word in re.split(r"\s*,\s*|\s+and\s+", part) if param.many else [part]:
                wrong = self._unfit(word.strip('"'), param.type)
                if wrong is not None and not word[:1].isdigit():
                    self.problem(*wrong[:2], line.span, wrong[2], word=word)


def _chosen(s: Question) -> Type:
    """The type of what a question asks for."""
    if s.kind in {"number", "split"}:
        return NUMBER
    return NOTHING if s.source is None else s.source.type.of or s.source.type


def _arguments(params: tuple[Param, ...], rest: str) -> list[str] | str:
    """The text of each argument of a command; what is missing, or "" when there is too much."""
    left = re.sub(r"^of\s+", "", rest.strip(), flags=re.IGNORECASE)
    if not params:
        return "" if left else []
    parts = []
    for param in params[1:]:
        found = re.search(rf"(?:^|\s){re.escape(param.prep)}\s+", left, flags=re.IGNORECASE)
        if found is None:
            return f"`{param.prep} …`"
        parts.append(left[: found.start()].strip())
        left = left[found.end() :]
    parts.append(left.strip())
    return parts if all(parts) else f"`{params[parts.index('')].name}`"


def fitting(bound: Mapping[frozenset[str], BoundRuleset], modules: frozenset[str]) -> BoundRuleset | None:
    """Of bound rules by their modules those that have these with the fewest others; None when none have them all."""
    able = [on for on in bound if modules <= on]
    return bound[min(able, key=lambda on: (len(on - modules), sorted(on)))] if able else None


__all__ = ["check_examples", "fitting", "option_given"]
