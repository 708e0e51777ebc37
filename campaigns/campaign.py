"""One open campaign: a machine and the file that records what it accepted.

The machine decides what is legal, the file decides what has happened. An input counts once it is committed; when the
two part for whatever reason, the machine is thrown away and made again from the file. A machine is made by a starter
(`use_starter` sets the usual one); nothing here knows how rules are written.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from importlib import import_module
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import Any, Generic, Protocol, Self, TypeVar

from attrs import frozen

from campaigns.beside import Beside, Kept
from campaigns.errors import Busy, CampaignError, RefusedAt, Stale
from campaigns.history import Document, Entry, Progress, Verdict, beginning_hash, entry_hash, events_to_json, verify
from campaigns.schema import PATIENCE
from campaigns.store import Store
from dsl.diagnostics import RuleTextError
from interpreter.inputs import Awaited, Event, Input, Refused, RuleFailure

__all__ = ["Campaign", "Machine", "Starter", "backup_file", "use_starter", "verify_file"]


@frozen
class Line:
    """One line of inputs from the beginning to its end.

    Attributes:
        end: the number of its last entry.
        parts: the last entry that it has in common with the way to the head.
        inputs: how many inputs it has.
        beyond: how many of them come after `parts`.
        is_here: whether the head is on it.
    """

    end: int
    parts: int
    inputs: int
    beyond: int
    is_here: bool


class Machine(Protocol):
    """What a campaign asks of a game that runs; `interpreter.play.Game` is one."""

    @property
    def awaiting(self) -> tuple[Awaited, ...]:
        """What the game waits for."""

    def offer(self, given: Input, /) -> tuple[Event, ...]:
        """Accept an input, or raise Refused and change nothing."""

    def digest(self) -> str:
        """The digest of the state; equal states have equal digests, in every process."""

    def snapshot(self) -> bytes | None:
        """The state as bytes that a starter can start from, or None where it cannot be written now."""


M = TypeVar("M", bound=Machine)
M_co = TypeVar("M_co", bound=Machine, covariant=True)


class Starter(Protocol[M_co]):
    """Makes a machine of the texts and settings of a campaign."""

    def __call__(self, documents: tuple[Document, ...], settings: Mapping[str, Any], snapshot: bytes | None, /) -> M_co:
        """A machine at the beginning of the campaign, or in the state of a snapshot that such a machine gave."""


SNAPSHOT_EVERY = 64
"""How many entries must have passed before another snapshot is taken."""

MOST_STARTS = 8
"""So many starts of turns a session has at hand beside the snapshots of the file."""

TURN_PATIENCE = 120.0
"""How many seconds an input that is offered again waits for its turn among all who write."""

_usual: list[Starter[Any]] = []


def use_starter(starter: Starter[Any]) -> None:
    """Set the starter for all campaigns that are made or opened without one. The last one set counts."""
    _usual[:] = [starter]


def _now() -> datetime:
    return datetime.now(UTC)


class Campaign(Generic[M]):
    """One open campaign file and its machine. Use it from one thread at a time; it is a context manager that closes.

    Attributes:
        path: the file.
        documents: the texts that the campaign was made from.
        settings: the choices it was made with, by name.
        read_only: whether the file cannot be written here, so that it can only be looked at.
    """

    def __init__(self, store: Store, starter: Starter[M], clock: Callable[[], datetime], snapshot_every: int) -> None:
        self.path = store.path
        self.read_only = store.read_only
        self.documents = store.documents()
        self.settings: Mapping[str, Any] = store.settings()
        self._store = store
        self._starter = starter
        self._clock = clock
        self._snapshot_every = snapshot_every
        self._machine: M | None = None  # None: it must be made again from the file
        self._head = self._last = self._since = 0
        self._hash = self._digest = ""
        self._starts: dict[int, bytes] = {}

    @classmethod
    def create(
        cls,
        path: str | PathLike[str],
        documents: Iterable[Document],
        settings: Mapping[str, Any],
        starter: Starter[M] | None = None,
        *,
        clock: Callable[[], datetime] = _now,
        snapshot_every: int = SNAPSHOT_EVERY,
    ) -> Self:
        """Make a campaign file and open it. The file appears only when it is whole.

        Args:
            path: where it shall be; nothing may be there yet.
            documents: the texts of rules, map and scenario; their names are unique.
            settings: the choices it is made with: values that can be written as JSON, by name.
            starter: makes the machine; the usual one if None.
            clock: tells the time that is noted beside each entry.
            snapshot_every: how many entries must pass before another snapshot is taken.

        Raises:
            CampaignError: something is at that path already, or the file cannot be made there.
        """
        starter = starter or _usual_starter()
        documents = tuple(documents)
        names = [document.name for document in documents]
        for name in sorted(set(names)):
            if names.count(name) > 1:
                raise CampaignError(f"Two texts of the campaign have the name {name}.", "Give each text its own name.")
        settings = json.loads(json.dumps(settings))  # as it will be read, so that the same digests come out
        digest = starter(documents, settings, None).digest()
        chained = beginning_hash(documents, settings, digest)
        beginning = Entry(0, None, Input("begin", "", ""), "[]", digest, chained, _written(clock))
        store = Store.create(Path(path), documents, settings, beginning)
        return cls._opened(store, starter, clock, snapshot_every)

    @classmethod
    def open(
        cls,
        path: str | PathLike[str],
        starter: Starter[M] | None = None,
        *,
        clock: Callable[[], datetime] = _now,
        snapshot_every: int = SNAPSHOT_EVERY,
        patience: float = PATIENCE,
    ) -> Self:
        """Open a campaign file at its last accepted input.

        Args:
            path: the file.
            starter: makes the machine; the usual one if None.
            clock: tells the time that is noted beside each entry.
            snapshot_every: how many entries must pass before another snapshot is taken.
            patience: how many seconds to wait for another session's transaction.

        Raises:
            CampaignError: the file is no campaign, damaged, too new or locked, or cannot be played again.
        """
        store = Store.open(Path(path), patience=patience)
        return cls._opened(store, starter, clock, snapshot_every)

    @classmethod
    def _opened(
        cls, store: Store, starter: Starter[M] | None, clock: Callable[[], datetime], snapshot_every: int
    ) -> Self:
        try:
            campaign = cls(store, starter or _usual_starter(), clock, snapshot_every)
            campaign._load()
        except BaseException:
            store.close()
            raise
        return campaign

    @property
    def game(self) -> M:
        """The machine in the state of the head. Offer inputs to the campaign, never to the machine itself."""
        return self._machine if self._machine is not None else self._load()

    @property
    def head(self) -> int:
        """The number of the entry that this session sees as the last one; 0 at the beginning."""
        if self._machine is None:
            self._load()
        return self._head

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
        except RefusedAt as error:  # that it is the first of one is nothing to tell
            raise error.__cause__ if isinstance(error.__cause__, Refused) else error from None

    def offer_all(
        self, inputs: Iterable[Input], beside: Callable[[Sequence[Entry]], Beside] | None = None
    ) -> list[Event]:
        """Let the machine accept several inputs one after the other and record them: all of them or none.

        Args:
            inputs: the inputs.
            beside: of the entries that are recorded, what is written beside the chain with them.

        Returns:
            What they brought about.

        Raises:
            RefusedAt: one of them is illegal when its turn comes; it says which. Nothing has changed.
            Stale, CampaignError: as for `offer`.
        """
        return self._accept(tuple(inputs), beside)

    def notes(self) -> dict[str, Any]:
        """What the desk has noted beside the chain, by name."""
        return self._store.notes()

    def letters(self) -> list[Kept]:
        """The letters that came, in the order in which they were read in."""
        return self._store.letters()

    def keep(self, beside: Beside) -> None:
        """Write something beside the chain, in one transaction. CampaignError if the file cannot be written."""
        self._store.keep(beside)

    def give(self, inputs: Iterable[Input]) -> tuple[list[Event], int]:
        """As `offer_all`; where another session was quicker and the first of them still stands for the same, once more.

        The second time no other session can be quicker: it waits for its turn and keeps the others out meanwhile.

        Returns:
            What they brought about, and how many times they were offered.

        Raises:
            RefusedAt: one of them is illegal, or has become so. Nothing has changed.
            Stale: another session has moved the campaign on to where they would mean something else.
            CampaignError: as for `offer`.
        """
        inputs = tuple(inputs)
        meant = self._standing(inputs)
        try:
            return self._accept(inputs), 1
        except (Stale, Busy):
            if meant is None:
                raise
        self._load()  # what takes long is done before it is this session's turn
        with self._store.alone(TURN_PATIENCE):
            self._follow()
            if self._standing(inputs) != meant:
                raise self._store.stale()
            return self._accept(inputs), 2

    def _standing(self, inputs: Sequence[Input]) -> Any:
        """Where inputs would count; None where a machine does not tell."""
        standing: Callable[[Input], Any] | None = getattr(self.game, "standing", None)
        return None if standing is None or not inputs else standing(inputs[0])

    def preview(self, given: Input) -> list[Event]:
        """What an input would bring about, without recording it. Costs a replay since the last snapshot.

        Raises:
            Refused: it is illegal now.
        """
        trial = self.state_at(self.head)
        return list(trial.offer(_heard(trial, given)))

    def undo(self, steps: int = 1) -> Entry:
        """Move the head back along its line. Nothing is deleted; `redo` returns.

        Returns:
            The entry that is the head now.

        Raises:
            CampaignError: there are not that many inputs to undo.
            Stale: another session has moved the campaign on.
        """
        way = self._store.lineage(self.head, self._head - max(steps, 1))  # enough where there are no branches
        if not 1 <= steps < len(way):
            way = self._store.lineage(self._head)
        if not 1 <= steps < len(way):
            if len(way) == 1:
                raise CampaignError("There is nothing to undo: the campaign stands at its beginning.")
            raise CampaignError(
                f"{steps} inputs cannot be undone: the line has {len(way) - 1}.", "`ophex log` lists the inputs."
            )
        return self._move(way[steps], self._store.head().tip)

    def take_back(self, side: str) -> list[Event]:
        """Take back the last input of a side, as it may itself: by an input of its own, so that nobody else's line changes.

        Raises:
            Refused: nothing of the side's can be taken back now; why is not said.
            Stale, CampaignError: as for `offer`.
        """
        machine: Any = self.game
        return self.offer(machine.taking_back(side))

    def give_again(self, side: str) -> list[Event]:
        """Give again what a side took back last, if it has given nothing since.

        Raises:
            Refused: there is nothing, or it is illegal now.
            Stale, CampaignError: as for `offer`.
        """
        machine: Any = self.game
        return self.offer(machine.given_again(side))

    def redo(self, steps: int = 1) -> Entry:
        """Move the head forward along the line that was undone last: so many inputs, or none where there are fewer.

        Returns:
            The entry that is the head now.

        Raises:
            CampaignError: not that many were undone, or a new input has been given since.
            Stale: another session has moved the campaign on.
        """
        tip = self._store.head().tip
        way = self._store.lineage(tip, self.head)
        if len(way) < 2 or way[-1] != self._head:
            raise CampaignError(
                "There is nothing to redo.", "`ophex log --lines` lists the other lines, if there are any."
            )
        if not 1 <= steps < len(way):
            raise CampaignError(
                f"{steps} inputs cannot be redone: {len(way) - 1} were taken back.",
                "`ophex log --lines` lists the other lines, if there are any.",
            )
        return self._move(way[-1 - steps], tip)

    def undone(self) -> list[int]:
        """The numbers of the entries that `redo` would take again, in their order."""
        tip = self._store.head().tip
        way = self._store.lineage(tip, self.head)
        return way[-2::-1] if way[-1:] == [self._head] else []

    def between(self, after: int, until: int) -> list[int]:
        """The numbers of the entries that follow one entry up to another on the line of the latter, in their order."""
        return self._store.lineage(until, after + 1)[::-1]

    def parting(self, one: int, other: int) -> int:
        """The last entry that the ways to two entries have in common."""
        way = set(self._store.lineage(one))
        return next((number for number in self._store.lineage(other) if number in way), 0)

    def go_back(self, number: int) -> Entry:
        """Move the head back along its line to an entry; `redo` returns.

        Returns:
            That entry.

        Raises:
            CampaignError: there is no such entry before the head on its line.
            Stale: another session has moved the campaign on.
        """
        self._known(number)
        if number == self.head:
            raise CampaignError(f"The campaign stands after entry {number} already.", "`ophex log` lists the entries.")
        if number not in self._store.lineage(self._head, number):
            raise CampaignError(
                f"Entry {number} is not on the line that leads to where the campaign stands.",
                f"`ophex redo --to {number}` takes up the line that it is on.",
            )
        return self._move(number, self._store.head().tip)

    def go_to(self, number: int) -> Entry:
        """Move the head to any entry of the tree, to take up another line there; `redo` leads to the newest end beyond it.

        Returns:
            That entry.

        Raises:
            CampaignError: there is no such entry.
            Stale: another session has moved the campaign on.
        """
        self._known(number)
        tip = self._store.head().tip
        beyond = tip if number in self._store.lineage(tip, number) else self._store.end_beyond(number)
        return self._move(number, beyond)

    def lines(self) -> list[Line]:
        """The lines of the campaign: what each new input after an `undo` has begun, newest first."""
        head = self.head
        here = set(self._store.lineage(head))
        found = []
        for end in self._store.ends():
            way = self._store.lineage(end)
            parts = next((number for number in way if number in here), way[-1])
            found.append(Line(end, parts, len(way) - 1, way.index(parts), head in way))
        return found

    def refresh(self) -> bool:
        """Look whether another session has moved the campaign on, and follow it; whether it had.

        What this session has written stands in the file itself afterwards, where no other session reads just then.
        """
        self._store.fold()
        if self._machine is not None and self._store.head().entry == self._head and self._store.last() == self._last:
            return False
        self._follow()
        return True

    def log(self, limit: int | None = None) -> list[Entry]:
        """The accepted inputs of all branches, newest first; at most `limit` of them."""
        return self._store.newest(limit)

    def entry(self, number: int) -> Entry:
        """One entry; number 0 is the beginning. CampaignError if there is none of that number."""
        return self._known(number)

    def state_at(self, number: int) -> M:
        """A machine of its own in the state after an entry, to look at and to try things on; nothing is recorded.

        Raises:
            CampaignError: there is no such entry, or it cannot be played again.
        """
        return self._built(self._known(number), noted=True)[0]

    def verify(self, progress: Progress | None = None) -> Verdict:
        """Prove that the file is whole: database, texts, hashes on all branches, and every state and event up to the head."""
        return verify(self._store, lambda: self._starter(self.documents, self.settings, None), progress)

    def backup(self, path: str | PathLike[str]) -> None:
        """Write a copy of the file as it is now, which is whole even while other sessions write.

        Args:
            path: where the copy shall be; nothing may be there yet. It appears only when it is whole.

        Raises:
            CampaignError: something is at that path already, or the copy cannot be made there.
        """
        self._store.backup(Path(path))

    def drop_snapshots(self) -> None:
        """Delete the snapshots; nothing is lost, but the next opening takes longer."""
        self._starts.clear()
        self._store.drop_snapshots()

    def close(self) -> None:
        """Close the file; when no other session has it open, nothing remains beside it."""
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _accept(
        self, inputs: Sequence[Input], beside: Callable[[Sequence[Entry]], Beside] | None = None
    ) -> list[Event]:
        """Offer inputs to the machine and record them in one transaction; on any failure the file decides."""
        machine = self.game
        entries: list[Entry] = []
        happened: list[Event] = []
        parent, chained = self._head, self._hash
        position = 0
        try:
            for position, given in enumerate(inputs):
                if position and _is_spent(machine, given):
                    continue
                given = _in_own_words(machine, given)
                events = machine.offer(_heard(machine, given))
                digest, written = machine.digest(), events_to_json(events)
                chained = entry_hash(chained, given, digest, written)
                number = self._last + len(entries) + 1
                entries.append(Entry(number, parent, given, written, digest, chained, _written(self._clock)))
                happened += events
                parent = number
            if not entries:
                return happened
            since = self._since + len(entries)
            snapshot = self._proved(machine.snapshot(), entries[-1].digest) if since >= self._snapshot_every else None
            self._store.append(self._head, entries, snapshot, beside(entries) if beside is not None else None)
        except Refused as error:
            if entries or machine.digest() != self._digest:
                self._machine = (
                    None  # it has accepted what will not be recorded, or the refusal has left something behind
                )
            raise RefusedAt(error.message, error.cites, error.hint, position) from error
        except UnicodeEncodeError as error:
            self._machine = None
            reason = "The input holds characters that cannot be written as UTF-8."
            raise RefusedAt(reason, hint="Write it again without them.", position=position) from error
        except BaseException:
            self._machine = None
            raise
        self._head = self._last = parent
        self._hash, self._digest = chained, entries[-1].digest
        self._note_start(parent, machine)
        self._since = since if snapshot is None else 0
        return happened

    def _move(self, number: int, tip: int) -> Entry:
        """Move the head, once the machine is known to reach the state there."""
        target = self._known(number)
        machine, since = self._built(target)
        try:
            self._store.move(self._head, number, tip)
        except Stale:
            self._machine = None
            raise
        self._machine, self._since = machine, since
        self._head, self._hash, self._digest = number, target.hash, target.digest
        return target

    def _load(self) -> M:
        """Make the machine from the file, in the state of the head as it is now."""
        self._machine = None
        with self._store.consistent():
            head, last = self._store.head().entry, self._store.last()
            target = self._known(head)
            machine, since = self._built(target)
        self._machine, self._since = machine, since
        self._head, self._last, self._hash, self._digest = head, last, target.hash, target.digest
        return machine

    def _follow(self) -> None:
        """Go on with the machine to where the campaign stands now, if that continues where it stood; else make it anew."""
        with self._store.consistent():
            now, last = self._store.head().entry, self._store.last()
            machine, way = self._machine, self._store.inputs(self._head, now) if now > self._head else None
            if machine is not None and way is not None:
                target = self._known(now)
                self._machine = None
                try:
                    for _, given in way:
                        machine.offer(given)
                    is_there = machine.digest() == target.digest
                except Exception:  # noqa: BLE001 - the inputs decide, from the beginning
                    is_there = False
                if is_there:
                    self._machine, self._since = machine, self._since + len(way)
                    self._head, self._last, self._hash, self._digest = now, last, target.hash, target.digest
                    return
            if machine is None or now != self._head or last != self._last:
                self._load()

    def _proved(self, image: bytes | None, digest: str) -> bytes | None:
        """A snapshot, if a machine that starts from it stands where it should; else None: the inputs are there."""
        if image is None:
            return None
        try:
            sound = self._starter(self.documents, self.settings, image).digest() == digest
        except Exception:  # noqa: BLE001 - whatever is wrong with it, it is not kept
            return None
        return image if sound else None

    def _built(self, target: Entry, below: int | None = None, *, noted: bool = False) -> tuple[M, int]:
        """A machine in the state after an entry, and how many inputs were replayed for it.

        The newest snapshot that proves right is taken. A snapshot is a cache: whatever is wrong with one, the inputs
        decide. below: only a snapshot of an earlier entry than this is taken. noted: whether also one that is not in the file.
        """
        for base, image in self._images(target.number) if noted else self._store.snapshots(target.number):
            if below is not None and base >= below:
                continue
            way = self._store.inputs(base, target.number)
            if way is None:
                continue
            try:
                machine = self._starter(self.documents, self.settings, image)
                for number, given in way:
                    machine.offer(given)
                    self._note_start(number, machine)
                if machine.digest() == target.digest:
                    self._let_look_back(machine, base)
                    return machine, len(way)
            except Exception:  # noqa: BLE001, S112 - see above
                continue
        return self._replayed(target)

    def _images(self, number: int) -> Iterator[tuple[int, bytes]]:
        """The snapshots on the way to an entry, newest first: those of the file, and those that this session has noted."""
        noted = sorted((base for base in self._starts if base <= number), reverse=True)
        for base, image in self._store.snapshots(number):
            while noted and noted[0] >= base:
                yield noted[0], self._starts[noted.pop(0)]
            yield base, image
        yield from ((base, self._starts[base]) for base in noted)

    def _note_start(self, number: int, machine: M) -> None:
        """Notes the snapshot after an entry if a turn begins there: to go back costs a replay of the turn then, not of all."""
        image = machine.snapshot()
        if image is None:
            return
        self._starts[number] = image
        while len(self._starts) > MOST_STARTS:
            del self._starts[next(iter(self._starts))]

    def _let_look_back(self, machine: M, base: int) -> None:
        """Lets a machine that began at a snapshot ask for the turn before, if it is one that looks back."""

        def found() -> M | None:
            try:
                return self._built(self._known(base), below=base, noted=True)[0]
            except CampaignError:  # then only this turn is told
                return None

        look_back = getattr(machine, "look_back", None)
        if look_back is not None and base > 0:
            look_back(found)

    def _replayed(self, target: Entry) -> tuple[M, int]:
        """A machine that was taken from the beginning to the state after an entry, and how many inputs that took."""
        way = self._store.inputs(0, target.number)
        if way is None:
            raise self._broken(f"no unbroken line leads from the beginning to entry {target.number}")
        try:
            machine = self._starter(self.documents, self.settings, None)
        except (CampaignError, RuleTextError, Refused, RuleFailure):
            raise
        except Exception as error:  # it was made once, so the file or the program is not what it was
            raise self._broken(f"its rules cannot be begun: {type(error).__name__}: {error}") from error
        for number, given in way:
            try:
                machine.offer(given)
                self._note_start(number, machine)
            except Refused as error:
                raise self._broken(f"entry {number} is refused when it is played again: {error.message}") from error
            except Exception as error:  # it was accepted once, so the file or the program is not what it was
                raise self._broken(f"entry {number} fails when it is played again: {error}") from error
        if machine.digest() != target.digest:
            raise self._broken(f"entry {target.number} leads to another state than the recorded one")
        return machine, len(way)

    def _known(self, number: int) -> Entry:
        entry = self._store.entry(number)
        if entry is None:
            raise CampaignError(f"The campaign {self.path} has no entry {number}.", "`ophex log` lists the entries.")
        return entry

    def _broken(self, what: str) -> CampaignError:
        return CampaignError(
            f"The campaign {self.path} cannot be played again: {what}.",
            "`ophex verify` tells where it parts from the record; use the ophex that wrote it, or restore a backup.",
        )


def verify_file(
    path: str | PathLike[str],
    starter: Starter[Any] | None = None,
    progress: Progress | None = None,
    noted: Sequence[str] = (),
) -> Verdict:
    """Prove that a campaign file is whole, even one that can no longer be played, as `Campaign.verify` does.

    Args:
        path: the file.
        starter: makes the machine; the usual one if None.
        progress: told how many steps are done and how many there are.
        noted: hashes that somebody wrote down; the way to the head must have them.

    Raises:
        CampaignError: it is no campaign file, too new, or it cannot be read at all.
    """
    store = Store.open(Path(path), pages=False)
    try:
        make = starter or _usual_starter()
        return verify(store, lambda: make(store.documents(), store.settings(), None), progress, noted)
    finally:
        store.close()


def backup_file(path: str | PathLike[str], copy: str | PathLike[str]) -> tuple[Entry, int]:
    """Write a copy of a campaign file, also of one that can no longer be played, as `Campaign.backup` does.

    Args:
        path: the file.
        copy: where the copy shall be; nothing may be there yet.

    Returns:
        The entry at which the copy stands, and how many inputs it holds on all branches.

    Raises:
        CampaignError: it is no campaign file or cannot be read, something is there already, or the copy cannot be made.
    """
    store = Store.open(Path(path))
    try:
        store.backup(Path(copy))
    finally:
        store.close()
    store = Store.open(Path(copy))
    try:
        head = store.head().entry
        entry = store.entry(head)
        if entry is None:
            raise CampaignError(
                f"The copy {copy} has no entry {head}.", "`ophex verify` tells what is wrong with the file."
            )
        return entry, store.last()
    finally:
        store.close()


def _usual_starter() -> Starter[Any]:
    """The starter that was set, or the one that `campaigns.systems` sets when it is imported."""
    if not _usual:
        import_module("campaigns.systems")
    if not _usual:
        raise CampaignError("No rule system can be started: no starter was set.", "Call `use_starter` first.")
    return _usual[0]


def _in_own_words(machine: Machine, given: Input) -> Input:
    """What is given for an absent side as that side would write it, where a machine has words of their own for its sides."""
    own: Callable[[Input], Input] | None = getattr(machine, "in_own_words", None)
    return given if own is None or given.kind != "deadline" else own(given)


def _heard(machine: Machine, given: Input) -> Input:
    """What a side types as the machine may read it, where a machine knows what its sides may name."""
    heard: Callable[[Input], Input] | None = getattr(machine, "as_typed", None)
    return given if heard is None else heard(given)


def _is_spent(machine: Machine, given: Input) -> bool:
    """Whether an input says only what came about by itself through the one before, where a machine knows of such."""
    spend: Callable[[Input], bool] | None = getattr(machine, "spend", None)
    return spend is not None and spend(given)


def _written(clock: Callable[[], datetime]) -> str:
    """The time as it is noted: UTC, to the second."""
    return clock().astimezone(UTC).isoformat(timespec="seconds")
