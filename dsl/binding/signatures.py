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


def bind_params(b: Binder, signature: d.Signature, *, order: bool = False) -> tuple[Param, ...]:
    """The arguments of a text, with their types. order: of an order, which may say whose they must be."""
    out = []
    for param in signature.params:
        type_ = NUMBER
        word = param.kind or param.name
        type_, missing = named_type(b.ruleset, word)
        if missing and param.kind is None:
            guess = [k for k in b.ruleset.kinds if k[:1] == param.name[:1]]
            b.problem(
                "E103",
                f"What is `{param.name}`? Say its type in brackets.",
                param.span,
                hint=f"Write, for example: {param.name} (a {guess[0] if guess else 'number'})",
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
    """Whose an argument must be is said of events and of orders alone; elsewhere the word would change nothing."""
    for param in signature.params:
        if param.whose:
            b.problem(
                "E255",
                f"`{param.whose}` says nothing of an argument of `{signature.name}`: anybody's may be given.",
                param.span,
                hint="Take it out. Only the heading of an order says whose its arguments must be.",
            )


def _anywhere(b: Binder, signature: d.Signature) -> None:
    """Where an argument must be is said of orders alone."""
    for param in signature.params:
        if param.on_map:
            message = f"`on the map` says nothing here: `{param.name}` may be anywhere."
            hint = "Take it out, and ask where it counts: `when u is on the map`."
            b.problem("E255", message, param.span, hint=hint, word="on")


def spoken_for(b: Binder, params: Sequence[Param], names: dict[str, E]) -> E | None:
    """The side that `own` speaks of: that of the first thing named, or the side itself."""
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
    """A scope in which the names of `signature` mean the parameters of the base text, by position.

    Where it names none they are called as the base text calls them.
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
    """Reports arguments that a rule names otherwise than the text that it changes declares them."""
    _nobodys(b, signature)
    if len(signature.params) > len(base):
        few = f"{len(base)} argument{'s' * (len(base) != 1)}" if base else "no argument"
        b.problem("E211", f"`{signature.name}` has {few}.", signature.span)
    for given, param in zip(signature.params, base, strict=False):
        type_, missing = named_type(b.ruleset, given.kind or given.name)
        if given.prep != param.prep:
            message = f"`{given.name}` stands behind `{param.prep}` in the text that this changes."
            b.problem("E211", message, given.span, f"Write: {param.prep} {given.name} …", word=given.prep)
        elif given.kind is None or (missing and param.type is NUMBER):
            continue  # a name alone; or of the text itself, and reported with its arguments
        elif missing or not type_.same(param.type) or given.many != param.many:
            wanted = f"several: {param.type}" if param.many else str(param.type)
            hint = f"Write: {given.name} ({'some ' + param.type.word + 's' if param.many else param.type})"
            message = f"`{given.name}` is {wanted} in the text that this changes."
            b.problem("E211", message, given.span, hint if param.type.word else "", word=given.kind)


def misplaced(b: Binder, line: ln.Line, where: str) -> S | None:
    """Reports a line that stands where such lines have no meaning."""
    b.problem("E225", f"This line belongs in {where}.", line.span)
    return None


def frames_of(b: Binder, declared: d.Bodied) -> tuple[tuple[Routine, str], ...]:
    """The frames that a bound text reads: those of its procedure and of the procedures that one is bound to."""
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
                f"`{declared.name}` is bound in a circle: {circle_of}.",
                declared.span,
                hint="Some procedure must be bound to none.",
            )
            return ()
        routine = b.procedure(name, declared.span)
        if routine is None:
            return ()
        chain.append((routine, access))
        access += ".up"
        name = routine.within
    return tuple(chain)
