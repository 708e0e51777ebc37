"""What a typed answer to a question means, and why it is refused, no matter whose question it is."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import attrs

from interpreter.messages.asking import UNSETTLED, EachQuestion, Pending, Question, Sealed
from interpreter.messages.inputs import Refused
from interpreter.runtime.references import without_references
from interpreter.runtime.refusals import About, Refusal, Why
from interpreter.runtime.runtime import Shares, say, typed
from interpreter.runtime.things import Thing, Value
from interpreter.world.namebook import Names
from interpreter.world.world import World

__all__ = ["REST", "AnswerReader", "Incomplete", "answer_to", "answers_said", "called", "even_split", "names_in_answer"]


NOTHING_CHOSEN = frozenset({"none", "nobody", "nothing", "-", ""})
"""Answers that choose nothing."""
REST = frozenset({"all", "others", "rest"})
"""Words for the things of a question that are not named."""


class Incomplete(Refused):
    """An answer for several things that leaves some of them out."""


class AnswerReader:
    """Reads answers in one world."""

    def __init__(self, world: World) -> None:
        self.world = world

    def meant(self, question: Question | EachQuestion, text: str) -> Value:
        """The meaning of a text as an answer, without answering. Raises Refused."""
        text = answer_to(question, text)
        if isinstance(question, EachQuestion):
            return self.each_answer(question, text)
        return self.one_answer(question, text)

    def one_answer(self, question: Question, text: str) -> Value:
        """The meaning of a text without the question's name. Raises Refused."""
        if question.reason and any(_word(text) in called(x) for x in question.barred):
            raise Why.AGAINST_RULE(_because(question.reason), self._cites(question), question=question.name)
        answer = self._formed(question, text.strip())
        if question.kind not in {"one", "words"} and not question.legal(answer):
            raise Why.AGAINST_RULE(_because(question.reason), self._cites(question), question=question.name)
        return answer

    def _formed(self, question: Question, text: str) -> Value:
        """An answer of the right form, without checking whether the rule allows it."""
        if question.kind == "number":
            if not re.fullmatch(r"\d{1,9}", text) or int(text) > (question.amount or 0):
                raise Why.OUT_OF_BOUNDS(
                    f"{text or 'An empty answer'} is not a number from 0 to {question.amount}.",
                    question=question.name,
                    least=0,
                    most=question.amount or 0,
                )
            return int(text)
        if question.kind in {"one", "words"}:
            return self._candidate(question, text, question.candidates)
        if question.kind == "split":
            return self._shares(question, text)
        if text.lower() in NOTHING_CHOSEN:
            chosen: list[object] = []
        elif text.lower() == "all":
            chosen = list(question.candidates)
        else:
            chosen = list(dict.fromkeys(self._candidate(question, part, question.candidates) for part in _parts(text)))
        amount = question.amount or 0
        if question.kind == "up_to" and len(chosen) > amount:
            raise Why.OUT_OF_BOUNDS(
                f"You may choose at most {amount}, not {len(chosen)}.",
                question=question.name,
                number=len(chosen),
                most=amount,
            )
        if question.kind == "exactly" and len(chosen) != amount:
            raise Why.OUT_OF_BOUNDS(
                f"You must choose exactly {amount}, not {len(chosen)}.",
                question=question.name,
                number=len(chosen),
                least=amount,
                most=amount,
            )
        return chosen

    def _shares(self, question: Question, text: str) -> Shares:
        """`tf-1 2, tf-2 1`: things not named have no share; `others 1` names the rest, `even` splits as evenly as possible."""
        sharers, amount = question.candidates, question.amount or 0
        shares: dict[object, int] = {}
        rest: int | None = None
        if text.lower() in {"even", "evenly"}:
            return even_split(sharers, amount)
        for part in [] if text.lower() in NOTHING_CHOSEN else _parts(text):
            who, _, number = part.rpartition(" ")
            if not who or not re.fullmatch(r"\d{1,9}", number):
                shown = say(sharers[0]) if sharers else "WHO"
                raise Why.NOT_UNDERSTOOD(
                    f"`{part}` is not a share.",
                    hint=f"Answer like this: `{shown} {amount}`; or `even`.",
                    question=question.name,
                    name=part,
                )
            if who.lower() in REST:
                rest = int(number)
                continue
            sharer = self._candidate(question, who.rstrip(": "), sharers)
            if sharer in shares:
                raise Why.UNCLEAR(f"{say(sharer)} has two shares.", question=question.name, thing=say(sharer))
            shares[sharer] = int(number)
        if rest is not None:
            shares.update({x: rest for x in sharers if x not in shares})
        total = sum(shares.values())
        if total != amount:
            raise Why.OUT_OF_BOUNDS(
                f"You must split {amount}, but these shares add up to {total}.",
                self._cites(question),
                question=question.name,
                number=total,
                least=amount,
                most=amount,
            )
        return Shares.of(sharers, shares)

    def _cites(self, question: Question | EachQuestion) -> tuple[str, ...]:
        return self.world.sites[question.site].cites

    def _candidate(self, question: Question | EachQuestion, text: str, candidates: Sequence[object]) -> Value:
        word = _word(text)
        for candidate in candidates:
            if typed(candidate).lower() == word:
                return candidate
        found = [c for c in candidates if getattr(c, "name", "").lower() == word]
        if len(found) == 1:
            return found[0]
        shown = ", ".join(say(c) for c in candidates[:12]) + (" …" if len(candidates) > 12 else "")
        raise Why.NOT_UNDERSTOOD(
            f"`{text.strip()}` is not an answer to {question.name}.",
            self._cites(question),
            f"It can be: {shown or 'none'}.",
            question=question.name,
            name=text.strip(),
        )

    def each_answer(self, question: EachQuestion, text: str) -> dict[Thing, object]:
        """`tf-1 B, tf-2 A`, `all B`, `tf-1 B, others A`; several of one: `tf-1 x, y, tf-2 none`."""
        said, rest = self._said_of_each(question, text)
        answer: dict[Thing, object] = {}
        missing = []
        for at, item in enumerate(question.items):
            forced = question.forced(at)
            # `others X` applies only to things that have a choice.
            words = said.get(item, None if forced is not UNSETTLED else rest)
            if words is not None:
                answer[item] = self._one_of_each(question, at, words)
            elif forced is not UNSETTLED:
                answer[item] = forced
            else:
                missing.append(say(item))
        if missing:
            lacking = f"The answer to {question.name} is missing for {', '.join(missing)}."
            about = About(question=question.name, things=missing)
            raise Incomplete(
                Refusal(lacking, (), "", "Use `others X` to answer for the rest.", Why.NOT_UNDERSTOOD, about)
            )
        wrong = question.trouble(answer)
        if wrong is not None:
            raise Why.AGAINST_RULE(
                f"{say(answer[wrong])} is not allowed for {say(wrong)}: {question.reason or 'the rule forbids it'}.",
                self._cites(question),
                question=question.name,
                things=[say(answer[wrong]), say(wrong)],
            )
        return answer

    def _one_of_each(self, question: EachQuestion, at: int, words: str) -> Value:
        try:
            return self._formed(question.asked(at), words)
        except Refused as error:
            message = f"{say(question.items[at])}: {error.message[:1].lower()}{error.message[1:]}"
            if error.message.startswith("`"):
                message = error.message
            raise Refused(attrs.evolve(error.refusal, message=message)) from None

    def _said_of_each(self, question: EachQuestion, text: str) -> tuple[dict[Thing, str], str | None]:
        """The words for each item that is named, and those for all others."""
        saying = _Saying(question, lambda word: self._candidate(question, word, question.items))
        for part in _parts(text):
            saying.take(part)
        if saying.sharing:
            raise Why.NOT_UNDERSTOOD(
                f"The answer for {say(saying.sharing[-1])} is missing.",
                hint="Write `a B` to answer for one, `a, b B` for several.",
                question=question.name,
                name=say(saying.sharing[-1]),
            )
        return saying.said, saying.rest


class _Saying:
    """The content of an answer about several things, part by part.

    item: finds the thing that a word names. said: the words for each thing; rest: those for all others. current: what the last words
    were for, REST if they were for all others. sharing: `tf-1, tf-2 B`: things that take the words of the next one.
    """

    def __init__(self, question: EachQuestion, item: Callable[[str], Thing]) -> None:
        self.question, self.item = question, item
        self.several = question.kind in {"some", "up_to", "exactly"}
        self.said: dict[Thing, str] = {}
        self.rest: str | None = None
        self.current: Value = None
        self.sharing: list[Thing] = []

    def take(self, part: str) -> None:
        """Takes the next part of the answer. Raises Refused."""
        question = self.question
        words = [w for w in re.split(r":\s*|\s+", part, maxsplit=1) if w] or [part]  # a colon by itself
        named, alone = self._names(_word(words[0])), len(words) == 1
        if named and not alone:
            self._named(words[0], words[1])
        elif self.several and self.current is not None:
            self._more(part)
        elif not alone and not named and self._is_of_another(part, words[1]):
            asked = ", ".join(say(i) for i in question.items[:12]) + (" …" if len(question.items) > 12 else "")
            raise Why.NOT_NOW(
                f"{question.name} is asked about {asked}, not about {words[0].rstrip(':')}.", question=question.name
            )
        elif len(question.items) == 1:
            self.current = question.items[0]
            self.said[self.current] = part
        elif not self.said and self.rest is None and _suits_all(question, part):
            self.rest, self.current = part, REST
        elif named and not self.several:
            self.sharing.append(self.item(words[0]))
        else:
            self._not_understood(part, words)

    def _names(self, word: str) -> bool:
        """Whether a word names a thing that is asked about, or all others."""
        return word in REST or any(word in called(i) for i in self.question.items)

    def _is_of_another(self, part: str, words: str) -> bool:
        """Whether words would be a valid answer, but name something that the question is not about."""
        return _fits_some(self.question, words) and not _fits_some(self.question, part)

    def _named(self, word: str, words: str) -> None:
        """Takes words for a thing and those that share them, or for all others."""
        if word.lower() in REST:
            self.rest, self.current = words, REST
        else:
            self.current = self.item(word)
            self.said.update(dict.fromkeys([*self.sharing, self.current], words))
            self.sharing = []

    def _more(self, part: str) -> None:
        """Takes one more of several choices."""
        if self.current is REST:
            self.rest = f"{self.rest}, {part}"
        else:
            self.said[self.current] += f", {part}"

    def _not_understood(self, part: str, words: list[str]) -> None:
        """Raises Refused."""
        question = self.question
        if len(words) == 2:
            self.item(words[0])
            return
        example = next((say(o[0]) for o in question.options if o), "1" if question.kind == "number" else "none")
        raise Why.NOT_UNDERSTOOD(
            f"`{part}` is not a valid answer.",
            hint=f"Answer like this: `{say(question.items[0])} {example}, others {example}`.",
            name=part,
        )


def answers_said(question: Question) -> str:
    """The possible answers to a question, as a sentence."""
    if question.kind == "number":
        return f"It can be: a number up to {question.amount}."
    shown = ", ".join(say(x) for x in question.candidates[:12]) + (" …" if len(question.candidates) > 12 else "")
    some = "" if question.kind in {"one", "words", "split"} else ", or none"
    return f"It can be: {shown or 'none'}{some if shown else ''}."


def answer_to(question: Question | EachQuestion, text: str) -> str:
    """An answer without the question's name in front, which people may write: `joiners tf-2`, `joiners with tf-2`."""
    first, _, rest = text.strip().partition(" ")
    things = question.items if isinstance(question, EachQuestion) else question.candidates
    if first.lower() != question.name.lower() or not rest or any(_word(first) in called(x) for x in things):
        return text
    return rest.strip().removeprefix("with ").strip()


def names_in_answer(pending: Pending | None, side: str, text: str) -> Names:
    """Where names occur in a side's answer to the open questions: anywhere, except for words of the questions and answers that are not things."""
    asked = pending.questions if isinstance(pending, Sealed) else [pending]
    spared = {*REST, *NOTHING_CHOSEN, "even", "evenly", "with", "and"}
    for question in asked:
        if isinstance(question, Question | EachQuestion) and question.side.id == side:
            options = question.options if isinstance(question, EachQuestion) else [question.candidates]
            spared |= {question.name.lower(), *(x.lower() for some in options for x in some if isinstance(x, str))}
    return Names(((0, len(text)),), frozenset(spared))


def even_split(sharers: Sequence[object], amount: int) -> Shares:
    """As even as possible: the first ones take the remainder."""
    share, over = divmod(amount, max(len(sharers), 1))
    return Shares.of(sharers, {x: share + (n < over) for n, x in enumerate(sharers)})


def _suits_all(question: EachQuestion, text: str) -> bool:
    """Whether an answer that names none of the things it is for can be meant for all of them."""
    if text.lower() in NOTHING_CHOSEN:
        return question.kind in {"some", "up_to"}
    open_ones = [o for at, o in enumerate(question.options) if question.forced(at) is UNSETTLED]
    return all(any(_word(text) in called(x) for x in options) for options in open_ones or question.options)


def _fits_some(question: EachQuestion, text: str) -> bool:
    """Whether a word is an answer for some of the things of a question."""
    if question.kind == "number":
        return text.isdecimal()
    if text.lower() in NOTHING_CHOSEN:
        return question.kind in {"some", "up_to"}
    return any(_word(text) in called(x) for options in question.options for x in options)


def called(item: object) -> set[str]:
    """What a thing may be called in an answer."""
    return {typed(item).lower(), getattr(item, "name", "").lower()}


def _word(text: str) -> str:
    """A word of an answer for lookup: things by their ids."""
    return without_references(text.strip().strip('"')).lower()


def _parts(text: str) -> list[str]:
    return [p for p in re.split(r"\s*[,;]\s*|\s+and\s+", text.strip()) if p]


def _because(reason: str) -> str:
    return (reason[:1].upper() + reason[1:] if reason else "The rule does not allow this answer") + "."
