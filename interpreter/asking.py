"""Questions, dice and windows: what emitted procedures yield when they need someone, and how they are worded."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any

import attrs

from interpreter.runtime import RuleTrouble, say


@attrs.define(slots=True, eq=False)
class Question:
    """A choice that a side must make. kind: one, words, some, up_to, exactly, number.

    candidates: what may be chosen. amount: N of `up to N`, `exactly N`, `a number up to N`. test: whether a whole
    answer is legal; reason: why it is not.
    """

    side: Any
    name: str
    kind: str
    candidates: list[Any]
    amount: int | None
    test: Callable[[Any], bool] | None
    reason: str
    secret: bool
    site: int

    def legal(self, answer: Any) -> bool:
        """Whether a whole answer is legal."""
        return self.test is None or bool(self.test(answer))

    @property
    def form(self) -> str:
        """How the answer looks, as people are told."""
        return {"up_to": f"up to {self.amount}", "exactly": f"exactly {self.amount}", "words": "one"}.get(
            self.kind, self.kind
        )


@attrs.define(slots=True, eq=False)
class EachQuestion:
    """One choice for each of several things of a side, answered together. options: for each item what it may choose."""

    side: Any
    name: str
    kind: str
    items: list[Any]
    options: list[list[Any]]
    test: Callable[[dict[Any, Any]], Any] | None
    reason: str
    secret: bool
    site: int
    known: dict[Any, Any]

    def trouble(self, answer: dict[Any, Any]) -> Any:
        """The item for which a whole answer is illegal, or None."""
        return None if self.test is None else self.test({**self.known, **answer})


@attrs.define(slots=True, eq=False)
class Roll:
    """Dice to be rolled for a side: an expression such as 2d6+1. item: for which thing, if for one of several."""

    side: Any
    dice: str
    name: str
    site: int
    item: Any = None


@attrs.define(slots=True, eq=False)
class Window:
    """A stretch in which sides may give orders. waiting: the sides that have not yet said `done`."""

    waiting: list[Any]
    orders: tuple[str, ...]
    manner: str


DONE = object()


class Asking:
    """The part of the machine that emitted rules call to ask, roll and open windows."""

    world: Any
    events: Any

    def ask(
        self, site: int, side: Any, name: str, kind: str, source: Callable[[], Sequence[Any]] | None, amount: Any,
        test: Callable[[Any], bool] | None, reason: str, secret: bool,
    ) -> Generator[Any, Any, Any]:  # fmt: skip
        """Asks a side; a choice with exactly one legal answer is taken, unless it is secret: that it was not asked would tell."""
        side = _one_side(side, name)
        if kind == "number":
            top = max(int(amount), 0)
            if not top and not secret:
                return 0
            answer = yield Question(side, name, kind, [], top, test, reason, secret, site)
            return answer
        candidates = list(dict.fromkeys(source())) if source is not None else []
        if kind in {"one", "words"}:
            legal = [c for c in candidates if test is None or test(c)]
            if not legal:
                raise RuleTrouble(f"{side.id} must choose {name}, but there is no legal answer.")
            if len(legal) == 1 and not secret:
                return legal[0]
            answer = yield Question(side, name, kind, legal, None, test, reason, secret, site)
            return answer
        count = int(amount) if amount is not None else None
        if kind == "exactly" and count is not None:
            count = min(count, len(candidates))
        if not secret and (not candidates or count == 0 or (kind == "exactly" and count == len(candidates))):
            return candidates if kind == "exactly" and count else []
        answer = yield Question(side, name, kind, candidates, count, test, reason, secret, site)
        return answer

    def ask_each(
        self, site: int, over: list[Any], name: str, kind: str, source: Callable[[Any], Sequence[Any]] | None, amount: Any,  # noqa: ARG002
        test: Callable[[dict[Any, Any], Any], bool] | None, reason: str, secret: bool, before: Any = None,
    ) -> Generator[Any, Any, dict[Any, Any]]:  # fmt: skip
        """Asks each owner once for all its things; the acting side first. before: what was chosen under this name already."""
        chosen: dict[Any, Any] = dict(before or {})
        sides = list(dict.fromkeys(x.side for x in over))
        sides.sort(key=lambda s: s is not self.world.active)
        for side in sides:
            items = [x for x in over if x.side is side]
            options = [list(dict.fromkeys(source(x))) if source is not None else [] for x in items]
            for item, legal in zip(items, options, strict=True):
                if not legal:
                    raise RuleTrouble(f"{item.name} must choose {name}, but has nothing to choose from.")
            if all(len(o) == 1 for o in options) and not secret:
                chosen.update({i: o[0] for i, o in zip(items, options, strict=True)})
                continue
            checker = None
            if test is not None:

                def checker(whole: dict[Any, Any], items: list[Any] = items) -> Any:
                    return next((i for i in items if not test(whole, i)), None)

            answer = yield EachQuestion(side, name, kind, items, options, checker, reason, secret, site, dict(chosen))
            chosen.update(answer)
        return chosen

    def roll(
        self, site: int, side: Any, dice: str, name: str, count: Any = None, item: Any = None
    ) -> Generator[Any, Any, int]:
        """Rolls dice for a side; `count` rolls the same dice so many times and adds them up."""
        side = _one_side(side, name)
        if count is None:
            face: int = yield Roll(side, dice, name, site, item)
            return face
        total = 0
        for _ in range(int(count)):
            total += yield Roll(side, dice, name, site, item)
        return total

    def window(self, frame: Any, who: Any, orders: tuple[str, ...], manner: str) -> Generator[Any, Any, None]:
        """Takes orders until every side is done. Nothing is asked of a side that has no legal order at all."""
        sides = list(who) if isinstance(who, list | tuple) else [who]
        sides = [s for s in sides if s is not None and any(self.any_legal(s, o) for o in orders)]
        acting = frame.acting
        while sides:
            current = sides if manner == "together" else sides[:1]
            side, command = yield Window(list(current), orders, manner)
            if command is DONE:
                sides.remove(side)
                continue
            frame.acting = side
            yield from self.carry_out(command)
            frame.acting = acting
            if manner == "once":
                sides.remove(side)
            elif manner == "alternately" and len(sides) > 1:
                sides = [*sides[1:], sides[0]]
            if self.world.over:
                return

    def any_legal(self, side: Any, order: str) -> bool:
        """Whether a side has a legal command of this order."""
        raise NotImplementedError

    def carry_out(self, command: Any) -> Generator[Any, Any, None]:
        """Carries out a command."""
        raise NotImplementedError


def _one_side(side: Any, name: str) -> Any:
    if isinstance(side, list | tuple):
        found = list(dict.fromkeys(side))
        if len(found) != 1:
            raise RuleTrouble(f"{name} is asked of {len(found)} sides at once.")
        side = found[0]
    if side is None:
        raise RuleTrouble(f"{name} is asked of nobody.")
    return side


__all__ = ["DONE", "Asking", "EachQuestion", "Question", "Roll", "Window", "say"]
