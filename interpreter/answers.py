"""Answers: what a typed answer means to the question that is open, and why it is refused."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from interpreter.asking import EachQuestion, Question
from interpreter.inputs import Input, Refused
from interpreter.runtime import say

if TYPE_CHECKING:
    from interpreter.world import World


class Incomplete(Refused):
    """An answer for several things that leaves some of them out."""


class Answers:
    """The part of the machine that reads answers."""

    world: World
    _pending: Any

    def _what(self, side: str) -> str:
        raise NotImplementedError

    def _side(self, name: str) -> Any:
        raise NotImplementedError

    def _read_answer(self, given: Input) -> Any:
        pending = self._pending
        if not isinstance(pending, Question | EachQuestion):
            raise Refused("No question is open.", hint=self._what(given.side))
        if given.side != "umpire" and self._side(given.side) is not pending.side:
            raise Refused(f"This question is for {pending.side.id}, not for {given.side}.")
        if given.subject and given.subject != pending.name:
            raise Refused(f"The open question is {pending.name}, not {given.subject}.")
        if isinstance(pending, EachQuestion):
            each = self._each_answer(pending, given.text)
            self._tell_choice(pending, each)
            return each
        answer = self._one_answer(pending, given.text)
        self._tell_choice(pending, answer)
        return answer

    def _tell_choice(self, pending: Question | EachQuestion, answer: Any) -> None:
        to = pending.side.id if pending.secret else "all"
        self.world.happened(
            "choice",
            f"{pending.side.id} chooses {pending.name}: {say(answer)}.",
            pending.site,
            pending.side,
            to,
            name=pending.name,
        )

    def _one_answer(self, question: Question, text: str) -> Any:
        text = text.strip()
        if question.kind == "number":
            if not re.fullmatch(r"\d{1,9}", text) or int(text) > (question.amount or 0):
                raise Refused(f"{text or 'Nothing'} is no number from 0 to {question.amount}.")
            if not question.legal(int(text)):
                raise Refused(_because(question.reason), self._cites(question))
            return int(text)
        if question.kind in {"one", "words"}:
            return self._candidate(question, text, question.candidates)
        if text.lower() in {"none", "nobody", "nothing", "-", ""}:
            chosen: list[Any] = []
        elif text.lower() == "all":
            chosen = list(question.candidates)
        else:
            chosen = list(dict.fromkeys(self._candidate(question, part, question.candidates) for part in _parts(text)))
        amount = question.amount or 0
        if question.kind == "up_to" and len(chosen) > amount:
            raise Refused(f"At most {amount} may be chosen, not {len(chosen)}.")
        if question.kind == "exactly" and len(chosen) != amount:
            raise Refused(f"Exactly {amount} must be chosen, not {len(chosen)}.")
        if not question.legal(chosen):
            raise Refused(_because(question.reason), self._cites(question))
        return chosen

    def _cites(self, question: Question | EachQuestion) -> tuple[str, ...]:
        cites: tuple[str, ...] = self.world.sites[question.site].cites
        return cites

    def _candidate(self, question: Question | EachQuestion, text: str, candidates: Sequence[Any]) -> Any:
        word = text.strip().strip('"').lower()
        for candidate in candidates:
            if say(candidate).lower() == word:
                return candidate
        found = [c for c in candidates if getattr(c, "name", "").lower() == word]
        if len(found) == 1:
            return found[0]
        shown = ", ".join(say(c) for c in candidates[:12]) + (" …" if len(candidates) > 12 else "")
        raise Refused(
            f"`{text.strip()}` is no answer to {question.name}.", self._cites(question), f"It can be: {shown}."
        )

    def _each_answer(self, question: EachQuestion, text: str) -> dict[Any, Any]:
        """`tf-1 B, tf-2 A`, `all B`, `tf-1 B, others A`; items with a single choice need no word."""
        options = dict(zip(question.items, question.options, strict=True))
        answer = {item: legal[0] for item, legal in options.items() if len(legal) == 1}
        rest = ""
        named: set[Any] = set()
        for part in _parts(text):
            words = part.split(None, 1)
            if len(words) == 1 and len(question.items) == 1:
                words = [say(question.items[0]), part]
            if len(words) != 2:
                raise Refused(
                    f"`{part}` is not understood.",
                    hint=f"Answer like: {say(question.items[0])} {say(question.options[0][0])}, others {say(question.options[0][0])}",
                )
            if words[0].lower() in {"all", "others", "rest"}:
                rest = words[1]
                continue
            item = self._candidate(question, words[0], question.items)
            answer[item] = self._candidate(question, words[1], options[item])
            named.add(item)
        for item in question.items:
            if item in answer and (item in named or len(options[item]) == 1):
                continue
            if not rest:
                missing = ", ".join(say(i) for i in question.items if i not in answer)
                raise Incomplete(
                    f"{question.name} is still missing for {missing}.", hint="`others X` answers for the rest."
                )
            answer[item] = self._candidate(question, rest, options[item])
        answer = {item: answer[item] for item in question.items}
        wrong = question.trouble(answer)
        if wrong is not None:
            raise Refused(
                f"{say(answer[wrong])} is not allowed for {say(wrong)}: {question.reason or 'the rule forbids it'}.",
                self._cites(question),
            )
        return answer


def _parts(text: str) -> list[str]:
    return [p for p in re.split(r"\s*,\s*|\s+and\s+", text.strip()) if p]


def _because(reason: str) -> str:
    return (reason[:1].upper() + reason[1:] if reason else "The rule does not allow this answer") + "."
