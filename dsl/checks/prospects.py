"""Prospects: problems that a scenario will have in play, as far as its text shows them in advance.

The checks are whether any side ever gets a turn, and how the game can end. Whether forces start on terrain that they could not
enter is checked elsewhere, since that needs a map with things on it (`interpreter/setup/footing.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from operator import eq, ge, gt, le, lt, ne

from dsl import ir
from dsl.analysis.effects_of import fields_changed, kind_changed, lines_done
from dsl.binding.bound import BoundRuleset
from dsl.ir import E, S, find, lines_in
from dsl.syntax import declarations as d
from dsl.syntax import syntax_tree as t
from dsl.text.diagnostics import Diagnostic, Mark, at
from dsl.text.source import Span

TURN = "sequence game-turn"
"""The sequence that defines the turn."""
MOST_TURNS = 2_000
"""The number of turns to look ahead for an end."""

_COMPARED = {"=": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}


def check_prospects(rules: BoundRuleset, scenario: d.Scenario) -> list[Diagnostic]:
    """Problems of a scenario in play, under the modules that are bound."""
    if TURN not in rules.routines:
        message = f"{scenario.name} cannot be played: the rules have no sequence game-turn to define its turn."
        return [at("E351", message, scenario.span, word=scenario.name)]
    return [*_unfilled(rules, scenario), *_endless(rules, scenario), *_vain_endings(rules, scenario)]


# ---- the turn
def _unfilled(rules: BoundRuleset, scenario: d.Scenario) -> Iterator[Diagnostic]:
    """E344: lists of the campaign that the turn goes through and nothing fills."""
    empty = _empty_lists(rules, scenario)
    told: set[str] = set()
    for s in lines_done(rules.routines, rules.hooks, TURN):
        name = _surely_empty(rules, s.over, empty) if isinstance(s, ir.ForEach) and isinstance(s.over, E) else ""
        if not name or name in told:
            continue
        told.add(name)
        sides = ", ".join(side.name for side in scenario.sides)
        of = rules.ruleset.kinds[rules.ruleset.campaign_kind].fields[name].type.of
        entries = sides if of is not None and of.word == "side" else "…"
        yield at(
            "E344",
            f"The turn goes through the {name}, but {scenario.name} leaves it empty: that part of the turn would do nothing.",
            scenario.span,
            word=scenario.name,
            also=[Mark(s.span, "here the turn goes through it")],
            hint=f"Add a line to the scenario: {name} is {entries}",
        )


def _empty_lists(rules: BoundRuleset, scenario: d.Scenario) -> frozenset[str]:
    """The lists of the campaign that neither the scenario mentions nor any rule changes. A list that it sets to `none` is mentioned."""
    info = rules.ruleset.kinds.get(rules.ruleset.campaign_kind)
    if info is None:
        return frozenset()
    said = {fact.target.word for fact in scenario.facts if isinstance(fact.target, t.Name)}
    lists = {f.name for f in info.fields.values() if f.type.name == "set"}
    changed = {
        name for s in _all_lines(rules) if kind_changed(s) == info.name for name in fields_changed(rules.ruleset, s)
    }
    return frozenset(lists - said - changed)


def _all_lines(rules: BoundRuleset) -> Iterator[S]:
    """Every line of every rule, including rules that wait and rules before and after others."""
    for routine in rules.routines.values():
        yield from lines_in(routine.body)


def _surely_empty(rules: BoundRuleset, e: E, empty: frozenset[str]) -> str:
    """The list that makes a set empty in any case; an empty string if the set may contain something."""
    if isinstance(e, ir.Field) and e.name in empty and isinstance(e.holder, ir.Game):
        return e.name
    if isinstance(e, ir.Filter | ir.Near | ir.LeaveOut):
        return _surely_empty(rules, e.base, empty)
    if isinstance(e, ir.Call) and not e.arguments and (value := rules.routines.get(e.name)) is not None:
        lines = [s for s in value.body if isinstance(s, ir.Start | ir.Case)]
        names = [_surely_empty(rules, s.value, empty) for s in lines] if len(lines) == len(value.body) else []
        return names[0] if names and all(names) else ""
    return ""


# ---- the end
def _endless(rules: BoundRuleset, scenario: d.Scenario) -> Iterator[Diagnostic]:
    """W347: a scenario without an ending in a system without a rule that ends the game."""
    if not scenario.endings and not any(isinstance(s, ir.EndGame) for s in _all_lines(rules)):
        message = f"Nothing ends {scenario.name}: neither the scenario nor a rule has an ending."
        yield at("W347", message, scenario.span, word=scenario.name)


def _vain_endings(rules: BoundRuleset, scenario: d.Scenario) -> Iterator[Diagnostic]:
    """W348: endings that can never be reached. E345: an ending before anybody has played."""
    endings = [(when, span) for _, when, _, span in rules.endings[scenario.name]]
    last, by = _certain_end(endings)
    if last == 1:
        message = f"{scenario.name} is over before play begins: this condition holds at the start of turn 1."
        yield at("E345", message, endings[by][1], hint="To end the game after turn 1, write `turn > 1`.")
        return
    for number, (when, span) in enumerate(endings):
        turns = range(1, last + (number <= by))
        if any(_holds(when, turn) is not False for turn in turns):
            continue
        if any(_holds(when, turn) is not False for turn in range(last, MOST_TURNS)):
            also = [Mark(endings[by][1], f"the game ends here after {last - 1} {'turn' if last == 2 else 'turns'}")]
            yield at("W348", "The game can never end here: it ends earlier.", span, also=also)
        else:
            yield at("W348", "The game can never end here: the condition never holds.", span)


def _certain_end(endings: list[tuple[E | None, Span]]) -> tuple[int, int]:
    """The first turn at whose start some ending certainly holds, and which one; otherwise the last turn that is checked."""
    dated = [any(find(when, ir.Turn)) for when, _ in endings]
    for turn in range(1, MOST_TURNS):
        for number, (when, _) in enumerate(endings):
            if (turn == 1 or dated[number]) and _holds(when, turn):
                return turn, number
    return MOST_TURNS, len(endings)


def _holds(when: E | None, turn: int) -> bool | None:
    """Whether a condition holds at the start of a turn, judged by the turn and by constants; None if that is unknown."""
    if when is None:
        return True
    if isinstance(when, ir.And | ir.Or):
        sure = isinstance(when, ir.Or)
        parts = [_holds(part, turn) for part in when.items]
        return sure if sure in parts else None if None in parts else not sure
    if isinstance(when, ir.Not):
        inner = _holds(when.item, turn)
        return None if inner is None else not inner
    if isinstance(when, ir.Constant) and isinstance(when.value, bool):
        return when.value
    if isinstance(when, ir.Compare | ir.Equal):
        sign = "=" if isinstance(when, ir.Equal) else when.sign
        one, other = _number(when.left, turn), _number(when.right, turn)
        return None if one is None or other is None else bool(_COMPARED[sign](one, other))
    return None


def _number(e: object, turn: int) -> Fraction | None:
    """The value of an expression in a turn; None if that is unknown."""
    if not isinstance(e, E):
        return None
    if isinstance(e, ir.Turn):
        return Fraction(turn)
    if isinstance(e, ir.Constant):
        value = e.value
        return Fraction(value) if isinstance(value, int | Fraction) and not isinstance(value, bool) else None
    if isinstance(e, ir.Negative):
        inner = _number(e.value, turn)
        return None if inner is None else -inner
    if not isinstance(e, ir.Arithmetic):
        return None
    sign, one, other = e.sign, _number(e.left, turn), _number(e.right, turn)
    if one is None or other is None or (sign == "/" and not other):
        return None
    match sign:
        case "+":
            return one + other
        case "-":
            return one - other
        case "*":
            return one * other
        case "/":
            return one / other
        case _:
            return one * other / 100
