"""Answers: what a typed answer means to the question that is open, and why it is refused."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from interpreter.asking import UNSETTLED, EachQuestion, Question, Sealed
from interpreter.inputs import Input, Refused
from interpreter.runtime import Shares, say
from interpreter.seat import Seat
from interpreter.veil import things_in

if TYPE_CHECKING:
    from interpreter.play import Game
    from interpreter.world import World


class Incomplete(Refused):
    """An answer for several things that leaves some of them out."""


class Answers:
    """The part of the machine that reads answers."""

    world: World
    blindfolded: Any
    _pending: Any

    def _what(self, side: str) -> str:
        raise NotImplementedError

    def _side(self, name: str) -> Any:
        raise NotImplementedError

    def seat(self, side: str) -> Seat:
        """The gate to a side."""
        raise NotImplementedError

    def seen_by(self, side: str) -> Game:
        """The game that a side looks at."""
        raise NotImplementedError

    def _read_answer(self, given: Input) -> Any:
        """What an answer means to the open question; UNSETTLED while others of a sealed round have yet to answer."""
        pending = self._pending
        if isinstance(pending, Sealed):
            return self._read_sealed(pending, given)
        if not isinstance(pending, Question | EachQuestion):
            raise Refused("No question is open.", hint=self._what(given.side))
        if given.side != "umpire" and self._side(given.side) is not pending.side:
            raise Refused(f"This question is for {pending.side.id}, not for {given.side}.")
        if given.subject and given.subject != pending.name:
            raise Refused(f"The open question is {pending.name}, not {given.subject}.", hint=self._what(given.side))
        answer = self._meant(pending, given.text)
        self._tell_choice(pending, answer, pending.side.id if pending.secret else "all")
        return answer

    def _read_sealed(self, sealed: Sealed, given: Input) -> Any:
        """One answer of a sealed round. It is told to its giver alone; to the others when all have answered."""
        mine = [q for q in sealed.open if given.side == "umpire" or q.side is self._side(given.side)]
        spoken = {q.name for q in mine if not given.subject and _answer_to(q, given.text) != given.text}
        named = [q for q in mine if (q.name in spoken if spoken else given.subject in {"", q.name})]
        if not mine:
            raise Refused(f"{given.side} has answered; the others have not.", hint=self._what(given.side))
        if not named:
            known = " and ".join(dict.fromkeys(q.name for q in mine))
            raise Refused(f"What is open for {given.side} is {known}, not {given.subject}.")
        if len({q.side for q in named}) > 1 or (not given.subject and not spoken and len(named) > 1):
            raise Refused(
                "Several questions are open at once: say which is answered.",
                hint="`answer QUESTION with …`, each side for itself.",
            )
        question = named[0]
        answer = self._meant(question, given.text)
        sealed.answers[sealed.questions.index(question)] = answer
        self._tell_choice(question, answer, question.side.id)
        if sealed.open or self.blindfolded is not None:
            return UNSETTLED
        for number, asked in enumerate(sealed.questions):
            if not asked.secret:
                for other in self.world.all_of("side"):
                    if other is not asked.side:
                        self._tell_choice(asked, sealed.answers[number], other.id)
        return [sealed.answers[number] for number in range(len(sealed.questions))]

    def may_answer(self, side: str, name: str, text: str) -> bool:
        """Whether an answer to an open question would be taken; nothing is answered."""
        if (seen := self.seen_by(side)) is not self:
            return seen.may_answer(side, name, text)
        pending, text = self._pending, self.seat(side).heard(text, as_ids=True)
        asked = pending.open if isinstance(pending, Sealed) else [pending]
        for question in asked:
            if isinstance(question, Question | EachQuestion) and question.name == name and question.side.id == side:
                try:
                    self._meant(question, text)
                except Refused:
                    return False
                return True
        return False

    def would_mean(self, question: Question | EachQuestion, text: str) -> Any:
        """What a text would mean as an answer; nothing is answered. Raises Refused."""
        return self._meant(question, text)

    def called_in_answers(self, answer: Any) -> str:
        """A thing, place or word as it is answered."""
        return say(answer)

    def answers_said(self, question: Question) -> str:
        """What can be answered to a question, in words."""
        if question.kind == "number":
            return f"It can be: a number up to {question.amount}."
        shown = ", ".join(say(x) for x in question.candidates[:12]) + (" …" if len(question.candidates) > 12 else "")
        some = "" if question.kind in {"one", "words", "split"} else ", or none"
        return f"It can be: {shown or 'none'}{some if shown else ''}."

    def _meant(self, question: Question | EachQuestion, text: str) -> Any:
        text = _answer_to(question, text)
        if isinstance(question, EachQuestion):
            return self._each_answer(question, text)
        return self._one_answer(question, text)

    def _tell_choice(self, pending: Question | EachQuestion, answer: Any, to: str) -> None:
        """Tells an answer; those who must not know of a thing in it hear only that one was given."""
        text = f"{pending.side.id} chooses {pending.name}"
        knowing = self.world.knowledge.knowing(things_in(answer), to)
        for told in knowing:
            self.world.journal.happened(
                "choice", f"{text}: {say(answer)}.", pending.site, pending.side, told, name=pending.name
            )
        if knowing != [to] and not pending.secret:
            for other in self.world.all_of("side"):
                if other.id not in knowing and to in {"all", other.id}:
                    self.world.journal.happened(
                        "choice", f"{text}.", pending.site, pending.side, other.id, name=pending.name
                    )

    def _one_answer(self, question: Question, text: str) -> Any:
        if question.reason and any(text.strip().strip('"').lower() in called(x) for x in question.barred):
            raise Refused(_because(question.reason), self._cites(question))
        answer = self._formed(question, text.strip())
        if question.kind not in {"one", "words"} and not question.legal(answer):
            raise Refused(_because(question.reason), self._cites(question))
        return answer

    def _formed(self, question: Question, text: str) -> Any:
        """An answer of the right form; whether the rule allows the whole of it is not asked."""
        if question.kind == "number":
            if not re.fullmatch(r"\d{1,9}", text) or int(text) > (question.amount or 0):
                raise Refused(f"{text or 'Nothing'} is no number from 0 to {question.amount}.")
            return int(text)
        if question.kind in {"one", "words"}:
            return self._candidate(question, text, question.candidates)
        if question.kind == "split":
            return self._shares(question, text)
        if text.lower() in NOTHING_CHOSEN:
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
        return chosen

    def _shares(self, question: Question, text: str) -> Shares:
        """`tf-1 2, tf-2 1`: who is not named has no share; `others 1` names the rest, `even` splits as evenly as can be."""
        sharers, amount = question.candidates, question.amount or 0
        shares: dict[Any, int] = {}
        rest: int | None = None
        if text.lower() in {"even", "evenly"}:
            return even_split(sharers, amount)
        for part in [] if text.lower() in NOTHING_CHOSEN else _parts(text):
            who, _, number = part.rpartition(" ")
            if not who or not re.fullmatch(r"\d{1,9}", number):
                shown = say(sharers[0]) if sharers else "WHO"
                raise Refused(f"`{part}` is no share.", hint=f"Answer like: {shown} {amount}; or even.")
            if who.lower() in REST:
                rest = int(number)
                continue
            sharer = self._candidate(question, who.rstrip(": "), sharers)
            if sharer in shares:
                raise Refused(f"{say(sharer)} is given two shares.")
            shares[sharer] = int(number)
        if rest is not None:
            shares.update({x: rest for x in sharers if x not in shares})
        total = sum(shares.values())
        if total != amount:
            raise Refused(f"{amount} must be split, but these shares come to {total}.", self._cites(question))
        return Shares.of(sharers, shares)

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
        """`tf-1 B, tf-2 A`, `all B`, `tf-1 B, others A`; several of one: `tf-1 x, y, tf-2 none`."""
        said, rest = self._said_of_each(question, text)
        answer: dict[Any, Any] = {}
        missing = []
        for at, item in enumerate(question.items):
            forced = question.forced(at)
            # `others X` is meant for those that can choose at all.
            words = said.get(item, None if forced is not UNSETTLED else rest)
            if words is not None:
                answer[item] = self._one_of_each(question, at, words)
            elif forced is not UNSETTLED:
                answer[item] = forced
            else:
                missing.append(say(item))
        if missing:
            raise Incomplete(
                f"{question.name} is still missing for {', '.join(missing)}.", hint="`others X` answers for the rest."
            )
        wrong = question.trouble(answer)
        if wrong is not None:
            raise Refused(
                f"{say(answer[wrong])} is not allowed for {say(wrong)}: {question.reason or 'the rule forbids it'}.",
                self._cites(question),
            )
        return answer

    def _one_of_each(self, question: EachQuestion, at: int, words: str) -> Any:
        try:
            return self._formed(question.asked(at), words)
        except Refused as error:
            message = f"{say(question.items[at])}: {error.message[:1].lower()}{error.message[1:]}"
            if error.message.startswith("`"):
                message = error.message
            raise Refused(message, error.cites, error.hint) from None

    def _said_of_each(self, question: EachQuestion, text: str) -> tuple[dict[Any, str], str | None]:
        """The words for each item that is named, and those for all others."""
        several = question.kind in {"some", "up_to", "exactly"}
        said: dict[Any, str] = {}
        rest: str | None = None
        current: Any = None
        sharing: list[Any] = []  # `tf-1, tf-2 B`: those that wait for the words of the next
        for part in _parts(text):
            words = [w for w in re.split(r":\s*|\s+", part, maxsplit=1) if w] or [part]  # a colon by itself
            named = words[0].lower() in REST or any(words[0].lower() in called(i) for i in question.items)
            if len(words) == 2 and named:
                if words[0].lower() in REST:
                    rest, current = words[1], REST
                else:
                    current = self._candidate(question, words[0], question.items)
                    said.update(dict.fromkeys([*sharing, current], words[1]))
                    sharing = []
            elif several and current is REST:
                rest = f"{rest}, {part}"
            elif several and current is not None:
                said[current] += f", {part}"
            elif len(words) == 2 and not named and _fits_some(question, words[1]) and not _fits_some(question, part):
                asked = ", ".join(say(i) for i in question.items[:12]) + (" …" if len(question.items) > 12 else "")
                raise Refused(f"{question.name} is asked of {asked}, not of {words[0].rstrip(':')}.")
            elif len(question.items) == 1:
                current = question.items[0]
                said[current] = part
            elif not said and rest is None and _suits_all(question, part):
                rest, current = part, REST
            elif named and not several:
                sharing.append(self._candidate(question, words[0], question.items))
            elif len(words) == 2:
                self._candidate(question, words[0], question.items)
            else:
                example = next((say(o[0]) for o in question.options if o), "1" if question.kind == "number" else "none")
                raise Refused(
                    f"`{part}` is not understood.",
                    hint=f"Answer like: {say(question.items[0])} {example}, others {example}",
                )
        if sharing:
            raise Refused(
                f"Nothing is said for {say(sharing[-1])}.", hint="`a B` answers for one, `a, b B` for several."
            )
        return said, rest


NOTHING_CHOSEN = frozenset({"none", "nobody", "nothing", "-", ""})
"""Answers that choose nothing."""
REST = frozenset({"all", "others", "rest"})
"""Words for the things of a question that are not named."""


def _answer_to(question: Question | EachQuestion, text: str) -> str:
    """An answer without the question's name before it, as people write it: `joiners tf-2`, `joiners with tf-2`."""
    first, _, rest = text.strip().partition(" ")
    things = question.items if isinstance(question, EachQuestion) else question.candidates
    if first.lower() != question.name.lower() or not rest or any(first.lower() in called(x) for x in things):
        return text
    return rest.strip().removeprefix("with ").strip()


def even_split(sharers: Sequence[Any], amount: int) -> Shares:
    """As even as can be: who comes first takes what is left over."""
    share, over = divmod(amount, max(len(sharers), 1))
    return Shares.of(sharers, {x: share + (n < over) for n, x in enumerate(sharers)})


def _suits_all(question: EachQuestion, text: str) -> bool:
    """Whether an answer that names none of the things it is for can be meant for all of them."""
    if text.lower() in NOTHING_CHOSEN:
        return question.kind in {"some", "up_to"}
    open_ones = [o for at, o in enumerate(question.options) if question.forced(at) is UNSETTLED]
    return all(any(text.lower() in called(x) for x in options) for options in open_ones or question.options)


def _fits_some(question: EachQuestion, text: str) -> bool:
    """Whether a word is an answer for some of the things of a question."""
    if question.kind == "number":
        return text.isdecimal()
    if text.lower() in NOTHING_CHOSEN:
        return question.kind in {"some", "up_to"}
    return any(text.lower() in called(x) for options in question.options for x in options)


def called(item: Any) -> set[str]:
    """What a thing may be called in an answer."""
    return {say(item).lower(), str(getattr(item, "name", "")).lower()}


def _parts(text: str) -> list[str]:
    return [p for p in re.split(r"\s*[,;]\s*|\s+and\s+", text.strip()) if p]


def _because(reason: str) -> str:
    return (reason[:1].upper() + reason[1:] if reason else "The rule does not allow this answer") + "."
