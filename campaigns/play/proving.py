"""The proof that a campaign file is sound: its texts, the chain of hashes on all branches, and a replay of the path to the head."""

import time
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256 as hash_of
from typing import Protocol

from attrs import frozen

from campaigns.file.errors import CampaignError
from campaigns.file.history import Entry, HeadRow, beginning_hash, entry_hash, events_to_json
from campaigns.file.store import Store
from interpreter.messages.inputs import Event, Input

__all__ = ["Progress", "Replaying", "Verdict", "VerifyWatch", "verify"]

Progress = Callable[[int, int], object]
"""Called with how many steps are done and how many there are."""


class Replaying(Protocol):
    """What a replay of a campaign requires of a machine."""

    def offer(self, given: Input, /) -> tuple[Event, ...]:
        """Accept an input, or raise Refused and change nothing."""

    def digest(self) -> str:
        """The digest of the state."""


@frozen
class Verdict:
    """The result of a proof.

    Attributes:
        ok: whether nothing is wrong.
        entries: how many accepted inputs were checked, on all branches.
        seconds: how long it took.
        problems: what is wrong, each a full sentence.
        head: the number of the current entry.
        hash: the hash of that entry; it represents the complete line from the beginning to it.
    """

    ok: bool
    entries: int
    seconds: float
    problems: tuple[str, ...] = ()
    head: int = 0
    hash: str = ""


class VerifyWatch(Protocol):
    """A check of all entries of a file in addition to the chain of hashes."""

    def see(self, entry: Entry) -> str:
        """What is wrong with an entry, as a sentence; empty if nothing is."""

    def missing(self) -> list[str]:
        """What is wrong with all of them taken together."""


@frozen
class Recorded:
    """The recorded data of an entry that a replay is compared with. told: the sha256 of its events."""

    hash: str
    digest: str
    told: bytes


def verify(
    store: Store,
    begin: Callable[[], Replaying],
    progress: Progress | None = None,
    noted: Sequence[str] = (),
    watch: VerifyWatch | None = None,
) -> Verdict:
    """Prove that a campaign file is intact: the database, the texts, the chain on all branches, and, by replaying the line to
    the head, each state on it and all events.

    Args:
        store: the open campaign file.
        begin: makes a machine at the beginning of the campaign.
        progress: called after each step, if given.
        noted: hashes, or their first digits, that somebody wrote down: entries of the line to the head must have them.
        watch: checks all entries in their order, and returns what is wrong.

    Returns:
        The result; problems of the file are never raised.
    """
    started = time.perf_counter()
    problems: list[str] = []
    record: dict[int, Recorded] = {}
    head, end = HeadRow(0, 0), ""
    tell = progress or (lambda _done, _steps: None)
    try:
        with store.consistent():
            problems += [f"The database is damaged: {complaint}." for complaint in store.complaints()]
            problems += [f"The snapshot at entry {n} is damaged; it may be deleted." for n in store.unsound_snapshots()]
            last, head = store.last(), store.head()
            way = store.inputs(0, head.entry)
            steps = last + 1 + len(way or ())
            _check_chain(store, record, problems, lambda done: tell(done, steps), watch)
            if head.entry not in store.lineage(head.tip):
                problems.append(
                    f"Redo leads to entry {head.tip}, which does not continue entry {head.entry}, the head."
                )
            if way is None:
                problems.append(f"No unbroken line leads from the beginning to entry {head.entry}, the head.")
            else:
                problems += _not_there(noted, [record[n] for n in (0, *[n for n, _ in way]) if n in record])
                _replay(begin, way, record, problems, lambda done: tell(last + 1 + done, steps))
            end = record[head.entry].hash if head.entry in record else ""
    except CampaignError as error:
        problems.append(error.message)
    seconds = time.perf_counter() - started
    return Verdict(not problems, max(len(record) - 1, 0), seconds, tuple(problems), head.entry, end)


LEAST_NOTED = 8
"""How many digits of a hash must be given at least, or it could match by chance."""


def _not_there(noted: Iterable[str], line: Sequence[Recorded]) -> list[str]:
    """The messages about hashes that no entry of a line has."""
    problems = []
    for said in noted:
        wanted = said.strip().lower()
        if len(wanted) < LEAST_NOTED:
            problems.append(f"`{said[:80]}` is too short for a hash: give at least its first {LEAST_NOTED} digits.")
        elif not any(one.hash.startswith(wanted) for one in line):
            problems.append(
                f"No entry on the line to the head has the hash {said[:80]}: this is not the record that it was noted from."
            )
    return problems


def _check_chain(
    store: Store,
    record: dict[int, Recorded],
    problems: list[str],
    tell: Callable[[int], object],
    watch: VerifyWatch | None,
) -> None:
    """Check the hash of every entry on every branch, and gather their recorded data by number."""
    beginning = (store.documents(), store.settings())
    for place, entry in enumerate(store.entries(), start=1):
        if entry.number - 1 not in record and entry.number != 0:
            problems.append(f"Entry {entry.number - 1} is missing.")
        if entry.parent is None:
            right = beginning_hash(*beginning, entry.digest)
            blame = "the texts or the settings of the campaign were"
        else:
            before = record[entry.parent].hash if entry.parent in record else ""
            right = entry_hash(before, entry.input, entry.digest, entry.events_json)
            blame = "it or an entry before it was"
        if entry.hash != right:
            problems.append(f"The hash of entry {entry.number} is wrong: {blame} altered after the fact.")
        record[entry.number] = Recorded(entry.hash, entry.digest, _told(entry.events_json))
        if watch is not None and (wrong := watch.see(entry)):
            problems.append(wrong)
        tell(place)
    if watch is not None:
        problems += watch.missing()


def _told(events: str) -> bytes:
    return hash_of(events.encode()).digest()


MOST_DIFFERENT = 20
"""How many entries with different events are named; after that the rest is not compared."""


def _replay(
    begin: Callable[[], Replaying],
    way: list[tuple[int, Input]],
    record: dict[int, Recorded],
    problems: list[str],
    tell: Callable[[int], object],
) -> None:
    """Replay the line from the beginning to the head; compare every state and all events. A wrong state ends it."""
    number = 0
    different = 0
    try:
        machine = begin()
        for place, (number, given) in enumerate([(0, None), *way]):
            told = machine.offer(given) if given is not None else ()
            known = record.get(number)
            if known is None or machine.digest() != known.digest:
                problems.append(f"When replayed, entry {number} leads to a different state from the recorded one.")
                return
            if _told(events_to_json(told)) != known.told and different < MOST_DIFFERENT:
                different += 1
                problems.append(
                    f"When replayed, entry {number} tells other events than the recorded ones: they were altered, "
                    "or another version of ophex wrote them."
                )
            tell(place)
    except Exception as error:  # noqa: BLE001 - any error of the rules in a replay is a finding, not a fault of the proof
        problems.append(f"Entry {number} cannot be replayed: {str(error).rstrip('.')}.")
