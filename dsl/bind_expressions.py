"""Binding expressions: every word of one is settled to what it means, and given a type."""
# ruff: noqa: ARG002 - the methods for the classes of nodes are all called alike, whether they need scope and want or not

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction

from attrs import evolve

from dsl import bind_places, ir
from dsl import tree as t
from dsl.absence import asked_of, is_first, known_there, set_of_one, set_of_these, those_there, with_gaps
from dsl.bind_chances import bind_chance, thrown_here
from dsl.bind_dice import dice_literal, figure, many_dice
from dsl.bind_entries import entries_named, printed_for
from dsl.bind_printed import fields_under
from dsl.bind_words import NONES, empty_set
from dsl.dates import PARTS
from dsl.diagnostics import Diagnostic, Mark, an, at, did_you_mean
from dsl.dice_values import WRITTEN
from dsl.entries import entries_of
from dsl.ir import DICE, ERROR, LAST, MARK, NOTHING, NUMBER, SIDE, TEXT, E, Param, Routine, Type, enum, set_of, thing
from dsl.kind_groups import joined, why_not_shared
from dsl.made_names import MadeName, kind_of_made
from dsl.ruleset import KindInfo, Ruleset
from dsl.scope import Scope, local
from dsl.source import Span
from dsl.tables import TableInfo

MEASURES = frozenset({"odds", "distance", "bearing", "direction"})
"""What is measured from one thing to another."""
LAST_TIES = frozenset({"lower", "higher", "average"})
"""What may settle a tie of values at last."""


def plain(number: Fraction) -> int | Fraction:
    return number.numerator if number.denominator == 1 else number


EMPTY = "Where the empty set is meant, write `nobody`."
"""What to do about a `none` that is a word of several enums."""
SEVERAL = set_of(None)
"""What is wanted where things are summed, counted or gone through."""


def looked_for(type_: Type) -> Type | None:
    """The type that words are looked for in first where a value of a type is wanted; None where they mean what they do anywhere."""
    one = type_.of if type_.name == "set" and type_.of else type_
    return type_ if one.name in {"enum", "number", "entry", "dice"} else None


def is_none(e: E) -> bool:
    """Whether an expression is the word `none` (where a set is wanted that of an enum as well), `nobody` or `nothing`."""
    return (
        isinstance(e, ir.Constant)
        and e is not ERROR
        and e.value in {None, "none"}
        and e.type.name in {"nothing", "enum"}
    )


class ExpressionBinder:
    """Binds expressions of one ruleset; diagnostics gather in `problems`."""

    def __init__(self, ruleset: Ruleset, tables: dict[str, TableInfo]) -> None:
        self.ruleset = ruleset
        self.tables = tables
        self.problems: list[Diagnostic] = []
        self.routines: dict[str, Routine] = {}
        self.used: set[str] = set()
        self.failed: set[str] = set()
        self.poisoned = 0
        self._counter = 0
        self.here: tuple[str, ...] = ()
        """The maps that what is bound stands on, where that is known: those of an example or a scenario."""
        self.chances = False
        self.lenient = False

    # ---- helpers
    def problem(
        self, code: str, message: str, span: Span, hint: str = "", also: Iterable[Mark] = (), word: str = ""
    ) -> E:
        """Notes what is wrong; returns ERROR, so that nothing further is said of it. word: the word that is meant."""
        self.problems.append(at(code, message, span, hint=hint, also=also, word=word))
        return ERROR

    def fresh(self) -> str:
        """A name for a variable that no text can use."""
        self._counter += 1
        return f"x{self._counter}"

    def names_made(self) -> list[MadeName]:
        """What rules call the things that they put into the game. Overridden by the body binder."""
        raise NotImplementedError

    def routine(self, name: str, span: Span) -> Routine | None:
        """The bound value, status or path of this name; bound on demand. Overridden by the body binder."""
        raise NotImplementedError

    def condition(self, node: t.Node, scope: Scope) -> E:
        """A condition as an expression of yes or no. Overridden by the condition binder."""
        raise NotImplementedError

    def number(self, node: t.Node, scope: Scope) -> E:
        """An expression that must be a number and be there."""
        bound = self.expr(node, scope, NUMBER)
        return self.needs(bound, NUMBER, node.span)

    def divisor(self, value: E, span: Span) -> None:
        """Reports what is plainly divided by zero."""
        if ir.number_in(value) == 0:
            self.problem("E205", "This divides by zero.", span)

    def needs(self, bound: E, wanted: Type, span: Span) -> E:
        """Reports when an expression is not of the wanted type or may be absent. Where a set is wanted `none` is the empty one."""
        if wanted.name == "set" and is_none(bound):
            return ir.Listed((), type=wanted, span=span)
        if (
            bound.type.name == "nothing"
            and bound is not ERROR
            and isinstance(bound, ir.Constant)
            and wanted.name != "nothing"
        ):
            return self.problem("E204", f"Nothing stands where {wanted} is needed.", span)
        if bound.type.name == "dice" and wanted.name == "number":
            hint = "Dice are rolled in a procedure: `active rolls 2d6 as die`; their number stands in `chance that (…)` too."
            return self.problem("E201", "These are dice, but a number is needed: nothing has been rolled.", span, hint)
        if not bind_places.suits(self, bound.type, wanted):
            return self.problem("E201", f"This is {bound.type}, but {wanted} is needed here.", span)
        if bound.type.optional and not wanted.optional:
            what = (
                f"`{bound.name}` is optional and may be absent here."
                if isinstance(bound, ir.Field)
                else "This may be absent here."
            )
            if self.lenient:
                return ir.Must(bound, type=bound.type.sure(), span=span)
            hint = "Say what counts then: `… else 0`, or ask `when there is …` and use `else`."
            return self.problem("E202", what, span, hint)
        return bound

    # ---- dispatch
    def expr(self, node: t.Node, scope: Scope, want: Type | None = None) -> E:
        """An expression with every name settled. want: the type that words are looked for in first."""
        method: Callable[..., E] = getattr(self, "_" + type(node).__name__.lower())
        bound = method(node, scope, want)
        if scope.thrown is not None and bound.type == DICE and want != DICE:
            return thrown_here(self, bound, scope, node.span)
        return known_there(bound, scope)

    def _manydice(self, node: t.ManyDice, scope: Scope, want: Type | None) -> E:
        return many_dice(self, node, scope)

    def _literal(self, node: t.Literal, scope: Scope, want: Type | None) -> E:
        if want is not None and want.name == "set":
            want = want.of
        if want is not None and want.name == "enum":
            info = self.ruleset.enums.get(want.word)
            word = str(node.value)
            if info is not None and word in info.words:
                return ir.Constant(word, type=enum(want.word), span=node.span)
        if node.kind in {"number", "percent"}:
            assert isinstance(node.value, Fraction)
            return ir.Constant(plain(node.value), type=NUMBER, span=node.span)
        if node.kind == "odds":
            homes = self.ruleset.terms.get(str(node.value), [])
            if len(homes) == 1 and (want is None or want.name != "number"):
                return ir.Constant(str(node.value), type=enum(homes[0]), span=node.span)
            left, right = str(node.value).split(":")
            return ir.Constant(plain(Fraction(left) / Fraction(right)), type=NUMBER, span=node.span)
        if node.kind == "place" and want is not None and want.name == "number":
            return ir.Constant(int(str(node.value)), type=NUMBER, span=node.span)
        if node.kind == "dice":
            return dice_literal(self, str(node.value), node.span)
        if node.kind == "place":
            found = bind_places.named_place(self, str(node.value), want, node.span, number=True)
            assert found is not None
            return found
        return ir.Constant(node.value, type=TEXT, span=node.span)

    def _name(self, node: t.Name, scope: Scope, want: Type | None) -> E:
        word, span = node.word, node.span
        if want is not None and want.name == "set":
            want = want.of
        if want is not None and want.name == "enum" and word in self.ruleset.enums[want.word].words:
            return ir.Constant(word, type=enum(want.word), span=span)
        if want is not None and want.name == "entry" and word in entries_of(self.ruleset, want.word):
            return ir.Constant(word, type=want.sure(), span=span)
        found = self.scoped(word, scope)
        if found is not None:
            return found
        if WRITTEN.fullmatch(word) and (scope.thrown is not None or want == DICE):
            return dice_literal(self, word, span)
        if word in {"yes", "no"}:
            return ir.Constant(word == "yes", type=MARK, span=span)
        if word == "active":
            return ir.Active(span=span)
        if word == "turn":
            return ir.Turn(span=span)
        if word in {"previous", "entered"} and scope.way:
            return scope.way[0 if word == "previous" else 1]
        field = self._game_field(word)
        if field is not None:
            return field
        if word in self.ruleset.options:
            option = self.ruleset.options[word]
            self.used.add(f"option {word}")
            numbers = all(term.isdigit() for term in option.terms)
            read_as = NUMBER if numbers else Type("enum", f"option {word}")
            return ir.OptionRead(word, option.terms, type=read_as, span=span)
        if word in self.ruleset.bodied and self.ruleset.bodied[word].word in {"value", "status"}:
            return self.call(word, [], scope, span)
        if self.ruleset.plurals.get(word):
            kind = self.ruleset.plurals[word]
            return ir.AllOf(kind, "", None, type=set_of(thing(kind)), span=span)
        homes = self.ruleset.terms.get(word, [])
        if len(homes) == 1:
            return ir.Constant(word, type=enum(homes[0]), span=span)
        if len(homes) > 1:
            message = f"`{word}` is a word of {' and of '.join(homes)}: it is not clear which is meant."
            return self.problem("E203", message, span, EMPTY if word in NONES else "")
        if word in {"none", "nothing", "nobody", "absent"}:
            return ir.Constant(None, type=NOTHING, span=span)
        template = self.template(word)
        if template:
            return ir.Constant(word, type=Type("entry", template), span=span)
        if word == "phase":
            return ir.PhaseNow(span=span)
        if word in PARTS:
            return ir.Calendar(word, type=TEXT if word == "date" else NUMBER, span=span)
        place = bind_places.named_place(self, word, want, span, number=False)
        if place is not None:
            return place
        kind = kind_of_made(self.names_made(), word) if scope.any_frame else ""
        if kind:
            return ir.ThingMade(word, type=thing(kind), span=span)
        if (
            want is not None
            and want.name == "entry"
            and (near := did_you_mean(word, entries_of(self.ruleset, want.word)))
        ):
            return self.problem("E200", f"No list gives {an(want.word)} called {word}.", span, near)
        known = set(scope.names) | self.ruleset.all_names() | {n for r, _ in scope.frames for n in r.frame}
        chosen = any(r.frame[word].name == "map" for r, _ in scope.frames if word in r.frame)
        hint = f"It is chosen or rolled for each of several: say of which, `{word} of …`." if chosen else ""
        hint = "`phase is NAME` asks for a step as well." if word == "step" else hint
        hint = hint or self._elsewhere(word) or did_you_mean(word, known - {word})
        return self.problem("E200", f"I do not know `{word}`.", span, hint=hint)

    def _elsewhere(self, word: str) -> str:
        """A hint where a name is set by procedures or orders other than those that a text is bound to."""
        homes = [r for r in self.routines.values() if word in r.frame]
        if not homes:
            return ""
        what, name = homes[0].word, homes[0].name
        if what == "procedure":
            return f"`{word}` is set in {name}: a text that is bound to it, `in {name}`, can read it."
        return f"`{word}` is known only in the {what} {name}."

    def means_phase(self, node: t.Node, scope: Scope) -> bool:
        """Whether `phase` is the running phase here, and no name that the texts have given to something."""
        if not isinstance(node, t.Name) or node.word != "phase" or self.scoped("phase", scope) is not None:
            return False
        ruleset = self.ruleset
        taken = {*ruleset.options, *ruleset.bodied, *ruleset.plurals, *ruleset.terms}
        return "phase" not in taken and self._game_field("phase") is None and not self.template("phase")

    def template(self, word: str) -> str:
        """The kind whose list has an entry of this name; "" when none has."""
        for unit_list in self.ruleset.lists.values():
            if any(row.text.split("|")[0].strip() == word for row in unit_list.rows[1:]):
                return unit_list.of
        return ""

    def scoped(self, word: str, scope: Scope) -> E | None:
        """What a word means as a local name or as one of a running procedure."""
        if word in scope.names:
            return scope.names[word]
        for routine, access in scope.frames:
            if word in routine.frame and routine.frame[word].name != "map":
                return ir.FrameName(access, word, type=routine.frame[word])
        if scope.any_frame:
            for routine in self.routines.values():
                if word in routine.frame and routine.frame[word].name != "map":
                    return ir.FrameName(self.last_frame(routine), word, type=routine.frame[word])
        return None

    @staticmethod
    def last_frame(routine: Routine) -> str:
        """How the machine reaches the frame of a routine's last run."""
        return f"{LAST}{routine.word} {routine.name}"

    def _game_field(self, word: str) -> E | None:
        kind = self.ruleset.campaign_kind
        if kind and word in self.ruleset.kinds[kind].fields and word not in {"name", "title"}:
            return ir.Field(ir.Game(type=thing(kind)), word, type=self.ruleset.kinds[kind].fields[word].type)
        return None

    def _relative(self, node: t.Relative, scope: Scope, want: Type | None) -> E:
        kind = self.ruleset.plurals.get(node.word) or (node.word if node.word in self.ruleset.kinds else "")
        if not kind:
            hint = did_you_mean(node.word, self.ruleset.plurals)
            return self.problem(
                "E200",
                f"I do not know `{node.word}`: after `{node.which}` comes the plural of a kind.",
                node.span,
                hint,
            )
        if node.which == "all":
            return ir.AllOf(kind, "", None, type=set_of(thing(kind)), span=node.span)
        assert scope.whose is not None
        whose = {"own": "own", "friendly": "own", "enemy": "enemy", "other": "enemy"}[node.which]
        return ir.AllOf(kind, whose, scope.whose, type=set_of(thing(kind)), span=node.span)

    def _its(self, node: t.Its, scope: Scope, want: Type | None) -> E:
        if scope.it is None:
            return self.problem(
                "E207", f"`its {node.word}` has nothing to speak of here: it stands inside `(where …)`.", node.span
            )
        return self.of(node.word, scope.it, scope, node.span)

    def _it(self, node: t.It, scope: Scope, want: Type | None) -> E:
        if scope.it is None:
            return self.problem("E207", "`it` has nothing to speak of here: it stands inside `(where …)`.", node.span)
        return scope.it

    def _tuple(self, node: t.Tuple, scope: Scope, want: Type | None) -> E:
        items = tuple(self.expr(i, scope, want.of if want and want.name == "set" else want) for i in node.items)
        if len(items) == 1 and (items[0].type.name != "thing" or want is not SEVERAL):
            return items[0]  # brackets that only hold together
        first = next((i.type for i in items if i.type.name != "nothing"), NOTHING)
        for item, source in zip(items, node.items, strict=True):
            taken = item.type.name == "nothing" or (common := joined(self.ruleset, first, item.type)) is None
            if item.type.name != "nothing" and taken:
                return self.problem("E201", f"This is {item.type}, but the list holds {first}.", source.span)
            if not taken and common is not None:
                first = common
        return set_of_these(self, items, set_of(first), node.span)

    def _chance(self, node: t.Chance, scope: Scope, want: Type | None) -> E:
        return bind_chance(self, node, scope)

    def _of(self, node: t.Of, scope: Scope, want: Type | None) -> E:
        if node.word == "odds":
            return self.problem("E208", "Odds are of one number to another: `odds of A to B`.", node.span)
        listed = self._entries(node, scope)
        if listed is not None:
            return listed
        return self.of(node.word, self._argument(node.word, "of", node.arg, scope), scope, node.span)

    def _argument(self, word: str, prep: str, node: t.Node, scope: Scope) -> E:
        """An argument of a value or status; `none` is the empty set where it takes several things, whatever enums have such a word."""
        declared = self.ruleset.bodied.get(word)
        params = declared.signature.params if declared is not None else ()
        several = any(p.many and p.prep == prep for p in params)
        empty = empty_set(self, node, SEVERAL, scope) if several else None
        return ir.Constant(None, type=NOTHING, span=node.span) if empty is not None else self.expr(node, scope)

    def _entries(self, node: t.Of, scope: Scope) -> E | None:
        """`entries of tank`: of a kind, not of a thing; None for anything else."""
        if node.word != "entries" or not isinstance(node.arg, t.Name) or self.scoped(node.arg.word, scope) is not None:
            return None
        return entries_named(self, node.arg.word, node.span)

    def of(self, word: str, arg: E, scope: Scope, span: Span) -> E:
        """`word of arg`; over a set, of each."""
        if arg is ERROR:
            return ERROR
        if arg.type.name == "set" and not self._takes_set(word):
            if word in self.ruleset.plurals and arg.type.of and arg.type.of.word == self.ruleset.plurals[word]:
                return arg
            inner = arg.type.of or NOTHING
            variable = self.fresh()
            body = self._of_one(word, local(variable, inner), scope, span)
            flat = body.type.name == "set"
            of = body.type.of if flat else body.type
            made = ir.MapOver(arg, variable, body, flat, type=set_of(of), span=span)
            return those_there(self, made) if body.type.optional and not flat else made
        return self._of_one(word, arg, scope, span)

    def _takes_set(self, word: str) -> bool:
        declared = self.ruleset.bodied.get(word)
        return bool(declared and declared.signature.params and declared.signature.params[0].many)

    def _of_one(self, word: str, arg: E, scope: Scope, span: Span) -> E:
        mapped = self.frame_map(word, arg, scope)
        if mapped is not None:
            return mapped
        kind = arg.type.name
        if kind == "row":
            return self._column(word, arg, span)
        if isinstance(arg, ir.Column) and word == self.tables[arg.row.type.word].columns[arg.index].name:
            return arg  # the only column of a table is what a look-up gives
        if kind == "rating":
            fields = self.ruleset.rating_fields.get(arg.type.word, {})
            if word in fields:
                self.used.add(f"field {arg.type.word}.{word}")
                inner = fields[word].type
                return ir.Field(arg, word, type=inner.maybe() if arg.type.optional else inner, span=span)
        if kind == "thing":
            found = self._property(word, arg, scope, span)
            if found is not None:
                return found
        if kind == "entry":
            found = printed_for(self, word, arg, span)
            if found is not None:
                return found
        declared = self.ruleset.bodied.get(word)
        if declared is not None and declared.word in {"value", "status", "path"}:
            return self.call(word, [("of", arg, span)], scope, span)
        known = [*self._fields_of(arg.type), *self.ruleset.bodied, "side", "place", "name", "entry", "foe"]
        if arg is ERROR:  # what it is was reported already
            return ERROR
        message, hint = why_not_shared(self.ruleset, arg.type.word, word) if kind == "thing" else ("", "")
        if message:
            return self.problem("E209", message, span, hint=hint, word=word)
        hint = self._elsewhere(word) or did_you_mean(word, [x for x in known if x != word])
        if info := self.ruleset.kinds.get(arg.type.word):
            under = ", ".join(fields_under(info, word))
            hint = f'{word} is printed over {under}: ask one of them, or `{word} of … is "…"`.' if under else hint
        return self.problem("E209", f"{str(arg.type).capitalize()} has no `{word}`.", span, hint=hint, word=word)

    def _fields_of(self, type_: Type) -> list[str]:
        if type_.name == "thing" and type_.word in self.ruleset.kinds:
            return list(self.ruleset.kinds[type_.word].fields)
        if type_.name == "rating":
            return list(self.ruleset.rating_fields.get(type_.word, {}))
        if type_.name == "row":
            return [c.name for c in self.tables[type_.word].columns]
        return []

    def frame_map(self, word: str, arg: E, scope: Scope) -> E | None:
        """What was chosen or rolled for a thing, by the name it was given."""
        frames = list(scope.frames)
        if scope.any_frame:
            frames += [(r, self.last_frame(r)) for r in self.routines.values() if word in r.frame]
        for routine, access in frames:
            type_ = routine.frame.get(word)
            if type_ is not None and type_.name == "map" and type_.of is not None:
                return ir.FrameEntry(access, word, arg, type=type_.of)
        return None

    def _property(self, word: str, arg: E, scope: Scope, span: Span) -> E | None:
        info = self.ruleset.kinds.get(arg.type.word)
        if info is None:
            return None
        if word in {"side", "owner", "place"} and is_first(arg):
            arg = ir.Must(arg, type=arg.type.sure(), span=span)
        optional = arg.type.optional
        if optional and not self._absent_too(word, info):
            return asked_of(self, arg, lambda one: self._property(word, one, scope, span))
        if word in info.fields:
            if info.fields[word].type.name == "link":
                return self.problem("E210", f"`{word}` joins places: ask `… is on {word}`.", span)
            self.used.add(f"field {info.name}.{word}")
            inner = info.fields[word].type
            return ir.Field(arg, word, type=inner.maybe() if optional else inner, span=span)
        if word == "entry" and info.word in {"unit", "formation", "component", "marker", "group"}:
            return ir.EntryOf(arg, type=TEXT.maybe(), span=span)
        if info.name == "side" and word == "foe":
            return ir.Foe(arg, span=span)
        if word in {"side", "owner"} and info.name != "side":
            return ir.SideOf(arg, type=SIDE.maybe() if optional else SIDE, span=span)
        if info.name != "side":
            found = bind_places.place_property(self, word, arg, span)
            if found is not None:
                return found
        holder = info.holder
        while holder:
            if word in {holder, "holder"} and holder not in self.ruleset.kinds:
                return ERROR  # that there is no such kind is told where the kind says so
            if word in {holder, "holder"}:
                return ir.HolderOf(arg, holder, type=thing(holder).maybe() if optional else thing(holder), span=span)
            holder = self.ruleset.kinds[holder].holder if holder in self.ruleset.kinds else None
        kind = self.ruleset.plurals.get(word, "")
        if kind and self._held_by(kind, info.name):
            return ir.Members(arg, kind, type=set_of(thing(kind)), span=span)
        if kind and info.name == "side":
            return ir.AllOf(kind, "own", arg, type=set_of(thing(kind)), span=span)
        return None

    def _absent_too(self, word: str, info: KindInfo) -> bool:
        """Whether the machine itself answers a property of what is absent by nothing."""
        if word in info.fields:
            return info.fields[word].type.name != "set"
        return word in {"side", "owner", "place", "holder", info.holder, *self.ruleset.place_kinds()}

    def _held_by(self, kind: str, holder: str) -> bool:
        found = self._holders(kind)
        return all(h in found for h in self.ruleset.sorts(holder))

    def _holders(self, kind: str) -> list[str]:
        """The kinds that may hold things of a kind, directly or through others, the nearest first."""
        if members := self.ruleset.kinds[kind].members:
            return [h for h in self._holders(members[0]) if all(h in self._holders(k) for k in members[1:])]
        found: list[str] = []
        current = self.ruleset.kinds[kind].holder
        while current and current not in found:
            found.append(current)
            current = self.ruleset.kinds[current].holder if current in self.ruleset.kinds else None
        return found

    def _column(self, word: str, row: E, span: Span) -> E:
        table = self.tables[row.type.word]
        for column in table.columns:
            if column.name == word:
                self.used.add(f"column {table.name}.{word}")
                type_ = column.type.maybe() if row.type.optional else column.type
                return ir.Column(row, table.column_index(word), type=type_, span=span)
        hint = did_you_mean(word, [c.name for c in table.columns])
        return self.problem("E209", f"The table {table.name} has no column {word}.", span, hint, word=word)

    def call(self, word: str, given: list[tuple[str, E, Span]], scope: Scope, span: Span) -> E:
        """A value, status or path applied to arguments, each with its preposition."""
        routine = self.routine(word, span)
        if routine is None:
            self.poisoned += 1
            return ERROR
        self.used.add(f"value {word}")
        if word in self.failed:
            self.poisoned += 1
            return ERROR
        args: list[E] = []
        left = list(given)
        for param in routine.params:
            match = next((g for g in left if g[0] == param.prep), None)
            if match is None:
                return self.problem(
                    "E211", f"`{word}` needs {param.type if not param.many else 'several'} after `{param.prep}`.", span,
                    hint=_usage(routine.name, routine.params),
                )  # fmt: skip
            left.remove(match)
            _, value, where = match
            value = self._fits(value, param, word, where)
            args.append(value)
        if left:
            return self.problem(
                "E211", f"`{word}` takes nothing after `{left[0][0]}`.", left[0][2], hint=_usage(word, routine.params)
            )
        access: str | None = None
        if routine.within:
            access = self._access(routine.within, scope)
            if access is None:
                return self.problem(
                    "E212", f"`{word}` speaks of a running {routine.within}, and none is running here.", span,
                    hint=f"Bind this text to it as well: `in {routine.within}`.",
                )  # fmt: skip
        if routine.word == "path":
            return ir.PathExists(word, tuple(args), span=span)
        return ir.Call(word, tuple(args), access, type=routine.type, span=span)

    def _fits(self, value: E, param: Param, word: str, span: Span) -> E:
        if value is ERROR:
            return value
        wanted = set_of(param.type) if param.many else param.type
        if param.many and is_none(value):
            return ir.Listed((), type=wanted, span=span)
        if param.many and value.type.name == "thing":
            value = set_of_one(self, value)
        if not bind_places.suits(self, value.type, wanted):
            return self.problem("E201", f"`{word}` is for {wanted}, but this is {value.type}.", span)
        if value.type.optional and not param.many:
            if self.lenient:
                return ir.Must(value, type=value.type.sure(), span=span)
            return self.problem(
                "E202",
                "This may be absent here.",
                span,
                hint="Ask `when there is …` and say what counts otherwise with `else`.",
            )
        return value

    def _access(self, procedure: str, scope: Scope) -> str | None:
        for routine, access in scope.frames:
            if routine.name == procedure:
                return access
        if scope.any_frame:
            return f"{LAST}procedure {procedure}"
        return None

    def _sunk(self, head: t.Node, args: tuple[tuple[str, t.Node], ...], span: Span) -> t.Node | None:
        """`count force of s by t`: the value in it that takes what stands behind, with it; None when there is none."""
        if isinstance(head, t.Of):
            declared = self.ruleset.bodied.get(head.word)
            if declared is not None:
                taken = {p.prep for p in declared.signature.params[1:]}
                return t.Called(span, head, args) if {p for p, _ in args} <= taken else None
        elif not isinstance(head, t.Aggregated):
            return None
        inner = self._sunk(head.arg, args, span)
        if inner is None:
            return None
        if isinstance(head, t.Of):
            return t.Of(head.span, head.word, inner)
        return t.Aggregated(head.span, head.which, inner)

    def _called(self, node: t.Called, scope: Scope, want: Type | None) -> E:
        head = node.head
        outermost = isinstance(head, t.Of) and head.word in {*self.ruleset.bodied, *MEASURES}
        if isinstance(head, t.Of | t.Aggregated) and not outermost:
            sunk = self._sunk(head, node.args, node.span)
            if sunk is not None:
                return self.expr(sunk, scope, want)
        args = list(node.args)
        between = isinstance(head, t.Of) and head.word not in self.ruleset.bodied
        if isinstance(head, t.Of) and between and head.word in MEASURES:
            args.insert(0, ("from", head.arg))
            word = head.word
        elif isinstance(head, t.Name):
            word = head.word
        elif isinstance(head, t.Of):
            word = head.word
            args.insert(0, ("of", head.arg))
        else:
            hint = ""
            if isinstance(head, t.Aggregated | t.Filter) or not isinstance(head, t.Node):
                hint = "Put brackets round the value and its arguments: `highest (fire of u against h)`."
            return self.problem("E213", "This takes no further argument.", node.span, hint=hint)
        if {p for p, _ in args} == {"from", "to"} and len(args) == 2 and word not in self.ruleset.bodied:
            found = bind_places.from_to(self, word, dict(args), scope, node.span)
            if found is not None:
                return found
        if word in {"odds", "steps"} and {p for p, _ in args} == {"from", "to"}:
            return self._builtin(word, dict(args), scope, node.span)
        if word not in self.ruleset.bodied:
            hint = did_you_mean(
                word, [*self.ruleset.bodied, *self.ruleset.links(), "odds", "distance", "steps", "bearing", "direction"]
            )
            return self.problem("E200", f"I know no value `{word}`.", node.span, hint)
        given = [(prep, self._argument(word, prep, arg, scope), arg.span) for prep, arg in args]
        if any(g[1] is ERROR for g in given):
            return ERROR
        if given and given[0][0] == "of" and given[0][1].type.name == "set" and not self._takes_set(word):
            variable = self.fresh()
            inner = given[0][1].type.of or NOTHING
            body = self.call(word, [("of", local(variable, inner), given[0][2]), *given[1:]], scope, node.span)
            flat = body.type.name == "set"
            of = set_of(body.type.of if flat else body.type)
            made = ir.MapOver(given[0][1], variable, body, flat, type=of, span=node.span)
            return those_there(self, made) if body.type.optional and not flat else made
        return self.call(word, given, scope, node.span)

    def _builtin(self, word: str, args: dict[str, t.Node], scope: Scope, span: Span) -> E:
        if word == "odds":
            return ir.Odds(self.number(args["from"], scope), self.number(args["to"], scope), type=NUMBER, span=span)
        first, second = self.expr(args["from"], scope), self.expr(args["to"], scope)
        for value, node in ((first, args["from"]), (second, args["to"])):
            if value is ERROR:
                return ERROR
            if value.type.name != "enum" or not self.ruleset.enums[value.type.word].ordered:
                return self.problem("E201", f"Steps are counted on a scale, but this is {value.type}.", node.span)
            if value.type.optional:
                return self.needs(value, value.type.sure(), node.span)
        return ir.Steps(first.type.word, first, second, span=span)

    def _aggregated(self, node: t.Aggregated, scope: Scope, want: Type | None) -> E:
        arg = self.several(node.arg, scope)
        if arg is ERROR:
            return ERROR
        told = figure(node.which, arg, node.span)
        if told is not None:
            return told
        if arg.type.name != "set":
            return self.problem("E214", f"`{node.which}` works on several things, but this is {arg.type}.", node.span)
        arg = with_gaps(arg) if node.which not in {"count", "first"} else arg
        inner = arg.type.of or NOTHING
        sure = isinstance(arg, ir.Listed) and all(not a.type.optional for a in arg.items)
        if node.which == "count":
            return ir.Aggregate("count", arg, None, type=NUMBER, span=node.span)
        if node.which == "first":
            always = isinstance(arg, ir.AllOf) and inner.same(SIDE) and not arg.whose  # there are sides in every game
            return ir.Aggregate("first", arg, None, type=inner if always else inner.maybe(), span=node.span)
        if inner.name == "enum" and self.ruleset.enums[inner.word].ordered and node.which in {"highest", "lowest"}:
            return ir.Aggregate(node.which, arg, inner.word, type=inner if sure else inner.maybe(), span=node.span)
        if inner.name == "dice" and node.which in {"highest", "lowest"}:
            return ir.BestDice(node.which, arg, type=inner if sure else inner.maybe(), span=node.span)
        if not inner.same(NUMBER):
            return self.problem("E201", f"`{node.which}` works on numbers, but these are {inner}.", node.arg.span)
        result = NUMBER if node.which == "sum" or sure else NUMBER.maybe()
        return ir.Aggregate(node.which, arg, None, type=result, span=node.span)

    def _each_of(self, node: t.Node, scope: Scope) -> tuple[E, list[str]]:
        """The things that `A of B of THINGS` goes through, and the words that are asked of each, the innermost first."""
        asked: list[str] = []
        while isinstance(node, t.Of) and self._entries(node, scope) is None:
            inner = self.expr(node.arg, scope)
            if inner is ERROR:
                return ERROR, asked
            if inner.type.name != "set" or self._takes_set(node.word):
                break
            one = self._of_one(node.word, local("", inner.type.of or NOTHING), scope, node.span)
            if one is ERROR:
                return ERROR, asked
            if one.type.name == "set":
                break
            asked.insert(0, node.word)
            node = node.arg
        return self.expr(node, scope), asked

    def several(self, node: t.Node, scope: Scope) -> E:
        """An expression where several things are wanted: `(u)` is a set of one there, also in `strength of (u)`."""
        if isinstance(node, t.Of):
            listed = self._entries(node, scope)
            if listed is not None:
                return listed
            arg = self.several(node.arg, scope)
            return self.of(node.word, arg, scope, node.span) if node.word != "odds" else self.expr(node, scope)
        return self.expr(node, scope, SEVERAL) if isinstance(node, t.Tuple) else self.expr(node, scope)

    def _prevailing(self, node: t.Prevailing, scope: Scope, want: Type | None) -> E:
        base, asked = self._each_of(node.arg, scope)
        if base is ERROR:
            return ERROR
        if base.type.name != "set":
            return self.problem("E214", f"`prevailing` works on several things, but this is {base.type}.", node.span)
        variable = self.fresh()
        one = value = local(variable, base.type.of or NOTHING)
        for word in asked:
            value = self.of(word, value, scope, node.arg.span)
        type_ = value.type.sure()
        scale = type_.word if type_.name == "enum" and self.ruleset.enums[type_.word].ordered else None
        ties, last = list(node.ties), ""
        if ties and ties[-1] in LAST_TIES and (one.type.name != "thing" or not self._is_property(ties[-1], one)):
            last = ties.pop()
        if (last and type_.name != "number" and not scale) or (last == "average" and scale):
            return self.problem("E201", f"`then {last}` needs numbers in order, but these are {type_}.", node.span)
        weights = [ir.Constant(1, type=NUMBER) if node.by is None else self._weight(node.by, one, scope, node.span)]
        weights += [self._weight(word, one, scope, node.span) for word in ties]
        return ir.Prevailing(base, variable, value, tuple(weights), last, scale, type=type_.maybe(), span=node.span)

    def _is_property(self, word: str, one: E) -> bool:
        return word in self._fields_of(one.type)

    def _weight(self, word: str, one: E, scope: Scope, span: Span) -> E:
        weight = self.of(word, one, scope, span)
        return weight if weight is ERROR else self.needs(weight, NUMBER, span)

    def _extremes(self, node: t.Extremes, scope: Scope, want: Type | None) -> E:
        base = self.expr(node.base, scope)
        if base is ERROR:
            return ERROR
        if base.type.name != "set":
            return self.problem(
                "E214",
                f"`whose` narrows several things, but this is {base.type}.",
                node.base.span,
                hint="Brackets say what is narrowed: (units of b) whose strength is highest",
            )
        variable = self.fresh()
        one = local(variable, base.type.of or NOTHING)
        if node.args:
            inner = scope.inner(it=one)
            head = t.Of(node.span, node.word, t.It(node.span))
            value = self._called(t.Called(node.span, head, node.args), inner, None)
        else:
            value = self.of(node.word, one, scope, node.span)
        if value is ERROR:
            return ERROR
        scale = value.type.word if value.type.name == "enum" and self.ruleset.enums[value.type.word].ordered else None
        value = figure("average", value, node.span) or value
        if not scale and not value.type.same(NUMBER):
            return self.problem("E201", f"Only numbers are highest or lowest, but these are {value.type}.", node.span)
        return ir.Extremes(base, variable, value, node.which, scale, type=base.type, span=node.span)

    def _scalefor(self, node: t.ScaleFor, scope: Scope, want: Type | None) -> E:
        info = self.ruleset.enums.get(node.scale)
        if info is None or not info.numeric:
            hint = did_you_mean(node.scale, [e.name for e in self.ruleset.enums.values() if e.numeric])
            return self.problem("E215", f"`{node.scale}` is no scale of numbers.", node.span, hint)
        way = node.direction.way if node.direction else "down"
        return ir.ScaleFor(node.scale, self.number(node.arg, scope), way, type=enum(node.scale), span=node.span)

    def _reachcost(self, node: t.ReachCost, scope: Scope, want: Type | None) -> E:
        declared = self.ruleset.bodied.get(node.path)
        if declared is None or declared.word != "path":
            paths = [n for n, x in self.ruleset.bodied.items() if x.word == "path"]
            return self.problem("E229", f"`{node.path}` is no path.", node.span, did_you_mean(node.path, paths))
        way = self._of(t.Of(node.span, node.path, node.mover), scope, None)
        goal = self.expr(node.goal, scope)
        if not isinstance(way, ir.PathExists) or goal is ERROR:
            return ERROR
        if goal.type.name != "thing":
            return self.problem("E201", f"A place or a thing is reached, but this is {goal.type}.", node.goal.span)
        goal = self.needs(goal, goal.type.sure(), node.goal.span)
        return ir.PathCost(way.name, way.arguments, goal, type=NUMBER.maybe(), span=node.span)

    def _else(self, node: t.Else, scope: Scope, want: Type | None) -> E:
        value = self.expr(node.value, scope, want)
        if value.type.name == "dice":  # in a chance they are thrown once it is known which
            other = self.expr(node.other, scope.inner(thrown=None), DICE)
        else:
            other = self.expr(node.other, scope, value.type if value.type.name == "enum" else want)
        if value is ERROR or other is ERROR:
            return ERROR
        common = joined(self.ruleset, value.type, other.type)
        if common is None and not bind_places.alike(self, value.type, other.type):
            return self.problem(
                "E201", f"This is {other.type}, but before `else` stands {value.type}.", node.other.span
            )
        kept = value.type if common is None else common
        type_ = kept.sure() if not other.type.optional else kept.maybe() if value.type.optional else kept
        if value.type.name == "nothing":
            type_ = other.type
        return ir.Otherwise(_perhaps_off_the_map(value), other, type=type_, span=node.span)

    def _numbers(self, node: t.Numbers, scope: Scope, want: Type | None) -> E:
        return ir.Numbers(
            self.number(node.low, scope), self.number(node.high, scope), type=set_of(NUMBER), span=node.span
        )

    def _negative(self, node: t.Negative, scope: Scope, want: Type | None) -> E:
        return ir.Negative(self.number(node.arg, scope), span=node.span)

    def _binary(self, node: t.Binary, scope: Scope, want: Type | None) -> E:
        if node.op == "moved":
            left = self.expr(node.left, scope, want)
            if left is ERROR:
                return ERROR
            if left.type.name != "enum" or not self.ruleset.enums[left.type.word].ordered:
                return self.problem(
                    "E201", f"Only a word of a scale can be moved, but this is {left.type}.", node.left.span
                )
            self.needs(left, left.type.sure(), node.left.span)
            return ir.Moved(left.type.word, left, self.number(node.right, scope), type=left.type, span=node.span)
        left, right = self.number(node.left, scope), self.number(node.right, scope)
        if node.op == "/":
            self.divisor(right, node.right.span)
        return ir.Arithmetic(node.op, left, right, span=node.span)

    # ---- words after `is`
    def is_one(
        self, subject: E, alternatives: tuple[t.Node, ...], scope: Scope, span: Span, negated: bool = False
    ) -> E:
        """`subject is A or B`. Overridden by the condition binder."""
        raise NotImplementedError


def _usage(name: str, params: tuple[Param, ...]) -> str:
    return "It is written: " + name + "".join(f" {p.prep} {p.name}" for p in params)


def _perhaps_off_the_map(value: E) -> E:
    """What is read of the place of a thing, as absent where the thing stands nowhere: `else` then says what counts."""
    match value:
        case ir.PlaceOf():
            return evolve(value, type=value.type.maybe())
        case ir.Field(holder=holder):
            inner = _perhaps_off_the_map(holder)
            return value if inner is holder else evolve(value, holder=inner, type=value.type.maybe())
        case ir.HolderOf(held=held):
            inner = _perhaps_off_the_map(held)
            return value if inner is held else evolve(value, held=inner, type=value.type.maybe())
    return value


__all__ = ["ERROR", "ExpressionBinder"]
