"""Moving along the tree of inputs: undo, redo, and the lines that exist. Nothing is ever deleted."""

from attrs import frozen

from campaigns.file.beside import Beside
from campaigns.file.errors import CampaignError
from campaigns.file.history import Entry
from campaigns.play.machines import M
from campaigns.play.open_file import OpenFile
from interpreter.runtime.refusals import Why

__all__ = ["Going", "TreeLine"]


@frozen
class TreeLine:
    """One line of inputs from the beginning to its end.

    Attributes:
        end: the number of its last entry.
        parts: the last entry that it has in common with the line to the head.
        inputs: how many inputs it has.
        beyond: how many of them come after `parts`.
        is_here: whether the head is on it.
    """

    end: int
    parts: int
    inputs: int
    beyond: int
    is_here: bool


class Going(OpenFile[M]):
    """An open campaign whose head can be moved."""

    def move(self, number: int, tip: int, beside: Beside | None = None) -> Entry:
        """Move the head to any entry, after checking that the machine reaches the state there.

        Args:
            number: the entry.
            tip: the last entry that redo leads to.
            beside: what is written beside the chain with it.

        Raises:
            CampaignError: there is no such entry, it cannot be replayed, or the file cannot be written.
            Stale: another session has moved the campaign on.
        """
        target = self._made.known(number)
        machine, since = self._made.built(target)
        try:
            self._store.move((self._head, self._hash), number, tip, beside)
        except BaseException:
            self._machine = None
            raise
        self._machine, self._since = machine, since
        self._head, self._hash, self._digest = number, target.hash, target.digest
        return target

    def undo(self, steps: int = 1) -> Entry:
        """Move the head back along its line. Nothing is deleted; `redo` returns.

        Returns:
            The entry that is the head now.

        Raises:
            CampaignError: there are not that many inputs to undo.
            Stale: another session has moved the campaign on.
        """
        way = self._store.lineage(self.head, self._head - max(steps, 1))  # enough if there are no branches
        if not 1 <= steps < len(way):
            way = self._store.lineage(self._head)
        if not 1 <= steps < len(way):
            if len(way) == 1:
                raise CampaignError(
                    "There is nothing to undo: the campaign is at its beginning.",
                    "`ophex log --lines` lists the inputs on other lines; `ophex redo` goes forward again.",
                    Why.NOT_NOW,
                )
            raise CampaignError(
                f"{steps} inputs cannot be undone: the line has only {len(way) - 1}.",
                "`ophex log` lists the inputs.",
                Why.NOT_NOW,
            )
        return self.move(way[steps], self._store.head().tip)

    def redo(self, steps: int = 1) -> Entry:
        """Move the head forward along the line that was undone last: this many inputs, or none if there are fewer.

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
                "There is nothing to redo.", "`ophex log --lines` lists the other lines, if there are any.", Why.NOT_NOW
            )
        if not 1 <= steps < len(way):
            raise CampaignError(
                f"{steps} inputs cannot be redone: only {len(way) - 1} can.",
                "`ophex log --lines` lists the other lines, if there are any.",
                Why.NOT_NOW,
            )
        return self.move(way[-1 - steps], tip)

    def undone(self) -> list[int]:
        """The numbers of the entries that `redo` would restore, in their order."""
        tip = self._store.head().tip
        way = self._store.lineage(tip, self.head)
        return way[-2::-1] if way[-1:] == [self._head] else []

    def between(self, after: int, until: int) -> list[int]:
        """The numbers of the entries that follow one entry up to another on the line of the latter, in their order."""
        return self._store.lineage(until, after + 1)[::-1]

    def parting(self, one: int, other: int) -> int:
        """The last entry that the lines to two entries have in common."""
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
        self._made.known(number)
        if number == self.head:
            raise CampaignError(
                f"The campaign is already at entry {number}.", "`ophex log` lists the entries.", Why.NO_CHANGE
            )
        if number not in self._store.lineage(self._head, number):
            raise CampaignError(
                f"Entry {number} is not on the current line.",
                f"Go to its line with `ophex redo --to {number}`.",
                Why.UNKNOWN_NAME,
            )
        return self.move(number, self._store.head().tip)

    def go_to(self, number: int) -> Entry:
        """Move the head to any entry of the tree, to continue another line there; `redo` leads to the newest end beyond it.

        Returns:
            That entry.

        Raises:
            CampaignError: there is no such entry.
            Stale: another session has moved the campaign on.
        """
        self._made.known(number)
        tip = self._store.head().tip
        beyond = tip if number in self._store.lineage(tip, number) else self._store.end_beyond(number)
        return self.move(number, beyond)

    def lines(self) -> list[TreeLine]:
        """The lines of the campaign: each new input after an `undo` begins one; newest first."""
        head = self.head
        here = set(self._store.lineage(head))
        found = []
        for end in self._store.ends():
            way = self._store.lineage(end)
            parts = next((number for number in way if number in here), way[-1])
            found.append(TreeLine(end, parts, len(way) - 1, way.index(parts), head in way))
        return found
