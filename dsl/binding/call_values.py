"""Binding values, statuses and paths that are applied to arguments."""

from __future__ import annotations

from dsl import ir
from dsl.binding.absence import is_none
from dsl.binding.absent import set_of_one
from dsl.binding.context import Binder
from dsl.binding.fitting import suits
from dsl.binding.scope import Scope
from dsl.ir import ERROR, LAST, E, Param, set_of
from dsl.text.source import Span


def takes_set(b: Binder, word: str) -> bool:
    """Whether a value takes a set as its first argument."""
    declared = b.ruleset.bodied.get(word)
    return bool(declared and declared.signature.params and declared.signature.params[0].many)


def call_value(b: Binder, word: str, given: list[tuple[str, E, Span]], scope: Scope, span: Span) -> E:
    """A value, status or path applied to arguments, each with its preposition."""
    routine = b.routine(word, span)
    if routine is None:
        b.poisoned += 1
        return ERROR
    b.used.add(f"value {word}")
    if word in b.failed:
        b.poisoned += 1
        return ERROR
    args: list[E] = []
    left = list(given)
    for param in routine.params:
        match = next((g for g in left if g[0] == param.prep), None)
        if match is None:
            return b.problem(
                "E211", f"`{word}` needs {param.type if not param.many else 'a list'} after `{param.prep}`.", span,
                hint=_usage(routine.name, routine.params),
            )  # fmt: skip
        left.remove(match)
        _, value, where = match
        value = _fitting_argument(b, value, param, word, where)
        args.append(value)
    if left:
        return b.problem(
            "E211", f"`{word}` takes no argument after `{left[0][0]}`.", left[0][2], hint=_usage(word, routine.params)
        )
    access: str | None = None
    if routine.within:
        access = _running_frame(routine.within, scope)
        if access is None:
            return b.problem(
                "E212", f"`{word}` needs a running {routine.within}, but none is running here.", span,
                hint=f"Bind this declaration to it as well: `in {routine.within}`.",
            )  # fmt: skip
    if routine.word == "path":
        return ir.PathExists(word, tuple(args), span=span)
    return ir.Call(word, tuple(args), access, type=routine.type, span=span)


def _fitting_argument(b: Binder, value: E, param: Param, word: str, span: Span) -> E:
    if value is ERROR:
        return value
    wanted = set_of(param.type) if param.many else param.type
    if param.many and is_none(value):
        return ir.Listed((), type=wanted, span=span)
    if param.many and value.type.name == "thing":
        value = set_of_one(b, value)
    if not suits(b.ruleset, value.type, wanted):
        return b.problem("E201", f"`{word}` needs {wanted}, but this is {value.type}.", span)
    if value.type.optional and not param.many:
        if b.lenient:
            return ir.Must(value, type=value.type.sure(), span=span)
        return b.problem(
            "E202",
            "This may be absent here.",
            span,
            hint="Check it with `when there is …`, and add an `else` for the other case.",
        )
    return value


def _running_frame(procedure: str, scope: Scope) -> str | None:
    for routine, access in scope.frames:
        if routine.name == procedure:
            return access
    if scope.any_frame:
        return f"{LAST}procedure {procedure}"
    return None


def _usage(name: str, params: tuple[Param, ...]) -> str:
    return "Write: " + name + "".join(f" {p.prep} {p.name}" for p in params)
