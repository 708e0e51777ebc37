"""Unused parts of a system: values nothing reads, fields nothing uses, orders never offered, words that no order can leave."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from dsl import ir
from dsl.binding.bound import BoundRuleset
from dsl.rules.chains import nodes_in, words_in
from dsl.syntax import declarations as d
from dsl.text.diagnostics import Diagnostic, at
from dsl.text.phrases import an
from dsl.text.shown import SHOWN


def check_usage(declarations: Sequence[d.Declaration], bound: Sequence[BoundRuleset]) -> list[Diagnostic]:
    """Warnings over all choices of modules together: something is unused only if no choice uses it.

    Values, statuses and fields are reported only if their name appears nowhere else, examples included.
    """
    used: set[str] = set()
    for rules in bound:
        used |= rules.used
    texts = Counter(word for declaration in declarations for word in (*words_in(declaration), *_opening(declaration)))
    leaned_on = set(_modules_named(declarations))
    problems: list[Diagnostic] = []
    for x in declarations:
        match x:
            case d.Module(needs=(), excludes=()) if x.name not in leaned_on:
                message = f"Nothing depends on the module {x.name}."
                hint = f"Write `, with {x.name}` before the colon of what it adds, or remove it."
                problems.append(at("W610", message, x.span, hint=hint, word=x.name))
            case d.Option() if f"option {x.name}" not in used:
                problems.append(at("W601", f"No rule uses the option {x.name}.", x.span, word=x.name))
            case d.Table() if f"table {x.name}" not in used:
                hint = f"Use it with `{x.name} at …`, or remove it."
                problems.append(at("W602", f"No rule uses the table {x.name}.", x.span, hint=hint, word=x.name))
            case d.Bodied(word="order") if f"order {x.name}" not in used:
                hint = f"Add `active may {x.name}` to a phase."
                problems.append(at("W603", f"No phase offers the order {x.name}.", x.span, hint=hint, word=x.name))
            case d.Bodied(word="procedure") if f"procedure {x.name}" not in used:
                hint = f"Call it from an order, a phase or another procedure: `do {x.name}`."
                problems.append(at("W604", f"Nothing calls the procedure {x.name}.", x.span, hint=hint, word=x.name))
            case d.Bodied(word="value") if not (_elsewhere(x, texts) or _appeals(x.name, bound) or x.name in SHOWN):
                problems.append(at("W606", f"Nothing reads the value {x.name}.", x.span, word=x.name))
            case d.Bodied(word="status" | "path") if not _elsewhere(x, texts) and x.name not in SHOWN:
                problems.append(at("W607", f"Nothing uses the {x.word} {x.name}.", x.span, word=x.name))
            case d.Kind():
                problems += _unread_fields(x, x.fields, used, texts)
            case d.Rating() | d.Group():
                problems += _unread_fields(x, x.fields, used, texts)
    problems += _never_left(bound[0]) if bound else []
    return problems


def _modules_named(declarations: Sequence[d.Declaration]) -> Iterator[str]:
    """The modules that rules and data depend on, and those that other modules need or exclude. Examples and choices do not count."""
    for x in declarations:
        if isinstance(x, d.Module):
            yield from (*x.needs, *x.excludes)
        elif not isinstance(x, d.Example):
            yield from (name for node in nodes_in(x) for _, name in getattr(node, "guards", ()))


def _opening(x: d.Declaration) -> list[str]:
    """The marks that open hidden fields of a kind: `hidden from enemy until seen`."""
    return [line.lifted for line in x.visibility] if isinstance(x, d.Kind | d.Group) else []


def _appeals(name: str, bound: Sequence[BoundRuleset]) -> bool:
    """Whether a value is read only by automated sides and the deadline: `appeal-of-march`, `table-tells-losses`."""
    order = name.removeprefix("appeal-of-").removeprefix("table-tells-")
    return order != name and any(
        f"order {order}" in b.routines or any(order in r.frame for r in b.routines.values()) for b in bound
    )


def _elsewhere(x: d.Bodied, texts: Counter[str]) -> bool:
    """Whether its name is used outside its own declaration."""
    return texts[x.name] > (x.name in words_in(x))


def _unread_fields(
    x: d.Kind | d.Rating | d.Group, fields: Sequence[d.Field], used: set[str], texts: Counter[str]
) -> list[Diagnostic]:
    owners = [x.name, *x.words] if isinstance(x, d.Group) else [x.name]
    shown = {
        name
        for f in fields
        if f.kept_for is None
        for name in [f.name]
        if not texts[name] and not any(f"field {owner}.{name}" in used for owner in owners)
    }
    return [
        at("W608", f"Nothing reads the field {f.name} of {an(x.name)}.", f.span, word=f.name)
        for f in fields
        if f.name in shown and f.name not in {"name", "title"}
    ]


def _never_left(rules: BoundRuleset) -> list[Diagnostic]:
    """Words that `legal from … to` lines enter but never leave, or leave but never enter."""
    problems: list[Diagnostic] = []
    for routine in rules.routines.values():
        if routine.word != "order":
            continue
        moves = [c for c in routine.clauses if isinstance(c, ir.LegalFrom)]
        leaving = {w for c in moves for w in c.before if set(c.after) - {w}}
        for clause in moves:
            for word in clause.after:
                if word not in leaving and not any(p.span == clause.span for p in problems):
                    hint = f"Add a line `legal from {word} to …`."
                    problems.append(at("W605", f"`{word}` can be entered but never left.", clause.span, hint=hint))
    return problems
