"""The lines of a value: their order, and each step as Python text."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from dsl import ir
from dsl.ir import E, S
from interpreter.codegen.emitted_code import UnknownCode, Words
from interpreter.codegen.expressions import SUMS, is_whole

__all__ = ["flat", "step_text"]


def flat(body: ir.Body) -> list[S]:
    """The lines of a body, with those of its exceptions at their places."""
    return [x for s in body for x in (s.body if isinstance(s, ir.Except) else (s,))]


def step_text(s: S, acc: str, emit: Callable[[E], str], words: Words) -> str:
    """One step of a value, applied to `acc`."""

    def plain_sum(sign: str, value: E) -> str:
        return f"{acc} {sign}= {emit(value)}" if is_whole(value) else f"{acc} = {SUMS[sign]}({acc}, {emit(value)})"

    if isinstance(s, ir.Start | ir.Case):
        return f"{acc} = {emit(s.value)}"
    if isinstance(s, ir.Add):
        if s.value.type.name == "set":
            return f"{acc} = union({acc}, {emit(s.value)})"
        return plain_sum("+", s.value)
    if not isinstance(s, ir.Adjust):
        raise UnknownCode(f"the line {type(s).__name__}")
    how = s.how
    if how == "rounded":
        extra = f", {words.word(s.halves)}" if s.way == "nearest" else ""
        return f"{acc} = round_{s.way}({acc}{extra})"
    value = s.value
    assert value is not None, s
    if how == "times" and isinstance(value, ir.Constant):
        f = value.value
        if isinstance(f, Fraction):
            return f"{acc} = scaled({acc}, {f.numerator}, {f.denominator})"
        return f"{acc} *= {words.word(f)}"
    scale = s.scale
    if how in {"plus", "minus"} and not scale:
        return plain_sum("+" if how == "plus" else "-", value)
    text = emit(value)
    if scale and how in {"at-least", "at-most"}:
        sign = "max" if how == "at-least" else "min"
        return f"{acc} = {sign}({acc}, {text}, key=RANK[{words.word(scale)}].get)"
    if scale:
        return f"{acc} = moved(WORDS[{words.word(scale)}], RANK[{words.word(scale)}], {acc}, {text})"
    return {
        "times": f"{acc} = times({acc}, {text})",
        "divided": f"{acc} = divide({acc}, {text})",
        "at-least": f"{acc} = max({acc}, {text})",
        "at-most": f"{acc} = min({acc}, {text})",
        "instead": f"{acc} = {text}",
        "put-in": f"{acc} = union({acc}, {text})",
        "take-out": f"{acc} = leave_out({acc}, {text})",
    }[how]
