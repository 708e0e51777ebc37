"""Errors of rules whose rule line the machine knows better than the code that raised them."""

from __future__ import annotations

from dsl.text.source import Span
from interpreter.runtime.runtime import RuleTrouble

__all__ = ["ENDLESS", "TroubleAt"]

ENDLESS = "The rules loop endlessly without asking anybody."


class TroubleAt(RuleTrouble):
    """A trouble at a rule line."""

    def __init__(self, message: str, span: Span) -> None:
        super().__init__(message)
        self.span = span
