"""The passes of the binder, in order: together they turn every declaration of a ruleset into a routine of the machine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from dsl.analysis.hidden_reads import hides, opens, rests_on_others
from dsl.analysis.lookups import check_lookups
from dsl.analysis.nobody_active import check_active
from dsl.analysis.outgrown import check_growth
from dsl.analysis.unset_names import check_names_set
from dsl.binding.bound import BoundRuleset
from dsl.binding.bound_routines import bind_hook
from dsl.binding.context import BODIES, Binder
from dsl.binding.endings import bind_ending, bind_lesson
from dsl.binding.past_asked import asked_of_the_past
from dsl.binding.setups import bind_setup
from dsl.binding.triggers import bind_trigger
from dsl.binding.workload import MOST_EVER, MOST_WORKED_OUT, worked_out
from dsl.data.table_data import TableInfo
from dsl.rules.chains import MOST_CHAIN, bind_order, nodes_in, procedure_circles
from dsl.rules.circles import circle
from dsl.rules.editions import asks
from dsl.rules.ruleset import Ruleset
from dsl.rules.weave import Woven, module_of
from dsl.syntax import body_lines as ln
from dsl.syntax import declarations as d
from dsl.text.diagnostics import Diagnostic, Mark, did_you_mean
from dsl.text.phrases import an
from dsl.text.source import Span

BindingPass = Callable[[Binder], None]


def _judged_by_hidden_things(b: Binder) -> None:
    """W702: orders that are refused because of something that may be hidden from their giver."""
    if not hides(b.ruleset):
        return
    for order in [r for r in b.routines.values() if r.word == "order"]:
        for clause, read in rests_on_others(b.ruleset, b.routines, order.clauses, lawful=True):
            if read.field == "place" and opens(b.ruleset, read.kind, read.field):
                continue  # the rules reveal it to the side that finds out: that side acts on what it knows
            what = f"`{read.field}` of {an(read.kind)} may be hidden from the side that gives {order.name}."
            asked = (
                [] if _lies_within(read.e.span, clause.span) else [Mark(clause.span, f"{order.name} checks it here")]
            )
            b.problem(
                "W702", what, read.e.span, also=asked,
                hint="An order must not be refused because of something its giver does not know. Check it in its effects: `stop when …`.",
            )  # fmt: skip


def _place_of_module(b: Binder, rule: d.Rule) -> int:
    """Rules before and after the same thing run in the order in which their modules are declared; the base comes first."""
    name = module_of(rule)
    return list(b.ruleset.modules).index(name) if name in b.ruleset.modules else -1


def _lies_within(one: Span, other: Span) -> bool:
    """Whether one place of a text lies in another."""
    return one.file == other.file and other.line <= one.line <= other.end_line


def _arguments(b: Binder) -> None:
    """The arguments of a value must have different names."""
    for bodied in [x for x in b.ruleset.bodied.values() if x.word in {"value", "status", "path"}]:
        if len({p.name for p in bodied.signature.params}) < len(bodied.signature.params):
            b.problem("E102", "Two arguments have the same name.", bodied.signature.span, hint="Rename one of them.")


def _what_is_done(b: Binder) -> None:
    """Binds orders, procedures, sequences and setups; the values that they read are bound on demand."""
    for key, bodied in b.ruleset.bodied.items():
        if b.enough:
            return
        if bodied.word in {"procedure", "order", "sequence"} and key not in b.routines:
            try:
                BODIES[bodied.word](b, bodied)
            except RecursionError:
                message = f"`{bodied.name}` leads through a chain of procedures that is too long."
                b.problem("E239", message, bodied.span, hint="Call some of them in sequence instead: `do a, b, c`.")
        elif bodied.word == "setup":
            bind_setup(b, bodied)


def _values(b: Binder) -> None:
    """Binds the values, statuses and paths that nothing has read yet, in the order of their dependencies."""
    reads = b.reads
    order, lengths = bind_order(reads)
    for key in order:
        if not b.enough:
            b.routine(key, b.ruleset.bodied[key].span)
    longest = max(lengths, key=lambda k: lengths[k], default="")
    if longest and lengths[longest] > MOST_CHAIN and not circle(longest, reads):
        b.too_long(b.ruleset.bodied[longest], lengths[longest])
    else:
        _busy(b, order)


def _busy(b: Binder, order: Iterable[str]) -> None:
    """Reports the first value that works out others so often that play would stand still."""
    times = worked_out(b.routines, order)
    most = MOST_WORKED_OUT if asks(b.ruleset.edition, "worked-out") else MOST_EVER
    key = next((k for k, n in times.items() if n > most), "")
    if key:
        message = (
            f"To work out `{key}` once, other values are worked out {times[key]:,} times; the maximum is {most:,}."
        )
        hint = "Let it read a value once and name it: `let x be …`."
        b.problem("E239", message, b.ruleset.bodied[key].span, hint=hint, word=key)


def _circles(b: Binder) -> None:
    """Reports procedures that call themselves."""
    b.problems += procedure_circles(b.ruleset, b.woven)


def _hooks(b: Binder) -> None:
    """Binds rules that run before or after something."""
    for key, woven in b.woven.items():
        for when, rules in (("before", woven.before), ("after", woven.after)):
            for rule in sorted(rules, key=lambda rule: _place_of_module(b, rule)):
                b.hooks.setdefault(f"{when} {key}", []).append(bind_hook(b, rule, key))


def _triggers(b: Binder) -> None:
    """Binds rules that wait for an event or a condition."""
    for rule in b.ruleset.rules.values():
        if rule.relation.kind in {"whenever", "always"}:
            bind_trigger(b, rule)


def _tabletops(b: Binder) -> None:
    """Checks that tabletops send things and places to the table, and that rules ask the questions they answer."""
    if not b.ruleset.tabletops:
        return
    texts = tuple(x for x in b.ruleset.declarations if isinstance(x, d.Bodied | d.Rule))
    asked = {line.name for line in nodes_in(texts) if isinstance(line, ln.Choose | ln.EachChooses)}
    for laid in b.ruleset.tabletops.values():
        for name in laid.results:
            if name not in asked:
                hint = (
                    did_you_mean(name, asked) or "Name a question that a rule asks a side: `SIDE chooses outcome: …`."
                )
                b.problem("E258", f"No rule asks a question named {name}.", laid.node.span, hint, word=name)
        for name in [value for _, value in laid.forces] + ([laid.ground] if laid.ground else []):
            _laid_out(b, name, laid.node.span, ground=name == laid.ground)


def _laid_out(b: Binder, name: str, span: Span, *, ground: bool) -> None:
    """Reports a `forces` value of a tabletop that is not things, or a `ground` value that is not places."""
    found = b.routines.get(name)
    type_ = found.type.of or found.type if found is not None else None
    if type_ is None or type_.name in {"nothing", "error"}:
        return
    if type_.name != "thing" or type_.word == "side" or ground != b.ruleset.is_place(type_):
        what = "The ground of a tabletop must be places" if ground else "The forces of a tabletop must be things"
        b.problem("E258", f"{what}, but this is {type_}.", span)


def _lookups(b: Binder) -> None:
    """Checks for keys beyond the rows of their table, if there are no other errors."""
    if not any(problem.is_error for problem in b.problems):
        b.problems += check_lookups(b.ruleset, b.tables, b.routines)


def _names_set(b: Binder) -> None:
    """Checks, if there are no errors, for names that may not be set when they are read, numbers that leave their bounds, and dice of nobody."""
    if not any(problem.is_error for problem in b.problems):
        rules = [hook for hooks in b.hooks.values() for hook in hooks]
        b.problems += check_names_set(b.ruleset, [*b.routines.values(), *rules])
        b.problems += check_growth(b.ruleset, b.tables, b.routines, rules, b.triggers)
        b.problems += check_active(b.routines, b.hooks)


def _scenarios(b: Binder) -> None:
    """Binds the endings of scenarios and the hints of their lessons."""
    for scenario in b.ruleset.scenarios.values():
        b.endings[scenario.name] = [bind_ending(b, scenario, line) for line in scenario.endings]
        b.hints[scenario.name] = [hint for lesson in scenario.lessons for hint in bind_lesson(b, scenario, lesson)]


BINDING = (_what_is_done, _values, _hooks, _triggers, _scenarios)
"""The passes that make the bound rules, in order."""
PASSES = (*BINDING, _arguments, _circles, _tabletops, _judged_by_hidden_things, _lookups, _names_set)
"""The same, then those that only look for what is wrong."""


def bind_rules(
    ruleset: Ruleset,
    tables: Mapping[str, TableInfo],
    woven: Mapping[str, Woven],
    passes: Iterable[BindingPass] = PASSES,
) -> tuple[BoundRuleset, list[Diagnostic]]:
    """The bound rules for one choice of modules, and what is wrong with them. Only rules without errors may be played."""
    past = frozenset(word for x in ruleset.everything for word in asked_of_the_past(x))
    b = Binder(ruleset, tables, woven, past=past, lenient=not asks(ruleset.edition, "guards"))
    for each in passes:
        each(b)
    return b.bound(), b.problems
