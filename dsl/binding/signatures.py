"""Binding signatures: the arguments of a declaration, and whose things `own` means in it."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from dsl import ir
from dsl.binding.context import Binder
from dsl.binding.scope import Scope, local
from dsl.ir import NUMBER, E, Param, Routine, S, set_of
from dsl.rules.ruleset import hint_of_type, named_type
from dsl.syntax import body_lines as ln
from dsl.syntax import declarations as d
from dsl.text.phrases import an, counted


def bind_params(b: Binder, signature: d.Signature, *, order: bool = False) -> tuple[Param, ...]:
    """The arguments of a declaration, with their types. order: whether it is an order, which may say whose they must be."""
    out = []
    for param in signature.params:
        type_ = NUMBER
        word = param.kind or param.name
        type_, missing = named_type(b.ruleset, word)
        if missing and param.kind is None:
            guess = [k for k in b.ruleset.kinds if k[:1] == param.name[:1]]
            b.problem(
                "E103",
                f"The argument `{param.name}` has no type.",
                param.span,
                hint=f"Give its type in brackets, for example: {param.name} ({an(guess[0] if guess else 'number')})",
            )
        elif missing:
            known = [
                *b.ruleset.kinds,
                *b.ruleset.plurals,
                *b.ruleset.enums,
                *b.ruleset.ratings,
                "number",
                "side",
                "text",
            ]
            hint = hint_of_type(b.ruleset, word, known)
            b.problem("E103", f"There is no type {word}.", param.span, hint, word=word)
        out.append(Param(param.prep, param.name, type_, param.many))
    if not order:
        _anywhere(b, signature)
    if signature.name and not order:
        _nobodys(b, signature)
    return tuple(out)


def _nobodys(b: Binder, signature: d.Signature) -> None:
    """Reports `own` and `enemy` elsewhere than in events and orders, where they would have no effect."""
    for param in signature.params:
        if param.whose:
            b.problem(
                "E255",
                f"`{param.whose}` has no effect on an argument of `{signature.name}`: things of any side are accepted.",
                param.span,
                hint="Remove it. Only the heading of an order can say whose its arguments must be.",
            )


def _anywhere(b: Binder, signature: d.Signature) -> None:
    """Reports `on the map` elsewhere than in orders."""
    for param in signature.params:
        if param.on_map:
            message = f"`on the map` has no effect here: `{param.name}` may be anywhere."
            hint = "Remove it, and check this where it matters: `when u is on the map`."
            b.problem("E255", message, param.span, hint=hint, word="on")


def spoken_for(b: Binder, params: Sequence[Param], names: dict[str, E]) -> E | None:
    """The side that `own` refers to: that of the first thing among the arguments, or the side itself."""
    for param in params:
        if param.type.name == "thing" and not param.many:
            value = names[param.name]
            if param.type.word == "side":
                return value
            if b.ruleset.kinds[param.type.word].word != "place":
                return ir.SideOf(value)
    return None


def param_scope(
    b: Binder, signature: d.Signature, base: tuple[Param, ...],
    frames: tuple[tuple[Routine, str], ...], module: str = "",
) -> Scope:  # fmt: skip
    """A scope in which the names of `signature` refer to the parameters of the base declaration, by position.

    If it has no names, those of the base declaration are used.
    """
    as_declared(b, signature, base)
    called = [x.name for x in signature.params or base]
    names: dict[str, E] = {}
    for name, param in zip(called, base, strict=False):
        names[name] = local(param.name, set_of(param.type) if param.many else param.type)
    renamed = [attrs.evolve(p, name=name) for name, p in zip(called, base, strict=False)]
    whose = spoken_for(b, renamed, names)
    if whose is None and frames:
        whose = ir.Acting(frames[0][1])
    if whose is None and not frames:
        whose = ir.Active()
    return Scope(names, whose, None, frames, module=module)


def as_declared(b: Binder, signature: d.Signature, base: Sequence[Param]) -> None:
    """Reports arguments of a rule that do not match the declaration that it changes."""
    _nobodys(b, signature)
    if len(signature.params) > len(base):
        few = f"only {counted(len(base), 'argument')}" if base else "no arguments"
        b.problem("E211", f"`{signature.name}` has {few}.", signature.span)
    for given, param in zip(signature.params, base, strict=False):
        type_, missing = named_type(b.ruleset, given.kind or given.name)
        if given.prep != param.prep:
            message = f"`{given.name}` must come after `{param.prep}`, as in the declaration that this rule changes."
            b.problem("E211", message, given.span, f"Write: {param.prep} {given.name} …", word=given.prep)
        elif given.kind is None or (missing and param.type is NUMBER):
            continue  # only a name; or the declaration's own signature, whose problems are reported with its arguments
        elif missing or not type_.same(param.type) or given.many != param.many:
            wanted = set_of(param.type) if param.many else param.type
            hint = f"Write: {given.name} ({'some ' + param.type.word + 's' if param.many else param.type})"
            message = f"`{given.name}` must be {wanted}, as in the declaration that this rule changes."
            b.problem("E211", message, given.span, hint if param.type.word else "", word=given.kind)


def misplaced(b: Binder, line: ln.Line, where: str) -> S | None:
    """Reports a line that is not allowed here."""
    b.problem("E225", f"This line belongs in {where}.", line.span)
    return None


def frames_of(b: Binder, declared: d.Bodied) -> tuple[tuple[Routine, str], ...]:
    """The frames that a bound declaration reads: that of its procedure, and those to which that procedure is bound in turn."""
    if declared.bound is None:
        return ()
    chain: list[tuple[Routine, str]] = []
    access = "F"
    name: str | None = declared.bound
    while name:
        if any(r.name == name for r, _ in chain) or name == declared.name:
            circle_of = " → ".join([declared.name, *(r.name for r, _ in chain if r.name != declared.name), name])
            b.problem(
                "E222",
                f"`{declared.name}` is bound to itself in a circle: {circle_of}.",
                declared.span,
                hint="Leave at least one of these procedures unbound.",
            )
            return ()
        routine = b.procedure(name, declared.span)
        if routine is None:
            return ()
        chain.append((routine, access))
        access += ".up"
        name = routine.within
    return tuple(chain)
