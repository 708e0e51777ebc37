"""How far numbers reach: the extent of an expression, as far as a text tells it before play.

Nothing is said of what cannot be told. An extent may be wider than what comes about (two uses of one die are taken for two
dice), never narrower.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

import attrs

from dsl.ir import E, Routine, S, alike
from dsl.layout import dice_of
from dsl.ruleset import Field, Ruleset
from dsl.said import Facts, Said, Sayings
from dsl.tables import TableInfo

Bound = int | Fraction | float
"""A whole number or a fraction; as float only without end, in either direction."""
ENDLESS = math.inf


@attrs.frozen(slots=True)
class Extent:
    """The numbers from low to high. parts: whether fractions are among them."""

    low: Bound
    high: Bound
    parts: bool = False

    def joined(self, other: Extent) -> Extent:
        """The numbers of both, and what lies between."""
        return Extent(min(self.low, other.low), max(self.high, other.high), self.parts or other.parts)

    def kept(self, low: Bound, high: Bound) -> Extent:
        """What becomes of them where what is beyond is taken for the nearest bound."""
        return Extent(min(max(self.low, low), high), max(min(self.high, high), low), self.parts)

    def rounded(self, way: str) -> Extent:
        """What becomes of them rounded: down, up or to the nearest."""
        low, high = self.low, self.high
        half = Fraction(1, 2) if way == "nearest" else 0
        if not isinstance(low, float):
            low = math.floor(low) if way == "down" else math.ceil(low - half)
        if not isinstance(high, float):
            high = math.ceil(high) if way == "up" else math.floor(high + half)
        return Extent(low, high)


ANY = Extent(-ENDLESS, ENDLESS)
COUNTED = Extent(0, ENDLESS)
"""What is counted or measured in steps."""
_CALENDAR = {"day": Extent(1, 31), "month": Extent(1, 12)}


def sum_of(a: Extent, b: Extent) -> Extent:
    """Every sum of one of each."""
    return Extent(a.low + b.low, a.high + b.high, a.parts or b.parts)


def negative(a: Extent) -> Extent:
    """Each with its sign turned."""
    return Extent(-a.high, -a.low, a.parts)


def product(a: Extent, b: Extent) -> Extent:
    """Every product of one of each."""
    ends = [0 if not x or not y else x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    return _tidy(min(ends), max(ends), a.parts or b.parts)


def quotient(a: Extent, b: Extent) -> Extent | None:
    """Every quotient of one of each; None where the divisor may be 0."""
    if b.low <= 0 <= b.high:
        return None

    def turned(x: Bound) -> Bound:
        return 0 if isinstance(x, float) else Fraction(1) / x

    by = product(a, Extent(turned(b.high), turned(b.low)))
    return _tidy(by.low, by.high, parts=True)


def _tidy(low: Bound, high: Bound, parts: bool) -> Extent:
    """An extent with whole bounds as whole numbers; a single whole number has no parts."""

    def plain(x: Bound) -> Bound:
        return x.numerator if isinstance(x, Fraction) and x.denominator == 1 else x

    one = plain(low)
    return Extent(one, plain(high), parts and not (low == high and isinstance(one, int)))


def together(extents: Iterable[Extent | None]) -> Extent | None:
    """The numbers of all; None where one of them is not known, or where there are none."""
    found: Extent | None = None
    for extent in extents:
        if extent is None:
            return None
        found = extent if found is None else found.joined(extent)
    return found


def _is_difference(base: E) -> bool:
    """`(a - b, b - a)`, of which one is not below 0."""
    one, other = base.args if base.op == "list" and len(base.args) == 2 else (base, base)
    if one.op != "arithmetic" or other.op != "arithmetic":
        return False
    return one.args[0] == other.args[0] == "-" and alike(one.args[1:], (other.args[2], other.args[1]))


class Extents:
    """Tells how far the numbers of one bound ruleset reach."""

    def __init__(
        self, ruleset: Ruleset, tables: Mapping[str, TableInfo], routines: Mapping[str, Routine], sayings: Sayings
    ) -> None:
        self.ruleset, self.tables, self.routines, self.sayings = ruleset, tables, routines, sayings
        self._known: dict[tuple[str, str], Extent | None] = {}

    def of(self, e: E, said: Said) -> Extent | None:
        """How far an expression reaches where it is said; None where that cannot be told."""
        if e.type.name != "number":
            return None
        method = getattr(self, f"_{e.op}", None)
        found: Extent | None = method(e, said) if method is not None else None
        return None if found is None else self._narrowed(e, found, said)

    def _narrowed(self, e: E, found: Extent, said: Said) -> Extent | None:
        """What is left of an extent by the conditions that hold where it is asked for; None where they leave nothing."""
        for op, other in said.facts.limits(e):
            bound = self.of(other, attrs.evolve(said, facts=Facts()))
            if bound is None:
                continue
            low, high = found.low, found.high
            step = 0 if found.parts or bound.parts else 1
            if op in {"<", "<=", "="}:
                high = min(high, bound.high - (step if op == "<" else 0))
            if op in {">", ">=", "="}:
                low = max(low, bound.low + (step if op == ">" else 0))
            if low > high:
                return None
            found = Extent(low, high, found.parts)
        return found

    # ---- what is plain
    def _const(self, e: E, said: Said) -> Extent:  # noqa: ARG002 (all are called alike)
        value = e.args[0]
        return Extent(value, value, isinstance(value, Fraction))

    def _option(self, e: E, said: Said) -> Extent:  # noqa: ARG002
        terms = [int(term) for term in e.args[1]]
        return Extent(min(terms), max(terms))

    def _turn(self, e: E, said: Said) -> Extent:  # noqa: ARG002
        return Extent(1, ENDLESS)

    def _distance(self, e: E, said: Said) -> Extent:  # noqa: ARG002
        return COUNTED

    def _calendar(self, e: E, said: Said) -> Extent | None:  # noqa: ARG002
        return _CALENDAR.get(e.args[0])

    def _steps(self, e: E, said: Said) -> Extent:  # noqa: ARG002
        last = len(self.ruleset.enums[e.args[0]].words) - 1
        return Extent(-last, last)

    def _field(self, e: E, said: Said) -> Extent | None:  # noqa: ARG002
        holder, name = e.args
        if not isinstance(holder, E):
            return None
        kind = self.ruleset.kinds.get(holder.type.word) if holder.type.name == "thing" else None
        fields: Mapping[str, Field] = kind.fields if kind is not None else {}
        if holder.type.name == "rating":
            fields = self.ruleset.rating_fields.get(holder.type.word, {})
        field = fields.get(name)
        if field is None:
            return None
        if field.track or field.full_of:
            return Extent(0, ENDLESS)
        return ANY if field.low is None or field.high is None else Extent(field.low, field.high)

    def _column(self, e: E, said: Said) -> Extent | None:  # noqa: ARG002
        row, index = e.args
        cells = [r.cells[index] for r in self.tables[row.type.word].rows] if row.type.name == "row" else []
        return together(Extent(c, c, isinstance(c, Fraction)) for c in cells if c is not None)

    # ---- arithmetic
    def _arithmetic(self, e: E, said: Said) -> Extent | None:
        op, a, b = e.args
        left, right = self.of(a, said), self.of(b, said)
        if left is None or right is None:
            return None
        if op in {"+", "-"}:
            return sum_of(left, right if op == "+" else negative(right))
        if op == "*":
            return product(left, right)
        return quotient(left, right) if op == "/" else quotient(product(left, right), Extent(100, 100))

    def _negative(self, e: E, said: Said) -> Extent | None:
        found = self.of(e.args[0], said)
        return None if found is None else negative(found)

    def _must(self, e: E, said: Said) -> Extent | None:
        return self.of(e.args[0], said)

    def _else(self, e: E, said: Said) -> Extent | None:
        return together(self.of(x, said) for x in e.args)

    def _aggregate(self, e: E, said: Said) -> Extent | None:
        which, base, _ = e.args
        if which == "count":
            return COUNTED
        found = self._members(base, said)
        if found is None:
            return None
        if which == "sum":
            return Extent(-ENDLESS if found.low < 0 else 0, ENDLESS if found.high > 0 else 0, found.parts)
        if which == "highest" and _is_difference(base):
            return Extent(max(found.low, 0), found.high, found.parts)
        return attrs.evolve(found, parts=found.parts or which == "average")

    def _members(self, base: E, said: Said) -> Extent | None:
        """How far each of several numbers reaches."""
        if base.op == "list":
            return together(self.of(x, said) for x in base.args)
        if base.op == "map" and not base.args[3]:
            return self.of(base.args[2], said)
        return None

    # ---- names
    def _local(self, e: E, said: Said) -> Extent | None:
        name = e.args[0]
        return self._named(said.routine, name, lambda: self.sayings.local(said.routine, name))

    def _frame(self, e: E, said: Said) -> Extent | None:
        access, name = e.args[:2]
        owner = self.sayings.owner(said.routine, access)
        if owner is None:
            return None
        found = self._named(owner, name, lambda: self.sayings.framed(owner, name))
        for s, at in self.sayings.changed(owner, name):
            found = None if found is None else self._changed(found, s, at, said)
        return found

    _frame_map = _frame

    def _named(self, owner: Routine, name: str, given: Callable[[], Iterable[tuple[E | S, Said]]]) -> Extent | None:
        """How far a name reaches, by all that gives it a value."""
        key = (f"{owner.word} {owner.name}", name)
        if key not in self._known:
            self._known[key] = None  # what rests on itself cannot be told
            self._known[key] = together(self._given(s, name, said) for s, said in given())
        return self._known[key]

    def _changed(self, before: Extent, s: S, at: Said, said: Said) -> Extent | None:
        """What a line makes of a name that it changes, as seen from another; only what is gained or lost can be told."""
        value: E = s["value"]
        counted = s.op == "set_frame" and value.op == "arithmetic" and value.args[0] in {"+", "-"}
        if not counted or not alike(value.args[1], s["target"]):
            return None
        amount = self.of(value.args[2], at)
        if amount is None:
            return None
        amount = negative(amount) if value.args[0] == "-" else amount
        here = at.routine is said.routine and not at.looped
        if here and at.number >= said.number:
            return before
        if at.looped:
            amount = Extent(-ENDLESS if amount.low < 0 else 0, ENDLESS if amount.high > 0 else 0, amount.parts)
        if not here or at.loose:
            amount = amount.joined(Extent(0, 0))
        return sum_of(before, amount)

    def _given(self, s: S | E, name: str, said: Said) -> Extent | None:
        """What one line, or one asking of a value, gives to a name."""
        if isinstance(s, E):
            return self.of(s, said)
        if s.op in {"rolls", "each_rolls"}:
            return self._rolled(s, said)
        if s.op in {"choose", "each_chooses"}:
            return self._chosen(s, said)
        if s.op == "draws":
            return self._members(s["source"], said)
        if s.op == "let":
            return self.of(s["value"], said)
        return self.of(s["given"][name], said) if s.op == "do" else None

    def _rolled(self, s: S, said: Said) -> Extent | None:
        dice: E = s["dice"]
        if dice.op == "many_dice":
            many, text = self.of(dice.args[0], said), dice.args[1]
        elif dice.op == "const" and dice.args[0] is not None:
            text = dice.args[0]
            many = Extent(dice_of(text)[0], dice_of(text)[0])
        else:
            return None
        faces, plus = dice_of(text)[1:]
        if many is None:
            return None
        one = sum_of(product(Extent(max(many.low, 0), max(many.high, 0)), Extent(1, faces)), Extent(plus, plus))
        if s["count"] is None:
            return one
        rolls = self.of(s["count"], said)
        return None if rolls is None else product(rolls, one)

    def _chosen(self, s: S, said: Said) -> Extent | None:
        if s["kind"] in {"number", "split"}:
            most = self.of(s["amount"], said)
            return None if most is None else Extent(0, max(most.high, 0))
        return self._members(s["source"], said) if s["source"] is not None and not s["many"] else None

    # ---- values
    def _call(self, e: E, said: Said) -> Extent | None:  # noqa: ARG002
        routine = self.routines.get(e.args[0])
        if routine is None or routine.word != "value":
            return None
        key = (routine.name, "")
        if key not in self._known:
            self._known[key] = None
            self._known[key] = self._value(routine)
        return self._known[key]

    def _value(self, routine: Routine) -> Extent | None:
        """A value by its lines. Of one that a rule excepts nothing is told."""
        starts: list[Extent | None] = []
        steps: list[tuple[S, Said]] = []
        for s, said in self.sayings.lines.get(f"value {routine.name}", ()):
            if s.op == "except":
                return None
            if s.op in {"start", "case"}:
                starts.append(self.of(s["value"], said))
            elif s.op in {"add", "adjust"}:
                steps.append((s, said))
        if not starts and steps:
            starts.append(Extent(0, 0))
        found = together(starts)
        for s, said in steps:
            if found is None:
                return None
            after = self._stepped(found, s, said)
            found = after if s["when"] is None or after is None else found.joined(after)
        return found

    def _stepped(self, before: Extent, s: S, said: Said) -> Extent | None:
        """What a step makes of a number."""
        how: Any = "plus" if s.op == "add" else s["how"]
        if how == "rounded":
            return before.rounded(s["way"])
        by = self.of(s["value"], said)
        if by is None:
            return None
        match how:
            case "plus":
                return sum_of(before, by)
            case "minus":
                return sum_of(before, negative(by))
            case "times":
                return product(before, by)
            case "divided":
                return quotient(before, by)
            case "at-least":
                return Extent(max(before.low, by.low), max(before.high, by.high), before.parts or by.parts)
            case "at-most":
                return Extent(min(before.low, by.low), min(before.high, by.high), before.parts or by.parts)
            case "instead":
                return by
        return None
