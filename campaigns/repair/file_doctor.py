"""What is wrong with a campaign file, what can be saved, and a sound file made of that.

The file itself is only copied. Damage is reported by kind and place. What is saved is proved: an entry is accepted if the
chain of hashes confirms it. A damaged entry is corrected only if replaying it leads to the very hash that the
chain contains. So a repaired file is never a guess. What cannot be proved is left out, and reported.
"""

from collections.abc import Callable, Sequence
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from attrs import evolve, frozen

from campaigns.file.errors import CampaignError
from campaigns.file.file_schema import appear
from campaigns.file.history import Document, Entry, beginning_hash, entry_hash, events_to_json
from campaigns.file.versions import versions_saved, whole_texts
from campaigns.play.machines import Starter
from campaigns.play.proving import Progress
from campaigns.play.whole_files import verify_file
from campaigns.repair.salvage import Damage, ReadBeside, ReadFile, ReadRow, copy_to_look_at, look_into
from campaigns.repair.salvage_writing import write_saved
from interpreter.messages.inputs import Input

__all__ = ["Damage", "Diagnosis", "Saved", "examine", "repair"]

MOST_TOLD = 100
"""How many problems are listed; of the rest only the number is reported."""


@frozen
class Saved:
    """What can be saved from a damaged file.

    Attributes:
        entries: how many inputs on all branches.
        of: how many the file contained, as far as is known.
        head: the entry that the campaign would be at, by its old number.
        turn: the turn there; 0 if the rules have none.
        hash: the hash there.
        moved: whether that differs from the head in the file.
    """

    entries: int
    of: int
    head: int
    turn: int
    hash: str
    moved: bool


@frozen
class Diagnosis:
    """The findings.

    Attributes:
        wrong: what is wrong with the file.
        mended: the numbers of entries that were damaged and can be repaired with certainty.
        lost: the numbers of entries that cannot be saved.
        saved: what can be saved; None if that is nothing.
    """

    wrong: tuple[Damage, ...]
    mended: tuple[int, ...] = ()
    lost: tuple[int, ...] = ()
    saved: Saved | None = None

    @property
    def is_sound(self) -> bool:
        """Whether nothing is wrong."""
        return not self.wrong


@frozen
class _Kept:
    """What is worth keeping. entries: sound ones in their order, with their old numbers; head: one of these numbers."""

    found: ReadFile
    entries: tuple[Entry, ...]
    head: int
    beside: ReadBeside


def examine(path: str | PathLike[str], starter: Starter[Any], progress: Progress | None = None) -> Diagnosis:
    """Say what is wrong with a campaign file and what can be saved.

    Args:
        path: the file; it is only copied.
        starter: makes the machine.
        progress: called with how far it has come.

    Raises:
        CampaignError: there is no such file, it cannot be read, or a newer program wrote it.
    """
    return _examined(Path(path), starter, progress)[0]


def repair(
    path: str | PathLike[str],
    out: str | PathLike[str],
    starter: Starter[Any],
    progress: Progress | None = None,
) -> Diagnosis:
    """Create a complete campaign file from what can be saved from a damaged one. It is proved before it appears.

    Args:
        path: the damaged file; it is only copied.
        out: the file to make; nothing may be there yet.
        starter: makes the machine.
        progress: told how far it has come.

    Returns:
        What was found wrong, and what was saved.

    Raises:
        CampaignError: nothing can be saved, or the file cannot be made.
    """
    found, kept = _examined(Path(path), starter, progress)
    if kept is None:
        raise CampaignError(
            f"Nothing in {path} can be saved: {found.wrong[0].text if found.wrong else 'it does not contain a campaign'}",
            "Go back to a backup with `ophex restore`, if there is one.",
        )

    def write(draft: Path) -> None:
        write_saved(draft, kept.found, kept.entries, kept.head, kept.beside)
        verdict = verify_file(draft, starter)
        if not verdict.ok:
            raise CampaignError(
                f"What was saved from {path} fails verification: {verdict.problems[0]}",
                "Go back to a backup with `ophex restore`, if there is one.",
            )

    appear(Path(out), write)
    return found


def _examined(path: Path, starter: Starter[Any], progress: Progress | None) -> tuple[Diagnosis, _Kept | None]:
    with TemporaryDirectory(prefix="ophex-") as folder:
        copy, wrong = copy_to_look_at(path, Path(folder))
        if copy is None:
            return Diagnosis(tuple(wrong)), None
        found = look_into(copy, path)
    wrong += found.wrong
    if found.documents is None or found.settings is None:
        return Diagnosis(tuple(_told(wrong))), None
    ward = _Ward(found, starter, progress)
    ward.go()
    wrong += ward.wrong
    saved, kept = ward.saved(), None
    if saved is not None:
        kept = _Kept(found, tuple(ward.sound.values()), saved.head, found.beside)
        if saved.moved:
            text = (
                f"The campaign cannot be at entry {found.head}; the last valid entry on its line is entry {saved.head}."
            )
            wrong.append(Damage("head", text))
    lost = tuple(n for n in found.numbers if n not in ward.sound)
    return Diagnosis(tuple(_told(wrong)), tuple(ward.mended), lost, saved), kept


class _Ward:
    """The entries of a damaged file while their validity is determined."""

    def __init__(self, found: ReadFile, starter: Starter[Any], progress: Progress | None) -> None:
        self.found, self._starter = found, starter
        self._tell = progress or (lambda _done, _steps: None)
        self.wrong: list[Damage] = []
        self.sound: dict[int, Entry] = {}
        self.mended: list[int] = []
        self._machine: tuple[int, Any] | None = None
        self._head, self._turn = 0, 0

    def go(self) -> None:
        """Checks all entries, then replays the line to the head."""
        rows = self.found.rows
        steps = 2 * len(rows)
        for done, number in enumerate(self.found.numbers):
            row = rows.get(number)
            if row is None:
                self.wrong.append(Damage("entry", f"Entry {number} is missing.", number))
                continue
            entry = self._proved(row)
            if entry is None and not (number == 0 and not self.sound):
                what = "cannot be read" if row.is_torn else "does not match the chain of hashes"
                self.wrong.append(Damage("entry", f"Entry {number} {what}, and cannot be repaired.", number))
            elif entry is None:
                self.wrong.append(
                    Damage("entry", "The beginning does not match its hash: texts or settings were altered.", 0)
                )
                return
            else:
                self.sound[number] = entry
            self._tell(done + 1, steps)
        if self.sound:
            self._play(lambda done: self._tell(len(rows) + done, steps))

    def saved(self) -> Saved | None:
        """What can be saved; None for nothing."""
        if 0 not in self.sound:
            return None
        entry = self.sound[self._head]
        return Saved(
            len(self.sound) - 1,
            max(len(self.found.numbers) - 1, 0),
            self._head,
            self._turn,
            entry.hash,
            self._head != self.found.head,
        )

    def _proved(self, row: ReadRow) -> Entry | None:
        """An entry that the chain confirms, repaired if that is certain; None if it is not valid."""
        if row.number == 0:
            return self._begun(row)
        before = None if row.entry is None else self.sound.get(_parent(row.entry))
        if row.entry is not None and before is not None and row.entry.hash == _chained(before, row.entry):
            return row.entry
        return self._put_right(row)

    def _begun(self, row: ReadRow) -> Entry | None:
        """The beginning; if its own row is damaged, what the texts and settings lead to, if an entry continues that."""
        documents, settings = self.found.documents or (), self.found.settings or {}
        begun = row.entry
        if begun is not None and begun.hash == beginning_hash(documents, settings, begun.digest):
            return begun
        try:
            digest = self._starter(documents, settings, None).digest()
        except Exception:  # noqa: BLE001 - texts that begin no game prove nothing
            return None
        time = row.time or ""
        right = Entry(0, None, Input("begin", "", ""), "[]", digest, beginning_hash(documents, settings, digest), time)
        if right.hash != row.hash and not self._is_continued(right):
            return None
        self.mended.append(0)
        self.wrong.append(Damage("entry", "Entry 0 is damaged; it can be repaired with certainty.", 0))
        return right

    def _put_right(self, row: ReadRow) -> Entry | None:
        """A damaged entry as it must have been, according to its own hash or the hash of an entry that continues it."""
        given = row.given
        if given is None:
            return None
        for parent in dict.fromkeys((row.parent, row.number - 1)):
            before = self.sound.get(parent) if parent is not None else None
            if before is None:
                continue
            tried: list[Entry] = []
            if row.entry is not None:
                tried.append(evolve(row.entry, parent=before.number))
            tried += self._played_after(before, row)
            for one in tried:
                right = evolve(one, hash=_chained(before, one))
                if right.hash == row.hash or self._is_continued(right):
                    self.mended.append(row.number)
                    self.wrong.append(
                        Damage(
                            "entry", f"Entry {row.number} is damaged; it can be repaired with certainty.", row.number
                        )
                    )
                    return right
        return None

    def _is_continued(self, right: Entry) -> bool:
        """Whether an undamaged entry continues this one."""
        later = (self.found.rows.get(n) for n in self.found.continued_by.get(right.number, ()))
        return any(
            one is not None and one.entry is not None and one.entry.hash == _chained(right, one.entry) for one in later
        )

    def _played_after(self, before: Entry, row: ReadRow) -> list[Entry]:
        """The result of an input after an entry, by replaying it; nothing if it cannot be replayed."""
        assert row.given is not None
        try:
            machine = self._at(before.number)
            events = events_to_json(machine.offer(row.given))
            self._machine = row.number, machine
            time = row.time or before.time
            return [Entry(row.number, before.number, row.given, events, machine.digest(), "", time)]
        except Exception:  # noqa: BLE001 - if the rules fail on a damaged entry, it is not proved
            self._machine = None
            return []

    def _at(self, number: int) -> Any:
        """A machine in the state after an entry."""
        way, at = [], number
        while at and (self._machine is None or at != self._machine[0]):
            way.append(self.sound[at])
            at = _parent(self.sound[at])
        if at and self._machine is not None:
            machine = self._machine[1]
        else:
            machine = self._starter(self._texts(), self.found.settings or {}, None)
        self._machine = None
        for entry in reversed(way):
            machine.offer(entry.input)
        return machine

    def _texts(self) -> tuple[Document, ...]:
        """The texts of the beginning, and those of amended rules as far as they can be read."""
        own = self.found.documents or ()
        return whole_texts(own, versions_saved(own, self.found.beside.rows))

    def _play(self, tell: Callable[[int], object]) -> None:
        """Replays the current line, as far as it is valid."""
        wanted = self.found.head if self.found.head in self.sound else self._nearest(self.found.head)
        way, at = [], wanted
        while at:
            way.append(self.sound[at])
            at = _parent(self.sound[at])
        number = 0
        try:
            machine = self._starter(self._texts(), self.found.settings or {}, None)
            if machine.digest() != self.sound[0].digest:
                self.wrong.append(
                    Damage("replay", "When replayed, the campaign begins in a different state from the recorded one.")
                )
                self.sound.clear()
                return
            self._turn = int(getattr(machine, "turn", 0))
            for done, entry in enumerate(reversed(way)):
                number = entry.number
                told = events_to_json(machine.offer(entry.input))
                if machine.digest() != entry.digest or told != entry.events_json:
                    text = f"When replayed, entry {number} leads to a different result from the recorded one."
                    self.wrong.append(Damage("replay", text, number))
                    return
                self._head, self._turn = number, int(getattr(machine, "turn", 0))
                tell(done + 1)
        except Exception as error:  # noqa: BLE001 - any error of the rules in a replay is a finding
            text = f"Entry {number} cannot be replayed: {str(error).rstrip('.')}."
            self.wrong.append(Damage("replay", text, number))
            if not number:
                self.sound.clear()

    def _nearest(self, number: int | None) -> int:
        """The last sound entry on the line to a lost one; if its line is not known, the last sound entry before it."""
        row = self.found.rows.get(number) if number is not None else None
        seen: set[int] = set()
        while row is not None and row.number not in seen:
            seen.add(row.number)
            if row.number in self.sound:
                return row.number
            parent = row.parent if row.parent is not None else row.number - 1
            row = self.found.rows.get(parent)
        return max((n for n in self.sound if number is None or n <= number), default=0)


def _parent(entry: Entry) -> int:
    return -1 if entry.parent is None else entry.parent


def _chained(before: Entry, entry: Entry) -> str:
    try:
        return entry_hash(before.hash, entry.input, entry.digest, entry.events_json)
    except UnicodeEncodeError:
        return ""


def _told(wrong: Sequence[Damage]) -> list[Damage]:
    """The problems to report: not all if there are many."""
    if len(wrong) <= MOST_TOLD:
        return list(wrong)
    return [*wrong[:MOST_TOLD], Damage("more", f"More problems: {len(wrong) - MOST_TOLD}.")]
