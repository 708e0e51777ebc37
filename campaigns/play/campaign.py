"""One open campaign: a machine and the file that records what it accepted.

The machine decides what is legal, the file decides what has happened. An input takes effect once it is committed. If the
two disagree for any reason, the machine is thrown away and rebuilt from the file (`rebuilding.py`). A starter makes machines
(`machines.py`); nothing here knows how rules are written. `open_file.py` reads from both, and `going.py` moves the head.
"""

import contextlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from os import PathLike
from pathlib import Path
from typing import Any, Self

from attrs import evolve

from campaigns.file.beside import Beside
from campaigns.file.errors import Busy, CampaignError, RefusedAt, Stale
from campaigns.file.file_schema import PATIENCE
from campaigns.file.history import Document, Entry, beginning_hash, entry_hash, events_to_json
from campaigns.file.store import Store
from campaigns.play.going import Going, TreeLine
from campaigns.play.machines import M, Machine, Starter, heard, in_own_words, is_spent
from campaigns.play.recorded_seals import check_link
from campaigns.play.together import Trial, together
from campaigns.play.whole_files import backup_file, verify_file
from interpreter.messages.inputs import SEAL, Event, Input, Refused, RuleFailure
from interpreter.runtime.refusals import Refusal, Why

__all__ = ["Campaign", "Machine", "Starter", "TreeLine", "backup_file", "verify_file"]


SNAPSHOT_EVERY = 64
"""How many entries must have passed before another snapshot is taken."""

TURN_PATIENCE = 120.0
"""How many seconds an input that is offered again waits for its turn among all writers."""


def _now() -> datetime:
    return datetime.now(UTC)


class Campaign(Going[M]):
    """One open campaign: it takes inputs, records their results, and moves its head."""

    def __init__(self, store: Store, starter: Starter[M], clock: Callable[[], datetime], snapshot_every: int) -> None:
        super().__init__(store, starter)
        self._clock = clock
        self._snapshot_every = snapshot_every

    @classmethod
    def create(
        cls,
        path: str | PathLike[str],
        documents: Iterable[Document],
        settings: Mapping[str, Any],
        starter: Starter[M],
        *,
        clock: Callable[[], datetime] = _now,
        snapshot_every: int = SNAPSHOT_EVERY,
    ) -> Self:
        """Create a campaign file and open it. The file appears only when it is complete.

        Args:
            path: where it shall be; nothing may be there yet.
            documents: the texts of rules, map and scenario; their names are unique.
            settings: the choices for it: values that can be written as JSON, by name.
            starter: makes the machine.
            clock: tells the time that is noted beside each entry.
            snapshot_every: how many entries must pass before another snapshot is taken.

        Raises:
            CampaignError: the path already exists, or the file cannot be created there.
        """
        documents = tuple(documents)
        _unique(documents)
        settings = json.loads(json.dumps(settings))  # as it will be read, so that the digests are the same
        digest = starter(documents, settings, None).digest()
        chained = beginning_hash(documents, settings, digest)
        beginning = Entry(0, None, Input("begin", "", ""), "[]", digest, chained, _written(clock))
        store = Store.create(Path(path), documents, settings, beginning)
        return cls._opened(store, starter, clock, snapshot_every)

    @classmethod
    def open(
        cls,
        path: str | PathLike[str],
        starter: Starter[M],
        *,
        clock: Callable[[], datetime] = _now,
        snapshot_every: int = SNAPSHOT_EVERY,
        patience: float = PATIENCE,
    ) -> Self:
        """Open a campaign file at its last accepted input.

        Args:
            path: the file.
            starter: makes the machine.
            clock: tells the time that is noted beside each entry.
            snapshot_every: how many entries must pass before another snapshot is taken.
            patience: how many seconds to wait for another session's transaction.

        Raises:
            CampaignError: the file is not a campaign, is damaged, too new or locked, or cannot be replayed.
        """
        store = Store.open(Path(path), patience=patience)
        return cls._opened(store, starter, clock, snapshot_every)

    @classmethod
    def _opened(cls, store: Store, starter: Starter[M], clock: Callable[[], datetime], snapshot_every: int) -> Self:
        try:
            campaign = cls(store, starter, clock, snapshot_every)
            campaign._load()
        except BaseException:
            store.close()
            raise
        return campaign

    def offer(self, given: Input) -> list[Event]:
        """Let the machine accept one input and record it, in one transaction.

        Returns:
            What it brought about.

        Raises:
            Refused: it is illegal now; nothing has changed.
            Stale: another session has moved the campaign on; nothing was recorded, and `game` shows the new situation.
            CampaignError: the file cannot be written; nothing was recorded.
        """
        try:
            return self._accept((given,))
        except RefusedAt as error:  # its position is not worth mentioning for a single input
            raise error.__cause__ if isinstance(error.__cause__, Refused) else error from None

    def offer_all(
        self,
        inputs: Iterable[Input],
        beside: Callable[[Sequence[Entry]], Beside] | None = None,
        source: str = "",
    ) -> list[Event]:
        """Let the machine accept several inputs in order and record them: all or nothing.

        Args:
            inputs: the inputs.
            beside: for the recorded entries, what is written beside the chain with them.
            source: the name of the file or mail that they came in; the record keeps what came together.

        Returns:
            What they brought about.

        Raises:
            RefusedAt: one of them is illegal when its turn comes; the error says which. Nothing has changed.
            Stale, CampaignError: as for `offer`.
        """
        return self._accept(tuple(inputs), beside, source)

    def bring(self, texts: Iterable[Document]) -> str:
        """Register an amended text of the rules: an input can name it by its digest. The file stores it with that input.

        Args:
            texts: all files of it, in their order; their names are unique.

        Returns:
            Its digest.

        Raises:
            CampaignError: two files have the same name.
        """
        texts = tuple(texts)
        _unique(texts)
        version = self._made.bring(texts)
        self._machine = None  # it knows only the texts that existed when it was made
        return version

    def give(self, inputs: Iterable[Input], source: str = "", *, bound: bool = False) -> tuple[list[Event], int]:
        """Like `offer_all`, but once more if another session was quicker and the first input still means the same.

        The second time no other session can be quicker: it waits for its turn and locks the others out.

        Returns:
            What they brought about, and how many times they were offered.

        Args:
            inputs: the inputs; all or nothing.
            source: the file that it comes from.
            bound: whether the giver is bound by dice that were rolled: then the inputs before a refusal are recorded. Otherwise
                one could try orders until the dice are favourable.

        Raises:
            RefusedAt: one of them is illegal, or has become so. Nothing has changed except what is `taken`.
            Stale: another session has moved the campaign to where they would mean something else.
            CampaignError: as for `offer`.
        """
        inputs = tuple(inputs)
        meant = self._standing(inputs)
        try:
            return self._accept(inputs, source=source, bound=bound), 1
        except (Stale, Busy):
            if meant is None:
                raise
        with self.alone():
            if self._standing(inputs) != meant:
                raise self._store.stale()
            return self._accept(inputs, source=source, bound=bound), 2

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """No other session writes within this context, and this one sees all that others wrote; the first thing that is written ends it.

        Raises:
            Busy: this session did not get its turn.
            CampaignError: the file cannot be written.
        """
        self._load()  # slow work is done before this session's turn
        with self._store.alone(TURN_PATIENCE):
            self._follow()
            yield

    def _standing(self, inputs: Sequence[Input]) -> Any:
        """The point of the game at which inputs would apply; None if the machine does not tell."""
        standing: Callable[[Input], Any] | None = getattr(self.game, "standing", None)
        return None if standing is None or not inputs else standing(inputs[0])

    def preview(self, given: Input) -> list[Event]:
        """The events of an input, without recording it. Costs a replay since the last snapshot.

        Raises:
            Refused: it is illegal now.
        """
        trial = self.state_at(self.head)
        return list(trial.offer(heard(trial, given)))

    def take_back(self, side: str) -> list[Event]:
        """Take back the last input of a side, as the side itself may: by an input of its own, so that nobody else's line changes.

        Raises:
            Refused: nothing of the side's can be taken back now; the reason is not given.
            Stale, CampaignError: as for `offer`.
        """
        machine: Any = self.game
        return self.offer(machine.taking_back(side))

    def give_again(self, side: str) -> list[Event]:
        """Give again what a side last took back, if it has given nothing since.

        Raises:
            Refused: there is nothing, or it is illegal now.
            Stale, CampaignError: as for `offer`.
        """
        machine: Any = self.game
        return self.offer(machine.given_again(side))

    def _accept(
        self,
        inputs: Sequence[Input],
        beside: Callable[[Sequence[Entry]], Beside] | None = None,
        source: str = "",
        *,
        bound: bool = False,
    ) -> list[Event]:
        """Offer inputs to the machine and record them in one transaction; on any failure the file decides."""
        machine, trial = self.game, Trial()
        try:
            for position, given in enumerate(inputs):
                trial.position = position
                if position and is_spent(machine, given):
                    continue
                given = in_own_words(machine, given)
                self._offered(machine, heard(machine, given), given, trial)
            if trial.entries:
                noted = beside(trial.entries) if beside is not None else Beside()
                noted = evolve(noted, statements=(*noted.statements, *together(trial.entries, source)))
                self._record(machine, trial, self._since, noted)
        except Refused as error:
            if trial.entries or machine.digest() != self._digest:
                self._machine = (
                    None  # it has accepted something that will not be recorded, or the refusal has left traces
                )
            fallen = bound and not getattr(machine, "typed", False) and any(e.kind == "roll" for e in trial.events)
            if fallen:
                self._accept(inputs[: trial.position], beside, source)
            taken = trial.position if fallen else 0
            raise RefusedAt(error.refusal, trial.position, taken) from error
        except UnicodeEncodeError as error:
            self._machine = None
            raise _no_text(trial.position) from error
        except BaseException:
            self._machine = None
            raise
        return trial.events

    def _offered(self, machine: M, heard_as: Input, given: Input, trial: Trial, after: Entry | None = None) -> None:
        """Offer one input to a machine at the end of a trial, and add it there. after: where the trial begins."""
        if given.kind == SEAL:
            check_link(self._store, given, trial.entries or [after or self._made.known(self._head)])
        events = machine.offer(heard_as)
        digest, written = machine.digest(), events_to_json(events)
        if trial.entries:
            parent, chained = trial.entries[-1].number, trial.entries[-1].hash
        else:
            parent, chained = (self._head, self._hash) if after is None else (after.number, after.hash)
        number = self._last + len(trial.entries) + 1
        chained = entry_hash(chained, given, digest, written)
        trial.entries.append(Entry(number, parent, given, written, digest, chained, _written(self._clock)))
        trial.events += events

    def _record(self, machine: M, trial: Trial, since: int, beside: Beside) -> None:
        """Record what a machine has accepted, and what is written beside it; it is this session's machine from then on."""
        end = trial.entries[-1]
        since += len(trial.entries)
        snapshot = self._made.proved(machine.snapshot(), end.digest) if since >= self._snapshot_every else None
        beside = evolve(beside, statements=(*self._made.keeping(trial.entries), *beside.statements))
        self._store.append((self._head, self._hash), trial.entries, snapshot, beside)
        self._machine = machine
        self._head = self._last = end.number
        self._hash, self._digest = end.hash, end.digest
        self._made.note_start(end.number, machine)
        self._since = since if snapshot is None else 0

    def give_from(
        self, after: int, inputs: Sequence[Input], beside: Callable[[Sequence[Entry]], Beside], least: int = 0
    ) -> tuple[list[Entry], Exception | None]:
        """Begin a line after any entry with some inputs, as far as they are valid; all in one transaction.

        Args:
            after: the entry that the line begins after.
            inputs: what is given there, one after the other, up to the first that is refused.
            beside: what is written beside the chain, for the resulting entries.
            least: how many of them must be valid, or nothing is recorded.

        Returns:
            The entries, and why the next input is not valid; None if all are.

        Raises:
            RefusedAt: one of the first is not valid; nothing has changed.
            Stale, CampaignError: as for `offer`.
        """
        start = self._made.known(after)
        if self._machine is None:
            self._load()
        machine, since = self._made.built(start, noted=True)
        trial, stopped = Trial(), None
        for given in inputs:
            try:
                self._offered(machine, heard(machine, given), given, trial, start)
            except (Refused, RuleFailure) as error:
                if len(trial.entries) < least:
                    raise RefusedAt(error.refusal, len(trial.entries)) from error
                stopped = error
                break
            except UnicodeEncodeError as error:
                raise _no_text(len(trial.entries)) from error
        if stopped is not None:  # the refused input may have left traces: the machine is discarded
            machine, since = self._made.built(start, noted=True)
            for entry in trial.entries:
                machine.offer(entry.input)
        try:
            if trial.entries:
                self._record(machine, trial, since, beside(trial.entries))
            else:
                tip = self._store.head().tip
                tip = tip if after in self._store.lineage(tip, after) else after
                self._store.move((self._head, self._hash), after, tip, beside(()))
                self._machine, self._since = machine, since
                self._head, self._hash, self._digest = after, start.hash, start.digest
        except BaseException:
            self._machine = None
            raise
        return trial.entries, stopped


def _unique(documents: Sequence[Document]) -> None:
    names = [document.name for document in documents]
    for name in sorted(set(names)):
        if names.count(name) > 1:
            raise CampaignError(f"Two texts of the campaign are named {name}.", "Give each text a different name.")


def _no_text(position: int) -> RefusedAt:
    reason = "The input contains characters that cannot be written as UTF-8."
    return RefusedAt(Refusal(reason, hint="Type it again without them.", kind=Why.NOT_UNDERSTOOD), position)


def _written(clock: Callable[[], datetime]) -> str:
    """The time as it is recorded: UTC, to the second."""
    return clock().astimezone(UTC).isoformat(timespec="seconds")
