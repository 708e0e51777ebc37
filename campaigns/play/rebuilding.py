"""Rebuilding machines from a campaign file: from its snapshots and inputs, in the state after any entry."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Generic

from campaigns.file.beside import Statement
from campaigns.file.errors import CampaignError
from campaigns.file.history import Document, Entry
from campaigns.file.store import Store
from campaigns.file.versions import Version, digest_of, keeping, named_by, whole_texts
from campaigns.play.machines import M, Starter
from dsl.text.diagnostics import RuleTextError
from interpreter.messages.inputs import Refused, RuleFailure
from interpreter.runtime.refusals import Why

__all__ = ["Rebuilder"]

MOST_STARTS = 8
"""How many starts of turns a session keeps besides the snapshots of the file."""


class Rebuilder(Generic[M]):
    """Makes machines from one open campaign file."""

    def __init__(
        self, store: Store, starter: Starter[M], texts: tuple[Document, ...], settings: Mapping[str, Any]
    ) -> None:
        self._own, self._versions = texts, store.versions()
        self._brought: dict[str, Version] = {}
        self._store, self._starter, self._settings = store, starter, settings
        self._starts: dict[int, bytes] = {}

    @property
    def texts(self) -> tuple[Document, ...]:
        """The texts that machines are made from, with those of amended rules: from the file, and newly registered ones."""
        if self._store.version_names() - self._versions.keys():
            self._versions = self._store.versions()
        return whole_texts(self._own, {**self._brought, **self._versions})

    def bring(self, texts: Version) -> str:
        """Registers an amended text, which inputs can name from now on; returns its digest."""
        version = digest_of(texts)
        self._brought[version] = texts
        return version

    def keeping(self, entries: Iterable[Entry]) -> list[Statement]:
        """The statements that store the amended texts that entries name in the file."""
        there = self._store.version_names() if self._brought else frozenset[str]()
        named = dict.fromkeys(version for entry in entries if (version := named_by(entry.input)))
        new = [version for version in named if version in self._brought and version not in there]
        return [one for version in new for one in keeping(version, self._brought[version], self._own)]

    def known(self, number: int) -> Entry:
        """An entry. Raises CampaignError if there is none with that number."""
        entry = self._store.entry(number)
        if entry is None:
            raise CampaignError(
                f"The campaign {self._store.path} has no entry {number}.",
                "`ophex log` lists the entries.",
                Why.UNKNOWN_NAME,
            )
        return entry

    def begun(self) -> M:
        """A machine at the beginning of the campaign."""
        return self._starter(self.texts, self._settings, None)

    def forget_starts(self) -> None:
        """Forget the starts of turns that are not in the file."""
        self._starts.clear()

    def proved(self, image: bytes | None, digest: str) -> bytes | None:
        """A snapshot, if a machine that starts from it has the right state; otherwise None: the inputs are available."""
        if image is None:
            return None
        try:
            sound = self._starter(self.texts, self._settings, image).digest() == digest
        except Exception:  # noqa: BLE001 - a snapshot with any fault is not kept
            return None
        return image if sound else None

    def built(self, target: Entry, below: int | None = None, *, noted: bool = False) -> tuple[M, int]:
        """A machine in the state after an entry, and how many inputs were replayed for it.

        The newest valid snapshot is used. A snapshot is a cache: if anything is wrong with one, the inputs
        decide. below: only a snapshot of an earlier entry is used. noted: whether one that is not in the file may be used.
        """
        for base, image in self._images(target.number) if noted else self._store.snapshots(target.number):
            if below is not None and base >= below:
                continue
            way = self._store.inputs(base, target.number)
            if way is None:
                continue
            try:
                machine = self._starter(self.texts, self._settings, image)
                for number, given in way:
                    machine.offer(given)
                    self.note_start(number, machine)
                if machine.digest() == target.digest:
                    self._let_look_back(machine, base)
                    return machine, len(way)
            except Exception:  # noqa: BLE001, S112 - see above
                continue
        return self._replayed(target)

    def _images(self, number: int) -> Iterator[tuple[int, bytes]]:
        """The snapshots on the line to an entry, newest first: those in the file, and those that this session has kept."""
        # a list of its own: whoever tries one that turns out to be wrong notes further starts, which can push out these
        noted = sorted((one for one in self._starts.items() if one[0] <= number), key=lambda one: one[0], reverse=True)
        for base, image in self._store.snapshots(number):
            while noted and noted[0][0] >= base:
                yield noted.pop(0)
            yield base, image
        yield from noted

    def note_start(self, number: int, machine: M) -> None:
        """Keeps the snapshot after an entry if a turn begins there: then going back costs a replay of the turn, not of everything."""
        image = machine.snapshot()
        if image is None:
            return
        self._starts[number] = image
        while len(self._starts) > MOST_STARTS:
            del self._starts[next(iter(self._starts))]

    def _let_look_back(self, machine: M, base: int) -> None:
        """Lets a machine that began at a snapshot read the turn before, if it can."""

        def found() -> M | None:
            try:
                return self.built(self.known(base), below=base, noted=True)[0]
            except CampaignError:  # then only this turn is available
                return None

        look_back = getattr(machine, "look_back", None)
        if look_back is not None and base > 0:
            look_back(found)

    def _replayed(self, target: Entry) -> tuple[M, int]:
        """A machine replayed from the beginning to the state after an entry, and how many inputs that took."""
        way = self._store.inputs(0, target.number)
        if way is None:
            raise self._broken(f"no unbroken line leads from the beginning to entry {target.number}")
        try:
            machine = self._starter(self.texts, self._settings, None)
        except (CampaignError, RuleTextError, Refused, RuleFailure):
            raise
        except Exception as error:  # it could be made before, so the file or the program has changed
            raise self._broken(f"its rules cannot be started: {type(error).__name__}: {error}") from error
        for number, given in way:
            try:
                machine.offer(given)
                self.note_start(number, machine)
            except Refused as error:
                raise self._broken(
                    f"entry {number} is refused when it is replayed: {error.message.removesuffix('.')}"
                ) from error
            except Exception as error:  # it was accepted before, so the file or the program has changed
                raise self._broken(f"entry {number} fails when it is replayed: {error}") from error
        if machine.digest() != target.digest:
            raise self._broken(f"entry {target.number} leads to a different state from the recorded one")
        return machine, len(way)

    def _broken(self, what: str) -> CampaignError:
        return CampaignError(
            f"The campaign {self._store.path} cannot be replayed: {what}.",
            "`ophex verify` shows where it departs from the record; use the version of ophex that wrote it, or restore a backup.",
        )
