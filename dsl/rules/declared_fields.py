"""The fields of kinds and ratings as declared: their types, their tracks, and the notations that fill them."""

from __future__ import annotations

from collections.abc import Mapping

from dsl.ir import Type
from dsl.rules.notation import parts_of
from dsl.rules.ruleset import Field, Ruleset, field_type, hint_of_type
from dsl.syntax import declarations as d
from dsl.text.diagnostics import Diagnostic, Mark, at, did_you_mean
from dsl.text.source import NOWHERE


def enter_field(
    ruleset: Ruleset, fields: dict[str, Field], node: d.Field, owner: str, problems: list[Diagnostic]
) -> None:
    """Enters a field of a kind or rating. owner: its name."""
    field, missing = field_type(ruleset, node, owner)
    if missing:
        known = [*ruleset.enums, *ruleset.ratings, *ruleset.kinds, "number", "mark", "text", "side", "link", "dice"]
        hint = hint_of_type(ruleset, missing, known)
        problems.append(at("E103", f"There is no type {missing}.", node.type.span, hint=hint, word=missing))
    if node.type.kind == "range" and (field.low is None or field.high is None or field.low > field.high):
        message = f"The bounds of the range of `{node.name}` must be whole numbers in ascending order."
        problems.append(at("E108", message, node.type.span, hint="Write, for example, 0 .. 3."))
    if node.name in fields:
        problems.append(
            at(
                "E102",
                f"The field {node.name} is declared twice.",
                node.span,
                also=[Mark(fields[node.name].node.span, "first declared here")],
                word=node.name,
            )
        )
    fields[node.name] = field


def check_notation(
    node: d.Written | d.Printed, fields: Mapping[str, Field], owner: str, problems: list[Diagnostic]
) -> None:
    """The fields that a notation names must exist; those with a sign, or set by `with`, must be marks."""
    parts = parts_of(node.pattern)
    marks = node.marks if isinstance(node, d.Written) else ()
    for name, sign in [*((n, s) for _, n, s in parts if n), *((n, "mark") for n in marks)]:
        if name not in fields:
            hint = did_you_mean(name, fields) or f"Add the field to {owner}: {name} {'mark' if sign else 'number'}"
            problems.append(
                at(
                    "E325",
                    f"The notation names `{name}`, but {owner} has no such field.",
                    node.span,
                    word=name,
                    hint=hint,
                )
            )
        elif sign and fields[name].type.name != "mark":
            hint = f"Declare it as a field `{name} mark`."
            problems.append(
                at(
                    "E325",
                    f"The notation treats `{name}` as a mark, but it is {fields[name].type}.",
                    node.span,
                    word=name,
                    hint=hint,
                )
            )
    if not any(n for _, n, _ in parts) and not marks:
        hint = 'Name fields in angle brackets: written "<value>"'
        problems.append(at("E325", "The notation names no field.", node.span, hint=hint))


def no_track(field: d.Field, because: str) -> Diagnostic:
    """The diagnostic for a track where there can be none."""
    return at("E113", because, field.span, word=field.name, hint="Write a range, such as 0 .. 60.")


def full_of(track: Field) -> Field:
    """The field that keeps the value of a track when its thing entered the game. No event reports it: it never changes."""
    name = d.full_name(track.name)
    node = d.Field(NOWHERE, name, d.TypeExpr(NOWHERE, "named", ("number",)), optional=track.type.optional, untold=True)
    return Field(name, track.type, node, full_of=track.name)


def builtin(name: str, type_: Type) -> Field:
    """A field that things have without a declaration."""
    node = d.Field(NOWHERE, name, d.TypeExpr(NOWHERE, "named", ("text",)), optional=type_.optional)
    return Field(name, type_, node)
