"""Giving a filled form: it is checked row by row against what the game asks, tried on a copy, then recorded as one batch."""

from collections.abc import Callable, Container
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from campaigns.file.errors import CampaignError
from campaigns.play.machines import heard
from campaigns.tabletop.pack import Pack, packs
from campaigns.tabletop.result_form import ANSWER, Filled, FormRow
from dsl.text.diagnostics import did_you_mean
from interpreter.messages.asking import EachQuestion, Question, Sealed
from interpreter.messages.inputs import Awaited, Event, Input, Refused
from interpreter.messages.sides import UMPIRE
from interpreter.queries.table_battles import TableQuestion, at_tables, open_questions
from interpreter.runtime.references import without_references
from interpreter.runtime.refusals import Refusal, Why
from interpreter.runtime.runtime import typed

if TYPE_CHECKING:
    from campaigns.play.campaign import Campaign
    from interpreter.machine import Game

__all__ = ["FormFault", "Posting", "post", "rehearse"]

MOST_ANSWERS = 200
"""The most answers in a form."""
NOTHING = frozenset({"none", "nobody", "nothing", "-"})


@frozen
class FormFault:
    """One mistake in a form. refusal: where, what, and what would be right; line: its line, 0 if it has none."""

    refusal: Refusal
    line: int = 0

    @classmethod
    def of(cls, row: FormRow, refused: Refused, hint: str = "") -> "FormFault":
        """What is wrong with a row. hint: replaces the one of the refusal."""
        return cls(evolve(refused.refusal, place=row.place, hint=hint or refused.hint), row.line)


@frozen
class Posting:
    """The result of a form. inputs: what is given; events: what happens; wrong: why nothing is given.

    waiting: rows that the rules have not asked for yet; awaited: what the game waits for then; over: whether the battle is over by then.
    """

    title: str
    inputs: tuple[Input, ...] = ()
    events: tuple[Event, ...] = ()
    wrong: tuple[FormFault, ...] = ()
    waiting: tuple[FormRow, ...] = ()
    awaited: tuple[Awaited, ...] = ()
    over: bool = False


def rehearse(campaign: "Campaign[Game]", form: Filled) -> Posting:
    """What entering a form would result in; nothing is recorded.

    Raises:
        CampaignError: it is not for a battle that is at a table now.
        RuleFailure: a rule fails.
    """
    pack = _pack_of(campaign, form)
    form = _in_own_words(campaign, form)
    asked = {one.question: one for one in pack.table.results}
    rows = {(row.question, row.key): row for row in form.rows}
    misplaced = {key: found for key, row in rows.items() if (found := _misplaced(row, asked, pack)) is not None}
    wrong = list(misplaced.values())
    trial: Game = campaign.state_at(campaign.head)
    given: list[Input] = []
    events: list[Event] = []
    used: set[FormRow] = set()
    while len(given) < MOST_ANSWERS:
        question = next((one for one in open_questions(trial) if one.name in asked), None)
        if question is None:
            break
        answer = _Answer(trial, question, rows, misplaced)
        used |= answer.used
        wrong += answer.wrong
        one = Input("answer", answer.giver, answer.text, question.name)
        try:
            events += trial.offer(heard(trial, one))
        except Refused as error:
            if not wrong:
                wrong.append(FormFault(evolve(error.refusal, place=answer.place)))
            break
        given.append(one)
    if wrong:
        return Posting(pack.table.title, wrong=_in_order(wrong))
    waiting = tuple(row for row in form.rows if row not in used and row.text)
    if not given:
        raise CampaignError(
            "The rules ask nothing about this battle now, so there is nothing to enter.",
            "Continue (`ophex advance`, `ophex status`) until they ask for its result.",
            Why.NOT_NOW,
        )
    there = (pack.table.tabletop, pack.table.name)
    over = all((one.tabletop, one.name) != there for one in at_tables(trial))
    return Posting(pack.table.title, tuple(given), tuple(events), (), waiting, trial.awaiting, over)


def post(
    campaign: "Campaign[Game]", form: Filled, source: str = "", seen: Callable[[Posting], Any] | None = None
) -> Posting:
    """Enters a form: all or nothing. seen: called with the result before anything is recorded.

    Raises:
        CampaignError, RuleFailure: as for `rehearse`.
        RefusedAt, Stale: the campaign has moved on in the meantime.
    """
    found = rehearse(campaign, form)
    if seen is not None:
        seen(found)
    if not found.wrong:
        campaign.offer_all(found.inputs, source=source)
    return found


def _in_order(wrong: list[FormFault]) -> tuple[FormFault, ...]:
    """Each mistake once, by its line; those without a line come last."""
    found = [one for n, one in enumerate(wrong) if one not in wrong[:n]]
    return tuple(sorted(found, key=lambda one: one.line or 10**9))


def _pack_of(campaign: "Campaign[Game]", form: Filled) -> Pack:
    """The battle that a form is for: its mark is made from what its reader was shown."""
    everything = packs(campaign)
    readers = [UMPIRE, *(side.id for side in campaign.game.sides)]
    for reader in readers:
        for one in packs(campaign, reader) if reader != UMPIRE else everything:
            if one.mark == form.mark:
                whole = next((x for x in everything if x.table.tabletop == one.table.tabletop and _same(campaign, x, one)), None)  # fmt: skip
                if whole is not None:
                    return whole
    there = ", ".join(one.table.name for one in everything)
    if any(one.table.name == form.battle for one in everything):
        raise CampaignError(
            f"The form is for another battle that was called {form.battle[:60]}: its mark is a different one.",
            "Create a form for this one with `ophex export CAMPAIGN --battle`.",
            Why.NOT_NOW,
        )
    raise CampaignError(
        f"The form is for a battle that is not at a table now: {form.battle[:60]}.",
        f"At a table: {there}. Create a form with `ophex export CAMPAIGN --battle`."
        if there
        else "No battle is at a table now.",
        Why.NOT_NOW,
    )


def _in_own_words(campaign: "Campaign[Game]", form: Filled) -> Filled:
    """A form with labels replaced by the names behind them: the form of a side uses the labels that it knows."""
    labels = campaign.game.world.incognito
    if labels is None:
        return form
    rows = tuple(
        evolve(row, key=labels.id_of(row.key), text=without_references(labels.meant(row.text))) for row in form.rows
    )
    return evolve(form, rows=rows)


def _same(campaign: "Campaign[Game]", one: Pack, other: Pack) -> bool:
    """Whether two battles are the same one, which a side may know by another name."""
    labels = campaign.game.world.incognito
    return one.table.name == (other.table.name if labels is None else labels.id_of(other.table.name))


def _misplaced(row: FormRow, asked: dict[str, TableQuestion], pack: Pack) -> FormFault | None:
    """What is wrong with a row, regardless of what the game asks when its turn comes."""
    known = asked.get(row.question)
    if known is None:
        hint = did_you_mean(row.question, asked) or f"Its questions are: {', '.join(asked)}."
        refused = Why.UNKNOWN_NAME(
            f"This battle has no question {row.question[:60]}.", hint=hint, question=row.question[:60]
        )
        return FormFault.of(row, refused)
    sides = [side.id for side in pack.view.sides]
    keys = list(known.each) if known.each is not None else [ANSWER, *sides]
    if row.key not in keys:
        hint = did_you_mean(row.key, keys) or (
            f"It can be: {', '.join(keys[:12])}." if len(keys) < 40 else "Do not change the keys."
        )
        what = f"{row.question} is not asked about {row.key[:60]}."
        return FormFault.of(row, Why.UNKNOWN_NAME(what, hint=hint, question=row.question, name=row.key[:60]))
    if known.words and row.text and known.form in {"one", "words"} and row.text.lower() not in known.words:
        hint = did_you_mean(row.text, known.words) or f"It can be: {', '.join(known.words)}."
        what = f"`{row.text[:60]}` is not an answer to {row.question}."
        return FormFault.of(row, Why.UNKNOWN_NAME(what, hint=hint, question=row.question, name=row.text[:60]))
    return None


class _Answer:
    """The answer to an open question, assembled from its rows. text: all of it; wrong: why it cannot be given.

    If a row is wrong, the text has something legal in its place, so that what comes after it can be checked as well.
    """

    def __init__(
        self, game: "Game", question: Question | EachQuestion, rows: dict[tuple[str, str], FormRow], misplaced: Container[tuple[str, str]]
    ) -> None:  # fmt: skip
        self.game, self.question, self.rows, self.misplaced = game, question, rows, misplaced
        self.wrong: list[FormFault] = []
        self.used: set[FormRow] = set()
        self.place = f"[{question.name}]"
        self.text = self._each(question) if isinstance(question, EachQuestion) else self._whole(question)

    @property
    def giver(self) -> str:
        """Who gives it: the umpire; in a sealed round each side for itself."""
        return str(self.question.side.id) if isinstance(self.game.pending, Sealed) else UMPIRE

    def _each(self, question: EachQuestion) -> str:
        parts = []
        for number, item in enumerate(question.items):
            asked = question.asked(number)
            if question.is_forced(number) and self._filled(item.id) is None:
                continue
            parts.append(f"{typed(item)} {self._said(item.id, asked)}")
        return ", ".join(parts) or "none"

    def _whole(self, question: Question) -> str:
        side = question.side.id
        key = side if (question.name, side) in self.rows else ANSWER
        row = self._filled(key)
        self.place = row.place if row is not None else self.place
        return self._said(key, question)

    def _filled(self, key: str) -> FormRow | None:
        """A row, if anything is filled in."""
        row = self.rows.get((self.question.name, key))
        if row is None or not row.text:
            return None
        self.used.add(row)
        return row

    def _said(self, key: str, question: Question) -> str:
        """The answer in a row, if it is legal; otherwise it is noted as wrong, and something legal is returned."""
        row = self._filled(key)
        if row is None:
            there = self.rows.get((question.name, key))
            found = there or FormRow(question.name, key, "", 0)
            what = "This row is not filled in." if there is not None else "The form has no row for this."
            missing = Why.NOT_UNDERSTOOD(what, hint=self.game.answers_said(question), question=question.name)
            self.wrong.append(FormFault.of(found, missing))
            return self._stand_in(question)
        if (question.name, key) in self.misplaced:
            return self._stand_in(question)
        try:
            self.game.would_mean(question, row.text)
        except Refused as error:
            self.wrong.append(FormFault.of(row, error, error.hint or self.game.answers_said(question)))
            return self._stand_in(question)
        return row.text

    def _stand_in(self, question: Question) -> str:
        if question.kind == "number":
            return "0"
        if question.kind in {"one", "words"} and question.candidates:
            return self.game.called_in_answers(question.candidates[0])
        return "even" if question.kind == "split" else "none"
