"""The outcome of an example: the expectations that were checked, those that failed, and the output."""

from __future__ import annotations

import attrs

from dsl.text.source import Span
from interpreter.explain.explanations import Explanation

__all__ = ["Failure", "Outcome"]


@attrs.frozen(slots=True)
class Failure:
    """An expectation that was not met: the line, what it expects, and the actual result."""

    span: Span
    expected: str
    got: str

    @property
    def said(self) -> str:
        """The failure in words; what was got may be a sentence of its own."""
        sentence = self.got[:1].isupper() and (self.got.endswith(".") or ". (" in self.got)
        return f"expected {self.expected}{', but: ' if sentence else '; got '}{self.got}"


@attrs.define(slots=True)
class Outcome:
    """The result of one example under one choice of modules. checks: the number of expectations checked."""

    name: str
    span: Span
    checks: int = 0
    failures: list[Failure] = attrs.field(factory=list)
    shown: list[tuple[str, str, Explanation | None]] = attrs.field(factory=list)
    fired: set[str] = attrs.field(factory=set)

    @property
    def passed(self) -> bool:
        """Whether something was expected and every expectation was met."""
        return not self.failures and self.checks > 0
