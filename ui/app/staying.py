"""A list that is refilled without moving: the highlighted line and the scroll position stay.

Another session may give an order at any moment. Pressing Enter then means the line that was highlighted, so that line
stays highlighted, in the same position. If it is gone, no line is highlighted, and Enter gives nothing.
"""

from collections.abc import Sequence

from textual.widgets import OptionList
from textual.widgets.option_list import Option

__all__ = ["StayingList"]


class StayingList(OptionList):
    """A list with one item on each line, without markup."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - the name Textual gives it
        super().__init__(id=id, markup=False, compact=True)

    def begin_with(self, options: Sequence[Option]) -> None:
        """Fill the list from the top, with the first line highlighted."""
        self.clear_options()
        self.add_options(options)
        self.highlighted = 0 if options else None

    def fill_again(self, options: Sequence[Option], lit: int | None) -> None:
        """Refill the list without moving it.

        Args:
            options: the new lines.
            lit: the new number of the line that was highlighted; None if it is gone, or none was.
        """
        scrolled = self.scroll_offset.y
        before = self._row(self.highlighted)
        self.clear_options()
        self.add_options(options)
        self.highlighted = lit
        moved = 0 if lit is None else self._row(lit) - before
        self.scroll_to(y=scrolled + moved, animate=False, force=True, immediate=True)

    def _row(self, line: int | None) -> int:
        """The row in which a line begins, counted from the top of the list."""
        self._update_lines()
        return self._index_to_line.get(line or 0, 0)
