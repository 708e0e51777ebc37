"""The extent of an expression: the range of numbers it can have, as far as the rule text determines it before play.

Where the text does not determine a range, there is no extent. An extent may be wider than the real range (two uses of one
die are treated as two dice), but never narrower.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction

import attrs

from dsl import ir
from dsl.analysis.said import Facts, Said, Sayings
from dsl.data.table_data import TableInfo
from dsl.ir import E, Routine, S, alike
from dsl.rules.ruleset import Field, Ruleset
from dsl.syntax.dice_words import dice_of

Bound = int | Fraction | float
"""A whole number or a fraction; a float only for infinity, in either direction."""
ENDLESS = math.inf


@attrs.frozen(slots=True)
class Extent:
    """The numbers from low to high. parts: whether fractions are among them."""

    low: Bound
    high: Bound
    parts: bool = False

    def joined(self, other: Extent) -> Extent:
        """The smallest extent that includes both."""
        return Extent(min(self.low, other.low), max(self.high, other.high), self.parts or other.parts)

    def kept(self, low: Bound, high: Bound) -> Extent:
        """The extent after values beyond the bounds are replaced by the nearest bound."""
        return Extent(min(max(self.low, low), high), max(min(self.high, high), low), self.parts)

    def rounded(self, way: str) -> Extent:
        """The extent after rounding: down, up or to the nearest."""
        low, high = self.low, self.high
        half = Fraction(1, 2) if way == "nearest" else 0
        if not isinstance(low, float):
            low = math.floor(low) if way == "down" else math.ceil(low - half)
        if not isinstance(high, float):
            high = math.ceil(high) if way == "up" else math.floor(high + half)
        return Extent(low, high)


ANY = Extent(-ENDLESS, ENDLESS)
COUNTED = Extent(0, ENDLESS)
"""Counts, and distances in steps."""
MOST_FOLLOWED = 80
"""An expression that leads through more than so many others, each part of the one before or what sets its name, has no extent."""
_CALENDAR = {"day": Extent(1, 31), "month": Extent(1, 12)}


def sum_of(a: Extent, b: Extent) -> Extent:
    """Every sum of a value from each."""
    return Extent(a.low + b.low, a.high + b.high, a.parts or b.parts)


def negative(a: Extent) -> Extent:
    """Every value with the opposite sign."""
    return Extent(-a.high, -a.low, a.parts)


def product(a: Extent, b: Extent) -> Extent:
    """Every product of a value from each."""
    ends = [0 if not x or not y else x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    return _tidy(min(ends), max(ends), a.parts or b.parts)


def quotient(a: Extent, b: Extent) -> Extent | None:
    """Every quotient of a value from each; None if the divisor may be 0."""
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
    """The smallest extent that includes all; None if one is unknown, or if there are none."""
    found: Extent | None = None
    for extent in extents:
        if extent is None:
            return None
        found = extent if found is None else found.joined(extent)
    return found


def _is_difference(base: E) -> bool:
    """`(a - b, b - a)`, of which one is at least 0."""
    match base:
        case ir.Listed(items=(ir.Arithmetic(sign="-") as one, ir.Arithmetic(sign="-") as other)):
            return alike((one.left, one.right), (other.right, other.left))
    return False


class Extents:
    """Finds the extents of the numbers of one bound ruleset."""

    def __init__(
        self, ruleset: Ruleset, tables: Mapping[str, TableInfo], routines: Mapping[str, Routine], sayings: Sayings
    ) -> None:
        self.ruleset, self.tables, self.routines, self.sayings = ruleset, tables, routines, sayings
        self._known: dict[tuple[str, str], Extent | None] = {}
        self._followed = 0

    def of(self, e: E, said: Said) -> Extent | None:
        """The extent of an expression at its place; None if it is unknown."""
        if e.type.name != "number" or self._followed > MOST_FOLLOWED:
            return None
        self._followed += 1
        found = self._plain(e) or self._worked_out(e, said)
        found = None if found is None else self._narrowed(e, found, said)
        self._followed -= 1
        return found

    def _narrowed(self, e: E, found: Extent, said: Said) -> Extent | None:
        """The extent as narrowed by the conditions that hold at this place; None if they leave nothing."""
        apart = said.under(Facts())
        for op, other in said.facts.limits(e):
            bound = self._plain(other) or self.of(other, apart)
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

    def _plain(self, e: E) -> Extent | None:
        """The extent of an expression that determines it by itself."""
        match e:
            case ir.Constant(value=int() | Fraction() as value):
                return Extent(value, value, isinstance(value, Fraction))
            case ir.OptionRead(choices=choices):
                terms = [int(term) for term in choices]
                return Extent(min(terms), max(terms))
            case ir.Turn():
                return Extent(1, ENDLESS)
            case ir.Distance():
                return COUNTED
            case ir.Calendar(part=part):
                return _CALENDAR.get(part)
            case ir.Steps(scale=scale):
                last = len(self.ruleset.enums[scale].words) - 1
                return Extent(-last, last)
            case ir.Field(holder=holder, name=name):
                return self._field(holder, name)
            case ir.Column(row=row, index=index):
                cells = [r.cells[index] for r in self.tables[row.type.word].rows] if row.type.name == "row" else []
                return together(Extent(c, c, isinstance(c, Fraction)) for c in cells if c is not None)
        return None

    def _field(self, holder: E, name: str) -> Extent | None:
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

    def _worked_out(self, e: E, said: Said) -> Extent | None:
        """The extent of an expression by its parts, and by the lines that set its names."""
        match e:
            case ir.Arithmetic():
                return self._arithmetic(e, said)
            case ir.Negative(value=value):
                found = self.of(value, said)
                return None if found is None else negative(found)
            case ir.Must(value=value):
                return self.of(value, said)
            case ir.Otherwise(value=value, other=other):
                return together(self.of(x, said) for x in (value, other))
            case ir.Aggregate():
                return self._aggregate(e, said)
            case ir.Local(name=name):
                return self._named(said.routine, name, lambda: self.sayings.local(said.routine, name))
            case ir.FrameName(frame=frame, name=name) | ir.FrameEntry(frame=frame, name=name):
                return self._framed(frame, name, said)
            case ir.Call(name=name):
                return self._call(name)
        return None

    def _arithmetic(self, e: ir.Arithmetic, said: Said) -> Extent | None:
        left, right = self.of(e.left, said), self.of(e.right, said)
        if left is None or right is None:
            return None
        if e.sign in {"+", "-"}:
            return sum_of(left, right if e.sign == "+" else negative(right))
        if e.sign == "*":
            return product(left, right)
        return quotient(left, right) if e.sign == "/" else quotient(product(left, right), Extent(100, 100))

    def _aggregate(self, e: ir.Aggregate, said: Said) -> Extent | None:
        if e.which == "count":
            return COUNTED
        found = self._members(e.base, said)
        if found is None:
            return None
        if e.which == "sum":
            return Extent(-ENDLESS if found.low < 0 else 0, ENDLESS if found.high > 0 else 0, found.parts)
        if e.which == "highest" and _is_difference(e.base):
            return Extent(max(found.low, 0), found.high, found.parts)
        return attrs.evolve(found, parts=found.parts or e.which == "average")

    def _members(self, base: E, said: Said) -> Extent | None:
        """The extent of each of several numbers."""
        if isinstance(base, ir.Listed):
            return together(self.of(x, said) for x in base.items)
        if isinstance(base, ir.MapOver) and not base.flat:
            return self.of(base.body, said)
        return None

    # ---- names
    def _framed(self, frame: str, name: str, said: Said) -> Extent | None:
        owner = self.sayings.owner(said.routine, frame)
        if owner is None:
            return None
        found = self._named(owner, name, lambda: self.sayings.framed(owner, name))
        for s, at in self.sayings.changed(owner, name):
            found = None if found is None else self._changed(found, s, at, said)
        return found

    def _named(self, owner: Routine, name: str, given: Callable[[], Iterable[tuple[E | S, Said]]]) -> Extent | None:
        """The extent of a name, by everything that sets it."""
        key = (f"{owner.word} {owner.name}", name)
        if key not in self._known:
            self._known[key] = None  # the extent of a name that depends on itself is unknown
            self._known[key] = together(self._given(s, name, said) for s, said in given())
        return self._known[key]

    def _changed(self, before: Extent, s: S, at: Said, said: Said) -> Extent | None:
        """The extent of a name after a line that changes it, as seen from another; known only for gains and losses."""
        value = s.value if isinstance(s, ir.SetName) else None
        if not isinstance(s, ir.SetName) or not isinstance(value, ir.Arithmetic) or value.sign not in {"+", "-"}:
            return None
        if not alike(value.left, s.target):
            return None
        amount = self.of(value.right, at)
        if amount is None:
            return None
        amount = negative(amount) if value.sign == "-" else amount
        here = at.routine is said.routine and not at.looped
        if here and at.number >= said.number:
            return before
        if at.looped:
            amount = Extent(-ENDLESS if amount.low < 0 else 0, ENDLESS if amount.high > 0 else 0, amount.parts)
        if not here or at.loose:
            amount = amount.joined(Extent(0, 0))
        return sum_of(before, amount)

    def _given(self, s: S | E, name: str, said: Said) -> Extent | None:
        """The extent that one line, or one call of a value, gives to a name."""
        if isinstance(s, E):
            return self.of(s, said)
        if isinstance(s, ir.Roll | ir.EachRolls):
            return self._rolled(s, said)
        if isinstance(s, ir.Choose | ir.EachChooses):
            return self._chosen(s, said)
        if isinstance(s, ir.Draw):
            return self._members(s.source, said)
        if isinstance(s, ir.Let):
            return self.of(s.value, said)
        return self.of(s.given[name], said) if isinstance(s, ir.Do) else None

    def _rolled(self, s: ir.Roll | ir.EachRolls, said: Said) -> Extent | None:
        dice = s.dice
        if isinstance(dice, ir.ManyDice):
            many, text = self.of(dice.count, said), dice.one
        elif isinstance(dice, ir.Constant) and isinstance(dice.value, str):
            text = dice.value
            many = Extent(dice_of(text)[0], dice_of(text)[0])
        else:
            return None
        faces, plus = dice_of(text)[1:]
        if many is None:
            return None
        one = sum_of(product(Extent(max(many.low, 0), max(many.high, 0)), Extent(1, faces)), Extent(plus, plus))
        if s.count is None:
            return one
        rolls = self.of(s.count, said)
        return None if rolls is None else product(rolls, one)

    def _chosen(self, s: ir.Choose | ir.EachChooses, said: Said) -> Extent | None:
        if s.kind in {"number", "split"}:
            most = self.of(s.amount, said) if s.amount is not None else None
            return None if most is None else Extent(0, max(most.high, 0))
        several = isinstance(s, ir.Choose) and s.many
        return self._members(s.source, said) if s.source is not None and not several else None

    # ---- values
    def _call(self, name: str) -> Extent | None:
        routine = self.routines.get(name)
        if routine is None or routine.word != "value":
            return None
        key = (routine.name, "")
        if key not in self._known:
            self._known[key] = None
            self._known[key] = self._value(routine)
        return self._known[key]

    def _value(self, routine: Routine) -> Extent | None:
        """The extent of a value, by its lines. Unknown if a rule excepts it."""
        starts: list[Extent | None] = []
        steps: list[tuple[ir.Add | ir.Adjust, Said]] = []
        for s, said in self.sayings.lines.get(f"value {routine.name}", ()):
            if isinstance(s, ir.Except):
                return None
            if isinstance(s, ir.Start | ir.Case):
                starts.append(self.of(s.value, said))
            elif isinstance(s, ir.Add | ir.Adjust):
                steps.append((s, said))
        if not starts and steps:
            starts.append(Extent(0, 0))
        found = together(starts)
        for s, said in steps:
            if found is None:
                return None
            after = self._stepped(found, s, said)
            found = after if s.when is None or after is None else found.joined(after)
        return found

    def _stepped(self, before: Extent, s: ir.Add | ir.Adjust, said: Said) -> Extent | None:
        """The extent of a number after a step."""
        how = "plus" if isinstance(s, ir.Add) else s.how
        if isinstance(s, ir.Adjust) and s.how == "rounded":
            return before.rounded(s.way or "")
        by = self.of(s.value, said) if s.value is not None else None
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
