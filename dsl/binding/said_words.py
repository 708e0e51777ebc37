"""What a word applies to: whether it describes the thing that `F of x` is or is the value of F, and what `none` means."""

from __future__ import annotations

from dsl import ir
from dsl.binding.context import Binder
from dsl.binding.fitting import alike
from dsl.binding.scope import Scope
from dsl.binding.scoping import scoped
from dsl.ir import ERROR, MARK, E, Type
from dsl.rules.ruleset import Ruleset
from dsl.syntax import syntax_tree as t

NONES = frozenset({"none", "nobody", "nothing"})
"""Words for the empty set."""


def said_of(b: Binder, target: t.Node, node: t.Node, scope: Scope) -> E | None:
    """The thing `F of x`, if a word is a mark, a status or a word of that thing; None if F itself becomes the word."""
    if not (isinstance(target, t.Of) and isinstance(node, t.Name)):
        return None
    whole = quietly(b, target, scope)
    if whole.type.name != "thing" or whole.type.word not in b.ruleset.kinds:
        return None
    if says_absent(b.ruleset, node, whole.type):
        return None
    value = quietly(b, node, scope)
    if value is not ERROR and (value.type.name == "nothing" or alike(b.ruleset, value.type, whole.type.sure())):
        return None
    return whole if _knows(b, whole.type.word, node.word) else None


def says_absent(ruleset: Ruleset, node: t.Node, type_: Type) -> bool:
    """Whether a line makes something of a type absent: `absent`, or `none` if that is not a word of its own."""
    if not isinstance(node, t.Name) or node.word not in {"absent", "none"} or not type_.optional:
        return False
    return node.word == "absent" or type_.name != "enum" or node.word not in ruleset.enums[type_.word].words


def empty_set(b: Binder, node: t.Node, wanted: Type, scope: Scope) -> E | None:
    """The empty set, if a set is expected and the text says `none`, even if enums have a word `none`; None for anything else."""
    said = isinstance(node, t.Name) and node.word in NONES and scoped(b, node.word, scope) is None
    return ir.Listed((), type=wanted, span=node.span) if said and wanted.name == "set" else None


def _knows(b: Binder, kind: str, word: str) -> bool:
    """Whether a word is a mark or a status of things of a kind, or a word of one of their fields."""
    fields, declared = b.ruleset.kinds[kind].fields, b.ruleset.bodied.get(word)
    if (word in fields and fields[word].type is MARK) or (declared is not None and declared.word == "status"):
        return True
    return any(f.type.name == "enum" and word in b.ruleset.enums[f.type.word].words for f in fields.values())


def quietly(b: Binder, node: t.Node, scope: Scope) -> E:
    """A bound expression; ERROR, without reporting anything, if it cannot be bound."""
    held = len(b.problems)
    bound = b.expr(node, scope)
    if len(b.problems) == held:
        return bound
    del b.problems[held:]
    return ERROR
