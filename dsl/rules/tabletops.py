"""Battles at a table: each part of a `tabletop` declaration becomes a value of the rules.

`forces attackers, defenders` of the tabletop `field-battle` becomes two values, `field-battle--forces--attackers` and so on. They are
typed, emitted and kept secret like all values. No rule can name them, since no name of the language has two hyphens in a row.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable

import attrs

from dsl.syntax import body_lines as ln
from dsl.syntax import declarations as d
from dsl.syntax import syntax_tree as t
from dsl.text.diagnostics import Diagnostic, at, did_you_mean
from dsl.text.phrases import counted

__all__ = ["Laid", "is_result", "laid_out"]


@attrs.frozen(eq=False)
class Laid:
    """A tabletop with the names of its values: `forces` and `relates` by their names at the table, gaps of its title in order.

    ground, when: None if it does not give them. values: their declarations.
    """

    node: d.Tabletop
    gaps: tuple[str, ...]
    forces: tuple[tuple[str, str], ...]
    relates: tuple[tuple[str, str], ...]
    ground: str | None
    when: str | None
    values: tuple[d.Bodied, ...]

    @property
    def results(self) -> tuple[str, ...]:
        """The questions that the table answers."""
        return tuple(question for question, _ in self.node.results)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all its values."""
        return tuple(x.name for x in self.values)


@functools.lru_cache(maxsize=256)
def laid_out(node: d.Tabletop) -> tuple[Laid, tuple[Diagnostic, ...]]:
    """A tabletop as values, and the problems with how it is written."""
    problems: list[Diagnostic] = []
    values: list[d.Bodied] = []

    def say(what: str, line: ln.Line, word: str = "value") -> str:
        name = f"{node.name}--{what}"
        signature = attrs.evolve(node.signature, name=name)
        values.append(
            d.Bodied(node.span, word, signature, node.bound, (line,), name=name, cites=node.cites, guards=node.guards)
        )
        return name

    def called(section: str, parts: Iterable[tuple[t.Node, str | None]]) -> tuple[tuple[str, str], ...]:
        found: dict[str, str] = {}
        for part, name in parts:
            asked = part.head if isinstance(part, t.Called) else part
            label = name or (asked.word if isinstance(asked, t.Name | t.Of) else "")
            if not label:
                message = "This has no name at the table."
                problems.append(at("E257", message, part.span, hint="Give it a name: `E as name`."))
            elif label in found:
                problems.append(at("E102", f"Two of these are named {label} at the table.", part.span, hint="Rename one: `E as name`."))  # fmt: skip
            else:
                found[label] = say(f"{section}--{label}", _says(part))
        return tuple(found.items())

    gaps = node.message.count("{}")
    if gaps != len(node.args):
        message = f"The title has {counted(gaps, 'gap')}, but `with` gives {counted(len(node.args), 'value')}."
        problems.append(at("E236", message, node.span, hint="Give one value after `with` for each `{}`."))
    for missing, there in (("story", node.message), ("forces", node.forces), ("results", node.results)):
        if not there:
            problems.append(at("E258", f"The tabletop {node.name} has no line `{missing}`.", node.span, hint=HINT))
    if len(node.signature.params) > 1 or any(p.many for p in node.signature.params):
        problems.append(
            at("E258", "A tabletop has at most one argument, which is a single thing.", node.signature.span, hint=HINT)
        )
    named = {name or getattr(part, "word", "") for part, name in node.forces}
    for question, of in node.results:
        if of is not None and of not in named:
            message = f"No force of this tabletop is named {of}."
            problems.append(at("E258", message, node.span, hint=did_you_mean(of, named) or HINT, word=of))
        if sum(question == other for other, _ in node.results) > 1:
            problems.append(at("E102", f"{question} appears twice among the results.", node.span, hint="Remove one."))
            break
    laid = Laid(
        node,
        tuple(say(f"story--{n}", _says(part)) for n, part in enumerate(node.args, 1)),
        called("forces", node.forces),
        called("relate", node.relates),
        say("ground", _says(node.ground)) if node.ground is not None else None,
        say("when", ln.Holds(node.when.span, when=node.when), "status") if node.when is not None else None,
        tuple(values),
    )
    return attrs.evolve(laid, values=tuple(values)), tuple(problems)


HINT = 'Write, for example: `story "The battle for {}" with target`, `forces attackers, defenders`, `results outcome`.'


def _says(part: t.Node) -> ln.Case:
    return ln.Case(part.span, part)


def is_result(tabletops: Iterable[Laid], question: str) -> bool:
    """Whether a question is one that a table answers."""
    return any(question in laid.results for laid in tabletops)
