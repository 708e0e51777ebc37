"""An open campaign file and a machine in the state of its head: this code keeps them in agreement and reads both. It adds no inputs."""

from collections.abc import Callable, Mapping
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import Any, Generic, Self

from campaigns.file.beside import Beside, Kept
from campaigns.file.history import Entry
from campaigns.file.store import Store
from campaigns.play.machines import M, Starter
from campaigns.play.proving import Progress, Verdict, verify
from campaigns.play.rebuilding import Rebuilder
from campaigns.play.recorded_seals import LinkWatch

__all__ = ["OpenFile"]

MOST_SEEN = 2
"""How many earlier states that were read a session keeps."""


class OpenFile(Generic[M]):
    """One open campaign file and its machine. Use it from one thread at a time; it is a context manager that closes.

    Attributes:
        path: the file.
        documents: the texts that the campaign was made from.
        settings: the choices it was made with, by name.
        read_only: whether the file cannot be written here, so that it can only be read.
        before_closing: an action before it is closed, if any.
    """

    before_closing: Callable[[], object] | None = None

    def __init__(self, store: Store, starter: Starter[M]) -> None:
        self.path = store.path
        self.read_only = store.read_only
        self.documents = store.documents()
        self.settings: Mapping[str, Any] = store.settings()
        self._store = store
        self._made: Rebuilder[M] = Rebuilder(store, starter, self.documents, self.settings)
        self._seen: dict[str, M] = {}
        self._machine: M | None = None  # None: it must be rebuilt from the file
        self._head = self._last = self._since = 0
        self._hash = self._digest = ""

    @property
    def store(self) -> Store:
        """The rows of the file, for what is kept beside the chain; entries are only added by `offer` and its like."""
        return self._store

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

    @property
    def _stand(self) -> tuple[int, int, str]:
        """What `Store.stand` returned when this session last looked."""
        return self.head, self._last, self._hash

    def notes(self) -> dict[str, Any]:
        """What the desk has noted beside the chain, by name."""
        return self._store.notes()

    def letters(self) -> list[Kept]:
        """The letters that came, in the order in which they were read."""
        return self._store.letters()

    def letters_here(self) -> list[Kept]:
        """The letters, for judging them by the situation that this session sees: both are from one moment of the file.

        Raises:
            Stale: another session has moved the campaign on; the inputs of a letter may be unknown here.
        """
        stand = self._stand
        with self._store.consistent():
            if self._store.stand() != stand:
                raise self._store.stale()
            return self._store.letters()

    def keep(self, beside: Beside) -> None:
        """Write something beside the chain, in one transaction.

        Raises:
            Stale: it depends on letters, and those have changed or another session has moved the campaign on.
            CampaignError: the file cannot be written.
        """
        self._store.keep(beside, None if beside.seen is None else self._stand)

    def refresh(self) -> bool:
        """Check whether another session has moved the campaign on, and follow it; returns whether it had.

        Afterwards, what this session has written is in the file itself, unless another session is reading at that moment.
        """
        self._store.fold()
        if self._machine is not None and self._store.stand() == (self._head, self._last, self._hash):
            return False
        self._follow()
        return True

    def log(self, limit: int | None = None) -> list[Entry]:
        """The accepted inputs of all branches, newest first; at most `limit` of them."""
        return self._store.newest(limit)

    def entry(self, number: int) -> Entry:
        """One entry; number 0 is the beginning. CampaignError if there is none with that number."""
        return self._made.known(number)

    def state_at(self, number: int) -> M:
        """A separate machine in the state after an entry, to read and to try things on; nothing is recorded.

        Raises:
            CampaignError: there is no such entry, or it cannot be replayed.
        """
        return self._made.built(self._made.known(number), noted=True)[0]

    def seen_at(self, number: int) -> M:
        """The same for reading only: all readers of the last few states share their machines."""
        if number == self.head:
            return self.game
        target = self._made.known(number)
        found = self._seen.pop(target.hash, None) or self.state_at(number)
        self._seen[target.hash] = found
        while len(self._seen) > MOST_SEEN:
            del self._seen[next(iter(self._seen))]
        return found

    def verify(self, progress: Progress | None = None) -> Verdict:
        """Prove that the file is intact: database, texts, hashes on all branches, and every state and event up to the head."""
        return verify(self._store, self._made.begun, progress, watch=LinkWatch())

    def backup(self, path: str | PathLike[str]) -> None:
        """Write a backup of the file as it is now, which is complete even while other sessions write.

        Args:
            path: where the copy shall be; nothing may be there yet. It appears only when it is whole.

        Raises:
            CampaignError: the path already exists, or the backup cannot be made there.
        """
        self._store.backup(Path(path))

    def drop_snapshots(self) -> None:
        """Delete the snapshots; nothing is lost, but the next opening takes longer."""
        self._made.forget_starts()
        self._store.drop_snapshots()

    def close(self) -> None:
        """Close the file; when no other session has it open, nothing remains beside it."""
        try:
            if self.before_closing is not None:
                self.before_closing()
        finally:
            self.before_closing = None
            self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _load(self) -> M:
        """Make the machine from the file, in the state of the head as it is now."""
        self._machine = None
        with self._store.consistent():
            head, last = self._store.head().entry, self._store.last()
            target = self._made.known(head)
            machine, since = self._made.built(target)
        self._machine, self._since = machine, since
        self._head, self._last, self._hash, self._digest = head, last, target.hash, target.digest
        return machine

    def _follow(self) -> None:
        """Advance the machine to the current entry, if that continues its state; otherwise rebuild it."""
        with self._store.consistent():
            stand = self._store.stand()
            now, last = self._store.head().entry, self._store.last()
            machine, way = self._machine, self._store.inputs(self._head, now) if now > self._head else None
            if machine is not None and way is not None:
                target = self._made.known(now)
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
            if machine is None or stand != (self._head, self._last, self._hash):
                self._load()
