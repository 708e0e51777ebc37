"""Binding signatures: what the arguments of a text are, and whose things `own` speaks of in it."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from dsl import declarations as d
from dsl import ir
from dsl import lines as ln
from dsl.bind_conditions import ConditionBinder
from dsl.ir import NUMBER, E, Param, Routine, S, set_of
from dsl.ruleset import hint_of_type, named_type
from dsl.scope import Scope, local


class SignatureBinder(ConditionBinder):
    """Binds arguments to names; what it finds wrong gathers in `problems`."""

    def params(self, signature: d.Signature, *, order: bool = False) -> tuple[Param, ...]:
        """The arguments of a text, with their types. order: of an order, which may say whose they must be."""
        out = []
        for param in signature.params:
            type_ = NUMBER
            word = param.kind or param.name
            type_, missing = named_type(self.ruleset, word)
            if missing and param.kind is None:
                guess = [k for k in self.ruleset.kinds if k[:1] == param.name[:1]]
                self.problem(
                    "E103",
                    f"What is `{param.name}`? Say its type in brackets.",
                    param.span,
                    hint=f"Write, for example: {param.name} (a {guess[0] if guess else 'number'})",
                )
            elif missing:
                known = [
                    *self.ruleset.kinds,
                    *self.ruleset.plurals,
                    *self.ruleset.enums,
                    *self.ruleset.ratings,
                    "number",
                    "side",
                    "text",
                ]
                hint = hint_of_type(self.ruleset, word, known)
                self.problem("E103", f"There is no type {word}.", param.span, hint, word=word)
            out.append(Param(param.prep, param.name, type_, param.many))
        if signature.name and not order:
            self._nobodys(signature)
        return tuple(out)

    def _nobodys(self, signature: d.Signature) -> None:
        """Whose an argument must be is said of events and of orders alone; elsewhere the word would change nothing."""
        for param in signature.params:
            if param.whose:
                self.problem(
                    "E255",
                    f"`{param.whose}` says nothing of an argument of `{signature.name}`: anybody's may be given.",
                    param.span,
                    hint="Take it out. Only the heading of an order says whose its arguments must be.",
                )

    def whose(self, params: Sequence[Param], names: dict[str, E]) -> E | None:
        """The side that `own` speaks of: that of the first thing named, or the side itself."""
        for param in params:
            if param.type.name == "thing" and not param.many:
                value = names[param.name]
                if param.type.word == "side":
                    return value
                if self.ruleset.kinds[param.type.word].word != "place":
                    return ir.SideOf(value)
        return None

    def _param_scope(
        self, signature: d.Signature, base: tuple[Param, ...],
        frames: tuple[tuple[Routine, str], ...], module: str = "",
    ) -> Scope:  # fmt: skip
        """A scope in which the names of `signature` mean the parameters of the base text, by position."""
        self._as_declared(signature, base)
        names: dict[str, E] = {}
        for given, param in zip(signature.params, base, strict=False):
            names[given.name] = local(param.name, set_of(param.type) if param.many else param.type)
        renamed = [attrs.evolve(p, name=g.name) for g, p in zip(signature.params, base, strict=False)]
        whose = self.whose(renamed, names)
        if whose is None and frames:
            whose = ir.Acting(frames[0][1])
        if whose is None and not frames:
            whose = ir.Active()
        return Scope(names, whose, None, frames, module=module)

    def _as_declared(self, signature: d.Signature, base: Sequence[Param]) -> None:
        """Reports arguments that a rule names otherwise than the text that it changes declares them."""
        self._nobodys(signature)
        if len(signature.params) > len(base):
            few = f"{len(base)} argument{'s' * (len(base) != 1)}" if base else "no argument"
            self.problem("E211", f"`{signature.name}` has {few}.", signature.span)
        for given, param in zip(signature.params, base, strict=False):
            type_, missing = named_type(self.ruleset, given.kind or given.name)
            if given.prep != param.prep:
                message = f"`{given.name}` stands behind `{param.prep}` in the text that this changes."
                self.problem("E211", message, given.span, f"Write: {param.prep} {given.name} …", word=given.prep)
            elif given.kind is None or (missing and param.type is NUMBER):
                continue  # a name alone; or of the text itself, and reported with its arguments
            elif missing or not type_.same(param.type) or given.many != param.many:
                wanted = f"several: {param.type}" if param.many else str(param.type)
                hint = f"Write: {given.name} ({'some ' + param.type.word + 's' if param.many else param.type})"
                message = f"`{given.name}` is {wanted} in the text that this changes."
                self.problem("E211", message, given.span, hint if param.type.word else "", word=given.kind)

    def _misplaced(self, line: ln.Line, where: str) -> S | None:
        self.problem("E225", f"This line belongs in {where}.", line.span)
        return None
