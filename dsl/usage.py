"""What nothing uses: values nobody reads, options nobody asks, phases and orders that never come, terms never left."""

from __future__ import annotations

from collections.abc import Sequence

from dsl import declarations as d
from dsl.bind import BodyBinder
from dsl.diagnostics import Diagnostic, at
from dsl.weave import phases_of


def check_usage(declarations: Sequence[d.Declaration], binders: Sequence[BodyBinder]) -> list[Diagnostic]:
    """Warnings over all choices of modules together: something is unused only if no choice uses it."""
    used: set[str] = set()
    offered: set[str] = set()
    for binder in binders:
        used |= binder.used
        for sequence in [x for x in binder.ruleset.bodied.values() if x.word == "sequence"]:
            offered |= set(phases_of(binder.ruleset)) if sequence else set()
    problems: list[Diagnostic] = []
    for declaration in declarations:
        match declaration:
            case d.Option() if f"option {declaration.name}" not in used:
                problems.append(
                    at(
                        "W601",
                        f"No rule asks the option {declaration.name}.",
                        declaration.span,
                        hint="Use it in a condition, or take it out.",
                    )
                )
            case d.Table() if f"table {declaration.name}" not in used:
                problems.append(at("W602", f"No rule looks into the table {declaration.name}.", declaration.span))
            case d.Bodied(word="order") if f"order {declaration.name}" not in used:
                problems.append(
                    at(
                        "W603",
                        f"No phase offers the order {declaration.name}.",
                        declaration.span,
                        hint=f"Add `active may {declaration.name}` to a phase.",
                    )
                )
            case d.Bodied(word="procedure") if f"procedure {declaration.name}" not in used:
                problems.append(at("W604", f"Nothing does the procedure {declaration.name}.", declaration.span))
    problems += _never_left(binders[0]) if binders else []
    return problems


def _never_left(binder: BodyBinder) -> list[Diagnostic]:
    """Words that `legal from … to` lines enter but never leave, or leave but never enter."""
    problems: list[Diagnostic] = []
    for routine in binder.routines.values():
        if routine.word != "order":
            continue
        moves = [c for c in routine.clauses if c.op == "legal_from"]
        if not moves:
            continue
        leaving = {w for c in moves for w in c["before"] if set(c["after"]) - {w}}
        for clause in moves:
            for word in clause["after"]:
                if word not in leaving and not any(p.span == clause.span for p in problems):
                    problems.append(
                        at(
                            "W605",
                            f"`{word}` can be entered but never left.",
                            clause.span,
                            hint=f"Add a line `legal from {word} to …`.",
                        )
                    )
    return problems
